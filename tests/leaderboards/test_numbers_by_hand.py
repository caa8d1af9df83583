"""Numbers of a leaderboard that are worked out by hand: gaps, tests in words, effects of tasks, draws, estimators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.errors import InvalidParameter
from stagg.leaderboards import estimators
from stagg.leaderboards.difference_tests import RankTest, tell_rank_test
from stagg.leaderboards.draws import draw_strengths, unit_weights
from stagg.leaderboards.estimators import WinsPerTask, estimator_of
from stagg.leaderboards.gaps import GapTest, find_gaps, tell_gaps
from stagg.leaderboards.leaderboard import ScoreBoard, rank_scores_of
from stagg.leaderboards.scores import table_of
from stagg.leaderboards.task_effects import find_task_effects, rank_by_others

NAN = math.nan


@pytest.mark.parametrize(
    ("p_all", "missing", "harder", "p", "told"),
    [
        (0.051, 9, [0.1], [0.01], ""),
        (0.01, 2, [0.1], [0.01], ""),
        (0.01, 3, [0.1], [0.06], "(p = 0.010): models lack tasks that are hard for their neighbours, which flatters "
         "them. "
         "Compare"),
        (0.0009, 3, [0.1, NAN, 0.3], [0.04, NAN, 0.01],
         "(p < 0.001): models lack tasks that are hard for their neighbours, which flatters them. Surely so for 2 "
         "models: "
         "c, a. Compare"),
        (0.01, 9, [0.1, 0.6, 0.5, 0.4, 0.3, 0.2], [0.01] * 6, "Surely so for 6 models: b, c, d, e, f, …. Compare"),
        (0.01, 9, [0.1, 0.6, 0.5, 0.4, 0.3], [0.01] * 5, "Surely so for 5 models: b, c, d, e, a. Compare"),
    ],
)  # fmt: skip
def test_gaps_that_are_not_random_are_told_with_whom_they_flatter_most(
    p_all: float, missing: int, harder: list[float], p: list[float], told: str
) -> None:
    text = tell_gaps(GapTest(np.array(harder), np.array(p), p_all, missing), tuple("abcdef"))
    assert told in text
    assert bool(text) == bool(told)


def test_one_gap_is_tested_and_is_no_pattern() -> None:
    cells = np.array([[3.0, 1, 2, NAN], [2, 3, 1, 2], [1, 2, 3, 1], [0.5, 0.5, 0.5, 9]])
    found = find_gaps(cells, np.array([1.0, 1.0, 1.0, -1.0]), draws=200)
    assert found is not None
    assert found.missing == 1
    assert not found.warns
    assert np.isnan(found.p[1:]).all()
    assert 1 / 201 <= found.p_all <= 1
    assert find_gaps(cells[:, 2:], np.zeros(4)) is None, "two tasks show nothing"
    assert find_gaps(cells[:, :3], np.zeros(4)) is None, "nothing is missing"


@pytest.mark.parametrize(
    ("test", "models", "told"),
    [
        (RankTest("Friedman", 8.0, 1, 0.018, 0.3, 4, 0), 1200,
         "Friedman: the 1,200 models are not shown to differ (p = 0.300 by permutation, 4 tasks)."),
        (RankTest("Skillings-Mack", 3.84, 1, 0.049, 0.3, 40, 2), 3,
         "Skillings-Mack: the 3 models differ (p = 0.049, χ² = 3.8, 1 degree of freedom, 40 tasks)."),
        (RankTest("Friedman", 30.0, 2, 0.0001, 0.3, 40, 0), 3,
         "Friedman: the 3 models differ (p < 0.001, χ² = 30.0, 2 degrees of freedom, 40 tasks)."),
        (RankTest("Friedman", 2.0, 2, 0.05, 0.001, 40, 0), 3,
         "Friedman: the 3 models are not shown to differ (p = 0.050, χ² = 2.0, 2 degrees of freedom, 40 tasks)."),
    ],
)  # fmt: skip
def test_a_test_is_told_with_the_p_that_decides(test: RankTest, models: int, told: str) -> None:
    assert tell_rank_test(test, models) == told


def test_the_effect_of_a_task_is_what_the_ranks_are_without_it() -> None:
    """Two tasks say a > b > c, the third says c > b > a five times as much: without it the order turns."""
    rows = [
        (m, t, x)
        for t, xs in (("t", (3, 2, 1)), ("u", (3, 2, 1)), ("v", (1, 2, 3)))
        for m, x in zip("abc", xs, strict=True)
    ]
    board = rank_scores_of(table_of(rows).with_weights({"v": 5}), draws=0)
    assert board.names == ("c", "b", "a")
    effects = {each.name: each for each in find_task_effects(board)}
    assert find_task_effects(board)[0].name == "v"
    assert (effects["v"].agreement, effects["v"].tau_without) == pytest.approx((1, -1))
    assert (effects["v"].moved, effects["v"].mover, effects["v"].first) == (2, "c", "a")
    assert (effects["t"].agreement, effects["t"].tau_without) == pytest.approx((-1, 1))
    assert (effects["t"].moved, effects["t"].mover, effects["t"].first, effects["t"].models) == (0, "", "c", 3)
    ways = {name: ranks.tolist() for name, ranks in rank_by_others(board).items()}
    assert ways == {name: [1, 2, 3] for name in ("mean", "Borda", "win rate", "Bradley-Terry")}


def test_many_models_take_one_newton_step_from_the_full_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = [(f"m{i}", f"t{t:02}", float(i / 2 + rng.normal())) for i in range(6) for t in range(30)]
    board = rank_scores_of(table_of(rows), draws=0)
    whole = find_task_effects(board)
    monkeypatch.setattr("stagg.leaderboards.task_effects.EXACT", 0)
    assert [each.name for each in find_task_effects(board) if each.moved] == [each.name for each in whole if each.moved]


@pytest.mark.parametrize("gap", [0.0, 0.3])
@pytest.mark.parametrize("changed", ["SMALL", "CELLS"])
def test_draws_of_many_models_are_those_of_few_solved_one_by_one(
    changed: str, gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    cells = rng.normal(size=(7, 12))
    cells[rng.random(cells.shape) < gap] = NAN
    weights = unit_weights(12, 9, seed=1)
    estimator = WinsPerTask()
    values = estimator.fit(cells, np.ones(12))
    told: list[int] = []
    whole = estimator.redraw(cells, values, weights)
    monkeypatch.setattr(estimators, changed, 3 if changed == "SMALL" else 49)
    assert estimator.redraw(cells, values, weights, told.append) == pytest.approx(whole, abs=1e-9)
    assert told == ([*range(1, 10)] if gap else [])
    assert whole.mean(axis=1) == pytest.approx(np.full(9, values.mean()), abs=1e-9)


def test_any_method_is_drawn_in_blocks_that_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = np.random.default_rng(3).normal(size=(4, 6))
    estimator = estimator_of("copeland", "skip")
    weights, told = unit_weights(6, 5, seed=1), list[int]()
    whole = estimator.redraw(cells, estimator.fit(cells, np.ones(6)), weights)
    monkeypatch.setattr(estimators, "REPEATED", 2 * cells.size)
    assert estimator.redraw(cells, np.zeros(4), weights, told.append).tolist() == whole.tolist()
    assert told == [2, 4, 5]


@pytest.mark.parametrize(
    ("method", "missing", "means"),
    [
        ("bradley_terry", "skip", "skip"), ("bradley_terry", "below", "below"),
        ("bradley_terry(missing='below')", "skip", "below"), ("bradley_terry(missing='skip')", "below", "skip"),
        ("mean", "below", "below"), ("Mean Rank", "skip", "skip"), ("win-rate", "below", "below"),
        ("copeland", "below", "below"), ("copeland(missing='skip')", "below", "skip"), ("rrf", "skip", "skip"),
    ],
)  # fmt: skip
def test_what_a_missing_score_means_is_said_by_the_method_before_the_call(
    method: str, missing: Any, means: str
) -> None:
    assert estimator_of(method, missing).missing == means


def test_a_prior_belongs_to_the_estimator_and_a_method_without_weights_cannot_be_drawn() -> None:
    assert estimator_of("bradley_terry(prior=0.5)", "skip") == WinsPerTask(prior=0.5)
    with pytest.raises(InvalidParameter, match="an unbeaten model needs a prior above 0, which holds it"):
        estimator_of("bradley_terry(prior=0)", "skip")
    own = WinsPerTask(prior=0.7, missing="below")
    assert estimator_of(own, "skip") is own


def test_a_draw_without_a_task_of_a_model_gives_it_the_mean_of_the_others() -> None:
    cells = np.array([[4.0, NAN], [2.0, 1.0], [0.0, 5.0]])
    drawn = estimator_of("mean", "skip").redraw(cells, np.zeros(3), np.array([[0.0, 2.0], [1.0, 1.0]]))
    assert drawn.tolist() == [[3.0, 1.0, 5.0], [4.0, 1.5, 2.5]]
    sums = estimator_of("borda", "skip").redraw(cells, np.zeros(3), np.array([[0.0, 2.0], [1.0, 1.0]]))
    assert sums.tolist() == [[0.0, 2.0, 4.0], [3.0, 3.0, 3.0]]


def test_draws_weigh_whole_families_and_know_the_influence_of_each_unit() -> None:
    rows = [(f"m{i}", f"t{t}", float((i * (t + 1)) % 5)) for i in range(3) for t in range(4)]
    heard: list[tuple[str, int, int]] = []
    table = table_of(rows)
    drawn = draw_strengths(table, estimator_of("mean", "skip"), draws=12, progress=lambda *told: heard.append(told))
    assert drawn.influence is not None
    assert drawn.influence.shape == (4, 3)
    assert drawn.units.tolist() == [4, 4, 4]
    assert heard[0] == ("resampling the tasks", 0, 12)
    assert draw_strengths(table, estimator_of("mean", "skip"), draws=11).influence is None
    grouped = table.with_families({"t0": "x", "t1": "x"})
    assert draw_strengths(grouped, estimator_of("mean", "skip"), draws=9).units.tolist() == [3, 3, 3]
    one = table.with_families(dict.fromkeys(table.tasks, "x"))
    assert draw_strengths(one, estimator_of("mean", "skip"), draws=9).influence is None
    assert unit_weights(3, 5, seed=0).sum(axis=1) == pytest.approx(np.full(5, 3))


def test_pairs_of_the_first_twenty_are_tested() -> None:
    scores = {f"m{i:02}": {f"t{t}": float(i + (i * t) % 3) for t in range(8)} for i in range(21)}
    board = stagg.leaderboard(scores, draws=60)
    assert isinstance(board, ScoreBoard)
    assert len(board.pairs) == 20 * 19 // 2
    assert {each.tasks for each in board.pairs} == {8}
    first = board.pairs[0]
    wins = (board.cells[0] > board.cells[1]).sum() + 0.5 * (board.cells[0] == board.cells[1]).sum()
    assert first.won == wins / 8
    assert 2.0**-7 <= first.p <= first.p_holm <= 1
