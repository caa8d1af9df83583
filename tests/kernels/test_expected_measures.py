"""Expected measures against worked numbers, the recursion of the paper, finite differences; both twins alike."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import ndtr

from stagg.kernels import compiled
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic import utilities
from stagg.kernels.stochastic.expected_measures import (
    Found,
    Stakes,
    contest_steps,
    contest_steps_in_numpy,
    expected,
    expected_in_numpy,
    expected_normal,
)
from stagg.kernels.stochastic.rank_pmf import rank_pmf

Kernel = Callable[[FloatArray, IntArray, Stakes, float], Found]

KERNELS = [
    pytest.param(expected_in_numpy, id="numpy"),
    pytest.param(
        expected,
        id="compiled",
        marks=pytest.mark.skipif(
            compiled.twin("stochastic._expected_measures") is None, reason="the compiled twin is not built"
        ),
    ),
]
MEASURES = ("ndcg", "rbp", "err")
SIGMAS = (1.0, 0.3, 0.1, 0.01, 1e-3)


def stakes_of(measure: str, y: FloatArray) -> Stakes:
    """One query's stakes, written out from Eq. 5, 6 and 7."""
    gain, none = np.exp2(y) - 1, np.zeros(len(y))
    if measure == "ndcg":
        ideal = np.sort(gain)[::-1] @ (1 / np.log2(np.arange(len(y)) + 2))
        return Stakes(gain / ideal, none, utilities.dcg())
    if measure == "rbp":
        return Stakes(y.copy(), none, utilities.rbp(0.95))
    return Stakes(gain / 4, gain / 4, utilities.rrf(0))


def utility_of(measure: str, n: int) -> FloatArray:
    ranks = np.arange(float(n))
    return {"ndcg": 1 / np.log2(ranks + 2), "rbp": 0.05 * 0.95**ranks, "err": 1 / (1 + ranks)}[measure]


def by_recursion(f: FloatArray, stakes: Stakes, u: FloatArray, sigma: float) -> tuple[float, FloatArray]:
    """Value and gradient through the recursion of Eq. 10, the others' distribution made anew for every pair: O(n⁴).

    The chance that r others beat j and that none of them stops the reader is the coefficient of z^r in
    Π (1 - p + p (1-R) z); with Σ_r of them below 1 the recursion of a distribution is not enough, so it is written out.
    """

    def coefficients(p: FloatArray, stop: FloatArray) -> FloatArray:
        found = np.array([1.0])
        for chance, halt in zip(p, stop, strict=True):
            found = np.append(found * (1 - chance), 0) + np.append(0, found * chance * (1 - halt))
        return found

    n, scale = len(f), np.sqrt(2) * sigma
    value, gradient = 0.0, np.zeros(n)
    for j in range(n):
        others = np.array([i for i in range(n) if i != j])
        z = (f[others] - f[j]) / scale
        p, stop = ndtr(z), stakes.stop[others]
        value += stakes.worth[j] * float(coefficients(p, stop) @ u)
        for k, i in enumerate(others):
            rest = coefficients(np.delete(p, k), np.delete(stop, k))
            slope = float(rest @ ((1 - stop[k]) * u[1:] - u[:-1]))
            push = stakes.worth[j] * slope * np.exp(-0.5 * z[k] ** 2) / np.sqrt(2 * np.pi) / scale
            gradient[i] += push
            gradient[j] -= push
    return value, gradient


def scores_and_grades(n: int, sigma: float, seed: int) -> tuple[FloatArray, FloatArray]:
    """Scores whose gaps are of the size of σ, so that contests are open, but for one far ahead and one far behind."""
    rng = np.random.default_rng(seed)
    f = sigma * rng.normal(size=n)
    f[0], f[1] = 40 * sigma, -40 * sigma
    return f, rng.integers(0, 3, n).astype(float)


@pytest.mark.parametrize("kernel", KERNELS)
def test_worked_numbers(kernel: Kernel) -> None:
    f, y, offsets = np.array([0.3, 0.1, 0.2, -0.4]), np.array([0.0, 2.0, 1.0, 0.0]), np.array([0, 4])
    value, gradient = kernel(f, offsets, stakes_of("ndcg", y), 0.3)
    assert value[0] == pytest.approx(0.68945065, abs=5e-9)
    assert gradient == pytest.approx([-0.21257751, 0.29134555, -0.00912167, -0.06964637], abs=5e-9)
    assert kernel(f, offsets, stakes_of("rbp", y), 0.3)[0][0] == pytest.approx(0.14051275, abs=5e-9)
    assert kernel(f, offsets, stakes_of("err", y), 0.3)[0][0] == pytest.approx(0.42656362, abs=5e-9)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("sigma", SIGMAS)
