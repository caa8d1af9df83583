"""Cholesky: solve positive definite linear equations while other threads and Ctrl-C go on."""

from __future__ import annotations

import functools
import math
import threading
from typing import Final

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.threads import run_apart

__all__ = ["solve_positive"]

SOON: Final = 200  # equations that are solved before anybody would press Ctrl-C


def solve_positive(matrix: FloatArray, right: FloatArray) -> FloatArray | None:
    """matrix⁻¹ right; None if the matrix is not positive definite.

    SciPy solves it in one step but holds the interpreter until it returns, and that takes seconds where LAPACK's
    threads have to wait for a processor. So many equations are factorised by NumPy, which lets the interpreter go on.
    The choice depends on the size alone: the two may differ in the last bit.

    >>> solve_positive(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    from scipy.linalg import lapack

    if len(right) <= SOON:
        _, found, failed = lapack.dposv(matrix.T, right, lower=1)
        return None if failed else np.asarray(found)
    call = functools.partial(np.linalg.cholesky, matrix)
    hears = threading.current_thread() is threading.main_thread()  # only it hears of Ctrl-C
    try:
        factor = run_apart(call, math.inf) if hears else call()
    except np.linalg.LinAlgError:
        return None
    found, _ = lapack.dpotrs(factor, right, lower=1)
    return np.asarray(found)
