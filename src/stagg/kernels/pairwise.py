"""Pairwise counts: how much weight puts one item above another."""

from __future__ import annotations

import numpy as np

from stagg.kernels.sums import FloatArray

__all__ = ["order_scores", "pair_wins"]

CELLS = 8_000_000  # comparisons held at once: bounds the memory for many lists


def pair_wins(positions: FloatArray, weights: FloatArray, missing: str, absent: float = -1.0) -> FloatArray:
    """W[i, j] = the total weight of the lists that put item i above item j.

    ``positions[k, i]`` is the (mean) position of item i in list k, or ``absent``; tied items beat neither each other.
    ``below``: the unlisted items of a list are one tied block after it. ``skip`` and ``neutral``: a list speaks only of
    pairs that it holds. Whole-number weights give exact counts; others are summed in the order of the lists.

    >>> pair_wins(np.array([[0.0, 1.0, -1.0]]), np.ones(1), "below")
    array([[0., 1., 1.],
           [0., 0., 1.],
           [0., 0., 0.]])
    """
    lists, n = positions.shape
    listed = positions != absent
    places = np.where(listed, positions, np.inf if missing == "below" else np.nan)  # no comparison with NaN is true
    wins = np.zeros((n, n))
    step = max(1, CELLS // max(1, n * n))
    for low in range(0, lists, step):
        block = places[low : low + step]
        above = block[:, :, None] < block[:, None, :]
        wins += np.tensordot(weights[low : low + step], above, axes=1)
    return wins


def order_scores(order: np.ndarray, tied: np.ndarray | None = None) -> FloatArray:
    """Scores that say an order and no more: n - rank + 1 for the items in ``order``, tied ones their mean.

    >>> order_scores(np.array([2, 0, 1]))
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
