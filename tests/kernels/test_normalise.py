"""Scores on a common scale: the definitions, and what happens where they would divide by zero or overflow."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.lists.normalise import NORMS, normalised, normalised_between
from stagg.kernels.lists.tool_norms import TOOL_NORMS, normalised_as


def one(norm: str, scores: list[float]) -> list[float]:
    return normalised(norm, np.array(scores), np.array([0])).tolist()


def test_the_definitions() -> None:
    assert one("min-max", [4.0, 3.0, 2.0]) == [1.0, 0.5, 0.0]
    assert one("max", [4.0, 3.0, 2.0]) == [1.0, 0.75, 0.5]
    assert one("sum", [4.0, 3.0, 2.0]) == pytest.approx([2 / 3, 1 / 3, 0.0])
    assert one("z-score", [4.0, 3.0, 2.0]) == pytest.approx([1.5**0.5, 0.0, -(1.5**0.5)])
    assert one("dbsf", [4.0, 3.0, 2.0]) == pytest.approx([0.5 + 1.5**0.5 / 6, 0.5, 0.5 - 1.5**0.5 / 6])
    assert one("l2", [4.0, 3.0, 0.0]) == pytest.approx([0.8, 0.6, 0.0])


def test_dbsf_cuts_what_lies_more_than_three_deviations_off() -> None:
    high = one("dbsf", [100.0, *[1.0] * 99])
    assert high[0] == 1.0
    assert high[1] == pytest.approx(0.5 - (99 / 99**2) ** 0.5 / 6)
    assert one("dbsf", [*[1.0] * 99, -100.0])[-1] == 0.0


@pytest.mark.parametrize("norm", [norm for norm in NORMS if norm != "l2"])
@pytest.mark.parametrize("value", [0.0, 7.0, -7.0, 1e308, 5e-324])
def test_equal_scores_say_nothing(norm: str, value: float) -> None:
    expected = 0.0 if norm == "z-score" else 0.5
    assert one(norm, [value] * 3) == [expected] * 3
    assert one(norm, [value]) == [expected]


@pytest.mark.parametrize("value", [7.0, 0.1, 1e308, 5e-324])
def test_l2_is_its_formula_where_all_scores_are_equal_and_not_0(value: float) -> None:
    assert one("l2", [value]) == [1.0]
    assert one("l2", [-value]) == [-1.0]
    assert one("l2", [value] * 4) == [0.5] * 4
    assert one("l2", [value] * 3) == pytest.approx([3**-0.5] * 3)
    assert one("l2", [0.0]) == [0.5]
    assert one("l2", [0.0] * 3) == [0.5] * 3


@pytest.mark.parametrize("norm", NORMS)
def test_the_order_is_kept_whatever_the_sign(norm: str) -> None:
    for scores in ([3.0, 1.0, -2.0], [-1.0, -2.0, -3.0], [0.0, -2.0, -3.0]):
        found = one(norm, scores)
        assert found == sorted(found, reverse=True)
        assert found[0] > found[-1]


@pytest.mark.parametrize("norm", NORMS)
def test_huge_and_tiny_scores_neither_overflow_nor_vanish(norm: str) -> None:
    plain = one(norm, [3.0, 2.0, -1.0])
    for scale in (2.0**1000, 2.0**-1000):
        assert one(norm, [3.0 * scale, 2.0 * scale, -1.0 * scale]) == plain
    assert np.isfinite(one(norm, [1.7e308, 0.0, -1.7e308])).all()


@pytest.mark.parametrize("norm", NORMS)
def test_lists_are_normalised_apart(norm: str) -> None:
    both = normalised(norm, np.array([4.0, 2.0, 900.0, 800.0, 100.0]), np.array([0, 2])).tolist()
    assert both == one(norm, [4.0, 2.0]) + one(norm, [900.0, 800.0, 100.0])


# --- min-max with bounds ----------------------------------------------------------------------------------------------


def between(scores: list[float], low: float | None = None, high: float | None = None) -> list[float]:
    bounds = (np.array([np.nan if bound is None else bound]) for bound in (low, high))
    return normalised_between(np.array(scores), np.array([0]), *bounds).tolist()


def test_a_lower_bound_takes_the_place_of_the_smallest_score() -> None:
    assert between([6.0, 3.0, 1.5], low=0.0) == [1.0, 0.5, 0.25]
    assert between([6.0, 3.0, -5.0], low=0.0) == [1.0, 0.5, 0.0]


def test_given_bounds_make_the_scores_of_all_lists_comparable() -> None:
    assert between([0.5, 0.0], low=-1.0, high=1.0) == [0.75, 0.5]
    assert between([3.0, -3.0], low=-1.0, high=1.0) == [1.0, 0.0]
    assert between([3.0, 2.0], high=4.0) == [0.5, 0.0]


def test_with_a_bound_a_list_of_one_item_is_worth_what_its_score_says() -> None:
    assert between([7.0], low=0.0) == [1.0]
    assert between([0.0], low=0.0) == between([-2.0], low=0.0) == [0.0]
    assert between([9.0], high=9.0) == [1.0]
    assert between([5.0], low=0.0, high=10.0) == [0.5]
    assert between([]) == []


def test_bounds_far_apart_do_not_overflow() -> None:
    assert between([0.0], low=-1.7e308, high=1.7e308) == [0.5]
    assert between([1.7e308, -1.7e308], low=-1.7e308) == [1.0, 0.0]


# --- the norms of other tools -----------------------------------------------------------------------------------------


def as_tool(tool: str, norm: str, scores: list[float]) -> list[float]:
    return normalised_as(tool, norm, np.array(scores), np.array([0])).tolist()


@pytest.mark.parametrize(
    ("tool", "norm", "expected"),
    [
        ("ranx", "min-max", 0.0),
        ("ranx", "max", 1.0),
        ("ranx", "sum", 0.0),
        ("ranx", "z-score", 0.0),
        ("pyserini", "min-max", 1.0),
        ("anserini", "min-max", 1.0),
        ("qdrant", "dbsf", 0.5),
        ("mteb", "dbsf", 0.5),
        ("mteb", "min-max", 0.5),
        ("haystack", "dbsf", 7.0),
        ("llamaindex", "dbsf", 1.0),
        ("llamaindex", "min-max", 1.0),
        ("opensearch", "min-max", 1.0),
        ("opensearch", "z-score", 7.0),
        ("weaviate", "min-max", 1.0),
        ("elasticsearch", "min-max", 7.0),
    ],
)
def test_a_list_of_equal_scores_gets_what_the_tool_gives_it(tool: str, norm: str, expected: float) -> None:
    assert as_tool(tool, norm, [7.0]) == [expected]
    assert as_tool(tool, norm, [7.0, 7.0]) == [expected] * 2
    both = normalised_as(tool, norm, np.array([7.0, 7.0, 4.0, 3.0]), np.array([0, 2])).tolist()
    assert both == [expected] * 2 + as_tool(tool, norm, [4.0, 3.0])


def test_every_tool_and_norm_has_its_line_in_the_table_above_or_the_test_below() -> None:
    assert sum(map(len, TOOL_NORMS.values())) == 16 + 2


def test_equal_scores_are_divided_by_their_length_in_opensearch_and_elasticsearch() -> None:
    for tool in ("opensearch", "elasticsearch"):
        assert as_tool(tool, "l2", [7.0]) == [1.0]
        assert as_tool(tool, "l2", [7.0, 7.0]) == pytest.approx([0.5**0.5] * 2)
        assert as_tool(tool, "l2", [0.0, 0.0]) == [0.0, 0.0]


def test_no_score_is_zero_in_opensearch() -> None:
    assert as_tool("opensearch", "min-max", [3.0, 2.0, 1.0]) == [1.0, 0.5, 0.001]
    assert as_tool("opensearch", "z-score", [3.0, 2.0, 1.0]) == pytest.approx([1.0, 3.0, 0.001])


def test_the_deviation_of_qdrant_is_that_of_a_sample_and_nothing_is_cut() -> None:
    assert as_tool("qdrant", "dbsf", [4.0, 3.0, 2.0]) == pytest.approx([0.5 + 1 / 6, 0.5, 0.5 - 1 / 6])
    for tool in ("qdrant", "haystack", "llamaindex"):
        assert as_tool(tool, "dbsf", [100.0, *[1.0] * 99])[0] > 1
    assert as_tool("mteb", "dbsf", [100.0, *[1.0] * 99])[0] == 1
