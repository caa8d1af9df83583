"""Excel workbooks, read and never written: a sheet is a table of cells in any layout."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from stagg.data.parts import join_queries, join_rankers
from stagg.errors import StaggError, printable, shown
from stagg.formats.format import ONE_QUERY, Loaded, ReadOnly
from stagg.formats.numbers import number_text, parse_whole
from stagg.formats.options import ROLES
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.storage.source import ZIP_MARK
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.named_columns import NO_CELLS, loaded
from stagg.formats.tables.roles import is_long, name_roles
from stagg.formats.tables.sources.excel_cells import NOT_COMPUTED, CellError, letters_of
from stagg.formats.tables.vocabulary import plain_name
from stagg.say import Say, tell

if TYPE_CHECKING:
    from stagg.formats.tables.sources.excel_archive import Row, Workbook

__all__ = ["Excel"]

EVERY_SHEET: Final = "*"
MOST_SHEETS: Final = 20  # that a question names
MOST_DIGITS: Final = 1e15
TIMES: Final = pattern(
    r"time|date|voter|name|id$|respond|submitted|completed|zeit|datum|hora|heure|fecha|data|ora_|tijd|tid$|dato|день|время|日"
)
ERROR_CELL: Final = pattern(r"#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!)")


class Excel(ReadOnly):
    """Excel workbook (.xlsx): one sheet, a table in any layout; read only.

    These are errors: a date where an id is expected, because Excel turns gene names such as SEPT2 into dates; a number
    of more than 15 digits, because Excel rounds it; a formula that failed (#N/A) or whose result was not saved; a cell
    that stands so far from the table that the sheet would span many more cells than the file has bytes; and what no
    spreadsheet program writes: a cell behind XFD1048576, a row that comes twice, a shared text that is missing.
    """

    name = "excel"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(ZIP_MARK) and b"xl/" in first_bytes

    def read(self, reading: Reading) -> Loaded:
        if reading.options.sheet == EVERY_SHEET and reading.source.peek(1):
            return self._read_every_sheet(reading)
        table = self.cells(reading, _find_roles) if reading.source.peek(1) else CellTable.of([])
        if not table.rows:
            return loaded(NO_CELLS, reading)
        from stagg.formats.tables.stages import read_table  # here: a CSV file is looked at, whether it is a workbook

        return read_table(table, reading)

    def _read_every_sheet(self, reading: Reading) -> Loaded:
        """The sheets side by side: each is a ranker, or a query where it holds several rankers."""
        parts: dict[str, Loaded] = {}
        for name in _list_sheets(reading):
            part = self.read(reading.with_options(sheet=name))
            if part.rankings.queries:
                parts[name] = part
        if not parts:
            return loaded(NO_CELLS, reading)
        whole = next(iter(parts.values()))
        several = any(part.names_rankers for part in parts.values())
        named = [
            part.rankings.replace(queries=(name,)) if several and part.rankings.queries == (ONE_QUERY,)
            else part.rankings if several else part.rankings.with_rankers([name])
            for name, part in parts.items()
        ]  # fmt: skip
        joined = join_queries(named) if several else join_rankers(named)
        reading.note(f"every sheet is a {'query' if several else 'ranker'}, such as {shown(next(iter(parts)))}")
        return dataclasses.replace(whole, rankings=joined, names_rankers=True, query_of_file=False)

    def cells(self, reading: Reading, find_roles: Callable[[list[str], Reading, int], dict[int, str]]) -> CellTable:
        """All cells of a sheet; ``find_roles`` gives {column: role} of those that are read, and must not be odd."""
        if not reading.source.peek(4).startswith(ZIP_MARK):
            told = "this is not an Excel workbook (.xlsx); if it is a table of text, say "
            raise reading.error(tell(told, Say(format="csv")))
        rows = _pick_sheet(_open_workbook(reading), reading, several=find_roles is _find_roles)
        records = [(number, [_text(cell) for cell in row]) for number, row in rows]
        filled = [(number, cells) for number, cells in records if any(cells)]
        if filled:
            first, names = filled[0]
            for number, column in _find_odd_cells(rows, first, names, find_roles(names, reading, first), reading):
                records[number][1][column] = ""
        return CellTable.of([record for record in filled if any(record[1])])


def _find_roles(names: list[str], reading: Reading, line: int) -> dict[int, str]:
    """{column: role} of the columns that a table of rankings uses: all of them, unless it is a long one."""
    roles = name_roles(names, reading, line)
    return {column: role for column, role in enumerate(roles) if role in ROLES or not is_long(roles)}


def _open_workbook(reading: Reading) -> Workbook:
    from stagg.formats.tables.sources.excel_archive import Workbook  # here: it imports zipfile

    with _told(reading, "this is not an Excel workbook, or it is damaged"):
        return Workbook(reading)


def _read_rows(workbook: Workbook, name: str, reading: Reading) -> list[Row]:
    with _told(reading, f"the sheet {shown(name)} cannot be read"):
        return workbook.read_rows(name)


@contextlib.contextmanager
def _told(reading: Reading, what: str) -> Iterator[None]:
    """Our own error for whatever zipfile and expat raise, which are many kinds."""
    try:
        yield
    except StaggError:
        raise
    except Exception as error:
        raise reading.error(f"{what}: {printable(str(error), longest=200)}") from None


def _list_sheets(reading: Reading) -> list[str]:
    """The names of the sheets that hold anything."""
    workbook = _open_workbook(reading)
    return [name for name in workbook.sheets if _has_cells(_read_rows(workbook, name, reading))]


def _pick_sheet(workbook: Workbook, reading: Reading, *, several: bool) -> list[Row]:
    """The rows of the sheet that is asked for, or of the only one that holds anything; ``several`` may be read, too."""
    names = list(workbook.sheets)
    asked = reading.options.sheet
    if asked is not None:
        number = parse_whole(asked) or 0
        name = asked if asked in names else names[number - 1] if 1 <= number <= len(names) else None
        if name is None:
            listed = ", ".join(map(shown, names))
            raise reading.error(f"there is no sheet {shown(asked)}; the sheets are {listed}")
        return _read_rows(workbook, name, reading)
    filled = {name: rows for name in names if _has_cells(rows := _read_rows(workbook, name, reading))}
    if len(filled) > 1:
        ways = [Say(sheet=name) for name in list(filled)[:MOST_SHEETS]]
        every = Say(sheet=EVERY_SHEET), "each is a ranker, or a query of several rankers"
        raise reading.ask(f"{len(filled)} sheets hold cells; which is to be read?", *ways, *([every] * several))
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


def _find_odd_cells(
    rows: list[Row], first: int, names: list[str], roles: dict[int, str], reading: Reading
) -> list[tuple[int, int]]:
    """(place of the row, column) of the cells that are to be left out; an error unless that is said.

    Excel makes dates of names such as SEPT2: a date in the place of an id is odd. So are fractions and numbers of more
    digits than Excel keeps, #N/A, and formulas without a result.
    """
    moments = {column for column in roles if _holds_moments([row[column] for _, row in rows])}
    found = []
    for place, (number, row) in enumerate(rows):
        for column, role in roles.items():
            cell = row[column]
            if (number == first and not _is_date(cell)) or (column in moments and _is_date(cell)):
                continue
            if oddity := _find_oddity(cell, names[column], role):
                if not reading.options.lenient:
                    told = f"the cell {letters_of(column)}{number} {oddity}"
                    raise reading.error(tell(told, "; or say ", Say(lenient=True), " to leave such cells out"), number)
                if role not in ROLES:  # else the row goes, and is counted
                    reading.drop("date, fraction or error in the place of a name", number)
                found.append((place, column))
    return found


def _holds_moments(cells: list[Any]) -> bool:
    """Whether most cells of a column are dates with a time of day, which Excel makes of no name: somebody answered."""
    filled = [cell for cell in cells if cell != ""]
    return 2 * sum(isinstance(cell, datetime.datetime) for cell in filled) > len(filled)


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
