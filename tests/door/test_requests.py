"""What people hold in memory goes into ``fuse`` with one meaning; what has two is refused, and both calls are shown."""

from __future__ import annotations

import dataclasses
import types
import uuid
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import stagg
from stagg import DataError, InvalidParameter, Rankings, UnknownName

pandas = pytest.importorskip("pandas")

U1, U2, U3 = (uuid.UUID(int=number) for number in (1, 2, 3))


def order(given: Any, **options: Any) -> list[Any]:
    """The items of the consensus, best first."""
    return [hit.item for hit in stagg.fuse(given, **options).hits()]


# --- scored hits ------------------------------------------------------------------------------------------------------


def test_pairs_are_scored_hits_and_scores_never_become_items() -> None:
    fused = stagg.fuse({"bm25": [("d1", 12), ("d2", 9)], "dense": [("d2", 8)]})
    assert fused.best_first() == ["d2", "d1"]
    assert fused.hits()[0].scores == {"bm25": 9.0, "dense": 8.0}


def test_pairs_may_hold_any_kind_of_number_and_come_in_any_order() -> None:
    for numbers in [(20.0, 9.5), (np.float32(20), np.int64(9)), (Decimal("20.5"), 9)]:
        assert order({"bm25": [("d2", numbers[1]), ("d1", numbers[0])], "dense": [("d1", 8)]}) == ["d1", "d2"]


def test_pairs_dicts_and_sorted_lists_say_the_same() -> None:
    pairs = {"x": [("b", 1.0), ("a", 2.0)], "y": [("c", 5.0)]}
    dicts = {name: dict(hits) for name, hits in pairs.items()}
    assert Rankings.from_scores(dicts) == Rankings.from_lists(pairs)
    assert order(pairs) == order(dicts) == order({"x": ["a", "b"], "y": ["c"]})


def test_lists_with_and_without_scores_go_together() -> None:
    fused = stagg.fuse({"bm25": [("d1", 12.0), ("d2", 9.0)], "dense": ["d2"], "title": {"d2": 3.0}})
    assert fused.hits()[0].ranks == {"bm25": 2, "dense": 1, "title": 1}
    assert fused.hits()[0].scores == {"bm25": 9.0, "title": 3.0}


def test_runs_may_hold_lists_and_pairs() -> None:
    fused = stagg.fuse({"x": {"q1": ["a", "b"]}, "y": {"q1": [("b", 3), ("c", 2)], "q2": {"a": 1}}})
    assert {query: list(items) for query, items in fused.to_dict().items()} == {"q1": ["b", "a", "c"], "q2": ["a"]}


def test_columns_of_frames_and_arrays_are_lists() -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    given = [pandas.Series(["a", "b"]), polars.Series(["b"]), pyarrow.array(["b", "c"]), np.array(["c"])]
    assert order(given) == order([["a", "b"], ["b"], ["b", "c"], ["c"]])


@dataclasses.dataclass(frozen=True)
class FrozenHit:
    """A hit that can be hashed and has a text, as an id."""

    id: str
    score: float


