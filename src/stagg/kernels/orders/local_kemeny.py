"""Local Kemenization: change an order so that no item is beaten, by majority, by the next one."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.votes import add_up
from stagg.kernels.pairs.insertion import inserted
from stagg.kernels.pairs.majority import between_groups, order_by_keys

__all__ = ["local_kemeny", "tell_apart"]


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
    return _places(inserted(np.sign(between_groups(margin, classes))))[classes]


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
    return -add_up(margin, 1)


def _profile(classes: IntArray, margin: IntArray) -> IntArray:
    """A number for the margins of an item against each class, less the better it does against the first classes."""
    order = np.lexsort((-margin, np.broadcast_to(classes, margin.shape)), axis=1)
    _, numbers = np.unique(np.take_along_axis(-margin, order, axis=1), axis=0, return_inverse=True)
    return np.asarray(numbers, dtype=np.intp).reshape(-1)


def _number(*keys: IntArray) -> IntArray:
    """0, 1, ... by ascending keys, the first one first; equal in all is the same number."""
    order, tied = order_by_keys(*keys)
    numbers = np.empty(len(order), dtype=np.intp)
    numbers[order] = np.cumsum(~tied) - 1
    return numbers
