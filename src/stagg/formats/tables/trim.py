"""Trim a table: second headers, index columns, rows longer than the header."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_whole
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import CellTable, is_number_cell
from stagg.formats.tables.layouts.ordinals import choice_columns, read_ordinal
from stagg.formats.tables.roles import plain_name

__all__ = ["refuse_long_rows", "refuse_qualtrics", "refuse_two_headers", "without_index"]

PLACE_NAMES: Final = ("rank", "position", "place", "pos", "platz", "rang")
INDEX_NAMES: Final = (*PLACE_NAMES, "", "#", "no", "no.", "nr", "nr.", "index", "order")


def refuse_qualtrics(table: CellTable, source: Source) -> None:
    """Qualtrics writes two more lines below the header, which are not answers."""
    if len(table.rows) > 2 and any(cell.startswith('{"ImportId"') for cell in table.rows[2]):
        raise source.error(
            f"this is an export of Qualtrics: delete lines {table.lines[1]} and {table.lines[2]}, which describe the "
            "questions, and all columns but ResponseId and those of one question; then say layout='grid' if the cells "
            "are ranks, or layout='ballots' if they are choices",
            table.lines[1],
        )


def refuse_two_headers(table: CellTable, source: Source, options: ReadOptions) -> None:
    """A header of two lines, the second of which names the columns that the first leaves without a name."""
    if options.header is False or len(table.rows) < 3:
        return
    first, second = table.rows[:2]
    gaps = [column for column, cell in enumerate(first) if not cell]
    if gaps and not second[0] and first[0] and all(second[column] for column in gaps):
        raise source.error(
            f"the header seems to take two lines ({table.lines[0]} and {table.lines[1]}): make one line of them that "
            "names every column",
            table.lines[0],
        )


def refuse_long_rows(names: Sequence[str], rows: Sequence[Sequence[str]], lines: Sequence[int], source: Source) -> None:
    """A row that goes on where the header has ended may have lost its quotes, or a decimal comma."""
    width = max((column + 1 for column, name in enumerate(names) if name), default=0)
    for row, line in zip(rows, lines, strict=True):
        cells = max((column + 1 for column, cell in enumerate(row) if cell), default=0)
        if cells > width:
            raise source.error(
                f"expected the {width} columns of the header, found {cells} cells; name every column, and put a cell "
                "that holds the separator between quotes",
                line,
            )


def without_index(table: CellTable, source: Source, options: ReadOptions) -> CellTable:
    """The table without a first column that only counts the places of best-first lists: 1, 2, 3, ...

    That is so under layout="columns", where no other column has these numbers, and where the column is named rank and
    the other columns share ids.
    """
    names, body = table.rows[0], table.rows[1:]
    counted = _count_up([row[0] for row in body])
    if table.width < 3 or not counted or not body or options.header is False or choice_columns(names[1:]):
        return table
    elsewhere = {cell for row in body for cell in row[1:]}
    said = options.layout == "columns" and (
        plain_name(names[0]) in INDEX_NAMES or elsewhere.isdisjoint(row[0] for row in body)
    )
    found = options.layout is None and plain_name(names[0]) in PLACE_NAMES and _columns_share_ids(body)
    if not said and not found:
        return table
    source.log.note(f"{source.name}: the column {shown(names[0])} counts the places of the lists; it was left out")
    return dataclasses.replace(table, rows=[row[1:] for row in table.rows], header=True)


def _count_up(cells: Sequence[str]) -> bool:
    """Whether the cells count from 0 or 1: 1, 2, 3, or 1., 2., 3., or 1st, 2nd, 3rd."""
    places = [read_ordinal(cell) if (number := parse_whole(cell)) is None else number for cell in cells]
    return any(places == list(range(first, first + len(cells))) for first in (0, 1))


def _columns_share_ids(body: Sequence[Sequence[str]]) -> bool:
    """Whether every column but the first has an id that stands in another one, and no numbers."""
    pools = [{row[column] for row in body if row[column]} for column in range(1, len(body[0]))]
    numbers = any(is_number_cell(cell) for pool in pools for cell in pool)
    others = [set().union(*pools[:k], *pools[k + 1 :]) for k in range(len(pools))]
    return not numbers and all(pool & other for pool, other in zip(pools, others, strict=True))
