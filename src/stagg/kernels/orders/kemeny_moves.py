"""Improve Kemeny orders by moving one item at a time."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import IntArray

__all__ = ["by_insertions", "cost_of"]


def cost_of(order: IntArray, margin: IntArray) -> int:
    """The sum of the margins that an order turns.

    >>> cost_of(np.array([1, 0]), np.array([[0, 3], [-3, 0]]))
    3
    """
    behind = np.tril(margin[np.ix_(order, order)], -1)  # entry [p, q], p after q: > 0 where p should come first
    return int(np.maximum(behind, 0).sum())


def by_insertions(margin: IntArray, order: IntArray) -> IntArray:
    """An order at least as good as the given one, in which no single item has a better place.

    >>> by_insertions(np.array([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]), np.array([2, 1, 0]))
    array([0, 1, 2])
    """
    order, settled = order.copy(), 0
    n, turn = len(order), 0
    while settled < n:
        item = int(turn % n)
        turn += 1
        moved = _move(margin, order, item)
        settled = settled + 1 if moved is order else 0
        order = moved
    return order


def _move(margin: IntArray, order: IntArray, item: int) -> IntArray:
    """The order with the item at its best place; the same object if no place is better than its own."""
    place = int(np.flatnonzero(order == item)[0])
    others = np.delete(order, place)
    # at place q it stands behind q of the others, and what it had against them is turned
    costs = np.concatenate(([0], np.cumsum(margin[item, others])))
    best = int(np.argmin(costs))
    return np.insert(others, best, item) if costs[best] < costs[place] else order
