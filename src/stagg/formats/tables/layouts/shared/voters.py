"""Voters of a row: the column that names them, a name for every row, and how many voters a row stands for."""

from __future__ import annotations

import dataclasses
import itertools
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from stagg.data.rankings import Rankings
from stagg.errors import plural, shown
from stagg.formats.log import Note
from stagg.formats.numbers import INTEGER
from stagg.formats.options import ReadOptions
from stagg.formats.reading import Reading
from stagg.formats.row_checks import COUNT, parse_count, read_multiplicities
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.layouts.base import Sheet
from stagg.formats.tables.profile import holds_votes
from stagg.formats.tables.roles import say_columns
from stagg.formats.tables.vocabulary import (
    COUNT_WORDS,
    MAYBE_COUNTS,
    ROW_WORDS,
    TIME_WORDS,
    VOTER_WORDS,
    plain_name,
)
from stagg.say import Say, name_option, tell

__all__ = [
    "about_voters",
    "comparison_names",
    "count_column",
    "is_count_name",
    "note_taken",
    "read_counts",
    "refuse_counts",
    "settle_repeats",
    "tell_voters_apart",
    "voter_column",
    "voter_names",
    "with_multiplicities",
]

MOST_NAMED: Final = 20  # lines that one note names
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
    cells = [row[column] for row in sheet.rows if row[column]]
    return name in VOTER_WORDS and not _counts_voters(name, cells) and not holds_votes(name, cells)


