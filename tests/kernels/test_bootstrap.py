"""Resampled ranks and intervals against the definitions, one draw and one item at a time."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.lists import bootstrap
from stagg.kernels.lists.bootstrap import (
    Ranks,
    rank_intervals,
    ranks_of,
    resampled_ranks_in_numpy,
    share_places,
    weighted_sums,
)


def intervals(ranks: np.ndarray, level: float, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of ranks without ties."""
    return rank_intervals(Ranks(ranks, ranks), np.zeros(len(ranks), dtype=bool), level, k)


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
        for item in range(9):
            ahead = sum(row[j] > row[item] * (1 + 1e-10) for j in range(9))
            level = sum(abs(row[j] - row[item]) <= 1e-10 * row[item] for j in range(9))
            assert (ranks.first[item, draw], ranks.last[item, draw]) == (ahead, ahead + level - 1)


def test_intervals_are_the_quantiles_rounded_outward() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.random((1000, 12))
    ranks = ranks_of(drawn, drawn)
    assert ranks.last is ranks.first
    for level in (0.5, 0.8, 0.9, 0.95):
        low, high, top, _ = rank_intervals(ranks, np.zeros(12, dtype=bool), level, 3)
        for item in range(12):
            tails = np.quantile(ranks.first[item] + 1, [(1 - level) / 2, (1 + level) / 2])
            assert low[item] == np.floor(tails[0] + 1e-9)
            assert high[item] == np.ceil(tails[1] - 1e-9)
            assert top[item] == np.mean(ranks.first[item] < 3)


def test_the_ends_of_an_interval_go_outward_however_near_the_inner_rank_is() -> None:
    ranks = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [5, 5, 5, 9], [1, 5, 5, 5]], dtype=np.int32)
    low, high, _, _ = intervals(ranks, 0.5, 1)  # the places 0.75 and 2.25 of the four draws
    assert low.tolist() == [1, 1, 6, 5]  # 1.75, 1.75, 6, 5
    assert high.tolist() == [4, 4, 7, 6]  # 3.25, 3.25, 7, 6


def test_a_place_that_is_whole_but_for_rounding_is_whole() -> None:
    for level, draws, first, last in ((0.9, 21, 2, 20), (0.8, 11, 2, 10), (0.7, 21, 4, 18), (0.68, 51, 9, 43)):
        ranks = np.random.default_rng(3).permutation(draws).astype(np.int32)[None, :]
        low, high, _, _ = intervals(ranks, level, 1)
        assert (low[0], high[0]) == (first, last)


def test_a_group_ends_where_the_one_before_nearly_always_wins() -> None:
    draws = 100
    ranks = np.zeros((4, draws), dtype=np.int32)
    ranks[0], ranks[1], ranks[2], ranks[3] = 0, 1, 2, 3
    ranks[1, :50], ranks[2, :50] = 2, 1  # items 1 and 2 change places in half of the draws
    _, _, _, group = intervals(ranks, 0.9, 10)
    assert group.tolist() == [1, 2, 2, 3]
    ranks[2, :89], ranks[3, :89] = 3, 2
    ranks[1] = 1
    assert intervals(ranks, 0.9, 10)[3].tolist() == [1, 2, 3, 3]


def test_a_group_ends_where_the_share_of_wins_is_just_the_level() -> None:
    ranks = np.array([[0] * 9 + [1], [1] * 9 + [0]], dtype=np.int32)
    assert intervals(ranks, 0.9, 1)[3].tolist() == [1, 2]
    assert intervals(ranks, 0.91, 1)[3].tolist() == [1, 1]


def test_one_draw_is_its_own_interval() -> None:
    low, high, top, group = intervals(np.array([[0], [1]], dtype=np.int32), 0.9, 1)
    assert low.tolist() == high.tolist() == [1, 2]
    assert top.tolist() == [1.0, 0.0]
    assert group.tolist() == [1, 2]


def test_items_that_tie_in_a_draw_hold_all_the_places_of_their_group() -> None:
    scores = np.array([[3.0, 2.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0 + 1e-12, 0.0, 3.0]])
    first, last = ranks_of(scores, scores)
    assert first.T.tolist() == [[0, 1, 1, 3], [0, 0, 0, 0], [1, 1, 3, 0]]
    assert last.T.tolist() == [[0, 2, 2, 3], [3, 3, 3, 3], [2, 2, 3, 0]]
    low, high, top, _ = rank_intervals(Ranks(first, last), np.zeros(4, dtype=bool), 0.9, 2)
    assert low.tolist() == [1, 1, 1, 1]
    assert high.tolist() == [4, 4, 4, 4]
    assert top == pytest.approx([(1 + 0.5 + 0.5) / 3, (0.5 + 0.5 + 0.5) / 3, (0.5 + 0.5 + 0) / 3, (0 + 0.5 + 1) / 3])


def test_items_that_tie_in_the_consensus_share_a_group() -> None:
    ranks = np.array([[0] * 10, [1] * 10, [2] * 10, [3] * 10], dtype=np.int32)
    tied = np.array([False, False, True, False])
    assert rank_intervals(Ranks(ranks, ranks), tied, 0.9, 1)[3].tolist() == [1, 2, 2, 3]
    ranks[2, :2], ranks[3, :2] = 3, 2  # the last beats one of the two before it in a fifth of the draws
    assert rank_intervals(Ranks(ranks, ranks), tied, 0.9, 1)[3].tolist() == [1, 2, 2, 2]
    assert rank_intervals(Ranks(ranks, ranks), tied, 0.8, 1)[3].tolist() == [1, 2, 2, 3]


def test_shares_of_places_are_divided_among_those_who_tie() -> None:
    rng = np.random.default_rng(4)
    scores = rng.integers(0, 3, (50, 6)).astype(float)
    ranks = ranks_of(scores, scores)
    shares = share_places(ranks, 3)
    counted = np.zeros((6, 4))
    for draw in range(50):
        for item in range(6):
            places = range(ranks.first[item, draw], ranks.last[item, draw] + 1)
            for place in places:
                counted[item, min(place, 3)] += 1 / len(places) / 50
    assert shares == pytest.approx(counted)
    assert shares.sum(axis=0)[:3] == pytest.approx(np.ones(3))  # every place is taken once in every draw
