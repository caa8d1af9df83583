"""Buckets: whole queries, of measured size, whatever the batches."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="buckets are Arrow tables: pip install pyarrow")

from stagg.engines.buckets import buckets  # noqa: E402
from stagg.errors import StaggError  # noqa: E402


def batches(sizes: list[int], cuts: list[int]) -> list[object]:
    """Queries of these sizes, in order of id, cut into batches at these rows."""
    queries = [f"{number:06}" for number, size in enumerate(sizes) for _ in range(size)]
    whole = pa.RecordBatch.from_pydict({"query": queries, "row": list(range(len(queries)))})
    edges = [0, *cuts, len(queries)]
    return [whole.slice(low, high - low) for low, high in pairwise(edges)]


@pytest.mark.parametrize("seed", range(30))
def test_every_row_comes_once_in_order_and_no_query_is_torn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, rng.choice([3, 30]), size=rng.integers(1, 60)).tolist()
    cuts = sorted(rng.integers(0, sum(sizes) + 1, size=rng.integers(0, 20)).tolist())
    found = list(buckets(batches(sizes, cuts), rows=int(rng.integers(1, 40))))
    assert [row for table in found for row in table["row"].to_pylist()] == list(range(sum(sizes)))
    queries = [set(table["query"].to_pylist()) for table in found]
    assert sum(map(len, queries)) == len(sizes)


@pytest.mark.parametrize("batch", [1, 7, 10_000])
def test_a_huge_query_is_alone_and_small_ones_are_together(batch: int) -> None:
    sizes = [3] * 50 + [500] + [3] * 50
    found = list(buckets(batches(sizes, list(range(batch, sum(sizes), batch))), rows=60))
    rows = [len(table) for table in found]
    assert max(rows) == 500
    assert all(size <= 120 for size in rows if size != 500)
    assert len(rows) <= 10


def test_no_rows_no_buckets() -> None:
    assert list(buckets([])) == []
    assert [len(table) for table in buckets(batches([3], []), rows=1)] == [3]


def test_rows_that_are_not_sorted_are_noticed() -> None:
    first, second = batches([2, 2], [2])
    with pytest.raises(StaggError, match="sorted by query"):
        list(buckets([second, first]))
