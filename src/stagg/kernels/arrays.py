"""The types of arrays that every floor of the house shares, and the mark of absence."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["ABSENT", "BoolArray", "FloatArray", "IntArray"]

IntArray = npt.NDArray[np.intp]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

ABSENT: Final = -1
"""The position of an item that a list does not hold."""
