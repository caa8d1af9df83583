"""Cells of a table as text: records, numbers with a decimal comma, percentages."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_number
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.tables.vocabulary import GENE_MONTHS

__all__ = [
    "COMMA_DECIMALS",
    "COMMA_NUMBER",
    "POINTED_THOUSANDS",
    "BrokenRecord",
    "CarriageReturn",
    "CellTable",
    "DecimalCommas",
    "is_number_cell",
    "name_gene",
    "note_dates",
    "note_percent",
    "note_thousands",
    "read_number",
    "read_record",
]

COMMA_DECIMALS: Final = ("\t", ";", "|", " ", "  ")
"""Where these separate the cells, a comma within a number is a decimal comma."""

LONGEST_RECORD: Final = 1 << 17
MOST_IDS: Final = 50_000  # in which dates are looked for
DAY: Final = pattern(r"(?P<day>[0-9]{1,2})[-./ ]{1,2}(?P<month>[^\W\d_]{3,4})\.?(?:[-./ ][0-9]{2,4})?")
MONTH: Final = pattern(r"(?P<month>[^\W\d_]{3,4})[-./ ]{1,2}(?P<day>[0-9]{1,2})")
BLANK: Final = pattern(r"[ \t]+")
BETWEEN_BLANKS: Final = pattern(r'"((?:[^"]|"")*)"(?=[ \t]|$)|([^ \t]+)')
WIDE_BLANK: Final = pattern(r"[ \t]{2,}|\t")
COMMA_NUMBER: Final = pattern(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?(?:[ \u00a0\u202f]?%)?")
POINTED: Final = pattern(r"[+-]?[0-9]*(?:\.[0-9]+)+")
POINTED_THOUSANDS: Final = pattern(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")


@dataclasses.dataclass(frozen=True)
class CellTable:
    """All records of a table as text, padded to the same width, with the line (or row) of each.

    ``delimiter`` is None where cells are not separated by characters (Excel, Parquet); ``header`` says whether the
    first record is a header, None if nobody knows yet; ``layout`` is known where trimming shows it.
    """

    rows: list[list[str]]
    lines: list[int]
    delimiter: str | None = None
    header: bool | None = None
    layout: str | None = None

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
    if delimiter in (" ", "  "):
        return _cut_at_blanks(line.strip(" \t\r\n"), delimiter)
    if '"' not in line:
        bare = line.rstrip("\r\n")
        if " " in bare or "\t" in bare or "\r" in bare:
            return [_plain(cell, blanks) for cell in bare.split(delimiter)]
        return bare.split(delimiter)
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


def _cut_at_blanks(line: str, delimiter: str) -> list[str]:
    """The cells between blanks, of which any number may stand between two; those in quotes may hold blanks."""
    if '"' in line:
        return [cell[0].replace('""', '"') or cell[1] for cell in BETWEEN_BLANKS.findall(line)]
    return (BLANK if delimiter == " " else WIDE_BLANK).split(line)


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


# --- ids --------------------------------------------------------------------------------------------------------------


def note_dates(ids: Sequence[str], reading: Reading) -> None:
    """Say that some ids among others look like genes whose names a spreadsheet turned into dates: 2-Sep, Mar-01."""
    if len(ids) > MOST_IDS:
        return
    genes = {text: gene for text in ids if len(text) < 12 and (gene := name_gene(text)) is not None}
    if not genes or 2 * len(genes) > len(ids):  # people may vote on days
        return
    few = ", ".join(f"{shown(text)} ({gene})" for text, gene in list(genes.items())[:3])
    more = ", …" if len(genes) > 3 else ""
    reading.note(f"a spreadsheet may have made dates of names of genes: {few}{more}; they were read as they stand")


def name_gene(text: str) -> str | None:
    """The gene of whose name a spreadsheet makes this date; None for any other text.

    >>> [name_gene(text) for text in ("2-Sep", "Mar-01", "2. Sep", "TP53", "1-Jan")]
    ['SEPT2', 'MARCH1', 'SEPT2', None, None]
    """
    match = DAY.fullmatch(text) or MONTH.fullmatch(text)
    if match is None:
        return None
    name = GENE_MONTHS.get(match["month"].casefold())
    return f"{name}{int(match['day'])}" if name else None


# --- numbers ----------------------------------------------------------------------------------------------------------


def note_thousands(cells: Iterable[str], reading: Reading) -> None:
    """Say that 1.250 was not read as 1250 where every number with a point could be meant so."""
    pointed = [cell for cell in cells if POINTED.fullmatch(cell)]
    if pointed and all(map(POINTED_THOUSANDS.fullmatch, pointed)):
        number = pointed[0].rstrip("0").rstrip(".")
        reading.note(f"{shown(pointed[0])} was read as {number}; if the points separate thousands, leave them out")


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


def note_percent(cells: Iterable[str], reading: Reading) -> None:
    """Say, once, that percentages were read as what they are."""
    if any(cell.endswith("%") and is_number_cell(cell) for cell in cells):
        reading.note("percentages were read as numbers: 85% is 0.85")


class DecimalCommas:
    """Reads the numbers of one table, decimal commas where its separator allows them; a table has one kind only."""

    def __init__(self, reading: Reading, delimiter: str | None) -> None:
        self._reading = reading
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
            self._reading.note(f"decimal commas were read: {shown(text)} is {number}")
            self._told = True

    def _refuse_both(self) -> None:
        if self._commas is None or self._points is None:
            return
        (comma_line, comma), (point_line, point) = self._commas, self._points
        raise self._reading.error(
            f"the numbers have a decimal comma in line {comma_line} ({shown(comma)}) and a decimal point in line "
            f"{point_line} ({shown(point)}); use one of them in the whole table",
            max(comma_line, point_line),
        )
