"""Take parts of rankings and join them: fewer rankers, fewer queries, shorter lists, several inputs as one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

import numpy as np

from stagg.data.ids import Ids, OwnIds, has_own, join_ids, own_ids, take_ids
from stagg.data.rankings import Rankings
from stagg.data.results.beside import columns_beside, put_beside
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id, order_ties
from stagg.kernels.ragged import build_offsets, count_offsets, expand_spans, measure_pieces

__all__ = [
    "canonical",
    "cut",
    "declare_items",
    "drop_items",
    "empty_rankings",
    "join_lists",
    "join_queries",
    "join_rankers",
    "repeat_query",
    "slice_queries",
    "sort_items",
    "take_entries",
    "take_first",
    "take_queries",
    "take_rankers",
    "with_listed_items",
]


def take_rankers(rankings: Rankings, rankers: IntArray) -> Rankings:
    """Only these rankers, in this order; items that no list holds any more leave, unless declared."""
    number = np.full(len(rankings.rankers), -1, dtype=np.intp)
    number[rankers] = np.arange(len(rankers))
    renamed = rankings.replace(
        rankers=tuple(rankings.rankers[r] for r in rankers),
        weights=rankings.weights[rankers],
        multiplicities=rankings.multiplicities[rankers],
        list_rankers=number[rankings.list_rankers],
    )
    lists = np.flatnonzero(renamed.list_rankers >= 0)
    lists = lists[np.lexsort((renamed.list_rankers[lists], rankings.list_queries[lists]))]
    return with_listed_items(_take_lists(renamed, lists))


def take_queries(rankings: Rankings, queries: IntArray) -> Rankings:
    """Only these queries, in this order."""
    items = _spans(rankings.item_offsets, queries)
    lists = _spans(rankings.list_offsets, queries)
    entries = _spans(rankings.entry_offsets, lists)
    number = np.zeros(len(rankings.items), dtype=np.intp)
    number[items] = np.arange(len(items))
    return rankings.replace(
        queries=take_ids(rankings.queries, queries),
        items=take_ids(rankings.items, items),
        item_offsets=build_offsets(rankings.sizes[queries]),
        list_offsets=build_offsets(rankings.list_counts[queries]),
        **(
            _of_lists(rankings, lists) | _of_entries(rankings, entries) | {"entries": number[rankings.entries[entries]]}
        ),
    )


def slice_queries(rankings: Rankings, first: int, last: int) -> Rankings:
    """The queries from ``first`` up to, not including, ``last``; apart from offsets and entries nothing is copied.

    >>> slice_queries(empty_rankings(("1", "2", "3"), ("bm25",)), 1, 3).queries
    ('2', '3')
    """
    items, lists = (offsets[[first, last]] for offsets in (rankings.item_offsets, rankings.list_offsets))
    of_items, of_lists = slice(*items.tolist()), slice(*lists.tolist())
    ends = rankings.entry_offsets[of_lists.start : of_lists.stop + 1]
    of_entries = slice(*ends[[0, -1]].tolist())
    taken = rankings.items.take(of_items) if isinstance(rankings.items, Ids) else rankings.items[of_items]

    def part(values: Any, some: slice) -> Any:
        return None if values is None else values[some]

    return rankings.replace(
        queries=rankings.queries[first:last],
        items=taken,
        item_offsets=rankings.item_offsets[first : last + 1] - of_items.start,
        list_offsets=rankings.list_offsets[first : last + 1] - of_lists.start,
        list_rankers=rankings.list_rankers[of_lists],
        factors=part(rankings.factors, of_lists),
        entry_offsets=ends - of_entries.start,
        entries=rankings.entries[of_entries] - of_items.start,
        tied=rankings.tied[of_entries],
        scores=part(rankings.scores, of_entries),
        raw_ranks=part(rankings.raw_ranks, of_entries),
    )


def cut(rankings: Rankings, depth: int | IntArray) -> Rankings:
    """Every list cut to its first ``depth`` entries, tied groups cut by the tie rule (ids descending stay).

    ``depth`` is one number for all lists, or one for each list.
    """
    depths = np.broadcast_to(depth, rankings.list_lengths.shape)
    if np.min(depth, initial=1) < 1:
        raise InvalidParameter(f"depth must be 1 or more, not {np.min(depth)}")
    if (rankings.list_lengths <= depths).all():
        return rankings
    return take_first(_ties_by_id(rankings) if rankings.has_ties else rankings, depths)


def take_first(rankings: Rankings, depth: int | IntArray) -> Rankings:
    """Do what :func:`cut` does, for rankings whose ties stand by the tie rule already, as those of a consensus do."""
    depths = np.broadcast_to(depth, rankings.list_lengths.shape)
    if (rankings.list_lengths <= depths).all():
        return rankings
    return with_listed_items(take_entries(rankings, rankings.positions < depths[rankings.entry_lists]))


def canonical(rankings: Rankings) -> Rankings:
    """Queries, rankers, items and tied entries in the order of their ids."""
    queries, rankers = order_by_id(rankings.queries), order_by_id(rankings.rankers)
    taken = take_queries(rankings, queries)
    number = np.empty(len(rankers), dtype=np.intp)
    number[rankers] = np.arange(len(rankers))
    lists = np.lexsort((number[taken.list_rankers], taken.list_queries))
    renamed = taken.replace(
        rankers=tuple(rankings.rankers[r] for r in rankers),
        weights=rankings.weights[rankers],
        multiplicities=rankings.multiplicities[rankers],
        list_rankers=number[taken.list_rankers],
    )
    return _ties_by_id(sort_items(_take_lists(renamed, lists)), descending=False)


def sort_items(rankings: Rankings) -> Rankings:
    """The same rankings, the items of every query in the order of their ids."""
    items, number = rankings.items, np.empty(len(rankings.items), dtype=np.intp)
    spans = zip(rankings.item_offsets[:-1].tolist(), rankings.item_offsets[1:].tolist(), strict=True)
    order = np.concatenate([low + order_by_id(items[low:high]) for low, high in spans] or [number])
    number[order] = np.arange(len(items))
    return rankings.replace(items=take_ids(items, order), entries=number[rankings.entries])


def empty_rankings(queries: tuple[str, ...], rankers: tuple[str, ...]) -> Rankings:
    """Rankings of these queries and rankers that hold nothing."""
    none, offsets = np.zeros(0, dtype=np.intp), np.zeros(len(queries) + 1, dtype=np.intp)
    return Rankings(
        queries=queries,
        rankers=rankers,
        items=(),
        item_offsets=offsets,
        list_offsets=offsets.copy(),
        list_rankers=none,
        entry_offsets=np.zeros(1, dtype=np.intp),
        entries=none.copy(),
        tied=np.zeros(0, dtype=bool),
    )


def join_rankers(parts: Sequence[Rankings]) -> Rankings:
    """The lists of several rankings, whose rankers differ, side by side: queries and items are matched by id."""
    rankers = tuple(chain.from_iterable(part.rankers for part in parts))
    if len(set(rankers)) != len(rankers):
        twice = next(name for name in rankers if rankers.count(name) > 1)
        raise DataError(f"two inputs name a ranker {shown(twice)}; rename one of them")
    return join_lists(parts)


def join_lists(parts: Sequence[Rankings]) -> Rankings:
    """The lists of several rankings, no two of the same query and ranker: queries, rankers and items go by id."""
    rankers, weights, multiplicities = _join_names(parts)
    pools: dict[str, dict[str, int]] = {}
    local = [_match_items(part, pools) for part in parts]
    sizes = np.array([len(pool) for pool in pools.values()], dtype=np.intp)
    first_item, number = build_offsets(sizes), {query: q for q, query in enumerate(pools)}
    ranker = {name: r for r, name in enumerate(rankers)}
    list_query = [np.array([number[q] for q in p.queries], dtype=np.intp)[p.list_queries] for p in parts]
    entries = [
        indices + first_item[queries[part.entry_lists]]
        for part, indices, queries in zip(parts, local, list_query, strict=True)
    ]
    unsorted = _stack(parts, entries)
    queries = np.concatenate(list_query)
    owners = np.concatenate([np.array([ranker[r] for r in p.rankers], dtype=np.intp)[p.list_rankers] for p in parts])
    order = np.lexsort((owners, queries))
    whole = Rankings(
        queries=_as_they_came(tuple(pools), [part.queries for part in parts]),
        rankers=rankers,
        items=_as_they_came(tuple(chain.from_iterable(pools.values())), [part.items for part in parts]),
        item_offsets=first_item,
        list_offsets=count_offsets(queries, len(pools)),
        list_rankers=owners,
        weights=weights,
        multiplicities=multiplicities,
        declared=any(part.declared for part in parts),
        **unsorted,
    )
    return _take_lists(whole, order, queries[order])


def _join_names(parts: Sequence[Rankings]) -> tuple[tuple[str, ...], FloatArray, IntArray]:
    """(rankers, their weights, their multiplicities), which must be the same wherever a ranker stands."""
    rankers = tuple(dict.fromkeys(chain.from_iterable(part.rankers for part in parts)))
    number = {name: r for r, name in enumerate(rankers)}
    weights, multiplicities = np.ones(len(rankers)), np.ones(len(rankers), dtype=np.intp)
    known = np.zeros(len(rankers), dtype=bool)
    for part in parts:
        where = np.array([number[name] for name in part.rankers], dtype=np.intp)
        other = (weights[where] != part.weights) | (multiplicities[where] != part.multiplicities)
        if (other & known[where]).any():
            clash = part.rankers[int(np.argmax(other & known[where]))]
            raise DataError(f"the ranker {shown(clash)} has one weight or multiplicity here, another there; rename it")
        weights[where], multiplicities[where], known[where] = part.weights, part.multiplicities, True
    return rankers, weights, multiplicities


def join_queries(parts: Sequence[Rankings]) -> Rankings:
    """The queries of several rankings, which must differ, one after another; rankers are matched by name."""
    queries = join_ids([part.queries for part in parts])
    if len(set(queries)) != len(queries):
        twice = next(name for name in queries if queries.count(name) > 1)
        raise DataError(f"the query {shown(twice)} is in two of the inputs")
    rankers, weights, multiplicities = _join_names(parts)
    number = {name: r for r, name in enumerate(rankers)}
    first_item = build_offsets(np.array([len(part.items) for part in parts], dtype=np.intp))
    entries = [part.entries + first for part, first in zip(parts, first_item, strict=False)]
    owners = [np.array([number[name] for name in p.rankers], dtype=np.intp)[p.list_rankers] for p in parts]
    whole = Rankings(
        queries=queries,
        rankers=rankers,
        items=join_ids([part.items for part in parts]),
        item_offsets=build_offsets(np.concatenate([part.sizes for part in parts])),
        list_offsets=build_offsets(np.concatenate([part.list_counts for part in parts])),
        list_rankers=np.concatenate(owners),
        weights=weights,
        multiplicities=multiplicities,
        declared=any(part.declared for part in parts),
        **_stack(parts, entries),
    )
    return _take_lists(whole, np.lexsort((whole.list_rankers, whole.list_queries)))


def repeat_query(rankings: Rankings, query: int, factors: FloatArray) -> Rankings:
    """One query many times over, its lists counting ``factors[draw, list]``: what resampling runs a method on."""
    draws, one = len(factors), take_queries(rankings, np.array([query]))
    n, lists, entries = len(one.items), len(one.list_rankers), len(one.entries)
    first_item = np.repeat(np.arange(draws) * n, entries)
    return one.replace(
        queries=tuple(map(str, range(draws))),
        items=take_ids(one.items, np.tile(np.arange(n), draws)),
        item_offsets=np.arange(draws + 1) * n,
        list_offsets=np.arange(draws + 1) * lists,
        list_rankers=np.tile(one.list_rankers, draws),
        entry_offsets=build_offsets(np.tile(one.list_lengths, draws)),
        entries=np.tile(one.entries, draws) + first_item,
        tied=np.tile(one.tied, draws),
        scores=None if one.scores is None else np.tile(one.scores, draws),
        weights=None,
        multiplicities=None,
        factors=np.ascontiguousarray(factors).reshape(-1),
        intervals=None,
        extras=None,
        raw_ranks=None if one.raw_ranks is None else np.tile(one.raw_ranks, draws),
    )


def _match_items(part: Rankings, pools: dict[str, dict[str, int]]) -> IntArray:
    """The index of each entry's item in its query's pool, which grows by the items that are new."""
    index = np.empty(len(part.items), dtype=np.intp)
    for view in part:
        pool = pools.setdefault(view.id, {})
        low, high = part.item_offsets[view.number : view.number + 2]
        index[low:high] = [pool.setdefault(item, len(pool)) for item in view.items]
    return index[part.entries]


def _as_they_came(texts: tuple[str, ...], parts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Ids of several parts as one, each with the object that came in first."""
    if not any(map(has_own, parts)):
        return texts
    own: dict[str, Any] = {}
    for part in parts:
        for text, each in zip(part, own_ids(part), strict=True):
            own.setdefault(text, each)
    return OwnIds(texts, [own[text] for text in texts])


