"""Documents of any class, fused: what identifies them, what the legs said, whose metadata count, pages."""

from __future__ import annotations

import copy
import dataclasses
import uuid
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stagg
from stagg import DataError, DataWarning, InvalidParameter, UnknownName
from stagg.search.documents import DocumentFusion, fuse_documents
from stagg.search.retrieve import search

IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)
LISTS = st.lists(IDS, min_size=1, max_size=4)
METHODS = ("rrf(c=60)", "borda", "stagg_rrf", "combsum(norm='rank')", "kemeny")


@dataclasses.dataclass(frozen=True)
class Point:
    """A hit as a client of a database has it."""

    key: Any
    number: float | None = None
    payload: dict[str, Any] = dataclasses.field(default_factory=dict)


def quietly(*args: Any, **options: Any) -> Any:
    """Random lists may have nothing in common, which is not what is tested."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return fuse_documents(*args, **options)


# --- the same as fuse -------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(lists=LISTS, method=st.sampled_from(METHODS))
def test_documents_come_in_the_order_and_with_the_numbers_of_fuse(lists: list[list[str]], method: str) -> None:
    expected = stagg.fuse(lists, method).hits()
    found = quietly([[Point(each) for each in one] for one in lists], method, identity="key")
    assert [(each.id, each.rank, each.score) for each in found] == [(hit.item, hit.rank, hit.score) for hit in expected]
    assert [each.ranks for each in found] == [hit.ranks for hit in expected]


@settings(max_examples=60, deadline=None)
@given(lists=st.lists(st.dictionaries(st.sampled_from("abcdefg"), st.integers(-5, 5)), min_size=1, max_size=4))
def test_scores_distances_and_relevance_agree_with_fuse(lists: list[dict[str, int]]) -> None:
    rows = [[{"id": item, "n": float(number)} for item, number in one.items()] for one in lists]
    turned = [[{"id": each["id"], "n": -each["n"]} for each in one] for one in rows]
    expected = stagg.fuse(lists, "rrf(c=60)").hits()
    shares = [hit.score for hit in stagg.fuse(lists, "rrf(c=60)", scale="first").hits()]
    for given_rows, direction, sign in ((rows, "score", 1.0), (turned, "distance", -1.0)):
        found = quietly(given_rows, score="n", direction=direction)
        assert [(each.id, each.score) for each in found] == [(hit.item, hit.score) for hit in expected]
        assert [each.scores for each in found] == [
            {leg: sign * score for leg, score in (hit.scores or {}).items()} for hit in expected
        ]
        assert [each.relevance for each in found] == shares


@settings(max_examples=40, deadline=None)
@given(lists=LISTS, depth=st.integers(1, 4))
def test_one_depth_is_that_of_fuse_and_depths_by_leg_cut_each_leg(lists: list[list[str]], depth: int) -> None:
    assert [each.id for each in quietly(lists, depth=depth)] == stagg.fuse(lists, depth=depth).best_first()
    first_only = [lists[0][:depth], *lists[1:]]
    assert [each.id for each in quietly(lists, depth={"1": depth})] == stagg.fuse(first_only).best_first()


def test_thresholds_and_weights_are_passed_on() -> None:
    lists = {"bm25": [("a", 9.0), ("b", 2.0)], "dense": [("b", 0.7), ("c", 0.2)]}
    rows = {name: [Point(*each) for each in listed] for name, listed in lists.items()}
    for options in (
        {"min_score": {"bm25": 5, "dense": 0.5}},
        {"min_lists": 2},
        {"scale": "first"},
        {"weights": {"dense": 3}, "top": 2},
        {"missing": "below", "method": "borda"},
    ):
        found = quietly(rows, identity="key", score="number", **options)
        assert [(each.id, each.score) for each in found] == [
            (hit.item, hit.score)
            for hit in stagg.fuse(lists, **options).hits()  # type: ignore[arg-type]
        ]


def test_a_method_without_a_bound_has_no_relevance() -> None:
    assert [each.relevance for each in fuse_documents([["a", "b"], ["a"]], "kemeny")] == [None, None]


# --- what identifies a document ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identity", "ids"),
    [
        ("key", [7]),
        ("payload.url", ["/tea"]),
        (lambda point: point.payload["url"].upper(), ["/TEA"]),
        ({"bm25": "key", "dense": lambda point: str(point.key)}, [7]),
    ],
)
def test_an_attribute_a_path_a_function_or_one_for_each_leg(identity: Any, ids: list[Any]) -> None:
    point = Point(7, payload={"url": "/tea"})
    found = fuse_documents({"bm25": [point], "dense": [point]}, identity=identity)
    assert [each.id for each in found] == ids
    assert found[0].document is point


def test_ids_come_back_as_they_came_and_equal_texts_are_one_document() -> None:
    key = uuid.uuid4()
    found = fuse_documents({"a": [{"id": key}, {"id": 12}], "b": [{"id": "12"}, {"id": str(key)}]})
    assert {each.id for each in found} == {key, 12}


@pytest.mark.parametrize("document", [{"name": "x"}, Point(1), {"id": None}, {"id": ["a"]}, {"id": ""}])
def test_a_document_without_an_id_is_an_error_that_says_where(document: Any) -> None:
    with pytest.raises(DataError, match=r"leg 'dense'.* 2"):
        fuse_documents({"bm25": [{"id": 1}], "dense": [{"id": 1}, document]})


def test_legs_with_different_ids_are_noticed() -> None:
    lists = {"bm25": [{"id": "doc-1"}, {"id": "doc-2"}], "dense": [{"id": 1}, {"id": 2}]}
    with pytest.warns(DataWarning, match="bm25 and dense share no item; their ids look like doc-1 and 1; say what"):
        assert fuse_documents(lists).disjoint
    with pytest.warns(DataWarning, match="^dense shares no item .* ids look like 1, the others' like doc-1; say what"):
        assert fuse_documents({**lists, "sparse": lists["bm25"]}).disjoint
    assert not fuse_documents({"bm25": lists["bm25"], "dense": []}).disjoint
    assert not fuse_documents({"bm25": lists["bm25"], "dense": None}).disjoint
    repaired = fuse_documents(lists, identity={"dense": lambda document: f"doc-{document['id']}"})
    assert [each.ranks for each in repaired] == [{"bm25": 1, "dense": 1}, {"bm25": 2, "dense": 2}]


def test_many_requests_with_different_ids_leave_nothing_behind() -> None:
    """Python keeps each text that it has warned with: one for every request would fill the memory of a service."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for number in range(100):
            fuse_documents({"a": [f"a{number}", "a"], "b": [f"{number}", f"0{number}"]})
    assert len(said) == 1


