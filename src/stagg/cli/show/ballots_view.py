"""Ballots on the terminal: how many, how they were read, spoiled ones, first choices, names that look alike."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from stagg.cli.show.talk import print_json, print_table, safe_cell
from stagg.data.rankings import Rankings
from stagg.elections.ballot_facts import (
    are_only_ticks,
    count_ballots,
    list_choices,
    take_ticks,
    tell_dropped,
    tell_top_ties,
)
from stagg.elections.words import tell_votes
from stagg.errors import DataError
from stagg.formats import ReadLog
from stagg.say import spell_in_line

__all__ = ["show_ballots"]

MOST = 40  # candidates of one election that are shown
NOTE = "on ballots: how many ballots list the candidate at any place."


def show_ballots(
    rankings: Rankings, log: ReadLog, spoiled: DataError | None, files: Sequence[dict[str, Any]] | None
) -> None:
    """What there is to know before the count; ``spoiled``: the error of the first wrong ballot, if there is one.

    ``files``, what was understood of each, are given where JSON is printed.
    """
    rankings = take_ticks(rankings) if are_only_ticks(rankings) else rankings
    stops = 0 if spoiled is None else max(1, log.rows_dropped)
    facts: dict[str, Any] = {**count_ballots(rankings), "spoiled": stops}
    left_out = "; ".join(tell_dropped(log))
    if files is not None:
        choices = [{"query": view.id, **row} for view in rankings for row in list_choices(view)]
        print_json(
            "inspect",
            choices,
            totals=facts,
            spoiled=None if spoiled is None else str(spoiled),
            left_out=left_out or None,
            files=files,
        )
        return
    _print_files(log)
    stop = f"left out: {left_out}." if left_out else ""
    if spoiled is not None:
        stop = spell_in_line("spoiled: the count will stop at the first of them: ", spoiled)
    rows = [[name, f"{number:,}"] for name, number in facts.items()]
    print_table("Ballots", ("", ""), rows, note=" ".join(filter(None, [stop, tell_top_ties(rankings)])))
    for view in rankings:
        _print_choices("" if len(rankings) == 1 else f"Election {safe_cell(view.id)}: ", list_choices(view))


def _print_files(log: ReadLog) -> None:
    for each in log.readings:
        seats = f", {each.seats:,} seats" if each.seats and each.seats > 1 else ""
        title = f"{os.path.basename(each.file)}: {each.format}, read as {each.layout}{seats}"
        if each.taken:
            print_table(safe_cell(title), ("column", "taken for"), [[name, what] for name, what in each.taken])
        else:
            print_table(safe_cell(title), ("", ""), [["voters", f"{len(each.rankers):,} lines"]])


def _print_choices(title: str, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        return  # all ballots are blank
    ticks = any(row["first"] is None for row in rows)
    columns = {
        "candidate": [row["candidate"] for row in rows],
        "first choices": [] if ticks else [tell_votes(row["first"]) for row in rows],
        "on ballots": [f"{row['ballots']:,}" for row in rows],
        "looks like": [row["looks_like"] or "" for row in rows],
    }
    header = [name for name, cells in columns.items() if any(cells)]
    cells = list(zip(*(columns[name][:MOST] for name in header), strict=True))
    more = f" The first {MOST} of {len(rows):,} candidates." if len(rows) > MOST else ""
    note = ("" if ticks else NOTE) + more
    right = ("first choices", "on ballots")
    print_table(f"{title}{'Ticks' if ticks else 'First choices'}", header, cells, right=right, note=note.strip())
