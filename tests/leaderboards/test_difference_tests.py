"""Tests of differences against SciPy, permutation, and the words they are told in."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare

import stagg
from stagg.errors import InvalidParameter
from stagg.leaderboards.board import Board
from stagg.leaderboards.difference_tests import compare_pairs, skillings_mack, tell_more_tasks, tell_rank_test
from stagg.leaderboards.draws import draw_strengths
from stagg.leaderboards.estimators import estimator_of
from stagg.leaderboards.scores import table_of


@pytest.mark.parametrize("seed", range(6))
def test_on_full_tables_the_test_is_friedmans(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(6, 1)) * 0.5 + rng.normal(size=(6, 11))
    if seed % 2:
        cells = np.round(cells)  # with ties
    found, expected = skillings_mack(cells, draws=10), friedmanchisquare(*cells)
    assert (found.name, found.degrees) == ("Friedman", 5)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


def test_with_gaps_p_is_near_that_of_the_permutation() -> None:
    rng = np.random.default_rng(3)
    for spread in (0.0, 0.2, 0.3, 0.4):
        cells = rng.normal(size=(7, 1)) * spread + rng.normal(size=(7, 40))
        cells[rng.random(cells.shape) < 0.3] = np.nan
        found = skillings_mack(cells, draws=20_000, seed=1)
        assert found.name == "Skillings-Mack"
        assert found.p == pytest.approx(found.p_random, abs=0.01)


def test_with_gaps_and_many_ties_p_is_near_that_of_the_permutation() -> None:
    """Without the correction p was .31 where the permutation says .17."""
    rng = np.random.default_rng(0)
    for spread in (0.0, 0.2, 0.3):
        cells = np.round(rng.normal(size=(8, 1)) * spread + 0.8 * rng.normal(size=(8, 40)))
        cells[rng.random(cells.shape) < 0.3] = np.nan
        found = skillings_mack(cells, draws=10_000, seed=1)
        assert found.p == pytest.approx(found.p_random, abs=0.015)


def test_the_worked_example_of_skillings_and_mack_has_its_printed_statistic() -> None:
    """Assembly times of four methods by nine people (Skillings & Mack 1981, Table 1): T = 15.493, p = .0014."""
    nan = np.nan
    times = np.array(
        [
            [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, nan, 4.3, 3.5],
            [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, nan],
            [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7],
            [4.2, 4.0, 4.8, 4.0, 3.9, nan, nan, 4.9, 3.9],
        ]
    )
    found = skillings_mack(times, draws=50)
    assert found.statistic == pytest.approx(15.493, abs=5e-4)
    assert found.p == pytest.approx(0.0014, abs=5e-5)


def test_tasks_of_one_model_are_left_out_and_two_blocks_that_never_meet_lose_a_degree() -> None:
    nan = np.nan
    cells = np.array([[1, 2, nan, nan, 5], [2, 1, nan, nan, nan], [nan, nan, 1, 2, nan], [nan, nan, 2, 3, nan]])
    found = skillings_mack(cells, draws=10)
    assert (found.tasks, found.left_out, found.degrees) == (4, 1, 2)
    with pytest.raises(InvalidParameter, match="two or more models"):
        skillings_mack(np.array([[1.0, nan], [nan, 1.0]]))


def test_below_five_tasks_the_permutation_decides() -> None:
    cells = np.array([[3.0, 3, 3], [2, 2, 2], [1, 1, 1]])
    found = skillings_mack(cells, draws=500)
    assert found.decides == found.p_random != found.p
    assert "by permutation, 3 tasks" in tell_rank_test(found, 3)


def test_pairs_are_corrected_and_say_how_the_tasks_were_won() -> None:
    rng = np.random.default_rng(1)
    scores = {f"m{i}": {f"t{t}": float(i + 2 * rng.normal()) for t in range(12)} for i in range(5)}
    board = stagg.leaderboard(scores)
    pairs = compare_pairs(board, board.cells)
    assert len(pairs) == 10
    first = pairs[0]
    a, b = scores[first.one], scores[first.other]
    assert first.won == sum(a[t] > b[t] for t in a) / 12
    assert all(pair.p_holm >= pair.p for pair in pairs)
    assert sum(pair.p_holm < 0.05 for pair in pairs) >= board.sets.above.sum()


def test_no_pair_is_surer_than_a_sign_test_on_its_tasks_can_be() -> None:
    """Draws of a model that wins every task do not vary: p was 1e-32 by three tasks."""
    for tasks in (2, 3, 7):
        scores = {m: {f"t{t}": x + t for t in range(tasks)} for m, x in (("a", 2.0), ("b", 1.0), ("c", 0.0))}
        assert min(pair.p for pair in stagg.leaderboard(scores).pairs) >= 2.0 ** (1 - tasks)


def test_more_tasks_are_told_as_an_extrapolation() -> None:
    rng = np.random.default_rng(4)
    scores = {f"m{i}": {f"t{t}": float(0.2 * i + rng.normal()) for t in range(20)} for i in range(4)}
    told = tell_more_tasks(stagg.leaderboard(scores), 0, 1)
    assert "more task" in told
    assert "an extrapolation" in told
    near = {"a": {f"t{t}": float(t % 2) for t in range(41)}, "b": {f"t{t}": 1.0 - t % 2 for t in range(41)}}
    assert tell_more_tasks(stagg.leaderboard(near), 0, 1).startswith("Over a thousand more tasks like these")
    same = {m: {f"t{t}": 1.0 for t in range(8)} for m in "ab"}
    single = {"a": {"t": 1.0}, "b": {"t": 0.0}}
    assert (
        tell_more_tasks(stagg.leaderboard(single), 0, 1)
        == "One task cannot tell how many more would separate a from b."
    )
    assert "they do not differ" in tell_more_tasks(stagg.leaderboard(same), 0, 1)


def test_with_as_many_tasks_as_are_said_the_board_mostly_tells_the_two_apart() -> None:
    """The number was that of one pair alone: with it the board told the two apart in half of the cases."""
    worths = np.r_[2.8, 2.0, np.linspace(1, -2, 13)]
    said, apart = [], []

    def draw(seed: int, tasks: int) -> Board:
        cells = worths[:, None] + np.random.default_rng(seed).normal(size=(15, tasks))
        rows = [(f"m{i:02}", f"t{t}", float(x)) for i, row in enumerate(cells) for t, x in enumerate(row)]
        return Board.make(draw_strengths(table_of(rows), estimator_of("bradley_terry", "skip"), draws=500))

    for seed in range(40):
        told = tell_more_tasks(draw(seed, 45), 0, 1).split()
        said.append(45 + (int(told[1]) if told[0] == "About" else 0))
    tasks = round(float(np.median(said)))
    for seed in range(30):
        board = draw(100 + seed, tasks)
        apart.append(board.names[0] == "m00" and board.sets.above[0, 1])
    assert 40 < tasks < 110
    assert np.mean(apart) >= 0.6
