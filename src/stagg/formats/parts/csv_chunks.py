"""CSV and TSV tables in chunks: the header is found in the first bytes, then blocks of whole records are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from stagg.errors import DataError
from stagg.formats.log import ReadLog
from stagg.formats.parts.chunks import ChunkRows, NeedsWhole, Whole
from stagg.formats.parts.table_rows import check_table_rows, refusal
from stagg.formats.parts.text_blocks import TextBlock, TextInChunks, note_mark
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import COMMA_DECIMALS, note_thousands
from stagg.formats.tables.named_columns import check_order
from stagg.formats.tables.sources.csv import Csv, find_long_table, with_ends
from stagg.formats.tables.sources.csv_rows import CsvRows, LongTable, Records, is_plain
from stagg.formats.tables.sources.dialects import sample_lines
from stagg.kernels.text import text as kernel

__all__ = ["CsvInChunks", "open_in_chunks", "refusal"]

COMMAS: Final = "it has decimal commas, which are checked over all rows"
HEAD: Final = 1 << 16  # bytes of a source that can be looked at before it is read


def open_in_chunks(reading: Reading) -> CsvInChunks | Whole:
    """The table, if one row per listed item shows in its first bytes."""
    log, head = ReadLog(), reading.source.head()
    if len(reading.source.peek()) >= HEAD:
        head = head[: head.rfind(b"\n") + 1]
    text = None if b"\0" in head else _decode(head)
    if not text:
        return Whole("its first line is very long, or no plain UTF-8 text")
    excerpt = reading.excerpt([(1, text)], log)
    note_mark(reading.source, log)
    records = Csv.for_name(reading.plain_name.lower()).records(with_ends(excerpt), head, excerpt)
    first = None if records is None else next(records, None)
    table = None if records is None or first is None else find_long_table(first, records, excerpt)
    if records is None or first is None or table is None or not is_plain(table, reading.source.encoding):
        return Whole("it is not a plain table with one row per listed item")
    if "query" not in table.known:
        return Whole("it is one query")
    check_order(table.known, excerpt)
    if table.delimiter == ";":  # where thousands are 1.250, as a rule
        note_thousands([cell.strip() for line in sample_lines(head) for cell in line.split(";")], excerpt)
    reading.on_duplicates, reading.rank_name = excerpt.on_duplicates, excerpt.rank_name
    return CsvInChunks(reading, table, records, log)


def _decode(head: bytes) -> str | None:
    try:
        return head.decode()
    except UnicodeDecodeError:
        return None


class CsvInChunks(TextInChunks):
    """A table of text: see :class:`stagg.formats.parts.chunks.ChunkedFile`."""

    def __init__(self, reading: Reading, table: LongTable, records: Records, log: ReadLog) -> None:
        super().__init__(reading, log)
        self.delimiter = table.delimiter.encode()
        self._table, self._header, self.names_rankers = table, records.last, "ranker" in table.known
        if table.delimiter in COMMA_DECIMALS and not reading.source.can_be_reopened:
            reading.source.stored()  # decimal commas may ask for another look

    def read(self, piece: TextBlock, log: ReadLog) -> Iterator[ChunkRows]:
        content, start, end, line = piece.content, piece.start, piece.end, piece.line
        excerpt = self.reading.excerpt(log=log)
        if not kernel.is_text(content, end):
            self.source.refuse_block(content[start : end - piece.is_unfinished].tobytes(), line, first=piece.is_first)
        for _ in range(self._header if piece.is_first else 0):
            start += content[start : min(end, start + HEAD)].tobytes().index(b"\n") + 1
            line += 1
        rows = CsvRows(self._table, excerpt)
        try:
            rows.take(content, start, end, line, unfinished=piece.is_unfinished)
        except DataError:
            if rows.has_decimal_commas:  # the first of all rows decides
                raise NeedsWhole(COMMAS) from None
            if self.source.can_be_reopened and (content[start:end] == ord('"')).any():  # a block may end within quotes
                raise NeedsWhole("its quotes must be checked row by row") from None
            raise
        if rows.has_decimal_commas:
            raise NeedsWhole(COMMAS)
        if not len(rows):
            if end - start >= 1 << 20:  # blank lines without end
                self.source.refuse_block(content[start:end].tobytes(), line, first=False)
            return
        values: dict[str, Any] = rows.columns()
        yield check_table_rows(values, rows.lines, rows.odd_ranks, excerpt)
