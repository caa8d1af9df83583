"""How sure a list is: spreads of scores, where they stand, and whether agreement confirms them."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.agreement.confidence import (
    QUANTILES,
    agreement_with_others,
    confirmation,
    percentiles,
    quantiles,
    spreads,
)


def test_the_spread_is_the_standard_deviation_of_the_first_hundred() -> None:
    rng = np.random.default_rng(0)
    lists = [np.sort(rng.normal(size=size) * 10.0**k)[::-1] for k, size in enumerate((2, 100, 101, 500, 3))]
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    found = spreads(np.concatenate(lists), offsets)
    assert found == pytest.approx([each[:100].std() for each in lists], rel=1e-8)


def test_lists_that_do_not_vary_or_have_no_scores_have_no_spread() -> None:
    scores = np.array([1.0, 1.0, 1.0, 5.0, np.nan, np.nan, np.inf, 1.0])
    assert np.isnan(spreads(scores, np.array([0, 3, 4, 6, 8, 8]))).all()


def test_scores_too_large_to_square_have_a_spread() -> None:
    assert spreads(np.array([1e300, 0.0]), np.array([0, 2])) == pytest.approx([5e299])


def test_spreads_are_equal_whatever_stands_before_them() -> None:
    scores = np.sort(np.random.default_rng(1).random(77))[::-1]
    found = [spreads(np.concatenate([np.ones(k), scores]), np.array([0, k, k + 77]))[1] for k in range(1, 40)]
    assert len(set(found)) == 1


def test_equal_spreads_have_the_mean_of_their_places() -> None:
    found = np.array([1.0, 2.0, 2.0, 3.0, np.nan])
    assert percentiles(found, quantiles(found)).tolist() == [0.125, 0.5, 0.5, 0.875, 0.5]


def test_a_new_spread_stands_where_it_would_among_the_others() -> None:
    assert percentiles(np.array([0.0, 2.5, 9.0]), np.array([1.0, 2.0, 3.0, 4.0])).tolist() == [0.0, 0.5, 1.0]


def test_spreads_that_are_all_alike_say_nothing() -> None:
    """Scores that were made of ranks have one spread, but for rounding."""
    assert not len(quantiles(np.array([1.0, 1.0 + 1e-9, 1.0])))
    assert percentiles(np.array([1.0, 7.0]), np.zeros(0)).tolist() == [0.5, 0.5]


def test_of_many_spreads_so_many_are_kept() -> None:
    found = np.random.default_rng(2).random(10_000)
    table = quantiles(found)
    assert len(table) == QUANTILES
    assert np.abs(percentiles(found, table) - percentiles(found, np.sort(found))).max() < 1 / QUANTILES


def test_agreement_with_the_weighted_sum_of_the_others() -> None:
    rng = np.random.default_rng(3)
    table, weights = rng.random((4, 60)), np.array([1.0, 0.5, 0.2, 0.9])
    covariance = np.cov(table, bias=True)[None]
    expected = [np.corrcoef(table[k], np.delete(weights, k) @ np.delete(table, k, axis=0))[0, 1] for k in range(4)]
    assert agreement_with_others(covariance, weights)[0] == pytest.approx(expected)


def test_a_list_that_is_not_there_agrees_with_nobody() -> None:
    covariance = np.array([[[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]]])
    found = agreement_with_others(covariance, np.ones(3))[0]
    assert found[:2] == pytest.approx([0.5, 0.5])
    assert np.isnan(found[2])


def test_confirmation_is_a_correlation_over_queries() -> None:
    rng = np.random.default_rng(4)
    spread = rng.random(200)
    agreement = 0.3 * spread + rng.normal(size=200) * 0.1
    place = percentiles(spread, quantiles(spread))
    found = confirmation(place, agreement)
    assert found == pytest.approx(np.corrcoef(place, agreement)[0, 1])
    order = rng.permutation(200)
    assert confirmation(place[order], agreement[order]) == found
    assert confirmation(place, np.full(200, np.nan)) == 0
    assert confirmation(np.full(200, 0.5), agreement) == 0
