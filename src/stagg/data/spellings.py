"""Spellings: names that look alike, where one is probably a slip, and names that the caller says are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, plural, shown
from stagg.kernels.arrays import IntArray
from stagg.kernels.ragged import build_offsets, count_offsets
from stagg.say import Say, Told, tell

__all__ = [
    "LookAlike",
    "Merged",
    "count_listings",
    "describe_like_rankers",
    "describe_look_alikes",
    "find_look_alikes",
    "merge_names",
]

MOST: Final = 300  # names that are compared with one another
SHORT, LONG = 4, 10  # letters of the words that differ: in so many one letter may, or two
SIGNS: Final = "#%&*@"  # punctuation that makes another name
RARE: Final = 3  # times as often as the slip is the name written right


class LookAlike(NamedTuple):
    """A ``rare`` name that may be a slip for another, and on how many ballots each stands."""

    rare: str
    name: str
    rare_ballots: int
    ballots: int


def find_look_alikes(counts: Mapping[str, int]) -> list[LookAlike]:
    """Names that differ by accents or the order of words, or by a letter or two where one of them is rare.

    >>> find_look_alikes({"Ana Ortiz": 20, "Ana Oritz": 1, "Ortiz, Ana": 2, "Ben Au": 9, "Ben Ed": 1})
    [LookAlike(rare='Ana Oritz', name='Ana Ortiz', rare_ballots=1, ballots=20), \
LookAlike(rare='Ortiz, Ana', name='Ana Ortiz', rare_ballots=2, ballots=20)]
    """
    names = sorted(counts, key=lambda name: (-counts[name], name))
    if len(names) > MOST:
        return []
    words = {name: _words(name) for name in names}
    found = []
    for number, rare in enumerate(names):
        name = next((each for each in names[:number] if _are_alike(words[each], words[rare], counts, each, rare)), None)
        if name is not None:
            found.append(LookAlike(rare, name, counts[rare], counts[name]))
    return sorted(found)


def _are_alike(one: Sequence[str], other: Sequence[str], counts: Mapping[str, int], name: str, rare: str) -> bool:
    if _digits(one) != _digits(other):
        return False
    if sorted(one) == sorted(other):
        return bool(one)
    is_rare = RARE * counts[rare] <= counts[name] or (counts[rare] == 1 and counts[name] > 1)
    if not is_rare:
        return False
    left, right = set(one) - set(other), set(other) - set(one)
    if max(map(len, left), default=0) < SHORT or max(map(len, right), default=0) < SHORT:
        return False  # Team A and Team B
    most = 1 if min(sum(map(len, left)), sum(map(len, right))) < LONG else 2
    return any(_distance(" ".join(one), " ".join(each), most) <= most for each in (other, sorted(other)))


def _words(name: str) -> list[str]:
    """The words of a name without accents, capitals and punctuation; signs stay, for C, C++ and C# are three names."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return "".join(" " if unicodedata.category(c)[0] in "PZC" and c not in SIGNS else c for c in plain).split()


def _digits(words: Sequence[str]) -> str:
    return "".join(c for word in words for c in word if c.isdigit())


