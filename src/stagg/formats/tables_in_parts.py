"""Tables with named columns, some queries at a time: CSV and TSV by where their rows lie, Parquet by row groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import join_ids, take_ids
from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.formats.base import ReadOptions
from stagg.formats.csv_file import Csv, read_header, with_ends
from stagg.formats.delimited import Rows, is_plain, is_text
from stagg.formats.in_parts import Part, Tally
from stagg.formats.log import ReadLog
from stagg.formats.named_columns import check_order, check_values, make_columns
from stagg.formats.ordering import contradicting, note_contradiction
from stagg.formats.runs import Stretches, Unfit, count_rows
from stagg.formats.source import LONGEST_LINE, Excerpt, Source
from stagg.formats.stored import AFTER, Bytes, Storage
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["CsvTable", "Table", "Tables", "tables_refusal"]

BLOCK: Final = 1 << 22
LONGEST_RECORD: Final = 1 << 25  # bytes; quotes that do not pair would make a record of the rest of the file
LEAST_ROWS: Final = 8  # rows that stand together, on average, if queries are to be read one after the other
FEW: Final = 100_000

Values = dict[str, Any]


class Table(Protocol):
    """One table, indexed: ``queries`` and ``rankers`` by name, in order of first appearance."""

    name: str
    stem: str
    path: Any
    log: ReadLog
    queries: Sequence[str]
    rankers: Sequence[str] | None
    stretches: Stretches
    is_random: bool

    def read(self, queries: IntArray) -> tuple[Values, IntArray, dict[int, object], Excerpt]:
        """The columns of some queries, their lines, odd cells of ranks by line, and the source to blame."""


@dataclasses.dataclass(frozen=True)
class _Found:
    """The stretches of one block: query, place of the first row, its line."""

    query: IntArray
    start: IntArray
    line: IntArray


class Names:
    """Texts, numbered in the order of first appearance."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def take_in(self, texts: Sequence[str]) -> IntArray:
        """The numbers of some texts; new ones are added."""
        number = self._number
        return np.array([number.setdefault(text, len(number)) for text in texts], dtype=np.int64)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._number)


class CsvTable:
    """A table of text, indexed: one pass finds where the rows of each query lie."""

    is_random = True

    def __init__(self, source: Source, options: ReadOptions, storage: Storage) -> None:
        self.name, self.path, self.stem, self.source, self.options = (
            source.name, source.path, source.stem, source, options,
        )  # fmt: skip
        self.content, self.log = storage.keep(source), ReadLog()
        kind = Csv.for_name(source.plain_name.lower())
        with _read_again(source, self.log) as again:
            records = kind.records(with_ends(again), again, options)
            layout = None if records is None else read_header(records, again)
        if records is None or layout is None:
            raise Unfit("it is empty")
        self.layout, self._header = layout, records.last
        if not is_plain(layout, options, source.encoding):
            raise Unfit("its rows have to be looked at closely")
        check_order(layout.known, again, options)
        self._index()

    def _index(self) -> None:
        names, rankers, found, rows = Names(), Names(), list[_Found](), 0
        excerpt = Excerpt(self.source)
        wanted = [name for name in ("query", "ranker") if name in self.layout.known]
        place, line = self._after_header()
        for block, first, end in self._blocks(place):
            taken = Rows(self.layout, excerpt, self.options, wanted=wanted)
            line = taken.take(
                block, 0, end, line, unfinished=self.content.unfinished and first + end == self.content.size
            )
            found.append(self._find(taken, names, rankers, first))
            rows += len(taken)
            if rows > FEW and rows < LEAST_ROWS * sum(len(each.query) for each in found):
                raise Unfit("its rows are not grouped by query")
        self.log.absorb(excerpt.log)
        self.queries, self.rankers = names.texts, rankers.texts if "ranker" in wanted else None
        joined = [np.concatenate([getattr(f, field) for f in found] or [np.zeros(0, dtype=np.int64)])
                  for field in ("query", "start", "line")]  # fmt: skip
        self.stretches = Stretches(joined[0], np.append(joined[1], self.content.size), np.append(joined[2], line))

    def _find(self, rows: Rows, names: Names, rankers: Names, first: int) -> _Found:
        if "ranker" in self.layout.known:
            rankers.take_in(Coded.of_ids(rows.ids("ranker")).ids)
        query = Coded.of_ids(rows.ids("query"))
        number = names.take_in(query.ids)[query.codes] if len(rows) else np.zeros(0, dtype=np.int64)
        begins = np.flatnonzero(np.diff(number, prepend=-1))
        return _Found(number[begins], rows.starts[begins] + first, rows.lines[begins])

    def _after_header(self) -> tuple[int, int]:
        """The place and the line of the first row."""
        place = 0
        for _ in range(self._header):
            head = bytes(self.content.read(place, min(self.content.size, place + LONGEST_LINE + 1)))
            place += head.index(b"\n") + 1
        return place, self._header + 1

    def _blocks(self, place: int) -> Iterator[tuple[Bytes, int, int]]:
        """(bytes, where they begin, how many) of whole records, some at a time."""
        size, width = self.content.size, BLOCK
        while place < size:
            high = min(size, place + width)
            block = self.content.read(place, high)
            held = bytearray(block[:-AFTER])
            end = held.rfind(b"\n") + 1
            if held.count(b'"', 0, end) % 2 or not end:  # a record goes on: in a row, quotes come in pairs
                if width > LONGEST_RECORD or high == size:
                    raise Unfit("its quotes have to be looked at closely")
                width *= 2
                continue
            if not is_text(held, end):
                raise Unfit("it is no plain UTF-8 text")
            block[end : end + AFTER] = 0
            yield block, place, end
            place, width = place + end, BLOCK

    def read(self, queries: IntArray) -> tuple[Values, IntArray, dict[int, object], Excerpt]:
        """The columns of some queries, as :class:`Table` says."""
        excerpt = Excerpt(self.source)
        rows = Rows(self.layout, excerpt, self.options)
        for low, high, line in self.stretches.spans(self.stretches.find(queries)):
            unfinished = self.content.unfinished and high == self.content.size
            rows.take(self.content.read(low, high), 0, high - low, line, unfinished=unfinished)
        return rows.columns(), rows.lines, rows.odd_ranks, excerpt


