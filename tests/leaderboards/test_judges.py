"""Judges of battles: cycles counted one by one, agreement against scikit-learn's definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import make_battle_rows
from stagg.leaderboards.battles.battle_fits import fit_battles
from stagg.leaderboards.battles.judges import agree, count_cycles, look_at_judges


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


def test_each_judge_has_the_mean_agreement_with_the_others_by_its_first_votes() -> None:
    rng = np.random.default_rng(4)
    said = {judge: rng.integers(-1, 2, 60) for judge in ("x", "y", "z")}
    said["y"][:40] = said["x"][:40]
    kept = {"x": range(60), "y": range(50), "z": range(20, 60)}
    rows = [
        (("a", "b") if (q + turn) % 2 else ("b", "a"), judge, q, int(said[judge][q]) * (1 if (q + turn) % 2 else -1))
        for turn, judge in enumerate(said)
        for q in kept[judge]
    ]
    rows.append((("a", "b"), "x", 0, -1 if said["x"][0] != -1 else 1))  # a second vote, which does not count
    made = make_battle_rows(
        ([r[0][0] for r in rows], [r[0][1] for r in rows]), [r[3] for r in rows],
        judges=[r[1] for r in rows], questions=[f"{r[2]:02}" for r in rows],
    )  # fmt: skip
    reports = {each.judge: each for each in look_at_judges(made, fit_battles(made, draws=0, seed=0))}
    for judge, report in reports.items():
        pairs = []
        for other in set(said) - {judge}:
            both = sorted(set(kept[judge]) & set(kept[other]))
            pairs.append((agree(said[judge][both], said[other][both]), len(both)))
        kappas, sizes = zip(*pairs, strict=True)
        assert report.kappa == pytest.approx(np.average(kappas, weights=sizes))
        assert report.shared == max(sizes)
