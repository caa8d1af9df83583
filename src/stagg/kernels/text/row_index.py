"""Index of rows: where the rows of each query lie in a text, by the compiled twin."""

from __future__ import annotations

from typing import Any

from stagg.kernels.arrays import ByteArray
from stagg.kernels.compiled import twin

__all__ = ["has_twin", "is_text"]


def has_twin() -> bool:
    """Whether texts can be read some queries at a time here."""
    return twin("text._row_index") is not None


def is_text(content: ByteArray, end: int) -> bool:
    """Whether the bytes before ``end`` are UTF-8 without a NUL; there must be a twin."""
    compiled: Any = twin("text._row_index")
    return bool(compiled.is_text(content, end))
