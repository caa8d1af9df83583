"""Count columns: how many voters a row stands for, and columns that may or may not say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.numbers import INTEGER
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.detect import Sheet
from stagg.formats.tables.layouts.multiplicities import COUNT, parse_count, read_multiplicities
from stagg.formats.tables.roles import COUNT_WORDS, columns_option, plain_name

__all__ = ["count_column", "is_count_name", "refuse_counts", "with_multiplicities"]

MAYBE_COUNTS: Final = ("n", "weight", "weights", "times", "number")
"""Names that may say how many voters a row stands for, and may say something else."""


def is_count_name(name: str) -> bool:
    """Whether a column is named as if it counted the voters of a row, or weighed them."""
    return plain_name(name) in (*COUNT_WORDS, *MAYBE_COUNTS)


def count_column(sheet: Sheet, options: ReadOptions) -> int | None:
    """The column that counts the voters of every row: as the caller says, else the first that is named so."""
    if "multiplicity" in (options.columns or {}):
        return sheet.column("multiplicity")
    return next((column for column, name in enumerate(sheet.names or []) if plain_name(name) in COUNT_WORDS), None)


def refuse_counts(sheet: Sheet, columns: Sequence[int], source: Source, options: ReadOptions) -> None:
    """A column of numbers may count the voters of each row; it is ignored only when that is said."""
    for column in columns:
        cells = [row[column] for row in sheet.rows if row[column]]
        if not cells or not all(map(is_number_cell, cells)) or "multiplicity" in (options.columns or {}):
            continue
        name = sheet.names[column] if sheet.names else str(column + 1)
        ignore = columns_option({"multiplicity": ""})
        if all(INTEGER.fullmatch(cell) for cell in cells):
            count = columns_option({"multiplicity": name})
            message = f"holds numbers: say {count} if it counts the voters of a row, or {ignore} to ignore it"
        else:
            message = f"holds numbers that count no voters: say {ignore} to ignore it, and give weights to fuse"
        raise source.error(f"the column {shown(name)} {message}", sheet.first_line)


def with_multiplicities(
    rankings: Rankings, sheet: Sheet, column: int | None, names: Sequence[str], source: Source
) -> Rankings:
    """The rankings with the number of voters of each ranker, row by row as ``names`` calls them."""
    if column is None or not sheet.rows:
        return rankings
    counts = _read_counts(sheet, column, source)
    by_name = dict(zip(names, counts, strict=True))
    if [by_name[name] for name in names] != counts:
        raise source.error("a voter has different counts in different queries; leave out the column of names")
    line_of = dict(zip(reversed(names), reversed(sheet.lines), strict=True))  # the first line of each
    rankers = rankings.rankers
    found = read_multiplicities([by_name[name] for name in rankers], [line_of[name] for name in rankers], source)
    return rankings.replace(multiplicities=found)


def _read_counts(sheet: Sheet, column: int, source: Source) -> list[int]:
    counts = []
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        count = parse_count(row[column].removeprefix("+"))
        if count is None:
            raise source.error(f"the count {shown(row[column])} is not {COUNT}", line)
        counts.append(count)
    return counts
