"""JSON rows: objects with named values, one per listed item, or the rows of a table in any layout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.errors import shown
from stagg.formats.documents.json_lists import holds_list
from stagg.formats.format import Loaded
from stagg.formats.numbers import number_text
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.named_columns import Cells, check_header, loaded
from stagg.formats.tables.roles import check_ignored, is_long, name_roles
from stagg.say import name_option, tell

__all__ = ["Rows", "cells_of_objects", "find_rows", "load_objects", "refuse_table_options"]

Rows = Sequence[tuple[int, dict[str, Any]]]
"""(line, object) pairs; in an array, the number of the object."""


def load_objects(objects: Rows, reading: Reading) -> Loaded:
    """Rankings from objects: a long table if their names say so, else a table of cells in any layout."""
    names = list(dict.fromkeys(name for _, each in objects for name in each))
    reading = reading.with_options(header=None)  # the names are never data
    roles = name_roles(names, reading, objects[0][0])
    if is_long(roles) and reading.options.layout in (None, "long"):
        return _load_long(objects, names, roles, reading)
    from stagg.formats.tables.stages import read_table  # here: long tables start without the layouts

    return read_table(cells_of_objects(objects, names, reading), reading)


def find_rows(whole: Any) -> list[tuple[int, dict[str, Any]]] | None:
    """(number, object) of an array of objects, or of the only one in an object that says no more than texts besides."""
    if isinstance(whole, dict):
        arrays = [value for value in whole.values() if _are_objects(value)]
        others = [value for value in whole.values() if isinstance(value, list | dict) and value not in arrays]
        alone = len(arrays) == 1 and (not others or holds_list(arrays[0][0]))  # candidates stand beside ballots
        whole = arrays[0] if alone else None
    return list(enumerate(whole, start=1)) if _are_objects(whole) else None


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def refuse_table_options(reading: Reading) -> None:
    """Options that are said of tables are an error where a document is none."""
    for option in ("columns", "layout"):
        if getattr(reading.options, option) not in (None, {}, "long"):
            what = " is for a table, in JSON an array of objects: [{query, item, score}, …]"
            raise reading.error(tell(name_option(option), what), 1)


def _load_long(objects: Rows, names: list[str], roles: list[str], reading: Reading) -> Loaded:
    """One row per listed item: numbers stay numbers, and ids are as they are."""
    line = objects[0][0]
    known = check_header(roles, reading, line, own=names)
    check_ignored(roles, reading, line)
    columns = {role: [each.get(names[roles.index(role)]) for _, each in objects] for role in known}
    return loaded(Cells(columns, np.array([line for line, _ in objects], dtype=np.intp)), reading)


def cells_of_objects(objects: Rows, names: list[str], reading: Reading) -> CellTable:
    """The objects as rows of cells; what holds arrays or objects is no column, unless the caller names it."""
    said = "+".join((reading.options.columns or {}).values())
    nested = {name for _, each in objects for name, value in each.items() if isinstance(value, list | dict)}
    flat = [name for name in names if name not in nested or name in said]
    left_out = [shown(name) for name in names if name not in flat]
    if left_out and len(flat) < 2:
        raise reading.error(
            f"the objects hold {', '.join([*left_out[:5], *map(shown, flat)])}: where are the ranked items? Write one "
            "object for each listed item: {query, item, score}",
            objects[0][0],
        )
    if left_out:
        holds = "holds" if len(left_out) == 1 else "hold"
        reading.note(f"left out {', '.join(left_out[:20])}, which {holds} arrays or objects")
    records = [(objects[0][0], flat), *((line, [_text(each.get(name)) for name in flat]) for line, each in objects)]
    return CellTable.of(records, header=True)


def _text(value: Any) -> str:
    """A value as the text of a cell."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value) if isinstance(value, bool | list | dict) else number_text(value)
