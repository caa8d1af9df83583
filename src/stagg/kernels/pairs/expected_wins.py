"""Expected votes: how much weight puts one item above another when lists decide contests by chance.

A list says nothing for sure: the item ahead wins with the probability that a shape of contests gives to the two places
(:mod:`stagg.kernels.stochastic.contests`). The votes that pairwise methods count become their expectations. With
contests that are certain these are the votes themselves (:func:`stagg.kernels.pairs.pairwise.pair_wins`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.lists.votes import FINE, RESOLUTION, add_up, round_votes, whole_votes
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.expectations import GainTable, chances_by_place, expected_utilities
from stagg.kernels.stochastic.utilities import borda
from stagg.kernels.ties import share_ties

__all__ = [
    "ExpectedWins",
    "compared_weight",
    "expected_counts",
    "expected_margins",
    "expected_points",
    "expected_totals",
    "expected_wins",
    "expected_wins_in_numpy",
]


BORDA = borda()


class ExpectedWins(NamedTuple):
    """``wins[i, j]`` · ``unit`` = the expected weight of the lists that put i above j; ``wins`` are whole numbers.

    Whole numbers add up exactly, so no order of the lists changes a bit. All the weight is at most RESOLUTION · FINE
    units, and a weight of 1, where weights are whole, a power of two of them.
    """

    wins: FloatArray
    unit: float


def expected_wins(
    positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape], *, by_gap: bool = False
) -> ExpectedWins:
    """Σ_k w_k P_k(i beats j), over the lists in which the two do not tie; ``shapes[k]`` are the contests of list k.

    ``positions`` and ``missing`` as for ``pair_wins``. Under ``below`` a listed item beats an unlisted one as surely as
    the shape says (``sure``), and two unlisted items tie. Where a tied group meets another item, the chance is the mean
    over all ways to order the group. ``by_gap``: a vote counts as often as the positions differ, the unlisted items
    standing right behind the list.

    >>> from stagg.kernels.stochastic.contests import harmonic
    >>> wins, unit = expected_wins(np.array([[0.0, 1.0, -1.0]]), np.ones(1), "below", [harmonic(1)])
    >>> wins * unit
    array([[0.  , 0.75, 1.  ],
           [0.25, 0.  , 1.  ],
           [0.  , 0.  , 0.  ]])
    """
    compiled = twin("pairs._pairwise")
    if compiled is None:
        return expected_wins_in_numpy(positions, weights, missing, shapes, by_gap=by_gap)
    shares, unit = _share_out(weights, positions.shape[1] if by_gap else 1)
    n = positions.shape[1]
    wins = np.zeros((n, n))
    for places, share, shape in zip(positions, shares.tolist(), shapes, strict=True):
        order, tied = _best_first(places)
        inside, outside = _votes_by_place(shape, n, len(order), missing, by_gap, tied)
        rest = np.flatnonzero(places == ABSENT) if missing == "below" else np.zeros(0, dtype=np.intp)
        compiled.add_votes(wins, order, rest, inside, outside, share)
    return ExpectedWins(wins, unit)


def expected_wins_in_numpy(
    positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape], *, by_gap: bool = False
) -> ExpectedWins:
    """The same without the twin."""
    shares, unit = _share_out(weights, positions.shape[1] if by_gap else 1)
    n = positions.shape[1]
    wins = np.zeros((n, n))
    for places, share, shape in zip(positions, shares.tolist(), shapes, strict=True):
        order, tied = _best_first(places)
        inside, outside = _votes_by_place(shape, n, len(order), missing, by_gap, tied)
        wins[np.ix_(order, order)] += np.rint(share * inside)
        if missing == "below":
            rest = np.flatnonzero(places == ABSENT)
            wins[np.ix_(order, rest)] += np.rint(share * outside[0])[:, None]
            wins[np.ix_(rest, order)] += np.rint(share * outside[1])
    return ExpectedWins(wins, unit)


def expected_margins(positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape]) -> IntArray:
    """M[i, j] = the expected weight of the lists that put i above j less that of the opposite, in whole numbers.

    All the weight is 2^33 at most: margins that differ by less than a part of it are the same.

    >>> from stagg.kernels.stochastic.contests import linear
    >>> both = np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])
    >>> np.sign(expected_margins(both, np.array([1.0, 2.0]), "below", [linear(), linear()]))
    array([[ 0, -1, -1],
           [ 1,  0, -1],
           [ 1,  1,  0]])
    """
    wins, _ = expected_wins(positions, weights, missing, shapes)
    return round_votes((wins - wins.T).astype(np.intp), int(FINE))


def expected_totals(positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape]) -> IntArray:
    """The sum of each item's margins against all others, rounded once: equal sums of unequal margins stay equal."""
    wins, _ = expected_wins(positions, weights, missing, shapes)
    return round_votes(add_up((wins - wins.T).astype(np.intp), 1), int(FINE))


