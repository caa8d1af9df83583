"""The consensus for people to read: a table of every query, on a terminal or as Markdown."""

from __future__ import annotations

import sys
from typing import Any

import click
import numpy as np

from stagg.aggregate import PlanResult
from stagg.cli.talk import print_table, safe_cell, safe_console
from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter

__all__ = ["VIEWS", "choose_view", "print_consensus", "print_query"]

VIEWS = ("table", "md")
SHOWN_QUERIES = 10
SHOWN_ITEMS = 10  # of a query, where --top does not say how many
ROOM_FOR_ITEMS = 16  # columns of a terminal
OTHER_COLUMNS = 30  # columns that rank, score and interval take, at most
GAP = 3  # columns between two columns of a table

Rows = tuple[list[str], list[list[Any]]]
"""The heads of the columns, and the rows below them."""


def choose_view(shown: str | None, output: str | None) -> str | None:
    """How people see the consensus, "table" or "md"; None where it is written in a format for programs."""
    if shown in VIEWS and output is not None:
        raise InvalidParameter(f"--format {shown} is for reading, and goes to standard output: leave out -o {output}")
    if shown is None and output is None and sys.stdout.isatty():
        return "table"
    return shown if shown in VIEWS else None


def print_consensus(done: PlanResult, view: str) -> None:
    """The consensus of every query; as a table only the first queries and items, and the note says of how many."""
    from rich.text import Text

    queries = done.consensus.queries
    if view == "md":
        click.echo("\n\n".join(_write_markdown(done, query) for query in queries))
        return
    for query in queries[:SHOWN_QUERIES]:
        print_query(done, query, items=done.plan.top or SHOWN_ITEMS)
    console = safe_console()
    for line in [_explain(done, counted=_are_too_wide(done, console.width)), *_count_hidden(done)]:
        console.print(Text(line, style="dim"))


def print_query(done: PlanResult, query: str, *, items: int | None = None) -> None:
    """One query as a table: each of its first ``items``, and the rank that every list gave it."""
    columns, rows = _tabulate(done, query, items, counted=_are_too_wide(done, safe_console().width))
    print_table(f"Query: {safe_cell(query)}", columns, rows, right=["score"])


def _write_markdown(done: PlanResult, query: str) -> str:
    columns, rows = _tabulate(done, query, done.plan.top)
    from stagg.evaluation.tables import Cell, Grid, as_markdown

    cells = [[Cell("-" if cell == "-" else str(cell)) for cell in row] for row in rows]
    title = Grid([f"Query: {query}"], [], [False])  # for its escapes
    head = as_markdown(title).split("\n", 1)[0].strip("| ")
    return f"**{head}**\n\n" + as_markdown(Grid(columns, cells, [name != "CONSENSUS" for name in columns]))


def _tabulate(done: PlanResult, query: str, items: int | None, *, counted: bool = False) -> Rows:
    """The rows of one query: beside an item its rank in every list, or, ``counted``, how many lists hold it."""
    given, fused = done.rankings[query], done.consensus
    [scores] = fused[query].scores.values() if len(fused[query].items) else [{}]
    first = fused.item_offsets[fused.query_number(query)]
    level = [] if fused.intervals is None else [f"{fused.intervals.level:.0%}"]
    names, ranks = _list_ranks(given)
    head: list[list[Any]] = [
        [place + 1, item, *[_interval(fused, first + place) for _ in level], _score(score)]
        for place, (item, score) in enumerate(scores.items())
    ][:items]
    found = [[of.get(row[1], "-") for of in ranks] for row in head]
    if counted:
        names, found = ["lists"], [[f"{sum(rank != '-' for rank in row)} of {len(row)}"] for row in found]
    return ["rank", "CONSENSUS", *level, "score", *names], [[*row, *of] for row, of in zip(head, found, strict=True)]


def _list_ranks(given: Query) -> tuple[list[str], list[dict[str, float | int]]]:
    """Every ranker and {item: its rank there}; tied items share the mean of their ranks."""
    rankings = given.rankings
    low, high = rankings.list_offsets[given.number : given.number + 2]
    by_ranker: dict[str, dict[str, float | int]] = {name: {} for name in rankings.rankers}
    for row, ranker in zip(given.positions, rankings.list_rankers[low:high].tolist(), strict=True):
        listed = np.flatnonzero(row >= 0)
        ranks = [int(rank) if rank == int(rank) else rank for rank in (row[listed] + 1).tolist()]
        by_ranker[rankings.rankers[ranker]] = {given.items[i]: rank for i, rank in zip(listed, ranks, strict=True)}
    return list(by_ranker), list(by_ranker.values())


def _are_too_wide(done: PlanResult, width: int) -> bool:
    """Whether a column for every ranker leaves no room for the items."""
    from rich.cells import cell_len

    names = sum(GAP + max(cell_len(safe_cell(name)), 4) for name in done.rankings.rankers)
    return OTHER_COLUMNS + ROOM_FOR_ITEMS + names > width


def _interval(fused: Rankings, entry: int) -> str:
    if fused.intervals is None:
        return ""
    low, high = int(fused.intervals.low[entry]), int(fused.intervals.high[entry])
    return f"{low}" if low == high else f"{low}-{high}"


def _score(score: float) -> str:
    return f"{score:.4f}" if score == 0 or 1e-3 <= abs(score) < 1e6 else f"{score:.4g}"


def _explain(done: PlanResult, *, counted: bool) -> str:
    method, level = safe_cell(done.plan.method.label), done.plan.intervals
    interval = "" if level is None else f" {level:.0%}: the interval of the rank."
    what = (
        "how many rankers list the item" if counted else "the rank that each ranker gave the item, - where it has none"
    )
    return f"Consensus by {method}; to the right {what}.{interval}"


def _count_hidden(done: PlanResult) -> list[str]:
    """How much is not shown, and how to get it."""
    queries, longest = len(done.consensus), int(done.consensus.sizes.max(initial=0))
    hidden = []
    if queries > SHOWN_QUERIES:
        hidden.append(f"the first {SHOWN_QUERIES} of {queries:,} queries (--query Q shows another)")
    if done.plan.top is None and longest > SHOWN_ITEMS:
        hidden.append(f"the first {SHOWN_ITEMS} items (--top K shows more)")
    return [f"Shown: {' and '.join(hidden)}. -o FILE writes all of it, --format trec prints it."] if hidden else []
