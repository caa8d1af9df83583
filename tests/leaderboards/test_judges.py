"""Judges of battles: cycles counted one by one, agreement against scikit-learn's definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import make_battle_rows
from stagg.leaderboards.battles.judges import agree, count_cycles


def test_cycles_are_those_that_one_finds_by_hand() -> None:
    rng = np.random.default_rng(5)
    names = "abcdef"
    pairs = [pair for pair in itertools.combinations(names, 2) if rng.random() < 0.95]
    signs = {pair: int(rng.choice([1, 0, -1], p=[0.45, 0.1, 0.45])) for pair in pairs}
    rows = make_battle_rows(([p[0] for p in pairs], [p[1] for p in pairs]), [signs[p] for p in pairs])

    def beats(one: str, other: str) -> bool:
        return signs.get((one, other), 0) > 0 or signs.get((other, one), 0) < 0

    cycles = triples = 0
    for a, b, c in itertools.combinations(names, 3):
        decided = all(beats(x, y) or beats(y, x) for x, y in ((a, b), (b, c), (a, c)))
        triples += decided
        cycles += (beats(a, b) and beats(b, c) and beats(c, a)) or (beats(b, a) and beats(c, b) and beats(a, c))
    assert count_cycles(rows) == (cycles, triples)
    assert triples > 3


def test_agreement_is_cohens_kappa_written_out() -> None:
    rng = np.random.default_rng(2)
    one = rng.integers(-1, 2, 200)
    other = np.where(rng.random(200) < 0.6, one, rng.integers(-1, 2, 200))
    observed = np.mean(one == other)
    chance = sum(np.mean(one == value) * np.mean(other == value) for value in (-1, 0, 1))
    assert agree(one, other) == pytest.approx((observed - chance) / (1 - chance))
    assert agree(one, one) == pytest.approx(1)
    assert np.isnan(agree(np.ones(5, int), np.ones(5, int)))
