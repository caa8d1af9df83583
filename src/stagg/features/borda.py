"""Ψ_BF: the Borda points that each ranker gives an item."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg._moved import find_moved
from stagg.data.rankings import Rankings
from stagg.features.base import FeatureMap, entry_places
from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["BordaFeatures"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BordaFeatures(FeatureMap):
    """Ψ_BF: normalised Borda counts, one for each ranker: nBC = (n - rank) / n, 0 where the item is not listed.

    Section 4.3.3 of the paper: ranks from 1, n the number of candidates of the query; tied items have the mean of
    their ranks. The last of a full list has 0 as an unlisted item has, hence the missing bits.

    >>> lists = Rankings.from_lists({"x": ["a", "b", "c", "d"], "y": ["c"]})
    >>> BordaFeatures().columns(lists.rankers)
    ['x:nBC', 'y:nBC', 'x:missing', 'y:missing']
    >>> BordaFeatures().of(lists)
    array([[0.75, 0.  , 0.  , 1.  ],
           [0.5 , 0.  , 0.  , 1.  ],
           [0.25, 0.75, 0.  , 0.  ],
           [0.  , 0.  , 0.  , 1.  ]])
    """

    name = "borda"

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return [f"{ranker}:nBC" for ranker in rankers]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        return borda_counts(rankings, numbers, count)


def borda_counts(rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
    """table[item, ranker] = (n - rank) / n, 0 where the ranker does not list the item."""
    n = rankings.sizes[rankings.item_queries[rankings.entries]]
    table = np.zeros((len(rankings.items), count))
    table[entry_places(rankings, numbers)] = (n - 1 - rankings.mean_positions) / n
    return table


__getattr__ = find_moved(__name__)
