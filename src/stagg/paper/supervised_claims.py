"""What the paper says of Figures 2 and 3, and what comes out here: computed from the rows, not written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stagg.paper.experiment import Claim, per_cent
from stagg.paper.printed import OVER_RANKAGG, OVER_THETA_MPM, SETS
from stagg.paper.trained import BITS, OBJECTIVES, feature_maps
from stagg.paper.views import DIRECTIONS

__all__ = ["supervised_claims", "supervised_reasons"]

ALPHA = 0.05
BEST_MAP = {"MQ2007-agg": "Ψ_MF", "MQ2008-agg": "Ψ_TF"}  # section 5.2.2
KINDS = ("St.Agg", "RankAgg")

Rows = Sequence[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class _Reading:
    """One way to read the numbers of the files, and one kind of feature maps."""

    values: str
    bits: bool
    tests: Rows
    means: dict[tuple[str, str], float]

    def __str__(self) -> str:
        return f"{DIRECTIONS[self.values]}, {'with missing bits' if self.bits else 'features as printed'}"

    @property
    def maps(self) -> list[str]:
        return [psi for psi in feature_maps() if (BITS in psi) == self.bits]


def supervised_claims(name: str, tests: Rows, rows: Rows) -> tuple[Claim, ...]:
    """What section 5.2 says of the learners on one set."""
    readings = [
        _Reading(
            values,
            bits,
            [row for row in tests if row["values"] == values and (BITS in row["name"]) == bits],
            {(row["name"], row["measure"]): row["mean"] for row in rows if row["values"] == values},
        )
        for values in DIRECTIONS
        for bits in (False, True)
        if any(row["values"] == values for row in rows)
    ]
    best = BEST_MAP[name]
    return (
        *[_claim(_printed(name, rival), [_over(each, rival) for each in readings]) for rival in ("RankAgg", "θ-MPM")],
        _claim(
            f"{best} is the best of the three feature maps on {name}.", [_features(each, best) for each in readings]
        ),
    )


def supervised_reasons(tests: Rows, rows: Rows) -> tuple[str, ...]:
    """What moves the figures, and by how much: mean changes over learners, feature maps and measures."""
    means = {(row["values"], row["measure"], row["name"]): row["mean"] for row in rows}
    views = [(values, measure) for values in DIRECTIONS for measure in OBJECTIVES if (values, measure, "CPS") in means]
    names = [f"{kind}({psi})" for kind in KINDS for psi in feature_maps()]
    objective = _change(
        means, [((*v, f"St.Agg({psi})"), (*v, f"RankAgg({psi})")) for v in views for psi in feature_maps()]
    )
    plain = [name for name in names if BITS not in name]
    bits = _change(means, [((*view, f"{name[:-1]} {BITS})"), (*view, name)) for view in views for name in plain])
    said = f"St.Agg in the place of RankAgg {objective}, missing bits {bits}"
    if len({values for values, _ in views}) > 1:
        pairs = [(("rank", measure, name), ("score", measure, name)) for measure in OBJECTIVES for name in names]
        said += f", {DIRECTIONS['rank']} in the place of {DIRECTIONS['score']} {_change(means, pairs)}"
    half = np.mean([(row["per cent high"] - row["per cent low"]) / 2 for row in tests])
    return (
        f"What a change is worth, on average over learners, feature maps and measures: {said}.",
        "Both sides have the same features, measure and folds, and each keeps the weights that are best on its "
        f"validation part. A gain over a rival is known to ±{half:.1f} % on average (95 %).",
    )


def _change(means: Mapping[Any, float], pairs: Iterable[tuple[Any, Any]]) -> str:
    return f"{np.mean([per_cent(means[new], means[old]) for new, old in pairs]):+.1f} %"


def _claim(paper: str, cases: Sequence[tuple[str, bool]]) -> Claim:
    return Claim(paper, tuple(said for said, _ in cases), tuple(holds for _, holds in cases))


def _printed(name: str, rival: str) -> str:
    stated = {"RankAgg": OVER_RANKAGG, "θ-MPM": OVER_THETA_MPM}[rival] if name == SETS[0] else {}
    gains = ", ".join(f"+{gain:g} % {measure}" for measure, gain in stated.items())
    given = f" (in figures, under Ψ_MF: {gains})" if gains else ""
    return f"St.Agg is above {rival} by every measure under each feature map{given}."


def _over(reading: _Reading, rival: str) -> tuple[str, bool]:
    """Whether St.Agg is above a rival on every feature map by every measure."""
    mine = [row for row in reading.tests if row["against"].startswith(rival)]
    ahead = [row for row in mine if row["difference"] > 0]
    sure = sum(row["p_holm"] < ALPHA for row in ahead)
    worse = sum(row["p_holm"] < ALPHA for row in mine if row["difference"] < 0)
    shown = ", ".join(f"{row['per cent']:+.1f} % {row['measure']}" for row in mine if "Ψ_MF" in row["name"])
    said = (
        f"{reading}: above in {len(ahead)} of {len(mine)} cases, significantly (p < {ALPHA} after Holm) in {sure}, "
        f"significantly below in {worse}; under Ψ_MF {shown}."
    )
    return said, sure == len(mine)


def _features(reading: _Reading, best: str) -> tuple[str, bool]:
    """Which feature map is the best for each learner and measure, and whether it mostly is the paper's."""
    winners = [
        max(reading.maps, key=lambda psi: reading.means[f"{kind}({psi})", measure])
        for kind in KINDS
        for measure in OBJECTIVES
    ]
    counts = ", ".join(f"{psi} in {winners.count(psi)}" for psi in reading.maps)
    said = f"{reading}: of {len(winners)} pairs of learner (St.Agg, RankAgg) and measure the best is {counts}."
    return said, 2 * sum(psi.startswith(best) for psi in winners) > len(winners)
