"""Transfers of votes: fill several seats by a quota, pass on what the elected do not need and what the excluded had.

Votes are whole numbers of units, so every sum is exact and each paper's value is truncated as councils truncate it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from stagg.kernels.arrays import AnyArray, BoolArray, FloatArray, IntArray

__all__ = ["NOBODY", "UNIT", "CountStage", "Papers", "SeatCount", "Tie", "count_by_transfers", "pick_by_history"]

UNIT: Final = 100_000
"""A vote in units: five decimals."""
NOBODY: Final = -1
LARGEST: Final = 2**62


class Papers(NamedTuple):
    """``choices[k, p]``: the candidate in place p of paper k, ``NOBODY`` behind the last; every paper has a first one.

    ``counts[k]`` voters handed in such a paper, each of which is worth ``values[k]`` units.
    """

    choices: IntArray
    counts: IntArray
    values: IntArray

    @property
    def total(self) -> int:
        """All votes, in units."""
        pairs = zip(self.counts.tolist(), self.values.tolist(), strict=True)
        return sum(count * value for count, value in pairs)


class Tie(NamedTuple):
    """Candidates who are equal, and the chosen of them. ``stage``: the earlier one that decides, None for the lot."""

    tied: tuple[int, ...]
    chosen: tuple[int, ...]
    stage: int | None


class CountStage(NamedTuple):
    """A stage of a count. ``votes[c]``: what c has at its end; ``given[c]``: what c received in it.

    ``moved``: whose votes moved, with ``excluded`` True if all of them did; ``NOBODY`` in a stage in which none moved.
    ``spent`` is what is not transferable, ``lost`` what truncation lost, both since the beginning. ``elected``: who is
    elected at its end. ``keep``: keep factors, where the rule has some; ``quota`` is that of the stage.
    """

    votes: AnyArray
    given: AnyArray
    moved: int = NOBODY
    excluded: bool = False
    spent: float = 0
    lost: float = 0
    elected: tuple[int, ...] = ()
    tie: Tie | None = None
    quota: float | None = None
    keep: FloatArray | None = None


class SeatCount(NamedTuple):
    """A count for several seats: its stages, and who is elected, in the order of election. Votes in ``unit``-ths."""

    stages: tuple[CountStage, ...]
    elected: tuple[int, ...]
    unit: int = 1


def count_by_transfers(papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
    """The single transferable vote with the weighted inclusive Gregory method, for n candidates.

    ``lot[c]``: the place of c in the drawn order, which decides what earlier stages do not: of equals the first drawn
    has its surplus transferred first, and the last drawn is excluded.

    >>> choices = np.array([[0, 1], [2, -1]])
    >>> papers = Papers(choices, counts=np.array([7, 2]), values=np.array([UNIT, UNIT]))
    >>> found = count_by_transfers(papers, 3, 2, np.arange(3))
    >>> found.elected, [(each.votes / UNIT).tolist() for each in found.stages]
    ((0, 1), [[7.0, 0.0, 2.0], [4.0, 2.99999, 2.0], [4.0, 2.99999, 2.0]])
    """
    count = _Count(papers, n, seats, lot)
    while count.vacancies and count.open.any():
        count.go_on()
    return SeatCount(tuple(count.stages), tuple(count.elected), UNIT)


class _Count:
    """The state of a count: who holds which paper, at which value."""

    def __init__(self, papers: Papers, n: int, seats: int, lot: IntArray) -> None:
        total = papers.total
        kind = np.dtype(np.int64 if total < LARGEST // UNIT else object)
        self.choices = papers.choices
        whole = np.where(papers.values % UNIT, 1, papers.values // UNIT).clip(
            1
        )  # a paper of three votes is three papers
        self.counts, self.values = papers.counts.astype(kind) * whole, papers.values.astype(kind) // whole
        self.lot, self.vacancies = lot, seats
        self.quota = (total // ((seats + 1) * UNIT) + 1) * UNIT
        self.open: BoolArray = np.append(np.ones(n, dtype=bool), False)  # the last stands for nobody
        self.waiting: list[int] = []
        self.elected: list[int] = []
        self.stages: list[CountStage] = []
        self.spent = self.lost = 0
        self.holders = papers.choices[:, 0]
        self.votes = self._add_up(np.arange(len(self.holders)), n)
        self._close(CountStage(self.votes, self.votes))

    def go_on(self) -> None:
        """One stage: the last vacancies, the largest surplus, or an exclusion."""
        standing = np.flatnonzero(self.open[:-1])
        surplus = [c for c in self.waiting if self.votes[c] > self.quota]
        if len(standing) <= self.vacancies:
            self._elect(standing[np.argsort(-self.votes[standing], kind="stable")].tolist())
        elif surplus:
            chosen, tie = self._pick(surplus, most=True)
            self._transfer_surplus(chosen, tie)
        else:
            chosen, tie = self._pick(standing.tolist(), most=False)
            self.open[chosen] = False
            if np.count_nonzero(self.open) <= self.vacancies:  # no further transfers are made
                self._close(self._at_rest()._replace(moved=chosen, excluded=True, tie=tie))
            else:
                self._exclude(chosen, tie)

    def _at_rest(self) -> CountStage:
        return CountStage(self.votes, np.zeros_like(self.votes), spent=self.spent, lost=self.lost)

    def _pick(self, candidates: Sequence[int], *, most: bool) -> tuple[int, Tie | None]:
        return pick_by_history(candidates, [each.votes for each in self.stages], self.lot, most=most)

    def _transfer_surplus(self, chosen: int, tie: Tie | None) -> None:
        """Every paper goes on at surplus / votes times its value, truncated to units."""
        rows = np.flatnonzero(self.holders == chosen)
        surplus, votes = int(self.votes[chosen]) - self.quota, int(self.votes[chosen])
        large = surplus * int(self.values[rows].max(initial=0)) >= LARGEST
        values = self.values[rows].astype(object) if large else self.values[rows]
        self.values[rows] = values * surplus // votes
        self.waiting.remove(chosen)
        self._pass_on(rows, chosen, surplus, CountStage(self.votes, self.votes, chosen, excluded=False, tie=tie))

    def _exclude(self, chosen: int, tie: Tie | None) -> None:
        """Every paper goes on at its value."""
        rows = np.flatnonzero(self.holders == chosen)
        stage = CountStage(self.votes, self.votes, chosen, excluded=True, tie=tie)
        self._pass_on(rows, chosen, int(self.votes[chosen]), stage)

    def _pass_on(self, rows: IntArray, chosen: int, amount: int, stage: CountStage) -> None:
        """Give these papers to the next continuing candidate on each; ``amount`` leaves the chosen one."""
        stands = self.open[self.choices[rows]]
        following = self.choices[rows, stands.argmax(axis=1)]
        holders = np.where(stands.any(axis=1), following, NOBODY)
        worth = self.counts[rows] * self.values[rows]
        self.holders = self.holders.copy()
        self.holders[rows] = holders
        given = self._add_up(rows, len(self.votes))
        spent = int(worth[holders == NOBODY].sum())
        self.votes = self.votes + given
        self.votes[chosen] -= amount
        self.spent += spent
        self.lost += amount - int(given.sum()) - spent
        self._close(stage._replace(votes=self.votes, given=given, spent=self.spent, lost=self.lost))

    def _add_up(self, rows: IntArray, n: int) -> AnyArray:
        """The votes of these papers, by holder."""
        sums = np.zeros(n + 1, dtype=self.counts.dtype)
        np.add.at(sums, self.holders[rows], self.counts[rows] * self.values[rows])
        return sums[:-1]

    def _close(self, stage: CountStage) -> None:
        """End a stage: whoever has the quota is elected, the most votes first."""
        self.stages.append(stage._replace(quota=self.quota))
        reached = [c for c in np.argsort(-self.votes, kind="stable").tolist() if self.open[c]]
        self._elect([c for c in reached if self.votes[c] >= self.quota])

    def _elect(self, candidates: Sequence[int]) -> None:
        self.open[candidates] = False
        self.elected += candidates
        self.waiting += candidates
        self.vacancies -= len(candidates)
        self.stages[-1] = self.stages[-1]._replace(elected=self.stages[-1].elected + tuple(candidates))


def pick_by_history(
    candidates: Sequence[int], history: Sequence[AnyArray], lot: IntArray, *, most: bool, nothing: float = 0
) -> tuple[int, Tie | None]:
    """Who has the most (or fewest) votes in the last stage; equals by the latest stage that differs, or by lot.

    Of votes that differ by ``nothing`` at most none is more. The tie is None where nobody ties.

    >>> pick_by_history([0, 1], [np.array([3, 2]), np.array([2, 2])], np.array([1, 0]), most=False)
    (1, Tie(tied=(0, 1), chosen=(1,), stage=1))
    """
    left, tied, decided = list(candidates), tuple[int, ...](), 0
    for stage in range(len(history) - 1, -1, -1):
        votes = history[stage][left]
        best = votes.max() - nothing if most else votes.min() + nothing
        left = [c for c, own in zip(left, votes, strict=True) if (own >= best if most else own <= best)]
        tied = tied if stage < len(history) - 1 else tuple(left)
        decided = stage + 1
        if len(left) == 1:
            break
    chosen = left[0] if len(left) == 1 else (min if most else max)(left, key=lambda c: int(lot[c]))
    if len(tied) == 1:
        return chosen, None
    return chosen, Tie(tied, (chosen,), decided if len(left) == 1 else None)
