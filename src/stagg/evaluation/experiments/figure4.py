"""Figure 4: how the methods fare with fewer rankers, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.evaluation.experiments.base import Answers, Claim, Experiment, Result, Setup
from stagg.evaluation.experiments.sets import DIRECTIONS, View
from stagg.evaluation.experiments.table1 import ROWS, Row
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
    views = list(dict.fromkeys((row["set"], row["values"]) for row in rows))
    above = "; ".join(_above([r for r in rows if (r["set"], r["values"]) == view], *view) for view in views)
    calmer = "; ".join(_calmer([r for r in rows if (r["set"], r["values"]) == view], *view) for view in views)
    return [
        Claim("NDCG@5 of St.Agg keeps above all other methods, however many rankers there are.", f"{above}."),
        Claim("The variance of each method gets smaller with more rankers.", f"{calmer}."),
    ]


def _above(rows: Rows, name: str, values: str) -> str:
    """The best line at each number of rankers, and the place of the better St.Agg by the letter among the eight."""
    said = []
    for size in SIZES:
        mine = sorted((r for r in rows if r["rankers"] == size), key=lambda r: -r["mean"])
        letter = [r["row"] for r in mine if not r["reading"]]
        place = min(letter.index(row) for row in ("St.Agg_BC", "St.Agg_RRF")) + 1
        first, last = mine[0], mine[-1]
        best = f"{first['row']} ({first['reading']})" if first["reading"] else first["row"]
        said.append(
            f"{size} rankers: best {best} {first['mean']:.4f}, last {last['row']} {last['mean']:.4f}, St.Agg by the "
            f"letter {place}. of {len(letter)}"
        )
    return f"{name}, {DIRECTIONS[values]}: {', '.join(said)}"


def _calmer(rows: Rows, name: str, values: str) -> str:
    """The mean standard deviation of the lines at the fewest and at the most rankers."""
    few, many = ([r["sd"] for r in rows if r["rankers"] == size] for size in (SIZES[0], SIZES[-1]))
    smaller = sum(b < a for a, b in zip(few, many, strict=True))
    return (
        f"{name}, {DIRECTIONS[values]}: from {SIZES[0]} to {SIZES[-1]} rankers the standard deviation over the draws "
        f"falls for {smaller} of {len(few)} lines, on average from {np.mean(few):.4f} to {np.mean(many):.4f}"
    )
