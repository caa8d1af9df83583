"""Figures 2 and 3: supervised St.Agg against RankAgg, CPS and θ-MPM, on three feature maps, by three measures."""

from __future__ import annotations

import numpy as np

from stagg.evaluation.compare import Comparison
from stagg.evaluation.significance import bootstrap_means, effect_size, holm, paired_t, sign_flip, wins_ties_losses
from stagg.paper.experiments.base import Answers, Experiment, Result, Setup, compare_lines
from stagg.paper.experiments.printed import OVER_RANKAGG, OVER_THETA_MPM, SETS
from stagg.paper.experiments.supervised_claims import explain_supervised, judge_supervised
from stagg.paper.experiments.trained import MAPS, OBJECTIVES, Trained, list_implicit, take_linear
from stagg.paper.rows import Row, Rows, measure_gain
from stagg.paper.views import NUMBERS, View
from stagg.paper.work.jobs import Job

__all__ = ["Supervised"]


class Supervised(Experiment):
    """One set; five folds, all settings chosen on the validation parts, the objective matching the measure."""

    orders = NUMBERS
    extras = (*Experiment.extras, ("The features 'cp'", "tensorly", "cp"))

    def __init__(self, number: int, name: str) -> None:
        self.name, self.sets = f"figure{number}", (name,)
        self.title = f"Figure {number}: supervised methods on {name}"

    def list_jobs(self, setup: Setup) -> list[Job]:
        return [
            job
            for view in self.list_views(setup)
            for measure in OBJECTIVES
            for each in _list_learners(measure)
            for job in each.list_jobs(view, setup)
        ]

    def conclude(self, setup: Setup, answers: Answers) -> Result:
        parts = [_collect(view, measure, setup, answers) for view in self.list_views(setup) for measure in OBJECTIVES]
        rows, tests, choices = ([row for each in parts for row in each[part]] for part in range(3))
        notes = ["p_holm in the tests is over all pairs of a measure; intervals are over queries"]
        tables = {
            self.name: self.tabulate(setup, rows, notes),
            f"{self.name}-tests": self.tabulate(setup, tests),
            f"{self.name}-choices": self.tabulate(setup, choices),
        }
        claims = judge_supervised(self.sets[0], tests, rows)
        return Result(self.name, self.title, tables, claims, explain_supervised(tests, rows))


def _list_learners(measure: str) -> list[Trained]:
    """List the bars of one measure."""
    kinds = (("rankagg", "RankAgg"), ("stagg", "St.Agg"))
    linear = [take_linear(kind, measure, psi, f"{name}({psi})") for kind, name in kinds for psi in MAPS]
    return [*list_implicit(measure), *linear]


def _collect(view: View, measure: str, setup: Setup, answers: Answers) -> tuple[Rows, Rows, Rows]:
    """Collect (means, tests, what was chosen in each fold) of one measure."""
    learners = _list_learners(measure)
    lines = {each.name: [answers[job] for job in each.list_jobs(view, setup)] for each in learners}
    texts = {each.name: each.text for each in learners}
    comparison = compare_lines(lines, [measure], "θ-MPM", setup.seed)
    head = {"set": view.name, "values": view.values}
    rows = [
        head
        | {"name": row["method"], "method": texts[row["method"]]}
        | {key: row[key] for key in ("measure", "mean", "low", "high", "queries")}
        for row in comparison.table.rows
    ]
    choices = [
        head | {"measure": measure, "name": name, "fold": fold, "chosen": "; ".join(answer["said"])}
        for name, folds in lines.items()
        for fold, answer in enumerate(folds, start=1)
    ]
    return rows, [head | row for row in _test_pairs(view, measure, comparison, setup.seed)], choices


def _test_pairs(view: View, measure: str, comparison: Comparison, seed: int) -> list[Row]:
    """Test St.Agg on every feature map against RankAgg on the same, θ-MPM and CPS; Holm over these pairs."""
    pairs = [(f"St.Agg({psi})", other) for psi in MAPS for other in (f"RankAgg({psi})", "θ-MPM", "CPS")]
    values = dict(zip(comparison.methods, comparison.values[:, 0], strict=True))
    differences = np.stack([values[one] - values[other] for one, other in pairs], axis=1)
    p_random = sign_flip(differences, seed=seed)
    columns = [paired_t(differences), p_random, holm(p_random), effect_size(differences)]
    tests = zip(*[column.tolist() for column in (*columns, *wins_ties_losses(differences))], strict=True)
    ends = zip(*bootstrap_means(differences, seed=seed), strict=True)
    return [
        {"measure": measure, "name": one, "against": other}
        | _describe_gain(float(values[one].mean()), float(values[other].mean()), *interval)
        | {"paper per cent": _find_stated(view.name, measure, one, other)}
        | dict(zip(("p_t", "p_random", "p_holm", "effect", "wins", "ties", "losses"), test, strict=True))
        for (one, other), interval, test in zip(pairs, ends, tests, strict=True)
    ]


def _describe_gain(mean: float, other: float, low: float, high: float) -> dict[str, float]:
    """Describe how far a mean is above another, with the interval of that over queries."""
    gains = {"": mean, " low": other + float(low), " high": other + float(high)}
    return {"mean": mean, "other": other, "difference": mean - other} | {
        f"per cent{end}": measure_gain(value, other) for end, value in gains.items()
    }


def _find_stated(name: str, measure: str, one: str, other: str) -> float | None:
    """Find what the text of the paper gives: only on MQ2007-agg under Ψ_MF."""
    if name != SETS[0] or one != "St.Agg(Ψ_MF)":
        return None
    return {"RankAgg(Ψ_MF)": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}.get(other, {}).get(measure)
