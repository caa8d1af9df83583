"""Fuse one bucket: an Arrow table of whole queries in, their consensus as a table out; every engine runs this.

Columns in: ``query``, ``item`` (text), ``ranker`` (text; without it all rows are of one ranker), ``score`` and/or
``rank`` (float64, null where there is none). Columns out: ``query, item, rank, score``, with intervals ``low, high,
top, group``, and what the method adds; or one column ``value`` of TREC rows.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stagg.aggregate import Plan
from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.inputs.arrow import id_array, number_array, read_values
from stagg.data.inputs.construct import with_names
from stagg.data.large_numbers import find_large_ties
from stagg.data.rankings import Rankings
from stagg.data.results.beside import columns_beside
from stagg.data.strangers import Overlap, find_overlap
from stagg.engines.buckets import buckets
from stagg.errors import DataError, DataWarning, StaggError, shown
from stagg.formats.runs.rank_and_score import contradicting
from stagg.formats.runs.trec import Trec
from stagg.formats.write import write_stream
from stagg.kernels.arrays import FloatArray
from stagg.kernels.id_order import order_by_id

__all__ = [
    "COLUMNS",
    "ONE_RANKER",
    "BucketTally",
    "Task",
    "fuse_batches",
    "fuse_table",
    "gather_batches",
    "result_columns",
]

IDS: Final = ("query", "ranker", "item")
COLUMNS: Final = {"query": pa.string(), "item": pa.string(), "rank": pa.int64(), "score": pa.float64()}
INTERVALS: Final = {"low": pa.int64(), "high": pa.int64(), "top": pa.float64(), "group": pa.int64()}
ONE_RANKER: Final = "1"


@dataclasses.dataclass(frozen=True)
class Task:
    """The work on every bucket: a plan, and how rows are read and written.

    ``rankers`` names all of them, in the order that weights by position follow; None takes those that a bucket holds,
    which is right where neither weights nor a model ask for more. ``as_trec`` gives rows of a TREC run, not columns.
    """

    plan: Plan
    rankers: tuple[str, ...] | None = None
    order_by: str | None = None
    lenient: bool = False
    as_trec: bool = False


@dataclasses.dataclass
class BucketTally:
    """Counts of what was read and written; tallies of several buckets add up."""

    rows: int = 0
    queries: int = 0
    items: int = 0
    shortest: int | None = None
    longest: int = 0
    has_ties: bool = False
    written: int = 0
    contradictions: int = 0
    large_ties: int = 0
    rankers: set[str] = dataclasses.field(default_factory=set)
    dropped: Counter[str] = dataclasses.field(default_factory=Counter)
    overlap: Overlap = dataclasses.field(default_factory=Overlap)
    first: dict[str, str] = dataclasses.field(default_factory=dict)
    """Where something was seen first: of all places, the least, so that it does not depend on who looked when."""

    def add(self, other: BucketTally) -> BucketTally:
        for name in ("rows", "queries", "items", "written", "contradictions", "large_ties"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        shortest = [length for length in (self.shortest, other.shortest) if length is not None]
        self.shortest, self.longest = min(shortest, default=None), max(self.longest, other.longest)
        self.has_ties |= other.has_ties
        self.rankers |= other.rankers
        self.dropped.update(other.dropped)
        self.overlap.add(other.overlap)
        for what, place in other.first.items():
            self.see(what, place)
        return self

    def see(self, what: str, place: str) -> None:
        self.first[what] = min(place, self.first.get(what, place))

    def drop(self, reason: str, place: str, rows: int = 1) -> None:
        self.dropped[reason] += rows
        self.see(reason, place)

    def count(self, rankings: Rankings) -> None:
        lengths = rankings.list_lengths
        self.rows += len(rankings.entries)
        self.queries += len(rankings)
        self.items += len(rankings.items)
        self.rankers.update(rankings.rankers)
        if len(lengths):
            self.shortest, self.longest = int(lengths.min()), int(lengths.max())
        self.has_ties |= rankings.has_ties


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
            found.add(task.plan.weigh(_read(table, task, BucketTally())))
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
    rankings = _read(table, task, tally)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # what is to be said of rankers is said once, by the driver
        done = task.plan.fuse(rankings)
    fused = done.result
    tally.overlap.add(find_overlap(done.rankings, tally.overlap))
    tally.written += len(fused.entries)
    return _trec_rows(fused) if task.as_trec else _columns(fused)


# --- rows to rankings -------------------------------------------------------------------------------------------------


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


def _read(table: pa.Table, task: Task, tally: BucketTally) -> Rankings:
    try:
        return _rankings(table, task, tally)
    except UnicodeDecodeError:
        raise DataError("an id is not UTF-8 text; decode the column first") from None


def _rankings(table: pa.Table, task: Task, tally: BucketTally) -> Rankings:
    """The rows as rankings. They are sorted first: the order in which a shuffle brings them must not matter."""
    names = [name for name in IDS if name in table.column_names]
    known = [*names, *[each for each in ("score", "rank") if each in table.column_names]]
    values: dict[str, Any] | None = read_values(table.select(known))
    if values is None:  # something is odd: the rows are looked at one by one
        table = table.sort_by([(name, "ascending") for name in names])
        table = _without_bad_rows(table, task, tally)
        values = {name: table[name].to_pylist() for name in names}
        values |= {name: _floats(table[name]) for name in ("score", "rank") if name in table.column_names}
    else:
        values = _sort(values, names)
    numbers: dict[str, FloatArray] = {name: values[name] for name in ("score", "rank") if name in values}
    by_rank = _by_rank(numbers, task)
    scores, ranks = numbers.get("score"), numbers.get("rank")
    deciding = scores if ranks is None else -ranks if scores is None else np.where(by_rank, -ranks, scores)
    rows = Columns(
        values["query"],
        values["item"],
        np.zeros(0) if deciding is None else deciding,
        rankers=values["ranker"] if "ranker" in names else (task.rankers or (ONE_RANKER,))[0],
        scores=None if scores is None or np.isnan(scores).all() else scores,
    )
    rankings, order = _assemble(rows, task, tally)
    large = find_large_ties(rankings, rows.numbers, order)
    tally.large_ties += 0 if large is None else int(large.sum())
    if scores is not None and ranks is not None and task.order_by != "rank":
        _count_contradictions(rankings, ranks[order], tally)
    if task.rankers is not None:
        rankings = with_names(rankings, rankings.queries, task.rankers)
    tally.count(rankings)
    return rankings


def _sort(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The rows by query, ranker and item, in the order of their ids."""
    places = []
    for name in names:
        place = np.empty(len(values[name].ids), dtype=np.intp)
        place[order_by_id(values[name].ids)] = np.arange(len(place))
        places.append(place[values[name].codes])
    order = np.lexsort(places[::-1])
    return {name: column.take(order) if name in names else column[order] for name, column in values.items()}


