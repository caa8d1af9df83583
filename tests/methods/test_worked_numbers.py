"""Worked numbers, computed by independent code (METHODS.md of the project, sections 3.1 and 3.2), and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Rankings, UnknownName, fuse

TOY_F = ["ABCD", "BCAD", "ADBC"]
TOY_P = ["ABC", "BDAE", "ECAD"]


def scores(lists: list[str], method: str, **options: object) -> list[float]:
    """The scores in alphabetical order of the items."""
    fused = fuse([list(each) for each in lists], method, **options)  # type: ignore[arg-type]
    found = fused.to_runs()[fused.rankers[0]]["1"]
    return [found[item] for item in sorted(found)]


@pytest.mark.parametrize(
    ("lists", "method", "expected"),
    [
        (TOY_F, "borda", [10, 9, 6, 5]),
        (TOY_F, "borda(missing='below')", [10, 9, 6, 5]),
        (TOY_P, "borda", [11, 9, 7, 6, 7]),
        (TOY_P, "borda(missing='below')", [11, 10, 8, 7.5, 8.5]),
        (TOY_P, "rrf(c=60)", [0.04813947, 0.03252247, 0.03200205, 0.03175403, 0.03201844]),
        (TOY_P, "rrf(c=10)", [0.24475524, 0.17424242, 0.16025641, 0.15476190, 0.16233766]),
        (TOY_F, "rrf(c=60)", [0.04865990, 0.04839549, 0.04762705, 0.04737903]),
        (TOY_P, "votecount", [3, 2, 2, 2, 2]),
        (TOY_P, "isr", [3 * (1 + 2 / 9), 2 * (1 / 4 + 1), 2 * (1 / 9 + 1 / 4), 2 * (1 / 4 + 1 / 16), 2 * (1 / 16 + 1)]),
        (TOY_F, "mean_rank", [-5 / 3, -2, -3, -10 / 3]),
        (
            TOY_P,
            "mean_rank",
            [-7 / 3, -(2 + 1 + 5) / 3, -(3 + 5 + 2) / 3, -(4.5 + 2 + 4) / 3, -(4.5 + 4 + 1) / 3],
        ),
        (TOY_P, "median_rank", [-3, -2, -3, -4, -4]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], method: str, expected: list[float]) -> None:
    assert scores(lists, method) == pytest.approx(expected, abs=6e-9)


def test_the_papers_example_by_borda_puts_b_and_c_before_a() -> None:
    fused = fuse([["a", "b"], ["b", "c"], ["c", "d"]], "borda")
    assert [set(group) for group in fused["1"].lists["stagg-borda"]] == [{"b", "c"}, {"a"}, {"d"}]
    assert scores(["ab", "bc", "cd"], "borda") == [4, 7, 7, 3]


@pytest.mark.parametrize(
    ("method", "first", "second"),
    [
        ("rrf", 1 / 61, 1 / 62),
        ("rrf(compat='ranx')", 1 / 61, 1 / 62),
        ("rrf(compat='langchain')", 1 / 61, 1 / 62),
        ("rrf(compat='llamaindex')", 1 / 60, 1 / 61),
        ("rrf(compat='pyterrier')", 1 / 60, 1 / 61),
        ("rrf(compat='haystack')", 1, 61 / 62),
        ("rrf(compat='qdrant')", 1 / 2, 1 / 3),
        ("rrf(c=10, compat='llamaindex')", 1 / 10, 1 / 11),
    ],
)
def test_a_first_ranked_document_gets_what_each_tool_gives_it(method: str, first: float, second: float) -> None:
    assert scores(["AB"], method) == pytest.approx([first, second], rel=1e-12)


def test_haystack_gives_half_to_the_first_of_one_of_two_lists() -> None:
    assert scores(["A", "B"], "rrf(compat='haystack')") == pytest.approx([0.5, 0.5])


def test_haystack_divides_by_all_voters() -> None:
    voters = Rankings.from_lists([["a"], ["b"]]).replace(multiplicities=np.array([3, 1]))
    found = fuse(voters, "rrf(compat='haystack')").to_runs()["stagg-rrf"]["1"]
    assert found == pytest.approx({"a": 0.75, "b": 0.25})


def test_a_weight_below_one_is_no_negative_evidence_to_log_isr() -> None:
    assert scores(["AB", "BC"], "log_isr", weights=[0.4, 0.3]) == [0, 0, 0]


def test_a_qdrant_weight_divides_the_rank() -> None:
    found = scores(["AB"], "rrf(compat='qdrant')", weights=[2])
    assert found == pytest.approx([1 / (1 / 2 + 1), 1 / (2 / 2 + 1)])


def test_tied_items_share_the_mean_of_their_places() -> None:
    tied = Rankings.from_lists([["a", {"b", "c"}, "d"]])
    found = fuse(tied, "rrf(c=60)").to_runs()["stagg-rrf"]["1"]
    assert found["b"] == found["c"] == pytest.approx((1 / 62 + 1 / 63) / 2)
    assert found["d"] == pytest.approx(1 / 64)


def test_weights_multiply_and_zero_leaves_out() -> None:
    assert scores(["AB", "BA"], "rrf(c=60)", weights=[2, 1]) == pytest.approx([2 / 61 + 1 / 62, 2 / 62 + 1 / 61])
    assert scores(["AB", "CA"], "borda", weights=[1, 0]) == [2, 1]


def test_multiplicity_counts_as_that_many_voters() -> None:
    voters = Rankings.from_lists([["a", "b"], ["b", "a"]]).replace(multiplicities=np.array([3, 2]))
    assert fuse(voters, "borda").to_runs()["stagg-borda"]["1"] == {"a": 8.0, "b": 7.0}


KEYWORD = {"1": 0.8167638, "2": 0.5356597}
VECTOR = {"2": 1.0, "3": 0.98039216, "4": 0.7575758}
"""The two clauses of the worked example in OpenSearch's documentation, the same on both pages named below."""


