"""Read tables with named columns in parts: CSV and TSV by where their rows lie, Parquet by row groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import stack_ids, take_ids
from stagg.data.large_numbers import find_large_ties
from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.parts.interface import Part, Tally
from stagg.formats.parts.stretches import Names, Stretches, Unfit, count_rows
from stagg.formats.row_checks import note_large_ties, refuse_long_ids
from stagg.formats.runs.rank_and_score import contradicting, note_contradiction
from stagg.formats.storage.source import Excerpt
from stagg.formats.tables.named_columns import check_values_option, make_columns
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["TableInParts", "TableRows", "Tables", "tables_refusal"]

Values = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class TableRows:
    """The rows of some queries: columns, the line of each row, odd cells of ranks by line, and the source to blame."""

    columns: Values
    lines: IntArray
    odd_ranks: dict[int, object]
    source: Excerpt


class TableInParts(Protocol):
    """One table, indexed: ``queries`` and ``rankers`` by name, in order of first appearance."""

    name: str
    stem: str
    path: Any
    log: ReadLog
    queries: Sequence[str]
    rankers: Sequence[str] | None
    stretches: Stretches
    is_random: bool

    def read(self, queries: IntArray) -> TableRows:
        """The rows of some queries, by number."""

    def release(self) -> None:
        """Forget what is held."""


class Tables:
    """Several tables by query: see :class:`stagg.formats.parts.interface.InParts`.

    Tables that name their rankers are parts of one whole, and a query belongs to one of them; the others are one
    ranker each.
    """

    ids_are_words = False

    def __init__(self, tables: Sequence[TableInParts], options: ReadOptions) -> None:
        names = Names()
        self.options, self.by_rank, self.all = options, options.order_by == "rank", tables
        for table in tables:
            table.stretches.arrange(names.take_in(table.queries))
        self.queries = names.texts
        self.full = [table for table in tables if len(table.queries)]
        self.names_rankers = any(table.rankers is not None for table in self.full)
        if self.names_rankers:
            if any(table.rankers is None for table in self.full):
                raise Unfit("some of the tables name their rankers, others do not")
            if len(self.queries) < sum(len(table.queries) for table in self.full):
                raise Unfit("a query is in several of the tables")
        known = Names()
        self._rankers = [known.take_in(table.rankers or [f"{number}"]) for number, table in enumerate(self.full)]
        self.rankers = known.texts

    @property
    def reading_order(self) -> IntArray | None:
        """Row groups are unpacked one after the other; text can be read at any place."""
        return None if all(table.is_random for table in self.full) else np.arange(len(self.queries))

    def rows_of_queries(self) -> IntArray:
        """How many rows each query has in all tables."""
        return count_rows([table.stretches for table in self.full], len(self.queries))

    def release(self) -> None:
        """Forget the rows that are held."""
        for table in self.full:
            table.release()

    def notes_before(self) -> list[str]:
        return []

    def read(self, queries: Sequence[int] | IntArray, *, depth: int | None = None) -> Part:
        """The lists of some queries, by number."""
        chosen, log, parts = np.asarray(queries, dtype=np.int64), ReadLog(), list[_Columns]()
        for number, table in enumerate(self.full):
            found = table.read(chosen)
            if len(found.lines):
                values, lines = check_values_option(
                    found.columns, found.lines, found.odd_ranks, found.source, self.options
                )
                rows = make_columns(values, lines, found.source, self.options)
                rankers = self._find_rankers(number, values.get("ranker"), len(lines))
                hint = found.source.on_duplicates
                parts.append(_Columns(table.name, rows, rankers, self._find_ranks(values), hint))
            log.absorb(found.source.log)
        rankings = self._assemble(parts, tuple(self.queries[q] for q in chosen.tolist()), log)
        return Part(rankings, Tally.of(rankings), log)

    def _find_rankers(self, number: int, column: Any, rows: int) -> IntArray:
        """The number of each row's ranker."""
        if column is None:
            return np.broadcast_to(self._rankers[number], rows)
        return renumber(column if isinstance(column, Coded) else Coded.of_ids(column), self.rankers).codes

    def _find_ranks(self, values: Values) -> FloatArray | None:
        """The ranks beside scores that decide the order, which may contradict them."""
        return values["rank"] if "rank" in values and "score" in values and not self.by_rank else None

    def _assemble(self, parts: list[_Columns], queries: tuple[str, ...], log: ReadLog) -> Rankings:
        for part in parts:
            refuse_long_ids(part.rows)
        rows = _stack(parts, queries, self.rankers)
        try:
            rankings, order = from_columns(rows)
        except DataError:
            for part in parts:
                self._refuse_duplicates(part)
            raise
        log.used(len(order))
        self._note_contradictions(parts, rankings, order, log)
        large = find_large_ties(rankings, rows.numbers, order)
        if large is not None:
            for part, line, count in _places(parts, order[large]):
                note_large_ties(log, part.name, line, count)
        return rankings

    def _refuse_duplicates(self, part: _Columns) -> None:
        """The error of the one table in which an item appears twice in a list, in its own words."""
        try:
            from_columns(dataclasses.replace(part.rows, rankers=Coded(part.rankers, self.rankers, fixed=True)))
        except DataError as error:
            raise DataError(error.message + part.hint, file=error.file, line=error.line) from None

    def _note_contradictions(self, parts: list[_Columns], rankings: Rankings, order: IntArray, log: ReadLog) -> None:
        if all(part.ranks is None for part in parts):
            return
        ranks = np.concatenate([np.full(len(p.rankers), np.nan) if p.ranks is None else p.ranks for p in parts])
        for part, line, count in _places(parts, order[contradicting(rankings, ranks[order])]):
            note_contradiction(log, part.name, line, count)

    def finish(self, log: ReadLog, noticed: ReadLog) -> None:
        """Say what reading the tables whole would have said."""
        for table in self.all:
            log.absorb(table.log)
            log.absorb_notes(noticed, table.name)


