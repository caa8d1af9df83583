"""Tables of numbers: what wide tables and grids share, and the reading of their cells."""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stagg.errors import DataError, plural, shown
from stagg.formats.numbers import number_text, parse_whole
from stagg.formats.options import ROLES
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import (
    COMMA_DECIMALS,
    COMMA_NUMBER,
    POINTED_THOUSANDS,
    DecimalCommas,
    is_number_cell,
    note_percent,
    note_thousands,
    read_number,
)
from stagg.formats.tables.layouts.base import Layout, Sheet, refuse_long_rows
from stagg.formats.tables.ordinals import read_ordinal, read_place
from stagg.formats.tables.profile import CellColumn, Profile, are_ticks, read_tick
from stagg.formats.tables.roles import describes_items, names_other_role, say_columns, sums_up
from stagg.formats.tables.row_builder import note_ignored
from stagg.formats.tables.vocabulary import ITEM_WORDS, SURE_VOTERS, VOTER_WORDS
from stagg.formats.tables.written_numbers import is_cost, is_missing, is_written_number, read_written_column
from stagg.say import Say, tell

__all__ = [
    "NumberTable",
    "find_costs",
    "is_named",
    "may_be_number",
    "points_thousands",
    "read_number_cells",
    "refuse_same_names",
    "without_texts",
    "without_totals",
]

FIRST_ROWS: Final = 20
ROUNDED: Final = 0.05  # by so much a sum may differ from the numbers that are shown
BAND: Final = re.compile(r"([0-9]{1,6})(?: ?[-–—] ?[0-9]{1,6}|\+)")


class NumberTable(Layout):
    """A table of numbers beside a column that names what each row is about."""

    @staticmethod
    def holds_numbers(profile: Profile) -> bool:
        """Whether all columns but the one that names the rows hold numbers."""
        rest = [profile.columns[number] for number in profile.owned]
        if profile.header is False or not rest or not all(column.is_mostly_numbers for column in rest):
            return False
        owner = profile.columns[profile.owner]
        told = profile.roles[owner.number] in ("item", "ranker") or owner.plain in (*ITEM_WORDS, *SURE_VOTERS)
        return not owner.is_mostly_numbers or (told and not any(names_other_role(column.name) for column in rest))

    def ways(self, profile: Profile) -> list[Say]:
        given = {"rank", "score"} & {*(profile.reading.options.columns or {})}  # of the items, one to each row
        if given or not profile.body or not profile.place_columns or self._is_refuted(profile):
            return []
        if profile.header is not None:
            return [Say(layout=self.name)]
        likely = not profile.first_has_numbers
        both = [Say(layout=self.name, header=likely), Say(layout=self.name, header=not likely)]
        return both[:1] if likely else both

    def has_header(self, profile: Profile) -> bool:
        cells, known = profile.first[1:], {*profile.plain} & {*ROLES, *SURE_VOTERS}
        numbers = [parse_whole(cell) for cell in cells]
        first = numbers[0] if numbers else None
        counted = first is not None and numbers == list(range(first, first + len(cells)))
        if len(cells) > 1 and not known and counted:  # years, or judges
            raise profile.ask_header()
        named = (column for column in profile.columns[1:] if not is_number_cell(column.name))
        return bool(known) or any(column.is_mostly_numbers for column in named)

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        refuse_long_rows(sheet, reading)
        super().check(sheet, reading, line)

    def _is_refuted(self, profile: Profile) -> bool:
        """Whether the first rows show that this is not a table of numbers: there are ids among them."""
        if profile.header is False:
            return False
        others = [c for c in profile.columns if c.number != profile.owner and c.name and c.plain not in VOTER_WORDS]
        return any(_holds_ids(column) for column in others)


def _holds_ids(column: CellColumn) -> bool:
    """Whether the first cells of a column are ids with digits, which a reader of numbers takes for bad numbers."""
    cells = column.cells[:FIRST_ROWS]
    return any(any(map(str.isdigit, cell)) for cell in cells) and not column.is_mostly_numbers


