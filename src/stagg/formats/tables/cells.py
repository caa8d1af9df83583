"""Cells of a table as text: records, separators, numbers with a decimal comma, percentages."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_number
from stagg.formats.patterns import pattern
from stagg.formats.storage.source import Source

__all__ = [
    "COMMA_DECIMALS",
    "NO_NUMBERS",
    "POINTED_THOUSANDS",
    "BrokenRecord",
    "CarriageReturn",
    "CellTable",
    "DecimalCommas",
    "find_delimiter",
    "is_number_cell",
    "looks_like_table",
    "named_delimiter",
    "note_percent",
    "note_thousands",
    "read_number",
    "read_record",
    "sample_lines",
]

DELIMITERS: Final = ("\t", ";", ",")
COMMA_DECIMALS: Final = ("\t", ";")
"""Where these separate the cells, a comma within a number is a decimal comma."""

LONGEST_RECORD: Final = 1 << 17
SAMPLE: Final = 50  # lines that are looked at to find the separator
QUOTED: Final = pattern(r'"[^"]*"')
DECIMAL: Final = pattern(r"(?<![0-9.,])[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?(?![0-9.,])")
COMMA_NUMBER: Final = pattern(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?(?:[ \u00a0\u202f]?%)?")
VOTE: Final = pattern(r"\s*[^\s<>][^<>]*>\s*[^\s<>]")
NO_NUMBERS: Final = ("na", "n/a", "#n/a", "null", "none", "-", "–")
"""Texts that people write for a missing number; NaN is not one of them."""
POINTED: Final = pattern(r"[+-]?[0-9]*(?:\.[0-9]+)+")
POINTED_THOUSANDS: Final = pattern(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
NAMED_DELIMITER: Final = pattern(r"sep=(.)[ \t\r]*", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class CellTable:
    """All records of a table as text, padded to the same width, with the line (or row) of each.

    ``delimiter`` is None where cells are not separated by characters (Excel, Parquet); ``header`` says whether the
    first record is a header, None if nobody knows yet.
    """

    rows: list[list[str]]
    lines: list[int]
    delimiter: str | None = None
    header: bool | None = None

    @classmethod
    def of(
        cls, records: Sequence[tuple[int, list[str]]], delimiter: str | None = None, *, header: bool | None = None
    ) -> CellTable:
        """The records without empty ones and without empty last columns; short records end in empty cells."""
        records = [(line, cells) for line, cells in records if any(cells)]
        width = max((len(_without_empty_end(cells)) for _, cells in records), default=0)
        rows = [cells[:width] + [""] * (width - len(cells)) for _, cells in records]
        return cls(rows, [line for line, _ in records], delimiter, header)

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0


def _without_empty_end(cells: list[str]) -> list[str]:
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]


# --- records ----------------------------------------------------------------------------------------------------------


class BrokenRecord(Exception):
    """A record whose quotes do not pair."""


class CarriageReturn(BrokenRecord):
    """A record with a line end of old Macintoshes in it."""


def read_record(line: str, more: Iterator[str], delimiter: str) -> list[str]:
    """The cells of the record that begins with this line: unquoted ones trimmed, quoted ones as they are.

    >>> read_record(' a ," b", "c, d"', iter(()), ",")
    ['a', ' b', 'c, d']
    """
    blanks = " " if delimiter == "\t" else " \t"
    if delimiter == " ":
        return line.split()  # blanks between cells come in any number
    if '"' not in line:
        return [_plain(cell, blanks) for cell in line.rstrip("\r\n").split(delimiter)]
    cells, at = [], 0
    while True:
        start = _after(line, at, blanks)
        if line.startswith('"', start):
            cell, line, at = _read_quoted(line, start + 1, more)
            at = _after(line, at, blanks + "\r\n")
            if line[at : at + 1] not in (delimiter, ""):
                raise BrokenRecord(f"expected {delimiter!r} after the quote")
        else:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            cell, at = _plain(line[at:end].rstrip("\r\n"), blanks), end
        cells.append(cell)
        if line[at : at + 1] != delimiter:
            return cells
        at += 1


def _plain(cell: str, blanks: str) -> str:
    if "\r" in cell:
        raise CarriageReturn("a carriage return within a line; save the file with ordinary line ends")
    return cell.strip(blanks)


def _after(line: str, at: int, blanks: str) -> int:
    while at < len(line) and line[at] in blanks:
        at += 1
    return at


def _read_quoted(line: str, at: int, more: Iterator[str]) -> tuple[str, str, int]:
    """(the cell, the line that ends it, the place after its closing quote)."""
    pieces: list[str] = []
    size = 0
    while True:
        end = line.find('"', at)
        doubled = end >= 0 and line.startswith('"', end + 1)
        stop = len(line) if end < 0 else end + doubled
        pieces.append(line[at:stop])
        size += stop - at
        if size > LONGEST_RECORD:
            raise BrokenRecord(f"a cell of more than {LONGEST_RECORD:,} characters")
        if end < 0:
            following = next(more, None)
            if following is None:
                raise BrokenRecord("the last quote is not closed")
            line, at = following, 0
        elif doubled:
            at = end + 2
        else:
            return "".join(pieces), line, end + 1


# --- separators -------------------------------------------------------------------------------------------------------


def sample_lines(head: bytes) -> list[str]:
    """The first lines that are not blank; one that the sample cuts off is left out."""
    lines = head.decode("latin-1").split("\n")
    whole = lines[:-1] if len(lines) > 1 and len(head) >= 1 << 16 else lines
    return [line for line in whole if line.strip(" \t\r")][:SAMPLE]


def named_delimiter(line: str) -> str | None:
    """The separator that Excel's first line ``sep=;`` names."""
    match = NAMED_DELIMITER.fullmatch(line.strip("\n"))
    return match[1] if match else None


