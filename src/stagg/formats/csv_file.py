"""Tables of text: comma-, semicolon- and tab-separated, in the long layout here, in any other by their layout."""

from __future__ import annotations

import dataclasses
import itertools
import re
from array import array
from collections.abc import Iterator
from typing import IO, Any, Final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.base import Format, Loaded, ReadOptions, hints, list_ids, number_text
from stagg.formats.cell_tables import read_cell_table
from stagg.formats.cells import (
    COMMA_DECIMALS,
    BrokenRecord,
    CellTable,
    DecimalCommas,
    find_delimiter,
    named_delimiter,
    read_record,
    sample_lines,
)
from stagg.formats.named_columns import NO_CELLS, Cells, check_header, columns_of, load_values, loaded, table_refusal
from stagg.formats.roles import check_ignored, is_long, name_roles
from stagg.formats.source import Source
from stagg.formats.text import ROWS, find_nul, join_rows, quote, split_rows

__all__ = ["Csv"]

HEADER: Final = re.compile(
    rb'[ \t]*"?(?:query|item|ranker|rank|score|multiplicity|q_id|doc_id)"?[ \t]*[,;\t]', re.IGNORECASE
)


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Csv(Format):
    """Table of text: query, item, rank and/or score, and if there are several, ranker; or any other layout.

    Cells are separated by commas, semicolons or tabs. ``delimiter`` not given is a comma when writing, and whichever
    of them the first lines show when reading.
    """

    name = "csv"
    endings = (".csv", ".tsv")
    holds_intervals = True

    delimiter: str | None = None

    @classmethod
    def for_name(cls, name: str) -> Csv:
        return cls(delimiter="\t" if name.endswith(".tsv") else None)

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return HEADER.match(first_bytes.lstrip(b" \r\n")) is not None

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        source.keep()
        lines = _Lines(source, options)
        records = _records(lines, self.delimiter, source, options)
        first = next(records, None)
        if first is None:
            return loaded(NO_CELLS, source, options)
        names = _long_names(first, source, options)
        if names is None:
            return _read_cells(first, records, lines, source, options)
        known = check_header(names, source, first[0])
        if options.header is not False:
            plain = split_rows(source, options, names, lines.delimiter, lines.last)
            if plain is not None:
                return load_values(*plain, source, options, delimiter=lines.delimiter)
        else:
            records = itertools.chain([first], records)
        cells = _gather(records, names, known, lines.delimiter, source, options)
        return loaded(cells, source, options, delimiter=lines.delimiter)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        for kind, names in list_ids(rankings):
            name = find_nul(names)
            if name is not None:
                return f"the {kind} id {shown(name)}, for its NUL; write .json"
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        delimiter = self.delimiter or ","
        columns = columns_of(rankings)
        stream.write((delimiter.join(columns) + "\n").encode())
        for block in join_rows(columns, delimiter) or _join_in_python(columns, delimiter):
            stream.write(block)


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


class _Lines:
    """The lines with their ends, for csv.reader; knows which line it gave, and skips what is no part of a record.

    A blank or '#' line may stand within a quoted field, where it belongs to the field: only at the beginning of a
    record (``fresh``) is it skipped.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.sample = sample_lines(source.head())
        self._lines = _with_ends(source)
        self._comments = options.comments
        self.fresh = True
        self.first = self.last = 0
        self.delimiter = ","

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        for number, line in self._lines:
            if self.fresh and (not line.strip(" \t\r\n") or (self._comments and line.lstrip(" \t").startswith("#"))):
                continue
            if self.fresh:
                self.first, self.fresh = number, False
            self.last = number
            return line
        raise StopIteration


def _with_ends(source: Source) -> Iterator[tuple[int, str]]:
    for first, text in source.chunks():
        lines = text.split("\n")
        for number, line in enumerate(lines[:-1], start=first):
            yield number, line + "\n"
        if lines[-1]:
            yield first + len(lines) - 1, lines[-1]


def _records(
    lines: _Lines, delimiter: str | None, source: Source, options: ReadOptions
) -> Iterator[tuple[int, list[str]]]:
    """(number of its first line, fields) of every record; the header shows the delimiter if it is not given."""
    opening = next(lines, None)
    if opening is not None and lines.last == 1 and (named := named_delimiter(opening)) is not None:
        lines.fresh, delimiter = True, options.delimiter or named
        opening = next(lines, None)
    elif opening is not None:
        delimiter = _choose_delimiter(opening, delimiter, lines.sample, source, options)
    if opening is None or delimiter is None:
        return
    lines.delimiter = delimiter
    following: str | None = opening
    while following is not None:
        try:
            fields = read_record(following, lines, delimiter)
        except BrokenRecord as error:
            _broken_record(error, lines, source, options)
        else:
            yield lines.first, fields
        lines.fresh = True
        following = next(lines, None)


def _choose_delimiter(
    opening: str, preferred: str | None, sample: list[str], source: Source, options: ReadOptions
) -> str:
    """What the caller says, what the file's name says if the first line has it, or what the first lines show."""
    if options.delimiter is not None:
        return options.delimiter
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


