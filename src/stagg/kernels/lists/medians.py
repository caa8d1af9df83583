"""Weighted medians of the columns of a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["Medians", "weighted_medians"]


class Medians(NamedTuple):
    """The median of each column, and the mean size of the two values that it was made of."""

    values: FloatArray
    sizes: FloatArray


def weighted_medians(values: FloatArray, weights: FloatArray | IntArray, sizes: FloatArray | None = None) -> Medians:
    """The weighted median of each column; ``weights[k, i]`` is the weight of ``values[k, i]``, 0 where absent.

    Weights act as copies: the median is the middle value, or the mean of the two middle values where the weight
    splits evenly between them. A column without weight has no median: NaN. The order of the rows does not matter.
    ``sizes[k, i]`` is the size of ``values[k, i]``, its absolute value if not given; of equal values the largest is
    taken.

    >>> weighted_medians(np.array([[1.0], [2.0], [9.0]]), np.array([[1.0], [1.0], [2.0]])).values
    array([5.5])
    """
    sizes = np.abs(values) if sizes is None else sizes
    order = np.argsort(values, axis=0, kind="stable")
    ascending = np.take_along_axis(values, order, axis=0)
    running = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    total = running[-1]
    # half the weight but for rounding is half the weight; integers are not rounded
    slack = 2e-12 * total if weights.dtype.kind == "f" else np.zeros_like(total)
    columns = np.arange(values.shape[1])
    middle = [
        ascending[np.argmax(running >= total - running - slack, axis=0), columns],
        ascending[np.argmax(running > total - running + slack, axis=0), columns],
    ]
    present = weights > 0
    taken = [np.where(present & (values == value), sizes, 0.0).max(axis=0) for value in middle]
    return Medians(*(np.where(total > 0, (lower + upper) / 2, np.nan) for lower, upper in (middle, taken)))
