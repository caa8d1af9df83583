"""Columns of a table of labels are found by the names that people give them; two that claim a role are asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.documents.label_columns import name_label_columns
from stagg.formats.reading import Reading
from stagg.formats.storage.source import Origin


def names(header: str, **columns: str) -> dict[str, str]:
    own = header.split(",")
    reading = Reading(Origin("x.csv", ReadLog()), ReadOptions(columns=columns or None))
    return {role: own[column] for role, column in name_label_columns(own, reading).items()}


@pytest.mark.parametrize(
    ("header", "query", "item", "label"),
    [
        ("query,docid,rating", "query", "docid", "rating"),  # Quepid
        ("Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating", "Query Text", "Doc ID", "Rating"),
        ("query-id,corpus-id,score", "query-id", "corpus-id", "score"),  # BEIR
        ("model,query,passage,prompt,prediction,judgment,result_status", "query", "passage", "judgment"),  # umbrela
        ("Search query,Document ID,Title,Relevance (0-3),Comment", "Search query", "Document ID", "Relevance (0-3)"),
        ("example_id,query,query_id,product_id,esci_label,split", "query_id", "product_id", "esci_label"),  # ESCI
        ("qid,query,docid,docno,label", "qid", "docno", "label"),  # PyTerrier
        ("topic,doc,rel", "topic", "doc", "rel"),
        ("Question,URL,Human rating,Rating by", "Question", "URL", "Human rating"),
        ("keyword,sku,grade", "keyword", "sku", "grade"),
        ("prompt,response,score", "prompt", "response", "score"),
        ("query,title,text,label", "", "", "label"),
    ],
)
def test_columns_are_found_by_their_names(header: str, query: str, item: str, label: str) -> None:
    if not query:
        with pytest.raises(DataError, match="which column holds the items"):
            names(header)
    else:
        assert names(header) == {"query": query, "item": item, "label": label}


def test_the_caller_comes_first() -> None:
    assert names("query,query_id,doc,grade", query="query") == {"query": "query", "item": "doc", "label": "grade"}
    assert names("a,b,c", query="a", item="b", label="c") == {"query": "a", "item": "b", "label": "c"}


def test_two_columns_of_grades_are_asked_about() -> None:
    with pytest.raises(DataError, match=r"columns={'label': 'rating_1'} or columns={'label': 'rating_2'}"):
        names("query,doc,rating_1,rating_2")


def test_a_run_is_not_taken_for_labels() -> None:
    with pytest.raises(DataError, match=r"this is a run.*columns={'label': 'score'}"):
        names("query,item,rank,score")
    assert names("query,item,rank,score", label="score")["label"] == "score"


@pytest.mark.parametrize(
    ("rows", "remedies"),
    [
        ("foo,bar,baz\nq,a,1\nq,b,0\n", ["columns={'query': 'foo', 'item': 'bar', 'label': 'baz'}"]),
        ("query,doc,ann,ben\nq,a,1,2\nq,b,0,0\n", ["'label': 'ann'}", "'label': 'ben'}"]),
        ("q,a,1\n", ["header=False, columns={'query': '1', 'item': '2', 'label': '3'}"]),
    ],
)
def test_a_table_whose_names_do_not_tell_is_asked_about(tmp_path: Path, rows: str, remedies: list[str]) -> None:
    import stagg
    from tests.door.people import answers

    path = tmp_path / "x.csv"
    path.write_text(rows)
    with pytest.raises(DataError, match="needs the columns query, item and label") as asked:
        stagg.read_labels(path)
    for remedy in remedies:
        assert remedy in str(asked.value)
    for say in answers(asked.value):
        options: dict[str, Any] = say.options
        assert stagg.read_labels(path, log=ReadLog(), **options).queries == ("q",)
