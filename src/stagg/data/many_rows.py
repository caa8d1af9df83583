"""Rankings of many rows that are in memory: sorted by query in pieces, by several threads, and put together.

The result is that of :func:`stagg.data.columns.from_columns`. No id is looked up in a table of all ids, which would be
out of the processor's cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from stagg.data.columns import Coded, Columns
from stagg.data.ids import Ids, plain_ids
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import BoolArray, ByteArray, FloatArray, IntArray
from stagg.kernels.ragged import build_offsets
from stagg.kernels.text import records
from stagg.threads import available_cores, map_threads

__all__ = ["rankings_of_lists", "rankings_of_many"]

PIECE: Final = 1 << 18  # rows that are sorted at once
RANGES: Final = 4  # ranges of queries for each thread, so that they end at about the same time

Room = tuple[IntArray, BoolArray, FloatArray]
"""Where the entries, ties and scores of some rows go: a part of the arrays of the whole."""


def rankings_of_many(rows: Columns) -> Rankings | None:
    """The rankings of rows whose items are a column of ids; None where one is twice in a list, or without the twin."""
    items = rows.items
    if not records.has_twin() or not isinstance(items, Ids) or rows.candidates is not None or not len(items):
        return None
    queries, threads = _code(rows.queries).by_appearance(), available_cores()
    rankers = None if isinstance(rows.rankers, str) else _code(rows.rankers).by_appearance()
    names = (str(rows.rankers),) if rankers is None else tuple(rankers.ids)
    buffers = _sort(rows, items, queries, rankers, threads)
    bounds = np.linspace(0, len(queries.ids), min(len(queries.ids), RANGES * threads) + 1).astype(int)
    entries, tied, scores = (np.empty(len(items), dtype=kind) for kind in (np.intp, bool, np.float64))
    before = build_offsets(np.bincount(queries.codes, minlength=len(queries.ids)))[bounds].tolist()
    rooms = [(entries[low:high], tied[low:high], scores[low:high]) for low, high in pairwise(before)]
    read = partial(_read, rankers=len(names), by_rank=rows.by_rank)
    parts = map_threads(read, list(zip(_cut(buffers, bounds.tolist()), rooms, strict=True)), threads)
    if any(part.problems for part in parts):
        return None
    first = build_offsets(np.array([len(part.item_address) for part in parts]))
    map_threads(_shift, list(zip(parts, first.tolist(), strict=False)), threads)
    address = np.concatenate([part.item_address for part in parts])
    length = np.concatenate([part.item_length for part in parts])
    return Rankings(
        queries=plain_ids(queries.ids),
        rankers=names,
        items=Ids(address, length, [buffers, items], items.kind),
        item_offsets=build_offsets(np.concatenate([np.diff(part.item_offsets) for part in parts])),
        list_offsets=build_offsets(np.concatenate([np.diff(part.list_offsets) for part in parts])),
        list_rankers=np.concatenate([part.list_rankers for part in parts]),
        entry_offsets=build_offsets(np.concatenate([np.diff(part.entry_offsets) for part in parts])),
        entries=entries,
        tied=tied,
        scores=None if rows.scores is None else scores,
    )


def _sort(rows: Columns, items: Ids, queries: Coded, rankers: Coded | None, threads: int) -> list[ByteArray]:
    """The rows as records, piece by piece, each piece sorted by query in the order of first appearance."""
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

    return map_threads(sort, range(0, len(items), PIECE), threads)


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


def _read(given: tuple[tuple[IntArray, IntArray], Room], *, rankers: int, by_rank: bool) -> records.SortedLists:
    (address, size), room = given
    none, every = np.zeros(len(address), dtype=np.int64), np.arange(rankers, dtype=np.int64)
    falls = np.zeros((1, 2), dtype=np.int64)
    return records.make_lists(address, size, none, none, every, none, rankers, falls, by_rank=by_rank, room=room)


def _shift(given: tuple[records.SortedLists, int]) -> None:
    """Number the items of a part after those of the parts before it, in place."""
    part, items_before = given
    np.add(part.entries, items_before, out=part.entries)