def _distance(one: str, other: str, most: int) -> int:
    """How many letters are changed, left out, added or swapped with their neighbour; more than ``most`` is not exact.

    >>> _distance("oritz", "ortiz", 2), _distance("anna", "ana", 2), _distance("ada", "cleo", 1)
    (1, 1, 2)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    row = list(range(len(other) + 1))
    older = before = row
    for i, a in enumerate(one, start=1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            best = min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, older[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
    return row[-1]


def describe_look_alikes(rankings: Rankings, *, of: str = "ballot") -> list[Told]:
    """A warning for each pair of names that look alike: both, on how many ballots, and how to merge them.

    >>> str(describe_look_alikes(Rankings.from_lists([["Ana Ortiz"]] * 9 + [["Ana Oritz"]]))[0])[:60]
    "'Ana Oritz' (1 ballot) and 'Ana Ortiz' (9 ballots) look alik"
    """
    return [
        tell(
            f"{shown(each.rare)} ({plural(each.rare_ballots, of)}) and {shown(each.name)} "
            f"({plural(each.ballots, of)}) {_likeness(each)}; if they are the same, say ",
            Say(same={each.rare: each.name}),
        )
        for each in (find_look_alikes(count_listings(rankings)) if len(rankings.items) <= MOST else [])
    ]


def _likeness(pair: LookAlike) -> str:
    if unicodedata.normalize("NFC", pair.rare) == unicodedata.normalize("NFC", pair.name):
        return "look the same, but their Unicode characters differ"
    return "look alike"


def describe_like_rankers(rankings: Rankings, *, of: str = "ranker") -> list[Told]:
    """The same for rankers, who may be voters; names that differ in capitals alone are told where they are read.

    >>> print(*describe_like_rankers(Rankings.from_lists({"Ann Lee": ["a"], "Lee, Ann": ["b"]})))
    the rankers 'Lee, Ann' and 'Ann Lee' look alike; if they are the same, leave out one of their lists
    """
    if len(rankings.rankers) > MOST:
        return []
    lists = np.bincount(rankings.list_rankers, minlength=len(rankings.rankers)).tolist()
    number = {name: place for place, name in enumerate(rankings.rankers)}
    told = []
    for rare, name, *_ in find_look_alikes({name: lists[place] for name, place in number.items() if lists[place]}):
        if rare.casefold() != name.casefold():
            one, other = (rankings.list_queries[rankings.list_rankers == number[each]] for each in (rare, name))
            meet = len(np.intersect1d(one, other)) > 0
            remedy = "leave out one of their lists" if meet else tell("say ", Say(same={rare: name}))
            told.append(tell(f"the {of}s {shown(rare)} and {shown(name)} look alike; if they are the same, ", remedy))
    return told


def count_listings(rankings: Rankings) -> dict[str, int]:
    """On how many ballots, counted by voters, each item stands."""
    voters = rankings.multiplicities[rankings.list_rankers][rankings.entry_lists]
    sums = np.zeros(len(rankings.items), dtype=np.intp)
    np.add.at(sums, rankings.entries, voters)
    counts: dict[str, int] = {}
    for item, number in zip(map(str, rankings.items), sums.tolist(), strict=True):
        counts[item] = counts.get(item, 0) + number
    return counts


# --- names that are the same ------------------------------------------------------------------------------------------


class Merged(NamedTuple):
    """A name that was read as another, in so many lists; ``twice``: lists that hold both, at the first place."""

    name: str
    kept: str
    lists: int
    twice: int
    is_ranker: bool = False


def merge_names(rankings: Rankings, same: Mapping[str, str]) -> tuple[Rankings, list[Merged]]:
    """The rankings with other names for some items and rankers; an item that a list then holds twice stays once.

    >>> votes = Rankings.from_lists({"ann": ["Ana Oritz", "Ben"], "bob": ["Ana Ortiz"]})
    >>> merge_names(votes, {"Ana Oritz": "Ana Ortiz"})[0]
    Rankings(1 query, 2 rankers, 2 items)
      ann: Ana Ortiz > Ben
      bob: Ana Ortiz
    """
    told = [*_tell_items(rankings, same), *_tell_rankers(rankings, same)]
    return _merge_rankers(_merge_items(rankings, same), same), told


def _tell_items(rankings: Rankings, same: Mapping[str, str]) -> Iterator[Merged]:
    names = [str(item) for item in rankings.items]
    lists = [{names[i] for i in rankings.entries[low:high].tolist()} for low, high in _spans(rankings.entry_offsets)]
    for name, kept in same.items():
        holding = [voters for voters, held in zip(_voters(rankings), lists, strict=True) if name in held]
        both = [
            voters for voters, held in zip(_voters(rankings), lists, strict=True)
            if name in held and any(same.get(each, each) == kept for each in held - {name})
        ]  # fmt: skip
        if name in names:
            yield Merged(name, kept, sum(holding), sum(both))


def _voters(rankings: Rankings) -> list[int]:
    voters: list[int] = rankings.multiplicities[rankings.list_rankers].tolist()
    return voters


def _spans(offsets: IntArray) -> Iterator[tuple[int, int]]:
    return zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)


def _tell_rankers(rankings: Rankings, same: Mapping[str, str]) -> Iterator[Merged]:
    for number, name in enumerate(rankings.rankers):
        if name in same:
            yield Merged(name, same[name], int((rankings.list_rankers == number).sum()), 0, is_ranker=True)


def _merge_items(rankings: Rankings, same: Mapping[str, str]) -> Rankings:
    """Items of one text in a query are one item, at the place of the first of them."""
    texts = [same.get(str(item), str(item)) for item in rankings.items]
    if texts == [str(item) for item in rankings.items]:
        return rankings
    number: dict[tuple[int, str], int] = {}
    owners = [number.setdefault(key, len(number)) for key in zip(rankings.item_queries.tolist(), texts, strict=True)]
    entries = np.array(owners, dtype=np.intp)[rankings.entries]
    keys = rankings.entry_lists * max(1, len(number)) + entries
    keep = np.zeros(len(entries), dtype=bool)
    keep[np.unique(keys, return_index=True)[1]] = True
    groups = np.cumsum(~rankings.tied)[keep]
    lists = rankings.entry_lists[keep]
    tied = np.zeros(len(groups), dtype=bool)
    tied[1:] = (groups[1:] == groups[:-1]) & (lists[1:] == lists[:-1])
    return rankings.replace(
        items=tuple(text for _, text in number),
        item_offsets=count_offsets(np.array([query for query, _ in number], dtype=np.intp), len(rankings)),
        entries=entries[keep],
        tied=tied,
        scores=None if rankings.scores is None else rankings.scores[keep],
        raw_ranks=None if rankings.raw_ranks is None else rankings.raw_ranks[keep],
        entry_offsets=build_offsets(np.bincount(lists, minlength=len(rankings.list_rankers)).astype(np.intp)),
    )


def _merge_rankers(rankings: Rankings, same: Mapping[str, str]) -> Rankings:
    """Rankers of one name are one; two lists of theirs for a query are an error, as are different numbers of voters."""
    texts = [same.get(name, name) for name in rankings.rankers]
    if texts == [*rankings.rankers]:
        return rankings
    names = [*dict.fromkeys(texts)]
    owner = np.array([names.index(text) for text in texts], dtype=np.intp)
    first = np.array([texts.index(name) for name in names], dtype=np.intp)
    for one, text in enumerate(texts):
        alike = rankings.multiplicities[one] == rankings.multiplicities[first[owner[one]]]
        if not alike or rankings.weights[one] != rankings.weights[first[owner[one]]]:
            raise DataError(
                f"{shown(rankings.rankers[one])} and {shown(text)} count differently; they are not the same"
            )
    lists = owner[rankings.list_rankers]
    _refuse_two_lists(rankings, lists, names)
    renamed = rankings.replace(
        rankers=tuple(names),
        list_rankers=lists,
        multiplicities=rankings.multiplicities[first],
        weights=rankings.weights[first],
    )
    return renamed.take_rankers(np.arange(len(names)))


def _refuse_two_lists(rankings: Rankings, lists: IntArray, names: Sequence[str]) -> None:
    keys = rankings.list_queries * len(names) + lists
    kinds, times = np.unique(keys, return_counts=True)
    if (times > 1).any():
        query, ranker = divmod(int(kinds[times > 1][0]), len(names))
        told = f"{shown(names[ranker])} has two lists for the query {shown(rankings.queries[query])}"
        raise DataError(f"{told} if these names are the same; leave out one of the lists")
