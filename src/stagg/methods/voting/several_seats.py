"""Several seats: STV, Meek's STV, block voting, approval voting and sequential proportional approval."""

from __future__ import annotations

import abc
import inspect
import math
from typing import ClassVar, Final

import numpy as np

from stagg.errors import NotConverged
from stagg.kernels.arrays import AnyArray, FloatArray, IntArray
from stagg.kernels.lists.keep_factors import EQUAL, count_by_keep_factors
from stagg.kernels.lists.transfers import (
    NOBODY,
    UNIT,
    CountStage,
    Papers,
    SeatCount,
    Tie,
    count_by_transfers,
    pick_by_history,
)
from stagg.registry import Parametrised, Registry

__all__ = ["SEAT_RULES", "STV", "Approval", "BlockVoting", "Meek", "SeatRule", "SequentialApproval"]

LARGEST: Final = 2**62


class SeatRule(Parametrised, abc.ABC):
    """A rule that fills several seats. ``title`` and ``reference`` are what statutes and minutes say.

    ``needs_order``: whether a ballot must put its candidates in order; else ticks are enough.
    """

    title: ClassVar[str]
    reference: ClassVar[str]
    needs_order: ClassVar[bool] = True
    has_quota: ClassVar[bool] = False

    @classmethod
    def description(cls) -> str:
        """The rule in full, for minutes: what its docstring says before the reference."""
        return " ".join((inspect.getdoc(cls) or "").partition("\n\nReference:")[0].split())

    @abc.abstractmethod
    def read(self, places: FloatArray, seats: int) -> IntArray:
        """The candidates that each ballot votes for, best first, ``NOBODY`` behind the last; all its other marks go.

        ``places[k, i]``: the place of candidate i on ballot k, infinite where it is not listed, equal where it ties.
        """

    @abc.abstractmethod
    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        """Fill the seats; ``lot[c]`` is the place of candidate c in the order that was drawn for ties."""


class Ordered(SeatRule):
    """A rule by which a ballot has one vote, for the first on it who can use it."""

    has_quota = True

    def read(self, places: FloatArray, seats: int) -> IntArray:
        order, ordered = _sort(places)
        tied = np.zeros(places.shape, dtype=bool)
        tied[:, 1:] = (ordered[:, 1:] == ordered[:, :-1]) & np.isfinite(ordered[:, 1:])
        tied[:, :-1] |= tied[:, 1:]
        stopped = np.maximum.accumulate(tied | ~np.isfinite(ordered), axis=1)
        return np.where(stopped, NOBODY, order)


class STV(Ordered):
    """Single transferable vote as Scottish councils count it (weighted inclusive Gregory).

    The quota is ⌊V / (seats + 1)⌋ + 1. A candidate with the quota is elected. The largest surplus is transferred first:
    every paper goes to its next continuing candidate at (surplus / votes) times its value, truncated to five decimals.
    Without a surplus, the candidate with the fewest votes is excluded, and each paper goes on at its value. Equal
    surpluses, and equal fewest votes, are decided by the latest earlier stage at which they differed, then by lot. When
    the candidates who continue fill the remaining seats, they are elected. A ballot ends where it ties candidates.

    Reference: The Scottish Local Government Elections Order 2007 (SSI 2007/42), schedule 1, rules 45 to 52.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben"]] * 7 + [["Cleo"]] * 2
    >>> elect(votes, "stv", seats=2, draws=0)["stv"].elected
    ('Ada', 'Ben')
    """

    name = "stv"
    title = "Single transferable vote (weighted inclusive Gregory)"
    reference = "The Scottish Local Government Elections Order 2007 (SSI 2007/42), schedule 1, rules 45 to 52"

    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        return count_by_transfers(papers, n, seats, lot)


class Meek(Ordered):
    """Meek's single transferable vote: the elected keep just the part of every vote that they need.

    A ballot gives each elected candidate on it, in order, the keep factor of what is left of its vote, and the rest to
    the first hopeful. The quota is (V - non-transferable) / (seats + 1), without rounding. The keep factors of the
    elected are lowered, each by quota / votes, until no surplus is larger than 1e-9 votes; then who has the quota is
    elected, and if nobody is, the hopeful with the fewest votes is excluded. Equals are decided by the latest earlier
    stage at which they differed, then by lot; votes that differ by less than a millionth are equal. It is meant for a
    computer: no step of it can be checked by hand.

    Reference: Hill, Wichmann & Woodall, "Algorithm 123: Single transferable vote by Meek's method", The Computer
    Journal 30, 1987.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben"]] * 7 + [["Cleo"]] * 2
    >>> elect(votes, "meek", seats=2, draws=0)["meek"].elected
    ('Ada', 'Ben')
    """

    name = "meek"
    title = "Single transferable vote by Meek's method"
    reference = (
        'Hill, Wichmann & Woodall, "Algorithm 123: Single transferable vote by Meek\'s method", The Computer Journal '
        "30, 1987"
    )

    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        found = count_by_keep_factors(papers, n, seats, lot)
        elected: list[int] = []
        for stage in found.stages:
            surplus = max((float(stage.votes[c]) - float(stage.quota or 0) for c in elected), default=0.0)
            if surplus > EQUAL:
                raise NotConverged(f"meek: the keep factors did not settle; a surplus of {surplus:.2g} votes is left")
            elected += stage.elected
        return found


