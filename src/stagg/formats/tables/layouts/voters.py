"""Names of voters: the column that holds them, and a name for every row."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.log import Note
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.detect import Sheet, holds_votes
from stagg.formats.tables.roles import ROW_WORDS, TIME_WORDS, VOTER_WORDS, plain_name

__all__ = ["about_voters", "tell_voters_apart", "voter_column", "voter_names"]

MOST_REPEATS: Final = 5  # voters that one warning names, and rows of each
WEIGHT_MARK: Final = ","  # separates the weights of the command line, so a name that has one cannot be given a weight

Voters = Sequence[Sequence[tuple[str, int]]]
"""Voters who are in several rows: the name that each row has here, and its line."""


def voter_column(sheet: Sheet, options: ReadOptions) -> int | None:
    """The column of the voters: as the caller says, else one that names persons, before one that numbers the answers.

    A time is taken last: two voters may answer at the same time, and one voter at two.
    """
    if "ranker" in (options.columns or {}):
        return sheet.column("ranker")
    names = list(map(plain_name, sheet.names or []))
    if "ranker" in names:
        return names.index("ranker")
    about = [column for column in about_voters(sheet) if not _is_anonymous(sheet, column)]
    return min(about, key=lambda column: (_doubt(names[column]), column), default=None)


def _doubt(name: str) -> int:
    """How little a column of this name says about who the voter is."""
    return 2 if name in TIME_WORDS else 1 if name in ROW_WORDS else 0


def _is_anonymous(sheet: Sheet, column: int) -> bool:
    """Whether the column names nobody, as where a form does not ask who answers."""
    return bool(sheet.rows) and {row[column].casefold() for row in sheet.rows} <= {"", "anonymous"}


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
    return tell_voters_apart(given, queries, sheet.lines, source, say=header not in TIME_WORDS)


def tell_voters_apart(
    given: list[str], queries: list[str], lines: list[int], source: Source, *, say: bool = True
) -> list[str]:
    """The names, those that come again with a number behind them.

    Names that differ in capitals alone stay as they are, and are noted as one voter, too.

    A number is left out where somebody else has the name that it makes: the second ann is not a given "ann (2)".
    """
    seen: dict[tuple[str, str], list[tuple[str, int]]] = {}
    used: set[tuple[str, str]] = set()
    taken = {name.casefold() for name in given}
    numbers: dict[tuple[str, str], Iterator[int]] = {}
    names = []
    for name, query, line in zip(given, queries, lines, strict=True):
        voter = query, name.casefold()
        again = seen.setdefault(voter, [])
        if (query, name) in used:
            untried = numbers.setdefault(voter, itertools.count(2))
            names.append(next(f"{name} ({n})" for n in untried if f"{name} ({n})".casefold() not in taken))
        else:
            names.append(name)
        used.add((query, name))
        again.append((names[-1], line))
    if say:
        _note_repeats([rows for rows in seen.values() if len(rows) > 1], source)
    return names


def _note_repeats(repeats: Voters, source: Source) -> None:
    note = describe_repeats(source.name, repeats)
    if note is not None:
        source.log.add_note(note)


@dataclasses.dataclass(frozen=True)
class RepeatedVoters(Note):
    """One warning on all who are in several rows: every row counts, unless its owner does something about it."""

    file: str = ""
    voters: Voters = ()

    def without(self, rankers: Collection[str]) -> Note | None:
        left = [[row for row in rows if row[0] not in rankers] for rows in self.voters]
        return describe_repeats(self.file, [rows for rows in left if len(rows) > 1])


def describe_repeats(file: str, voters: Voters) -> RepeatedVoters | None:
    """The warning on these voters, each of whom is in several rows; None if there is nobody.

    >>> note = describe_repeats("form.csv", [[("ann", 2), ("ann (2)", 5)]])
    >>> print(note.public)
    form.csv: 1 voter is in two rows, and every row counts
    >>> print(note.without(["ann (2)"]))
    None
    """
    if not voters:
        return None
    more = [] if len(voters) <= MOST_REPEATS else [f"{len(voters) - MOST_REPEATS:,} more"]
    listed = ", ".join([*map(_name_rows, voters[:MOST_REPEATS]), *more])
    second, line = voters[0][1]
    text = (
        f"{file}:{line}: the same voter is in several rows, and every row counts: {listed}; delete the rows that "
        "should not count"
    )
    if WEIGHT_MARK not in second:
        text += f", or give them no weight: weights={{{shown(second)}: 0}} leaves out line {line}"
    rows = "two rows" if all(len(rows) == 2 for rows in voters) else "several rows"
    who = "1 voter is" if len(voters) == 1 else f"{len(voters):,} voters are"
    return RepeatedVoters(text, f"{file}: {who} in {rows}, and every row counts", file=file, voters=voters)


def _name_rows(rows: Sequence[tuple[str, int]]) -> str:
    """The names that the rows of a voter have here, each with its line."""
    some = [f"{shown(name)} (line {line})" for name, line in rows[:MOST_REPEATS]]
    return " and ".join([", ".join(some[:-1]), some[-1]]) + (", …" if len(rows) > MOST_REPEATS else "")
