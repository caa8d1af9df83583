"""Rankings that are hard on file formats: odd ids, ties, gaps, scores that some lists have and some have not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from stagg import Labels, Rankings
from stagg.data.parts import join_rankers

HOSTILE_IDS = [
    "001",
    "NA",
    "null",
    '"d2',
    "#x",
    "a,b",
    "a b",
    " led",
    "trailed ",
    "no\u00a0break",
    "x" * 5000,
    "é",
    "e\u0301",
    "日本語",
    "🦆",
    "tab\tbed",
    "two\nlines",
    "cr\rid",
    "crlf\r\n",
    "\x01\x1b[31m",
    "\x85\u2028",
    "\0",
    "\ufeffmarked",
    "\ud800",
    "",
    "1e5",
    "-0",
    "{1,2}",
    "qid:1",
    "\\",
    "'",
    "=1+1",
]

ids = st.one_of(st.sampled_from(HOSTILE_IDS), st.text(max_size=4), st.sampled_from(["1", "2", "3", "4", "5"]))

EMPTY = "stands for the empty id, which from_runs refuses"


def _with_empty_ids(made: Rankings) -> Rankings:
    """Writers must cope with an empty id, however it came into the rankings."""
    renamed = {
        name: tuple("" if each == EMPTY else each for each in getattr(made, name))
        for name in ("queries", "rankers", "items")
    }
    return made.replace(**renamed)


@st.composite
def rankings(draw: st.DrawFn) -> Rankings:
    """A few queries, rankers and items under any names, with or without scores."""
    queries = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    rankers = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    items = draw(st.lists(ids, min_size=1, max_size=6, unique=True))
    kind = draw(st.sampled_from(["ranks", "scores", "both", "loose"]))
    parts = []
    for number, ranker in enumerate(rankers):
        by_rank = kind in ("ranks", "loose") or (kind == "both" and number % 2 == 0)
        numbers = st.integers(0, 3) if by_rank else st.one_of(st.floats(-9, 9), st.sampled_from([0.0, -0.0, 1e308]))
        listed_items = st.sampled_from([item or EMPTY for item in items])
        run = {query or EMPTY: draw(st.dictionaries(listed_items, numbers)) for query in queries}
        parts.append(Rankings.from_runs({ranker or EMPTY: run}, values="rank" if by_rank else "score"))
    whole = _with_empty_ids(join_rankers(parts))
    if kind == "loose":  # as after --order-by rank: an order that the scores do not tell
        scores = draw(st.lists(st.integers(-2, 2), min_size=len(whole.entries), max_size=len(whole.entries)))
        whole = whole.replace(scores=np.array(scores, dtype=float))
    if draw(st.booleans()):
        counts = draw(st.lists(st.integers(1, 3), min_size=len(rankers), max_size=len(rankers)))
        whole = whole.replace(multiplicities=np.array(counts, dtype=np.intp))
    return whole


@dataclasses.dataclass(frozen=True)
class Content:
    """What a file is asked to hold."""

    rankings: Rankings
    labels: Labels | None = None


def ever_tamer(wild: Rankings) -> Iterator[Content]:
    """The rankings, then less and less demanding versions of them, the last of which every format can hold."""
    numerals = [str(number) for number in range(1, len(wild.rankers) + 1)]
    first = wild.take_queries([0])
    for each in (wild, wild.with_rankers(numerals), first.with_rankers(numerals)):
        for plain in (False, True):
            for rankings in _less_and_less(plainly_named(each) if plain else each):
                yield Content(rankings)
                yield Content(rankings, labels_of(rankings))
    yield Content(Rankings.from_lists([["b", "a"]]))
    yield Content(Rankings.from_lists([["b", "a"]]), Labels({"1": {"a": 1}}))


def _less_and_less(rankings: Rankings) -> Iterator[Rankings]:
    single = rankings.replace(multiplicities=None)
    yield rankings
    yield single
    yield single.replace(scores=None)
    yield single.take_rankers([0]).with_rankers(["1"])
    yield single.take_rankers([0]).with_rankers(["1"]).replace(scores=None)
    yield rankings.replace(scores=None)


def plainly_named(rankings: Rankings) -> Rankings:
    """The same with ids that every format can hold."""
    items = {name: f"i{number}" for number, name in enumerate(sorted(set(rankings.items)))}
    return rankings.replace(
        queries=tuple(f"q{number}" for number in range(len(rankings.queries))),
        items=tuple(items[name] for name in rankings.items),
    )


def labels_of(rankings: Rankings) -> Labels:
    return Labels({view.id: {item: number % 3 for number, item in enumerate(view.items)} for view in rankings})


def listed(rankings: Rankings) -> Rankings:
    """What a format of rows holds: the queries and candidates that some list holds."""
    with_lists = np.flatnonzero(np.diff(rankings.list_offsets) > 0)
    taken = rankings.replace(declared=False).take_queries(with_lists)
    return taken.take_rankers(np.arange(len(taken.rankers)))
