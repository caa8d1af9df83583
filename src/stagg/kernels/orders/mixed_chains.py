"""Mixtures of Markov chains, one chain per list: the stationary distribution and its gradient.

Everything is for a block of queries with n items each. ``ranks[k, q, i]`` is the rank of item i in list k (what a list
does not hold is one tied block after it); ``shares[k, q]`` is how often list k is asked, summing to 1 over the lists;
T[q, p, r] is the probability of moving from item p to item r. A list alone moves by one of two rules: "mc3", to any
item alike, if the list puts it higher, else stay; "mc2", to an item that it puts at least as high, p included. (For one
list MC4 is MC3, and MC1 is MC2.)
"""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.orders.markov import eliminate

__all__ = ["RULES", "mixture", "pair_losses", "share_slopes"]

RULES = ("mc3", "mc2")


def mixture(ranks: FloatArray, shares: FloatArray, rule: str) -> FloatArray:
    """T = Σ_k shares[k] T_k.

    >>> mixture(np.array([[[1.0, 2.0]], [[2.0, 1.0]]]), np.array([[0.8], [0.2]]), "mc3")
    array([[[0.9, 0.1],
            [0.4, 0.6]]])
    """
    n = ranks.shape[2]
    moves, diagonal = np.zeros((*ranks.shape[1:], n)), np.arange(n)
    for row, share in zip(ranks, shares, strict=True):
        if rule == "mc3":
            moves += (share / n)[:, None, None] * _ahead(row)
        else:
            open_to = _at_least(row)
            moves += (share[:, None] / open_to.sum(axis=2))[:, :, None] * open_to
    if rule == "mc3":
        moves[:, diagonal, diagonal] = 1 - moves.sum(axis=2)
    return moves


def share_slopes(
    ranks: FloatArray,
    transitions: FloatArray,
    shares_of_time: FloatArray,
    slopes: FloatArray,
    *,
    teleport: float,
    rule: str,
) -> FloatArray:
    """∂f/∂shares[k, q] of a function f(π) whose ∂f/∂π[q, i] are ``slopes``: one linear system per query.

    With P = (1 - ε) T + ε/n, dπ solves (I - Pᵀ + 11ᵀ) dπ = (dP)ᵀ π. All lists have the same left side, so its
    transpose is solved once, for λ with (I - (1 - ε) T) λ = ∂f/∂π, and df = (1 - ε) Σ_pr π_p dT[p, r] λ_r.
    """
    n = ranks.shape[2]
    adjoint = eliminate(np.eye(n) - (1 - teleport) * transitions, slopes[:, :, None])[..., 0]
    found = np.empty(ranks.shape[:2])
    for k, row in enumerate(ranks):
        if rule == "mc3":
            # a walker at p gains λ_r - λ_p where it moves to r, and keeps λ_p where it stays
            ahead = _ahead(row)
            after = adjoint + (np.einsum("qpr,qr->qp", ahead, adjoint) - ahead.sum(axis=2) * adjoint) / n
        else:
            open_to = _at_least(row)
            after = np.einsum("qpr,qr->qp", open_to, adjoint) / open_to.sum(axis=2)
        found[k] = (1 - teleport) * (shares_of_time * after).sum(axis=1)
    return found


def pair_losses(shares_of_time: FloatArray, better: BoolArray, margin: float) -> tuple[FloatArray, FloatArray]:
    """(loss[q], ∂loss/∂π[q, i]): Σ of max(0, n (π_j - π_i) + margin)² over the pairs with better[q, i, j]."""
    n = shares_of_time.shape[1]
    gaps = n * (shares_of_time[:, None, :] - shares_of_time[:, :, None]) + margin
    slack = np.where(better, np.maximum(gaps, 0.0), 0.0)
    slopes = 2 * n * (slack.sum(axis=1) - slack.sum(axis=2))
    return (slack * slack).sum(axis=(1, 2)), slopes


def _ahead(ranks: FloatArray) -> BoolArray:
    """ahead[q, p, r] = the list puts r before p."""
    return np.asarray(ranks[:, None, :] < ranks[:, :, None])


def _at_least(ranks: FloatArray) -> BoolArray:
    """at_least[q, p, r] = the list does not put r behind p."""
    return np.asarray(ranks[:, None, :] <= ranks[:, :, None])
