"""LambdaRank: how swapping a pair would change a measure, and the resulting pull on every item.

For a pair of which i has the better grade, λ_ij = |ΔM_ij| / (1 + exp(f_i - f_j)) is added to i and taken from j; ΔM is
the change of the measure M when i and j change places in the order of the scores f.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["Swap", "better_pairs", "lambdas", "swap_additive", "swap_err"]

Swap = Callable[[IntArray, IntArray, IntArray], FloatArray]
"""(order of the items, the better and the worse item of each pair, as places in that order) -> |ΔM| of each pair."""


def better_pairs(grades: FloatArray) -> tuple[IntArray, IntArray]:
    """The items (i, j) of every pair in which i has the better grade."""
    better, worse = np.nonzero(grades[:, None] > grades[None, :])
    return better, worse


def lambdas(scores: FloatArray, pairs: tuple[IntArray, IntArray], swap: Swap) -> FloatArray:
    """The pull on every item of one query: an ascent direction of the measure (equal scores keep their order)."""
    better, worse = pairs
    order = np.argsort(-scores, kind="stable")
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    change = swap(order, places[better], places[worse])
    pull = change / (1 + np.exp(np.minimum(scores[better] - scores[worse], LARGEST)))
    n = len(scores)
    gained, lost = np.bincount(better, pull, n), np.bincount(worse, pull, n)
    return np.asarray(gained - lost, dtype=float)


LARGEST = 700.0  # exp of more overflows


def swap_additive(worth: FloatArray, discount: FloatArray) -> Swap:
    """M = Σ worth · discount(place): |ΔM| = |(c_i - c_j)(D_i - D_j)|."""

    def swap(order: IntArray, better: IntArray, worse: IntArray) -> FloatArray:
        c = worth[order]
        return np.abs((c[better] - c[worse]) * (discount[better] - discount[worse]))

    return swap


def swap_err(stop: FloatArray) -> Swap:
    """M = Σ R_r / r Π_{before} (1 - R): with a before b, what lies between them is reached by (1-R_b) / (1-R_a) more.

    R < 1 always, so the quotient is safe.
    """

    def swap(order: IntArray, better: IntArray, worse: IntArray) -> FloatArray:
        a, b = np.minimum(better, worse), np.maximum(better, worse)
        r = stop[order]
        reached = np.append(1.0, np.cumprod(1 - r))
        gained = np.append(0.0, np.cumsum(r * reached[:-1] / np.arange(1.0, len(r) + 1)))
        ratio = (1 - r[b]) / (1 - r[a])
        first = (r[b] - r[a]) * reached[a] / (a + 1)
        between = (ratio - 1) * (gained[b] - gained[a + 1])
        second = (r[a] * ratio - r[b]) * reached[b] / (b + 1)
        change: FloatArray = np.abs(first + between + second)
        return change

    return swap
