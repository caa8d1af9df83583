"""Table 1: the unsupervised methods on both sets, every row of the paper read in several ways."""

from __future__ import annotations

from collections.abc import Iterable

from stagg.evaluation.compare import Comparison
from stagg.paper.experiments.base import Answers, Experiment, Result, Setup, compare_lines
from stagg.paper.experiments.printed import MEASURES, TABLE1
from stagg.paper.experiments.readings import BASELINE, READINGS, PaperReading
from stagg.paper.experiments.table1_claims import explain_table, judge_direction, judge_table, list_nearest
from stagg.paper.rows import Row
from stagg.paper.views import ORDERS, View
from stagg.paper.work.jobs import Answer, Job, RankersJob

__all__ = ["Table1"]


class Table1(Experiment):
    """Table 1 of the paper, beside what its methods come to here."""

    name = "table1"
    title = "Table 1: unsupervised methods"
    orders = tuple(ORDERS)
    extras = ()  # it is a table: its charts are left out where matplotlib is missing

    def list_jobs(self, setup: Setup) -> list[Job]:
        views = self.list_views(setup)
        alone = [RankersJob(view) for view in views if view.values != "lines"]
        return [*[reading.make_job(view) for view in views for reading in _list_readings(view)], *alone]

    def conclude(self, setup: Setup, answers: Answers) -> Result:
        compared = {view: _compare(view, setup, answers) for view in self.list_views(setup)}
        rows = [row for view, comparison in compared.items() for row in _list_rows(view, comparison)]
        notes = [f"tests are against {BASELINE}, read the same way; p_holm over all other rows of a set and a measure"]
        notes += [
            _tell_best_input(view, answers[READINGS[0].make_job(view)]) for view in compared if view.values != "lines"
        ]
        tables = {
            "table1": self.tabulate(setup, rows, notes),
            "table1-nearest": self.tabulate(setup, list_nearest(rows)),
            "table1-rankers": self.tabulate(setup, _list_rankers(compared, answers)),
        }
        claims = (*judge_direction(compared, answers), *judge_table(rows))
        return Result(self.name, self.title, tables, claims, explain_table(rows))


def _list_readings(view: View) -> list[PaperReading]:
    return [reading for reading in READINGS if view.values in reading.orders]


def _compare(view: View, setup: Setup, answers: Answers) -> Comparison:
    lines = {reading.name: [answers[reading.make_job(view)]] for reading in _list_readings(view)}
    return compare_lines(lines, MEASURES, BASELINE, setup.seed)


def _tell_best_input(view: View, answer: Answer) -> str:
    ranker = answer["said"][0].rpartition(" ")[2]
    return f"{view.name}, {ORDERS[view.values]}: the best input is ranker {ranker}, by {MEASURES[0]} on all queries"


def _list_rows(view: View, comparison: Comparison) -> list[Row]:
    """List a row for every reading and measure of one view."""
    rows = []
    for place, line in enumerate(comparison.table.rows):
        reading, k = _list_readings(view)[place // len(MEASURES)], place % len(MEASURES)
        printed = TABLE1[view.name].get(reading.row, (None,) * len(MEASURES))[k]
        rows.append(
            {
                "set": view.name, "row": reading.row, "reading": reading.note,
                "method": reading.write_method(view.name), "values": view.values, "measure": line["measure"],
                "paper": printed, "ours": line["mean"],
                "difference": None if printed is None else line["mean"] - printed,
            }
            | {key: line[key] for key in line if key not in ("method", "measure", "mean")}
        )  # fmt: skip
    return rows


def _list_rankers(views: Iterable[View], answers: Answers) -> list[Row]:
    """List the measure of every ranker alone."""
    return [
        {"set": view.name, "ranker": ranker, "values": view.values, "measure": RankersJob(view).measure, "mean": mean}
        for view in views
        if view.values != "lines"
        for ranker, mean in answers[RankersJob(view)]["means"].items()
    ]
