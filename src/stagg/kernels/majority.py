"""Majorities: who beats whom over all lists, as whole numbers that do not depend on the order of the lists."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.pairwise import order_scores, pair_wins
from stagg.kernels.sums import FINE, RESOLUTION, whole_weights

__all__ = ["between_groups", "copeland", "margins", "score_groups", "smith_sets", "strengths"]


def margins(positions: FloatArray, weights: FloatArray, missing: str) -> IntArray:
    """M[i, j] = the weight of the lists that put i above j less that of those that put j above i.

    ``positions`` and ``missing`` as for ``pair_wins``. Whole-number weights, and those that have a common
    measure, give exact margins (in that measure); others are scaled to a total of 2^26 and rounded.

    >>> margins(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.3, 0.7]), "below") > 0
    array([[False, False],
           [ True, False]])
    """
    whole = whole_weights(weights)
    wins = pair_wins(positions, whole, missing)
    margin = wins - wins.T
    return (np.rint(margin / FINE) if whole.sum() > RESOLUTION else margin).astype(np.intp)


def strengths(positions: FloatArray, weights: FloatArray, missing: str, kind: str) -> FloatArray:
    """S[i, j] = how strongly i beats j, a whole number; 0 where it does not.

    "margins": the margin of i over j. "winning_votes": the weight of the lists that put i above j.

    >>> strengths(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 3.0]), "below", "winning_votes")
    array([[0., 0.],
           [3., 0.]])
    """
    margin = margins(positions, weights, missing).astype(np.float64)
    if kind == "margins":
        return np.maximum(margin, 0.0)
    whole = whole_weights(weights)
    wins = pair_wins(positions, whole, missing)
    return np.where(margin > 0, np.rint(wins / FINE) if whole.sum() > RESOLUTION else wins, 0.0)


def between_groups(margin: IntArray, groups: IntArray) -> IntArray:
    """The sums of the margins between the items of groups 0, 1, ...

    >>> between_groups(np.array([[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]), np.array([0, 0, 1]))
    array([[ 0,  5],
           [-5,  0]])
    """
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    return np.add.reduceat(np.add.reduceat(margin[np.ix_(order, order)], starts, axis=0), starts, axis=1)


def copeland(margin: IntArray) -> FloatArray:
    """Wins plus half the ties of each item against the others.

    >>> copeland(np.array([[0, 1, 0], [-1, 0, 1], [0, -1, 0]]))
    array([1.5, 1. , 0.5])
    """
    scores: FloatArray = (np.sign(margin).sum(axis=1) + len(margin) - 1) / 2
    return scores


def smith_sets(margin: IntArray) -> IntArray:
    """The number of each item's set: 0 is the Smith set, 1 the Smith set of the others, and so on.

    Each set is the smallest whose members all beat everybody behind it. The k best by Copeland score win all
    contests with the others just when their scores add up to the most that k items can have (Landau's theorem).

    >>> smith_sets(np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]))
    array([0, 1, 1])
    """
    n, scores = len(margin), copeland(margin)
    order = np.argsort(-scores, kind="stable")
    k = np.arange(1, n + 1)
    closed = np.cumsum(scores[order]) == k * (k - 1) / 2 + k * (n - k)  # multiples of a half: exact
    sets = np.empty(n, dtype=np.intp)
    sets[order] = np.cumsum(closed) - closed
    return sets


def score_groups(*keys: FloatArray | IntArray) -> FloatArray:
    """n - rank + 1 for the order by ascending keys, the first one first; items equal in all share their mean.

    >>> score_groups(np.array([1, 0, 1]))
    array([1.5, 3. , 1.5])
    """
    order = np.lexsort(keys[::-1])
    tied = np.zeros(len(order), dtype=bool)
    tied[1:] = np.logical_and.reduce([np.diff(key[order]) == 0 for key in keys])
    return order_scores(order, tied)
