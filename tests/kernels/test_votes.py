"""Votes are whole numbers in the proportions of the weights, and sums of them are those of Python's own numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from stagg.kernels.lists.medians import weighted_medians
from stagg.kernels.lists.votes import add_up, divide_apart, multiply_out, round_votes, whole_votes, widen

MOST = 2**63 - 1


@pytest.mark.parametrize(
    "weights",
    [
        [1, 2, 3],
        [10**9, 10**9 - 1],
        [2**53, 2**53 - 2],
        [2.0**60, 2.0**60 + 256],
        [0.1, 0.2, 0.3, 0.25],
        [1 / 3, 2 / 3, 1],
        [123456789.37, 0.01],
        [1e8 + 0.1, 1e8 - 0.2],
        [1e300, 3e300],
        [5e-324, 1e-323],
    ],
)
def test_weights_with_a_common_measure_keep_their_proportions_exactly(weights: list[float]) -> None:
    """Decimals and thirds mean what their text says, not what their bits do."""
    votes = whole_votes(np.array(weights, dtype=float))
    assert votes.step == 1
    told = [Fraction(weight / weights[0]).limit_denominator(10**13) for weight in weights]
    assert [Fraction(count, int(votes.counts[0])) for count in votes.counts.tolist()] == pytest.approx(told, rel=1e-12)
    assert whole_votes(votes.counts).counts.tolist() == votes.counts.tolist()


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1.0, 1e6, 1e300])
def test_other_weights_are_rounded_and_sums_of_them_are_told_apart_by_a_step(scale: float) -> None:
    weights = np.sqrt(np.arange(2.0, 40.0)) * scale
    votes = whole_votes(weights)
    assert votes.step > 1
    share = votes.counts / votes.counts.sum()
    assert np.abs(share - weights / scale / (weights / scale).sum()).max() < 2.0**-50
    assert 2**32 < votes.counts.sum() / votes.step < 2**34


def test_sums_are_those_of_pythons_numbers() -> None:
    rng = np.random.default_rng(1)
    for largest in (10, 2**31, 2**62, MOST):
        values = rng.integers(-largest, largest, (7, 9), endpoint=True)
        assert add_up(values, 1).tolist() == [sum(row) for row in values.tolist()]
        assert add_up(values, 0).tolist() == [sum(row) for row in values.T.tolist()]
        wide = widen(values, 100)
        assert (wide * 100).tolist() == [[100 * each for each in row] for row in values.tolist()]
        rounded = [round(Fraction(sum(row), 2**18)) for row in values.tolist()]
        assert round_votes(add_up(values, 1), 2**18).tolist() == rounded


def test_weights_times_voters_are_exact_or_none() -> None:
    assert multiply_out(np.array([3.0, 1.0]), np.array([2**61, 2**61 - 1])).tolist() == [3 * 2**61, 2**61 - 1]  # type: ignore[union-attr]
    assert multiply_out(np.array([3.0, 1.0]), np.array([2**61, 2**61])) is None
    assert multiply_out(np.array([1e300]), np.array([2**61])) is None


def test_different_numbers_stay_different_as_floats_and_keep_their_order() -> None:
    rng = np.random.default_rng(2)
    for parts in (1, 3, 840):
        exact = [2**62 + int(each) for each in rng.integers(0, 40, 30)]
        floats = divide_apart(exact, parts).tolist()
        for one, other in zip(exact, floats, strict=True):
            assert other == pytest.approx(one / parts, rel=1e-13)
            assert [value < other for value in floats] == [value < one for value in exact]


def test_medians_of_whole_weights_are_exact() -> None:
    values = np.array([[1.0], [3.0]])
    for voters, median in (([2**62, 2**62 - 1], 1.0), ([2**62 - 1, 2**62 - 1], 2.0), ([2**62 - 2, 2**62 - 1], 3.0)):
        assert weighted_medians(values, np.array(voters)[:, None]).values.tolist() == [median]


@pytest.mark.parametrize("step", [1, 2, 3, 10, 1 << 20])
def test_sums_are_rounded_alike_as_machine_integers_and_as_whole_numbers_of_any_size(step: int) -> None:
    values = np.random.default_rng(step).integers(-(2**50), 2**50, 100)
    rounded = round_votes(values, step)
    assert rounded.tolist() == [round(Fraction(value, step)) for value in values.tolist()]
    assert round_votes(values.astype(object), step).tolist() == rounded.tolist()


def test_sums_beyond_machine_integers_are_rounded() -> None:
    values = np.array([3 * 2**80, -(2**80), 3 * 2**78], dtype=object)
    assert round_votes(values, 2**80).tolist() == [3, -1, 1]
