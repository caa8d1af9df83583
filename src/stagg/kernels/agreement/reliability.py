"""Reliability of each ranker, from how far rankers agree: one factor, and dependence beyond it.

Rankers that know something of the truth agree with each other: if ranker k has the correlation r_k with what is true,
and errs on its own, it has the correlation r_k r_l with ranker l. What two rankers agree beyond that, they have from
each other or from a common source: D_kl >= 0. So C = r rᵀ + D off the diagonal, with few entries of D above 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray

__all__ = [
    "Fit",
    "combined_shares",
    "consensus_reliability",
    "excess_agreement",
    "fitted",
    "influences",
    "penalty",
    "shares",
    "without_gaps",
]

FEW = 3.0
LEAST_RELIABLE, MOST_RELIABLE = 0.05, 0.99
LEAST_NOISE = 0.05
SAME_ORDER = (0.96, 0.99)  # from where on two orders begin to be one, and where they are
SAME_ITEMS = (0.25, 0.5)  # the same of the items that they share, in parts of the shorter list
ROUNDS = 500
SETTLED = 1e-9


# --- copies with gaps -------------------------------------------------------------------------------------------------


def without_gaps(agreements: FloatArray, by_order: FloatArray, shared: FloatArray) -> FloatArray:
    """C_kl + κ_kl max(O_kl - C_kl, 0): the agreement that lists of one origin would have without the gaps in them.

    Two lists that hold much in common and have it in the same order are one list with gaps, whatever they lack: O, the
    agreement on what they both hold, then tells how near they are, and C, over all candidates, does not. κ grows from 0
    to 1 as O grows from 0.96 to 0.99, times the same as the shared part of the shorter list grows from a quarter to
    half. Rankers that work on their own do not come near: of 1,845 pairs in seven collections nine have O above .96,
    and C is as high for all of them.
    """
    together = _ramp(by_order, *SAME_ORDER) * _ramp(shared, *SAME_ITEMS)
    corrected: FloatArray = agreements + together * np.maximum(by_order - agreements, 0.0)
    return corrected


def _ramp(values: FloatArray, start: float, end: float) -> FloatArray:
    return np.clip((values - start) / (end - start), 0.0, 1.0)


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


# --- what follows -----------------------------------------------------------------------------------------------------


def combined_shares(share: FloatArray, by_order: FloatArray) -> FloatArray:
    """The shares by what lists hold and by the order of what they both hold, as one.

    Lists of one candidate pool hold the same items without being copies of each other; their order tells. Of few
    rankers dependence counts only if both show it, of many what they hold decides: share^(1-x) · max(share, order)^x,
    x = min(1, 3/m).
    """
    trusted = min(1.0, FEW / max(len(share), 1))
    combined: FloatArray = share ** (1 - trusted) * np.maximum(share, by_order) ** trusted
    return combined


def influences(share: FloatArray, reliability: FloatArray) -> FloatArray:
    """share · (r / max r)^(1/√m), the most influential ranker having 1."""
    influence = share * (reliability / reliability.max()) ** (1 / np.sqrt(len(share)))
    relative: FloatArray = influence / influence.max()
    return relative


def consensus_reliability(rankers: float, agreement: float) -> float:
    """λ = M q / (1 + (M - 1) q): the reliability of a sum of M judges of whom any two correlate by q.

    Reference: Spearman, "Correlation calculated from faulty data", 1910; Brown, the same year.
    """
    return rankers * agreement / (1 + (rankers - 1) * agreement)
