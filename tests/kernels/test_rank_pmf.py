"""Rank distributions: the recursion against exact enumeration and SciPy, the fast route against the recursion."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from stagg.kernels.stochastic import contests
from stagg.kernels.stochastic.contests import Shape, win_matrix
from stagg.kernels.stochastic.rank_pmf import coin_flips, list_rank_pmf, rank_pmf, rank_pmfs

SHAPES = {
    "paper": contests.paper(),
    "harmonic": contests.harmonic(1.0),
    "linear": contests.linear(),
    "logistic": contests.logistic(3.0),
    "certain": contests.certain(),
    "half trusted": contests.shrunk(contests.harmonic(1.0), 0.5),
    "hardly trusted": contests.shrunk(contests.certain(), 0.01),
    "by length": Shape(lambda gaps, n, length: 0.5 + 0.5 * gaps / (length + n)),
}
MISSING = ("below", "neutral", "skip")


def enumerated(chances: list[Fraction]) -> list[Fraction]:
    """P(number of successes), by all outcomes, in exact fractions."""
    pmf = [Fraction(0)] * (len(chances) + 1)
    for outcome in itertools.product((0, 1), repeat=len(chances)):
        probability = Fraction(1)
        for won, p in zip(outcome, chances, strict=True):
            probability *= p if won else 1 - p
        pmf[sum(outcome)] += probability
    return pmf


@pytest.mark.parametrize("m", [0, 1, 2, 5, 11])
def test_the_recursion_is_exact_enumeration(m: int) -> None:
    rng = np.random.default_rng(m)
    beaten = rng.random(m)
    beaten[: m // 4] = rng.integers(0, 2, m // 4)  # degenerate contests too
    exact = enumerated([Fraction(float(p)) for p in beaten])
    assert np.abs(rank_pmf(beaten) - np.array([float(p) for p in exact])).max() < 1e-15


@pytest.mark.parametrize("m", [20, 200, 1000])
def test_the_recursion_is_scipys_poisson_binomial(m: int) -> None:
    from scipy.stats import poisson_binom

    beaten = np.random.default_rng(m).random(m)
    assert np.abs(rank_pmf(beaten) - poisson_binom.pmf(np.arange(m + 1), beaten)).max() < 1e-14


@pytest.mark.parametrize("m", [1, 7, 100, 2000])
def test_mean_and_variance_are_those_of_independent_contests(m: int) -> None:
    beaten = np.random.default_rng(m).random(m)
    pmf, ranks = rank_pmf(beaten), np.arange(m + 1)
    mean = pmf @ ranks
    assert mean == pytest.approx(beaten.sum(), rel=1e-12)
    assert pmf @ (ranks - mean) ** 2 == pytest.approx((beaten * (1 - beaten)).sum(), rel=1e-10)
    assert pmf.sum() == pytest.approx(1.0, abs=1e-13)


def test_sure_contests_and_no_contests_have_one_outcome() -> None:
    assert rank_pmf(np.zeros(0)).tolist() == [1.0]
    assert rank_pmf(np.array([1.0, 0.0, 1.0])).tolist() == [0.0, 0.0, 1.0, 0.0]


def test_the_papers_example_comes_out() -> None:
    """P(R(a, τ1)) of METHODS.md section 6: a > b among four items, missing=neutral."""
    listed, unlisted = list_rank_pmf(contests.paper(), "neutral", 4, 2)
    assert listed[0].tolist() == pytest.approx([0.1875, 0.4375, 0.3125, 0.0625], abs=1e-15)
    assert unlisted.tolist() == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8], abs=1e-15)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize(("n", "length"), [(1, 1), (2, 1), (2, 2), (3, 1), (9, 9), (9, 4), (60, 25), (60, 60)])
def test_the_shared_tables_give_what_the_recursion_gives(shape: str, missing: str, n: int, length: int) -> None:
    positions = np.where(np.arange(n) < length, np.arange(n), -1)
    wins = win_matrix(positions, SHAPES[shape], missing)
    slow = rank_pmfs(wins)
    listed, unlisted = list_rank_pmf(SHAPES[shape], missing, n, length)
    assert np.abs(listed - slow[:length]).max() < 1e-14
    if length < n and missing != "skip":
        assert np.abs(unlisted - slow[-1]).max() < 1e-14
    else:
        assert not unlisted.any()
    assert (listed >= 0).all()
    assert listed.sum(axis=1) == pytest.approx(np.ones(length), abs=1e-13)
    for item in (0, length - 1):
        if missing != "skip":
            assert np.abs(slow[item] - rank_pmf(np.delete(wins[:, item], item))).max() < 1e-15


@pytest.mark.parametrize("shape", SHAPES)
def test_a_contest_has_one_winner(shape: str) -> None:
    wins = win_matrix(np.array([0, 1, 2, -1, -1]), SHAPES[shape], "below")
    both = wins + wins.T
    assert both[~np.eye(5, dtype=bool)] == pytest.approx(np.ones(20))
    assert (win_matrix(np.array([0, 1, 2, -1, -1]), SHAPES[shape], "skip")[3:] == 0).all()


def test_a_long_list_stays_a_distribution() -> None:
    listed, unlisted = list_rank_pmf(contests.logistic(10.0), "neutral", 1500, 700)
    assert (listed >= 0).all()
    assert listed.sum(axis=1) == pytest.approx(np.ones(700), abs=1e-12)
    assert unlisted.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("heads", [0.5, 0.0, 1.0, 0.3, 1e-6, 0.999])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 101, 5000])
def test_coin_flips_are_binomial(n: int, heads: float) -> None:
    from scipy.stats import binom

    assert np.abs(coin_flips(n, heads) - binom.pmf(np.arange(n + 1), n, heads)).max() < 1e-13
