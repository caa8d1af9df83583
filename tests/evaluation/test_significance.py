"""Intervals and tests against their definitions, other people's code, and simulations where the truth is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from stagg.evaluation import significance
from stagg.evaluation.significance import (
    bootstrap_means,
    effect_size,
    holm,
    paired_t,
    sign_flip,
    wins_ties_losses,
)
from stagg.kernels.arrays import FloatArray

TESTS = [
    pytest.param(paired_t, id="paired_t"),
    pytest.param(lambda differences: sign_flip(differences, draws=2000, seed=3), id="sign_flip"),
]
Test = Callable[[FloatArray], FloatArray]


def differences_under_the_null(rng: np.random.Generator, queries: int, simulations: int) -> FloatArray:
    """For each query two noisy copies of a score, swapped by a fair coin."""
    score = rng.random((queries, simulations))
    two = score + rng.normal(0, 0.1, (2, queries, simulations))
    swapped = rng.random((queries, simulations)) < 0.5
    first, second = np.where(swapped, two[0], two[1]), np.where(swapped, two[1], two[0])
    return first - second


@pytest.mark.parametrize("test", TESTS)
def test_what_is_no_difference_is_found_in_five_percent_of_the_simulations(test: Test) -> None:
    p = test(differences_under_the_null(np.random.default_rng(0), 50, 1000))
    assert 0.03 <= (p < 0.05).mean() <= 0.07


@pytest.mark.parametrize("test", TESTS)
def test_a_known_difference_is_found(test: Test) -> None:
    noise = differences_under_the_null(np.random.default_rng(1), 50, 1000)
    assert (test(noise + 0.1) < 0.05).mean() > 0.95
    assert (test(noise - 0.1) < 0.05).mean() > 0.95
    assert 0.1 < (test(noise + 0.03) < 0.05).mean() < 0.6


def test_the_t_test_is_that_of_scipy() -> None:
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(2)
    for queries in (2, 3, 10, 500):
        one, two = rng.random((2, queries, 40))
        shifted = two + rng.normal(0.1, 0.2, (1, 40))
        expected = ttest_rel(one, shifted).pvalue
        assert paired_t(one - shifted) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_the_t_test_is_defined_where_there_is_no_spread() -> None:
    same = np.zeros((6, 4))
    same[:, 1], same[:, 2] = 0.25, -0.25
    same[:, 3] = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) - np.array([0.2, 0.3, 0.4, 0.5, 0.6, 0.7])  # 0.1, rounded
    assert paired_t(same).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert paired_t(np.array([[0.5, 0.0]])).tolist() == [1.0, 1.0]
    assert paired_t(np.empty((0, 2))).tolist() == [1.0, 1.0]


def test_sign_flips_agree_with_the_enumeration_of_all_flips() -> None:
    rng = np.random.default_rng(4)
    queries, draws = 8, 20_000
    differences = rng.normal(0.3, 0.5, (queries, 12))
    differences[:, 6:] = rng.integers(-2, 4, (queries, 6)) / 10  # many flips tie with what is observed
    flips = np.array(list(itertools.product([-1.0, 1.0], repeat=queries)))
    far = np.abs(flips @ differences) >= np.abs(differences.sum(axis=0)) - 1e-9
    exact = far.mean(axis=0)
    error = np.sqrt(exact * (1 - exact) / draws)
    assert (np.abs(sign_flip(differences, draws=draws, seed=1) - exact) <= 4 * error + 2 / draws).all()


def test_rounding_does_not_break_a_tie_with_what_was_observed() -> None:
    scores = np.linspace(0.1, 0.7, 7)
    rounded = np.stack([(scores + 0.1) - scores, np.full(7, 0.1)], axis=1)  # 0.1 but for the last bit
    rounded[3] *= -1
    assert len(set(rounded[:, 0])) > 2
    one, two = sign_flip(rounded, draws=5000, seed=0)
    assert one == two


def test_differences_of_rounding_alone_are_no_evidence() -> None:
    noise = np.full((40, 1), 1e-16) * np.linspace(1, 2, 40)[:, None]
    assert paired_t(noise).tolist() == [1.0]
    assert sign_flip(noise, draws=200, seed=0).tolist() == [1.0]
    assert effect_size(noise).tolist() == [0.0]


def test_the_smallest_p_of_a_randomisation_test_is_one_in_draws_plus_one() -> None:
    differences = np.stack([np.full(60, 0.5), np.zeros(60)], axis=1)
    assert sign_flip(differences, draws=499, seed=0).tolist() == [1 / 500, 1.0]
    assert sign_flip(np.empty((0, 2)), draws=499, seed=0).tolist() == [1.0, 1.0]


def test_the_sign_of_all_differences_does_not_matter_to_a_test() -> None:
    differences = np.random.default_rng(5).normal(0.05, 0.3, (30, 20))
    assert (paired_t(differences) == paired_t(-differences)).all()
    assert (sign_flip(differences, draws=500, seed=2) == sign_flip(-differences, draws=500, seed=2)).all()


def test_holm_gives_the_numbers_worked_by_hand() -> None:
    # 4 comparisons: 0.005·4 = 0.02, 0.01·3 = 0.03, 0.03·2 = 0.06, 0.04·1 raised to the one before it
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.6, 0.5])).tolist() == [1.0, 1.0]
    assert holm(np.array([])).tolist() == []


def test_holm_rejects_what_the_procedure_rejects_at_every_level() -> None:
    rng = np.random.default_rng(6)
    for _ in range(50):
        p = rng.random(rng.integers(1, 8)) ** 3
        p[rng.random(len(p)) < 0.2] = 0.01  # equal values
        adjusted = holm(p)
        for level in np.append(rng.random(20), 0.05):
            assert {int(i) for i in np.flatnonzero(adjusted <= level)} == rejected(p, level)


def rejected(p: FloatArray, level: float) -> set[int]:
    """Holm's procedure as he wrote it: from the smallest p on, stop at the first that is too large."""
    left = sorted(range(len(p)), key=lambda i: float(p[i]))
    found: set[int] = set()
    while left and p[left[0]] <= level / len(left):
        found.add(left.pop(0))
    return found


