"""Tallies of ballots: first and last choices among those who still stand, and support down to a place.

A ballot shares its vote equally among the items that it ties. Votes are counted in whole units, so fine that tied
groups of any size can share them: no order of the ballots changes a tally, and what should tie does.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.sums import FINE, whole_weights

__all__ = ["Ballots", "count_first", "count_last", "count_supports", "read_ballots"]

EXACT = 2.0**53  # whole numbers up to here are exact as floats
AT_ONCE = 2_000_000  # places of tied entries that are held at once


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


def count_supports(ballots: Ballots) -> FloatArray:
    """S[d, i] = the votes of item i from the ballots that have it among their first d + 1 places.

    A tied group that the depth cuts supports its items by the share of its places that lie above.

    >>> two = read_ballots(np.array([[0.0, 1.0, -1.0], [0.5, -1.0, 0.5]]), np.ones(2))
    >>> count_supports(two) / two.votes[0]
    array([[1.5, 0. , 0.5],
           [2. , 1. , 1. ],
           [2. , 1. , 1. ]])
    """
    n = ballots.places.shape[1]
    voters, items = np.nonzero(np.isfinite(ballots.places))
    places, votes = ballots.places[voters, items], ballots.votes[voters]
    if ballots.tied:
        added = _spread_over_places(places, _tie_sizes(ballots.places)[voters, items], items, votes, n)
    else:
        added = np.bincount(places.astype(np.intp) * n + items, votes, minlength=n * n).reshape(n, n).astype(np.float64)
    return _round(np.cumsum(added, axis=0), ballots.unit)


def _spread_over_places(places: FloatArray, sizes: IntArray, items: IntArray, votes: FloatArray, n: int) -> FloatArray:
    """A[d, i] = what item i gets for place d: an entry of a tied group has a part of its vote for each of them."""
    added = np.zeros((n, n))
    first = (places - (sizes - 1) / 2).astype(np.intp)
    ends = np.cumsum(sizes)
    for start, stop in itertools.pairwise(np.searchsorted(ends, np.arange(0, ends[-1] + AT_ONCE, AT_ONCE), "right")):
        entry = np.repeat(np.arange(start, stop), sizes[start:stop])
        step = np.arange(len(entry)) - np.repeat(ends[start:stop] - sizes[start:stop], sizes[start:stop])
        step += int(ends[start - 1]) if start else 0
        share = votes[entry] / sizes[entry]
        np.add.at(added, (first[entry] + step, items[entry]), np.rint(share * (step + 1)) - np.rint(share * step))
    return added


def _tie_sizes(places: FloatArray) -> IntArray:
    """How many items have the place of this one on the same ballot."""
    order = np.argsort(places, axis=1, kind="stable")
    ordered = np.take_along_axis(places, order, axis=1)
    begins = np.ones(places.shape, dtype=bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    group = np.cumsum(begins.ravel()) - 1
    sizes = np.empty(places.shape, dtype=np.intp)
    np.put_along_axis(sizes, order, np.bincount(group)[group].reshape(places.shape), axis=1)
    return sizes


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
