"""The sides of a comparison: rankers before methods, models, names, and what is neither."""

from __future__ import annotations

import pytest
from tests.judging.simulated import simulate

import stagg
from stagg import InvalidParameter, UnknownName
from stagg.evaluation.overlap import list_items
from stagg.judging.sides import find_sides
from stagg.methods import METHODS

RANKINGS = simulate(21, queries=12)[0]


def names(compare: object) -> list[tuple[str, str]]:
    return [(a.name, b.name) for a, b in find_sides(RANKINGS, compare, 10)]


def test_by_default_rrf_is_compared_with_each_ranker() -> None:
    assert names(None) == [("rrf", ranker) for ranker in RANKINGS.rankers]


def test_one_pair_or_several_can_be_given_in_many_ways() -> None:
    assert names(("rrf", "fair")) == names("rrf;fair") == names([("rrf", "fair")]) == [("rrf", "fair")]
    assert names(["rrf(c=10);fair", ("borda", "good")]) == [("rrf(c=10)", "fair"), ("borda", "good")]
    assert names((METHODS.parse("borda"), "fair")) == [("borda", "fair")]
    assert names([(("ours", METHODS.parse("borda")), "Base: fair")]) == [("ours", "Base")]


def test_the_lists_are_those_of_the_ranker_and_of_the_fusion() -> None:
    ((a, b),) = find_sides(RANKINGS, ("borda", "fair"), None)
    assert a.orders == list_items(stagg.fuse(RANKINGS, "borda"))
    assert b.orders == {q: RANKINGS.best_first(q, ranker="fair") for q in RANKINGS.queries}


def test_a_ranker_comes_before_a_method_of_its_name() -> None:
    renamed = RANKINGS.with_rankers(["rrf", "fair", "poor"])
    ((a, _),) = find_sides(renamed, ("rrf", "fair"), None)
    assert a.orders["q000"] == RANKINGS.best_first("q000", ranker=RANKINGS.rankers[0])


def test_a_model_is_a_side(tmp_path: object) -> None:
    rankings, labels = simulate(21, queries=12)
    model = stagg.train(rankings, "weights", labels)
    assert find_sides(rankings, (model, "rrf"), 10)[0][0].name == model.label


@pytest.mark.parametrize(
    ("compare", "error", "said"),
    [
        (("borad", "fair"), UnknownName, "did you mean"),
        (("rrf", "fari"), UnknownName, "fair"),
        ("rrf", InvalidParameter, "two settings with a semicolon"),
        ("rrf;;fair", InvalidParameter, "two settings"),
        (("rrf", "fair", "poor"), InvalidParameter, "two settings"),
        (7, InvalidParameter, "compare is a pair"),
        ([("rrf", 3)], InvalidParameter, "a setting is"),
        ([], InvalidParameter, "compare is a pair"),
    ],
)
def test_what_is_no_comparison_is_refused(compare: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        find_sides(RANKINGS, compare, 10)