def read_number_cells(
    sheet: Sheet, columns: Sequence[int], reading: Reading, *, by_row: int | None = None
) -> dict[tuple[int, int], float]:
    """{(row, column): number} of the cells that are not empty; places (1st, =2) are numbers, and so are ticks.

    The numbers of a column are written in one way; ``by_row``: those of a row, which this column names.
    """
    cells = [row[column] for row in sheet.rows for column in columns]
    if reading.options.values == "score" and are_ticks(cells):
        filled = ((place, column) for place, row in enumerate(sheet.rows) for column in columns if row[column])
        ticks = {at: read_tick(sheet.rows[at[0]][at[1]]) for at in filled}
        return {at: tick for at, tick in ticks.items() if tick is not None}
    note_percent(cells, reading)
    commas = sheet.delimiter in COMMA_DECIMALS
    pointed = commas and points_thousands(cells)
    if commas and not pointed:
        note_thousands(_cells_with_one_point(sheet, columns, by_row), reading)
    groups = [
        _Numbers(name, ats, sheet, commas=commas, pointed=pointed) for name, ats in _group(sheet, columns, by_row)
    ]
    _note_missing(groups, reading)
    _note_written(groups, reading)
    _note_bands(groups, sheet, reading)
    written = {at: number for group in groups for at, number in group.written.items()}
    return _read_in_order(groups, sheet, written, reading)


def _cells_with_one_point(sheet: Sheet, columns: Sequence[int], by_row: int | None) -> Iterator[str]:
    """The cells but those of columns (or rows) where two points, as in 1.250.000, show what points mean."""
    for _, ats in _group(sheet, columns, by_row):
        cells = [sheet.rows[place][column] for place, column in ats]
        if all(cell.count(".") < 2 for cell in cells):
            yield from cells


def _group(sheet: Sheet, columns: Sequence[int], by_row: int | None) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """(the name of a column or row of numbers, the places of its cells)."""
    places = range(len(sheet.rows))
    if by_row is None:
        return ((sheet.name_of(c), [(place, c) for place in places if sheet.rows[place][c]]) for c in columns)
    return ((sheet.rows[p][by_row], [(p, c) for c in columns if sheet.rows[p][c]]) for p in places)


class _Numbers:
    """The cells of one column of numbers (or of one row): those that are missing, odd, or written in people's way."""

    def __init__(self, name: str, places: list[tuple[int, int]], sheet: Sheet, *, commas: bool, pointed: bool) -> None:
        self.name, self.commas = name, commas
        text = {at: sheet.rows[at[0]][at[1]] for at in places}
        self.missing = {at: cell for at, cell in text.items() if is_missing(cell)}
        cells = {at: cell for at, cell in text.items() if at not in self.missing}
        plain = {at for at, cell in cells.items() if self._is_plain(cell)}
        self.odd = {at: cell for at, cell in cells.items() if at not in plain and not is_written_number(cell)}
        self.bands = _find_bands(self.odd, [cells[at] for at in plain])
        self.odd = {at: cell for at, cell in self.odd.items() if at not in self.bands}
        kept = {at: cell for at, cell in cells.items() if at not in self.odd and at not in self.bands}
        has_points = pointed and any(map(POINTED_THOUSANDS.fullmatch, kept.values()))
        self.column = None
        self.written: dict[tuple[int, int], float] = {}
        self.plain = kept
        if kept.keys() - plain or has_points:
            self.column = read_written_column(list(kept.values()), commas=commas, pointed=pointed)
        signs = [cell.endswith("%") for cell in self.plain.values() if cell.strip("0.,%")]  # 0 is 0 %
        self.has_percent = signs[0] if signs else None
        if self.column is not None:
            self.plain = {}
            self.written = dict(zip(kept, self.column.numbers, strict=True))
        self.written |= self.bands

    def _is_plain(self, cell: str) -> bool:
        number = read_number(cell) is not None or (self.commas and COMMA_NUMBER.fullmatch(cell) is not None)
        return number or read_place(cell) is not None


def _find_bands(odd: Mapping[tuple[int, int], str], others: Sequence[str]) -> dict[tuple[int, int], float]:
    """{cell: its first place} where all odd cells are bands of places behind the others: 501-600, 1001+."""
    places = [read_place(cell) or math.inf for cell in others]
    found = {at: float(match[1]) for at, cell in odd.items() if (match := BAND.fullmatch(cell))}
    behind = len(found) == len(odd) and places and min(found.values(), default=0) > max(places)
    return found if behind else {}


