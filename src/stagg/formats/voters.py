"""Who votes: the column of the voters' names, and a name for every row."""

from __future__ import annotations

from collections import Counter

from stagg.errors import shown
from stagg.formats.base import ReadOptions
from stagg.formats.layouts import Sheet, holds_votes
from stagg.formats.roles import VOTER_WORDS, plain_name
from stagg.formats.source import Source

__all__ = ["about_voters", "tell_apart", "voter_column", "voter_names"]


def voter_column(sheet: Sheet, options: ReadOptions) -> int | None:
    """The column of the voters' names: as the caller says, else the first that is named so."""
    if "ranker" in (options.columns or {}):
        return sheet.column("ranker")
    names = enumerate(map(plain_name, sheet.names or []))
    return next((column for column, name in names if name == "ranker" or _is_about_voters(sheet, column, name)), None)


def about_voters(sheet: Sheet) -> list[int]:
    """The columns that are named as if they told who votes: only one of them is the name, none holds choices."""
    names = enumerate(map(plain_name, sheet.names or []))
    return [column for column, name in names if _is_about_voters(sheet, column, name)]


def _is_about_voters(sheet: Sheet, column: int, name: str) -> bool:
    return name in VOTER_WORDS and not holds_votes(name, [row[column] for row in sheet.rows if row[column]])


def voter_names(sheet: Sheet, column: int | None, queries: list[str], source: Source) -> list[str]:
    """A name for every row: rows are numbered where there is none; a name that comes again is told apart."""
    if column is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [row[column] or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    header = plain_name(sheet.names[column]) if sheet.names else ""
    return tell_apart(given, queries, sheet.lines, source, say=header != "timestamp")


def tell_apart(
    given: list[str], queries: list[str], lines: list[int], source: Source, *, say: bool = True
) -> list[str]:
    seen: Counter[tuple[str, str]] = Counter()
    names = []
    for name, query, line in zip(given, queries, lines, strict=True):
        seen[query, name] += 1
        again = seen[query, name]
        names.append(name if again == 1 else f"{name} ({again})")
        if again == 2 and say:
            source.log.note(f"{source.name}:{line}: {shown(name)} is in several rows; each row is one voter")
    return names
