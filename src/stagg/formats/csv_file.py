"""Comma- and tab-separated tables with a header line."""

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
from stagg.errors import shown
from stagg.formats.base import Format, Loaded, ReadOptions, list_ids, number_text
from stagg.formats.delimited import Layout, Records, Rows, is_plain, is_skipped, is_text
from stagg.formats.named_columns import (
    NO_CELLS,
    check_header,
    check_values,
    columns_of,
    load_values,
    loaded,
    table_refusal,
)
from stagg.formats.source import AFTER, Source
from stagg.formats.text import ROWS, find_nul, join_rows, quote

__all__ = ["Csv", "read_header", "with_ends"]

HEADER: Final = re.compile(rb'[ \t]*"?(?:query|item|ranker|rank|score|multiplicity)"?[ \t]*[,\t]')


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Csv(Format):
    """Table with a header line: query, item, rank and/or score, and if there are several, ranker; commas or tabs.

    ``delimiter`` not given is a comma when writing, and what the header line shows when reading.
    """

    name = "csv"
    endings = (".csv", ".tsv")
    holds_intervals = True
    writes_parts = True

    delimiter: str | None = None

    @classmethod
    def for_name(cls, name: str) -> Csv:
        return cls(delimiter="\t" if name.endswith(".tsv") else None)

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return HEADER.match(first_bytes.lstrip(b" \r\n")) is not None

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        source.keep()
        records = self.records(with_ends(source), source, options)
        layout = None if records is None else read_header(records, source)
        if records is None or layout is None:
            return loaded(NO_CELLS, source, options)
        held = source.hold() if is_plain(layout, options, source.encoding) else None
        rows = Rows(layout, source, options)
        if held is not None and is_text(held, len(held) - len(AFTER)):
            _take_held(rows, held, records.last)
        else:
            rows.take_records(records)
        return load_values(*check_values(rows.values(), rows.lines, rows.odd_ranks, source, options), source, options)

    def records(self, lines: Iterator[tuple[int, str]], source: Source, options: ReadOptions) -> Records | None:
        """The records of a table; the first line shows the delimiter if it is not given. None if there is none."""
        opening = next((pair for pair in lines if not is_skipped(pair[1], options)), None)
        if opening is None:
            return None
        delimiter = self.delimiter or ("\t" if "\t" in opening[1] and "," not in opening[1] else ",")
        return Records(itertools.chain([opening], lines), delimiter, source, options)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        for kind, names in list_ids(rankings):
            name = find_nul(names)
            if name is not None:
                return f"the {kind} id {shown(name)}, for its NUL; write .json"
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        columns = columns_of(rankings)
        stream.write(self._header(columns))
        for block in self._blocks(columns):
            stream.write(block)

    def render(self, rankings: Rankings) -> tuple[bytes, bytes]:
        """The header and the rows."""
        columns = columns_of(rankings)
        return self._header(columns), b"".join(self._blocks(columns))

    def write_parts(self, parts: Iterable[tuple[bytes, bytes]], stream: IO[bytes]) -> None:
        for number, (header, rows) in enumerate(parts):
            if not number:
                stream.write(header)
            stream.write(rows)

    def _header(self, columns: Mapping[str, Any]) -> bytes:
        return ((self.delimiter or ",").join(columns) + "\n").encode()

    def _blocks(self, columns: dict[str, Any]) -> Iterable[bytes]:
        delimiter = self.delimiter or ","
        return join_rows(columns, delimiter) or _join_in_python(columns, delimiter)


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


def read_header(records: Records, source: Source) -> Layout | None:
    """What the first record says of the columns; None if there is no record."""
    header = next(records, None)
    if header is None:
        return None
    names = [name.strip(" \t") for name in header]
    return Layout(tuple(names), tuple(check_header(names, source, records.first)), records.delimiter)


def _take_held(rows: Rows, held: bytearray, header: int) -> None:
    """The rows of held bytes after line ``header``."""
    start = 0
    for _ in range(header):
        start = held.index(b"\n", start) + 1
    end = len(held) - len(AFTER)
    unfinished = held[end - 1 : end] != b"\n"
    rows.take(np.frombuffer(held, dtype=np.uint8), start, end + unfinished, header + 1, unfinished=unfinished)
