"""Sums that no order of the terms can change."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from stagg.kernels.sums import Rest, Sums, find_largest, sums_by_item, sums_in_numpy

both = pytest.mark.parametrize("add", [sums_by_item, sums_in_numpy], ids=["compiled", "numpy"])


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_any_order_of_the_terms_gives_the_same_bits(scale: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=300) * scale
    items = rng.integers(0, 7, 300)
    one = sums_by_item(values, items, 7).totals
    for _ in range(20):
        order = rng.permutation(300)
        assert (sums_by_item(values[order], items[order], 7).totals == one).all()


def test_the_total_is_nearer_to_the_truth_than_a_floating_point_sum_need_be() -> None:
    rng = np.random.default_rng(2)
    values = 1.0 / (60 + rng.integers(1, 1000, 50))
    total = sums_by_item(values, np.zeros(50, dtype=np.intp), 1).totals[0]
    assert abs(total - math.fsum(values)) <= math.ulp(total)


@both
def test_items_without_terms_have_zero(add: Callable[..., Sums]) -> None:
    assert add(np.array([2.0]), np.array([1]), 3).totals.tolist() == [0.0, 2.0, 0.0]
    assert add(np.zeros(0), np.zeros(0, dtype=np.intp), 0).totals.tolist() == []


@both
def test_every_item_is_summed_to_its_own_precision_whatever_the_others_have(add: Callable[..., Sums]) -> None:
    values = np.array([1.7e308, 1e-300, 3e-300, 0.1, 0.2, 5e-324, 1.0, 1e-30])
    totals = add(values, np.array([0, 1, 1, 2, 2, 3, 4, 4]), 5).totals
    assert totals.tolist() == [1.7e308, 4e-300, 0.1 + 0.2, 5e-324, 1.0]


@both
def test_masses_are_the_sums_of_the_absolute_values(add: Callable[..., Sums]) -> None:
    values, items = np.array([1.0, -1.0, 2.0, -0.25, 3e-9]), np.array([0, 0, 1, 2, 2])
    totals, masses = add(values, items, 4)
    assert totals.tolist() == [0.0, 2.0, -0.25 + 3e-9, 0.0]
    assert masses.tolist() == [2.0, 2.0, 0.25 + 3e-9, 0.0]


@both
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_a_term_that_is_not_finite_makes_all_totals_unknown(add: Callable[..., Sums], bad: float) -> None:
    assert np.isnan(add(np.array([1.0, bad]), np.array([0, 1]), 2).totals).all()
    rest = Rest(np.array([bad]), np.array([0, 1]), np.array([0]), np.array([0, 2]))
    assert np.isnan(add(np.array([1.0]), np.array([0]), 2, rest).totals).all()


@both
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_the_rest_of_a_list_that_holds_all_items_is_nobodys_term(add: Callable[..., Sums], bad: float) -> None:
    rest = Rest(np.array([bad, -3.0]), np.array([0, 2, 3]), np.array([0, 0]), np.array([0, 2]))
    totals, masses = add(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0]), 2, rest)
    assert (totals.tolist(), masses.tolist()) == ([5.0, -1.0], [5.0, 5.0])


def random_lists(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, Rest]:
    """Entries of some queries, list by list, and what each list gives to the others; some have no items or no lists."""
    sizes, lists = rng.integers(0, 30, 9), rng.integers(0, 7, 9)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    queries = np.repeat(np.arange(9), lists)
    held = [rng.permutation(sizes[q])[: rng.integers(0, sizes[q] + 1)] + offsets[q] for q in queries]
    items = np.concatenate([*held, np.zeros(0, dtype=np.intp)]).astype(np.intp)
    ends = np.concatenate([[0], np.cumsum([len(each) for each in held])]).astype(np.intp)
    scale = 10.0 ** rng.integers(-200, 200, len(items))
    rest = rng.normal(size=len(queries)) * 10.0 ** rng.integers(-200, 200, len(queries))
    return rng.normal(size=len(items)) * scale, items, Rest(rest, ends, queries, offsets)


@both
@pytest.mark.parametrize("pairs", [1, 50, 4_000_000])
def test_the_rest_is_a_term_of_every_item_that_a_list_does_not_hold(
    add: Callable[..., Sums], pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stagg.kernels.sums.PAIRS", pairs)
    rng = np.random.default_rng(3)
    for _ in range(20):
        values, items, rest = random_lists(rng)
        count = int(rest.item_offsets[-1])
        terms: list[list[Fraction]] = [[] for _ in range(count)]
        for each, query in enumerate(rest.list_queries.tolist()):
            entries = range(*rest.entry_offsets[each : each + 2].tolist())
            mine = {int(items[e]): values[e] for e in entries}
            for item in range(*rest.item_offsets[query : query + 2].tolist()):
                terms[item].append(Fraction(mine.get(item, rest.values[each])))
        totals, masses = add(values, items, count, rest)
        for item, own in enumerate(terms):
            size = sum(map(abs, own), Fraction(0))
            assert abs(Fraction(totals[item]) - sum(own)) <= size * Fraction(2) ** -52
            assert abs(Fraction(masses[item]) - size) <= size * Fraction(2) ** -52


def test_the_rest_is_added_to_the_same_bits_by_both() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        values, items, rest = random_lists(rng)
        given = values, items, int(rest.item_offsets[-1]), rest
        for mine, theirs in zip(sums_by_item(*given), sums_in_numpy(*given), strict=True):
            assert mine.tobytes() == theirs.tobytes()


def test_the_largest_of_each_owner() -> None:
    assert find_largest(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 2]), 4).tolist() == [3.0, 0.0, 2.0, 0.0]
    for count in range(3):
        assert find_largest(np.zeros(0), np.zeros(0, dtype=np.intp), count).tolist() == [0.0] * count
