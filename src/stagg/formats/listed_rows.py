"""The listed items of a table, gathered one by one, and what is said of ids that look like none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Columns
from stagg.data.construct import with_names
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.base import ONE_QUERY, ReadOptions, assemble_rows
from stagg.formats.layouts import Sheet
from stagg.formats.source import Source

__all__ = ["Rows", "note_ignored", "note_no_answers", "note_summaries", "read_queries", "refuse_empty"]

NO_ANSWERS: Final = (
    "none",
    "n/a",
    "na",
    "nan",
    "null",
    "abstain",
    "no preference",
    "no choice",
    "blank",
    "total",
    "sum",
)

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


class Rows:
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
    ) -> Rankings:
        """The rankings of these queries and rankers, some of which may have no list."""
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
        rankings, _ = assemble_rows(rows, source, options)
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


def note_no_answers(items: Sequence[str], source: Source) -> None:
    """Say which ids look as if somebody meant no id by them."""
    for item, times in Counter(items).items():
        if item.casefold() in NO_ANSWERS:
            cells = "1 cell" if times == 1 else f"{times:,} cells"
            source.log.note(
                f"{source.name}: {shown(item)} ({cells}) was read as an id; empty the cell if it means none"
            )


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
