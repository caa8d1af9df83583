"""Excel workbooks, read by python-calamine and never written: a sheet is a table of cells in any layout."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from stagg.errors import TooLarge, need, shown
from stagg.formats.base import ROLES, Loaded, ReadOnly, ReadOptions, number_text, parse_whole
from stagg.formats.cell_tables import read_cell_table
from stagg.formats.cells import CellTable
from stagg.formats.named_columns import NO_CELLS, loaded
from stagg.formats.patterns import pattern
from stagg.formats.roles import is_long, name_roles, plain_name
from stagg.formats.source import ZIP_MARK, Source

__all__ = ["Excel"]

MOST_DIGITS: Final = 1e15
TIMES: Final = pattern(r"time|date|voter|name|id$|respond|submitted|completed")
ERROR_CELL: Final = pattern(r"#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!)")


class Excel(ReadOnly):
    """Excel workbook (.xlsx): one sheet, a table in any layout; read only, needs python-calamine."""

    name = "excel"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(ZIP_MARK) and b"xl/" in first_bytes

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        if not source.peek(1):
            return loaded(NO_CELLS, source, options)
        if not source.peek(4).startswith(ZIP_MARK):
            raise source.error("this is not an Excel workbook (.xlsx); if it is a table of text, say format='csv'")
        rows = _pick_sheet(_open_sheets(source), source, options)
        records = [(number, [_text(cell) for cell in row]) for number, row in enumerate(rows, start=1)]
        filled = [(number, cells) for number, cells in records if any(cells)]
        if not filled:
            return loaded(NO_CELLS, source, options)
        _refuse_odd_cells(rows, filled[0], source, options)
        return read_cell_table(CellTable.of(filled), source, options)


def _open_sheets(source: Source) -> dict[str, Callable[[], list[list[Any]]]]:
    """{name: how to get its rows} of all sheets."""
    from stagg.formats.excel_bounds import check_workbook  # here: they import zipfile
    from stagg.formats.excel_errors import find_errors, put_errors

    calamine = need("python_calamine", "Excel files", extra="excel", package="python-calamine")
    try:
        file = source.binary()
        check_workbook(file, source.bounds, source.name)
        workbook = calamine.CalamineWorkbook.from_filelike(file)
        names = list(workbook.sheet_names)
    except TooLarge:
        raise
    except Exception as error:  # calamine raises many kinds, some of them its own
        raise source.error(f"this is not an Excel workbook, or it is damaged: {shown(str(error))}") from None

    def rows_of(name: str) -> Callable[[], list[list[Any]]]:
        def read() -> list[list[Any]]:
            try:
                rows: list[list[Any]] = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
                rows = put_errors(rows, find_errors(file, name))
            except Exception as error:
                raise source.error(f"the sheet {shown(name)} cannot be read: {shown(str(error))}") from None
            return rows

        return read

    return {name: rows_of(name) for name in names}


def _pick_sheet(
    sheets: dict[str, Callable[[], list[list[Any]]]], source: Source, options: ReadOptions
) -> list[list[Any]]:
    """The rows of the sheet that is asked for, or of the only one that holds anything."""
    names = list(sheets)
    if options.sheet is not None:
        number = parse_whole(options.sheet) or 0
        name = options.sheet if options.sheet in sheets else names[number - 1] if 1 <= number <= len(names) else None
        if name is None:
            listed = ", ".join(map(shown, names))
            raise source.error(f"there is no sheet {shown(options.sheet)}; the sheets are {listed}")
        return sheets[name]()
    filled = {name: rows for name in names if _has_cells(rows := sheets[name]())}
    if len(filled) > 1:
        calls = " or ".join(f"sheet={shown(name)}" for name in filled)
        raise source.error(f"{len(filled)} sheets hold cells; say which to read: {calls}")
    return next(iter(filled.values()), [])


def _has_cells(rows: list[list[Any]]) -> bool:
    return any(_text(cell) for row in rows for cell in row)


def _text(cell: Any) -> str:
    """A cell as text: whole numbers without a point, trimmed."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < MOST_DIGITS else number_text(cell)
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    return "" if cell is None else str(cell).strip(" \t\r\n")


def _refuse_odd_cells(
    rows: list[list[Any]], first: tuple[int, list[str]], source: Source, options: ReadOptions
) -> None:
    """Excel makes dates of names such as SEPT2: a date in the place of an id is an error.

    So are fractions and numbers of more digits than Excel keeps, #N/A, and formulas without a result.
    """
    from stagg.formats.excel_errors import NOT_COMPUTED

    names = first[1]
    roles = name_roles(names, source, options, first[0])
    used = [column for column, role in enumerate(roles) if role in ROLES] if is_long(roles) else range(len(names))
    for number, row in enumerate(rows, start=1):
        for column, cell in enumerate(row):
            if column not in used or (number == first[0] and not _is_date(cell)):
                continue
            place = f"{_letters(column)}{number}"
            if _is_date(cell) and not TIMES.search(plain_name(names[column])):
                message = f"the cell {place} is a date ({_text(cell)}); Excel makes dates of names such as SEPT2: "
                raise source.error(message + "format the column as text and type the name again", number)
            if roles[column] in ROLES[:3] and isinstance(cell, float) and not cell.is_integer():
                raise source.error(f"the cell {place} is a fraction; ids are text or whole numbers", number)
            if isinstance(cell, float) and abs(cell) >= MOST_DIGITS and roles[column] not in ("rank", "score"):
                message = f"the cell {place} is a number of more than 15 digits, of which Excel keeps only 15: "
                raise source.error(message + "format the column as text and type the id again", number)
            if cell == NOT_COMPUTED:
                message = f"the cell {place} holds a formula without its result: "
                raise source.error(message + "open the file in a spreadsheet program and save it there", number)
            if isinstance(cell, str) and ERROR_CELL.fullmatch(cell):
                raise source.error(
                    f"the cell {place} holds the error {cell}; correct its formula, or empty the cell", number
                )


def _is_date(cell: Any) -> bool:
    return isinstance(cell, datetime.date | datetime.time)


def _letters(column: int) -> str:
    """The name of a column in Excel: A, B, ..., Z, AA."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters
