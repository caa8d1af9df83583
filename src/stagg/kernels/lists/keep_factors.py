"""Keep factors: Meek's count for several seats, in which the elected keep a part of each vote that reaches them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.lists.transfers import NOBODY, UNIT, CountStage, Papers, SeatCount, Tie, pick_by_history

__all__ = ["EQUAL", "SETTLED", "count_by_keep_factors"]

SETTLED: Final = 1e-9
"""Surplus of an elected candidate, in votes, that is none any more."""
ROUNDING: Final = 1e-13  # of all votes
EQUAL: Final = 1e-6  # votes that differ by less tie
MOST_STEPS: Final = 10_000
LARGEST_KEY: Final = 2.0**62


class _Flow(NamedTuple):
    """Papers of a stage that say the same: the elected that a vote meets, in order, and the hopeful who gets the rest.

    ``steps[g, p]``: the candidate in place p of group g, n behind the last; ``votes[g]``: the votes of the group.
    """

    steps: IntArray
    votes: FloatArray


def count_by_keep_factors(papers: Papers, n: int, seats: int, lot: IntArray) -> SeatCount:
    """Meek's method for n candidates; ``lot`` as for ``count_by_transfers``.

    >>> choices = np.array([[0, 1], [2, -1]])
    >>> papers = Papers(choices, counts=np.array([7, 2]), values=np.array([UNIT, UNIT]))
    >>> found = count_by_keep_factors(papers, 3, 2, np.arange(3))
    >>> found.elected, found.stages[1].votes.round(6).tolist()
    ((0, 1), [3.0, 4.0, 2.0])
    """
    votes = papers.counts.astype(float) * papers.values.astype(float) / UNIT
    keep, hopeful = np.append(np.ones(n), 0.0), np.append(np.ones(n, dtype=bool), False)
    elected: list[int] = []
    stages: list[CountStage] = []
    moved, excluded, tie = NOBODY, False, None
    while True:
        flow = _group(papers.choices, votes, keep, hopeful)
        stage = _settle(flow, keep, elected, float(votes.sum()), seats)
        before = stages[-1].votes if stages else np.zeros(n)
        given = np.maximum(stage.votes - before, 0.0)
        stage = stage._replace(given=given, moved=moved, excluded=excluded, tie=tie)
        stages.append(stage)
        reached, equal = _elect(stage, hopeful, seats - len(elected), [each.votes for each in stages], lot)
        if excluded and equal is not None:  # a stage of its own, for a tie belongs to the move of its stage
            stages.append(stage._replace(given=np.zeros(n), moved=NOBODY, excluded=False))
        hopeful[reached] = False
        elected += reached
        stages[-1] = stages[-1]._replace(elected=tuple(reached), tie=equal or tie)
        standing = np.flatnonzero(hopeful)
        if len(elected) == seats or not len(standing):
            return SeatCount(tuple(stages), tuple(elected))
        moved, excluded, tie = NOBODY, False, None
        if not _has_surplus(stage, reached):
            history = [each.votes for each in stages]
            moved, tie = pick_by_history(standing.tolist(), history, lot, most=False, nothing=EQUAL)
            hopeful[moved], keep[moved], excluded = False, 0.0, True


def _has_surplus(stage: CountStage, reached: Sequence[int]) -> bool:
    assert stage.quota is not None
    return bool((stage.votes[list(reached)] > stage.quota + SETTLED).any())


def _elect(
    stage: CountStage, hopeful: BoolArray, vacancies: int, history: Sequence[FloatArray], lot: IntArray
) -> tuple[list[int], Tie | None]:
    """Who has the quota, or fills the last vacancies; if more tie for it than there are vacancies, the last go."""
    standing = np.flatnonzero(hopeful).tolist()
    if len(standing) <= vacancies:
        reached = standing
    else:
        assert stage.quota is not None
        reached = [c for c in standing if stage.votes[c] >= stage.quota - EQUAL]
    equal, tie = set[int](), None
    while len(reached) > vacancies:
        gone, tie = pick_by_history(reached, history, lot, most=False, nothing=EQUAL)
        reached.remove(gone)
        equal |= set() if tie is None else {*tie.tied}
    if tie is not None:
        tie = tie._replace(tied=tuple(sorted(equal)), chosen=tuple(sorted(equal & {*reached})))
    return sorted(reached, key=lambda c: -stage.votes[c]), tie


def _group(choices: IntArray, votes: FloatArray, keep: FloatArray, hopeful: BoolArray) -> _Flow:
    """The papers of a stage, cut behind the first hopeful of each, without the excluded, equal ones added up."""
    n = len(keep) - 1
    rests = hopeful[choices]
    behind = np.cumsum(rests, axis=1) - rests > 0
    live = (keep[choices] > 0) & ~behind
    width = max(1, int(live.sum(axis=1).max(initial=1)))
    order = np.argsort(~live, axis=1, kind="stable")[:, :width]
    steps = np.where(np.take_along_axis(live, order, axis=1), np.take_along_axis(choices, order, axis=1), n)
    first, groups = _find_equal(steps, n + 1)
    return _Flow(steps[first], np.bincount(groups, votes, minlength=len(first)).astype(np.float64))


def _find_equal(rows: IntArray, base: int) -> tuple[IntArray, IntArray]:
    """(the first of each kind of row, the kind of every row)."""
    if float(base) ** rows.shape[1] < LARGEST_KEY:
        keys = rows @ base ** np.arange(rows.shape[1], dtype=np.int64)
        _, first, groups = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, groups = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, groups.ravel()


def _settle(flow: _Flow, keep: FloatArray, elected: Sequence[int], total: float, seats: int) -> CountStage:
    """Lower the keep factors of the elected, in place, until none of them has a surplus; the stage that this gives."""
    owners = list(elected)
    nothing = max(SETTLED, ROUNDING * total)
    for _ in range(MOST_STEPS):
        votes, spent = _tally(flow, keep)
        quota = (total - spent) / (seats + 1)
        if not owners or (votes[owners] - quota).max() < nothing:
            break
        keep[owners] = np.minimum(keep[owners] * quota / votes[owners], 1.0)
    return CountStage(votes[:-1], votes[:-1], spent=spent, quota=quota, keep=keep[:-1].copy())


def _tally(flow: _Flow, keep: FloatArray) -> tuple[FloatArray, float]:
    """(the votes of each candidate, the votes that nobody keeps)."""
    left = flow.votes
    votes = np.zeros(len(keep))
    for step in flow.steps.T:
        kept = left * keep[step]
        votes += np.bincount(step, kept, minlength=len(keep))
        left = left - kept
    return votes, float(left.sum())
