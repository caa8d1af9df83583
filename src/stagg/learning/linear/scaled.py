"""Scaled features: all on one scale, for linear learners."""

from __future__ import annotations

import numpy as np

from stagg.errors import DataError
from stagg.kernels.arrays import FloatArray
from stagg.learning.examples import Examples

__all__ = ["Scaled"]


class Scaled:
    """The features of some examples, each centred within its query and divided by its spread over all queries.

    What is constant within every query cannot order anything: such a feature keeps 0, and so has the weight 0. The same
    spreads serve the validation part, and weights are handed out for the features as they were.
    """

    def __init__(self, examples: Examples, spread: FloatArray | None = None) -> None:
        centred = _centre(examples.features, examples)
        if spread is None:
            spread = np.sqrt(np.mean(centred**2, axis=0))
            spread[spread < SMALLEST * np.abs(examples.features).max(axis=0, initial=0.0)] = 0.0
            if not spread.any():
                raise DataError("the features do not tell the items of any query apart: there is nothing to learn from")
        self.spread = spread
        self.table: FloatArray = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)

    def weights(self, point: FloatArray) -> tuple[float, ...]:
        """The weights of the features as they were."""
        found = np.divide(point, self.spread, out=np.zeros(len(point)), where=self.spread > 0)
        return tuple(found.tolist())


SMALLEST = 1e-12  # a spread below this share of the largest number is rounding


def _centre(table: FloatArray, examples: Examples) -> FloatArray:
    """Every feature less its mean over the items of the query."""
    starts, sizes = examples.offsets[:-1], np.diff(examples.offsets)
    means = np.add.reduceat(table, starts, axis=0) / sizes[:, None]
    centred: FloatArray = table - np.repeat(means, sizes, axis=0)
    return centred
