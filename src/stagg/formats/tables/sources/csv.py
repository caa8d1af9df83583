"""CSV and TSV: tables of text with commas, semicolons, tabs, bars or blanks, in the long layout or any other."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.formats.format import Format, Loaded, WriteInstead
from stagg.formats.numbers import number_text
from stagg.formats.options import OF_TEXT, ROLES, ReadOptions, check_delimiter
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import list_ids
from stagg.formats.runs.row_text import ROWS, find_nul, join_rows, quote
from stagg.formats.storage.source import AFTER
from stagg.formats.tables.cells import CellTable, is_number_cell, note_thousands
from stagg.formats.tables.named_columns import (
    NO_CELLS,
    check_header,
    check_values_option,
    columns_of,
    load_values,
    loaded,
    table_refusal,
)
from stagg.formats.tables.roles import check_ignored, is_long, name_roles
from stagg.formats.tables.sources.csv_rows import CsvRows, ListedIds, LongTable, Records, is_plain, is_skipped
from stagg.formats.tables.sources.dialects import (
    ODD_MARKS,
    find_delimiter,
    has_row_names,
    named_delimiter,
    sample_lines,
    unframe,
)
from stagg.formats.tables.vocabulary import ALIASES
from stagg.kernels.text.text import is_text
from stagg.say import Say, tell

__all__ = ["Csv", "find_long_table", "with_ends"]

HEADER: Final = pattern(rf'[ \t]*"?(?:{"|".join((*ROLES, *ALIASES))})"?[ \t]*[,;\t]'.encode(), re.IGNORECASE)
HEAD: Final = 1 << 16  # bytes that can be looked at before they are read
OF_ENDINGS: Final = {".tsv": "\t", ".psv": "|", ".rnk": "\t"}
"""Endings of names that tell the separator."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of cells that spreadsheets calculate; some of them skip the blanks before these."""


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Csv(Format):
    """Table of text: query, item, rank and/or score, and if there are several, ranker; or any other layout.

    Cells are separated by commas, semicolons, tabs, bars or blanks. ``delimiter`` not given is a comma when writing,
    and whichever of them the first lines show when reading. ``excel_safe`` writes an apostrophe before ids that a
    spreadsheet would take for a formula.
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
        return cls(delimiter=next((mark for ending, mark in OF_ENDINGS.items() if name.endswith(ending)), None))

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return HEADER.match(first_bytes.lstrip(b" \r\n")) is not None

    def read(self, reading: Reading) -> Loaded:
        reading.source.keep()
        sample = reading.source.head()
        reading.source.keep()
        if reading.attempt is None:
            reading.attempt, reading.tries = (lambda trial: self.try_head(sample, trial)), OF_TEXT
        if reading.plain_name.lower().endswith(".rnk"):
            reading = _as_ranked_genes(reading, sample)
        return self._read_lines(with_ends(reading), sample, reading)

    def try_head(self, head: bytes, trial: Reading) -> Rankings:
        """The first lines of a table as the options of a trial read them."""
        text = head if len(head) < HEAD else head[: head.rfind(b"\n") + 1]
        lines = io.StringIO(text.decode(errors="replace"), newline="\n")
        return self._read_lines(enumerate(lines, start=1), head, trial).rankings

    def _read_lines(self, lines: Iterator[tuple[int, str]], sample: bytes, reading: Reading) -> Loaded:
        records = self.records(lines, sample, reading)
        first = None if records is None else next(records, None)
        if records is None or first is None:
            return loaded(NO_CELLS, reading)
        table = find_long_table(first, records, reading)
        if table is None:
            return _read_cells(first, records, reading)
        if table.delimiter == ";":  # where thousands are 1.250, as a rule
            note_thousands([cell.strip() for line in sample_lines(sample) for cell in line.split(";")], reading)
        rows = CsvRows(table, reading)
        has_header = reading.options.header is not False
        if not (has_header and _take_quickly(rows, records)):
            rows.take_records(records, None if has_header else first)
        values, numbers = check_values_option(rows.values(), rows.lines, rows.odd_ranks, reading)
        return load_values(values, numbers, reading, delimiter=table.delimiter)

    def cells(self, reading: Reading) -> CellTable:
        """All cells of a table, whatever they mean."""
        records = self.records(with_ends(reading), reading.source.head(), reading)
        if records is None:
            return CellTable.of([])
        return CellTable.of([(records.first, fields) for fields in records], records.delimiter)

    def records(self, lines: Iterator[tuple[int, str]], head: bytes, reading: Reading) -> Records | None:
        """The records of a table; its first lines show the delimiter if it is not given. None if there is none."""
        lines = (pair for pair in lines)
        opening = _skip(lines, reading.options)
        named = None if opening is None or opening[0] != 1 else named_delimiter(opening[1])
        if named is not None:
            opening = _skip(lines, reading.options)
        if opening is None:
            return None
        sample = [line for line in sample_lines(head) if not is_skipped(line, reading.options)][named is not None :]
        delimiter = reading.options.delimiter or named
        delimiter = delimiter or _choose_delimiter(opening[1], self.delimiter, sample, reading)
        if delimiter in ("|", " ", "  "):
            delimiter, lines = _cut_printed(itertools.chain([opening], lines), delimiter, sample)
        else:
            lines = itertools.chain([opening], lines)
        row_names = reading.options.header is not False and has_row_names(sample, delimiter)
        if row_names:
            reading.note("every row has a cell more than the header; the first column was read as one without a name")
        return Records(lines, delimiter, reading, row_names=row_names)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        for kind, names in list_ids(rankings):
            name = find_nul(names)
            if name is not None:
                return tell(f"the {kind} id {shown(name)}, for its NUL; ", WriteInstead("json"))
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


NEITHER_SEPARATES: Final = "neither of them makes a table of rankings of it; is this the right file?"


def with_ends(reading: Reading) -> Iterator[tuple[int, str]]:
    """(number, line with its end) of all lines."""
    for first, text in reading.source.chunks():
        lines = text.split("\n")
        for number, line in enumerate(lines[:-1], start=first):
            yield number, line + "\n"
        if lines[-1]:
            yield first + len(lines) - 1, lines[-1]


def _as_ranked_genes(reading: Reading, head: bytes) -> Reading:
    """A .rnk file, as GSEA takes it: a gene and its score in each line, most often without a header."""
    options = reading.options
    if options.columns or options.layout or options.header is not None:
        return reading
    lines = [line for line in sample_lines(head) if not line.startswith("#")]
    header = bool(lines) and not is_number_cell(lines[0].rpartition("\t")[2].strip())
    reading.note("a .rnk file holds a gene and its score in each line, large = top")
    return reading.with_options(header=header, columns={"item": "1", "score": "2"}, comments=True)


def _skip(lines: Iterator[tuple[int, str]], options: ReadOptions) -> tuple[int, str] | None:
    """The first line that is neither a comment nor blank."""
    return next((pair for pair in lines if not is_skipped(pair[1], options)), None)


def _choose_delimiter(opening: str, preferred: str | None, sample: list[str], reading: Reading) -> str:
    """Delimiter by the file's name if the first line has it, else by the first lines."""
    if reading.options.layout == "list":
        return "\n"  # a line is an id, whatever it holds
    if preferred is not None and (preferred in opening or not any(each in opening for each in ",;\t")):
        return preferred
    found = find_delimiter(sample or [opening])
    if found is None:
        which = [(Say(delimiter=mark), "") for mark in ",;\t" if mark in opening]
        raise reading.ask(
            "the cells of this table could be separated in two ways", *which, line=1, otherwise=NEITHER_SEPARATES
        )
    if found in ("|", " ", "  ", *ODD_MARKS):
        by = {"|": "bars (|)", " ": "blanks", "  ": "blanks"}.get(found, shown(found))
        reading.note(f"the cells of this table are separated by {by}")
    return found


