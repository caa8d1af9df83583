"""How far each ranker can be trusted, from how far rankers agree: one factor, and dependence beyond it.

Rankers that know something of the truth agree with each other: if ranker k has the correlation r_k with what is true,
and errs on its own, it has the correlation r_k r_l with ranker l. What two rankers agree beyond that, they have from
each other or from a common source: D_kl >= 0. So C = r rᵀ + D off the diagonal, with few entries of D above 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stagg.kernels.contests import Shape
from stagg.kernels.sums import FloatArray, IntArray
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
CORRELATION_UNIT = 2.0**-40
LEAST_SPREAD = 1e-12
LEAST_RELIABLE, MOST_RELIABLE = 0.05, 0.99
LEAST_NOISE = 0.05
ROUNDS = 500
SETTLED = 1e-9
BISECTIONS = 50
GAPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


# --- agreement --------------------------------------------------------------------------------------------------------


def whole_numbers(values: FloatArray) -> FloatArray:
    """A table of values rounded to so many levels that all sums of products of its rows are whole numbers below 2^52.

    Whatever the order in which they are added, the bits are the same.
    """
    levels = 2.0 ** ((EXACT_BITS - int(np.ceil(np.log2(max(values.shape[1], 2))))) // 2)
    largest = np.abs(values).max(initial=0.0)
    whole: FloatArray = np.rint(values * (levels / largest)) if largest > 0 else np.zeros(values.shape)
    return whole


def agreement(whole: FloatArray) -> tuple[IntArray, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Correlations of the rows (rankers) of a table of whole numbers over its columns (candidates).

    Returns them in units of CORRELATION_UNIT, so that they add up exactly; which rows vary at all; and which pairs of
    rows are the same.
    """
    products, sums = whole @ whole.T, whole.sum(axis=1)
    squares = np.diag(products)
    same = squares[:, None] + squares - 2 * products == 0
    covariances = products - sums[:, None] * sums / whole.shape[1]
    spread = np.sqrt(np.maximum(np.diag(covariances), 0.0))
    varies = spread > LEAST_SPREAD * np.sqrt(squares.max(initial=0.0))
    scale = np.where(varies, spread, 1.0)
    correlations = np.where(varies[:, None] & varies, covariances / (scale[:, None] * scale), 0.0)
    return np.rint(correlations / CORRELATION_UNIT).astype(np.int64), varies, same


def concordance(whole: FloatArray, row: int, items: IntArray) -> IntArray:
    """counts[g] = (half wins, contests) of a list's items at gap GAPS[g]: how often the others together agree.

    ``items`` are the columns in the order of the list; a tie among the others is half a win.
    """
    own, others = whole[row, items], (whole.sum(axis=0) - whole[row])[items]
    counts = np.zeros((len(GAPS), 2), dtype=np.int64)
    for number, gap in enumerate(GAPS):
        if gap >= len(items):
            break
        real = own[:-gap] > own[gap:]  # tied items have no contest
        ahead = others[:-gap] - others[gap:]
        counts[number] = (2 * (ahead > 0) + (ahead == 0))[real].sum(), real.sum()
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


def fitted(
    agreements: FloatArray, known: npt.NDArray[np.bool_], candidates: float, *, ridge: float, excess: float
) -> Fit:
    """r and D that minimise

        ½ Σ_kl V_kl [ℓ(r_k r_l; C_kl - D_kl) + λ D_kl] + ½ η Σ_k v_k (r_k - μ)²,   ℓ(p; e) = p³/3 - e p²/2 + e³/6.

    ℓ has the slope p (p - e): a squared error that counts as far as the pair is reliable, so that a crowd of poor
    rankers that agree among themselves does not bend the scale. v_k = 1 / Σ_l C_kl⁸ gives near copies one vote
    together, V_kl = v_k v_l where ``known[k, l]``; μ is the mean of r; η: :func:`penalty`. ``excess`` is λ, the
    price of dependence; it rises where C is measured on few candidates.

    One block after another is set to its minimum: D_kl = max(C_kl - √(p² + 2λ), 0); r_k is the one positive root of
    A r² + (H - B) r - H μ = 0 with A = Σ_l V_kl r_l³, B = Σ_l V_kl (C_kl - D_kl) r_l², H = η v_k, beyond which the
    objective rises; μ is a mean. So no round can make it larger. r stays between 0.05 and 0.99: where nobody agrees,
    all are trusted alike.
    """
    off = ~np.eye(len(agreements), dtype=bool)
    votes = 1 / np.maximum((np.maximum(np.where(off, agreements, 1.0), 0.0) ** 8).sum(axis=1), 1.0)
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
        for k in range(len(r)):
            r[k] = _reliability(pairs[k], (agreements - dependence)[k], r, eta * votes[k], mean)
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
    candidates contests that are 10 % less sure take half of it away, since the first item then loses 60 of them.
    """
    if utility.terms is None or utility.slope is not None or length == 0 or n < 2:
        return influences.copy()
    low, high = np.zeros(len(influences)), np.ones(len(influences))
    first, last = _mean_ranks(shape, missing, n, length)

    def influence(trust: FloatArray) -> FloatArray:
        best, rest = (start + trust * (end - start) for start, end in (first, last))
        gain: FloatArray = utility.values(best, n, length) - utility.values(rest, n, length)
        return gain

    whole = influence(np.ones(1))[0]
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = influence(middle) >= influences * whole
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(influences >= 1, 1.0, high)


def _mean_ranks(shape: Shape, missing: str, n: int, length: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """(mean rank without trust, with all of it) of the first item, and of what stands against it."""
    chance = shape.chance(np.arange(1.0, length), n, length) if length > 1 else np.zeros(0)
    won, contests, others = float(chance.sum()), length - 1, n - length
    met = 0 if missing == "skip" else others
    lost_outside = 1 - shape.sure if missing == "below" else 0.5
    first = (contests + met) / 2, contests - won + met * lost_outside
    if missing == "below" and others:
        return first, ((n - 1) / 2, length * shape.sure + (others - 1) / 2)
    return first, ((contests + met) / 2, won + met * lost_outside)
