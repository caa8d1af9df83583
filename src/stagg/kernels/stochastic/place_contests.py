"""Contests by place: they depend on both places, not on their gap alone, and can be learned for a ranker.

Places fall into classes, 1, 2, 3-4, 5-8, 9-16, ...: ranks 1 and 5 are far apart, 51 and 55 are not. A table has the
chance of an item of one class against one of another, and against an item that the list does not hold. Between the
middles of the classes it is interpolated, on a logarithmic scale.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic.contests import COIN, Shape, harmonic

__all__ = ["CLASSES", "UNLISTED", "PlaceTable", "blend", "classify", "count_confirmed", "learned_shape"]

FIRST_PLACES = np.concatenate([[0], 2 ** np.arange(10)])
"""The first place, from 0, of each class; the last class has no end."""

CLASSES = len(FIRST_PLACES)
UNLISTED = CLASSES
"""The class of the items that a list does not hold: after all others."""

MIDDLES = np.concatenate([[0.0], 1.5 * 2.0 ** np.arange(10) - 0.5])
"""The middle of each class; of the last as if it ended at twice its first place."""


def classify(positions: FloatArray) -> IntArray:
    """The class of each position, from 0; -1 is an item that the list does not hold.

    >>> classify(np.array([0.0, 1.0, 2.5, 7.0, -1.0])).tolist()
    [0, 1, 2, 3, 11]
    """
    classes = np.searchsorted(FIRST_PLACES, positions, side="right") - 1
    return np.where(positions < 0, UNLISTED, classes).astype(np.intp)


def _by_gaps(shape: Shape) -> FloatArray:
    """The table of a shape that does not look at n or L: the chance of class x against class y, at their middles."""
    gaps = MIDDLES - MIDDLES[:, None]
    ahead = shape.chance(np.maximum(np.abs(gaps), 1e-9).reshape(-1), 0, 0).reshape(gaps.shape)
    table = np.full((CLASSES + 1, CLASSES + 1), COIN)
    table[:CLASSES, :CLASSES] = np.where(gaps > 0, ahead, np.where(gaps < 0, 1 - ahead, COIN))
    table[:CLASSES, UNLISTED], table[UNLISTED, :CLASSES] = shape.sure, 1 - shape.sure
    return table


LONGEST_KEPT = 256  # places of a table that is kept: half a megabyte


class PlaceTable(NamedTuple):
    """``chances[x][y]`` of class x against class y, which count with ``share``; the rest is ``harmonic(1)``."""

    chances: tuple[tuple[float, ...], ...]
    share: float

    def inside(self, length: int) -> FloatArray:
        """P[a, b] = the chance of the item at place a against the one at place b."""
        rounded = 1 << (int(length) - 1).bit_length() if length else 0
        if rounded > LONGEST_KEPT:
            return _chances_inside(self, length)
        return _keep_chances(self, rounded)[:length, :length].copy()

    def outside(self, length: int) -> FloatArray:
        """The chance of the item at place a against one that the list does not hold."""
        learned = _interpolate(np.array(self.chances)[:CLASSES, UNLISTED], length)
        chances: FloatArray = 1 + self.share * (learned - 1)
        return chances


def _chances_inside(table: PlaceTable, length: int) -> FloatArray:
    classes = np.array(table.chances)[:CLASSES, :CLASSES]
    learned = _interpolate(_interpolate(classes, length).T, length).T
    gaps = np.arange(length) - np.arange(length)[:, None]
    prior = 1 - COIN / (1 + np.abs(gaps))
    return _complete(prior + table.share * (learned - prior))


@lru_cache(maxsize=256)
def _keep_chances(table: PlaceTable, length: int) -> FloatArray:
    """The same, kept: a shorter list has the first of these places."""
    return _chances_inside(table, length)


def _interpolate(rows: FloatArray, length: int) -> FloatArray:
    """The row of each place, from the rows of the classes."""
    at = np.interp(np.log1p(np.arange(length)), np.log1p(MIDDLES), np.arange(float(CLASSES)))
    low = np.minimum(at.astype(np.intp), CLASSES - 2)
    part = (at - low).reshape(-1, *[1] * (rows.ndim - 1))
    mixed: FloatArray = rows[low] * (1 - part) + rows[low + 1] * part
    return mixed


def _complete(ahead: FloatArray) -> FloatArray:
    """All chances from those of the places ahead: who does not win loses, and with himself nobody has a contest."""
    upper = np.triu(ahead, 1)
    table: FloatArray = upper + np.tril(1 - upper.T, -1) + COIN * np.eye(len(ahead))
    return table


def learned_shape(table: PlaceTable) -> Shape:
    """The contests of a table as a shape; where only a gap is known they are those of ``harmonic(1)``."""
    return harmonic(1.0)._replace(by_place=table)


# --- counts -----------------------------------------------------------------------------------------------------------


def count_confirmed(classes: IntArray, others: FloatArray) -> IntArray:
    """counts[x, y] = (half wins, contests) of the items of class x against those of class y > x.

    ``others[i]`` is what all other rankers together say of item i: the item of class x wins where they rate it higher,
    and has half a win where they rate both alike. Sorted by that, all pairs are counted in O(n · classes).

    >>> count_confirmed(np.array([0, 1, UNLISTED]), np.array([3.0, 5.0, 1.0]))[[0, 0, 1], [1, UNLISTED, UNLISTED]]
    array([[0, 1],
           [2, 1],
           [2, 1]])
    """
    order = np.argsort(others, kind="stable")
    member = np.zeros((len(order), CLASSES + 1))
    member[np.arange(len(order)), classes[order]] = 1.0
    values = others[order]
    before = np.concatenate([np.zeros((1, CLASSES + 1)), np.cumsum(member, axis=0)])
    lower = before[np.searchsorted(values, values, side="left")]  # of each class, how many are rated lower
    upto = before[np.searchsorted(values, values, side="right")]
    sizes = before[-1]
    half_wins = member.T @ (lower + upto)  # whole numbers: exact
    return np.triu(np.stack([half_wins, np.outer(sizes, sizes)]), 1).transpose(1, 2, 0).astype(np.int64)


# --- from counts to a table -------------------------------------------------------------------------------------------


TOP = 3  # classes, places 1 to 4: what a list says of them against the rest it says most surely
PRIOR_CONTESTS = 100.0
LEAST_LEVEL = 0.1


def blend(counts: IntArray, share: float) -> PlaceTable:
    """The table of a ranker, from ``counts[x, y]`` = (half wins, contests) of class x against y > x.

    Wins are shrunk to ``harmonic(1)`` as if it had been seen in 100 contests of each pair of classes. How often others
    agree depends on how good they are, too, so the table has its level taken from the contests of which a list is
    surest, its first four places against what it does not hold (or the last class that it has): these are to be as
    sure as ``harmonic(1)`` has them. And no place has a lower chance than one behind it.
    """
    prior = _by_gaps(harmonic(1.0))
    wins, contests = counts[..., 0] / 2, counts[..., 1].astype(float)
    level = np.maximum(_level(wins, contests, prior), LEAST_LEVEL)
    seen = np.clip(COIN + (wins / np.maximum(contests, 1) - COIN) / level, COIN, 1.0)
    ahead = (contests * seen + PRIOR_CONTESTS * prior) / (contests + PRIOR_CONTESTS)
    rising = _make_rise(np.triu(ahead, 1) + COIN * np.tri(len(ahead)))
    return PlaceTable(tuple(map(tuple, _complete(rising).tolist())), share)


def _level(wins: FloatArray, contests: FloatArray, prior: FloatArray) -> float:
    """How much less sure than the prior the surest contests are."""
    met = np.flatnonzero(contests[:TOP, TOP:].sum(axis=0)) + TOP
    if not len(met):
        return 1.0
    far = met[-1]
    expected = prior[:TOP, far] * contests[:TOP, far]
    won, met_by = wins[:TOP, far].sum(), contests[:TOP, far].sum()
    mean = expected.sum() / met_by
    seen = (won + PRIOR_CONTESTS * mean) / (met_by + PRIOR_CONTESTS)
    return float((seen - COIN) / (mean - COIN))


def _make_rise(table: FloatArray) -> FloatArray:
    """Chances that rise with the class behind and fall with the class ahead: the mean of the nearest two such tables.

    One has the largest chance of any pair in between, the other the smallest of any pair around.
    """
    upper = np.maximum.accumulate(np.maximum.accumulate(table[::-1], axis=0)[::-1], axis=1)
    lower = np.minimum.accumulate(np.minimum.accumulate(table, axis=0)[:, ::-1], axis=1)[:, ::-1]
    return (upper + lower) / 2
