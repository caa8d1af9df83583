"""A table of text, some queries at a time: one pass finds where the rows of each query lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stagg.formats.base import ReadOptions
from stagg.formats.cells import COMMA_DECIMALS
from stagg.formats.csv_file import Csv, find_long_table, with_ends
from stagg.formats.delimited import Rows, is_plain, is_text
from stagg.formats.log import ReadLog
from stagg.formats.named_columns import check_order
from stagg.formats.source import LONGEST_LINE, Excerpt, Source
from stagg.formats.stored import AFTER, Bytes, Storage
from stagg.formats.stretches import Index, Unfit
from stagg.formats.tables_in_parts import TableRows
from stagg.kernels.arrays import IntArray

__all__ = ["CsvTable"]

BLOCK: Final = 1 << 22
HEAD: Final = 1 << 16  # bytes that show what separates the cells
LONGEST_RECORD: Final = 1 << 25  # bytes; quotes that do not pair would make a record of the rest of the file


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
        """What the header says."""
        source, options = self.source, self.options
        head = bytes(self.content.read(0, min(self.content.size, HEAD)))[:-AFTER]
        with _read_again(source, self.log) as again:
            records = Csv.for_name(source.plain_name.lower()).records(with_ends(again), head, again, options)
            first = None if records is None else next(records, None)
            table = None if records is None or first is None else find_long_table(first, records, again, options)
        if records is None or table is None or not is_plain(table, source.encoding):
            raise Unfit("it is not a plain table with one row per listed item")
        if "query" not in table.known:
            raise Unfit("it is one query")
        check_order(table.known, source, options)
        self.table, self._header = table, records.last

    def _index(self) -> None:
        index, excerpt = Index(), Excerpt(self.source, log=self.log)
        numbers = ("rank", "score") if self.table.delimiter in COMMA_DECIMALS else ()
        wanted = [name for name in ("query", "ranker", *numbers) if name in self.table.known]
        place, line = self._after_header()
        for block, first, end in self._blocks(place):
            rows = Rows(self.table, excerpt, self.options, wanted=wanted)
            line = rows.take(block, 0, end, line, unfinished=self._is_unfinished(first + end))
            if rows.has_decimal_commas:
                raise Unfit("it has decimal commas, which are checked over all rows")
            columns = rows.values()
            index.add(columns["query"], columns.get("ranker"), rows.starts + first, rows.lines)
        self.queries, self.rankers = index.queries, index.rankers
        self.stretches = index.stretches(self.content.size, line)

    def _is_unfinished(self, end: int) -> bool:
        return self.content.unfinished and end == self.content.size

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
                    raise Unfit("its quotes must be checked row by row")
                width *= 2
                continue
            if not is_text(held, end):
                raise Unfit("it is no plain UTF-8 text")
            block[end : end + AFTER] = 0
            yield block, place, end
            place, width = place + end, BLOCK

    def release(self) -> None:
        """Nothing is held."""

    def read(self, queries: IntArray) -> TableRows:
        """The rows of some queries, by number."""
        excerpt = Excerpt(self.source)
        rows = Rows(self.table, excerpt, self.options)
        for low, high, line in self.stretches.spans(self.stretches.find(queries)):
            rows.take(self.content.read(low, high), 0, high - low, line, unfinished=self._is_unfinished(high))
        return TableRows(rows.columns(), rows.lines, rows.odd_ranks, excerpt)


def _read_again(source: Source, log: ReadLog) -> Source:
    """The source from its beginning, with a log of its own."""
    if source.can_be_reopened:
        return Source(source.path, log, encoding=source.encoding)
    source.rewind()
    return Excerpt(source, source.chunks(), log)
