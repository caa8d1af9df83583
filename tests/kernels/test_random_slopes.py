"""Random slopes: against the definition written with whole covariance matrices, and what must not change them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.fitting.random_slopes import BY_QUERY, EASE, OWN, POWERS, average_powers, fit_slopes

COST = 2.0


def make(seed: int, slopes: tuple[float, ...], noise: float = 0.5, by_query: float = 0.0) -> tuple[FloatArray, ...]:
    rng = np.random.default_rng(seed)
    queries = np.repeat(np.arange(12), 8)
    features = rng.random((len(queries), len(slopes)))
    own = np.array(slopes) + by_query * rng.standard_normal((12, len(slopes)))[queries]
    ease = 0.3 * rng.standard_normal(12)[queries]
    return features, (features * own).sum(axis=1) + ease + noise * rng.standard_normal(len(queries)), queries


def bend(base: FloatArray) -> FloatArray:
    """What a line does not say of the squares, with spread 1."""
    line = np.c_[np.ones(len(base)), base]
    squares = base**2 - line @ np.linalg.lstsq(line, base**2, rcond=None)[0]
    return np.asarray(squares / squares.std(), dtype=np.float64)


def whole(
    features: FloatArray, grades: FloatArray, queries: IntArray, prior: FloatArray, ratios: tuple[float, float, float]
) -> tuple[float, FloatArray]:
    """(restricted log likelihood, weights), by the textbook: V is the covariance of all grades, in units of σ²."""
    own, slopes, ease = ratios
    base = features @ prior
    scaled, same = features / base.std(), queries[:, None] == queries
    fixed = np.c_[np.ones(len(grades)), base / base.std(), bend(base)]
    covariance = np.eye(len(grades)) + own * scaled @ scaled.T + same * (slopes * scaled @ scaled.T + ease)
    inverse = np.linalg.inv(covariance)
    precision = fixed.T @ inverse @ fixed
    level = np.linalg.solve(precision, fixed.T @ inverse @ grades)
    rest = grades - fixed @ level
    free = len(grades) - 3
    log_volume = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(precision)[1]
    log_volume -= np.linalg.slogdet(fixed.T @ fixed)[1]
    likelihood = -0.5 * (free * np.log(rest @ inverse @ rest / free) + log_volume)
    weights = np.maximum(max(level[1], 1e-3) * prior + own * scaled.T @ inverse @ rest, 0)
    return likelihood, weights / weights.sum()


@pytest.mark.parametrize("seed", range(3))
def test_evidence_and_weights_are_those_of_the_definition(seed: int) -> None:
    features, grades, queries = make(seed, (1.0, 0.2, 0.0), by_query=0.3)
    prior = np.array([0.2, 0.5, 0.3])
    profile = {}
    for own in (0.0, *OWN):
        tried = [whole(features, grades, queries, prior, (own, s, i)) for s, i in itertools.product(BY_QUERY, EASE)]
        profile[own] = max(tried, key=lambda pair: pair[0])
    likelihood = np.array([profile[own][0] for own in OWN])
    evidence = likelihood.max() - profile[0.0][0]
    chances = np.exp(likelihood - likelihood.max())
    chances /= chances.sum()
    share = 1 / (1 + np.exp(COST - evidence))
    wanted = (1 - share) * prior + share * sum(c * profile[own][1] for c, own in zip(chances, OWN, strict=True))
    found = fit_slopes(features, grades, queries, prior, COST)
    assert found.evidence == pytest.approx(evidence, abs=1e-5)
    np.testing.assert_allclose(found.weights(), wanted, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_powers_are_averaged_by_what_each_query_says_of_them(seed: int) -> None:
    features, grades, queries = make(seed, (1.0, 0.2, 0.0), noise=2.0, by_query=0.3)
    prior = np.array([0.3, 0.5, 0.2])
    scaled, same = features / (features @ prior).std(), queries[:, None] == queries
    slopes, ease = max(
        itertools.product(BY_QUERY, EASE), key=lambda key: whole(features, grades, queries, prior, (0.0, *key))[0]
    )
    inverse = np.linalg.inv(np.eye(len(grades)) + same * (slopes * scaled @ scaled.T + ease))
    powers = np.array([prior**power / (prior**power).sum() for power in POWERS])
    misses = []
    for power in powers:
        base = features @ power
        fixed = np.c_[np.ones(len(grades)), base, bend(base)]
        rest = grades - fixed @ np.linalg.solve(fixed.T @ inverse @ fixed, fixed.T @ inverse @ grades)
        misses.append(np.bincount(queries, rest * (inverse @ rest)))
    gains = misses[POWERS.index(1.0)] - np.array(misses)
    means, spreads = gains.mean(axis=1), gains.std(axis=1, ddof=1)
    spreads[POWERS.index(1.0)] = 1
    evidence = np.sign(means) * 11 / 2 * np.log(1 + (means / spreads) ** 2)
    found, gain = average_powers(features, grades, queries, prior)
    np.testing.assert_allclose(found, np.exp(evidence) @ powers / np.exp(evidence).sum(), atol=1e-6)
    assert gain == pytest.approx(np.log(np.exp(evidence).mean()), abs=1e-6)


def test_powers_leave_equal_weights_equal_and_a_weight_of_0_at_0() -> None:
    features, grades, queries = make(0, (3.0, 0.0, 0.0))
    found, gain = average_powers(features, grades, queries, np.full(3, 1 / 3))
    np.testing.assert_allclose(found, 1 / 3)
    assert gain == pytest.approx(0, abs=1e-9)
    found, gain = average_powers(features, grades, queries, np.array([0.6, 0.4, 0.0]))
    assert found[2] == 0
    assert found[0] > 0.65
    assert gain > 1


def test_one_query_says_nothing_of_the_powers() -> None:
    features, grades, _ = make(1, (3.0, 0.0, 0.0), noise=0.3)
    prior = np.array([0.2, 0.5, 0.3])
    found, gain = average_powers(features, grades, np.zeros(len(grades), dtype=np.int64), prior)
    assert (found == prior).all()
    assert gain == 0


def test_draws_are_those_of_the_posterior_of_the_definition() -> None:
    features, grades, queries = make(1, (1.0, 0.6, 0.8), by_query=0.3)
    prior = np.array([0.2, 0.5, 0.3])
    found = fit_slopes(features, grades, queries, prior, COST)
    rng, wanted = np.random.default_rng(0), []
    base = features @ prior
    scaled, fixed = features / base.std(), np.c_[np.ones(len(grades)), bend(base), base / base.std()]
    wide = found.chances * np.sqrt(OWN)
    for own, chance in zip(OWN, (found.chances + wide / wide.sum()) / 2, strict=True):
        slopes, ease = max(
            itertools.product(BY_QUERY, EASE),
            key=lambda key: whole(features, grades, queries, prior, (own, *key))[0],
        )
        same = queries[:, None] == queries
        inverse = np.linalg.inv(np.eye(len(grades)) + same * (slopes * scaled @ scaled.T + ease))
        table = np.c_[scaled, fixed]
        precision = table.T @ inverse @ table + np.diag([1 / own] * 3 + [0, 0, 0])
        mean = np.linalg.solve(precision, table.T @ inverse @ grades)
        rest = grades @ inverse @ grades - mean @ table.T @ inverse @ grades
        covariance = np.linalg.inv(precision) * rest / (len(grades) - 3)
        drawn = rng.multivariate_normal(mean, covariance, round(40_000 * chance))
        weights = np.maximum(drawn[:, 5:] * prior + drawn[:, :3], 0)
        wanted.append(weights / weights.sum(axis=1, keepdims=True))
    drawn = found.drawn(40_000, np.random.default_rng(1))
    tails = (2.5, 50, 97.5)
    np.testing.assert_allclose(
        np.percentile(drawn, tails, axis=0), np.percentile(np.concatenate(wanted), tails, axis=0), atol=0.02
    )
    np.testing.assert_allclose(drawn.sum(axis=1), 1)


def test_a_column_of_zeros_without_weight_gets_none_in_any_draw() -> None:
    features, grades, queries = make(2, (1.0, 0.5))
    found = fit_slopes(np.c_[features, np.zeros(len(grades))], grades, queries, np.array([0.5, 0.5, 0.0]), COST)
    assert not found.drawn(50, np.random.default_rng(0))[:, 2].any()


def test_labels_that_contradict_the_prior_move_it_and_noise_does_not() -> None:
    prior = np.array([1.0, 1.0, 1.0]) / 3
    told = fit_slopes(*make(0, (3.0, 0.0, 0.0), noise=0.3), prior, COST)
    assert told.evidence > 10
    assert told.weights()[0] > 0.9
    moved = [np.abs(fit_slopes(*make(seed, (1.0, 1.0, 1.0)), prior, COST).weights() - prior).max() for seed in range(9)]
    assert np.median(moved) < 0.05


def test_one_query_is_no_evidence_however_many_columns() -> None:
    rng = np.random.default_rng(3)
    for columns in (2, 8, 40):
        features = rng.random((150, columns))
        grades = (features @ rng.random(columns) ** 3 > 0.3 * columns).astype(float)
        found = fit_slopes(features, grades, np.zeros(150, dtype=np.int64), np.full(columns, 1 / columns), COST)
        assert found.evidence < 0.5, columns


def test_grades_that_bend_are_no_evidence_for_other_weights() -> None:
    rng = np.random.default_rng(0)
    features, queries = rng.standard_exponential((1500, 5)), np.arange(1500) // 50
    grades = features.mean(axis=1) ** 2 + 0.1 * rng.standard_normal(1500)
    found = fit_slopes(features, grades, queries, np.full(5, 0.2), COST)
    assert found.evidence < 2
    np.testing.assert_allclose(found.weights(), 0.2, atol=0.01)


def test_what_holds_in_single_queries_only_is_no_evidence() -> None:
    rng = np.random.default_rng(0)
    prior = np.ones(3) / 3
    features, grades, queries = make(0, (1.0, 1.0, 1.0), noise=0.1, by_query=2.0)
    together = fit_slopes(features, grades, queries, prior, COST)
    as_if_apart = fit_slopes(features, grades, rng.permutation(len(queries)), prior, COST)
    assert together.evidence < 2
    assert as_if_apart.evidence > together.evidence


def test_neither_scales_nor_the_numbers_of_the_queries_matter() -> None:
    features, grades, queries = make(1, (2.0, 0.0, 1.0))
    prior = np.array([0.5, 0.3, 0.2])
    found = fit_slopes(features, grades, queries, prior, COST).weights()
    again = fit_slopes(features * 1e-3, 7 * grades + 100, (queries * 5) % 12, prior, COST).weights()
    np.testing.assert_allclose(again, found, atol=1e-6)


def test_a_resample_that_draws_every_query_once_is_the_fit() -> None:
    found = fit_slopes(*make(2, (2.0, 0.0)), np.array([0.5, 0.5]), COST)
    np.testing.assert_allclose(found.resampled(np.ones((2, 12))), [found.weights()] * 2)
    spread = found.resampled(np.random.default_rng(0).multinomial(12, np.ones(12) / 12, size=50).astype(float))
    np.testing.assert_allclose(spread.sum(axis=1), 1.0)
    assert spread.std(axis=0).min() > 0


@pytest.mark.parametrize("what", ["grades alike", "no features", "few rows", "none"])
def test_rows_that_tell_nothing_leave_the_prior(what: str) -> None:
    features, grades, queries = make(0, (1.0, 0.0))
    rows = {"few rows": 3, "none": 0}.get(what, len(grades))
    grades = np.ones(rows) if what == "grades alike" else grades[:rows]
    features = np.ones((rows, 2)) if what == "no features" else features[:rows]
    prior = np.array([0.7, 0.3])
    assert (average_powers(features, grades, queries[:rows], prior)[0] == prior).all()
    found = fit_slopes(features, grades, queries[:rows], prior, COST)
    assert (found.weights() == prior).all()
    assert found.evidence == 0


def test_features_that_are_nearly_constant_or_a_resample_of_one_item_are_no_error() -> None:
    rng = np.random.default_rng(1)
    for number in range(60):
        features = 1 + rng.random((int(rng.integers(4, 40)), 3)) * 10.0 ** -rng.integers(1, 9)
        rows = len(features)
        queries = np.sort(rng.integers(0, 1 + number % 5, rows))
        found = fit_slopes(features, rng.integers(0, 4, rows).astype(float), queries, np.full(3, 1 / 3), 2.0)
        assert found.weights().sum() == pytest.approx(1)
        assert np.isfinite(found.resampled(np.eye(found.parts.shape[1]))).all()
