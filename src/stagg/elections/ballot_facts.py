"""Facts of ballots before the count: how many, complete, blank or tied, what was left out, and first choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.data.parts import take_entries
from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.data.spellings import find_look_alikes
from stagg.errors import plural
from stagg.formats.format import BY_SCORE
from stagg.formats.log import FileReading, ReadLog
from stagg.kernels.arrays import ABSENT
from stagg.kernels.lists.tallies import count_first, prepare_ballots
from stagg.methods.voting.several_seats import SEAT_RULES

__all__ = [
    "are_ballots", "are_only_ticks", "count_ballots", "describe_ballots", "list_choices", "take_ticks", "tell_dropped",
    "tell_top_ties", "tell_turnout",
]  # fmt: skip


def are_ballots(readings: Sequence[FileReading], rankings: Rankings) -> bool:
    """Whether all files hold ballots: rows of choices, ranks or ticks, answers to a form, or a format of elections."""
    grids = [each for each in readings if each.layout == "grid"]
    if not readings or not all(
        each.layout in ("ballots", "form") or (each in grids and each.taken) for each in readings
    ):
        return False
    return are_only_ticks(rankings) or all(each.direction != BY_SCORE for each in grids)  # ratings are no ballots


def are_only_ticks(rankings: Rankings) -> bool:
    """Whether the ballots tick candidates, yes or no, and put them in no order."""
    return rankings.scores is not None and bool(np.isin(rankings.scores, (0.0, 1.0)).all())


def take_ticks(rankings: Rankings) -> Rankings:
    """The ballots without the candidates that they say no to, who stay candidates."""
    assert rankings.scores is not None
    return take_entries(rankings, rankings.scores > 0)


def count_ballots(rankings: Rankings) -> dict[str, int]:
    """How many ballots there are, of all elections together, and how many are complete, partial, tied or blank.

    Of ballots with ticks, which are in no order, only how many there are and how many are blank.

    >>> count_ballots(Rankings.from_lists([["a", "b"], ["b"], [{"a", "b"}], []]))
    {'ballots': 4, 'complete': 2, 'partial': 1, 'with ties': 1, 'blank': 1, 'candidates': 2}
    """
    voters = rankings.multiplicities[rankings.list_rankers]
    filled = rankings.list_lengths > 0
    complete = filled & (rankings.list_lengths == rankings.sizes[rankings.list_queries])
    tied = np.zeros(len(filled), dtype=bool)
    tied[rankings.entry_lists[rankings.tied]] = True
    every = int(rankings.multiplicities.sum()) * max(1, len(rankings))
    listed = int(voters[filled].sum())
    if are_only_ticks(rankings):
        return {"ballots": every, "blank": every - listed, "candidates": len(rankings.items)}
    return {
        "ballots": every,
        "complete": int(voters[complete].sum()),
        "partial": int(voters[filled & ~complete].sum()),
        "with ties": int(voters[tied].sum()),
        "blank": every - listed,
        "candidates": len(rankings.items),
    }


def describe_ballots(rankings: Rankings, log: ReadLog) -> str:
    """Ballots that were read, and what was left out of them, in one line."""
    filled, empty = _split_blank(rankings)
    blank = "" if not empty else f" ({plural(empty, 'empty ballot was', 'empty ballots were')} left out)"
    return "; ".join([f"read {plural(filled, 'ballot')}{blank}, {plural(len(rankings.items), 'candidate')}",
                      *tell_dropped(log)])  # fmt: skip


def tell_turnout(rankings: Rankings) -> str:
    """How many ballots there are, how many of them are blank, and for how many candidates they are.

    >>> tell_turnout(Rankings.from_lists([["a", "b"], ["b"], []]))
    '3 ballots: 1 blank, 2 with choices; 2 candidates.'
    """
    filled, empty = _split_blank(rankings)
    split = f"{empty:,} blank, {filled:,} with choices"
    return f"{plural(filled + empty, 'ballot')}: {split}; {plural(len(rankings.items), 'candidate')}."


def _split_blank(rankings: Rankings) -> tuple[int, int]:
    """How many voters chose somebody, and how many nobody."""
    voters = rankings.multiplicities
    filled = int(voters[np.unique(rankings.list_rankers[rankings.list_lengths > 0])].sum())
    return filled, int(voters.sum()) - filled


def tell_dropped(log: ReadLog) -> list[str]:
    """What of the ballots was left out: mentions of a candidate who stands there twice, or whole lines.

    >>> log = ReadLog(); log.dropped("duplicate item", "board.csv:32"); tell_dropped(log)
    ['1 repeated mention of a candidate on a ballot was ignored, and the ballot counts (first at board.csv:32)']
    """
    told = []
    for reason, count, place in log.reasons:
        if reason == "duplicate item":
            mentions = plural(count, "repeated mention", "repeated mentions")
            one = "was ignored, and the ballot counts" if count == 1 else "were ignored, and the ballots count"
            told.append(f"{mentions} of a candidate on a ballot {one} (first at {place})")
        else:
            told.append(f"{plural(count, 'entry was', 'entries were')} left out: {reason} (first at {place})")
    return told


def tell_top_ties(rankings: Rankings) -> str:
    """What becomes of ballots that tie candidates under the rules for several seats; "" where none does."""
    if not rankings.tied.any() or are_only_ticks(rankings):
        return ""
    first = rankings.entry_lists[rankings.tied & (rankings.positions == 1)]
    top = int(rankings.multiplicities[rankings.list_rankers[first]].sum())
    rules = " and ".join(rule.name for rule in SEAT_RULES if rule.needs_order)
    who = plural(top, "ballot that ties its first choices is", "ballots that tie their first choices are")
    spoiled = f", and {who} spoiled" if top else ""
    return f"with ties: by {rules} a ballot ends at its first tie{spoiled}; rules that take ties count them."


def list_choices(view: Query) -> list[dict[str, Any]]:
    """A row for each candidate: first choices, ballots that list it, and the name that it looks like.

    Ticks are no first choices: these are None.
    """
    if not len(view):
        return []
    counted = prepare_ballots(view.positions, view.rankings.multiplicities[view.rankings.list_rankers[_span(view)]])
    first = (count_first(counted, np.arange(len(view))) / counted.parts).tolist()
    first = [None] * len(first) if are_only_ticks(view.rankings) else first
    listings = dict(zip(view.items, (counted.votes @ (view.positions != ABSENT)).tolist(), strict=True))
    alike = {each.rare: each.name for each in find_look_alikes(listings)}
    rows = [
        {"candidate": name, "first": votes, "ballots": listings[name], "looks_like": alike.get(name)}
        for name, votes in zip(view.items, first, strict=True)
    ]
    return sorted(rows, key=lambda row: (-(row["first"] or 0), -row["ballots"], row["candidate"]))


def _span(view: Query) -> slice:
    first, end = view.rankings.list_offsets[view.number : view.number + 2].tolist()
    return slice(first, end)
