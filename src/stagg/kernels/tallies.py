"""Tallies of ballots: first and last choices among those who still stand, and support down to a place.

A ballot shares its vote equally among the items that it ties. Votes are counted in whole units, so fine that tied
groups of any size can share them: no order of the ballots changes a tally, and what should tie does.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.sums import FINE, whole_weights

__all__ = ["Ballots", "count_first", "count_last", "count_support", "read_ballots"]

EXACT = 2.0**53  # whole numbers up to here are exact as floats


class Ballots(NamedTuple):
    """The ballots of a query: ``places[k, i]`` of item i on ballot k, infinite where it is not listed.

    ``votes[k]`` is what ballot k has to give, a whole number of units. Tallies are rounded to ``unit`` of them: 1 where
    every share is a whole number, else more than all rounding adds up to. ``tied``: whether a ballot has ties.
    """

    places: FloatArray
    votes: FloatArray
    unit: float
    tied: bool

    @property
    def total(self) -> float:
        """All votes, as a tally counts them."""
        return float(np.rint(self.votes.sum() / self.unit))


def read_ballots(positions: FloatArray, weights: FloatArray) -> Ballots:
    """Ballots from positions, counted from 0 or ABSENT, tied items at their mean, and from weights.

    >>> read_ballots(np.array([[0.0, 1.0, -1.0]]), np.array([2.0])).places
    array([[ 0.,  1., inf]])
    """
    listed = positions != ABSENT
    tied = _has_ties(positions, listed)
    whole = whole_weights(weights)
    total = max(float(whole.sum()), 1.0)
    parts = math.lcm(*range(1, positions.shape[1] + 1)) if tied or not listed.all() else 1
    exact = parts <= EXACT / total
    scale = float(parts) if exact else 2.0 ** math.floor(math.log2(EXACT / total))
    return Ballots(np.where(listed, positions, np.inf), whole * scale, 1.0 if exact else min(FINE, scale), tied)


def _has_ties(positions: FloatArray, listed: BoolArray) -> bool:
    """Whether some items share a place: then the squares of the places add up to less."""
    lengths = listed.sum(axis=1)
    squares = np.einsum("ki,ki->k", positions, positions) - (positions.shape[1] - lengths)  # ABSENT² is 1
    return bool((squares != lengths * (lengths - 1) * (2 * lengths - 1) / 6).any())


def count_first(ballots: Ballots, standing: IntArray) -> FloatArray:
    """The votes of each item of ``standing``: a ballot votes for the first of them on it, or for nobody.

    >>> two = read_ballots(np.array([[0.0, 1.0, -1.0], [0.5, -1.0, 0.5]]), np.ones(2))
    >>> count_first(two, np.arange(3)) / two.votes[0], count_first(two, np.array([1, 2])) / two.votes[0]
    (array([1.5, 0. , 0.5]), array([1., 1.]))
    """
    places = ballots.places[:, standing]
    if ballots.tied:
        best = places.min(axis=1)
        return _share(places == best[:, None], np.where(np.isinf(best), 0.0, ballots.votes), ballots.unit)
    return _give(np.argmin(places, axis=1), np.isfinite(places), ballots)


def count_last(ballots: Ballots, standing: IntArray) -> FloatArray:
    """The votes against each item of ``standing``: a ballot votes against the last of them, the unlisted together."""
    places = ballots.places[:, standing]
    return _share(places == places.max(axis=1)[:, None], ballots.votes, ballots.unit)


def count_support(ballots: Ballots, depth: int) -> FloatArray:
    """The votes of each item from the ballots that have it among the first ``depth`` places; 1 and more.

    A tied group that the depth cuts supports its items by the share of its places that lie above.
    """
    if not ballots.tied:
        return _round(ballots.votes @ (ballots.places < depth), ballots.unit)
    places = ballots.places
    support = np.zeros(places.shape[1])
    for item, column in enumerate(places.T):
        size = (places == column[:, None]).sum(axis=1)
        first = column - (size - 1) / 2
        within = np.where(np.isinf(column), 0.0, np.clip(depth - first, 0, size))
        support[item] = np.rint(ballots.votes * within / size).sum()
    return _round(support, ballots.unit)


def _give(choices: IntArray, held: BoolArray, ballots: Ballots) -> FloatArray:
    """Every ballot's vote to its choice, if the ballot holds it."""
    speaks = held[np.arange(len(choices)), choices]
    votes = np.bincount(choices, np.where(speaks, ballots.votes, 0.0), minlength=held.shape[1])
    return _round(votes.astype(np.float64), ballots.unit)


def _share(chosen: BoolArray, votes: FloatArray, unit: float) -> FloatArray:
    """Every ballot's vote in equal parts to all that it has chosen."""
    return _round(np.rint(votes / np.maximum(chosen.sum(axis=1), 1)) @ chosen, unit)


def _round(votes: FloatArray, unit: float) -> FloatArray:
    rounded: FloatArray = votes if unit == 1 else np.rint(votes / unit)
    return rounded
