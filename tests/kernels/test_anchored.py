"""Prediction-powered strengths: the corrected likelihood written out, what λ may do, and simulations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.kernels.test_davidson import log_likelihood

from stagg.kernels.fitting.anchored import Anchored, anchor_votes
from stagg.kernels.fitting.davidson import Comparisons, DavidsonModel, fit_votes

TRUTH = np.linspace(1, -1, 6)
MODEL = DavidsonModel.of(6, np.array([True]), np.array([True]))
BARE = DavidsonModel.of(6, np.array([False]), np.array([False]))


def draw_both(seed: int, n: int, *, agreement: float, ties: bool = True) -> tuple[Comparisons, Comparisons]:
    """Votes of people and of a judge who often (``agreement``) repeats what the person said, else likes the first."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 6, n)
    second = (first + rng.integers(1, 6, n)) % 6
    gap = TRUTH[first] - TRUTH[second]
    odds = np.stack([np.exp(-gap / 2), np.full(n, 0.7 if ties else 0.0), np.exp(gap / 2)])
    outcome = (rng.random(n) > np.cumsum(odds / odds.sum(0), axis=0)).sum(0) - 1
    other = np.where(rng.random(n) < agreement, outcome, np.where(rng.random(n) < 0.7, 1, -1))
    judge, count = np.zeros(n, dtype=int), np.ones(n)
    return Comparisons(first, second, judge, outcome, count), Comparisons(first, second, judge, other, count)


def anchor(
    people: Comparisons, llm: Comparisons, n: int, model: DavidsonModel = MODEL, weight: float | None = None
) -> Anchored:
    """The first n votes of people beside all of the judge; every comparison is a question."""
    each = np.arange(len(llm.first))
    return anchor_votes(
        people.take(each[:n]),
        model,
        llm,
        model,
        fit_votes(llm, model).point,
        (each[:n], each[:n]),
        (each[:n], each),
        weight=weight,
    )


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_the_point_is_the_minimum_of_the_corrected_likelihood_written_out(weight: float) -> None:
    people, llm = draw_both(1, 400, agreement=0.6, ties=False)
    done = anchor(people, llm, 150, BARE, weight)

    def loss(v: np.ndarray) -> float:
        some = np.arange(150)
        means = [log_likelihood(v, each, BARE) / len(each.first) for each in (people.take(some), llm, llm.take(some))]
        return -(means[0] + weight * (means[1] - means[2]))

    found = minimize(loss, np.zeros(6), options={"gtol": 1e-9}).x
    assert done.settled
    assert done.point == pytest.approx(found - found.mean(), abs=1e-5)


def test_without_weight_the_votes_of_people_speak_alone() -> None:
    people, llm = draw_both(2, 400, agreement=0.6)
    done = anchor(people, llm, 200, weight=0.0)
    assert done.point == pytest.approx(fit_votes(people.take(np.arange(200)), MODEL).point)
    assert done.covariance == pytest.approx(done.covariance_alone)


def test_a_judge_who_agrees_saves_votes_and_one_who_does_not_costs_nothing() -> None:
    widths, weights = {}, {}
    for agreement in (0.9, 0.0):
        done = anchor(*draw_both(3, 4000, agreement=agreement), 400)
        of_strengths = np.diag(done.covariance)[:6], np.diag(done.covariance_alone)[:6]
        widths[agreement], weights[agreement] = np.sqrt(of_strengths[0] / of_strengths[1]).mean(), done.weight
    assert widths[0.9] < 0.7
    assert weights[0.9] > 0.6
    assert widths[0.0] < 1.02
    assert weights[0.0] < 0.15


def test_two_judges_who_say_the_same_are_as_one() -> None:
    people, llm = draw_both(5, 600, agreement=0.8)
    both = Comparisons(*(np.tile(column, 2) for column in llm))
    each = np.arange(600)
    pairs = np.tile(each[:200], 2), np.concatenate([each[:200], each[:200] + 600])
    some, theirs = each[:200], fit_votes(both, MODEL).point
    twice = anchor_votes(people.take(some), MODEL, both, MODEL, theirs, pairs, (some, np.tile(each, 2)))
    once = anchor(people, llm, 200)
    assert twice.point == pytest.approx(once.point, abs=1e-7)
    assert twice.covariance == pytest.approx(once.covariance, rel=1e-6, abs=1e-12)


def test_votes_of_the_judge_on_the_same_comparisons_only_change_nothing() -> None:
    people, llm = draw_both(4, 300, agreement=0.8)
    done = anchor(people, llm, 300, weight=0.7)
    assert done.point == pytest.approx(done.alone, abs=1e-9)


def test_intervals_contain_the_true_strengths_about_as_often_as_they_say() -> None:
    inside = []
    for seed in range(60):
        done = anchor(*draw_both(seed, 2500, agreement=0.7), 400)
        inside.append(np.abs(done.point[:6] - TRUTH) <= 1.96 * np.sqrt(np.diag(done.covariance)[:6]))
    assert 0.92 <= np.mean(inside) <= 0.98
