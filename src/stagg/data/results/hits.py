"""Hits of a consensus: rank, score and interval, also as dicts and frames; ids are the caller's own objects."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from stagg.data.ids import has_own, own_ids
from stagg.data.inputs.frames import make_frame
from stagg.data.query import order_scores
from stagg.data.results.beside import BESIDE, columns_beside
from stagg.errors import DataError, InvalidParameter, UnknownName
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.text.requests import make_slots

if TYPE_CHECKING:
    from stagg.data.rankings import Rankings
    from stagg.data.results.paging import Page

__all__ = ["Hit", "as_dict", "frame_columns", "frame_of", "hits_of", "page_of"]

FIELDS: Final = ("item", "rank", "score", *BESIDE)
SLOTS: Final = ("item", "rank", "score", "source")
MANY_CELLS: Final = 10_000  # of a column; fewer are made sooner than Arrow is loaded


@final
class Hit:
    """One item of a result: ``item``, ``rank`` (from 1, never shared) and ``score``.

    ``low``, ``high``, ``top`` and ``group`` say how sure the rank is; they are None unless you asked for intervals.
    ``p`` and ``q`` are those of the method ``rra``, and None by any other.
    ``ranks`` and ``scores`` are what each ranker gave the item, ``{ranker: number}``: they are looked up in the inputs
    when you ask, and are None once a result was pickled or read from a file. Tied items have the mean of their ranks.

    >>> from stagg import fuse
    >>> first = fuse({"bm25": [("d1", 12.5), ("d2", 9.0)], "dense": [("d2", 0.8)]}).hits()[0]
    >>> first
    Hit(item='d2', rank=1, score=0.03252247488101534)
    >>> first.ranks, first.scores
    ({'bm25': 2, 'dense': 1}, {'bm25': 9.0, 'dense': 0.8})
    """

    __slots__ = SLOTS

    item: Any
    rank: int
    score: float
    source: Any

    @property
    def low(self) -> int | None:
        """The low end of the interval of the rank, from 1."""
        return self._beside("low")  # type: ignore[return-value]

    @property
    def high(self) -> int | None:
        """The high end of the interval of the rank."""
        return self._beside("high")  # type: ignore[return-value]

    @property
    def top(self) -> float | None:
        """The share of the draws in which the item is among the first."""
        return self._beside("top")

    @property
    def group(self) -> int | None:
        """The number of the group of items that cannot be told apart, from 1."""
        return self._beside("group")  # type: ignore[return-value]

    @property
    def p(self) -> float | None:
        """The p-value of the item, corrected for the number of lists."""
        return self._beside("p")

    @property
    def q(self) -> float | None:
        """The p-value corrected for the number of items, too: Benjamini-Hochberg over the items of the query."""
        return self._beside("q")

    @property
    def ranks(self) -> dict[str, float] | None:
        """The rank that each ranker gave the item; rankers that do not list it are left out."""
        return self.source.ranks(self.rank)  # type: ignore[no-any-return]

    @property
    def scores(self) -> dict[str, float] | None:
        """The score that each ranker gave the item; rankers without scores are left out."""
        return self.source.scores(self.rank)  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """All fields that are not None as a dict, ``ranks`` and ``scores`` included: ready for JSON."""
        fields = {name: getattr(self, name) for name in (*FIELDS, "ranks", "scores")}
        return {name: value for name, value in fields.items() if value is not None}

    def _beside(self, name: str) -> float | None:
        return self.source.beside(name, self.rank)  # type: ignore[no-any-return]

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in FIELDS)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Hit) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._values()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a hit is immutable")

    def __repr__(self) -> str:
        known = {name: value for name, value in zip(FIELDS, self._values(), strict=True) if value is not None}
        return f"Hit({', '.join(f'{name}={value!r}' for name, value in known.items())})"


def _find_entries(rankings: Rankings, query: Any, ranker: str | None) -> slice:
    try:
        return rankings._entries_of(query, ranker)
    except UnknownName as error:
        if not isinstance(query, int) or isinstance(query, bool):
            raise
        hint = f"hits() takes a query, not a number of hits: use fuse(..., top={query}) or hits()[:{query}]"
        raise UnknownName(f"{error}; {hint}") from None


def hits_of(rankings: Rankings, query: Any = None, ranker: str | None = None) -> list[Hit]:
    """See :meth:`Rankings.hits`."""
    if query is None and ranker is None and rankings._pending is not None:
        return rankings._pending.make_hits(_compiled_slots(), _Source(rankings, 0))
    entries = _find_entries(rankings, query, ranker)
    known = None if rankings.inputs is None else rankings.scores  # a consensus has a score for every entry
    scores = order_scores(rankings, entries) if known is None else known[entries]
    return _make_hits(own_ids(rankings.items), rankings.entries[entries], scores, _Source(rankings, entries.start))


def page_of(rankings: Rankings, size: int, after: str | None, query: Any, ranker: str | None) -> Page[Hit]:
    """See :meth:`Rankings.page`."""
    from stagg.data.results.paging import cut_page

    hits = hits_of(rankings, query, ranker)
    ids = [rankings.items[item] for item in rankings.entries[rankings._entries_of(query, ranker)].tolist()]
    return cut_page(hits, ids, np.array([hit.score for hit in hits]), size, after)


def _make_hits(items: Sequence[Any], entries: IntArray, scores: FloatArray, source: Any) -> list[Hit]:
    """A hit for every entry. The compiled twin does it where there is one."""
    slots = _compiled_slots() if type(items) is tuple else None
    if slots is not None:
        return slots.make_rows(items, entries, scores, source)  # type: ignore[no-any-return]
    pairs = zip(entries.tolist(), scores.tolist(), strict=True)
    return [_new_hit(items[entry], rank, score, source) for rank, (entry, score) in enumerate(pairs, start=1)]


@functools.cache
def _compiled_slots() -> Any | None:
    return make_slots(Hit, SLOTS)


def _new_hit(*values: Any) -> Hit:
    hit = object.__new__(Hit)
    for name, value in zip(SLOTS, values, strict=True):
        object.__setattr__(hit, name, value)
    return hit


def _restore(item: Any, rank: int, score: float, *beside: float | None) -> Hit:
    return _new_hit(item, rank, score, _Kept(beside))


class _Source:
    """Where a hit looks up what it does not hold: the rankings, and the entry that their list starts with."""

    __slots__ = ("first", "rankings")

    def __init__(self, rankings: Rankings, first: int) -> None:
        self.rankings, self.first = rankings, first

    def beside(self, name: str, rank: int) -> float | None:
        column = columns_beside(self.rankings).get(name)
        return None if column is None else column[self.first + rank - 1].item()

    def ranks(self, rank: int) -> dict[str, float] | None:
        inputs = self.rankings.inputs
        if inputs is None:
            return None
        entries = self._appearances(inputs, rank)
        return _by_ranker(inputs, entries, [_whole(place + 1) for place in inputs.mean_positions[entries].tolist()])

    def scores(self, rank: int) -> dict[str, float] | None:
        inputs = self.rankings.inputs
        if inputs is None:
            return None
        entries = self._appearances(inputs, rank)
        given = np.full(len(entries), np.nan) if inputs.scores is None else inputs.scores[entries]
        return {name: score for name, score in _by_ranker(inputs, entries, given.tolist()).items() if score == score}

    def _appearances(self, inputs: Rankings, rank: int) -> IntArray:
        """The entries of the inputs that are this item in this query."""
        entry = self.first + rank - 1
        mine = self.rankings
        query = inputs.query_number(mine.queries[int(mine.list_queries[mine.entry_lists[entry]])])
        numbers: dict[str, int] = inputs._once(f"items of query {query}", lambda: _number_items(inputs, query))
        span = inputs.entry_offsets[inputs.list_offsets[query : query + 2]].tolist()
        number = numbers[mine.items[int(mine.entries[entry])]]
        found: IntArray = span[0] + np.flatnonzero(inputs.entries[slice(*span)] == number)
        return found


class _Kept:
    """The columns beside the score of a hit, kept when it is pickled."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[float | None]) -> None:
        self.values = dict(zip(BESIDE, values, strict=False))  # an older pickle has fewer

    def beside(self, name: str, rank: int) -> float | None:
        return self.values.get(name)

    def ranks(self, rank: int) -> None:
        return None

    scores = ranks