def find_delimiter(lines: Sequence[str]) -> str | None:
    """Tab, semicolon or comma: whichever separates the cells of these lines; None where it could be two of them.

    >>> find_delimiter(["item;score", "a;0,5"]), find_delimiter(["a,b;c", "b,a;c"])
    (';', None)
    """
    plain = [QUOTED.sub("", line) for line in lines]
    if not plain:
        return ","
    telling = next((line for line in plain if any(each in line for each in DELIMITERS)), plain[0])
    present = [each for each in DELIMITERS if each in telling]
    if len(present) < 2:
        return present[0] if present else ","
    without = [DECIMAL.sub("0", line) for line in plain]  # a comma between digits may be a decimal comma
    if any(each in present for each in COMMA_DECIMALS) and not any("," in line for line in without):
        present = [each for each in present if each != ","]
    steady = [each for each in present if len({line.count(each) for line in plain[plain.index(telling) :]}) == 1]
    choice = present if len(present) == 1 else steady
    return choice[0] if len(choice) == 1 else None


def looks_like_table(head: bytes) -> bool:
    """Whether a file without a telling name is a table of cells, or a list of ids, rather than a TREC run or qrels."""
    lines = sample_lines(head)
    if not lines or lines[0].lstrip()[:1] in ("{", "[") or _looks_like_run(lines):
        return False
    if all(not re.search(r"[ \t]", line.strip(" \t\r")) or VOTE.match(line) for line in lines):
        return True
    delimiter = find_delimiter(lines)
    return delimiter is None or all(delimiter in line for line in lines)


