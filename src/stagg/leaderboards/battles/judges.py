"""Judges of battles: what each prefers besides the better contestant, how often it contradicts itself, who agrees."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.data.inputs.battle_rows import BattleRows, code_texts
from stagg.errors import shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.leaderboards.battles.battle_fits import BattleFit

__all__ = ["MOST_JUDGES", "JudgeReport", "agree", "count_cycles", "join_crowd", "look_at_judges"]

CLEAR: Final = 1.96
"""Standard errors beyond which a judge is said to prefer a place."""
FEW_BATTLES: Final = 30
"""Below it a judge has no preferences of its own, if there are many such judges."""
FEW_JUDGES: Final = 10
MOST_JUDGES: Final = 100
"""Judges who are looked at one by one."""
ROUNDING: Final = 1e-12


@dataclasses.dataclass(frozen=True)
class JudgeReport:
    """One judge of battles.

    ``first``: the share of its decided battles that went to the contestant in the first place, NaN where none was
    decided, or nobody knows who stood first. ``even``: the share of first places that the fit gives it between two
    equals; ``place`` is its β, ``error`` the standard error of that, NaN where it has none. ``cycles``: the share of
    cycles among the ``triples`` of contestants of which it prefers one in each pair. ``kappa``: its mean agreement
    (Cohen's κ) with the other judges, over ``shared`` battles.
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
            f"{shown(self.judge)} chose the {which} place in {100 * share:.0f} % of its decided battles; of two equals "
            f"it would choose it in {100 * even:.0f} %; the strengths leave this out."
        )


def join_crowd(rows: BattleRows, anchor: str | None = None) -> BattleRows:
    """The same rows, where judges with few battles are one judge, if there are many of them.

    A preference for a place and a rate of ties for every one of many judges, each known from a handful of votes, would
    make strengths look larger than they are (Neyman & Scott 1948). The judge ``anchor`` stays as it is.
    """
    battles = np.bincount(rows.judge, rows.times, len(rows.judges))
    largest = np.sort(battles)[::-1]
    least = max(FEW_BATTLES, largest[MOST_JUDGES] + 1) if len(largest) > MOST_JUDGES else FEW_BATTLES
    few = battles < least
    if anchor in rows.judges:
        few[rows.judges.index(anchor)] = False
    if few.sum() <= FEW_JUDGES:
        return rows
    name = f"{few.sum():,} judges"
    while name in rows.judges:
        name += " in all"
    judges, codes = code_texts([name if joins else judge for judge, joins in zip(rows.judges, few, strict=True)])
    return dataclasses.replace(rows, judges=judges, judge=codes[rows.judge])


def look_at_judges(rows: BattleRows, fit: BattleFit, fitted: Sequence[str] | None = None) -> tuple[JudgeReport, ...]:
    """A report on every judge; ``fitted``: the judges of the fit, if some of these are taken as one there."""
    places = {judge: k for k, judge in enumerate(rows.judges if fitted is None else fitted)}
    kappa, shared = _agreements(rows)
    return tuple(_look(rows, k, fit, places.get(judge), kappa[k], shared[k]) for k, judge in enumerate(rows.judges))


def _look(
    rows: BattleRows, k: int, fit: BattleFit, fitted: int | None, agreement: FloatArray, shared: IntArray
) -> JudgeReport:
    own = rows.take(rows.judge == k)
    place, error = (
        (math.nan, math.nan) if fitted is None else (float(fit.place[fitted]), float(fit.place_error[fitted]))
    )
    battles = float(own.times.sum())
    ways = [float(own.times[own.outcome == way].sum()) for way in (1, 0, -1)]
    decided = ways[0] + ways[2]
    cyclic, triples = count_cycles(own)
    known = (shared > 0) & ~np.isnan(agreement)
    return JudgeReport(
        judge=rows.judges[k],
        battles=round(battles),
        ties=ways[1] / battles if battles else math.nan,
        first=ways[0] / decided if decided and rows.placed else math.nan,
        even=float(1 / (1 + np.exp(-place))),
        place=place,
        error=error,
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
    """(κ of each pair of judges, on how many battles), none where no question tells the battles that both judged.

    Of several votes of a judge on one battle the first counts.
    """
    count, n = len(rows.judges), len(rows.contestants)
    if not rows.asked or count < 2:
        return np.full((count, count), math.nan), np.zeros((count, count), dtype=np.intp)
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    battles, battle = np.unique((rows.question * n + low) * n + high, return_inverse=True)
    _, votes = np.unique(rows.judge * len(battles) + battle, return_index=True)
    said = np.where(rows.first < rows.second, rows.outcome, -rows.outcome)[votes] + 1
    tables = _cross(rows.judge[votes], battle[votes], said, (count, len(battles)))
    kappa, shared = _kappas(tables), tables.sum(axis=(2, 3)).round().astype(np.intp)
    np.fill_diagonal(kappa, math.nan)
    np.fill_diagonal(shared, 0)
    return kappa, shared


def _cross(judge: IntArray, battle: IntArray, said: IntArray, shape: tuple[int, int]) -> FloatArray:
    """T[k, l, a, b]: how many battles there are of which judge k says a and judge l says b."""
    from scipy.sparse import csr_array

    votes = [
        csr_array((np.ones(int(at.sum())), (judge[at], battle[at])), shape=shape)
        for at in (said == way for way in range(3))
    ]
    return np.array([[(one @ other.T).toarray() for other in votes] for one in votes]).transpose(2, 3, 0, 1)


def agree(one: IntArray, other: IntArray) -> float:
    """Cohen's κ of two judges: agreement beyond what chance gives; NaN where chance alone agrees always.

    >>> agree(np.array([1, 1, -1, 0]), np.array([1, -1, -1, 0])).__round__(3)
    0.636
    """
    table = np.zeros((3, 3))
    np.add.at(table, (one + 1, other + 1), 1.0)
    return float(_kappas(table))


def _kappas(tables: FloatArray) -> FloatArray:
    """κ of tables[..., a, b] of how often one judge says a and the other b."""
    count = tables.sum(axis=(-2, -1), keepdims=True)
    shares = np.divide(tables, count, out=np.zeros(tables.shape), where=count > 0)
    chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
    agreement = shares.trace(axis1=-2, axis2=-1)
    known = (count[..., 0, 0] > 0) & (chance < 1 - ROUNDING)
    return np.asarray(np.divide(agreement - chance, 1 - chance, out=np.full(known.shape, math.nan), where=known))
