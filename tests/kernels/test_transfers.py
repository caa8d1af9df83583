"""Transfers: equals by history, the lot, and whole units."""

from __future__ import annotations

import numpy as np

from stagg.kernels.lists.transfers import UNIT, Papers, Tie, count_by_transfers, pick_by_history


def test_equals_go_by_the_latest_stage_at_which_they_differ() -> None:
    history = [np.array([1, 5, 5]), np.array([4, 4, 2]), np.array([3, 3, 3])]
    assert pick_by_history([0, 1, 2], history, np.arange(3), most=True) == (1, Tie((0, 1, 2), (1,), 1))
    assert pick_by_history([0, 1, 2], history, np.arange(3), most=False) == (2, Tie((0, 1, 2), (2,), 2))


def test_the_lot_decides_for_equals_of_all_stages() -> None:
    history = [np.array([3, 3])]
    assert pick_by_history([0, 1], history, np.array([1, 0]), most=True) == (1, Tie((0, 1), (1,), None))
    assert pick_by_history([0, 1], history, np.array([1, 0]), most=False) == (0, Tie((0, 1), (0,), None))


def test_a_paper_of_half_a_vote_is_half_a_vote() -> None:
    papers = Papers(np.array([[0, 1], [1, -1]]), np.array([6, 2]), np.array([UNIT // 2, UNIT]))
    found = count_by_transfers(papers, 2, 1, np.arange(2))
    assert found.elected == (0,)
    assert (found.stages[0].votes / UNIT).tolist() == [3, 2]
