"""Claims of the paper about Table 1, checked: the answers are computed from the rows, not written down."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable

import numpy as np

from stagg.paper.experiments.base import Answers, Claim, judge_claim
from stagg.paper.experiments.printed import GAINS, MEASURES, SETS, TABLE1
from stagg.paper.experiments.readings import FITTED, LOSES, MEET, VOTES, list_main_readings, name_reading
from stagg.paper.rows import Row, Rows, list_distinct, measure_gain, select
from stagg.paper.views import NUMBERS, ORDERS, View
from stagg.paper.work.jobs import RankersJob

__all__ = ["explain_table", "judge_direction", "judge_table", "list_nearest"]

ROUNDED = 0.15  # per cent: what rounding the cells of a table to four digits may change in their ratio
AGREEMENT = 5e-5  # two figures of four digits that round alike
CLOSE = 1e-3  # no other method, no other order of the lists comes so near
STAGG = ("St.Agg_BC", "St.Agg_RRF")
CELLS = list(itertools.product(SETS, MEASURES))


def list_nearest(rows: Rows) -> list[Row]:
    """List the readings of every row of the paper by their mean distance to its figures on both sets."""
    known = [row | {"distance": abs(row["difference"])} for row in rows if row["difference"] is not None]
    places = [reading.row for reading in list_main_readings()]
    lines = []
    for row, note, values in list_distinct(known, "row", "reading", "values"):
        mine = select(known, row=row, reading=note, values=values)
        line = {"row": row, "reading": note, "values": values, "mean distance": _average(mine)}
        line |= {f"on {name}": _average(select(mine, set=name)) for name in SETS}
        equal = sum(each["distance"] <= AGREEMENT for each in mine)
        largest = max(each["distance"] for each in mine)
        lines.append(line | {"largest": largest, "equal cells": equal, "cells": len(mine)})
    return sorted(lines, key=lambda line: (places.index(line["row"]), line["mean distance"]))


def _average(rows: Rows) -> float:
    return float(np.mean([row["distance"] for row in rows]))


def judge_direction(views: Iterable[View], answers: Answers) -> list[Claim]:
    """Say which end of the numbers is the top, where they were read both ways."""
    said = []
    for small in (view for view in views if view.values == "rank"):
        large = RankersJob(dataclasses.replace(small, values="score"))
        if large in answers:
            ours, theirs = answers[RankersJob(small)], answers[large]["means"]
            better = sum(mean > theirs[ranker] for ranker, mean in ours["means"].items())
            share = 100 * ours["above"] / max(1, ours["pairs"])
            said.append(
                f"{small.name}: {better} of {len(theirs)} rankers alone have the higher {large.measure} with "
                f"{ORDERS['rank']}; of two documents of different grades in one list, the better one has the smaller "
                f"number {share:.0f} % of the time."
            )
    paper = "It does not say which end of the numbers in the files is the top of a list."
    return [Claim(paper, tuple(said))] if said else []


def judge_table(rows: Rows) -> list[Claim]:
    """Judge what section 5.1 says of the table."""
    cells = _Cells(rows)
    return [
        *_judge_met(rows),
        *_judge_mixture(rows),
        *[_judge_gain(cells, *gain) for gain in GAINS],
        _judge_best(cells),
    ]


def _judge_met(rows: Rows) -> list[Claim]:
    """Say how near the explained rows come to the paper, each by its reading."""
    lines = {
        line["row"]: line for line in list_nearest(rows) if MEET.get(line["row"]) == (line["values"], line["reading"])
    }
    if not lines:
        return []
    cases = [
        f"{row}, {name_reading(*MEET[row])}: {line['equal cells']} of {line['cells']} cells are equal to four digits, "
        f"the largest difference is {line['largest']:.4f}."
        for row, line in lines.items()
    ]
    equal, cells = (sum(line[key] for line in lines.values()) for key in ("equal cells", "cells"))
    *others, last = lines
    paper = f"Its figures in the rows {', '.join(others)} and {last}."
    together = f"Together {equal} of {cells} cells are equal to four digits."
    return [Claim(paper, (*cases, together), tuple(line["largest"] < CLOSE for line in lines.values()))]


def _judge_mixture(rows: Rows) -> list[Claim]:
    """Say which rows come nearest to the paper with which order of the lists."""
    first: dict[str, Row] = {}
    for line in list_nearest(rows):
        first.setdefault(line["row"], line)
    if len(list_distinct(rows, "values")) == 1:
        return []
    said = []
    for values, order in ORDERS.items():
        names = [f"{row} ({line['mean distance']:.4f})" for row, line in first.items() if line["values"] == values]
        said += [f"nearest to the paper with {order}: {', '.join(names)}; in brackets the mean distance."] * bool(names)
    paper = "All rows stand in one table, as if all methods had read the lists in the same way."
    return [Claim(paper, tuple(said), (len(said) == 1,))]


def _judge_gain(cells: _Cells, row: str, base: str, measure: str, stated: float) -> Claim:
    cases = []
    for values in cells.orders:
        gain = cells.find_gain(row, base, values, measure)
        best, note = max(cells.list_others([row], values, SETS[0], measure))
        other = measure_gain(best, cells(base, values, SETS[0], measure))
        said = f"{ORDERS[values]}: {gain:+.1f} % as printed, with other readings at best {other:+.1f} % ({note})."
        cases.append((said, max(gain, other) > stated - ROUNDED))
    own = cells.find_gain(row, base, "paper", measure)
    correction = "" if abs(own - stated) < ROUNDED else f" (its own table gives {own:.1f} %)"
    return judge_claim(f"{row} is {stated} % above {base} in {measure} on {SETS[0]}{correction}.", cases)


def _judge_best(cells: _Cells) -> Claim:
    """Say which method is best, and how the printed figures compare with the simplest method read the right way."""
    here, holds = list[str](), list[bool]()
    for values in cells.orders:
        letter, others = cells.count_first(values), cells.count_first(values, others=True)
        here.append(
            f"{ORDERS[values]}: St.Agg is above the other seven rows in {letter} of {len(CELLS)} cells as printed, "
            f"in {others} in the best of its readings."
        )
        holds.append(max(letter, others) == len(CELLS))
    if "rank" in cells.orders:
        beaten = sum(cells("BordaCount", "rank", *cell) > cells.find_highest("paper", *cell) for cell in CELLS)
        here.append(
            f"{ORDERS['rank']}: BordaCount alone is above all figures of the printed table in {beaten} of {len(CELLS)} "
            "cells."
        )
    own = f"in its table it is in {cells.count_first('paper')} of {len(CELLS)} cells"
    return Claim(f"St.Agg is the best by every measure on both sets ({own}).", tuple(here), tuple(holds))


def explain_table(rows: Rows) -> tuple[str, ...]:
    """Say why ours differs: the order of the lists, and what absence means."""
    cells, (_, base, measure, stated) = _Cells(rows), GAINS[0]
    said = []
    if len(cells.orders) > 1:
        large, small = (cells(base, values, SETS[0], measure) for values in NUMBERS)
        said.append(
            f"The direction of the lists: {measure} of {base} on {SETS[0]} is {large:.4f} with {ORDERS['score']} "
            f"and {small:.4f} with {ORDERS['rank']}, {measure_gain(small, large):+.1f} %; the printed gain of St.Agg "
            f"over {base} is {stated} %."
        )
    if "rank" in cells.orders:
        above = sum(cells("RRF", "rank", *cell, FITTED) > cells("St.Agg_RRF", "paper", *cell) for cell in CELLS)
        said.append(
            f"The reading that meets the RRF row ({name_reading(*MEET['RRF'])}) uses no rank number at all. With the "
            f"same C and {ORDERS['rank']}, RRF is above the printed St.Agg_RRF in {above} of {len(CELLS)} cells."
        )
    return (*said, *[_explain_absence(cells, values, measure) for values in cells.orders[-1:]])


def _explain_absence(cells: _Cells, values: str, measure: str) -> str:
    def join(row: str, note: str) -> str:
        return " and ".join(f"{cells(row, values, name, measure, note):.4f}" for name in SETS)

    return (
        "What absence means: Eq. 11 tosses a coin between a document that a list contains and one that it does not. "
        f"{measure} of St.Agg_RRF on {' and '.join(SETS)}, {ORDERS[values]}: {join('St.Agg_RRF', '')} that way, "
        f"{join('St.Agg_RRF', LOSES)} if absent documents lose. The number of lists that contain a document gives, by "
        f"itself, {join('votes', VOTES)}."
    )


class _Cells:
    """Means by row, order of the lists ("paper" for the printed ones), set, measure and note of the reading."""

    def __init__(self, rows: Rows) -> None:
        self.orders = [values for values in NUMBERS if select(rows, values=values)]
        keys = ("row", "values", "set", "measure", "reading")
        self.means = {tuple(row[key] for key in keys): float(row["ours"]) for row in rows}

    def __call__(self, row: str, values: str, name: str, measure: str, note: str = "") -> float:
        if values == "paper":
            return TABLE1[name][row][MEASURES.index(measure)]
        return self.means[row, values, name, measure, note]

    def find_gain(self, row: str, base: str, values: str, measure: str) -> float:
        """Return by how many per cent a row is above another on MQ2007-agg."""
        return measure_gain(self(row, values, SETS[0], measure), self(base, values, SETS[0], measure))

    def list_others(self, rows: Iterable[str], values: str, name: str, measure: str) -> list[tuple[float, str]]:
        """List (mean, note) of the readings of some rows that do not follow the letter."""
        keys = [key for key in self.means if key[0] in rows and key[1:4] == (values, name, measure) and key[4]]
        return [(self.means[key], key[4]) for key in keys]

    def find_highest(self, values: str, name: str, measure: str, without: Iterable[str] = ()) -> float:
        """Find the highest of the nine rows, some left out, in one cell."""
        rows = [reading.row for reading in list_main_readings() if reading.row not in without]
        return max(self(row, values, name, measure) for row in rows)

    def count_first(self, values: str, *, others: bool = False) -> int:
        """Count the cells in which St.Agg, as printed or in another reading, is above the other seven rows."""
        count = 0
        for cell in CELLS:
            letter = [self(row, values, *cell) for row in STAGG]
            means = [mean for mean, _ in self.list_others(STAGG, values, *cell)] if others else letter
            count += max(means) > self.find_highest(values, *cell, without=STAGG)
        return count
