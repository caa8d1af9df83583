"""The difference of two settings from judged pairs: an estimate with its error, perhaps helped by labels of an LLM.

``these`` is about the queries at hand. ``future`` is about queries like them, which are a sample themselves.
"""

from __future__ import annotations

import dataclasses
from typing import Final, Literal

import numpy as np

from stagg.evaluation.significance import Estimate
from stagg.judging.pair_plan import NOBODY, PairPlan
from stagg.judging.units import Contrast
from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["FEWEST_PAIRS", "Difference", "Scope", "estimate", "leave", "spread_of"]

Scope = Literal["future", "these"]

FEWEST_PAIRS: Final = 3
"""Points without which there is no variance; what may be told of an interval is decided elsewhere."""
TINY: Final = 1e-12
KNOWN: Final = 0.75
"""How much of the judged share of the weight is taken off the variance. All of it covers too seldom (.92 with 200
judgments, .75 in the worst of 91 cells), a half too often (.980, .955); this is chosen on these cells (.975, .945)."""
SHY: Final = 4  # the slope is shrunk as if so many pairs had shown nothing


@dataclasses.dataclass(frozen=True)
class Difference:
    """A difference A - B with its error.

    ``points`` is the number of pairs, ``different`` how many of them have two different gains, and ``judgments`` the
    number of documents in them. ``slope``, from 0 to 1, says how far the proxy was believed, and ``saved`` the share of
    the variance that it took away; ``alone`` is what the proxy says by itself. ``exact``: all units are judged, so that
    the queries at hand are known without error. ``spread``, ``between``: what a forecast needs (see ``forecast``).
    """

    estimate: Estimate
    points: int
    different: int
    judgments: int
    exact: bool
    spread: float = 0.0
    between: float = 0.0
    slope: float = 0.0
    saved: float = 0.0
    alone: float | None = None

    @property
    def value(self) -> float:
        return self.estimate.mean

    def interval(self, level: float) -> tuple[float, float]:
        """The two-sided interval."""
        one_sided = (1 + level) / 2
        return self.estimate.lower(one_sided), self.estimate.upper(one_sided)

    @property
    def p(self) -> float:
        """Two-sided p of no difference."""
        return min(1.0, 2 * min(self.estimate.p_above(0.0), self.estimate.p_below(0.0)))


def estimate(
    plan: PairPlan, gains: FloatArray, points: int, *, scope: Scope = "future", predicted: FloatArray | None = None
) -> Difference | None:
    """The difference by the first ``points`` of a plan; None with fewer than three.

    ``gains``: one for each unit, NaN where it is not judged; those of the first points must be known. ``predicted``: a
    gain for each unit by a proxy. It is a control variate: it can narrow the interval, and never biases it.
    """
    contrast = plan.contrast
    if not np.isnan(gains).any():
        return _know_all(contrast, gains, points, scope, predicted)
    if points < FEWEST_PAIRS:
        return None
    a, b = plan.pairs(points)
    words = _difference(plan, gains, a, b)
    slope, rest = 0.0, np.zeros(len(gains))
    plain = float(words.var(ddof=1))
    if predicted is not None:
        guesses = _difference(plan, predicted, a, b)
        slope = _find_slope(words, guesses)
        words, rest = words - slope * guesses, slope * predicted
    seen = np.unique(np.concatenate([a, b]))
    seen = seen[seen != NOBODY]
    base = contrast.sums(contrast.weight * rest)
    alike = plain <= TINY * max(plan.masses) ** 2
    own = max(float(words.var(ddof=1)), _vary_at_least(words, plan) if alike else 0.0)
    share = float(np.abs(contrast.weight[seen]).sum()) / sum(plan.masses)
    variance, degrees = own / points * leave(share), points - 1 - (predicted is not None)
    queries, between = len(contrast.queries), 0.0
    if scope == "future":
        between = _vary_between(plan, gains - rest, base, a, b)
        variance, degrees = max(own / points, between), min(degrees, queries - 1)
    return Difference(
        Estimate(float(words.mean() + base.sum()), float(np.sqrt(variance)), degrees, queries),
        points,
        int((_take(gains, a) != _take(gains, b)).sum()),
        len(seen),
        exact=False,
        spread=spread_of(own, plan),
        between=max(0.0, between - own / points * (1 - share)),
        slope=slope,
        saved=1 - own / plain if plain > 0 else 0.0,
        alone=None if predicted is None else float(contrast.weight @ predicted),
    )


