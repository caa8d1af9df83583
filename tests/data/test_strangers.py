"""Rankers whose ids come from elsewhere are named; short lists that differ by accident are not."""

from __future__ import annotations

import pickle
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Run, runner

import stagg
from stagg.data.strangers import ENOUGH, all_share, find_overlap, warn_of_strangers
from stagg.errors import DataWarning

Runs = dict[str, dict[str, dict[str, float]]]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


def runs(queries: int = 200, foreign: str = "dense") -> Runs:
    """Three rankers that find much the same; one has ids of its own."""
    rng = random.Random(1)
    found: Runs = {name: {} for name in ("bm25", "sparse", "dense")}
    for query in range(queries):
        pool = rng.sample(range(5000), 15)
        for name, one in found.items():
            ids = [str(number) if name == foreign else f"doc-{number}" for number in rng.sample(pool, 10)]
            one[f"q{query:03d}"] = {item: 10.0 - place for place, item in enumerate(ids)}
    return found


def write(folder: Path, given: Runs) -> list[str]:
    for name, found in given.items():
        rows = [
            f"{query} Q0 {item} {rank} {score} {name}\n"
            for query, scores in found.items()
            for rank, (item, score) in enumerate(scores.items(), start=1)
        ]
        (folder / f"{name}.trec").write_text("".join(rows))
    return [str(folder / f"{name}.trec") for name in given]


SAID = (
    r"^dense shares no item with any other list in 200 of 200 queries; "
    r"its ids look like (\d+), the others' like doc-\1$"
)


def test_one_leg_with_foreign_ids_among_three_is_named_with_samples() -> None:
    with pytest.warns(DataWarning, match=SAID):
        stagg.fuse(runs())
    assert find_overlap(stagg.Rankings.from_runs(runs(foreign=""))).alone == {}


@pytest.mark.parametrize("output", ["fused.trec", "fused.csv", "fused.json", None])
def test_the_command_line_says_the_same_once(tmp_path: Path, run: Run, output: str | None) -> None:
    files = write(tmp_path, runs())
    ended = run("fuse", *files, *([] if output is None else ["-o", str(tmp_path / output)]))
    with pytest.warns(DataWarning) as said:
        stagg.fuse(runs())
    assert ended.err.count("shares no item") == 1
    assert f"stagg: warning: {said[0].message}\n" in ended.err
    assert "shares no item" in run("fuse", *files, "--quiet", "--report", str(tmp_path / "page.html")).err


@pytest.mark.parametrize("command", [["inspect"], ["explain", "--query", "q001"], ["explore"]])
def test_other_commands_that_compare_or_fuse_say_it_too(tmp_path: Path, run: Run, command: list[str]) -> None:
    assert run(command[0], *write(tmp_path, runs()), *command[1:]).err.count("dense shares no item") == 1


def test_a_ranker_that_does_not_count_is_not_named(tmp_path: Path, run: Run) -> None:
    stagg.fuse(runs(), weights={"dense": 0})
    ended = run("fuse", *write(tmp_path, runs()), "--weights", "dense=0", "-o", str(tmp_path / "fused.trec"))
    assert "shares no item" not in ended.err


def test_parts_say_what_the_whole_says() -> None:
    whole = stagg.Rankings.from_runs(runs())
    for cuts in ([50, 60], [1, 2, 3, 199], []):
        overlap = find_overlap(whole.take_queries(np.arange(0, 0)))
        for part in reversed(np.split(np.arange(200), cuts)):
            overlap.add(pickle.loads(pickle.dumps(find_overlap(whole.take_queries(part), overlap))))
        assert overlap.describe() == find_overlap(whole).describe()


def test_one_item_in_common_in_one_query_is_enough() -> None:
    given = runs()
    given["dense"]["q150"][next(iter(given["bm25"]["q150"]))] = 0.5
    stagg.fuse(given)


def test_if_all_lists_are_strangers_all_are_named() -> None:
    with pytest.warns(DataWarning, match="^bm25 and dense share no item; their ids look like doc-2 and 2$"):
        stagg.fuse({"bm25": ["doc-1", "doc-2"], "dense": [2, 5]})
    lists = {name: [f"{name}{k}" for k in range(ENOUGH)] for name in "abcde"}
    with pytest.warns(DataWarning, match="^a, b, c and 2 other rankers share no item; their ids look like a0, b0 and"):
        stagg.fuse(lists)


def test_many_strangers_are_counted_and_few_named() -> None:
    lists: dict[str, Any] = {f"r{k}": [f"{k}-{place}" for place in range(ENOUGH)] for k in range(8)}
    lists |= {"x": ["doc-a", "doc-b"], "y": ["doc-b", "doc-c"]}
    with pytest.warns(DataWarning, match=r"^r0 shares .*; r1 .*; r2 .*; the same holds for 5 other rankers$"):
        stagg.fuse(lists)


@pytest.mark.parametrize(
    "lists",
    [
        [["a"], ["b"]],
        [["a"], ["17"]],  # other characters, but one item each
        [["a", "b", "c"], ["d", "e"]],
        [["doc-1", "doc-2"], ["7"], []],
        [["a", "b"], None],
        [[f"a{k}" for k in range(50)], [f"b{k}" for k in range(ENOUGH - 1)]],
        [["a", "b"]],
    ],
)
def test_short_lists_that_differ_are_no_reason_to_warn(lists: list[Any]) -> None:
    stagg.fuse(lists)


def test_alike_ids_take_more_items() -> None:
    lists = [[f"{name}{k}" for k in range(ENOUGH)] for name in "ab"]
    with pytest.warns(DataWarning, match="share no item"):
        stagg.fuse(lists)
    with pytest.warns(DataWarning, match="3 shares no item"):
        stagg.fuse([["a-1", "a-2"], ["a-2", "a-3"], ["7", "8"]])


def test_a_ranker_alone_in_its_queries_is_no_stranger() -> None:
    given = runs(queries=4)
    alone = {"bm25": given["bm25"], "dense": {f"other-{query}": found for query, found in given["dense"].items()}}
    stagg.fuse(alone)


def test_a_kind_of_ballot_that_several_voters_cast_is_no_stranger() -> None:
    lists = stagg.Rankings.from_lists({"x": ["a", "b"], "y": ["b", "c"], "z": ["1", "2"]})
    assert not all_share(lists)
    assert all_share(lists.replace(multiplicities=np.array([1, 1, 5])))


def test_a_service_is_told_once_and_keeps_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    registry: dict[Any, Any] = {}
    monkeypatch.setitem(globals(), "__warningregistry__", registry)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for number in range(100):
            stagg.fuse({"bm25": [f"doc-{number}", "doc-x"], "dense": [f"1{number}", f"2{number}"]})
        stagg.fuse({"bm25": ["doc-1", "doc-2"], "other": ["1", "2"]})
    assert [str(each.message).split(" share")[0] for each in said] == ["bm25 and dense", "bm25 and other"]
    assert len([key for key in registry if isinstance(key, tuple)]) == 2
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for number in range(3):
            stagg.fuse({"bm25": [f"doc-{number}", "doc-x"], "dense": [str(number), "77"]})
    assert len({str(each.message) for each in said}) == 3  # each time with the ids at hand


def test_the_flag_is_about_the_fact_and_the_warning_about_being_sure() -> None:
    few = stagg.Rankings.from_lists([["a", "b"], ["b", "c"], ["d"]])
    assert warn_of_strangers(few)
    assert not warn_of_strangers(stagg.Rankings.from_lists([["a", "b"], ["b", "c"], ["c"]]))
