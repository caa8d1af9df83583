"""Types of arrays that all of stagg uses, and ABSENT, the mark of absence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

__all__ = ["ABSENT", "AnyArray", "BoolArray", "ByteArray", "Float32Array", "FloatArray", "Int32Array", "IntArray"]

if TYPE_CHECKING:
    import numpy.typing as npt

    AnyArray = npt.NDArray[Any]
    IntArray = npt.NDArray[np.intp]
    Int32Array = npt.NDArray[np.int32]
    ByteArray = npt.NDArray[np.uint8]
    FloatArray = npt.NDArray[np.float64]
    Float32Array = npt.NDArray[np.float32]
    BoolArray = npt.NDArray[np.bool_]
else:  # numpy.typing would take a fiftieth of the start of `stagg fuse`
    AnyArray = IntArray = Int32Array = ByteArray = FloatArray = Float32Array = BoolArray = np.ndarray

ABSENT: Final = -1
"""The position of an item that a list does not hold."""
