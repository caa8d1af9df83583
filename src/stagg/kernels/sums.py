"""Sums that do not depend on the order of their terms: whole numbers add up exactly, so rounding decides nothing.

Terms are first rounded to multiples of a unit, so large that the sum of all of them is exact, and so small that the
rounding takes nothing that matters. What the unit is depends on what is summed.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = [
    "Rest",
    "Sums",
    "find_exponent",
    "find_largest",
    "has_twin",
    "round_weights",
    "scale_down",
    "sums_by_item",
    "sums_in_numpy",
    "to_units",
    "whole_columns",
    "whole_fractions",
]


PAIRS = 4_000_000  # of lists and items that are looked at at once: bounds the memory
BITS = 62  # a sum of all terms stays below 2^62 and fits a signed 64-bit integer
WEIGHT_BITS = 50
UNIT = 2.0**50  # fractions of a total are rounded to multiples of 1 / UNIT
HUGE = 960  # of weights below this power of two, sums and products with counts are finite


def to_units(values: FloatArray, bits: Int32Array | int) -> FloatArray:
    """Values as whole numbers of units of 2^-bits.

    >>> to_units(np.array([0.3, 1.0]), 4)
    array([ 5., 16.])
    """
    whole: FloatArray = np.rint(np.ldexp(values, bits))
    return whole


class Sums(NamedTuple):
    """Sums of terms, one for each item."""

    totals: FloatArray
    masses: FloatArray
    """The sums of the absolute values of the same terms; the totals themselves where no term is negative."""


class Rest(NamedTuple):
    """Gains of those items of a query that its lists do not hold: a value for each list."""

    values: FloatArray
    entry_offsets: IntArray
    list_queries: IntArray
    item_offsets: IntArray


def has_twin() -> bool:
    """Whether sums are compiled here."""
    return twin("_sums") is not None


def sums_by_item(values: FloatArray, items: IntArray, count: int, rest: Rest | None = None) -> Sums:
    """totals[i] = the sum of values[e] over the entries e with items[e] == i, the same for any order of entries.

    With ``rest``, the value of every list that does not hold the item is a term, too; entries then stand list by list.

    The terms of an item become multiples of a power of two, so small that their largest possible sum just fits 62 bits;
    whole numbers add up exactly in any order. The error of a total is below 2^-60 of the item's own largest term, less
    than that of a floating-point sum, whatever the terms of other items are. All totals are NaN where a term is not
    finite. The compiled twin does it where there is one.
    """
    compiled = twin("_sums")
    if compiled is None:
        return sums_in_numpy(values, items, count, rest)
    arrays = (values, items) if rest is None else (values, items, *rest)
    kinds = (np.float64, np.int64, np.float64, np.int64, np.int64, np.int64)
    plain = [np.ascontiguousarray(each, dtype=kind) for each, kind in zip(arrays, kinds, strict=False)]
    found = compiled.sums_by_item(*plain[:2], count, *plain[2:])
    return _unknown(count) if found is None else Sums(*found)


def sums_in_numpy(values: FloatArray, items: IntArray, count: int, rest: Rest | None = None) -> Sums:
    """The same without the twin."""
    parts = [(values, items)] if rest is None else [(values, items), *_terms_of_rest(items, rest)]
    if not all(np.isfinite(terms).all() for terms, _ in parts):
        return _unknown(count)
    largest, terms = np.zeros(count), np.zeros(count)
    for some, owners in parts:
        np.maximum.at(largest, owners, np.abs(some))
        terms += np.bincount(owners, minlength=count)
    shift = BITS - np.frexp(largest)[1] - np.frexp(terms)[1]  # |term| < 2^exponent, and there are less than 2^room
    totals, masses = np.zeros((2, count), dtype=np.int64)
    for some, owners in parts:
        whole = to_units(some, shift[owners]).astype(np.int64)
        np.add.at(totals, owners, whole)
        np.add.at(masses, owners, np.abs(whole))
    with np.errstate(over="ignore"):  # a total beyond the largest float is infinite, and its owner must say so
        return Sums(*(np.ldexp(each.astype(np.float64), -shift) for each in (totals, masses)))


def _unknown(count: int) -> Sums:
    nothing = np.full(count, np.nan)
    return Sums(nothing, nothing)


def _terms_of_rest(items: IntArray, rest: Rest) -> list[tuple[FloatArray, IntArray]]:
    """(values, items) of what the lists give to items that they do not hold, some lists at a time."""
    first, sizes = rest.item_offsets[rest.list_queries], np.diff(rest.item_offsets)[rest.list_queries]
    ends = np.cumsum(sizes)
    cuts = np.unique(np.searchsorted(ends, np.arange(0, ends[-1] if len(ends) else 0, PAIRS)))
    return [
        _terms_of_lists(items, rest, first, sizes, low, high)
        for low, high in itertools.pairwise([*cuts.tolist(), len(sizes)])
    ]


def _terms_of_lists(
    items: IntArray, rest: Rest, first: IntArray, sizes: IntArray, low: int, high: int
) -> tuple[FloatArray, IntArray]:
    """The same of the lists from ``low`` up to ``high``."""
    starts = np.cumsum(sizes[low:high]) - sizes[low:high]
    lengths = np.diff(rest.entry_offsets[low : high + 1])
    entries = slice(rest.entry_offsets[low], rest.entry_offsets[high])
    absent = np.ones(int(sizes[low:high].sum()), dtype=bool)
    absent[items[entries] + np.repeat(starts - first[low:high], lengths)] = False
    owners = np.arange(len(absent)) + np.repeat(first[low:high] - starts, sizes[low:high])
    return np.repeat(rest.values[low:high], sizes[low:high])[absent], owners[absent]


def find_largest(values: FloatArray, owners: IntArray, count: int) -> FloatArray:
    """The largest value of each owner, 0 where there is none; owners must not decrease, values not be negative."""
    if count == 1:
        return np.array([values.max(initial=0.0)])
    largest = np.zeros(count)
    if len(values):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        largest[owners[starts]] = np.maximum.reduceat(values, starts)
    return largest


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
