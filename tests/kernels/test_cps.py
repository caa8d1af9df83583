"""CPS models: worked numbers, the definition by brute force over all completions, gradients, greedy orders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.methods.toys import TOY_F, positions_of

from stagg.kernels.arrays import FloatArray
from stagg.kernels.orders.cps import DISTANCES, footrule_costs, greedy_scores, log_likelihood

THETA = np.array([0.3, 0.5, 0.2])
WORKED = {  # METHODS.md, section 4.4
    "spearman": (-1.68238671, -2.35344184),
    "footrule": (-1.80831988, -2.87323624),
    "kendall": (-2.03109603, -2.58985331),
}
WAYS = list(DISTANCES)


def log_p(name: str, ranks: FloatArray, theta: FloatArray, order: tuple[int, ...]) -> float:
    """log P of one order of one query, all stages; ranks[k, c]."""
    value, _ = log_likelihood(
        DISTANCES[name], ranks[:, None], theta[:, None], (np.array([order]),), np.array([len(order)])
    )
    return float(value[0])


def slow_distance(name: str, order: tuple[int, ...], ranks: FloatArray) -> float:
    """d(π, σ) by its definition; a tied pair costs ½ in Kendall's."""
    place = {item: t for t, item in enumerate(order, start=1)}
    if name == "spearman":
        return sum((place[c] - ranks[c]) ** 2 for c in order)
    if name == "footrule":
        return sum(abs(place[c] - ranks[c]) for c in order)
    pairs = itertools.combinations(order, 2)  # first stands before second
    return sum(0.5 * (1 + np.sign(ranks[first] - ranks[second])) for first, second in pairs)


def slow_log_p(name: str, ranks: FloatArray, theta: FloatArray, order: tuple[int, ...]) -> float:
    """The definition: at every stage the mean distance over all completions, for every candidate."""

    def cost(front: tuple[int, ...]) -> float:
        rest = [c for c in order if c not in front]
        ends = [front + end for end in itertools.permutations(rest)]
        return sum(
            weight * sum(slow_distance(name, each, row) for each in ends) / len(ends)
            for weight, row in zip(theta, ranks, strict=True)
        )

    total = 0.0
    for t in range(len(order)):
        costs = [cost((*order[:t], c)) for c in order[t:]]
        total -= costs[0] + math.log(sum(math.exp(-each) for each in costs))
    return total


def random_ranks(seed: int, *, lists: int = 3, n: int = 5) -> FloatArray:
    """Ranks with ties: means of ranks, some of them halves."""
    drawn = np.random.default_rng(seed).integers(0, 4, (lists, n))
    return np.array([[(row < x).sum() + ((row == x).sum() + 1) / 2 for x in row] for row in drawn])


@pytest.mark.parametrize("name", WAYS)
def test_the_worked_numbers_come_out(name: str) -> None:
    ranks = positions_of(TOY_F) + 1
    assert log_p(name, ranks, THETA, (0, 1, 2, 3)) == pytest.approx(WORKED[name][0], abs=1e-8)
    assert log_p(name, ranks, THETA, (1, 0, 3, 2)) == pytest.approx(WORKED[name][1], abs=1e-8)


@pytest.mark.parametrize("name", WAYS)
def test_the_chances_of_all_orders_add_up_to_one(name: str) -> None:
    for seed in range(3):
        ranks = random_ranks(seed, n=4)
        total = sum(math.exp(log_p(name, ranks, THETA, order)) for order in itertools.permutations(range(4)))
        assert total == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_the_stage_costs_are_means_over_all_completions(name: str, seed: int) -> None:
    ranks = random_ranks(seed)
    theta = np.random.default_rng(seed).normal(size=3) / 3
    order = tuple(np.random.default_rng(seed + 50).permutation(5).tolist())
    assert log_p(name, ranks, theta, order) == pytest.approx(slow_log_p(name, ranks, theta, order), abs=1e-11)


def test_one_list_and_kendall_is_the_mallows_model() -> None:
    ranks, theta = np.array([[1.0, 2, 3, 4]]), np.array([0.7])
    log_z = sum(math.log((1 - math.exp(-i * 0.7)) / (1 - math.exp(-0.7))) for i in range(2, 5))
    assert log_p("kendall", ranks, theta, (0, 1, 2, 3)) == pytest.approx(-log_z, abs=1e-12)
    assert log_p("kendall", ranks, theta, (1, 0, 3, 2)) == pytest.approx(-2 * 0.7 - log_z, abs=1e-12)


def test_the_footrule_table_is_its_sum_written_out() -> None:
    n, ranks = 6, np.arange(2.0, 13.0) / 2
    found = footrule_costs(n, ranks)
    for row, rank in zip(found, ranks, strict=True):
        slow = [abs(t - rank) - np.mean([abs(j - rank) for j in range(t + 1, n + 1)]) for t in range(1, n)]
        assert row[:-1] == pytest.approx(slow, abs=1e-12)


def block(seed: int) -> tuple[FloatArray, FloatArray, tuple[np.ndarray, ...], np.ndarray]:
    """Three queries of six items, four lists, two orders each, not all stages counted."""
    rng = np.random.default_rng(seed)
    ranks = np.stack([random_ranks(seed + q, lists=4, n=6) for q in range(3)], axis=1)
    orders = tuple(np.stack([rng.permutation(6) for _ in range(3)]) for _ in range(2))
    return ranks, rng.normal(size=(4, 3)) / 5, orders, np.array([6, 3, 1])


