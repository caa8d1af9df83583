"""Read a table that is not one row per listed item: call the reader of its layout."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Final

from stagg.formats.format import Loaded, Understood
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import refuse_order_by
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.detect import Sheet, lay_out
from stagg.formats.tables.layouts.ballots import read_ballots
from stagg.formats.tables.layouts.id_lists import read_column_lists, read_list
from stagg.formats.tables.layouts.number_grids import read_grid, read_wide
from stagg.formats.tables.layouts.pairs import read_pairs

__all__ = ["read_layout"]


def read_layout(table: CellTable, source: Source, options: ReadOptions) -> Loaded:
    """Rankings from a table of cells that is not one row per listed item."""
    refuse_order_by(source, options, "this table has no column 'rank' beside a column 'score'")
    sheet = lay_out(table, source, options)
    reader = READERS[sheet.layout]
    loaded, direction = reader(sheet, source, options)
    return dataclasses.replace(loaded, understood=Understood(sheet.layout, direction, sheet.delimiter))


READERS: Final[dict[str, Callable[[Sheet, Source, ReadOptions], tuple[Loaded, str]]]] = {
    "columns": read_column_lists,
    "ballots": read_ballots,
    "list": read_list,
    "wide": read_wide,
    "grid": read_grid,
    "pairs": read_pairs,
}
