"""CPS (coset-permutation distance based stagewise) models: an order is built from the front, cheap items likely.

P(π) = Π_t exp(-cost_t(π_t)) / Σ_{c not yet placed} exp(-cost_t(c)), where cost_t(c) = Σ_k θ_k δ_k,t(c) is how far, on
average over all ways to go on, an order that puts c at stage t is from the lists σ_k (Qin, Geng & Liu, NIPS 2010).

Everything is for a block of queries with n items each. ``ranks[k, q, c]`` is the rank, from 1, of item c in list k;
``theta[k, q]`` what that list counts in query q; ``orders[q, t]`` the item at stage t, from 0. The cost is linear in θ,
so the lists are added up once (``collapse``) and serve all orders of a query; the gradient goes the same way back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.ties import TIE_TOLERANCE

__all__ = ["DISTANCES", "Distance", "footrule_costs", "greedy_scores", "log_likelihood"]


class Distance(NamedTuple):
    """One distance between orders, as four linear maps and the way that its costs change from stage to stage."""

    collapse: Callable[[FloatArray, FloatArray], FloatArray]
    """(ranks, theta) -> what the lists say together."""
    costs: Callable[[FloatArray, IntArray, int], FloatArray]
    """(together, orders, stages) -> costs[q, c, t] of the c-th item of the order at stage t."""
    back: Callable[[FloatArray, IntArray], FloatArray]
    """The transpose of ``costs``: (slopes by costs[q, c, t], orders) -> slopes by what the lists say together."""
    by_theta: Callable[[FloatArray, FloatArray], FloatArray]
    """The transpose of ``collapse``: (ranks, slopes by what the lists say together) -> slopes by theta[k, q]."""
    after: Callable[[FloatArray, FloatArray, IntArray, BoolArray], FloatArray]
    """(together, costs[q, c] so far, next stage[q], placed just now[q, c]) -> costs[q, c] at the next stage."""


def log_likelihood(
    distance: Distance,
    ranks: FloatArray,
    theta: FloatArray,
    samples: tuple[IntArray, ...],
    stages: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """(log P[q], ∂ log P[q] / ∂θ[k, q]), the mean over sampled orders; query q counts its first ``stages[q]`` stages.

    The gradient is Σ_t (E_t[δ_k] - δ_k(chosen)).
    """
    together = distance.collapse(ranks, theta)
    counted = np.arange(stages.max(initial=0)) < stages[:, None]
    value, slopes = np.zeros(len(stages)), np.zeros_like(together)
    for orders in samples:
        log_chances, pull = _choices(distance.costs(together, orders, counted.shape[1]))
        value += (log_chances * counted).sum(axis=1)
        pull *= counted[:, None, :]
        slopes += distance.back(pull, orders)
    return value / len(samples), distance.by_theta(ranks, slopes) / len(samples)


def _choices(costs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(log P[q, t] of the item chosen at stage t, its slopes by costs[q, c, t]: P(c) - [c chosen]).

    Items stand in the order of their choice: at stage t the candidates are those from t on.
    """
    n, stages = costs.shape[1:]
    placed = np.arange(n)[:, None] < np.arange(stages)
    logits = np.where(placed, -np.inf, -costs)
    logits -= logits.max(axis=1, keepdims=True)
    diagonal = np.arange(stages)
    chosen = logits[:, diagonal, diagonal]
    chances = np.exp(logits, out=logits)
    totals = chances.sum(axis=1)
    chances /= totals[:, None, :]
    chances[:, diagonal, diagonal] -= 1
    return chosen - np.log(totals), chances


# --- Spearman: δ_t(c) = (t - σ_c)² - mean_{j>t} (j - σ_c)² = (n - t + 1) σ_c + const, t from 1 -----------------------


def _weighted_ranks(ranks: FloatArray, theta: FloatArray) -> FloatArray:
    """s[q, c] = Σ_k θ_k σ_k(c), added list by list: the same bits however the queries are dealt out."""
    total = np.zeros(ranks.shape[1:])
    for row, weight in zip(ranks, theta, strict=True):
        total += weight[:, None] * row
    return total