def _broken_record(error: BrokenRecord, lines: _Lines, source: Source, options: ReadOptions) -> None:
    """Quotes that do not pair, as a rule: an error, or all lines that they swallowed dropped."""
    if not options.lenient:
        raise source.error(f"the quotes of this row do not pair, or it is no row: {shown(str(error))}", lines.first)
    source.log.dropped("broken quotes", f"{source.name}:{lines.first}", lines.last - lines.first + 1)


def _long_names(first: tuple[int, list[str]], source: Source, options: ReadOptions) -> list[str] | None:
    """The columns' names, roles in their place, if the table has one row per listed item; None if it is another."""
    line, cells = first
    unnamed = options.header is False
    names = name_roles([""] * len(cells) if unnamed else cells, source, options, line)
    if options.layout not in (None, "long") or (options.layout is None and not is_long(names)):
        return None
    check_ignored(names, source, options, line)
    return names


def _read_cells(
    first: tuple[int, list[str]],
    records: Iterator[tuple[int, list[str]]],
    lines: _Lines,
    source: Source,
    options: ReadOptions,
) -> Loaded:
    """A table in another layout than long."""
    delimiter = None if lines.delimiter == "\n" else lines.delimiter
    return read_cell_table(CellTable.of([first, *records], delimiter), source, options)


def _gather(
    records: Iterator[tuple[int, list[str]]],
    names: list[str],
    known: list[str],
    delimiter: str,
    source: Source,
    options: ReadOptions,
) -> Cells:
    """The known columns of all records, as text; decimal commas become points where they are allowed."""
    places = [names.index(name) for name in known]
    columns: list[list[str]] = [[] for _ in known]
    numbers = array("q")
    for number, fields in records:
        if not _fits(fields, names):
            _wrong_width(fields, len(names), number, source, options)
            continue
        numbers.append(number)
        for column, place in zip(columns, places, strict=True):
            column.append(fields[place])
    cells = Cells(dict(zip(known, columns, strict=True)), np.array(numbers, dtype=np.intp))
    return _with_points(cells, source, delimiter) if delimiter in COMMA_DECIMALS else cells


def _fits(fields: list[str], names: list[str]) -> bool:
    """Whether a record has the columns of the header; an empty last column counts on neither side."""
    if len(fields) == len(names):
        return True
    longer, shorter = (fields, names) if len(fields) > len(names) else (names, fields)
    return len(longer) == len(shorter) + 1 and not longer[-1]


def _with_points(cells: Cells, source: Source, delimiter: str) -> Cells:
    commas, lines = DecimalCommas(source, delimiter), cells.lines.tolist()
    columns = dict(cells.columns)
    for name in ("rank", "score"):
        if name in columns:
            columns[name] = [commas.plain(cell, line) for cell, line in zip(columns[name], lines, strict=True)]
    return Cells(columns, cells.lines)


def _wrong_width(fields: list[str], width: int, number: int, source: Source, options: ReadOptions) -> None:
    if options.lenient:
        source.log.dropped("wrong number of columns", f"{source.name}:{number}")
        return
    message = f"expected the {width} columns of the header, found {len(fields)}: {shown(','.join(fields))}"
    raise source.error(message + hints(source, number, fields[0] if fields else ""), number)
