"""The stages of a table: trim, profile, detect, lay out, read; each takes what the one before gave."""

from __future__ import annotations

import dataclasses
from typing import Final

from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import DataError
from stagg.formats.format import Loaded, Understood
from stagg.formats.options import OF_CELLS
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.detect import find_layout
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.layouts.battles import Battles
from stagg.formats.tables.layouts.win_counts import WinCounts
from stagg.formats.tables.named_columns import NO_CELLS, loaded
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.roles import name_roles
from stagg.formats.tables.trim import trim
from stagg.say import Say

__all__ = ["find_battles", "lay_out", "read_table"]

SAMPLE: Final = 1000  # rows that a question tries its answers on


def read_table(table: CellTable, reading: Reading) -> Loaded:
    """Rankings from a table of cells, in the layout that is given or found."""
    if not table.rows:  # every cell is empty
        return loaded(NO_CELLS, reading)
    some = dataclasses.replace(table, rows=table.rows[:SAMPLE], lines=table.lines[:SAMPLE])
    reading = reading.with_options()
    reading.attempt, reading.tries = (lambda other: _read(some, other).rankings), OF_CELLS
    return _read(table, reading)


def find_battles(table: CellTable, reading: Reading) -> BattleRows | None:
    """The battles of a table as they were fought; None if it holds something else, or could."""
    found = _find_battle_layout(table, reading)
    if found is None:
        return None
    table, reading = trim(table, reading)
    return found.tabulate(lay_out(Profile(table, reading), found), reading)


def _find_battle_layout(table: CellTable, reading: Reading) -> WinCounts | Battles | None:
    """The layout that is given, or that the table has without doubt; nothing is noted of another table."""
    said, counts, battles = reading.options.layout, WinCounts(), Battles()
    if said is not None or not table.rows:
        return next((layout for layout in (counts, battles) if layout.name == said), None)
    try:
        profile = Profile(*trim(table, reading.excerpt()))
    except DataError:
        return None
    if counts.fits(profile):  # it only asks about battles
        return counts
    try:
        return battles if battles.fits(profile) else None
    except DataError:  # a question: it is asked of somebody who says that these are battles, or where nothing else fits
        if not battles.surely_fits(profile):
            return None
        raise


def _read(table: CellTable, reading: Reading) -> Loaded:
    table, reading = trim(table, reading)
    profile = Profile(table, reading)
    layout = find_layout(profile)
    roles = layout.find_roles(profile)
    if roles:
        reading = reading.answered(Say(columns=roles))
        profile = Profile(table, reading)
    sheet = lay_out(profile, layout)
    reading = profile.reading
    content, direction = layout.read(sheet, reading)
    return dataclasses.replace(content, understood=Understood(layout.name, direction, table.delimiter, reading.taken))


def lay_out(profile: Profile, layout: Layout) -> Sheet:
    """The table as its layout says."""
    table, reading = profile.table, profile.reading
    header = layout.has_header(profile) if profile.header is None else profile.header
    names = table.rows[0] if header else None
    rows, lines = (table.rows[1:], table.lines[1:]) if header else (table.rows, table.lines)
    roles = name_roles(names or [""] * table.width, reading, table.lines[0])
    sheet = Sheet(names, roles, rows, lines, table.delimiter)
    layout.check(sheet, reading, table.lines[0])
    return sheet
