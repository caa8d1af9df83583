"""Comma- and tab-separated tables with a header line."""

from __future__ import annotations

import csv
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
from stagg.formats.named_columns import NO_CELLS, Cells, check_header, columns_of, load_values, loaded, table_refusal
from stagg.formats.source import Source
from stagg.formats.text import ROWS, find_nul, join_rows, quote, split_rows

__all__ = ["Csv"]

HEADER: Final = re.compile(rb'[ \t]*"?(?:query|item|ranker|rank|score|multiplicity)"?[ \t]*[,\t]')


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Csv(Format):
    """Table with a header line: query, item, rank and/or score, and if there are several, ranker; commas or tabs.

    ``delimiter`` not given is a comma when writing, and what the header line shows when reading.
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
        header = next(records, None)
        if header is None:
            return loaded(NO_CELLS, source, options)
        names = [name.strip(" \t") for name in header[1]]
        known = check_header(names, source, header[0])
        plain = split_rows(source, options, names, lines.delimiter, lines.last)
        if plain is not None:
            return load_values(*plain, source, options)
        places = [names.index(name) for name in known]
        columns: list[list[str]] = [[] for _ in known]
        numbers = array("q")
        for number, fields in records:
            if len(fields) != len(names):
                _wrong_width(fields, len(names), number, source, options)
                continue
            numbers.append(number)
            for column, place in zip(columns, places, strict=True):
                column.append(fields[place])
        cells = Cells(dict(zip(known, columns, strict=True)), np.array(numbers, dtype=np.intp))
        return loaded(cells, source, options)

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
    if opening is None:
        return
    if delimiter is None:
        delimiter = "\t" if "\t" in opening and "," not in opening else ","
    lines.delimiter = delimiter
    reader = csv.reader(_again(opening, lines), delimiter=delimiter, strict=True)
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            _broken_record(error, lines, source, options)
        else:
            yield lines.first, fields
        lines.fresh = True


def _again(opening: str, lines: _Lines) -> Iterator[str]:
    yield opening
    yield from lines


def _broken_record(error: csv.Error, lines: _Lines, source: Source, options: ReadOptions) -> None:
    """Quotes that do not pair, as a rule: an error, or all lines that they swallowed dropped."""
    if not options.lenient:
        raise source.error(f"the quotes of this row do not pair, or it is no row: {shown(str(error))}", lines.first)
    source.log.dropped("broken quotes", f"{source.name}:{lines.first}", lines.last - lines.first + 1)


def _wrong_width(fields: list[str], width: int, number: int, source: Source, options: ReadOptions) -> None:
    if options.lenient:
        source.log.dropped("wrong number of columns", f"{source.name}:{number}")
        return
    message = f"expected the {width} columns of the header, found {len(fields)}: {shown(','.join(fields))}"
    raise source.error(message + hints(source, number, fields[0] if fields else ""), number)
