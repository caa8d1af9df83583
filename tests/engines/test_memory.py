"""The engine of this process: in parts or whole, the same bytes, the same outcome, told in the same order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg import DataError, Rankings
from stagg.aggregate import Plan, prepare
from stagg.engines import memory
from stagg.engines.base import Engine, InputFiles, Listener, Outcome, Output
from stagg.engines.memory import MemoryEngine
from stagg.engines.spark import SparkEngine
from stagg.errors import InvalidParameter
from stagg.formats.log import ReadLog
from stagg.formats.parts.in_parts import BUCKET
from stagg.formats.write import pick_fused_format
from stagg.kernels.text import records

ENGINES: list[Engine] = [MemoryEngine(), SparkEngine()]
"""That these are engines is checked by mypy."""


class Heard(Listener):
    """What was told, in order."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def reads_whole(self, why: str) -> None:
        self.told.append(f"whole: {why}")

    def has_read(self, log: ReadLog, summary: str) -> None:
        self.told.append(f"{log.summary()}: {summary}")

    def has_one_ranker(self) -> None:
        self.told.append("one ranker")

    def has_fused(self, outcome: Outcome) -> None:
        self.told.append(f"{outcome.queries} queries, {outcome.rows} rows, {outcome.strangers}")


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Three runs of three queries; the third shares no item with the others."""
    lists = {
        "bm25": {"q2": ["doc-1", "doc-2"], "q1": ["doc-3", "doc-1", "doc-2"], "q3": ["doc-1"]},
        "dense": {"q1": ["doc-2"], "q2": ["doc-2", "doc-1"]},
        "odd": {query: [str(item) for item in range(1, 4)] for query in ("q1", "q2", "q3")},
    }
    paths = []
    for name, by_query in lists.items():
        scores = {query: {item: -rank for rank, item in enumerate(items)} for query, items in by_query.items()}
        paths.append(str(tmp_path / f"{name}.trec"))
        stagg.write(Rankings.from_runs({name: scores}), paths[-1])
    return paths


def output(folder: Path, name: str) -> Output:
    return Output(str(folder / name), pick_fused_format(folder / name))


def read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemoryEngine, "_run_in_parts", lambda *_: None)


@pytest.mark.parametrize("name", ["fused.trec", "fused.csv", "fused.json"])
@pytest.mark.parametrize(
    "plan",
    [
        prepare("rrf"),
        prepare("rrf", depth=1),
        prepare("borda", top=2, weights={"odd": 0}),
        prepare("stagg_trust"),
        prepare("rrf", min_lists=2),
        prepare("rrf", weights=[0, 0, 0]),
    ],
    ids=lambda plan: f"{plan.method} {plan.settings}",
)
@pytest.mark.filterwarnings("ignore:stagg_trust has nothing to learn from")
def test_both_roads_write_the_same_bytes_and_tell_the_same(
    plan: Plan, name: str, runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 100)
    target, heard, heard_whole = output(tmp_path, name), Heard(), Heard()
    outcome = MemoryEngine(threads=2).run(plan, InputFiles(runs), target, heard)
    written = Path(str(target.path)).read_bytes()
    assert (outcome.result is None) == records.has_twin()
    read_whole(monkeypatch)
    whole = MemoryEngine().run(plan, InputFiles(runs), target, heard_whole)
    assert Path(str(target.path)).read_bytes() == written
    assert heard.told == heard_whole.told
    assert (outcome.queries, outcome.rows) == (whole.queries, whole.rows) == (3, len(whole.fused.entries))


def test_strangers_are_named_on_both_roads(runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "odd shares no item with any other list in 3 of 3 queries; its ids look like 1, the others' like doc-1"
    found = [MemoryEngine().run(prepare(), InputFiles(runs), output(tmp_path, "f.csv")).strangers]
    read_whole(monkeypatch)
    found.append(MemoryEngine().run(prepare(), InputFiles(runs), output(tmp_path, "f.csv")).strangers)
    assert found == [said, said]


def test_the_fewest_voters_are_counted_where_there_are_intervals(
    runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, target = prepare("rrf", intervals=0.9, draws=5), output(tmp_path, "f.csv")
    assert MemoryEngine().run(prepare(), InputFiles(runs), target).fewest_voters is None
    assert MemoryEngine().run(plan, InputFiles(runs), target).fewest_voters == 2
    read_whole(monkeypatch)
    assert MemoryEngine().run(plan, InputFiles(runs), target).fewest_voters == 2


def test_some_queries_are_fused_in_the_order_asked_for(runs: list[str], tmp_path: Path) -> None:
    files = InputFiles(runs, queries=["q3", "q1", "q3"])
    assert MemoryEngine().fuse(prepare(), files).fused.queries == ("q3", "q1")
    learned = MemoryEngine().fuse(prepare("stagg_trust"), files).fused
    everything = MemoryEngine().fuse(prepare("stagg_trust"), InputFiles(runs)).fused
    assert learned.queries == ("q3", "q1")
    assert learned.to_dict() == everything.take_queries([everything.query_number(q) for q in learned.queries]).to_dict()
    MemoryEngine().run(prepare(), files, output(tmp_path, "some.csv"))
    written = (tmp_path / "some.csv").read_text().splitlines()[1:]
    assert {line.split(",")[0] for line in written} == {"q1", "q3"}


def test_one_ranker_is_told(runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, whole = Heard(), Heard()
    MemoryEngine().run(prepare(), InputFiles(runs[:1]), output(tmp_path, "f.csv"), parts)
    read_whole(monkeypatch)
    MemoryEngine().run(prepare(), InputFiles(runs[:1]), output(tmp_path, "f.csv"), whole)
    assert parts.told == whole.told
    assert parts.told[1] == "one ranker"


def test_large_inputs_that_are_read_whole_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text('{"query": "q", "ranker": "r", "item": "a", "score": 1}\n')
    heard, target = Heard(), output(tmp_path, "f.csv")
    MemoryEngine().run(prepare(), InputFiles([str(path)]), target, heard)
    assert not [line for line in heard.told if line.startswith("whole")]
    monkeypatch.setattr(memory, "LARGE", 10)
    MemoryEngine().run(prepare(), InputFiles([str(path)]), target, heard)
    assert [line for line in heard.told if line.startswith("whole")] == ["whole: jsonl files cannot be read in parts"]


@pytest.mark.parametrize("prepare_road", [lambda patch: None, read_whole], ids=["in parts", "whole"])
def test_an_error_leaves_the_output_as_it_was(
    prepare_road: Callable[[Any], None], runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_road(monkeypatch)
    target = output(tmp_path, "fused.trec")
    Path(str(target.path)).write_text("before")
    with Path(runs[1]).open("a") as stream:
        stream.write("q9 Q0 a 1\n")
    with pytest.raises(DataError, match="expected 6 columns"):
        MemoryEngine().run(prepare(), InputFiles(runs), target)
    assert Path(str(target.path)).read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bm25.trec", "dense.trec", "fused.trec", "odd.trec"]


def test_a_file_that_only_looks_sorted_is_read_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("in_parts.BUCKET", 200), ("chunks.SPACING", 50), ("text_blocks.BLOCK", 200)):
        monkeypatch.setattr(f"stagg.formats.parts.{name}", value)
    monkeypatch.setattr("stagg.formats.inputs.FEW_BYTES", 0)
    paths = []
    for ranker in ("a", "b"):
        rows = [f"q{query:03} Q0 d{item} {item} {9 - item} t\n" for query in range(50) for item in range(1, 5)]
        paths.append(tmp_path / f"{ranker}.trec")
        paths[-1].write_text("".join([*rows, "q000 Q0 late 9 0.5 t\n"]))
    target = output(tmp_path, "fused.trec")
    MemoryEngine(threads=2).run(prepare(), InputFiles(list(map(str, paths))), target)
    written = Path(str(target.path)).read_bytes()
    assert BUCKET > len(written) > 0
    read_whole(monkeypatch)
    MemoryEngine().run(prepare(), InputFiles(list(map(str, paths))), target)
    assert sorted(written.splitlines()) == sorted(Path(str(target.path)).read_bytes().splitlines())


def test_spark_refuses_before_it_starts_what_it_cannot_do(runs: list[str], tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="fuses all queries"):
        SparkEngine().run(prepare(), InputFiles(runs, queries=["q1"]), output(tmp_path, "f.trec"))
    with pytest.raises(InvalidParameter, match="name it"):
        SparkEngine().run(prepare(), InputFiles(runs), Output(None, pick_fused_format(None)))
