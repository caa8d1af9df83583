"""Weighted medians of the columns of a table."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray

__all__ = ["weighted_medians"]


def weighted_medians(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted median of each column; ``weights[k, i]`` is the weight of ``values[k, i]``, 0 where absent.

    Weights act as copies: the median is the middle value, or the mean of the two middle values where the weight
    splits evenly between them. A column without weight has no median: NaN. The order of the rows does not matter.

    >>> weighted_medians(np.array([[1.0], [2.0], [9.0]]), np.array([[1.0], [1.0], [2.0]]))
    array([5.5])
    """
    order = np.argsort(values, axis=0, kind="stable")
    values = np.take_along_axis(values, order, axis=0)
    running = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    total = running[-1]
    slack = 1e-12 * total  # half the weight but for rounding is half the weight
    columns = np.arange(values.shape[1])
    lower = values[np.argmax(running >= total / 2 - slack, axis=0), columns]
    upper = values[np.argmax(running > total / 2 + slack, axis=0), columns]
    return np.where(total > 0, (lower + upper) / 2, np.nan)
