"""Figure 4: how the methods fare with fewer rankers, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.paper.experiment import Answers, Claim, Experiment, Result, Setup, per_cent
from stagg.paper.jobs import Drawn, Task
from stagg.paper.readings import BASELINE, ROWS, Row
from stagg.paper.views import DIRECTIONS, View

__all__ = ["SIZES", "Figure4"]

SIZES = (5, 10, 15, 20)
MEASURE = "ndcg@5"
STAGG = ("St.Agg_BC", "St.Agg_RRF")
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
        tables = {
            "figure4": self.table(setup, rows, notes),
            "figure4-paired": self.table(setup, _paired(draws)),
            "figure4-draws": self.table(setup, draws),
        }
        return Result(self.name, self.title, tables, tuple(_claims(rows)), tuple(_reasons(rows)))


def _draws(row: Row, view: View, size: int, setup: Setup) -> list[Task]:
    return [Drawn(view, row.method(view.name), size, draw, setup.seed) for draw in range(setup.draws)]


def _paired(draws: Rows) -> list[dict[str, Any]]:
    """Every line against Borda on the same draws: the choice of rankers, which all share, drops out."""
    borda = {
        (row["set"], row["values"], row["rankers"], row["draw"]): row["mean"] for row in draws if row["row"] == BASELINE
    }
    differences: dict[tuple[Any, ...], list[float]] = {}
    keys = ("set", "values", "row", "reading", "method", "measure", "rankers")
    for row in draws:
        base = borda[row["set"], row["values"], row["rankers"], row["draw"]]
        differences.setdefault(tuple(row[key] for key in keys), []).append(row["mean"] - base)
    return [
        dict(zip(keys, case, strict=True))
        | {"against": BASELINE}
        | _spread(found)
        | {"draws above": sum(each > 0 for each in found)}
        for case, found in differences.items()
    ]


def _spread(means: Sequence[float]) -> dict[str, Any]:
    return {
        "mean": float(np.mean(means)),
        "sd": float(np.std(means, ddof=1)) if len(means) > 1 else 0.0,
        "low": min(means),
        "high": max(means),
        "draws": len(means),
    }


def _claims(rows: Rows) -> list[Claim]:
    views = _views(rows)
    above = [_above(mine, where) for where, mine in views.items()]
    calmer = [_calmer(mine, where) for where, mine in views.items()]
    return [
        _claim("NDCG@5 of St.Agg keeps above all other methods, however many rankers there are.", above),
        _claim("The variance of each method gets smaller with more rankers.", calmer),
    ]


def _claim(paper: str, cases: Sequence[tuple[str, bool]]) -> Claim:
    return Claim(paper, tuple(said for said, _ in cases), tuple(holds for _, holds in cases))


def _views(rows: Rows) -> dict[str, Rows]:
    """The rows of each set, read one way, by what a reader calls it."""
    views: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        views.setdefault(f"{row['set']}, {DIRECTIONS[row['values']]}", []).append(row)
    return dict(views)


def _reasons(rows: Rows) -> list[str]:
    """Why the lines lie as they do: what absence means to St.Agg, and how draws overlap."""
    absence = " ".join(_absence(mine, where) for where, mine in _views(rows).items())
    return [
        "What absence means: Eq. 11 tosses a coin between a document that a list holds and one that it does not. The "
        f"better of the two St.Agg, on average over the numbers of rankers: {absence}",
        "Draws are without replacement: the larger the subset, the more rankers two draws share. A smaller spread is "
        "to be expected of any method, and says little of its robustness.",
    ]


def _absence(rows: Rows, where: str) -> str:
    """St.Agg by the letter, with absent items losing, and Borda: means over all numbers of rankers."""

    def mean(row: str, reading: str) -> float:
        return float(np.mean([r["mean"] for r in rows if (r["row"], r["reading"]) == (row, reading)]))

    letter, losing = (max(mean(row, reading) for row in STAGG) for reading in ("", "absent loses"))
    borda = mean("BordaCount", "")
    by_letter, by_losing = (_above_by(value, borda) for value in (letter, losing))
    return f"{where}: {by_letter} BordaCount that way, {by_losing} it if absent documents lose."


def _above_by(value: float, base: float) -> str:
    gain = per_cent(value, base)
    return f"{abs(gain):.1f} % {'above' if gain > 0 else 'below'}"


def _above(rows: Rows, where: str) -> tuple[str, bool]:
    """At every number of rankers the best line, and the place of the better St.Agg by the letter."""
    places, best, count = list[int](), list[str](), 0
    for size in SIZES:
        mine = sorted((row for row in rows if row["rankers"] == size), key=lambda row: -row["mean"])
        letter = [row["row"] for row in mine if not row["reading"]]
        places.append(min(letter.index(row) for row in STAGG) + 1)
        best.append(f"{_line_name(mine[0])} {mine[0]['mean']:.4f}")
        count = len(letter)
    sizes, ranks = (", ".join(map(str, each)) for each in (SIZES, places))
    said = (
        f"{where}: with {sizes} rankers the better St.Agg by the letter has place {ranks} of {count}; the best are "
        f"{', '.join(best)}."
    )
    return said, places == [1] * len(SIZES)


def _calmer(rows: Rows, where: str) -> tuple[str, bool]:
    """The mean standard deviation of the lines at the fewest and at the most rankers."""
    few, many = ([row["sd"] for row in rows if row["rankers"] == size] for size in (SIZES[0], SIZES[-1]))
    smaller = sum(b < a for a, b in zip(few, many, strict=True))
    said = (
        f"{where}: from {SIZES[0]} to {SIZES[-1]} rankers the standard deviation over the draws falls for {smaller} of "
        f"{len(few)} lines, on average by {-per_cent(float(np.mean(many)), float(np.mean(few))):.0f} %."
    )
    return said, smaller == len(few)


def _line_name(row: dict[str, Any]) -> str:
    return f"{row['row']} ({row['reading']})" if row["reading"] else str(row["row"])