def test_value_and_gradient_are_those_of_the_recursion(kernel: Kernel, measure: str, sigma: float) -> None:
    for n in (2, 3, 9, 17, 33):
        f, y = scores_and_grades(n, sigma, n)
        stakes = stakes_of(measure, y)
        value, gradient = kernel(f, np.array([0, n]), stakes, sigma)
        slow_value, slow = by_recursion(f, stakes, utility_of(measure, n), sigma)
        assert value[0] == pytest.approx(slow_value, rel=1e-11)
        assert np.abs(gradient - slow).max() <= 1e-9 * np.abs(slow).max()


@pytest.mark.parametrize("kernel", [*KERNELS, pytest.param(expected_normal, id="normal")])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("sigma", SIGMAS)
def test_gradient_is_that_of_finite_differences(kernel: Kernel, measure: str, sigma: float) -> None:
    f, y = scores_and_grades(12, sigma, 5)
    stakes, offsets = stakes_of(measure, y), np.array([0, 12])
    gradient = kernel(f, offsets, stakes, sigma)[1]

    def central(h: float) -> FloatArray:
        ahead = [kernel(f + h * unit, offsets, stakes, sigma)[0][0] for unit in np.eye(12)]
        behind = [kernel(f - h * unit, offsets, stakes, sigma)[0][0] for unit in np.eye(12)]
        return (np.array(ahead) - np.array(behind)) / (2 * h)

    h = 2e-3 * sigma
    numeric = (4 * central(h / 2) - central(h)) / 3  # the error of order h² is taken away
    assert np.abs(gradient - numeric).max() <= 1e-7 * np.abs(numeric).max()


@pytest.mark.parametrize("kernel", [*KERNELS, pytest.param(expected_normal, id="normal")])
@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_overflows_when_contests_are_certain(kernel: Kernel, measure: str) -> None:
    f, y = np.array([3.0, 1.0, 2.0, -4.0, 1.0]), np.array([0.0, 2.0, 1.0, 0.0, 0.0])
    for sigma in (1e-4, 1e-8):
        value, gradient = kernel(f, np.array([0, 5]), stakes_of(measure, y), sigma)
        assert np.isfinite(value).all()
        assert np.isfinite(gradient).all()
    sorted_value = kernel(
        np.array([3.0, 2.0, 1.0]), np.array([0, 3]), stakes_of("ndcg", np.array([2.0, 1.0, 0.0])), 1e-4
    )
    assert sorted_value[0][0] == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("kernel", [*KERNELS, pytest.param(expected_normal, id="normal")])
@pytest.mark.parametrize("measure", MEASURES)
def test_queries_of_any_size_together_are_queries_one_by_one(kernel: Kernel, measure: str) -> None:
    rng = np.random.default_rng(1)
    sizes = np.array([5, 0, 1, 130, 2, 40, 41, 64, 65])
    offsets = np.append(0, np.cumsum(sizes))
    f, y = rng.normal(size=offsets[-1]), rng.integers(0, 3, offsets[-1]).astype(float)
    stakes = stakes_of(measure, y)
    values, gradient = kernel(f, offsets, stakes, 0.4)
    for q, (low, high) in enumerate(itertools.pairwise(offsets)):
        own = Stakes(stakes.worth[low:high], stakes.stop[low:high], stakes.utility)
        value, slope = kernel(f[low:high], np.array([0, high - low]), own, 0.4)
        assert values[q] == pytest.approx(value[0], rel=1e-12)
        assert gradient[low:high] == pytest.approx(slope, rel=1e-9, abs=1e-15)


@pytest.mark.skipif(compiled.twin("stochastic._expected_measures") is None, reason="the compiled twin is not built")
@pytest.mark.parametrize("measure", MEASURES)
def test_the_twins_agree_on_long_lists(measure: str) -> None:
    rng = np.random.default_rng(2)
    f, y = rng.normal(size=1000), rng.integers(0, 3, 1000) * (rng.random(1000) < 0.05)
    stakes = stakes_of(measure, y)
    fast, slow = (kernel(f, np.array([0, 1000]), stakes, 0.2) for kernel in (expected, expected_in_numpy))
    assert fast[0] == pytest.approx(slow[0], rel=1e-12)
    assert np.abs(fast[1] - slow[1]).max() <= 1e-12 * np.abs(slow[1]).max()


