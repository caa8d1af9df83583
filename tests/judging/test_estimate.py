"""The estimate: exact when all is judged, covering as often as it says, never biased by a proxy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judging.simulated import simulate

from stagg.judging.estimate import Scope, estimate
from stagg.judging.pair_plan import NOBODY, JudgingPlan, PairPlan
from stagg.judging.sides import find_sides
from stagg.judging.units import Contrast, read_gain

GAIN = read_gain("dcg@10", 3)
RANKINGS, LABELS = simulate(11)
SIDES = find_sides(RANKINGS, ("rrf", "fair"), 10)[0]
CONTRAST = Contrast.of(SIDES[0].orders, SIDES[1].orders, RANKINGS.queries, GAIN)
GAINS = GAIN.of(np.array([LABELS[query][item] for query, item in CONTRAST.documents]))
TRUTH = float(CONTRAST.weight @ GAINS)


def judge_first(plan: PairPlan, points: int) -> np.ndarray:
    """Gains known of the first points, NaN elsewhere."""
    known = np.full(len(GAINS), np.nan)
    named = np.concatenate(plan.pairs(points))
    named = named[named != NOBODY]
    known[named] = GAINS[named]
    return known


def test_all_units_judged_is_the_difference_itself_with_width_0() -> None:
    plan = JudgingPlan([CONTRAST], 0).plans[0]
    found = estimate(plan, GAINS, 3, scope="these")
    assert found is not None
    assert found.exact
    assert found.value == pytest.approx(TRUTH, abs=1e-15)
    assert found.interval(0.95) == (found.value, found.value)


def test_all_units_judged_is_the_paired_t_interval_of_queries_like_these() -> None:
    from scipy.stats import ttest_1samp

    plan = JudgingPlan([CONTRAST], 0).plans[0]
    found = estimate(plan, GAINS, 3, scope="future")
    assert found is not None
    of_query = CONTRAST.sums(CONTRAST.weight * GAINS) * len(CONTRAST.queries)
    theirs = ttest_1samp(of_query, 0.0)
    assert found.interval(0.95) == pytest.approx(tuple(theirs.confidence_interval(0.95)))
    assert found.p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("scope", ["these", "future"])
@pytest.mark.parametrize("points", [20, 60])
def test_the_interval_covers_and_the_mean_is_right(scope: Scope, points: int) -> None:
    values, covered = [], []
    for seed in range(200):
        plan = JudgingPlan([CONTRAST], seed).plans[0]
        found = estimate(plan, judge_first(plan, points), points, scope=scope)
        assert found is not None
        low, high = found.interval(0.95)
        values.append(found.value)
        covered.append(low <= TRUTH <= high)
    error = np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(values) - TRUTH) < 3.5 * error
    assert np.mean(covered) > 0.90


def test_it_is_the_formula_of_the_definition() -> None:
    plan = JudgingPlan([CONTRAST], 2).plans[0]
    known = judge_first(plan, 30)
    found = estimate(plan, known, 30, scope="these")
    assert found is not None
    a, b = plan.pairs(30)
    z = [plan.masses[0] * GAINS[i] - plan.masses[1] * GAINS[j] for i, j in zip(a, b, strict=True)]
    mean = sum(z) / 30
    share = sum(abs(CONTRAST.weight[u]) for u in {*a.tolist(), *b.tolist()}) / sum(abs(CONTRAST.weight))
    variance = sum((each - mean) ** 2 for each in z) / 29 / 30 * (1 - 0.75 * share)
    assert (found.value, found.estimate.error) == pytest.approx((mean, variance**0.5))
    assert found.estimate.degrees == 29
    assert found.judgments == len({*a.tolist(), *b.tolist()})


def test_a_perfect_proxy_leaves_little_error_and_a_useless_one_changes_nothing() -> None:
    plan = JudgingPlan([CONTRAST], 2).plans[0]
    known = judge_first(plan, 60)
    alone = estimate(plan, known, 60, scope="these")
    perfect = estimate(plan, known, 60, scope="these", predicted=GAINS)
    flat = estimate(plan, known, 60, scope="these", predicted=np.full(len(GAINS), 0.5))
    assert alone is not None
    assert perfect is not None
    assert flat is not None
    assert perfect.estimate.error < 0.1 * alone.estimate.error
    assert perfect.slope > 0.9
    assert (flat.value, flat.slope, flat.saved) == (pytest.approx(alone.value), 0.0, 0.0)


def test_a_proxy_that_is_wrong_everywhere_does_not_bias() -> None:
    wrong = np.random.default_rng(1).random(len(GAINS)) ** 3
    values = []
    for seed in range(200):
        plan = JudgingPlan([CONTRAST], seed).plans[0]
        found = estimate(plan, judge_first(plan, 50), 50, scope="these", predicted=wrong)
        assert found is not None
        values.append(found.value)
    assert abs(np.mean(values) - TRUTH) < 3.5 * np.std(values) / np.sqrt(200)


def test_queries_like_these_are_never_surer_than_these() -> None:
    for seed in range(20):
        plan = JudgingPlan([CONTRAST], seed).plans[0]
        known = judge_first(plan, 80)
        these, future = (estimate(plan, known, 80, scope=scope) for scope in ("these", "future"))
        assert these is not None
        assert future is not None
        assert future.estimate.error >= these.estimate.error


def test_two_points_are_no_estimate() -> None:
    plan = JudgingPlan([CONTRAST], 0).plans[0]
    assert estimate(plan, judge_first(plan, 2), 2) is None


def test_of_queries_like_these_it_is_the_formula_of_clusters() -> None:
    plan = JudgingPlan([CONTRAST], 2).plans[0]
    found = estimate(plan, judge_first(plan, 150), 150, scope="future")
    assert found is not None
    a, b = plan.pairs(150)
    queries = len(CONTRAST.queries)
    centre = np.mean([GAINS[u] for u in (*a, *b)])
    of_query = np.zeros(queries)
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        of_query[CONTRAST.query[i]] += plan.masses[0] * (GAINS[i] - centre) / 150
        of_query[CONTRAST.query[j]] -= plan.masses[1] * (GAINS[j] - centre) / 150
    clusters = queries / (queries - 1) * ((of_query - of_query.mean()) ** 2).sum()
    sampling = (plan.masses[0] * GAINS[a] - plan.masses[1] * GAINS[b]).var(ddof=1) / 150
    share = sum(abs(CONTRAST.weight[u]) for u in {*a.tolist(), *b.tolist()}) / sum(abs(CONTRAST.weight))
    assert found.estimate.error**2 == pytest.approx(max(sampling, clusters))
    assert found.between == pytest.approx(max(0.0, clusters - sampling * (1 - share)))
    assert found.estimate.degrees == queries - 1


def test_where_lists_are_short_a_query_counts_by_its_gains_less_the_mean_gain_and_by_what_its_lists_lack() -> None:
    rng = np.random.default_rng(5)
    a = {f"q{n}": [f"d{item}" for item in rng.permutation(12)[: rng.integers(2, 10)]] for n in range(15)}
    b = {f"q{n}": [f"d{item}" for item in rng.permutation(12)[: rng.integers(1, 6)]] for n in range(15)}
    contrast = Contrast.of(a, b, list(a), GAIN)
    gains, plan = rng.random(len(contrast)), JudgingPlan([contrast], 0).plans[0]
    named = np.unique(np.concatenate(plan.pairs(40)))
    known = np.where(np.isin(np.arange(len(gains)), named), gains, np.nan)
    found = estimate(plan, known, 40, scope="future")
    assert found is not None
    first, second = plan.pairs(40)
    centre = np.mean([*gains[first], *gains[second]])
    of_query = [
        (plan.masses[0] * (gains[first] - centre)[contrast.query[first] == q].sum()
         - plan.masses[1] * (gains[second] - centre)[contrast.query[second] == q].sum()) / 40
        + centre * contrast.weight[contrast.query == q].sum()
        for q in range(15)
    ]  # fmt: skip
    sampling = (plan.masses[0] * gains[first] - plan.masses[1] * gains[second]).var(ddof=1) / 40
    assert not found.exact
    assert found.estimate.error**2 == pytest.approx(max(sampling, 15 * np.var(of_query, ddof=1)))


@pytest.mark.parametrize("scope", ["these", "future"])
def test_pairs_that_all_say_the_same_do_not_make_an_interval_of_width_0(scope: Scope) -> None:
    plan = JudgingPlan([CONTRAST], 0).plans[0]
    known = np.where(np.isnan(judge_first(plan, 30)), np.nan, np.where(CONTRAST.weight > 0, 1.0, 0.0))
    found = estimate(plan, known, 30, scope=scope)
    assert found is not None
    low, high = found.interval(0.95)
    assert 0 < low < found.value - 0.01 < found.value + 0.01 < high


def test_two_queries_that_are_alike_do_not_decide_for_queries_like_these() -> None:
    a, b = {"q1": ["x", "y"], "q2": ["x", "y"]}, {"q1": ["y", "x"], "q2": ["y", "x"]}
    contrast = Contrast.of(a, b, ["q1", "q2"], GAIN)
    found = estimate(JudgingPlan([contrast], 0).plans[0], np.where(contrast.weight > 0, 1.0, 0.0), 4, scope="future")
    assert found is not None
    assert found.exact
    assert found.p > 0.05


def test_queries_that_differ_in_the_length_of_their_lists_are_covered() -> None:
    """One ranker finds nothing for half of the queries, and all documents are worth the same: so queries differ by
    their lists alone, which an interval for queries like these must hold."""
    full, covered = [f"d{number}" for number in range(10)], []
    truth = 0.5 * 2 / 3
    for seed in range(60):
        rng = np.random.default_rng(seed)
        queries = [f"q{number:02}" for number in range(40)]
        a = {query: rng.permutation(full).tolist() for query in queries}
        b = {query: rng.permutation(full).tolist() if rng.random() < 0.5 else [] for query in queries}
        contrast = Contrast.of(a, b, queries, GAIN)
        plan = JudgingPlan([contrast], seed).plans[0]
        named = np.unique(np.concatenate(plan.pairs(60)))
        known = np.where(np.isin(np.arange(len(contrast)), named), 2 / 3, np.nan)
        found = estimate(plan, known, 60, scope="future")
        assert found is not None
        low, high = found.interval(0.95)
        covered.append(low <= truth <= high)
    assert np.mean(covered) > 0.85
