"""Rows of a bucket to rankings: the compiled twin beside the close look, which sorts all rows by their ids."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from stagg.aggregate import prepare
from stagg.data.rankings import Rankings
from stagg.kernels.text import records

pa = pytest.importorskip("pyarrow", reason="engines work on Arrow tables: pip install pyarrow")

from stagg.engines.bucket_rows import read_closely, read_quickly, read_rows  # noqa: E402
from stagg.engines.task import BucketTally, Task  # noqa: E402
from stagg.errors import DataError  # noqa: E402

compiled = pytest.mark.skipif(not records.has_twin(), reason="the twin of records is not built")

IDS = ["a", "ab", "abc", "b", "é", "ü", "z" * 30, "z" * 30 + "a", "🙂", "\x00", "a\x00", "a\x00b", "doc-1", "doc-10"]
ARRAYS = ("item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied", "scores")


def random_table(seed: int) -> Any:
    """Rows in any order: partial lists, ties, some columns, ids of any text or whole numbers."""
    rng = np.random.default_rng(seed)
    shape = seed % 8
    items = [f"msmarco_doc_{number:08}" for number in range(300)] if shape == 1 else [*IDS, *map(str, range(40))]
    rankers = ["x"] if shape == 2 else ["r10", "r9", "é", "b"]
    rows = []
    for query in mixed(rng, ["q10", "q9", "ü", "a", "a\x00"]):
        for ranker in mixed(rng, rankers)[: rng.integers(1, len(rankers) + 1)]:
            chosen = mixed(rng, items)[: rng.integers(1, len(items))]
            numbers = rng.integers(-3, 4, len(chosen)) if seed % 2 else rng.normal(size=len(chosen))
            rows += [(query, ranker, item, float(score)) for item, score in zip(chosen, numbers, strict=True)]
    columns = map(list, zip(*mixed(rng, rows), strict=True))
    table = pa.table(dict(zip(("query", "ranker", "item", "score"), columns, strict=True)))
    if shape == 2:
        table = table.drop_columns(["ranker"])
    if shape == 4:
        table = table.append_column("rank", pa.array(rng.integers(0, 9, len(table)), pa.float64()))
    if shape == 5:
        table = table.drop_columns(["score"]).append_column("rank", pa.array(rng.integers(0, 9, len(table))))
    if shape == 6:
        numbers = {name: number for number, name in enumerate(dict.fromkeys(table["item"].to_pylist()))}
        whole = pa.array([numbers[name] for name in table["item"].to_pylist()], pa.int64())
        table = table.set_column(table.column_names.index("item"), "item", whole)
    if shape == 7:
        scores = pa.array(2.0**53 + rng.integers(0, 3, len(table)))
        table = table.set_column(table.column_names.index("score"), "score", scores)
    cut = int(rng.integers(0, len(table)))
    return pa.concat_tables([table.slice(0, cut), table.slice(cut)])  # several chunks, as Spark has them


def mixed(rng: np.random.Generator, members: list[Any]) -> list[Any]:
    """In another order. (NumPy's own arrays of text lose zero bytes at the end.)"""
    return [members[k] for k in rng.permutation(len(members))]


def by_id(rankings: Rankings) -> Rankings:
    """The same with rankers, lists and the items of a query in the order of their ids: as the twin numbers them."""
    rankers = tuple(sorted(rankings.rankers))
    item_numbers, items = np.zeros(len(rankings.items), dtype=np.intp), []
    lists = []
    for query in range(len(rankings)):
        first, last = rankings.item_offsets[query : query + 2]
        order = sorted(range(first, last), key=rankings.items.__getitem__)
        item_numbers[order] = np.arange(first, last)
        items += [rankings.items[number] for number in order]
        own = range(*rankings.list_offsets[query : query + 2])
        lists += sorted(own, key=lambda number: rankings.rankers[rankings.list_rankers[number]])
    spans = [np.arange(*rankings.entry_offsets[number : number + 2]) for number in lists]
    entries = np.concatenate(spans)
    return rankings.replace(
        rankers=rankers,
        items=tuple(items),
        list_rankers=np.array([rankers.index(rankings.rankers[rankings.list_rankers[number]]) for number in lists]),
        entry_offsets=np.cumsum([0, *map(len, spans)]),
        entries=item_numbers[rankings.entries[entries]],
        tied=rankings.tied[entries],
        scores=None if rankings.scores is None else rankings.scores[entries],
    )


def assert_same(found: Rankings, expected: Rankings) -> None:
    assert found.queries == expected.queries
    assert found.rankers == expected.rankers
    assert found.items == tuple(expected.items)
    for name in ARRAYS:
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        if one is not None:
            np.testing.assert_array_equal(one, other, err_msg=name)


@compiled
@pytest.mark.parametrize("order_by", [None, "rank"])
@pytest.mark.parametrize("seed", range(48))
def test_the_twin_makes_the_rankings_of_a_close_look(seed: int, order_by: str | None) -> None:
    table, task = random_table(seed), Task(prepare(), order_by=order_by)
    quick, close = BucketTally(), BucketTally()
    found, expected = read_quickly(table, task, quick), read_closely(table, task, close)
    assert found is not None
    assert_same(found, by_id(expected))
    assert (quick.large_ties, quick.contradictions) == (close.large_ties, close.contradictions)


@compiled
@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_the_rows_changes_nothing(seed: int) -> None:
    table = random_table(seed)
    shuffled = table.take(np.random.default_rng(1).permutation(len(table)))
    one, other = (read_quickly(rows, Task(prepare()), BucketTally()) for rows in (table, shuffled))
    assert one is not None
    assert other is not None
    assert_same(one, other)


@compiled
def test_rankers_that_are_named_keep_their_order() -> None:
    task = Task(prepare(), rankers=("silent", "é", "r9", "b", "r10"))
    found = read_quickly(random_table(0), task, BucketTally())
    assert found is not None
    assert found.rankers == task.rankers
    assert all((np.diff(found.list_rankers[low:high]) > 0).all() for low, high in spans(found))
    free = read_quickly(random_table(0), dataclasses.replace(task, rankers=None), BucketTally())
    assert free is not None
    assert found.to_dict() == free.to_dict()


def spans(rankings: Rankings) -> Iterator[tuple[int, int]]:
    return zip(rankings.list_offsets[:-1].tolist(), rankings.list_offsets[1:].tolist(), strict=True)


ROW = {"query": "q", "ranker": "r", "item": "a", "score": 1.0, "rank": 1.0}


@pytest.mark.parametrize(
    "change",
    [{"item": ""}, {"item": None}, {"query": ""}, {"ranker": None}, {"score": None}, {"score": float("nan")},
     {"score": float("inf")}, {"rank": -1.0}, {"rank": None}, {"score": 0.0}],
    ids=str,
)  # fmt: skip
def test_what_is_odd_or_twice_in_a_list_is_looked_at_closely(change: dict[str, Any]) -> None:
    table = pa.Table.from_pylist([ROW, ROW | change, ROW | {"item": "b"}])
    assert read_quickly(table, Task(prepare()), BucketTally()) is None
    if change not in ({"rank": None}, {"rank": -1.0}):
        with pytest.raises(DataError):
            read_rows(table, Task(prepare()), BucketTally())


def test_no_rows_are_no_rankings() -> None:
    table = pa.table(
        {"query": pa.array([], pa.string()), "item": pa.array([], pa.string()), "score": pa.array([], pa.float64())}
    )
    assert len(read_rows(table, Task(prepare()), BucketTally())) == 0


@compiled
def test_a_contradiction_is_told_of_the_same_list() -> None:
    table = pa.Table.from_pylist([ROW, ROW | {"item": "b", "score": 2.0, "rank": 2.0}, ROW | {"query": "p"}])
    quick, close = BucketTally(), BucketTally()
    read_quickly(table, Task(prepare()), quick)
    read_closely(table, Task(prepare()), close)
    assert (quick.contradictions, quick.first) == (close.contradictions, close.first)
    assert quick.first == {"contradictions": "query 'q', ranker 'r'"}
