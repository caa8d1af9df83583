"""Mixtures of chains: worked numbers, the chains of the methods as special cases, gradients."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.toys import TOY_F, positions_of, random_positions

from stagg.kernels.arrays import FloatArray
from stagg.kernels.orders import markov
from stagg.kernels.orders.mixed_chains import RULES, mixture, pair_losses, share_slopes

TELEPORT = 0.15


def below(positions: FloatArray) -> FloatArray:
    """Ranks in which what a list does not hold is tied at its end."""
    lengths = (positions >= 0).sum(axis=1, keepdims=True)
    return np.where(positions < 0, (lengths + 1 + positions.shape[1]) / 2, positions + 1)


def test_the_worked_numbers_come_out() -> None:
    """METHODS.md, section 4.3: toy F, MC3 of each list alone, α = (.5, .3, .2)."""
    ranks, shares = (positions_of(TOY_F) + 1)[:, None], np.array([[0.5], [0.3], [0.2]])
    moves = mixture(ranks, shares, "mc3")
    time = markov.stationary(moves, TELEPORT)
    assert time[0] == pytest.approx([0.44917793, 0.32453283, 0.14453093, 0.08175831], abs=1e-8)
    along = []
    for unit in np.eye(4):  # the slope of π_i itself
        slopes = share_slopes(ranks, moves, time, unit[None], teleport=TELEPORT, rule="mc3")[:, 0]
        along.append(slopes[0] - slopes[1])
    assert along == pytest.approx([0.67593773, -0.47552228, -0.16185524, -0.03856021], abs=1e-8)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_a_mixture_is_the_chain_of_the_weighted_lists(rule: str, seed: int) -> None:
    positions = random_positions(seed)
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(positions)))
    found = mixture(below(positions)[:, None], shares[:, None], rule)[0]
    np.testing.assert_allclose(found, getattr(markov, rule)(positions, shares, "below"), atol=1e-13)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-13)


@pytest.mark.parametrize("rule", RULES)
def test_for_one_list_there_are_only_two_chains(rule: str) -> None:
    positions = random_positions(3, lists=1)
    twin = {"mc3": markov.mc4, "mc2": markov.mc1}[rule]
    found = mixture(below(positions)[:, None], np.ones((1, 1)), rule)[0]
    np.testing.assert_allclose(found, twin(positions, np.ones(1), "below"), atol=1e-15)


def block(seed: int, n: int = 7) -> tuple[FloatArray, FloatArray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ranks = np.stack([below(random_positions(seed + q, lists=4, n=n)) for q in range(3)], axis=1)
    grades = rng.integers(0, 3, (3, n))
    return ranks, rng.dirichlet(np.ones(4), 3).T, grades[:, :, None] > grades[:, None, :]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", [7, 80])
def test_the_gradient_is_that_of_finite_differences(rule: str, n: int) -> None:
    ranks, shares, better = block(1, n)

    def losses(shares: FloatArray) -> FloatArray:
        return pair_losses(markov.stationary(mixture(ranks, shares, rule), TELEPORT), better, 0.5)[0]

    moves = mixture(ranks, shares, rule)
    time = markov.stationary(moves, TELEPORT)
    _, by_time = pair_losses(time, better, 0.5)
    slopes = share_slopes(ranks, moves, time, by_time, teleport=TELEPORT, rule=rule)
    step = 1e-6
    for k in range(1, 4):  # shares sum to 1: what one list gains, the first loses
        turn = np.zeros((4, 3))
        turn[k], turn[0] = step, -step
        slow = (losses(shares + turn) - losses(shares - turn)) / (2 * step)
        np.testing.assert_allclose(slopes[k] - slopes[0], slow, rtol=1e-5, atol=1e-5)


def test_losses_count_pairs_that_are_not_a_margin_apart() -> None:
    time = np.array([[0.5, 0.3, 0.2]])
    better = np.zeros((1, 3, 3), dtype=bool)
    better[0, 0, 1] = better[0, 2, 1] = True
    losses, slopes = pair_losses(time, better, 0.3)
    assert losses.tolist() == pytest.approx([0.6**2])  # 0 is ahead of 1 by 0.6 > 0.3; 2 is behind by 0.3
    assert slopes[0] == pytest.approx([0, 2 * 3 * 0.6, -2 * 3 * 0.6])
