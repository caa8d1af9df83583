"""Files in any order become buckets of whole queries, which are given out early where that turns out to be safe."""

from __future__ import annotations

import gzip
import io
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from stagg.errors import DataError
from stagg.formats import ReadLog, ReadOptions, load
from stagg.formats.inputs import Inputs
from stagg.formats.parts import chunks, in_parts, text_blocks
from stagg.formats.parts.bucket_lists import BadLists
from stagg.formats.parts.in_parts import InParts, Restart
from stagg.kernels.text import records
from stagg.threads import Crew
from tests.command_line import Run, runner

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")

Open = Callable[..., InParts]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and buckets of some rows."""
    monkeypatch.setattr(in_parts, "BUCKET", 400)
    monkeypatch.setattr(chunks, "SPACING", 100)
    monkeypatch.setattr(text_blocks, "BLOCK", 200)
    monkeypatch.setattr("stagg.formats.inputs.FEW_BYTES", 0)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "fuse")


@pytest.fixture
def restarts(monkeypatch: pytest.MonkeyPatch) -> list[InParts]:
    """The inputs that had to be read once more."""
    seen: list[InParts] = []
    again = InParts.begin_again

    def watched(self: InParts) -> None:
        seen.append(self)
        again(self)

    monkeypatch.setattr(InParts, "begin_again", watched)
    return seen


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens inputs in parts."""
    held: list[Inputs] = []
    read: list[InParts] = []

    def call(*paths: Path, options: ReadOptions | None = None, memory: int | None = None, **how: Any) -> InParts:
        chosen = options or ReadOptions(memory=memory)
        held.append(Inputs(list(paths), options=chosen, log=ReadLog()))
        parts = held[-1].in_parts(**how)
        assert isinstance(parts, InParts)
        read.append(parts)
        return parts

    yield call
    for parts in read:
        parts.close()
    for inputs in held:
        inputs.__exit__()


IDS = [f"q{number:03d}" for number in range(60)]


def run_text(ids: Sequence[str], seed: int = 0) -> str:
    rng = random.Random(seed)
    return "".join(f"{query} Q0 d{rng.randrange(1000) * 10 + k} {k + 1} {9 - k} t\n" for query in ids for k in range(5))


