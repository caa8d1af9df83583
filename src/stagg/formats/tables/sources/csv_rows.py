"""Rows of CSV to columns: plain rows by the compiled twin, which leaves ids as bytes; odd ones one by one.

A row is odd if the twin does not take it: quotes within quotes, an empty cell, a cell that holds no number, a cell too
many. Such a row is read in Python, with its error or its place among the others, and the twin goes on after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.data.inputs.arrow import IDS
from stagg.errors import DataError, shown
from stagg.formats.options import ReadOptions
from stagg.formats.reading import Reading
from stagg.formats.row_checks import hints
from stagg.formats.runs.row_text import DELIMITERS
from stagg.formats.storage.source import LONG_LINE, LONGEST_LINE
from stagg.formats.tables.cells import COMMA_DECIMALS, BrokenRecord, CarriageReturn, DecimalCommas, read_record
from stagg.formats.tables.named_columns import Cells, parse_cells
from stagg.kernels.arrays import ByteArray, IntArray
from stagg.kernels.text import text as kernel

__all__ = ["CsvRows", "ListedIds", "LongTable", "Records", "is_plain", "is_skipped"]

USUAL_LINE: Final = 1 << 10
WINDOW: Final = 1 << 20  # bytes that the twin looks at in one go: what it counts there is not counted again
MOST_PATIENT: Final = 4096  # rows in a row that are read one by one, after the twin has found many of them odd


class LongTable(NamedTuple):
    """The header of a table: the names of all columns, and what lies between them."""

    names: tuple[str, ...]
    known: tuple[str, ...]
    delimiter: str

    def kinds(self, wanted: Sequence[str]) -> ByteArray | None:
        """The kind that the twin gives each column; None where there is no twin."""
        kinds = kernel.kinds()
        if kinds is None:
            return None
        kind = dict.fromkeys(IDS, kinds["id"]) | {"rank": kinds["rank"], "score": kinds["value"]}
        chosen = [kind[name] if name in wanted and name in kind else kinds["ignored"] for name in self.names]
        return np.array(chosen, dtype=np.uint8)


def is_plain(table: LongTable, encoding: str) -> bool:
    """Whether there is a twin that reads such tables."""
    known = encoding == "utf-8" and table.delimiter in (*DELIMITERS, "\n") and "multiplicity" not in table.names
    return known and kernel.has_twin()


class CsvRows:
    """The rows of one table as columns, collected stretch by stretch."""

    def __init__(self, table: LongTable, reading: Reading, *, wanted: Sequence[str] | None = None) -> None:
        self.table, self.reading = table, reading
        self._wanted = table.known if wanted is None else tuple(wanted)
        self._kinds = cast(ByteArray, table.kinds(self._wanted))  # without a twin nothing is split
        self._patience = 1
        self._odd: list[tuple[int, int, list[str]]] = []
        self._parts: dict[str, list[Any]] = {name: [] for name in self._wanted}
        self._owners: list[Any] = []
        self._lines: list[IntArray] = []
        self._starts: list[IntArray] = []
        self.odd_ranks: dict[int, object] = {}
        self._commas = DecimalCommas(reading, table.delimiter)
        self._unlooked: list[tuple[ByteArray, int, IntArray, IntArray]] = []

    def take(self, content: ByteArray, start: int, end: int, line: int, *, unfinished: bool = False) -> int:
        """The rows at ``start:end``, which begin in line ``line`` and end with a newline; eight bytes follow on it.

        Returns the line after them.

        ``unfinished``: the file itself lacks the last newline.
        """
        self._owners.append(content)
        while start < end:
            limit = self._window(content, start, end)
            stop, line, rows = self._take_plain(content, start, limit, line)
            if stop == limit:
                start = limit
                continue
            self._patience = 1 if rows else min(2 * self._patience, MOST_PATIENT)
            start, line = self._take_odd(content, stop, end, line, unfinished)
        return line

    def _take_plain(self, content: ByteArray, start: int, end: int, line: int) -> tuple[int, int, int]:
        """Rows up to the first odd one, by the twin: (where this begins, its line, how many rows)."""
        columns, lines, starts, stop, line = kernel.split(
            content, start, end, self._kinds, self.table.delimiter, line, self.reading.options.comments
        )
        self._add(dict(zip(self.table.names, columns, strict=True)), lines, starts)
        if self.table.delimiter in COMMA_DECIMALS and len(lines):
            self._unlooked.append((content, end, lines, starts))
            if self.has_decimal_commas:
                self._look_for_points()
        return stop, line, len(lines)

    @staticmethod
    def _window(content: ByteArray, start: int, end: int) -> int:
        """The end of the last line that begins within a window, or of the first."""
        if end - start <= WINDOW:
            return end
        newline = bytes(content[start + WINDOW - 1 : min(end, start + WINDOW + LONGEST_LINE + 1)]).find(b"\n")
        return end if newline < 0 else start + WINDOW + newline

    def _add(self, columns: dict[str, Any], lines: IntArray, starts: IntArray) -> None:
        for name, parts in self._parts.items():
            parts.append(columns[name])
        self._lines.append(lines)
        self._starts.append(starts)

    def _take_odd(self, content: ByteArray, start: int, end: int, line: int, unfinished: bool) -> tuple[int, int]:
        """Read some rows closely; returns the place and the line after them."""
        held = _HeldLines(content, start, end, line, self.reading)
        records = Records(held, self.table.delimiter, self.reading)
        records.before_problem = self._flush_odd
        for _ in range(self._patience):
            start = held.place
            fields = next(records, None)
            if fields is None:
                break
            if unfinished and held.place == end:
                self.reading.source.unfinished_line = held.line - 1
            self._hold_odd(fields, records.first, start)
        self._flush_odd()
        return held.place, held.line

    def take_records(self, records: Records, first: list[str] | None = None) -> None:
        """All of these rows, each read closely; ``first`` is one that was looked at before."""
        records.before_problem = self._flush_odd
        if first is not None:
            self._hold_odd(first, records.first, 0)
        for fields in records:
            self._hold_odd(fields, records.first, 0)
            if len(self._odd) == MOST_PATIENT:
                self._flush_odd()
        self._flush_odd()

    def _hold_odd(self, fields: list[str], line: int, start: int) -> None:
        if not any(fields):
            return  # a row of separators and nothing else, as spreadsheets leave them at the end
        fields = self._fit(fields)
        if len(fields) != len(self.table.names):
            self._flush_odd()  # what is wrong with the rows before is said first
            _refuse_width(fields, len(self.table.names), line, self.reading)
        else:
            self._odd.append((line, start, fields))

    def _fit(self, fields: list[str]) -> list[str]:
        """The cells of a record; an empty last column counts neither here nor in the header."""
        names = self.table.names
        if len(fields) == len(names) + 1 and not fields[-1]:
            return fields[:-1]
        return [*fields, ""] if len(fields) == len(names) - 1 and not names[-1] else fields

    def _flush_odd(self) -> None:
        """The rows that were held, their cells parsed one by one, among the others."""
        if not self._odd:
            return
        lines, starts, rows = zip(*self._odd, strict=True)
        self._odd = []
        cells = {name: [fields[self.table.names.index(name)] for fields in rows] for name in self._wanted}
        self._spell_with_points(cells, lines)
        parsed, values = parse_cells(Cells(cells, np.array(lines, dtype=np.int64)), self.reading)
        self.odd_ranks |= zip(parsed.lines.tolist(), parsed.columns.get("rank", ()), strict=False)
        begins = dict(zip(lines, starts, strict=True))
        places = np.array([begins[line] for line in parsed.lines.tolist()], dtype=np.int64)
        self._add_odd(values, parsed.lines, places)

    def _spell_with_points(self, cells: dict[str, list[str]], lines: Sequence[int]) -> None:
        """Put decimal points for decimal commas, row by row; what is wrong with a row before is said first."""
        names = [name for name in ("rank", "score") if name in cells]
        if self._unlooked and any("," in cell for name in names for cell in cells[name]):
            self._look_for_points()
        for row, line in enumerate(lines):
            for name in names:
                try:
                    cells[name][row] = self._commas.plain(cells[name][row], line)
                except DataError:
                    before = {each: column[:row] for each, column in cells.items()}
                    parse_cells(Cells(before, np.array(lines[:row], dtype=np.int64)), self.reading)
                    raise

    def _look_for_points(self) -> None:
        """Show the rows that the twin took, which knows decimal points only, to the one who must not see both."""
        places = [self.table.names.index(name) for name in ("rank", "score") if name in self._wanted]
        for content, end, lines, starts in self._unlooked:
            for line, start in zip(lines.tolist(), starts.tolist(), strict=True):
                held = _HeldLines(content, start, end, line, self.reading)
                fields = self._fit(next(Records(held, self.table.delimiter, self.reading)))
                for place in places:
                    self._commas.plain(fields[place], line)
        self._unlooked = []

    def _add_odd(self, columns: dict[str, list[Any]], lines: IntArray, starts: IntArray) -> None:
        held = {name: self._hold_ids(column) if name in IDS else np.array(column) for name, column in columns.items()}
        self._add(held, lines, starts)

    def _hold_ids(self, texts: list[str]) -> tuple[IntArray, Any]:
        ids = Ids.of_texts(texts)
        self._owners.append(ids)
        return ids.address, ids.length

    def __len__(self) -> int:
        return sum(map(len, self._lines))

    @property
    def lines(self) -> IntArray:
        lines: IntArray = _join(self._lines, np.int64)
        return lines

    @property
    def starts(self) -> IntArray:
        """Where each row begins in the bytes that it was taken from."""
        starts: IntArray = _join(self._starts, np.int64)
        return starts

    def ids(self, name: str) -> Ids:
        """One column of ids, row by row."""
        address = _join([part[0] for part in self._parts[name]], np.int64)
        return Ids(address, _join([part[1] for part in self._parts[name]], np.int32), self._owners)

    @property
    def has_decimal_commas(self) -> bool:
        return self._commas.found

    def columns(self) -> dict[str, Any]:
        """All columns, row by row."""
        self._commas.tell()
        return {
            name: self.ids(name) if name in IDS else _join(parts, parts[0].dtype if parts else np.float64)
            for name, parts in self._parts.items()
        }

    def values(self) -> dict[str, Any]:
        """All columns, ids as codes."""
        return {name: Coded.of_ids(column) if name in IDS else column for name, column in self.columns().items()}


class ListedIds(CsvRows):
    """The lines of a list, one id each, as records: (line, cells). An odd line may turn out to have more cells."""

    def __init__(self, delimiter: str, reading: Reading) -> None:
        super().__init__(LongTable(("item",), ("item",), delimiter), reading)
        self.records: list[tuple[int, list[str]]] = []

    def _add(self, columns: dict[str, Any], lines: IntArray, starts: IntArray) -> None:
        address, length = columns["item"]
        ids = Ids(address, length, self._owners)
        self.records += zip(lines.tolist(), ([text] for text in ids), strict=True)

    def _hold_odd(self, fields: list[str], line: int, start: int) -> None:
        self.records.append((line, fields))


def _join(parts: list[Any], kind: Any) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, dtype=kind), *parts])


class _HeldLines:
    """(number, line with its end) of held bytes; ``place`` and ``line`` are those after the last one that it gave."""

    def __init__(self, content: ByteArray, place: int, end: int, line: int, reading: Reading) -> None:
        self._content, self._end, self._reading = content, end, reading
        self.place, self.line = place, line

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self

    def __next__(self) -> tuple[int, str]:
        if self.place >= self._end:
            raise StopIteration
        text, length = self._line(USUAL_LINE)
        if not length:
            text, length = self._line(LONGEST_LINE + 1)
        if not length:
            raise self._reading.error(LONG_LINE, self.line)
        self.place += length
        self.line += 1
        return self.line - 1, text[:length].decode()

    def _line(self, most: int) -> tuple[bytes, int]:
        """(so many bytes at most, how many of them are the next line; 0 where it is longer)"""
        text = bytes(self._content[self.place : min(self._end, self.place + most)])
        return text, text.find(b"\n") + 1


class Records:
    """The cells of one record after another; ``first`` is the number of its first line, ``last`` of its last.

    A blank or '#' line is skipped, unless it stands within a quoted cell, where it belongs to the cell. ``row_names``:
    the first record lacks the name of the first column.
    """

    def __init__(
        self, lines: Iterator[tuple[int, str]], delimiter: str, reading: Reading, *, row_names: bool = False
    ) -> None:
        self._lines, self._reading = self._give(lines), reading
        self._row_names = row_names
        self._fresh = True
        self.first = self.last = 0
        self.delimiter = delimiter
        self.before_problem: Callable[[], None] = lambda: None
        """Called before something is said of a record: what is wrong with those before it is said first."""

    def _give(self, lines: Iterator[tuple[int, str]]) -> Iterator[str]:
        for number, line in lines:
            if self._fresh and is_skipped(line, self._reading.options):
                continue
            if self._fresh:
                self.first, self._fresh = number, False
            self.last = number
            yield line

    def __iter__(self) -> Records:
        return self

    def __next__(self) -> list[str]:
        while True:
            self._fresh = True
            opening = next(self._lines)
            try:
                cells = read_record(opening, self._lines, self.delimiter)
                cells, self._row_names = ["", *cells] if self._row_names else cells, False
                return cells
            except BrokenRecord as error:
                escaped = self._read_escaped(opening)
                if escaped is not None:
                    return escaped
                self._refuse_quotes(error)

    def _read_escaped(self, line: str) -> list[str] | None:
        """The cells of a line whose quotes within quotes have a backslash before them, as databases write them."""
        if '\\"' not in line or self.last > self.first:
            return None
        try:
            return read_record(line.replace('\\"', '""'), iter(()), self.delimiter)
        except BrokenRecord:
            return None

    def _refuse_quotes(self, error: BrokenRecord) -> None:
        """Quotes that do not pair, as a rule: an error, or all lines that they swallowed dropped."""
        self.before_problem()
        if not self._reading.options.lenient:
            what = "" if isinstance(error, CarriageReturn) else "the quotes of this row do not match: "
            raise self._reading.error(f"{what}{error}", self.first)
        self._reading.drop("broken quotes", self.first, self.last - self.first + 1)


def is_skipped(line: str, options: ReadOptions) -> bool:
    """Whether a line is blank, or a comment where there are comments."""
    return not line.strip(" \t\r\n") or (options.comments and line.lstrip(" \t").startswith("#"))


def _refuse_width(fields: list[str], width: int, line: int, reading: Reading) -> None:
    """A row with a cell too many or too few: an error, or dropped when reading leniently."""
    if reading.options.lenient:
        reading.drop("wrong number of columns", line)
        return
    message = f"expected the {width} columns of the header, found {len(fields)}: {shown(','.join(fields))}"
    if len(fields) > width and any(map(str.isdigit, fields[-1][:1])):
        message += "; if a comma is a decimal comma, write a point, or separate the cells by semicolons"
    raise reading.error(message + hints(reading, line, fields[0] if fields else ""), line)
