"""The local code of the engines, without an engine: tables in, tables out, equal to `fuse`."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import stagg
from stagg import DataError, Rankings, StaggError
from stagg.aggregate import prepare
from stagg.data.results.beside import columns_beside
from stagg.methods import METHODS

pa = pytest.importorskip("pyarrow", reason="engines work on Arrow tables: pip install pyarrow")

import pyarrow.compute as pc  # noqa: E402

from stagg.engines import local  # noqa: E402
from stagg.engines.local import fuse_batches, fuse_table, result_columns  # noqa: E402
from stagg.engines.spark.job import describe_job  # noqa: E402
from stagg.engines.task import BucketTally, Task  # noqa: E402

HOSTILE = [
    "001",
    "NA",
    '"d2',
    "a b",
    "é",
    "\u202ed",
    "x\x1b[31m",
    "null",
    "-",
    "🙂",
    "d" * 5000,
    "a\tb",
    "1e5",
    "\ufeffz",
]


def columns(seed: int = 0, *, queries: int = 7, rankers: int = 4, items: int = 12) -> dict[str, list[Any]]:
    """Partial lists with ties."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[Any]] = {"query": [], "ranker": [], "item": [], "score": []}
    for query in range(queries):
        for ranker in range(rankers):
            listed = rng.permutation(items)[: rng.integers(1, items)]
            found["query"] += [f"q{query}"] * len(listed)
            found["ranker"] += [f"r{ranker}"] * len(listed)
            found["item"] += [HOSTILE[item % len(HOSTILE)] + str(item // len(HOSTILE)) for item in listed]
            found["score"] += np.round(rng.normal(size=len(listed)), 1).tolist()
    return found


def expected(rankings: Rankings, method: str, **options: Any) -> dict[str, list[Any]]:
    fused = stagg.fuse(rankings, method, **options)
    ordered = fused.take_queries(sorted(range(len(fused)), key=fused.queries.__getitem__))
    found = ordered.to_columns()
    del found["ranker"]
    return found | {name: column.tolist() for name, column in columns_beside(ordered).items()}


class Frame(dict[str, Any]):
    """Columns by name with ``.to_numpy()``: what `Rankings.from_frame` takes."""

    columns = property(lambda self: list(self))


def from_columns(found: dict[str, list[Any]]) -> Rankings:
    kinds = {"score": float, "rank": float}
    return Rankings.from_frame(
        Frame({name: _Column(np.array(cells, dtype=kinds.get(name, object))) for name, cells in found.items()})
    )


class _Column:
    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def to_numpy(self) -> np.ndarray:
        return self.values


@pytest.mark.parametrize("method", METHODS.names())
def test_every_method_gives_what_fuse_gives_in_whatever_order_the_rows_come(method: str) -> None:
    rows = columns()
    truth = expected(from_columns(rows), method)
    shuffled = pa.table(rows).take(np.random.default_rng(1).permutation(len(rows["query"])))
    assert fuse_table(shuffled, Task(prepare(method))).to_pydict() == truth


@pytest.mark.parametrize("options", [{"top": 3}, {"depth": 2}, {"weights": {"r1": 0, "r2": 2.5}}])
def test_options_are_those_of_fuse(options: dict[str, Any]) -> None:
    rows = columns()
    task = Task(prepare("rrf", **options), rankers=("r0", "r1", "r2", "r3", "silent"))
    assert fuse_table(pa.table(rows), task).to_pydict() == expected(from_columns(rows), "rrf", **options)


def test_intervals_are_those_of_fuse_bucket_by_bucket() -> None:
    rows = columns()
    options = {"intervals": 0.9, "draws": 50, "seed": 3}
    fused = stagg.fuse(from_columns(rows), "stagg_rrf", **options)
    table = fuse_table(pa.table(rows), Task(prepare("stagg_rrf", **options)))
    assert fused.intervals is not None
    for name in ("low", "high", "top", "group"):
        assert table[name].to_pylist() == getattr(fused.intervals, name).tolist()


@pytest.mark.parametrize("options", [{}, {"intervals": 0.9, "draws": 20}])
@pytest.mark.parametrize("method", ["rrf", "rra"])
def test_the_columns_of_a_result_are_known_before_it_is_made(method: str, options: dict[str, Any]) -> None:
    task = Task(prepare(method, **options))
    table = fuse_table(pa.table(columns()), task)
    assert dict(zip(table.column_names, table.schema.types, strict=True)) == result_columns(task)


def test_ranks_decide_where_there_are_no_scores_or_they_are_asked_for() -> None:
    rows = columns()
    ranks = [float(number) for number in range(1, len(rows["query"]) + 1)]
    by_rank = {"query": rows["query"], "ranker": rows["ranker"], "item": rows["item"], "rank": ranks}
    truth = expected(from_columns(by_rank), "borda")
    assert fuse_table(pa.table(by_rank), Task(prepare("borda"))).to_pydict() == truth
    both = by_rank | {"score": rows["score"]}
    assert fuse_table(pa.table(both), Task(prepare("borda"), order_by="rank")).to_pydict() == truth
    tally = BucketTally()
    fuse_table(pa.table(both), Task(prepare("borda")), tally)
    assert tally.contradictions > 0
    empty = by_rank | {"score": pa.nulls(len(ranks), pa.float64())}
    assert fuse_table(pa.table(empty), Task(prepare("borda"))).to_pydict() == truth


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item": ""}, "the item is ''; expected an id"),
        ({"item": None}, "the item is None; expected an id"),
        ({"ranker": None}, "the ranker is None; expected an id"),
        ({"score": float("nan")}, "the score is nan; expected a finite number"),
        ({"score": float("inf")}, "the score is inf; expected a finite number"),
        ({"score": None}, "the score is None; expected a number"),
        ({"item": "b"}, "query 'q', ranker 'r', item 'b': the item appears twice in one list"),
    ],
)
def test_a_wrong_row_is_named_and_leniently_dropped_and_counted(change: dict[str, Any], message: str) -> None:
    good = [{"query": "q", "ranker": "r", "item": item, "score": score} for item, score in (("b", 2.0), ("c", 1.0))]
    bad = {"query": "q", "ranker": "r", "item": "a", "score": 0.5} | change
    table = pa.Table.from_pylist(
        [*good, bad],
        schema=pa.schema({n: pa.string() for n in ("query", "ranker", "item")}).append(pa.field("score", pa.float64())),
    )
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        fuse_table(table, Task(prepare("rrf")))
    tally = BucketTally()
    kept = fuse_table(table, Task(prepare("rrf"), lenient=True), tally)
    assert kept["item"].to_pylist() == ["b", "c"]
    assert (tally.rows, tally.dropped.total()) == (2, 1)


