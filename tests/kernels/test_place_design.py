"""Which battles bound strengths and preferences for a place: against where an unbounded fit runs."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.fitting.davidson import Comparisons, DavidsonModel, covariance, fit_votes
from stagg.kernels.fitting.place_design import find_mixed, leaves_free

MODEL = DavidsonModel.of(3, np.array([True]), np.array([False]))


def votes_of(*rows: tuple[int, int, int]) -> Comparisons:
    first, second, outcome = np.array(rows).T
    return Comparisons(first, second, np.zeros(len(rows), dtype=int), outcome, np.ones(len(rows)))


@pytest.mark.parametrize("seed", range(40))
def test_a_fit_runs_off_exactly_where_battles_leave_a_direction_free(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, 9)
    rows = zip(first, (first + rng.integers(1, 3, 9)) % 3, rng.choice([1, -1, 0], 9, p=[0.55, 0.4, 0.05]), strict=True)
    votes = votes_of(*rows)
    if find_mixed(votes, MODEL):
        pytest.skip("a preference that strengths could express")
    weak, weaker = (np.abs(fit_votes(votes, MODEL, prior=prior).point).max() for prior in (1e-4, 1e-7))
    assert leaves_free(votes, MODEL) == (weaker > weak + 1)


def test_a_preference_is_mixed_with_strengths_if_some_always_stand_first() -> None:
    assert find_mixed(votes_of((0, 1, 1), (0, 2, -1), (0, 1, -1)), MODEL) == [0]
    assert find_mixed(votes_of((0, 1, 1), (0, 2, -1), (1, 2, 1)), MODEL) == []
    assert find_mixed(votes_of((0, 1, 1), (0, 2, -1), (1, 0, 1)), MODEL) == []


def test_what_only_the_prior_holds_has_the_variance_of_the_prior() -> None:
    votes = votes_of((0, 1, 1), (1, 0, -1), (1, 2, 1))._replace(times=np.full(3, 1e-9))
    found = covariance(fit_votes(votes, MODEL, prior=0.1).point, votes, MODEL, prior=0.1)
    assert np.diag(found) == pytest.approx([20 / 3, 20 / 3, 20 / 3, 10])  # strengths sum to 0
