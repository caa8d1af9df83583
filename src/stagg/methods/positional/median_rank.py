"""Median rank of an item over all lists."""

from __future__ import annotations

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, AnyArray, FloatArray
from stagg.kernels.lists.medians import weighted_medians
from stagg.kernels.sums import scale_down
from stagg.methods.base import Method

__all__ = ["MedianRank"]


class MedianRank(Method):
    """Median rank over all lists; an item that a list does not hold has the mean of the ranks left over.

    Score = -median of rank_k, with rank_k = (L + 1 + n) / 2 for an unlisted item; weights act as copies, and two
    middle values give their mean. One list gone wrong moves it little.

    Reference: Fagin, Kumar & Sivakumar, "Efficient similarity search and classification via rank aggregation",
    SIGMOD 2003.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "c", "a"]], "median_rank")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-median_rank: a > c = b
    """

    name = "median_rank"
    honours = ("below",)
    tie_rule = "exact"

    def score(self, rankings: Rankings) -> FloatArray:
        return np.concatenate([-_medians(view) for view in rankings]) if len(rankings) else np.zeros(0)


def _medians(view: Query) -> FloatArray:
    positions = view.positions
    if not len(positions):
        return np.zeros(len(view))
    absent = positions == ABSENT
    lengths = (~absent).sum(axis=1, keepdims=True)
    ranks = np.where(absent, (lengths + 1 + len(view)) / 2, positions + 1)
    votes: AnyArray = view.votes if view.votes.dtype.kind == "i" else scale_down(view.weights)
    return weighted_medians(ranks, np.broadcast_to(votes[:, None], ranks.shape)).values
