"""Build rows: the listed items of a table, one by one, and notes on ids that look like missing answers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Columns
from stagg.data.inputs.construct import with_names
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.format import ONE_QUERY
from stagg.formats.reading import Reading
from stagg.formats.row_checks import assemble_rows
from stagg.formats.tables.cells import note_dates
from stagg.formats.tables.layouts.base import Sheet
from stagg.formats.tables.vocabulary import EMPTY_MARKS, JUDGEMENTS, NO_ANSWERS, SPOILT_MARKS, SUMMARIES
from stagg.say import Say, tell

__all__ = [
    "RowBuilder",
    "describe_no_answer",
    "find_spellings",
    "is_no_answer",
    "leave_out_marks",
    "note_ignored",
    "note_no_answers",
    "note_summaries",
    "read_queries",
    "refuse_empty",
]  # fmt: skip

LEAVE_OUT: Final = tell(", or say ", Say(lenient=True), " to leave out such cells")


DIFFERENCE: Final = "blanks, closing points or characters that look the same"


class RowBuilder:
    """The listed items of a table, gathered one by one."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.rankers: list[str] = []
        self.items: list[str] = []
        self.numbers: list[float] = []
        self.lines: list[int] = []

    def add(self, query: str, ranker: str, item: str, number: float, line: int) -> None:
        self.queries.append(query)
        self.rankers.append(ranker)
        self.items.append(item)
        self.numbers.append(number)
        self.lines.append(line)

    def merge_spellings(self, reading: Reading) -> None:
        """Make one item of names that look the same, but for closing points: the most frequent spelling is kept.

        They differ in blanks, in signs that nobody sees, or in the way in which Unicode composes an accent.
        """
        spelled: dict[str, Counter[str]] = {}
        for item, times in Counter(self.items).items():
            spelled.setdefault(_plain_spelling(item), Counter())[item] += times
        kept: dict[str, str] = {}
        for spellings in spelled.values():
            if len(spellings) > 1:
                first, *others = sorted(spellings, key=lambda item: (-spellings[item], len(item), item))
                kept.update(dict.fromkeys(others, first))
                listed = ", ".join(map(shown, others[:5])) + (" was" if len(others) == 1 else " were")
                reading.note(f"{listed} read as {shown(first)}: only {DIFFERENCE} differ")
        if kept:
            self.items = [kept.get(item, item) for item in self.items]

    def assemble(
        self,
        reading: Reading,
        queries: Sequence[str],
        rankers: Sequence[str],
        *,
        by_score: bool = False,
        hint: str = "",
    ) -> Rankings:
        """The rankings of these queries and rankers, some of which may have no list.

        ``hint`` is what to say besides where an item appears twice in a list.
        """
        numbers = np.array(self.numbers, dtype=float)
        rows = Columns(
            self.queries,
            self.items,
            numbers,
            rankers=self.rankers,
            by_rank=not by_score,
            scores=numbers if by_score else None,
            file=reading.file,
            lines=np.array(self.lines, dtype=np.intp),
        )
        rankings, _ = assemble_rows(rows, reading, hint)
        note_dates(rankings.items, reading)
        if not self.items and not queries:
            return rankings
        return with_names(rankings, tuple(dict.fromkeys(queries)), tuple(dict.fromkeys(rankers)))


def read_queries(sheet: Sheet, reading: Reading) -> list[str]:
    """The query of every row; a table without a query column is one query."""
    column = sheet.column("query")
    if column is None:
        return [ONE_QUERY] * len(sheet.rows)
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        refuse_empty(row[column], "query", reading, line)
    return [row[column] for row in sheet.rows]


def note_ignored(names: Sequence[str], reading: Reading) -> None:
    if names:
        reading.note(f"ignored columns: {', '.join(map(shown, names[:20]))}")


def is_no_answer(item: str) -> bool:
    """Whether an id looks as if somebody meant no id by it."""
    return item.casefold() in NO_ANSWERS


