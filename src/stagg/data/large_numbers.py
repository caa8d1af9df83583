"""Whole numbers of 2^53 or more: a float holds only some of them, so two that differ may become one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stagg.errors import DataWarning
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from stagg.data.rankings import Rankings

__all__ = ["EXACT", "REMEDY", "find_large_ties", "is_large", "loses_digits", "warn_of_lost_digits"]

EXACT: Final = 2.0**53
"""Up to here every whole number is a float of its own."""

REMEDY: Final = "stagg rounds whole numbers of 2^53 or more; make them smaller, such as by subtracting the least"


def is_large(numbers: FloatArray) -> bool:
    """Whether some number is so large that a whole one may have lost digits."""
    return bool(len(numbers)) and bool(numbers.max() >= EXACT or numbers.min() <= -EXACT)


def find_large_ties(rankings: Rankings, numbers: FloatArray, order: IntArray | None = None) -> BoolArray | None:
    """Which entries tie with the one before and have so large a number that they may have differed; None: none.

    ``numbers`` are those that decided the order of the lists: one for each entry, or for each row where ``order`` says
    which row an entry is.
    """
    offsets = rankings.entry_offsets
    ends = np.append(offsets[:-1], offsets[1:] - 1)  # the best and the worst of each list
    if not is_large(numbers[ends if order is None else order[ends]]):
        return None
    large: BoolArray = rankings.tied & (np.abs(numbers if order is None else numbers[order]) >= EXACT)
    return large if large.any() else None


def loses_digits(exact: Sequence[Any], rounded: Sequence[float]) -> bool:
    """Whether numbers that differ are equal as floats.

    >>> loses_digits([2**53, 2**53 + 1], [2.0**53, 2.0**53]), loses_digits([7, 7], [7.0, 7.0])
    (True, False)
    """
    kinds = set(map(type, exact))
    if kinds <= {float} or (kinds <= {float, int} and max(map(abs, rounded)) < EXACT):
        return False
    different: dict[float, Any] = {}
    try:
        return any(different.setdefault(number, value) != value for value, number in zip(exact, rounded, strict=True))
    except Exception:  # numbers of somebody else that cannot be compared
        return False


def warn_of_lost_digits(where: str, what: str) -> None:
    """The text names no number: Python keeps each text that it has warned with."""
    warnings.warn(f"{where}{what} that differ tie: {REMEDY}", DataWarning, stacklevel=3)
