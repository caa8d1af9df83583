"""Figure 4: how the methods fare with fewer rankers, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.evaluation.experiments.base import Answers, Claim, Experiment, Result, Setup
from stagg.evaluation.experiments.rows import ROWS, Row
from stagg.evaluation.experiments.sets import DIRECTIONS, View
from stagg.evaluation.experiments.tasks import Drawn, Task

__all__ = ["SIZES", "Figure4"]

SIZES = (5, 10, 15, 20)
MEASURE = "ndcg@5"
LINES = tuple(row for row in ROWS if row.row != "BestInput" and row.reading in ("", "absent loses"))
"""The rows of Table 1 without BestInput, St.Agg by the letter and with absent items losing."""

Rows = Sequence[dict[str, Any]]


class Figure4(Experiment):
    """NDCG@5 of the unsupervised methods on random subsets of the rankers."""

    name = "figure4"
    title = "Figure 4: fewer rankers"

    def tasks(self, setup: Setup) -> list[Task]:
        return [
            task
            for view in self.views(setup)
            for row in LINES
            for size in SIZES
            for task in _draws(row, view, size, setup)
        ]

    def result(self, setup: Setup, answers: Answers) -> Result:
        rows, draws = list[dict[str, Any]](), list[dict[str, Any]]()
        for view in self.views(setup):
            for row in LINES:
                head = {
                    "set": view.name, "values": view.values, "row": row.row, "reading": row.reading,
                    "method": row.method(view.name), "measure": MEASURE,
                }  # fmt: skip
                for size in SIZES:
                    means = [answers[task]["means"][MEASURE] for task in _draws(row, view, size, setup)]
                    rows.append(head | {"rankers": size} | _spread(means))
                    draws += [head | {"rankers": size, "draw": k, "mean": m} for k, m in enumerate(means, start=1)]
        notes = [f"{setup.draws} draws of rankers, the same for all methods; sd, low and high are over the draws"]
        tables = {"figure4": self.table(setup, rows, notes), "figure4-draws": self.table(setup, draws)}
        return Result(self.name, self.title, tables, tuple(_claims(rows)))


def _draws(row: Row, view: View, size: int, setup: Setup) -> list[Task]:
    return [Drawn(view, row.method(view.name), size, draw, setup.seed) for draw in range(setup.draws)]


def _spread(means: Sequence[float]) -> dict[str, Any]:
    return {
        "mean": float(np.mean(means)),
        "sd": float(np.std(means, ddof=1)) if len(means) > 1 else 0.0,
        "low": min(means),
        "high": max(means),
        "draws": len(means),
    }


def _claims(rows: Rows) -> list[Claim]:
    views: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        views.setdefault((row["set"], row["values"]), []).append(row)
    above = [
        _above(mine, f"{name}, {DIRECTIONS[values]}", size) for (name, values), mine in views.items() for size in SIZES
    ]
    calmer = [_calmer(mine, f"{name}, {DIRECTIONS[values]}") for (name, values), mine in views.items()]
    return [
        Claim("NDCG@5 of St.Agg keeps above all other methods, however many rankers there are.", tuple(above)),
        Claim("The variance of each method gets smaller with more rankers.", tuple(calmer)),
    ]


def _above(rows: Rows, where: str, size: int) -> str:
    """The best and the last line at a number of rankers, and the place of the better St.Agg by the letter."""
    mine = sorted((row for row in rows if row["rankers"] == size), key=lambda row: -row["mean"])
    letter = [row["row"] for row in mine if not row["reading"]]
    place = min(letter.index(row) for row in ("St.Agg_BC", "St.Agg_RRF")) + 1
    ends = [f"{_line_name(row)} {row['mean']:.4f}" for row in (mine[0], mine[-1])]
    return (
        f"{where}, {size} rankers: best {ends[0]}, last {ends[1]}; of the {len(letter)} rows St.Agg by the letter has "
        f"place {place}."
    )


def _calmer(rows: Rows, where: str) -> str:
    """The mean standard deviation of the lines at the fewest and at the most rankers."""
    few, many = ([row["sd"] for row in rows if row["rankers"] == size] for size in (SIZES[0], SIZES[-1]))
    smaller = sum(b < a for a, b in zip(few, many, strict=True))
    return (
        f"{where}: from {SIZES[0]} to {SIZES[-1]} rankers the standard deviation over the draws falls for {smaller} of "
        f"{len(few)} lines, on average from {np.mean(few):.4f} to {np.mean(many):.4f}."
    )


def _line_name(row: dict[str, Any]) -> str:
    return f"{row['row']} ({row['reading']})" if row["reading"] else str(row["row"])
