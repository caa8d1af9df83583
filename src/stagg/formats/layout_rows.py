"""Rankings from a table that is not one row per listed item: each layout has its reader."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Final

from stagg.formats.ballots import read_ballots
from stagg.formats.base import Loaded, ReadOptions, Understood, refuse_order_by
from stagg.formats.cells import CellTable
from stagg.formats.id_layouts import read_columns, read_list
from stagg.formats.layouts import Sheet, lay_out
from stagg.formats.number_layouts import read_grid, read_wide
from stagg.formats.pairs import read_pairs
from stagg.formats.source import Source

__all__ = ["read_layout"]


def read_layout(table: CellTable, source: Source, options: ReadOptions) -> Loaded:
    """Rankings from a table of cells that is not one row per listed item."""
    refuse_order_by(source, options, "this table has no column 'rank' beside a column 'score'")
    sheet = lay_out(table, source, options)
    reader = READERS[sheet.layout]
    loaded, direction = reader(sheet, source, options)
    return dataclasses.replace(loaded, understood=Understood(sheet.layout, direction, sheet.delimiter))


READERS: Final[dict[str, Callable[[Sheet, Source, ReadOptions], tuple[Loaded, str]]]] = {
    "columns": read_columns,
    "ballots": read_ballots,
    "list": read_list,
    "wide": read_wide,
    "grid": read_grid,
    "pairs": read_pairs,
}
