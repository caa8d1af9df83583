"""The work on every bucket of rows, and what is counted there."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Final

from stagg.aggregate import Plan
from stagg.data.rankings import Rankings
from stagg.data.strangers import Overlap

__all__ = ["ONE_RANKER", "BucketTally", "Task"]

ONE_RANKER: Final = "1"


@dataclasses.dataclass(frozen=True)
class Task:
    """The work on every bucket: a plan, and how rows are read and written.

    ``rankers`` names all of them, in the order that weights by position follow; None takes those that a bucket holds,
    which is right where neither weights nor a model ask for more. ``as_trec`` gives rows of a TREC run, not columns.
    """

    plan: Plan
    rankers: tuple[str, ...] | None = None
    order_by: str | None = None
    lenient: bool = False
    as_trec: bool = False


@dataclasses.dataclass
class BucketTally:
    """Counts of what was read and written; tallies of several buckets add up."""

    rows: int = 0
    queries: int = 0
    items: int = 0
    shortest: int | None = None
    longest: int = 0
    has_ties: bool = False
    written: int = 0
    contradictions: int = 0
    large_ties: int = 0
    rankers: set[str] = dataclasses.field(default_factory=set)
    dropped: Counter[str] = dataclasses.field(default_factory=Counter)
    overlap: Overlap = dataclasses.field(default_factory=Overlap)
    first: dict[str, str] = dataclasses.field(default_factory=dict)
    """Where something was seen first: of all places, the least, so that it does not depend on who looked when."""

    def add(self, other: BucketTally) -> BucketTally:
        for name in ("rows", "queries", "items", "written", "contradictions", "large_ties"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        shortest = [length for length in (self.shortest, other.shortest) if length is not None]
        self.shortest, self.longest = min(shortest, default=None), max(self.longest, other.longest)
        self.has_ties |= other.has_ties
        self.rankers |= other.rankers
        self.dropped.update(other.dropped)
        self.overlap.add(other.overlap)
        for what, place in other.first.items():
            self.see(what, place)
        return self

    def see(self, what: str, place: str) -> None:
        self.first[what] = min(place, self.first.get(what, place))

    def drop(self, reason: str, place: str, rows: int = 1) -> None:
        self.dropped[reason] += rows
        self.see(reason, place)

    def count(self, rankings: Rankings) -> None:
        lengths = rankings.list_lengths
        self.rows += len(rankings.entries)
        self.queries += len(rankings)
        self.items += len(rankings.items)
        self.rankers.update(rankings.rankers)
        if len(lengths):
            self.shortest, self.longest = int(lengths.min()), int(lengths.max())
        self.has_ties |= rankings.has_ties
