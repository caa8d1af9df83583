"""Table 1: the unsupervised methods on both sets, the numbers of the files read both ways."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stagg.evaluation.compare import Comparison
from stagg.evaluation.experiments.base import Answers, Claim, Experiment, Result, Setup, compared, per_cent
from stagg.evaluation.experiments.paper import MEASURES, RRF_C, SETS, TABLE1
from stagg.evaluation.experiments.sets import DIRECTIONS, View
from stagg.evaluation.experiments.tasks import Alone, Answer, Fused, Learned, Task

__all__ = ["ROWS", "Row", "Table1", "main_rows"]

BASELINE = "BordaCount"
ROUNDED = 0.15  # per cent: what rounding the cells of a table to four digits may change in their ratio
AGREEMENT = 5e-5  # two figures of four digits that round alike
PINNED = ("BestInput", "BordaCount")  # rows whose reading is not in doubt


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the paper's table and the method that it is taken for here.

    ``reading`` says how the row is read where it can be read in several ways; the first reading of a row stands for it.
    ``c`` is added to the paper's C of RRF: Eq. 13 counts ranks from 0, ours from 1, so its C is c + 1 here.
    """

    row: str
    text: str
    reading: str = ""
    c: int | None = None

    @property
    def name(self) -> str:
        return f"{self.row} ({self.reading})" if self.reading else self.row

    def method(self, name: str) -> str:
        """The method on a set."""
        return self.text if self.c is None else self.text.format(c=RRF_C[name] + self.c)

    def task(self, view: View) -> Task:
        text = self.method(view.name)
        return Learned(view, text) if self.row == "BestInput" else Fused(view, text)


ROWS = (
    Row("BestInput", "best_input(measure='ndcg@5')"),
    Row("MCLK", "mclk"),
    Row("SVP", "svp"),
    Row("Plackett-Luce", "plackett_luce"),
    Row("MPM", "mpm"),
    Row("BordaCount", "borda(missing='skip')"),
    Row("RRF", "rrf(c={c})", c=0),
    Row("St.Agg_BC", "stagg_bc(missing='neutral', shape='paper')"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='neutral', shape='paper')", c=-1),
    Row("MCLK", "mclk(missing='skip')", "own items only"),
    Row("SVP", "svp(missing='skip')", "own items only"),
    Row("Plackett-Luce", "plackett_luce(missing='skip')", "own items only"),
    Row("MPM", "mpm(missing='skip')", "own items only"),
    Row("St.Agg_BC", "stagg_bc(missing='below', shape='paper')", "absent loses"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='below', shape='paper')", "absent loses", c=0),
    Row("St.Agg_BC", "stagg_bc(missing='skip', shape='paper')", "own items only"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='skip', shape='paper')", "own items only", c=0),
    Row("votes", "votecount", "number of lists, nothing else"),
)
"""The nine rows of the table, St.Agg by its equations to the letter; then other readings of them. ``votes`` has no row
in the paper: what is left when all positions are forgotten."""


def main_rows() -> list[Row]:
    """The nine rows of the paper."""
    return [row for row in ROWS if not row.reading]


Found = Mapping[View, Comparison]


class Table1(Experiment):
    """Table 1 of the paper, beside what its methods come to here."""

    name = "table1"
    title = "Table 1: unsupervised methods"
    directions = ("score", "rank")

    def tasks(self, setup: Setup) -> list[Task]:
        return [task for view in self.views(setup) for task in (*(row.task(view) for row in ROWS), Alone(view))]

    def result(self, setup: Setup, answers: Answers) -> Result:
        found = {
            view: compared({row.name: [answers[row.task(view)]] for row in ROWS}, MEASURES, BASELINE, setup.seed)
            for view in self.views(setup)
        }
        rows = [line for view, comparison in found.items() for line in _lines(view, comparison)]
        notes = [f"tests are against {BASELINE}, read the same way; p_holm over all other rows of a set and a measure"]
        notes += [_best_input(view, answers[ROWS[0].task(view)]) for view in found]
        tables = {
            "table1": self.table(setup, rows, notes),
            "table1-nearest": self.table(setup, _nearest(rows)),
            "table1-rankers": self.table(setup, _alone(found, answers)),
        }
        return Result(self.name, self.title, tables, (*_direction(found, answers), *_claims(rows)))


