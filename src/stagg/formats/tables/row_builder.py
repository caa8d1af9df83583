"""Build rows: the listed items of a table, one by one, and notes on ids that look like missing answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Columns
from stagg.data.inputs.construct import with_names
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.format import ONE_QUERY
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import assemble_rows
from stagg.formats.storage.source import Source
from stagg.formats.tables.detect import Sheet

__all__ = [
    "RowBuilder", "describe_no_answer", "is_no_answer", "note_ignored", "note_no_answers", "note_summaries",
    "read_queries", "refuse_empty",
]  # fmt: skip

NO_ANSWERS: Final = (
    "none",
    "n/a",
    "na",
    "nan",
    "null",
    "abstain",
    "no preference",
    "no choice",
    "no answer",
    "not ranked",
    "blank",
    "undervote",
    "overvote",
    "skipped",
)
"""Words that people write where there is no choice."""

SUMMARIES: Final = (
    "total",
    "totals",
    "sum",
    "mean",
    "average",
    "avg",
    "median",
    "overall",
    "grand total",
    "std",
    "stdev",
)

JUDGEMENTS: Final = (
    "label",
    "labels",
    "relevance",
    "relevant",
    "rel",
    "qrel",
    "qrels",
    "grade",
    "gold",
    "target",
    "truth",
)


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

    def assemble(
        self,
        source: Source,
        options: ReadOptions,
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
            file=source.name,
            lines=np.array(self.lines, dtype=np.intp),
        )
        rankings, _ = assemble_rows(rows, source, options, hint)
        if not self.items and not queries:
            return rankings
        return with_names(rankings, tuple(dict.fromkeys(queries)), tuple(dict.fromkeys(rankers)))


def read_queries(sheet: Sheet, source: Source) -> list[str]:
    """The query of every row; a table without a query column is one query."""
    column = sheet.column("query")
    if column is None:
        return [ONE_QUERY] * len(sheet.rows)
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        refuse_empty(row[column], "query", source, line)
    return [row[column] for row in sheet.rows]


def note_ignored(names: Sequence[str], source: Source) -> None:
    if names:
        source.log.note(f"{source.name}: ignored columns: {', '.join(map(shown, names[:20]))}")


def is_no_answer(item: str) -> bool:
    """Whether an id looks as if somebody meant no id by it."""
    return item.casefold() in NO_ANSWERS


def note_no_answers(items: Sequence[str], source: Source, *, lenient: bool = False) -> None:
    """Say which ids look as if somebody meant no id by them; ``lenient``: that option would leave them out."""
    for item, times in Counter(items).items():
        if is_no_answer(item) or item.casefold() in SUMMARIES:
            cells = "1 cell" if times == 1 else f"{times:,} cells"
            option = ", or say lenient=True to leave out such cells" if lenient and is_no_answer(item) else ""
            source.log.note(
                f"{source.name}: {shown(item)} ({cells}) was read as an id; empty the cell if it means none{option}"
            )


def describe_no_answer(items: Sequence[str]) -> str:
    """Advice on an id that seems to mean none, to append to an error; nothing where there is no such id."""
    item = next(filter(is_no_answer, items), None)
    return "" if item is None else f"; if {shown(item)} means no choice, say lenient=True to leave out such cells"


def note_summaries(names: Sequence[str], source: Source) -> None:
    """Say which rankers or candidates look like the sum or the mean of the others."""
    for name in dict.fromkeys(names):
        if name.casefold() in SUMMARIES:
            source.log.note(f"{source.name}: {shown(name)} was read like the others; remove it if it sums them up")
        if name.casefold() in JUDGEMENTS:
            source.log.note(f"{source.name}: {shown(name)} was read like the others; remove it if it holds judgements")


def refuse_empty(cell: str, what: str, source: Source, line: int) -> None:
    if not cell:
        raise source.error(f"the {what} is empty; expected an id", line)