# --- what has two readings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "calls"),
    [
        ([[["d1", 12], ["d2", 9]]], ["fuse([[('d1', 12), …], …])", "fuse([[{'d1', '12'}, …], …])"]),
        ([[[3, 12], [5, 9]]], ["fuse([[(3, 12), …], …])", "fuse([[{'3', '12'}, …], …])"]),
        ([["d1", 12], ["d2", 9]], ["fuse([[('d1', 12), …], …])", "fuse([['d1', '12', …], …])"]),
        ([["d1", 12.5, "d2", 9.25]], ["fuse([[('d1', 12.5), …], …])", "fuse([['d1', '12.5', …], …])"]),
        ([[{"d1", 2}, "d3"]], ["fuse([[('d1', 2), …], …])", "'2'"]),
        ([[["d1", 2, "d4"], "d3"]], ["fuse([[{'d1', '2', 'd4'}, …], …])"]),
        ([("d1", 12), ("d2", 9)], ["fuse([[('d1', 12), …], …])", "fuse([['d1', '12'], …])"]),
        ([("d1", "d2"), ("d2", "d3")], ["fuse([['d1', 'd2'], …])", "fuse([[{'d1', 'd2'}, …], …])"]),
        ([[("d1", "d2"), "d3"]], ["fuse([['d1', 'd2', …], …])", "fuse([[{'d1', 'd2'}, …], …])"]),
        ([{"item": 1, "score": 3}], ["fuse(rows, columns={'item': 'item', 'score': 'score'})"]),
        ([{"id": 1, "score": 3}, {"id": 2, "score": 2}], ["(hit['id'], hit['score'])", "Rankings.from_scores(…)"]),
        (
            [{"_id": "d1", "_score": 3.5}],
            ["(hit['_id'], hit['_score'])", "columns={'item': '_id', 'score': '_score'}"],
        ),
        ([{"doc": 4, "rank": 1}], ["fuse(rows, columns={'item': 'doc', 'rank': 'rank'})"]),
        ({"item": ["a", "b"], "score": [2, 1]}, ["fuse(pandas.DataFrame(…), ", "Rankings.from_lists(…)"]),
        ([[{"id": "d1", "score": 3}]], ['[(hit["id"], hit["score"]) for hit in hits]']),
        ([[("d1", 3, {"title": "x"})]], ["a scored hit is a tuple of two"]),
        ([[("d1", 3), "d2"]], ["give every item a score, or none"]),
        ([[("d1", "3")]], ["fuse([['d1', '3', …], …])", "(id, float(score))"]),
        ([[(0.5, "d1")]], ["write the id first: ('d1', 0.5)"]),
        (["d1", "d2"], ["fuse([['d1', …], …])", "stagg.read"]),
        ({"d1": 3.5, "d2": 1.0}, ["fuse({'bm25': {item: number, …}, …})"]),
        ([{"d1", "d2"}], ["a set has no order"]),
        ([[b"d1"]], ["id.decode()"]),
        ([[FrozenHit("d1", 2.5)]], ["[(hit.id, hit.score) for hit in hits]"]),
        ([[(FrozenHit("d1", 2.5), 0.5)]], ["hit.id"]),
        ([[types.SimpleNamespace(id=7, score=0.5)]], ["[(hit.id, hit.score) for hit in hits]"]),
        ({"bm25": {"took": 3, "hits": {"hits": [{"_id": "d1"}]}}}, ['for hit in response["hits"]["hits"]']),
        ({"bm25": pandas.Series([12, 9], index=["d1", "d2"])}, ["series.to_dict()", "series.to_list()"]),
        ({"bm25": {"d1": float("nan")}}, ["leave the item out"]),
    ],
)
def test_what_has_two_readings_is_refused_and_both_calls_are_shown(given: Any, calls: list[str]) -> None:
    with pytest.raises((InvalidParameter, DataError)) as refused:
        stagg.fuse(given)
    for call in calls:
        assert call in str(refused.value)


def test_the_calls_that_a_refusal_shows_do_work() -> None:
    assert order([[("d1", 12), ("d2", 9)]]) == ["d1", "d2"]
    assert stagg.fuse([[{"d1", "12"}, "d3"]]).best_first() == ["d1", "12", "d3"]
    assert order([["d1", "d2"], ["d2", "d3"]]) == ["d2", "d1", "d3"]
    assert order(Rankings.from_scores([{"item": 2, "score": 3}])) == ["score", "item"]
    hits, places = [{"_id": "d1", "_score": 3.5}], [{"doc": 4, "rank": 2}, {"doc": 5, "rank": 1}]
    assert stagg.fuse(hits, columns={"item": "_id", "score": "_score"}).best_first() == ["d1"]
    assert stagg.fuse(places, columns={"item": "doc", "rank": "rank"}).best_first() == [5, 4]
    assert order(Rankings.from_lists({"item": ["a"], "score": ["b", "a"]})) == ["a", "b"]


def test_a_list_of_rows_with_items_that_are_texts_is_a_long_table() -> None:
    rows: list[dict[str, Any]] = [
        {"query": "q1", "ranker": "x", "item": "a", "score": 1.5, "title": "A"},
        {"query": "q1", "ranker": "x", "item": "b", "score": 2.5},
        {"query": "q1", "ranker": "y", "item": "b", "score": 0.5},
        {"query": "q2", "ranker": "y", "item": "c", "score": 0.5},
    ]
    read = stagg.fuse(rows)
    framed = stagg.fuse(pandas.DataFrame(rows))
    assert {q: read.best_first(q) for q in read.queries} == {q: framed.best_first(q) for q in framed.queries}
    assert order([{"item": "a", "rank": 2}, {"item": "b", "rank": 1}]) == ["b", "a"]
    with pytest.raises(DataError, match="the column 'score' does not hold numbers"):
        stagg.fuse([{"item": "a", "score": "high"}])
    with pytest.raises(DataError, match="appears twice"):
        stagg.fuse([{"item": "a", "score": 1}, {"item": "a", "score": 2}])
    assert stagg.fuse([{"qid": "1", "item": "a", "score": 1}]).queries == ("1",)


