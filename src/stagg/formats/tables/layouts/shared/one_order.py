"""Choices that one cell lists: the mark between them, and lists that all keep one order, as forms export ticks."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.reading import Reading
from stagg.formats.tables.vocabulary import ORDER_MARKS
from stagg.say import Say, tell

__all__ = ["keep_one_order", "note_one_order", "note_separator"]

FEWEST_REPEATS: Final = 10
"""Pairs of choices that come again, always in the same order: by chance once in a thousand forms."""
LONGEST: Final = 100


def note_separator(mark: str, reading: Reading) -> None:
    reading.note(f"the choices of a voter were separated at {shown(mark)}")


def note_one_order(cells: Iterable[str], mark: str, reading: Reading) -> None:
    """Warn where the choices that a cell lists seem to be ticks, which have no order; ``>`` says that they have one."""
    lists = ([piece.strip() for piece in cell.split(mark) if piece.strip()] for cell in cells)
    if mark not in ORDER_MARKS and keep_one_order(lists):
        same = "all voters list their choices in the same order, as forms export ticks; if these are ticks, say "
        reading.note(tell(same, Say(layout="form", values="score")))


def keep_one_order(lists: Iterable[Sequence[str]]) -> bool:
    """Whether no two lists disagree on the order of two choices, and enough pairs come again to show it.

    >>> keep_one_order([["Ada", "Ben", "Cleo"]] * 5), keep_one_order([["Ada", "Ben"]] * 9 + [["Ben", "Ada"]] * 2)
    (True, False)
    """
    known: set[tuple[str, str]] = set()
    repeats = 0
    for names in lists:
        if len(names) > LONGEST:
            return False
        for pair in itertools.combinations(names, 2):
            if pair[::-1] in known:
                return False
            repeats += pair in known
            known.add(pair)
    return repeats >= FEWEST_REPEATS