def _stack(parts: Sequence[Rankings], entries: Sequence[IntArray]) -> dict[str, Any]:
    return {
        "entry_offsets": build_offsets(np.concatenate([part.list_lengths for part in parts])),
        "entries": np.concatenate(entries),
        "tied": np.concatenate([part.tied for part in parts]),
        "scores": _stack_numbers([part.scores for part in parts], parts),
        "raw_ranks": _stack_numbers([part.raw_ranks for part in parts], parts),
    }


def _stack_numbers(columns: Sequence[np.ndarray | None], parts: Sequence[Rankings]) -> np.ndarray | None:
    """One number per entry, NaN for the parts that have none; None where no part has any."""
    kind = next((column.dtype for column in columns if column is not None), None)
    if kind is None:
        return None
    pairs = zip(columns, parts, strict=True)
    return np.concatenate([np.full(len(part.entries), np.nan, kind) if c is None else c for c, part in pairs])


def _take_lists(rankings: Rankings, lists: IntArray, queries: IntArray | None = None) -> Rankings:
    """These lists, in this order, which must go by query; candidates stay."""
    queries = rankings.list_queries[lists] if queries is None else queries
    entries = _spans(rankings.entry_offsets, lists)
    return rankings.replace(
        list_offsets=count_offsets(queries, len(rankings)),
        **_of_lists(rankings, lists),
        **_of_entries(rankings, entries),
    )


