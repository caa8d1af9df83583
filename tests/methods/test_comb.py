"""The Comb family: bounds, the numbers of other tools, and the weighted relatives of CombMNZ."""

from __future__ import annotations

import pytest

from stagg import InvalidParameter, Rankings, fuse
from stagg.methods import METHODS

RUNS = [{"a": 3.0, "b": 2.0, "c": 1.0}, {"b": 10.0, "c": 5.0}]


def scores(method: str, weights: list[float] | None = None) -> dict[str, float]:
    fused = fuse(Rankings.from_scores(RUNS), method, weights=weights)
    return fused.to_runs()[fused.rankers[0]]["1"]


def test_weights_count_in_the_scores_in_the_number_or_in_both() -> None:
    weights = [2.0, 1.0]
    assert scores("combmnz", weights) == {"a": 4.0, "b": 6.0, "c": 0.0}  # Σw · Σws
    assert scores("wmnz", weights) == {"a": 2.0, "b": 4.0, "c": 0.0}  # N · Σws
    assert scores("wmnz(compat='ranx')", weights) == {"a": 2.0, "b": 4.5, "c": 0.0}  # Σw · Σs
    assert scores("combmnz(compat='ranx')", weights) == scores("wmnz(compat='ranx')", weights)
    assert scores("wmnz") == scores("combmnz") == scores("wmnz(compat='ranx')")


def test_gmnz_lies_between_combsum_and_combmnz() -> None:
    assert scores("gmnz(gamma=0)") == scores("combsum")
    assert scores("gmnz(gamma=1)") == scores("combmnz")
    assert scores("gmnz(gamma=-1)") == scores("combanz")
    assert scores("gmnz")["b"] == pytest.approx(2**0.5 * 1.5)


def test_logn_isr_gives_single_finds_a_share() -> None:
    assert scores("logn_isr(sigma=0)") == scores("log_isr")
    assert scores("logn_isr")["a"] == pytest.approx(0.00995033)
    assert scores("logn_isr")["b"] == pytest.approx(1.25 * 0.69813472)


def test_a_lower_bound_says_what_a_list_of_one_item_is_worth() -> None:
    one = Rankings.from_scores([{"a": 8.0}, {"b": 4.0, "c": 1.0}])
    assert fuse(one, "combsum").to_dict()["1"] == {"b": 1.0, "a": 0.5, "c": 0.0}
    assert fuse(one, "combsum(low=0)").to_dict()["1"] == {"b": 1.0, "a": 1.0, "c": 0.25}
    assert fuse(one, "combsum(low=0, high=16)").to_dict()["1"] == {"a": 0.5, "b": 0.25, "c": 0.0625}
    assert fuse(one, "combsum(compat='pyserini')").to_dict()["1"] == {"b": 1.0, "a": 1.0, "c": 0.0}
    assert fuse(one, "combsum(compat='ranx')").to_dict()["1"] == {"b": 1.0, "c": 0.0, "a": 0.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("combsum(norm='max', low=0)", "low and high are bounds of norm='min-max'"),
        ("combsum(low=0, compat='ranx')", "without compat"),
        ("combsum(low=2, high=1)", "low is 2; it must be below high, which is 1"),
        ("combsum(low='x')", "low is 'x'; it must be a number"),
        ("combsum(compat='pyserini', norm='dbsf')", "compat='pyserini' knows norm='min-max' or 'rank' or 'none'"),
        ("combsum(compat='solr')", "compat is 'solr'; it must be one of"),
        ("gmnz(gamma=-2)", "gamma is -2; it must be a number -1 or more"),
        ("logn_isr(sigma=2)", "sigma is 2; it must be a number 0 or more, at most 1"),
    ],
)
def test_wrong_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        METHODS.parse(text)


def test_scores_that_may_be_negative_have_no_scale_up_to_1() -> None:
    assert fuse(Rankings.from_scores(RUNS), "combsum(norm='dbsf')", scale="first").to_dict()["1"]["b"] < 1
    for text in ("combsum(norm='l2')", "combsum(norm='dbsf', compat='qdrant')"):
        with pytest.raises(InvalidParameter, match="may be negative"):
            fuse(Rankings.from_scores(RUNS), text, scale="first")
