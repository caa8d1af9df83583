"""Ties: the groups they form, what tied entries share, and which scores are equal but for rounding."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.text import ranked

__all__ = [
    "LEAST",
    "TIE_TOLERANCE",
    "are_equal",
    "are_first",
    "measure_groups",
    "rank_scores",
    "rank_scores_in_numpy",
    "share_ties",
]


TIE_TOLERANCE = 1e-10
"""Scores are equal that differ by at most this share of the larger of their masses: rounding must not decide.

The mass of a score is the sum of the absolute values of what it was made of: its rounding error is a tiny share of it.
"""

LEAST = 1e-308
"""Scores smaller than this are equal to 0: there floats lose their digits."""


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


def rank_scores(scores: FloatArray, masses: FloatArray, queries: IntArray, count: int) -> tuple[IntArray, BoolArray]:
    """Items by query, then by descending score; and which of them tie with the one before.

    ``masses`` say how large the numbers were that each score was made of, ``queries`` whose each item is, and must not
    decrease; ``count`` is the number of queries. A new group starts where the gap to the previous score exceeds the
    tolerance. Items of equal score keep their order. The compiled twin does it where there is one.
    """
    offsets = np.array([0, len(scores)]) if count == 1 else np.searchsorted(queries, np.arange(count + 1))
    found = ranked.rank(scores, masses, offsets, (TIE_TOLERANCE, LEAST))
    return rank_scores_in_numpy(scores, masses, queries, count) if found is None else found


def rank_scores_in_numpy(
    scores: FloatArray, masses: FloatArray, queries: IntArray, count: int
) -> tuple[IntArray, BoolArray]:
    """The same without the twin."""
    order = np.argsort(-scores, kind="stable") if count == 1 else np.lexsort((-scores, queries))
    tied = np.zeros(len(scores), dtype=bool)
    tied[1:] = are_equal(scores[order], masses[order])
    tied[1:] &= queries[1:] == queries[:-1]
    return order, tied


def are_first(scores: FloatArray, masses: FloatArray) -> BoolArray:
    """Which items have the best score of all, or of their row: the first group of the tie rule.

    >>> are_first(np.array([1.0, 3.0, 3.0 - 1e-15]), np.array([1.0, 3.0, 3.0]))
    array([False,  True,  True])
    """
    order = np.argsort(-scores, axis=-1, kind="stable")
    falling, sizes = (np.take_along_axis(each, order, axis=-1) for each in (scores, masses))
    level = np.ones(scores.shape, dtype=bool)
    level[..., 1:] = np.logical_and.accumulate(are_equal(falling, sizes), axis=-1)
    first = np.empty_like(level)
    np.put_along_axis(first, order, level, axis=-1)
    return first


def are_equal(scores: FloatArray, masses: FloatArray) -> BoolArray:
    """Whether each score but the first equals the one before it, along the last axis; the scores do not rise.

    >>> are_equal(np.array([3.0, 2.0, 2.0 - 1e-12]), np.array([3.0, 2.0, 2.0]))
    array([False,  True])
    >>> are_equal(np.array([1e-20, 1e-25]), np.array([1e-20, 1e-25]))
    array([False])
    """
    larger = np.maximum(np.abs(masses[..., :-1]), np.abs(masses[..., 1:]))
    tiny = np.abs(scores) < LEAST
    equal: BoolArray = scores[..., :-1] - scores[..., 1:] <= TIE_TOLERANCE * larger
    return equal | (tiny[..., :-1] & tiny[..., 1:])
