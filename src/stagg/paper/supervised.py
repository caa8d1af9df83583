"""Figures 2 and 3: supervised St.Agg against RankAgg, CPS and θ-MPM, on three feature maps, by three measures."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.errors import MissingExtra
from stagg.evaluation.compare import Comparison
from stagg.evaluation.significance import bootstrap_means, effect_size, holm, paired_t, sign_flip, wins_ties_losses
from stagg.paper.experiment import Answers, Experiment, Result, Setup, compared, per_cent
from stagg.paper.jobs import Task
from stagg.paper.printed import OVER_RANKAGG, OVER_THETA_MPM, SETS
from stagg.paper.supervised_claims import supervised_claims, supervised_reasons
from stagg.paper.trained import OBJECTIVES, Trained, feature_maps, implicit, rankagg, stagg
from stagg.paper.views import View

__all__ = ["Figure2", "Figure3"]

Rows = Sequence[dict[str, Any]]


def learners(measure: str) -> list[Trained]:
    """The bars of one measure."""
    explicit = [rankagg(measure, psi, f"RankAgg({psi})") for psi in feature_maps()]
    return [*implicit(measure), *explicit, *[stagg(measure, psi, f"St.Agg({psi})") for psi in feature_maps()]]


class Supervised(Experiment):
    """One set; five folds, all settings chosen on the validation parts, the objective matching the measure."""

    directions = ("score", "rank")

    def needs(self) -> None:
        if importlib.util.find_spec("tensorly") is None:
            raise MissingExtra("The features 'cp'", package="tensorly", extra="cp")

    def tasks(self, setup: Setup) -> list[Task]:
        return [
            task
            for view in self.views(setup)
            for measure in OBJECTIVES
            for each in learners(measure)
            for task in each.tasks(view, setup)
        ]

    def result(self, setup: Setup, answers: Answers) -> Result:
        found = [_found(view, measure, setup, answers) for view in self.views(setup) for measure in OBJECTIVES]
        rows, tests, choices = ([row for each in found for row in each[part]] for part in range(3))
        notes = ["p_holm in the tests is over all pairs of a measure; intervals are over queries"]
        tables = {
            self.name: self.table(setup, rows, notes),
            f"{self.name}-tests": self.table(setup, tests),
            f"{self.name}-choices": self.table(setup, choices),
        }
        claims = supervised_claims(self.sets[0], tests, rows)
        return Result(self.name, self.title, tables, claims, supervised_reasons(tests, rows))


class Figure2(Supervised):
    """Supervised methods on MQ2007-agg."""

    name = "figure2"
    title = "Figure 2: supervised methods on MQ2007-agg"
    sets = SETS[:1]


class Figure3(Supervised):
    """Supervised methods on MQ2008-agg."""

    name = "figure3"
    title = "Figure 3: supervised methods on MQ2008-agg"
    sets = SETS[1:]


def _found(view: View, measure: str, setup: Setup, answers: Answers) -> tuple[Rows, Rows, Rows]:
    """(means, tests, what was chosen in each fold) of one measure."""
    several = learners(measure)
    lines = {each.name: [answers[task] for task in each.tasks(view, setup)] for each in several}
    texts = {each.name: each.text for each in several}
    found = compared(lines, [measure], "θ-MPM", setup.seed)
    head = {"set": view.name, "values": view.values}
    rows = [
        head
        | {"name": row["method"], "method": texts[row["method"]]}
        | {key: row[key] for key in ("measure", "mean", "low", "high", "queries")}
        for row in found.table.rows
    ]
    choices = [
        head | {"measure": measure, "name": name, "fold": fold, "chosen": "; ".join(answer["said"])}
        for name, folds in lines.items()
        for fold, answer in enumerate(folds, start=1)
    ]
    return rows, [head | row for row in _tests(view, measure, found, setup.seed)], choices


def _tests(view: View, measure: str, found: Comparison, seed: int) -> list[dict[str, Any]]:
    """St.Agg on every feature map against RankAgg on the same, θ-MPM and CPS; Holm over these pairs."""
    pairs = [(f"St.Agg({psi})", other) for psi in feature_maps() for other in (f"RankAgg({psi})", "θ-MPM", "CPS")]
    values = dict(zip(found.methods, found.values[:, 0], strict=True))
    differences = np.stack([values[one] - values[other] for one, other in pairs], axis=1)
    p_random = sign_flip(differences, seed=seed)
    tests = zip(
        paired_t(differences).tolist(), p_random.tolist(), holm(p_random).tolist(), effect_size(differences).tolist(),
        *[counts.tolist() for counts in wins_ties_losses(differences)], strict=True,
    )  # fmt: skip
    ends = zip(*bootstrap_means(differences, seed=seed), strict=True)
    return [
        {"measure": measure, "name": one, "against": other}
        | _gain(float(values[one].mean()), float(values[other].mean()), *interval)
        | {"paper per cent": _stated(view.name, measure, one, other)}
        | dict(zip(("p_t", "p_random", "p_holm", "effect", "wins", "ties", "losses"), test, strict=True))
        for (one, other), interval, test in zip(pairs, ends, tests, strict=True)
    ]


def _gain(mean: float, other: float, low: float, high: float) -> dict[str, float]:
    """Two means, and how far the first is above the second, with the interval of that over queries."""
    return {
        "mean": mean,
        "other": other,
        "difference": mean - other,
        "per cent": per_cent(mean, other),
        "per cent low": per_cent(other + float(low), other),
        "per cent high": per_cent(other + float(high), other),
    }


def _stated(name: str, measure: str, one: str, other: str) -> float | None:
    """What the text of the paper gives: on MQ2007-agg under Ψ_MF."""
    if name != SETS[0] or one != "St.Agg(Ψ_MF)":
        return None
    return {"RankAgg(Ψ_MF)": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}.get(other, {}).get(measure)