def test_a_tied_group_is_a_set_or_a_list_of_ids() -> None:
    for group in ({"a", "b"}, frozenset("ab"), ["a", "b"], {1, 2}):
        fused = stagg.fuse([[group, "z"]] if group != {1, 2} else [[group, 9]])
        assert fused.hits()[0].score == fused.hits()[1].score > fused.hits()[2].score


def test_a_named_list_may_be_a_tuple() -> None:
    assert order({"bm25": ("a", "b"), "dense": ("b", "c")}) == ["b", "a", "c"]
    with pytest.raises(InvalidParameter, match="mixes texts and numbers"):
        stagg.fuse({"bm25": ("d1", 12)})


def test_files_are_read_by_read() -> None:
    with pytest.raises(InvalidParameter, match=r"read files by stagg\.read"):
        stagg.fuse("runs/bm25.trec")


# --- nested dicts -----------------------------------------------------------------------------------------------------


def test_a_dict_of_scored_dicts_is_read_by_ranker_and_outer_says_otherwise() -> None:
    given = {"x": {"a": 1.0, "b": 2.0}, "y": {"b": 1.0}}
    assert stagg.fuse(given).to_dict().keys() == {"1"}
    assert stagg.fuse(given, outer="ranker") == stagg.fuse(given)
    by_query = stagg.fuse(given, outer="query").to_dict()
    assert {query: list(items) for query, items in by_query.items()} == {"x": ["b", "a"], "y": ["b"]}


def test_outer_turns_runs_inside_out() -> None:
    by_ranker = {"bm25": {"q1": {"a": 1.0}, "q2": {"b": 2.0}}, "dense": {"q1": {"c": 1.0}}}
    by_query = {"q1": {"bm25": {"a": 1.0}, "dense": {"c": 1.0}}, "q2": {"bm25": {"b": 2.0}}}
    assert stagg.fuse(by_query, outer="query") == stagg.fuse(by_ranker)


