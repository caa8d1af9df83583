"""Requests: plain Python lists and dicts to arrays, and rankings to Python objects, without a detour.

Each function gives None where the compiled twin was not built, or what it is given is unusual.
"""

from __future__ import annotations

from typing import Any

from stagg.kernels.arrays import BoolArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["has_twin", "make_slots", "mark_sharing_lists", "number_lists"]


def has_twin() -> bool:
    """Whether plain requests have a quick way here."""
    return twin("text._requests") is not None


def number_lists(legs: list[Any]) -> Any | None:
    """The items of best-first lists of texts, or of lists or dicts of texts with scores, as numbers.

    ``arrays()`` of the result are what :func:`stagg.data.inputs.construct.from_numbers` takes, ``rank(...)`` fuses the
    lists; see ``Numbered``.
    """
    compiled = twin("text._requests")
    return None if compiled is None else compiled.numbered(legs)


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


def make_slots(kind: type, names: tuple[str, ...]) -> Any | None:
    """Fast maker of objects of a class with these slots: ``copy(original, changes)``, or rows of a result."""
    compiled = twin("text._requests")
    return None if compiled is None else compiled.Slots(kind, names)