def _spearman_costs(together: FloatArray, orders: IntArray, stages: int) -> FloatArray:
    n = orders.shape[1]
    costs: FloatArray = np.take_along_axis(together, orders, axis=1)[:, :, None] * (n - np.arange(float(stages)))
    return costs


def _spearman_back(pull: FloatArray, orders: IntArray) -> FloatArray:
    n, stages = pull.shape[1:]
    slopes = np.empty(orders.shape)
    np.put_along_axis(slopes, orders, pull @ (n - np.arange(float(stages))), axis=1)
    return slopes


def _spearman_by_theta(ranks: FloatArray, slopes: FloatArray) -> FloatArray:
    return np.stack([(row * slopes).sum(axis=1) for row in ranks])


def _spearman_after(together: FloatArray, costs: FloatArray, stage: IntArray, placed: BoolArray) -> FloatArray:
    return costs  # the factor n - t + 1 does not change the order


# --- Footrule: δ_t(c) = |t - σ_c| - mean_{j>t} |j - σ_c|, t from 1 ---------------------------------------------------


def footrule_costs(n: int, ranks: FloatArray) -> FloatArray:
    """table[..., t] = |t - σ| - mean_{j=t+1..n} |j - σ| for t = 1..n, in closed form.

    >>> footrule_costs(3, np.array([1.0]))
    array([[-1.5, -1. ,  2. ]])
    """
    t, rank = np.arange(1.0, n + 1), ranks[..., None]
    middle = np.clip(np.floor(rank), t, n)  # j <= middle lies before σ, the others after
    before = (middle - t) * (rank - (t + 1 + middle) / 2)
    after = (n - middle) * ((middle + 1 + n) / 2 - rank)
    costs: FloatArray = np.abs(t - rank) - (before + after) / np.maximum(n - t, 1)
    return costs


@lru_cache(maxsize=8)
def _footrule_table(n: int) -> FloatArray:
    """table[2σ - 2, t]: ranks, and means of ranks, are halves."""
    return footrule_costs(n, np.arange(2.0, 2 * n + 1) / 2)


def _footrule_rows(ranks: FloatArray) -> IntArray:
    return np.rint(2 * ranks).astype(np.intp) - 2


def _footrule_collapse(ranks: FloatArray, theta: FloatArray) -> FloatArray:
    n = ranks.shape[2]
    table, total = _footrule_table(n), np.zeros((*ranks.shape[1:], n))
    for rows, weight in zip(_footrule_rows(ranks), theta, strict=True):
        total += weight[:, None, None] * table[rows]
    return total


def _footrule_costs(together: FloatArray, orders: IntArray, stages: int) -> FloatArray:
    return np.take_along_axis(together[:, :, :stages], orders[:, :, None], axis=1)


def _footrule_back(pull: FloatArray, orders: IntArray) -> FloatArray:
    n, stages = pull.shape[1:]
    slopes = np.zeros((len(orders), n, n))
    np.put_along_axis(slopes[:, :, :stages], orders[:, :, None], pull, axis=1)
    return slopes


def _footrule_by_theta(ranks: FloatArray, slopes: FloatArray) -> FloatArray:
    table = _footrule_table(ranks.shape[2])
    return np.stack([np.einsum("qct,qct->q", table[rows], slopes) for rows in _footrule_rows(ranks)])


def _footrule_after(together: FloatArray, costs: FloatArray, stage: IntArray, placed: BoolArray) -> FloatArray:
    last = together.shape[2] - 1
    at: FloatArray = together[np.arange(len(stage)), :, np.minimum(stage, last)]
    return at


# --- Kendall: δ_t(c) = #{i not yet placed: σ_i < σ_c} = Σ_{i not yet placed} ½ sign(σ_c - σ_i) + const ---------------
# A tied pair costs the same whichever comes first, so it is left out: sign 0.


