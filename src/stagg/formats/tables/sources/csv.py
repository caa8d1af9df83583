"""CSV and TSV: tables of text with commas, semicolons or tabs, in the long layout or any other."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.formats.format import Format, Loaded
from stagg.formats.numbers import number_text
from stagg.formats.options import ROLES, ReadOptions, check_delimiter
from stagg.formats.patterns import pattern
from stagg.formats.row_checks import list_ids
from stagg.formats.runs.row_text import ROWS, find_nul, join_rows, quote
from stagg.formats.storage.source import AFTER, Source
from stagg.formats.tables.cell_tables import read_cell_table
from stagg.formats.tables.cells import CellTable, find_delimiter, named_delimiter, note_thousands, sample_lines
from stagg.formats.tables.named_columns import (
    NO_CELLS,
    check_header,
    check_values_option,
    columns_of,
    load_values,
    loaded,
    table_refusal,
)
from stagg.formats.tables.roles import ALIASES, check_ignored, is_long, name_roles
from stagg.formats.tables.sources.csv_rows import CsvRows, ListedIds, LongTable, Records, is_plain, is_skipped
from stagg.kernels.text.text import is_text

__all__ = ["Csv", "find_long_table", "with_ends"]

HEADER: Final = pattern(rf'[ \t]*"?(?:{"|".join((*ROLES, *ALIASES))})"?[ \t]*[,;\t]'.encode(), re.IGNORECASE)
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of cells that spreadsheets calculate; some of them skip the blanks before these."""


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Csv(Format):
    """Table of text: query, item, rank and/or score, and if there are several, ranker; or any other layout.

    Cells are separated by commas, semicolons or tabs. ``delimiter`` not given is a comma when writing, and whichever
    of them the first lines show when reading. ``excel_safe`` writes an apostrophe before ids that a spreadsheet would
    take for a formula.
    """

    name = "csv"
    holds_intervals = True
    writes_parts = True

    delimiter: str | None = None
    excel_safe: bool = False

    def __post_init__(self) -> None:
        check_delimiter(self.delimiter)
        if not isinstance(self.excel_safe, bool):
            raise InvalidParameter(f"csv: excel_safe is True or False, not {shown(self.excel_safe)}")

    @classmethod
    def for_name(cls, name: str) -> Csv:
        return cls(delimiter="\t" if name.endswith(".tsv") else None)

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return HEADER.match(first_bytes.lstrip(b" \r\n")) is not None

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        source.keep()
        sample = source.head()
        source.keep()
        records = self.records(with_ends(source), sample, source, options)
        first = None if records is None else next(records, None)
        if records is None or first is None:
            return loaded(NO_CELLS, source, options)
        table = find_long_table(first, records, source, options)
        if table is None:
            return _read_cells(first, records, source, options)
        if table.delimiter == ";":  # where thousands are 1.250, as a rule
            note_thousands([cell.strip() for line in sample_lines(sample) for cell in line.split(";")], source)
        rows = CsvRows(table, source, options)
        has_header = options.header is not False
        if not (has_header and _take_quickly(rows, records)):
            rows.take_records(records, None if has_header else first)
        values, lines = check_values_option(rows.values(), rows.lines, rows.odd_ranks, source, options)
        return load_values(values, lines, source, options, delimiter=table.delimiter)

    def records(
        self, lines: Iterator[tuple[int, str]], head: bytes, source: Source, options: ReadOptions
    ) -> Records | None:
        """The records of a table; its first lines show the delimiter if it is not given. None if there is none."""
        lines = (pair for pair in lines)
        opening = _skip(lines, options)
        named = None if opening is None or opening[0] != 1 else named_delimiter(opening[1])
        if named is not None:
            opening = _skip(lines, options)
        if opening is None:
            return None
        delimiter = options.delimiter or named
        delimiter = delimiter or _choose_delimiter(opening[1], self.delimiter, sample_lines(head), source, options)
        return Records(itertools.chain([opening], lines), delimiter, source, options)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        for kind, names in list_ids(rankings):
            name = find_nul(names)
            if name is not None:
                return f"the {kind} id {shown(name)}, for its NUL; write .json"
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        columns = self._columns(rankings)
        stream.write(self._header(columns))
        for block in self._blocks(columns):
            stream.write(block)

    def render(self, rankings: Rankings) -> tuple[bytes, bytes]:
        """The header and the rows."""
        columns = self._columns(rankings)
        return self._header(columns), b"".join(self._blocks(columns))

    def write_parts(self, parts: Iterable[tuple[bytes, bytes]], stream: IO[bytes], *, threads: int = 1) -> None:
        for number, (header, rows) in enumerate(parts):
            if not number:
                stream.write(header)
            stream.write(rows)

    def _columns(self, rankings: Rankings) -> dict[str, Any]:
        columns = columns_of(rankings)
        return {name: _guard(column) for name, column in columns.items()} if self.excel_safe else columns

    def _header(self, columns: Mapping[str, Any]) -> bytes:
        return ((self.delimiter or ",").join(columns) + "\n").encode()

    def _blocks(self, columns: dict[str, Any]) -> Iterable[bytes]:
        delimiter = self.delimiter or ","
        return join_rows(columns, delimiter) or _join_in_python(columns, delimiter)


