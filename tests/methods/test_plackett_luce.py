"""Plackett-Luce: worked numbers, several routes to one maximum, and what happens where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.toys import TOY_F, TOY_P, assert_derivatives, positions_of, random_positions, scores, scores_of

from stagg import DataError, InvalidParameter, NotConverged, Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting import newton, plackett_luce
from stagg.kernels.fitting.plackett_luce import (
    careful_likelihood,
    choices,
    likelihood,
    maximise,
    maximise_by_mm,
    stages,
)


@pytest.mark.parametrize("solver", ["newton", "mm"])
@pytest.mark.parametrize(
    ("lists", "prior", "expected"),
    [
        (TOY_F, 0, [0.90416801, 0.56570047, -0.39777050, -1.07209799]),
        (TOY_F, 1, [0.52810267, 0.34884521, -0.26853456, -0.60841332]),
        (TOY_P, 0, [0.08865312, 1.16789275, -0.15542546, -0.68352314, -0.41759727]),
        (TOY_P, 1, [0.11583774, 0.50728366, -0.14230204, -0.31000047, -0.17081889]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], prior: float, expected: list[float], solver: str) -> None:
    method = f"plackett_luce(missing='skip', prior={prior}, solver='{solver}')"
    assert scores(lists, method) == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(("lists", "expected"), [(TOY_F, 7.65587025), (TOY_P, 7.27537796)])
def test_the_likelihood_at_the_maximum_is_the_worked_one(lists: list[str], expected: float) -> None:
    data = stages(positions_of(lists), np.ones(3), "skip")
    assert likelihood(maximise(data, prior=0).point, data).value == pytest.approx(expected, abs=1e-8)


def slow_likelihood(v: FloatArray, positions: FloatArray, weights: FloatArray, missing: str) -> float:
    """-log-likelihood, list by list and stage by stage; where only tied items are left, nobody is chosen."""
    total = 0.0
    for row, weight in zip(positions, weights, strict=True):
        for i in range(len(v)):
            left = [j for j in range(len(v)) if (row[j] >= row[i] if row[j] >= 0 else missing == "below")]
            if row[i] >= 0 and any(row[j] != row[i] for j in left):
                total -= weight * (v[i] - np.log(np.exp(v[left]).sum()))
    return total


@pytest.mark.parametrize("missing", ["below", "skip"])
@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_and_its_derivatives_are_right(seed: int, missing: str) -> None:
    positions, weights = random_positions(seed), np.random.default_rng(seed).uniform(0.5, 3, 6)
    data = stages(positions, weights, missing)
    v = np.random.default_rng(seed).normal(size=7)
    assert likelihood(v, data).value == pytest.approx(slow_likelihood(v, positions, weights, missing))
    assert_derivatives(lambda v: likelihood(v, data), 7)
    assert_derivatives(lambda v: careful_likelihood(v, data), 7)
    assert careful_likelihood(v, data).value == pytest.approx(likelihood(v, data).value)


def test_at_the_end_nothing_pulls_any_more() -> None:
    for seed in range(30):
        data = stages(random_positions(seed, n=10), np.ones(6), "below" if seed % 2 else "skip")
        found = maximise(data, prior=0.1).point
        assert np.abs(likelihood(found, data).gradient + 0.1 * found).max() < 1e-11


@pytest.mark.parametrize("missing", ["below", "skip"])
@pytest.mark.parametrize("seed", range(5))
def test_newton_conjugate_gradients_and_mm_find_one_maximum(
    seed: int, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = stages(random_positions(seed, n=9), np.ones(6), missing)
    dense = maximise(data, prior=0.1)
    assert maximise_by_mm(data, prior=0.1).point == pytest.approx(dense.point, abs=1e-10)
    monkeypatch.setattr(newton, "DENSE", 1)
    assert maximise(data, prior=0.1).point == pytest.approx(dense.point, abs=1e-10)


def test_strengths_far_apart_do_not_overflow() -> None:
    data = stages(np.arange(120.0)[None, :], np.array([1e6]), "skip")
    found = maximise(data, prior=0.01)
    assert found.settled
    assert np.ptp(found.point) > 700
    assert (np.diff(found.point) < 0).all()


def test_a_list_that_only_wins_has_no_maximum_without_a_prior() -> None:
    with pytest.raises(DataError, match=r"plackett_luce\(prior=0\): query '1' has no best strengths.*prior above 0"):
        fuse([["a", "b"]], "plackett_luce(prior=0)")
    with pytest.raises(DataError, match="no best strengths"):
        fuse([["a", "b"], ["b", "a"], ["c", "d"], ["d", "c"]], "plackett_luce(prior=0, missing='skip')")


def test_under_below_the_unlisted_are_never_chosen() -> None:
    assert scores(["AB", "BA"], "plackett_luce(prior=0)") == [0, 0]
    with pytest.raises(DataError, match="no best strengths"):
        fuse([["a", "b", "c"], ["b", "a"]], "plackett_luce(prior=0)")
    found = scores(["AB", "BA", "C"], "plackett_luce(prior=0)")
    assert found[0] == pytest.approx(found[1])


def test_parts_that_no_list_compares_are_each_centred() -> None:
    found = scores(["AB", "CDE"], "plackett_luce(missing='skip')")
    assert found[0] + found[1] == pytest.approx(0, abs=1e-12)
    assert sum(found[2:]) == pytest.approx(0, abs=1e-12)
    assert np.isfinite(found).all()


def test_one_item_and_one_list() -> None:
    assert scores(["A"], "plackett_luce") == [0]
    assert scores(["A"], "plackett_luce(prior=0)") == [0]
    assert fuse([["a", "b", "c"]], "plackett_luce").best_first() == ["a", "b", "c"]


def test_tied_items_are_equal_and_stand_between() -> None:
    tied = Rankings.from_lists([["a", {"b", "c"}, "d"]])
    found = scores_of(tied, "plackett_luce")
    assert found[1] == pytest.approx(found[2], abs=1e-12)
    assert found[0] > found[1] > found[3]


def test_a_tied_group_at_the_end_is_not_pulled_together() -> None:
    """ "a, then the rest" is the choice of a among all: what the list says of the rest is nothing."""
    whole = Rankings.from_lists([["a", {"b", "c"}], ["b", {"a", "c"}], ["c", "b", "a"]])
    first = Rankings.from_lists([["a"], ["b"], ["c", "b", "a"]])
    for method in ("plackett_luce", "plackett_luce(prior=0)", "plackett_luce(solver='mm')"):
        assert scores_of(whole, method) == pytest.approx(scores_of(first, method), abs=1e-10)
    among_three = scores_of(whole, "plackett_luce(missing='skip')")
    assert among_three == pytest.approx(scores_of(first, "plackett_luce"), abs=1e-10)


def test_a_list_that_ties_all_its_items_says_nothing() -> None:
    tied = Rankings.from_lists([[{"a", "b", "c"}]])
    assert scores_of(tied, "plackett_luce") == [0, 0, 0]
    with pytest.raises(DataError, match="no best strengths"):
        fuse(tied, "plackett_luce(prior=0)")
    with pytest.raises(DataError, match="no best strengths"):
        fuse([["a", {"b", "c"}], ["b", "a"]], "plackett_luce(prior=0, missing='skip')")


def test_simulated_strengths_are_found_again() -> None:
    rng = np.random.default_rng(3)
    truth = np.linspace(-1.5, 1.5, 8)
    drawn = np.argsort(np.argsort(-(truth + rng.gumbel(size=(4000, 8)))))
    found = maximise(stages(drawn.astype(float), np.ones(4000), "skip"), prior=0).point
    assert found == pytest.approx(truth, abs=0.1)


def test_an_iteration_that_does_not_settle_says_how_far_it_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plackett_luce, "MM_LIMIT", 2)
    with pytest.raises(NotConverged, match=r"query '1' did not settle; the last step changed a strength by \d"):
        fuse([["a", "b", "c"], ["b", "a"]], "plackett_luce(solver='mm')")


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="prior is -1; it must be a number 0 or more"):
        fuse([["a"]], "plackett_luce(prior=-1)")
    with pytest.raises(InvalidParameter, match="one of 'newton', 'mm'"):
        fuse([["a"]], "plackett_luce(solver='adam')")


def test_a_list_chooses_its_last_item_too_if_that_is_not_tied() -> None:
    assert choices(np.array([[0.0, 1.0, 2.0]]), "skip").all()