def _floats(column: pa.ChunkedArray) -> FloatArray:
    """Numbers, NaN where there is none."""
    numbers: FloatArray = pc.fill_null(column, float("nan")).to_numpy().astype(np.float64)
    return numbers


def _by_rank(numbers: dict[str, FloatArray], task: Task) -> np.ndarray:
    """Which rows go by their rank: all if asked for or if there are no scores, else those of lists without scores."""
    scores = numbers.get("score")
    if scores is None:
        return np.ones(len(numbers["rank"]), dtype=bool)
    return np.isnan(scores) | (task.order_by == "rank")


def _assemble(rows: Columns, task: Task, tally: BucketTally) -> tuple[Rankings, np.ndarray]:
    try:
        rankings, order = from_columns(rows, duplicates="best" if task.lenient else "error")
    except DataError as error:
        row = int(error.line or 1) - 1
        ranker = rows.rankers if isinstance(rows.rankers, str) else rows.rankers[row]
        place = _place(rows.queries[row], ranker, rows.items[row])
        said = f"{place}: the item appears twice in one list; remove one of them, or read leniently"
        raise DataError(f"{said} (lenient=True) to keep the better") from None
    gone = len(rows.queries) - len(order)
    if gone:
        row = int(np.setdiff1d(np.arange(len(rows.queries)), order)[0])
        ranker = rows.rankers if isinstance(rows.rankers, str) else rows.rankers[row]
        tally.drop("duplicate item", _place(rows.queries[row], ranker, rows.items[row]), gone)
    return rankings, order


