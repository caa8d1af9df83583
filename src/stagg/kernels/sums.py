"""Sums that do not depend on the order of their terms: fixed point, so that no rounding decides a ranking."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stagg.kernels.compiled import twin

__all__ = ["ordered_max", "sums_by_item", "sums_in_numpy"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

BITS = 62  # a sum of all terms stays below 2^62 and fits a signed 64-bit integer


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
    whole = np.rint(np.ldexp(values, shift[entry_queries])).astype(np.int64)
    totals = np.zeros(len(item_queries), dtype=np.int64)
    np.add.at(totals, items, whole)
    with np.errstate(over="ignore"):  # a total beyond the largest float is infinite, and its owner must say so
        return np.ldexp(totals.astype(np.float64), -shift[item_queries])


def _shifts(values: FloatArray, queries: IntArray, lists: IntArray) -> npt.NDArray[np.int32]:
    """Per query, the power of two by which its values are scaled up."""
    largest = ordered_max(np.abs(values), queries, len(lists))
    _, exponent = np.frexp(largest)  # largest < 2^exponent
    _, room = np.frexp(lists.astype(np.float64))  # at most `lists` terms < 2^room
    return np.asarray(BITS - exponent - room, dtype=np.int32)


def ordered_max(values: FloatArray, owners: IntArray, count: int) -> FloatArray:
    """The largest value of each owner, 0 where there is none; owners must not decrease, values not be negative."""
    if count == 1:
        return np.array([values.max(initial=0.0)])
    largest = np.zeros(count)
    if len(values):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        largest[owners[starts]] = np.maximum.reduceat(values, starts)
    return largest
