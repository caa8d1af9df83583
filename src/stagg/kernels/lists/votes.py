"""Votes: weights of lists as whole numbers, so that sums are exact in any order of the lists.

A number of voters is whole and stays so: 64 bits hold 2^63 - 1 of them. Where a sum of such numbers needs more bits, it
is made of Python's whole numbers, in an array of objects: slow, right, and rare.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

__all__ = [
    "FINE",
    "LARGEST_COUNT",
    "RESOLUTION",
    "Votes",
    "add_up",
    "are_whole",
    "divide_apart",
    "multiply_out",
    "round_votes",
    "whole_votes",
    "widen",
]

LARGEST_COUNT = 2**63 - 1
"""The most voters that can be counted."""
RESOLUTION = 2.0**33
"""Sums of weights that have no common measure are resolved to this part of all the weight, 1.2e-10."""
FINE = 2.0**18  # weights are this much finer: what they lose, over all the lists, stays below half a step
DENOMINATORS = 1000  # of weights with a common measure
MEASURE, LOOSEST = 1e-12, 1e-3  # error of such weights: relative to them, and at most
LARGEST_MULTIPLE = 2.0**40  # of a common measure
LARGEST_WEIGHTS = 2.0**62  # weights that are whole numbers and add up to less are votes
FIRST = 8  # weights that are tried before all are


class Votes(NamedTuple):
    """``counts[k]``: the votes of list k, a whole number in proportion to its weight.

    ``step``: how far two sums of votes lie apart at least. 1 where the proportions are exact; where weights had to be
    rounded it is more than all the rounding adds up to, and sums are rounded to multiples of it.
    """

    counts: IntArray
    step: int


def whole_votes(weights: IntArray | FloatArray) -> Votes:
    """Whole numbers in the proportions of the weights: themselves where they are whole numbers.

    Weights that have a common measure (0.1, 0.25, thirds) become multiples of it; others are rounded to 2^-51 of their
    sum, and sums of them to 2^-33.

    >>> whole_votes(np.array([0.1, 0.2, 0.25]))
    Votes(counts=array([2, 4, 5]), step=1)
    >>> whole_votes(np.array([2**62 + 1, 2**62])).counts.tolist() == [2**62 + 1, 2**62]
    True
    """
    if weights.dtype.kind == "i":
        return Votes(np.asarray(weights, dtype=np.intp), 1)
    weights = np.asarray(weights, dtype=np.float64)
    largest = weights.max(initial=0.0)
    if largest < LARGEST_WEIGHTS and weights.sum() < LARGEST_WEIGHTS and are_whole(weights):
        return Votes(weights.astype(np.intp), 1)
    for unit in (1.0, largest, weights.min(where=weights > 0, initial=largest)):
        if largest / LARGEST_MULTIPLE <= unit:
            whole = _common_measure(weights / unit)
            if whole is not None and whole.max() <= LARGEST_MULTIPLE:
                return Votes(whole.astype(np.intp), 1)
    shares = weights / largest  # first, because the sum of huge weights may overflow
    rounded = np.rint(shares * (RESOLUTION * FINE / shares.sum()))
    return Votes(rounded.astype(np.intp), int(FINE))


def are_whole(weights: FloatArray) -> bool:
    """Whether all weights are whole numbers."""
    return bool((weights == np.rint(weights)).all())


def _common_measure(weights: FloatArray) -> FloatArray | None:
    """The smallest multiple of the weights, up to 1000, that is whole but for rounding; None if there is none."""
    few = _become_whole(np.arange(1.0, DENOMINATORS + 1), weights[:FIRST])  # most weights fail here, and soon
    for factor in np.flatnonzero(few) + 1.0:
        if _become_whole(np.array([factor]), weights)[0]:
            return np.asarray(np.rint(weights * factor), dtype=np.float64)
    return None


def _become_whole(factors: FloatArray, weights: FloatArray) -> BoolArray:
    """Whether each factor makes all weights whole but for rounding."""
    multiples = weights * factors[:, None]
    allowed = np.minimum(MEASURE * weights, LOOSEST)
    return np.asarray((np.abs(multiples - np.rint(multiples)) <= allowed).all(axis=1))


def multiply_out(weights: FloatArray, counts: IntArray) -> IntArray | None:
    """Whole weights times counts of voters, exactly; None where their sum is more than can be counted.

    >>> multiply_out(np.array([2.0, 1.0]), np.array([3, 2**53 + 1]))
    array([               6, 9007199254740993])
    """
    with np.errstate(over="ignore"):
        few = float(weights @ counts) < LARGEST_WEIGHTS
    if few:
        return np.asarray(weights.astype(np.intp) * counts, dtype=np.intp)
    exact = [int(weight) * count for weight, count in zip(weights.tolist(), counts.tolist(), strict=True)]
    return np.array(exact, dtype=np.intp) if sum(exact) <= LARGEST_COUNT else None


def widen(values: IntArray, factor: int) -> IntArray:
    """Whole numbers that can be added up or multiplied to so many times their size: Python's own where 64 bits are few.

    >>> widen(np.array([2**62]), 4).sum() * 4 == 2**64
    True
    """
    return values if _largest(values) * factor <= LARGEST_COUNT else values.astype(object)


def add_up(values: IntArray, axis: int) -> IntArray:
    """The sums of whole numbers along an axis, however large.

    >>> add_up(np.array([[2**62, 2**62], [1, -2**62]]), 1).tolist() == [2**63, 1 - 2**62]
    True
    """
    if _largest(values) * values.shape[axis] <= LARGEST_COUNT:
        return np.asarray(values.sum(axis=axis), dtype=np.intp)
    high, low = values >> 32, values & (2**32 - 1)
    sums: IntArray = high.sum(axis=axis).astype(object) * 2**32 + low.sum(axis=axis)
    return sums


def _largest(values: IntArray) -> int:
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def round_votes(values: IntArray, step: int) -> IntArray:
    """Sums of votes as multiples of a step, rounded; themselves where the step is 1.

    >>> round_votes(np.array([-11, 4, 6]), 10)
    array([-1,  0,  1])
    """
    if step == 1:
        return values
    steps = (values / step).astype(np.float64) if values.dtype == object else values / float(step)
    return np.rint(steps).astype(np.intp)


def divide_apart(values: Iterable[int], parts: int) -> FloatArray:
    """Whole numbers divided by ``parts`` as floats: those that differ do so as floats, too, and keep their order.

    Above 2^53 two whole numbers may be the same float; there the larger one becomes the next float.

    >>> divide_apart([2, 1, 3], 4).tolist(), np.diff(divide_apart([2**62, 2**62 + 1], 1)).tolist()
    ([0.5, 0.25, 0.75], [1024.0])
    """
    exact = list(values)
    floats: dict[int, float] = {}
    last = -math.inf
    for each in sorted(set(exact)):
        last = floats[each] = max(each / parts, math.nextafter(last, math.inf))
    return np.array([floats[each] for each in exact], dtype=np.float64)
