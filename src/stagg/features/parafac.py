"""CP decomposition (PARAFAC) by alternating least squares: tensorly does the sweeps, the best start is kept."""

from __future__ import annotations

import numpy as np

from stagg.errors import need
from stagg.kernels.arrays import FloatArray

__all__ = ["best_fit", "component_weights", "residual", "upright"]

TRIAL, SWEEPS = 10, 100  # sweeps of every start, and more of the best
TOLERANCE = 1e-10  # a sweep that changes the relative residual by less is the last
BETTER = 1e-9  # a start must have a relative residual smaller by this to be preferred to an earlier one
RIDGE = 1e-9  # keeps the least squares solvable where the tensor has fewer components than asked for


def best_fit(tensor: FloatArray, *, rank: int, restarts: int, seed: int) -> list[FloatArray]:
    """[W, U, V] with T[k, i, j] ≈ Σ_p W[k, p] U[i, p] V[j, p]: the best of some random starts; T has norm 1."""
    best: list[FloatArray] = []
    least = np.inf
    for start in range(restarts):
        left, right = np.random.default_rng([seed, start]).random((2, tensor.shape[1], rank))
        # W comes first: what it starts from is overwritten unread, so that the order of the rankers does not matter.
        factors = _sweeps(tensor, [np.ones((len(tensor), rank)), left, right], TRIAL)
        rest = residual(tensor, factors)
        if rest < least - BETTER:
            best, least = factors, rest
    return _sweeps(tensor, best, SWEEPS)


def residual(tensor: FloatArray, factors: list[FloatArray]) -> float:
    """‖T - Σ w∘u∘v‖ for a tensor of norm 1."""
    of_rankers, left, right = factors
    inner = (np.einsum("kip,ip->kp", tensor @ right, left) * of_rankers).sum()
    own = np.prod([factor.T @ factor for factor in factors], axis=0).sum()
    return float(np.sqrt(max(1 - 2 * inner + own, 0.0)))


def component_weights(factors: list[FloatArray]) -> FloatArray:
    """λ of each component: the product of the norms of its vectors."""
    weights: FloatArray = np.prod([np.linalg.norm(factor, axis=0) for factor in factors], axis=0)
    return weights


def upright(factor: FloatArray) -> FloatArray:
    """Columns of norm 1, the entry of largest absolute value positive (of equals the first); 0 stays 0."""
    norms = np.linalg.norm(factor, axis=0)
    unit = factor / np.where(norms > 0, norms, 1.0)
    size = np.abs(unit)
    largest = np.argmax(size >= (1 - 1e-6) * size.max(axis=0), axis=0)
    turned: FloatArray = unit * np.where(unit[largest, np.arange(unit.shape[1])] < 0, -1.0, 1.0)
    return turned


def _sweeps(tensor: FloatArray, start: list[FloatArray], limit: int) -> list[FloatArray]:
    """Factors after at most ``limit`` sweeps of alternating least squares."""
    ones = np.ones(start[0].shape[1])
    decomposition = need("tensorly.decomposition", "The features 'cp'", package="tensorly", extra="cp")
    found = decomposition.parafac(tensor, len(ones), init=(ones, start), n_iter_max=limit, tol=TOLERANCE, l2_reg=RIDGE)
    factors: list[FloatArray] = found.factors
    return factors