def test_a_short_leg_that_differs_is_said_by_the_flag_alone() -> None:
    assert fuse_documents([["a", "b"], ["b"], ["c"]]).disjoint
    assert not fuse_documents([["a", "b"], ["b"], ["a"]]).disjoint


# --- metadata ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("merge", ["first", "last", "none", lambda held: next(iter(held.values()))])
def test_metadata_share_no_object_with_the_documents(merge: Any) -> None:
    lists = {
        name: [{"id": 1, "tags": ["a"], "where": {"page": [1]}, "pair": (["x"],), "kinds": {"k"}, name: [name]}]
        for name in ("bm25", "dense")
    }
    before = copy.deepcopy(lists)
    [found] = fuse_documents(lists, merge=merge)
    found.metadata["tags"].append("b")
    found.metadata["where"]["page"].append(2)
    found.metadata["where"]["more"] = 1
    found.metadata["pair"][0].clear()
    found.metadata["kinds"].clear()
    for name in found.metadata.keys() & {"bm25", "dense"}:
        found.metadata[name].clear()
    assert lists == before
    assert found.document is lists["bm25"][0]


def test_metadata_that_hold_themselves_or_are_nested_deep_are_copied() -> None:
    loop: dict[str, Any] = {"id": "a"}
    loop["self"] = [loop]
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    found = fuse_documents([[loop, {"id": "b", "deep": deep}]])
    assert found[0].metadata["self"][0] is found[0].metadata["self"][0]["self"][0]
    assert found[0].metadata["self"][0] is not loop
    copied, levels = found[1].metadata["deep"], 0
    while copied:
        copied, levels = copied[0], levels + 1
    assert levels == 100_000


# --- duplicates, distances, legs that gave nothing --------------------------------------------------------------------


def test_a_document_twice_in_a_leg_counts_once() -> None:
    chunks = [{"id": "d1", "n": 1.0}, {"id": "d2", "n": 2.0}, {"id": "d1", "n": 3.0}]
    best = fuse_documents([chunks], score="n")
    assert [(each.id, each.document["n"]) for each in best] == [("d1", 3.0), ("d2", 2.0)]
    first = fuse_documents([chunks], score="n", duplicates="first")
    assert [(each.id, each.document["n"]) for each in first] == [("d2", 2.0), ("d1", 1.0)]
    near = fuse_documents([chunks], score="n", direction="distance")
    assert [(each.id, each.document["n"]) for each in near] == [("d1", 1.0), ("d2", 2.0)]
    with pytest.raises(DataError, match="'d1' appears twice"):
        fuse_documents([chunks], duplicates="error")


