"""Records: rows sorted by query in one buffer, and the lists of any range of queries from many buffers.

By the compiled twin alone: without it, inputs are read whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, ByteArray, FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = [
    "GAP", "NOWHERE", "SHARED", "TWICE", "RecordRows", "SortedLists", "address_of", "find_last_query", "find_query",
    "has_twin", "look_up", "make_lists", "pass_below", "sort_by_query",
]  # fmt: skip

TWICE, GAP, SHARED = 1, 2, 4
"""Problems of lists: an item twice, scores for some items only, rows in several files."""

NOWHERE = np.iinfo(np.int64).max

NONE = np.zeros(0)
NO_CODES = np.zeros(0, dtype=np.int64)
ALL = np.zeros(0, dtype=np.uint8)


def has_twin() -> bool:
    """Whether rows can be sorted by query here."""
    return twin("text._records") is not None


class RecordRows(NamedTuple):
    """Rows of a chunk: ``codes[k]`` is the query of row k, whose ids are given in the order of first appearance."""

    codes: IntArray
    query_address: IntArray
    query_length: Int32Array
    rankers: IntArray | None
    address: IntArray
    length: Int32Array
    scores: FloatArray | None
    ranks: FloatArray | None
    lines: IntArray


def sort_by_query(
    rows: RecordRows, first_line: int, spacing: int, wanted: ByteArray | None = None
) -> tuple[ByteArray, IntArray]:
    """(buffer, fences): the rows as groups in bytewise order of the queries, and the place of a group every so often.

    ``wanted`` marks the queries that are kept.
    """
    compiled: Any = twin("text._records")
    found: tuple[ByteArray, IntArray] = compiled.sort_by_query(
        _whole(rows.codes), _whole(rows.query_address), _short(rows.query_length), ALL if wanted is None else wanted,
        NO_CODES if rows.rankers is None else _whole(rows.rankers), _whole(rows.address), _short(rows.length),
        NONE if rows.scores is None else _plain(rows.scores), NONE if rows.ranks is None else _plain(rows.ranks),
        _whole(rows.lines), first_line, spacing,
    )  # fmt: skip
    return found


def find_query(buffer: ByteArray, place: int) -> bytes:
    """The query of the group that begins at a place."""
    compiled: Any = twin("text._records")
    query: bytes = compiled.query_at(buffer, place)
    return query


def find_last_query(buffer: ByteArray, place: int) -> bytes:
    """The query of the last group of a buffer; a group begins at the place."""
    compiled: Any = twin("text._records")
    query: bytes = compiled.last_query(buffer, place)
    return query


def pass_below(address: IntArray, end: IntArray, bound: bytes) -> IntArray:
    """Of each run of groups, ``address:end`` in memory, where the first begins whose query is not below the bound."""
    compiled: Any = twin("text._records")
    passed: IntArray = compiled.pass_below(address, end, bound)
    return passed


class SortedLists(NamedTuple):
    """The lists of some queries, as in Rankings, where the ids lie, and records for :func:`look_up`."""

    query_address: IntArray
    query_length: Int32Array
    query_files: IntArray
    item_offsets: IntArray
    list_offsets: IntArray
    list_rankers: IntArray
    entry_offsets: IntArray
    entries: IntArray
    tied: BoolArray
    scores: FloatArray
    records: IntArray
    item_address: IntArray
    item_length: Int32Array
    problems: int


def make_lists(
    address: IntArray, size: IntArray, files: IntArray, first_lines: IntArray, ranker_numbers: IntArray,
    ranker_offsets: IntArray, rankers: int, falls: IntArray, *, by_rank: bool, by_appearance: bool = False,
    by_id: bool = False, room: tuple[IntArray, BoolArray, FloatArray] | None = None,
) -> SortedLists:  # fmt: skip
    """The lists of all groups of some segments, which come in the order of the files.

    Segment s has ``size[s]`` bytes at ``address[s]``, is of file ``files[s]``, and its ranker r has the number
    ``ranker_numbers[ranker_offsets[s] + r]``. Queries come in bytewise order of their ids, or ``by_appearance`` in that
    of the files. Items of a query are numbered as they come, or ``by_id`` in bytewise order of their ids, in which
    those that tie stand in their list, too: then the order of the rows does not matter. ``falls`` gets, for each file,
    how many ranks contradict the scores, and the first line. With ``room`` the entries, tied and scores go there, as
    many as there are rows, and there are no records.
    """
    compiled: Any = twin("text._records")
    return SortedLists(
        *compiled.lists(
            address,
            size,
            files,
            first_lines,
            ranker_numbers,
            ranker_offsets,
            rankers,
            by_rank,
            by_appearance,
            by_id,
            falls,
            room,
        )
    )


def look_up(records: IntArray) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """(ranker in its chunk, line after the first of its chunk, score, rank) of records."""
    compiled: Any = twin("text._records")
    found: tuple[IntArray, IntArray, FloatArray, FloatArray] = compiled.place_of(records)
    return found


def address_of(buffer: ByteArray) -> int:
    """The address of the first byte."""
    address: int = buffer.__array_interface__["data"][0]
    return address


def _whole(values: Any) -> IntArray:
    return np.ascontiguousarray(values, dtype=np.int64)


def _short(values: Any) -> Int32Array:
    return np.ascontiguousarray(values, dtype=np.int32)


def _plain(values: Any) -> FloatArray:
    return np.ascontiguousarray(values, dtype=np.float64)
