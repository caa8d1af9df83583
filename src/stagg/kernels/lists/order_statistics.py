"""Order statistics of uniform variables: how unlikely an item's ranks are if every list is drawn at random."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.sums import round_weights

__all__ = ["benjamini_hochberg", "log_rho"]

TINY = 1e-280  # below this the incomplete Beta function loses digits, and then vanishes


def log_rho(ranks: FloatArray, weights: FloatArray) -> FloatArray:
    """log10 ρ of each column, ρ = min over k of P(the k-th smallest of m uniform variables <= the k-th smallest rank).

    ``ranks[k, i]`` in (0, 1] is the normalised rank of item i in list k, and P the distribution function of
    Beta(k, m - k + 1). Weights act as copies of the lists: k and m are sums of weights, and may be fractions. The order
    of the lists does not matter, not even for the last bit.

    >>> np.round(10 ** log_rho(np.array([[0.1], [0.2], [1.0]]), np.ones(3)), 6)
    array([0.104])
    """
    from scipy.special import betainc

    order = np.argsort(ranks, axis=0, kind="stable")
    smallest = np.take_along_axis(ranks, order, axis=0)
    exact = round_weights(weights)
    total = exact.sum()
    below = np.cumsum(exact[order], axis=0)  # the weight of the lists that put the item at least so high
    chances = betainc(below, total - below + 1, smallest)
    logs = np.log10(np.maximum(chances, TINY))
    rare = chances < TINY
    logs[rare] = _log_betainc(below[rare], (total - below + 1)[rare], smallest[rare]) / np.log(10)
    least: FloatArray = logs.min(axis=0)
    return least


def benjamini_hochberg(p_values: FloatArray) -> FloatArray:
    """The least false discovery rate at which each of these p-values is still kept; they must ascend.

    Reference: Benjamini & Hochberg, "Controlling the false discovery rate", JRSS B 57, 1995.

    >>> benjamini_hochberg(np.array([0.01, 0.02, 0.03, 0.5]))
    array([0.04, 0.04, 0.04, 0.5 ])
    """
    n = len(p_values)
    rates = p_values * n / np.arange(1, n + 1)
    least: FloatArray = np.minimum.accumulate(rates[::-1])[::-1]
    return least


def _log_betainc(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """log I_x(a, b) where it is tiny: x^a (1-x)^b / (a B(a, b)) times 2F1(a + b, 1; a + 1; x)."""
    from scipy.special import betaln, hyp2f1

    series = np.log(hyp2f1(a + b, 1.0, a + 1.0, x))
    logs: FloatArray = a * np.log(x) + b * np.log1p(-x) - np.log(a) - betaln(a, b) + series
    return logs
