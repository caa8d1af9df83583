"""The forecast: nearly what an interval then has, smaller with more judgments, and honest where there is a floor."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.judging.simulated import simulate
from tests.judging.test_estimate import CONTRAST, GAINS, judge_first

import stagg
from stagg.judging.estimate import Scope, estimate
from stagg.judging.forecast import count_to_decide, half_width, list_points
from stagg.judging.pair_plan import JudgingPlan
from stagg.judging.units import Contrast, read_gain


@pytest.mark.parametrize("scope", ["these", "future"])
def test_with_the_spread_of_the_first_look_it_is_near_the_width_of_the_next(scope: Scope) -> None:
    ratios = []
    for seed in range(60):
        plan = JudgingPlan([CONTRAST], seed)
        points = list_points(plan, [50, 150])
        own = plan.plans[0]
        first, later = (estimate(own, judge_first(own, at), at, scope=scope) for at in points)
        assert first is not None
        assert later is not None
        between = first.between if scope == "future" else None
        planned = half_width(own, points[1], scope=scope, spread=first.spread, between=between)
        low, high = later.interval(0.95)
        ratios.append(planned / ((high - low) / 2))
    assert 0.8 < np.median(ratios) < 1.25


def test_more_judgments_never_widen_it() -> None:
    plan = JudgingPlan([CONTRAST], 0)
    widths = [
        half_width(plan.plans[0], at, scope="these", spread=0.3) for at in list_points(plan, [20, 40, 80, 160, 320])
    ]
    assert widths == sorted(widths, reverse=True)


def test_queries_like_these_have_a_floor() -> None:
    plan = JudgingPlan([CONTRAST], 0)
    everything = list_points(plan, [len(plan)])[0]
    floor = 0.3 * float(np.sqrt((CONTRAST.weight**2).sum()))
    assert half_width(plan.plans[0], everything, scope="future", spread=0.3) > 1.9 * floor


def test_a_difference_of_nothing_is_never_decided_and_a_large_one_soon() -> None:
    plan = JudgingPlan([CONTRAST], 0)
    own, at = plan.plans[0], list_points(plan, [40])[0]
    found = estimate(own, judge_first(own, at), at, scope="these")
    assert found is not None

    def needed(value: float) -> int | None:
        moved = dataclasses.replace(found, estimate=dataclasses.replace(found.estimate, mean=value))
        return count_to_decide(plan, 0, moved, "these", 0.98)

    assert needed(0.0) is None
    assert needed(1e-5) is None
    large, small = needed(0.2), needed(0.03)
    assert large is not None
    assert small is None or small > large


def test_the_sentence_names_documents_queries_and_widths() -> None:
    text = stagg.judge(simulate(2)[0], compare=("rrf", "fair")).forecast[0].text
    assert text.startswith("rrf and fair differ in ")
    assert "of 30 queries. 50 judgments will give about ±" in text
    assert text.endswith("cannot be shown with 200.")


def test_gains_are_shares() -> None:
    assert 0 <= GAINS.min() <= GAINS.max() <= 1


def test_it_is_the_formula_of_the_definition() -> None:
    plan = JudgingPlan([CONTRAST], 3).plans[0]
    a, b = plan.pairs(100)
    share = np.abs(CONTRAST.weight[np.unique(np.concatenate([a, b]))]).sum() / sum(plan.masses)
    sampling = 0.09 * (plan.masses[0] ** 2 + plan.masses[1] ** 2) / 100
    floor = 1.4 * 0.09 * (CONTRAST.weight**2).sum()
    future = max(sampling, sampling * (1 - share) + floor)
    assert half_width(plan, 100, scope="future", spread=0.3) == pytest.approx(
        2.0452296 * np.sqrt(future)
    )  # t, 29 degrees
    assert half_width(plan, 100, scope="these", spread=0.3) == pytest.approx(
        1.9842170 * np.sqrt(sampling * (1 - 0.75 * share))
    )


@pytest.mark.parametrize("scope", ["these", "future"])
def test_what_would_decide_is_the_first_number_of_judgments_whose_interval_is_narrow_enough(scope: Scope) -> None:
    plan = JudgingPlan([CONTRAST], 0)
    own, at = plan.plans[0], list_points(plan, [60])[0]
    found = estimate(own, judge_first(own, at), at, scope=scope)
    assert found is not None
    between = found.between if scope == "future" else None
    counts = np.unique(np.geomspace(found.judgments + 1, len(plan), 60).round().astype(int)).tolist()
    widths = [
        half_width(own, points, scope=scope, spread=found.spread, between=between, level=0.98)
        for points in list_points(plan, counts)
    ]
    for gap in (0.01, 0.02, 0.03, 0.05, 0.1, 0.2):
        moved = dataclasses.replace(found, estimate=dataclasses.replace(found.estimate, mean=gap))
        first = next((count for count, width in zip(counts, widths, strict=True) if width < gap), None)
        assert count_to_decide(plan, 0, moved, scope, 0.98) == first


def test_queries_whose_lists_differ_in_length_differ_more() -> None:
    """As the interval then does: one ranker finds nothing for half of the queries."""
    rng = np.random.default_rng(1)
    full = [f"d{number}" for number in range(10)]
    queries = [f"q{number:02}" for number in range(60)]
    a = {query: rng.permutation(full).tolist() for query in queries}
    b = {query: rng.permutation(full).tolist() if number % 2 else [] for number, query in enumerate(queries)}
    contrast = Contrast.of(a, b, queries, read_gain("dcg@10", 3))
    plan = JudgingPlan([contrast], 0)
    gains = rng.choice([0.0, 1 / 3, 2 / 3, 1.0], p=[0.4, 0.2, 0.2, 0.2], size=len(contrast))
    for count in (100, 200):
        own, points = plan.plans[0], list_points(plan, [count])[0]
        known = np.where(np.isin(np.arange(len(contrast)), np.concatenate(own.pairs(points))), gains, np.nan)
        found = estimate(own, known, points, scope="future")
        assert found is not None
        low, high = found.interval(0.95)
        assert 0.75 < half_width(own, points, scope="future", spread=0.3) / ((high - low) / 2) < 1.3