def _count_contradictions(rankings: Rankings, ranks: FloatArray, tally: BucketTally) -> None:
    """How often the rank column puts an item before one of the next higher score."""
    falls = contradicting(rankings, ranks)
    if falls.any():
        entry = int(np.flatnonzero(falls)[0])
        chosen = int(rankings.entry_lists[entry])
        query, ranker = rankings.queries[rankings.list_queries[chosen]], rankings.rankers[rankings.list_rankers[chosen]]
        tally.contradictions += int(falls.sum())
        tally.see("contradictions", f"query {shown(query)}, ranker {shown(ranker)}")


def _place(query: str, ranker: str, item: str) -> str:
    """Where a row belongs; an engine that reads files finds its line by this."""
    return f"query {shown(query)}, ranker {shown(ranker)}, item {shown(item)}"


# --- what is wrong with a row -----------------------------------------------------------------------------------------


def _without_bad_rows(table: pa.Table, task: Task, tally: BucketTally) -> pa.Table:
    """The rows that nothing is wrong with; the first wrong one is an error unless reading is lenient."""
    for reason, expected, wrong in _checks(table, task):
        if not wrong.any():
            continue
        row = int(np.flatnonzero(wrong)[0])
        found = {name: table[name][row].as_py() for name in table.column_names}
        place = _place(found["query"], found.get("ranker", ONE_RANKER), found["item"])
        if not task.lenient:
            what = reason.removeprefix("bad ")
            raise DataError(f"{place}: the {what} is {shown(found[what])}; expected {expected}")
        tally.drop(reason, place, int(wrong.sum()))
        return _without_bad_rows(table.filter(pa.array(~wrong)), task, tally)
    return table


def _checks(table: pa.Table, task: Task) -> Iterator[tuple[str, str, np.ndarray]]:
    """(reason, what is expected, which rows have it wrong), in the order in which they are looked at."""
    for name in IDS:
        if name in table.column_names:
            empty = pc.fill_null(pc.equal(table[name], ""), True).to_numpy()
            yield f"bad {name}", "an id: text or a whole number, not empty", empty
    numbers = {name: _floats(table[name]) for name in ("score", "rank") if name in table.column_names}
    if "score" in numbers:
        given = table["score"].is_valid().to_numpy()
        yield "bad score", "a finite number such as 12.5 or -3e-2", given & ~np.isfinite(numbers["score"])
        yield "bad score", "a number, or a list that has ranks and no scores at all", _gaps(table, given)
    if "rank" in numbers:
        yield "bad rank", "a number from 0 on", _by_rank(numbers, task) & ~(numbers["rank"] >= 0)


def _gaps(table: pa.Table, given: np.ndarray) -> np.ndarray:
    """Rows without a score in lists that have some, or where no rank could put them in order."""
    if given.all() or "rank" not in table.column_names:
        return ~given
    rankers = table["ranker"].to_pylist() if "ranker" in table.column_names else [ONE_RANKER] * len(given)
    lists = list(zip(table["query"].to_pylist(), rankers, strict=True))
    scored = {each for each, has in zip(lists, given.tolist(), strict=True) if has}
    return np.array([not has and each in scored for each, has in zip(lists, given.tolist(), strict=True)])


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