@dataclasses.dataclass(frozen=True)
class _Columns:
    """The rows of some queries in one table, the number of each row's ranker, and ranks that may contradict."""

    name: str
    rows: Columns
    rankers: IntArray
    ranks: FloatArray | None
    hint: str = ""


def _places(parts: Sequence[_Columns], rows: IntArray) -> Iterator[tuple[_Columns, int, int]]:
    """The tables that hold some of these rows of the stacked ones: the first line there, and how many."""
    rows, first = np.sort(rows), np.cumsum([0, *(len(part.rankers) for part in parts)])
    for part, low, high in zip(parts, first, np.searchsorted(rows, first[1:]), strict=False):
        mine = rows[np.searchsorted(rows, low) : high] - low
        if len(mine) and part.rows.lines is not None:
            yield part, int(part.rows.lines[mine].min()), len(mine)


def _stack(parts: Sequence[_Columns], queries: tuple[str, ...], rankers: tuple[str, ...]) -> Columns:
    """The rows of all tables as one, queries and rankers in the order given."""
    rows = [part.rows for part in parts]
    scores = None
    if any(each.scores is not None for each in rows):
        scores = np.concatenate([np.full(len(r.numbers), np.nan) if r.scores is None else r.scores for r in rows])
    return Columns(
        renumber(_stack_ids([each.queries for each in rows]), queries),
        _stack_ids([each.items for each in rows]),
        np.concatenate([each.numbers for each in rows]),
        rankers=Coded(np.concatenate([part.rankers for part in parts]), rankers, fixed=True),
        scores=scores,
    )


def renumber(column: Coded, names: Sequence[str]) -> Coded:
    """The same column, its ids those of ``names``, as they are numbered there."""
    number, column = {name: code for code, name in enumerate(names)}, column.by_appearance()
    try:
        new = np.array([number[name] for name in column.ids], dtype=np.int64)
    except KeyError:
        raise DataError("the file changed while it was read") from None
    return Coded(new[column.codes], names, fixed=True)


def _stack_ids(columns: Sequence[Any]) -> Coded:
    if len(columns) == 1 and isinstance(columns[0], Coded):
        return columns[0]
    return Coded.of_ids(stack_ids([take_ids(c.ids, c.codes) if isinstance(c, Coded) else c for c in columns]))


def tables_refusal(options: ReadOptions) -> str | None:
    """Why tables cannot be read in parts with these options; None if they can."""
    if twin("text._text") is None or twin("text._row_index") is None:
        return "there is no compiled reader"
    if options.lenient or options.duplicates != "error":
        return "dropped rows are counted in the order of the file"
    closely = options.header is not None or options.layout not in (None, "long") or options.split_by_tag
    return "the reading options ask for a closer look at every row" if closely else None
