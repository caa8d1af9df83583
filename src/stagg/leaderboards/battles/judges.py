"""Judges of battles: what each prefers besides the better contestant, how often it contradicts itself, who agrees."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

import numpy as np

from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.leaderboards.battles.battle_fits import BattleFit

__all__ = ["JudgeReport", "agree", "count_cycles", "look_at_judges"]

CLEAR: Final = 1.96
"""Standard errors beyond which a judge is said to prefer a place."""


@dataclasses.dataclass(frozen=True)
class JudgeReport:
    """One judge of battles.

    ``first``: the share of its decided battles that went to the contestant in the first place, NaN where none was
    decided. ``even``: the share of first places that the fit gives it between two equals; ``place`` is its β, ``error``
    the standard error of that, NaN where it has none. ``cycles``: the share of cycles among the ``triples`` of
    contestants of which it prefers one in each pair. ``kappa``: its mean agreement (Cohen's κ) with the other judges,
    over ``shared`` battles.
    """

    judge: str
    battles: int
    ties: float
    first: float
    even: float
    place: float
    error: float
    cycles: float
    triples: int
    kappa: float
    shared: int

    @property
    def is_biased(self) -> bool:
        """Whether it prefers a place beyond doubt."""
        return abs(self.place) > CLEAR * self.error

    def describe_bias(self) -> str:
        """A sentence on the place that it prefers."""
        which, share, even = "first", self.first, self.even
        if self.place < 0:
            which, share, even = "second", 1 - share, 1 - even
        return (
            f"{shown(self.judge)} chose the {which} place in {share:.0%} of its decided battles; of two equals it "
            f"would choose it in {even:.0%}; the strengths leave this out."
        )


def look_at_judges(rows: BattleRows, fit: BattleFit) -> tuple[JudgeReport, ...]:
    """A report on every judge."""
    agreement, shared = _agreements(rows)
    return tuple(_look(rows, k, fit, agreement[k], shared[k]) for k in range(len(rows.judges)))


def _look(rows: BattleRows, k: int, fit: BattleFit, agreement: FloatArray, shared: IntArray) -> JudgeReport:
    own = rows.take(rows.judge == k)
    battles = own.times.sum()
    ways = [float(own.times[own.outcome == way].sum()) for way in (1, 0, -1)]
    decided = ways[0] + ways[2]
    cyclic, triples = count_cycles(own)
    known = shared > 0
    return JudgeReport(
        judge=rows.judges[k],
        battles=round(battles),
        ties=ways[1] / battles if battles else math.nan,
        first=ways[0] / decided if decided else math.nan,
        even=float(1 / (1 + np.exp(-fit.place[k]))),
        place=float(fit.place[k]),
        error=float(fit.place_error[k]),
        cycles=cyclic / triples if triples else math.nan,
        triples=triples,
        kappa=float(np.average(agreement[known], weights=shared[known])) if known.any() else math.nan,
        shared=int(shared[known].max()) if known.any() else 0,
    )


def count_cycles(rows: BattleRows) -> tuple[int, int]:
    """(cycles, triples): of the triples of contestants with a majority in each pair, those of a > b > c > a."""
    n = len(rows.contestants)
    net = np.bincount(rows.first * n + rows.second, rows.outcome * rows.times, n * n).reshape(n, n)
    net = net - net.T
    beats, met = (net > 0).astype(float), (net != 0).astype(float)
    cycles, triples = (np.einsum("ij,ji->", table @ table, table) for table in (beats, met))
    return round(float(cycles) / 3), round(float(triples) / 6)


def _agreements(rows: BattleRows) -> tuple[FloatArray, IntArray]:
    """(κ of each pair of judges, on how many battles), none where no question tells the battles that both judged."""
    count = len(rows.judges)
    kappa, shared = np.full((count, count), math.nan), np.zeros((count, count), dtype=np.intp)
    if not rows.asked:
        return kappa, shared
    n = len(rows.contestants)
    turned = np.where(rows.first < rows.second, rows.outcome, -rows.outcome)
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    keys = (rows.question * n + low) * n + high
    first_votes = []
    for k in range(count):
        mine = np.flatnonzero(rows.judge == k)
        battles, at = np.unique(keys[mine], return_index=True)
        first_votes.append((battles, turned[mine[at]]))
    for k in range(count):
        for other in range(k):
            both, one, two = np.intersect1d(first_votes[k][0], first_votes[other][0], return_indices=True)
            shared[k, other] = shared[other, k] = len(both)
            kappa[k, other] = kappa[other, k] = agree(first_votes[k][1][one], first_votes[other][1][two])
    return kappa, shared


def agree(one: IntArray, other: IntArray) -> float:
    """Cohen's κ of two judges: agreement beyond what chance gives; NaN where chance alone agrees always.

    >>> agree(np.array([1, 1, -1, 0]), np.array([1, -1, -1, 0])).__round__(3)
    0.636
    """
    if not len(one):
        return math.nan
    table = np.zeros((3, 3))
    np.add.at(table, (one + 1, other + 1), 1 / len(one))
    chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return (float(np.trace(table)) - chance) / (1 - chance) if chance < 1 else math.nan
