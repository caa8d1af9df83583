"""Buckets: rows sorted by query, cut into tables of whole queries of about the same size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stagg.errors import StaggError

__all__ = ["ROWS", "buckets"]

ROWS: Final = 40_000
"""Rows that are fused at once, if no query has more; the in-process engine takes as many."""


def buckets(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.Table]:
    """Tables of whole queries: small ones together until there are about ``rows``, a larger one alone.

    The batches must be sorted by their column ``query``. Sizes are those measured on the way: no more is held than two
    buckets, or the largest query.

    >>> batch = pa.RecordBatch.from_pydict({"query": ["1", "2", "3", "3", "3", "3", "4"]})
    >>> [table["query"].to_pylist() for table in buckets([batch.slice(0, 3), batch.slice(3)], rows=3)]
    [['1', '2'], ['3', '3', '3', '3'], ['4']]
    """
    whole, last = _Held(), _Held()  # queries that are complete; the last one, which may go on in the next batch
    for part in _short(batches, rows):
        start = _start_of_last(part.column("query"))
        if last and _goes_on(last, part):
            end = _end_of_first(part.column("query"))
            last.add(part.slice(0, end))
            part, start = part.slice(end), start - end
            if not len(part):
                continue
        if whole and whole.rows + last.rows > rows:
            yield whole.taken()
        whole.add_all(last)
        if whole.rows >= rows:
            yield whole.taken()
        whole.add(part.slice(0, start))
        last.add(part.slice(start))
    if whole and whole.rows + last.rows > rows:
        yield whole.taken()
    whole.add_all(last)
    if whole:
        yield whole.taken()


class _Held:
    """Batches that are kept, and how many rows they have."""

    def __init__(self) -> None:
        self.parts: list[pa.RecordBatch] = []
        self.rows = 0

    def __bool__(self) -> bool:
        return self.rows > 0

    @property
    def query(self) -> str:
        query: str = self.parts[-1].column("query")[0].as_py()
        return query

    def add(self, part: pa.RecordBatch) -> None:
        if len(part):
            self.parts.append(part)
            self.rows += len(part)

    def add_all(self, other: _Held) -> None:
        self.parts += other.parts
        self.rows += other.rows
        other.parts, other.rows = [], 0

    def taken(self) -> pa.Table:
        table = pa.Table.from_batches(self.parts)
        self.parts, self.rows = [], 0
        return table


def _short(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at most so many: how many come at once is the user's setting, not ours."""
    for batch in batches:
        for first in range(0, len(batch), rows):
            yield batch.slice(first, rows)


def _changes(queries: pa.Array) -> np.ndarray:
    """The indices of the rows that are of another query than the row before."""
    changes = pc.not_equal(queries.slice(1), queries.slice(0, len(queries) - 1))
    found: np.ndarray = np.flatnonzero(changes.to_numpy(zero_copy_only=False)) + 1
    return found


def _start_of_last(queries: pa.Array) -> int:
    return int(_changes(queries).max(initial=0))


def _end_of_first(queries: pa.Array) -> int:
    return int(_changes(queries).min(initial=len(queries)))


def _goes_on(last: _Held, part: pa.RecordBatch) -> bool:
    """Whether a part begins with the query that the last one ended with; an order that falls would tear queries."""
    before, after = last.query, part.column("query")[0].as_py()
    if before > after:
        raise StaggError("the rows do not come sorted by query: this is a fault of the engine, please report it")
    return bool(before == after)
