"""Requests: plain Python lists and dicts to arrays, and rankings to Python objects, without a detour.

Each function gives None where the compiled twin was not built, or what it is given is unusual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["has_twin", "make_rows", "make_slots", "mark_sharing_lists", "number_lists", "number_scored"]


def has_twin() -> bool:
    """Whether plain requests have a quick way here."""
    return twin("text._requests") is not None


def number_lists(legs: list[Any]) -> Any | None:
    """The items of best-first lists of texts as numbers."""
    compiled = twin("text._requests")
    return None if compiled is None else compiled.numbered(legs)


def number_scored(legs: list[Any]) -> Any | None:
    """The items of lists of (text, number) or of dicts as numbers, with their scores."""
    compiled = twin("text._requests")
    return None if compiled is None else compiled.scored(legs)


def mark_sharing_lists(
    entries: IntArray, entry_offsets: IntArray, list_rankers: IntArray, items: int, sharing: BoolArray
) -> bool | None:
    """See :func:`stagg.kernels.agreement.sharing.mark_sharing`."""
    compiled = twin("text._requests")
    if compiled is None:
        return None
    try:
        return bool(compiled.mark_sharing(entries, entry_offsets, list_rankers, items, sharing))
    except ValueError:  # arrays of another layout: to look first would cost every request
        return None


def make_rows(
    kind: type, slots: tuple[str, ...], items: Sequence[Any], entries: IntArray, scores: FloatArray, source: Any
) -> list[Any] | None:
    """An object of a class with these slots (item, rank, score, source) for each entry."""
    compiled = twin("text._requests")
    return None if compiled is None else compiled.rows(kind, slots, items, entries, scores, source)


def make_slots(kind: type, names: tuple[str, ...]) -> Any | None:
    """Fast copier of objects of a class with these slots: ``copy(original, changes)``."""
    compiled = twin("text._requests")
    return None if compiled is None else compiled.Slots(kind, names)