def test_distances_without_numbers_are_refused() -> None:
    with pytest.raises(DataError, match=r"leg 'dense': direction says .* score="):
        fuse_documents({"dense": [{"id": 1}]}, direction={"dense": "distance"})


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "0.9", True])
def test_a_score_that_is_no_number_is_refused(bad: Any) -> None:
    with pytest.raises(DataError, match="leg 'dense', document 2: the score is"):
        fuse_documents({"dense": [{"id": 1, "n": 1.0}, {"id": 2, "n": bad}]}, score="n")


def test_a_leg_of_which_some_documents_have_no_score_is_taken_in_its_order() -> None:
    rows = [{"id": "a", "n": 1.0}, {"id": "b"}, {"id": "c", "n": 9.0}]
    assert [each.id for each in fuse_documents([rows], score="n")] == ["a", "b", "c"]


def test_the_least_score_of_distances_is_the_largest_distance() -> None:
    rows = {"bm25": [Point("a", 9.0), Point("b", 1.0)], "dense": [Point("a", 0.1), Point("c", 0.9)]}
    options: dict[str, Any] = {"identity": "key", "score": "number", "direction": {"dense": "distance"}}
    assert [each.id for each in fuse_documents(rows, min_score={"dense": 0.5, "bm25": 5}, **options)] == ["a"]
    with pytest.raises(InvalidParameter, match="some legs give distances"):
        fuse_documents(rows, min_score=0.5, **options)


@pytest.mark.parametrize("method", [*METHODS, "combsum"])
def test_nothing_found_is_an_empty_result(method: str) -> None:
    found = fuse_documents({"bm25": [], "dense": None}, method)
    assert list(found) == []
    assert found.answered == ("bm25",)
    assert found.skipped == {"dense": "it gave no list"}


def test_options_may_name_a_leg_that_failed_and_no_other() -> None:
    lists = {"bm25": [Point("a", 1.0)], "dense": None}
    options: dict[str, Any] = {
        "weights": {"dense": 2},
        "min_score": {"dense": 0.3},
        "depth": {"dense": 10},
        "direction": {"dense": "distance"},
    }
    found = fuse_documents(lists, identity="key", score={"bm25": "number"}, **options)
    assert [each.relevance for each in found] == [1.0]
    for option, value in options.items():
        with pytest.raises(UnknownName, match="'dens"):
            fuse_documents(lists, identity="key", score="number", **{option: {"dens": value["dense"]}})  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "up"}, "direction is 'score' or 'distance'"),
        ({"merge": "both"}, "merge is"),
        ({"duplicates": "all"}, "duplicates is"),
        ({"depth": {"a": 0}}, "depth"),
        ({"top": 0}, "top"),
    ],
)
def test_wrong_options_are_refused_before_there_are_documents(options: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        DocumentFusion(**options)


# --- metadata ---------------------------------------------------------------------------------------------------------

LEGS = {
    "bm25": [Point(1, payload={"title": "Tea", "lang": None})],
    "dense": [Point(1, payload={"title": "tea (cached)", "lang": "en", "vector": 3})],
}


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ("first", {"title": "Tea", "lang": None, "vector": 3}),
        ("last", {"title": "tea (cached)", "lang": "en", "vector": 3}),
        ("none", {"title": "Tea", "lang": None}),
        (lambda held: {leg: len(metadata) for leg, metadata in held.items()}, {"bm25": 2, "dense": 3}),
    ],
)
def test_metadata_are_merged_by_the_rule_that_you_choose(merge: Any, expected: dict[str, Any]) -> None:
    assert fuse_documents(LEGS, identity="key", merge=merge)[0].metadata == expected


def test_what_was_given_is_left_as_it_was() -> None:
    row = {"id": 1, "title": "Tea"}
    found = fuse_documents({"a": [row], "b": [{"id": 1, "lang": "en"}]})
    found[0].metadata["title"] = "changed"
    assert row == {"id": 1, "title": "Tea"}
    assert found[0].document is row


# --- pages ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(lists=LISTS, size=st.integers(1, 4))
def test_pages_have_every_document_once_in_order(lists: list[list[str]], size: int) -> None:
    seen: list[Any] = []
    after = None
    while True:
        page = quietly(lists).page(size, after=after)  # fused again for every page, as a service does
        assert not page.changed
        seen += [each.id for each in page]
        after = page.next
        if after is None:
            break
    assert seen == [each.id for each in quietly(lists)]


def test_a_page_of_another_list_says_so_and_goes_on_behind_the_last_document() -> None:
    lists = {"bm25": list("abcdef"), "dense": list("abcdfe")}
    first = fuse_documents(lists).page(2)
    without_dense = fuse_documents(lists | {"dense": None}).page(2, after=first.next)
    assert without_dense.changed
    assert [each.id for each in without_dense] == ["c", "d"]


# --- hostile calls ----------------------------------------------------------------------------------------------------

