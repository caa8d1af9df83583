"""Columns of codes: number them by first appearance, and group rows into lists. None where the twin was not built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["assemble", "number_by_appearance"]


def number_by_appearance(codes: IntArray, count: int) -> tuple[IntArray, IntArray] | None:
    """(codes numbered by first appearance, the old code of each number); the old codes are below ``count``."""
    compiled = twin("text._columns")
    return None if compiled is None else compiled.renumber(np.ascontiguousarray(codes, dtype=np.int64), count)


def assemble(codes: Sequence[IntArray], keys: FloatArray, sizes: Sequence[int]) -> tuple[Any, ...] | None:
    """The arrays of rankings from rows of (query, ranker, item) and a key; None, too, if an item appears twice."""
    compiled = twin("text._columns")
    if compiled is None:
        return None
    plain = [np.ascontiguousarray(column, dtype=np.int64) for column in codes]
    found: tuple[Any, ...] | None = compiled.assemble(*plain, np.ascontiguousarray(keys, dtype=np.float64), *sizes)
    return found