def _cut_printed(
    lines: Iterator[tuple[int, str]], delimiter: str, sample: list[str]
) -> tuple[str, Iterator[tuple[int, str]]]:
    """The separator of a table between bars or blanks, and its lines without what is drawn around the cells.

    Where single blanks give the rows different numbers of cells, two or more separate them.
    """
    if delimiter == " " and len({len(line.split()) for line in unframe(sample, " ", sample)}) > 1:
        delimiter = "  " if find_delimiter(sample) == "  " else " "
    return delimiter, ((number, kept) for number, line in lines for kept in unframe([line], delimiter, sample))


def find_long_table(first: list[str], records: Records, reading: Reading) -> LongTable | None:
    """The table that the first record opens, if it has one row per listed item; None if it is another."""
    unnamed = reading.options.header is False
    names = name_roles([""] * len(first) if unnamed else first, reading, records.first)
    if reading.options.layout not in (None, "long") or (reading.options.layout is None and not is_long(names)):
        return None
    check_ignored(names, reading, records.first)
    known = check_header(names, reading, records.first, own=None if unnamed else first, body=records)
    return LongTable(tuple(names), tuple(known), records.delimiter)


def _read_cells(first: list[str], records: Records, reading: Reading) -> Loaded:
    """A table in another layout than long."""
    delimiter = None if records.delimiter == "\n" else records.delimiter
    opening, listed = [(records.first, first)], ListedIds(records.delimiter, reading)
    if len(first) == 1 and _take_quickly(listed, records):
        rest = listed.records
    else:
        rest = [(records.first, fields) for fields in records]
    from stagg.formats.tables.stages import read_table  # here: long tables start without the layouts

    return read_table(CellTable.of([*opening, *rest], delimiter), reading)


def _take_quickly(rows: CsvRows, records: Records) -> bool:
    """Take the rows after the last record by the compiled twin; False, and nothing done, where it cannot read them."""
    source = rows.reading.source
    held = source.hold() if is_plain(rows.table, source.encoding) else None
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
