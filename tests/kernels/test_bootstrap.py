"""Resampled ranks and intervals against the definitions, one draw and one item at a time."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels import bootstrap
from stagg.kernels.bootstrap import rank_intervals, ranks_of, resampled_ranks_in_numpy, weighted_sums


def test_sums_are_the_matrix_product_and_equal_columns_have_equal_sums() -> None:
    rng = np.random.default_rng(0)
    weights, table = rng.random((50, 7)), rng.random((7, 30))
    table[:, 11] = table[:, 4]
    total = weighted_sums(weights, table)
    assert total == pytest.approx(weights @ table)
    assert (total[:, 11] == total[:, 4]).all()


@pytest.mark.parametrize("cells", [4_000_000, 40])
def test_ranks_are_found_in_blocks_as_one_by_one(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "CELLS", cells)
    rng = np.random.default_rng(1)
    weights, table = rng.random((13, 3)), rng.integers(0, 3, (3, 9)).astype(float)
    ranks = resampled_ranks_in_numpy(weights, table)
    for draw, row in enumerate(weighted_sums(weights, table)):
        order = sorted(range(9), key=lambda i: -row[i])  # sorted is stable: ties keep the order of the items
        assert [ranks[item, draw] for item in order] == list(range(9))


def test_intervals_are_the_quantiles_rounded_outward() -> None:
    rng = np.random.default_rng(2)
    ranks = ranks_of(rng.random((1000, 12)))
    for level in (0.5, 0.8, 0.9, 0.95):
        low, high, top, _ = rank_intervals(ranks, level, 3)
        for item in range(12):
            tails = np.quantile(ranks[item] + 1, [(1 - level) / 2, (1 + level) / 2])
            assert low[item] == np.floor(tails[0] + 1e-9)
            assert high[item] == np.ceil(tails[1] - 1e-9)
            assert top[item] == np.mean(ranks[item] < 3)


def test_the_ends_of_an_interval_go_outward_however_near_the_inner_rank_is() -> None:
    ranks = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [5, 5, 5, 9], [1, 5, 5, 5]], dtype=np.int32)
    low, high, _, _ = rank_intervals(ranks, 0.5, 1)  # the places 0.75 and 2.25 of the four draws
    assert low.tolist() == [1, 1, 6, 5]  # 1.75, 1.75, 6, 5
    assert high.tolist() == [4, 4, 7, 6]  # 3.25, 3.25, 7, 6


def test_a_place_that_is_whole_but_for_rounding_is_whole() -> None:
    for level, draws, first, last in ((0.9, 21, 2, 20), (0.8, 11, 2, 10), (0.7, 21, 4, 18), (0.68, 51, 9, 43)):
        ranks = np.random.default_rng(3).permutation(draws).astype(np.int32)[None, :]
        low, high, _, _ = rank_intervals(ranks, level, 1)
        assert (low[0], high[0]) == (first, last)


def test_a_group_ends_where_the_one_before_nearly_always_wins() -> None:
    draws = 100
    ranks = np.zeros((4, draws), dtype=np.int32)
    ranks[0], ranks[1], ranks[2], ranks[3] = 0, 1, 2, 3
    ranks[1, :50], ranks[2, :50] = 2, 1  # items 1 and 2 change places in half of the draws
    _, _, _, group = rank_intervals(ranks, 0.9, 10)
    assert group.tolist() == [1, 2, 2, 3]
    ranks[2, :89], ranks[3, :89] = 3, 2
    ranks[1] = 1
    assert rank_intervals(ranks, 0.9, 10)[3].tolist() == [1, 2, 3, 3]


def test_a_group_ends_where_the_share_of_wins_is_just_the_level() -> None:
    ranks = np.array([[0] * 9 + [1], [1] * 9 + [0]], dtype=np.int32)
    assert rank_intervals(ranks, 0.9, 1)[3].tolist() == [1, 2]
    assert rank_intervals(ranks, 0.91, 1)[3].tolist() == [1, 1]


def test_one_draw_is_its_own_interval() -> None:
    low, high, top, group = rank_intervals(np.array([[0], [1]], dtype=np.int32), 0.9, 1)
    assert low.tolist() == high.tolist() == [1, 2]
    assert top.tolist() == [1.0, 0.0]
    assert group.tolist() == [1, 2]
