"""What the paper says of Table 1, and what comes out here: computed from the rows, not written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from stagg.evaluation.experiments.base import Answers, Claim, per_cent
from stagg.evaluation.experiments.paper import MEASURES, SETS, TABLE1
from stagg.evaluation.experiments.rows import main_rows
from stagg.evaluation.experiments.sets import DIRECTIONS, View
from stagg.evaluation.experiments.tasks import Alone

__all__ = ["direction_claims", "nearest", "table_claims"]

ROUNDED = 0.15  # per cent: what rounding the cells of a table to four digits may change in their ratio
AGREEMENT = 5e-5  # two figures of four digits that round alike
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
    return [Claim("All rows stand in one table, as if all methods had read the lists the same way.", tuple(said))]


def _exact(rows: Rows) -> list[Claim]:
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


class _Cells:
    """Cells of the nine rows by row, direction ("paper" for the printed ones), set and measure."""

    def __init__(self, rows: Rows) -> None:
        self.directions = [values for values in DIRECTIONS if any(r["values"] == values for r in rows)]
        self.cells = {
            (r["row"], r["values"], r["set"], r["measure"]): float(r["ours"]) for r in rows if not r["reading"]
        }

    def __call__(self, row: str, values: str, name: str, measure: str) -> float:
        if values == "paper":
            return TABLE1[name][row][MEASURES.index(measure)]
        return self.cells[row, values, name, measure]

    def gain(self, row: str, base: str, values: str, measure: str) -> float:
        """By how many per cent a row is above another on MQ2007-agg."""
        return per_cent(self(row, values, SETS[0], measure), self(base, values, SETS[0], measure))

    def first(self, rows: Sequence[str], values: str) -> int:
        """In how many cells one of some rows is the best of the nine."""
        cells = [(name, measure) for name in SETS for measure in MEASURES]
        best = [max(main_rows(), key=lambda row: self(row.row, values, *cell)).row for cell in cells]
        return sum(row in rows for row in best)
