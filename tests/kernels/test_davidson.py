"""Bradley-Terry with ties and a preference for the first place: against the likelihood written out, and simulations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from stagg.kernels.fitting.davidson import (
    Comparisons,
    DavidsonModel,
    covariance,
    fit_votes,
    information,
    merge_votes,
    residuals,
)

NO = np.array([False, False])
YES = np.array([True, True])


def draw_votes(
    seed: int, n: int, *, contestants: int = 5, judges: int = 2, place: float = 0.6, nu: float = 0.8
) -> Comparisons:
    """Comparisons by the model: strengths from 1 down to -1, judge k prefers the first place by k times ``place``."""
    rng = np.random.default_rng(seed)
    theta = np.linspace(1, -1, contestants)
    first = rng.integers(0, contestants, n)
    second = (first + rng.integers(1, contestants, n)) % contestants
    judge = rng.integers(0, judges, n)
    gap = theta[first] - theta[second] + place * judge
    odds = np.stack([np.exp(-gap / 2), np.full(n, nu), np.exp(gap / 2)])
    outcome = (rng.random(n) > np.cumsum(odds / odds.sum(0), axis=0)).sum(0) - 1
    return Comparisons(first, second, judge, outcome, np.ones(n))


def log_likelihood(v: np.ndarray, votes: Comparisons, model: DavidsonModel) -> float:
    """The definition, one comparison at a time."""
    total = 0.0
    for i, j, k, outcome, count in zip(*votes, strict=True):
        d = v[i] - v[j] + (v[model.place[k]] if model.place[k] >= 0 else 0.0)
        nu = math.exp(v[model.ties[k]]) if model.ties[k] >= 0 else 0.0
        shares = {1: math.exp(d / 2), -1: math.exp(-d / 2), 0: nu}
        whole = sum(shares.values())
        if outcome == 0 and nu == 0:
            total += count * (math.log(shares[1] / whole) + math.log(shares[-1] / whole)) / 2
        else:
            total += count * math.log(shares[outcome] / whole)
    return total


@pytest.mark.parametrize(
    ("place", "ties"), [(NO, NO), (YES, NO), (NO, YES), (YES, YES), (np.array([False, True]), YES)]
)
def test_the_fit_is_the_maximum_of_the_likelihood_written_out(place: np.ndarray, ties: np.ndarray) -> None:
    votes, model = draw_votes(1, 300), DavidsonModel.of(5, place, ties)
    fit = fit_votes(votes, model)
    found = minimize(lambda v: -log_likelihood(v, votes, model), np.zeros(model.size), options={"gtol": 1e-7})
    theirs = found.x.copy()
    theirs[:5] -= theirs[:5].mean()
    assert fit.settled
    assert fit.point == pytest.approx(theirs, abs=1e-5)
    assert fit.point[:5].sum() == pytest.approx(0, abs=1e-12)


def test_gradient_and_curvature_are_the_derivatives_of_the_likelihood() -> None:
    votes, model = draw_votes(2, 60), DavidsonModel.of(5, YES, YES)
    v = np.random.default_rng(3).normal(size=model.size)
    h = 1e-5
    steps = np.eye(model.size) * h
    slope = np.array([log_likelihood(v + s, votes, model) - log_likelihood(v - s, votes, model) for s in steps]) / (
        2 * h
    )
    one, other = residuals(v, votes, model)
    mine = np.zeros(model.size)
    for i, j, k, a, b in zip(votes.first, votes.second, votes.judge, one, other, strict=True):
        mine[i] += a
        mine[j] -= a
        mine[model.place[k]] += a
        mine[model.ties[k]] += b
    assert mine == pytest.approx(slope, abs=1e-6)
    bend = [
        [
            sum(
                p * q * log_likelihood(v + p * s + q * t, votes, model) for p in (1, -1) for q in (1, -1)
            ) / (-4 * 1e-8)
            for t in np.eye(model.size) * 1e-4
        ]
        for s in np.eye(model.size) * 1e-4
    ]  # fmt: skip
    assert information(v, votes, model) == pytest.approx(np.array(bend), abs=1e-4)


def test_a_tie_without_nu_is_half_a_win_for_each() -> None:
    votes, model = draw_votes(4, 400, judges=1), DavidsonModel.of(5, NO[:1], NO[:1])
    tied = votes.outcome == 0
    half = np.full(tied.sum(), 0.5)
    won = [votes.take(tied)._replace(outcome=np.full(tied.sum(), way), times=half) for way in (1, -1)]
    halves = [votes.take(~tied), *won]
    split = Comparisons(*(np.concatenate(columns) for columns in zip(*halves, strict=True)))
    assert fit_votes(votes, model).point == pytest.approx(fit_votes(split, model).point, abs=1e-10)


def test_counts_stand_for_rows_also_huge_ones() -> None:
    votes, model = draw_votes(5, 500), DavidsonModel.of(5, YES, YES)
    cells = merge_votes(votes)
    assert cells.times.sum() == 500
    assert len(cells.first) < 200
    fit = fit_votes(votes, model)
    many = fit_votes(cells._replace(times=cells.times * 1e12), model)
    assert many.point == pytest.approx(fit.point, abs=1e-8)
    assert covariance(fit.point, cells, model) == pytest.approx(covariance(fit.point, votes, model), rel=1e-9)


def test_the_sandwich_is_the_sum_over_clusters_written_out() -> None:
    votes, model = draw_votes(6, 200), DavidsonModel.of(5, YES, YES)
    clusters = np.random.default_rng(7).integers(0, 40, 200)
    point = fit_votes(votes, model).point
    one, other = residuals(point, votes, model)
    sums = np.zeros((40, model.size))
    for c, i, j, k, a, b in zip(clusters, votes.first, votes.second, votes.judge, one, other, strict=True):
        for unknown, value in ((i, a), (j, -a), (model.place[k], a), (model.ties[k], b)):
            sums[c, unknown] += value
    inverse = np.linalg.pinv(information(point, votes, model))
    expected = inverse @ sums.T @ sums @ inverse  # (1, ..., 1, 0, ..., 0) is the null space of the information
    assert covariance(point, votes, model, clusters) == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_relabelling_and_turning_every_comparison_round_changes_only_the_sign_of_the_place() -> None:
    votes, model = draw_votes(8, 400), DavidsonModel.of(5, YES, YES)
    fit = fit_votes(votes, model).point
    turned = votes._replace(first=votes.second, second=votes.first, outcome=-votes.outcome)
    back = fit_votes(turned, model).point
    assert back[:5] == pytest.approx(fit[:5], abs=1e-9)
    assert back[5:7] == pytest.approx(-fit[5:7], abs=1e-9)
    assert back[7:] == pytest.approx(fit[7:], abs=1e-9)


def test_far_strengths_do_not_overflow() -> None:
    votes = Comparisons(np.array([0, 1]), np.array([1, 0]), np.zeros(2, int), np.array([1, 1]), np.array([1e9, 1.0]))
    fit = fit_votes(votes, DavidsonModel.of(2, NO[:1], NO[:1]))
    assert fit.point[0] - fit.point[1] == pytest.approx(math.log(1e9), rel=1e-6)


def test_intervals_contain_the_true_strengths_about_as_often_as_they_say() -> None:
    truth, model = np.linspace(1, -1, 5), DavidsonModel.of(5, YES, YES)
    inside = []
    for seed in range(150):
        votes = draw_votes(seed, 800)
        point = fit_votes(votes, model).point
        errors = np.sqrt(np.diag(covariance(point, votes, model)))
        inside.append(np.abs(point[:5] - truth) <= 1.96 * errors[:5])
        inside.append(np.abs(point[5:] - [0, 0.6, math.log(0.8), math.log(0.8)]) <= 1.96 * errors[5:])
    share = np.concatenate(inside).mean()
    assert 0.93 <= share <= 0.97
