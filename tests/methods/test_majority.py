"""Copeland and Condorcet: majorities counted by slow obvious code, winners, cycles, what nobody compares."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.strategies import random_rankings

from stagg import Rankings, fuse
from stagg.data.query import Query
from stagg.kernels.pairs.majority import margins, smith_sets

CYCLE = ["ABCD", "BCAD", "CABD"]
MISSING = ["below", "skip"]


def scores(rankings: Rankings, method: str, **options: object) -> dict[str, dict[str, float]]:
    fused = fuse(rankings, method, **options)  # type: ignore[arg-type]
    return fused.to_runs()[fused.rankers[0]]


def slow_margin(view: Query, a: str, b: str, missing: str) -> float:
    """Weight of the lists that put a above b less the weight of those that put b above a, list by list."""
    total = 0.0
    for groups, weight in zip(view.lists.values(), view.weights.tolist(), strict=True):
        place = {item: number for number, group in enumerate(groups) for item in group}
        if missing == "skip" and (a not in place or b not in place):
            continue
        total += weight * float(np.sign(place.get(b, len(groups)) - place.get(a, len(groups))))
    return total


def weighted(number: int) -> Rankings:
    return random_rankings(number).with_weights([1, 2, 1, 3])


@pytest.mark.parametrize("missing", MISSING)
def test_copeland_counts_wins_and_half_the_ties(missing: str) -> None:
    for number in range(60):
        rankings = weighted(number)
        found = scores(rankings, "copeland", missing=missing)
        for view in rankings:
            for a in view.items:
                signs = [np.sign(slow_margin(view, a, b, missing)) for b in view.items if b != a]
                assert found[view.id][a] == sum((sign + 1) / 2 for sign in signs)


@pytest.mark.parametrize("missing", MISSING)
def test_the_first_set_of_condorcet_beats_all_others_and_is_the_smallest_that_does(missing: str) -> None:
    for number in range(60):
        for view in weighted(number):
            items = view.items
            beats = {(a, b) for a in items for b in items if slow_margin(view, a, b, missing) > 0}
            dominant = [
                set(group)
                for size in range(1, len(items) + 1)
                for group in itertools.combinations(items, size)
                if all((a, b) in beats for a in group for b in items if b not in group)
            ]
            sets = smith_sets(margins(view.positions, view.weights, missing))
            if items:
                assert {item for item, of in zip(items, sets, strict=True) if of == 0} == dominant[0]


def test_a_cycle_goes_by_its_margins_and_ties_when_they_are_equal() -> None:
    lists = Rankings.from_lists([list(each) for each in CYCLE])
    assert scores(lists, "condorcet")["1"] == {"A": 3, "B": 3, "C": 3, "D": 1}
    # one more for A > B > C: A beats B and B beats C by more than C beats A
    assert fuse(lists, "condorcet", weights=[2, 1, 1]).best_first() == ["A", "B", "C", "D"]
    assert scores(lists, "copeland")["1"] == {"A": 2, "B": 2, "C": 2, "D": 0}


@pytest.mark.parametrize("method", ["condorcet", "copeland"])
@pytest.mark.parametrize("missing", MISSING)
def test_whoever_beats_all_others_comes_first_alone(method: str, missing: str) -> None:
    seen = 0
    for number in range(200):
        rankings = weighted(number)
        order = fuse(rankings, method, missing=missing).to_lists()
        for view in rankings:
            for a in view.items:
                if all(slow_margin(view, a, b, missing) > 0 for b in view.items if b != a):
                    assert order[view.id][f"stagg-{method}"][0] == [a]
                    seen += 1
    assert seen > 50


def test_pairs_that_no_list_compares_are_ties_when_lists_speak_only_of_their_own() -> None:
    islands = Rankings.from_lists([["a", "b"], ["c", "d"]])
    assert scores(islands, "copeland(missing='skip')")["1"] == {"a": 2, "b": 1, "c": 2, "d": 1}
    assert scores(islands, "condorcet(missing='neutral')")["1"] == {"a": 3.5, "b": 1.5, "c": 3.5, "d": 1.5}


@pytest.mark.parametrize("method", ["condorcet", "copeland"])
def test_one_item_and_one_list_are_enough(method: str) -> None:
    assert fuse([["a"]], method).best_first() == ["a"]
    assert fuse([["c", "a", "b"]], method).best_first() == ["c", "a", "b"]


def test_weights_that_add_up_but_for_rounding_tie() -> None:
    lists = Rankings.from_lists([["a", "b"], ["a", "b"], ["b", "a"]])
    assert scores(lists, "copeland", weights=[0.1, 0.2, 0.3])["1"] == {"a": 0.5, "b": 0.5}
    assert scores(lists, "copeland", weights=[0.1, 0.2, 0.300001])["1"] == {"a": 0, "b": 1}


def test_huge_weights_do_not_overflow() -> None:
    lists = Rankings.from_lists([["a", "b"], ["b", "a"], ["b", "a"]])
    assert fuse(lists, "condorcet", weights=[1.7e308, 4e307, 8e307]).best_first() == ["a", "b"]


def test_weights_without_a_common_measure_are_resolved_to_a_part_in_2_to_the_33() -> None:
    rng = np.random.default_rng(1)
    positions, weights = rng.random((7, 5)).argsort(axis=1).astype(float), np.sqrt(np.arange(2.0, 9.0))
    exact = (weights[:, None, None] * np.sign(positions[:, None, :] - positions[:, :, None])).sum(axis=0)
    assert np.abs(margins(positions, weights, "below") - exact * 2**33 / weights.sum()).max() <= 1
