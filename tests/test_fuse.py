"""The verb: what it takes, what it gives, and what it does at the edges."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import stagg
from stagg import DataError, InvalidParameter, Rankings, UnknownName, fuse
from stagg.methods import METHODS


def test_the_public_names_are_the_promised_ones() -> None:
    public = {name for name in dir(stagg) if not name.startswith("_")}
    modules = {name for name in public if type(getattr(stagg, name)).__name__ == "module"}
    assert public - modules == set(stagg.__all__) - {"__version__"}


def test_a_dict_of_scored_dicts_is_read_by_ranker_where_there_is_something_to_fuse() -> None:
    assert fuse({"x": {"a": 1.0}, "y": {"b": 2.0, "a": 1.5}}).hits()[0].ranks == {"x": 1, "y": 2}
    with pytest.raises(InvalidParameter, match=r"from_runs.*from_scores"):  # one run alone can be evaluated
        stagg.evaluate({"x": {"a": 1.0}, "y": {"b": 2.0}}, {"x": {"a": 1}}, "map")


def test_iterators_are_read_and_what_has_no_order_is_refused() -> None:
    assert fuse(each for each in [["a", "b"], ["b"]]).best_first() == ["b", "a"]
    assert fuse([iter(["a", "b"])]).best_first() == ["a", "b"]
    for wrong in ([{"a", "b"}], {"a", "b"}, [], {}, ()):
        with pytest.raises(InvalidParameter):
            fuse(wrong)
    for weights in ("12", 3):
        with pytest.raises(InvalidParameter, match="weights are numbers"):
            fuse([["a"], ["b"]], weights=weights)  # type: ignore[arg-type]
    assert type(fuse([np.array(["a", "b"])]).best_first()[0]) is str


def test_lists_dicts_and_runs_are_understood() -> None:
    expected = ["b", "a", "c"]
    assert fuse([["a", "b"], ["b", "c"]]).best_first() == expected
    assert fuse({"x": ["a", "b"], "y": ["b", "c"]}).best_first() == expected
    assert fuse([{"a": 2.0, "b": 1.0}, {"b": 9.0, "c": 8.0}]).best_first() == expected
    assert fuse([{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 9.0, "c": 8.0}}]).best_first("q") == expected
    assert fuse({"x": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 9.0, "c": 8.0}}}).best_first() == expected


def test_a_fused_result_can_be_fused_again_and_pickled() -> None:
    once = fuse([["a", "b"], ["b", "c"]])
    assert fuse(once, "borda").best_first() == once.best_first()
    assert pickle.loads(pickle.dumps(once)) == once


def test_items_that_tie_go_by_id_descending_bytewise() -> None:
    assert fuse([["a"], ["B"], ["é"], ["z"], ["10"], ["9"]]).best_first() == ["é", "z", "a", "B", "9", "10"]


def test_one_ranker_one_item_and_nothing_are_rankings_not_errors() -> None:
    assert fuse([["a"]]).best_first() == ["a"]
    assert fuse([[], []]).best_first() == []
    assert fuse([{"q1": {}, "q2": {"a": 1.0}}]).to_lists() == {"q1": {}, "q2": {"stagg-rrf": [["a"]]}}


@pytest.mark.parametrize("name", METHODS.names())
def test_candidates_in_no_list_come_last_whatever_the_method(name: str) -> None:
    rankings = Rankings.from_scores([{"a": 1.0, "b": -5.0, "c": -9.0}, {"b": 3.0, "c": -2.0, "a": -4.0}])
    declared = rankings.replace(
        items=("zz", *rankings.items),
        entries=rankings.entries + 1,
        item_offsets=np.array([0, len(rankings.items) + 1]),
        declared=True,
    )
    assert fuse(declared, name).best_first()[-1] == "zz"


def test_n_counts_only_what_weighted_rankers_list() -> None:
    lists = {"x": ["a", "b"], "y": ["c", "d", "e"]}
    assert fuse(lists, "borda", weights={"y": 0}).to_runs()["stagg-borda"]["1"] == {"a": 2.0, "b": 1.0}
    assert fuse(lists, "borda", weights={"x": 0, "y": 0}).best_first() == []


def test_depth_cuts_every_list_and_a_tied_group_by_the_tie_rule() -> None:
    rankings = Rankings.from_lists([["a", {"b", "c"}, "d"]])
    cut = fuse(rankings, "borda", depth=2)
    assert cut.best_first() == ["a", "c"]
    assert fuse(rankings, "borda", depth=9).best_first() == ["a", "c", "b", "d"]


def test_top_is_the_start_of_the_whole() -> None:
    whole = fuse([["a", "b", "c"], ["c", "b", "d"]])
    assert fuse([["a", "b", "c"], ["c", "b", "d"]], top=2).best_first() == whole.best_first()[:2]


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1], InvalidParameter, r"1 weight for 2 rankers \(bm25, dense\)"),
        ([1, -1], InvalidParameter, "weight of ranker 'dense' is -1"),
        ([1, float("nan")], InvalidParameter, "weight of ranker 'dense' is nan"),
        ([1, float("inf")], InvalidParameter, "weight of ranker 'dense' is inf"),
        ([1, "x"], InvalidParameter, "weight of ranker 'dense' is 'x'"),
        ({"bm26": 2}, UnknownName, r"'bm26', which the input does not have; did you mean 'bm25'\?"),
    ],
)
def test_wrong_weights_are_refused_and_the_ranker_named(weights: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        fuse({"bm25": ["a"], "dense": ["b"]}, weights=weights)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [{"depth": 0}, {"top": 0}, {"depth": -1}, {"depth": 1.5}, {"top": "a"}, {"top": True}]
)
def test_depth_and_top_are_one_or_more(options: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter, match="must be a whole number, 1 or more"):
        fuse([["a"]], **options)  # type: ignore[arg-type]


def test_something_that_is_no_method_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="a method is a text such as"):
        fuse([["a"]], 60)  # type: ignore[arg-type]


def test_scores_too_large_to_add_are_an_error_not_an_infinity() -> None:
    rankings = Rankings.from_scores([{"a": 1.7e308}, {"a": 1.7e308}])
    with pytest.raises(DataError, match="too large to add up"):
        fuse(rankings, "combsum(norm='none')")
    assert fuse(rankings, "combsum").best_first() == ["a"]


@pytest.mark.parametrize("method", ["svp", "svp(form='logodds')", "rra"])
def test_weights_too_large_to_add_are_an_error_of_ours(method: str) -> None:
    lists = [["a", "b", "c"], ["b", "c", "d"], ["d", "a"]]
    with np.errstate(all="ignore"), pytest.raises(DataError, match="too large to add up"):  # NumPy notices it, too
        fuse(lists, method, weights=[1.7e308, 1.7e308, 1.0])