def take_entries(rankings: Rankings, keep: BoolArray) -> Rankings:
    """Some entries of each list; the first of a list is never tied to one before it."""
    lengths = np.bincount(rankings.entry_lists[keep], minlength=len(rankings.list_rankers)).astype(np.intp)
    kept = lengths > 0
    return rankings.replace(
        list_offsets=count_offsets(rankings.list_queries[kept], len(rankings)),
        **(_of_lists(rankings, kept) | _of_entries(rankings, keep) | {"entry_offsets": build_offsets(lengths[kept])}),
    )


def _of_lists(rankings: Rankings, lists: IntArray | BoolArray) -> dict[str, Any]:
    """The fields that have one value per list, for some lists."""
    return {
        "list_rankers": rankings.list_rankers[lists],
        "entry_offsets": build_offsets(rankings.list_lengths[lists]),
        "factors": None if rankings.factors is None else rankings.factors[lists],
    }


def _of_entries(rankings: Rankings, entries: IntArray | BoolArray) -> dict[str, Any]:
    """The fields that have one value per entry, for some entries."""
    return {
        "entries": rankings.entries[entries],
        "tied": rankings.tied[entries],
        "scores": None if rankings.scores is None else rankings.scores[entries],
        **put_beside(rankings, {name: column[entries] for name, column in columns_beside(rankings).items()}),
        "raw_ranks": None if rankings.raw_ranks is None else rankings.raw_ranks[entries],
    }


