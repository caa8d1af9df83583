"""Ten tasks of a newcomer, as docs/howto/tasks.md has them: six lines or one command each, and they do what it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.command_line import Outcome, Run, runner
from tests.test_docs import by_shell, commands, letor_part, workshop

__all__ = ["letor_part", "workshop"]

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "tasks.md"


class Task(NamedTuple):
    """The blocks of a task: what you have, as shell commands, and what you do about it."""

    before: list[str]
    language: str
    code: str


def read_tasks() -> dict[int, Task]:
    """The tasks by number; the last block of a section is the task, those before it make what a newcomer has."""
    parts = re.split(r"^## (\d+)\. .*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    tasks = {}
    for number, text in zip(parts[::2], parts[1::2], strict=True):
        *before, (language, code) = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        tasks[int(number)] = Task([code for _, code in before], language, code)
    return tasks


TASKS = read_tasks()


@pytest.fixture
def run(workshop: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """The command line in a folder with three runs and their qrels."""
    return runner(capfdbinary)


def do(run: Run, number: int, *more: str) -> Outcome:
    """The one command of a task, after what it needs was made; ``more`` options stand behind it."""
    for block in TASKS[number].before:
        status, said = by_shell(block)
        assert status == 0, said.decode()
    return run(*shlex.split(TASKS[number].code)[1:], *more)


def work(number: int) -> dict[str, Any]:
    """The names that the lines of a task leave behind."""
    names: dict[str, Any] = {}
    exec(compile(TASKS[number].code, str(PAGE), "exec"), names)
    return names


def read_consensus(outcome: Outcome) -> list[str]:
    assert outcome.code == 0, outcome.err
    return list(json.loads(outcome.out)["1"])


def test_there_are_ten_tasks_and_each_is_six_lines_or_one_command() -> None:
    assert list(TASKS) == list(range(1, 11))
    for number, task in TASKS.items():
        if task.language == "python":
            assert len([line for line in task.code.splitlines() if line.strip()]) <= 6, number
        else:
            assert task.language == "sh"
            assert len(commands(task.code)) == 1, number


def test_a_rag_request_gets_its_documents_with_scores_and_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    hits = work(1)["fused"].hits()
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["0.0325 Repotting {'bm25': 2, 'dense': 1}", "0.0164 Watering {'bm25': 1}"]
    assert all(f"`{line}`" in PAGE.read_text(encoding="utf-8") for line in printed)
    assert hits[0].scores == {"bm25": 9.4, "dense": 0.81}


def test_an_election_is_counted(run: Run) -> None:
    rows = json.loads(do(run, 2, "--json").out)["rows"]
    assert all(row["winners"] == ["Ben"] for row in rows)


def test_a_survey_is_summed_up(run: Run) -> None:
    assert read_consensus(do(run, 3, "--format", "json")) == ["Pizza", "Pasta", "Salad"]


def test_gene_lists_agree_on_a_gene(run: Run) -> None:
    assert read_consensus(do(run, 4, "--format", "json"))[:2] == ["TP53", "MYC"]


def test_a_folder_of_parquet_files_is_fused(run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    outcome = do(run, 5)
    assert outcome.code == 0, outcome.err
    rows = parquet.read_table("fused.parquet").to_pylist()
    assert {row["query"] for row in rows} >= {"repot-an-orchid"}
    assert set(rows[0]) == {"query", "item", "rank", "score"}


def test_a_duckdb_query_is_fused_and_queried_again(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb")
    assert work(6)["fused"]["item"].to_pylist() == [12, 31, 40]
    assert capsys.readouterr().out == "[(12, 1), (31, 2), (40, 3)]\n"


def test_a_notebook_shows_a_table() -> None:
    shown = work(7)["fused"]._repr_html_()
    assert re.search(r"<table.*<th[^>]*>rank</th>.*>d1<", shown, re.DOTALL)


def test_a_paper_gets_its_table(run: Run) -> None:
    outcome = do(run, 8)
    assert outcome.code == 0, outcome.err
    assert all(f"{row} & " in outcome.out for row in ("bm25", "dense", "sparse", "RRF", "Borda"))
    assert "\\label{" in outcome.out


def test_fastapi_serves_fusion() -> None:
    pytest.importorskip("httpx2", reason="the test client of FastAPI needs httpx2")
    testclient = pytest.importorskip("fastapi.testclient")
    client = testclient.TestClient(work(9)["app"])
    lists = {"bm25": {"d1": 12.1, "d2": 9.4}, "dense": {"d2": 0.8}, "title": None}
    [first] = client.post("/fuse?top=1", json=lists).json()
    assert first == {
        "item": "d2",
        "rank": 1,
        "score": 1 / 62 + 1 / 61,
        "ranks": {"bm25": 2, "dense": 1},
        "scores": {"bm25": 9.4, "dense": 0.8},
    }


def test_runs_are_evaluated_in_the_words_of_ir_measures(run: Run) -> None:
    outcome = do(run, 10, "--json")
    assert outcome.code == 0, outcome.err
    measures = [row["measure"] for row in json.loads(outcome.out)["rows"] if row["run"] == "bm25"]
    assert measures == ["nDCG@10", "AP", "RR@10", "P@5", "R@100"]
