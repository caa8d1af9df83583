"""Rankings of many rows that are in memory: sorted by query in pieces, by several threads, and put together.

The result is that of :func:`stagg.data.columns.from_columns`. No id is looked up in a table of all ids, which would be
out of the processor's cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from stagg.data.columns import Coded, Columns
from stagg.data.ids import Ids, plain_ids, take_ids
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ByteArray, IntArray
from stagg.kernels.ragged import build_offsets
from stagg.kernels.text import records
from stagg.threads import available_cores, map_threads

__all__ = ["rankings_of_lists", "rankings_of_many"]

PIECE: Final = 1 << 18  # rows that are sorted at once
RANGES: Final = 4  # ranges of queries for each thread, so that they end at about the same time


def rankings_of_many(rows: Columns) -> Rankings | None:
    """The rankings of rows whose items are a column of ids; None where one is twice in a list, or without the twin."""
    items = rows.items
    if not records.has_twin() or not isinstance(items, Ids) or rows.candidates is not None or not len(items):
        return None
    queries, threads = _code(rows.queries).by_appearance(), available_cores()
    rankers = None if isinstance(rows.rankers, str) else _code(rows.rankers).by_appearance()
    names = (rows.rankers,) if isinstance(rows.rankers, str) else tuple(rankers.ids)  # type: ignore[union-attr]
    # In the place of its id a query has its number, the largest byte first: its order is that of first appearance.
    count = len(queries.ids)
    keys = np.arange(count, dtype=">u8")
    places = records.address_of(keys.view(np.uint8)) + 8 * np.arange(count, dtype=np.int64)
    lengths = np.full(count, 8, dtype=np.int32)

    def sort(first: int) -> ByteArray:
        some = slice(first, first + PIECE)
        numbers = rows.numbers[some]
        return records.sort_by_query(
            records.RecordRows(
                queries.codes[some], places, lengths, None if rankers is None else rankers.codes[some],
                items.address[some], items.length[some], None if rows.by_rank else numbers,
                numbers if rows.by_rank else None, np.arange(len(numbers)),
            ),
            0,
            PIECE,
        )[0]  # fmt: skip

    buffers = map_threads(sort, range(0, len(items), PIECE), threads)
    bounds = np.linspace(0, count, min(count, RANGES * threads) + 1).astype(int).tolist()
    segments = _cut(buffers, bounds)
    read = partial(_read, rankers=len(names), by_rank=rows.by_rank)
    parts = map_threads(read, segments, threads)
    if any(part.problems for part in parts):
        return None
    return _join(parts, rows, queries, names, [buffers, items], items.kind)


def rankings_of_lists(
    lists: records.SortedLists, rankers: tuple[str, ...], owners: Sequence[object], *, has_scores: bool
) -> Rankings:
    """The rankings of lists that lie in buffers of ``owners``; ids stay where they are."""
    return Rankings(
        queries=Ids(lists.query_address, lists.query_length, owners).texts,
        rankers=rankers,
        items=Ids(lists.item_address, lists.item_length, owners),
        item_offsets=lists.item_offsets,
        list_offsets=lists.list_offsets,
        list_rankers=lists.list_rankers,
        entry_offsets=lists.entry_offsets,
        entries=lists.entries,
        tied=lists.tied,
        scores=lists.scores if has_scores else None,
    )


def _code(column: Sequence[str]) -> Coded:
    return column if isinstance(column, Coded) else Coded.of_texts(column)


def _cut(buffers: list[ByteArray], bounds: list[int]) -> list[tuple[IntArray, IntArray]]:
    """(addresses, sizes) of the segments of each range of queries, in the order of the rows."""
    begin = np.array([records.address_of(buffer) for buffer in buffers], dtype=np.int64)
    end, found = begin + np.array([len(buffer) for buffer in buffers], dtype=np.int64), []
    for bound in bounds[1:]:
        passed = records.pass_below(begin, end, bound.to_bytes(8, "big"))
        found.append((begin, passed - begin))
        begin = passed
    return found


def _read(segments: tuple[IntArray, IntArray], *, rankers: int, by_rank: bool) -> records.SortedLists:
    address, size = segments
    none, every = np.zeros(len(address), dtype=np.int64), np.arange(rankers, dtype=np.int64)
    falls = np.zeros((1, 2), dtype=np.int64)
    return records.make_lists(address, size, none, none, every, none, rankers, falls, by_rank=by_rank)


def _join(
    parts: list[records.SortedLists], rows: Columns, queries: Coded, rankers: tuple[str, ...], owners: list[object],
    kind: object,
) -> Rankings:  # fmt: skip
    """The lists of all ranges as one."""
    sizes = np.concatenate([np.diff(part.item_offsets) for part in parts])
    counts = np.concatenate([np.diff(part.list_offsets) for part in parts])
    lengths = np.concatenate([np.diff(part.entry_offsets) for part in parts])
    first = build_offsets(np.array([len(part.item_address) for part in parts]))
    entries = np.concatenate([part.entries for part in parts])
    place = 0
    for part, shift in zip(parts, first.tolist(), strict=False):
        entries[place : place + len(part.entries)] += shift
        place += len(part.entries)
    address = np.concatenate([part.item_address for part in parts])
    return Rankings(
        queries=plain_ids(take_ids(queries.ids, np.arange(len(queries.ids)))),
        rankers=rankers,
        items=Ids(address, np.concatenate([part.item_length for part in parts]), owners, kind),
        item_offsets=build_offsets(sizes),
        list_offsets=build_offsets(counts),
        list_rankers=np.concatenate([part.list_rankers for part in parts]),
        entry_offsets=build_offsets(lengths),
        entries=entries,
        tied=np.concatenate([part.tied for part in parts]),
        scores=None if rows.scores is None else np.concatenate([part.scores for part in parts]),
    )