def test_tallies_of_buckets_add_up() -> None:
    rows = columns()
    table = pa.table(rows).sort_by("query")
    whole, total = BucketTally(), BucketTally()
    fuse_table(table, Task(prepare("rrf")), whole)
    for query in sorted(set(rows["query"])):
        part = table.filter(pc.equal(table["query"], query))
        list(fuse_batches(part.to_batches(), Task(prepare("rrf")), total.add))
    assert total == whole


def test_rows_without_a_query_are_refused_or_dropped() -> None:
    table = pa.table({"query": [None, "q"], "ranker": ["r", "r"], "item": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(DataError, match="no query"):
        list(fuse_batches(table.to_batches(), Task(prepare("rrf")), lambda tally: None))
    total = BucketTally()
    kept = list(fuse_batches(table.to_batches(), Task(prepare("rrf"), lenient=True), total.add))
    assert [batch["item"].to_pylist() for batch in kept] == [["b"]]
    assert (total.rows, total.dropped.total()) == (1, 1)


def test_trec_rows_are_those_of_the_writer(tmp_path: Any) -> None:
    rows = columns()
    with pytest.raises(DataError, match="its columns are separated by blanks"):
        fuse_table(pa.table(rows), Task(prepare("rrf"), as_trec=True))
    rows["item"] = [item.replace(" ", "_").replace("\t", "+") for item in rows["item"]]
    stagg.write(stagg.fuse(from_columns(rows), "rrf"), tmp_path / "a.trec", format="trec(strict=True)")
    table = fuse_table(pa.table(rows), Task(prepare("rrf"), as_trec=True))
    assert "".join(f"{line}\n" for line in table["value"].to_pylist()).encode() == (tmp_path / "a.trec").read_bytes()


@pytest.mark.parametrize("work", ["fuse", "learn"])
def test_a_query_that_does_not_fit_the_memory_is_named(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    def grow(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(local, "read_rows", grow)
    rows = pa.table(columns()).sort_by("query").to_batches()
    task = Task(prepare("stagg_trust"), rankers=("r0", "r1", "r2", "r3"))
    with pytest.raises(StaggError, match=r"out of memory: query 'q\d' has \d+ rows.*memoryOverhead"):
        list(fuse_batches(rows, task, print)) if work == "fuse" else local.gather_batches(rows, task)


def test_buckets_say_together_what_one_process_says_of_rankers_and_numbers() -> None:
    rows = [
        (f"q{query}", ranker, item if ranker != "dense" else item.removeprefix("doc-"), 2.0**53 - place)
        for query in range(30)
        for ranker in ("bm25", "sparse", "dense")
        for place, item in enumerate([f"doc-{query}", "doc-x", f"doc-{query + 1}"])
    ]
    whole, parts = BucketTally(), BucketTally()
    for tally, size in ((whole, len(rows)), (parts, 9)):
        for first in range(0, len(rows), size):
            some = zip(*rows[first : first + size], strict=True)
            table = pa.table(dict(zip(("query", "ranker", "item", "score"), map(list, some), strict=True)))
            part = BucketTally()
            fuse_table(table, Task(prepare("rrf")), part)
            tally.add(pickle.loads(pickle.dumps(part)))
    assert parts == whole
    notes = describe_job(parts).log.notes
    assert notes == [
        "dense shares no item with any other list in 30 of 30 queries; its ids look like 0, the others' like doc-0"
    ]
    assert whole.large_ties == 0
    fuse_table(pa.table({"query": ["q"] * 2, "item": ["a", "b"], "score": [2.0**53] * 2}), Task(prepare("rrf")), parts)
    assert any(note.startswith("numbers tie that may differ (1 row): ") for note in describe_job(parts).log.notes)


def test_a_tally_counts_from_nothing() -> None:
    tally = BucketTally()
    assert (tally.rows, tally.queries, tally.items, tally.longest, tally.written, tally.contradictions) == (0,) * 6
    rows = columns()
    fuse_table(pa.table(rows), Task(prepare("rrf")), tally)
    assert tally.items == len({(query, item) for query, item in zip(rows["query"], rows["item"], strict=True)})
