"""Cells of one sheet of an Excel workbook, row by row."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from stagg.errors import shown
from stagg.formats.numbers import parse_number, parse_whole
from stagg.formats.patterns import pattern
from stagg.formats.tables.sources.excel_dates import Kind, date_of
from stagg.formats.tables.sources.excel_xml import Begin, Damaged, End, parse

if TYPE_CHECKING:
    import re

__all__ = ["NOT_COMPUTED", "CellError", "SheetReader", "TextReader", "letters_of"]

REFERENCE: Final = pattern(r"([A-Za-z]{1,3})([1-9][0-9]{0,6})")
MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14  # the last cell is XFD1048576
ESCAPED: Final = pattern(r"_x([0-9A-Fa-f]{4})_")


class CellError(str):
    """Result of a formula that failed, such as #N/A."""

    __slots__ = ()


NOT_COMPUTED: Final = CellError("#NOT COMPUTED")
"""Stand-in for a formula whose result the program that wrote the file did not save."""


class TextReader:
    """Texts of one or more runs; phonetic hints beside them do not belong to them."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._is_open, self._is_hint = False, False
        self.begin: Begin = {"t": self._begin_run, "rPh": lambda _: self._mark_hint(True)}
        self.end: End = {"t": self.close, "rPh": lambda: self._mark_hint(False)}

    def open(self) -> None:
        """From here on, what stands between tags belongs to the text."""
        self._is_open = True

    def close(self) -> None:
        """From here on, it does not."""
        self._is_open = False

    def add(self, data: str) -> None:
        """Add the text between tags."""
        if self._is_open:
            self._pieces.append(data)

    def take(self) -> str:
        """The text, whole; the next one begins."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return ESCAPED.sub(_unescape, text) if "_x" in text else text

    def _begin_run(self, _: dict[str, str]) -> None:
        self._is_open = not self._is_hint

    def _mark_hint(self, is_hint: bool) -> None:
        self._is_hint = is_hint


def _unescape(escape: re.Match[str]) -> str:
    """A character that XML cannot hold, such as the carriage return of ``_x000D_``."""
    code = int(escape[1], 16)
    return escape[0] if 0xD800 <= code < 0xE000 else chr(code)


