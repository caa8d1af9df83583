"""Read a whole table of cells: titles are dropped, long tables read by their columns, others by their layout."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.errors import shown
from stagg.formats.format import Loaded
from stagg.formats.numbers import parse_whole
from stagg.formats.options import IGNORE, ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.named_columns import NO_CELLS, Cells, check_header, loaded
from stagg.formats.tables.roles import check_ignored, ignored_columns, is_long, name_roles

__all__ = ["read_cell_table"]


def read_cell_table(table: CellTable, source: Source, options: ReadOptions) -> Loaded:
    """Rankings from a table, in the layout that is given or found."""
    if not table.rows:  # every cell is empty
        return loaded(NO_CELLS, source, options)
    table = _without_title(table, source, options)
    table, options = _without_ignored(table, source, options)
    unnamed = options.header is False
    names = name_roles([""] * table.width if unnamed else table.rows[0], source, options, table.lines[0])
    if options.layout not in (None, "long") or (options.layout is None and not is_long(names)):
        from stagg.formats.tables.layout_rows import read_layout  # here: long tables start without all other layouts

        return read_layout(table, source, options)
    check_ignored(names, source, options, table.lines[0])
    own, body = (None, table.rows) if unnamed else (table.rows[0], table.rows[1:])
    known = check_header(names, source, table.lines[0], own=own, body=body)
    rows, lines = (table.rows, table.lines) if unnamed else (table.rows[1:], table.lines[1:])
    columns = {name: [row[names.index(name)] for row in rows] for name in known}
    return loaded(Cells(columns, np.array(lines, dtype=np.intp)), source, options, delimiter=table.delimiter)


def _without_ignored(table: CellTable, source: Source, options: ReadOptions) -> tuple[CellTable, ReadOptions]:
    """The table, and the options, without the columns that the caller leaves out; numbers of columns move up."""
    given = dict(options.columns or {})
    if not given.pop(IGNORE, ""):
        return table, options
    names = [""] * table.width if options.header is False else table.rows[0]
    gone = ignored_columns(names, source, options, table.lines[0])
    if len(gone) == table.width:
        raise source.error("all columns are left out", table.lines[0])
    for role, name in given.items():
        number = parse_whole(name)
        if name not in names and number is not None:
            given[role] = str(number - sum(column < number - 1 for column in gone))
    rows = [[cell for column, cell in enumerate(row) if column not in gone] for row in table.rows]
    return dataclasses.replace(table, rows=rows), dataclasses.replace(options, columns=given or None)


def _without_title(table: CellTable, source: Source, options: ReadOptions) -> CellTable:
    """The table without lines above it that have one cell only, such as the title of a survey."""
    filled = [sum(map(bool, row)) for row in table.rows]
    first = next((number for number, count in enumerate(filled) if count > 1), 0)
    if (
        not first
        or options.header is False
        or (options.header is None and options.layout in ("ballots", "pairs"))
        or not all(row[0] for row in table.rows[:first])
    ):
        return table
    if table.rows[0][0].startswith("#"):
        return table  # a comment, which only its owner can allow
    title = shown(table.rows[0][0])
    source.log.note(
        f"{source.name}: the table begins in line {table.lines[first]}; what is above was left out ({title})"
    )
    return dataclasses.replace(table, rows=table.rows[first:], lines=table.lines[first:])
