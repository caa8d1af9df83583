"""Rankers that share no item with any other, mostly because of mismatched ids: ``2908`` beside ``doc-2908``."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, bare, plural
from stagg.kernels.agreement.sharing import mark_sharing
from stagg.kernels.arrays import IntArray

__all__ = ["Overlap", "Stranger", "all_share", "find_overlap", "warn_of_strangers"]

ENOUGH: Final = 20
"""So many items, of the ranker and of the others, that have nothing in common are no accident."""

ENOUGH_UNLIKE: Final = 2
"""The same, of one query, where the ids are written with other kinds of characters: digits beside letters, say."""

SAMPLE: Final = 20
NAMED: Final = 3


class Stranger(NamedTuple):
    """A ranker that shares nothing, as seen in the queries for which another ranker has a list, too.

    ``own`` and ``others`` count the entries of its lists and of the other lists. The samples of ids, its own and
    theirs, are of the query with the least id, so that they do not depend on what was looked at first.
    """

    queries: int
    own: int
    others: int
    query: str
    ids: tuple[str, ...]
    other_ids: tuple[str, ...]

    def add(self, other: Stranger) -> Stranger:
        """The same ranker, seen in more queries."""
        first = self if self.query <= other.query else other
        return first._replace(
            queries=self.queries + other.queries, own=self.own + other.own, others=self.others + other.others
        )

    @property
    def is_sure(self) -> bool:
        """Whether nothing is shared, and not by accident."""
        if min(self.own, self.others) >= ENOUGH:
            return True
        unlike = not {*map(_characters, self.ids)} & {*map(_characters, self.other_ids)}
        return unlike and min(len(self.ids), len(self.other_ids)) >= ENOUGH_UNLIKE

    @property
    def example(self) -> tuple[str, str]:
        """One of its ids and one of the others', of the same item if it looks like that."""
        alike = ((mine, theirs) for mine in self.ids for theirs in self.other_ids if mine in theirs or theirs in mine)
        return next(alike, (self.ids[0], self.other_ids[0]))


@dataclasses.dataclass
class Overlap:
    """Which rankers share items with others, ``sharing``, and what was seen of those that do not. Parts add up."""

    sharing: set[str] = dataclasses.field(default_factory=set)
    alone: dict[str, Stranger] = dataclasses.field(default_factory=dict)

    def add(self, part: Overlap) -> None:
        """Take in what was seen in other queries."""
        self.sharing |= part.sharing
        for name, seen in part.alone.items():
            held = self.alone.get(name)
            self.alone[name] = seen if held is None else held.add(seen)
        for name in self.sharing & self.alone.keys():
            del self.alone[name]

    @property
    def strangers(self) -> dict[str, Stranger]:
        """The rankers that certainly have nothing to do with the others."""
        return {name: seen for name, seen in self.alone.items() if seen.is_sure}

    def describe(self) -> str | None:
        """Describe the strangers in words; None if there are none."""
        strangers = self.strangers
        if not strangers:
            return None
        if not self.sharing and len(strangers) == len(self.alone):
            return _describe_all(strangers)
        said = [_describe_one(name, seen) for name, seen in list(strangers.items())[:NAMED]]
        if len(strangers) > NAMED:
            said.append(f"the same holds for {plural(len(strangers) - NAMED, 'other ranker')}")
        return "; ".join(said)


def all_share(rankings: Rankings) -> bool:
    """Whether each ranker shares an item with another, or has nobody to share one with: cheap, for every request."""
    lists = len(rankings.list_rankers)
    if lists < 2 or (lists == 2 and len(rankings) == 1 and len(rankings.items) < len(rankings.entries)):
        return True
    return mark_sharing(
        rankings.entries, rankings.entry_offsets, rankings.list_rankers, len(rankings.items), _of_several(rankings)
    )


def find_overlap(rankings: Rankings, known: Overlap | None = None) -> Overlap:
    """Who shares items with whom; ``known``, what other parts have shown, saves looking again.

    >>> runs = {"bm25": ["doc-1", "doc-2"], "sparse": ["doc-2", "doc-3"], "dense": ["2", "1"]}
    >>> print(find_overlap(Rankings.from_lists(runs)).describe())
    dense shares no item with any other list; its ids look like 2, the others' like doc-2
    """
    marks = _of_several(rankings)
    if known is not None and known.sharing:
        marks |= np.array([name in known.sharing for name in rankings.rankers], dtype=bool)
    mark_sharing(rankings.entries, rankings.entry_offsets, rankings.list_rankers, len(rankings.items), marks)
    shared = {name for name, mark in zip(rankings.rankers, marks.tolist(), strict=True) if mark}
    beside_others = rankings.list_counts[rankings.list_queries] > 1
    lists = np.flatnonzero(~marks[rankings.list_rankers] & beside_others)
    return Overlap(shared, dict(_strangers(rankings, lists)))


