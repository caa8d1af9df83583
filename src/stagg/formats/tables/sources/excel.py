"""Excel workbooks, read and never written: a sheet is a table of cells in any layout."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from stagg.errors import StaggError, printable, shown
from stagg.formats.format import Loaded, ReadOnly
from stagg.formats.numbers import number_text, parse_whole
from stagg.formats.options import ROLES, ReadOptions
from stagg.formats.patterns import pattern
from stagg.formats.storage.source import ZIP_MARK, Source
from stagg.formats.tables.cell_tables import read_cell_table
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.named_columns import NO_CELLS, loaded
from stagg.formats.tables.roles import is_long, name_roles, plain_name
from stagg.formats.tables.sources.excel_cells import NOT_COMPUTED, CellError, letters_of

if TYPE_CHECKING:
    from stagg.formats.tables.sources.excel_archive import Row, Workbook

__all__ = ["Excel"]

MOST_DIGITS: Final = 1e15
TIMES: Final = pattern(r"time|date|voter|name|id$|respond|submitted|completed")
ERROR_CELL: Final = pattern(r"#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!)")


class Excel(ReadOnly):
    """Excel workbook (.xlsx): one sheet, a table in any layout; read only."""

    name = "excel"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(ZIP_MARK) and b"xl/" in first_bytes

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        if not source.peek(1):
            return loaded(NO_CELLS, source, options)
        if not source.peek(4).startswith(ZIP_MARK):
            raise source.error("this is not an Excel workbook (.xlsx); if it is a table of text, say format='csv'")
        rows = _pick_sheet(_open_workbook(source), source, options)
        records = [(number, [_text(cell) for cell in row]) for number, row in rows]
        filled = [(number, cells) for number, cells in records if any(cells)]
        if not filled:
            return loaded(NO_CELLS, source, options)
        _refuse_odd_cells(rows, filled[0], source, options)
        return read_cell_table(CellTable.of(filled), source, options)


def _open_workbook(source: Source) -> Workbook:
    from stagg.formats.tables.sources.excel_archive import Workbook  # here: it imports zipfile

    with _told(source, "this is not an Excel workbook, or it is damaged"):
        return Workbook(source)


def _read_rows(workbook: Workbook, name: str, source: Source) -> list[Row]:
    with _told(source, f"the sheet {shown(name)} cannot be read"):
        return workbook.read_rows(name)


@contextlib.contextmanager
def _told(source: Source, what: str) -> Iterator[None]:
    """Our own error for whatever zipfile and expat raise, which are many kinds."""
    try:
        yield
    except StaggError:
        raise
    except Exception as error:
        raise source.error(f"{what}: {printable(str(error), longest=200)}") from None


def _pick_sheet(workbook: Workbook, source: Source, options: ReadOptions) -> list[Row]:
    """The rows of the sheet that is asked for, or of the only one that holds anything."""
    names = list(workbook.sheets)
    if options.sheet is not None:
        number = parse_whole(options.sheet) or 0
        name = options.sheet if options.sheet in names else names[number - 1] if 1 <= number <= len(names) else None
        if name is None:
            listed = ", ".join(map(shown, names))
            raise source.error(f"there is no sheet {shown(options.sheet)}; the sheets are {listed}")
        return _read_rows(workbook, name, source)
    filled = {name: rows for name in names if _has_cells(rows := _read_rows(workbook, name, source))}
    if len(filled) > 1:
        calls = " or ".join(f"sheet={shown(name)}" for name in filled)
        raise source.error(f"{len(filled)} sheets hold cells; say which to read: {calls}")
    return next(iter(filled.values()), [])


def _has_cells(rows: list[Row]) -> bool:
    return any(_text(cell) for _, row in rows for cell in row)


def _text(cell: Any) -> str:
    """A cell as text: whole numbers without a point, trimmed."""
    if isinstance(cell, str):
        return cell.strip(" \t\r\n")
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < MOST_DIGITS else number_text(cell)
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    return str(cell)


def _refuse_odd_cells(rows: list[Row], first: tuple[int, list[str]], source: Source, options: ReadOptions) -> None:
    """Excel makes dates of names such as SEPT2: a date in the place of an id is an error.

    So are fractions and numbers of more digits than Excel keeps, #N/A, and formulas without a result.
    """
    names = first[1]
    roles = name_roles(names, source, options, first[0])
    used = [column for column, role in enumerate(roles) if role in ROLES] if is_long(roles) else range(len(names))
    for number, row in rows:
        for column in used:
            cell = row[column]
            if number == first[0] and not _is_date(cell):
                continue
            if oddity := _find_oddity(cell, names[column], roles[column]):
                raise source.error(f"the cell {letters_of(column)}{number} {oddity}", number)


def _find_oddity(cell: Any, name: str, role: str) -> str | None:
    """The fault of a cell of a column of this name and role, and what to do; None if there is no fault."""
    if isinstance(cell, float):
        if role in ROLES[:3] and not cell.is_integer():
            return "is a fraction; ids are text or whole numbers"
        if abs(cell) >= MOST_DIGITS and role not in ("rank", "score"):
            kept = "is a number of more than 15 digits, of which Excel keeps only 15"
            return f"{kept}: format the column as text and type the id again"
    elif _is_date(cell) and not TIMES.search(plain_name(name)):
        made = f"is a date ({_text(cell)}); Excel makes dates of names such as SEPT2"
        return f"{made}: format the column as text and type the name again"
    elif cell is NOT_COMPUTED:
        return "holds a formula without its result: open the file in a spreadsheet program and save it there"
    elif isinstance(cell, CellError) or (isinstance(cell, str) and cell[:1] == "#" and ERROR_CELL.fullmatch(cell)):
        return f"holds the error {printable(cell, longest=40)}; correct its formula, or empty the cell"
    return None


def _is_date(cell: Any) -> bool:
    return isinstance(cell, datetime.date | datetime.time)
