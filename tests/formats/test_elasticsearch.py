"""Responses of search engines: what names the queries, and what the rankers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read


def response(items: str) -> dict[str, Any]:
    return {"hits": {"hits": [{"_id": item, "_score": 9.0 - place} for place, item in enumerate(items)]}}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "one.json").write_text(json.dumps(response("ab")))
    (tmp_path / "named.json").write_text(json.dumps({"bm25": response("ab"), "dense": response("bc")}))
    (tmp_path / "numbered.json").write_text(json.dumps({"responses": [response("ab"), response("ca")]}))
    return tmp_path


def test_a_file_of_named_responses_is_one_ranker_unless_the_names_are_those_of_rankers(files: Path) -> None:
    by_query = read(files / "named.json")
    assert (by_query.queries, by_query.rankers) == (("bm25", "dense"), ("named",))
    by_ranker = read(files / "named.json", outer="ranker")
    assert (by_ranker.queries, by_ranker.rankers) == (("1",), ("bm25", "dense"))


def test_a_response_alone_is_named_by_its_file(files: Path) -> None:
    for outer, query in ((None, "one"), ("ranker", "1")):
        found = read(files / "one.json", outer=outer)
        assert (found.queries, found.rankers) == ((query,), ("one",))


def test_a_folder_names_the_ranker_of_responses_that_do_not(files: Path) -> None:
    folder = files / "runs" / "ranker=mine"
    folder.mkdir(parents=True)
    (files / "named.json").rename(folder / "named.json")
    assert read(files / "runs").rankers == ("mine",)
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
