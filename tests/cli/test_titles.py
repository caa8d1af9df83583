"""Titles of documents and texts of queries stand beside their ids, in terminals, JSON and pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import Run, runner

import stagg
from stagg.report import diff_report, explore, fusion_report

RUNS = {"old": [["1", "a"], ["1", "b"], ["2", "a"]], "new": [["1", "c"], ["1", "a"], ["2", "b"]]}
EVIL = "</script><script>alert(1)</script> & \x1b[31m"
TITLES = {"a": "Ants", "b": "", "c": EVIL}
QUERIES = {"1": "which insect", "2": "x <b>"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, rows in RUNS.items():
        lines = [f"{query} Q0 {item} 1 {9 - number} x\n" for number, (query, item) in enumerate(rows)]
        Path(f"{name}.trec").write_text("".join(lines))
    Path("qrels.txt").write_text("1 0 a 1\n1 0 b 0\n1 0 c 0\n2 0 a 1\n2 0 b 0\n")
    Path("docs.jsonl").write_text(
        "".join(json.dumps({"_id": k, "title": t, "text": ""}) + "\n" for k, t in TITLES.items())
    )
    Path("queries.tsv").write_text("".join(f"{key}\t{text}\n" for key, text in QUERIES.items()))
    return runner(capfdbinary)


BOTH = ("--texts", "docs.jsonl", "--query-texts", "queries.tsv")


def test_the_consensus_shows_titles(run: Run) -> None:
    for form in ("table", "md"):
        out = run("fuse", "old.trec", "new.trec", "--format", form, *BOTH).out
        assert "Ants" in out
        assert "which insect" in out
        assert "\x1b" not in out
    assert run("fuse", "old.trec", "new.trec", *BOTH).code == 2  # a run has no place for them


def test_explain_shows_titles(run: Run) -> None:
    found = run("explain", "old.trec", "new.trec", "--query", "1", *BOTH)
    assert found.out.startswith("query: which insect\nitem: Ants\n")
    plain = json.loads(run("explain", "old.trec", "new.trec", "--query", "1", "--json", *BOTH).out)
    assert (plain["title"], plain["query_text"]) == ("Ants", "which insect")


def test_gate_names_the_queries_that_fell_by_their_texts(run: Run) -> None:
    found = run(
        "gate", "old.trec", "new.trec", "--qrels", "qrels.txt", "--margin", "0.1", "--query-texts", "queries.tsv"
    )
    assert "which insect" in found.out
    assert found.code == 4


def test_diff_shows_titles(run: Run) -> None:
    rows = json.loads(run("diff", "old.trec", "new.trec", "--json", *BOTH).out)["rows"]
    [moved] = next(row for row in rows if row["query"] == "1")["moved_in"]
    assert (moved["item"], moved["title"]) == ("c", " ".join(EVIL.split()))
    assert {row["text"] for row in rows} == {*QUERIES.values()}


def test_a_table_of_queries_shows_their_texts(run: Run) -> None:
    arguments = ("evaluate", "old.trec", "--qrels", "qrels.txt", "--query-texts", "queries.tsv")
    rows = json.loads(run(*arguments, "--per-query", "--json").out)["rows"]
    assert {row["query"]: row["text"] for row in rows} == QUERIES
    assert run(*arguments).code == 2


def test_long_texts_of_queries_are_wrapped_and_no_table_is_wider_than_the_terminal(run: Run) -> None:
    text = "which insect finds its way home by the sun, and how does it tell the others where the flowers are"
    Path("queries.tsv").write_text(f"1\t{text}\n2\t{text}\n")
    told = ("--qrels", "qrels.txt", "--query-texts", "queries.tsv", "--quiet")
    for arguments in (("evaluate", "old.trec", "--per-query"), ("gate", "old.trec", "new.trec", "--margin", "0.1")):
        out = run(*arguments, *told).out
        assert max(map(len, out.splitlines())) <= 80
        assert all(word in out for word in text.replace(",", "").split())


def test_ids_without_a_text_are_counted(run: Run) -> None:
    Path("queries.tsv").write_text("1\twhich insect\n")
    found = run("diff", "old.trec", "new.trec", *BOTH)
    assert "queries.tsv: 1 of the 2 queries has no text here: '2'" in found.err
    Path("queries.tsv").write_text("q1\twhich insect\n")
    found = run("diff", "old.trec", "new.trec", *BOTH)
    assert (found.code, found.err.count("\n")) == (1, 3)
    assert "none of the 2 queries, such as '2', has a text here; its own ids are like 'q1'" in found.err


def test_pages_hold_titles_and_none_of_them_becomes_markup(run: Run) -> None:
    runs = stagg.read(["old.trec", "new.trec"])
    given = {"texts": TITLES, "query_texts": QUERIES}
    pages = [
        fusion_report(runs, **given),
        explore(runs, **given).html,
        diff_report(stagg.diff(stagg.read("old.trec"), stagg.read("new.trec"), **given)),
    ]
    for page in pages:
        assert "which insect" in page
        assert "<script>alert" not in page
        assert "\x1b" not in page
    assert "Ants" in pages[0]
    assert 'id="titles"' not in fusion_report(runs)


def test_new_names_of_a_file_are_those_of_tables(run: Run) -> None:
    Path("names.csv").write_text("run,label\nold,BM25 & co_1\nelse,x\n")
    arguments = ("--qrels", "qrels.txt", "--rename", "names.csv")
    rows = json.loads(run("evaluate", "old.trec", "N=new.trec", *arguments, "--json").out)["rows"]
    assert {row["run"] for row in rows} == {"BM25 & co_1", "N"}
    assert r"BM25 \& co\_1" in run("compare", "old.trec", "new.trec", "--inputs", *arguments, "--format", "latex").out
    page = run("compare", "old.trec", "new.trec", "--inputs", *arguments, "--report", "c.html")
    assert page.code == 0
    assert "BM25 &amp; co_1" in Path("c.html").read_text()
    Path("names.csv").write_text("old,A\nnew,B\nold,C\n")
    assert "names.csv:3: 'old' has two new names" in run("evaluate", "old.trec", *arguments).err
    Path("names.csv").write_text("one\ntwo\n")
    assert "expected the columns id and text" in run("evaluate", "old.trec", *arguments).err
