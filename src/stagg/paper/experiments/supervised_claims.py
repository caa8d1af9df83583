"""Claims of the paper about Figures 2 and 3, checked: the answers are computed from the rows, not written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stagg.paper.experiments.base import Claim, judge_claim
from stagg.paper.experiments.printed import BEST_MAP, OVER_RANKAGG, OVER_THETA_MPM, SETS
from stagg.paper.experiments.trained import BITS, MAPS, OBJECTIVES
from stagg.paper.rows import Rows, list_distinct, measure_gain, select
from stagg.paper.views import ORDERS

__all__ = ["explain_supervised", "judge_supervised"]

ALPHA = 0.05
KINDS = ("St.Agg", "RankAgg")


@dataclasses.dataclass(frozen=True)
class _Case:
    """One order of the lists, and one kind of feature maps."""

    values: str
    bits: bool
    tests: Rows
    means: dict[tuple[str, str], float]

    def __str__(self) -> str:
        return f"{ORDERS[self.values]}, {'with missing bits' if self.bits else 'features as printed'}"


def judge_supervised(name: str, tests: Rows, rows: Rows) -> tuple[Claim, ...]:
    """Judge what section 5.2 says of the learners on one set."""
    cases = [
        _Case(
            values,
            bits,
            [row for row in select(tests, values=values) if (BITS in row["name"]) == bits],
            {(row["name"], row["measure"]): row["mean"] for row in select(rows, values=values)},
        )
        for values in list_distinct(rows, "values")
        for bits in (False, True)
    ]
    best = BEST_MAP[name]
    return (
        *[
            judge_claim(_state(name, rival), [_compare(case, rival) for case in cases])
            for rival in ("RankAgg", "θ-MPM")
        ],
        judge_claim(
            f"{best} is the best of the three feature maps on {name}.", [_rank_maps(case, best) for case in cases]
        ),
    )


def _state(name: str, rival: str) -> str:
    stated = {"RankAgg": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}[rival] if name == SETS[0] else {}
    gains = ", ".join(f"+{gain:g} % {measure}" for measure, gain in stated.items())
    given = f" (in figures, under Ψ_MF: {gains})" if gains else ""
    return f"St.Agg is above {rival} by every measure under each feature map{given}."


def _compare(case: _Case, rival: str) -> tuple[str, bool]:
    """Say whether St.Agg is above a rival on every feature map by every measure."""
    mine = [row for row in case.tests if row["against"].startswith(rival)]
    ahead = [row for row in mine if row["difference"] > 0]
    sure = sum(row["p_holm"] < ALPHA for row in ahead)
    worse = sum(row["p_holm"] < ALPHA for row in mine if row["difference"] < 0)
    under = ", ".join(f"{row['per cent']:+.1f} % {row['measure']}" for row in mine if "Ψ_MF" in row["name"])
    said = (
        f"{case}: above in {len(ahead)} of {len(mine)} cases, significantly (p < {ALPHA} after Holm) in {sure}, "
        f"significantly below in {worse}; under Ψ_MF {under}."
    )
    return said, sure == len(mine)


def _rank_maps(case: _Case, best: str) -> tuple[str, bool]:
    """Say which feature map is the best for each learner and measure, and whether it mostly is the paper's."""
    maps = [psi for psi in MAPS if (BITS in psi) == case.bits]
    winners = [
        max(maps, key=lambda psi: case.means[f"{kind}({psi})", measure]) for kind in KINDS for measure in OBJECTIVES
    ]
    counts = ", ".join(f"{psi} in {winners.count(psi)}" for psi in maps)
    said = f"{case}: of {len(winners)} pairs of learner (St.Agg, RankAgg) and measure the best is {counts}."
    return said, 2 * sum(psi.startswith(best) for psi in winners) > len(winners)


def explain_supervised(tests: Rows, rows: Rows) -> tuple[str, ...]:
    """Say what moves the figures, and by how much: mean changes over learners, feature maps and measures."""
    means = {(row["values"], row["measure"], row["name"]): row["mean"] for row in rows}
    views = list_distinct(rows, "values", "measure")
    names = [f"{kind}({psi})" for kind in KINDS for psi in MAPS]
    objective = _average_gain(means, [((*v, f"St.Agg({psi})"), (*v, f"RankAgg({psi})")) for v in views for psi in MAPS])
    plain = [name for name in names if BITS not in name]
    bits = _average_gain(means, [((*view, f"{name[:-1]} {BITS})"), (*view, name)) for view in views for name in plain])
    said = f"St.Agg instead of RankAgg {objective}, missing bits {bits}"
    if len({values for values, _ in views}) > 1:
        pairs = [(("rank", measure, name), ("score", measure, name)) for measure in OBJECTIVES for name in names]
        said += f", {ORDERS['rank']} instead of {ORDERS['score']} {_average_gain(means, pairs)}"
    half = np.mean([(row["per cent high"] - row["per cent low"]) / 2 for row in tests])
    return (
        f"What a change is worth, on average over learners, feature maps and measures: {said}.",
        "Both sides have the same features, measure and folds, and each keeps the weights that are best on its "
        f"validation part. A gain over a rival is known to ±{half:.1f} % on average (95 %).",
    )


def _average_gain(means: Mapping[Any, float], pairs: Iterable[tuple[Any, Any]]) -> str:
    return f"{np.mean([measure_gain(means[new], means[old]) for new, old in pairs]):+.1f} %"
