"""Rank features: each ranker's rank of an item, in the forms that learners have found useful."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg._moved import find_moved
from stagg.data.rankings import Rankings
from stagg.features.base import FeatureMap, entry_places
from stagg.features.borda import borda_counts
from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["C", "RankFeatures", "share_of_votes"]

C = 10  # of 1 / (C + rank)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RankFeatures(FeatureMap):
    """For each ranker nBC and 1 / (10 + rank); and the share of the lists that hold the item.

    nBC = (n - rank) / n, as in ``borda``, says where an item stands among all candidates; 1 / (10 + rank) tells the
    first ranks apart. Both are 0 where the item is not listed; tied items have the mean of their ranks. The votes are a
    share, not a count, so that queries can be compared that differ in how many rankers answered. Made for trees, which
    pick what they need.

    >>> lists = Rankings.from_lists({"x": ["a", "b"], "y": ["b"]})
    >>> RankFeatures().columns(lists.rankers)
    ['x:nBC', 'y:nBC', 'x:reciprocal', 'y:reciprocal', 'votes', 'x:missing', 'y:missing']
    >>> RankFeatures(missing_bits=False).of(lists).round(3)
    array([[0.5  , 0.   , 0.091, 0.   , 0.5  ],
           [0.   , 0.5  , 0.083, 0.091, 1.   ]])
    """

    name = "ranks"

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return [*(f"{r}:nBC" for r in rankers), *(f"{r}:reciprocal" for r in rankers), "votes"]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        reciprocal = np.zeros((len(rankings.items), count))
        reciprocal[entry_places(rankings, numbers)] = 1 / (C + 1 + rankings.mean_positions)
        return np.hstack([borda_counts(rankings, numbers, count), reciprocal, share_of_votes(rankings)[:, None]])


def share_of_votes(rankings: Rankings) -> FloatArray:
    """The share of the lists of its query that hold an item; 0 where the query has none."""
    held = np.bincount(rankings.entries, minlength=len(rankings.items))
    return held / np.maximum(rankings.list_counts, 1)[rankings.item_queries]


__getattr__ = find_moved(__name__)
