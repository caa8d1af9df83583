"""Sums that do not depend on the order of their terms: whole numbers add up exactly, so no rounding decides a ranking.

Terms are first rounded to multiples of a unit, so large that the sum of all of them is exact, and so small that the
rounding takes nothing that matters. What the unit is depends on what is summed.
"""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = [
    "find_exponent",
    "find_largest",
    "round_weights",
    "scale_down",
    "sums_by_item",
    "sums_in_numpy",
    "to_units",
    "whole_columns",
    "whole_fractions",
    "whole_weights",
]


BITS = 62  # a sum of all terms stays below 2^62 and fits a signed 64-bit integer
WEIGHT_BITS = 50
UNIT = 2.0**50  # fractions of a total are rounded to multiples of 1 / UNIT
RESOLUTION = 2.0**26
"""Margins are resolved to this part of the total weight, where the weights are not whole numbers."""

FINE = 2.0**18  # weights are this much finer: what they lose, over all the lists, stays below half a margin
DENOMINATORS = 1000  # of weights with a common measure
MEASURE = 1e-12  # relative error of such weights
HUGE = 960  # of weights below this power of two, sums and products with counts are finite
FIRST = 8  # weights that are tried before all are


def to_units(values: FloatArray, bits: Int32Array | int) -> FloatArray:
    """Values as whole numbers of units of 2^-bits.

    >>> to_units(np.array([0.3, 1.0]), 4)
    array([ 5., 16.])
    """
    whole: FloatArray = np.rint(np.ldexp(values, bits))
    return whole


def sums_by_item(
    values: FloatArray, items: IntArray, *, item_queries: IntArray, entry_queries: IntArray, lists: IntArray
) -> FloatArray:
    """total[i] = the sum of values[e] over the entries e with items[e] == i, the same for any order of entries.

    Within a query every value becomes a multiple of one power of two, so small that the largest possible sum (one
    value per list) just fits 62 bits; whole numbers add up exactly in any order. The error of a total is below
    2^-60 of the query's largest value: less than that of a floating-point sum. The compiled twin does it where there is
    one.
    """
    compiled = twin("_sums")
    totals: FloatArray | None = None
    if compiled is not None:
        whole_numbers = (
            np.ascontiguousarray(each, dtype=np.int64) for each in (items, item_queries, entry_queries, lists)
        )
        totals = compiled.sums_by_item(np.ascontiguousarray(values, dtype=np.float64), *whole_numbers)
    return sums_in_numpy(values, items, item_queries, entry_queries, lists) if totals is None else totals


def sums_in_numpy(
    values: FloatArray, items: IntArray, item_queries: IntArray, entry_queries: IntArray, lists: IntArray
) -> FloatArray:
    """The same without the twin."""
    shift = _shifts(values, entry_queries, lists)
    whole = to_units(values, shift[entry_queries]).astype(np.int64)
    totals = np.zeros(len(item_queries), dtype=np.int64)
    np.add.at(totals, items, whole)
    with np.errstate(over="ignore"):  # a total beyond the largest float is infinite, and its owner must say so
        return np.ldexp(totals.astype(np.float64), -shift[item_queries])


def _shifts(values: FloatArray, queries: IntArray, lists: IntArray) -> Int32Array:
    """Per query, the power of two by which its values are scaled up."""
    largest = find_largest(np.abs(values), queries, len(lists))
    _, exponent = np.frexp(largest)  # largest < 2^exponent
    _, room = np.frexp(lists.astype(np.float64))  # at most `lists` terms < 2^room
    return np.asarray(BITS - exponent - room, dtype=np.int32)


def find_largest(values: FloatArray, owners: IntArray, count: int) -> FloatArray:
    """The largest value of each owner, 0 where there is none; owners must not decrease, values not be negative."""
    if count == 1:
        return np.array([values.max(initial=0.0)])
    largest = np.zeros(count)
    if len(values):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        largest[owners[starts]] = np.maximum.reduceat(values, starts)
    return largest