def _read_again(source: Source, log: ReadLog) -> Source:
    """The source from its beginning, with a log of its own."""
    if source.can_be_reopened:
        return Source(source.path, log, encoding=source.encoding)
    source.rewind()
    return Excerpt(source, source.chunks(), log)


class Tables:
    """Several tables by query: see :class:`stagg.formats.in_parts.InParts`.

    Tables that name their rankers are parts of one whole, and a query belongs to one of them; the others are one
    ranker each.
    """

    ids_are_words = False

    def __init__(self, tables: Sequence[Table], options: ReadOptions) -> None:
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
                raise Unfit("a query stands in several of the tables")
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

    def notes_before(self) -> list[str]:
        return []

    def read(self, queries: Sequence[int] | IntArray, *, depth: int | None = None) -> Part:
        """The lists of some queries, by number."""
        chosen, log, parts = np.asarray(queries, dtype=np.int64), ReadLog(), list[_Columns]()
        for number, table in enumerate(self.full):
            columns, lines, odd_ranks, excerpt = table.read(chosen)
            if len(lines):
                values, lines = check_values(columns, lines, odd_ranks, excerpt, self.options)
                rows = make_columns(values, lines, excerpt, self.options)
                rankers = self._find_rankers(number, values.get("ranker"), len(lines))
                parts.append(_Columns(table.name, rows, rankers, self._find_ranks(values)))
            log.absorb(excerpt.log)
        rankings = self._assemble(parts, log)
        return Part(rankings, Tally.of(rankings), log)

    def _find_rankers(self, number: int, column: Any, rows: int) -> IntArray:
        """The number of each row's ranker."""
        if column is None:
            return np.broadcast_to(self._rankers[number], rows)
        coded = column if isinstance(column, Coded) else Coded.of_ids(column)
        known = {
            name: int(code) for name, code in zip(self.full[number].rankers or (), self._rankers[number], strict=True)
        }
        numbers: IntArray = np.array([known[name] for name in coded.ids], dtype=np.int64)[coded.codes]
        return numbers

    def _find_ranks(self, values: Values) -> FloatArray | None:
        """The ranks beside scores that decide the order, which may contradict them."""
        return values["rank"] if "rank" in values and "score" in values and not self.by_rank else None

    def _assemble(self, parts: list[_Columns], log: ReadLog) -> Rankings:
        rows = _stack(parts, self.rankers)
        try:
            rankings, order = from_columns(rows)
        except DataError:
            for part in parts:
                from_columns(dataclasses.replace(part.rows, rankers=Coded(part.rankers, self.rankers, fixed=True)))
            raise
        log.used(len(order))
        self._note_contradictions(parts, rankings, order, log)
        return rankings

    def _note_contradictions(self, parts: list[_Columns], rankings: Rankings, order: IntArray, log: ReadLog) -> None:
        if all(part.ranks is None for part in parts):
            return
        ranks = np.concatenate([np.full(len(p.rankers), np.nan) if p.ranks is None else p.ranks for p in parts])
        falls = np.sort(order[contradicting(rankings, ranks[order])])
        first = np.cumsum([0, *(len(part.rankers) for part in parts)])
        for part, low, high in zip(parts, first, np.searchsorted(falls, first[1:]), strict=False):
            mine = falls[np.searchsorted(falls, low) : high] - low
            if len(mine) and part.rows.lines is not None:
                note_contradiction(log, part.name, int(part.rows.lines[mine].min()), len(mine))

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


def _stack(parts: Sequence[_Columns], rankers: tuple[str, ...]) -> Columns:
    """The rows of all tables as one."""
    rows = [part.rows for part in parts]
    scores = None
    if any(each.scores is not None for each in rows):
        scores = np.concatenate([np.full(len(r.numbers), np.nan) if r.scores is None else r.scores for r in rows])
    return Columns(
        _stack_ids([each.queries for each in rows]),
        _stack_ids([each.items for each in rows]),
        np.concatenate([each.numbers for each in rows]),
        rankers=Coded(np.concatenate([part.rankers for part in parts]), rankers, fixed=True),
        scores=scores,
    )


def _stack_ids(columns: Sequence[Any]) -> Coded:
    if len(columns) == 1 and isinstance(columns[0], Coded):
        return columns[0]
    return Coded.of_ids(join_ids([take_ids(c.ids, c.codes) if isinstance(c, Coded) else c for c in columns]))


def tables_refusal(options: ReadOptions) -> str | None:
    """Why tables cannot be read in parts with these options; None if they can."""
    if twin("_text") is None:
        return "there is no compiled reader"
    return "what is wrong is dropped and counted row by row" if options.lenient else None
