"""``stagg inspect``: what an input holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from stagg.cli.reading import inputs, quiet_option, read_inputs, reading_options
from stagg.cli.talk import busy, json_option, print_json, print_table
from stagg.data.rankings import FloatArray
from stagg.evaluation.inspection import AGREEMENT_DEPTH, inspect
from stagg.formats import ReadOptions

__all__ = ["command"]

FEW_RANKERS = 12
COLUMNS = ("ranker", "queries", "shortest", "median", "longest", "tied", "overlap", "agreement")


@click.command("inspect")
@inputs
@reading_options
@json_option
@quiet_option
def command(inputs: Sequence[str], reading: tuple[str, ReadOptions], as_json: bool, quiet: bool) -> None:
    """Show queries, rankers, list lengths, ties, overlap and agreement between rankers.

    \b
    stagg inspect bm25.trec dense.trec
    stagg inspect MQ2008-agg/A1.txt --json
    """
    loaded = read_inputs(inputs, reading, quiet=quiet)
    with busy("comparing the rankers", quiet=quiet):
        found = inspect(loaded.rankings, loaded.labels)
    if as_json:
        more: dict[str, Any] = {"overlap": _cells(found.overlap), "agreement": _cells(found.agreement)}
        print_json("inspect", found.rankers, totals=found.totals, **more)
        return
    print_table("", ("input", ""), [[name.replace("_", " "), _fact(value)] for name, value in found.totals.items()])
    print_table(
        "Rankers",
        COLUMNS,
        [[_blank(row[name]) for name in COLUMNS] for row in found.rankers],
        note=(
            "shortest, median, longest: length of the lists; tied: rows that share their place; overlap: mean share of "
            f"common items with another ranker; agreement: Kendall's tau over the pairs both order (first "
            f"{AGREEMENT_DEPTH} of each list)."
        ),
    )
    names = loaded.rankings.rankers
    if 1 < len(names) <= FEW_RANKERS:
        _print_matrix("Overlap", names, found.overlap)
        _print_matrix("Agreement", names, found.agreement)


def _print_matrix(title: str, names: Sequence[str], table: FloatArray) -> None:
    rows = [
        [name, *["" if a == b else _blank(_rounded(value)) for b, value in enumerate(table[a])]]
        for a, name in enumerate(names)
    ]
    print_table(title, ("", *names), rows)


def _cells(table: FloatArray) -> list[list[float | None]]:
    return [[_rounded(value) for value in row] for row in table]


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def _blank(value: Any) -> Any:
    return "-" if value is None else round(value, 3) if isinstance(value, float) else value


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:,}"
