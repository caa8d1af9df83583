"""Table 1: the unsupervised methods on both sets, the numbers of the files read both ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stagg.evaluation.compare import Comparison
from stagg.paper.experiment import Answers, Experiment, Result, Setup, compared
from stagg.paper.jobs import Alone, Answer, Task
from stagg.paper.printed import MEASURES, TABLE1
from stagg.paper.readings import BASELINE, ROWS
from stagg.paper.table1_claims import direction_claims, nearest, table_claims, table_reasons
from stagg.paper.views import DIRECTIONS, View

__all__ = ["Table1"]


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
            "table1-nearest": self.table(setup, nearest(rows)),
            "table1-rankers": self.table(setup, _alone(found, answers)),
        }
        claims = (*direction_claims(found, answers), *table_claims(rows))
        return Result(self.name, self.title, tables, claims, table_reasons(rows))


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


def _alone(views: Iterable[View], answers: Answers) -> list[dict[str, Any]]:
    """The measure of every ranker alone."""
    return [
        {"set": view.name, "ranker": ranker, "values": view.values, "measure": Alone(view).measure, "mean": mean}
        for view in views
        for ranker, mean in answers[Alone(view)]["means"].items()
    ]
