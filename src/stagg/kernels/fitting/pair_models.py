"""Models of pairs: Bradley-Terry, Thurstone and the multinomial preference model, with gradients and Hessians."""

from __future__ import annotations

import math

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import Local

__all__ = ["difference_counts", "multinomial", "net_counts", "ogive", "sigmoid", "spread_multinomial"]


def sigmoid(v: FloatArray, counts: FloatArray) -> Local:
    """Bradley-Terry: -Σ_ij counts[i, j] log P(i beats j), P = 1 / (1 + e^(v_j - v_i))."""
    gaps = v[:, None] - v
    log_wins = -np.logaddexp(0.0, -gaps)
    losing = np.exp(log_wins - gaps)  # P(j beats i) = 1 - P(i beats j)
    return _pairs(counts, log_wins, losing, losing * np.exp(log_wins))


def ogive(v: FloatArray, counts: FloatArray) -> Local:
    """Thurstone, Case V: -Σ_ij counts[i, j] log Φ((v_i - v_j) / √2)."""
    from scipy.special import log_ndtr

    z = (v[:, None] - v) / math.sqrt(2)
    log_wins = log_ndtr(z)
    ratio = np.exp(-0.5 * z * z - log_wins) / math.sqrt(2 * math.pi)  # φ/Φ
    return _pairs(counts, log_wins, ratio / math.sqrt(2), ratio * (z + ratio) / 2)


def _pairs(counts: FloatArray, log_wins: FloatArray, slope: FloatArray, bend: FloatArray) -> Local:
    """-Σ counts·log_wins, where log P(i beats j) has slope and -bend as derivatives in v_i - v_j."""
    pull = counts * slope
    weight = counts * bend
    weight = weight + weight.T

    def hessian() -> FloatArray:
        return np.asarray(np.diag(weight.sum(axis=1)) - weight)

    def product(d: FloatArray) -> FloatArray:
        return np.asarray(weight.sum(axis=1) * d - weight @ d)

    return Local(-float((counts * log_wins).sum()), pull.sum(axis=0) - pull.sum(axis=1), hessian, product)


def multinomial(v: FloatArray, net: FloatArray, total: float) -> Local:
    """MPM with γ = ½ and θ = 1: total · log Σ_{a≠b} e^(v_a - v_b) - Σ_i net[i] v_i.

    The counts enter only through how much each item wins more than it loses. The sum over pairs is
    A·B - n, A = Σ e^v, B = Σ e^-v: O(n).
    """
    shift = (v.max() + v.min()) / 2
    up, down = np.exp(v - shift), np.exp(shift - v)
    a, b = up.sum(), down.sum()
    pairs = a * b - len(v)
    won, lost = up * (b - down) / pairs, down * (a - up) / pairs  # P(i is the winner), P(i is the loser)
    mean = won - lost

    def hessian() -> FloatArray:
        joint = np.outer(up, down) / pairs
        dense = -total * (joint + joint.T + np.outer(mean, mean))
        dense[np.diag_indices(len(v))] = total * (won + lost - mean * mean)
        return np.asarray(dense)

    def product(d: FloatArray) -> FloatArray:
        joint = up * (down @ d) + down * (up @ d) - 2 * d
        return np.asarray(total * ((won + lost) * d - joint / pairs - mean * (mean @ d)))

    return Local(total * math.log(pairs) - float(net @ v), total * mean - net, hessian, product)


def spread_multinomial(v: FloatArray, u: FloatArray, counts: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """(-log-likelihood, ∂/∂v, ∂/∂u) of the model with free spreads: P(i, j) ∝ exp((v_i - v_j) / (γ_i + γ_j)), γ = ½ eᵘ.

    With A = N P - C, G = γ_i + γ_j, D = (v_i - v_j) / G: ∂/∂v_i = Σ_j A_ij/G_ij - A_ji/G_ji and
    ∂/∂γ_i = -Σ_j (A_ij D_ij + A_ji D_ji) / G_ij.
    """
    gamma = 0.5 * np.exp(u)
    sums = gamma[:, None] + gamma[None, :]
    gaps = (v[:, None] - v[None, :]) / sums
    logits = np.where(np.eye(len(v), dtype=bool), -np.inf, gaps)  # nobody is preferred to himself
    top = logits.max()
    log_total = top + np.log(np.exp(logits - top).sum())
    excess = (counts.sum() * np.exp(logits - log_total) - counts) / sums
    value = float(counts.sum() * log_total - (counts * gaps).sum())
    turned = excess * gaps
    return value, excess.sum(axis=1) - excess.sum(axis=0), -gamma * (turned.sum(axis=1) + turned.sum(axis=0))


def difference_counts(ranks: FloatArray, weights: FloatArray) -> FloatArray:
    """C[i, j] = Σ_k w_k max(rank_kj - rank_ki, 0): how far list k puts i above j; NaN is not a rank."""
    n = ranks.shape[1]
    counts = np.zeros((n, n))
    for row, weight in zip(ranks, weights, strict=True):
        gaps = row - row[:, None]
        counts += weight * np.fmax(gaps, 0.0)
    return counts


def net_counts(counts: FloatArray) -> tuple[FloatArray, float]:
    """(how much each item wins more than it loses, all counts)."""
    return counts.sum(axis=1) - counts.sum(axis=0), float(counts.sum())
