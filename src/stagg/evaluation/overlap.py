"""``diff``: what changed between two runs, without labels: rank-biased overlap, and who moved in and out of the top."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.evaluation.evaluate import order_run
from stagg.evaluation.tables import Table
from stagg.formats.documents.texts import TextsLike, Titles, check_texts
from stagg.kernels.arrays import FloatArray
from stagg.measures import Conventions
from stagg.measures.judged import order_entries
from stagg.registry import whole_number

__all__ = ["DiffResult", "Move", "QueryDiff", "all_queries", "diff", "list_items", "one_run", "rank_biased_overlap"]

PERSISTENCE: Final = 0.9
TOP: Final = 10
LONGEST_TITLE: Final = 30  # letters of a title in the table; JSON has all
ROUNDING: Final = 1e-12


@dataclasses.dataclass(frozen=True)
class Move:
    """An item that moved into the first places or out of them: its rank in both runs, None where it is not listed.

    ``title``: its title, where it is known.
    """

    item: str
    old_rank: int | None
    new_rank: int | None
    title: str | None = None


@dataclasses.dataclass(frozen=True)
class QueryDiff:
    """One query: its overlap (1: the same order, 0: nothing in common), and who moved in and out of the first places.

    ``same``: the two lists hold the same items in the same order. ``text``: the query's title, where it is known.
    """

    query: str
    overlap: float
    same: bool
    moved_in: tuple[Move, ...]
    moved_out: tuple[Move, ...]
    old_length: int
    new_length: int
    text: str | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class DiffResult:
    """What changed between two runs, the query that changed most first; prints as a summary with a table.

    ``p``: the persistence of rank-biased overlap; ``top``: how many first places are looked at; ``only_old`` and
    ``only_new``: the queries that only one of the runs has.
    """

    queries: tuple[QueryDiff, ...]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    p: float
    top: int
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def add_settings(self, **settings: Any) -> DiffResult:
        """The same, with more to say on how it was made."""
        return dataclasses.replace(self, settings={**self.settings, **settings})

    @property
    def moved(self) -> list[str]:
        """The items that moved, each once: those whose titles are shown."""
        return list(dict.fromkeys(move.item for each in self.queries for move in (*each.moved_in, *each.moved_out)))

    def add_titles(self, titles: Titles) -> DiffResult:
        """The same, with the titles of the items that moved, and the texts of the queries."""

        def add(moves: tuple[Move, ...]) -> tuple[Move, ...]:
            return tuple(dataclasses.replace(move, title=titles.of_item(move.item)) for move in moves)

        queries = tuple(
            dataclasses.replace(
                each, moved_in=add(each.moved_in), moved_out=add(each.moved_out), text=titles.of_query(each.query)
            )
            for each in self.queries
        )
        return dataclasses.replace(self, queries=queries)

    @property
    def mean_overlap(self) -> float:
        """The mean overlap of the queries that both runs have."""
        return float(np.mean([each.overlap for each in self.queries]))

    @property
    def summary(self) -> str:
        """How much changed, in two sentences."""
        count = len(self.queries)
        changed = sum(not each.same for each in self.queries)
        if not changed:
            if alone := self._alone:
                return ". ".join([f"Nothing changed in {all_queries(count)} that both runs have", *alone]) + "."
            return f"Nothing changed: OLD and NEW rank the same items in the same order in {all_queries(count)}."
        moved = sum(bool(each.moved_in or each.moved_out) for each in self.queries)
        entered = sum(len(each.moved_in) for each in self.queries)
        return (
            f"{changed:,} of {plural(count, 'query', 'queries')} changed, mean overlap {self.mean_overlap:.3f} "
            f"(1: the same order). The first {self.top} hold other items in {plural(moved, 'query', 'queries')}: "
            f"{plural(entered, 'item')} moved in."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be read with the table."""
        return (
            f"overlap: rank-biased overlap, p = {self.p:g}; in, out: of the first {self.top}, with ranks in OLD→NEW",
            *self._alone,
        )

    @property
    def _alone(self) -> list[str]:
        """Which queries only one of the runs has."""
        told = []
        for name, alone in (("OLD", self.only_old), ("NEW", self.only_new)):
            if alone:
                some = ", ".join(alone[:5]) + ", …" * (len(alone) > 5)
                told.append(f"{plural(len(alone), 'query is', 'queries are')} only in {name}: {some}")
        return told

    def table(self, most: int | None = None) -> Table:
        """The queries that changed, or the first ``most`` of them: overlap, how many moved in and out, the highest."""
        changed = [each for each in self.queries if not each.same]
        named = any(each.text is not None for each in changed)
        rows = [
            {"query": each.query}
            | ({"text": each.text} if named else {})
            | {"overlap": each.overlap, "in": len(each.moved_in), "out": len(each.moved_out)}
            | {"highest in": _tell_move(each.moved_in), "highest out": _tell_move(each.moved_out)}
            for each in changed[:most]
        ]
        left = len(changed) - len(rows)
        more = [f"{plural(left, 'more query', 'more queries')} changed less"] * bool(left)
        return Table("diff", tuple(rows), notes=(*self.notes, *more)).add_settings(**self.settings)

    def to_json(self) -> str:
        """Every query of both runs, with its overlap and moves; a table's head."""
        head = json.loads(Table("diff", ()).add_settings(p=self.p, top=self.top, **self.settings).to_json())
        rows = [dataclasses.asdict(each) for each in self.queries]
        found = {"mean_overlap": self.mean_overlap, "only_old": self.only_old, "only_new": self.only_new, "rows": rows}
        return json.dumps(head | found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def __repr__(self) -> str:
        return f"{self.summary}\n\n{self.table()!r}"


def diff(
    old: RankingsLike,
    new: RankingsLike,
    *,
    p: float = PERSISTENCE,
    top: int = TOP,
    texts: TextsLike | None = None,
    query_texts: TextsLike | None = None,
) -> DiffResult:
    """Compare two runs of one ranker each, without labels: which queries changed, and how far.

    - ``p``: the persistence of rank-biased overlap. With 0.9 the first 10 ranks have 86 % of the weight, with 0.98 the
      first 50.
    - ``top``: how many first places are looked at for items that moved in and out.
    - ``texts``: titles of items, by id, for those that moved. ``query_texts``: texts of queries, by id.

    >>> found = diff({"old": {"q": {"a": 3, "b": 2, "c": 1}}}, {"new": {"q": {"b": 3, "a": 2, "d": 1}}}, top=2)
    >>> round(found.queries[0].overlap, 4), found.queries[0].moved_in
    (0.63, ())
    """
    _check_persistence(p)
    whole_number("top", top, least=1)
    runs = [order_run(one_run(given, name), "standard") for given, name in ((old, "OLD"), (new, "NEW"))]
    ranks, items = [_find_ranks(run) for run in runs], [list_items(run) for run in runs]
    common = [query for query in items[0] if query in items[1]]
    if not common:
        raise DataError("OLD and NEW have no query in common; are they runs of the same queries?")
    found = [_compare_query(q, ranks[0][q], ranks[1][q], items[0][q], items[1][q], p, top) for q in sorted(common)]
    result = DiffResult(
        queries=tuple(sorted(found, key=lambda each: (each.same, each.overlap))),
        only_old=tuple(sorted(query for query in items[0] if query not in items[1])),
        only_new=tuple(sorted(query for query in items[1] if query not in items[0])),
        p=p,
        top=top,
    )
    return result.add_titles(Titles(check_texts("texts", texts), check_texts("query_texts", query_texts)))


def rank_biased_overlap(old: Mapping[Any, int], new: Mapping[Any, int], *, p: float = PERSISTENCE) -> float:
    """Rank-biased overlap of two lists {item: rank from 1}, extrapolated: Webber, Moffat and Zobel, TOIS 2010, Eq. 32.

    (1 - p) Σ_d p^(d-1) A_d + p^l A_l, the sum over the depths d of the longer list, of length l. A_d is the agreement
    at depth d, 2 X_d / (|S_d| + |L_d|): S_d and L_d are the items of rank d or better, X_d how many they share. Tied
    items have the rank of the first of them, so a set may be larger than d (Eq. 28). Below the end of the shorter list,
    at s, its unseen items are assumed to agree as those seen do: A_d = 2 (X_d + A_s (d - s)) / (d + |L_d|).
    Two empty lists have 1, an empty list and another 0.

    >>> round(rank_biased_overlap({"a": 1, "b": 2, "c": 3}, {"b": 1, "a": 2, "d": 3}), 4)
    0.63
    >>> rank_biased_overlap({"a": 1, "b": 1}, {"b": 1, "a": 1})
    1.0
    """
    _check_persistence(p)
    short, long = sorted((old, new), key=len)
    if not short:
        return float(not long)
    s, depth = len(short), np.arange(1, len(long) + 1)
    shared = _count_within([max(rank, long[item]) for item, rank in short.items() if item in long], len(depth))
    of_short, of_long = (_count_within(list(each.values()), len(depth)) for each in (short, long))
    agreed = 2 * shared[s - 1] / (of_short[s - 1] + of_long[s - 1])
    unseen = np.maximum(depth - s, 0)
    agreement = 2 * (shared + agreed * unseen) / (of_short + unseen + of_long)
    total = (1 - p) * float(agreement @ p ** (depth - 1.0)) + p ** len(depth) * float(agreement[-1])
    return 1.0 if total > 1 - ROUNDING else total


def _count_within(ranks: Sequence[int], depth: int) -> FloatArray:
    """How many of the ranks are d or better, for d from 1 to the depth."""
    counts: FloatArray = np.cumsum(np.bincount(ranks, minlength=depth + 1)[1 : depth + 1]).astype(float)
    return counts


def one_run(given: RankingsLike, name: str) -> Rankings:
    """A run of one ranker, for commands that compare two of them; ``name`` says which."""
    run = rankings_of(given)
    if len(run.rankers) != 1:
        raise InvalidParameter(
            f"{name} has {plural(len(run.rankers), 'ranker')}, but two runs of one ranker each are compared; "
            "fuse the rankers first, or take one of them"
        )
    return run


def all_queries(count: int) -> str:
    return "the only query" if count == 1 else f"all {count:,} queries"


def list_items(run: Rankings, conventions: Conventions = "standard", depth: int | None = None) -> dict[str, list[str]]:
    """{query: the items of the run of one ranker, or its first ``depth``}, in the order in which it is judged.

    >>> list_items(Rankings.from_lists({"bm25": ["a", ["b", "c"]]}, query="q"))
    {'q': ['a', 'c', 'b']}
    """
    entries, offsets = order_entries(run, conventions), run.entry_offsets.tolist()
    return {
        run.queries[query]: [run.items[item] for item in entries[low:high][:depth].tolist()]
        for query, low, high in zip(run.list_queries.tolist(), offsets[:-1], offsets[1:], strict=True)
    }


def _find_ranks(run: Rankings) -> dict[str, dict[str, int]]:
    """{query: {item: rank}} of a run; tied items share the rank of the first of them."""
    offsets, places = run.entry_offsets.tolist(), np.arange(len(run.entries))
    starts = np.maximum.accumulate(np.where(run.tied, 0, places))
    return {
        run.queries[query]: dict(
            zip(
                (run.items[item] for item in run.entries[low:high].tolist()),
                (starts[low:high] - low + 1).tolist(),
                strict=True,
            )
        )
        for query, low, high in zip(run.list_queries.tolist(), offsets[:-1], offsets[1:], strict=True)
    }


def _compare_query(
    query: str,
    old_ranks: Mapping[str, int],
    new_ranks: Mapping[str, int],
    old: Sequence[str],
    new: Sequence[str],
    p: float,
    top: int,
) -> QueryDiff:
    places = [{item: number for number, item in enumerate(each, start=1)} for each in (old, new)]
    before, after = set(old[:top]), set(new[:top])

    def move(item: str) -> Move:
        return Move(item, places[0].get(item), places[1].get(item))

    return QueryDiff(
        query=query,
        overlap=rank_biased_overlap(old_ranks, new_ranks, p=p),
        same=old_ranks == new_ranks,
        moved_in=tuple(move(item) for item in new[:top] if item not in before),
        moved_out=tuple(move(item) for item in old[:top] if item not in after),
        old_length=len(old),
        new_length=len(new),
    )


def _check_persistence(p: Any) -> None:
    number = isinstance(p, int | float | np.floating) and not isinstance(p, bool)
    if not number or not 0 < p < 1:
        raise InvalidParameter(f"p is {shown(p)}; it must be a number above 0 and below 1")


def _tell_move(moves: Sequence[Move]) -> str:
    """The first item that moved, with its ranks before and after."""
    return "".join(
        f"{move.item} ({_rank(move.old_rank)}→{_rank(move.new_rank)}){f' {_cut(move.title)}' if move.title else ''}"
        for move in moves[:1]
    )


def _cut(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1].rstrip()}…"


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank)