def test_holm_leaves_out_what_was_not_compared() -> None:
    p = np.array([0.02, np.nan, 0.01, np.nan])
    adjusted = holm(p)
    assert adjusted[[0, 2]].tolist() == holm(p[[0, 2]]).tolist()
    assert np.isnan(adjusted[[1, 3]]).all()


def test_a_bootstrap_interval_holds_the_true_mean_about_as_often_as_it_says() -> None:
    values = np.random.default_rng(7).beta(2, 3, (60, 1000))
    for level, least, most in ((0.95, 0.92, 0.97), (0.8, 0.76, 0.83)):
        low, high = bootstrap_means(values, draws=1000, level=level, seed=0)
        assert least <= ((low <= 0.4) & (high >= 0.4)).mean() <= most


def test_a_bootstrap_interval_is_that_of_an_explicit_resampling() -> None:
    values = np.random.default_rng(8).random((23, 5))
    counts = np.concatenate(list(significance._resample(23, 300, 5, 9)))
    assert (counts.sum(axis=1) == 23).all()
    means = [np.repeat(values, draw.astype(int), axis=0).mean(axis=0) for draw in counts]
    low, high = bootstrap_means(values, draws=300, level=0.9, seed=9)
    assert low == pytest.approx(np.quantile(means, 0.05, axis=0), abs=1e-12)
    assert high == pytest.approx(np.quantile(means, 0.95, axis=0), abs=1e-12)


