"""Leaving one out: what each ranker changes in the fusion, against fusing again from the lists themselves."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import Rankings, fuse
from stagg.aggregate.leaving_out import leave_each_out


def some(seed: int) -> Rankings:
    rng = np.random.default_rng(seed)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for ranker in ("bm25", "dense", "sparse", "late"):
        for query in range(12):
            if rng.random() < 0.85:
                items = rng.permutation(30)[: rng.integers(1, 25)]
                runs.setdefault(ranker, {})[f"q{query}"] = {f"d{i}": -float(r) for r, i in enumerate(items)}
    return Rankings.from_runs(runs)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_two_fusions_say(seed: int) -> None:
    given = some(seed)
    runs, found = given.to_runs(), leave_each_out(given)
    assert found is not None
    whole = fuse(given, "rrf(c=60)")
    for row in found.rankers:
        others = {name: run for name, run in runs.items() if name != row.ranker}
        without = fuse(Rankings.from_runs(others), "rrf(c=60)")
        first, moved = [], []
        for query in runs[row.ranker]:
            if not any(query in run for run in others.values()):
                continue
            ten, left = whole.best_first(query)[:10], without.best_first(query)[:10]
            if len(set(whole.best_first(query)) - set(without.best_first(query))):
                left = [*left, *["-"] * 10][:10]  # candidates stay, but those that no list holds come last
            first.append(ten[0] != left[0])
            moved.append(len(set(ten) - set(left)) / len(ten))
        assert row.queries == len(first)
        assert row.first == pytest.approx(np.mean(first))
        assert row.moved is not None
        assert row.moved <= np.mean(moved) + 1e-12


def test_a_ranker_on_which_the_order_hangs_is_named_and_relatives_are() -> None:
    lists = {f"q{q}": [f"d{(i * 7 + q) % 20}" for i in range(10)] for q in range(30)}
    near = {q: [items[1], items[0], *items[2:]] for q, items in lists.items()}
    runs = {
        "plain": {q: {i: -float(r) for r, i in enumerate(items)} for q, items in lists.items()},
        "same": {q: {i: -float(r) for r, i in enumerate(items)} for q, items in lists.items()},
        "near": {q: {i: -float(r) for r, i in enumerate(items)} for q, items in near.items()},
        "other": {q: {f"x{i}{q}": -float(i) for i in range(5)} for q in lists},
    }
    found = leave_each_out(Rankings.from_runs(runs))
    assert found is not None
    rows = {row.ranker: row for row in found.rankers}
    assert "same" in rows["plain"].relatives
    assert rows["other"].first == 0
    assert not any("Without other" in sentence for sentence in found.sentences)
    two = leave_each_out(Rankings.from_lists({"a": ["x", "y"], "b": ["y", "x"], "c": ["x"]}))
    assert two is not None
    assert two.sentences
    assert all(sentence.endswith("the order hangs on it.") for sentence in two.sentences)


def test_two_rankers_or_very_many_are_not_left_out_one_by_one() -> None:
    assert leave_each_out(Rankings.from_lists([["a"], ["b"]])) is None
    assert leave_each_out(Rankings.from_lists([["a"]] * 51)) is None


def test_of_large_inputs_some_queries_are_taken_whatever_their_order() -> None:
    runs = {r: {f"q{q:04}": {"a": 2.0, "b": 1.0} for q in range(900)} for r in "xyz"}
    one = leave_each_out(Rankings.from_runs(runs))
    two = leave_each_out(Rankings.from_runs({r: dict(reversed(run.items())) for r, run in runs.items()}))
    assert one is not None
    assert one.queries == 500
    assert one == two


def test_a_ranker_alone_in_its_queries_has_nothing_to_compare_with() -> None:
    found = leave_each_out(Rankings.from_runs({"x": {"1": {"a": 1.0}}, "y": {"2": {"a": 1.0}}, "z": {"2": {"b": 1.0}}}))
    assert found is not None
    assert found.rankers[0].first is None
    assert found.rankers[0].queries == 0


def test_of_many_queries_the_first_and_the_last_by_id_are_among_those_that_are_taken() -> None:
    plain = {"a": 2.0, "b": 1.0}
    odd = {"x": {"a": 2.0, "b": 1.0}, "y": {"a": 2.0, "c": 1.0}, "z": {"b": 2.0, "a": 1.0}}  # y decides who is first
    runs = {r: {f"q{q:04}": odd[r] if q in (0, 900) else plain for q in range(901)} for r in "xyz"}
    found = leave_each_out(Rankings.from_runs(runs))
    assert found is not None
    assert [row.first for row in found.rankers] == [0, 2 / 500, 0]
    assert found.sentences == []


def test_half_of_the_queries_is_enough_to_say_that_the_order_hangs_on_a_ranker() -> None:
    odd = {"x": {"a": 2.0, "b": 1.0}, "y": {"a": 2.0, "c": 1.0}, "z": {"b": 2.0, "a": 1.0}}
    for many, told in (
        (1, []),
        (2, ["Without y another item comes first in 50% of its queries: the order hangs on it."]),
    ):
        runs = {r: {f"q{q}": odd[r] if q < many else {"a": 2.0, "b": 1.0} for q in range(4)} for r in "xyz"}
        found = leave_each_out(Rankings.from_runs(runs))
        assert found is not None
        assert found.sentences == told
        assert found.to_dict()["rankers"][1]["first"] == many / 4
    assert leave_each_out(Rankings.from_lists([["a"], ["b"], ["c"]])) is not None
    assert leave_each_out(Rankings.from_lists([["a"]] * 50)) is not None
