"""Tallies of ballots: first and last choices among those who still stand, and support down to a place.

A ballot shares its vote equally among the items that it ties. Tallies are whole numbers of parts of a vote, so small
that tied groups of any size can share it: no order of the ballots changes a tally, and what should tie does.
"""

from __future__ import annotations

import math
from operator import mul
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT, round_votes, whole_votes, widen

__all__ = ["Ballots", "count_first", "count_supports", "most_last", "prepare_ballots"]

EXACT = 2**53  # whole numbers up to here are exact as floats
AT_ONCE = 2_000_000  # places of tied entries that are held at once
ROUNDING = 1e-9  # of a sum of floats: far more than they can be wrong by


class Ballots(NamedTuple):
    """The ballots of a query: ``places[k, i]`` of item i on ballot k, infinite where it is not listed.

    ``votes[k]`` is what ballot k has to give, a whole number. A tally counts in ``parts`` of a vote, a number that all
    tied groups divide; where weights were rounded, in steps of so many votes (``step``), more than all rounding adds up
    to. ``tied``: whether a ballot has ties.
    """

    places: FloatArray
    votes: IntArray
    step: int
    parts: int
    tied: bool

    @property
    def total(self) -> int:
        """All votes, as a tally counts them."""
        votes = int(self.votes.sum())
        return votes * self.parts if self.step == 1 else round(votes / self.step)


def prepare_ballots(positions: FloatArray, weights: IntArray | FloatArray) -> Ballots:
    """Ballots from positions, counted from 0 or ABSENT, tied items at their mean, and from weights.

    >>> prepare_ballots(np.array([[0.0, 1.0, -1.0]]), np.array([2])).places
    array([[ 0.,  1., inf]])
    """
    listed = positions != ABSENT
    places = np.where(listed, positions, np.inf)
    tied = _have_ties(positions, listed)
    parts = math.lcm(*range(1, _largest_group(places[tied]) + 1))
    return Ballots(places, *whole_votes(weights), parts, bool(tied.any()))


def _have_ties(positions: FloatArray, listed: BoolArray) -> BoolArray:
    """Which ballots have items that share a place: then the squares of the places add up to less."""
    lengths = listed.sum(axis=1)
    squares = np.einsum("ki,ki->k", positions, positions) - (positions.shape[1] - lengths)  # ABSENT² is 1
    return np.asarray(squares != lengths * (lengths - 1) * (2 * lengths - 1) / 6)


def _largest_group(places: FloatArray) -> int:
    """The largest number of items that share a place."""
    ordered, size = np.sort(places, axis=1), 1
    while (np.isfinite(ordered[:, size:]) & (ordered[:, size:] == ordered[:, :-size])).any():
        size += 1
    return size


def count_first(ballots: Ballots, standing: IntArray) -> IntArray:
    """The votes of each item of ``standing``: a ballot votes for the first of them on it, or for nobody.

    >>> two = prepare_ballots(np.array([[0.0, 1.0, -1.0], [0.5, -1.0, 0.5]]), np.ones(2))
    >>> count_first(two, np.arange(3)) / two.parts, count_first(two, np.array([1, 2])) / two.parts
    (array([1.5, 0. , 0.5]), array([1., 1.]))
    """
    places = ballots.places[:, standing]
    best = places.min(axis=1)
    speaks = np.isfinite(best)
    if not ballots.tied or not speaks.any():
        given = _sum_by(np.argmin(places, axis=1)[speaks], ballots.votes[speaks], len(standing))
        return round_votes(given, ballots.step)
    return _add_shares(_sum_by_size((places == best[:, None])[speaks], ballots.votes[speaks]), ballots)


