"""Local Kemenization: an order made such that no item is beaten, by majority, by the next one."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.majority import between_groups

__all__ = ["inserted", "inserted_in_python", "local_kemeny", "tell_apart"]


def local_kemeny(start: IntArray, margin: IntArray) -> IntArray:
    """The place of each item after local Kemenization of the order in which item i has the place ``start[i]``.

    ``margin[i, j]`` > 0 where more weight puts i above j than j above i. Items with the same place in ``start`` are
    first told apart by their margins (``told_apart``); those that nothing tells apart stay together and tie.

    >>> local_kemeny(np.array([0, 1, 2]), np.array([[0, 1, -1], [-1, 0, -1], [1, 1, 0]]))
    array([1, 2, 0])
    """
    classes = tell_apart(start, margin)
    if classes.max(initial=-1) + 1 == len(start):
        return _places(inserted(margin, np.argsort(classes)))
    return _places(inserted(between_groups(margin, classes)))[classes]


def inserted(margin: IntArray, start: IntArray | None = None) -> IntArray:
    """Items, 0, 1, ... or as ``start`` has them, inserted at the end, each moving up while it beats the one above.

    >>> inserted(np.array([[0, 1, 1], [-1, 0, -2], [-1, 2, 0]]))
    array([0, 2, 1])
    """
    start = np.arange(len(margin)) if start is None else start
    compiled = twin("_pairwise")
    if compiled is None:
        return inserted_in_python(margin, start)
    order: IntArray = compiled.inserted(margin, np.ascontiguousarray(start))
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


def _places(order: IntArray) -> IntArray:
    """The place of each item of an order."""
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return places


def tell_apart(start: IntArray, margin: IntArray) -> IntArray:
    """Classes 0, 1, ... that refine the places ``start`` by what the margins say, and by nothing else.

    Items of one class are told apart by how many of their class they beat, then by the sum of their margins, then by
    their margins against each class; again and again, until nothing changes. Items that could change their names
    without anybody noticing stay in one class.

    >>> tell_apart(np.array([0, 0, 1]), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]]))
    array([1, 0, 2])
    """
    classes, found = _number(start), -1
    while found < (count := int(classes.max(initial=-1)) + 1) < len(start):
        found = count
        for key in (_wins_inside, _total_margin, _profile):
            classes = _number(classes, key(classes, margin))
            if classes.max() + 1 > count:
                break
    return classes


def _wins_inside(classes: IntArray, margin: IntArray) -> IntArray:
    """Less the more of its own class an item beats."""
    wins: IntArray = -(np.sign(margin) * (classes[:, None] == classes)).sum(axis=1)
    return wins


def _total_margin(classes: IntArray, margin: IntArray) -> IntArray:
    total: IntArray = -margin.sum(axis=1)
    return total


def _profile(classes: IntArray, margin: IntArray) -> IntArray:
    """A number for the margins of an item against each class, less the better it does against the first classes."""
    span = 2 * int(np.abs(margin).max(initial=0)) + 1
    rows = np.sort(classes * span - margin, axis=1)
    _, numbers = np.unique(rows, axis=0, return_inverse=True)
    return np.asarray(numbers, dtype=np.intp).reshape(-1)


def _number(*keys: IntArray) -> IntArray:
    """0, 1, ... by ascending keys, the first one first; equal in all is the same number."""
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), dtype=bool)
    new[1:] = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
    numbers = np.empty(len(order), dtype=np.intp)
    numbers[order] = np.cumsum(new)
    return numbers