def _number_items(inputs: Rankings, query: int) -> dict[str, int]:
    low, high = inputs.item_offsets[query : query + 2].tolist()
    return dict(zip(inputs.items[low:high], range(low, high), strict=True))


def _by_ranker(inputs: Rankings, entries: IntArray, values: list[float]) -> dict[str, float]:
    owners = inputs.list_rankers[inputs.entry_lists[entries]].tolist()
    return {inputs.rankers[owner]: value for owner, value in zip(owners, values, strict=True)}


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


# --- dicts and frames -------------------------------------------------------------------------------------------------


def as_dict(rankings: Rankings) -> dict[Any, Any]:
    """See :meth:`Rankings.to_dict`."""
    found: dict[Any, Any] = {}
    beside = list(columns_beside(rankings))
    for number, query in enumerate(own_ids(rankings.queries)):
        lists = range(*rankings.list_offsets[number : number + 2].tolist())
        owners = [rankings.rankers[int(rankings.list_rankers[each])] for each in lists]
        hits = {owner: _plain_list(hits_of(rankings, rankings.queries[number], owner), beside) for owner in owners}
        found[query] = hits if len(rankings.rankers) > 1 else next(iter(hits.values()), {})
    return found


def _plain_list(hits: list[Hit], beside: list[str]) -> dict[Any, Any]:
    if not beside:
        return {hit.item: hit.score for hit in hits}
    return {hit.item: {name: getattr(hit, name) for name in ("rank", "score", *beside)} for hit in hits}


