"""Runoffs: count, eliminate those who have the least, and count again among those who still stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, IntArray

__all__ = ["Count", "Round", "elimination_places", "possible_eliminations", "run_off"]

Count = Callable[[IntArray], IntArray]
"""The scores of the items that still stand, in their order; whoever has the least goes."""


class Round(NamedTuple):
    """One round: who stands, what each has, who goes."""

    standing: IntArray
    scores: IntArray
    out: IntArray


def run_off(count: Count, n: int, *, below_zero: bool = False, keep: IntArray | None = None) -> Iterator[Round]:
    """The rounds of a runoff among n items; the last round strikes out the winner, or all who tie.

    Whoever has the least goes; equals go together, or, with ``keep``, the one that comes last in it. ``below_zero``:
    all go that have less than 0.

    >>> first_votes = lambda standing: np.array([5, 2, 3])[standing]
    >>> [each.out.tolist() for each in run_off(first_votes, 3)]
    [[1], [2], [0]]
    """
    standing = np.arange(n)
    while len(standing):
        scores = count(standing)
        gone = scores < 0 if below_zero else scores == scores.min()
        if not gone.any():
            gone[:] = True
        out = standing[gone]
        if keep is not None and len(out) > 1:
            out = out[[np.argmax(_places(keep)[out])]]
        yield Round(standing, scores, out)
        standing = np.setdiff1d(standing, out)


def elimination_places(rounds: Iterator[Round], n: int) -> IntArray:
    """The place, from 0, of each item by reverse elimination; those who go together by their scores in that round."""
    places = np.empty(n, dtype=np.intp)
    for standing, scores, out in rounds:
        left = len(standing) - len(out)
        final = scores[np.searchsorted(standing, out)]
        places[out] = left + (final[:, None] < final).sum(axis=1)
    return places


def possible_eliminations(count: Count, n: int, most: int, *, transfers: bool = True) -> IntArray | None:
    """The best place, from 0, of each item over all orders in which equals can go; None beyond ``most`` fields.

    ``transfers``: whether items without any votes can go at once, because nothing changes when they do.
    """
    best = np.full(n, n - 1)
    open_ones, seen = [tuple(range(n))], set()
    while open_ones:
        standing = np.array(open_ones.pop(), dtype=np.intp)
        best[standing] = np.minimum(best[standing], len(standing) - 1)
        if len(standing) == 1:
            continue
        for out in _ways(count(standing), transfers):
            left = tuple(np.delete(standing, out).tolist())
            best[standing[out]] = np.minimum(best[standing[out]], len(left))
            if left and left not in seen:
                seen.add(left)
                open_ones.append(left)
        if len(seen) > most:
            return None
    return best


def _ways(scores: IntArray, transfers: bool) -> list[IntArray]:
    """Who can go first: each of those who have the least by itself, or all without votes together."""
    least: BoolArray = scores == scores.min()
    if transfers and scores.min() == 0 and not least.all():
        return [np.flatnonzero(least)]
    return [np.array([each]) for each in np.flatnonzero(least)]


def _places(order: IntArray) -> IntArray:
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return places
