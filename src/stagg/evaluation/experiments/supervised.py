"""Figures 2 and 3: supervised St.Agg against RankAgg, CPS and θ-MPM, on three feature maps, by three measures."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.errors import MissingExtra
from stagg.evaluation.compare import Comparison, comparison
from stagg.evaluation.experiments.base import Answers, Claim, Experiment, Result, Setup, compared, per_cent
from stagg.evaluation.experiments.learned import BITS, OBJECTIVES, Trained, feature_maps, implicit, rankagg, stagg
from stagg.evaluation.experiments.paper import OVER_RANKAGG, OVER_THETA_MPM, SETS
from stagg.evaluation.experiments.sets import DIRECTIONS, View
from stagg.evaluation.experiments.tasks import Task
from stagg.evaluation.significance import holm

__all__ = ["Figure2", "Figure3"]

ALPHA = 0.05
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
        rows, tests, choices = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
        for view in self.views(setup):
            for measure in OBJECTIVES:
                several = learners(measure)
                lines = {each.name: [answers[task] for task in each.tasks(view, setup)] for each in several}
                found = compared(lines, [measure], "θ-MPM", setup.seed)
                texts = {each.name: each.text for each in several}
                head = {"set": view.name, "values": view.values}
                rows += [
                    head | {"name": row["method"], "method": texts[row["method"]]} | _kept(row)
                    for row in found.table.rows
                ]
                tests += [head | row for row in _tests(view, measure, found, setup.seed)]
                choices += [
                    head | {"measure": measure, "name": name, "fold": fold, "chosen": "; ".join(answer["said"])}
                    for name, folds in lines.items()
                    for fold, answer in enumerate(folds, start=1)
                ]
        notes = ["p_holm in the tests is over all pairs of a measure; intervals are over queries"]
        tables = {
            self.name: self.table(setup, rows, notes),
            f"{self.name}-tests": self.table(setup, tests),
            f"{self.name}-choices": self.table(setup, choices),
        }
        return Result(self.name, self.title, tables, tuple(_claims(tests, rows)))


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


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("measure", "mean", "low", "high", "queries")}


def _tests(view: View, measure: str, found: Comparison, seed: int) -> list[dict[str, Any]]:
    """St.Agg on every feature map against RankAgg on the same, θ-MPM and CPS; Holm over these pairs."""
    pairs = [(f"St.Agg({psi})", other) for psi in feature_maps() for other in (f"RankAgg({psi})", "θ-MPM", "CPS")]
    rows = []
    for one, other in pairs:
        mine = _pair(found, one, other, seed)
        stated = _stated(view.name, measure, one, other)
        rows.append({"measure": measure, "name": one, "against": other, "paper per cent": stated} | mine)
    corrected = holm(np.array([row["p_random"] for row in rows]))
    return [row | {"p_holm": float(p)} for row, p in zip(rows, corrected, strict=True)]


def _pair(found: Comparison, one: str, other: str, seed: int) -> dict[str, Any]:
    """One of the methods of a comparison tested against another."""
    places = [found.methods.index(other), found.methods.index(one)]
    tested = comparison(
        [other, one],
        found.measures,
        found.queries,
        found.values[places],
        baseline=other,
        conventions=str(found.table.conventions),
        seed=seed,
    )
    base, row = tested.table.rows
    return {
        "mean": row["mean"],
        "other": base["mean"],
        "difference": row["mean"] - base["mean"],
        "per cent": per_cent(row["mean"], base["mean"]),
    } | {key: row[key] for key in ("p_t", "p_random", "effect", "wins", "ties", "losses")}


def _stated(name: str, measure: str, one: str, other: str) -> float | None:
    """What the text of the paper gives: on MQ2007-agg under Ψ_MF."""
    if name != SETS[0] or one != "St.Agg(Ψ_MF)":
        return None
    return {"RankAgg(Ψ_MF)": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}.get(other, {}).get(measure)


# --- claims -----------------------------------------------------------------------------------------------------------


def _claims(tests: Rows, rows: Rows) -> list[Claim]:
    """On each reading of the numbers, with the feature maps as printed and with ours."""
    claims = []
    for values in DIRECTIONS:
        for bits in (False, True):
            mine = [row for row in tests if row["values"] == values and (BITS in row["name"]) == bits]
            if not mine:
                continue
            how = "with missing bits" if bits else "features as printed"
            where = f"{mine[0]['set']}, {DIRECTIONS[values]}, {how}"
            claims += [_over(where, mine, rival) for rival in ("RankAgg", "θ-MPM")]
            claims.append(_features(where, rows, values, bits))
    return claims


def _over(where: str, tests: Rows, rival: str) -> Claim:
    """Whether St.Agg is above a rival on every feature map by every measure."""
    mine = [row for row in tests if row["against"].startswith(rival)]
    ahead = [row for row in mine if row["difference"] > 0]
    sure = sum(row["p_holm"] < ALPHA for row in ahead)
    worse = sum(row["p_holm"] < ALPHA for row in mine if row["difference"] < 0)
    svd = [row for row in mine if "Ψ_MF" in row["name"]]
    shown = ", ".join(f"{row['per cent']:+.1f} % {row['measure']}" for row in svd)
    stated = {"RankAgg": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}[rival] if svd[0]["set"] == SETS[0] else {}
    printed = ", ".join(f"+{gain:g} % {measure}" for measure, gain in stated.items())
    paper = (
        f"St.Agg is above {rival} by every measure under each feature map{f'; under Ψ_MF {printed}' * bool(printed)}."
    )
    here = (
        f"{where}: above in {len(ahead)} of {len(mine)} cases, {sure} of them significantly (p < {ALPHA} after Holm), "
        f"significantly below in {worse}; under Ψ_MF {shown}."
    )
    return Claim(paper, here)


def _features(where: str, rows: Rows, values: str, bits: bool) -> Claim:
    """Which feature map is the best for each learner and measure."""
    maps = [psi for psi in feature_maps() if (BITS in psi) == bits]
    means = {(row["name"], row["measure"]): row["mean"] for row in rows if row["values"] == values}
    winners = [
        max(maps, key=lambda psi: means[f"{kind}({psi})", measure])
        for kind in ("St.Agg", "RankAgg")
        for measure in OBJECTIVES
    ]
    best = {"MQ2007-agg": "Ψ_MF", "MQ2008-agg": "Ψ_TF"}[rows[0]["set"]]
    counts = ", ".join(f"{psi} in {winners.count(psi)}" for psi in maps)
    return Claim(
        f"{best} is the best of the three feature maps on {rows[0]['set']}.",
        f"{where}: of {len(winners)} pairs of learner (St.Agg, RankAgg) and measure the best is {counts}.",
    )
