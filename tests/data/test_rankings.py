"""Rankings: constructors, views, parts and joins, value semantics."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from tests.strategies import rankings

import stagg
from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName
from stagg.data import UNJUDGED
from stagg.data.inputs.lists import keep_rows
from stagg.data.parts import join_queries, join_rankers
from stagg.kernels.arrays import ABSENT

LISTS = {"ann": ["a", {"b", "c"}, "d"], "bob": ["c", "a"]}
RUNS = {"x": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, "y": {"q1": {"b": 5.0, "d": 5.0}}}


def check(made: Rankings) -> None:
    """The invariants that all code inside stagg trusts."""
    assert len(made.item_offsets) == len(made.list_offsets) == len(made.queries) + 1
    assert made.item_offsets[-1] == len(made.items)
    assert made.list_offsets[-1] == len(made.list_rankers)
    assert made.entry_offsets[-1] == len(made.entries) == len(made.tied)
    assert (made.list_lengths > 0).all(), "an empty list is no list"
    assert not made.tied[made.entry_offsets[:-1]].any(), "the first of a list ties with nobody before it"
    assert (made.item_queries[made.entries] == made.list_queries[made.entry_lists]).all()
    for view in made:
        assert len(set(view.items)) == len(view.items)
        assert len(set(view.rankers)) == len(view.rankers)
        assert list(view.rankers) == sorted(view.rankers, key=made.rankers.index), "the lists of a query go by ranker"
        for groups in view.lists.values():
            members = [item for group in groups for item in group]
            assert len(set(members)) == len(members)


@settings(deadline=None)
@given(rankings())
def test_whatever_is_made_cut_joined_or_taken_keeps_the_invariants(made: Rankings) -> None:
    turned = made.take_rankers(range(len(made.rankers))[::-1])
    for each in (
        made,
        made.canonical(),
        made.cut(2),
        made.take_rankers([len(made.rankers) - 1]),
        turned,
        made.take_queries(range(len(made))[::-1]),
        made.with_weights([0.0] * len(made.rankers)).active(),
        join_rankers([made, made.with_rankers([f"{r}'" for r in made.rankers])]),
        join_queries([made, made.replace(queries=tuple(f"{q}'" for q in made.queries))]),
        join_queries([made, turned.replace(queries=tuple(f"{q}'" for q in turned.queries))]),
        pickle.loads(pickle.dumps(made)),
    ):
        check(each)


@settings(deadline=None)
@given(rankings())
def test_equality_sees_through_the_order_of_queries_rankers_and_rows(made: Rankings) -> None:
    assert made == made.canonical() == pickle.loads(pickle.dumps(made))
    assert hash(made) == hash(made.canonical())
    turned = made.take_queries(range(len(made))[::-1]).take_rankers(range(len(made.rankers))[::-1])
    assert turned == made


@pytest.mark.parametrize(
    "other",
    [
        Rankings.from_lists({"ann": ["a", {"b", "c"}, "d"], "bob": ["a", "c"]}),
        Rankings.from_lists({"ann": ["a", "b", "c", "d"], "bob": ["c", "a"]}),
        Rankings.from_lists({"ann": ["a", {"b", "c"}, "e"], "bob": ["c", "a"]}),
        Rankings.from_lists({"ann": ["a", {"b", "c"}, "d"], "bill": ["c", "a"]}),
        Rankings.from_lists(LISTS, query="2"),
        Rankings.from_lists(LISTS).with_weights([1, 2]),
        Rankings.from_lists({**LISTS, "eve": []}),
        LISTS,
    ],
)
def test_a_difference_in_order_ties_items_names_or_weights_is_a_difference(other: object) -> None:
    assert Rankings.from_lists(LISTS) != other


def test_rankings_with_scores_differ_from_the_same_orders_without() -> None:
    orders = Rankings.from_lists([["a", "b"], ["b", "a"]])
    scored = Rankings.from_scores([{"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}])
    assert orders != scored
    assert scored != orders


def test_rankings_cannot_be_changed() -> None:
    made = Rankings.from_lists(LISTS)
    with pytest.raises(AttributeError, match="immutable"):
        made.queries = ("x",)  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del made.items
    for name in ("entries", "tied", "weights", "positions", "list_weights"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(made, name)[0] = 1


def test_the_repr_shows_small_rankings_and_counts_large_ones() -> None:
    assert repr(Rankings.from_lists(LISTS)).split("\n") == [
        "Rankings(1 query, 2 rankers, 4 items)",
        "  ann: a > b = c > d",
        "  bob: c > a",
    ]
    assert repr(Rankings.from_runs(RUNS)) == (
        "Rankings(2 queries, 2 rankers, 4 query-item pairs, lists of 1 to 2, with scores, with ties)"
    )
    hostile = repr(Rankings.from_lists([["a\x1b[31m", "b" * 200]]))
    assert "\x1b" not in hostile
    assert len(hostile) < 250


def test_views_show_items_lists_scores_and_positions() -> None:
    view = Rankings.from_lists(LISTS)["1"]
    assert view.items == ("a", "b", "c", "d")
    assert view.lists == {"ann": [["a"], ["b", "c"], ["d"]], "bob": [["c"], ["a"]]}
    assert view.scores == {"ann": {"a": 4.0, "b": 2.5, "c": 2.5, "d": 1.0}, "bob": {"c": 2.0, "a": 1.0}}
    assert view.positions.tolist() == [[0.0, 1.5, 1.5, 3.0], [1.0, ABSENT, 0.0, ABSENT]]
    assert view.weights.tolist() == [1.0, 1.0]
    assert len(view) == 4
    with pytest.raises(UnknownName, match="no query 'q'"):
        Rankings.from_lists(LISTS)["q"]


def test_dicts_of_scores_order_by_score_or_by_rank() -> None:
    scored = [{"a": 1, "b": 3, "c": 3}]
    assert Rankings.from_scores(scored).to_lists() == {"1": {"1": [["b", "c"], ["a"]]}}
    by_rank = Rankings.from_scores(scored, values="rank")
    assert by_rank.to_lists() == {"1": {"1": [["a"], ["b", "c"]]}}
    assert by_rank.scores is None
    with pytest.raises(InvalidParameter, match=r"'score' \(large = top\)"):
        Rankings.from_scores(scored, values="ranks")


def test_minus_zero_is_zero() -> None:
    assert Rankings.from_scores([{"a": 0.0, "b": -0.0}]).has_ties


def test_runs_with_different_queries_are_joined() -> None:
    made = Rankings.from_runs(RUNS)
    assert made.queries == ("q1", "q2")
    assert made["q2"].rankers == ("x",)
    assert made.to_runs() == RUNS
    assert Rankings.from_runs({"x": {}, "y": {"q": {"a": 1}}}).rankers == ("x", "y")


def test_numbers_as_ids_become_text() -> None:
    assert Rankings.from_lists([[1, 2], ["2"]]).items == ("1", "2")
    for wrong in (1.5, None, True, b"x"):
        with pytest.raises(DataError, match="ids are text or whole numbers"):
            Rankings.from_lists([[wrong]])


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([["a", "b", "a"]], "item 'a' appears twice"),
        ([["a", {"a"}]], "item 'a' appears twice"),
        (["ab"], "expected a best-first list of ids"),
        ("ab", "expected a sequence or mapping"),
        (7, "expected a sequence or mapping"),
    ],
)
def test_wrong_lists_are_refused(lists: Any, message: str) -> None:
    with pytest.raises((DataError, InvalidParameter), match=message):
        Rankings.from_lists(lists)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1", None, True, 10**400])
def test_scores_are_finite_numbers(value: Any) -> None:
    with pytest.raises(DataError, match=r"ranker '1', query '1', item 'a': expected a finite number"):
        Rankings.from_scores([{"a": value}])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_read_by_column_names(frame: Any) -> None:
    made = Rankings.from_runs(RUNS)
    assert Rankings.from_frame(frame(made.to_columns())) == made
    renamed = frame({"qid": [1, 1], "docno": ["a", "b"], "position": [2, 1]})
    by_rank = Rankings.from_frame(renamed, query="qid", item="docno", rank="position")
    assert by_rank.to_lists() == {"1": {"1": [["b"], ["a"]]}}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": ["q"], "score": [1.0]}, "no column 'item'"),
        ({"query": ["q"], "item": ["a"]}, "no column 'score' or 'rank'"),
        ({"query": [1.5], "item": ["a"], "score": [1.0]}, "'query' holds fractions"),
        ({"query": ["q", "q"], "item": ["a", None], "score": [1.0, 2.0]}, "row 2: item ids are text"),
        ({"query": ["q"], "item": ["a"], "score": [float("nan")]}, "row 1: the column 'score' holds nan"),
        ({"query": ["q"], "item": ["a"], "score": ["x"]}, "'score' does not hold numbers"),
        ({"query": ["q", "q"], "item": ["a", "a"], "score": [1.0, 2.0]}, "appears twice in one list: rows 1 and 2"),
    ],
)
def test_wrong_frames_are_refused_with_the_column_or_row(frame: Any, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Rankings.from_frame(frame(columns))


def test_the_words_that_frames_miss_are_suggested() -> None:
    with pytest.raises(DataError, match=r"no column 'scores'; did you mean 'score'\?"):
        Rankings.from_frame(pd.DataFrame({"query": ["q"], "item": ["a"], "score": [1]}), score="scores")


def test_rankers_are_joined_by_query_and_item_id() -> None:
    one, other = Rankings.from_runs({"x": RUNS["x"]}), Rankings.from_runs({"y": RUNS["y"]})
    assert join_rankers([one, other]) == Rankings.from_runs(RUNS)
    with pytest.raises(DataError, match="two inputs name a ranker 'x'"):
        join_rankers([one, one])


def test_candidates_that_one_of_the_inputs_declares_stay_candidates() -> None:
    one, other = Rankings.from_lists({"x": ["a", "b"]}), Rankings.from_lists({"y": ["c"]})
    for parts in ([one, other.replace(declared=True)], [one.replace(declared=True), other]):
        assert join_rankers(parts).take_rankers([1])["1"].items == ("a", "b", "c")
    assert join_rankers([one, other]).take_rankers([1])["1"].items == ("c",)


def test_the_voters_of_a_query_are_those_of_the_rankers_that_have_a_list_for_it() -> None:
    made = Rankings.from_runs(RUNS).replace(multiplicities=np.array([3, 4]))
    assert made.voters.tolist() == [7, 3]


def test_parts_are_joined_by_ranker_name() -> None:
    whole = Rankings.from_runs(RUNS)
    assert join_queries([whole.take_queries([1]), whole.take_queries([0])]) == whole
    with pytest.raises(DataError, match="query 'q1' is in two"):
        join_queries([whole, whole])


def test_lists_with_and_without_scores_stand_side_by_side() -> None:
    mixed = join_rankers([Rankings.from_scores({"x": {"a": 3.0}}), Rankings.from_lists({"y": ["b", "a"]})])
    assert mixed.scores is not None
    assert np.isnan(mixed.scores).tolist() == [False, True, True]
    assert mixed["1"].scores["y"] == {"b": 2.0, "a": 1.0}
    assert mixed == pickle.loads(pickle.dumps(mixed))


def test_best_first_needs_to_know_which_list() -> None:
    made = Rankings.from_runs(RUNS)
    assert made.best_first("q1", ranker="x") == ["a", "b"]
    with pytest.raises(InvalidParameter, match="2 queries"):
        made.best_first(ranker="x")
    with pytest.raises(UnknownName, match="no ranker 'z'"):
        made.best_first("q1", ranker="z")


def test_labels_are_aligned_with_rankings() -> None:
    labels = Labels({"q1": {"a": 2, "b": 0, "z": 1, "n": -1}})
    assert labels.aligned(Rankings.from_runs(RUNS)).tolist() == [2.0, 0.0, UNJUDGED, UNJUDGED]
    assert "n" not in labels["q1"]
    assert labels["q9"] == {}
    assert labels.largest == 2.0
    assert labels == Labels({"q1": {"b": 0, "a": 2, "z": 1}}) == pickle.loads(pickle.dumps(labels))
    assert labels != Labels({"q1": {"a": 1}})
    with pytest.raises(DataError, match="the label is 1001"):
        Labels({"q": {"a": 1001}})
    with pytest.raises(AttributeError, match="immutable"):
        labels._grades = {}


@pytest.mark.parametrize("other", [{"weights": np.array([2.0])}, {"multiplicities": np.array([2])}])
def test_a_ranker_cannot_have_another_weight_in_another_part(other: dict[str, Any]) -> None:
    one, two = (Rankings.from_lists({"r": ["a", "b"]}, query=query) for query in ("q1", "q2"))
    with pytest.raises(DataError, match="the ranker 'r' has one weight or multiplicity here, another there"):
        join_queries([one, two.replace(**other)])


def test_of_equal_rows_of_an_item_the_first_is_kept() -> None:
    twice = [("a", 3.0), ("b", 2.0), ("a", 3.0), ("c", 2.0)]
    kept = stagg.fuse({"x": twice}, duplicates="best")
    assert keep_rows(["a", "b", "a"], [3.0, 2.0, 3.0], "x", "best") == [0, 1]
    assert kept.best_first() == stagg.fuse({"x": [twice[0], twice[1], twice[3]]}).best_first()
