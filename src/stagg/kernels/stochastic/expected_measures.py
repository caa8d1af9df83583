"""Expected measures of noisy scores, with exact gradients, in O(n²Q) for a query of n items.

Scores s_i ~ N(f_i, σ²) make every pair a contest, p_ij = P(i beats j) = Φ((f_i - f_j) / (√2 σ)) (Eq. 14), and the
rank of j, from 0, is the number of items that beat it. A measure gives item j the worth c_j times a utility u of its
rank, counted only if none of the items before it stopped the reader (item i does so with probability R_i; R = 0 but for
ERR). With u(r) = Σ_q a_q t_q^r, a sum of exponentials, the expectation needs no distribution:

    E = Σ_j c_j Σ_q a_q Π_{i≠j} (1 - p_ij S_iq),   S_iq = 1 - (1 - R_i) t_q

and ∂E/∂p_ij = -c_j Σ_q a_q S_iq Π_{l≠i,j} (1 - p_lj S_lq): the product over the others is that of those before i
times that of those after i, never a division (0/0 where p → 1 and t → 0).

NDCG: c = gain / DCG_max, u = 1/log2(2+r). RBP: c = y, u = (1-p) p^r. ERR: c = R, u = 1/(1+r), the expectation taken
under the same contests. Queries lie end to end; the items of query q are ``offsets[q]`` to ``offsets[q+1]``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.ragged import expand_spans
from stagg.kernels.stochastic.utilities import Exponentials, Utility, compress

__all__ = [
    "Stakes",
    "contest_steps",
    "contest_steps_in_numpy",
    "expected",
    "expected_in_numpy",
    "expected_normal",
]

CELLS = 1_000_000
"""Numbers in one array of a batch: the peak memory is some ten times 8 bytes times this, or one item's own n·Q."""

SMALLEST_VARIANCE = 1e-6  # below it all contests are certain, and the normal is a spike on one rank

Found = tuple[FloatArray, FloatArray]
"""(expectation of each query, its derivative by the score of each item)"""


class Stakes(NamedTuple):
    """Quantities fixed while scores change: the worth c and the chance to stop R of every item, and the utility u."""

    worth: FloatArray
    stop: FloatArray
    utility: Utility


