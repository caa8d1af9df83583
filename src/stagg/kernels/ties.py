"""Ties: the groups they form, what tied entries share, and which scores are equal but for rounding."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.sums import find_largest

__all__ = ["TIE_TOLERANCE", "measure_groups", "rank_scores", "rank_scores_in_numpy", "share_ties"]


TIE_TOLERANCE = 1e-10
"""Scores closer than this share of the query's largest |score| are equal: rounding must not decide."""


def share_ties(values: FloatArray, tied: BoolArray) -> FloatArray:
    """Every entry's value, or row of values, replaced by the mean over its tied group.

    >>> share_ties(np.array([3.0, 2.0, 1.0, 0.0]), np.array([False, False, True, False]))
    array([3. , 1.5, 1.5, 0. ])
    """
    if not len(values):
        return values
    starts, sizes = measure_groups(tied)
    widths = sizes.reshape(-1, *[1] * (values.ndim - 1))
    means: FloatArray = np.repeat(np.add.reduceat(values, starts, axis=0) / widths, sizes, axis=0)
    return means


def measure_groups(tied: BoolArray) -> tuple[IntArray, IntArray]:
    """Where each tied group starts, and how many entries it has."""
    starts = np.flatnonzero(~tied)
    sizes = np.empty_like(starts)
    sizes[:-1] = starts[1:] - starts[:-1]
    sizes[-1:] = len(tied) - starts[-1:]
    return starts, sizes


def rank_scores(scores: FloatArray, queries: IntArray, count: int) -> tuple[IntArray, BoolArray]:
    """Items by query, then by descending score; and which of them tie with the one before.

    ``queries`` says whose each item is and must not decrease; ``count`` is the number of queries. A new group
    starts where the gap to the previous score exceeds the tolerance. Items of equal score keep their order. The
    compiled twin does it where there is one.
    """
    compiled = twin("_ranked")
    if compiled is None:
        return rank_scores_in_numpy(scores, queries, count)
    offsets = np.array([0, len(scores)]) if count == 1 else np.searchsorted(queries, np.arange(count + 1))
    order, tied = compiled.ranked(np.ascontiguousarray(scores, dtype=np.float64), offsets, TIE_TOLERANCE)
    return order, tied


def rank_scores_in_numpy(scores: FloatArray, queries: IntArray, count: int) -> tuple[IntArray, BoolArray]:
    """The same without the twin."""
    single = count == 1
    order = np.argsort(-scores, kind="stable") if single else np.lexsort((-scores, queries))
    descending = scores[order]
    tolerance = TIE_TOLERANCE * find_largest(np.abs(scores), queries, count)
    tied = np.zeros(len(scores), dtype=bool)
    gaps = descending[:-1] - descending[1:]
    if single:
        tied[1:] = gaps <= tolerance[0]
    else:
        tied[1:] = (gaps <= tolerance[queries[1:]]) & (queries[1:] == queries[:-1])
    return order, tied
