"""How far each ranker can be trusted, from how far rankers agree: one factor, and dependence beyond it.

Rankers that know something of the truth agree with each other: if ranker k has the correlation r_k with what is true,
and errs on its own, it has the correlation r_k r_l with ranker l. What two rankers agree beyond that, they have from
each other or from a common source: D_kl >= 0. So C = r rᵀ + D off the diagonal, with few entries of D above 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.contests import Shape
from stagg.kernels.sums import to_units
from stagg.kernels.utilities import Utility

__all__ = [
    "GAPS",
    "Fit",
    "agreement",
    "concordance",
    "excess_agreement",
    "fitted",
    "penalty",
    "shares",
    "shrinkages",
    "whole_numbers",
]

EXACT_BITS = 52  # integers up to 2^52 add up without rounding
CORRELATION_BITS = 40
CORRELATION_UNIT = 2.0**-CORRELATION_BITS
LEAST_RELIABLE, MOST_RELIABLE = 0.05, 0.99
LEAST_NOISE = 0.05
ROUNDS = 500
SETTLED = 1e-9
BISECTIONS = 50
LOGISTIC, MOST_EXPONENT = 1.702, 500.0
LEAST_VARIANCE = 1e-2  # that certain contests have, too: a rank is a whole number
GAPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


# --- agreement --------------------------------------------------------------------------------------------------------


def whole_numbers(values: FloatArray) -> FloatArray:
    """A table of values rounded to so many levels that all sums of products of its rows are whole numbers below 2^52.

    Whatever the order in which they are added, the bits are the same. Counted from the least value, so that what all
    values have in common (u = 10⁹ - r) takes no levels away.
    """
    levels = 2.0 ** ((EXACT_BITS - int(np.ceil(np.log2(max(values.shape[1], 2))))) // 2)
    least, largest = values.min(initial=np.inf), values.max(initial=-np.inf)
    whole: FloatArray = np.zeros(values.shape)
    return np.rint((values - least) * (levels / (largest - least))) if largest > least else whole


def agreement(whole: FloatArray) -> tuple[IntArray, BoolArray, BoolArray]:
    """Correlations of the rows (rankers) of a table of whole numbers over its columns (candidates).

    Returns them in units of CORRELATION_UNIT, so that they add up exactly; which rows vary at all; and which pairs of
    rows are the same.
    """
    means = np.rint(whole.sum(axis=1) / whole.shape[1])
    rows = whole - means[:, None]  # so that little is taken off the products below, and of equal values nothing is left
    products, sums = rows @ rows.T, rows.sum(axis=1)
    squares = np.diag(products)
    same = (squares[:, None] + squares - 2 * products == 0) & (means[:, None] == means)
    covariances = products - sums[:, None] * sums / whole.shape[1]
    varies = squares > 0
    scale = np.where(varies, np.sqrt(np.diag(covariances)), 1.0)
    correlations = np.where(varies[:, None] & varies, covariances / (scale[:, None] * scale), 0.0)
    return to_units(correlations, CORRELATION_BITS).astype(np.int64), varies, same


def concordance(own: FloatArray, others: FloatArray) -> IntArray:
    """counts[g] = (half wins, contests) of a list's items at gap GAPS[g]: how often the others together agree.

    ``own`` and ``others`` are what the list, and all others together, give its items, in its order; a tie among the
    others is half a win.
    """
    counts = np.zeros((len(GAPS), 2), dtype=np.int64)
    for number, gap in enumerate(GAPS):
        if gap >= len(own):
            break
        real = own[:-gap] > own[gap:]  # tied items have no contest
        before, behind = others[:-gap], others[gap:]
        won, level = np.count_nonzero(real & (before > behind)), np.count_nonzero(real & (before == behind))
        counts[number] = 2 * won + level, np.count_nonzero(real)
    return counts


# --- the fit ----------------------------------------------------------------------------------------------------------


class Fit(NamedTuple):
    """``reliability[k]`` = r_k, ``dependence[k, l]`` = D_kl; ``objective`` after each round, never rising."""

    reliability: FloatArray
    dependence: FloatArray
    objective: FloatArray
    converged: bool


def penalty(rankers: float, candidates: float, ridge: float) -> float:
    """How strongly reliabilities are held together.

    r has as many numbers as there are rankers m, C has m(m-1)/2: what is left over, m(m-3)/2, is what tells quality
    from dependence. Of three rankers nothing is left, and all agreement beyond equal quality counts as dependence. And
    the fewer candidates C was measured on, the less it says.
    """
    return ridge / (max(rankers * (rankers - 3) / 2, 0.0) + 0.5) + 50 * ridge / max(candidates, 1.0)


def fitted(agreements: FloatArray, known: BoolArray, candidates: float, *, ridge: float, excess: float) -> Fit:
    """r and D that minimise

        ½ Σ_kl V_kl [ℓ(r_k r_l; C_kl - D_kl) + λ D_kl] + ½ η Σ_k v_k (r_k - μ)²,   ℓ(p; e) = p³/3 - e p²/2 + e³/6.

    ℓ has the slope p (p - e): a squared error that counts as far as the pair is reliable, so that a crowd of poor
    rankers that agree among themselves does not bend the scale. v_k = 1 / Σ_l C_kl⁸ gives near copies one vote
    together, V_kl = v_k v_l, both over the pairs that are ``known``; μ is the mean of r; η: :func:`penalty`. ``excess``
    is λ, the price of dependence; it rises where C is measured on few candidates. D_kl is at most C_kl, and 0 where
    that is negative.

    One block after another is set to its minimum: D_kl = max(C_kl - √(p² + 2λ), 0); r_k is the one positive root of
    A r² + (H - B) r - H μ = 0 with A = Σ_l V_kl r_l³, B = Σ_l V_kl (C_kl - D_kl) r_l², H = η v_k, beyond which the
    objective rises; μ is a mean. So no round can make it larger. r stays between 0.05 and 0.99: where nobody agrees,
    all are trusted alike.
    """
    off = ~np.eye(len(agreements), dtype=bool)
    votes = 1 / (1 + (np.where(off & known, np.maximum(agreements, 0.0), 0.0) ** 8).sum(axis=1))
    pairs = np.outer(votes, votes) * off * known
    eta = penalty(float(votes.sum()), candidates, ridge)
    price = excess + 0.6 / np.sqrt(max(candidates, 1.0))
    r = np.full(len(agreements), np.sqrt(max((pairs * agreements).sum() / max(pairs.sum(), 1e-300), 1e-4)))
    mean, converged = float(r[0]), False
    trace: list[float] = []
    dependence = np.zeros(agreements.shape)
    while len(trace) < ROUNDS and not converged:
        before = r.copy()
        dependence = np.where(pairs > 0, np.maximum(agreements - np.sqrt(np.outer(r, r) ** 2 + 2 * price), 0.0), 0.0)
        rest = agreements - dependence
        for k in range(len(r)):
            r[k] = _reliability(pairs[k], rest[k], r, eta * votes[k], mean)
        mean = float(votes @ r / votes.sum())
        trace.append(_objective(agreements, dependence, pairs, votes, r, mean, eta, price))
        converged = bool(np.abs(r - before).max(initial=0.0) < SETTLED)
    return Fit(r, dependence, np.array(trace), converged)


def _reliability(pairs: FloatArray, agreements: FloatArray, r: FloatArray, held: float, mean: float) -> float:
    """The root of A r² + (H - B) r - H μ, written so that nothing cancels."""
    a, b = pairs @ r**3, pairs @ (agreements * r**2)
    middle, rest = b - held, held * mean
    root = np.sqrt(middle**2 + 4 * a * rest)
    if a <= 0:
        return mean  # it meets nobody
    found = (middle + root) / (2 * a) if middle > 0 else 2 * rest / (root - middle)
    return min(max(float(found), LEAST_RELIABLE), MOST_RELIABLE)


def _objective(
    agreements: FloatArray,
    dependence: FloatArray,
    pairs: FloatArray,
    votes: FloatArray,
    r: FloatArray,
    mean: float,
    eta: float,
    price: float,
) -> float:
    product, rest = np.outer(r, r), agreements - dependence
    errors = product**3 / 3 - rest * product**2 / 2 + rest**3 / 6
    return float((pairs * (errors + price * dependence)).sum() / 2 + eta * (votes @ (r - mean) ** 2) / 2)


def excess_agreement(agreements: FloatArray, fit: Fit) -> FloatArray:
    """Agreement beyond r_k r_l of the pairs that the fit found dependent, with what its price took off."""
    expected = np.outer(fit.reliability, fit.reliability)
    beyond: FloatArray = np.where(fit.dependence > 0, np.maximum(agreements - expected, 0.0), 0.0)
    return beyond


def shares(reliability: FloatArray, beyond: FloatArray) -> FloatArray:
    """1 / Σ_l δ_kl, δ the correlation of the errors of k and l: relatives share one vote, an exact copy half of one."""
    noise = np.sqrt(np.maximum(1 - reliability**2, LEAST_NOISE))
    relatives = np.minimum(beyond / np.outer(noise, noise), 1.0)
    np.fill_diagonal(relatives, 1.0)
    together: FloatArray = 1 / relatives.sum(axis=1)
    return together


# --- contests ---------------------------------------------------------------------------------------------------------


def shrinkages(influences: FloatArray, utility: Utility, shape: Shape, missing: str, n: int, length: int) -> FloatArray:
    """How far to move the contests of a list toward ½ so that it keeps a given part of its influence.

    What a list gives its first item over one that it does not hold (or its last) is its influence, taken at the mean
    ranks of both, which are linear in the trust. For u = n - r it is the trust itself; for 1/(60 + rank) among 1,200
    candidates contests that are 10 % less sure take half of it away, since the first item then loses 60 of them. A
    utility that need not be smooth, such as 1 within the first ten, is averaged over the spread of the ranks.
    """
    if utility.slope is not None or length == 0 or n < 2:
        return influences.copy()
    low, high = np.zeros(len(influences)), np.ones(len(influences))
    first, last = _ranks(shape, missing, n, length)
    worth = _at_mean(utility, n, length) if utility.terms is not None else _over_spread(utility, n, length)

    def influence(trust: FloatArray) -> FloatArray:
        gain: FloatArray = worth(first, trust) - worth(last, trust)
        return gain

    whole = influence(np.ones(1))[0]
    if not whole > 0:  # the list puts nothing before anything
        return influences.copy()
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = influence(middle) >= influences * whole
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(influences >= 1, 1.0, high)


class _Rank(NamedTuple):
    """Of an item in ``contests`` of them: the mean rank at full trust, and Σ (p - ½)²; both follow for less trust."""

    contests: float
    mean: float
    sureness: float

    def mean_at(self, trust: FloatArray) -> FloatArray:
        start = self.contests / 2
        return start + trust * (self.mean - start)

    def variance_at(self, trust: FloatArray) -> FloatArray:
        """Σ p (1 - p) = Σ ¼ - (p - ½)²."""
        return np.maximum(self.contests / 4 - trust**2 * self.sureness, 0.0)


def _at_mean(utility: Utility, n: int, length: int) -> Callable[[_Rank, FloatArray], FloatArray]:
    return lambda rank, trust: utility.values(rank.mean_at(trust), n, length)


def _over_spread(utility: Utility, n: int, length: int) -> Callable[[_Rank, FloatArray], FloatArray]:
    """E[u] = u(n - 1) + Σ_r P(R <= r) (u(r) - u(r + 1)), the rank taken as normal (logistic, within 0.01 of it)."""
    values = np.asarray(utility.values(np.arange(float(n)), n, length), dtype=float)
    steps, ends = values[:-1] - values[1:], np.arange(n - 1) + 0.5

    def worth(rank: _Rank, trust: FloatArray) -> FloatArray:
        deviation = np.sqrt(rank.variance_at(trust) + LEAST_VARIANCE)
        z = (ends - rank.mean_at(trust)[:, None]) / deviation[:, None]
        below = 1 / (1 + np.exp(np.clip(-LOGISTIC * z, -MOST_EXPONENT, MOST_EXPONENT)))
        expected: FloatArray = values[-1] + (below * steps).sum(axis=1)
        return expected

    return worth


def _ranks(shape: Shape, missing: str, n: int, length: int) -> tuple[_Rank, _Rank]:
    """The rank of the first item, and of what stands against it."""
    chance = shape.chance(np.arange(1.0, length), n, length) if length > 1 else np.zeros(0)
    won, contests, others = float(chance.sum()), length - 1, n - length
    met = 0 if missing == "skip" else others
    lost_outside = 1 - shape.sure if missing == "below" else 0.5
    sureness = float(((chance - 0.5) ** 2).sum()) + met * (lost_outside - 0.5) ** 2
    first = _Rank(contests + met, contests - won + met * lost_outside, sureness)
    if missing == "below" and others:
        return first, _Rank(n - 1, length * shape.sure + (others - 1) / 2, length * (shape.sure - 0.5) ** 2)
    return first, _Rank(contests + met, won + met * lost_outside, sureness)