def _read_in_order(
    groups: Sequence[_Numbers], sheet: Sheet, found: dict[tuple[int, int], float], reading: Reading
) -> dict[tuple[int, int], float]:
    """The numbers with those of plain cells, line by line; cells that are no numbers are errors, or dropped."""
    commas = DecimalCommas(reading, sheet.delimiter)
    plain = {at: (cell, group) for group in groups for at, cell in (*group.plain.items(), *group.odd.items())}
    for at in sorted(plain):
        (place, column), (cell, group) = at, plain[at]
        number = None if at in group.odd else commas.read(cell, sheet.lines[place])
        number = read_place(cell) if number is None else number
        if number and group.has_percent not in (None, cell.endswith("%")):
            raise _refuse_two_ways(group, cell, reading, sheet.lines[place])
        if number is not None:
            found[at] = float(number)
        elif at not in group.odd and is_written_number(cell):
            raise _refuse_two_ways(group, cell, reading, sheet.lines[place])
        elif reading.options.lenient:
            reading.drop("bad number", sheet.lines[place])
        else:
            raise reading.error(_describe_no_number(cell, column), sheet.lines[place])
    return dict(sorted(found.items()))


def find_costs(sheet: Sheet, columns: Sequence[int], *, by_row: int | None = None) -> frozenset[int]:
    """The columns (or rows) whose cells are sums of money, or times: of these small ones are often better."""
    groups = _group(sheet, columns, by_row)
    found = [(ats, sum(is_cost(sheet.rows[place][column]) for place, column in ats)) for _, ats in groups]
    return frozenset(ats[0][1 if by_row is None else 0] for ats, costs in found if costs and 2 * costs >= len(ats))


def points_thousands(cells: Sequence[str]) -> bool:
    """Whether points separate thousands: there are decimal commas, and three digits behind every point."""
    pointed = [cell for cell in cells if read_number(cell) is not None and "." in cell]
    commas = any(COMMA_NUMBER.fullmatch(cell) for cell in cells)
    hundreds = [cell for cell in cells if len(cell) == 3 and parse_whole(cell) is not None]  # 980 beside 1.250
    shown_so = commas or (len(pointed) > 2 and len(hundreds) > 1)
    return shown_so and bool(pointed) and all(map(POINTED_THOUSANDS.fullmatch, pointed))


def _note_missing(groups: Sequence[_Numbers], reading: Reading) -> None:
    """Say, once, which words were read as missing numbers, and in which columns."""
    columns = [group for group in groups if group.missing]
    cells = [cell for group in columns for cell in group.missing.values()]
    if cells:
        words, count = ", ".join(map(shown, dict.fromkeys(cells))), plural(len(cells), "cell")
        reading.note(f"{words} ({count} of {_name_columns(columns)}) was read as a missing number")


def _note_written(groups: Sequence[_Numbers], reading: Reading) -> None:
    """Say how the numbers of columns were understood, once for all columns that are written alike."""
    alike: dict[tuple[str, ...], list[_Numbers]] = {}
    for group in groups:
        if group.column is not None and group.column.examples:
            alike.setdefault(tuple(group.column.examples), []).append(group)
    for columns in alike.values():
        assert columns[0].column is not None
        examples = dict(columns[0].column.examples.values())
        read = ", ".join(f"{shown(cell)} as {number_text(number)}" for cell, number in examples.items())
        reading.note(f"{_name_columns(columns)}: read {read}")


def _note_bands(groups: Sequence[_Numbers], sheet: Sheet, reading: Reading) -> None:
    """Say, once, that a band of places was read as its first place."""
    columns = [group for group in groups if group.bands]
    if columns:
        (row, column), place = next(iter(columns[0].bands.items()))
        reading.note(f"{_name_columns(columns)}: read {shown(sheet.rows[row][column])} as {number_text(place)}")


def _name_columns(groups: Sequence[_Numbers]) -> str:
    return ", ".join(shown(group.name) for group in groups[:8]) + (", …" if len(groups) > 8 else "")


def _refuse_two_ways(group: _Numbers, cell: str, reading: Reading, line: int) -> DataError:
    """The error in a column whose numbers are written in ways that do not go together."""
    others = (one for one in group.plain.values() if one.endswith("%") != cell.endswith("%"))
    other = next(others, next((one for one in group.plain.values() if one != cell), cell))
    ways = f"the numbers of {shown(group.name)} are written in different ways ({shown(cell)}, {shown(other)})"
    leave_out = say_columns(ignore=group.name), "they are left out"
    return reading.ask(f"{ways}: write them in one way", leave_out, line=line, before=", or say")


