"""Ties in a cell: ``A=B`` is split here; cells that look like ties, or that are only dashes, are noted or refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.reading import Reading
from stagg.formats.tables.layouts.base import Sheet

__all__ = ["refuse_dash", "refuse_odd_ties", "split_equals"]

NO_CHOICE: Final = re.compile(r"[-–—?.]+")
JOINED: Final = re.compile(r"[,;/&+|]|\s(?:and|or)\s")


def split_equals(cell: str) -> list[str]:
    """The ids on both sides of an equals sign; that of an address (http://x?a=1) is a part of it."""
    if "://" in cell or "?" in cell:
        return [cell]
    return [piece.strip(" \t") for piece in cell.split("=")]


def refuse_dash(cell: str, reading: Reading, line: int) -> None:
    if NO_CHOICE.fullmatch(cell):
        raise reading.error(f"the cell {shown(cell)} is not an id; leave the cell empty where there is no choice", line)


def refuse_odd_ties(sheet: Sheet, columns: Sequence[int], reading: Reading) -> None:
    """A cell that joins two ids, which stand alone elsewhere, by another sign than = is no third id."""
    pool = {row[column] for row in sheet.rows for column in columns}
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        for column in columns:
            pieces = [piece.strip(" \t") for piece in JOINED.split(row[column])]
            if len(pieces) > 1 and not pool.issuperset(pieces) and not pool.isdisjoint(pieces):
                reading.note(f"{shown(row[column])} was read as one id; write a tie with =, as A=B", line=line)
            if len(pieces) > 1 and pool.issuperset(pieces):
                tie = "=".join(pieces)
                raise reading.error(
                    f"the cell {shown(row[column])} joins ids that other cells hold; write a tie as {shown(tie)}",
                    line,
                )
