"""Items without a judgment: how many a run has, and the run judged as if they were left out, or relevant."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

import numpy as np

from stagg.data.labels import UNJUDGED, Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.measures.binary import JudgedShare
from stagg.measures.judged import PAD, Block, Conventions, Judged, order_entries, sort_descending
from stagg.registry import near_names

__all__ = [
    "REACH",
    "TREATMENTS",
    "Unjudged",
    "UnjudgedItems",
    "are_uneven",
    "check_unjudged",
    "count_by_query",
    "drop_unjudged",
    "find_unjudged",
    "round_share",
    "share_by_ranker",
    "share_judged",
    "suppose_relevant",
    "tell_shares",
    "tell_uneven",
]

Unjudged = Literal["irrelevant", "skip", "bounds"]
TREATMENTS: Final[tuple[Unjudged, ...]] = get_args(Unjudged)
"""What becomes of items without a judgment: they count as irrelevant, they are left out, or both ends are shown."""

REACH: Final = 10
"""So many of the first items are looked at where a measure has no cut-off of its own."""

UNEVEN = 0.1  # shares of judged items that differ by so much are worth a warning
DIGITS = 9  # of a difference of shares: .3 - .2 is .1
ENOUGH = 50  # first items of a ranker: with fewer, shares differ by chance

UnjudgedItems = frozenset[tuple[str, str]]
"""(query, item) of items without a judgment."""


def check_unjudged(unjudged: Unjudged) -> None:
    if not isinstance(unjudged, str) or unjudged not in TREATMENTS:
        hint = near_names(unjudged, TREATMENTS) if isinstance(unjudged, str) else ""
        choices = ", ".join(map(repr, TREATMENTS))
        raise InvalidParameter(f"unjudged is {shown(unjudged)}; it must be one of {choices}{hint}")


def find_unjudged(
    run: Rankings,
    labels: Labels,
    depth: int | None,
    *,
    conventions: Conventions = "standard",
    aligned: FloatArray | None = None,
) -> UnjudgedItems:
    """The items without a judgment among the first ``depth`` of each list, of the queries that have labels.

    ``depth`` None means whole lists; ``aligned`` is ``labels.aligned(run)``.

    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> sorted(find_unjudged(run, Labels({"q": {"a": 1}}), 2))
    [('q', 'b')]
    """
    grades = labels.aligned(run) if aligned is None else aligned
    entries = order_entries(run, conventions)
    chosen = grades[entries] == UNJUDGED
    if depth is not None:
        chosen &= run.positions < depth
    queries = [run.queries[number] for number in run.entry_queries[chosen].tolist()]
    items = [run.items[number] for number in entries[chosen].tolist()]
    return frozenset((query, str(item)) for query, item in zip(queries, items, strict=True) if query in labels)


def count_by_query(items: Iterable[tuple[str, str]]) -> Mapping[str, int]:
    """How many items each query has."""
    return collections.Counter(query for query, _ in items)


def drop_unjudged(judged: Judged) -> Judged:
    """The run without its unjudged items: those below move up (condensed lists).

    Reference: Sakai, "Alternatives to bpref", SIGIR 2007.

    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> drop_unjudged(judge(run, Labels({"q": {"b": 2, "c": 0}}))).blocks[0].grades
    array([[ 2.,  0., -2.]])
    """
    sizes = judged.sizes.copy()
    blocks = []
    for block in judged.blocks:
        order = np.argsort(block.grades < 0, axis=1, kind="stable")  # what has no grade moves behind the list
        grades = np.take_along_axis(block.grades, order, axis=1)
        grades = np.where(grades < 0, PAD, grades)
        sizes[block.rows] = (grades >= 0).sum(axis=1)
        blocks.append(dataclasses.replace(block, grades=grades, sizes=sizes[block.rows]))
    return dataclasses.replace(judged, sizes=sizes, blocks=tuple(blocks))


def suppose_relevant(judged: Judged, counts: Mapping[str, int], depth: int | None, *, listed: bool = True) -> Judged:
    """The run as if its unjudged items among the first ``depth`` had the top grade.

    ``counts`` says how many unjudged items of each query are supposed to be relevant, also those that only other runs
    show: all of them belong to the ideal list of the query. ``listed`` False: they are, but not those of the run.

    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> block = suppose_relevant(judge(run, Labels({"q": {"b": 2}})), {"q": 2}, 1).blocks[0]
    >>> block.grades, block.ideal
    (array([[ 2.,  2., -1.]]), array([[2., 2., 2.]]))
    """
    top = judged.largest or 1.0
    more = np.array([counts.get(query, 0) for query in judged.queries], dtype=np.intp)
    blocks = tuple(_suppose(block, more[block.rows], depth if listed else 0, top) for block in judged.blocks)
    return dataclasses.replace(judged, largest=top, blocks=blocks)


def _suppose(block: Block, more: IntArray, depth: int | None, top: float) -> Block:
    grades = block.grades.copy()
    first = grades[:, :depth]
    first[first == UNJUDGED] = top
    added = np.where(np.arange(int(more.max(initial=0))) < more[:, None], top, PAD)
    ideal = sort_descending(np.concatenate([block.ideal, added], axis=1))
    return dataclasses.replace(block, grades=grades, ideal=ideal, largest=top)


def share_judged(parts: Iterable[Judged], depth: int) -> float | None:
    """The share of judged items among the first ``depth``: the mean over the queries that have a list; None without.

    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> share_judged([judge(run, Labels({"q": {"a": 1}, "other": {"a": 1}}))], 2)
    0.5
    """
    parts = list(parts)
    shares = [JudgedShare(cutoff=depth).value(part)[part.sizes > 0] for part in parts]
    known = np.concatenate([*shares, np.zeros(0)])
    return float(known.mean()) if len(known) else None


def share_by_ranker(rankings: Rankings, labels: Labels, depth: int = REACH, *, at_least: int = 1) -> dict[str, float]:
    """How much of the first items of each ranker is judged, over the queries that have labels.

    Rankers that have fewer than ``at_least`` first items in all are left out.

    >>> rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "c"]}, query="q")
    >>> share_by_ranker(rankings, Labels({"q": {"a": 1, "b": 0}}))
    {'x': 1.0, 'y': 0.5}
    """
    judged = labels.aligned(rankings)[order_entries(rankings, "standard")] >= 0
    first, lists = rankings.positions < depth, len(rankings.list_rankers)
    counts = np.bincount(rankings.entry_lists[first], minlength=lists)
    known = np.bincount(rankings.entry_lists[first & judged], minlength=lists)
    has_labels = np.array([query in labels for query in rankings.queries], dtype=bool)[rankings.list_queries]
    lists_of = [
        np.flatnonzero((rankings.list_rankers == number) & has_labels & (counts > 0))
        for number in range(len(rankings.rankers))
    ]
    return {
        name: float((known[chosen] / counts[chosen]).mean())
        for name, chosen in zip(rankings.rankers, lists_of, strict=True)
        if counts[chosen].sum() >= at_least
    }


def are_uneven(shares: Mapping[str, float]) -> bool:
    """Whether a comparison of these rows would be one of how much is judged, too.

    >>> are_uneven({"bm25": 0.55, "dense": 0.26}), are_uneven({"bm25": 0.97, "dense": 0.93})
    (True, False)
    """
    return bool(shares) and round(max(shares.values()) - min(shares.values()), DIGITS) >= UNEVEN


def tell_shares(shares: Mapping[str, float], depth: int) -> str:
    """The least and the most judged of some rows.

    >>> tell_shares({"bm25": 0.55, "dense": 0.26}, 10)
    'dense: 26 % of its first 10 are judged, bm25: 55 %'
    """
    least, most = min(shares, key=lambda name: shares[name]), max(shares, key=lambda name: shares[name])
    low, high = (f"{100 * round_share(shares[name]):.0f} %" for name in (least, most))
    return f"{least}: {low} of its first {depth} are judged, {most}: {high}"


def tell_uneven(rankings: Rankings, labels: Labels, *, left_out: bool = False) -> str | None:
    """What to say where the labels cover the rankers unevenly; None where they do not.

    ``left_out``: unjudged items do not count as irrelevant here, but not at all.
    """
    shares = share_by_ranker(rankings, labels, at_least=ENOUGH)
    if not are_uneven(shares):
        return None
    return f"{tell_shares(shares, REACH)}, and unjudged {'is left out' if left_out else 'counts as irrelevant'}"


def round_share(share: float) -> float:
    """The share in whole per cent; only all is 1, and only none is 0.

    >>> round_share(0.9999), round_share(0.256), round_share(0.001)
    (0.99, 0.26, 0.01)
    """
    return min(max(round(100 * share), 1), 99) / 100 if 0 < share < 1 else share
