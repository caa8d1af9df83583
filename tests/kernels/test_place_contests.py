"""Contests that depend on both places: counted, made into tables, and used where contests by gap are used."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from stagg.kernels.arrays import FloatArray
from stagg.kernels.pairs.expected_wins import expected_wins
from stagg.kernels.stochastic import contests, utilities
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.expectations import expected_utilities
from stagg.kernels.stochastic.first_rank_pmf import first_ranks
from stagg.kernels.stochastic.place_contests import CLASSES, UNLISTED, blend, classify, count_confirmed
from stagg.kernels.stochastic.rank_pmf import list_rank_pmf, rank_pmf


@dataclasses.dataclass(frozen=True)
class SameGaps:
    """Contests by place that are those of a shape by gap."""

    shape: Shape

    def inside(self, length: int) -> FloatArray:
        gaps = np.arange(length) - np.arange(length)[:, None]
        ahead = np.where(gaps == 0, 0.5, self.shape.chance(np.maximum(np.abs(gaps), 1.0), 0, 0))
        return np.where(gaps >= 0, ahead, 1 - ahead)

    def outside(self, length: int) -> FloatArray:
        return np.full(length, self.shape.sure)


GAPPED = [contests.harmonic(1), contests.logistic(2), contests.harmonic(2)._replace(sure=0.7)]
MISSING = ["below", "neutral", "skip"]
UTILITIES = [utilities.borda(), utilities.list_borda(), utilities.rrf(10), utilities.dcg(), utilities.top(2)]


def random_counts(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    contested = rng.integers(0, 300, (CLASSES + 1, CLASSES + 1)) * rng.integers(0, 2, (CLASSES + 1, CLASSES + 1))
    wins = rng.binomial(2 * contested, rng.uniform(0.2, 0.9))
    return np.triu(np.stack([wins, contested]), 1).transpose(1, 2, 0)


def test_places_fall_into_classes_that_double() -> None:
    assert classify(np.array([0, 1, 2, 3, 4, 7, 8, 511, 512, 5000, -1.0])).tolist() == [
        0, 1, 2, 2, 3, 3, 4, 9, 10, 10, UNLISTED,
    ]  # fmt: skip


def test_confirmed_contests_are_those_that_pairs_say() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        classes, others = rng.integers(0, CLASSES + 1, 15), rng.integers(0, 6, 15).astype(float)
        counts = np.zeros((CLASSES + 1, CLASSES + 1, 2), dtype=int)
        for i in range(15):
            for j in range(15):
                if classes[i] < classes[j]:
                    counts[classes[i], classes[j]] += 2 * (others[i] > others[j]) + (others[i] == others[j]), 1
        assert (count_confirmed(classes, others) == counts).all()


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("gapped", GAPPED)
def test_contests_by_place_that_are_those_of_a_gap_give_the_same_tables(missing: str, gapped: Shape) -> None:
    placed = gapped._replace(by_place=SameGaps(gapped))
    for utility in UTILITIES:
        for n, length in [(1, 1), (4, 1), (6, 4), (9, 9)]:
            [(listed, unlisted)] = expected_utilities(utility, gapped, missing, n, [length])
            [(ours, other)] = expected_utilities(utility, placed, missing, n, [length])
            np.testing.assert_allclose(ours, listed, rtol=1e-9)
            assert abs(other - unlisted) < 1e-9


@pytest.mark.parametrize("missing", MISSING)
def test_and_the_same_rank_distributions(missing: str) -> None:
    for gapped in GAPPED:
        placed = gapped._replace(by_place=SameGaps(gapped))
        for n, length in [(1, 1), (4, 1), (6, 4), (9, 9)]:
            for one, other in zip(
                list_rank_pmf(gapped, missing, n, length), list_rank_pmf(placed, missing, n, length), strict=True
            ):
                np.testing.assert_allclose(one, other, atol=1e-12)
            groups = [(0, 1)] if length == 1 else [(0, 1), (1, 3)]
            for one, other in zip(
                first_ranks(gapped, missing, n, length, groups, 3),
                first_ranks(placed, missing, n, length, groups, 3),
                strict=True,
            ):
                np.testing.assert_allclose(one, other, atol=1e-12)


def test_a_learned_table_gives_the_expectation_under_its_own_contests() -> None:
    """The recursion of the paper on the chances of every place, for a utility that is a sum of exponentials."""
    table = blend(random_counts(3), 0.7)
    shape, n, length = contests.harmonic(1)._replace(by_place=table), 8, 5
    [(listed, _)] = expected_utilities(utilities.rrf(10), shape, "below", n, [length])
    inside, outside = table.inside(length), table.outside(length)
    for place in range(length):
        lost = [*np.delete(inside[:, place], place), *[1 - outside[place]] * (n - length)]
        expected = rank_pmf(np.array(lost)) @ (1 / (11 + np.arange(float(n))))
        assert abs(listed[place] - expected) < 1e-12


def test_tied_items_share_their_chances_against_what_is_not_listed() -> None:
    shape = contests.harmonic(1)._replace(by_place=blend(random_counts(3), 1.0))
    for by_gap in (False, True):
        wins, _ = expected_wins(np.array([[0.0, 2, 2, 2, -1]]), np.ones(1), "below", [shape], by_gap=by_gap)
        assert wins[1, 4] == wins[2, 4] == wins[3, 4]
        assert wins[4, 1] == wins[4, 2] == wins[4, 3]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_no_place_has_a_lower_chance_than_one_behind_it(share: float) -> None:
    for seed in range(30):
        table = blend(random_counts(seed), share)
        inside, outside = table.inside(40), table.outside(40)
        np.testing.assert_allclose(inside + inside.T, 1.0)
        assert (np.diff(inside, axis=0) <= 1e-12).all()  # against anybody, the later place has the lower chance
        assert (np.diff(outside) <= 1e-12).all()
        assert (outside >= inside.max(axis=1) - 1e-12).all()  # what is not listed comes last
        assert (inside >= 0).all()
        assert (outside <= 1).all()


def test_without_contests_or_without_a_share_it_is_harmonic() -> None:
    gaps = np.arange(30) - np.arange(30)[:, None]
    harmonic = np.where(gaps >= 0, 1 - 0.5 / (1 + np.abs(gaps)), 0.5 / (1 + np.abs(gaps)))
    np.testing.assert_allclose(blend(random_counts(1), 0.0).inside(30), harmonic)
    nothing = blend(np.zeros((CLASSES + 1, CLASSES + 1, 2), dtype=int), 1.0)
    assert abs(nothing.inside(2)[0, 1] - 0.75) < 1e-12  # the classes of the first two places have one place each
    assert nothing.outside(30).tolist() == [1.0] * 30
