"""Mallows' model: lists scatter around a centre, and each discordant pair makes a list e^-θ times less likely.

A list of L items chosen one after the other has V discordant pairs at a stage with a items left, V on 0..a-1 with
P(V = v) ∝ e^(-θ v), independently: ``sizes`` holds these a. A full list of n items has the sizes n, n-1, ..., 1; the
top L of n has n, ..., n-L+1.
"""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import ABSENT, FloatArray

__all__ = ["discordance", "dispersion", "expected_distance", "log_normaliser", "stage_sizes"]

FLAT = 1e-5  # below this the expansion around θ = 0 is more exact than the formula


def stage_sizes(lengths: FloatArray, n: int, missing: str) -> list[FloatArray]:
    """How many items are left at each stage of each list."""
    return [np.arange(n if missing == "below" else length, 0.0, -1.0)[: int(length)] for length in lengths]


def log_normaliser(theta: float, sizes: FloatArray) -> float:
    """log Z = Σ_a log[(1 - e^(-aθ)) / (1 - e^-θ)].

    >>> round(log_normaliser(1.0, np.arange(4, 0, -1.0)), 8)
    1.16105735
    """
    if theta < FLAT:
        return float((np.log(sizes) - theta * (sizes - 1) / 2).sum())
    return float((np.log(-np.expm1(-sizes * theta)) - np.log(-np.expm1(-theta))).sum())


def expected_distance(theta: float, sizes: FloatArray) -> FloatArray:
    """E[V] of each stage: 1/(e^θ - 1) - a/(e^(aθ) - 1)."""
    if theta < FLAT:
        return (sizes - 1) / 2 - theta * (sizes**2 - 1) / 12
    return np.asarray(1 / np.expm1(theta) - sizes / np.expm1(np.minimum(sizes * theta, 700.0)))


def dispersion(distance: float, sizes: FloatArray, weights: FloatArray) -> float:
    """θ of largest likelihood: Σ weights·E_θ[V] = distance. Infinite where nothing is discordant, 0 at chance or worse.

    >>> round(dispersion(4 / 3, np.arange(4, 0, -1.0), np.ones(4)), 8)  # three lists with 4 discordant pairs in all
    0.89811917
    """

    def excess(theta: float) -> float:
        return float(weights @ expected_distance(theta, sizes)) - distance

    if excess(0.0) <= 0:
        return 0.0
    if distance <= 0:
        return float("inf")
    low, high = 0.0, 1.0
    while excess(high) > 0:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def discordance(positions: FloatArray, centre: FloatArray, missing: str) -> FloatArray:
    """For each list, how many of its pairs the centre (scores, higher is better) has the other way round; ties half.

    ``below``: a listed item also stands before every unlisted one; two unlisted items are no pair.
    """
    listed = positions != ABSENT
    places = np.where(listed, positions, np.inf if missing == "below" else np.nan)
    counts = np.zeros(len(positions))
    for k, row in enumerate(places):
        above = row[:, None] < row
        tied = (row[:, None] == row) & np.isfinite(row)
        worse = (centre[:, None] < centre) + 0.5 * (centre[:, None] == centre)
        counts[k] = (above * worse).sum() + (tied.sum() - listed[k].sum()) / 4
    return counts
