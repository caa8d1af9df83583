"""Strengths of contestants and how sure they are: estimates with draws, from which all ranks and intervals follow."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.errors import InvalidParameter
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id

__all__ = ["DECIMALS", "Strengths", "draw_normal"]

DECIMALS = 9
"""Strengths are rounded here: what BLAS leaves behind depends on the number of threads."""


@dataclasses.dataclass(frozen=True, eq=False)
class Strengths:
    """Estimated strengths of contestants, larger is better, and draws of the same estimate.

    ``values[i]`` is the estimate for ``names[i]``; ``draws[b, i]`` is what it would have been for other tasks, runs or
    questions like these; without draws there are no intervals. ``units[i]``: how many independent units (tasks,
    families of tasks, questions) the estimate rests on; few of them make intervals wider than those of a normal
    distribution. ``method`` is the text of the estimator. ``influence[u, i]``: how much the estimate for i moves with
    the weight of unit u, to first order; few units are judged by it, and not by the draws.
    """

    names: tuple[str, ...]
    values: FloatArray
    draws: FloatArray
    units: IntArray
    method: str
    influence: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.names)
        if self.values.shape != (n,) or self.draws.shape[1:] != (n,) or self.units.shape != (n,):
            raise InvalidParameter("values, draws and units need one entry for each name")

    @property
    def order(self) -> IntArray:
        """The numbers of the contestants, best first; equal ones by name."""
        by_name = np.empty(len(self.names), dtype=np.int64)
        by_name[order_by_id(self.names)] = np.arange(len(self.names))
        return np.lexsort((by_name, -self.values))

    def take(self, chosen: IntArray) -> Strengths:
        """The strengths of some contestants, in this order."""
        return dataclasses.replace(
            self,
            names=tuple(self.names[i] for i in chosen.tolist()),
            values=self.values[chosen],
            draws=self.draws[:, chosen],
            units=self.units[chosen],
            influence=None if self.influence is None else self.influence[:, chosen],
        )

    def half_widths(self, level: float) -> FloatArray:
        """How far the interval of each strength alone reaches to either side: Student's t; NaN without draws."""
        from scipy.special import stdtrit

        if len(self.draws) < 2:
            return np.full(len(self.names), np.nan)
        quantiles = stdtrit(np.maximum(self.units - 1, 1), (1 + level) / 2)
        return np.asarray((quantiles * self.draws.std(axis=0, ddof=1)).round(DECIMALS))

    def covariance(self) -> FloatArray:
        """C[i, j] of the estimates, over the draws."""
        if len(self.draws) < 2:
            return np.zeros((len(self.names), len(self.names)))
        centred = self.draws - self.draws.mean(axis=0)
        return np.asarray(centred.T @ centred) / (len(self.draws) - 1)

    def beats(self) -> FloatArray:
        """P[i, j]: the share of the draws in which i is stronger than j, ties half; 0.5 on the diagonal."""
        n = len(self.names)
        shares = np.full((n, n), 0.5)
        for i in range(n):
            gaps = self.draws[:, i : i + 1] - self.draws
            shares[i] = ((gaps > 0).sum(axis=0) + 0.5 * (gaps == 0).sum(axis=0)) / max(len(self.draws), 1)
        return shares

    def rank_shares(self, most: int) -> FloatArray:
        """S[i, r]: the share of the draws in which i has rank r + 1, r < ``most``; who ties shares the ranks."""
        shares = np.zeros((len(self.names), most))
        for row in self.draws:
            order = np.argsort(-row, kind="stable")
            _, firsts, counts = np.unique(-row[order], return_index=True, return_counts=True)
            for first, count in zip(firsts.tolist(), counts.tolist(), strict=True):
                if first >= most:
                    break
                shares[order[first : first + count], first : first + count] += 1 / count
        return shares / max(len(self.draws), 1)


def draw_normal(values: FloatArray, covariance: FloatArray, *, draws: int, seed: int) -> FloatArray:
    """Draws of an estimate from the normal distribution with this covariance, which may be singular.

    >>> draw_normal(np.zeros(2), np.array([[1.0, -1.0], [-1.0, 1.0]]), draws=2, seed=1).sum(axis=1).round(9) + 0.0
    array([0., 0.])
    """
    sizes, axes = np.linalg.eigh((covariance + covariance.T) / 2)
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(len(axes))])  # the sign of an axis is nobody's choice
    noise = np.random.default_rng(seed).standard_normal((draws, len(values)))
    return np.asarray(values + (noise * np.sqrt(np.maximum(sizes, 0.0))) @ axes.T)
