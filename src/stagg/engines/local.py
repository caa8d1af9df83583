"""Fuse one bucket: an Arrow table of whole queries in, their consensus as a table out; every engine runs this.

Columns in: ``query``, ``item`` (text), ``ranker`` (text; without it all rows are of one ranker), ``score`` and/or
``rank`` (float64, null where there is none). Columns out: ``query, item, rank, score``, with intervals ``low, high,
top, group``, and what the method adds; or one column ``value`` of TREC rows.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from stagg.data.columns import Coded
from stagg.data.inputs.arrow import id_array, number_array
from stagg.data.rankings import Rankings
from stagg.data.results.beside import columns_beside
from stagg.data.strangers import find_overlap
from stagg.engines.bucket_rows import read_rows
from stagg.engines.buckets import buckets
from stagg.engines.task import BucketTally, Task
from stagg.errors import DataError, DataWarning, StaggError, shown
from stagg.formats.runs.trec import Trec
from stagg.formats.write import write_stream
from stagg.kernels.id_order import order_by_id

__all__ = ["COLUMNS", "fuse_batches", "fuse_table", "gather_batches", "result_columns"]

COLUMNS: Final = {"query": pa.string(), "item": pa.string(), "rank": pa.int64(), "score": pa.float64()}
INTERVALS: Final = {"low": pa.int64(), "high": pa.int64(), "top": pa.float64(), "group": pa.int64()}


def fuse_batches(
    batches: Iterable[pa.RecordBatch], task: Task, report: Callable[[BucketTally], None]
) -> Iterator[pa.RecordBatch]:
    """The consensus of rows sorted by query, bucket after bucket; ``report`` gets what was read and written."""
    for table in buckets(_with_query(batches, task, report)):
        tally = BucketTally()
        with _room_for(table):
            fused = fuse_table(table, task, tally)
        yield from fused.to_batches()
        report(tally)


def gather_batches(batches: Iterable[pa.RecordBatch], task: Task) -> Any:
    """Evidence of the method of a task from rows sorted by query, bucket after bucket: see :meth:`Method.evidence`.

    Nothing is counted here: the same rows are read again when they are fused.
    """
    found = task.plan.method.evidence()
    assert found is not None
    for table in buckets(_with_query(batches, task, lambda tally: None)):
        with _room_for(table):
            found.add(task.plan.weigh(read_rows(table, task, BucketTally())))
    return found


@contextlib.contextmanager
def _room_for(table: pa.Table) -> Iterator[None]:
    """Say which query was too large, where the memory of an executor was not enough."""
    try:
        yield
    except MemoryError:
        sizes = pc.value_counts(table["query"]).to_pylist()
        largest = max(sizes, key=lambda each: each["counts"])
        raise StaggError(
            f"out of memory: query {shown(largest['values'])} has {largest['counts']:,} rows, which one Python worker "
            "must hold at once (0.5 KB each); give executors more memory outside of Java's heap "
            "(spark.executor.memoryOverhead, spark.executor.pyspark.memory), or cut the lists (depth=)"
        ) from None


def fuse_table(table: pa.Table, task: Task, tally: BucketTally | None = None) -> pa.Table:
    """The consensus of each query of a table, which must hold all of its rows.

    >>> votes = pa.table({"query": ["q", "q", "q"], "ranker": ["x", "x", "y"], "item": ["a", "b", "b"],
    ...                   "score": [2.0, 1.0, 7.0]})
    >>> from stagg.aggregate import prepare
    >>> fuse_table(votes, Task(prepare("borda"))).to_pydict()
    {'query': ['q', 'q'], 'item': ['b', 'a'], 'rank': [1, 2], 'score': [3.0, 2.0]}
    """
    tally = BucketTally() if tally is None else tally
    rankings = read_rows(table, task, tally)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # what is to be said of rankers is said once, by the driver
        done = task.plan.fuse(rankings)
    fused = done.result
    tally.overlap.add(find_overlap(done.rankings, tally.overlap))
    tally.written += len(fused.entries)
    return _trec_rows(fused) if task.as_trec else _columns(fused)


# --- rows without a query ---------------------------------------------------------------------------------------------


def _with_query(
    batches: Iterable[pa.RecordBatch], task: Task, report: Callable[[BucketTally], None]
) -> Iterator[pa.RecordBatch]:
    """The rows without those that have no query: they come first, and are what a lenient reader could not read."""
    for batch in batches:
        if not batch.column("query").null_count:
            yield batch
            continue
        known = pc.is_valid(batch.column("query"))
        tally = BucketTally()
        for row in batch.filter(pc.invert(known)).to_pylist():
            if not task.lenient:
                raise DataError(f"a row has no query (item {shown(row['item'])}); ids are text or whole numbers")
            tally.drop(row.get("problem") or "bad query", row.get("place") or "a row without a query")
        report(tally)
        yield batch.filter(known)


# --- the consensus as a table -----------------------------------------------------------------------------------------


def _columns(fused: Rankings) -> pa.Table:
    """One row per item, queries in bytewise order of id, items by rank."""
    ordered = fused.take_queries(order_by_id(fused.queries))
    columns: dict[str, Any] = {
        "query": id_array(Coded(ordered.list_queries[ordered.entry_lists], ordered.queries)),
        "item": id_array(Coded(ordered.entries, ordered.items)),
        "rank": pa.array(ordered.positions + 1, pa.int64()),
        "score": pa.array(ordered.scores, pa.float64()),
    }
    return pa.table(columns | {name: number_array(column) for name, column in columns_beside(ordered).items()})


def result_columns(task: Task) -> dict[str, pa.DataType]:
    """The names and types of the columns of a result."""
    sure = INTERVALS if task.plan.intervals is not None else {}
    return COLUMNS | sure | dict.fromkeys(task.plan.method.extras, pa.float64())


def _trec_rows(fused: Rankings) -> pa.Table:
    """The lines that the TREC writer writes, whose scores strictly decrease."""
    stream = io.BytesIO()
    write_stream(fused, stream, Trec(strict=True), name="the consensus")
    return pa.table({"value": pa.array(stream.getvalue().decode().split("\n")[:-1], pa.string())})
