"""Rank sets: intervals of ranks that hold for all contestants at once, and for each alone.

Reference: Mogstad, Romano, Shaikh & Wilhelm, "Inference for ranks", Review of Economic Studies 2024.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.leaderboards.strengths import Strengths

__all__ = ["RankSets", "find_rank_sets", "find_tail", "group_runs"]

LEAST_ERROR = 1e-9  # of a difference: below it, draws do not differ
STEPS = 25  # of the step-down; it ends by itself after a few
MANY_UNITS = 200  # from which the draws are taken as they are
SURELY_ONE = 1 - 1e-6  # of a cosine in single precision
SIGNS = 4  # the second half of a seed: signs are drawn apart from the weights of tasks


@dataclasses.dataclass(frozen=True, eq=False)
class RankSets:
    """Intervals of ranks, from 1, in the order of the contestants.

    ``low`` and ``high`` hold for all contestants at once, in ``level`` of all tables like this one;
    ``marginal_low`` and ``marginal_high`` for each contestant alone. ``above[i, j]``: i is told apart from j, and
    stronger, with all such statements right at once. ``errors[i, j]``: the standard error of the difference of i and
    j, nought where the draws do not tell; ``degrees[i, j]``: its degrees of freedom. ``critical``: the
    number of standard errors that a difference must exceed, for many units.
    """

    low: IntArray
    high: IntArray
    marginal_low: IntArray
    marginal_high: IntArray
    above: BoolArray
    errors: FloatArray
    degrees: IntArray
    critical: float
    level: float


def find_rank_sets(strengths: Strengths, *, level: float = 0.95, seed: int = 0) -> RankSets:
    """Rank sets by the studentised maximum of all differences over the draws, with step-down.

    The critical value c satisfies P(max |(θ*_i - θ*_j) - (θ_i - θ_j)| / se_ij ≤ c) = ``level`` over the draws; pairs
    that it tells apart leave the maximum, until no more follow. The rank set of i is [1 + number of j that are
    stronger, n - number that are weaker]. With fewer than 200 units, the maximum is that of Student's t when the units
    change their signs at random, which assumes only that of two equals each leads by as much as it trails. Where a
    contestant has fewer units than others, c becomes as improbable for these as it is for all. So few units that no
    sign test could decide tell nothing apart.
    """
    if not 0.5 <= level < 1:
        raise InvalidParameter(f"the level of intervals is a number from 0.5 to below 1, not {shown(level)}")
    n = len(strengths.names)
    gaps = strengths.values[:, None] - strengths.values
    errors, degrees = _errors(strengths), _degrees(strengths.units)
    if len(strengths.draws) < 2:
        nobody = np.zeros((n, n), dtype=bool)
        low, high = _ranks(nobody)
        return RankSets(low, high, low, high, nobody, errors, degrees, math.inf, level)
    decided = _can_decide(degrees, level)
    maxima = _maxima_of(strengths, gaps, errors, seed)
    pairs = ~np.eye(n, dtype=bool)
    critical, above = math.inf, np.zeros((n, n), dtype=bool)
    for _ in range(STEPS):
        critical = min(critical, maxima.find_critical(pairs & ~(above | above.T), level))
        more = maxima.tell_apart(np.full(n, critical), degrees) & decided & (gaps > 0)
        if not (more & ~above).any():
            break
        above |= more
    alone = _tell_apart_alone(maxima, degrees, decided, level)
    low, high = _ranks(above)
    marginal_low = 1 + (alone & (gaps < 0)).sum(axis=1)
    marginal_high = n - (alone & (gaps > 0)).sum(axis=1)
    return RankSets(low, high, marginal_low, marginal_high, above, errors, degrees, maxima.size(critical), level)


def find_tail(strengths: Strengths, apart: BoolArray, *, level: float = 0.95, seed: int = 0) -> float:
    """How improbable a difference must be, on one side, where the pairs ``apart`` are told apart already.

    Few units may demand what no difference of theirs can show; never more than Bonferroni's correction is asked here.
    """
    gaps = strengths.values[:, None] - strengths.values
    maxima = _maxima_of(strengths, gaps, _errors(strengths), seed)
    still_open = ~(apart | apart.T | np.eye(len(gaps), dtype=bool))
    bonferroni = (1 - level) / max(int(still_open.sum()), 1)  # both sides of every pair that is open
    return max(bonferroni, float(maxima.tail(np.array(maxima.find_critical(still_open, level)))))


def _tell_apart_alone(maxima: _Maxima, degrees: IntArray, decided: BoolArray, level: float) -> BoolArray:
    """[i, j]: i and j are told apart, with all such statements on i right at once; the step-down of each i."""
    n = len(degrees)
    critical, alone = np.full(n, np.inf), np.zeros((n, n), dtype=bool)
    rows = np.ones(n, dtype=bool)
    for _ in range(STEPS):
        still_open = ~alone & ~np.eye(n, dtype=bool) & rows[:, None]
        largest = np.quantile(maxima.find_alone(still_open), level, axis=0, method="weibull")
        critical = np.where(rows, np.minimum(critical, largest), critical)
        more = maxima.tell_apart(critical, degrees) & decided
        rows = np.asarray((more & ~alone).any(axis=1))
        if not rows.any():
            break
        alone |= more
    return alone


def group_runs(above: BoolArray, order: IntArray) -> list[tuple[int, int]]:
    """(first, last) place, from 0, of every longest run of neighbours in the order of whom no two are told apart.

    >>> above = np.zeros((3, 3), dtype=bool); above[0, 2] = True
    >>> group_runs(above, np.arange(3))
    [(0, 1), (1, 2)]
    """
    n = len(order)
    told = (above | above.T)[np.ix_(order, order)]
    later = np.triu(told, 1)
    first_told = np.where(later.any(axis=1), later.argmax(axis=1), n)
    ends = np.minimum.accumulate(first_told[::-1])[::-1] - 1
    return [(i, int(end)) for i, end in enumerate(ends) if not i or end > ends[i - 1]]


def _errors(strengths: Strengths) -> FloatArray:
    """The standard error of every difference."""
    covariance = strengths.covariance()
    variances = covariance.diagonal()
    errors: FloatArray = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 0.0))
    return errors


def _degrees(units: IntArray) -> IntArray:
    """The degrees of freedom of every difference: those of the contestant with fewer units."""
    return np.asarray(np.minimum(units[:, None], units) - 1)


def _can_decide(degrees: IntArray, level: float) -> BoolArray:
    """Where even the clearest result of so many units, all for the same contestant, is less probable than 1 - level."""
    return np.asarray(2.0**-degrees <= 1 - level + 1e-12)


@dataclasses.dataclass(frozen=True)
class _Maxima:
    """The largest studentised differences of draws, and those that were found, on one scale.

    ``away[b, i] - away[b, j]`` over ``errors[i, j]`` is the ratio of draw b; ``gaps / errors`` that of the estimates.
    With ``units``, a ratio r is the cosine between the signs and the units, and belongs to Student's
    t = r √(units - 1) / √(1 - r²); else it is normal.
    """

    away: FloatArray
    gaps: FloatArray
    errors: FloatArray
    units: int | None

    def find_critical(self, chosen: BoolArray, level: float) -> float:
        """The largest ratio over the pairs that are chosen, which this share of the draws does not exceed."""
        return float(np.quantile(self._find(np.triu(chosen, 1)).max(axis=1), level, method="weibull"))

    def find_alone(self, chosen: BoolArray) -> FloatArray:
        """M[b, i]: the largest ratio of draw b over the pairs of i that are chosen."""
        return self._find(chosen)

    def _find(self, chosen: BoolArray) -> FloatArray:
        narrow, scale = self.away.astype(np.float32), (1 / self.errors).astype(np.float32)
        found = np.zeros(self.away.shape, dtype=np.float32)
        for i in np.flatnonzero(chosen.any(axis=1)).tolist():
            others = np.flatnonzero(chosen[i])
            span = slice(others[0], others[-1] + 1) if len(others) == others[-1] - others[0] + 1 else others
            ratios = np.abs(narrow[:, i : i + 1] - narrow[:, span]) * scale[i, span]
            found[:, i] = ratios.max(axis=1)
        return found.astype(float)

    def tell_apart(self, critical: FloatArray, degrees: IntArray) -> BoolArray:
        """[i, j]: the difference of i and j is beyond what chance does, by the critical value of i."""
        from scipy.special import stdtrit

        kinds, places = np.unique(np.maximum(degrees, 1), return_inverse=True)
        cuts = -stdtrit(kinds[:, None].astype(float), self.tail(critical))
        size = np.abs(self.gaps)
        found = self._size(size / self.errors)
        beyond = found > cuts[places.reshape(degrees.shape), np.arange(len(degrees))[:, None]]
        return np.asarray(beyond & (size > LEAST_ERROR))

    def size(self, critical: float) -> float:
        """The critical value in standard errors."""
        return float(self._size(np.array(critical)))

    def _size(self, ratios: FloatArray) -> FloatArray:
        if self.units is None:
            return ratios
        with np.errstate(divide="ignore", invalid="ignore"):
            sizes = ratios * math.sqrt(self.units - 1) / np.sqrt(np.maximum(1 - ratios**2, 0.0))
        return np.asarray(np.where(np.abs(ratios) < SURELY_ONE, sizes, np.copysign(np.inf, ratios)))

    def tail(self, critical: FloatArray) -> FloatArray:
        """How improbable the critical value is, on one side."""
        from scipy.special import ndtr, stdtr

        size = self._size(critical)
        return np.asarray(ndtr(-size) if self.units is None else stdtr(self.units - 1, -size))


def _maxima_of(strengths: Strengths, gaps: FloatArray, errors: FloatArray, seed: int) -> _Maxima:
    """The draws themselves; of few units the signs."""
    influence = strengths.influence
    if influence is None or len(influence) >= MANY_UNITS:
        known = np.where(errors > LEAST_ERROR, errors, np.inf)
        return _Maxima(strengths.draws - strengths.values, gaps, known, None)
    units = len(influence)
    parts = influence + strengths.values / units
    signs = np.random.default_rng([seed, SIGNS]).integers(2, size=(len(strengths.draws), units)) * 2.0 - 1.0
    squares = (parts**2).sum(axis=0)
    lengths = np.sqrt(units * np.maximum(squares[:, None] + squares - 2 * parts.T @ parts, 0.0))
    return _Maxima(signs @ parts, gaps, np.where(lengths > LEAST_ERROR, lengths, np.inf), units)


def _ranks(above: BoolArray) -> tuple[IntArray, IntArray]:
    return 1 + above.sum(axis=0), len(above) - above.sum(axis=1)