def _best_input(view: View, answer: Answer) -> str:
    ranker = answer["said"][0].rpartition(" ")[2]
    return f"{view.name}, {DIRECTIONS[view.values]}: the best input is ranker {ranker}, by {MEASURES[0]} on all queries"


def _lines(view: View, found: Comparison) -> list[dict[str, Any]]:
    """A line for every row and measure of one view."""
    lines = []
    for place, line in enumerate(found.table.rows):
        row, k = ROWS[place // len(MEASURES)], place % len(MEASURES)
        printed = TABLE1[view.name].get(row.row, (None,) * len(MEASURES))[k]
        lines.append(
            {
                "set": view.name,
                "row": row.row,
                "reading": row.reading,
                "method": row.method(view.name),
                "values": view.values,
                "measure": line["measure"],
                "paper": printed,
                "ours": line["mean"],
                "difference": None if printed is None else line["mean"] - printed,
            }
            | {key: line[key] for key in line if key not in ("method", "measure", "mean")}
        )
    return lines


def _nearest(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For every row of the paper the readings of it, by their mean distance to the paper's figures on both sets."""
    distances: dict[tuple[str, str, str], list[tuple[str, float]]] = {}
    for line in rows:
        if line["difference"] is not None:
            key = line["row"], line["reading"], line["values"]
            distances.setdefault(key, []).append((line["set"], abs(line["difference"])))
    places = {row.row: place for place, row in enumerate(main_rows())}
    lines = [
        {"row": row, "reading": reading, "values": values, "mean distance": _mean(found)}
        | {f"on {name}": _mean([each for each in found if each[0] == name]) for name in SETS}
        | {
            "largest": max(distance for _, distance in found),
            "equal cells": sum(distance <= AGREEMENT for _, distance in found),
            "cells": len(found),
        }
        for (row, reading, values), found in distances.items()
    ]
    return sorted(lines, key=lambda line: (places[line["row"]], line["mean distance"]))


def _mean(distances: Sequence[tuple[str, float]]) -> float:
    return float(np.mean([distance for _, distance in distances]))


def _alone(views: Iterable[View], answers: Answers) -> list[dict[str, Any]]:
    """The measure of every ranker alone."""
    return [
        {"set": view.name, "ranker": ranker, "values": view.values, "measure": Alone(view).measure, "mean": mean}
        for view in views
        for ranker, mean in answers[Alone(view)]["means"].items()
    ]


def _direction(views: Iterable[View], answers: Answers) -> list[Claim]:
    """Which end of the numbers is the top, where they were read both ways."""
    said = []
    for small in (view for view in views if view.values == "rank"):
        large = Alone(dataclasses.replace(small, values="score"))
        if large in answers:
            ours, theirs = answers[Alone(small)], answers[large]["means"]
            better = sum(mean > theirs[ranker] for ranker, mean in ours["means"].items())
            share = 100 * ours["above"] / max(1, ours["pairs"])
            said.append(
                f"{small.name}: {better} of {len(theirs)} rankers alone have the higher {large.measure} with "
                f"{DIRECTIONS['rank']}; of two documents of different grades in one list the better one has the "
                f"smaller number {share:.0f} % of the time."
            )
    paper = "It does not say which end of the numbers in the files is the top of a list."
    return [Claim(paper, tuple(said))] if said else []


class _Cells:
    """Cells of the table by row, direction ("paper" for the printed ones), set and measure."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.directions = [values for values in DIRECTIONS if any(r["values"] == values for r in rows)]
        self.cells = {(r["row"], r["reading"], r["values"], r["set"], r["measure"]): r["ours"] for r in rows}

    def __call__(self, row: str, values: str, name: str, measure: str, reading: str = "") -> float:
        if values == "paper":
            return TABLE1[name][row][MEASURES.index(measure)]
        return float(self.cells[row, reading, values, name, measure])

    def gain(self, row: str, base: str, values: str, measure: str) -> float:
        """By how many per cent a row is above another on MQ2007-agg."""
        return per_cent(self(row, values, SETS[0], measure), self(base, values, SETS[0], measure))

    def first(self, rows: Sequence[str], values: str) -> int:
        """In how many cells one of some rows is the best of the nine."""
        cells = [(name, measure) for name in SETS for measure in MEASURES]
        best = [max(main_rows(), key=lambda row: self(row.row, values, *cell)).row for cell in cells]
        return sum(row in rows for row in best)


GAINS = (
    ("St.Agg_BC", "BordaCount", "ndcg@5", 79.7),
    ("St.Agg_RRF", "RRF", "ndcg@5", 32.3),
    ("St.Agg_RRF", "MPM", "ndcg@5", 5.2),
    ("St.Agg_BC", "MPM", "ndcg@10", 4.8),
)
"""What section 5.1 says of MQ2007-agg: a row, the one it is above, by which measure, by how many per cent."""


def _claims(rows: Sequence[dict[str, Any]]) -> list[Claim]:
    cells = _Cells(rows)
    return [*_exact(rows), *_mixed(rows), *_gains(cells), _best(cells)]


def _mixed(rows: Sequence[dict[str, Any]]) -> list[Claim]:
    """Which rows come nearer to the paper with one direction, and which with the other."""
    first: dict[str, dict[str, Any]] = {}
    for line in _nearest(rows):
        first.setdefault(line["row"], line)
    if len({line["values"] for line in rows}) == 1:
        return []
    said = [
        f"nearest to the paper with {DIRECTIONS[values]}, of all readings tried: "
        + ", ".join(f"{row} ({line['mean distance']:.4f})" for row, line in first.items() if line["values"] == values)
        + "; in brackets the mean distance over both sets and all measures."
        for values in DIRECTIONS
    ]
    return [Claim("All rows stand in one table, as if all methods had read the lists the same way.", tuple(said))]


def _exact(rows: Sequence[dict[str, Any]]) -> list[Claim]:
    """How far the rows whose reading is not in doubt are those of the paper."""
    pinned = [r for r in rows if r["row"] in PINNED and not r["reading"]]
    said = []
    for values in DIRECTIONS:
        distances = [abs(r["difference"]) for r in pinned if r["values"] == values]
        if distances:
            equal = sum(each <= AGREEMENT for each in distances)
            said.append(
                f"{DIRECTIONS[values]}: {equal} of {len(distances)} cells are equal to four digits, the largest "
                f"difference is {max(distances):.4f}."
            )
    paper = "The rows of BestInput and BordaCount, which leave nothing to choose but the direction of the numbers."
    return [Claim(paper, tuple(said))]


def _gains(cells: _Cells) -> list[Claim]:
    claims = []
    for row, base, measure, stated in GAINS:
        said = [f"{DIRECTIONS[v]}: {cells.gain(row, base, v, measure):+.1f} %." for v in cells.directions]
        own = cells.gain(row, base, "paper", measure)
        correction = "" if abs(own - stated) < ROUNDED else f" (its own table gives {own:.1f} %)"
        claims.append(Claim(f"{row} is {stated} % above {base} in {measure} on {SETS[0]}{correction}.", tuple(said)))
    return claims


def _best(cells: _Cells) -> Claim:
    """Who is the best, and what the paper's figures are worth beside the simplest method read the right way."""
    stagg, cases = ("St.Agg_BC", "St.Agg_RRF"), len(SETS) * len(MEASURES)
    said = [
        f"{DIRECTIONS[v]}: St.Agg, by its equations to the letter, is the best of the nine rows in "
        f"{cells.first(stagg, v)} of {cases} cells."
        for v in cells.directions
    ]
    if "rank" in cells.directions:
        printed = {
            (name, measure): max(cells(row.row, "paper", name, measure) for row in main_rows())
            for name in SETS
            for measure in MEASURES
        }
        beaten = sum(cells("BordaCount", "rank", *cell) > best for cell, best in printed.items())
        said.append(
            f"{DIRECTIONS['rank']}: BordaCount alone is above all figures of the printed table in {beaten} of {cases} "
            "cells."
        )
    own = f"in its table it is in {cells.first(stagg, 'paper')} of {cases} cells"
    return Claim(f"St.Agg is the best by every measure on both sets ({own}).", tuple(said))