SCORED = {"bm25": [{"id": 7, "score": 2.0}, {"id": 3, "score": 1.0}], "dense": [{"id": 3, "score": 5.0}]}


@pytest.mark.parametrize(
    "lists", [1.5, None, "abc", b"a", np.array("a"), 10**5000], ids=lambda each: type(each).__name__
)
def test_what_holds_no_lists_is_refused(lists: Any) -> None:
    with pytest.raises(InvalidParameter, match="expected the lists of documents in a dict by leg, or in a list"):
        fuse_documents(lists)


@pytest.mark.parametrize("found", [1, "abc", np.array("a"), {"d1": 0.5}], ids=lambda each: type(each).__name__)
def test_a_leg_that_holds_no_documents_is_named(found: Any) -> None:
    with pytest.raises(DataError, match="leg 'dense': expected a list of documents, best first"):
        fuse_documents(SCORED | {"dense": found})
    with pytest.raises(stagg.StaggError, match="dense"):
        search("tea", {"bm25": lambda _: SCORED["bm25"], "dense": lambda _: found})


@pytest.mark.parametrize("option", ["identity", "score", "metadata"])
@pytest.mark.parametrize("field", [2, 1j, b"", np.array([1, 2])], ids=lambda each: type(each).__name__)
def test_a_field_is_a_name_or_a_function(option: Any, field: Any) -> None:
    for value in (field, {"bm25": field}):
        with pytest.raises(InvalidParameter, match=f"{option} is the name of a field, or a function of a document"):
            fuse_documents(SCORED, **{option: value})


def test_options_that_say_nothing_are_the_defaults() -> None:
    plain = fuse_documents(SCORED)
    assert fuse_documents(SCORED, identity=None, score=None, metadata=None) == plain  # type: ignore[typeddict-item]
    assert fuse_documents(SCORED, metadata="nosuch")[0].metadata == {}


@pytest.mark.parametrize(
    "options",
    [
        {"direction": np.array([1, 2])},
        {"direction": {"dense": np.array([1, 2])}},
        {"merge": np.array(["first", "last"])},
        {"min_score": {"bm25": {"a": 1}}},
        {"min_score": "x", "direction": "distance"},
    ],
)
def test_values_that_are_no_words_and_no_numbers_are_refused(options: Any) -> None:
    with pytest.raises(InvalidParameter):
        fuse_documents(SCORED, score="score", **options)


@pytest.mark.parametrize(
    "score",
    ["n", "deep.n", lambda each: each["n"], {"1": "n"}, {"1": lambda each: each["deep"]["n"]}],
    ids=["key", "path", "function", "key of a leg", "function of a leg"],
)
def test_scores_are_found_by_key_path_or_function(score: Any) -> None:
    rows = [{"id": name, "n": number, "deep": {"n": number}} for name, number in (("a", 1), ("b", 2.5), ("c", 2))]
    found = fuse_documents([rows], score=score)
    assert [(each.id, each.scores) for each in found] == [("b", {"1": 2.5}), ("c", {"1": 2.0}), ("a", {"1": 1.0})]
    mixed = [rows[0], Point("b", 3.0), rows[2]]  # of several classes, read one by one
    keys = [fuse_documents([mixed], identity=lambda each: getattr(each, "key", None) or each["id"])[0].id]
    assert keys == ["a"]


def test_whole_numbers_that_a_float_cannot_hold_are_told_or_refused() -> None:
    with pytest.warns(DataWarning, match=r"leg '1': scores that differ tie: stagg rounds whole numbers of 2\^53"):
        fuse_documents([[{"id": "a", "n": 2**53}, {"id": "b", "n": 2**53 + 1}]], score="n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuse_documents([[{"id": "a", "n": 2**53}, {"id": "b", "n": 2**53 + 2}]], score="n")
    with pytest.raises(DataError, match="leg '1', document 2: the score is"):
        fuse_documents([[{"id": "a", "n": 1}, {"id": "b", "n": 10**400}]], score="n")


def test_annotations_have_names_of_their_own() -> None:
    [found] = fuse_documents({"x": [{"id": 7, "n": 2.0}]}, "rrf(c=60)", score="n")
    expected = {"score": 1 / 61, "rank": 1, "ranks": {"x": 1}, "scores": {"x": 2.0}, "relevance": 1.0}
    assert found.annotations() == {f"stagg_{name}": value for name, value in expected.items()}
    assert found.annotations("fused.").keys() == {f"fused.{name}" for name in expected}


def test_a_document_without_an_id_says_where_it_is_and_what_to_name() -> None:
    with pytest.raises(
        DataError, match=r"leg '2', document 2: no 'id' in .*; say what identifies a document: identity="
    ):
        fuse_documents([[{"id": 1}], [{"id": 1}, {"key": 2}]])
