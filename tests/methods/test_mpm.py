"""The multinomial preference model: worked numbers, derivatives of the written-out likelihood, limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize
from tests.methods.toys import TOY_F, TOY_P, assert_derivatives, positions_of, random_positions, scores

from stagg import DataError, InvalidParameter, NotConverged, Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import newton
from stagg.kernels.fitting.pair_models import difference_counts, multinomial, net_counts


@pytest.mark.parametrize(
    ("lists", "counts", "expected"),
    [
        (TOY_F, "difference", [0.56096006, 0.34747342, -0.34747342, -0.56096006]),
        (TOY_F, "binary", [0.44967402, 0.27549148, -0.27549148, -0.44967402]),
        (TOY_P, "difference", [-0.08520573, 0.51069449, -0.08520573, -0.34326437, 0.00298133]),
        (TOY_P, "binary", [0.00145001, 0.40588215, -0.13662677, -0.27215540, 0.00145001]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], counts: str, expected: list[float]) -> None:
    found = scores(lists, f"mpm(missing='skip', prior=0, counts='{counts}')")
    assert found == pytest.approx(expected, abs=1e-8)


def slow_likelihood(v: FloatArray, counts: FloatArray, gamma: float = 0.5) -> float:
    """-Σ C_ij log p_ij with p written out over all ordered pairs."""
    gaps = (v[:, None] - v) / (2 * gamma)
    apart = ~np.eye(len(v), dtype=bool)
    return -float((counts[apart] * (gaps[apart] - np.log(np.exp(gaps[apart]).sum()))).sum())


@pytest.mark.parametrize(("lists", "expected"), [(TOY_F, 67.33114457), (TOY_P, 69.62103796)])
def test_the_likelihood_at_the_maximum_is_the_worked_one(lists: list[str], expected: float) -> None:
    positions = positions_of(lists)
    counts = difference_counts(np.where(positions < 0, np.nan, positions), np.ones(3))
    net, total = net_counts(counts)
    found = newton(lambda v: multinomial(v, net, total), np.zeros(len(net)))
    assert multinomial(found.point, net, total).value == pytest.approx(expected, abs=1e-8)
    assert slow_likelihood(found.point, counts) == pytest.approx(expected, abs=1e-8)
    assert np.abs(multinomial(found.point, net, total).gradient).max() < 1e-11


@pytest.mark.parametrize("seed", range(5))
def test_the_derivatives_are_right(seed: int) -> None:
    positions = random_positions(seed)
    counts = difference_counts(np.where(positions < 0, np.nan, positions), np.ones(6))
    v = np.random.default_rng(seed).normal(size=7)
    net, total = net_counts(counts)
    assert multinomial(v, net, total).value == pytest.approx(slow_likelihood(v, counts))
    assert_derivatives(lambda v: multinomial(v, net, total), 7)


def test_full_lists_give_the_order_of_borda() -> None:
    for seed in range(20):
        rows = random_positions(seed, full=True)
        given = Rankings.from_runs([{"1": {str(i): -p for i, p in enumerate(row)}} for row in rows])
        by_borda, by_model = fuse(given, "borda"), fuse(given, "mpm")
        assert by_borda["1"].lists["stagg-borda"] == by_model["1"].lists["stagg-mpm"]


def test_below_puts_the_unlisted_at_rank_l_plus_1() -> None:
    below = scores(["AB", "CBAD"], "mpm")
    ranks = np.array([[1.0, 2, 3, 3], [3, 2, 1, 4]])
    net, total = net_counts(difference_counts(ranks, np.ones(2)))
    expected = newton(lambda v: multinomial(v, net, total), np.zeros(4), prior=0.1).point
    assert below == pytest.approx(expected.tolist(), abs=1e-12)


def test_winners_that_never_lose_have_no_maximum_without_a_prior() -> None:
    with pytest.raises(DataError, match=r"mpm\(prior=0\): query '1' has no best strengths"):
        fuse([["a", "b"]], "mpm(prior=0)")
    assert np.isfinite(scores(["ABC"], "mpm(prior=0)")).all()  # B wins and loses: the maximum exists


def test_items_of_no_counted_pair_stand_in_the_middle() -> None:
    found = scores(["ABC", "D"], "mpm(missing='skip')")
    assert found[3] == pytest.approx(found[1], abs=1e-12)
    assert scores(["A", "B"], "mpm(missing='skip')") == [0, 0]
    assert scores(["A"], "mpm") == [0]


def test_wrong_counts_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="one of 'difference', 'binary'"):
        fuse([["a"]], "mpm(counts='log')")


def test_the_gradient_of_free_spreads_is_that_of_finite_differences() -> None:
    from stagg.kernels.fitting.pair_models import spread_multinomial

    rng = np.random.default_rng(3)
    v, u, counts = rng.normal(size=5), 0.3 * rng.normal(size=5), rng.integers(0, 4, (5, 5)).astype(float)
    np.fill_diagonal(counts, 0)
    _, by_v, by_u = spread_multinomial(v, u, counts)
    step = 1e-6
    for k in range(5):
        e = step * np.eye(5)[k]
        slope_v = (spread_multinomial(v + e, u, counts)[0] - spread_multinomial(v - e, u, counts)[0]) / (2 * step)
        slope_u = (spread_multinomial(v, u + e, counts)[0] - spread_multinomial(v, u - e, counts)[0]) / (2 * step)
        assert by_v[k] == pytest.approx(slope_v, rel=1e-6, abs=1e-6)
        assert by_u[k] == pytest.approx(slope_u, rel=1e-6, abs=1e-6)


def test_free_spreads_fit_better_and_vanish_with_their_prior() -> None:
    lists = [list("ABCDE"), list("BADCE"), list("ACBDE"), list("EABCD"), list("AEBCD")]
    fixed = fuse(lists, "mpm").to_runs()["stagg-mpm"]["1"]
    tight = fuse(lists, "mpm(spread=1e-4)").to_runs()["stagg-mpm"]["1"]
    free = fuse(lists, "mpm(spread=1.0)").to_runs()["stagg-mpm"]["1"]
    assert tight == pytest.approx(fixed, abs=1e-5)
    assert any(abs(free[item] - fixed[item]) > 1e-3 for item in fixed)
    assert all(np.isfinite(value) for value in free.values())


def test_free_spreads_need_a_prior_on_the_strengths() -> None:
    with pytest.raises(InvalidParameter, match="needs a prior above 0"):
        fuse([["a", "b"]], "mpm(prior=0, spread=1.0)")


def test_spreads_that_do_not_settle_are_said_with_the_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop_early(objective: Any, start: FloatArray, **options: Any) -> Any:
        return optimize.OptimizeResult(x=start, jac=np.full(len(start), 123.4))

    monkeypatch.setattr(optimize, "minimize", stop_early)
    with pytest.raises(NotConverged, match=r"mpm: query '1' did not settle; the gradient is still 1\.2e"):
        scores(TOY_P, "mpm(spread=1)")
