"""Multinomial preference model of rankers that differ in expertise."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import Local

__all__ = ["expert_multinomial"]


def expert_multinomial(v: FloatArray, theta: FloatArray, net: FloatArray, total: FloatArray) -> Local:
    """MPM with γ = ½: Σ_k (total[k] · log Σ_{a≠b} e^(θ_k (v_a - v_b)) - θ_k Σ_i net[k, i] v_i).

    ``net[k, i]`` is how much item i wins more than it loses in list k, ``total[k]`` all its counts. The sum over pairs
    is A·B - n, A = Σ e^(θ_k v), B = Σ e^(-θ_k v): O(n) for each list, as in ``multinomial``, the case θ = 1.
    """
    n, scaled = len(v), np.outer(theta, v - (v.max() + v.min()) / 2)
    up, down = np.exp(scaled), np.exp(-scaled)
    a, b = up.sum(axis=1, keepdims=True), down.sum(axis=1, keepdims=True)
    pairs = a * b - n
    won, lost = up * (b - down) / pairs, down * (a - up) / pairs  # P_k(i is the winner), P_k(i is the loser)
    mean = won - lost
    bend = (theta**2 * total)[:, None]
    diagonal = (bend * (won + lost)).sum(axis=0)

    def hessian() -> FloatArray:
        joint = (bend * up / pairs).T @ down
        dense = -(joint + joint.T + (bend * mean).T @ mean)
        dense[np.diag_indices(n)] = diagonal - (bend * mean * mean).sum(axis=0)
        return np.asarray(dense)

    def product(d: FloatArray) -> FloatArray:
        joint = (bend / pairs * (up * (down @ d)[:, None] + down * (up @ d)[:, None] - 2 * d)).sum(axis=0)
        return np.asarray(diagonal * d - joint - (bend * mean * (mean @ d)[:, None]).sum(axis=0))

    value = float(total @ np.log(pairs[:, 0]) - theta @ (net @ v))
    return Local(value, (theta[:, None] * (total[:, None] * mean - net)).sum(axis=0), hessian, product)
