"""Linear equations with a positive definite matrix, solved by LAPACK while other threads and Ctrl-C go on."""

from __future__ import annotations

import ctypes
import functools
import math
import threading
from collections.abc import Callable
from typing import Final

from stagg.kernels.apart import run_apart
from stagg.kernels.arrays import FloatArray

__all__ = ["solve_positive"]

SOON: Final = 200  # equations that are solved before anybody would press Ctrl-C


def solve_positive(matrix: FloatArray, right: FloatArray) -> FloatArray | None:
    """matrix⁻¹ right by Cholesky, in place of the matrix; None if the matrix is not positive definite.

    SciPy's own ``dposv`` holds the interpreter until it returns, which takes seconds where LAPACK's threads have to
    wait for a processor. This is the same routine of the same library, called without the interpreter.

    >>> import numpy as np
    >>> solve_positive(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    found = right.copy()
    call = functools.partial(_call_dposv, matrix, found)
    waits = len(right) > SOON and threading.current_thread() is threading.main_thread()  # only it hears of Ctrl-C
    failed = run_apart(call, math.inf) if waits else call()
    return None if failed else found


def _call_dposv(matrix: FloatArray, right: FloatArray) -> int:
    """Solve in place of ``right``; 0, or where the factorisation failed."""
    routine = _find_dposv()
    if routine is None:
        return _call_scipy(matrix, right)
    size, one, info = ctypes.c_int(len(right)), ctypes.c_int(1), ctypes.c_int()
    # row by row is, to LAPACK, the transpose: the same matrix
    routine(b"L", size, one, matrix.ctypes.data, size, right.ctypes.data, size, info)
    return info.value


def _call_scipy(matrix: FloatArray, right: FloatArray) -> int:
    from scipy.linalg import lapack

    _, right[:], failed = lapack.dposv(matrix.T, right, lower=1, overwrite_a=1)
    return int(failed)


@functools.cache
def _find_dposv() -> Callable[..., None] | None:
    """LAPACK's routine, of which SciPy tells compiled programs the address; None if its integers are not C's."""
    from scipy.linalg import cython_lapack

    capsule = cython_lapack.__pyx_capi__["dposv"]
    name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))(capsule)
    if not name.startswith(b"void (char *, int *, int *, "):
        return None
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    address = get(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, name)
    number, array = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p
    kinds = ctypes.c_char_p, number, number, array, number, array, number, number
    return ctypes.CFUNCTYPE(None, *kinds)(address)
