"""Insertion by majorities: add items one by one; each moves up while it beats the one above."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import IntArray
from stagg.kernels.compiled import twin

__all__ = ["inserted", "inserted_in_python"]


def inserted(margin: IntArray, start: IntArray | None = None) -> IntArray:
    """Items, 0, 1, ... or as ``start`` has them, inserted at the end, each moving up while it beats the one above.

    >>> inserted(np.array([[0, 1, 1], [-1, 0, -2], [-1, 2, 0]]))
    array([0, 2, 1])
    """
    start = np.arange(len(margin)) if start is None else start
    compiled = twin("pairs._pairwise")
    if compiled is None:
        return inserted_in_python(margin, start)
    order: IntArray = compiled.inserted(np.sign(margin).astype(np.intp), np.ascontiguousarray(start))
    return order


def inserted_in_python(margin: IntArray, start: IntArray) -> IntArray:
    """The same without the twin."""
    beats = (margin > 0).tolist()
    order: list[int] = []
    for new in start.tolist():
        place, mine = len(order), beats[new]
        while place and mine[order[place - 1]]:
            place -= 1
        order.insert(place, new)
    return np.array(order, dtype=np.intp)