@pytest.mark.parametrize(
    ("method", "weights", "expected"),
    [
        ("combsum(norm='min-max', compat='opensearch')", [0.5, 0.5], [0.5, 0.5005, 0.4595588, 0.0005]),
        ("combsum(norm='l2', compat='opensearch')", [0.5, 0.5], [0.41810414, 0.5882375, 0.30787408, 0.23790273]),
        ("combsum(norm='z-score', compat='opensearch')", [0.5, 0.5], [0.35355347, 0.32481128, 0.2515067, 0.0005]),
        ("rrf(c=1)", None, [0.5, 0.8333334, 0.33333334, 0.25]),
        ("rrf(c=60)", None, [0.016393442, 0.032522473, 0.016129032, 0.015873017]),
        ("rrf(c=1)", [0.3, 0.7], [0.15, 0.45, 0.23333333, 0.175]),
    ],
)
def test_the_worked_numbers_of_opensearchs_documentation(
    method: str, weights: list[float] | None, expected: list[float]
) -> None:
    """ "Normalization processor" and "Reciprocal rank fusion", docs.opensearch.org 3.9; printed in single precision."""
    fused = fuse(Rankings.from_scores({"keyword": KEYWORD, "vector": VECTOR}), method, weights=weights)
    found = fused.to_dict()["1"]
    assert [found[item] for item in "1234"] == pytest.approx(expected, rel=2.5e-7)


@pytest.mark.parametrize("norm", ["rank", "borda"])
def test_rank_only_data_need_a_norm_by_rank(norm: str) -> None:
    with pytest.raises(DataError, match=r"needs scores.*norm='rank'"):
        fuse([["a", "b"]], "combsum")
    assert fuse([["a", "b"]], f"combsum(norm='{norm}')").best_first() == ["a", "b"]


def test_a_list_without_scores_among_others_is_named() -> None:
    from stagg.data.parts import join_rankers

    mixed = join_rankers([Rankings.from_scores({"x": {"a": 1.0}}), Rankings.from_lists({"y": ["a"]})])
    with pytest.raises(DataError, match="ranker 'y' has none"):
        fuse(mixed, "combmnz")


@pytest.mark.parametrize(
    ("method", "error", "message"),
    [
        ("borad", UnknownName, r"unknown method 'borad'; did you mean 'borda'\?"),
        ("rrf(k=60)", InvalidParameter, r"rrf has no parameter 'k'; stagg calls it 'c': rrf\(c=60\)"),
        ("rrf(c=-1)", InvalidParameter, "c is -1; it must be a number 0 or more"),
        ("rrf(c='x')", InvalidParameter, "c is 'x'; it must be a number"),
        ("rrf(c=True)", InvalidParameter, "c is True"),
        ("rrf(c=1e999)", InvalidParameter, "c is inf"),
        ("rrf(60, 1)", InvalidParameter, "only the first parameter of rrf, c, may be given without its name"),
        ("rrf(c=60", InvalidParameter, "cannot read the method"),
        ("rrf(c=1, c=2)", InvalidParameter, "cannot read the method"),
        ("rrf(c=__import__('os'))", InvalidParameter, "c is .*must be a number"),  # a text, never run
        ("rrf(compat='solr')", InvalidParameter, "one of 'ranx'"),
        (
            "rrf(missing='below')",
            InvalidParameter,
            "it takes 'skip': leave missing out, since an unlisted item already",
        ),
        ("rrf(missing='neutral')", InvalidParameter, "it takes 'skip': stagg_rrf is the similar method that can"),
        ("borda(missing='neutral')", InvalidParameter, "it takes 'skip' or 'below'"),
        ("borda(missing='sideways')", InvalidParameter, "one of 'below', 'neutral', 'skip'"),
        ("rbc(phi=1)", InvalidParameter, "phi is 1; it must be a number above 0, below 1"),
        ("combsum(norm='l3')", InvalidParameter, "one of 'min-max'"),
        ("(" * 9999, InvalidParameter, "cannot read the method"),
    ],
)
def test_a_wrong_method_is_refused_with_the_range_or_the_nearest_names(
    method: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fuse([["a"]], method)


def test_missing_given_twice_must_agree() -> None:
    assert scores(["AB", "B"], "borda", missing="below") == scores(["AB", "B"], "borda(missing='below')")
    assert scores(["AB"], "borda(missing='below')", missing="below") == [2, 1]
    with pytest.raises(InvalidParameter, match="says missing='below', the call says missing='skip'"):
        fuse([["a"]], "borda(missing='below')", missing="skip")
