"""Estimators of strengths against the registered methods, full refits, and the definitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

import stagg
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, UnknownName
from stagg.kernels.arrays import FloatArray
from stagg.leaderboards.draws import draw_strengths, resample_runs, unit_weights
from stagg.leaderboards.estimators import WinsPerTask, estimator_of
from stagg.leaderboards.scores import ScoreTable, table_of
from stagg.leaderboards.table_input import score_table


def some_cells(seed: int, models: int = 9, tasks: int = 14, gap: float = 0.25) -> FloatArray:
    rng = np.random.default_rng(seed)
    cells = np.round(rng.normal(size=(models, 1)) + rng.normal(size=(models, tasks)), 1)  # with ties
    cells[rng.random(cells.shape) < gap] = np.nan
    return cells


def make_table(cells: FloatArray) -> ScoreTable:
    places = np.argwhere(~np.isnan(cells)).tolist()
    return table_of([(f"m{i}", f"t{t:02}", cells[i, t]) for i, t in places])


def by_method(cells: FloatArray, method: str) -> FloatArray:
    """The scores that a registered method gives where every task is a ranker."""
    lists = {
        f"t{t:02}": {f"m{i}": float(x) for i, x in enumerate(column) if x == x} for t, column in enumerate(cells.T)
    }
    fused = stagg.fuse(Rankings.from_scores(lists), method)
    found = {hit.item: hit.score for hit in fused.hits()}
    return np.array([found[f"m{i}"] for i in range(len(cells))])


@pytest.mark.parametrize("missing", ["skip", "below"])
@pytest.mark.parametrize("seed", range(3))
def test_wins_per_task_are_the_registered_bradley_terry(seed: int, missing: str) -> None:
    cells = some_cells(seed)
    found = WinsPerTask(missing=missing).fit(cells, np.ones(cells.shape[1]))  # type: ignore[arg-type]
    assert found == pytest.approx(by_method(cells, f"bradley_terry(missing='{missing}')"), abs=1e-9)


@pytest.mark.parametrize("method", ["rrf", "copeland", "stagg_bc"])
def test_any_registered_method_ranks_tasks_as_rankers(method: str) -> None:
    cells = some_cells(4)
    strengths = draw_strengths(make_table(cells), estimator_of(method, "skip"), draws=20)
    expected = by_method(cells, f"{method}(missing='skip')")
    assert (np.argsort(strengths.values) == np.argsort(expected)).all()
    assert strengths.draws.shape == (20, 9)


def test_points_are_those_of_their_definitions() -> None:
    cells = some_cells(5)
    weights = np.ones(cells.shape[1])
    ranks = np.full(cells.shape, np.nan)
    for t in range(cells.shape[1]):
        ran = ~np.isnan(cells[:, t])
        ranks[ran, t] = rankdata(-cells[ran, t])
    held = (~np.isnan(cells)).sum(axis=0)
    fits = {name: estimator_of(name, "skip").fit(cells, weights) for name in ("mean", "mean_rank", "borda", "win_rate")}
    assert fits["mean"] == pytest.approx(np.nanmean(cells, axis=1))
    assert fits["mean_rank"] == pytest.approx(-np.nanmean(ranks, axis=1))
    assert fits["borda"] == pytest.approx(np.nansum(held + 1 - ranks, axis=1))
    assert fits["win_rate"] == pytest.approx(np.nanmean((held - ranks) / (held - 1), axis=1))


def test_a_missing_score_that_counts_as_lost_is_the_last_of_its_task() -> None:
    cells = np.array([[3.0, 3.0], [2.0, np.nan], [1.0, 1.0]])
    low = cells.copy()
    low[1, 1] = 0.0
    for name in ("mean_rank", "borda", "win_rate", "bradley_terry"):
        fits = [estimator_of(name, "below").fit(each, np.ones(2)) for each in (cells, low)]
        assert fits[0] == pytest.approx(fits[1])
    assert estimator_of("mean", "below").fit(cells, np.ones(2)).tolist() == [3.0, 1.5, 1.0]


@pytest.mark.parametrize("gap", [0.0, 0.3])
def test_one_newton_step_draws_nearly_what_full_refits_do(gap: float) -> None:
    cells = some_cells(6, models=12, tasks=30, gap=gap)
    weights = unit_weights(30, 150, seed=2)
    estimator = WinsPerTask()
    values = estimator.fit(cells, np.ones(30))
    steps = estimator.redraw(cells, values, weights)
    refits = np.array([estimator.fit(cells, each) for each in weights])
    assert steps.std(axis=0) == pytest.approx(refits.std(axis=0), rel=0.15)
    assert np.median(steps.std(axis=0) / refits.std(axis=0)) == pytest.approx(1, abs=0.05)


def test_on_mteb_one_newton_step_is_within_five_percent_of_full_refits(shared_data: Path) -> None:
    path = shared_data / "leaderboards" / "mteb_eng_v2.csv.gz"
    if not path.exists():
        pytest.skip(f"no {path}")
    cells = score_table(path).cells()
    cells = cells[~np.isnan(cells).any(axis=1)]
    weights = unit_weights(cells.shape[1], 40, seed=1)
    estimator = WinsPerTask()
    values = estimator.fit(cells, np.ones(cells.shape[1]))
    steps, refits = estimator.redraw(cells, values, weights), np.array([estimator.fit(cells, each) for each in weights])
    ratios = steps.std(axis=0) / refits.std(axis=0)
    assert np.median(np.abs(ratios - 1)) < 0.05
    assert np.mean(np.abs(ratios - 1) < 0.05) > 0.8


def test_weights_of_units_vary_as_the_mean_of_a_sample_does() -> None:
    for units in (6, 20, 60):
        weights = unit_weights(units, 20_000, seed=3)
        assert weights.mean(axis=1) == pytest.approx(np.ones(20_000))
        values = np.random.default_rng(units).normal(size=units)
        expected = values.std(ddof=1) / np.sqrt(units)
        assert (weights @ values / units).std() == pytest.approx(expected, rel=0.03)


def test_a_task_twice_in_a_family_counts_as_once() -> None:
    cells = some_cells(7, gap=0.0)
    table = make_table(cells)
    doubled = make_table(np.column_stack([cells, cells[:, 0]]))
    grouped = doubled.with_families({"t00": "first", "t14": "first"})
    one, two = (draw_strengths(each, WinsPerTask(), draws=50, seed=1) for each in (table, grouped))
    assert one.values == pytest.approx(two.values, abs=1e-6)
    assert two.units.tolist() == [14] * 9


def test_weight_two_is_the_task_twice_and_weight_nought_is_its_absence() -> None:
    cells = some_cells(8)
    twice = WinsPerTask().fit(np.column_stack([cells, cells[:, 0]]), np.ones(15))
    assert WinsPerTask().fit(cells, np.array([2.0] + [1.0] * 13)) == pytest.approx(twice, abs=1e-8)
    assert WinsPerTask().fit(cells, np.array([0.0] + [1.0] * 13)) == pytest.approx(
        WinsPerTask().fit(cells[:, 1:], np.ones(13)), abs=1e-8
    )


def test_runs_are_drawn_from_those_of_the_same_model_and_task() -> None:
    rows = [("a", "t", x) for x in (1.0, 2.0, 4.0)] + [("b", "t", 7.0), ("b", "u", 5.0)]
    versions = resample_runs(table_of(rows), 200, seed=1)
    firsts = {float(version[0, 0]) for version in versions}
    assert firsts <= {sum(each) / 3 for each in np.ndindex(5, 5, 5)} | {
        (a + b + c) / 3 for a in (1, 2, 4) for b in (1, 2, 4) for c in (1, 2, 4)
    }
    assert len(firsts) > 5
    assert all(version[1].tolist() == [7.0, 5.0] and np.isnan(version[0, 1]) for version in versions)


def test_a_method_without_weights_and_a_prior_of_nought_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="prior above 0"):
        estimator_of("bradley_terry(prior=0)", "skip")
    with pytest.raises(UnknownName, match="mean_rank, borda and win_rate"):
        estimator_of("elo_rating", "skip")