def whole_weights(weights: FloatArray) -> FloatArray:
    """Whole numbers in the proportions of the weights: themselves where they are (moderate) whole numbers already.

    Sums of whole numbers are exact: no order of the lists can change them, and what should tie does. Weights that have
    a common measure (0.1, 0.25, thirds) become multiples of it; others are rounded to 2^-44 of their sum.

    >>> whole_weights(np.array([0.1, 0.2, 0.25]))
    array([2., 4., 5.])
    """
    largest = weights.max(initial=0.0)
    limit = RESOLUTION / max(1, len(weights))
    if largest <= limit and (weights == np.rint(weights)).all():
        return weights
    for unit in (1.0, largest, weights.min(where=weights > 0, initial=largest)):
        if largest / limit <= unit:
            whole = _common_measure(weights / unit)
            if whole is not None and whole.max() <= limit:
                return whole
    shares = weights / largest  # first, because the sum of huge weights may overflow
    return np.asarray(np.rint(shares * (RESOLUTION * FINE / shares.sum())), dtype=np.float64)


def _common_measure(weights: FloatArray) -> FloatArray | None:
    """The smallest multiple of the weights, up to 1000, that is whole but for rounding; None if there is none."""
    few = _are_whole(np.arange(1.0, DENOMINATORS + 1), weights[:FIRST])  # most weights fail here, and soon
    for factor in np.flatnonzero(few) + 1.0:
        if _are_whole(np.array([factor]), weights)[0]:
            return np.asarray(np.rint(weights * factor), dtype=np.float64)
    return None


def _are_whole(factors: FloatArray, weights: FloatArray) -> BoolArray:
    """Whether each factor makes all weights whole but for rounding."""
    multiples = weights * factors[:, None]
    return np.asarray((np.abs(multiples - np.rint(multiples)) <= MEASURE * weights).all(axis=1))


def whole_fractions(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Parts of the lists' weights in units so small that what rounding takes is nothing."""
    whole: FloatArray = np.rint(values * (UNIT / weights.max()) / len(weights))
    return whole


def whole_columns(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(whole, unit) of every column: values = whole · unit, the whole numbers so small that a column adds up exactly.

    So a matrix product has the same bits on any machine, with any number of columns and threads. The unit is a power
    of two, at most Q · 2^-51 of the largest of the Q values. A column with a number that is not finite becomes 0.
    """
    largest = np.abs(values).max(axis=0, initial=0.0)
    known = np.isfinite(largest)
    _, exponents = np.frexp(np.where(known, largest, 0.0))
    bits = 53 - len(values).bit_length() - exponents
    return to_units(np.where(known, values, 0.0), bits), np.ldexp(1.0, -bits)


def scale_down(values: FloatArray, most: int = HUGE) -> FloatArray:
    """Values, all divided by a power of two where one is 2^most or more, for use where only proportions matter.

    A power of two keeps the proportions to the bit. By default only weights so large are scaled that what is made of
    them would overflow.

    >>> scale_down(np.array([1.0, 3.0])), scale_down(np.array([1.0, 3.0]), most=1)
    (array([1., 3.]), array([0.5, 1.5]))
    """
    excess = find_exponent(values) - most
    return values if excess <= 0 else np.ldexp(values, -excess)


def find_exponent(values: FloatArray) -> int:
    """The smallest e such that all values lie between -2^e and 2^e.

    >>> find_exponent(np.array([1.0, -3.0]))
    2
    """
    return int(np.frexp(np.abs(values).max(initial=0.0))[1])


def round_weights(weights: FloatArray) -> FloatArray:
    """Weights rounded to so few bits that their sums are exact; whole numbers (but huge ones) stay as they are."""
    _, exponent = np.frexp(weights.sum())
    rounded: FloatArray = np.ldexp(to_units(weights, WEIGHT_BITS - exponent), exponent - WEIGHT_BITS)
    return rounded
