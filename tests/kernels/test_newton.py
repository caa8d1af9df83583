"""Newton's method: it foretells its next step, and stops where that would be rounding."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting import newton
from stagg.kernels.fitting.pair_models import ogive, sigmoid


def random_wins(seed: int) -> FloatArray:
    """How often each of seven items beat each other; some of them win far more often."""
    rng = np.random.default_rng(seed)
    counts: FloatArray = rng.integers(1, 20, size=(7, 7)) * rng.integers(1, 30, size=(7, 1)) * (1.0 - np.eye(7))
    return counts


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("model", [sigmoid, ogive])
def test_the_last_step_is_the_first_whose_successor_would_be_rounding(
    model: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, direct, lengths = random_wins(seed), newton._direction, []

    def record(*args: Any) -> FloatArray:
        step = direct(*args)
        lengths.append(float(np.abs(step).max()))
        return step

    monkeypatch.setattr(newton, "_direction", record)
    found = newton.newton(lambda v: model(v, counts), np.zeros(7))
    after = direct(model(found.point, counts), found.point, 0.0)
    foretold = [newton._next_change(*both) for both in pairwise(lengths)]
    assert found.settled
    assert found.change == lengths[-1]
    for (before, change), said, came in zip(
        pairwise(lengths), foretold, [*lengths[2:], np.abs(after).max()], strict=True
    ):
        if before > newton.QUADRATIC:
            assert said == change  # far off, nothing is foretold
        else:
            assert said == pytest.approx(came, rel=0.5, abs=1e-13)
    scale = max(1.0, float(np.abs(found.point).max()))
    assert [said <= newton.STEP * scale for said in foretold] == [False] * (len(foretold) - 1) + [True]
