"""Significance: bootstrap intervals, bounds, paired tests (t, sign flips), Holm's correction, effect sizes, all pairs.

Most functions take one row per query and one column per comparison, and answer for each column by itself: neither
the other columns nor the size of the blocks change a bit of it. A column that holds a NaN or an infinite number gets
NaN. A difference smaller than TIE is a tie, and counts as 0 in all of them: rounding must not look like evidence.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
import string
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.sums import whole_columns

__all__ = [
    "TIE",
    "Estimate",
    "bootstrap_means",
    "effect_size",
    "estimate_means",
    "find_letters",
    "holm",
    "paired_t",
    "sign_flip",
    "tukey_by_permutation",
    "wins_ties_losses",
]

TIE = 1e-9
"""Two values of a measure that differ by less are equal."""

ROUNDING = 1e-12  # what floating-point arithmetic may leave between two means, or two differences, that are equal
FARTHEST = 1e8  # deviations of one query in a gap: no number of queries is worth the name
CELLS = 2_000_000  # numbers held at once: bounds the memory for many queries and draws
BOOTSTRAP, FLIPS, SHUFFLES = 1, 2, 3  # the second half of a seed: intervals and tests draw apart from each other


def bootstrap_means(
    values: FloatArray, *, draws: int = 2000, level: float = 0.95, seed: int
) -> tuple[FloatArray, FloatArray]:
    """(low, high) of the mean of each column: the percentile bootstrap over queries (Efron 1979).

    values[q, c] = the value of query q in column c. Every draw takes Q queries with replacement, the same ones for all
    columns; low and high are the (1-level)/2 and (1+level)/2 quantiles of the means. NaN where there are no queries.

    >>> low, high = bootstrap_means(np.array([[0.0], [1.0], [1.0], [0.0]]), seed=1)
    >>> float(low[0]), float(high[0])
    (0.0, 1.0)
    """
    queries, columns = values.shape
    if not queries:
        return np.full(columns, np.nan), np.full(columns, np.nan)
    centre = _where_known(values, _means(values))
    whole, unit = whole_columns(values - centre)
    sums = np.concatenate([counts @ whole for counts in _resample(queries, draws, columns, seed)])
    low, high = np.quantile(sums, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return centre + low * unit / queries, centre + high * unit / queries


def paired_t(differences: FloatArray) -> FloatArray:
    """p of each column: Student's paired t-test, two-sided, of a mean difference of 0.

    differences[q, c] = the value of a method on query q minus the baseline's. Where the test is undefined: no
    difference anywhere is p = 1, the same difference in every query p = 0, and fewer than two queries p = 1.

    >>> paired_t(np.array([[1.0, 0.0, 0.5], [2.0, 0.0, 0.5], [3.0, 0.0, 0.5]])).round(4).tolist()
    [0.0742, 1.0, 0.0]
    """
    from scipy.special import stdtr

    settled = _settle(differences)
    queries, columns = settled.shape
    if queries < 2:
        return _where_known(settled, np.ones(columns))
    means, deviations = _means_and_deviations(settled)
    t = np.divide(means, deviations / np.sqrt(queries), out=np.full(columns, np.inf), where=deviations > 0)
    p = np.where((deviations > 0) | (means != 0), 2 * stdtr(queries - 1, -np.abs(t)), 1.0)
    return _where_known(settled, p)


@dataclasses.dataclass(frozen=True)
class Estimate:
    """An estimated mean difference: its standard error, the degrees of freedom of t, and the number of queries.

    Bounds are one-sided: the true mean is above ``lower(0.95)`` with 95 % confidence. With no error the bounds are the
    mean itself; with no degree of freedom (a single query) they are infinite.
    """

    mean: float
    error: float
    degrees: int
    queries: int

    def lower(self, level: float) -> float:
        """The one-sided lower bound of the mean at this level of confidence."""
        return self.mean - self._reach(level)

    def upper(self, level: float) -> float:
        """The one-sided upper bound of the mean at this level of confidence."""
        return self.mean + self._reach(level)

    def p_above(self, value: float) -> float:
        """p of the one-sided test by t: small where the true mean is above the value."""
        from scipy.special import stdtr

        gap = self.mean - value
        if self.degrees < 1:
            return 1.0
        if self.error == 0:
            return 0.0 if gap > 0 else 1.0
        return float(stdtr(self.degrees, -gap / self.error))

    def p_below(self, value: float) -> float:
        """p of the one-sided test by t: small where the true mean is below the value."""
        return dataclasses.replace(self, mean=-self.mean).p_above(-value)

    def count_needed(self, gap: float, level: float, *, power: float = 0.8) -> float:
        """How many queries make a bound reach over the gap, with this probability, if all else is as estimated.

        The smallest n that is at least ((t(level) + t(power)) · s / gap)², t with n - 1 degrees of freedom and s the
        deviation of one query; infinite where there is no gap to speak of.
        """
        from scipy.special import stdtrit

        ratio = self.error * math.sqrt(self.queries) / gap if gap > 0 and self.degrees >= 1 else math.inf
        if ratio > FARTHEST:
            return math.inf

        def suffices(count: int) -> bool:
            return count >= float((stdtrit(count - 1, level) + stdtrit(count - 1, power)) * ratio) ** 2

        high = 2
        while not suffices(high):  # t falls as the number grows: above one that suffices, all do
            high *= 2
        return bisect.bisect_left(range(high), True, lo=2, key=suffices)

    def _reach(self, level: float) -> float:
        from scipy.special import stdtrit

        if self.degrees < 1:
            return math.inf
        return float(stdtrit(self.degrees, level)) * self.error


def estimate_means(differences: FloatArray) -> list[Estimate]:
    """The mean of each column with its standard error, for bounds by Student's t.

    Where all values of a column are the same and not 0, they have no spread, which is no proof that others are the
    same, too: two queries would be enough. The spread is then that of these values and one 0 more.

    >>> estimate = estimate_means(np.array([[1.0], [2.0], [3.0]]))[0]
    >>> round(estimate.mean, 4), round(estimate.error, 4), round(estimate.lower(0.95), 4)
    (2.0, 0.5774, 0.3141)
    """
    settled = _settle(differences)
    queries = len(settled)
    if queries < 2:
        return [Estimate(float(mean), math.inf, 0, queries) for mean in _means(settled)]
    means, deviations = _means_and_deviations(settled)
    deviations = np.where(deviations > 0, deviations, np.abs(means) / math.sqrt(queries + 1))
    errors = deviations / math.sqrt(queries)
    return [Estimate(float(m), float(e), queries - 1, queries) for m, e in zip(means, errors, strict=True)]


def sign_flip(
    differences: FloatArray, *, draws: int = 10_000, seed: int, side: Literal["both", "above"] = "both"
) -> FloatArray:
    """p of each column: the randomisation test of paired differences (Fisher 1935; Smucker, Allan, Carterette 2007).

    If the two methods were exchangeable, every difference could as well have the other sign. p = (1 + hits) /
    (1 + draws), hits counting the draws of random signs whose mean is at least as far from 0 as the one observed, or
    at least as large (``side="above"``, a one-sided test). All columns see the same signs; no queries is p = 1.

    >>> sign_flip(np.array([[0.1, 0.2], [0.2, -0.2]] * 9), draws=999, seed=1).tolist()
    [0.001, 1.0]
    """
    settled = _settle(differences)
    whole, unit = whole_columns(settled)
    far = np.abs if side == "both" else np.positive
    least = far(whole.sum(axis=0)) - len(whole) * (1 + ROUNDING / unit)
    hits = np.zeros(whole.shape[1])
    for signs in _signs(len(whole), draws, len(hits), seed):
        hits += (far(signs @ whole) >= least).sum(axis=0)
    return _where_known(settled, (1 + hits) / (1 + draws))


def holm(p: FloatArray) -> FloatArray:
    """p corrected for multiple comparisons: the step-down procedure of Holm (1979). NaN is not compared and stays.

    The smallest of C values is multiplied by C, the next by C - 1, and so on; none falls below one before it or
    rises above 1.

    >>> holm(np.array([0.01, 0.04, 0.03, np.nan])).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)))
    return adjusted