def _know_all(
    contrast: Contrast, gains: FloatArray, points: int, scope: Scope, predicted: FloatArray | None
) -> Difference:
    """Every unit is judged: exact for these queries; of queries like them they are still a sample."""
    of_query = contrast.sums(contrast.weight * gains)
    queries = len(of_query)
    between = float(queries * of_query.var(ddof=1)) if queries > 1 and scope == "future" else 0.0
    most = float(contrast.sums(np.abs(contrast.weight)).max() / 2) ** 2
    if scope == "future" and between <= TINY * most and of_query.any():  # all alike: one may still be wholly different
        between = most
    error, degrees = float(np.sqrt(between)), max(queries - 1, 0)
    alone = None if predicted is None else float(contrast.weight @ predicted)
    whole = Estimate(float(of_query.sum()), error, degrees if scope == "future" else 1, queries)
    return Difference(whole, points, len(contrast), len(contrast), exact=True, between=between, alone=alone)


def _vary_at_least(words: FloatArray, plan: PairPlan) -> float:
    """The variance were one of the pairs, which all say the same, a whole relevant document off.

    Pairs without any variety do not prove that there is none; where none of them says anything, all grades are alike.
    """
    return max(plan.masses) ** 2 / len(words) if words.any() else 0.0


def leave(share: float) -> float:
    """The part of the variance that is left where this share of the weight is judged: a finite population."""
    return 1 - KNOWN * share


def spread_of(variance: float, plan: PairPlan) -> float:
    """The standard deviation of a gain that makes this variance of the pairs, were the two gains independent."""
    return float(np.sqrt(variance / max(sum(mass**2 for mass in plan.masses), TINY)))


def _take(values: FloatArray, units: IntArray) -> FloatArray:
    """The value of each unit, 0 where a point names nobody."""
    return np.where(units == NOBODY, 0.0, values[units])


def _difference(plan: PairPlan, values: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """The word of each pair for the whole difference."""
    return plan.masses[0] * _take(values, a) - plan.masses[1] * _take(values, b)


def _find_slope(words: FloatArray, guesses: FloatArray) -> float:
    """λ: how far the proxy is believed, from 0 to 1."""
    variance = float(guesses.var(ddof=1))
    if variance <= TINY:
        return 0.0
    shared = float(np.cov(words, guesses)[0, 1])
    return float(np.clip(shared / (variance * (1 + SHY / len(words))), 0, 1))


def _vary_between(plan: PairPlan, rest: FloatArray, base: FloatArray, a: IntArray, b: IntArray) -> float:
    """The variance of the sum of what each query adds, were the queries drawn anew.

    ``rest``: gains less what the proxy explains; ``base``: what the proxy says of each query. A query without a pair
    counts as it is. What a mean gain adds where the lists of a query differ in length is known without any pair.
    """
    contrast, queries = plan.contrast, len(plan.contrast.queries)
    known = np.concatenate([units[units != NOBODY] for units in (a, b)])
    centre = rest[known].mean()
    of_query = base + centre * contrast.sums(contrast.weight)
    for units, mass, sign in ((a, plan.masses[0], 1.0), (b, plan.masses[1], -1.0)):
        units = units[units != NOBODY]
        np.add.at(of_query, contrast.query[units], sign * mass * (rest[units] - centre) / len(a))
    return queries * float(of_query.var(ddof=1)) if queries > 1 else float("inf")
