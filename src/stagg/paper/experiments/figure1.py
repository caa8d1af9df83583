"""Figure 1: explicit methods, which use ranks as they are, against implicit ones, which fit a model to the lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stagg.paper.experiments.base import Answers, Claim, Experiment, Result, Setup, compare_lines, judge_claim
from stagg.paper.experiments.printed import MEASURES, SETS, TABLE1
from stagg.paper.experiments.readings import list_main_readings
from stagg.paper.experiments.trained import BITS, OBJECTIVES, list_implicit, take_linear
from stagg.paper.rows import Row, Rows, list_distinct, select
from stagg.paper.views import NUMBERS, ORDERS, View
from stagg.paper.work.jobs import Job

__all__ = ["Figure1"]

GROUPS = {"BestInput": "explicit", "BordaCount": "explicit", "RRF": "explicit"} | {
    "SVP": "implicit", "MPM": "implicit", "Plackett-Luce": "implicit",
}  # fmt: skip
RANKAGG = [
    take_linear("rankagg", target, psi, f"RankAgg_{objective.upper()}({psi})")
    for psi in ("Ψ_BF", f"Ψ_BF {BITS}")
    for target, objective in OBJECTIVES.items()
]


class Line(NamedTuple):
    """A line of the figure: its name, explicit or implicit, the method's text, its jobs."""

    name: str
    group: str
    text: str
    jobs: Sequence[Job]


class Figure1(Experiment):
    """Explicit against implicit methods, without labels and with them."""

    name = "figure1"
    title = "Figure 1: explicit against implicit methods"
    orders = NUMBERS

    def list_jobs(self, setup: Setup) -> list[Job]:
        lines = [line for view in self.list_views(setup) for each in _list_lines(view, setup).values() for line in each]
        return [job for line in lines for job in line.jobs]

    def conclude(self, setup: Setup, answers: Answers) -> Result:
        rows = [
            row
            for view in self.list_views(setup)
            for scenario, lines in _list_lines(view, setup).items()
            for row in _list_rows(view, scenario, lines, setup, answers)
        ]
        tables = {"figure1": self.tabulate(setup, rows)}
        return Result(self.name, self.title, tables, (_judge_implicit(rows),), (_explain_bits(rows),))


def _list_lines(view: View, setup: Setup) -> dict[str, list[Line]]:
    """List the lines of each scenario."""
    by_row = {reading.row: reading for reading in list_main_readings()}
    unsupervised = [
        Line(row, group, by_row[row].write_method(view.name), [by_row[row].make_job(view)])
        for row, group in GROUPS.items()
    ]
    trained = [*[(each, "explicit") for each in RANKAGG], *[(each, "implicit") for each in list_implicit("ndcg@10")]]
    supervised = [Line(each.name, group, each.text, each.list_jobs(view, setup)) for each, group in trained]
    return {"unsupervised": unsupervised, "supervised": supervised}


def _list_rows(view: View, scenario: str, lines: Sequence[Line], setup: Setup, answers: Answers) -> list[Row]:
    """List a row for every line and measure, tested against the first."""
    by_line = {line.name: [answers[job] for job in line.jobs] for line in lines}
    rows = []
    for place, row in enumerate(compare_lines(by_line, MEASURES, lines[0].name, setup.seed).table.rows):
        line, k = lines[place // len(MEASURES)], place % len(MEASURES)
        head = {"set": view.name, "values": view.values, "scenario": scenario, "group": line.group, "name": line.name}
        printed = TABLE1[view.name][line.name][k] if line.name in TABLE1[view.name] else None
        rest = {key: row[key] for key in row if key != "method"}
        rows.append(head | {"method": line.text, "paper": printed} | rest)
    return rows


def _judge_implicit(rows: Rows) -> Claim:
    cases = []
    for values in NUMBERS:
        for scenario in list_distinct(rows, "scenario"):
            shares = [_count_ahead(select(rows, values=values, scenario=scenario, set=name)) for name in SETS]
            if shares[0][1]:
                cases.append((f"{scenario}, {ORDERS[values]}: {_join(shares)}.", all(2 * won > n for won, n in shares)))
    paper = (
        "Implicit methods outperform explicit ones in most cases, especially on MQ2007-agg (pairs of methods and "
        f"measures in which the implicit one is ahead, on {' and '.join(SETS)}: in the printed Table 1 "
        f"{_join([_count_ahead(_list_printed(name)) for name in SETS])})."
    )
    return judge_claim(paper, cases)


def _join(shares: Sequence[tuple[int, int]]) -> str:
    return " and ".join(f"{won} of {n}" for won, n in shares)


def _explain_bits(rows: Rows) -> str:
    """Say what the features leave out: RankAgg on the printed map and with missing bits, and the implicit learners."""
    values = rows[-1]["values"]
    mine = select(rows, scenario="supervised", measure="ndcg@10", values=values)
    means = {(row["name"], row["set"]): row["mean"] for row in mine}

    def join(name: str) -> str:
        return f"{name} {' and '.join(f'{means[name, each]:.4f}' for each in SETS)}"

    return (
        "Supervised: in Ψ_BF a document that a list does not contain looks like the last of a full list. ndcg@10 on "
        f"{' and '.join(SETS)}, {ORDERS[values]}: {join('RankAgg_NDCG(Ψ_BF)')}; told what is missing, "
        f"{join(f'RankAgg_NDCG(Ψ_BF {BITS})')}; {join('CPS')}; {join('θ-MPM')}."
    )


def _count_ahead(rows: Rows) -> tuple[int, int]:
    """Count, of all pairs of an explicit and an implicit method by each measure, (those the implicit one wins, all).

    Only feature maps as the paper has them count.
    """
    pairs = [
        (one["mean"], other["mean"])
        for one in select(rows, group="implicit")
        for other in select(rows, group="explicit", measure=one["measure"])
        if BITS not in other["name"]
    ]
    return sum(one > other for one, other in pairs), len(pairs)


def _list_printed(name: str) -> list[Row]:
    """List the figures of the paper's Table 1 as rows."""
    return [
        {"name": row, "group": group, "measure": measure, "mean": value}
        for row, group in GROUPS.items()
        for measure, value in zip(MEASURES, TABLE1[name][row], strict=True)
    ]
