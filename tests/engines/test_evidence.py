"""Methods that learn from all queries: what partitions gather and merge is what one process learns, bit for bit."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from stagg.aggregate import Plan, prepare
from stagg.methods import METHODS
from stagg.methods.stochastic import agreements
from stagg.methods.stochastic.trust import Trusted

pa = pytest.importorskip("pyarrow", reason="engines work on Arrow tables: pip install pyarrow")

import pyarrow.compute as pc  # noqa: E402

from stagg.engines.local import fuse_table, gather_batches  # noqa: E402
from stagg.engines.task import Task  # noqa: E402

LEARNING = ("stagg_trust", "stagg_trust(confidence=False)", "stagg_bc(shape='learned')",
            "copeland(shape='learned', trust='learned')", "copeland(trust='learned')")  # fmt: skip
NOTHING_LEARNED = "ignore:.*nothing to learn from"


def odd_rows(seed: int, *, queries: int = 23, rankers: int = 5, scored: bool = True) -> Any:
    """Partial lists with ties: rankers miss in queries, two are copies, one has a single query, a query one ranker."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str, float]] = []
    for query in range(queries):
        for ranker in range(rankers):
            if rng.random() < 0.3 or (0 < ranker == rankers - 1 and query) or (query == 3 and ranker):
                continue
            listed = rng.permutation(40)[: rng.integers(1, 30)]
            numbers = np.round(rng.normal(size=len(listed)) * 10.0**ranker, 2) if scored else np.arange(len(listed))
            each = list(zip(listed.tolist(), numbers.tolist(), strict=True))
            names = ["r0", "a copy of r0"] if ranker == 0 else [f"r{ranker}"]
            rows += [(f"q{query}", name, f"d{item}", number) for name in names for item, number in each]
    names = ("query", "ranker", "item", "score" if scored else "rank")
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def learned_in_parts(table: Any, plan: Plan, parts: int, seed: int) -> Plan:
    """The plan after so many partitions of the queries were gathered, sent as bytes and merged in some order."""
    rng = np.random.default_rng(seed)
    task = Task(plan, tuple(sorted(set(table["ranker"].to_pylist()))))
    queries = sorted(set(table["query"].to_pylist()))
    owner = dict(zip(queries, rng.integers(0, parts, len(queries)).tolist(), strict=True))
    dealt = pa.array([owner[query] for query in table["query"].to_pylist()])
    found = []
    for part in rng.permutation(parts).tolist():
        mine = table.filter(pc.equal(dealt, part)).sort_by("query")
        found.append(pickle.dumps(gather_batches(mine.to_batches(max_chunksize=37), task)))
    total = plan.method.evidence()
    assert total is not None
    for each in found:
        total.merge(pickle.loads(each))
    return plan.conclude(total)


def fuse_query_by_query(table: Any, plan: Plan) -> Any:
    task = Task(plan, tuple(sorted(set(table["ranker"].to_pylist()))))
    queries = sorted(set(table["query"].to_pylist()))
    return pa.concat_tables([fuse_table(table.filter(pc.equal(table["query"], query)), task) for query in queries])


def in_one_process(table: Any, plan: Plan) -> Any:
    return fuse_table(table, Task(plan, tuple(sorted(set(table["ranker"].to_pylist())))))


@pytest.mark.filterwarnings(NOTHING_LEARNED)
@pytest.mark.parametrize("method", LEARNING)
@pytest.mark.parametrize("parts", [1, 2, 7, 60])
@pytest.mark.parametrize("scored", [True, False])
def test_partitions_learn_and_fuse_as_one_process_to_the_bit(method: str, parts: int, scored: bool) -> None:
    table, plan = odd_rows(parts, scored=scored), prepare(method)
    found = fuse_query_by_query(table, learned_in_parts(table, plan, parts, seed=parts))
    assert found.equals(in_one_process(table, plan))


@pytest.mark.filterwarnings(NOTHING_LEARNED)
@pytest.mark.parametrize("options", [{"depth": 4}, {"weights": {"r1": 0, "r2": 3}}, {"min_score": {"r1": 0}, "top": 5}])
def test_weights_depth_and_thresholds_hold_for_what_is_learned(options: dict[str, Any]) -> None:
    table, plan = odd_rows(1), prepare("stagg_trust", **options)
    found = fuse_query_by_query(table, learned_in_parts(table, plan, 5, seed=1))
    assert found.equals(in_one_process(table, plan))


@pytest.mark.filterwarnings(NOTHING_LEARNED)
@pytest.mark.parametrize("shape", [{"queries": 1}, {"rankers": 2}, {"rankers": 1}, {"queries": 2}])
def test_where_little_can_be_learned_the_outcome_is_that_of_one_process(shape: dict[str, int]) -> None:
    table, plan = odd_rows(2, **shape), prepare("stagg_trust")
    found = fuse_query_by_query(table, learned_in_parts(table, plan, 3, seed=1))
    assert found.equals(in_one_process(table, plan))


def test_what_is_believed_of_each_ranker_is_the_same_in_every_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreements, "KEPT", 36 * 200)  # more queries than are kept: a sample, by their hashes
    table, plan = odd_rows(4, queries=700), prepare("stagg_trust")
    beliefs = set()
    for parts in (1, 3, 40):
        method = learned_in_parts(table, plan, parts, seed=parts).method
        assert isinstance(method, Trusted)
        assert method.trust.learned
        assert any(each.confirmation for each in method.trust.rankers.values())
        beliefs.add(repr(method.trust.to_dict()))
    assert len(beliefs) == 1


def test_no_more_of_a_partition_travels_than_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    table, plan = odd_rows(4, queries=900), prepare("stagg_trust")
    task = Task(plan, tuple(sorted(set(table["ranker"].to_pylist()))))
    table = table.sort_by("query")
    every = len(pickle.dumps(gather_batches(table.to_batches(), task)))
    monkeypatch.setattr(agreements, "KEPT", 36 * 100)
    assert len(pickle.dumps(gather_batches(table.to_batches(), task))) < every / 5


def test_every_method_that_learns_from_all_queries_says_what_it_gathers() -> None:
    for name in METHODS.names():
        method = METHODS.parse(name)
        assert (method.evidence() is not None) == method.needs_all_queries()
        assert method.needs_all_queries() == ("query_independence" in method.broken_laws())


def test_merging_does_not_change_what_was_merged() -> None:
    table, plan = odd_rows(5), prepare("stagg_trust")
    task = Task(plan, tuple(sorted(set(table["ranker"].to_pylist()))))
    one = gather_batches(table.sort_by("query").to_batches(), task)
    before = pickle.dumps(one)
    total = plan.method.evidence()
    assert total is not None
    total.merge(pickle.loads(before))
    total.merge(one)
    assert pickle.dumps(one) == before