class BlockVoting(SeatRule):
    """Block voting (bloc plurality, multiple non-transferable vote): as many votes per ballot as there are seats.

    Each of the first choices of a ballot, up to the number of seats, gets one vote; the candidates with the most votes
    are elected, equals by lot. Ticks that are more than the seats do not count (the ballot is over-voted). A majority
    can fill all seats: it is not proportional.

    Reference: The Local Elections (Principal Areas) (England and Wales) Rules 2006 (SI 2006/3304), schedule 2, for
    wards of several councillors.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben"]] * 3 + [["Cleo", "Dan"]] * 2
    >>> elect(votes, "block", seats=2, draws=0)["block"].elected
    ('Ada', 'Ben')
    """

    name = "block"
    title = "Block voting (bloc plurality)"
    reference = "The Local Elections (Principal Areas) (England and Wales) Rules 2006 (SI 2006/3304), schedule 2"
    needs_order = False

    def read(self, places: FloatArray, seats: int) -> IntArray:
        order, ordered = _sort(places)
        last = np.ones(places.shape, dtype=bool)
        last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
        ends = np.where(last, np.arange(1, places.shape[1] + 1), places.shape[1])
        ends = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]  # how many there are, down to the tied group
        return np.where((ends <= seats) & np.isfinite(ordered), order, NOBODY)

    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        return _elect_most(_add_up(papers, papers.values, n), seats, lot)


class Approval(SeatRule):
    """Approval voting: a voter ticks any number of candidates; those with the most ticks are elected, equals by lot.

    A ballot that ranks candidates approves of all that it lists. Like ``block`` it is not proportional.

    Reference: Brams & Fishburn, "Approval voting", American Political Science Review 72, 1978.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben", "Cleo"]] * 3 + [["Dan", "Cleo"]] * 2
    >>> elect(votes, "approval", seats=1, draws=0)["approval"].elected
    ('Cleo',)
    """

    name = "approval"
    title = "Approval voting"
    reference = 'Brams & Fishburn, "Approval voting", American Political Science Review 72, 1978'
    needs_order = False

    def read(self, places: FloatArray, seats: int) -> IntArray:
        order, ordered = _sort(places)
        return np.where(np.isfinite(ordered), order, NOBODY)

    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        return _elect_most(_add_up(papers, papers.values, n), seats, lot)


class SequentialApproval(Approval):
    """Sequential proportional approval (Thiele): seats are filled one by one, and whoever has some counts for less.

    A ballot that approves of k candidates already elected counts 1/(k + 1). Equals are decided by lot. It reads ballots
    as ``approval`` does, and gives groups of voters about their share of the seats.

    Reference: Thiele, "Om Flerfoldsvalg", Oversigt over det Kongelige Danske Videnskabernes Selskabs Forhandlinger,
    1895; Aziz et al., "Computational aspects of multi-winner approval voting", AAMAS 2015.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben"]] * 3 + [["Cleo"]] * 2
    >>> elect(votes, "spav", seats=2, draws=0)["spav"].elected
    ('Ada', 'Cleo')
    """

    name = "spav"
    title = "Sequential proportional approval voting"
    reference = (
        'Thiele, "Om Flerfoldsvalg", Oversigt over det Kongelige Danske Videnskabernes Selskabs Forhandlinger, 1895'
    )

    def count(self, papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
        share = math.lcm(*range(1, seats + 1))
        large = papers.total * share >= LARGEST
        values = (papers.values.astype(object) if large else papers.values) * share
        held = np.zeros(len(values), dtype=np.int64)
        elected: list[int] = []
        stages: list[CountStage] = []
        for _ in range(min(seats, n)):
            votes = _add_up(papers, values // (held + 1), n)
            standing = [c for c in range(n) if c not in elected]
            chosen, tie = pick_by_history(standing, [votes], lot, most=True)
            elected.append(chosen)
            stages.append(CountStage(votes, np.zeros_like(votes), elected=(chosen,), tie=tie))
            held += (papers.choices == chosen).any(axis=1)
        return SeatCount(tuple(stages), tuple(elected), UNIT * share)


def _sort(places: FloatArray) -> tuple[IntArray, FloatArray]:
    """(the candidates of each ballot, best first, their places)."""
    order = np.argsort(places, axis=1, kind="stable")
    return order, np.take_along_axis(places, order, axis=1)


def _add_up(papers: Papers, values: AnyArray, n: int) -> AnyArray:
    """The votes of each candidate, where a paper gives its value to every candidate on it."""
    large = papers.total >= LARGEST or values.dtype == object
    worth = (papers.counts.astype(object) if large else papers.counts) * values
    sums = np.zeros(n + 1, dtype=object if large else np.int64)
    np.add.at(sums, papers.choices, worth[:, None])
    return sums[:-1]


def _elect_most(votes: AnyArray, seats: int, lot: IntArray) -> SeatCount:
    """A count of one stage: those with the most votes; of equals the first drawn."""
    elected = sorted(range(len(votes)), key=lambda c: (-votes[c], lot[c]))[:seats]
    equal = tuple(c for c in range(len(votes)) if votes[c] == votes[elected[-1]])
    chosen = tuple(c for c in elected if c in equal)
    tie = Tie(equal, chosen, None) if len(chosen) < len(equal) else None
    return SeatCount((CountStage(votes, np.zeros_like(votes), elected=tuple(elected), tie=tie),), tuple(elected), UNIT)


SEAT_RULES: Registry[SeatRule] = Registry("rule", [STV, Meek, BlockVoting, Approval, SequentialApproval])
"""The rules that fill several seats."""
