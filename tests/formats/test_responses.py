"""Responses of search engines: what names the queries, and what the rankers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog


def response(items: str) -> dict[str, Any]:
    return {"hits": {"hits": [{"_id": item, "_score": 9.0 - place} for place, item in enumerate(items)]}}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "one.json").write_text(json.dumps(response("ab")))
    (tmp_path / "named.json").write_text(json.dumps({"bm25": response("ab"), "dense": response("bc")}))
    (tmp_path / "numbered.json").write_text(json.dumps({"responses": [response("ab"), response("ca")]}))
    return tmp_path


def test_a_file_of_named_responses_that_share_documents_asks_whether_the_names_are_those_of_rankers(
    files: Path,
) -> None:
    with pytest.raises(DataError, match="is 'bm25' a ranker or a query"):
        read(files / "named.json")
    by_query = read(files / "named.json", outer="query")
    assert (by_query.queries, by_query.rankers) == (("bm25", "dense"), ("named",))
    by_ranker = read(files / "named.json", outer="ranker")
    assert (by_ranker.queries, by_ranker.rankers) == (("1",), ("bm25", "dense"))


def test_named_responses_that_share_nothing_are_queries(files: Path) -> None:
    log = ReadLog()
    hits = {"red": {"hits": [{"id": "a", "score": 1}]}, "blue": {"hits": [{"id": "b", "score": 1}]}}
    (files / "other.json").write_text(json.dumps(hits))
    assert read(files / "other.json", log=log).queries == ("red", "blue")
    assert "outer='ranker' makes them rankers" in str(log.minor_notes[0])


def test_a_response_alone_is_named_by_its_file(files: Path) -> None:
    for outer, query in ((None, "one"), ("ranker", "1")):
        found = read(files / "one.json", outer=outer)
        assert (found.queries, found.rankers) == ((query,), ("one",))


def test_a_folder_names_the_ranker_of_responses_that_do_not(files: Path) -> None:
    folder = files / "runs" / "ranker=mine"
    folder.mkdir(parents=True)
    (files / "named.json").rename(folder / "named.json")
    assert read(files / "runs", outer="query", log=ReadLog()).rankers == ("mine",)
    with pytest.raises(DataError, match="its folder says that the ranker is 'mine', and the file itself holds 'bm25'"):
        read(files / "runs", outer="ranker")
    (folder / "named.json").unlink()
    (files / "one.json").rename(folder / "one.json")
    assert read(files / "runs", outer="ranker").rankers == ("mine",)


def test_files_that_name_their_rankers_are_parts_of_one_whole(files: Path) -> None:
    both = read([files / "named.json", files / "numbered.json"], outer="ranker")
    assert both.to_lists() == {
        "1": {"bm25": [["a"], ["b"]], "dense": [["b"], ["c"]], "1": [["a"], ["b"]], "2": [["c"], ["a"]]}
    }
    with pytest.raises(DataError, match="names its rankers itself, others of the inputs are one ranker each"):
        read([files / "one.json", files / "named.json"], outer="ranker")


DOCUMENT_IDS = {"payload": {"doc_id": "faq/a", "lang": "en"}}, {"payload": {"doc_id": "faq/b", "lang": "en"}}
SHAPES: dict[str, Any] = {
    "Solr": {"response": {"numFound": 2, "docs": [{"id": "a", "score": -1.5}, {"id": "b", "score": -2}]}},
    "Qdrant": {"result": {"points": [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.8}]}, "status": "ok"},
    "Qdrant, once": {"result": [{"id": "a", "version": 1, "score": 0.9}, {"id": "b", "version": 1, "score": 0.8}]},
    "Weaviate": {
        "data": {"Get": {"Doc": [{"_additional": {"id": k, "distance": d}} for k, d in (("a", 0.1), ("b", 0.2))]}}
    },
    "Weaviate, by words": {
        "data": {"Get": {"Doc": [{"_additional": {"id": k, "score": d}} for k, d in (("a", "2.5"), ("b", "1.5"))]}}
    },
    "Vespa": {
        "root": {
            "id": "toplevel",
            "relevance": 1.0,
            "children": [{"id": "a", "relevance": 0.5, "fields": {}}, {"id": "b", "relevance": 0.25, "fields": {}}],
        }
    },
    "Pinecone": {"matches": [{"id": "a", "score": 0.9, "values": []}, {"id": "b", "score": 0.7, "values": []}]},
    "Typesense": {
        "found": 2,
        "hits": [{"document": {"id": "a"}, "text_match": 9}, {"document": {"id": "b"}, "text_match": 8}],
    },
    "Azure": {"value": [{"@search.score": 3.2, "hotelId": "a", "name": "x"}, {"@search.score": 2.2, "hotelId": "b"}]},
    "Azure, reranked": {
        "value": [
            {"@search.score": 1.2, "@search.rerankerScore": 3.5, "key": "a"},
            {"@search.score": 2.2, "@search.rerankerScore": 2.5, "key": "b"},
        ]
    },
    "Meilisearch, without scores": {"hits": [{"id": "a", "title": "x"}, {"id": "b", "title": "y"}], "limit": 20},
    "Algolia": {"hits": [{"objectID": "a"}, {"objectID": "b"}], "nbHits": 2},
    "Chroma": {"ids": [["a", "b"]], "distances": [[0.1, 0.4]], "documents": [["x", "y"]]},
    "a reranker with ids": {
        "results": [
            {"index": 1, "document": {"id": "a", "text": "x"}, "relevance_score": 0.9},
            {"index": 0, "document": {"id": "b", "text": "y"}, "relevance_score": 0.1},
        ]
    },
    "Google's ranking": {"records": [{"id": "a", "score": 0.9, "title": "x"}, {"id": "b", "score": 0.1}]},
    "a web search": {"organic_results": [{"position": 1, "link": "a"}, {"position": 2, "link": "b"}], "took": 3},
    "MongoDB": [{"_id": {"$oid": "a"}, "score": 0.9}, {"_id": {"$oid": "b"}, "score": 0.7}],
    "an array of hits": [{"id": "a", "score": 0.9, "title": "x"}, {"id": "b", "score": 0.7, "title": "y"}],
    "an array of neighbours": [{"id": "a", "distance": 0.1}, {"id": "b", "distance": 0.2}],
}


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_responses_of_many_services_are_read(content: Any, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(content))
    found = read(tmp_path / "x.json")
    assert [*found.to_lists().values()] == [{"x": [["a"], ["b"]]}]


def put(folder: Path, content: Any) -> Path:
    path = folder / "x.json"
    path.write_text(json.dumps(content))
    return path


def test_places_in_the_request_are_the_items_of_a_reranker_that_names_nothing_else(tmp_path: Path) -> None:
    path, log = (
        put(tmp_path, {"results": [{"index": 3, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}),
        ReadLog(),
    )
    assert read(path, log=log).items == ("3", "0")
    assert "items are the numbers that 'index' gives" in log.notes[0]


def test_texts_of_a_reranker_are_asked_about(tmp_path: Path) -> None:
    texts = [{"index": n, "relevance_score": 0.9 - n, "document": {"text": t}} for n, t in enumerate("xy")]
    path = put(tmp_path, {"results": texts})
    with pytest.raises(DataError, match=r"columns=\{'item': 'index'\} \(their places .* 'x' ranks '0', '1'\)"):
        read(path)
    assert read(path, columns={"item": "document.text"}).items == ("x", "y")
    assert read(path, columns={"item": "index"}).items == ("0", "1")


def test_ids_that_are_stored_beside_numbers_are_asked_about(tmp_path: Path) -> None:
    points = [{"id": n, "score": 0.9 - n, **payload} for n, payload in enumerate(DOCUMENT_IDS)]
    path = put(tmp_path, {"result": {"points": points}})
    with pytest.raises(DataError, match=r"which id names the documents: 'payload.doc_id', 'id'"):
        read(path)
    assert read(path, columns={"item": "payload.doc_id"}).items == ("faq/a", "faq/b")
    with pytest.raises(DataError, match=r"the hits have no 'payload.key'; they have 'id', 'score', 'payload'"):
        read(path, columns={"item": "payload.key"})


def test_scores_that_grow_from_hit_to_hit_may_be_distances(tmp_path: Path) -> None:
    path = put(tmp_path, {"result": [{"id": "a", "score": 0.5}, {"id": "b", "score": 0.75}]})
    with pytest.raises(DataError, match="grows from the first to the last; which way does it point"):
        read(path)
    assert read(path, columns={"rank": "score"}).best_first() == ["a", "b"]
    assert read(path, columns={"score": "score"}).best_first() == ["b", "a"]


def test_hits_in_no_order_go_by_their_scores(tmp_path: Path) -> None:
    path, log = put(tmp_path, [{"id": i, "score": s} for i, s in (("a", 1.5), ("b", 3.5), ("c", 2.5))]), ReadLog()
    assert read(path, log=log).best_first() == ["b", "c", "a"]
    assert "not in the order of their 'score', which decides" in log.notes[0]


def test_a_batch_names_its_queries(tmp_path: Path) -> None:
    batch = {"results": [{"hits": [{"id": 1}], "query": "sun"}, {"hits": [{"id": 2}], "request_params": {"q": "moon"}}]}
    assert read(put(tmp_path, batch)).queries == ("sun", "moon")


def test_lines_that_name_their_ranker_hold_several(tmp_path: Path) -> None:
    rows = [{"query": "q", "retriever": r, "found": [{"id": "a", "score": 1.5}]} for r in ("bm25", "dense")]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert read(tmp_path / "x.jsonl").rankers == ("bm25", "dense")


def test_a_hit_that_lacks_its_id_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, {"took": 1, "hits": {"hits": [{"_id": "a", "_score": 1.5}, {"_score": 0.5}]}})
    with pytest.raises(DataError, match="the response 'x', hit 2: expected a text as _id, found None"):
        read(path)


def test_a_failed_search_is_no_ranking(tmp_path: Path) -> None:
    path = put(
        tmp_path, {"error": {"root_cause": [{"reason": "no such index"}], "reason": "all shards failed"}, "status": 404}
    )
    with pytest.raises(DataError, match="the search failed, and there are no hits: 'all shards failed'"):
        read(path)


def test_objects_in_rows_are_no_hits_of_theirs(tmp_path: Path) -> None:
    rows = [
        {"id": n, "voter": v, "tags": [{"id": 3}], "A": a, "B": 3 - a}
        for n, (v, a) in enumerate((("Ann", 1), ("Bob", 2)))
    ]
    log = ReadLog()
    assert read(put(tmp_path, rows), layout="grid", values="rank", log=log).rankers == ("Ann", "Bob")
