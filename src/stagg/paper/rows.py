"""Rows of results as plain dicts: pick rows, list the values of a column, name a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["Row", "Rows", "list_distinct", "measure_gain", "name_line", "select"]

Row = dict[str, Any]
Rows = Sequence[Row]


def select(rows: Rows, **values: Any) -> list[Row]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def list_distinct(rows: Rows, *keys: str) -> list[Any]:
    """List the values of a column, or of several, in order of appearance."""
    seen = dict.fromkeys(tuple(row[key] for key in keys) for row in rows)
    return [each[0] if len(keys) == 1 else each for each in seen]


def name_line(row: str, note: str) -> str:
    """Name a row of the paper and, in brackets, what sets this reading of it apart."""
    return f"{row} ({note})" if note else row


def measure_gain(value: float, base: float) -> float:
    """Return by how many per cent a value is above another; infinite above 0, unless it is 0, too."""
    if base:
        return 100 * (value - base) / base
    return math.copysign(math.inf, value) if value else 0.0