def test_the_normal_approximation_of_the_worked_example() -> None:
    f = np.array([0.3, 0.1, 0.2, -0.4])
    beats = ndtr((f[:, None] - f) / (np.sqrt(2) * 0.3))
    np.fill_diagonal(beats, 0)
    assert beats.sum(axis=0) == pytest.approx([0.77498788, 1.39378861, 1.07864960, 2.75257390], abs=5e-9)
    exact = expected_in_numpy(f, np.array([0, 4]), stakes_of("ndcg", np.array([0.0, 2.0, 1.0, 0.0])), 0.3)[0][0]
    near = expected_normal(f, np.array([0, 4]), stakes_of("ndcg", np.array([0.0, 2.0, 1.0, 0.0])), 0.3)[0][0]
    assert 1e-4 < abs(exact - near) < 0.01
    assert rank_pmf(beats[1:, 0]).sum() == pytest.approx(1)


@pytest.mark.parametrize("n", [2, 15, 64, 300, 1024, 5000])
@pytest.mark.parametrize("measure", ["ndcg", "err"])
def test_the_short_sums_stand_for_their_utilities(n: int, measure: str) -> None:
    utility = {"ndcg": utilities.dcg(), "err": utilities.rrf(0)}[measure]
    a, t = utilities.compress(utility, n)
    assert len(a) <= 45
    assert (t[None, :] ** np.arange(n)[:, None]) @ a == pytest.approx(utility_of(measure, n), rel=1e-12)


STEPS = [
    pytest.param(contest_steps_in_numpy, id="numpy"),
    pytest.param(
        contest_steps,
        id="compiled",
        marks=pytest.mark.skipif(
            compiled.twin("stochastic._expected_measures") is None, reason="the compiled twin is not built"
        ),
    ),
]


@pytest.mark.parametrize("kernel", STEPS)
@pytest.mark.parametrize("measure", MEASURES)
def test_the_steps_of_contests_are_their_definition(kernel: Callable[..., tuple], measure: str) -> None:
    """s_j by differences of E[u(R_j)], which is linear in p_ij; log Φ and its curvature by differences."""
    from scipy.special import log_ndtr

    n, sigma = 9, 0.7
    rng = np.random.default_rng(3)
    f, y = rng.normal(size=n), rng.integers(0, 3, n).astype(float)
    worth, stop, _ = stakes = stakes_of(measure, y)
    u = utility_of(measure, n)

    def rank_utility(p: FloatArray, j: int) -> float:
        found = np.array([1.0])
        for i in range(n):
            if i != j:
                found = np.append(found * (1 - p[i]), 0) + np.append(0, found * p[i] * (1 - stop[i]))
        return float(found @ u)

    beats = ndtr((f[:, None] - f) / (np.sqrt(2) * sigma))
    loss = np.zeros((n, n))
    for j, i in itertools.permutations(range(n), 2):
        lost, won = beats[:, j].copy(), beats[:, j].copy()
        lost[i], won[i] = 1, 0
        loss[j, i] = rank_utility(won, j) - rank_utility(lost, j)
    slope, bend, h = np.zeros(n), np.zeros(n), 1e-4
    for i, j in itertools.permutations(range(n), 2):
        if worth[i] > worth[j]:
            at = [log_ndtr((f[i] - f[j] + step) / (np.sqrt(2) * sigma)) for step in (-h, 0, h)]
            stake = 0.5 * (worth[i] - worth[j]) * (loss[i, j] + loss[j, i])
            slope[[i, j]] += stake * (at[2] - at[0]) / (2 * h) * np.array([1, -1])
            bend[[i, j]] -= stake * (at[2] - 2 * at[1] + at[0]) / h**2
    values, gradient, curvature = kernel(f, np.array([0, n]), stakes, sigma)
    assert values == pytest.approx(expected_in_numpy(f, np.array([0, n]), stakes, sigma)[0])
    assert gradient == pytest.approx(slope, rel=1e-6, abs=1e-9)
    assert curvature == pytest.approx(bend, rel=1e-4)


@pytest.mark.skipif(compiled.twin("stochastic._expected_measures") is None, reason="the compiled twin is not built")
@pytest.mark.parametrize("measure", MEASURES)
def test_the_twins_agree_on_the_steps_of_contests_however_lost(measure: str) -> None:
    rng = np.random.default_rng(4)
    sizes = np.array([5, 0, 1, 130, 2, 40, 41, 64, 65])
    offsets = np.append(0, np.cumsum(sizes))
    f, y = 30 * rng.normal(size=offsets[-1]), rng.integers(0, 3, offsets[-1]).astype(float)
    y[: sizes[0]] = 0.0
    stakes = stakes_of(measure, y)
    fast, slow = (kernel(f, offsets, stakes, 0.5) for kernel in (contest_steps, contest_steps_in_numpy))
    for one, other in zip(fast, slow, strict=True):
        assert np.isfinite(one).all()
        assert np.abs(one - other).max() <= 1e-9 * np.abs(other).max()  # z + φ/Φ cancels where z is far below 0
    assert (fast[2] >= 0).all()
    assert not fast[1][: sizes[0]].any()
