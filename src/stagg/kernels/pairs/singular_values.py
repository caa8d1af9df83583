"""Singular value projection: skew-symmetric matrices of rank 2 that fit the known entries of another."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.fitting.newton import Solution

__all__ = ["first_pair", "projection"]


EQUAL = 1e-8  # singular values whose squares are closer than this, relative, are equal
EXACT = 1e-12  # a residual this small, relative, is none


def projection(matrix: FloatArray, known: BoolArray, *, step: float, tolerance: float, limit: int) -> Solution:
    """X of rank 2, skew, near the known entries: X ← H₂(X - step·P(X - matrix)) from X = 0, H₂ the first pair.

    Stops when the residual ‖P(X - matrix)‖ changes by less than ``tolerance``, relative, or is nothing; at the limit
    only a residual below ``tolerance`` of the matrix counts as settled. Steps up to 1 never let the residual grow.

    >>> s = np.array([2.0, 0.5, -1.0, -1.5])
    >>> known = np.ones((4, 4), dtype=bool)
    >>> projection(s[:, None] - s, known, step=0.1, tolerance=0.01, limit=1000).point.mean(axis=1).round(6)
    array([ 2. ,  0.5, -1. , -1.5])
    """
    if known.sum() >= known.size - len(known):  # nothing is missing but the diagonal
        return _all_known(matrix, step, tolerance, limit)
    matrix = np.where(known, matrix, 0.0)
    found = np.zeros_like(matrix)
    size = residual = float(np.linalg.norm(matrix))
    change = 1.0
    for _ in range(limit):
        if change < tolerance or residual <= EXACT * size:
            return Solution(found, change, True)
        found = first_pair(found - step * np.where(known, found - matrix, 0.0))
        before, residual = residual, float(np.linalg.norm((found - matrix)[known]))
        change = abs(before - residual) / before
    return Solution(found, change, residual <= tolerance * size)


def _all_known(matrix: FloatArray, step: float, tolerance: float, limit: int) -> Solution:
    """The same steps where all is known: X = (1 - (1 - step)^t) H₂(matrix), so that only residuals are iterated."""
    pair = first_pair(matrix)
    size, rest = float(np.linalg.norm(matrix)), float(np.linalg.norm(matrix - pair))
    kept = max(size**2 - rest**2, 0.0)
    rest = 0.0 if rest <= EXACT * size else rest
    residual, change, missing = size, 1.0, 1.0
    for _ in range(limit):
        if change < tolerance or residual <= EXACT * size:
            return Solution((1 - missing) * pair, change, True)
        missing *= 1 - step
        before, residual = residual, float(np.sqrt(missing**2 * kept + rest**2))
        change = abs(before - residual) / before
    return Solution((1 - missing) * pair, change, residual <= tolerance * size)


def first_pair(matrix: FloatArray) -> FloatArray:
    """H₂: what the first pair of singular values of a skew-symmetric matrix says; of equal pairs, all.

    Where the second pair equals the first, a matrix of rank 2 is not unique, and any choice would depend on the order
    of the items; keeping both does not.
    """
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    if not values[-1] > 0:
        return np.zeros_like(matrix)
    kept = vectors[:, values >= values[-1] * (1 - EQUAL)]
    pair: FloatArray = kept @ (kept.T @ matrix)
    return (pair - pair.T) / 2
