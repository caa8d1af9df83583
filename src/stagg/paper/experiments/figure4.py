"""Figure 4: how the methods fare with fewer rankers, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.paper.experiments.base import Answers, Claim, Experiment, Result, Setup, judge_claim
from stagg.paper.experiments.readings import BASELINE, LOSES, READINGS, PaperReading
from stagg.paper.rows import Row, Rows, list_distinct, measure_gain, name_line, select
from stagg.paper.views import ORDERS, View
from stagg.paper.work.jobs import DrawJob, Job

__all__ = ["SIZES", "Figure4"]

SIZES = (5, 10, 15, 20)
MEASURE = "ndcg@5"
STAGG = ("St.Agg_BC", "St.Agg_RRF")
LINES = tuple(each for each in READINGS if each.row != "BestInput" and each.note in ("", LOSES))
"""The rows of Table 1 without BestInput, St.Agg as printed and with absent items losing."""


class Figure4(Experiment):
    """NDCG@5 of the unsupervised methods on random subsets of the rankers."""

    name = "figure4"
    title = "Figure 4: fewer rankers"

    def list_jobs(self, setup: Setup) -> list[Job]:
        cases = [(line, view, size) for view in self.list_views(setup) for line in LINES for size in SIZES]
        return [job for case in cases for job in _list_draws(*case, setup)]

    def conclude(self, setup: Setup, answers: Answers) -> Result:
        rows, draws = list[Row](), list[Row]()
        for view in self.list_views(setup):
            for line in LINES:
                head = {
                    "set": view.name, "values": view.values, "row": line.row, "reading": line.note,
                    "method": line.write_method(view.name), "measure": MEASURE,
                }  # fmt: skip
                for size in SIZES:
                    means = [answers[job]["means"][MEASURE] for job in _list_draws(line, view, size, setup)]
                    rows.append(head | {"rankers": size} | _summarise(means))
                    draws += [head | {"rankers": size, "draw": k, "mean": m} for k, m in enumerate(means, start=1)]
        notes = [f"{setup.draws} draws of rankers, the same for all methods; sd, low and high are over the draws"]
        tables = {
            "figure4": self.tabulate(setup, rows, notes),
            "figure4-paired": self.tabulate(setup, _pair_with_baseline(draws)),
            "figure4-draws": self.tabulate(setup, draws),
        }
        return Result(self.name, self.title, tables, tuple(_judge_lines(rows)), tuple(_explain(rows)))


def _list_draws(line: PaperReading, view: View, size: int, setup: Setup) -> list[DrawJob]:
    return [DrawJob(view, line.write_method(view.name), size, draw, setup.seed) for draw in range(setup.draws)]


def _pair_with_baseline(draws: Rows) -> list[Row]:
    """Compare every line with Borda on the same draws: the choice of rankers, which all share, drops out."""
    place = ("set", "values", "rankers", "draw")
    borda = {tuple(row[key] for key in place): row["mean"] for row in select(draws, row=BASELINE)}
    differences: dict[tuple[Any, ...], list[float]] = {}
    keys = ("set", "values", "row", "reading", "method", "measure", "rankers")
    for row in draws:
        base = borda[tuple(row[key] for key in place)]
        differences.setdefault(tuple(row[key] for key in keys), []).append(row["mean"] - base)
    return [
        dict(zip(keys, case, strict=True))
        | {"against": BASELINE}
        | _summarise(values)
        | {"draws above": sum(each > 0 for each in values)}
        for case, values in differences.items()
    ]


def _summarise(means: Sequence[float]) -> Row:
    sd = float(np.std(means, ddof=1)) if len(means) > 1 else 0.0
    return {"mean": float(np.mean(means)), "sd": sd, "low": min(means), "high": max(means), "draws": len(means)}


def _judge_lines(rows: Rows) -> list[Claim]:
    views = _group_by_view(rows).items()
    return [
        judge_claim(
            "NDCG@5 of St.Agg keeps above all other methods, however many rankers there are.",
            [_find_place(mine, where) for where, mine in views],
        ),
        judge_claim(
            "The variance of each method gets smaller with more rankers.",
            [_compare_spread(mine, where) for where, mine in views],
        ),
    ]


def _group_by_view(rows: Rows) -> dict[str, Rows]:
    """Group the rows by set and order of the lists, under the name that a reader sees."""
    views = list_distinct(rows, "set", "values")
    return {f"{name}, {ORDERS[values]}": select(rows, set=name, values=values) for name, values in views}


def _find_place(rows: Rows, where: str) -> tuple[str, bool]:
    """Find the best line at every number of rankers, and the place of the better St.Agg as printed."""
    places, best, count = list[int](), list[str](), 0
    for size in SIZES:
        mine = sorted(select(rows, rankers=size), key=lambda row: -row["mean"])
        letter = [row["row"] for row in mine if not row["reading"]]
        places.append(min(letter.index(row) for row in STAGG) + 1)
        best.append(f"{name_line(mine[0]['row'], mine[0]['reading'])} {mine[0]['mean']:.4f}")
        count = len(letter)
    sizes, ranks = (", ".join(map(str, each)) for each in (SIZES, places))
    said = (
        f"{where}: with {sizes} rankers the better St.Agg as printed has place {ranks} of {count}; the best are "
        f"{', '.join(best)}."
    )
    return said, places == [1] * len(SIZES)


def _compare_spread(rows: Rows, where: str) -> tuple[str, bool]:
    """Compare the mean standard deviation of the lines at the fewest and at the most rankers."""
    few, many = ([row["sd"] for row in select(rows, rankers=size)] for size in (SIZES[0], SIZES[-1]))
    smaller = sum(b < a for a, b in zip(few, many, strict=True))
    said = (
        f"{where}: from {SIZES[0]} to {SIZES[-1]} rankers the standard deviation over the draws falls for {smaller} of "
        f"{len(few)} lines, on average by {-measure_gain(float(np.mean(many)), float(np.mean(few))):.0f} %."
    )
    return said, smaller == len(few)


def _explain(rows: Rows) -> list[str]:
    """Say why the lines lie as they do: what absence means to St.Agg, and how draws overlap."""
    absence = " ".join(_explain_absence(mine, where) for where, mine in _group_by_view(rows).items())
    return [
        "What absence means: Eq. 11 tosses a coin between a document that a list contains and one that it does not. "
        f"The better of the two St.Agg, on average over the numbers of rankers: {absence}",
        "Draws are without replacement: the larger the subset, the more rankers two draws share. A smaller spread is "
        "to be expected of any method, and says little about its robustness.",
    ]


def _explain_absence(rows: Rows, where: str) -> str:
    """Compare St.Agg as printed, and with absent items losing, with Borda: means over all numbers of rankers."""

    def average(row: str, note: str) -> float:
        return float(np.mean([each["mean"] for each in select(rows, row=row, reading=note)]))

    gains = [measure_gain(max(average(row, note) for row in STAGG), average(BASELINE, "")) for note in ("", LOSES)]
    letter, losing = (f"{abs(gain):.1f} % {'above' if gain > 0 else 'below'}" for gain in gains)
    return f"{where}: {letter} {BASELINE} that way, {losing} it if absent documents lose."