def frame_of(rankings: Rankings, library: str, *, by_ranker: bool) -> Any:
    """See :meth:`Rankings.to_frame`."""
    columns = frame_columns(rankings)
    if len(rankings.rankers) == 1:
        del columns["ranker"]
    if by_ranker:
        columns |= _columns_by_ranker(rankings)
    return make_frame(columns, library)


def frame_columns(rankings: Rankings) -> dict[str, Any]:
    """Columns query, ranker, item, rank (1..L, never shared), score where there are scores, and what stands beside."""
    lists = rankings.entry_lists
    columns: dict[str, Any] = {
        "query": _column(rankings.queries, rankings.list_queries[lists]),
        "ranker": _column(rankings.rankers, rankings.list_rankers[lists]),
        "item": _column(rankings.items, rankings.entries),
        "rank": np.asarray(rankings.positions + 1, dtype=np.int64),  # an empty frame, too, has columns of numbers
    }
    if rankings.scores is not None:
        columns["score"] = rankings.scores.copy()
    return columns | {name: column.copy() for name, column in columns_beside(rankings).items()}


def _column(ids: Sequence[str], numbers: IntArray) -> Any:
    """Ids as they came: a column of whole numbers where all of them are such."""
    if len(numbers) >= MANY_CELLS and not has_own(ids):
        texts = _arrow_texts(ids, numbers)
        if texts is not None:
            return texts
    own = own_ids(ids)
    if has_own(ids) and all(type(each) is int and -(2**63) <= each < 2**63 for each in own):
        return np.array(own, dtype=np.int64)[numbers]
    return [own[number] for number in numbers.tolist()]


def _arrow_texts(ids: Sequence[str], numbers: IntArray) -> Any | None:
    """Ids as an Arrow array, which frames take without making an object of each; None where there is no Arrow."""
    if importlib.util.find_spec("pyarrow") is None:
        return None
    from stagg.data.columns import Coded
    from stagg.data.inputs.arrow import id_array

    try:
        return id_array(Coded(numbers, ids))
    except DataError:  # half a surrogate pair, which Python's own texts can hold
        return None


def _columns_by_ranker(rankings: Rankings) -> dict[str, Any]:
    """The rank and the score that each input gave to the items, NaN where it does not list one."""
    inputs = rankings.inputs
    if inputs is None:
        raise InvalidParameter("by_ranker=True needs the inputs, which a result has until it is pickled or written")
    found = {}
    for ranker in inputs.rankers:
        found[f"{ranker}_rank"] = np.full(len(rankings.entries), np.nan)
        if inputs.scores is not None:
            found[f"{ranker}_score"] = np.full(len(rankings.entries), np.nan)
    for number in range(len(rankings.list_rankers)):
        first, end = rankings.entry_offsets[number : number + 2].tolist()
        source = _Source(rankings, first)
        for rank in range(1, end - first + 1):
            for ranker, place in (source.ranks(rank) or {}).items():
                found[f"{ranker}_rank"][first + rank - 1] = place
            for ranker, score in (source.scores(rank) or {}).items():
                found[f"{ranker}_score"][first + rank - 1] = score
    return found
