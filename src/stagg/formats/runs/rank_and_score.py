"""Rank and score columns in one file: which decides, whether they agree, whether an order survives writing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.log import ReadLog
from stagg.formats.reading import Reading
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.say import Say, tell

__all__ = [
    "check_ranks",
    "contradicting",
    "find_first_ranks",
    "note_contradiction",
    "note_contradictions",
    "order_refusal",
    "told_by_scores",
]


def check_ranks(
    ranks: FloatArray,
    cells: Sequence[object],
    lines: IntArray,
    reading: Reading,
    *,
    decide: bool,
    remedy: str = "",
) -> None:
    """Ranks that are negative or no number (NaN) are an error where they decide the order, else worth a note."""
    wrong = np.flatnonzero(~(ranks >= 0))
    if not len(wrong):
        return
    line = int(lines[wrong[0]])
    message = f"the rank {shown(cells[wrong[0]])} is not a number from 0 on"
    if decide:
        raise reading.error(tell(f"{message}; order by score if there is one, or correct it", remedy), line)
    reading.log.note_rows(reading.name, line, len(wrong), message, "such rows; the score decides)")


def note_contradictions(rankings: Rankings, ranks: FloatArray, lines: IntArray, reading: Reading) -> None:
    """Say how often the rank column puts an item before one of the next higher score.

    ``ranks`` and ``lines`` belong to the entries of the rankings, which are in the order of their scores.
    """
    falls = contradicting(rankings, ranks)
    if falls.any():
        note_contradiction(reading.log, reading.name, int(lines[falls].min()), int(falls.sum()))


def contradicting(rankings: Rankings, ranks: FloatArray) -> BoolArray:
    """Which entries have a better rank than one of the next higher score."""
    if not len(ranks):
        return np.zeros(0, dtype=bool)
    groups = np.cumsum(~rankings.tied) - 1
    worst = np.maximum.reduceat(np.nan_to_num(ranks, nan=-1.0), np.flatnonzero(~rankings.tied))
    after = groups > 0
    after[rankings.entry_offsets[:-1]] = False  # the first entry of a list follows on nothing,
    after &= groups != groups[np.repeat(rankings.entry_offsets[:-1], rankings.list_lengths)]  # nor do its peers
    falls: BoolArray = after & (ranks < worst[groups - 1])
    return falls


def note_contradiction(log: ReadLog, file: str, line: int, rows: int) -> None:
    """Say of rows, the first of them in this line, that their ranks contradict the scores."""
    tail = tell("rows); the score decides; ", Say(order_by="rank"), " takes the rank column")
    log.note_rows(file, line, rows, "the rank column contradicts the scores", tail)


def told_by_scores(rankings: Rankings) -> bool:
    """Whether the scores alone give every list back: they fall from group to group and are equal within one."""
    if rankings.scores is None or len(rankings.entries) < 2:
        return True
    same_list = np.diff(rankings.entry_lists) == 0
    step = np.diff(rankings.scores)
    right = np.where(rankings.tied[1:], step == 0, step < 0) | np.isnan(step)
    return bool(right[same_list].all())


def order_refusal(rankings: Rankings) -> str | None:
    """For files whose ranks are never shared: an order comes back by score, or by rank when nothing is tied."""
    if told_by_scores(rankings) or not rankings.has_ties:
        return None
    return "tied items together with an order that contradicts the scores; write rankings.replace(scores=None)"


def find_first_ranks(rankings: Rankings) -> IntArray:
    """The rank (from 1) of each entry, tied entries sharing the rank of the first of them."""
    index = np.arange(len(rankings.entries))
    first = np.maximum.accumulate(np.where(rankings.tied, 0, index))
    ranks: IntArray = rankings.positions - (index - first) + 1
    return ranks
