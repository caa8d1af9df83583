"""Agreement over pairs of lists of a query: sums of whole numbers, so that no order changes a bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.sums import to_units

__all__ = [
    "CORRELATION_UNIT",
    "GAPS",
    "Lists",
    "PairSums",
    "confirmations",
    "confirmations_in_numpy",
    "correlate_all",
    "correlate_common",
    "covariances",
    "pair_sums",
    "pair_sums_in_numpy",
    "whole_values",
]

Whole = npt.NDArray[np.int64]

EXACT_BITS = 52  # whole numbers up to 2^52 add up without rounding, as integers and as floating-point numbers
CORRELATION_BITS = 40
CORRELATION_UNIT = 2.0**-CORRELATION_BITS
FLAT = 1e-12  # a variance below this part of the mean square is what rounding left of none
GAPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Lists(NamedTuple):
    """The lists of some queries: ``owners[k]`` of ``rankers`` made list k, ``items`` count from 0 in each query.

    The entries of list k are those from ``entry_offsets[k]`` on, best first; the lists of query q those from
    ``list_offsets[q]`` on; it has ``sizes[q]`` candidates.
    """

    list_offsets: IntArray
    owners: IntArray
    rankers: int
    entry_offsets: IntArray
    items: IntArray
    sizes: IntArray


class PairSums(NamedTuple):
    """Over the items that the lists of rankers k and l of query q both hold, x what a list gives: [q, k, l] =
    how many there are, Σ x_k, Σ x_k² and Σ x_k x_l. With k = l these are the sums over a whole list."""

    common: Whole
    sums: Whole
    squares: Whole
    products: Whole


def whole_values(values: FloatArray, largest: float, sizes: IntArray) -> Whole:
    """Values of at most ``largest`` as whole numbers, so small that sums of their products over n items are exact."""
    bits = (EXACT_BITS - np.ceil(np.log2(np.maximum(sizes, 2))).astype(np.int32)) // 2
    whole: Whole = np.rint(np.ldexp(values / largest, bits)).astype(np.int64)
    return whole


def pair_sums(lists: Lists, values: Whole) -> PairSums:
    """The sums over pairs; ``values`` are what the entries get. The compiled twin does it where there is one."""
    compiled = twin("agreement._list_pairs")
    if compiled is None:
        return pair_sums_in_numpy(lists, values)
    size = len(lists.sizes), lists.rankers, lists.rankers
    found = PairSums(*(np.zeros(size, dtype=np.int64) for _ in range(4)))
    compiled.pair_sums(*_arrays(lists), np.ascontiguousarray(values), *found)
    return found


def pair_sums_in_numpy(lists: Lists, values: Whole) -> PairSums:
    """The same by products of matrices of whole numbers."""
    size = len(lists.sizes), lists.rankers, lists.rankers
    found = PairSums(*(np.zeros(size, dtype=np.int64) for _ in range(4)))
    for query in range(len(lists.sizes)):
        given, held, owners = _table(lists, values, query)
        listed = held.astype(float)
        sums = listed @ listed.T, given @ listed.T, given**2 @ listed.T, given @ given.T
        for total, of_query in zip(found, sums, strict=True):
            total[query][np.ix_(owners, owners)] = of_query
    return found


def _table(lists: Lists, values: Whole, query: int) -> tuple[FloatArray, BoolArray, IntArray]:
    """(what each list of a query gives to each candidate, whether it holds it, the rankers of the lists)"""
    first, end = lists.list_offsets[query : query + 2].tolist()
    entries = slice(*lists.entry_offsets[[first, end]].tolist())
    rows = np.repeat(np.arange(end - first), np.diff(lists.entry_offsets[first : end + 1]))
    given = np.zeros((end - first, int(lists.sizes[query])))
    held = np.zeros(given.shape, dtype=bool)
    given[rows, lists.items[entries]] = values[entries]
    held[rows, lists.items[entries]] = True
    return given, held, lists.owners[first:end]


def _arrays(lists: Lists) -> tuple[Whole, ...]:
    fields = lists.list_offsets, lists.owners, lists.entry_offsets, lists.items, lists.sizes
    return tuple(np.ascontiguousarray(each, dtype=np.int64) for each in fields)


# --- correlations -----------------------------------------------------------------------------------------------------


def covariances(found: PairSums, sizes: IntArray) -> FloatArray:
    """n times the covariance over all n candidates of a query, an item that a list does not hold counting 0."""
    totals = np.diagonal(found.sums, axis1=1, axis2=2).astype(float)
    expected = totals[:, :, None] * totals[:, None] / np.maximum(sizes, 1)[:, None, None]
    covariance: FloatArray = found.products - expected
    return covariance


def correlate_all(covariance: FloatArray, found: PairSums) -> tuple[Whole, BoolArray]:
    """(correlations over all candidates, in units of CORRELATION_UNIT; whether both lists vary)"""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    varies = variance > FLAT * np.diagonal(found.squares, axis1=1, axis2=2)
    deviation = np.sqrt(np.where(varies, variance, 1.0))
    known = varies[:, :, None] & varies[:, None]
    return _in_units(covariance, deviation[:, :, None] * deviation[:, None], known), known


def correlate_common(found: PairSums, fewest: int) -> tuple[Whole, BoolArray]:
    """The same over the items that two lists both hold, where there are ``fewest`` of them."""
    count = np.maximum(found.common, 1)
    sums = found.sums.astype(float)
    variance = found.squares - sums**2 / count
    varies = variance > FLAT * found.squares
    known = (found.common >= fewest) & varies & varies.transpose(0, 2, 1)
    deviation = np.sqrt(np.where(varies, variance, 1.0))
    covariance = found.products - sums * sums.transpose(0, 2, 1) / count
    return _in_units(covariance, deviation * deviation.transpose(0, 2, 1), known), known


def _in_units(covariance: FloatArray, scale: FloatArray, known: BoolArray) -> Whole:
    correlation = np.where(known, covariance / scale, 0.0)
    whole: Whole = to_units(correlation, CORRELATION_BITS).astype(np.int64)
    return whole


# --- how often the others agree, by gap -------------------------------------------------------------------------------


def confirmations(lists: Lists, values: Whole) -> Whole:
    """counts[k, g] = (half wins, contests) of pairs of items of ranker k that lie GAPS[g] places apart.

    A win: all other lists together give the item ahead more; a tie among them is half a win. Items that the list ties
    have no contest. The compiled twin does it where there is one.
    """
    compiled = twin("agreement._list_pairs")
    if compiled is None:
        return confirmations_in_numpy(lists, values)
    counts = np.zeros((lists.rankers, len(GAPS), 2), dtype=np.int64)
    compiled.confirmations(*_arrays(lists), np.ascontiguousarray(values), np.array(GAPS, dtype=np.int64), counts)
    return counts


def confirmations_in_numpy(lists: Lists, values: Whole) -> Whole:
    """The same, list by list."""
    counts = np.zeros((lists.rankers, len(GAPS), 2), dtype=np.int64)
    for query in range(len(lists.sizes)):
        given, _, owners = _table(lists, values, query)
        together, first = given.sum(axis=0), int(lists.list_offsets[query])
        for row, owner in enumerate(owners.tolist()):
            items = lists.items[slice(*lists.entry_offsets[first + row : first + row + 2].tolist())]
            own = given[row, items]
            counts[owner] += _confirm(own, together[items] - own)
    return counts


def _confirm(own: FloatArray, others: FloatArray) -> Whole:
    counts = np.zeros((len(GAPS), 2), dtype=np.int64)
    for number, gap in enumerate(GAPS):
        if gap >= len(own):
            break
        real = own[:-gap] > own[gap:]
        before, behind = others[:-gap], others[gap:]
        won, level = np.count_nonzero(real & (before > behind)), np.count_nonzero(real & (before == behind))
        counts[number] = 2 * won + level, np.count_nonzero(real)
    return counts
