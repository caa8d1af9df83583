"""Raw ranks: as the source gives them, gaps included."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.features.base import FeatureMap, entry_places
from stagg.features.ranks import C, share_of_votes
from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["Raw"]

DEEPEST = 1001  # the rank whose logarithm counts as 1: one behind the usual thousand


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Raw(FeatureMap):
    """For each ranker 1 - log(rank) / log(1001) and 1 / (10 + rank) of the raw rank; and the share of the lists that
    hold the item.

    A LETOR file keeps only the judged documents, with the ranks that they had among all documents: 1, 30, 48, 133.
    Other feature maps see the positions 1, 2, 3, 4; this one sees the ranks of the file. All other formats give whole
    lists, so there the raw rank is the position, and tied items have the mean of theirs. Both numbers are 0 where the
    item is not listed, and the first is 0 beyond rank 1001. Made for trees.

    >>> import numpy as np
    >>> lists = Rankings.from_lists({"x": ["a", "b"], "y": ["b"]})
    >>> Raw().columns(lists.rankers)
    ['x:log', 'y:log', 'x:reciprocal', 'y:reciprocal', 'votes', 'x:missing', 'y:missing']
    >>> Raw(missing_bits=False).of(lists.replace(raw_ranks=np.float32([1, 30, 2]))).round(3)
    array([[1.   , 0.   , 0.091, 0.   , 0.5  ],
           [0.508, 0.9  , 0.025, 0.083, 1.   ]])
    """

    name = "raw"

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return [*(f"{r}:log" for r in rankers), *(f"{r}:reciprocal" for r in rankers), "votes"]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        ranks, places = raw_ranks(rankings), entry_places(rankings, numbers)
        logs, reciprocals = np.zeros((2, len(rankings.items), count))
        logs[places] = np.maximum(1 - np.log(np.maximum(ranks, 1)) / np.log(DEEPEST), 0.0)
        reciprocals[places] = 1 / (C + ranks)
        return np.hstack([logs, reciprocals, share_of_votes(rankings)[:, None]])


def raw_ranks(rankings: Rankings) -> FloatArray:
    """The rank of every entry, from 1, as its source gave it; where it gave none, the position."""
    places = rankings.mean_positions + 1
    return places if rankings.raw_ranks is None else np.where(np.isnan(rankings.raw_ranks), places, rankings.raw_ranks)