def effect_size(differences: FloatArray) -> FloatArray:
    """Cohen's d of paired differences: their mean over their standard deviation (ddof = 1), for each column.

    0 where there is no difference at all, and also where the quotient is undefined or infinite: fewer than two
    queries, or the same difference in every query (the mean and paired_t tell those apart from no difference).

    >>> effect_size(np.array([[1.0, 0.0, 0.5], [2.0, 0.0, 0.5], [3.0, 0.0, 0.5]])).tolist()
    [2.0, 0.0, 0.0]
    """
    settled = _settle(differences)
    queries, columns = settled.shape
    if queries < 2:
        return _where_known(settled, np.zeros(columns))
    means, deviations = _means_and_deviations(settled)
    effect = np.divide(means, deviations, out=np.zeros(columns), where=deviations > 0)
    return _where_known(settled, effect)


def tukey_by_permutation(values: FloatArray, *, draws: int = 10_000, seed: int) -> FloatArray:
    """p[i, j] of every pair of methods: the randomised Tukey HSD test (Carterette, TOIS 2012).

    values[method, query]. If all methods were exchangeable, the values of each query could as well stand in any other
    order. p = (1 + hits) / (1 + draws), hits counting the draws of such orders whose largest difference of two means is
    at least that of the pair. All pairs are held against the same largest difference, so the chance that any of them is
    called different when none is stays below the level, however many methods there are.

    >>> tukey_by_permutation(np.array([[0.9] * 8, [0.1] * 8, [0.1] * 8]), draws=999, seed=1).tolist()
    [[1.0, 0.001, 0.001], [0.001, 1.0, 1.0], [0.001, 1.0, 1.0]]
    """
    means = values.mean(axis=1)
    gaps = np.abs(means[:, None] - means[None, :])
    spans = np.concatenate([np.ptp(block, axis=1) for block in _shuffle_means(values, draws, seed)])
    hits = len(spans) - np.searchsorted(np.sort(spans), gaps - ROUNDING, side="left")
    p: FloatArray = np.where(gaps < TIE, 1.0, (1 + hits) / (1 + draws))
    return p


def find_letters(means: FloatArray, different: BoolArray) -> list[str]:
    """A compact letter display (Piepho 2004): two methods share a letter where they are not different.

    different[i, j]: whether i and j differ. "a" is the letter of the best method. The fewest letters are not promised,
    but none is needless: every letter is the only one that some pair shares, or is a method's only letter.

    >>> different = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> find_letters(np.array([0.5, 0.4, 0.3]), different)
    ['a', 'ab', 'b']
    """
    order = np.argsort(-means, kind="stable").tolist()
    groups = [frozenset(order)]
    for place, one in enumerate(order):
        for two in order[place + 1 :]:
            if different[one, two]:
                split = [group - {out} for group in groups if {one, two} <= group for out in (one, two)]
                groups = _absorb([*[group for group in groups if not {one, two} <= group], *split])
    groups = _drop_needless(groups)
    groups.sort(key=lambda group: sorted(order.index(method) for method in group))
    return ["".join(_letter(n) for n, group in enumerate(groups) if method in group) for method in range(len(means))]


def wins_ties_losses(differences: FloatArray, tolerance: float = TIE) -> tuple[IntArray, IntArray, IntArray]:
    """In how many queries each column is above, at and below 0; less than the tolerance is a tie, NaN is not counted.

    >>> wins, ties, losses = wins_ties_losses(np.array([[0.3], [0.0], [-0.1], [0.2]]))
    >>> int(wins[0]), int(ties[0]), int(losses[0])
    (2, 1, 1)
    """
    wins = (differences >= tolerance).sum(axis=0)
    ties = (np.abs(differences) < tolerance).sum(axis=0)
    losses = (differences <= -tolerance).sum(axis=0)
    return wins, ties, losses


def _settle(differences: FloatArray) -> FloatArray:
    """The differences, ties exactly 0."""
    return np.where(np.abs(differences) < TIE, 0.0, differences)


def _where_known(differences: FloatArray, answers: FloatArray) -> FloatArray:
    return np.where(np.isfinite(differences).all(axis=0), answers, np.nan)


def _means(values: FloatArray) -> FloatArray:
    """The mean of each column, summed alike however many columns there are (NumPy sums a lone column in pairs)."""
    with np.errstate(invalid="ignore"):  # inf - inf: the column has no mean
        means: FloatArray = np.ascontiguousarray(values.T).mean(axis=1)
    return means


def _means_and_deviations(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and the standard deviation (ddof = 1) of each column; all alike but for rounding deviate by 0."""
    means = _means(differences)
    with np.errstate(invalid="ignore"):
        variances = _means((differences - means) ** 2) * (len(differences) / (len(differences) - 1))
        alike = np.ptp(differences, axis=0) <= ROUNDING
    return means, np.where(alike, 0.0, np.sqrt(variances))


def _resample(queries: int, draws: int, columns: int, seed: int) -> Iterator[FloatArray]:
    """Blocks of counts[draw, query]: how often a draw of as many queries with replacement takes each query."""
    rng = np.random.default_rng([seed, BOOTSTRAP])
    for size in _blocks(draws, max(queries, columns)):
        taken = rng.integers(queries, size=(size, queries)) + queries * np.arange(size)[:, None]
        yield np.bincount(taken.ravel(), minlength=size * queries).reshape(size, queries).astype(np.float64)


def _signs(queries: int, draws: int, columns: int, seed: int) -> Iterator[FloatArray]:
    """Blocks of signs[draw, query], -1 or 1 by a fair coin: one random bit each."""
    rng = np.random.default_rng([seed, FLIPS])
    words = -(-queries // 32)  # a draw starts with a new word of 32 bits, so that blocks do not matter
    for size in _blocks(draws, max(queries, columns)):
        random = np.frombuffer(rng.bytes(4 * words * size), dtype=np.uint8).reshape(size, 4 * words)
        yield 2.0 * np.unpackbits(random, axis=1, count=queries).astype(np.float64) - 1.0


def _blocks(draws: int, width: int) -> Iterator[int]:
    """The sizes of blocks of draws that hold about CELLS numbers each."""
    size = max(1, CELLS // max(1, width))
    for first in range(0, draws, size):
        yield min(size, draws - first)


def _shuffle_means(values: FloatArray, draws: int, seed: int) -> Iterator[FloatArray]:
    """Blocks of means[draw, method], the values of each query dealt to the methods at random."""
    rng = np.random.default_rng([seed, SHUFFLES])
    for size in _blocks(draws, values.size):
        dealt = np.repeat(values.T[None], size, axis=0)  # [draw, query, method]
        yield rng.permuted(dealt, axis=2).mean(axis=1)


def _absorb(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """The groups that are not within another one, each once."""
    kept = list(dict.fromkeys(groups))
    return [group for group in kept if group and not any(group < other for other in kept)]


def _drop_needless(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Leave out groups all of whose pairs are in other groups."""
    kept = list(groups)
    for group in groups:
        others = [other for other in kept if other != group]
        if all(any({one, two} <= other for other in others) for one in group for two in group):
            kept = others
    return kept


def _letter(number: int) -> str:
    """a to z, A to Z, and then numbers in brackets."""
    return string.ascii_letters[number] if number < len(string.ascii_letters) else f"({number + 1})"
