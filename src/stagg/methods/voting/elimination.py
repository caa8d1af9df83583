"""Instant runoff, Coombs, Baldwin, Nanson: count, eliminate those with the least, count again; the last one wins."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from stagg.data.query import Query
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.runoffs import Count, Round, elimination_places, possible_eliminations, run_off
from stagg.kernels.lists.tallies import count_first, most_last, prepare_ballots
from stagg.kernels.lists.votes import round_votes, widen
from stagg.kernels.pairs.majority import majorities, score_groups
from stagg.methods.base import PerQuery
from stagg.methods.voting.condorcet_rules import MOST_OUTCOMES, tie_order
from stagg.registry import one_of

__all__ = ["IRV", "Baldwin", "Coombs", "Elimination", "Nanson", "OneByOne"]

RAISED: Mapping[str, str] = {"monotonicity": "to raise an item can change who goes first, and so whom it meets later"}


class Elimination(PerQuery):
    """A rule that eliminates; it defines what is counted in each round."""

    tie_rule = "exact"

    @abc.abstractmethod
    def counts(self, view: Query) -> Count:
        """The votes of the items that still stand; the item with the least goes."""

    def rounds(self, view: Query) -> list[Round]:
        """The rounds of the runoff, as items of ``view.items``."""
        return list(run_off(self.counts(view), len(view)))

    def score_query(self, view: Query) -> FloatArray:
        return score_groups(elimination_places(iter(self.rounds(view)), len(view)))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class OneByOne(Elimination):
    """A rule that strikes out the last; ``ties`` says who goes when several have the least."""

    ties: Literal["together", "parallel", "fixed"] = "together"
    empty_can_go: ClassVar[bool] = False
    """Whether items that have nothing can go at once, because nothing changes when they do."""

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "ties", ("together", "parallel", "fixed"))

    def broken_laws(self) -> Mapping[str, str]:
        by_id = {"neutrality": "of items that have the same, in votes and in Borda's count, the ids choose who goes"}
        return {**super().broken_laws(), **(by_id if self.ties == "fixed" else {})}

    def rounds(self, view: Query) -> list[Round]:
        keep = tie_order(view) if self.ties == "fixed" else None
        return list(run_off(self.counts(view), len(view), keep=keep))

    def score_query(self, view: Query) -> FloatArray:
        if self.ties != "parallel":
            return super().score_query(view)
        places = self.best_places(view)
        if places is None:
            raise InvalidParameter(
                f"{self.name}, query {shown(view.id)}: so many items tie for the last place that ties='parallel' has "
                f"more than {MOST_OUTCOMES:,} outcomes; use ties='together' or ties='fixed'"
            )
        return score_groups(places)

    def best_places(self, view: Query, most: int = MOST_OUTCOMES) -> IntArray | None:
        """The best place, from 0, of each item over all orders in which equals can go; None beyond ``most`` fields."""
        return possible_eliminations(self.counts(view), len(view), most, transfers=self.empty_can_go)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class IRV(OneByOne):
    """Instant runoff (Hare, ranked choice, the alternative vote): whoever has the fewest first votes goes, in turn.

    A ballot counts for the first item on it that still stands; tied items share the vote, and a ballot that lists
    nobody who still stands is exhausted. The ranking is the order of elimination, reversed. Score: n - rank + 1.
    ``missing``: "below" and "skip" give the same.

    When several have the fewest votes, ``ties`` decides:

    - "together" (default): they all go, and tie.
    - "parallel": every order is gone through, and an item has the best place that any of them gives it; those that can
      win come first together. Beyond 20,000 fields of candidates it refuses.
    - "fixed": the one goes that ``borda(missing="below")`` has last; of equals there the one with the smallest id.

    Reference: Hare, "The election of representatives, parliamentary and municipal", 1873; Ware's rule for one seat.
    Parallel universes: Conitzer, Rognlie & Xia, "Preference functions that score rankings", IJCAI 2009.

    The capital of Tennessee: Chattanooga goes first, then Nashville, and Knoxville wins.

    >>> from stagg import fuse
    >>> voters = {"Memphis": 42, "Nashville": 26, "Chattanooga": 15, "Knoxville": 17}
    >>> votes = {
    ...     "Memphis": ["Memphis", "Nashville", "Chattanooga", "Knoxville"],
    ...     "Nashville": ["Nashville", "Chattanooga", "Knoxville", "Memphis"],
    ...     "Chattanooga": ["Chattanooga", "Knoxville", "Nashville", "Memphis"],
    ...     "Knoxville": ["Knoxville", "Chattanooga", "Nashville", "Memphis"],
    ... }
    >>> fuse(votes, "irv", weights=voters).best_first()
    ['Knoxville', 'Memphis', 'Nashville', 'Chattanooga']
    """

    name = "irv"
    honours = ("below", "skip")
    breaks: ClassVar[Mapping[str, str]] = RAISED
    empty_can_go = True

    def counts(self, view: Query) -> Count:
        ballots = prepare_ballots(view.positions, view.votes)
        return lambda standing: count_first(ballots, standing)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Coombs(OneByOne):
    """Coombs' rule: whoever is last on the most ballots goes, in turn; a majority of first votes protects.

    A ballot counts against the last item on it that still stands; tied items, and all that it does not list, share the
    vote. An item with more than half of all votes as first choice cannot go any more, so it wins. The ranking is the
    order of elimination, reversed. Score: n - rank + 1. ``ties`` as for ``irv``. Only ``missing="below"``: a ballot
    that does not speak of the unlisted would count against the last that it names, who may be its first.

    Reference: Coombs, "A theory of data", 1964; Grofman & Feld, "If you like the alternative vote (a.k.a. the instant
    runoff), then you ought to know about the Coombs rule", Electoral Studies 23, 2004.

    The capital of Tennessee: Memphis, last for 58 of 100, goes first.

    >>> from stagg import fuse
    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> fuse({vote: list(vote) for vote in votes}, "coombs", weights=votes).best_first()
    ['N', 'C', 'K', 'M']
    """

    name = "coombs"
    honours = ("below",)
    breaks: ClassVar[Mapping[str, str]] = RAISED

    def counts(self, view: Query) -> Count:
        ballots = prepare_ballots(view.positions, view.votes)

        def count(standing: IntArray) -> IntArray:
            first = count_first(ballots, standing)
            safe = first > ballots.total - first  # twice as many as all might not fit
            return safe.astype(np.intp) - most_last(ballots, standing, ~safe)

        return count


class ByMargins(Elimination):
    """A rule that eliminates by Borda's count among those who stand: the sums of the margins against them."""

    def counts(self, view: Query) -> Count:
        """The counts. They are kept, and only who left or came back is taken off or added.

        They are whole numbers, so nothing is lost.
        """
        found = majorities(view.positions, view.votes, self.absence)
        leads = widen(found.leads, len(view))
        sums: IntArray = leads.sum(axis=1)
        counted = np.ones(len(view), dtype=bool)

        def count(standing: IntArray) -> IntArray:
            stands = np.zeros(len(view), dtype=bool)
            stands[standing] = True
            sums[:] += leads[counted & ~stands].sum(axis=0)  # L[i, j] = -L[j, i]
            sums[:] -= leads[stands & ~counted].sum(axis=0)
            counted[:] = stands
            return round_votes(sums[standing], found.step)

        return count


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Baldwin(ByMargins, OneByOne):
    """Baldwin's rule: whoever has the lowest Borda count goes, in turn; the counts are made again each time.

    Borda's count among those who stand is the sum of the margins against them. A Condorcet winner wins. The ranking is
    the order of elimination, reversed. Score: n - rank + 1. ``ties`` as for ``irv``, ``missing`` as for ``copeland``.

    Reference: Baldwin, "The technique of the Nanson preferential majority system of election", Proceedings of the
    Royal Society of Victoria 39, 1926.

    >>> from stagg import fuse
    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> fuse({vote: list(vote) for vote in votes}, "baldwin", weights=votes).best_first()
    ['N', 'C', 'M', 'K']
    """

    name = "baldwin"
    breaks: ClassVar[Mapping[str, str]] = RAISED


class Nanson(ByMargins):
    """Nanson's rule: all go whose Borda count is below the mean; then the same among the rest, until all are equal.

    Borda's count among those who stand is the sum of the margins against them, so that the mean is 0. A Condorcet
    winner wins. The ranking is the order of elimination, reversed; items that go in the same round are ranked by their
    count in it. Items that are exactly at the mean stay (the "strict" form). Score: n - rank + 1. ``missing`` as for
    ``copeland``.

    Reference: Nanson, "Methods of election", Transactions and Proceedings of the Royal Society of Victoria 19, 1882;
    Niou, "A note on Nanson's rule", Public Choice 54, 1987.

    >>> from stagg import fuse
    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> fuse({vote: list(vote) for vote in votes}, "nanson", weights=votes).best_first()
    ['N', 'C', 'M', 'K']
    """

    name = "nanson"
    breaks: ClassVar[Mapping[str, str]] = RAISED

    def rounds(self, view: Query) -> list[Round]:
        return list(run_off(self.counts(view), len(view), below_zero=True))
