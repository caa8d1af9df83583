"""Expectations over uncertain rankings: worked numbers, certain rankings, enumeration, and v(y, r) itself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from tests.measures.slow import as_rankings

from stagg.data import Labels
from stagg.errors import InvalidParameter
from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.rank_pmf import rank_pmfs
from stagg.measures import CONVENTIONS, MEASURES, Additive, Measure, judge

ADDITIVE = [
    "ndcg",
    "ndcg@1",
    "ndcg@3",
    "ndcg@50",
    "ndcg(gain='linear')@4",
    "rbp(p=0.95)",
    "rbp(p=0.5)@3",
    "sdcg@3",
    "p@3",
    "p@50",
    "recall(rel=2)@2",
]
EXPECTED = [*ADDITIVE, "err", "err@2"]


def contests(scores: list[float], sigma: float) -> FloatArray:
    """wins[i, j] = Φ((f_i - f_j) / (√2 σ)): Eq. 14."""
    return np.array([[0.5 * math.erfc(-(one - two) / (2 * sigma)) for two in scores] for one in scores])


def expected(measure: Measure, grades: FloatArray, wins: FloatArray, **options: object) -> float:
    chances = wins if measure.expects == "contests" else rank_pmfs(wins)
    return measure.expectation(grades, chances, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "conventions", "number"),
    [  # METHODS, section 4.5
        ("rbp(p=0.95)", "letor4", 0.14051275),
        ("ndcg", "standard", 0.68945065),
        ("err", "standard", 0.42656362),
    ],
)
def test_the_worked_example_of_supervised_aggregation_holds(text: str, conventions: str, number: float) -> None:
    wins = contests([0.3, 0.1, 0.2, -0.4], 0.3)
    found = expected(MEASURES.parse(text), np.array([0.0, 2, 1, 0]), wins, conventions=conventions)
    assert found == pytest.approx(number, abs=5.1e-9)


def random_query(rng: np.random.Generator, n: int) -> tuple[FloatArray, list[float], FloatArray]:
    """Grades (-1 = not judged) of n items, all grades given for the query, a random ranking: rank of each item."""
    grades = rng.choice([-1.0, 0, 1, 2], n)
    others = rng.choice([0.0, 1, 3], 2).tolist()
    return grades, [*grades[grades >= 0].tolist(), *others], rng.permutation(n)


def value_of(measure: Measure, grades: FloatArray, given: list[float], ranks: FloatArray, conventions: str) -> float:
    labels = {f"d{j}": grade for j, grade in enumerate(grades)}
    outside = given[int((grades >= 0).sum()) :]
    labels |= {f"outside{number}": grade for number, grade in enumerate(outside)}
    run = as_rankings({"q": {f"d{j}": float(-rank) for j, rank in enumerate(ranks)}})
    queries = {"q": labels, "another": {"x": 3.0}}
    return float(measure.value(judge(run, Labels(queries), conventions=conventions, only_common=True))[0])


@pytest.mark.parametrize("conventions", CONVENTIONS)
@pytest.mark.parametrize("text", EXPECTED)
def test_where_the_ranks_are_certain_the_expectation_is_the_value(text: str, conventions: str) -> None:
    measure = MEASURES.parse(text)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        grades, given, ranks = random_query(rng, int(rng.integers(1, 9)))
        wins = (ranks[:, None] < ranks[None, :]).astype(float)
        options = {"ideal": np.array(given), "largest": 3.0, "conventions": conventions}
        value = value_of(measure, grades, given, ranks, conventions)
        assert expected(measure, grades, wins, **options) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("conventions", CONVENTIONS)
@pytest.mark.parametrize("text", ADDITIVE)
def test_the_value_is_the_sum_of_what_every_item_adds_at_its_rank(text: str, conventions: str) -> None:
    measure = MEASURES.parse(text)
    assert isinstance(measure, Additive)
    for seed in range(20):
        grades, given, ranks = random_query(np.random.default_rng(seed), 6)
        table = measure.table(grades, np.array(given), 6, 3.0, conventions)
        assert table.shape == (6, 6)
        value = value_of(measure, grades, given, ranks, conventions)
        assert table[np.arange(6), ranks].sum() == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("text", ADDITIVE)
def test_the_table_is_the_derivative_of_the_expectation_by_the_rank_chances(text: str) -> None:
    measure, rng = MEASURES.parse(text), np.random.default_rng(1)
    assert isinstance(measure, Additive)
    grades, pmf = np.array([0.0, 2, 1, 1]), rng.dirichlet(np.ones(4), 4)
    table = measure.table(grades)
    for j, r in itertools.product(range(4), range(4)):
        step = np.zeros((4, 4))
        step[j, r] = 0.5
        slope = measure.expectation(grades, pmf + step) - measure.expectation(grades, pmf - step)
        assert slope == pytest.approx(table[j, r], abs=1e-12)


@pytest.mark.parametrize("text", ["err", "err@2"])
def test_expected_err_is_that_of_all_outcomes_of_the_contests(text: str) -> None:
    measure = MEASURES.parse(text)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        grades, wins = rng.integers(0, 3, 5).astype(float), rng.random((5, 5))
        slow = sum(enumerated(j, grades, wins, measure.cutoff or 5) for j in range(5))
        assert measure.expectation(grades, wins, largest=2.0) == pytest.approx(slow, abs=1e-13)


def enumerated(j: int, grades: FloatArray, wins: FloatArray, cutoff: int) -> float:
    """What item j adds to ERR, over all outcomes of its contests."""
    stop, others, total = (2**grades - 1) / 4, [i for i in range(len(grades)) if i != j], 0.0
    for outcome in itertools.product((False, True), repeat=len(others)):
        chance = math.prod(wins[i, j] if lost else 1 - wins[i, j] for i, lost in zip(others, outcome, strict=True))
        unstopped = math.prod(1 - stop[i] for i, lost in zip(others, outcome, strict=True) if lost)
        if sum(outcome) < cutoff:
            total += chance * unstopped * stop[j] / (1 + sum(outcome))
    return float(total)


@pytest.mark.parametrize("text", ["map", "mrr", "success@3", "judged@3", "kendall_tau", "footrule"])
def test_a_measure_without_an_expectation_says_so(text: str) -> None:
    measure = MEASURES.parse(text)
    assert measure.expects is None
    with pytest.raises(InvalidParameter, match="has no expectation over uncertain ranks"):
        measure.expectation(np.zeros(2), np.zeros((2, 2)))


def test_measures_with_and_without_expectation_are_all_there_are() -> None:
    having = {cls.name for cls in MEASURES if cls.expects is not None}
    assert having == {MEASURES.parse(text).name for text in EXPECTED}


@pytest.mark.parametrize(("text", "shape"), [("ndcg", (4, 4)), ("ndcg", (3,)), ("err", (3, 4)), ("err", (3,))])
def test_chances_of_another_shape_are_refused(text: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidParameter, match="shape"):
        MEASURES.parse(text).expectation(np.zeros(3), np.zeros(shape))


def test_a_query_without_items_expects_nothing() -> None:
    assert MEASURES.parse("err").expectation(np.zeros(0), np.zeros((0, 0))) == 0
    assert MEASURES.parse("ndcg").expectation(np.zeros(0), np.zeros((0, 0))) == 0


def test_unknown_conventions_are_refused() -> None:
    for text in ("ndcg", "err"):
        with pytest.raises(InvalidParameter, match="unknown conventions"):
            MEASURES.parse(text).expectation(np.zeros(2), np.zeros((2, 2)), conventions="x")


@pytest.mark.parametrize(
    ("text", "worth"), [("rbp(p=0.9)", lambda y, top: y / top), ("err", lambda y, top: (2**y - 1) / 2**top)]
)
def test_the_stakes_of_a_learner_go_by_the_largest_grade_of_all(
    text: str, worth: Callable[[FloatArray, float], FloatArray]
) -> None:
    grades, offsets = np.array([0.0, 1, 3, 2]), np.array([0, 2, 4])
    measure = MEASURES.parse(text)
    assert measure.stakes(grades, offsets).worth == pytest.approx(worth(grades, 3))
    assert measure.stakes(grades, offsets, largest=2.0).worth == pytest.approx(worth(grades, 3))
    assert measure.stakes(grades, offsets, largest=4.0).worth == pytest.approx(worth(grades, 4))