def expected(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> Found:
    """The expected measure of every query and its gradient; the compiled twin where there is one."""
    compiled = twin("stochastic._expected_measures")
    if compiled is None:
        return expected_in_numpy(scores, offsets, stakes, sigma)
    values, gradient = np.zeros(len(offsets) - 1), np.zeros(len(scores))
    f, worth, stop = (np.ascontiguousarray(each, dtype=float) for each in (scores, stakes.worth, stakes.stop))
    for n, queries in _by_size(offsets):
        a, t = (_in_eights(each) for each in _terms(stakes.utility, n))
        whole = offsets.astype(np.int64), queries.astype(np.int64)
        compiled.expected(f, *whole, n, worth, stop, a, t, float(sigma), values, gradient)
    return values, gradient


def expected_in_numpy(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> Found:
    """The same, one row for each item that is worth something, rows of queries of similar size together."""
    from scipy.special import ndtr

    values, gradient = np.zeros(len(offsets) - 1), np.zeros(len(scores))
    scale = np.sqrt(2) * sigma
    for n, queries in _by_size(offsets):
        a, t = _terms(stakes.utility, n)
        for batch in _batches(queries, offsets, stakes.worth, n * len(t)):
            others, real = batch.others, batch.real
            z = np.where(real, (scores[others] - scores[batch.items][:, None]) / scale, -np.inf)
            chance, density = ndtr(z), np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * scale)
            product, slope = _leave_one_out(chance, stakes.stop[others], a, t)
            worth = stakes.worth[batch.items]
            np.add.at(values, batch.queries, worth * product)
            push = -worth[:, None] * slope * density  # by how much j's part grows with f_i; it falls so with f_j
            np.add.at(gradient, others[real], push[real])
            np.add.at(gradient, batch.items, -push.sum(axis=1))
    return values, gradient


def _leave_one_out(chance: FloatArray, stop: FloatArray, a: FloatArray, t: FloatArray) -> Found:
    """Σ_q a_q Π_i x_iq of every row j, and Σ_q a_q S_iq Π_{l≠i} x_lq of every i, where x_iq = 1 - p_ij S_iq."""
    shrink = 1 - (1 - stop)[..., None] * t
    factor = 1 - chance[..., None] * shrink
    before, after = np.ones_like(factor), np.ones_like(factor)
    np.cumprod(factor[:, :-1], axis=1, out=before[:, 1:])
    np.cumprod(factor[:, :0:-1], axis=1, out=after[:, -2::-1])
    product = (before[:, -1] * factor[:, -1]) @ a
    before *= after
    before *= shrink
    return product, before @ a


class _Batch(NamedTuple):
    """Rows j that are worth something: their items, their queries, and their rivals (``real`` where not padding)."""

    items: IntArray
    queries: IntArray
    others: IntArray
    real: np.ndarray


def _batches(queries: IntArray, offsets: IntArray, worth: FloatArray, cells: int) -> Iterator[_Batch]:
    """The rows of some queries, so many at once as the memory allows; ``cells`` is what one row takes."""
    sizes = offsets[queries + 1] - offsets[queries]
    of_query = np.repeat(queries, sizes)
    items = expand_spans(offsets[queries], sizes)
    keep = worth[items] != 0
    items, of_query = items[keep], of_query[keep]
    width, rows = int(sizes.max()), max(1, CELLS // cells)
    for low in range(0, len(items), rows):
        mine, theirs = items[low : low + rows], of_query[low : low + rows]
        others = offsets[theirs][:, None] + np.arange(width)
        real = (others < offsets[theirs + 1][:, None]) & (others != mine[:, None])
        yield _Batch(mine, theirs, np.where(real, others, mine[:, None]), real)


def _by_size(offsets: IntArray) -> Iterator[tuple[int, IntArray]]:
    """(n, the queries with at most n items and more than n/2): they share the terms of the utility."""
    sizes = np.diff(offsets)
    powers = np.ceil(np.log2(np.maximum(sizes, 2))).astype(int)
    for power in np.unique(powers[sizes > 0]):
        yield 1 << int(power), np.flatnonzero((powers == power) & (sizes > 0))


def _in_eights(terms: FloatArray) -> FloatArray:
    """As many zeros more as the twin, which takes eight terms at a time, needs."""
    return np.append(terms, np.zeros(-len(terms) % 8))


@functools.lru_cache(maxsize=64)
def _terms(utility: Utility, n: int) -> Exponentials:
    """The short sum of a utility, made once for all the evaluations of a fit (they share its ``Stakes``)."""
    return compress(utility, n)


def expected_normal(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> Found:
    """The paper's approximation (section 4.3.1): the rank is normal with the mean and variance of the contests.

    P(R = r) is the mass between r - ½ and r + ½, divided by that of all ranks; the density at the integers, as
    printed, is no distribution for small σ. Where readers stop, Π (1 - p + p (1-R) z) = C Π (1 - q + q z) with
    C = Π (1 - pR) and q = p (1-R) / (1-pR), and it is the count of the q's that is taken as normal.
    """
    from scipy.special import ndtr

    values, gradient = np.zeros(len(offsets) - 1), np.zeros(len(scores))
    scale = np.sqrt(2) * sigma
    for n, queries in _by_size(offsets):
        for batch in _batches(queries, offsets, stakes.worth, 4 * n):
            others, real = batch.others, batch.real
            z = np.where(real, (scores[others] - scores[batch.items][:, None]) / scale, -np.inf)
            chance, density = ndtr(z), np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * scale)
            sizes = offsets[batch.queries + 1] - offsets[batch.queries]
            found, slope = _normal_rows(chance, np.where(real, stakes.stop[others], 0.0), sizes, stakes.utility)
            worth = stakes.worth[batch.items]
            np.add.at(values, batch.queries, worth * found)
            push = worth[:, None] * slope * density
            np.add.at(gradient, others[real], push[real])
            np.add.at(gradient, batch.items, -push.sum(axis=1))
    return values, gradient


def _normal_rows(chance: FloatArray, stop: FloatArray, sizes: IntArray, utility: Utility) -> Found:
    """E of every row and its derivative by every p, the count of those who beat it taken as normal."""
    on = 1 - chance * stop
    q = chance * (1 - stop) / on
    unstopped = np.prod(on, axis=1)
    mean, variance = q.sum(axis=1), (q * (1 - q)).sum(axis=1)
    value, by_mean, by_variance = _normal_utility(mean, variance, sizes, utility)
    by_q = by_mean[:, None] + by_variance[:, None] * (1 - 2 * q)
    slope = unstopped[:, None] * (by_q * (1 - stop) / on**2 - value[:, None] * stop / on)
    return unstopped * value, slope


def _normal_utility(
    mean: FloatArray, variance: FloatArray, sizes: IntArray, utility: Utility
) -> tuple[FloatArray, ...]:
    """E[u(R)] and its derivatives by mean and variance, R normal, rounded to 0 .. n-1."""
    from scipy.special import ndtr

    spread = np.sqrt(np.maximum(variance, SMALLEST_VARIANCE))
    width = int(sizes.max())
    edges = np.minimum(np.arange(width + 1.0), sizes[:, None]) - 0.5  # beyond the last rank there is no mass
    at = (edges - mean[:, None]) / spread[:, None]
    u = utility.values(np.arange(float(width)), width, width)
    mass = ndtr(at)
    pdf = np.exp(-0.5 * at * at) / np.sqrt(2 * np.pi)
    moved = at * pdf
    total = mass[:, -1] - mass[:, 0]
    value = np.diff(mass) @ u / total
    by_mean = -(np.diff(pdf) @ u - value * (pdf[:, -1] - pdf[:, 0])) / (total * spread)
    by_spread = -(np.diff(moved) @ u - value * (moved[:, -1] - moved[:, 0])) / (total * spread)
    return value, by_mean, np.where(variance > SMALLEST_VARIANCE, by_spread / (2 * spread), 0.0)


Steps = tuple[FloatArray, FloatArray, FloatArray]
"""(expectation of each query, direction of each item, positive curvature of each item)"""


def contest_steps(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> Steps:
    """Which way each item should move for the expected measure's sake: a direction that trees can be grown on.

    Let s_j = -∂E[u(R_j)]/∂p_ij be what rank j loses in utility when i beats it, exact as in :func:`expected`. What the
    contest of i and j is worth to the measure is

        ∂E/∂p_ij = c_i s_i - c_j s_j = ½ (c_i - c_j)(s_i + s_j) + ½ (c_i + c_j)(s_i - s_j).

    The first part says that the worthier item should win. The second is there for equals, too: it lifts whichever of
    them is ahead, since a utility falls most at the top, and so gives up the others. And the gradient ∂E/∂p ∂p/∂f dies
    out where a contest is all but lost. A linear model does not have the freedom to give in to either; trees have. So
    the first part alone is taken, and along log p instead of p:

        Σ_j ½ (c_i - c_j)(s_i + s_j) ∂ log Φ((f_i - f_j) / (√2 σ)) / ∂f_i,   where c_i > c_j,

    the opposite for j. The curvature is that of -log Φ, positive always. It is LambdaRank's step with the change of the
    measure when i and j swap places replaced by what the contest is worth in expectation.
    """
    compiled = twin("stochastic._expected_measures")
    if compiled is None:
        return contest_steps_in_numpy(scores, offsets, stakes, sigma)
    values, gradient, curvature = np.zeros(len(offsets) - 1), np.zeros(len(scores)), np.zeros(len(scores))
    f, worth, stop = (np.ascontiguousarray(each, dtype=float) for each in (scores, stakes.worth, stakes.stop))
    for n, queries in _by_size(offsets):
        a, t = (_in_eights(each) for each in _terms(stakes.utility, n))
        whole = offsets.astype(np.int64), queries.astype(np.int64)
        compiled.contest_steps(f, *whole, n, worth, stop, a, t, float(sigma), values, gradient, curvature)
    return values, gradient, curvature


def contest_steps_in_numpy(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> Steps:
    """The same, a query at a time."""
    from scipy.special import erfcx

    values, gradient, curvature = np.zeros(len(offsets) - 1), np.zeros(len(scores)), np.zeros(len(scores))
    scale = np.sqrt(2) * sigma
    for q, (low, high) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
        f, worth = scores[low:high], stakes.worth[low:high]
        if not worth.any():
            continue
        utilities, loss = _losses(f, stakes.stop[low:high], stakes.utility, scale)
        values[q] = worth @ utilities
        better = np.maximum(worth[:, None] - worth, 0)  # [i, j]: by how much i ought to win
        z = np.where(better > 0, f[:, None] - f, 0) / scale
        mills = np.sqrt(2 / np.pi) / erfcx(-z / np.sqrt(2))  # φ(z) / Φ(z)
        push = 0.5 * better * (loss + loss.T) * mills / scale
        bend = push * (z + mills) / scale
        gradient[low:high] = push.sum(axis=1) - push.sum(axis=0)
        curvature[low:high] = bend.sum(axis=1) + bend.sum(axis=0)
    return values, gradient, curvature


def _losses(f: FloatArray, stop: FloatArray, utility: Utility, scale: float) -> tuple[FloatArray, FloatArray]:
    """E[u(R_j)] of the items of one query, and loss[j, i] = -∂E[u(R_j)]/∂p_ij."""
    from scipy.special import ndtr

    n = len(f)
    found, loss = np.zeros(n), np.zeros((n, n))
    a, t = _terms(utility, 1 << int(np.ceil(np.log2(max(n, 2)))))
    rows = max(1, CELLS // (n * len(t)))
    for low in range(0, n, rows):
        j = np.arange(low, min(low + rows, n))
        chance = ndtr((f - f[j][:, None]) / scale)
        chance[j - low, j] = 0  # nobody plays against himself
        found[j], loss[j] = _leave_one_out(chance, np.broadcast_to(stop, chance.shape), a, t)
    np.fill_diagonal(loss, 0)
    return found, loss
