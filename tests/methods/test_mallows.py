"""Mallows and cranking: worked numbers, sums against enumeration, sampling against sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.methods.toys import TOY_F, positions_of, random_positions, scores, scores_of

from stagg import InvalidParameter, Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.orders.mallows import discordance, dispersion, expected_distance, log_normaliser, stage_sizes
from stagg.kernels.orders.permutations import expected_ranks, order_cost, sample_ranks
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.methods.models.mallows import Mallows

FULL = Rankings.from_lists([list(each) for each in TOY_F])["1"]

# --- Mallows ---------------------------------------------------------------------------------------------------------


def test_the_worked_numbers_of_mallows_come_out() -> None:
    found = Mallows().estimate(FULL)
    assert found.centre.tolist() == [4, 3, 2, 1]
    assert found.theta == pytest.approx(0.89811917, abs=1e-8)
    assert found.log_likelihood == pytest.approx(-7.46264408, abs=1e-8)
    assert log_normaliser(1.0, np.arange(4, 0, -1.0)) == pytest.approx(1.16105735, abs=1e-8)
    assert scores(TOY_F, "mallows") == [4, 3, 2, 1]


def inversions(order: tuple[int, ...], length: int) -> int:
    """Pairs in which the first ``length`` of an order go against 0, 1, 2, ..., the others being behind, unordered."""
    return sum(order[q] < order[p] for p in range(length) for q in range(p + 1, len(order)))


@pytest.mark.parametrize("theta", [0.0, 1e-7, 1e-4, 0.3, 2.0])
@pytest.mark.parametrize("length", [2, 5])
def test_the_normaliser_and_the_mean_distance_are_those_of_enumeration(theta: float, length: int) -> None:
    tops = {order[:length]: inversions(order, length) for order in itertools.permutations(range(5))}
    distances = np.array(list(tops.values()))
    sizes = stage_sizes(np.array([length]), 5, "below")[0]
    assert log_normaliser(theta, sizes) == pytest.approx(np.log(np.exp(-theta * distances).sum()), abs=1e-9)
    shares = np.exp(-theta * distances)
    assert expected_distance(theta, sizes).sum() == pytest.approx(shares @ distances / shares.sum(), abs=1e-9)


@pytest.mark.parametrize("distance", [0.5, 3.0, 9.9])
def test_theta_makes_the_expected_distance_the_observed_one(distance: float) -> None:
    sizes, weights = np.array([5.0, 4, 3, 2, 1, 5, 4]), np.array([1.0, 1, 1, 1, 1, 2, 2])
    theta = dispersion(distance, sizes, weights)
    assert weights @ expected_distance(theta, sizes) == pytest.approx(distance, abs=1e-10)


def test_theta_is_of_largest_likelihood() -> None:
    for missing in ("below", "skip"):
        view = Rankings.from_lists([list("abcde"), list("bca"), list("ecad"), list("ab")])["1"]
        found = Mallows(missing=missing).estimate(view)
        distances = discordance(view.positions, found.centre, missing)
        stages = stage_sizes((view.positions >= 0).sum(axis=1), 5, missing)

        def likelihood(theta: float, distances: FloatArray = distances, stages: list[FloatArray] = stages) -> float:
            return -theta * distances.sum() - sum(log_normaliser(theta, each) for each in stages)

        assert found.log_likelihood == pytest.approx(likelihood(found.theta))
        assert found.log_likelihood > max(likelihood(found.theta + 0.01), likelihood(found.theta - 0.01))


def test_agreement_is_infinitely_sure_and_chance_not_at_all() -> None:
    assert Mallows().estimate(Rankings.from_lists([list("abc"), list("ab")])["1"])[1:] == (np.inf, 0.0)
    assert Mallows().estimate(Rankings.from_lists([["a", "b"], ["b", "a"]])["1"]).theta == 0
    assert Mallows().estimate(Rankings.from_lists([["a"]])["1"]).theta == 0


def test_discordant_pairs_by_hand() -> None:
    centre = np.array([4.0, 3, 2, 1])
    positions = np.array([[1.0, 0, -1, -1], [-1, 0, -1, 1], [0.5, 0.5, 2, 3]])
    assert discordance(positions, centre, "skip").tolist() == [1, 0, 0.5]
    assert discordance(positions, centre, "below").tolist() == [1, 3, 0.5]  # B and D before A, D before C


def test_simulated_dispersion_is_found_again() -> None:
    from stagg.data.simulation import sample_mallows

    rng = np.random.default_rng(5)
    drawn = [[f"i{i}" for i in sample_mallows(6, 0.7, rng)] for _ in range(800)]
    found = Mallows().estimate(Rankings.from_lists(drawn)["1"])
    assert found.theta == pytest.approx(0.7, abs=0.05)


def test_above_200_items_the_centre_is_the_heuristics() -> None:
    items = [f"i{i:03d}" for i in range(201)]
    assert fuse([items, items, items[::-1]], "mallows").best_first() == items


# --- cranking --------------------------------------------------------------------------------------------------------


def test_the_worked_numbers_of_cranking_come_out() -> None:
    found = scores(TOY_F, "cranking(theta=1)", weights=[1, 0.7, 1.3])
    assert found == pytest.approx([-1.18794239, -2.10212688, -3.42217178, -3.28775896], abs=1e-8)
    against = pair_wins(positions_of(TOY_F), np.array([1.0, 0.7, 1.3]), "skip")
    log_sum = expected_ranks(against)[1]
    assert log_sum == pytest.approx(-3.02099419, abs=1e-8)
    assert np.exp(-order_cost(np.arange(4), against) - log_sum) == pytest.approx(0.37568441, abs=1e-8)


def enumerated(against: FloatArray) -> tuple[FloatArray, float]:
    """Expected ranks and log Z by going through all orders."""
    n = len(against)
    ranks, total = np.zeros(n), 0.0
    for order in itertools.permutations(range(n)):
        share = np.exp(-order_cost(np.array(order), against))
        total += share
        ranks[list(order)] += share * np.arange(1, n + 1)
    return ranks / total, float(np.log(total))


@pytest.mark.parametrize("missing", ["below", "skip"])
@pytest.mark.parametrize("seed", range(4))
def test_sums_over_sets_are_sums_over_orders(seed: int, missing: str) -> None:
    against = pair_wins(random_positions(seed, lists=4, n=6), np.array([1.0, 0.3, 2, 0.7]), missing)
    ranks, log_sum = expected_ranks(against)
    slow_ranks, slow_sum = enumerated(against)
    assert ranks == pytest.approx(slow_ranks, abs=1e-10)
    assert log_sum == pytest.approx(slow_sum, abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_sampling_agrees_with_the_sum_within_its_error(seed: int) -> None:
    against = 0.4 * pair_wins(random_positions(seed, lists=5, n=8), np.ones(5), "below")
    exact, _ = expected_ranks(against)
    start = np.arange(8)[::-1]
    found, error = sample_ranks(against, start, sweeps=4000, rng=np.random.default_rng(seed))
    assert (error < 0.05).all()
    assert (np.abs(found - exact) < 5 * error + 1e-3).all()


def test_the_seed_decides_and_nothing_else_does() -> None:
    rows = random_positions(1, lists=6, n=15)
    runs = {f"r{k}": {"1": {f"i{i}": -p for i, p in enumerate(row) if p >= 0}} for k, row in enumerate(rows)}
    one = Rankings.from_runs(runs)
    other = Rankings.from_runs(dict(reversed(runs.items())))
    method = "cranking(theta=0.5, sweeps=50)"
    assert scores_of(one, method) == scores_of(other, method)
    assert scores_of(one, method) != scores_of(one, "cranking(theta=0.5, sweeps=50, seed=1)")


def test_a_sampled_consensus_of_agreeing_lists_is_their_order() -> None:
    items = [f"i{i:02d}" for i in range(30)]
    assert fuse([items] * 5, "cranking(sweeps=100)").best_first() == items
    assert fuse([items] * 1000, "cranking(sweeps=100)").best_first() == items


def test_without_weight_all_rankings_are_alike() -> None:
    assert scores(TOY_F, "cranking(theta=0)") == pytest.approx([-2.5] * 4)
    assert scores(["A"], "cranking") == [-1]
    assert scores(["A", "B"], "cranking(missing='skip')") == pytest.approx([-1.5, -1.5])


def test_wrong_parameters_are_refused() -> None:
    for text, message in [
        ("theta=-1", "theta is -1"),
        ("sweeps=3", "sweeps must be a whole number, 10 or more, not 3"),
        ("sweeps=10000000", "at most 1,000,000"),
        ("seed=0.5", "whole number, 0 or more"),
    ]:
        with pytest.raises(InvalidParameter, match=message):
            fuse([["a"]], f"cranking({text})")
    with pytest.raises(InvalidParameter, match="time_limit is 0"):
        fuse([["a"]], "mallows(time_limit=0)")