@pytest.mark.parametrize("name", WAYS)
def test_the_gradient_is_that_of_finite_differences(name: str) -> None:
    ranks, theta, orders, stages = block(1)
    _, gradient = log_likelihood(DISTANCES[name], ranks, theta, orders, stages)
    step = 1e-6
    for k, q in itertools.product(range(4), range(3)):
        ahead, behind = theta.copy(), theta.copy()
        ahead[k, q] += step
        behind[k, q] -= step
        values = [log_likelihood(DISTANCES[name], ranks, each, orders, stages)[0] for each in (ahead, behind)]
        slope = (values[0] - values[1]) / (2 * step)
        assert gradient[k, q] == pytest.approx(slope[q], abs=1e-7)
        assert slope[np.arange(3) != q] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", WAYS)
def test_a_query_has_the_same_bits_alone_and_only_its_stages_count(name: str) -> None:
    ranks, theta, orders, stages = block(2)
    together, gradient = log_likelihood(DISTANCES[name], ranks, theta, orders, stages)
    for q in range(3):
        one = slice(q, q + 1)
        alone = log_likelihood(
            DISTANCES[name], ranks[:, one], theta[:, one], tuple(o[one] for o in orders), stages[one]
        )
        assert together[q] == alone[0][0]
        assert gradient[:, q] == pytest.approx(alone[1][:, 0], abs=1e-13)
    first = [slow_first_stage(name, ranks[:, 2], theta[:, 2], order[2]) for order in orders]
    assert together[2] == pytest.approx(np.mean(first), abs=1e-11)


def slow_first_stage(name: str, ranks: FloatArray, theta: FloatArray, order: np.ndarray) -> float:
    """log P of the first choice: all orders that begin with it, added up."""
    n, first = len(order), int(order[0])
    rest = [c for c in range(n) if c != first]
    fronts = [(first, *rest), *[(c, *[r for r in range(n) if r != c]) for c in rest]]
    costs = [_mean_distance(name, front, ranks, theta) for front in fronts]
    return -costs[0] - math.log(sum(math.exp(-each) for each in costs))


def _mean_distance(name: str, front: tuple[int, ...], ranks: FloatArray, theta: FloatArray) -> float:
    ends = [(front[0], *end) for end in itertools.permutations(front[1:])]
    return sum(
        weight * np.mean([slow_distance(name, each, row) for each in ends])
        for weight, row in zip(theta, ranks, strict=True)
    )


@pytest.mark.parametrize("name", WAYS)
def test_the_greedy_order_of_the_toy_is_bacd(name: str) -> None:
    scores = greedy_scores(DISTANCES[name], (positions_of(TOY_F) + 1)[:, None], THETA[:, None])
    assert scores.tolist() == [[3.0, 4.0, 2.0, 1.0]]


@pytest.mark.parametrize("name", WAYS)
def test_greedy_takes_the_likeliest_item_at_every_stage(name: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ranks = np.stack([rng.permutation(6) + 1.0 for _ in range(4)])
        theta = rng.normal(size=4)
        scores = greedy_scores(DISTANCES[name], ranks[:, None], theta[:, None])[0]
        order = tuple(np.argsort(-scores).tolist())
        alone = [t for t in range(5) if (scores == scores[order[t]]).sum() == 1]
        assert len(alone) > 1  # by the footrule, items that are overdue in all lists cost the same: real ties
        for t in alone:  # exchanging the choice of a stage for another candidate makes that stage less likely
            for c in order[t + 1 :]:
                other = (*order[:t], c, *[x for x in order[t:] if x != c])
                stages = np.array([t + 1])
                both = [
                    log_likelihood(DISTANCES[name], ranks[:, None], theta[:, None], (np.array([o]),), stages)[0][0]
                    for o in (order, other)
                ]
                assert both[0] > both[1]


@pytest.mark.parametrize("name", WAYS)
def test_items_that_no_list_tells_apart_are_tied_and_their_neighbours_keep_their_ranks(name: str) -> None:
    ranks = np.array([[1.5, 1.5, 3.0, 4.0], [2.5, 2.5, 1.0, 4.0]])[:, None]
    scores = greedy_scores(DISTANCES[name], ranks, np.array([[0.8], [0.1]]))[0]
    assert scores.tolist() == [3.5, 3.5, 2.0, 1.0]


@pytest.mark.parametrize("name", WAYS)
def test_opposite_lists_of_equal_weight_leave_everything_tied(name: str) -> None:
    ranks = np.array([[1.0, 2, 3], [3, 2, 1]])[:, None]
    theta = np.array([[0.1], [0.1]])
    first = greedy_scores(DISTANCES[name], ranks, theta)[0]
    if name == "footrule":  # the middle of both lists is nearer to the first stage, on average, than either end
        assert first[0] == first[2]
    else:
        assert first.tolist() == [2.0, 2.0, 2.0]
    assert greedy_scores(DISTANCES[name], ranks, np.zeros((2, 1))).tolist() == [[2.0, 2.0, 2.0]]


@pytest.mark.parametrize("name", WAYS)
def test_neither_rounding_nor_the_order_of_items_decides(name: str) -> None:
    for seed in range(30):
        ranks = random_ranks(seed, lists=4, n=6)
        theta = np.random.default_rng(seed).choice([0.1, 0.2, 0.3, 0.7], 4)
        turned = np.random.default_rng(seed).permutation(6)
        plain = greedy_scores(DISTANCES[name], ranks[:, None], theta[:, None])[0]
        moved = greedy_scores(DISTANCES[name], ranks[:, None, turned], theta[:, None])[0]
        assert moved.tolist() == plain[turned].tolist()
        lists = np.random.default_rng(seed).permutation(4)
        assert greedy_scores(DISTANCES[name], ranks[lists, None], theta[lists, None])[0].tolist() == plain.tolist()
        scaled = greedy_scores(DISTANCES[name], ranks[:, None], 1e-7 * theta[:, None])[0]
        assert scaled.tolist() == plain.tolist()
