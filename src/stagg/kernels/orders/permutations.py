"""Sums over all orders of n items: exactly, by their first parts (2^n sets instead of n! orders), or by sampling.

An order costs the sum over its pairs: ``against[i, j]`` is what it costs to have j before i. Read from the front, an
item placed after the set S adds Σ_{j in S} against[i, j]: only the set matters, not its order.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

__all__ = ["expected_ranks", "order_cost", "sample_ranks"]


CHAINS = 16  # sampled side by side
WARM_UP = 0.2  # the share of the sweeps that is thrown away


def order_cost(order: IntArray, against: FloatArray) -> float:
    """Cost of an order: Σ over its pairs, first before second, of against[second, first]."""
    return float(np.tril(against[np.ix_(order, order)], -1).sum())


# --- all orders at once ----------------------------------------------------------------------------------------------


def expected_ranks(against: FloatArray) -> tuple[FloatArray, float]:
    """(E[rank], from 1, under P(order) ∝ exp(-cost), log of the sum over all orders).

    >>> ranks, log_sum = expected_ranks(np.array([[0.0, 1.0], [0.0, 0.0]]))
    >>> ranks.round(4), round(np.exp(log_sum), 4)  # 1 + e^-1
    (array([1.2689, 1.7311]), np.float64(1.3679))
    """
    n = len(against)
    terms = np.where(_joinable(n), -_placing_costs(against), -np.inf)
    front, back = _from_front(terms), _from_back(terms)
    log_sum = float(front[-1])
    share = np.exp(front + back - log_sum)  # P(the first |S| items are S)
    share[0] = 0.0
    return 1 + share @ _joinable(n), log_sum


def _placing_costs(against: FloatArray) -> FloatArray:
    """costs[S, i] = Σ_{j in S} against[i, j], S as bits."""
    costs = np.zeros((1, len(against)))
    for column in against.T:
        costs = np.concatenate([costs, costs + column])
    return costs


def _from_front(terms: FloatArray) -> FloatArray:
    """total[S] = log Σ over i in S of exp(total[S - i] + terms[S - i, i]): all ways to place S first."""
    n = terms.shape[1]
    total = np.zeros(2**n)
    for sets in _levels(n)[1:]:
        before = sets[:, None] & ~_bits(n)
        ways = np.where(before != sets[:, None], total[before] + terms[before, np.arange(n)], -np.inf)
        total[sets] = _log_sum(ways)
    return total


def _from_back(terms: FloatArray) -> FloatArray:
    """total[S] = log Σ over i not in S of exp(terms[S, i] + total[S + i]): all ways to place the rest after S."""
    n = terms.shape[1]
    total = np.zeros(2**n)
    for sets in _levels(n)[-2::-1]:
        total[sets] = _log_sum(terms[sets] + total[sets[:, None] | _bits(n)])
    return total


def _log_sum(rows: FloatArray) -> FloatArray:
    highest = rows.max(axis=1)
    return np.asarray(highest + np.log(np.exp(rows - highest[:, None]).sum(axis=1)))


@lru_cache(maxsize=32)
def _levels(n: int) -> tuple[IntArray, ...]:
    """All sets of n items, by size."""
    sizes = (~_joinable(n)).sum(axis=1)
    return tuple(np.flatnonzero(sizes == size) for size in range(n + 1))


@lru_cache(maxsize=32)
def _joinable(n: int) -> BoolArray:
    """table[S, i]: item i is not in S."""
    return np.asarray((np.arange(2**n)[:, None] & _bits(n)) == 0)


def _bits(n: int) -> IntArray:
    return np.asarray(1 << np.arange(n), dtype=np.intp)


# --- sampling --------------------------------------------------------------------------------------------------------


def sample_ranks(
    against: FloatArray, start: IntArray, *, sweeps: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """(E[rank], from 1, under P(order) ∝ exp(-cost), its standard error), by sampling from a starting order.

    A sweep lets all disjoint pairs of neighbours, first those at even places, then those at odd ones, decide anew who
    stands first, each with its own odds: the rest of the order does not bear on them (heat-bath Metropolis).
    """
    n = len(start)
    odds = 1 / (1 + np.exp(np.minimum(against.T - against, 700.0)))  # odds[i, j] = P(i before j | they are neighbours)
    orders = np.tile(start, (CHAINS, 1))
    rows = np.arange(CHAINS)[:, None]
    sums, kept = np.zeros((CHAINS, n)), 0
    for sweep in range(sweeps):
        for first in (0, 1):
            left, right = orders[:, first : n - 1 : 2], orders[:, first + 1 : n : 2]
            turned = rng.random(left.shape) >= odds[left, right]
            orders[:, first : n - 1 : 2], orders[:, first + 1 : n : 2] = (
                np.where(turned, right, left),
                np.where(turned, left, right),
            )
        if sweep >= WARM_UP * sweeps:
            sums[rows, orders] += np.arange(1, n + 1)
            kept += 1
    means = sums / kept
    return means.mean(axis=0), means.std(axis=0, ddof=1) / np.sqrt(CHAINS)
