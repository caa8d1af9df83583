"""Facts of ballots before the count: how many are complete, blank or tied, first choices, and names that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.data.spellings import find_look_alikes
from stagg.formats.log import FileReading
from stagg.kernels.arrays import ABSENT
from stagg.kernels.lists.tallies import count_first, prepare_ballots

__all__ = ["are_ballots", "count_ballots", "list_choices"]


def are_ballots(readings: Sequence[FileReading]) -> bool:
    """Whether all files hold ballots: rows of choices, answers to a form, or a format of elections."""
    return bool(readings) and all(each.layout in ("ballots", "form") for each in readings)


def count_ballots(rankings: Rankings) -> dict[str, int]:
    """How many ballots there are, of all elections together, and how many are complete, partial, tied or blank.

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
    return {
        "ballots": every,
        "complete": int(voters[complete].sum()),
        "partial": int(voters[filled & ~complete].sum()),
        "with ties": int(voters[tied].sum()),
        "blank": every - listed,
        "candidates": len(rankings.items),
    }


def list_choices(view: Query) -> list[dict[str, Any]]:
    """A row for each candidate: first choices, ballots that list it, and the name that it looks like."""
    counted = prepare_ballots(view.positions, view.rankings.multiplicities[view.rankings.list_rankers[_span(view)]])
    first = (count_first(counted, np.arange(len(view))) / counted.parts).tolist()
    listings = dict(zip(view.items, (counted.votes @ (view.positions != ABSENT)).tolist(), strict=True))
    alike = {each.rare: each.name for each in find_look_alikes(listings)}
    rows = [
        {"candidate": name, "first": votes, "ballots": listings[name], "looks_like": alike.get(name)}
        for name, votes in zip(view.items, first, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row["first"], -row["ballots"], row["candidate"]))


def _span(view: Query) -> slice:
    first, end = view.rankings.list_offsets[view.number : view.number + 2].tolist()
    return slice(first, end)