def expected_counts(
    positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape], *, by_gap: bool = False
) -> FloatArray:
    """C[i, j] = the expected weight of the lists that put i above j, plus half of that of the lists in which they tie.

    The expectation of :func:`stagg.kernels.pairs.pairwise.pair_counts`. ``by_gap`` as for ``expected_wins``: then a
    tie, a gap of 0, counts nothing.
    """
    wins, unit = expected_wins(positions, weights, missing, shapes, by_gap=by_gap)
    if by_gap:
        return wins * unit
    both = compared_weight(positions, weights, missing)
    counts: FloatArray = wins * unit + np.maximum(both - (wins + wins.T) * unit, 0.0) / 2
    np.fill_diagonal(counts, 0.0)  # nobody plays against himself
    return counts


def compared_weight(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """B[i, j] = the weight of the lists that compare i and j: all of them under ``below``.

    >>> compared_weight(np.array([[0.0, 1.0, -1.0]]), np.array([3.0]), "skip")
    array([[3., 3., 0.],
           [3., 3., 0.],
           [0., 0., 0.]])
    """
    shares, unit = _share_out(weights, 1)
    listed = _compares(positions, missing)
    both: FloatArray = (listed * np.rint(shares)[:, None]).T @ listed
    return both * unit


def expected_points(
    positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape], *, logarithms: bool = False
) -> FloatArray:
    """S[i, j] = Σ_k w_k E[Borda points of i in list k] over the lists that compare i and j; ties share their mean.

    ``logarithms``: of the logarithms of these points.

    >>> from stagg.kernels.stochastic.contests import certain
    >>> expected_points(np.array([[0.0, 1.0]]), np.ones(1), "below", [certain()])
    array([[2., 2.],
           [1., 1.]])
    """
    n = positions.shape[1]
    shares, unit = _share_out(weights, n)
    points = np.zeros(positions.shape)
    for row, places, shape in zip(points, positions, shapes, strict=True):
        order, tied = _best_first(places)
        listed, elsewhere = _points_by_place(shape, missing, n, len(order))
        row[:] = elsewhere
        row[order] = share_ties(listed, tied)
    if logarithms:
        points = np.log(np.where(points > 0, points, 1.0))  # what a list does not compare has none, and none is asked
    sums: FloatArray = np.rint(points * shares[:, None]).T @ _compares(positions, missing)
    return sums * unit


@lru_cache(maxsize=1024)
def _points_by_place(shape: Shape, missing: str, n: int, length: int) -> GainTable:
    return expected_utilities(BORDA, shape, missing, n, [length])[0]


def _compares(positions: FloatArray, missing: str) -> FloatArray:
    """1 where a list has something to say of an item."""
    return np.ones_like(positions) if missing == "below" else (positions != ABSENT).astype(float)


def _share_out(weights: FloatArray, most: int) -> tuple[FloatArray, float]:
    """(how many units each list has, the weight of a unit), ``most`` being the most votes that a list has on a pair."""
    whole = whole_votes(weights).counts.astype(np.float64)
    _, exponent = np.frexp(RESOLUTION * FINE / most / whole.sum())
    shares: FloatArray = np.ldexp(whole, int(exponent) - 1)  # a power of two: chances of 3/4 stay what they are
    heaviest = int(np.argmax(weights))
    return shares, float(weights[heaviest] / shares[heaviest])


def _best_first(places: FloatArray) -> tuple[IntArray, BoolArray]:
    """The items of a list, best first, and which of them tie with the one before."""
    order = np.argsort(places, kind="stable")[np.count_nonzero(places == ABSENT) :]
    tied = np.zeros(len(order), dtype=bool)
    tied[1:] = np.diff(places[order]) == 0
    return order, tied


def _votes_by_place(
    shape: Shape, n: int, length: int, missing: str, by_gap: bool, tied: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """(inside[a, b] = the vote for place a against place b, outside = those for and against an unlisted item)."""
    size = n if shape.uses_n else 0
    inside, outside = _strict_votes(shape, size, length, by_gap)
    if not tied.any():
        return inside, outside
    chances, sure = _strict_votes(shape, size, length, False)
    means = share_ties(share_ties(chances, tied).T, tied).T
    group = np.cumsum(~tied)
    means = np.where(group[:, None] == group, 0.0, means)
    sure = np.ascontiguousarray(share_ties(sure.T, tied).T)
    if not by_gap:
        return means, sure
    places = share_ties(np.arange(float(length)), tied)
    return means * np.abs(places[:, None] - places), sure * (length - places)


@lru_cache(maxsize=256)
def _strict_votes(shape: Shape, n: int, length: int, by_gap: bool) -> tuple[FloatArray, FloatArray]:
    """The same for a list without ties."""
    gaps = np.arange(length) - np.arange(length)[:, None]  # > 0 where a stands ahead of b
    inside, sure = chances_by_place(shape, n, length)
    np.fill_diagonal(inside, 0.0)
    outside = np.stack([sure, 1 - sure])
    if by_gap:
        inside, outside = inside * np.abs(gaps), outside * (length - np.arange(length))
    return inside, outside
