"""Last seat: how many ballots a search had to change until another candidate got a seat, which is a bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from stagg.elections.seats.counting import Counter, Sheaf
from stagg.elections.victory import fewest_enough
from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.transfers import SeatCount

__all__ = ["LastSeat", "changes_for_seat", "find_last_seat"]

RIVALS = 3  # of those who are next to a seat; the search tries to help each of them
LAST = 2  # of the elected, whose seat they may take


class LastSeat(NamedTuple):
    """``ballots``: as many, changed as a search found, give ``rival`` a seat; perhaps fewer are enough."""

    ballots: int
    rival: str


def find_last_seat(
    counter: Counter, count: SeatCount, order: Sequence[int], names: Sequence[str], lot: IntArray
) -> LastSeat | None:
    """The fewest changed ballots that the search found, over those next to a seat; None where all are elected."""
    rivals = order[len(count.elected) :][:RIVALS]
    found = [(ballots, rival) for rival in rivals for ballots in _search(counter, count, rival, lot)]
    if not found:
        return None
    ballots, rival = min(found, key=lambda each: each[0])
    return LastSeat(ballots, names[rival])


def changes_for_seat(counter: Counter, count: SeatCount, rival: int, lot: IntArray) -> int | None:
    """So many ballots, changed as the search found, give this candidate a seat; None if it found none."""
    return min(_search(counter, count, rival, lot), default=None)


def _search(counter: Counter, count: SeatCount, rival: int, lot: IntArray) -> Iterator[int]:
    """Numbers of ballots that are enough: changed to put the rival first, and to leave out who stands in its way."""
    voters = int(counter.ballots.counts.sum())
    for other in dict.fromkeys([*count.elected[-LAST:], *_neighbour(count, rival)]):
        for order in _orders(counter.ballots, rival, other):
            changed = _Changed(counter, rival, other, order, lot)
            ballots = fewest_enough(changed.seats_rival, voters)
            if changed.seats_rival(ballots):
                yield ballots


def _neighbour(count: SeatCount, rival: int) -> Iterator[int]:
    """Who had the next to fewest votes when the rival was excluded."""
    for number, stage in enumerate(count.stages):
        if stage.excluded and stage.moved == rival and number:
            votes = count.stages[number - 1].votes
            gone = {each.moved for each in count.stages[:number] if each.excluded} | {rival, *count.elected}
            left = [c for c in range(len(votes)) if c not in gone]
            yield from sorted(left, key=lambda c: votes[c])[:1]


def _orders(ballots: Sheaf, rival: int, other: int) -> list[IntArray]:
    """Two orders in which to change ballots: the widest leads of the other first, or the other's own first."""
    places = ballots.places
    held = np.where(np.isinf(places), places.shape[1], places)
    leads = (held[:, rival] - held[:, other]) * ballots.values
    return [np.argsort(-leads, kind="stable"), np.lexsort((-leads, held[:, other]))]


class _Changed(NamedTuple):
    """Sheaf to change, in this order."""

    counter: Counter
    rival: int
    other: int
    order: IntArray
    lot: IntArray

    def seats_rival(self, ballots: int) -> bool:
        """Whether, with so many ballots changed, the rival gets a seat."""
        return self.rival in self.counter.recount(self._change(ballots), self.lot).elected

    def _change(self, ballots: int) -> Sheaf:
        places, counts, values = (each[self.order] for each in self.counter.ballots)
        changed = np.clip(ballots - (np.cumsum(counts) - counts), 0, counts)
        turned = places[changed > 0]
        turned[:, self.rival], turned[:, self.other] = -1.0, np.inf
        return Sheaf(
            np.concatenate([places, turned]),
            np.concatenate([counts - changed, changed[changed > 0]]),
            np.concatenate([values, values[changed > 0]]),
        )
