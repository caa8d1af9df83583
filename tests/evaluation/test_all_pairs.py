"""All pairs of methods: randomised Tukey HSD and its letters."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stagg.evaluation.significance import find_letters, tukey_by_permutation

GRAFTS = np.array(
    [
        [90.3, 89.2, 98.2, 93.9, 87.4, 97.9],
        [92.5, 89.5, 90.6, 94.7, 87.0, 95.8],
        [85.5, 90.8, 89.6, 86.2, 88.0, 93.4],
        [82.5, 89.5, 85.6, 87.4, 78.9, 90.7],
    ]
)
"""Montgomery, Design and Analysis of Experiments, the vascular grafts: four pressures, six batches (blocks)."""


def tukey_by_table(values: np.ndarray) -> np.ndarray:
    """p of Tukey's HSD test by the studentised range, in a randomised block design: the textbook's way."""
    from scipy.stats import studentized_range

    methods, blocks = values.shape
    residuals = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    degrees = (methods - 1) * (blocks - 1)
    error = np.sqrt((residuals**2).sum() / degrees / blocks)
    means = values.mean(axis=1)
    return np.asarray(studentized_range.sf(np.abs(means[:, None] - means) / error, methods, degrees))


def test_the_letters_of_the_vascular_grafts_are_those_of_the_textbook() -> None:
    """HSD = 4.51: 92.8, 91.7 and 88.9 are alike, and so are 88.9 and 85.8."""
    by_table = find_letters(GRAFTS.mean(axis=1), tukey_by_table(GRAFTS) < 0.05)
    by_permutation = find_letters(GRAFTS.mean(axis=1), tukey_by_permutation(GRAFTS, seed=0) < 0.05)
    assert by_table == by_permutation == ["a", "a", "ab", "b"]


def test_the_randomised_test_is_near_the_tabulated_one_where_values_are_normal() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (5, 40)) + np.array([0.0, 0.1, 0.3, 0.5, 0.8])[:, None] + rng.normal(0, 1, 40)
    assert tukey_by_permutation(values, seed=1) == pytest.approx(tukey_by_table(values), abs=0.03)


def test_p_is_that_of_all_orders() -> None:
    values = np.array([[0.9, 0.8, 0.7], [0.5, 0.6, 0.1], [0.4, 0.2, 0.3]])
    means = values.mean(axis=1)
    dealt = itertools.product(*[list(itertools.permutations(column)) for column in values.T])
    spans = np.array([np.ptp(np.mean(each, axis=0)) for each in dealt])
    assert len(spans) == 6**3
    exact = np.array([[(spans >= abs(one - two) - 1e-12).mean() for two in means] for one in means])
    assert tukey_by_permutation(values, draws=40_000, seed=3) == pytest.approx(exact, abs=0.01)


def test_equal_methods_are_called_different_in_five_percent_of_the_simulations() -> None:
    rng = np.random.default_rng(4)
    found = [(tukey_by_permutation(rng.random((6, 30)), draws=400, seed=seed) < 0.05).any() for seed in range(300)]
    assert 0.02 <= np.mean(found) <= 0.08


def test_two_methods_share_a_letter_exactly_where_they_are_not_different() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        count = int(rng.integers(1, 9))
        different = np.triu(rng.random((count, count)) < rng.uniform(0.1, 0.9), 1)
        different |= different.T
        letters = find_letters(rng.random(count), different)
        for one, two in itertools.combinations(range(count), 2):
            assert bool(set(letters[one]) & set(letters[two])) == (not different[one, two])
        assert all(letters)


def test_no_letter_is_needless_and_the_best_method_has_the_first() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        different = np.triu(rng.random((6, 6)) < 0.5, 1)
        different |= different.T
        means = rng.random(6)
        letters = find_letters(means, different)
        assert "a" in letters[int(np.argmax(means))]
        for letter in set("".join(letters)):
            left = [text.replace(letter, "") for text in letters]
            shared = [
                bool(set(left[i]) & set(left[j])) for i, j in itertools.combinations_with_replacement(range(6), 2)
            ]
            assert not all(
                share or different[i, j]
                for share, (i, j) in zip(shared, itertools.combinations_with_replacement(range(6), 2), strict=True)
            )


def test_many_methods_that_all_differ_have_letters_of_their_own() -> None:
    different = ~np.eye(60, dtype=bool)
    letters = find_letters(-np.arange(60.0), different)
    assert (letters[0], letters[25], letters[26], letters[52]) == ("a", "z", "A", "(53)")
    assert len(set(letters)) == 60