def warn_of_strangers(rankings: Rankings, *, advice: str = "", stacklevel: int = 2) -> bool:
    """A DataWarning that names the rankers which share no item with any other; whether there may be some."""
    if all_share(rankings):
        return False
    overlap = find_overlap(rankings)
    said = overlap.describe()
    if said is not None:
        text = _Said(f"{said}{advice}", tuple(overlap.strangers))
        warnings.warn(text, DataWarning, stacklevel=stacklevel + 1)
    return bool(overlap.alone)


class _Said(str):
    """The text of a warning that counts as said before if something of the kind was said of the same rankers.

    Python shows a warning once, and to know that, it keeps each text. The ids in this one change from request to
    request: a service would warn of each, and fill its memory.
    """

    about: tuple[str, ...]

    def __new__(cls, text: str, about: tuple[str, ...] = ()) -> _Said:
        made = super().__new__(cls, text)
        made.about = about
        return made

    def __eq__(self, other: object) -> bool:
        return self.about == other.about if isinstance(other, _Said) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.about)


# --- what was seen ----------------------------------------------------------------------------------------------------


def _of_several(rankings: Rankings) -> Any:
    """Rankers that stand for several voters, who share everything with one another."""
    return rankings.multiplicities > 1 if rankings.is_weighted else np.zeros(len(rankings.rankers), dtype=bool)


def _strangers(rankings: Rankings, lists: IntArray) -> Iterator[tuple[str, Stranger]]:
    """The rankers that own these lists, and what they and the other lists of the same queries hold."""
    owners, lengths = rankings.list_rankers[lists], rankings.list_lengths[lists]
    ends = rankings.entry_offsets[rankings.list_offsets]
    rest = (ends[1:] - ends[:-1])[rankings.list_queries[lists]] - lengths
    first: dict[int, int] = {}
    names = [rankings.queries[query] for query in rankings.list_queries[lists].tolist()]
    for place, owner in enumerate(owners.tolist()):
        if owner not in first or names[place] < names[first[owner]]:
            first[owner] = place
    count = len(rankings.rankers)
    queries, own, others = (np.bincount(owners, each, count) for each in (None, lengths, rest))
    for owner, place in first.items():
        ids, other_ids = _sample(rankings, int(lists[place]))
        seen = Stranger(int(queries[owner]), int(own[owner]), int(others[owner]), names[place], ids, other_ids)
        yield rankings.rankers[owner], seen


def _sample(rankings: Rankings, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Some ids of a list, and some of the lists beside it."""
    query = rankings.list_queries[number]
    start, end = rankings.entry_offsets[number : number + 2]
    first, last = rankings.entry_offsets[rankings.list_offsets[query : query + 2]]
    mine = rankings.entries[start : min(end, start + SAMPLE)]
    before = rankings.entries[first : min(start, first + SAMPLE)]
    after = rankings.entries[end : min(last, end + SAMPLE)]
    texts = [tuple(rankings.items[item] for item in each.tolist()) for each in (mine, before, after)]
    return texts[0], texts[1] + texts[2]


def _characters(text: str) -> frozenset[str]:
    """The kinds of characters that an id is written with: letters, digits, and each sign for itself."""
    return frozenset("a" if letter.isalpha() else "0" if letter.isdigit() else letter for letter in text)


# --- what is said -----------------------------------------------------------------------------------------------------


def _describe_one(name: str, seen: Stranger) -> str:
    mine, theirs = map(bare, seen.example)
    where = _in_queries(seen.queries)
    return (
        f"{bare(name)} shares no item with any other list{where}; its ids look like {mine}, the others' like {theirs}"
    )


def _describe_all(strangers: dict[str, Stranger]) -> str:
    """No two rankers have an item in common."""
    some = list(strangers)[:NAMED]
    more = [plural(len(strangers) - NAMED, "other ranker")] if len(strangers) > NAMED else []
    ids = strangers[some[0]].example if len(strangers) == 2 else [strangers[name].ids[0] for name in some]
    where = _in_queries(max(seen.queries for seen in strangers.values()))
    return f"{_list([*map(bare, some), *more])} share no item{where}; their ids look like {_list([*map(bare, ids)])}"


def _in_queries(count: int) -> str:
    return "" if count == 1 else f" in {count:,} of {count:,} queries"


def _list(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
