"""The intervals hold the truth about as often as they say: bench/interval_coverage.py, with fewer simulations."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from stagg.data.simulation import sample_plackett_luce

BENCH = Path(__file__).resolve().parents[2] / "bench"
SIMULATIONS = 100
SLACK = 0.04  # more than three standard errors of a coverage over this many simulations


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


coverage = loaded("interval_coverage")


@pytest.mark.parametrize("n", [10, 30])
def test_the_interval_of_the_mean_score_holds_its_expectation_nearly_as_often_as_it_says(n: int) -> None:
    share = coverage.scores_covered(coverage.simulated(n, 20, SIMULATIONS, seed=1)).mean()
    assert 0.85 - SLACK <= share <= 0.93 + SLACK


@pytest.mark.parametrize(("m", "least"), [(5, 0.80), (10, 0.86), (20, 0.88)])
@pytest.mark.parametrize("n", [10, 30])
def test_the_interval_of_the_rank_holds_the_rank_by_true_strength(n: int, m: int, least: float) -> None:
    share = coverage.ranks_covered(coverage.simulated(n, m, SIMULATIONS, seed=1)).mean()
    assert share >= least - SLACK


def test_with_three_rankers_the_interval_of_the_mean_score_promises_too_much() -> None:
    """What the documentation warns of; if this fails, the warning can go."""
    assert coverage.scores_covered(coverage.simulated(10, 3, SIMULATIONS, seed=1)).mean() < 0.8


def test_a_truth_turned_upside_down_is_not_held() -> None:
    """The simulation can fail."""
    made = coverage.simulated(10, 20, SIMULATIONS, seed=1)
    n = len(made.rankings.items) // SIMULATIONS
    reversed_truth = made.truth.replace(entries=made.truth.entries.reshape(-1, n)[:, ::-1].ravel())
    wrong = dataclasses.replace(made, truth=reversed_truth)
    assert coverage.ranks_covered(wrong).mean() < 0.5
    assert coverage.scores_covered(wrong).mean() < 0.5


def test_the_expected_points_are_the_mean_points_of_many_lists() -> None:
    rng = np.random.default_rng(0)
    strengths = rng.normal(size=6)
    orders = np.array([sample_plackett_luce(strengths, rng)[0] for _ in range(20_000)])
    points = 6 - np.argsort(orders, axis=1)
    error = points.std(axis=0) / np.sqrt(len(points))
    assert (np.abs(points.mean(axis=0) - coverage.expected_points(strengths)) < 4 * error).all()
