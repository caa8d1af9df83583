"""Majorities: who beats whom over all lists, as whole numbers that do not depend on the order of the lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.lists.votes import add_up, round_votes, whole_votes, widen
from stagg.kernels.pairs.pairwise import pair_wins, score_by_place

__all__ = [
    "Majorities",
    "between_groups",
    "copeland",
    "majorities",
    "margins",
    "order_by_keys",
    "score_groups",
    "smith_sets",
    "strengths",
    "total_margins",
]


class Majorities(NamedTuple):
    """``wins[i, j]``: the votes of the lists that put i above j. Sums of votes are rounded to multiples of ``step``."""

    wins: IntArray
    step: int

    @property
    def leads(self) -> IntArray:
        """L[i, j] = the votes of the lists that put i above j less those of the opposite, before they are rounded."""
        return self.wins - self.wins.T

    @property
    def margins(self) -> IntArray:
        """The same, rounded."""
        return round_votes(self.leads, self.step)

    @property
    def totals(self) -> IntArray:
        """The sum of each item's leads over all others, rounded once: equal sums of unequal margins stay equal."""
        return round_votes(add_up(self.leads, 1), self.step)


def majorities(positions: FloatArray, weights: IntArray | FloatArray, missing: str) -> Majorities:
    """Who beats whom, by how many votes; ``positions`` and ``missing`` as for ``pair_wins``.

    Integers give exact counts, and so do weights that are whole numbers or have a common measure (counted in it);
    others are rounded, as :func:`stagg.kernels.lists.votes.whole_votes` says.
    """
    votes = whole_votes(weights)
    return Majorities(pair_wins(positions, votes.counts, missing), votes.step)


def margins(positions: FloatArray, weights: IntArray | FloatArray, missing: str) -> IntArray:
    """M[i, j] = the weight of the lists that put i above j less that of those that put j above i, as whole numbers.

    >>> margins(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.3, 0.7]), "below")
    array([[ 0, -4],
           [ 4,  0]])
    """
    return majorities(positions, weights, missing).margins


def total_margins(positions: FloatArray, weights: IntArray | FloatArray, missing: str) -> IntArray:
    """The sum of each item's margins against all others: twice its Borda count, but for a constant.

    >>> total_margins(np.array([[0.0, 1.0, 2.0]]), np.array([3]), "below")
    array([ 6,  0, -6])
    """
    return majorities(positions, weights, missing).totals


def strengths(positions: FloatArray, weights: IntArray | FloatArray, missing: str, kind: str) -> IntArray:
    """S[i, j] = how strongly i beats j, a whole number; 0 where it does not.

    "margins": the margin of i over j. "winning_votes": the weight of the lists that put i above j.

    >>> strengths(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1, 3]), "below", "winning_votes")
    array([[0, 0],
           [3, 0]])
    """
    found = majorities(positions, weights, missing)
    if kind == "margins":
        return np.maximum(found.margins, 0)
    return np.where(found.margins > 0, round_votes(found.wins, found.step), 0)


def between_groups(margin: IntArray, groups: IntArray) -> IntArray:
    """The sums of the margins between the items of groups 0, 1, ...

    >>> between_groups(np.array([[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]), np.array([0, 0, 1]))
    array([[ 0,  5],
           [-5,  0]])
    """
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    inside = widen(margin[np.ix_(order, order)], len(margin) ** 2)
    return np.add.reduceat(np.add.reduceat(inside, starts, axis=0), starts, axis=1)


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
    return score_by_place(*order_by_keys(*keys))


def order_by_keys(*keys: FloatArray | IntArray) -> tuple[IntArray, BoolArray]:
    """Items by ascending keys, the first one first; and which of them equal the one before in all keys.

    >>> order_by_keys(np.array([1, 0, 1]), np.array([2**64, 0, 2**64]))
    (array([1, 0, 2]), array([False, False,  True]))
    """
    plain = [np.unique(key, return_inverse=True)[1] if key.dtype == object else key for key in keys]
    order = np.lexsort(plain[::-1])
    tied = np.zeros(len(order), dtype=bool)
    tied[1:] = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in plain])
    return order, tied
