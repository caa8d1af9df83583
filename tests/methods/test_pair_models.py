"""Bradley-Terry and Thurstone: worked numbers, independent fits, ties, and comparisons that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, special, stats
from tests.methods.toys import TOY_F, TOY_P, assert_derivatives, random_positions, scores, scores_of

from stagg import DataError, NotConverged, Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting import newton
from stagg.kernels.fitting.newton import Local
from stagg.kernels.fitting.pair_models import ogive, sigmoid
from stagg.kernels.pairs.pairwise import pair_counts

BOTH = pytest.mark.parametrize("name", ["bradley_terry", "thurstone"])


@pytest.mark.parametrize(
    ("lists", "method", "expected"),
    [
        (TOY_F, "bradley_terry(prior=0)", [1.03803497, 0.60273832, -0.60273832, -1.03803497]),
        (TOY_F, "thurstone(prior=0)", [0.87991581, 0.50458055, -0.50458055, -0.87991581]),
        (TOY_F, "thurstone(prior=1)", [0.64272744, 0.37675470, -0.37675470, -0.64272744]),
        (TOY_P, "bradley_terry(prior=0)", [-0.01953601, 1.16706340, -0.37930657, -0.65430741, -0.11391342]),
        (TOY_P, "thurstone(prior=0)", [-0.00245858, 1.02426393, -0.33928238, -0.57623234, -0.10629062]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], method: str, expected: list[float]) -> None:
    assert scores(lists, method, missing="skip") == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("function", [sigmoid, ogive])
@pytest.mark.parametrize("seed", range(5))
def test_the_derivatives_are_right(function: Callable[[FloatArray, FloatArray], Local], seed: int) -> None:
    counts = pair_counts(random_positions(seed), np.ones(6), "below")
    assert_derivatives(lambda v: function(v, counts), 7)


def probit_regression(positions: FloatArray, weights: FloatArray, prior: float) -> FloatArray:
    """Thurstone as a regression: one row per list and pair, a sign per item, fitted by scipy."""
    rows, outcomes, importance = [], [], []
    for row, weight in zip(positions, weights, strict=True):
        for i in range(len(row)):
            for j in range(i):
                if row[i] < 0 or row[j] < 0:
                    continue
                rows.append(np.eye(len(row))[i] - np.eye(len(row))[j])
                outcomes.append(0.5 if row[i] == row[j] else float(row[i] < row[j]))
                importance.append(weight)
    design, y, w = np.array(rows), np.array(outcomes), np.array(importance)

    def loss(v: FloatArray) -> float:
        z = design @ v / np.sqrt(2)
        return -float(w @ (y * stats.norm.logcdf(z) + (1 - y) * stats.norm.logsf(z))) + 0.5 * prior * float(v @ v)

    found = optimize.minimize(loss, np.zeros(positions.shape[1]), method="BFGS", options={"gtol": 1e-9})
    centred: FloatArray = found.x - found.x.mean()
    return centred


@pytest.mark.parametrize("seed", range(3))
def test_thurstone_is_probit_regression_on_pairs(seed: int) -> None:
    positions, weights = random_positions(seed, lists=5), np.array([1.0, 2, 1, 0.5, 3])
    counts = pair_counts(positions, weights, "skip")
    found = newton.newton(lambda v: ogive(v, counts), np.zeros(7), prior=0.3).point
    assert found == pytest.approx(probit_regression(positions, weights, 0.3), abs=1e-5)


def slow_bradley_terry(counts: FloatArray) -> FloatArray:
    """Zermelo's iteration: p_i = wins_i / Σ_j games_ij / (p_i + p_j)."""
    p = np.ones(len(counts))
    for _ in range(20_000):
        p = counts.sum(axis=1) / ((counts + counts.T) / (p[:, None] + p)).sum(axis=1)
        p /= p.mean()
    logs: FloatArray = np.log(p) - np.log(p).mean()
    return logs


@pytest.mark.parametrize("seed", range(3))
def test_bradley_terry_is_where_zermelos_iteration_ends(seed: int) -> None:
    counts = pair_counts(random_positions(seed, lists=8, full=True), np.ones(8), "below")
    found = newton.newton(lambda v: sigmoid(v, counts), np.zeros(7)).point
    assert found == pytest.approx(slow_bradley_terry(counts), abs=1e-9)


def test_the_probability_of_two_items_is_their_share_of_wins() -> None:
    found = scores(["AB", "AB", "AB", "BA"], "bradley_terry(prior=0)")
    assert special.expit(found[0] - found[1]) == pytest.approx(0.75)
    found = scores(["AB", "AB", "AB", "BA"], "thurstone(prior=0)")
    assert special.ndtr((found[0] - found[1]) / np.sqrt(2)) == pytest.approx(0.75)


@BOTH
def test_a_tie_is_half_a_win_for_each(name: str) -> None:
    tied = Rankings.from_lists([["a", "b"], [["a", "b"]]])
    split = Rankings.from_lists([["a", "b"], ["a", "b"], ["a", "b"], ["b", "a"]])
    assert scores_of(tied, f"{name}(prior=0)") == pytest.approx(scores_of(split, f"{name}(prior=0)"))


def test_under_below_bradley_terry_has_the_order_of_borda() -> None:
    for seed in range(20):
        runs = [{"1": {str(i): float(p) for i, p in enumerate(-row) if p <= 0}} for row in random_positions(seed)]
        given = Rankings.from_runs(runs)
        by_borda, by_model = fuse(given, "borda(missing='below')"), fuse(given, "bradley_terry")
        assert by_borda["1"].lists["stagg-borda"] == by_model["1"].lists["stagg-bradley_terry"]


@BOTH
def test_without_a_prior_one_way_wins_are_refused(name: str) -> None:
    with pytest.raises(DataError, match=rf"{name}\(prior=0\): query '1' has no best strengths: .* into 2 parts"):
        fuse([["a", "b"]], f"{name}(prior=0)")


@BOTH
def test_parts_that_no_list_compares_are_each_centred(name: str) -> None:
    found = scores(["AB", "CDE"], f"{name}(missing='skip')")
    assert found[0] + found[1] == pytest.approx(0, abs=1e-12)
    assert sum(found[2:]) == pytest.approx(0, abs=1e-12)


@BOTH
def test_one_item_and_one_list(name: str) -> None:
    assert scores(["A"], name) == [0]
    assert fuse([["a", "b", "c"]], name).best_first() == ["a", "b", "c"]


@BOTH
def test_a_hundred_thousand_wins_do_not_overflow(name: str) -> None:
    found = scores(["ABCDEFGH"], name, weights=[1e5])
    assert np.isfinite(found).all()
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("name", ["plackett_luce", "mpm", "bradley_terry", "thurstone", "svp(missing='skip')"])
def test_items_that_are_alike_are_equal_to_the_bit(name: str) -> None:
    assert scores(["ABC", "BCA", "CAB"], name) == [0, 0, 0]


def test_an_iteration_that_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newton, "LIMIT", 1)
    with pytest.raises(NotConverged, match="bradley_terry: query '1' did not settle; the last step changed"):
        fuse([["a", "b", "c"], ["b", "a"]], "bradley_terry")


def test_counts_do_not_change_the_input() -> None:
    counts = np.array([[0.0, 2.0], [1.0, 0.0]])
    kept = counts.copy()
    sigmoid(np.zeros(2), counts).hessian()
    assert (counts == kept).all()
