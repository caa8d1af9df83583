"""Figure 1: explicit methods, which use ranks as they are, against implicit ones, which fit a model to the lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stagg.paper.experiment import Answers, Claim, Experiment, Result, Setup, compared
from stagg.paper.jobs import Task
from stagg.paper.printed import MEASURES, SETS, TABLE1
from stagg.paper.readings import main_rows
from stagg.paper.trained import BITS, OBJECTIVES, Trained, implicit, rankagg
from stagg.paper.views import DIRECTIONS, View

__all__ = ["Figure1"]

EXPLICIT = ("BestInput", "BordaCount", "RRF")
IMPLICIT = ("SVP", "MPM", "Plackett-Luce")
TRAINED: dict[str, list[Trained]] = {
    "explicit": [
        rankagg(target, psi, f"RankAgg_{objective.upper()}({psi})")
        for psi in ("Ψ_BF", f"Ψ_BF {BITS}")
        for target, objective in OBJECTIVES.items()
    ],
    "implicit": implicit("ndcg@10"),
}
SCENARIOS = ("unsupervised", "supervised")
Rows = Sequence[dict[str, Any]]


class Figure1(Experiment):
    """Explicit against implicit methods, without labels and with them."""

    name = "figure1"
    title = "Figure 1: explicit against implicit methods"
    directions = ("score", "rank")

    def tasks(self, setup: Setup) -> list[Task]:
        return [
            task
            for view in self.views(setup)
            for lines in _lines(view, setup).values()
            for _, _, _, tasks in lines
            for task in tasks
        ]

    def result(self, setup: Setup, answers: Answers) -> Result:
        rows = [
            row
            for view in self.views(setup)
            for scenario, lines in _lines(view, setup).items()
            for row in _rows(view, scenario, lines, setup, answers)
        ]
        return Result(self.name, self.title, {"figure1": self.table(setup, rows)}, (_claim(rows),), _reasons(rows))


Line = tuple[str, str, str, Sequence[Task]]
"""(name, explicit or implicit, the method's text, its tasks)."""


def _lines(view: View, setup: Setup) -> dict[str, list[Line]]:
    """The lines of each scenario."""
    chosen = [row for group in (EXPLICIT, IMPLICIT) for name in group for row in main_rows() if row.row == name]
    unsupervised: list[Line] = [
        (row.row, "explicit" if row.row in EXPLICIT else "implicit", row.method(view.name), [row.task(view)])
        for row in chosen
    ]
    supervised: list[Line] = [
        (each.name, group, each.text, each.tasks(view, setup)) for group, several in TRAINED.items() for each in several
    ]
    return {"unsupervised": unsupervised, "supervised": supervised}


def _rows(view: View, scenario: str, lines: Sequence[Line], setup: Setup, answers: Answers) -> list[dict[str, Any]]:
    """A row for every line and measure, tested against the first."""
    found = compared(
        {name: [answers[task] for task in tasks] for name, _, _, tasks in lines}, MEASURES, lines[0][0], setup.seed
    )
    rows = []
    for place, row in enumerate(found.table.rows):
        name, group, text, _ = lines[place // len(MEASURES)]
        head = {
            "set": view.name,
            "values": view.values,
            "scenario": scenario,
            "group": group,
            "name": name,
            "method": text,
        }
        printed = TABLE1[view.name][name][place % len(MEASURES)] if name in TABLE1[view.name] else None
        rows.append(head | {"paper": printed} | {key: row[key] for key in row if key != "method"})
    return rows


def _claim(rows: Rows) -> Claim:
    said, most = list[str](), list[bool]()
    for values in DIRECTIONS:
        for scenario in SCENARIOS:
            shares = [_ahead([r for r in rows if (r["values"], r["scenario"], r["set"]) == (values, scenario, name)])
                      for name in SETS]  # fmt: skip
            if shares[0][1]:
                counts = " and ".join(f"{won} of {all_}" for won, all_ in shares)
                said.append(f"{scenario}, {DIRECTIONS[values]}: {counts}.")
                most.append(all(2 * won > all_ for won, all_ in shares))
    own = " and ".join(f"{won} of {all_}" for won, all_ in (_ahead(_printed(name)) for name in SETS))
    paper = (
        "Implicit methods outperform explicit ones in most cases, especially on MQ2007-agg (pairs of methods and "
        f"measures in which the implicit one is ahead, on {' and '.join(SETS)}: in the printed Table 1 {own})."
    )
    return Claim(paper, tuple(said), tuple(most))


def _reasons(rows: Rows) -> tuple[str, ...]:
    """Why ours differs: what was read which way, and what the features leave out."""
    directions = [values for values in DIRECTIONS if any(row["values"] == values for row in rows)]
    return (*([_mixed(rows)] if len(directions) > 1 else []), _bits(rows, directions[-1]))


def _mixed(rows: Rows) -> str:
    """Which direction is the nearer to the printed figures, for each unsupervised method."""
    nearer: dict[str, list[str]] = {values: [] for values in DIRECTIONS}
    for name in (*EXPLICIT, *IMPLICIT):
        distance = {
            values: sum(
                abs(row["mean"] - TABLE1[row["set"]][name][MEASURES.index(row["measure"])])
                for row in rows
                if (row["name"], row["values"]) == (name, values)
            )
            for values in DIRECTIONS
        }
        nearer[min(distance, key=distance.__getitem__)].append(name)
    said = "; ".join(f"with {DIRECTIONS[values]}: {', '.join(names) or 'none'}" for values, names in nearer.items())
    both = "Explicit and implicit methods that read the lists in different directions cannot be compared."
    return f"Unsupervised: nearer to the printed figures {said}.{f' {both}' if all(nearer.values()) else ''}"


def _bits(rows: Rows, values: str) -> str:
    """What the features leave out: RankAgg on the printed map and with missing bits, beside the implicit learners."""
    best = {
        (row["name"], row["set"]): row["mean"]
        for row in rows
        if (row["values"], row["scenario"], row["measure"]) == (values, "supervised", "ndcg@10")
    }

    def means(name: str) -> str:
        return f"{name} {' and '.join(f'{best[name, each]:.4f}' for each in SETS)}"

    printed, bits = (rankagg("ndcg@10", psi, f"RankAgg_NDCG({psi})").name for psi in ("Ψ_BF", f"Ψ_BF {BITS}"))
    return (
        "Supervised: in Ψ_BF a document that a list does not hold looks like the last of a full list. ndcg@10 on "
        f"{' and '.join(SETS)}, {DIRECTIONS[values]}: {means(printed)}; told what is missing, {means(bits)}; "
        f"{means('CPS')}; {means('θ-MPM')}."
    )


def _ahead(rows: Rows) -> tuple[int, int]:
    """Of all pairs of an explicit and an implicit method, by each measure: (those that the implicit one wins, all).

    Only feature maps as the paper has them count.
    """
    pairs = [
        (one["mean"], other["mean"])
        for one in rows
        for other in rows
        if (one["group"], other["group"]) == ("implicit", "explicit") and one["measure"] == other["measure"]
        if BITS not in other.get("name", "")
    ]
    return sum(one > other for one, other in pairs), len(pairs)


def _printed(name: str) -> list[dict[str, Any]]:
    """The rows of the paper's Table 1, as those here."""
    groups = dict.fromkeys(EXPLICIT, "explicit") | dict.fromkeys(IMPLICIT, "implicit")
    return [
        {"group": group, "measure": measure, "mean": value}
        for row, group in groups.items()
        for measure, value in zip(MEASURES, TABLE1[name][row], strict=True)
    ]
