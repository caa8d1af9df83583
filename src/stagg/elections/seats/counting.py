"""Counting: the ballots as a rule reads them, to be counted as they are, drawn again, or with some of them changed."""

from __future__ import annotations

import dataclasses
import math
from typing import Final, NamedTuple

import numpy as np

from stagg.errors import plural
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.transfers import NOBODY, UNIT, Papers, SeatCount
from stagg.methods.voting.several_seats import SeatRule

__all__ = ["Counter", "Sheaf", "prepare_counter"]

COARSE: Final = 1.1  # times the share of a seat


class Sheaf(NamedTuple):
    """``places[k, i]``: the place of candidate i on ballot k, infinite where it is not listed, equal where it ties.

    ``counts[k]`` voters cast it, and it is worth ``values[k]`` units of a vote.
    """

    places: FloatArray
    counts: IntArray
    values: IntArray


@dataclasses.dataclass(frozen=True)
class Counter:
    """Sheaf as one rule reads them. ``remarks``: sentences on what of the ballots does not count."""

    rule: SeatRule
    seats: int
    ballots: Sheaf
    papers: Papers
    remarks: tuple[str, ...]

    def count(self, lot: IntArray, counts: IntArray | None = None) -> SeatCount:
        """The count; ``counts``: so many voters per paper instead."""
        papers = self.papers if counts is None else self.papers._replace(counts=counts)
        return self.rule.count(papers, self.ballots.places.shape[1], self.seats, lot)

    def recount(self, ballots: Sheaf, lot: IntArray) -> SeatCount:
        """The count of other ballots."""
        return self.rule.count(_read(self.rule, ballots, self.seats), ballots.places.shape[1], self.seats, lot)


def prepare_counter(rule: SeatRule, ballots: Sheaf, seats: int) -> Counter:
    """The ballots as the rule reads them, those that say nothing by it left out."""
    papers = _read(rule, ballots, seats)
    remarks = [*_find_remarks(rule, ballots, seats), *_find_coarse_quota(rule, papers, seats)]
    return Counter(rule, seats, ballots, papers, tuple(remarks))


def _read(rule: SeatRule, ballots: Sheaf, seats: int) -> Papers:
    choices = rule.read(ballots.places, seats)
    valid = (choices != NOBODY).any(axis=1) & (ballots.counts > 0)
    return Papers(choices[valid], ballots.counts[valid], ballots.values[valid])


def _find_coarse_quota(rule: SeatRule, papers: Papers, seats: int) -> list[str]:
    """That a quota in whole votes is far from the share of a seat, where weights that are fractions make few votes."""
    total = papers.total / UNIT
    quota = math.floor(total / (seats + 1)) + 1
    if rule.name != "stv" or not (papers.values % UNIT).any() or quota * (seats + 1) <= COARSE * total:
        return []
    what = f"The quota is a whole number, {quota:,}, and the weights are fractions that add up to {total:g}"
    return [f"{what}: multiply all of them by 1000, say."]


def _find_remarks(rule: SeatRule, ballots: Sheaf, seats: int) -> list[str]:
    """What the rule does not count: ballots behind a tie, and those with too many ticks."""
    listed = np.isfinite(ballots.places).sum(axis=1)
    read = (rule.read(ballots.places, seats) != NOBODY).sum(axis=1)
    whole = np.minimum(listed, seats) if rule.name == "block" else listed
    none = int(ballots.counts[(read == 0) & (listed > 0)].sum())
    some = int(ballots.counts[(read > 0) & (read < whole)].sum())
    if rule.needs_order:
        ended = "is spoiled: it ties its first choices", "are spoiled: they tie their first choices"
        stop = "ends where it ties candidates", "end where they tie candidates"
    else:
        many = f"more than {plural(seats, 'candidate')} at once"
        ended = f"is spoiled: it chooses {many}", f"are spoiled: they choose {many}"
        stop = "counts up to a tie that goes beyond the seats", "count up to a tie that goes beyond the seats"
    told = [(none, ended), (some, stop)]
    return [f"{plural(number, f'ballot {one}', f'ballots {more}')}." for number, (one, more) in told if number]
