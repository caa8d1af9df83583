"""Weighted medians against copies counted out."""

from __future__ import annotations

import numpy as np

from stagg.kernels.lists.medians import weighted_medians


def test_weights_act_as_copies() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        values = rng.integers(0, 5, (4, 3)).astype(float)
        weights = rng.integers(0, 4, (4, 3)).astype(float)
        weights[0] = np.maximum(weights[0], 1)
        counted = [np.median(np.repeat(values[:, k], weights[:, k].astype(int))) for k in range(3)]
        assert weighted_medians(values, weights).values.tolist() == counted


def test_the_scale_of_the_weights_does_not_matter() -> None:
    values = np.array([[1.0], [2.0], [4.0]])
    for scale in (1.0, 0.1, 1 / 3, 1e6):
        assert weighted_medians(values, scale * np.array([[1.0], [1.0], [2.0]])).values.tolist() == [3.0]


def test_half_the_weight_but_for_rounding_is_half_the_weight() -> None:
    weights = np.array([[0.1], [0.7], [0.8]])
    assert 0.1 + 0.7 < 0.8
    assert weighted_medians(np.array([[1.0], [2.0], [9.0]]), weights).values.tolist() == [5.5]


def test_a_column_without_weight_has_no_median() -> None:
    assert np.isnan(weighted_medians(np.ones((2, 1)), np.zeros((2, 1))).values)[0]


def test_the_size_of_a_median_is_that_of_the_values_it_was_made_of_and_of_equal_ones_the_largest() -> None:
    values = np.array([[-3.0, 1.0, 2.0], [1.0, 1.0, 4.0], [-9.0, 5.0, 0.0]])
    weights = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]])
    found = weighted_medians(values, weights)
    assert (found.values.tolist(), found.sizes.tolist()) == ([-1.0, 1.0, 3.0], [2.0, 1.0, 3.0])
    sizes = np.array([[1.0, 6.0, 1.0], [3.0, 2.0, 5.0], [99.0, 99.0, 99.0]])
    assert weighted_medians(values, weights, sizes).sizes.tolist() == [2.0, 6.0, 3.0]
