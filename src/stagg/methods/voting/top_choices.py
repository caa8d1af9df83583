"""Plurality and Bucklin: count first choices only, or as many choices from the top as a majority needs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray
from stagg.kernels.lists.tallies import count_supports, prepare_ballots
from stagg.kernels.pairs.majority import score_groups
from stagg.methods.base import PerQuery
from stagg.methods.positional.counted import Counted

__all__ = ["Bucklin", "Plurality"]


class Plurality(Counted):
    """Plurality: the number (total weight) of lists that put the item first; items tied for first share the vote.

    ``missing``: "skip" and "below" give the same.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["a", "c"], ["b"]], "plurality").to_runs()["stagg-plurality"]["1"]
    {'a': 2.0, 'b': 1.0, 'c': 0.0}
    """

    name = "plurality"
    honours = ("skip", "below")
    divides = True

    def gains(self, rankings: Rankings) -> FloatArray:
        return np.asarray(rankings.positions == 0, dtype=np.float64)


class Bucklin(PerQuery):
    """Bucklin's rule: first choices are counted, then second choices are added, and so on, up to a majority.

    An item is ranked by the first place down to which more than half of all ballots have it, then by the votes that it
    has there. Items that never get so far, on ballots that do not list them, come after, by the votes of all ballots
    that list them. A tied group shares its places: of three items tied for first each has a third of a first choice.
    Score: n - rank + 1. ``missing``: "below" and "skip" give the same; a ballot never supports what it does not list.

    Reference: Hoag & Hallett, "Proportional representation", 1926, on the Grand Junction system of 1909; majoritarian
    compromise: Sertel & Yılmaz, "The majoritarian compromise is majoritarian-optimal and subgame-perfect
    implementable", Social Choice and Welfare 16, 1999.

    The capital of Tennessee: with the second choices Nashville has 68 of 100, Chattanooga 58.

    >>> from stagg import fuse
    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> fuse({vote: list(vote) for vote in votes}, "bucklin", weights=votes).best_first()
    ['N', 'C', 'K', 'M']
    """

    name = "bucklin"
    honours: ClassVar = ("below", "skip")
    tie_rule = "exact"

    def score_query(self, view: Query) -> FloatArray:
        ballots = prepare_ballots(view.positions, view.votes)
        support = count_supports(ballots)
        enough = support > ballots.total - support  # twice as many as all might not fit
        depth = np.where(enough.any(axis=0), enough.argmax(axis=0), len(view))
        votes = support[np.minimum(depth, len(view) - 1), np.arange(len(view))]
        return score_groups(depth, -votes)