@pytest.mark.parametrize(
    ("given", "outer", "message"),
    [
        ([["a"]], "query", "this is a list: its members are rankers"),
        ({"a": {"b": 1}}, "topic", "outer is 'ranker' or 'query'"),
        ({"q1": [["a", "b"], ["b"]]}, "query", r"fuse\(\{query: \{ranker"),
        ({"x": {"q": {"a": 1}}, "y": {"a": 1}}, None, "ranker 'y' has one list, others have runs"),
        ({"x": {"q": {"a": 1}, "b": 2}}, None, "numbers and lists side by side"),
    ],
)
def test_nesting_that_does_not_fit_is_refused(given: Any, outer: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        stagg.fuse(given, outer=outer)


# --- rankers that failed ----------------------------------------------------------------------------------------------


def test_a_ranker_that_failed_is_left_out_and_named() -> None:
    fused = stagg.fuse({"bm25": ["a", "b"], "dense": None})
    assert fused.absent == ("dense",)
    assert fused == stagg.fuse({"bm25": ["a", "b"]})
    assert stagg.fuse([["a"], None]).absent == ("2",)
    assert stagg.fuse({"x": {"q": {"a": 1}}, "y": None}).absent == ("y",)
    assert stagg.fuse([["a"], ["b"]]).absent == ()


def test_weights_count_and_may_name_rankers_that_failed() -> None:
    assert order([["a", "b"], None, ["b", "a"]], weights=[1, 9, 2]) == ["b", "a"]
    assert order({"x": ["a", "b"], "y": None, "z": ["b", "a"]}, weights={"y": 9, "z": 2}) == ["b", "a"]
    with pytest.raises(InvalidParameter, match="2 weights for 3 rankers"):
        stagg.fuse([["a"], None, ["b"]], weights=[1, 2])


def test_a_ranker_that_failed_changes_no_score_whatever_the_method() -> None:
    for method in ("rrf(compat='haystack')", "borda", "mean_rank", "stagg_rrf", "kemeny"):
        with_none = stagg.fuse([["a", "b"], None, ["b", "c"]], method).to_dict()
        assert with_none == stagg.fuse([["a", "b"], ["b", "c"]], method).to_dict()


def test_nothing_is_left_when_all_failed_and_that_is_a_warning() -> None:
    with pytest.warns(stagg.DataWarning, match="nothing was fused: every ranker failed"):
        fused = stagg.fuse([None, None])
    assert fused.hits() == []
    assert fused.absent == ("1", "2")


def test_who_was_absent_survives_a_cut() -> None:
    assert stagg.fuse([["a", "b"], None], top=1).absent == ("2",)


# --- empty and repeated ids -------------------------------------------------------------------------------------------


def test_an_empty_id_is_an_error_that_names_the_list_and_the_place() -> None:
    with pytest.raises(DataError, match=r"ranker '1', place 3: the item id is empty"):
        stagg.fuse([["Cleo", "Ben", ""], ["Ben", "Cleo"]])
    with pytest.raises(DataError, match=r"ranker 'x', place 2: the item id is empty"):
        stagg.fuse({"x": [("a", 2), ("", 1)]})
    for given in ([{"": 1.0}], {"": ["a"]}, {"x": {"": {"a": 1}}}, [["a", {"", "b"}]]):
        with pytest.raises(DataError, match="id is empty"):
            stagg.fuse(given)


def test_an_item_that_comes_twice_is_refused_with_its_places_and_the_remedy() -> None:
    with pytest.raises(DataError, match=r"ranker 'x': the item 'a' appears twice.*places 1 and 3.*duplicates="):
        stagg.fuse({"x": ["a", "b", "a"]})


def test_the_better_or_the_first_of_an_item_that_comes_twice_is_kept() -> None:
    hits = {"x": [("a", 1.0), ("b", 2.0), ("a", 3.0)]}
    assert [hit.scores for hit in stagg.fuse(hits, duplicates="best").hits()] == [{"x": 3.0}, {"x": 2.0}]
    assert [hit.scores for hit in stagg.fuse(hits, duplicates="first").hits()] == [{"x": 2.0}, {"x": 1.0}]
    for keep in ("best", "first"):
        assert order([["a", "b", "a"]], duplicates=keep) == ["a", "b"]
        assert stagg.fuse([[1, 1, 2]], duplicates=keep) == stagg.fuse([[1, 2]])
    with pytest.raises(InvalidParameter, match="duplicates is 'error', 'best' or 'first'"):
        stagg.fuse([["a"]], duplicates="last")  # type: ignore[arg-type]


# --- ids as objects ---------------------------------------------------------------------------------------------------


def test_ids_come_back_as_the_objects_that_they_were() -> None:
    assert order([[1, 2], [2, 3]]) == [2, 1, 3]
    assert order([[U1, U2], [U2, U3]]) == [U2, U1, U3]
    assert order([[np.int64(1), np.int64(2)]]) == [1, 2]
    assert type(order([[np.int64(1)]])[0]) is int
    assert order({"x": {7: 0.5, 8: 0.25}}) == [7, 8]
    assert stagg.fuse([[1, 2], [2]]).best_first() == [2, 1]
    assert stagg.fuse({"x": {10: {U1: 1.0}}}).to_dict() == {10: {U1: pytest.approx(1 / 61)}}


def test_items_of_equal_text_are_the_same_item_and_the_first_object_comes_back() -> None:
    assert order([[1, 2], ["1"]]) == [1, 2]
    assert order([["1"], [1, 2]]) == ["1", 2]
    assert order([[U1], [str(U1)]]) == [U1]


def test_ties_of_objects_go_by_text() -> None:
    assert order([[9], [10]]) == [9, 10]
    assert order([["9"], ["10"]]) == ["9", "10"]


def test_objects_survive_weights_depth_top_and_a_second_fusion() -> None:
    given = {"x": [1, 2, 3], "y": [3, 4], "z": [5]}
    fused = stagg.fuse(given, weights={"z": 0}, depth=2, top=2)
    assert {type(hit.item) for hit in fused.hits()} == {int}
    assert stagg.fuse(fused).best_first() == fused.best_first()


def test_queries_are_found_by_object_and_by_text() -> None:
    fused = stagg.fuse({"x": {7: {"a": 1.0}, 8: {"b": 1.0}}})
    assert fused.hits(7) == fused.hits("7")
    assert fused.best_first(8) == ["b"]
    with pytest.raises(UnknownName, match="no query '9'"):
        fused.hits(9)


@pytest.mark.parametrize(
    "wrong", [1.5, None, True, b"x", object(), len, float("nan")], ids=lambda wrong: type(wrong).__name__
)
def test_what_has_no_text_of_its_own_is_no_id(wrong: Any) -> None:
    with pytest.raises(DataError, match="ids are text or whole numbers"):
        stagg.fuse([[wrong]])


def test_weights_may_be_named_by_number() -> None:
    assert order({1: ["a", "b"], 2: ["b", "a"]}, weights={2: 2}) == ["b", "a"]


# --- thresholds -------------------------------------------------------------------------------------------------------


def test_only_items_that_enough_lists_hold_are_kept_with_their_scores() -> None:
    lists = [["a", "b"], ["b", "c"], ["c", "b"]]
    whole = stagg.fuse(lists).to_dict()["1"]
    assert stagg.fuse(lists, min_lists=2).to_dict()["1"] == {item: whole[item] for item in ("b", "c")}
    assert stagg.fuse(lists, min_lists=4).hits() == []
    assert stagg.fuse(lists, min_lists=2, top=1).best_first() == ["b"]
    assert stagg.fuse(lists, min_lists=1) == stagg.fuse(lists)
    with pytest.raises(InvalidParameter, match="min_lists must be a whole number, 1 or more"):
        stagg.fuse(lists, min_lists=0)


def test_intervals_count_the_ranks_of_the_items_that_are_kept() -> None:
    lists = [[f"only{k}", "b", "c"] for k in range(4)]
    fused = stagg.fuse(lists, "borda", min_lists=2, intervals=0.9, draws=50)
    assert [(hit.item, hit.low, hit.high) for hit in fused.hits()] == [("b", 1, 1), ("c", 2, 2)]


def test_intervals_of_what_is_kept_stay_with_their_query() -> None:
    runs = {f"r{k}": {q: {f"only{k}": 9.0, "b": 2.0, q: 1.0} for q in ("q1", "q2")} for k in range(4)}
    fused = stagg.fuse(runs, "borda", min_lists=2, intervals=0.9, draws=50)
    for query in ("q1", "q2"):
        assert [(hit.item, hit.low, hit.high) for hit in fused.hits(query)] == [("b", 1, 1), (query, 2, 2)]


def test_low_scores_are_dropped_before_the_fusion() -> None:
    given = {"bm25": {"a": 9.0, "b": 1.0, "c": 0.5}, "dense": {"b": 0.7, "c": 0.1}}
    assert order(given, min_score=0.5) == order({"bm25": ["a", "b", "c"], "dense": ["b"]})
    assert order(given, min_score={"bm25": 5}) == order({"bm25": ["a"], "dense": ["b", "c"]})
    assert order(given, min_score=100) == []
    with pytest.raises(UnknownName, match=r"'bm52', which the input does not have; did you mean 'bm25'"):
        stagg.fuse(given, min_score={"bm52": 1})
    with pytest.raises(DataError, match="min_score needs scores, and ranker '1' has none"):
        stagg.fuse([["a"]], min_score=1)
    with pytest.raises(InvalidParameter, match="min_score is a number"):
        stagg.fuse(given, min_score="high")  # type: ignore[arg-type]


BOUNDED = [
    "rrf",
    "borda",
    "isr",
    "log_isr",
    "rbc",
    "votecount",
    "combsum",
    "combmnz",
    "combmax",
    "stagg_rrf",
    "stagg_bc",
]


@pytest.mark.parametrize("method", [*BOUNDED, "rrf(compat='qdrant')", "borda(missing='below')"])
def test_first_in_every_list_is_one_and_nothing_is_more(method: str) -> None:
    rng = np.random.default_rng(3)
    lists = {f"r{k}": {f"d{i}": float(s) for i, s in enumerate(rng.random(8)) if s > 0.3} for k in range(3)}
    first = {name: {"top": 2.0, **scored} for name, scored in lists.items()}
    for weights in (None, {"r0": 3.0}, {"r1": 0}):
        scaled = stagg.fuse(first, method, weights=weights, scale="first").hits()
        assert next(hit.score for hit in scaled if hit.item == "top") == 1.0
        assert all(0 <= hit.score <= 1 for hit in scaled)
        plain = [hit.item for hit in stagg.fuse(first, method, weights=weights).hits()]
        assert [hit.item for hit in scaled] == plain


def test_the_scale_is_the_same_whether_or_not_an_item_is_first_everywhere() -> None:
    scaled = stagg.fuse([["a", "b"], ["b", "a"]], scale="first").to_dict()["1"]
    assert scaled["a"] == pytest.approx((1 / 61 + 1 / 62) / (2 / 61))


@pytest.mark.parametrize("method", ["mean_rank", "kemeny", "mc4", "median_rank", "combsum(norm='z-score')"])
def test_a_scale_without_meaning_is_refused_with_the_reason(method: str) -> None:
    with pytest.raises(InvalidParameter, match=r"scale='first' has no meaning for .*: (its score|with norm)"):
        stagg.fuse([["a", "b"], ["b"]], method, scale="first")


# --- the twin ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"x": {"a": 1.0, "b": 2}, "y": {"b": 3.5}},
        {"x": [("a", 1.0), ("b", 2)], "y": [("b", 3.5), ("c", 3.5)]},
        [[("a", 1.0)], {"b": 2.0, "a": 2.0}, []],
        {"x": ["a", "b"], "y": []},
    ],
)
def test_requests_say_the_same_with_and_without_the_twin(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = stagg.fuse(given, "combsum(norm='rank')")
    seen = (mine.to_dict(), [(hit.item, hit.rank, hit.score, hit.ranks, hit.scores) for hit in mine.hits()])
    monkeypatch.setattr("stagg.kernels.text.requests.twin", lambda name: None)
    theirs = stagg.fuse(given, "combsum(norm='rank')")
    assert seen == (theirs.to_dict(), [(hit.item, hit.rank, hit.score, hit.ranks, hit.scores) for hit in theirs.hits()])


@pytest.mark.parametrize("given", [{"x": [("a", 1), ("a", 2)]}, {"x": {"": 1}}, {"x": {"id": 1, "score": 2}}])
def test_the_twin_leaves_what_is_unusual_to_the_careful_way(given: Any) -> None:
    with pytest.raises(stagg.StaggError):
        stagg.fuse(given)


@pytest.mark.parametrize(
    "given",
    [
        {"ann": {"a": 1, "b": 2}, "bob": {"a": 1, "b": 2, "c": 3}},
        {"ann": [("a", 1), ("b", 2)], "bob": [("b", 2), ("c", 3), ("a", 1)]},
        [{"a": 0.5, "b": 1.5}, {"c": 9, "a": 7, "b": 8}],
        {"ann": {"q": {"a": 1, "b": 2}}, "bob": {"q": {"a": 1, "b": 2, "c": 3}}},
    ],
)
def test_numbers_are_scores_unless_they_are_said_to_be_ranks(given: Any) -> None:
    assert stagg.fuse(given, values="rank").best_first() == ["a", "b", "c"]
    assert stagg.fuse(given).best_first() == stagg.fuse(given, values="score").best_first() != ["a", "b", "c"]


def test_values_are_for_numbers_without_a_name() -> None:
    with pytest.raises(InvalidParameter, match="score or rank"):
        stagg.fuse(pandas.DataFrame({"item": ["a"], "rank": [1]}), values="rank")
    with pytest.raises(InvalidParameter, match="values is"):
        stagg.fuse([{"a": 1}], values="ranks")


@pytest.mark.parametrize("wrong", [1, "abc", 2.5])
def test_what_is_no_list_beside_lists_of_queries_is_refused(wrong: object) -> None:
    with pytest.raises(stagg.InvalidParameter, match="query 'q2': expected a best-first list of ids"):
        stagg.fuse({"q1": ["a", "b"], "q2": wrong}, outer="query")


def test_lists_of_queries_may_come_from_iterators() -> None:
    assert list(stagg.fuse({"q1": iter(["a", "b"])}, outer="query").to_dict()["q1"]) == ["a", "b"]
