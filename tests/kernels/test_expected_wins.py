"""Expected votes against enumeration, against certain votes, and the twin against NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from stagg.kernels import compiled
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.fitting.pair_models import difference_counts
from stagg.kernels.lists.votes import RESOLUTION
from stagg.kernels.pairs.expected_wins import (
    compared_weight,
    expected_counts,
    expected_margins,
    expected_points,
    expected_wins,
    expected_wins_in_numpy,
)
from stagg.kernels.pairs.pairwise import pair_counts, pair_wins
from stagg.kernels.stochastic import contests
from stagg.kernels.stochastic.contests import Shape, win_matrix

SHAPES = [contests.certain(), contests.harmonic(1), contests.harmonic(5), contests.linear(), contests.paper()]
SHAPES.append(contests.harmonic(1)._replace(sure=0.8))
MISSING = ["below", "skip"]


def random_lists(seed: int, *, lists: int = 3, n: int = 4) -> FloatArray:
    """Mean positions with ties and absences."""
    rng = np.random.default_rng(seed)
    table = np.full((lists, n), float(ABSENT))
    for row in table:
        held = rng.permutation(n)[: rng.integers(1, n + 1)]
        scores = rng.integers(0, 3, len(held))
        for item, score in zip(held, scores, strict=True):
            before, level = np.count_nonzero(scores > score), np.count_nonzero(scores == score)
            row[item] = before + (level - 1) / 2
    return table


def strict_orders(places: FloatArray) -> list[np.ndarray]:
    """Every list without ties that agrees with one that has them, as positions."""
    held = [i for i in range(len(places)) if places[i] != ABSENT]
    orders = [order for order in itertools.permutations(held) if list(places[list(order)]) == sorted(places[held])]
    found = []
    for order in orders:
        positions = np.full(len(places), -1)
        positions[list(order)] = np.arange(len(order))
        found.append(positions)
    return found


def enumerate_votes(
    positions: FloatArray, weights: FloatArray, missing: str, shapes: Sequence[Shape], by_gap: bool = False
) -> FloatArray:
    """The oracle: the mean over all ways to order the tied groups of the win matrix that defines contests."""
    n = positions.shape[1]
    total = np.zeros((n, n))
    for places, weight, shape in zip(positions, weights, shapes, strict=True):
        orders = strict_orders(places)
        mean = sum((win_matrix(order, shape, missing) for order in orders), np.zeros((n, n))) / len(orders)
        full = np.where(places == ABSENT, np.count_nonzero(places != ABSENT), places)
        tied = full[:, None] == full
        gaps = np.abs(full[:, None] - full) if by_gap else 1.0
        total += weight * np.where(tied, 0.0, mean) * gaps
    return total


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("by_gap", [False, True])
def test_expected_votes_are_the_mean_over_all_orders_of_tied_groups(missing: str, by_gap: bool) -> None:
    for seed in range(60):
        positions, rng = random_lists(seed), np.random.default_rng(seed)
        weights = rng.choice([1.0, 2.0, 0.3, np.pi], 3)
        shapes = [SHAPES[k] for k in rng.integers(0, len(SHAPES), 3)]
        wins, unit = expected_wins(positions, weights, missing, shapes, by_gap=by_gap)
        expected = enumerate_votes(positions, weights, missing, shapes, by_gap)
        np.testing.assert_allclose(wins * unit, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("missing", MISSING)
def test_certain_contests_are_the_votes_themselves(missing: str) -> None:
    for seed in range(30):
        positions = random_lists(seed, lists=5, n=6)
        weights = np.random.default_rng(seed).integers(1, 5, 5).astype(float)
        sure = [contests.certain()] * 5
        wins, unit = expected_wins(positions, weights, missing, sure)
        np.testing.assert_allclose(wins * unit, pair_wins(positions, weights, missing), atol=1e-9)
        counts = expected_counts(positions, weights, missing, sure)
        np.testing.assert_allclose(counts, pair_counts(positions, weights, missing), atol=1e-9)


def test_votes_by_gap_of_certain_contests_are_differences_of_ranks() -> None:
    for seed in range(30):
        positions = random_lists(seed, lists=4, n=5)
        lengths = (positions != ABSENT).sum(axis=1, keepdims=True)
        ranks = np.where(positions != ABSENT, positions, lengths)
        counts = expected_counts(positions, np.ones(4), "below", [contests.certain()] * 4, by_gap=True)
        np.testing.assert_allclose(counts, difference_counts(ranks, np.ones(4)), atol=1e-9)


def test_the_order_of_the_lists_does_not_change_a_bit() -> None:
    rng = np.random.default_rng(1)
    positions, weights = random_lists(1, lists=40, n=12), rng.uniform(0.1, 3, 40)
    shapes = [SHAPES[k] for k in rng.integers(0, len(SHAPES), 40)]
    for missing in MISSING:
        first = expected_wins(positions, weights, missing, shapes)
        points = expected_points(positions, weights, missing, shapes)
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(40)
            mixed = [shapes[k] for k in order]
            other = expected_wins(positions[order], weights[order], missing, mixed)
            assert (first.wins == other.wins).all()
            assert first.unit == other.unit
            again = expected_points(positions[order], weights[order], missing, mixed)
            assert (points == again).all()
            both = compared_weight(positions, weights, missing)
            assert (both == compared_weight(positions[order], weights[order], missing)).all()


@pytest.mark.skipif(compiled.twin("pairs._pairwise") is None, reason="there is no compiled twin here")
@pytest.mark.parametrize("by_gap", [False, True])
@pytest.mark.parametrize("missing", MISSING)
def test_the_twin_and_numpy_agree_to_the_bit(missing: str, by_gap: bool) -> None:
    for seed in range(40):
        positions, rng = random_lists(seed, lists=6, n=9), np.random.default_rng(seed)
        weights = rng.uniform(0.1, 3, 6)
        shapes = [SHAPES[k] for k in rng.integers(0, len(SHAPES), 6)]
        ours = expected_wins(positions, weights, missing, shapes, by_gap=by_gap)
        theirs = expected_wins_in_numpy(positions, weights, missing, shapes, by_gap=by_gap)
        assert (ours.wins == theirs.wins).all()
        assert ours.unit == theirs.unit


def test_margins_are_antisymmetric_and_what_should_cancel_does() -> None:
    shape = contests.linear()
    positions = np.array([[0.0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
    margin = expected_margins(positions, np.array([1 / 3, 1 / 3, 1 / 3, 1 / 3]), "below", [shape] * 4)
    assert (margin == -margin.T).all()
    assert margin[0, 2] == 0  # twice two places ahead or behind
    assert np.abs(margin).max() <= RESOLUTION


def test_the_points_are_those_of_the_expected_ranks() -> None:
    """E[n - R] of each item is n minus the sum of the chances of all others against it."""
    for seed in range(30):
        positions = random_lists(seed)[:1]
        for shape in SHAPES:
            points = expected_points(positions, np.ones(1), "below", [shape])
            wins = enumerate_votes(positions, np.ones(1), "below", [shape])
            full = np.where(positions[0] == ABSENT, 99.0, positions[0])
            ties = (full[:, None] == full).sum(axis=1) - 1
            np.testing.assert_allclose(points[:, 0], 4 - wins.sum(axis=0) - ties / 2, atol=1e-9)


def test_counts_of_which_64_bits_do_not_hold_the_sum_are_not_taken_for_small_ones() -> None:
    huge = 2**62
    wins = pair_wins(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([huge, huge]), "below")
    assert wins.tolist() == [[0, huge], [huge, 0]]
