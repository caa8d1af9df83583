"""Scores on a common scale: the definitions, and what happens where they would divide by zero or overflow."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.normalise import NORMS, normalised


def one(norm: str, scores: list[float]) -> list[float]:
    return normalised(norm, np.array(scores), np.array([0])).tolist()


def test_the_definitions() -> None:
    assert one("min-max", [4.0, 3.0, 2.0]) == [1.0, 0.5, 0.0]
    assert one("max", [4.0, 3.0, 2.0]) == [1.0, 0.75, 0.5]
    assert one("sum", [4.0, 3.0, 2.0]) == pytest.approx([2 / 3, 1 / 3, 0.0])
    assert one("z-score", [4.0, 3.0, 2.0]) == pytest.approx([1.5**0.5, 0.0, -(1.5**0.5)])


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("value", [0.0, 7.0, -7.0, 1e308, 5e-324])
def test_equal_scores_say_nothing(norm: str, value: float) -> None:
    expected = 0.0 if norm == "z-score" else 0.5
    assert one(norm, [value] * 3) == [expected] * 3
    assert one(norm, [value]) == [expected]


@pytest.mark.parametrize("norm", NORMS)
def test_the_order_is_kept_whatever_the_sign(norm: str) -> None:
    for scores in ([3.0, 1.0, -2.0], [-1.0, -2.0, -3.0], [0.0, -2.0, -3.0]):
        found = one(norm, scores)
        assert found == sorted(found, reverse=True)
        assert found[0] > found[-1]


@pytest.mark.parametrize("norm", NORMS)
def test_huge_and_tiny_scores_neither_overflow_nor_vanish(norm: str) -> None:
    plain = one(norm, [3.0, 2.0, -1.0])
    for scale in (2.0**1000, 2.0**-1000):
        assert one(norm, [3.0 * scale, 2.0 * scale, -1.0 * scale]) == plain
    assert np.isfinite(one(norm, [1.7e308, 0.0, -1.7e308])).all()


@pytest.mark.parametrize("norm", NORMS)
def test_lists_are_normalised_apart(norm: str) -> None:
    both = normalised(norm, np.array([4.0, 2.0, 900.0, 800.0, 100.0]), np.array([0, 2])).tolist()
    assert both == one(norm, [4.0, 2.0]) + one(norm, [900.0, 800.0, 100.0])
