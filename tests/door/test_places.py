"""Several files at once: names of rankers, parts by ranker and query, folders, patterns, hive folders, ranx's files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import lz4.frame
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stagg import DataError, MissingExtra, Rankings, fuse, read, read_labels
from stagg.formats import ReadLog
from stagg.formats.storage.source import strip_endings
from tests.command_line import Run, runner
from tests.door.test_files import groups

ROW = "q Q0 {} 1 2 t\n"


def parquet(path: Path, **columns: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def read_quietly(paths: Any, **options: Any) -> Rankings:
    return read(paths, log=ReadLog(), **options)


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "ranker"),
    [
        ("input.uic0301", "input.uic0301"),
        ("input.uic0301_top30", "input.uic0301_top30"),
        ("bm25.trec.gz", "bm25"),
        ("run.v2.TXT", "run.v2"),
        ("votes.xlsx", "votes"),
        (".trec", ".trec"),
    ],
)
def test_only_known_endings_are_no_part_of_a_name(name: str, ranker: str) -> None:
    assert strip_endings(name) == ranker


def test_nist_runs_are_told_apart_by_their_endings(tmp_path: Path) -> None:
    files = [put(tmp_path / name, ROW.format("a")) for name in ("input.uic0301", "input.uic0301_top30")]
    assert read(files).rankers == ("input.uic0301", "input.uic0301_top30")


# --- parts ------------------------------------------------------------------------------------------------------------


def test_parts_may_be_split_by_ranker_with_the_same_queries(tmp_path: Path) -> None:
    one = parquet(tmp_path / "one.parquet", query=["q1", "q1"], ranker=["r", "r"], item=["a", "b"], score=[2.0, 1.0])
    two = parquet(tmp_path / "two.parquet", query=["q1", "q2"], ranker=["s", "r"], item=["b", "c"], score=[1.0, 1.0])
    assert groups(read([one, two])) == {"q1": {"r": ["a", "b"], "s": ["b"]}, "q2": {"r": ["c"]}}


def test_the_same_query_and_ranker_in_two_parts_is_an_error(tmp_path: Path) -> None:
    one = put(tmp_path / "one.csv", "query,ranker,item,score\nq,r,a,1\n")
    two = put(tmp_path / "two.csv", "query,ranker,item,score\nq,r,b,1\n")
    with pytest.raises(DataError, match=r"two\.csv: the query 'q' of ranker 'r' is also in .*one\.csv"):
        read([one, two])


def test_parts_by_ranker_fuse_as_one_table_does(tmp_path: Path) -> None:
    rows = [("q1", "r", "a", 3), ("q1", "r", "b", 2), ("q1", "s", "b", 9), ("q2", "s", "a", 1), ("q2", "r", "c", 1)]
    head = "query,ranker,item,score\n"
    whole = put(tmp_path / "whole.csv", head + "".join(f"{q},{r},{i},{s}\n" for q, r, i, s in rows))
    parts = [
        put(tmp_path / f"{name}.csv", head + "".join(f"{q},{r},{i},{s}\n" for q, r, i, s in rows if r == name))
        for name in ("r", "s")
    ]
    assert groups(fuse(read(parts), "borda")) == groups(fuse(read(whole), "borda"))


# --- folders ----------------------------------------------------------------------------------------------------------


def test_a_folder_is_the_files_in_it(tmp_path: Path) -> None:
    for name in ("dense.trec", "bm25.trec", "_SUCCESS", ".hidden"):
        put(tmp_path / "runs" / name, ROW.format("a"))
    assert read(tmp_path / "runs").rankers == ("bm25", "dense")


def test_a_pattern_is_the_files_that_match_it(tmp_path: Path) -> None:
    for name in ("bm25.trec", "dense.trec", "notes.md"):
        put(tmp_path / name, ROW.format("a"))
    assert read(str(tmp_path / "*.trec")).rankers == ("bm25", "dense")
    with pytest.raises(DataError, match="no file matches this pattern"):
        read(str(tmp_path / "*.parquet"))


def test_a_file_whose_name_looks_like_a_pattern_is_itself(tmp_path: Path) -> None:
    assert read(str(put(tmp_path / "run[1].trec", ROW.format("a")))).rankers == ("run[1]",)


def test_parts_of_one_table_are_one_ranker_named_by_their_folder(tmp_path: Path) -> None:
    for number, query in enumerate(("q1", "q2")):
        parquet(tmp_path / "bm25.parquet" / f"part-{number}.parquet", query=[query], item=["a"], score=[1.0])
    found = read(tmp_path / "bm25.parquet")
    assert (found.rankers, found.queries) == (("bm25",), ("q1", "q2"))


def test_hive_folders_name_rankers_and_queries(tmp_path: Path) -> None:
    parquet(tmp_path / "t/ranker=bm25/part-0.parquet", query=["q1", "q1"], item=["a", "b"], score=[2.0, 1.0])
    parquet(tmp_path / "t/ranker=my%20dense/part-0.parquet", query=["q1"], item=["b"], score=[2.0])
    assert groups(read(tmp_path / "t")) == {"q1": {"bm25": ["a", "b"], "my dense": ["b"]}}
    parquet(tmp_path / "u/query=q7/part-0.parquet", ranker=["r"], item=["a"], score=[2.0])
    parquet(tmp_path / "u/query=q8/part-0.parquet", ranker=["r"], item=["b"], score=[2.0])
    assert groups(read(str(tmp_path / "u/*/*.parquet"))) == {"q7": {"r": ["a"]}, "q8": {"r": ["b"]}}


def test_a_hive_folder_that_contradicts_its_file_is_an_error(tmp_path: Path) -> None:
    parquet(tmp_path / "ranker=bm25/part-0.parquet", ranker=["dense"], item=["a"], score=[2.0])
    with pytest.raises(DataError, match="its folder says that the ranker is 'bm25', and the file itself holds 'dense'"):
        read(tmp_path)


def test_responses_in_folders_are_queries_of_the_ranker_that_the_folder_names(tmp_path: Path) -> None:
    for ranker in ("bm25", "dense"):
        for query in ("q1", "q2"):
            hits = [{"_id": f"{ranker}-{query}", "_score": 1.5}]
            put(tmp_path / ranker / f"{query}.json", json.dumps({"hits": {"hits": hits}}))
    log = ReadLog()
    found = groups(read([tmp_path / "bm25", tmp_path / "dense"], log=log))
    assert found == {q: {r: [f"{r}-{q}"] for r in ("bm25", "dense")} for q in ("q1", "q2")}
    assert "outer='query'" in log.notes[0]
    turned = groups(read([tmp_path / "bm25", tmp_path / "dense"], outer="query"))
    assert turned == {r: {q: [f"{r}-{q}"] for q in ("q1", "q2")} for r in ("bm25", "dense")}
    one_query = groups(read(tmp_path / "bm25", outer="ranker"))
    assert one_query == {"1": {"q1": ["bm25-q1"], "q2": ["bm25-q2"]}}


def test_a_folder_per_query_is_told_by_its_name_or_by_the_items_that_files_share(tmp_path: Path) -> None:
    for query, items in (("topic 1", "ab"), ("topic 2", "cd")):
        for ranker in ("bm25", "dense"):
            put(tmp_path / "named" / query / f"{ranker}.csv", f"item,score\n{items[0]},2\n{items[1]},1\n")
            put(tmp_path / "shared" / items / f"{ranker}.txt", f"{items[0]}\n{items[1]}\n")
            put(tmp_path / "open" / items / f"{ranker}.txt", f"{items[0]}{ranker}\n{items[1]}{ranker}\n")
    log = ReadLog()
    named = groups(read(tmp_path / "named", log=log))
    assert named == {q: {r: list(i) for r in ("bm25", "dense")} for q, i in (("topic 1", "ab"), ("topic 2", "cd"))}
    said = "every folder is a query, every file in it a ranker, such as 'topic 1' and 'bm25'; outer='ranker' turns them"
    assert log.notes == [f"{said} round"]
    shared = groups(read(tmp_path / "shared", log=log))
    assert shared == {items: {r: list(items) for r in ("bm25", "dense")} for items in ("ab", "cd")}
    with pytest.raises(DataError, match="does every folder, such as 'ab', name a ranker or a query"):
        read(tmp_path / "open")
    assert read(tmp_path / "open", outer="query").queries == ("ab", "cd")
    assert read(tmp_path / "open", outer="ranker").queries == ("bm25", "dense")


def test_responses_side_by_side_are_rankers_of_one_query_unless_they_are_named_as_queries(tmp_path: Path) -> None:
    def response(items: str) -> str:
        return json.dumps({"hits": {"hits": [{"_id": each, "_score": 9.5 - n} for n, each in enumerate(items)]}})

    both = [put(tmp_path / "run" / f"{name}.json", response(items)) for name, items in (("bm25", "ab"), ("knn", "bc"))]
    log = ReadLog()
    assert groups(read(both, log=log)) == {"1": {"bm25": ["a", "b"], "knn": ["b", "c"]}}
    assert "outer='query' makes every file a query" in log.notes[0]
    assert groups(read(both, outer="query")) == {"bm25": {"run": ["a", "b"]}, "knn": {"run": ["b", "c"]}}
    alone = [put(tmp_path / "run" / f"{name}.json", response(items)) for name, items in (("x", "ab"), ("y", "cd"))]
    with pytest.raises(DataError, match="are these files rankers of one query, or queries of one ranker: 'x', 'y'"):
        read(alone)
    queries = [put(tmp_path / "run" / f"Query {n}.json", response("ab")) for n in (1, 2)]
    assert read(queries, log=log).queries == ("Query 1", "Query 2")


# --- ranx -------------------------------------------------------------------------------------------------------------


def test_ranx_files_are_read(tmp_path: Path) -> None:
    path = parquet(tmp_path / "run.parq", q_id=["q", "q"], doc_id=["a", "b"], score=[1.0, 2.0])
    assert groups(read(path)) == {"q": {"run": ["b", "a"]}}
    packed = tmp_path / "run.lz4"
    packed.write_bytes(lz4.frame.compress(json.dumps({"q": {"a": 1.0, "b": 2.0}}).encode()))
    assert groups(read(packed)) == {"q": {"run": ["b", "a"]}}
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(DataError, match="the archive is truncated or damaged"):
        read(packed)


def test_ranx_qrels_are_read_as_labels(tmp_path: Path) -> None:
    plain = read_labels(put(tmp_path / "qrels.txt", "q 0 a 2\nq 0 b 0\n"))
    assert read_labels(put(tmp_path / "qrels.json", '{"q": {"a": 2, "b": 0}}')) == plain
    assert read_labels(parquet(tmp_path / "qrels.parq", q_id=["q", "q"], doc_id=["a", "b"], score=[2, 0])) == plain
    with pytest.raises(DataError, match=r"the label '1\.5' is not a whole number"):
        read_labels(put(tmp_path / "qrels.json", '{"q": {"a": 1.5}}'))
    with pytest.raises(DataError, match="judged twice, differently"):
        read_labels(parquet(tmp_path / "two.parquet", q_id=["q", "q"], doc_id=["a", "a"], score=[2, 0]))


# --- extras -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "name", "content", "remedy"),
    [
        ("lz4.frame", "x.lz4", lz4.frame.compress(b"{}"), 'pip install "stagg[lz4]"'),
    ],
)
def test_a_missing_library_is_named_with_the_line_that_installs_it(
    module: str, name: str, content: bytes, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(content)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=re.escape(remedy)):
        read(tmp_path / name)


# --- columns of typed files -------------------------------------------------------------------------------------------


def test_columns_are_mapped_in_parquet(tmp_path: Path) -> None:
    path = parquet(tmp_path / "x.parquet", topic=["q", "q"], Doc=["a", "b"], bm25=[1.0, 2.0], system=["s", "s"])
    mapping = {"query": "topic", "item": "doc", "score": "bm25", "ranker": "system"}
    assert groups(read(path, columns=mapping)) == {"q": {"s": ["b", "a"]}}
    with pytest.raises(DataError, match="columns="):
        read(path)


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


def test_messages_on_the_command_line_show_flags_that_work(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "row name,rank\nTP53,1\nMYC,2\n")
    refused = run("fuse", path)
    assert refused.code == 1
    assert "--columns 'item=row name'" in refused.err
    assert "1 Q0 TP53 1 " in run("fuse", path, "--columns", "item=row name").out
    path = put(tmp_path / "y.csv", "TP53,MYC\nMYC,TP53\n")
    assert "--layout columns --no-header" in run("fuse", path).err
    assert "TP53" in run("fuse", path, "--layout", "columns", "--no-header").out


def test_inspect_says_what_was_understood(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "votes.csv", "Voter;1st;2nd\nAnn;A;B\nBob;B;\n")
    shown = run("inspect", path, "--json").out
    (file,) = json.loads(shown)["files"]
    assert file["format"] == "csv"
    assert (file["layout"], file["direction"], file["delimiter"]) == ("ballots", "order, best first", "semicolon")
    assert file["rankers"] == ["Ann", "Bob"]
    runs = [put(tmp_path / f"{name}.trec", ROW.format("a")) for name in ("bm25", "dense")]
    files = json.loads(run("inspect", *runs, "--json").out)["files"]
    assert [each["rankers"] for each in files] == [["bm25"], ["dense"]]
    assert {each["direction"] for each in files} == {"scores, large = top"}


def test_an_output_among_the_files_of_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "runs" / "bm25.trec", ROW.format("a"))
    assert "is also an input" in run("fuse", tmp_path / "runs", "-o", path).err