def with_listed_items(rankings: Rankings) -> Rankings:
    """Without the items that no list holds, unless the source declared its candidates."""
    if rankings.declared:
        return rankings
    listed = np.zeros(len(rankings.items), dtype=bool)
    listed[rankings.entries] = True
    if listed.all():
        return rankings
    number = np.cumsum(listed) - 1
    sizes = np.bincount(rankings.item_queries[listed], minlength=len(rankings)).astype(np.intp)
    return rankings.replace(
        items=take_ids(rankings.items, np.flatnonzero(listed)),
        item_offsets=build_offsets(sizes),
        entries=number[rankings.entries],
    )


def declare_items(rankings: Rankings, items: Sequence[str]) -> Rankings:
    """The rankings of one query with all of these as its items, those too that no list holds.

    >>> declare_items(Rankings.from_lists([["a"]]), ["a", "b"]).items
    ('a', 'b')
    """
    if not len(rankings):
        return rankings
    held = {str(item) for item in rankings.items}
    every = (*rankings.items, *(item for item in items if item not in held))
    return rankings.replace(items=every, item_offsets=np.array([0, len(every)], dtype=np.intp), declared=True)


def drop_items(rankings: Rankings, items: Collection[str]) -> Rankings:
    """The rankings without these items; who follows one of them moves up.

    >>> drop_items(Rankings.from_lists({"ann": ["a", {"b", "c"}], "bob": ["b"]}), ["b"])
    Rankings(1 query, 2 rankers, 2 items)
      ann: a > c
    """
    gone = np.array([str(item) in items for item in rankings.items], dtype=bool)
    keep = ~gone[rankings.entries]
    groups, lists = np.cumsum(~rankings.tied)[keep], rankings.entry_lists[keep]
    tied = np.zeros(len(groups), dtype=bool)
    tied[1:] = (groups[1:] == groups[:-1]) & (lists[1:] == lists[:-1])
    rest = take_entries(rankings, keep)
    sizes = np.bincount(rankings.item_queries[~gone], minlength=len(rankings)).astype(np.intp)
    return rest.replace(
        items=take_ids(rankings.items, np.flatnonzero(~gone)),
        item_offsets=build_offsets(sizes),
        entries=(np.cumsum(~gone) - 1)[rest.entries],
        tied=tied,
    )


def _ties_by_id(rankings: Rankings, *, descending: bool = True) -> Rankings:
    """Tied entries in the order of their ids; by the tie rule, descending."""
    order = order_ties(rankings.entries, rankings.tied, rankings.items, descending=descending)
    return rankings.replace(**(_of_entries(rankings, order) | {"tied": rankings.tied}))


def _spans(offsets: IntArray, chosen: IntArray) -> IntArray:
    """The indices offsets[c]:offsets[c+1] of each chosen c, one after another."""
    return expand_spans(offsets[chosen], measure_pieces(offsets)[chosen])
