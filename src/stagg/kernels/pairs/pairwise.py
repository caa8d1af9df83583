"""Pairwise counts: how much weight puts one item above another."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import ABSENT, AnyArray, FloatArray
from stagg.kernels.compiled import twin

__all__ = ["pair_counts", "pair_wins", "pair_wins_in_numpy", "score_by_place"]

CELLS = 8_000_000  # comparisons held at once: bounds the memory for many lists
LONG = 1_000  # pairs of items from which on a list is counted by itself
SHORT = 16_000  # items whose positions, doubled, fit 16 bits
MOST = 2**15 - 1  # the largest number of 16 bits


def pair_wins(positions: FloatArray, weights: AnyArray, missing: str) -> AnyArray:
    """W[i, j] = the total weight of the lists that put item i above item j.

    ``positions[k, i]`` is the (mean) position of item i in list k, or ABSENT; tied items beat neither each other.
    ``below``: the unlisted items of a list are one tied block after it. ``skip`` and ``neutral``: a list speaks only of
    pairs that it holds. Integers, whose sum 64 bits must hold, give exact counts; other weights are summed in the order
    of the lists.

    >>> pair_wins(np.array([[0.0, 1.0, -1.0]]), np.ones(1), "below")
    array([[0., 1., 1.],
           [0., 0., 1.],
           [0., 0., 0.]])
    """
    compiled = twin("pairs._pairwise")
    if compiled is None:
        return pair_wins_in_numpy(positions, weights, missing)
    listed = positions != ABSENT
    short = positions.shape[1] < SHORT and _add_up_to_little(weights)
    kind, last = (np.int16, MOST) if short else (np.float64, np.inf)
    exact = weights.dtype.kind == "i"
    # an item that is not listed beats nobody, and under skip nobody beats it
    own = np.where(listed, 2 * positions, last).astype(kind)
    others = own if missing == "below" else np.where(listed, 2 * positions, -last).astype(kind)
    count = compiled.counted_wins if short else compiled.added_wins if exact else compiled.weighed_wins
    parts = weights.astype(np.int16 if short else np.int64 if exact else np.float64)
    wins: AnyArray = count(np.ascontiguousarray(own), np.ascontiguousarray(others), parts).astype(weights.dtype)
    return wins


def _add_up_to_little(weights: AnyArray) -> bool:
    """Whether all sums of the weights are whole numbers of 16 bits."""
    few = weights.max(initial=0) <= MOST and weights.sum() <= MOST  # the sum of huge weights would overflow
    return bool(few and (weights == np.rint(weights)).all())


def pair_wins_in_numpy(positions: FloatArray, weights: AnyArray, missing: str) -> AnyArray:
    """The same without the twin."""
    lists, n = positions.shape
    # mean positions are halves: twice them are whole, and whole numbers of 16 or 32 bits compare fastest
    short = n < SHORT
    places = np.rint(2 * positions).astype(np.int16 if short else np.int32)
    listed = positions != ABSENT
    if missing == "below":
        places[~listed] = MOST if short else 2**31 - 1
    wins: AnyArray = np.zeros((n, n), dtype=weights.dtype)
    if n * n > LONG:  # one list at a time stays in the cache of the processor
        for place, held, weight in zip(places, listed, weights.tolist(), strict=True):
            above = _above(place[None], held[None], missing)[0]
            wins += above if weight == 1 else weight * above
        return wins
    step = max(1, CELLS // max(1, n * n))
    for low in range(0, lists, step):
        block = slice(low, low + step)
        terms = weights[block, None, None] * _above(places[block], listed[block], missing)
        terms[0] += wins
        wins = terms.sum(axis=0)  # list after list: along the slow axis nothing is summed in pairs
    return wins


def _above(places: np.ndarray, listed: np.ndarray, missing: str) -> np.ndarray:
    """above[k, i, j] = list k puts item i above item j."""
    above = places[:, :, None] < places[:, None, :]
    if missing != "below":
        above &= listed[:, :, None] & listed[:, None, :]
    return above


def score_by_place(order: np.ndarray, tied: np.ndarray | None = None) -> FloatArray:
    """Scores that say an order and no more: n - rank + 1 for the items in ``order``, tied ones their mean.

    >>> score_by_place(np.array([2, 0, 1]))
    array([2., 1., 3.])
    """
    n = len(order)
    points = np.arange(n, 0, -1, dtype=float)
    if tied is not None and tied.any():
        group = np.cumsum(~tied) - 1
        points = (np.bincount(group, points) / np.bincount(group))[group]
    scores = np.empty(n)
    scores[order] = points
    return scores


def pair_counts(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """C[i, j] = the weight of the lists that put i above j, plus half of that of the lists in which they tie.

    ``below``: the unlisted items of a list tie with one another too.

    >>> pair_counts(np.array([[0.0, 1.5, 1.5]]), np.array([2.0]), "skip")
    array([[0., 2., 2.],
           [0., 0., 1.],
           [0., 1., 0.]])
    """
    wins = pair_wins(positions, weights, missing)
    listed = (positions != ABSENT).astype(float)
    both = np.full_like(wins, weights.sum()) if missing == "below" else (listed * weights[:, None]).T @ listed
    counts: FloatArray = wins + np.maximum(both - wins - wins.T, 0.0) / 2
    np.fill_diagonal(counts, 0.0)  # nobody plays against himself
    return counts