def _describe_no_number(cell: str, column: int) -> str:
    """The error in a cell that must be a number, and what to do about it."""
    message = f"expected a number in column {column + 1}, found {shown(cell)}"
    if "," in cell and any(map(str.isdigit, cell)):
        return f"{message}; write a decimal point, and no separators between thousands"
    leave_out = tell(", or say ", Say(lenient=True), " to leave out every such cell")
    return tell(message, "; empty the cell if there is no number", leave_out)


def without_totals(sheet: Sheet, column: int | None, reading: Reading, *, described: bool = False) -> Sheet:
    """The table without rows that this column names Total, Mean or the like, which are left out with a word.

    ``described``: rows of measures may describe the items as well, such as their sizes and licenses.
    """
    if column is None:
        return sheet
    names = [row[column] for row in sheet.rows]
    told = (p for p, name in enumerate(names) if sums_up(name) or (described and describes_items(name)))
    totals = [place for place in told if described or _may_sum_up(sheet.rows, place, column)]
    if not totals or len(totals) == len(sheet.rows):
        return sheet
    listed = ", ".join(dict.fromkeys(shown(names[place]) for place in totals))
    why = "describes the items, or sums up the others" if described else "sums up the others"
    reading.note(f"left out the row {listed}, which {why}", line=sheet.lines[totals[0]])
    kept = [place for place in range(len(sheet.rows)) if place not in set(totals)]
    rows, lines = [sheet.rows[place] for place in kept], [sheet.lines[place] for place in kept]
    return dataclasses.replace(sheet, rows=rows, lines=lines)


def _may_sum_up(rows: Sequence[Sequence[str]], place: int, named: int) -> bool:
    """Whether the numbers of a row could be means or sums of the others: an item may have such a name, too."""
    fits = []
    for column, cell in enumerate(rows[place]):
        number = None if column == named else read_number(cell)
        others = [read_number(row[column]) for at, row in enumerate(rows) if at != place]
        known = [other for other in others if other is not None]
        if number is not None and known:
            fits.append(min(known) <= number <= max(known) or abs(number - sum(known)) <= ROUNDED * abs(number))
    return not fits or 2 * sum(fits) > len(fits)


def without_texts(sheet: Sheet, columns: list[int], reading: Reading) -> list[int]:
    """The columns that hold numbers; others, such as a title, are ignored with a word."""
    if sheet.names is None:
        return columns
    kept = {column for column in columns if any(may_be_number(row[column]) for row in sheet.rows)}
    _refuse_odd_columns([CellColumn(c, sheet.names[c], sheet.rows) for c in kept], sheet, reading)
    if not kept:
        raise reading.error("there is no column of numbers", sheet.first_line)
    texts = {column for column in columns if column not in kept and any(row[column] for row in sheet.rows)}
    note_ignored([sheet.names[column] for column in columns if column in texts], reading)
    return [column for column in columns if column not in texts]


def _refuse_odd_columns(columns: Sequence[CellColumn], sheet: Sheet, reading: Reading) -> None:
    """A column whose cells have digits, and of which none is a number, may be left out; its owner must say it."""
    for column in columns:
        if column.cells and not any(is_number_cell(c) or is_written_number(c) or read_place(c) for c in column.cells):
            what = f"the column {shown(column.name)} holds no numbers that can be read, but {shown(column.cells[0])}"
            call = say_columns(ignore=sheet.call(column.number))
            raise reading.ask(what, (call, "it is left out"), line=sheet.first_line)


def may_be_number(cell: str) -> bool:
    return any(map(str.isdigit, cell)) or read_ordinal(cell) is not None


def is_named(sheet: Sheet, column: int, reading: Reading) -> bool:
    """Whether a column has a name; one that has none, such as an index, is ignored with a word."""
    if sheet.names is None or sheet.names[column]:
        return True
    if any(row[column] for row in sheet.rows):
        reading.note(f"ignored column {column + 1}, which has no name")
    return False


def refuse_same_names(names: list[str], sheet: Sheet, reading: Reading) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        line = sheet.header_line
        raise reading.error(f"two columns are named {shown(twice)}; rename one of them", line)
