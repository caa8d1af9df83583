"""What the paper says of Table 1, and what comes out here: computed from the rows, not written down."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from stagg.paper.experiment import Answers, Claim, per_cent
from stagg.paper.jobs import Alone
from stagg.paper.printed import MEASURES, SETS, TABLE1
from stagg.paper.readings import main_rows
from stagg.paper.views import DIRECTIONS, View

__all__ = ["direction_claims", "nearest", "table_claims", "table_reasons"]

ROUNDED = 0.15  # per cent: what rounding the cells of a table to four digits may change in their ratio
AGREEMENT = 5e-5  # two figures of four digits that round alike
CLOSE = 1e-3  # no other method, no other direction
PINNED = ("BestInput", "BordaCount")  # rows whose reading is not in doubt

Rows = Sequence[dict[str, Any]]

GAINS = (
    ("St.Agg_BC", "BordaCount", "ndcg@5", 79.7),
    ("St.Agg_RRF", "RRF", "ndcg@5", 32.3),
    ("St.Agg_RRF", "MPM", "ndcg@5", 5.2),
    ("St.Agg_BC", "MPM", "ndcg@10", 4.8),
)
"""What section 5.1 says of MQ2007-agg: a row, the one it is above, by which measure, by how many per cent."""


def table_claims(rows: Rows) -> list[Claim]:
    """What section 5.1 of the paper says of its table, and what ours says."""
    cells = _Cells(rows)
    return [*_exact(rows), *_mixed(rows), *_gains(cells), _best(cells)]


def table_reasons(rows: Rows) -> tuple[str, ...]:
    """Why ours differs: the direction of the lists, and what absence means."""
    cells, (_, base, measure, stated) = _Cells(rows), GAINS[0]
    said = []
    if len(cells.directions) > 1:
        large, small = (cells(base, values, SETS[0], measure) for values in ("score", "rank"))
        said.append(
            f"The direction of the lists: {measure} of {base} on {SETS[0]} is {large:.4f} with {DIRECTIONS['score']} "
            f"and {small:.4f} with {DIRECTIONS['rank']}, {per_cent(small, large):+.1f} %; the printed gain of St.Agg "
            f"over {base} is {stated} %."
        )
    return (*said, *[_absence(rows, values, measure) for values in cells.directions[-1:]])


def _absence(rows: Rows, values: str, measure: str) -> str:
    def means(row: str, reading: str) -> str:
        keys = [(row, reading, values, measure, name) for name in SETS]
        return " and ".join(f"{found[key]:.4f}" for key in keys)

    found = {(r["row"], r["reading"], r["values"], r["measure"], r["set"]): r["ours"] for r in rows}
    return (
        "What absence means: Eq. 11 tosses a coin between a document that a list holds and one that it does not. "
        f"{measure} of St.Agg_RRF on {' and '.join(SETS)}, {DIRECTIONS[values]}: {means('St.Agg_RRF', '')} that way, "
        f"{means('St.Agg_RRF', 'absent loses')} if absent documents lose. The number of lists that hold a document "
        f"has, by itself, {means('votes', 'number of lists, nothing else')}."
    )


def direction_claims(views: Iterable[View], answers: Answers) -> list[Claim]:
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


def nearest(rows: Rows) -> list[dict[str, Any]]:
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


def _mixed(rows: Rows) -> list[Claim]:
    """Which rows come nearer to the paper with one direction, and which with the other."""
    first: dict[str, dict[str, Any]] = {}
    for line in nearest(rows):
        first.setdefault(line["row"], line)
    if len({line["values"] for line in rows}) == 1:
        return []
    said = [
        f"nearest to the paper with {DIRECTIONS[values]}, of all readings tried: "
        + ", ".join(f"{row} ({line['mean distance']:.4f})" for row, line in first.items() if line["values"] == values)
        + "; in brackets the mean distance over both sets and all measures."
        for values in DIRECTIONS
    ]
    one_way = len({line["values"] for line in first.values()}) == 1
    paper = "All rows stand in one table, as if all methods had read the lists the same way."
    return [Claim(paper, tuple(said), (one_way,))]


def _exact(rows: Rows) -> list[Claim]:
    """How far the rows whose reading is not in doubt are those of the paper."""
    pinned = [r for r in rows if r["row"] in PINNED and not r["reading"]]
    said, close = list[str](), list[bool]()
    for values in DIRECTIONS:
        distances = [abs(r["difference"]) for r in pinned if r["values"] == values]
        if distances:
            equal = sum(each <= AGREEMENT for each in distances)
            close.append(max(distances) < CLOSE)
            said.append(
                f"{DIRECTIONS[values]}: {equal} of {len(distances)} cells are equal to four digits, the largest "
                f"difference is {max(distances):.4f}."
            )
    paper = "The rows of BestInput and BordaCount, which leave nothing to choose but the direction of the numbers."
    return [Claim(paper, tuple(said), tuple(close))]


def _gains(cells: _Cells) -> list[Claim]:
    claims = []
    for row, base, measure, stated in GAINS:
        gains = {v: cells.gain(row, base, v, measure) for v in cells.directions}
        others = {v: cells.best_gain(row, base, v, measure) for v in cells.directions}
        said = tuple(
            f"{DIRECTIONS[v]}: {gains[v]:+.1f} % by the letter, of other readings at best {other:+.1f} % ({reading})."
            for v, (other, reading) in others.items()
        )
        holds = tuple(max(gains[v], other) > stated - ROUNDED for v, (other, _) in others.items())
        own = cells.gain(row, base, "paper", measure)
        correction = "" if abs(own - stated) < ROUNDED else f" (its own table gives {own:.1f} %)"
        claims.append(Claim(f"{row} is {stated} % above {base} in {measure} on {SETS[0]}{correction}.", said, holds))
    return claims


def _best(cells: _Cells) -> Claim:
    """Who is the best, and what the paper's figures are worth beside the simplest method read the right way."""
    stagg, cases = ("St.Agg_BC", "St.Agg_RRF"), len(SETS) * len(MEASURES)
    said = [
        f"{DIRECTIONS[v]}: St.Agg is above the other seven rows in {cells.first(stagg, v)} of {cases} cells by the "
        f"letter, in {cells.first_somehow(stagg, v)} in the best of its readings."
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
    holds = tuple(max(cells.first(stagg, v), cells.first_somehow(stagg, v)) == cases for v in cells.directions)
    return Claim(f"St.Agg is the best by every measure on both sets ({own}).", tuple(said), holds)


class _Cells:
    """Cells of the nine rows by row, direction ("paper" for the printed ones), set and measure."""

    def __init__(self, rows: Rows) -> None:
        self.directions = [values for values in DIRECTIONS if any(r["values"] == values for r in rows)]
        self.cells = {
            (r["row"], r["values"], r["set"], r["measure"]): float(r["ours"]) for r in rows if not r["reading"]
        }
        self.others = [r for r in rows if r["reading"]]

    def __call__(self, row: str, values: str, name: str, measure: str) -> float:
        if values == "paper":
            return TABLE1[name][row][MEASURES.index(measure)]
        return self.cells[row, values, name, measure]

    def gain(self, row: str, base: str, values: str, measure: str) -> float:
        """By how many per cent a row is above another on MQ2007-agg."""
        return per_cent(self(row, values, SETS[0], measure), self(base, values, SETS[0], measure))

    def best_gain(self, row: str, base: str, values: str, measure: str) -> tuple[float, str]:
        """The same for the best of the other readings of the row, and which that is."""
        best = max(self._readings([row], values, SETS[0], measure), key=lambda line: float(line["ours"]))
        return per_cent(float(best["ours"]), self(base, values, SETS[0], measure)), best["reading"]

    def _readings(self, rows: Sequence[str], values: str, name: str, measure: str) -> Rows:
        place = values, name, measure
        return [r for r in self.others if r["row"] in rows and (r["values"], r["set"], r["measure"]) == place]

    def first_somehow(self, rows: Sequence[str], values: str) -> int:
        """In how many cells one of the other readings of some rows is above all the rest of the nine."""
        rest, cells = [row.row for row in main_rows() if row.row not in rows], itertools.product(SETS, MEASURES)
        return sum(
            max(r["ours"] for r in self._readings(rows, values, *cell)) > max(self(row, values, *cell) for row in rest)
            for cell in cells
        )

    def first(self, rows: Sequence[str], values: str) -> int:
        """In how many cells one of some rows is the best of the nine."""
        cells = [(name, measure) for name in SETS for measure in MEASURES]
        best = [max(main_rows(), key=lambda row: self(row.row, values, *cell)).row for cell in cells]
        return sum(row in rows for row in best)
