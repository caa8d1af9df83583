"""Keys of hits: which member is the id, which the score, and which way it points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.documents.hit_keys import HitKeys, find_hit_keys, follow, is_hit, read_id, read_score
from stagg.formats.inputs import open_reading

Find = Callable[..., tuple[HitKeys, str]]


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """The keys of some lists of hits, and the notes on them."""
    (tmp_path / "x.json").write_text("[]")

    def keys(*lists: Sequence[Any], **columns: str) -> tuple[HitKeys, str]:
        log = ReadLog()
        with (reading := open_reading(tmp_path / "x.json", ReadOptions(columns=columns or None), log)).source:
            return find_hit_keys(lists, reading), "\n".join(map(str, log.notes))

    return keys


def hits(*pairs: tuple[Any, Any], item: str = "_id", score: str = "_score") -> list[dict[str, Any]]:
    return [{item: one, score: other} for one, other in pairs]


def test_a_path_goes_one_object_deeper_behind_a_point() -> None:
    hit = {"a": {"b": {"c": 1}, "x.y": 2}, "a.b": 3, "n": None}
    paths = {"a.x.y": 2, "a.b": 3, "a.b.c": 1, "n": None, "n.m": None, "z": None, "a.z.c": None}
    assert {path: follow(hit, path) for path in paths} == paths
    assert follow("text", "a") is None


def test_ids_are_texts_whole_numbers_or_object_ids() -> None:
    values = ("d1", 7, 0, {"$oid": "f00"}, "", True, 1.5, None, {"$oid": "f00", "x": 1}, ["d1"])
    assert [read_id(value) for value in values] == ["d1", "7", "0", "f00", None, None, None, None, None, None]


def test_scores_are_finite_numbers_or_texts_of_numbers() -> None:
    values = (1.5, 2, "0.25", "-1e3", True, None, "high", 10**400, [1])
    assert [read_score({"s": value}, "s") for value in values] == [1.5, 2.0, 0.25, -1000.0, *[None] * 5]


def test_a_hit_has_an_id_a_place_in_the_request_or_a_content() -> None:
    kinds = ({"_id": "a"}, {"index": 3}, {"page_content": "text"}, {"my_key": "a"}, {"document": {"id": "a"}})
    assert all(map(is_hit, kinds))
    others = ({"index": "docs"}, {"page_content": 3}, {"title": "a"}, {"my_key": "a", "my_id": "b"}, ["a"], "a", {})
    assert not any(map(is_hit, others))


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        (hits(("a", 3.5), ("b", 2.5)), HitKeys("_id", "_score")),
        (hits(("a", 0.1), ("b", 0.2), score="distance"), HitKeys("_id", "distance", small=True)),
        (hits(("a", 1), ("b", 2), score="rank"), HitKeys("_id", "rank", small=True)),
        (hits(("a", None), ("b", None)), HitKeys("_id")),  # sorted by something else
        ([{"id": "a", "score": 1.5, "distance": 0.1}, {"id": "b", "score": 2.5, "distance": 0.2}],
         HitKeys("id", "distance", small=True)),  # of two numbers, the one that puts them in order
        ([{"id": "a", "score": 2.5, "distance": 0.1}, {"id": "b", "score": 1.5, "distance": 0.2}],
         HitKeys("id", "score")),
        ([{"id": 1, "score": 2}, {"id": 2}], HitKeys("id", "score")),  # the hit that lacks it is an error, later
        ([{"sku": "a", "_score": 2}, {"sku": "b", "_score": 1}], HitKeys("sku", "_score")),
        ([{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.5}],
         HitKeys("index", "relevance_score")),
        ([{"text": "a b", "score": 0.9}, {"text": "c", "score": 0.5}], HitKeys("text", "score")),
        ([], HitKeys("_id")),
    ],
)  # fmt: skip
def test_the_id_and_the_score_of_hits_are_found_by_their_names(
    hit: list[dict[str, Any]], expected: HitKeys, find: Find
) -> None:
    assert find(hit)[0] == expected


def test_the_caller_may_name_the_id_and_the_number(find: Find) -> None:
    several = [{"id": "a", "x": "k", "score": 1.5, "z": 2}, {"id": "b", "x": "l", "score": 2.5, "z": 3}]
    assert find(several, item="x", score="z")[0] == HitKeys("x", "z")
    assert find(several, item="x", rank="z")[0] == HitKeys("x", "z", small=True)
    assert find(several, item="x", score="")[0] == HitKeys("x")  # in their order
    with pytest.raises(DataError, match="the hits have no 'y'; they have 'id', 'x', 'score', 'z'"):
        find(several, item="y")
    with pytest.raises(DataError, match="there is no column for query"):
        find(several, query="x")


@pytest.mark.parametrize(
    ("hit", "why", "ways"),
    [
        (hits(("a", 1.5), ("b", 2.5)), "grows from the first to the last; which way does it point",
         [{"rank": "_score"}, {"score": "_score"}]),
        (hits(("a", 2.5), ("b", 1.5), score="distance"), "falls from the first to the last",
         [{"rank": "distance"}, {"score": "distance"}]),
        ([{"index": 1, "text": "a"}, {"index": 0, "text": "b"}], "what names the documents of these hits",
         [{"item": "index"}, {"item": "text"}]),
        ([{"id": 1, "payload": {"doc_id": "a"}}, {"id": 2, "payload": {"doc_id": "b"}}], "which id names the documents",
         [{"item": "payload.doc_id"}, {"item": "id"}]),
        ([{"id": "#Web.0", "url": "u"}, {"id": "#Web.1", "url": "v"}], "which id names the documents",
         [{"item": "url"}, {"item": "id"}]),
        ([{"name": "a", "n": 1}, {"name": "b", "n": 2}], "the hits have no id that is known; they have 'name', 'n'",
         [{"item": "name"}, {"item": "n"}]),
    ],
)  # fmt: skip
def test_what_hits_do_not_tell_is_asked_and_the_answers_can_be_given(
    hit: list[dict[str, Any]], why: str, ways: list[dict[str, str]], find: Find
) -> None:
    with pytest.raises(DataError, match=why) as caught:
        find(hit)
    assert [say.options["columns"] for say in caught.value.message.says] == ways
    assert caught.value.line == 1
    for way in ways:
        assert find(hit, **{"item": "_id" if "_id" in hit[0] else next(iter(hit[0])), **way})


def test_ids_that_only_seem_to_count_or_to_be_numbers_are_not_asked_about(find: Find) -> None:
    for several in (
        [{"id": "#Web.2", "url": "u"}, {"id": "#Web.1", "url": "v"}],  # not in order
        [{"id": "#A.0", "url": "u"}, {"id": "#B.1", "url": "v"}],
        [{"id": "#Web.0", "url": "u"}, {"id": "#Web.1", "url": "u"}],  # one address
        [{"id": "a7", "payload": {"doc_id": "a"}}, {"id": "b8", "payload": {"doc_id": "b"}}],
        [{"id": 1, "payload": {"doc_id": "a"}}, {"id": 2, "payload": {"doc_id": "a"}}],
        [{"id": 1, "payload": {"title": "a"}}, {"id": 2, "payload": {"title": "b"}}],
    ):
        assert find(several)[0] == HitKeys("id")


def test_hits_that_are_in_no_order_of_their_score_are_noted(find: Find) -> None:
    mixed = hits(("a", 1.5), ("b", 2.5), ("c", 0.5))
    keys, notes = find(mixed)
    assert keys == HitKeys("_id", "_score")
    assert "the hits are not in the order of their '_score', which decides: large = top" in notes
    keys, notes = find(hits(("a", 1.5), ("b", 2.5), ("c", 0.5), score="distance"))
    assert keys.small
    assert "which decides: small = top" in notes
    keys, notes = find([{**hit, "rank": place} for hit, place in zip(mixed, (2, 1, 3), strict=True)])
    assert keys == HitKeys("_id")
    assert "the hits are in the order of the response, which is not that of '_score', 'rank'" in notes
    assert find([{"index": 2, "score": 1.5}])[1].endswith(
        "items are the numbers that 'index' gives to the documents of the request"
    )
