"""``stagg inspect``: what an input holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from stagg.cli.reading import inputs, load_inputs, opened, quiet_option
from stagg.cli.table_output import plain_reading_options
from stagg.cli.talk import busy, print_json, print_table
from stagg.errors import bare
from stagg.evaluation.inspection import AGREEMENT_DEPTH, inspect
from stagg.formats import ReadOptions
from stagg.formats.log import FileReading
from stagg.kernels.arrays import FloatArray

__all__ = ["command"]

FEW_RANKERS = 12
FEW_NAMES = 6
FILE_COLUMNS = ("file", "format", "layout", "order", "separator", "queries", "rankers")
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "": None}
COLUMNS = ("ranker", "queries", "lengths", "tied", "overlap", "agreement")
NOTE = (
    "lengths: of the shortest, the median and the longest list; tied: rows that share their place; overlap: common "
    "items / all items of two lists (Jaccard), the mean over the other rankers; agreement: Kendall's tau over the "
    f"pairs that both order. Overlap and agreement use the first {AGREEMENT_DEPTH} items of each list."
)


@click.command("inspect")
@inputs
@plain_reading_options
@quiet_option
def command(inputs: Sequence[str], reading: tuple[str, ReadOptions], as_json: bool, quiet: bool) -> None:
    """Show how stagg understands your files. Run it before you fuse.

    For each file it prints the format, the layout, whether numbers are ranks or scores, and the rankers. Then it prints
    how many queries, rankers and ties there are, how long the lists are, and how far the rankers overlap and agree.

    \b
    stagg inspect bm25.trec dense.trec
    stagg inspect survey.xlsx
    stagg inspect MQ2008-agg/A1.txt --json
    """
    with opened(inputs, reading) as files:
        loaded = load_inputs(files, quiet=quiet)
        readings = [_understood(each) for each in files.log.readings]
    with busy("comparing the rankers", quiet=quiet):
        found = inspect(loaded.rankings, loaded.labels)
    if as_json:
        more: dict[str, Any] = {"overlap": _cells(found.overlap), "agreement": _cells(found.agreement)}
        print_json("inspect", found.rankers, totals=found.totals, files=readings, **more)
        return
    print_table("Understood", FILE_COLUMNS, [_reading_row(each) for each in readings])
    several = found.totals["queries"] > 1
    facts = [[_name_fact(name, several=several), _fact(value)] for name, value in found.totals.items()]
    print_table("", ("input", ""), facts)
    print_table("Rankers", COLUMNS, [_ranker_row(row) for row in found.rankers], note=NOTE)
    names = loaded.rankings.rankers
    if 1 < len(names) <= FEW_RANKERS:
        _print_matrix("Overlap", names, found.overlap)
        _print_matrix("Agreement", names, found.agreement)


def _understood(reading: FileReading) -> dict[str, Any]:
    separator = SEPARATORS.get(reading.delimiter or "", reading.delimiter)
    return {
        "file": reading.file,
        "format": reading.format,
        "layout": reading.layout,
        "direction": reading.direction,
        "delimiter": separator,
        "queries": reading.queries,
        "rankers": list(reading.rankers),
    }


def _reading_row(row: dict[str, Any]) -> list[Any]:
    names = [bare(name) for name in row["rankers"][:FEW_NAMES]]
    more = len(row["rankers"]) - len(names)
    listed = ", ".join(names) + (f" and {more:,} more" if more else "")
    return [
        os.path.basename(row["file"]),  # the path is in --json
        row["format"],
        row["layout"],
        row["direction"],
        row["delimiter"] or "-",
        row["queries"],
        listed,
    ]


def _ranker_row(row: dict[str, Any]) -> list[Any]:
    lengths = f"{row['shortest']} / {row['median']:g} / {row['longest']}"
    return [row["ranker"], row["queries"], lengths, row["tied"], _blank(row["overlap"]), _blank(row["agreement"])]


def _print_matrix(title: str, names: Sequence[str], table: FloatArray) -> None:
    """Rows by name, columns by the number of the ranker: names are long, and there are many."""
    rows = [
        [f"{a + 1} {name}", *["" if a == b else _blank(_round(value)) for b, value in enumerate(table[a])]]
        for a, name in enumerate(names)
    ]
    print_table(title, ("", *map(str, range(1, len(names) + 1))), rows)


def _cells(table: FloatArray) -> list[list[float | None]]:
    return [[_round(value) for value in row] for row in table]


def _round(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def _blank(value: Any) -> Any:
    return "-" if value is None else round(value, 3) if isinstance(value, float) else value


def _name_fact(name: str, *, several: bool) -> str:
    """The name of a total; where there are several queries, an item of two of them counts twice."""
    return "query-item pairs" if name == "items" and several else name.replace("_", " ")


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:,}"