def _looks_like_run(lines: Sequence[str]) -> bool:
    """Whether the first line is a row of a run or of qrels: the column that nobody reads (Q0, 0) never changes."""
    rows = [line.split() for line in lines]
    first = rows[0]
    if len(first) > 6 and first[1] == "Q0":
        return True
    if len(first) not in (4, 6) or ("\t" in lines[0] and len(lines[0].strip().split("\t")) != len(first)):
        return False
    number = parse_number(first[-1 if len(first) == 4 else 4])
    alike = all(len(row) == len(first) for row in rows)
    marks = {row[1] for row in rows} if alike else {first[1]}
    between = any(mark in lines[0] for mark in ",;\t")
    steady = marks in ({"Q0"}, {"0"}, {"q0"}) or (alike and len(marks) == 1 and len(rows) > 1)
    return number is not None and (steady or not between)


# --- numbers ----------------------------------------------------------------------------------------------------------


def note_thousands(cells: Iterable[str], source: Source) -> None:
    """Say that 1.250 was not read as 1250 where every number with a point could be meant so."""
    pointed = [cell for cell in cells if POINTED.fullmatch(cell)]
    if pointed and all(map(POINTED_THOUSANDS.fullmatch, pointed)):
        number = pointed[0].rstrip("0").rstrip(".")
        source.log.note(
            f"{source.name}: {shown(pointed[0])} was read as {number}; if the points separate thousands, leave them out"
        )


def is_number_cell(cell: str) -> bool:
    """Whether a cell spells a number, with a decimal point or a decimal comma, or a percentage."""
    return read_number(cell) is not None or read_number(cell.replace(",", ".", 1)) is not None


def read_number(cell: str) -> float | None:
    """The number that a cell of a table spells, or None; 85% is 0.85, as spreadsheets have it.

    >>> read_number("85%"), read_number("0.5"), read_number("85 percent")
    (0.85, 0.5, None)
    """
    if cell.endswith("%"):
        number = parse_number(cell[:-1].rstrip(" \u00a0\u202f"))
        return None if number is None else number / 100
    return parse_number(cell)


def note_percent(cells: Iterable[str], source: Source) -> None:
    """Say, once, that percentages were read as what they are."""
    if any(cell.endswith("%") and is_number_cell(cell) for cell in cells):
        source.log.note(f"{source.name}: percentages were read as numbers: 85% is 0.85")


class DecimalCommas:
    """Reads the numbers of one table, decimal commas where its separator allows them; a table has one kind only."""

    def __init__(self, source: Source, delimiter: str | None) -> None:
        self._source = source
        self._allowed = delimiter in COMMA_DECIMALS
        self._points: tuple[int, str] | None = None
        self._commas: tuple[int, str] | None = None
        self._told = False

    @property
    def found(self) -> bool:
        """Whether there was a decimal comma."""
        return self._commas is not None

    def read(self, text: str, line: int) -> float | None:
        """The number that a cell spells, or None."""
        number = read_number(self.plain(text, line))
        self.tell()
        return number

    def plain(self, text: str, line: int) -> str:
        """The cell with a decimal point in the place of a decimal comma."""
        if self._allowed and "," in text and COMMA_NUMBER.fullmatch(text.strip(" \t")):
            if self._commas is None:
                self._commas = line, text
            self._refuse_both()
            return text.replace(",", ".")
        seen = self._points is not None and self._points[0] <= line
        if self._allowed and not seen and "." in text and read_number(text.strip(" \t")) is not None:
            self._points = line, text
            self._refuse_both()
        return text

    def tell(self) -> None:
        """Note, once, that decimal commas were read."""
        if self._commas is not None and not self._told:
            text = self._commas[1].strip(" \t")
            number = text.replace(",", ".")
            self._source.log.note(f"{self._source.name}: decimal commas were read: {shown(text)} is {number}")
            self._told = True

    def _refuse_both(self) -> None:
        if self._commas is None or self._points is None:
            return
        (comma_line, comma), (point_line, point) = self._commas, self._points
        raise self._source.error(
            f"the numbers have a decimal comma in line {comma_line} ({shown(comma)}) and a decimal point in line "
            f"{point_line} ({shown(point)}); use one of them in the whole table",
            max(comma_line, point_line),
        )
