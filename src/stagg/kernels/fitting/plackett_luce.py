"""Plackett-Luce model: a list is a series of choices, each of one item among those that are left.

P(next is i) = exp(v_i) / Σ_{j left} exp(v_j).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.fitting.newton import Local, Solution, newton

__all__ = [
    "Stages",
    "Sweep",
    "choices",
    "curvature",
    "curvature_in_numpy",
    "likelihood",
    "maximise",
    "maximise_by_mm",
    "stages",
    "sweep",
    "sweep_in_numpy",
]


CELLS = 500_000  # pairs of items of several lists held at once
LARGEST = 690.0  # exponents beyond this would overflow
START = 1.0  # the prior of the step before Newton's: keeps it near
MM_LIMIT = 100_000
MM_STEP = 1e-13


class Stages(NamedTuple):
    """Lists made ready. Row k is list k, column s its s-th place; what the list does not rank at all is item n."""

    order: IntArray
    """order[k, s] = the item at place s; under "below" the unlisted items follow the listed ones."""
    first: IntArray
    """Flat index of the first place of the tied group of place s: who is left when it is chosen."""
    chosen: BoolArray
    """Whether place s is a stage: the list chose that item."""
    ends: IntArray
    """Flat index, in rows of n + 1, of the last place whose stage item i was present at; n where there is none."""
    weights: FloatArray
    wins: FloatArray
    """wins[i] = total weight of the stages that chose item i."""


def choices(positions: FloatArray, missing: str) -> BoolArray:
    """chosen[k, i] = whether list k chooses item i at some stage: all that it lists, but for a tied group at its end.

    When nobody but a tied group is left, the list does not say who of them comes first: P(any order) = 1. A stage for
    each of them (Breslow's term) would pull them together on no evidence. Behind a list that leaves items unlisted,
    which are left under ``below``, its last group is not the end.

    >>> choices(np.array([[0.0, 1.5, 1.5, -1.0]]), "skip"), choices(np.array([[0.0, 1.5, 1.5, -1.0]]), "below")
    (array([[ True, False, False, False]]), array([[ True,  True,  True, False]]))
    """
    listed = positions != ABSENT
    final = listed & (positions == positions.max(axis=1, initial=ABSENT)[:, None])
    unknown = final.sum(axis=1) > 1
    if missing == "below":
        unknown &= listed.all(axis=1)
    chosen: BoolArray = listed & ~(final & unknown[:, None])
    return chosen


def stages(positions: FloatArray, weights: FloatArray, missing: str) -> Stages:
    """The stages of lists: ``positions[k, i]`` is the (mean) position of item i in list k, or ABSENT.

    ``below``: the unlisted items are left at every stage and never chosen. ``skip``: they are not there at all.
    Items of a tied group are chosen each at a stage at which the whole group is still there (Breslow's treatment); a
    tied group at the end is left, and nobody is chosen (:func:`choices`).
    """
    lists, n = positions.shape
    listed = positions != ABSENT
    places = np.where(listed, positions, np.inf)
    order = np.argsort(places, axis=1, kind="stable")
    ordered = np.take_along_axis(places, order, axis=1)
    chooses = choices(positions, missing)
    chosen = np.take_along_axis(chooses, order, axis=1)
    column, row = np.arange(n), np.arange(lists)[:, None]
    starts = np.ones((lists, n), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(starts, column, 0), axis=1)
    lasts = np.ones((lists, n), dtype=bool)
    lasts[:, :-1] = starts[:, 1:]
    last = np.minimum.accumulate(np.where(lasts, column, n)[:, ::-1], axis=1)[:, ::-1]
    ends = np.empty((lists, n), dtype=np.intp)
    np.put_along_axis(ends, order, last, axis=1)
    if missing != "below":
        order, ends = np.where(np.isfinite(ordered), order, n), np.where(listed, ends, n)
    return Stages(order, first + row * n, chosen, ends + row * (n + 1), weights[:, None], weights @ chooses)


def likelihood(v: FloatArray, data: Stages) -> Local:
    """-log-likelihood of strengths v: Σ w (log Σ_{j left} e^{v_j} - v_chosen), with gradient and Hessian."""
    if np.ptp(v) > LARGEST / 2:
        return careful_likelihood(v, data)
    v = v - v.max()
    e = np.exp(v)
    swept = sweep(e, v, data)
    expected = e * swept.present
    losses = np.log(swept.left) - swept.choice

    def product(d: FloatArray) -> FloatArray:
        """By sums along the lists: what an item moves less what those left move on average, summed over its stages."""
        average = np.where(data.chosen, _left(e * d, data, 0.0) / swept.left, 0.0)
        return np.asarray(expected * d - e * _while_present(swept.rate * average, data).sum(axis=0))

    value = float(data.weights[:, 0] @ losses.sum(axis=1))
    return Local(value, expected - data.wins, lambda: curvature(e, expected, swept, data), product)


class Sweep(NamedTuple):
    """Findings of one walk along all lists, by list and place: 1, 0, 0 where the place is not a stage."""

    left: FloatArray
    """Σ e^v over those left."""
    rate: FloatArray
    """The weight of the list over that."""
    choice: FloatArray
    """v of the chosen item."""
    present: FloatArray
    """present[i] = Σ of the rates of the stages at which item i was there."""


def sweep(e: FloatArray, v: FloatArray, data: Stages) -> Sweep:
    """Along all lists, for strengths v and e = exp(v)."""
    compiled = twin("fitting._plackett_luce")
    if compiled is None or len(v) < 2:  # a single column NumPy sums in pairs
        return sweep_in_numpy(e, v, data)
    return Sweep(*compiled.sweep(e, v, data.order, data.first, data.chosen.view(np.uint8), data.ends, data.weights))


def sweep_in_numpy(e: FloatArray, v: FloatArray, data: Stages) -> Sweep:
    """The same without the twin."""
    left = _left(e, data)
    rate = np.where(data.chosen, data.weights / left, 0.0)
    choice = np.where(data.chosen, np.append(v, 0.0)[data.order], 0.0)
    return Sweep(left, rate, choice, _while_present(rate, data).sum(axis=0))


def curvature(e: FloatArray, expected: FloatArray, swept: Sweep, data: Stages) -> FloatArray:
    """The Hessian: diag(expected wins) - Σ over stages of w p pᵀ, p the probabilities of the choice.

    The stages at which both i and j are there are those of whoever goes first: the smaller of two growing sums.
    """
    compiled = twin("fitting._plackett_luce")
    if compiled is None or len(e) < 2:
        return curvature_in_numpy(e, expected, swept, data)
    dense: FloatArray = compiled.curvature(e, expected, swept.left, swept.rate, data.ends)
    return dense


def curvature_in_numpy(e: FloatArray, expected: FloatArray, swept: Sweep, data: Stages) -> FloatArray:
    """The same without the twin."""
    dense = _sum_of_minima(_while_present(swept.rate / swept.left, data))
    dense *= -e
    dense *= e[:, None]
    dense[np.diag_indices(len(e))] += expected
    return dense


def _left(values: FloatArray, data: Stages, nothing: float = 1.0) -> FloatArray:
    """sums[k, s] = Σ of the values of those left at place s of list k; ``nothing`` where place s is not a stage."""
    ordered = np.append(values, 0.0)[data.order]
    suffix = np.cumsum(ordered[:, ::-1], axis=1)[:, ::-1]
    return np.where(data.chosen, np.ascontiguousarray(suffix).ravel()[data.first], nothing)


def _while_present(terms: FloatArray, data: Stages) -> FloatArray:
    """sums[k, i] = Σ of the terms of the stages of list k at which item i was there."""
    sums = np.zeros((len(terms), terms.shape[1] + 1))
    np.cumsum(terms, axis=1, out=sums[:, :-1])
    found: FloatArray = sums.ravel()[data.ends]
    return found


def _sum_of_minima(rows: FloatArray) -> FloatArray:
    """total[i, j] = Σ_k min(rows[k, i], rows[k, j])."""
    n = rows.shape[1]
    total = np.zeros((n, n))
    step = max(1, CELLS // max(1, n * n))
    for low in range(0, len(rows), step):
        block = rows[low : low + step]
        minima = np.minimum(block[:, :, None], block[:, None, :])
        minima[0] += total
        total = minima.sum(axis=0)  # list after list: along the slow axis nothing is summed in pairs
    return total


def careful_likelihood(v: FloatArray, data: Stages) -> Local:
    """The same for strengths so far apart that e^v cannot be written: every sum by its logarithm."""
    suffix = np.logaddexp.accumulate(np.append(v, -np.inf)[data.order][:, ::-1], axis=1)[:, ::-1]
    left = np.where(data.chosen, np.ascontiguousarray(suffix).ravel()[data.first], np.inf)
    losses = np.where(data.chosen, left - np.append(v, 0.0)[data.order], 0.0)
    log_weights = np.log(data.weights)
    expected = np.exp(v + _log_while_present(log_weights - left, data)).sum(axis=0)

    def hessian() -> FloatArray:
        pairs = v + v[:, None]
        rows = _log_while_present(log_weights - 2 * left, data)
        dense: FloatArray = np.diag(expected)
        for row in rows:
            dense -= np.exp(pairs + np.minimum(row, row[:, None]))
        return dense

    value = float(data.weights[:, 0] @ losses.sum(axis=1))
    return Local(value, expected - data.wins, hessian, lambda d: hessian() @ d)


def _log_while_present(terms: FloatArray, data: Stages) -> FloatArray:
    sums = np.full((len(terms), terms.shape[1] + 1), -np.inf)
    np.logaddexp.accumulate(terms, axis=1, out=sums[:, :-1])
    found: FloatArray = sums.ravel()[data.ends]
    return found


def maximise(data: Stages, *, prior: float) -> Solution:
    """The strengths of largest log-likelihood - ½ prior ‖v‖², by Newton's method."""
    start = np.zeros(len(data.wins))
    start = _better(start, data, max(prior, START))  # one step of MM saves two of Newton
    return newton(lambda v: likelihood(v, data), start, prior=prior)


def maximise_by_mm(data: Stages, *, prior: float) -> Solution:
    """The same maximum by Hunter's minorise-maximise steps: slow, sure, and independent of the Hessian."""
    v = np.zeros(len(data.wins))
    change = np.inf
    for _ in range(MM_LIMIT):
        new = _better(v, data, prior)
        change = float(np.abs(new - v).max())
        v = new
        if change <= MM_STEP * max(1.0, float(np.abs(v).max())):
            return Solution(v, change, True)
    return Solution(v, change, False)


def _better(v: FloatArray, data: Stages, prior: float) -> FloatArray:
    """One step of MM: wins_i = e^{new_i - v_i} expected_i + prior new_i, solved for every item alone.

    Without a prior that is e^{new_i} = wins_i / Σ_stages w/Σe^v (Hunter, Annals of Statistics 2004, Eq. 30).
    """
    expected = likelihood(v, data).gradient + data.wins
    new = v + _balance(data.wins - prior * v, expected, prior)
    centred: FloatArray = new - new.mean()
    return centred


def _balance(wins: FloatArray, expected: FloatArray, prior: float) -> FloatArray:
    """d with wins = e^d expected + prior d, item by item: a falling function of d, solved by Newton's safe steps."""
    if prior == 0:
        free: FloatArray = np.log(wins / expected)
        return free
    d = np.zeros(len(wins))
    for _ in range(1000):
        now = np.exp(np.minimum(d, LARGEST)) * expected
        step = (wins - now - prior * d) / (now + prior)
        d = d + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() <= 1e-15 * max(1.0, float(np.abs(d).max())):
            break
    return d
