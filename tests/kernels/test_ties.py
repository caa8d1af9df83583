"""The tie rule: equal but for rounding is equal, and rounding never decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stagg.kernels.ties import rank_scores, rank_scores_in_numpy, share_ties


def groups(scores: list[float], masses: list[float] | None = None) -> list[list[int]]:
    """The groups of scores with these masses, their own if not given."""
    order, tied = rank_scores(np.array(scores), np.array(masses or scores), np.zeros(len(scores), dtype=np.intp), 1)
    found: list[list[int]] = []
    for item, same in zip(order.tolist(), tied.tolist(), strict=True):
        if same:
            found[-1].append(item)
        else:
            found.append([item])
    return found


def test_rounding_noise_ties_and_a_real_gap_does_not() -> None:
    assert groups([1.0, 1.0 - 1e-12, 0.5]) == [[0, 1], [2]]
    assert groups([1.0, 1.0 - 2e-10, 0.5]) == [[0], [1], [2]]
    assert groups([1.0, 1.0 - 1e-12, 0.5], [0.0, 0.0, 0.0]) == [[0], [1], [2]]  # counts have no noise


@pytest.mark.parametrize("rank", [rank_scores, rank_scores_in_numpy])
@pytest.mark.parametrize("largest", [1e-6, 1.0, 1e6])
def test_scores_tie_up_to_one_part_in_ten_thousand_million(rank: Callable[..., Any], largest: float) -> None:
    scores = largest * np.array([1.0, 1 - 0.99e-10, 0.5, 0.5 - 0.52e-10, -1.0, -1.0])
    for queries in (np.zeros(6, dtype=np.intp), np.array([0, 0, 1, 1, 1, 1])):  # one query goes a way of its own
        order, tied = rank(scores, scores, queries, queries[-1] + 1)
        assert order.tolist() == list(range(6))
        assert tied.tolist() == [False, True, False, False, False, True]


def test_the_tolerance_goes_by_the_larger_mass_of_the_two() -> None:
    assert groups([1e38, 1e-5, 1e-6, 1e-300, 1e-305, 0.0]) == [[0], [1], [2], [3], [4], [5]]
    assert groups([1.0, 1e-13, 0.0], [1.0, 2.0, 0.0]) == [[0], [1, 2]]  # what is left of terms that nearly cancel
    assert groups([1.0, 1e-13, 0.0], [1.0, 0.0, 2.0]) == [[0], [1, 2]]


def test_scores_below_the_least_are_equal() -> None:
    assert groups([1e-300, 9e-309, 5e-324, 0.0, -5e-309, -2e-308]) == [[0], [1, 2, 3, 4], [5]]
    assert groups([1.2e-308, 9e-309], [0.0, 0.0]) == [[0], [1]]


def test_scores_that_are_all_zero_are_one_group() -> None:
    assert groups([0.0, -0.0, 0.0]) == [[0, 1, 2]]


def test_negative_scores_are_ranked_too() -> None:
    assert groups([-3.0, -1.0, -2.0]) == [[1], [2], [0]]


def test_queries_are_ranked_apart() -> None:
    order, tied = rank_scores(np.array([1.0, 2.0, 2.0, 2.0]), np.zeros(4), np.array([0, 0, 1, 1]), 2)
    assert order.tolist() == [1, 0, 2, 3]
    assert tied.tolist() == [False, False, False, True]


def test_an_empty_table_has_no_ranking() -> None:
    order, tied = rank_scores(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.intp), 1)
    assert len(order) == len(tied) == 0


def test_tied_entries_share_the_mean_of_their_places() -> None:
    values = np.array([1.0, 0.5, 0.25, 4.0, 2.0])
    assert share_ties(values, np.array([False, True, True, False, True])).tolist() == [7 / 12, 7 / 12, 7 / 12, 3.0, 3.0]
    assert share_ties(values, np.zeros(5, dtype=bool)).tolist() == values.tolist()
