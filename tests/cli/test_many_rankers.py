"""Thousands of rankers with long names, ten runs side by side: soon, short, and no number broken."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import Outcome, Run, runner

from stagg import Rankings
from stagg.cli.show.consensus_view import cut_names
from stagg.evaluation import inspection
from stagg.evaluation.inspection import inspect


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")
    return runner(capfdbinary)


def within(seconds: float, call: Callable[[], Outcome]) -> Outcome:
    begun = time.process_time()
    ended = call()
    assert time.process_time() - begun < seconds
    assert ended.code == 0
    return ended


def write_ballots(path: Path, voters: int) -> Path:
    rng = random.Random(1)
    rows = [f"first.last{n:04d}@department.example.org,{','.join(rng.sample('ABCDEF', 3))}" for n in range(voters)]
    path.write_text("\n".join(["Email,First choice,Second choice,Third choice", *rows]))
    return path


def write_pairs(path: Path, judges: int) -> Path:
    rng, models = random.Random(2), [f"model-{n}" for n in range(20)]
    pairs = [rng.sample(models, 2) for _ in range(judges)]
    rows = [f"annotator-with-a-long-name-{n:05d}@crowd.example.org,{a},{b},{a}" for n, (a, b) in enumerate(pairs)]
    path.write_text("\n".join(["judge,a,b,choice", *rows]))
    return path


def test_six_hundred_ballots_with_addresses_are_a_table_within_a_second(run: Run, tmp_path: Path) -> None:
    path = write_ballots(tmp_path / "ballots.csv", 600)
    assert "of 600" in within(1, lambda: run("fuse", path, "--format", "table")).out


def test_five_thousand_judged_pairs_are_a_table_within_a_second(run: Run, tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "pairs.csv", 5000)
    assert "of 5000" in within(1, lambda: run("fuse", path, "--missing", "skip", "--format", "table")).out


def test_names_that_are_cut_alike_are_told_apart_however_many_they_are() -> None:
    names = [f"a-very-long-name-of-a-ranker-{n}" for n in range(3000)]
    begun = time.process_time()
    heads = cut_names(names, 12)
    assert time.process_time() - begun < 1
    assert len(set(heads)) == len(names)
    assert heads[0] == "a-very-long…"
    assert heads[1:3] == ["a-very-lon…2", "a-very-lon…3"]


def test_five_thousand_rankers_are_inspected_within_two_seconds_and_sixty_lines(run: Run, tmp_path: Path) -> None:
    path, rng = tmp_path / "lists.json", random.Random(1)
    path.write_text(json.dumps({"q": {f"first.last{n:04d}": rng.sample("ABCDEF", 3) for n in range(5000)}}))
    shown = within(2, lambda: run("inspect", path)).out
    assert len(shown.splitlines()) <= 60
    told = " ".join(shown.split())
    assert "Shown: the first 12 of 5,000 rankers; --json prints all of them." in told
    assert "Each ranker is compared with 100 of the others, taken evenly." in told
    everything = json.loads(within(4, lambda: run("inspect", path, "--json")).out)
    assert len(everything["rows"]) == 5000
    assert everything["overlap"] is None


def test_a_sample_of_the_rankers_gives_what_all_of_them_give(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    rankings = Rankings.from_lists({f"r{n}": [f"d{i}" for i in rng.permutation(9)[:5]] for n in range(40)})
    every = inspect(rankings)
    monkeypatch.setattr(inspection, "MOST_COMPARED", 39)
    monkeypatch.setattr(inspection, "SAMPLE", 10)
    some = inspect(rankings)
    assert len(some.compared) == 10
    np.testing.assert_array_equal(some.overlap, every.overlap[:, some.compared])
    np.testing.assert_array_equal(some.agreement, every.agreement[:, some.compared])


def test_the_matrices_of_ten_runs_fit_eighty_columns_and_no_number_is_broken(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    for number in range(10):
        rows = [f"q Q0 d{item} {rank} {-rank} t" for rank, item in enumerate(rng.permutation(30), start=1)]
        (tmp_path / f"system-run-{number}.trec").write_text("\n".join(rows) + "\n")
    shown = run("inspect", *sorted(tmp_path.glob("*.trec")), "-q").out
    assert max(map(len, shown.splitlines())) <= 80
    matrix = shown[shown.rindex("Agreement") :]
    lines = [line.split() for line in matrix.splitlines() if "system-run" in line]
    assert [line[1] for line in lines] == [f"system-run-{number}" for number in range(10)]
    assert all(len(line) == 2 + 9 for line in lines)
    assert all(abs(float(cell)) <= 1 for line in lines for cell in line[2:])


@pytest.mark.parametrize(("columns", "head"), [(60, "two"), (59, "lists")])
def test_ranks_are_shown_as_long_as_sixteen_columns_are_left_for_the_items(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int, head: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    (tmp_path / "runs.json").write_text('{"q": {"one": ["a", "b"], "two": ["b", "a"]}}')
    shown = run("fuse", tmp_path / "runs.json", "--format", "table").out
    assert head in next(line for line in shown.splitlines() if "CONSENSUS" in line)
