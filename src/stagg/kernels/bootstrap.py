"""Resampled rankings: the rank of every item in every draw, and what the draws say together."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = [
    "rank_intervals",
    "ranks_of",
    "ranks_of_in_numpy",
    "resampled_ranks",
    "resampled_ranks_in_numpy",
    "weighted_sums",
]

CELLS = 4_000_000  # scores held at once: bounds the memory for long lists

Ranks = Int32Array


def weighted_sums(weights: FloatArray, contributions: FloatArray) -> FloatArray:
    """total[draw, item] = Σ_k weights[draw, k] · contributions[k, item].

    A matrix product, but term by term in the order of k: every column is summed alike, so items with equal
    contributions have equal totals, to the bit and on every machine. (BLAS may sum columns differently.)
    """
    total = weights[:, :1] * contributions[:1]
    term = np.empty_like(total)
    for k in range(1, len(contributions)):
        np.multiply(weights[:, k : k + 1], contributions[k], out=term)
        total += term
    return total


def resampled_ranks(weights: FloatArray, contributions: FloatArray) -> Ranks:
    """ranks[item, draw], from 0, by descending weighted sums; equal sums keep the order of the items."""
    compiled = twin("_bootstrap")
    if compiled is None:
        return resampled_ranks_in_numpy(weights, contributions)
    ranks: Ranks = compiled.resampled_ranks(*(np.ascontiguousarray(each, float) for each in (weights, contributions)))
    return ranks


def resampled_ranks_in_numpy(weights: FloatArray, contributions: FloatArray) -> Ranks:
    """The same without the twin."""
    draws, n = len(weights), contributions.shape[1]
    ranks = np.empty((n, draws), dtype=np.int32)
    block = max(1, CELLS // max(1, n))
    for low in range(0, draws, block):
        scores = weighted_sums(weights[low : low + block], contributions)
        ranks[:, low : low + block] = ranks_of_in_numpy(scores)
    return ranks


def ranks_of(scores: FloatArray) -> Ranks:
    """ranks[item, draw], from 0, of scores[draw, item]; equal scores keep the order of the items."""
    compiled = twin("_bootstrap")
    if compiled is None:
        return ranks_of_in_numpy(scores)
    by_draw: Ranks = compiled.ranks_of(np.ascontiguousarray(scores, float))
    return by_draw.T


def ranks_of_in_numpy(scores: FloatArray) -> Ranks:
    """The same without the twin."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty(scores.shape, dtype=np.int32)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1], dtype=np.int32)[None, :], axis=1)
    return ranks.T


def rank_intervals(ranks: Ranks, level: float, k: int) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """(low, high, top, group) of each item, ranks from 1; items come in the order of the consensus.

    low and high are the (1-level)/2 and (1+level)/2 quantiles over the draws, rounded outward; top the share of draws
    with a rank of at most k; group as :class:`stagg.data.intervals.Intervals` says.
    """
    draws = ranks.shape[1]
    beaten = np.zeros(len(ranks))
    beaten[1:] = (ranks[1:] > ranks[:-1]).mean(axis=1)
    top = (ranks < k).mean(axis=1)
    ordered = np.sort(ranks, axis=1)
    low = np.floor(_quantile(ordered, (1 - level) / 2 * (draws - 1))).astype(np.intp) + 1
    high = np.ceil(_quantile(ordered, (1 + level) / 2 * (draws - 1))).astype(np.intp) + 1
    group = 1 + np.cumsum(beaten >= level) - (beaten[:1] >= level)
    return low, high, top, group.astype(np.intp)


def _quantile(ordered: Ranks, place: float) -> FloatArray:
    """The value at a fractional place of each sorted row, between its neighbours by their distance."""
    low = int(place)
    share = place - low
    near = ordered[:, low].astype(float)
    if share < 1e-9:  # the place is a whole number but for rounding
        return near
    if share > 1 - 1e-9:
        return ordered[:, low + 1].astype(float)
    between: FloatArray = near + share * (ordered[:, low + 1] - near)
    return between