class SheetReader:
    """The rows of a sheet that hold something: ``rows`` are (number from 1, cells up to the last that is filled).

    ``texts`` are the texts that cells share, and ``shared_size`` their length, each as often as a cell names it;
    ``kinds`` says what numbers mean in the styles, by number, in which they are dates; ``check_row`` is called for
    every row, so that it can refuse them before there are too many.
    """

    def __init__(
        self,
        texts: Sequence[str],
        kinds: Mapping[str, Kind],
        *,
        from_1904: bool,
        check_row: Callable[[int, list[Any]], None],
    ) -> None:
        self._texts, self._kinds, self._from_1904, self._check_row = texts, kinds, from_1904, check_row
        self.rows: list[tuple[int, list[Any]]] = []
        self.shared_size = 0
        self._cells: list[Any] = []
        self._is_row = False
        self._row, self._row_digits, self._column = 0, "", 0  # of the cell that is read, both from 1
        self._type, self._style, self._has_formula = "n", "", False
        self._text = TextReader()

    def read(self, blocks: Iterable[bytes]) -> None:
        """Read the part that holds the sheet."""
        begin: Begin = {"row": self._begin_row, "c": self._begin_cell, "v": self._begin_value, "f": self._begin_formula}
        end: End = {"row": self._end_row, "c": self._end_cell, "v": self._text.close}
        parse(blocks, {**begin, **self._text.begin}, {**end, **self._text.end}, self._text.add)

    def _begin_row(self, attributes: dict[str, str]) -> None:
        """A row; one without a number follows the one before, unless its first cell says more."""
        if self._is_row:
            raise Damaged("a row stands inside another")
        number = attributes.get("r")
        row = self._row + 1 if number is None else parse_whole(number) or 0
        if not 0 < row <= MOST_ROWS:
            raise Damaged(f"there is no row {shown(number)}; the last is {MOST_ROWS}")
        self._cells, self._column, self._is_row = [], 0, True
        self._enter_row(row, is_sure=number is not None)

    def _enter_row(self, row: int, *, is_sure: bool) -> None:
        if row <= self._row:
            raise Damaged(f"the row {row} comes twice, or after a later one")
        self._row, self._row_digits = row, str(row) if is_sure else ""

    def _end_row(self) -> None:
        if self._cells:
            self._check_row(self._row, self._cells)
            self.rows.append((self._row, self._cells))
        self._is_row = False

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        if not self._is_row:
            raise Damaged("a cell stands outside of all rows")
        place = attributes.get("r")
        column = self._column + 1 if place is None else self._find_column(place)
        if column > MOST_COLUMNS:
            raise Damaged(f"the row {self._row} has cells behind the last column, XFD")
        if column <= self._column:
            raise Damaged(f"the cell {letters_of(column - 1)}{self._row} comes twice, or after one further right")
        self._column = column
        self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
        self._has_formula = False

    def _find_column(self, place: str) -> int:
        """The column of a cell, from 1; its row has to be the one that it stands in."""
        if self._row_digits and place.endswith(self._row_digits):
            column = COLUMNS.get(place[: -len(self._row_digits)])
            if column is not None:  # nearly all of them
                return column
        match = REFERENCE.fullmatch(place)
        column = COLUMNS[match[1]] if match else 0
        if match is None or column > MOST_COLUMNS or int(match[2]) > MOST_ROWS:
            raise Damaged(f"there is no cell {shown(place)}; the last is XFD{MOST_ROWS}")
        if not self._row_digits:
            self._row -= 1
            self._enter_row(int(match[2]), is_sure=True)
        if match[2] != self._row_digits:
            raise Damaged(f"the cell {shown(place)} stands in row {self._row}")
        return column

    def _begin_value(self, _: dict[str, str]) -> None:
        if self._type != "inlineStr":  # its text stands in <t>; a <v> beside it says the same
            self._text.open()

    def _begin_formula(self, _: dict[str, str]) -> None:
        self._has_formula = True

    def _end_cell(self) -> None:
        value = self._read_value(self._text.take())
        if value != "":
            if len(self._cells) < self._column - 1:
                self._cells += [""] * (self._column - 1 - len(self._cells))
            self._cells.append(value)

    def _read_value(self, text: str) -> Any:
        """The value of a cell: text, number, truth, date or error; an empty text where there is none."""
        if not text:
            return NOT_COMPUTED if self._has_formula and self._type != "str" else ""
        if self._type == "n":
            return self._read_number(text)
        if self._type == "s":
            return self._read_shared(text)
        if self._type in READ_TYPE:
            return READ_TYPE[self._type](text)
        raise Damaged(f"the cell {self._place()} has the type {shown(self._type)}, which there is not")

    def _read_number(self, text: str) -> Any:
        number = parse_number(text.strip(" \t\r\n"))
        if number is None:
            raise Damaged(f"the cell {self._place()} holds {shown(text)} in the place of a number")
        if self._style not in self._kinds:
            return number
        return date_of(number, self._kinds[self._style], from_1904=self._from_1904)

    def _read_shared(self, text: str) -> str:
        number = parse_whole(text)
        if number is None or not 0 <= number < len(self._texts):
            raise Damaged(f"the cell {self._place()} names the shared text {shown(text)}, which there is not")
        shared = self._texts[number]
        self.shared_size += len(shared)
        return shared

    def _place(self) -> str:
        return f"{letters_of(self._column - 1)}{self._row}"


def _read_date(text: str) -> Any:
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return text


READ_TYPE: Final[dict[str, Callable[[str], Any]]] = {
    "str": str,
    "inlineStr": str,
    "b": lambda text: text.strip() in ("1", "true"),
    "e": CellError,
    "d": _read_date,
}
"""How the value of a cell is read, by its type; numbers and shared texts need more than the value."""


class _Columns(dict[str, int]):
    """The number of a column, from 1, by its letters: A, B, ..., Z, AA."""

    def __missing__(self, letters: str) -> int:
        number = 0
        for letter in letters.upper():
            number = 26 * number + ord(letter) - ord("A") + 1
        self[letters] = number
        return number


COLUMNS: Final = _Columns()


def letters_of(column: int) -> str:
    """The name of a column, counted from 0, in Excel: A, B, ..., Z, AA."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters
