"""Random slopes: a linear model of grades whose slopes differ from a prior, and from query to query, by REML.

y = a + b (F p) + c (F p)² + F δ + u_q + F v_q + e with p the prior weights of the columns of F, δ ~ N(0, r σ²) what the
labels add to them, u_q ~ N(0, i σ²) how easy a query is, v_q ~ N(0, s σ²) what holds in one query only, and e ~
N(0, σ²). The ratios r, s and i are found on a grid by restricted maximum likelihood (Patterson & Thompson 1971); r = 0
is the prior.

With many columns p is small, and so is what the labels can add to it: the grids of r and s reach far down. They have
the same steps, because one query cannot tell δ from v_q, and what a coarser s misses would count as δ. The square is
there because grades rise steeply at the top: without it, weights that bend the sum would seem better.

How far the prior tells the columns apart is itself uncertain: the labels may first choose between its powers p^h, from
equal weights to its cube (``average_powers``).
"""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["SlopeFit", "average_powers", "fit_slopes", "weigh_gain"]

OWN = 10.0 ** np.arange(-5, 2.1, 0.5)  # r: how far the weights move from the prior
BY_QUERY = (0.0, *OWN[OWN < 20].tolist())  # s
EASE = (0.0, 0.1, 0.5)  # i
POWERS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)  # h: how far the prior tells the columns apart
FIXED = 3  # a, c and b
TINY = 1e-9
NEAR = 1e-4  # a spread of the prior scores below this share of them is rounding: nothing can be learned of it
ROUNDING = 1e-12
LEAST = 1e-3  # of b: the prior never counts for nothing


@dataclasses.dataclass(frozen=True)
class SlopeFit:
    """How far the labels move the prior.

    ``evidence``: by how much the log likelihood of the best r exceeds that of r = 0. ``share``: how much of the result
    is the labels' and not the prior's. ``chances`` are those of each r, ``parts[r, q]`` the sums of squares and
    products of query q, what varies by query taken out; of ``rows`` rows. With 0 rows nothing was learned.
    """

    prior: FloatArray
    rows: int = 0
    evidence: float = 0.0
    share: float = 0.0
    chances: FloatArray = dataclasses.field(default_factory=lambda: np.zeros(0))
    parts: FloatArray = dataclasses.field(default_factory=lambda: np.zeros((0, 0, 0, 0)))  # none: nothing was learned

    def weights(self) -> FloatArray:
        """Weights with sum 1, the mean over all r."""
        (found,) = self.resampled(np.ones((1, self.parts.shape[1])))
        return np.asarray(found, dtype=np.float64)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """The weights where query q counts ``counts[draw, q]`` times, a row for each draw (a bootstrap)."""
        found = np.repeat((1 - self.share) * self.prior[None], len(counts), axis=0)
        for chance, own, parts in zip(self.chances, OWN, self.parts, strict=False):
            found += self.share * chance * self._combine(_solve(np.tensordot(counts, parts, axes=1), own)[1])
        return found

    def drawn(self, draws: int, rng: np.random.Generator) -> FloatArray:
        """Weights that the labels leave possible if they may move the prior: draws of the posterior, a row for each.

        Half of them are drawn with √r uniform, and not log r: few queries say little against a large r, and bounds have
        to show that (Gelman, Bayesian Analysis 1, 2006). b may be below 0. What has no features, and no weight before,
        keeps none.
        """
        wide = self.chances * np.sqrt(OWN)
        numbers = rng.choice(len(wide), draws, p=(self.chances + wide / wide.sum()) / 2)
        found = np.empty((draws, len(self.prior)))
        for number in np.unique(numbers).tolist():
            sums, own = self.parts[number].sum(axis=0), float(OWN[number])
            lower, slopes, rest = _solve(sums, own)
            noise = rng.standard_normal((len(slopes), int((numbers == number).sum())))
            noise *= np.sqrt(rest / (self.rows - FIXED))
            varied = slopes[:, None] + np.linalg.solve(lower.T, noise)
            varied[:-FIXED][(self.prior == 0) & (np.diag(sums)[: len(self.prior)] == 0)] = 0.0
            found[numbers == number] = self._combine(varied.T, least=-np.inf)
        return found

    def _combine(self, slopes: FloatArray, least: float = LEAST) -> FloatArray:
        """max(b p + δ, 0), with sum 1, of every draw."""
        weights = np.maximum(np.maximum(slopes[:, -1:], least) * self.prior + slopes[:, :-FIXED], 0.0)
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), self.prior)


def average_powers(
    features: FloatArray, grades: FloatArray, queries: IntArray, prior: FloatArray
) -> tuple[FloatArray, float]:
    """(the mean of p^h over h by what speaks for each, by how much that is more than what speaks for h = 1).

    Each p^h alone explains the grades, with δ = 0. A query is one witness, however many rows it has: it says how much
    less p^h leaves unexplained than p. Before the labels each h is as likely. Columns without weight keep none. One
    query, and rows that cannot tell anything, leave the prior as it is.

    >>> rng = np.random.default_rng(0)
    >>> features, queries = rng.random((200, 2)), np.arange(200) // 10
    >>> prior = np.array([0.6, 0.4])
    >>> average_powers(features, features.sum(axis=1), queries, prior)[0].round(2)
    array([0.52, 0.48])
    >>> average_powers(features, features[:, 0], queries, prior)[0].round(2)
    array([0.67, 0.33])
    """
    silent = len(grades) <= FIXED + 1 or np.ptp(grades) == 0 or np.ptp(queries) == 0
    if silent or np.ptp(prior[prior > 0]) <= NEAR * prior.max():
        return prior, 0.0
    powers = np.where(prior > 0, prior ** np.array(POWERS)[:, None], 0.0)
    powers /= powers.sum(axis=1, keepdims=True)
    bases = features @ powers.T
    spreads = bases.std(axis=0)
    if (spreads <= NEAR * np.abs(bases).max(initial=1.0)).any():
        return prior, 0.0
    misses = _miss(features, bases, grades, queries)
    gains = misses[:, POWERS.index(1.0), None] - misses
    evidence = np.array([weigh_gain(each) - weigh_gain(-each) for each in gains.T])
    chances = np.exp(evidence - evidence.max())
    return chances @ powers / chances.sum(), float(np.log(chances.mean()) + evidence.max())


def _miss(features: FloatArray, bases: FloatArray, grades: FloatArray, queries: IntArray) -> FloatArray:
    """misses[q, h] = what a prior score alone leaves unexplained of the grades of a query.

    What varies by query is taken out, as the likelihood of h = 1 asks for it.
    """
    own, count, varying = POWERS.index(1.0), len(POWERS), features.shape[1] + 1
    spreads, bends = bases.std(axis=0), np.array([_bend(base) for base in bases.T]).T
    table = np.c_[features / spreads[own], np.ones(len(bases)), bends, bases / spreads, grades - grades.mean()]
    columns = [np.array([0, 1 + number, 1 + count + number, -1]) for number in range(count)]
    products, best = _by_query(table, queries), -np.inf
    for slopes, ease in itertools.product(BY_QUERY, EASE):
        parts, volume = _take_out(products, varying, slopes, ease, first=varying - 1)
        sums = parts.sum(axis=0)[np.ix_(columns[own], columns[own])]
        likelihood = _likelihood(sums, len(table), volume, 0.0)
        if likelihood > best:
            best, chosen = likelihood, parts
    found = np.empty((len(products), count))
    for number, fixed in enumerate(columns):
        parts = chosen[:, fixed[:, None], fixed]
        sums = parts.sum(axis=0)
        _, coefficients, _ = _factor(sums[:-1, :-1] + TINY * np.eye(FIXED), sums)
        residual = np.r_[-coefficients, 1.0]
        found[:, number] = residual @ parts @ residual
    return found


def weigh_gain(gains: FloatArray) -> float:
    """Units of log likelihood for a mean above 0, of one normal variable for each of at least two queries.

    With the degrees of freedom and the variance of a sample, chance reaches 2 units in 2 % of all cases, whether there
    are five queries or fifty.
    """
    mean = float(gains.mean())
    if mean <= 0:
        return 0.0
    return (len(gains) - 1) / 2 * math.log1p(mean**2 / max(float(gains.var(ddof=1)), mean**2 * 1e-9))


def fit_slopes(features: FloatArray, grades: FloatArray, queries: IntArray, prior: FloatArray, cost: float) -> SlopeFit:
    """Fit the model to rows of features with grades; ``prior`` has sum 1, ``cost`` is the log of its prior odds.

    Rows that cannot tell anything (all grades or all prior scores alike, or fewer than columns of the fixed part) leave
    the prior as it is.

    >>> rng = np.random.default_rng(0)
    >>> features = rng.random((200, 2))
    >>> found = fit_slopes(features, features[:, 0], np.arange(200) // 10, np.array([0.5, 0.5]), 2.0)
    >>> found.weights().round(2)
    array([1., 0.])
    """
    if len(grades) <= FIXED + 1:
        return SlopeFit(prior)
    base = features @ prior
    spread = float(base.std())
    if spread <= NEAR * float(np.abs(base).max(initial=1.0)) or np.ptp(grades) == 0:
        return SlopeFit(prior)
    table = np.c_[features / spread, np.ones(len(base)), _bend(base), base / spread, grades - grades.mean()]
    products = _by_query(table, queries)
    rows, varying, likelihood = len(grades), len(prior) + 1, {}
    for slopes, ease in itertools.product(BY_QUERY, EASE):
        parts, volume = _take_out(products, varying, slopes, ease)
        sums = parts.sum(axis=0)
        levels = [_likelihood(sums, rows, volume, own) for own in (0.0, *OWN)]
        likelihood[slopes, ease] = np.array(levels)
    best = np.max(list(likelihood.values()), axis=0)
    keys = [max(likelihood, key=lambda key: likelihood[key][number]) for number in range(len(best))]
    gain = float(best[1:].max() - best[0])
    chances = np.exp(best[1:] - best[1:].max())
    kept = {key: _take_out(products, varying, *key)[0] for key in set(keys[1:])}
    return SlopeFit(
        prior=prior,
        rows=rows,
        evidence=gain,
        share=float(1 / (1 + np.exp(np.clip(cost - gain, -50, 50)))),
        chances=chances / chances.sum(),
        parts=np.array([kept[key] for key in keys[1:]]),
    )


def _bend(values: FloatArray) -> FloatArray:
    """The squares of the values, without what a straight line says of them; 0 where they take two values only."""
    centred = (values - values.mean()) / values.std()
    squares = centred**2 - 1 - (centred**3).mean() * centred
    spread = float(squares.std())
    return squares / spread if spread > NEAR else np.zeros(len(values))


def _by_query(table: FloatArray, queries: IntArray) -> FloatArray:
    """products[q] = the sums of squares and products of the rows of a query."""
    order = np.argsort(queries, kind="stable")
    starts = np.flatnonzero(np.diff(queries[order], prepend=-1))
    return np.array([part.T @ part for part in np.split(table[order], starts[1:])])


def _take_out(
    products: FloatArray, varying: int, slopes: float, ease: float, first: int = 0
) -> tuple[FloatArray, float]:
    """(the products of each query without what varies by query, the log determinant of all the queries' covariances)

    The features and the constant vary; they are the first columns. Of the products those from column ``first`` on.
    """
    wanted = products[:, first:, first:]
    if slopes == ease == 0:
        return wanted, 0.0
    scale = np.sqrt(np.r_[np.full(varying - 1, slopes), ease])
    cross = scale[:, None] * products[:, :varying]
    inner = np.eye(varying) + cross[:, :, :varying] * scale
    lower = np.linalg.cholesky(inner)
    half = np.linalg.solve(lower, cross[:, :, first:])
    return wanted - half.transpose(0, 2, 1) @ half, 2 * float(np.log(np.diagonal(lower, axis1=1, axis2=2)).sum())


def _solve(sums: FloatArray, own: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(Cholesky factors, coefficients, residual sums of squares) of the penalised least squares of one r, stacked."""
    size = sums.shape[-1] - 1
    ridge = np.r_[np.full(size - FIXED, 1 / own), np.full(FIXED, TINY)]
    return _factor(sums[..., :-1, :-1] + np.diag(ridge), sums)


def _factor(left: FloatArray, sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """``left`` is made safe against rounding: a resample may hold a single item many times."""
    diagonal = np.diagonal(left, axis1=-2, axis2=-1)
    lower = np.linalg.cholesky(left + ROUNDING * diagonal[..., None] * np.eye(left.shape[-1]))
    half = np.linalg.solve(lower, sums[..., -left.shape[-1] - 1 : -1, -1:])
    rest: FloatArray = np.maximum(sums[..., -1, -1] - (half**2).sum(axis=(-2, -1)), TINY * sums[..., -1, -1])
    coefficients: FloatArray = np.linalg.solve(lower.swapaxes(-1, -2), half)[..., 0]
    return np.asarray(lower, dtype=np.float64), coefficients, rest


def _likelihood(sums: FloatArray, rows: int, volume: float, own: float) -> float:
    """The restricted log likelihood, but for a constant."""
    if own > 0:
        lower, _, rest = _solve(sums, own)
        volume += (len(lower) - FIXED) * float(np.log(own))
    else:
        lower, _, rest = _factor(sums[-FIXED - 1 : -1, -FIXED - 1 : -1] + TINY * np.eye(FIXED), sums)
    volume += 2 * float(np.log(np.diag(lower)).sum())
    return -0.5 * ((rows - FIXED) * float(np.log(rest / (rows - FIXED))) + volume)
