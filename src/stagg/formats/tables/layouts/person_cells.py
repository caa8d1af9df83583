"""Columns about persons, not choices: email addresses, and the day and time of an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

__all__ = ["address_columns", "describe_leaving_out", "time_columns"]

ADDRESS: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
TIME: Final = re.compile(r"[^:]*[0-9]{1,4}[-/. ]+[0-9]{1,2}[-/. ,T]+[^:]*[0-9]{1,2}[:.][0-9]{2}.*")
LONGEST: Final = 100  # characters of an address or a time; TIME takes quadratic time on long cells
FEWEST: Final = 3  # answers, for the cells to show what they are
MOST: Final = 0.8  # of the cells


def address_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold an address in (nearly) every row, none of which is in another of the columns.

    An address comes again where a person answers twice. Where all columns hold addresses, the addresses that come again
    are what people vote on.
    """
    alike = _matching(rows, columns, ADDRESS)
    shared = _shared_cells(rows, columns) if alike else set()
    alone = [column for column in alike if shared.isdisjoint(row[column] for row in rows)]
    return alone if len(alike) < len(columns) else [column for column in alone if _is_distinct(rows, column)]


def time_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold a day and a time of its own in (nearly) every row.

    Where at least half of the times are in another column as well, people vote on times.
    """
    alike = [column for column in _matching(rows, columns, TIME) if _is_distinct(rows, column)]
    shared = _shared_cells(rows, columns) if alike else set()
    return [column for column in alike if 2 * sum(row[column] in shared for row in rows) < len(_cells(rows, column))]


def _matching(rows: Sequence[Sequence[str]], columns: Sequence[int], kind: re.Pattern[str]) -> list[int]:
    """Those of the columns whose cells are (nearly) all of this kind."""
    return [column for column in columns if _match(_cells(rows, column), kind)]


def _match(cells: Sequence[str], kind: re.Pattern[str]) -> bool:
    alike = sum(len(cell) <= LONGEST and kind.fullmatch(cell) is not None for cell in cells)
    return len(cells) >= FEWEST and alike >= MOST * len(cells)


def _is_distinct(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether (nearly) no cell comes again, as choices do."""
    cells = _cells(rows, column)
    return len(set(cells)) >= MOST * len(cells)


def _shared_cells(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> set[str]:
    """The cells that are in several of the columns."""
    times = Counter(cell for column in columns for cell in set(_cells(rows, column)))
    return {cell for cell, count in times.items() if count > 1}


def _cells(rows: Sequence[Sequence[str]], column: int) -> list[str]:
    return [row[column] for row in rows if row[column]]


def describe_leaving_out(names: Sequence[str], addresses: Sequence[int], times: Sequence[int]) -> dict[str, str]:
    """The roles of these columns: the first addresses name the voters, the others are left out.

    >>> describe_leaving_out(["when", "who", "1st"], addresses=[1], times=[0])
    {'ranker': 'who', 'ignore': 'when'}
    """
    others = [names[column] for column in (*times, *addresses[1:])]
    return ({"ranker": names[addresses[0]]} if addresses else {}) | ({"ignore": "+".join(others)} if others else {})
