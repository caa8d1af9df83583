"""Show a consensus: a table for every query, on a terminal or as Markdown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from stagg.aggregate import PlanResult
from stagg.cli.show.talk import print_table, safe_cell, safe_console
from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.data.results.beside import EXTRAS
from stagg.errors import InvalidParameter

if TYPE_CHECKING:
    from stagg.formats.documents.texts import Titles

__all__ = ["VIEWS", "choose_view", "list_seen", "print_consensus", "print_query"]

VIEWS = ("table", "md")
SHOWN_QUERIES = 10
SHOWN_ITEMS = 10  # of a query, where --top does not say how many
ROOM_FOR_ITEMS = 16  # columns of a terminal, at least
AMPLE_ROOM = 24  # columns, with what OTHER_COLUMNS leaves: most ids fit
OTHER_COLUMNS = 30  # columns that rank, score and interval take, at most
INTERVAL_COLUMNS = 12  # of these, the interval
EXTRA_COLUMNS = 10  # columns that a number takes which the method adds, at most
TITLE_COLUMNS = 24  # columns of a title, which is cut
GAP = 3  # columns between two columns of a table
NARROWEST = 4  # columns of a column of ranks
MOST_HEADS = 40  # rankers that a wide terminal has columns for
SHORTEST_NAME = 6  # columns of a heading that can still be recognised

ABSENCE = {
    "below": "An item that a list does not hold stands below all that it holds (--missing below).",
    "neutral": "A list says nothing about the items that it does not hold (--missing neutral).",
    "skip": "An item that a list does not hold gets nothing from it (--missing skip).",
}

Rows = tuple[list[str], list[list[Any]]]
"""The heads of the columns, and the rows below them."""


def choose_view(shown: str | None, output: str | None) -> str | None:
    """How people see the consensus, "table" or "md"; None where it is written in a format for programs."""
    if shown in VIEWS and output is not None:
        raise InvalidParameter(f"--format {shown} is for reading, and goes to standard output: leave out -o {output}")
    if shown is None and output is None and sys.stdout.isatty():
        return "table"
    return shown if shown in VIEWS else None


def list_seen(done: PlanResult, view: str) -> tuple[list[str], list[str]]:
    """(items, queries) that the consensus shows: those whose titles are needed."""
    queries = done.consensus.queries if view == "md" else done.consensus.queries[:SHOWN_QUERIES]
    most = done.plan.top or (None if view == "md" else SHOWN_ITEMS)
    items = (str(item) for query in queries for item in done.consensus[query].items[:most])
    return list(dict.fromkeys(items)), list(queries)


def print_consensus(done: PlanResult, view: str, titles: Titles | None = None) -> None:
    """The consensus of every query; as a table only the first queries and items, and the note says of how many."""
    from rich.text import Text

    queries = done.consensus.queries
    if view == "md":
        click.echo("\n\n".join(_write_markdown(done, query, titles) for query in queries))
        return
    for query in queries[:SHOWN_QUERIES]:
        print_query(done, query, items=done.plan.top or SHOWN_ITEMS, titles=titles)
    console = safe_console()
    for line in [_explain(done, _head_columns(done, console.width, titles)), *_count_hidden(done)]:
        console.print(Text(line, style="dim"))


def print_query(done: PlanResult, query: str, *, items: int | None = None, titles: Titles | None = None) -> None:
    """One query as a table: each of its first ``items``, and the rank that every list gave it."""
    columns, rows = _tabulate(done, query, items, _head_columns(done, safe_console().width, titles), titles)
    rows = [
        [_cut_title(cell) if name == "title" else cell for name, cell in zip(columns, row, strict=True)] for row in rows
    ]
    print_table(f"Query: {safe_cell(_head(query, titles))}", columns, rows, right=["score", *done.plan.method.extras])


def _head(query: str, titles: Titles | None) -> str:
    """The id of a query, and its text where that is known."""
    text = None if titles is None else titles.of_query(query)
    return query if text is None else f"{query}  {text}"


def _cut_title(title: str) -> str:
    return title if len(title) <= TITLE_COLUMNS else f"{title[: TITLE_COLUMNS - 1].rstrip()}…"


def _write_markdown(done: PlanResult, query: str, titles: Titles | None) -> str:
    columns, rows = _tabulate(done, query, done.plan.top, list(done.rankings.rankers), titles)
    from stagg.evaluation.tables import Cell, Grid, as_markdown

    cells = [[Cell("-" if cell == "-" else str(cell)) for cell in row] for row in rows]
    title = Grid([f"Query: {_head(query, titles)}"], [], [False])  # for its escapes
    head = as_markdown(title).split("\n", 1)[0].strip("| ")
    return f"**{head}**\n\n" + as_markdown(
        Grid(columns, cells, [name not in ("CONSENSUS", "title") for name in columns])
    )


def _tabulate(done: PlanResult, query: str, items: int | None, heads: list[str] | None, titles: Titles | None) -> Rows:
    """The rows of one query: beside an item its rank in every list, or, without ``heads``, how many lists hold it."""
    given, fused = done.rankings[query], done.consensus
    [scores] = fused[query].scores.values() if len(fused[query].items) else [{}]
    first = fused.item_offsets[fused.query_number(query)]
    level = [] if fused.intervals is None else [f"{fused.intervals.level:.0%}"]
    ranks, extras = _list_ranks(given), fused.extras or {}
    head: list[list[Any]] = [
        [place + 1, item, *[_interval(fused, first + place) for _ in level], _score(score)]
        + [_score(column[first + place]) for column in extras.values()]
        for place, (item, score) in enumerate(scores.items())
    ][:items]
    found = [[of.get(row[1], "-") for of in ranks] for row in head]
    if heads is None:
        heads, found = ["lists"], [[f"{sum(rank != '-' for rank in row)} of {len(row)}"] for row in found]
    columns = ["rank", "CONSENSUS", *level, "score", *extras, *heads]
    rows = [[*row, *of] for row, of in zip(head, found, strict=True)]
    if titles is None or not titles.documents:
        return columns, rows
    columns.insert(2, "title")
    return columns, [[*row[:2], titles.of_item(row[1]) or "", *row[2:]] for row in rows]


def _list_ranks(given: Query) -> list[dict[str, float | int]]:
    """Of every ranker {item: its rank there}; tied items share the mean of their ranks."""
    rankings = given.rankings
    low, high = rankings.list_offsets[given.number : given.number + 2]
    by_ranker: dict[str, dict[str, float | int]] = {name: {} for name in rankings.rankers}
    for row, ranker in zip(given.positions, rankings.list_rankers[low:high].tolist(), strict=True):
        listed = np.flatnonzero(row >= 0)
        ranks = [int(rank) if rank == int(rank) else rank for rank in (row[listed] + 1).tolist()]
        by_ranker[rankings.rankers[ranker]] = {given.items[i]: rank for i, rank in zip(listed, ranks, strict=True)}
    return list(by_ranker.values())


def _head_columns(done: PlanResult, width: int, titles: Titles | None = None) -> list[str] | None:
    """A heading for every ranker, cut if need be; None if their columns leave no room for the items."""
    from rich.cells import cell_len

    width -= TITLE_COLUMNS + GAP if titles is not None and titles.documents else 0

    if OTHER_COLUMNS + ROOM_FOR_ITEMS + (GAP + NARROWEST) * len(done.rankings.rankers) > width:
        return None  # before any name is looked at: there may be thousands
    names = [safe_cell(name) for name in done.rankings.rankers]
    longest = max((cell_len(name) for name in names), default=0)

    free = INTERVAL_COLUMNS if done.plan.intervals is None else 0
    others = OTHER_COLUMNS + max(0, EXTRA_COLUMNS * len(done.plan.method.extras) - free)

    def fits(heads: list[str], items: int) -> bool:
        return others + items + sum(GAP + max(cell_len(head), NARROWEST) for head in heads) <= width

    if fits(names, ROOM_FOR_ITEMS):
        return names
    cut = (
        (items, cut_names(names, limit))
        for items in (AMPLE_ROOM, ROOM_FOR_ITEMS)
        for limit in range(longest - 1, SHORTEST_NAME - 1, -1)
    )
    return next((heads for items, heads in cut if fits(heads, items)), None)


def cut_names(names: Sequence[str], limit: int) -> list[str]:
    """The names in at most ``limit`` columns, with an ellipsis where one was cut; a number tells equal ones apart.

    >>> cut_names(["bm25", "splade_one", "splade_two"], 8), cut_names(["bm25", "splade_one", "splade_two"], 6)
    (['bm25', 'splade_…', 'splade…2'], ['bm25', 'splad…', 'spla…2'])
    """
    from rich.cells import cell_len, set_cell_size

    heads: dict[str, int] = {}  # in this order, and the last number that tells one from others that are cut alike
    for name in names:
        head = first = name if cell_len(name) <= limit else f"{set_cell_size(name, limit - 1).rstrip()}…"
        while head in heads:
            heads[first] += 1
            head = f"{set_cell_size(name, limit - 1 - len(str(heads[first]))).rstrip()}…{heads[first]}"
        heads[head] = 1
    return list(heads)


def _interval(fused: Rankings, entry: int) -> str:
    if fused.intervals is None:
        return ""
    low, high = int(fused.intervals.low[entry]), int(fused.intervals.high[entry])
    return f"{low}" if low == high else f"{low}-{high}"


def _score(score: float) -> str:
    return f"{score:.4f}" if score == 0 or 1e-3 <= abs(score) < 1e6 else f"{score:.4g}"


def _explain(done: PlanResult, heads: list[str] | None) -> str:
    method, level = safe_cell(done.plan.method.label), done.plan.intervals
    interval = "" if level is None else f" {level:.0%}: the interval of the rank."
    extras = "".join(f" {name}: {EXTRAS[name]}." for name in done.plan.method.extras)
    if heads is None:
        what = "how many rankers list the item"
        what += "; a wider terminal shows the rank in each" if len(done.rankings.rankers) <= MOST_HEADS else ""
    else:
        what = "the rank that each ranker gave the item, - where it has none"
    names = [safe_cell(name) for name in done.rankings.rankers]
    cut = [f"{head} is {name}" for head, name in zip(heads or names, names, strict=True) if head != name]
    return " ".join(
        [
            f"Consensus by {method}; to the right {what}.{interval}{extras}{_explain_absence(done)}",
            *([", ".join(cut) + "."] if cut else []),
        ]
    )


def _explain_absence(done: PlanResult) -> str:
    """The meaning of absence from a list for the scores, where some list lacks an item."""
    view_sizes = np.repeat(done.rankings.sizes, np.diff(done.rankings.list_offsets))
    partial = bool((np.diff(done.rankings.entry_offsets) < view_sizes).any())
    meaning = done.plan.method.told_absence
    return f" {ABSENCE[meaning]}" if partial and meaning is not None else ""


def _count_hidden(done: PlanResult) -> list[str]:
    """How much is not shown, and how to get it."""
    queries, longest = len(done.consensus), int(done.consensus.sizes.max(initial=0))
    hidden = []
    if queries > SHOWN_QUERIES:
        hidden.append(f"the first {SHOWN_QUERIES} of {queries:,} queries (--query Q shows another)")
    if done.plan.top is None and longest > SHOWN_ITEMS:
        hidden.append(f"the first {SHOWN_ITEMS} items (--top K shows more)")
    return [f"Shown: {' and '.join(hidden)}. -o FILE writes all of it, --format trec prints it."] if hidden else []