def note_no_answers(items: Sequence[str], reading: Reading, *, lenient: bool = False) -> None:
    """Say which ids look as if somebody meant no id by them; ``lenient``: that option would leave them out."""
    for item, times in Counter(items).items():
        if is_no_answer(item) or item.casefold() in SUMMARIES:
            cells = "1 cell" if times == 1 else f"{times:,} cells"
            option = LEAVE_OUT if lenient and is_no_answer(item) else ""
            reading.note(tell(f"{shown(item)} ({cells}) was read as an id; empty the cell if it means none", option))


def leave_out_marks(sheet: Sheet, columns: Sequence[int], reading: Reading) -> tuple[list[list[str]], bool]:
    """(the cells of these columns, row by row, whether they are a cast vote record).

    The marks of such a record for a place without a vote (undervote), or with several (overvote), are emptied with a
    note. Whether choices behind an overvote count differs from place to place: its owner must say it.
    """
    cells = [[row[column] for column in columns] for row in sheet.rows]
    times = Counter(mark for row in cells for cell in row if (mark := cell.casefold()) in (*EMPTY_MARKS, *SPOILT_MARKS))
    if times.keys() <= {"blank", "no vote"}:
        return cells, False
    for row, line in zip(cells, sheet.lines, strict=True):
        _end_at_overvote(row, times, line, reading)
    listed = ", ".join(f"{shown(mark)} ({count:,} cell{'s' * (count > 1)})" for mark, count in sorted(times.items()))
    reading.note(f"marks of a cast vote record are no candidates and were left out: {listed}")
    return [["" if cell.casefold() in times else cell for cell in row] for row in cells], True


def _end_at_overvote(row: list[str], marks: Collection[str], line: int, reading: Reading) -> None:
    """Empty what stands behind an overvote, if that does not count; ask whether it does, if nobody says it."""
    spoilt = next((place for place, cell in enumerate(row) if cell.casefold() in SPOILT_MARKS), len(row))
    behind = [cell for cell in row[spoilt:] if cell and cell.casefold() not in marks]
    rule = reading.options.overvotes or ("skip" if reading.options.lenient else None)
    if behind and rule is None:
        raise reading.ask(
            f"{shown(behind[0])} stands behind {shown(row[spoilt])}; does it still count?",
            (Say(overvotes="skip"), "it does: overvotes are passed over, and later choices move up"),
            (Say(overvotes="end"), "it does not: the ballot ends there"),
            line=line,
        )
    if rule == "end":
        row[spoilt + 1 :] = [""] * len(row[spoilt + 1 :])


def _plain_spelling(item: str) -> str:
    """A name with single blanks of one kind, without signs that nobody sees and points at its end."""
    if not item.isascii():
        item = "".join(sign for sign in unicodedata.normalize("NFC", item) if unicodedata.category(sign) != "Cf")
    return " ".join(item.split()).rstrip(" .,;:!") or item


def find_spellings(items: Iterable[str]) -> dict[str, str]:
    """{item: the first that is spelled like it}, but for blanks and closing points.

    >>> find_spellings(["Llama 3", "GPT 4", "Llama  3"])
    {'Llama  3': 'Llama 3'}
    """
    kept: dict[str, str] = {}
    return {item: first for item in items if (first := kept.setdefault(_plain_spelling(item), item)) != item}


def describe_no_answer(items: Sequence[str]) -> str:
    """Advice on an id that seems to mean none, to append to an error; nothing where there is no such id."""
    item = next(filter(is_no_answer, items), None)
    if item is None:
        return ""
    return tell(f"; if {shown(item)} means no choice, say ", Say(lenient=True), " to leave out such cells")


def note_summaries(names: Sequence[str], reading: Reading) -> None:
    """Say which rankers or candidates look like the sum or the mean of the others."""
    for name in dict.fromkeys(names):
        if name.casefold() in SUMMARIES:
            reading.note(f"{shown(name)} was read like the others; remove it if it sums them up")
        if name.casefold() in JUDGEMENTS:
            reading.note(f"{shown(name)} was read like the others; remove it if it holds judgements")


def refuse_empty(cell: str, what: str, reading: Reading, line: int) -> None:
    if not cell:
        raise reading.error(f"the {what} is empty; expected an id", line)
