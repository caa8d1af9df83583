"""Sums that no order of the terms can change."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stagg.kernels.sums import find_largest, sums_by_item


def summed(values: np.ndarray, items: np.ndarray, n: int) -> np.ndarray:
    """All in one query, at most as many lists as values."""
    zeros = np.zeros(len(values), dtype=np.intp)
    return sums_by_item(
        values,
        items,
        item_queries=np.zeros(n, dtype=np.intp),
        entry_queries=zeros,
        lists=np.array([max(1, len(values))]),
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_any_order_of_the_terms_gives_the_same_bits(scale: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=300) * scale
    items = rng.integers(0, 7, 300)
    one = summed(values, items, 7)
    for _ in range(20):
        order = rng.permutation(300)
        assert (summed(values[order], items[order], 7) == one).all()


def test_the_total_is_nearer_to_the_truth_than_a_floating_point_sum_need_be() -> None:
    rng = np.random.default_rng(2)
    values = 1.0 / (60 + rng.integers(1, 1000, 50))
    total = summed(values, np.zeros(50, dtype=np.intp), 1)[0]
    assert abs(total - math.fsum(values)) <= math.ulp(total)


def test_items_without_terms_and_queries_without_entries_have_zero() -> None:
    totals = sums_by_item(
        np.array([2.0]),
        np.array([1]),
        item_queries=np.array([0, 0, 1]),
        entry_queries=np.array([0]),
        lists=np.array([1, 0]),
    )
    assert totals.tolist() == [0.0, 2.0, 0.0]


def test_queries_do_not_touch_each_others_precision() -> None:
    totals = sums_by_item(
        np.array([1e300, 1e-300]),
        np.array([0, 1]),
        item_queries=np.array([0, 1]),
        entry_queries=np.array([0, 1]),
        lists=np.array([1, 1]),
    )
    assert totals.tolist() == [1e300, 1e-300]


def test_the_largest_of_each_owner() -> None:
    assert find_largest(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 2]), 4).tolist() == [3.0, 0.0, 2.0, 0.0]
    assert find_largest(np.zeros(0), np.zeros(0, dtype=np.intp), 1).tolist() == [0.0]
