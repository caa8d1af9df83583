"""LambdaRank's pulls: the worked example, and swaps against measures computed before and after."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.lambdas import Swap, better_pairs, lambdas, swap_additive, swap_err

DISCOUNT = 1 / np.log2(np.arange(30) + 2)


def test_worked_numbers() -> None:
    y, gain = np.array([0.0, 2.0, 1.0, 0.0]), np.array([0.0, 3.0, 1.0, 0.0])
    swap = swap_additive(gain / (3 + DISCOUNT[1]), DISCOUNT)
    pull = lambdas(np.array([0.3, 0.1, 0.2, -0.4]), better_pairs(y), swap)
    assert pull == pytest.approx([-0.28050810, 0.28663156, 0.03504388, -0.04116734], abs=5e-9)


def err(stop: FloatArray) -> float:
    total, on = 0.0, 1.0
    for rank, chance in enumerate(stop, start=1):
        total += on * chance / rank
        on *= 1 - chance
    return total


def rbp(y: FloatArray) -> float:
    return float(y @ (0.05 * 0.95 ** np.arange(len(y))))


@pytest.mark.parametrize("measure", ["err", "rbp"])
def test_a_swap_changes_what_it_says(measure: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 12).astype(float)
    stop = (np.exp2(y) - 1) / 4
    swap: Swap = swap_err(stop) if measure == "err" else swap_additive(y, 0.05 * 0.95 ** np.arange(12))
    order = rng.permutation(12)
    ranked = stop[order] if measure == "err" else y[order]
    value = err if measure == "err" else rbp
    for a in range(12):
        for b in range(12):
            swapped = ranked.copy()
            swapped[[a, b]] = ranked[[b, a]]
            change = swap(order, np.array([a]), np.array([b]))
            assert change[0] == pytest.approx(abs(value(swapped) - value(ranked)), abs=1e-14)


def test_pulls_add_up_to_nothing_and_far_scores_do_not_overflow() -> None:
    y = np.array([0.0, 1.0, 2.0])
    pull = lambdas(np.array([0.0, 1e6, -1e6]), better_pairs(y), swap_additive(y, DISCOUNT))
    assert np.isfinite(pull).all()
    assert pull.sum() == pytest.approx(0)
    assert pull[2] > 0