def voter_names(sheet: Sheet, column: int | None, queries: list[str], reading: Reading) -> list[str]:
    """A name for every row: rows are numbered where there is none; a name that comes again is told apart."""
    if column is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [" ".join(row[column].split()) or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    header = plain_name(sheet.names[column]) if sheet.names else ""
    return tell_voters_apart(given, queries, sheet.lines, reading, say=header not in TIME_WORDS)


def note_taken(sheet: Sheet, reading: Reading, taken: Mapping[int | None, str]) -> None:
    """Keep what each column was taken for, for whoever inspects the ballots; all others were left out."""
    names = sheet.names or [str(column + 1) for column in range(len(sheet.roles))]
    reading.taken = tuple((name, taken.get(column, "left out")) for column, name in enumerate(names) if name)


def settle_repeats(sheet: Sheet, column: int | None, reading: Reading) -> Sheet:
    """The rows that count where a voter is in several: all of them, the first or the last, or it is an error."""
    rule = reading.options.repeat_voters
    if rule == "keep" or column is None or (sheet.names and plain_name(sheet.names[column]) in TIME_WORDS):
        return sheet
    query = sheet.column("query")
    rows: dict[tuple[str, str], list[int]] = {}
    for number, row in enumerate(sheet.rows):
        if row[column]:
            rows.setdefault(("" if query is None else row[query], _fold_name(row[column])), []).append(number)
    again = [numbers for numbers in rows.values() if len(numbers) > 1]
    if not again:
        return sheet
    if rule == "error":
        first, second = again[0][:2]
        where = f"the voter {shown(sheet.rows[first][column])} is also in line {sheet.lines[first]}"
        raise reading.error(tell(where, ": delete a row, or say ", Say(repeat_voters="last")), sheet.lines[second])
    out = {number for numbers in again for number in (numbers[1:] if rule == "first" else numbers[:-1])}
    kept = [number for number in range(len(sheet.rows)) if number not in out]
    reading.note(_describe_settled(sheet, again, out, rule), public=_count_settled(again, out, rule))
    return dataclasses.replace(
        sheet, rows=[sheet.rows[number] for number in kept], lines=[sheet.lines[number] for number in kept]
    )


def _fold_name(name: str) -> str:
    """The name of a voter without capitals and extra blanks, which make nobody else of a person."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _count_settled(again: Sequence[Sequence[int]], out: Collection[int], rule: str) -> str:
    who = "1 voter is" if len(again) == 1 else f"{len(again):,} voters are"
    return f"{who} in several rows; the {rule} row counts, and {plural(len(out), 'row was', 'rows were')} left out"


def _describe_settled(sheet: Sheet, again: Sequence[Sequence[int]], out: Collection[int], rule: str) -> str:
    """The same with the lines that were left out."""
    lines = [str(sheet.lines[number]) for number in sorted(out)]
    more = f" and {len(lines) - MOST_NAMED:,} more" if len(lines) > MOST_NAMED else ""
    listed = f"{'line' if len(lines) == 1 else 'lines'} {', '.join(lines[:MOST_NAMED])}{more}"
    return f"{_count_settled(again, out, rule)}: {listed}"


def comparison_names(sheet: Sheet, judge: int | None, queries: list[str], reading: Reading) -> list[str]:
    """A name for every comparison: that of its judge, who may make many."""
    if judge is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [row[judge] or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    return tell_voters_apart(given, queries, sheet.lines, reading, say=False)


def tell_voters_apart(
    given: list[str], queries: list[str], lines: list[int], reading: Reading, *, say: bool = True
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
        voter = query, _fold_name(name)
        again = seen.setdefault(voter, [])
        if (query, name) in used:
            untried = numbers.setdefault(voter, itertools.count(2))
            names.append(next(f"{name} ({n})" for n in untried if f"{name} ({n})".casefold() not in taken))
        else:
            names.append(name)
        used.add((query, name))
        again.append((names[-1], line))
    if say:
        _note_repeats([rows for rows in seen.values() if len(rows) > 1], reading)
    return names


def _note_repeats(repeats: Voters, reading: Reading) -> None:
    note = describe_repeats(reading.name, repeats)
    if note is not None:
        reading.log.add_note(note)


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
    text = tell(
        f"{file}:{line}: the same voter is in several rows, and every row counts unless you say ",
        Say(repeat_voters="first"),
        " or ",
        Say(repeat_voters="last"),
        f": {listed}; delete the rows that should not count",
    )
    if WEIGHT_MARK not in second:
        text = tell(text, ", or give them no weight: ", Say(weights={second: 0}), f" leaves out line {line}")
    rows = "two rows" if all(len(rows) == 2 for rows in voters) else "several rows"
    who = "1 voter is" if len(voters) == 1 else f"{len(voters):,} voters are"
    return RepeatedVoters(text, f"{file}: {who} in {rows}, and every row counts", file=file, voters=voters)


def _name_rows(rows: Sequence[tuple[str, int]]) -> str:
    """The names that the rows of a voter have here, each with its line."""
    some = [f"{shown(name)} (line {line})" for name, line in rows[:MOST_REPEATS]]
    return " and ".join([", ".join(some[:-1]), some[-1]]) + (", …" if len(rows) > MOST_REPEATS else "")


# --- how many voters a row stands for ---------------------------------------------------------------------------------


def is_count_name(name: str) -> bool:
    """Whether a column is named as if it counted the voters of a row, or weighed them."""
    return plain_name(name) in (*COUNT_WORDS, *MAYBE_COUNTS)


def count_column(sheet: Sheet, options: ReadOptions) -> int | None:
    """The column that counts the voters of every row: as the caller says, else the first that is named so."""
    if "multiplicity" in (options.columns or {}):
        return sheet.column("multiplicity")
    names = enumerate(map(plain_name, sheet.names or []))
    return next((c for c, name in names if _counts_voters(name, [row[c] for row in sheet.rows if row[c]])), None)


def _counts_voters(name: str, cells: Sequence[str]) -> bool:
    """Whether a column of this name and these cells counts voters; one named "Wähler" may as well say who they are."""
    return name in COUNT_WORDS and (name not in VOTER_WORDS or any(map(is_number_cell, cells)))


def refuse_counts(sheet: Sheet, columns: Sequence[int], reading: Reading) -> None:
    """A column of numbers may count the voters of each row; it is ignored only when that is said."""
    for column in columns:
        cells = [row[column] for row in sheet.rows if row[column]]
        if not cells or not all(map(is_number_cell, cells)) or "multiplicity" in (reading.options.columns or {}):
            continue
        if {*cells} <= {"1", "1.0"}:
            continue  # whatever it says, every row counts once
        name = sheet.names[column] if sheet.names else str(column + 1)
        ignore, what = say_columns(multiplicity=""), f"the column {shown(name)} holds numbers"
        if all(INTEGER.fullmatch(cell) for cell in cells):
            count = say_columns(multiplicity=sheet.call(column))
            message = tell(what, ": say ", count, " if it counts the voters of a row, or ", ignore, " to ignore it")
        else:
            message = tell(
                what, " that count no voters: say ", ignore, " to ignore it; ", name_option("weights"), " weighs votes"
            )
        raise reading.error(message, sheet.first_line)


def with_multiplicities(
    rankings: Rankings, sheet: Sheet, column: int | None, names: Sequence[str], reading: Reading
) -> Rankings:
    """The rankings with the number of voters of each ranker, row by row as ``names`` calls them."""
    if column is None or not sheet.rows:
        return rankings
    counts = read_counts(sheet, column, reading)
    by_name = dict(zip(names, counts, strict=True))
    if [by_name[name] for name in names] != counts:
        raise reading.error("a voter has different counts in different queries; leave out the column of names")
    line_of = dict(zip(reversed(names), reversed(sheet.lines), strict=True))  # the first line of each
    rankers = rankings.rankers
    found = read_multiplicities([by_name[name] for name in rankers], [line_of[name] for name in rankers], reading)
    return rankings.replace(multiplicities=found)


def read_counts(sheet: Sheet, column: int, reading: Reading) -> list[int]:
    """The counts in a column, row by row."""
    counts = []
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        count = parse_count(row[column].removeprefix("+"))
        if count is None:
            raise reading.error(f"the count {shown(row[column])} is not {COUNT}", line)
        counts.append(count)
    return counts