def _guard(column: Any) -> Any:
    """A column of ids with an apostrophe before those that a spreadsheet would take for a formula."""
    if not isinstance(column, Coded):
        return column
    return Coded(column.codes, tuple(f"'{text}" if text.startswith(FORMULA) else text for text in column.ids))


def _join_in_python(columns: dict[str, Any], delimiter: str) -> Iterator[bytes]:
    rows = map(delimiter.join, zip(*map(_texts, columns.values()), strict=True))
    while block := list(itertools.islice(rows, ROWS)):
        yield "\n".join([*block, ""]).encode()


def _texts(column: Any) -> Iterator[str]:
    """The cells of a column: ids quoted, each distinct one once; numbers as the shortest text, nothing for NaN."""
    if isinstance(column, Coded):
        return map([quote(text) for text in column.ids].__getitem__, column.codes.tolist())
    if column.dtype.kind == "f":
        return ("" if number != number else number_text(number) for number in column.tolist())
    return map(str, column.tolist())


# --- reading ----------------------------------------------------------------------------------------------------------


def with_ends(source: Source) -> Iterator[tuple[int, str]]:
    """(number, line with its end) of all lines."""
    for first, text in source.chunks():
        lines = text.split("\n")
        for number, line in enumerate(lines[:-1], start=first):
            yield number, line + "\n"
        if lines[-1]:
            yield first + len(lines) - 1, lines[-1]


def _skip(lines: Iterator[tuple[int, str]], options: ReadOptions) -> tuple[int, str] | None:
    """The first line that is neither a comment nor blank."""
    return next((pair for pair in lines if not is_skipped(pair[1], options)), None)


def _choose_delimiter(
    opening: str, preferred: str | None, sample: list[str], source: Source, options: ReadOptions
) -> str:
    """Delimiter by the file's name if the first line has it, else by the first lines."""
    if options.layout == "list":
        return "\n"  # a line is an id, whatever it holds
    if preferred is not None and (preferred in opening or not any(each in opening for each in ",;\t")):
        return preferred
    records = [line for line in sample if not (options.comments and line.lstrip().startswith("#"))]
    found = find_delimiter(records or [opening])
    if found is None:
        message = "the cells of this table could be separated in two ways; say delimiter=',', delimiter=';' or another"
        raise source.error(message, 1)
    return found


def find_long_table(first: list[str], records: Records, source: Source, options: ReadOptions) -> LongTable | None:
    """The table that the first record opens, if it has one row per listed item; None if it is another."""
    unnamed = options.header is False
    names = name_roles([""] * len(first) if unnamed else first, source, options, records.first)
    if options.layout not in (None, "long") or (options.layout is None and not is_long(names)):
        return None
    check_ignored(names, source, options, records.first)
    known = check_header(names, source, records.first, own=None if unnamed else first, body=records)
    return LongTable(tuple(names), tuple(known), records.delimiter)


def _read_cells(first: list[str], records: Records, source: Source, options: ReadOptions) -> Loaded:
    """A table in another layout than long."""
    delimiter = None if records.delimiter == "\n" else records.delimiter
    opening, listed = [(records.first, first)], ListedIds(records.delimiter, source, options)
    if len(first) == 1 and _take_quickly(listed, records):
        rest = listed.records
    else:
        rest = [(records.first, fields) for fields in records]
    return read_cell_table(CellTable.of([*opening, *rest], delimiter), source, options)


def _take_quickly(rows: CsvRows, records: Records) -> bool:
    """Take the rows after the last record by the compiled twin; False, and nothing done, where it cannot read them."""
    held = rows.source.hold() if is_plain(rows.table, rows.source.encoding) else None
    if held is None:
        return False
    content, end = np.frombuffer(held, dtype=np.uint8), len(held) - len(AFTER)
    if not is_text(content, end):
        return False
    start = 0
    for _ in range(records.last):
        start = held.index(b"\n", start) + 1
    unfinished = held[end - 1 : end] != b"\n"
    rows.take(content, start, end + unfinished, records.last + 1, unfinished=unfinished)
    return True
