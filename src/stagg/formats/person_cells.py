"""Columns whose cells tell who answered, or when, and are no choices: addresses, and times of the day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["address_columns", "describe_leaving_out", "time_columns"]

ADDRESS: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
TIME: Final = re.compile(r"[^:]*[0-9]{1,4}[-/. ]+[0-9]{1,2}[-/. ,T]+[^:]*[0-9]{1,2}[:.][0-9]{2}.*")
FEWEST = 3  # answers, for the cells to show that no value comes again
DISTINCT = 0.8  # of the cells: choices come again, addresses and times hardly do


def address_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold an address of its own in (nearly) every row."""
    return [column for column in columns if _holds(rows, column, ADDRESS)]


def time_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold a day and a time of its own in (nearly) every row."""
    return [column for column in columns if _holds(rows, column, TIME)]


def _holds(rows: Sequence[Sequence[str]], column: int, kind: re.Pattern[str]) -> bool:
    cells = [row[column] for row in rows if row[column]]
    alike = sum(kind.fullmatch(cell) is not None for cell in cells)
    return len(cells) >= FEWEST and alike >= DISTINCT * len(cells) and len(set(cells)) >= DISTINCT * len(cells)


def describe_leaving_out(names: Sequence[str], addresses: Sequence[int], times: Sequence[int]) -> dict[str, str]:
    """The roles of these columns: the first addresses name the voters, the others are left out.

    >>> describe_leaving_out(["when", "who", "1st"], addresses=[1], times=[0])
    {'ranker': 'who', 'ignore': 'when'}
    """
    others = [names[column] for column in (*times, *addresses[1:])]
    return ({"ranker": names[addresses[0]]} if addresses else {}) | ({"ignore": "+".join(others)} if others else {})
