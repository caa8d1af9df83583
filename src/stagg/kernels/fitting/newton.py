"""Newton's method for convex functions: damped steps, until only rounding is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.cholesky import solve_positive

__all__ = ["Local", "Solution", "newton"]

DENSE = 1500  # unknowns up to which the Hessian is written out and factored
STEP = 2e-12  # the last step is one after which the next would be this small, relative to the largest unknown
QUADRATIC = 0.01  # steps shorter than this are taken to shrink as Newton's do near the minimum
FLOOR = 1e-12  # a step that promises to lower the value by less than this share, and no longer shrinks, is rounding
LIMIT = 200
REACH = 4.0  # a step moves no unknown by more than this, or this many times the largest: far off, curvature misleads
ARMIJO = 1e-4
SLACK = 1e-13  # what rounding may add to a value, relative
HALVINGS = 60


class Local(NamedTuple):
    """A convex function at one point; ``product(d)`` is the Hessian times d without writing it out."""

    value: float
    gradient: FloatArray
    hessian: Callable[[], FloatArray]
    product: Callable[[FloatArray], FloatArray]


class Solution(NamedTuple):
    """Where an iteration stopped, how far its last step still moved, and whether that is the end."""

    point: FloatArray
    change: float
    settled: bool


def newton(
    function: Callable[[FloatArray], Local], start: FloatArray, *, prior: float = 0.0, moved: int | None = None
) -> Solution:
    """The minimum of function(v) + ½ prior ‖v‖², for a convex function that a common shift of all v leaves unchanged.

    The answer is centred: Σ v = 0. With prior = 0 the minimum must exist. ``moved``: only the first so many unknowns
    may be shifted, and are centred; the others are found as they are.

    >>> def parabola(v):  # (v0 - v1 - 1)²
    ...     d = v[0] - v[1] - 1
    ...     return Local(d * d, 2 * d * np.array([1.0, -1.0]), lambda: np.array([[2.0, -2.0], [-2.0, 2.0]]), None)
    >>> newton(parabola, np.zeros(2)).point
    array([ 0.5, -0.5])
    """
    several = slice(0, moved)
    point = _centre(start, several)
    here = function(point)
    change = np.inf
    for _ in range(LIMIT):
        step = _direction(here, point, prior, several)
        before, change = change, float(np.abs(step).max())
        scale = max(1.0, float(np.abs(point).max()))
        if _next_change(before, change) <= STEP * scale or (
            change > before / 2 and _promise(here, point, step, prior) <= FLOOR
        ):
            return Solution(point + step, change, True)
        point, here = _descend(function, point, here, step, prior)
    return Solution(point, change, False)


def _next_change(before: float, change: float) -> float:
    """How long the next step would be: lengths are squared from step to step, once they are short."""
    return change if before > QUADRATIC else change * (change / before) ** 2


def _centre(v: FloatArray, several: slice) -> FloatArray:
    """v without its component along (1, ..., 1) in these unknowns."""
    centred = v.copy()
    centred[several] -= centred[several].mean()
    return centred


def _direction(here: Local, point: FloatArray, prior: float, several: slice = slice(None)) -> FloatArray:
    """-H⁻¹g, without its component along (1, ..., 1): that is where the function does not change."""
    slope = _centre(here.gradient + prior * point, several)
    n = len(point)
    if n > DENSE:
        step = -_conjugate_gradients(lambda d: here.product(d) + prior * d, slope)
    else:
        hessian = here.hessian()
        hessian[np.diag_indices(n)] += prior
        hessian[several, several] += np.trace(hessian) / n**2
        step = -_solve(hessian, slope)
    return _centre(step, several)


def _promise(here: Local, point: FloatArray, step: FloatArray, prior: float) -> float:
    """How much a step would lower the value, as a share of it."""
    fall = -float((here.gradient + prior * point) @ step)
    return fall / (1 + abs(here.value) + 0.5 * prior * float(point @ point))


def _solve(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """matrix⁻¹ right by Cholesky, in place of the matrix; where rounding spoilt it, by its diagonal alone."""
    diagonal = matrix.diagonal().copy()
    solution = solve_positive(matrix, right)
    return right / diagonal if solution is None else solution


def _descend(
    function: Callable[[FloatArray], Local], point: FloatArray, here: Local, step: FloatArray, prior: float
) -> tuple[FloatArray, Local]:
    """The step halved until the value falls as it should; where rounding hides the fall, the last and smallest."""
    value = here.value + 0.5 * prior * float(point @ point)
    fall = float((here.gradient + prior * point) @ step)
    share = min(1.0, REACH * max(1.0, float(np.abs(point).max())) / float(np.abs(step).max()))
    for _ in range(HALVINGS):
        there = point + share * step
        at = function(there)
        found = at.value + 0.5 * prior * float(there @ there)
        if found <= value + ARMIJO * share * fall + SLACK * (1 + abs(value)):
            break
        share /= 2
    return there, at


def _conjugate_gradients(product: Callable[[FloatArray], FloatArray], right: FloatArray) -> FloatArray:
    """x with product(x) = right, for a right side without a component along (1, ..., 1)."""
    found = np.zeros_like(right)
    rest = right.copy()
    along = rest.copy()
    size = float(rest @ rest)
    goal = 1e-24 * size
    for _ in range(20 * len(right)):
        if size <= goal:
            break
        image = product(along)
        image -= image.mean()
        share = size / float(along @ image)
        found += share * along
        rest -= share * image
        size, before = float(rest @ rest), size
        along = rest + (size / before) * along
    return found
