"""Bootstrap: the rank of every item in every draw, and the rank intervals that follow from the draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.ties import LEAST, TIE_TOLERANCE, are_equal, measure_groups

__all__ = [
    "Ranks",
    "rank_intervals",
    "ranks_of",
    "ranks_of_in_numpy",
    "resampled_ranks",
    "resampled_ranks_in_numpy",
    "share_places",
    "weighted_sums",
]

CELLS = 4_000_000  # scores held at once: bounds the memory for long lists


class Ranks(NamedTuple):
    """The places of each item in every draw, from 0: those of the group that it ties with there, or its own."""

    first: Int32Array
    """[item, draw]: the first place of its group."""
    last: Int32Array
    """[item, draw]: the last; the same array as the first where nothing ever ties."""


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


def resampled_ranks(weights: FloatArray, contributions: FloatArray, masses: FloatArray | None = None) -> Ranks:
    """The places of each item by descending weighted sums of what the lists contribute.

    ``masses`` say how large the numbers were that each contribution was made of; None where it is the contribution.
    """
    compiled = twin("lists._bootstrap")
    if compiled is None:
        return resampled_ranks_in_numpy(weights, contributions, masses)
    plain = [None if each is None else np.ascontiguousarray(each, float) for each in (weights, contributions, masses)]
    return Ranks(*compiled.resampled_ranks(*plain, TIE_TOLERANCE, LEAST))


def resampled_ranks_in_numpy(weights: FloatArray, contributions: FloatArray, masses: FloatArray | None = None) -> Ranks:
    """The same without the twin."""
    draws, n = len(weights), contributions.shape[1]
    first, last = np.empty((2, n, draws), dtype=np.int32)
    block = max(1, CELLS // max(1, n))
    for low in range(0, draws, block):
        some = slice(low, low + block)
        scores = weighted_sums(weights[some], contributions)
        sizes = scores if masses is None else weighted_sums(weights[some], masses)
        first[:, some], last[:, some] = ranks_of_in_numpy(scores, sizes)
    return _once_where_equal(first, last)


def ranks_of(scores: FloatArray, masses: FloatArray) -> Ranks:
    """The places of each item, of scores[draw, item] with masses[draw, item]."""
    compiled = twin("lists._bootstrap")
    if compiled is None:
        return ranks_of_in_numpy(scores, masses)
    plain = (np.ascontiguousarray(each, float) for each in (scores, masses))
    first, last = compiled.ranks_of(*plain, TIE_TOLERANCE, LEAST)
    return _once_where_equal(first.T, last.T)


def ranks_of_in_numpy(scores: FloatArray, masses: FloatArray) -> Ranks:
    """The same without the twin."""
    order = np.argsort(-scores, axis=1, kind="stable")
    falling = np.take_along_axis(scores, order, axis=1)
    starts, ends = np.ones((2, *scores.shape), dtype=bool)
    with np.errstate(invalid="ignore"):  # infinite scores, whose owner says that they are too large
        starts[:, 1:] = ~are_equal(falling, np.take_along_axis(masses, order, axis=1))
    ends[:, :-1] = starts[:, 1:]
    place = np.arange(scores.shape[1], dtype=np.int32)[None, :]
    first, last = np.empty((2, *scores.shape), dtype=np.int32)
    np.put_along_axis(first, order, np.maximum.accumulate(np.where(starts, place, 0), axis=1), axis=1)
    behind = np.where(ends, place, len(place[0]))[:, ::-1]
    np.put_along_axis(last, order, np.minimum.accumulate(behind, axis=1)[:, ::-1], axis=1)
    return _once_where_equal(first.T, last.T)


def _once_where_equal(first: Int32Array, last: Int32Array) -> Ranks:
    return Ranks(first, first if np.array_equal(first, last) else last)


def rank_intervals(
    ranks: Ranks, tied: BoolArray, level: float, k: int
) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """(low, high, top, group) of each item, ranks from 1; items come in the order of the consensus.

    ``tied`` says which items tie there with the one before. low and high are the (1-level)/2 quantile of the first and
    the (1+level)/2 quantile of the last places over the draws, rounded outward; top is the share of an item's places
    that are among the first k; group as :class:`stagg.data.intervals.Intervals` says.
    """
    draws = ranks.first.shape[1]
    low = np.floor(_quantile(np.sort(ranks.first, axis=1), (1 - level) / 2 * (draws - 1))).astype(np.intp) + 1
    high = np.ceil(_quantile(np.sort(ranks.last, axis=1), (1 + level) / 2 * (draws - 1))).astype(np.intp) + 1
    if ranks.last is ranks.first:
        top = (ranks.first < k).mean(axis=1)
    else:
        sizes = ranks.last - ranks.first + 1
        top = (np.clip(k - ranks.first, 0, sizes) / sizes).mean(axis=1)
    return low, high, top, _number_groups(ranks, tied, level)


def _number_groups(ranks: Ranks, tied: BoolArray, level: float) -> IntArray:
    """The group of each item, from 1: a new one starts where the items that tie for a place are all beaten by all that
    tie for the place before, in at least so large a share of the draws."""
    if not len(tied):
        return np.zeros(0, dtype=np.intp)
    starts, sizes = measure_groups(tied)
    first = np.minimum.reduceat(ranks.first, starts, axis=0)
    last = np.maximum.reduceat(ranks.last, starts, axis=0)
    beaten = (first[1:] > last[:-1]).mean(axis=1)
    return np.repeat(1 + np.concatenate([[0], np.cumsum(beaten >= level)]), sizes).astype(np.intp)


def share_places(ranks: Ranks, places: int) -> FloatArray:
    """share[i, r] of the draws in which item i has place r; tied items share theirs; the last column is "later".

    >>> first, last = np.array([[0, 0], [1, 0]]), np.array([[0, 1], [1, 1]])
    >>> share_places(Ranks(first, last), 1)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    items, draws = ranks.first.shape
    sizes = ranks.last - ranks.first + 1
    row = (places + 1) * np.arange(items)[:, None]
    shape = (items, places + 1)
    begins = np.bincount((np.minimum(ranks.first, places) + row).ravel(), (1 / sizes).ravel(), items * (places + 1))
    ends = np.bincount((np.minimum(ranks.last + 1, places) + row).ravel(), (1 / sizes).ravel(), items * (places + 1))
    found: FloatArray = np.cumsum((begins - ends).reshape(shape), axis=1) / draws
    found[:, -1] = 1.0
    found[:, -1] -= found[:, :-1].sum(axis=1)
    np.maximum(found, 0.0, out=found)
    return found


def _quantile(ordered: Int32Array, place: float) -> FloatArray:
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
