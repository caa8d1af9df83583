"""The consensus of many rows: ranges of queries ranked by threads are what all queries at once are."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import DataError, Rankings, threads
from stagg.data.parts import join_queries, slice_queries
from stagg.data.simulation import simulate
from stagg.methods import METHODS, consensus

FAST = [name for name in METHODS.names() if name not in ("kemeny", "cranking")]


def make_rankings(queries: int = 9) -> Rankings:
    """Queries of several sizes with ties, weights, scores, and items that no list holds."""
    drawn = simulate(queries=queries, items=8, rankers=4, keep=0.7, scores=True, seed=5).rankings
    tied = drawn.tied.copy()
    tied[3::7] = True
    tied[drawn.entry_offsets[:-1]] = False
    return drawn.replace(tied=tied).with_weights([1, 2, 1, 0.5])


def same_fields(one: Rankings, other: Rankings) -> bool:
    """Whether two results have the same order, ties and scores, bit by bit."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("entries", "tied", "scores", "entry_offsets")]
    return one.queries == other.queries and all(np.array_equal(mine, theirs) for mine, theirs in pairs)


@pytest.mark.parametrize("name", FAST)
def test_ranges_of_queries_by_threads_are_all_queries_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rankings = make_rankings()
    method, bound = METHODS.parse(name).bind(rankings)
    at_once = consensus.consensus(bound, method)
    monkeypatch.setattr(consensus, "MANY", 1)
    monkeypatch.setattr(threads, "available_cores", lambda: 2)
    assert same_fields(consensus.consensus(bound, method), at_once)


def test_scores_that_cannot_be_added_up_are_an_error_in_any_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "MANY", 1)
    monkeypatch.setattr(threads, "available_cores", lambda: 2)
    huge = make_rankings().with_weights([1e308] * 4)
    with pytest.raises(DataError, match="too large to add up"):
        consensus.consensus(huge, METHODS.parse("combsum"))


def test_slices_of_queries_make_the_whole_again() -> None:
    rankings = make_rankings()
    parts = [slice_queries(rankings, *bounds) for bounds in ((0, 4), (4, 4), (4, 9))]
    assert [len(part) for part in parts] == [4, 0, 5]
    assert join_queries(parts) == rankings


@pytest.mark.parametrize("count", [1, 3, 8, 50])
def test_ranges_hold_every_query_once(count: int) -> None:
    rankings = make_rankings()
    ranges = consensus._find_ranges(rankings, count)
    assert [query for first, last in ranges for query in range(first, last)] == list(range(9))
    assert len(ranges) <= count
