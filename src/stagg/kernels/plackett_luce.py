"""The Plackett-Luce model: lists as stages at each of which one item is chosen among those that are left.

P(next is i) = exp(v_i) / Σ_{j left} exp(v_j). All sums of exponentials are made of logarithms, so that no strength is
too large.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stagg.kernels.newton import Local, Solution, newton
from stagg.kernels.sums import FloatArray

__all__ = ["Stages", "likelihood", "maximise", "maximise_by_mm", "stages"]

IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]

CELLS = 500_000  # pairs of items of several lists held at once
LARGEST = 690.0  # exponents beyond this would overflow
MM_LIMIT = 100_000
MM_STEP = 1e-13


class Stages(NamedTuple):
    """Lists made ready. Row k is list k, column s its s-th place; what the list does not rank at all is item n."""

    order: IntArray
    """order[k, s] = the item at place s; under "below" the unlisted items follow the listed ones."""
    first: IntArray
    """first[k, s] = the first place of the tied group of place s: who is left when it is chosen."""
    chosen: BoolArray
    """Whether place s is a stage: the list chose that item."""
    ends: IntArray
    """ends[k, i] = the last place whose stage item i was present at; n where there is none."""
    log_weights: FloatArray
    wins: FloatArray
    """wins[i] = total weight of the stages that chose item i."""


def stages(positions: FloatArray, weights: FloatArray, missing: str, absent: float = -1.0) -> Stages:
    """The stages of lists: ``positions[k, i]`` is the (mean) position of item i in list k, or ``absent``.

    ``below``: the unlisted items are left at every stage and never chosen. ``skip``: they are not there at all.
    Items of a tied group are chosen each at a stage at which the whole group is still there (Breslow's treatment).
    """
    lists, n = positions.shape
    listed = positions != absent
    places = np.where(listed, positions, np.inf)
    order = np.argsort(places, axis=1, kind="stable")
    ordered = np.take_along_axis(places, order, axis=1)
    chosen = np.isfinite(ordered)
    column = np.arange(n)
    starts = np.ones((lists, n), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(starts, column, 0), axis=1)
    lasts = np.ones((lists, n), dtype=bool)
    lasts[:, :-1] = starts[:, 1:]
    last = np.minimum.accumulate(np.where(lasts, column, n)[:, ::-1], axis=1)[:, ::-1]
    ends = np.empty((lists, n), dtype=np.intp)
    np.put_along_axis(ends, order, last, axis=1)
    if missing != "below":
        order, ends = np.where(chosen, order, n), np.where(listed, ends, n)
    return Stages(order, first, chosen, ends, np.log(weights)[:, None], weights @ listed)


def likelihood(v: FloatArray, data: Stages) -> Local:
    """-log-likelihood of strengths v: Σ w (log Σ_{j left} e^{v_j} - v_chosen), with gradient and Hessian."""
    left, present = _expected(v, data)
    losses = np.where(data.chosen, left - np.append(v, 0.0)[data.order], 0.0).sum(axis=1)
    value = float(np.exp(data.log_weights[:, 0]) @ losses)
    expected = np.exp(v + present).sum(axis=0)
    return Local(value, expected - data.wins, lambda: _hessian(v, data, left, expected), lambda d: _product(v, d, data))


def _expected(v: FloatArray, data: Stages) -> tuple[FloatArray, FloatArray]:
    """(log Σ e^v of those left at each stage, log Σ weight/Σe^v over the stages of list k that had item i)."""
    strengths = np.append(v, -np.inf)[data.order]
    suffix = _log_cumsum(strengths[:, ::-1])[:, ::-1]
    left = np.take_along_axis(suffix, data.first, axis=1)
    return left, _over_stages(-left, data)


def _over_stages(terms: FloatArray, data: Stages) -> FloatArray:
    """sums[k, i] = log of the weighted sum of exp(term) over the stages of list k at which item i was there."""
    terms = np.where(data.chosen, terms + data.log_weights, -np.inf)
    sums = _log_cumsum(terms)
    sums = np.concatenate([sums, np.full((len(sums), 1), -np.inf)], axis=1)
    return np.take_along_axis(sums, data.ends, axis=1)


def _log_cumsum(terms: FloatArray) -> FloatArray:
    """log of the cumulative sums of exp(terms) along the rows, by plain sums where the terms are not too far apart."""
    highest = terms.max()
    if terms.min(initial=highest, where=np.isfinite(terms)) < highest - LARGEST / 2:
        sums: FloatArray = np.logaddexp.accumulate(terms, axis=1)
        return sums
    plain = np.cumsum(np.exp(terms - highest), axis=1)
    with np.errstate(divide="ignore"):  # a sum of nothing is 0, its logarithm -inf
        return np.asarray(highest + np.log(plain))


def _hessian(v: FloatArray, data: Stages, left: FloatArray, expected: FloatArray) -> FloatArray:
    """diag(expected wins) - Σ over stages of w p pᵀ, p the probabilities of the choice.

    The stages at which both i and j are there are those of whoever goes first: the smaller of two growing sums.
    """
    squares = _over_stages(-2 * left, data)
    shifted = v - v.max()
    if shifted.min() < -LARGEST / 2:  # e^v would underflow: every product by itself
        pairs = v + v[:, None]
        hessian: FloatArray = -sum(np.exp(pairs + np.minimum(row, row[:, None])) for row in squares)
    else:
        e = np.exp(shifted)
        hessian = -_sum_of_minima(np.exp(squares + 2 * v.max())) * e * e[:, None]
    hessian[np.diag_indices(len(v))] += expected
    return hessian


def _sum_of_minima(rows: FloatArray) -> FloatArray:
    """total[i, j] = Σ_k min(rows[k, i], rows[k, j])."""
    n = rows.shape[1]
    total = np.zeros((n, n))
    step = max(1, CELLS // n**2)
    for low in range(0, len(rows), step):
        block = rows[low : low + step]
        total += np.minimum(block[:, :, None], block[:, None, :]).sum(axis=0)
    return total


def _product(v: FloatArray, d: FloatArray, data: Stages) -> FloatArray:
    """Hessian times d without the Hessian: by sums along the lists."""
    e = np.append(np.exp(np.maximum(v - v.max(), -LARGEST / 2)), 0.0)[data.order]
    moved = e * np.append(d, 0.0)[data.order]
    rest, change = (np.cumsum(x[:, ::-1], axis=1)[:, ::-1] for x in (e, moved))
    rest, change = (np.take_along_axis(x, data.first, axis=1) for x in (rest, change))
    rate = np.where(data.chosen, np.exp(data.log_weights), 0.0) / np.where(data.chosen, rest, 1.0)
    mean = np.where(data.chosen, change / np.where(data.chosen, rest, 1.0), 0.0)
    first, second = (_along_stages(x, data) for x in (rate, rate * mean))
    scale = np.exp(np.maximum(v - v.max(), -LARGEST / 2))
    product: FloatArray = scale * (first * d - second).sum(axis=0)
    return product


def _along_stages(terms: FloatArray, data: Stages) -> FloatArray:
    sums = np.concatenate([np.cumsum(terms, axis=1), np.zeros((len(terms), 1))], axis=1)
    return np.take_along_axis(sums, data.ends, axis=1)


def maximise(data: Stages, *, prior: float) -> Solution:
    """The strengths of largest log-likelihood - ½ prior ‖v‖², by Newton's method."""
    return newton(lambda v: likelihood(v, data), np.zeros(len(data.wins)), prior=prior)


def maximise_by_mm(data: Stages, *, prior: float) -> Solution:
    """The same maximum by Hunter's minorise-maximise steps: slow, sure, and independent of the Hessian.

    Each step solves wins_i = e^{v_i} Σ_stages w/Σe^v + prior v_i for every item alone; without a prior that is
    e^{v_i} = wins_i / Σ_stages w/Σe^v (Hunter, Annals of Statistics 2004, Eq. 30).
    """
    v = np.zeros(len(data.wins))
    change = np.inf
    for _ in range(MM_LIMIT):
        _, present = _expected(v, data)
        rate = np.logaddexp.reduce(present, axis=0)
        new = _balance(v, data.wins, rate, prior)
        new -= new.mean()
        change = float(np.abs(new - v).max())
        v = new
        if change <= MM_STEP * max(1.0, float(np.abs(v).max())):
            return Solution(v, change, True)
    return Solution(v, change, False)


def _balance(v: FloatArray, wins: FloatArray, rate: FloatArray, prior: float) -> FloatArray:
    """v with wins = e^(v + rate) + prior v, item by item: a falling function of v, solved by safeguarded Newton."""
    if prior == 0:
        free: FloatArray = np.log(wins) - rate
        return free
    for _ in range(100):
        expected = np.exp(np.minimum(v + rate, LARGEST))
        step = (wins - expected - prior * v) / (expected + prior)
        v = v + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() <= 1e-15 * max(1.0, float(np.abs(v).max())):
            break
    return v
