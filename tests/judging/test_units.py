"""Units of a comparison: the weights are those of the measures, and say nothing of documents in the same place."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judging.simulated import simulate

import stagg
from stagg import InvalidParameter
from stagg.judging.sides import find_sides
from stagg.judging.units import Contrast, read_gain


@pytest.mark.parametrize("measure", ["dcg@10", "dcg@5", "p@10", "rbp(p=0.8)", "rbp(p=0.5)@10", "sdcg(gain='exp')@10"])
def test_the_sum_of_weight_and_gain_is_the_difference_of_the_measure(measure: str) -> None:
    rankings, labels = simulate(1)
    gain = read_gain(measure, 3)
    a, b = find_sides(rankings, ("rrf", "fair"), gain.measure.cutoff)[0]
    contrast = Contrast.of(a.orders, b.orders, rankings.queries, gain)
    gains = gain.of(np.array([labels[query][item] for query, item in contrast.documents]))
    name = repr(gain.measure)
    means = [
        stagg.evaluate(each, labels, name, single_precision=False).rows[0]["mean"]
        for each in (stagg.fuse(rankings, "rrf"), rankings.take_rankers([rankings.rankers.index("fair")]))
    ]
    assert float(contrast.weight @ gains) == pytest.approx(means[0] - means[1], abs=1e-12)


def test_documents_in_the_same_place_are_no_units() -> None:
    contrast = Contrast.of({"q": ["a", "b", "c"]}, {"q": ["a", "c", "b"]}, ["q"], read_gain("dcg@10", 3))
    assert contrast.items == ("b", "c")
    assert contrast.weight.sum() == pytest.approx(0)


def test_of_p_at_10_only_the_symmetric_difference_counts() -> None:
    a, b = [f"d{n}" for n in range(12)], [f"d{n}" for n in range(2, 14)]
    contrast = Contrast.of({"q": a}, {"q": b}, ["q"], read_gain("p@10", 3))
    assert set(contrast.items) == {"d0", "d1", "d10", "d11"}


def test_the_order_of_the_queries_does_not_matter() -> None:
    a, b = {"q1": ["x", "y"], "q2": ["y"]}, {"q1": ["y"], "q2": ["x", "y"]}
    gain = read_gain("dcg@10", 3)
    one, two = Contrast.of(a, b, ["q1", "q2"], gain), Contrast.of(a, b, ["q2", "q1"], gain)
    assert one.documents == two.documents
    assert one.weight.tolist() == two.weight.tolist()


def test_the_measure_has_a_name_that_people_know() -> None:
    assert [read_gain(text, 3).name for text in ("DCG@10", "p@5", "rbp(p=0.8)")] == ["DCG@10", "P@5", "RBP(p=0.8)"]


@pytest.mark.parametrize("text", ["ndcg@10", "map", "mrr", "recall@100"])
def test_a_measure_that_needs_all_relevant_documents_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match="take dcg@10"):
        read_gain(text, 3)


def test_a_measure_without_a_cutoff_is_refused_in_the_words_of_the_user() -> None:
    with pytest.raises(InvalidParameter, match=r"^dcg needs a cutoff: write dcg@10, say$"):
        read_gain("dcg", 3)


def test_fewer_grades_vary_more() -> None:
    """Half a gain where documents are relevant or not, and what equally frequent gains have otherwise."""
    half = 2 * read_gain("dcg@10", 1).spread
    assert half == pytest.approx(0.805)
    for top, levels in ((2, [0, 0.5, 1]), (3, [0, 1 / 3, 2 / 3, 1])):
        assert read_gain("dcg@10", top).spread == pytest.approx(half * np.std(levels))
        assert read_gain("p@10", top).spread == pytest.approx(half / 2)  # relevant or not, whatever the grades


@pytest.mark.parametrize(
    ("measure", "top", "shares", "spread"),
    [
        ("rbp(p=0.5)", 3, [0.5, 0.25, 0.125], 0.30),
        ("p@2", 1, [0.5, 0.5], 0.4025),
        ("dcg@2", 1, [0.6131, 0.3869], 0.4025),
        ("dcg@2", 3, [0.6131, 0.3869], 0.30),
        ("p(rel=3)@2", 3, [0.5, 0.5], 0.4025),
    ],
)
def test_discounts_are_shares_of_the_best_list_and_gains_vary_as_grades_do(
    measure: str, top: float, shares: list[float], spread: float
) -> None:
    gain = read_gain(measure, top)
    assert gain.discounts(3) == pytest.approx(shares, abs=1e-4)
    assert gain.of(np.array([0.0, top, np.nan])) == pytest.approx([0.0, 1.0, np.nan], nan_ok=True)
    assert gain.spread == pytest.approx(spread, abs=0.01)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dcg(depth=3)", "dcg"),
        ("p(rel=4)@10", "no grade reaches rel=4; the highest is 3"),
        ("rbp(p=0.5,rel=9)", "no grade reaches rel=9; the highest is 3"),
        (10, "the measure is a text such as 'dcg@10', not 10"),
    ],
)
def test_a_measure_that_no_grade_can_reach_or_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        read_gain(text, 3)
    assert said in str(caught.value)
    assert "sdcg" not in str(caught.value)
