"""The plan: exactly unbiased at every length, one list for all comparisons, the same for the same input."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest
from tests.judging.simulated import simulate

from stagg import Rankings
from stagg.judging.pair_plan import GOLDEN, NOBODY, JudgingPlan, PairPlan
from stagg.judging.sides import find_sides
from stagg.judging.units import Contrast, read_gain

GAIN = read_gain("dcg@3", 3)
CASES = {
    "full lists": ({"q1": "abc", "q2": "abc", "q3": "abc"}, {"q1": "cda", "q2": "bac", "q3": "def"}),
    "short lists": ({"q1": "a", "q2": "abc"}, {"q1": "dbc", "q2": "c"}),
    "one list is empty": ({"q1": "abc", "q2": "ab"}, {"q2": ""}),
    "one query": ({"q1": "abc"}, {"q1": "cab"}),
}


def contrast_of(case: str) -> Contrast:
    a, b = CASES[case]
    return Contrast.of({q: list(i) for q, i in a.items()}, {q: list(i) for q, i in b.items()}, list(a), GAIN)


def expected_mean(plan: PairPlan, gains: np.ndarray, points: int) -> float:
    """The mean of the first points, averaged exactly over every start: pieces between the ends of units, shifted."""
    ends = [0.0, 1.0]
    for j in range(points):
        for _, line in plan.lines:
            ends += [(each / line[-1] - j * GOLDEN) % 1 for each in line.tolist()]
            ends.append((-j * GOLDEN) % 1)
    ends.sort()
    total = 0.0
    for low, high in itertools.pairwise(ends):
        if high - low > 1e-13:
            moved = dataclasses.replace(plan, start=(low + high) / 2)
            sides = [np.where(u == NOBODY, 0.0, gains[u]) for u in moved.pairs(points)]
            total += (high - low) * float((plan.masses[0] * sides[0] - plan.masses[1] * sides[1]).mean())
    return total


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("points", [1, 2, 3, 7])
def test_over_all_starts_the_mean_of_a_prefix_is_the_difference(case: str, points: int) -> None:
    contrast = contrast_of(case)
    rng = np.random.default_rng(points)
    for seed in range(3):
        plan, gains = PairPlan.draw(contrast, np.random.default_rng(seed)), rng.random(len(contrast))
        assert expected_mean(plan, gains, points) == pytest.approx(float(contrast.weight @ gains), abs=1e-9)


def test_where_both_lists_are_full_a_pair_is_of_one_query() -> None:
    rankings, _ = simulate(3)
    plan = plan_of(rankings, ("rrf", "fair")).plans[0]
    a, b = plan.pairs(500)
    query = plan.contrast.query
    assert (query[a] == query[b]).mean() > 0.99  # rounding may part the ends of two lines
    assert (plan.contrast.weight[a] > 0).all()
    assert (plan.contrast.weight[b] < 0).all()


def test_a_unit_is_named_as_often_as_it_weighs() -> None:
    contrast = contrast_of("full lists")
    plan = PairPlan.draw(contrast, np.random.default_rng(1))
    a, _ = plan.pairs(20_000)
    shares = np.bincount(a, minlength=len(contrast)) / 20_000
    assert shares == pytest.approx(np.maximum(contrast.weight, 0) / plan.masses[0], abs=1e-3)


def plan_of(rankings: Rankings, *pairs: tuple[str, str], seed: int = 0) -> JudgingPlan:
    sides = find_sides(rankings, list(pairs), 10)
    return JudgingPlan(
        [Contrast.of(a.orders, b.orders, rankings.queries, read_gain("dcg@10", 3)) for a, b in sides], seed
    )


def test_batches_together_are_the_beginning_of_the_list() -> None:
    plan = plan_of(simulate(4)[0], ("rrf", "fair"), ("rrf", "poor"))
    known, points, taken = np.zeros(len(plan), bool), 0, []
    for budget in (40, 20, 1, 20, 7):
        prefix = plan.extend(points, budget, known)
        assert prefix.points > points
        assert len(prefix.documents) <= max(budget, 4)
        known[prefix.documents], points = True, prefix.points
        taken += prefix.documents.tolist()
    assert len(set(taken)) == len(taken)
    assert set(taken) == set(plan.names(points).tolist())


def test_documents_that_are_known_cost_nothing() -> None:
    plan = plan_of(simulate(4)[0], ("rrf", "fair"))
    nobody = np.zeros(len(plan), bool)
    first = plan.extend(0, 40, nobody)
    known = nobody.copy()
    known[first.documents[::2]] = True
    longer = plan.extend(0, 40, known)
    assert longer.points > first.points
    assert not known[longer.documents].any()


def test_all_documents_are_handed_out_in_the_end() -> None:
    plan = plan_of(simulate(4, queries=3)[0], ("rrf", "fair"))
    prefix = plan.extend(0, 10_000, np.zeros(len(plan), bool))
    assert sorted(prefix.documents.tolist()) == list(range(len(plan)))
    assert not len(plan.extend(prefix.points, 10, np.ones(len(plan), bool)).documents)


def test_each_comparison_has_its_own_points_and_they_share_documents() -> None:
    rankings = simulate(5)[0]
    both, alone = plan_of(rankings, ("rrf", "fair"), ("rrf", "poor")), plan_of(rankings, ("rrf", "poor"))
    points = both.extend(0, 100, np.zeros(len(both), bool)).points
    own = alone.names(points)
    assert len(both.names(points)) < 4 * points
    assert len(own) > 0


def test_the_plan_depends_on_the_runs_and_the_seed_and_on_nothing_else() -> None:
    rankings = simulate(6)[0]
    turned = rankings.take_queries(range(len(rankings.queries))[::-1])
    assert plan_of(rankings, ("rrf", "fair")).digest == plan_of(turned, ("rrf", "fair")).digest
    one, two = (plan_of(each, ("rrf", "fair")) for each in (rankings, turned))
    assert one.names(20).tolist() == two.names(20).tolist()
    others = [plan_of(rankings, ("rrf", "fair"), seed=1), plan_of(rankings, ("rrf", "poor")),
              plan_of(simulate(7)[0], ("rrf", "fair"))]  # fmt: skip
    assert len({one.digest, *(each.digest for each in others)}) == 4


def test_the_order_of_the_comparisons_does_not_matter() -> None:
    rankings = simulate(6)[0]
    one = plan_of(rankings, ("rrf", "fair"), ("rrf", "poor"))
    other = plan_of(rankings, ("rrf", "poor"), ("rrf", "fair"))
    assert one.digest == other.digest
    assert one.documents == other.documents
    assert one.names(40).tolist() == other.names(40).tolist()
    for mine, theirs in zip(one.plans, other.plans[::-1], strict=True):
        assert np.array_equal(mine.pairs(40), theirs.pairs(40))


def test_no_spreadsheet_takes_a_digest_for_a_number() -> None:
    rankings = simulate(6)[0]
    for seed in range(20):
        with pytest.raises(ValueError, match="convert"):
            float(plan_of(rankings, ("rrf", "fair"), seed=seed).digest)


def test_points_are_the_fractions_of_the_golden_ratio() -> None:
    contrast = contrast_of("one query")
    plan = dataclasses.replace(PairPlan.draw(contrast, np.random.default_rng(0)), start=0.25)
    units, ends = plan.lines[0]
    exact = [(Fraction(1, 4) + j * Fraction(GOLDEN)) % 1 for j in range(50)]
    places = [
        next(n for n, end in enumerate(ends) if x * Fraction(float(ends[-1])) < Fraction(float(end))) for x in exact
    ]
    assert plan.pairs(50)[0].tolist() == units[places].tolist()