def most_last(ballots: Ballots, standing: IntArray, among: BoolArray) -> BoolArray:
    """Which items of ``standing``, of those ``among`` them, the most votes are against.

    A ballot's vote is against the last of all who stand; tied ones, and those that it does not list, share it.

    >>> two = prepare_ballots(np.array([[0.0, 1.0, -1.0, -1.0], [0.0, 3.0, 1.0, 2.0]]), np.array([2, 1]))
    >>> most_last(two, np.arange(4), np.ones(4, dtype=bool))
    array([False,  True,  True,  True])
    """
    places = ballots.places[:, standing]
    given = _sum_by_size(places == places.max(axis=1)[:, None], ballots.votes)
    about = np.where(among, _add_floats(given), -1.0)
    if ballots.step > 1:
        steps = np.rint(about / ballots.step)
        return np.asarray(among & (steps == steps.max()))
    near = np.flatnonzero(among & (about >= about.max() * (1 - ROUNDING)))  # the only ones that need exact numbers
    parts = math.lcm(*given)
    factors = [parts // size for size in given]
    exact = [
        sum(map(mul, factors, votes)) for votes in zip(*(each[near].tolist() for each in given.values()), strict=True)
    ]
    most = np.zeros(len(standing), dtype=bool)
    most[near] = [votes == max(exact) for votes in exact]
    return most


def count_supports(ballots: Ballots) -> IntArray:
    """S[d, i] = the votes of item i from the ballots that have it among their first d + 1 places.

    A tied group that the depth cuts supports its items by the share of its places that lie above.

    >>> two = prepare_ballots(np.array([[0.0, 1.0, -1.0], [0.5, -1.0, 0.5]]), np.ones(2))
    >>> count_supports(two) / two.parts
    array([[1.5, 0. , 0.5],
           [2. , 1. , 1. ],
           [2. , 1. , 1. ]])
    """
    n = ballots.places.shape[1]
    voters, items = np.nonzero(np.isfinite(ballots.places))
    places, votes = ballots.places[voters, items], ballots.votes[voters]
    if not ballots.tied:
        given = _sum_by(places.astype(np.intp) * n + items, votes, n * n).reshape(n, n)
        return round_votes(np.cumsum(given, axis=0), ballots.step)
    sizes = _tie_sizes(ballots.places)[voters, items]
    return _add_shares(_sum_by_place(places, sizes, items, votes, n), ballots)


def _sum_by_place(places: FloatArray, sizes: IntArray, items: IntArray, votes: IntArray, n: int) -> dict[int, IntArray]:
    """{s: S[d, i]} = the votes of item i, as often as a group of s items has a place of its own down to place d."""
    first = (places - (sizes - 1) / 2).astype(np.intp)
    sums = {}
    for size in np.unique(sizes).tolist():
        given = np.zeros(n * n, dtype=np.intp)
        mine = np.flatnonzero(sizes == size)
        for some in np.array_split(mine, -(-len(mine) * size // AT_ONCE)):
            cells = (first[some, None] + np.arange(size)) * n + items[some, None]
            given += _sum_by(cells.ravel(), np.repeat(votes[some], size), n * n)
        sums[size] = np.cumsum(widen(given, n).reshape(n, n), axis=0)
    return sums


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


def _sum_by_size(chosen: BoolArray, votes: IntArray) -> dict[int, IntArray]:
    """{s: the votes of each item from the ballots that have chosen s items}: it is to have an s-th of these."""
    sizes = chosen.sum(axis=1)
    if (sizes == sizes[0]).all():
        return {int(sizes[0]): _sum_columns(votes, chosen)}
    order = np.argsort(sizes, kind="stable")
    starts = np.flatnonzero(np.diff(sizes[order], prepend=0))
    sums = np.add.reduceat(np.where(chosen[order], votes[order, None], 0), starts, axis=0)
    return dict(zip(sizes[order][starts].tolist(), sums, strict=True))


def _add_shares(given: dict[int, IntArray], ballots: Ballots) -> IntArray:
    """Votes of each item when ``given[s]`` is shared by s: in parts of a vote, or in steps where these are rounded."""
    if ballots.step > 1:
        return np.rint(_add_floats(given) / ballots.step).astype(np.intp)
    fits = int(ballots.votes.sum()) * ballots.parts <= LARGEST_COUNT
    shares = [(each if fits else each.astype(object)) * (ballots.parts // size) for size, each in given.items()]
    return np.asarray(sum(shares))


def _add_floats(given: dict[int, IntArray]) -> FloatArray:
    """The same as floats, in an order that no order of the ballots changes."""
    return np.asarray(sum(each / size for size, each in given.items()), dtype=np.float64)


def _sum_by(owners: IntArray, votes: IntArray, count: int) -> IntArray:
    """The votes of each owner, exactly."""
    if votes.sum(dtype=np.float64) <= EXACT:
        return np.bincount(owners, votes, minlength=count).astype(np.intp)
    sums = np.zeros(count, dtype=np.intp)
    np.add.at(sums, owners, votes)
    return sums


def _sum_columns(votes: IntArray, chosen: BoolArray) -> IntArray:
    """The votes of the ballots that have chosen each item, exactly; floats are the fastest where they can."""
    small = votes.sum(dtype=np.float64) <= EXACT
    sums: IntArray = (votes.astype(np.float64 if small else np.intp) @ chosen).astype(np.intp)
    return sums
