"""Every registered measure through the same named checks, and liars that they must catch."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from tests.measures.slow import VARIANTS, Grades, as_rankings, random_labels, random_run

from stagg.data import Labels, Rankings
from stagg.errors import StaggError
from stagg.kernels.arrays import FloatArray
from stagg.measures import CONVENTIONS, MEASURES, Judged, Measure, judge
from stagg.measures.base import row_sums
from stagg.measures.judged import Block

ROUNDING = 1e-12
LOWEST = {"kendall_tau": -1.0}

Check = Callable[[Measure, str, np.random.Generator], None]


def judged_of(run: Grades, labels: Grades, conventions: str) -> Judged:
    return judge(as_rankings(run), Labels(labels), conventions=conventions)


def values_stay_in_their_range(measure: Measure, conventions: str, rng: np.random.Generator) -> None:
    labels, run = random_labels(rng), random_run(rng)
    values = measure.value(judged_of(run, labels, conventions))
    assert values.dtype == np.float64
    highest = 2.0 if measure.name == "rbp" and conventions == "letor4" else 1.0  # raw grades up to 2
    assert (values >= LOWEST.get(measure.name, 0.0) - ROUNDING).all()
    assert (values <= highest + ROUNDING).all()


def the_order_of_the_grades_is_best(measure: Measure, conventions: str, rng: np.random.Generator) -> None:
    grades = rng.choice([0, 0, 1, 2, 3], 5).astype(float)
    orders = np.array(list(itertools.permutations(-np.sort(-grades))))
    lists = Labels({f"{number:03}": dict(zip("abcde", order, strict=True)) for number, order in enumerate(orders)})
    run = {query: dict(zip("abcde", (5.0, 4.0, 3.0, 2.0, 1.0), strict=True)) for query in lists}
    values = measure.value(judge(as_rankings(run), lists, conventions=conventions))
    assert values[0] >= values.max() - ROUNDING


def names_of_items_do_not_matter_where_nothing_ties(
    measure: Measure, conventions: str, rng: np.random.Generator
) -> None:
    labels, run = random_labels(rng), random_run(rng, ties=False)
    other = dict(
        zip([f"d{number}" for number in range(12)], rng.permutation([f"e{n}" for n in range(12)]), strict=True)
    )
    renamed = [
        {query: {str(other[item]): number for item, number in of.items()} for query, of in numbers.items()}
        for numbers in (run, labels)
    ]
    same_bytes(measure, judged_of(run, labels, conventions), judged_of(*renamed, conventions))


def unjudged_items_at_the_end_change_nothing(measure: Measure, conventions: str, rng: np.random.Generator) -> None:
    labels, run = random_labels(rng), random_run(rng)
    longer = {query: of | {f"new{number}": -1.0 - number for number in range(4)} for query, of in run.items()}
    same_bytes(measure, judged_of(run, labels, conventions), judged_of(longer, labels, conventions))


def queries_one_by_one_or_together_give_the_same_bytes(
    measure: Measure, conventions: str, rng: np.random.Generator
) -> None:
    """Lists long enough that the order of additions is seen in the last bit."""
    sizes = {"a": 30, "b": 50, "c": 300, "d": 5}
    run = {query: {f"d{number}": float(-number) for number in range(size)} for query, size in sizes.items()}
    labels = {query: {item: float(rng.integers(0, 3)) for item in of} for query, of in run.items()}
    together = judged_of(run, labels, conventions)
    for query, value in zip(together.queries, measure.value(together), strict=True):
        alone = judge(as_rankings({query: run[query]}), Labels(labels), conventions=conventions, only_common=True)
        assert measure.value(alone).tobytes() == value.tobytes()


def the_order_of_queries_does_not_matter(measure: Measure, conventions: str, rng: np.random.Generator) -> None:
    labels, run = random_labels(rng), random_run(rng)
    turned = [dict(reversed(numbers.items())) for numbers in (run, labels)]
    same_bytes(measure, judged_of(run, labels, conventions), judged_of(*turned, conventions))


def the_text_is_the_measure(measure: Measure, conventions: str, rng: np.random.Generator) -> None:
    assert MEASURES.parse(repr(measure)) == measure


def same_bytes(measure: Measure, one: Judged, other: Judged) -> None:
    assert one.queries == other.queries
    assert measure.value(one).tobytes() == measure.value(other).tobytes()


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        values_stay_in_their_range,
        the_order_of_the_grades_is_best,
        names_of_items_do_not_matter_where_nothing_ties,
        unjudged_items_at_the_end_change_nothing,
        queries_one_by_one_or_together_give_the_same_bytes,
        the_order_of_queries_does_not_matter,
        the_text_is_the_measure,
    )
}

BREAKS: Mapping[tuple[str, str, str], str] = {
    ("judged", "standard", "unjudged_items_at_the_end_change_nothing"): "it counts them",
    ("judged", "letor4", "unjudged_items_at_the_end_change_nothing"): "it counts them",
    ("ndcg", "letor4", "unjudged_items_at_the_end_change_nothing"): "a query with fewer than k documents has 0",
}


OBEYED = [
    (text, law, conventions)
    for text, law, conventions in itertools.product(VARIANTS, CHECKS, CONVENTIONS)
    if (MEASURES.parse(text).name, conventions, law) not in BREAKS
]


@pytest.mark.parametrize(("text", "law", "conventions"), OBEYED)
def test_law(text: str, law: str, conventions: str) -> None:
    for seed in range(8):
        CHECKS[law](MEASURES.parse(text), conventions, np.random.default_rng(seed))


@pytest.mark.parametrize(("name", "conventions", "law"), BREAKS)
def test_a_law_that_a_measure_is_said_to_break_is_broken(name: str, conventions: str, law: str) -> None:
    measures = [measure for measure in map(MEASURES.parse, VARIANTS) if measure.name == name]
    assert any(is_broken(law, measure, conventions) for measure in measures)


def is_broken(law: str, measure: Measure, conventions: str) -> bool:
    try:
        for seed in range(8):
            CHECKS[law](measure, conventions, np.random.default_rng(seed))
    except (AssertionError, StaggError):
        return True
    return False


def test_every_registered_measure_goes_through_the_laws() -> None:
    assert {MEASURES.parse(text).name for text in VARIANTS} == set(MEASURES.names())


class TooLarge(Measure):
    """The sum of the grades."""

    name = "too_large"

    def of_block(self, block: Block) -> FloatArray:
        return row_sums(np.maximum(block.grades, 0))


class UpsideDown(Measure):
    """The share of the ranks before the last relevant item."""

    name = "upside_down"

    def of_block(self, block: Block) -> FloatArray:
        return (block.grades >= 1).sum(axis=1) * np.argmax(block.grades, axis=1) / 1e6


class MinusPad(Measure):
    """Counts everything that is not judged, padding included."""

    name = "minus_pad"

    def of_block(self, block: Block) -> FloatArray:
        values: FloatArray = (block.grades < 0).mean(axis=1)
        return values


class PairwiseSum(Measure):
    """Sums whose rounding depends on the width of the padding."""

    name = "pairwise_sum"

    def of_block(self, block: Block) -> FloatArray:
        values: FloatArray = (np.maximum(block.grades, 0) / np.arange(7, block.grades.shape[1] + 7) / 100).sum(axis=1)
        return values


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Unread(Measure):
    """A measure whose text nobody can read."""

    name = "unread"

    def of_block(self, block: Block) -> FloatArray:
        return np.zeros(len(block.rows))


LIARS = [
    (TooLarge(), "values_stay_in_their_range"),
    (UpsideDown(), "the_order_of_the_grades_is_best"),
    (MinusPad(), "unjudged_items_at_the_end_change_nothing"),
    (MinusPad(), "queries_one_by_one_or_together_give_the_same_bytes"),
    (PairwiseSum(), "queries_one_by_one_or_together_give_the_same_bytes"),
    (Unread(), "the_text_is_the_measure"),
]


@pytest.mark.parametrize(("liar", "law"), LIARS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_a_liar_is_caught(liar: Measure, law: str) -> None:
    assert is_broken(law, liar, "standard")


def test_rankings_of_one_item_and_one_query_are_no_special_case() -> None:
    run = Rankings.from_lists([["a"]], query="q")
    for text in VARIANTS:
        value = MEASURES.parse(text).value(judge(run, Labels({"q": {"a": 2}})))
        assert value.shape == (1,)