def _signs(ranks: FloatArray) -> FloatArray:
    """½ sign(σ_c - σ_i) for one list: signs[q, c, i]."""
    signs: FloatArray = 0.5 * np.sign(ranks[:, :, None] - ranks[:, None, :])
    return signs


def _kendall_collapse(ranks: FloatArray, theta: FloatArray) -> FloatArray:
    n = ranks.shape[2]
    total = np.zeros((*ranks.shape[1:], n))
    for row, weight in zip(ranks, theta, strict=True):
        total += weight[:, None, None] * _signs(row)
    return total


def _kendall_costs(together: FloatArray, orders: IntArray, stages: int) -> FloatArray:
    ordered = together[_both(orders)]
    left: FloatArray = np.cumsum(ordered[:, :, ::-1], axis=2)[:, :, ::-1]
    return left[:, :, :stages]


def _kendall_back(pull: FloatArray, orders: IntArray) -> FloatArray:
    n, stages = pull.shape[1:]
    sums = np.empty((len(orders), n, n))
    np.cumsum(pull, axis=2, out=sums[:, :, :stages])
    sums[:, :, stages:] = sums[:, :, stages - 1 : stages]  # i is a candidate in all stages that count
    slopes = np.empty_like(sums)
    slopes[_both(orders)] = sums
    return slopes


def _kendall_by_theta(ranks: FloatArray, slopes: FloatArray) -> FloatArray:
    return np.stack([np.einsum("qci,qci->q", _signs(row), slopes) for row in ranks])


def _kendall_after(together: FloatArray, costs: FloatArray, stage: IntArray, placed: BoolArray) -> FloatArray:
    query, item = np.nonzero(placed)
    costs = costs.copy()
    np.subtract.at(costs, query, together[query, :, item])
    return costs


def _both(orders: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Rows and columns of each query's matrix in the order of its items."""
    return np.arange(len(orders))[:, None, None], orders[:, :, None], orders[:, None, :]


DISTANCES = {
    "spearman": Distance(_weighted_ranks, _spearman_costs, _spearman_back, _spearman_by_theta, _spearman_after),
    "footrule": Distance(_footrule_collapse, _footrule_costs, _footrule_back, _footrule_by_theta, _footrule_after),
    "kendall": Distance(_kendall_collapse, _kendall_costs, _kendall_back, _kendall_by_theta, _kendall_after),
}


# --- the order that is likeliest stage by stage ----------------------------------------------------------------------


def greedy_scores(distance: Distance, ranks: FloatArray, theta: FloatArray) -> FloatArray:
    """scores[q, c] = n - rank + 1 in the order that takes the cheapest candidate at every stage.

    Candidates of equal cost are placed together, tied, and have the mean of the ranks that they fill: neither rounding
    nor the order of the items decides.
    """
    theta = theta * find_unit_scale(theta)
    (queries, n), together = ranks.shape[1:], distance.collapse(ranks, theta)
    tolerance = TIE_TOLERANCE * n * np.abs(theta).sum(axis=0)
    scores, left, stage = np.zeros((queries, n)), np.ones((queries, n), dtype=bool), np.zeros(queries, dtype=np.intp)
    costs = distance.costs(together, np.tile(np.arange(n), (queries, 1)), 1)[:, :, 0]
    for _ in range(n):  # every stage places somebody
        candidates = np.where(left, costs, np.inf)
        placed = left & (candidates <= candidates.min(axis=1, keepdims=True) + tolerance[:, None])
        count = placed.sum(axis=1)
        scores += placed * (n - stage - (count - 1) / 2)[:, None]
        left, stage = left & ~placed, stage + count
        if not left.any():
            break
        costs = distance.after(together, costs, stage, placed)
    return scores


def find_unit_scale(theta: FloatArray) -> float:
    """A power of two that brings the largest |θ| near 1: the order stays, no digit changes, and no sum overflows.

    >>> find_unit_scale(np.array([-6.0, 1.0]))
    0.125
    """
    exponent = int(np.frexp(np.abs(theta).max(initial=0.0))[1])
    return float(2.0 ** -min(max(exponent, -1000), 1000))