def test_the_draws_take_every_query_and_sign_alike() -> None:
    counts = np.concatenate(list(significance._resample(37, 4000, 1, 0)))
    assert counts.mean(axis=0) == pytest.approx(np.ones(37), abs=0.08)
    assert counts.var() == pytest.approx(1 - 1 / 37, abs=0.03)
    signs = np.concatenate(list(significance._signs(37, 4000, 1, 0)))
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.T @ signs / 4000 - np.eye(37)).max() < 0.08  # fair, and independent of each other
    assert np.abs(signs.mean(axis=0)).max() < 0.08


def test_an_interval_of_equal_values_is_a_point_and_one_of_none_unknown() -> None:
    low, high = bootstrap_means(np.full((7, 1), 0.3), seed=0)
    assert low == pytest.approx([0.3], abs=1e-15)
    assert high == pytest.approx([0.3], abs=1e-15)
    assert np.isnan(bootstrap_means(np.empty((0, 3)), seed=0)).all()
    assert bootstrap_means(np.array([[0.25]]), seed=0)[0].tolist() == [0.25]


def statistics(values: FloatArray, seed: int = 5) -> FloatArray:
    """All answers of a column in one row."""
    low, high = bootstrap_means(values, draws=211, seed=seed)
    flips = sign_flip(values, draws=307, seed=seed)
    return np.stack([low, high, flips, paired_t(values), effect_size(values)], axis=1)


def test_a_column_does_not_see_the_others() -> None:
    rng = np.random.default_rng(10)
    values = rng.normal(0.02, 0.3, (61, 9)) * 10.0 ** rng.integers(-3, 3, 9)
    together = statistics(values)
    order = rng.permutation(9)
    assert statistics(values[:, order]).tobytes() == together[order].tobytes()
    assert statistics(np.asfortranarray(values)).tobytes() == together.tobytes()
    for column in range(9):
        assert statistics(values[:, [column]]).tobytes() == together[[column]].tobytes()


@pytest.mark.parametrize("cells", [1, 61, 700, 5000])
def test_the_size_of_the_blocks_does_not_matter(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(11).normal(0.02, 0.3, (61, 4))
    at_once = statistics(values)
    monkeypatch.setattr(significance, "CELLS", cells)
    assert statistics(values).tobytes() == at_once.tobytes()


def test_the_seed_decides_and_nothing_else() -> None:
    values = np.random.default_rng(12).normal(0.02, 0.3, (40, 3))
    before = values.copy()
    assert statistics(values).tobytes() == statistics(values).tobytes()
    assert (statistics(values)[:, :3] != statistics(values, seed=6)[:, :3]).any(axis=0).all()
    assert (values == before).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_column_with_an_unknown_value_has_unknown_answers_and_spoils_no_other(bad: float) -> None:
    values = np.random.default_rng(13).normal(0.02, 0.3, (40, 3))
    spoiled = values.copy()
    spoiled[7, 1] = bad
    answers = statistics(spoiled)
    assert np.isnan(answers[1]).all()
    assert answers[[0, 2]].tobytes() == statistics(values)[[0, 2]].tobytes()


def test_the_effect_is_the_mean_over_the_deviation_and_never_infinite() -> None:
    differences = np.random.default_rng(14).normal(0.1, 0.3, (30, 6))
    assert effect_size(differences) == pytest.approx(differences.mean(axis=0) / differences.std(axis=0, ddof=1))
    assert effect_size(np.array([[0.0, 0.1, -0.1]] * 5)).tolist() == [0.0, 0.0, 0.0]
    assert effect_size(np.array([[0.5]])).tolist() == [0.0]


def test_wins_ties_and_losses_add_up_to_the_queries() -> None:
    differences = np.array([[0.2, 1e-9], [-0.2, -1e-9], [9e-10, 0.0], [0.1, 5e-10]])
    wins, ties, losses = wins_ties_losses(differences)
    assert (wins.tolist(), ties.tolist(), losses.tolist()) == ([2, 1], [1, 2], [1, 1])
    wins, ties, losses = wins_ties_losses(differences, tolerance=0.15)
    assert (wins.tolist(), ties.tolist(), losses.tolist()) == ([1, 0], [2, 4], [1, 0])
