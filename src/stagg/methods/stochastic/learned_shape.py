"""Learned contests: how often all others confirm what a ranker says, by the places of the two items.

The paper names better rank distributions as future work. Instead of one shape for all, every ranker has the contests
that the other rankers confirm (:mod:`stagg.kernels.stochastic.place_contests`). No labels are looked at.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, plural
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.stochastic.contests import Shape, harmonic
from stagg.kernels.stochastic.place_contests import CLASSES, blend, classify, count_confirmed, learned_shape
from stagg.methods.stochastic.shapes import ShapeLike, shape_named

__all__ = [
    "LAWS_OF_LEARNED",
    "LEARNED",
    "ContestTally",
    "GivenShape",
    "LearnedShape",
    "learns_shape",
    "list_shapes",
]

LEARNED: Final = "learned"
LAWS_OF_LEARNED: Final[Mapping[str, str]] = {
    "query_independence": "the contests are learned from all queries",
    "weight_is_copies": "a copy confirms its original, and a weight confirms nothing",
    "replication": "copies confirm their originals, and with more rankers more is learned",
}
"""The laws that a method with learned contests does not obey."""


FEWEST_RANKERS = 4
FEWEST_QUERIES = 2
LARGEST_SHARE = 0.25  # chosen of ¼, ½, ¾ and 1: docs/defaults.md
C = 60.0
BITS = 2.0**36  # 1/61 of it, and the sum over 100,000 rankers, are whole numbers that a float holds


HARMONIC: Final = harmonic(1.0)


@dataclasses.dataclass(frozen=True)
class LearnedShape:
    """The contests of each ranker, as they were learned; it prints as the text that asks for it."""

    rankers: tuple[tuple[str, Shape], ...] = ()
    others: Shape = HARMONIC

    def __repr__(self) -> str:
        return repr(LEARNED)


GivenShape = ShapeLike | LearnedShape


def learns_shape(shape: object) -> bool:
    """Whether the shape is still to be learned."""
    return isinstance(shape, str) and shape == LEARNED


def list_shapes(method: str, shape: GivenShape, rankers: Sequence[str]) -> list[Shape]:
    """The contests of lists, given whose they are."""
    if not isinstance(shape, LearnedShape):
        return [shape_named(method, shape, (LEARNED,))] * len(rankers)
    known = dict(shape.rankers)
    return [known.get(name, shape.others) for name in rankers]


class ContestTally:
    """How often the others confirm each ranker, added up over queries: the same bits whatever their order.

    Only candidates that some other ranker lists are counted. What stands in no other list is a candidate because this
    ranker lists it, and what it does not list is one because others do: to compare the two would be unfair.
    """

    def __init__(self) -> None:
        self.counts: dict[str, np.ndarray] = {}
        self.queries: dict[str, int] = {}

    def add(self, rankings: Rankings) -> None:
        """Count the contests of some queries; what a ranker of weight 0 says is not there."""
        for view in rankings.active():
            if len(view.rankers) > 1:
                self._add_query(view)

    def _add_query(self, view: Query) -> None:
        positions = view.positions
        worth = _worth(positions)
        together, lists = worth.sum(axis=0), (positions != ABSENT).sum(axis=0)
        for name, places, own in zip(view.rankers, positions, worth, strict=True):
            seen = lists > (places != ABSENT)
            found = count_confirmed(classify(places[seen]), (together - own)[seen])
            zeros = np.zeros((CLASSES + 1, CLASSES + 1, 2), dtype=np.int64)
            self.counts[name] = self.counts.get(name, zeros) + found
            self.queries[name] = self.queries.get(name, 0) + 1

    def merge(self, other: ContestTally) -> None:
        """Add the counts of other queries."""
        for name, counts in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + counts
            self.queries[name] = self.queries.get(name, 0) + other.queries[name]

    def shape(self) -> LearnedShape:
        """The contests of each ranker: those of ``harmonic(1)``, and the more learned ones the more rankers there are.

        With three rankers, agreement cannot tell who is right from who is related, so there is nothing to learn. With m
        of them what is learned counts (1 - 3/m) / 4: more of it gains more on some collections, and loses on others.
        """
        known = sorted(name for name, queries in self.queries.items() if queries >= FEWEST_QUERIES)
        if len(known) < FEWEST_RANKERS:
            if self.queries:
                _say_nothing_learned(len(self.queries), max(self.queries.values()))
            return LearnedShape()
        share = LARGEST_SHARE * (1 - (FEWEST_RANKERS - 1) / len(known))
        return LearnedShape(tuple((name, learned_shape(blend(self.counts[name], share))) for name in known))


def _worth(positions: FloatArray) -> FloatArray:
    """1/(60 + rank) in whole numbers; what a list does not hold shares the mean of the ranks left over."""
    n = positions.shape[1]
    lengths = (positions != ABSENT).sum(axis=1, keepdims=True)
    ranks = np.where(positions != ABSENT, positions + 1, lengths + (n - lengths + 1) / 2)
    whole: FloatArray = np.rint(BITS / (C + ranks))
    return whole


def _say_nothing_learned(rankers: int, queries: int) -> None:
    given = f"{plural(rankers, 'ranker')} with {plural(queries, 'query', 'queries')} at most"
    warnings.warn(
        f"shape='learned' has nothing to learn from, and is harmonic(1): it takes {FEWEST_RANKERS} rankers with "
        f"{FEWEST_QUERIES} queries or more, and there are {given}",
        DataWarning,
        stacklevel=4,
    )
