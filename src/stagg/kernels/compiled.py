"""Find the compiled twins (.pyx) of hot kernels: same names and results, faster; without them NumPy does the work."""

from __future__ import annotations

import functools
import importlib
import os
import warnings
from typing import Any

__all__ = ["TWINS", "built", "twin"]

TWINS = (
    "_sums", "agreement._list_pairs", "fitting._plackett_luce", "lists._bootstrap", "pairs._beatpaths",
    "pairs._pairwise", "stochastic._expected_measures", "stochastic._stochastic", "text._columns", "text._ids",
    "text._numbers", "text._ranked", "text._records", "text._requests", "text._text",
)  # fmt: skip
"""The extension modules that `pip install` builds where there is a C compiler."""


@functools.cache
def twin(name: str) -> Any | None:
    """The compiled module of this name, None where it was not built or ``STAGG_PURE`` is set in the environment."""
    if os.environ.get("STAGG_PURE"):
        return None
    try:
        return importlib.import_module(f"stagg.kernels.{name}")
    except ImportError:
        _warn()
        return None


@functools.cache
def _warn() -> None:
    """Once in a process: nobody should be slow without knowing why."""
    slow = "stagg was installed without compiled kernels and is several times slower"
    remedy = "install a wheel of it, or a C compiler, and install it again; STAGG_PURE=1 hides this warning"
    warnings.warn(f"{slow}: {remedy}", RuntimeWarning, stacklevel=4)


def built() -> tuple[str, ...]:
    """The twins that are in use."""
    return tuple(name for name in TWINS if twin(name) is not None)
