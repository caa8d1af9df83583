"""Read CSV and TSV tables in parts: one pass finds where the rows of each query lie."""

from __future__ import annotations

from typing import Any, Final, cast

from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.parts.random_access import AFTER, Storage
from stagg.formats.parts.stretches import Stretches, Unfit, check_grouped
from stagg.formats.parts.tables_in_parts import TableRows
from stagg.formats.storage.source import LONGEST_LINE, Excerpt, Source
from stagg.formats.tables.cells import COMMA_DECIMALS
from stagg.formats.tables.named_columns import check_order
from stagg.formats.tables.sources.csv import Csv, find_long_table, with_ends
from stagg.formats.tables.sources.csv_rows import CsvRows, LongTable, is_plain
from stagg.kernels.arrays import ByteArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.text.row_index import is_text

__all__ = ["CsvTable"]

BLOCK: Final = 1 << 22
HEAD: Final = 1 << 16  # bytes that show what separates the cells


class _IndexedRows(CsvRows):
    """The rows of a block that begins at byte ``first``, of which an index is kept and nothing else."""

    def __init__(
        self, table: LongTable, source: Source, options: ReadOptions, wanted: list[str], segments: Any, first: int
    ) -> None:
        super().__init__(table, source, options, wanted=wanted)
        self._segments, self._first = segments, first

    def _take_plain(self, content: ByteArray, start: int, end: int, line: int) -> tuple[int, int, int]:
        before = self._segments.rows
        stop, line = self._segments.feed(content, start, end, line, self._first)
        return stop, line, self._segments.rows - before

    def _add_odd(self, columns: dict[str, list[Any]], lines: IntArray, starts: IntArray) -> None:
        queries, rankers = ([text.encode() for text in columns.get(name, ())] for name in ("query", "ranker"))
        self._segments.add(queries, rankers, starts + self._first, lines)


class CsvTable:
    """A table of text, indexed: one pass finds where the rows of each query lie."""

    is_random = True

    def __init__(self, source: Source, options: ReadOptions, storage: Storage) -> None:
        self.name, self.path, self.stem, self.source, self.options = (
            source.name, source.path, source.stem, source, options,
        )  # fmt: skip
        self.content, self.log = storage.keep(source), ReadLog()
        self._open_table()
        self._index()

    def _open_table(self) -> None:
        """Read the header."""
        source, options = self.source, self.options
        head = bytes(self.content.read(0, min(self.content.size, HEAD)))[:-AFTER]
        with _read_again(source, self.log, options) as again:
            records = Csv.for_name(source.plain_name.lower()).records(with_ends(again), head, again, options)
            first = None if records is None else next(records, None)
            table = None if records is None or first is None else find_long_table(first, records, again, options)
            source.on_duplicates = again.on_duplicates
        if records is None or table is None or not is_plain(table, source.encoding):
            raise Unfit("it is not a plain table with one row per listed item")
        if "query" not in table.known:
            raise Unfit("it is one query")
        check_order(table.known, source, options)
        self.table, self._header = table, records.last

    def _index(self) -> None:
        excerpt, segments = Excerpt(self.source, log=self.log), self._segments()
        place, line = self._after_header()
        for block, first, end in self.content.blocks(place, BLOCK, quoted=True):
            if not is_text(block, end):
                raise Unfit("it is no plain UTF-8 text")
            rows = _IndexedRows(self.table, excerpt, self.options, self._wanted, segments, first)
            line = rows.take(block, 0, end, line, unfinished=self._is_unfinished(first + end))
            if rows.has_decimal_commas:
                raise Unfit("it has decimal commas, which are checked over all rows")
            check_grouped(segments.rows, segments.count)
        self.queries = segments.names.decode()
        self.rankers = segments.others.decode() if "ranker" in self.table.known else None
        self.stretches = Stretches(*segments.arrays(self.content.size, line))

    @property
    def _wanted(self) -> list[str]:
        """The columns that the index looks at: in numbers there may be decimal commas."""
        numbers = ("rank", "score") if self.table.delimiter in COMMA_DECIMALS else ()
        return [name for name in ("query", "ranker", *numbers) if name in self.table.known]

    def _segments(self) -> Any:
        """The compiled index, told how the rows of this table look."""
        table, kernel = self.table, cast(Any, twin("text._row_index"))
        kinds = cast(ByteArray, table.kinds(self._wanted)).tobytes()
        ranker = table.names.index("ranker") if "ranker" in table.known else -1
        return kernel.Segments(ord(table.delimiter), kinds, table.names.index("query"), ranker, self.options.comments)

    def _is_unfinished(self, end: int) -> bool:
        return self.content.unfinished and end == self.content.size

    def _after_header(self) -> tuple[int, int]:
        """The place and the line of the first row."""
        place = 0
        for _ in range(self._header):
            head = bytes(self.content.read(place, min(self.content.size, place + LONGEST_LINE + 1)))
            place += head.index(b"\n") + 1
        return place, self._header + 1

    def release(self) -> None:
        """Nothing is held."""

    def read(self, queries: IntArray) -> TableRows:
        """The rows of some queries, by number."""
        excerpt = Excerpt(self.source)
        rows = CsvRows(self.table, excerpt, self.options)
        for low, high, line in self.stretches.spans(self.stretches.find(queries)):
            rows.take(self.content.read(low, high), 0, high - low, line, unfinished=self._is_unfinished(high))
        return TableRows(rows.columns(), rows.lines, rows.odd_ranks, excerpt)


def _read_again(source: Source, log: ReadLog, options: ReadOptions) -> Source:
    """The source from its beginning, with a log of its own."""
    if source.can_be_reopened:
        return Source(source.path, log, encoding=source.encoding, max_size=options.max_size)
    source.rewind()
    return Excerpt(source, source.chunks(), log)