def table_rows(ids: Sequence[str], rankers: Sequence[str], seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    return [
        f"{query},{ranker},d{rng.randrange(1000) * 10 + k},{9 - k}\n"
        for query in ids for ranker in rankers for k in range(4)
    ]  # fmt: skip


def put_table(path: Path, rows: Sequence[str]) -> Path:
    path.write_text("query,ranker,item,score\n" + "".join(rows))
    return path


def put_runs(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"run{number}.trec" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def all_queries(parts: InParts, *, early: bool, threads: int = 1) -> list[tuple[str, ...]]:
    with Crew(threads) as crew:
        return [parts.read(rows).rankings.queries for rows in parts.buckets(crew, early=early)]


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("memory", [1, 1 << 28])
def test_buckets_are_whole_queries_in_bytewise_order(
    early: bool, threads: int, memory: int, tmp_path: Path, opened: Open
) -> None:
    paths = put_runs(tmp_path, run_text(IDS), run_text(IDS[::2], 1), run_text(IDS[:20], 2))
    parts = opened(*paths, threads=threads, memory=memory)
    found = all_queries(parts, early=early, threads=threads)
    assert [query for some in found for query in some] == IDS
    assert len(found) > 3
    whole = load(paths, options=ReadOptions(), log=ReadLog()).rankings
    parts = opened(*paths, threads=threads, memory=memory)
    with Crew(threads) as crew:
        for rows in parts.buckets(crew, early=early):
            part = parts.read(rows).rankings
            assert part == whole.take_queries([whole.query_number(query) for query in part.queries])
    parts.close()


def test_sorted_files_are_given_out_while_they_are_read(tmp_path: Path, opened: Open) -> None:
    parts = opened(*put_runs(tmp_path, run_text(IDS), run_text(IDS, 1)))
    most = 0
    with Crew(1) as crew:
        for _ in parts.buckets(crew, early=True):
            most = max(most, parts._store.size)
    assert most < sum(os.path.getsize(file.path) for file in parts.files)
    parts = opened(*(file.path for file in parts.files))
    with Crew(1) as crew:
        next(parts.buckets(crew, early=True))
        assert parts.files[0].progress < 0.5
    parts = opened(*(file.path for file in parts.files))
    with Crew(1) as crew:
        next(parts.buckets(crew, early=False))
        assert parts.files[0].progress == 1


def test_packed_files_are_read_side_by_side_too(tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 1 << 14)
    monkeypatch.setattr("stagg.formats.storage.source.BLOCK", 1 << 14)  # what is unpacked ahead
    ids = [f"q{number:05d}" for number in range(9000)]
    paths = [tmp_path / f"run{number}.trec.gz" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(gzip.compress(run_text(ids, number).encode(), 1))
    parts, taken, ahead = opened(*paths), [0] * 3, 0
    for number, piece in parts._pieces():
        taken[number] += piece is not None
        ahead = max(ahead, max(taken) - min(taken))
    assert taken == [taken[0]] * 3
    assert ahead < taken[0] / 2


def test_a_file_that_looks_sorted_and_is_not_is_read_once_more(
    tmp_path: Path, opened: Open, run: Run, restarts: list[InParts]
) -> None:
    text = run_text(IDS)
    paths = put_runs(tmp_path, text, text + run_text(["a"]))
    with pytest.raises(Restart):
        all_queries(opened(*paths), early=True)
    parts = opened(*paths)
    with pytest.raises(Restart):
        all_queries(parts, early=True)
    parts.begin_again()
    assert [query for some in all_queries(parts, early=False) for query in some] == ["a", *IDS]
    restarts.clear()
    found = run(*paths, "--threads", 2)
    assert len(restarts) == 1
    in_order = put_runs(tmp_path, text, run_text(["a"]) + text)
    restarts.clear()
    assert run(*in_order) == found
    assert not restarts


def test_a_row_that_comes_back_to_the_last_query_is_no_step_back(
    tmp_path: Path, run: Run, restarts: list[InParts]
) -> None:
    lines = run_text(IDS).splitlines(keepends=True)
    paths = put_runs(tmp_path, "".join(lines), "".join(lines[:-1] + lines[-1:]))
    assert run(*paths).code == 0
    assert not restarts


def test_runs_one_after_another_in_a_table_are_not_taken_for_sorted(
    tmp_path: Path, run: Run, restarts: list[InParts]
) -> None:
    rankers = ["x", "y", "z"]
    apart = [row for ranker in rankers for row in table_rows(IDS, [ranker])]
    together = sorted(apart, key=lambda row: row.split(",")[0])
    found = run(put_table(tmp_path / "t.csv", apart))
    assert not restarts  # the first ranker's rows are sorted: nothing was given out for it
    assert run(put_table(tmp_path / "t.csv", together)) == found
    assert not restarts


@pytest.mark.parametrize("ending", ["trec", "csv", "csv.gz", "trec.gz"])
def test_ids_that_are_sorted_as_numbers_are_read(
    ending: str, tmp_path: Path, run: Run, restarts: list[InParts]
) -> None:
    ids = [str(number) for number in range(1, 130)]
    is_run = ending.startswith("trec")
    header, rows = "" if is_run else "query,ranker,item,score\n", run_text(ids).splitlines(keepends=True)
    rows = rows if is_run else table_rows(ids, ["x", "y"])
    outcomes, path = [], tmp_path / f"t.{ending}"
    for order in (rows, sorted(rows)):
        restarts.clear()
        content = (header + "".join(order)).encode()
        path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
        outcomes.append((run(path), len(restarts)))
    assert outcomes[0][0] == outcomes[1][0]
    assert [count for _, count in outcomes] == [1, 0]


@pytest.mark.parametrize("memory", [1, 2000, 1 << 28])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_bytes_are_the_same_in_any_order_for_any_threads_and_memory(
    memory: int, threads: int, tmp_path: Path, run: Run
) -> None:
    rows = table_rows([str(number) for number in range(40)], ["x", "y"])
    expected = None
    for order in ("sorted", "numeric", "apart", "shuffled", "last first"):
        rng = random.Random(order)
        some = {
            "sorted": sorted(rows), "numeric": rows, "apart": sorted(rows, key=lambda row: row.split(",")[1]),
            "shuffled": rng.sample(rows, len(rows)), "last first": [rows[-1], *sorted(rows[:-1])],
        }[order]  # fmt: skip
        found = run(
            put_table(tmp_path / "t.csv", some), "--threads", threads, "--memory", memory, "--weights", "x=1,y=1"
        )
        assert found.code == 0
        expected = found.raw if expected is None else expected
        assert found.raw == expected


def test_a_pipe_is_not_given_out_early_since_it_cannot_be_read_again(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opened(*put_runs(tmp_path, run_text(IDS))).can_restart
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(run_text(IDS).encode())))
    assert not opened(Path("-")).can_restart
    monkeypatch.setattr(in_parts, "MOST_OPEN", 2)
    assert not opened(*put_runs(tmp_path, *[run_text(IDS)] * 3)).can_restart


def test_all_is_taken_twice_by_who_learns(tmp_path: Path, opened: Open) -> None:
    for memory in (1, 1 << 28):
        parts = opened(*put_runs(tmp_path, run_text(IDS), run_text(IDS, 1)), memory=memory)
        with Crew(1) as crew:
            first = [parts.read(rows).rankings for rows in parts.buckets(crew, early=False, twice=True)]
        assert [parts.read(rows).rankings for rows in parts.take_again()] == first
        parts.close()


def test_wanted_queries_alone_are_kept_and_all_are_known(tmp_path: Path, opened: Open) -> None:
    paths = put_runs(tmp_path, run_text(IDS), run_text([*IDS, "other"], 1))
    parts = opened(*paths)
    found = parts.read_whole(["q007", "other"])
    assert found.rankings.queries == ("q007", "other")
    assert parts.queries_met == [list(IDS), [*IDS, "other"]]
    parts = opened(*paths)
    assert parts.read_whole([]).rankings.queries == ()


@pytest.mark.parametrize("threads", [1, 3])
def test_rankers_come_in_the_order_of_the_files_and_their_rows(threads: int, tmp_path: Path, opened: Open) -> None:
    one = put_table(tmp_path / "a.csv", table_rows(IDS, ["z", "b"]))
    two = put_table(tmp_path / "b.csv", table_rows([f"r{number}" for number in range(30)], ["c", "b", "a"]))
    parts = opened(one, two, threads=threads)
    parts.read_whole()
    assert parts.rankers == ("z", "b", "c", "a")


def test_files_without_rows_are_no_rankers(tmp_path: Path, opened: Open) -> None:
    parts = opened(*put_runs(tmp_path, run_text(IDS), "\n \n", run_text(IDS, 1)))
    assert len(all_queries(parts, early=True)) > 3
    assert parts.rankers == ("run0", "run2")
    assert [file.stem for file in parts.full] == ["run0", "run2"]
    nothing = opened(*put_runs(tmp_path, "\n", "\n"))
    with pytest.raises(DataError, match="0 rows"):
        all_queries(nothing, early=True)


def test_files_beyond_those_that_may_be_open_are_closed_in_turn(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_parts, "MOST_OPEN", 3)
    monkeypatch.setattr("stagg.formats.inputs.MOST_OPEN", 3)
    paths = put_runs(tmp_path, *(run_text(IDS, number) for number in range(9)))
    whole = load(paths, options=ReadOptions(), log=ReadLog()).rankings
    before = len(os.listdir("/proc/self/fd"))
    parts = opened(*paths)
    assert len(os.listdir("/proc/self/fd")) <= before + 4
    assert parts.read_whole().rankings == whole
    assert len(os.listdir("/proc/self/fd")) <= before + 4


def test_progress_goes_from_nothing_to_all(tmp_path: Path, opened: Open) -> None:
    told: list[int] = []
    parts = opened(
        *put_runs(tmp_path, run_text(IDS), run_text(IDS, 1)), progress=lambda what, done, total: told.append(done)
    )
    parts.read_whole()
    assert told == sorted(told)
    assert told[-1] == 100


def test_an_error_in_a_thread_ends_the_reading(tmp_path: Path, opened: Open) -> None:
    paths = put_runs(tmp_path, run_text(IDS), run_text(IDS[:30]) + "q100 Q0 d 1 nan t\n" + run_text(IDS[30:]))
    for threads in (1, 3):
        with pytest.raises(BadLists, match=r"run1.trec:151: "):
            all_queries(opened(*paths, threads=threads), early=True, threads=threads)


@pytest.mark.parametrize("threads", [1, 3])
def test_of_a_wrong_list_that_was_given_out_early_and_a_wrong_row_the_first_file_is_told(
    threads: int, tmp_path: Path, run: Run
) -> None:
    texts = [2 * f"{IDS[0]} Q0 x 6 1 t\n" + run_text(IDS), run_text(IDS, 1) + "no row\n"]
    for some, first in ((texts, "run0.trec:2: the item 'x'"), (texts[::-1], "run0.trec:301: expected 6 columns")):
        done = run(*put_runs(tmp_path, *some), "--threads", threads)
        assert (done.code, first in done.err) == (1, True), done.err


def test_of_many_tables_one_that_was_closed_can_be_looked_at_again(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_parts, "MOST_OPEN", 3)
    monkeypatch.setattr("stagg.formats.inputs.MOST_OPEN", 3)
    rows = [table_rows(IDS[:9], [f"r{number}"], number) for number in range(9)]
    rows[5].append('q001,r5,"x,y",wrong\n')
    paths = [put_table(tmp_path / f"{number}.csv", some) for number, some in enumerate(rows)]
    for threads in (1, 4):
        done = run(*paths, "--threads", threads, "-o", tmp_path / "out.csv")
        assert (done.code, "5.csv:38: the score 'wrong'" in done.err) == (1, True)


def test_many_packed_parquet_files_are_unpacked_in_turn(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(in_parts, "MOST_OPEN", 3)
    monkeypatch.setattr("stagg.formats.inputs.MOST_OPEN", 3)
    paths = [tmp_path / f"{number}.parquet.gz" for number in range(7)]
    for number, path in enumerate(paths):
        rows = {"query": IDS, "ranker": [f"r{number}"] * 60, "item": IDS, "score": range(60)}
        with gzip.open(path, "wb") as file:
            pq.write_table(pa.table(rows), file)
    whole = load(paths, options=ReadOptions(), log=ReadLog()).rankings
    before = len(os.listdir("/proc/self/fd"))
    parts = opened(*paths)
    assert parts.read_whole().rankings == whole
    assert len(os.listdir("/proc/self/fd")) <= before + 8
