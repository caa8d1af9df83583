"""Queries that are read, fused and written some at a time give the bytes of reading everything first."""

from __future__ import annotations

import gzip
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from tests.command_line import Outcome, Run, runner

from stagg.aggregate import streaming
from stagg.cli.main import main
from stagg.kernels.text import records
from stagg.methods import METHODS

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")

VARIANTS = [
    "borda(missing='below')",
    "rrf(c=0)",
    "rrf(compat='haystack')",
    "rrf(compat='qdrant')",
    "rbc(phi=0.5)",
    "combsum(norm='z-score')",
    "combmnz(norm='borda')",
    "stagg_bc(missing='neutral')",
    "stagg_bc(missing='skip', shape='paper')",
    "stagg_rrf(c=10, missing='neutral', shape='logistic(2)')",
    "stagg_rrf(c=10, shape='certain')",
    "stagg(utility='isr', shape='linear')",
    "stagg(utility='top(k=2)')",
    "stagg(utility='list_borda', missing='skip', shape='linear')",
]
TWIN_USERS = [
    "stagg.kernels.text.records.twin",
    "stagg.kernels.text.text.twin",
    "stagg.kernels.sums.twin",
    "stagg.kernels.text.ranked.twin",
    "stagg.kernels.text.ids.twin",
]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "fuse")


@pytest.fixture
def whole(run: Run) -> Run:
    """The same without any compiled code: everything is read, then fused, then written."""

    def call(*arguments: object) -> Outcome:
        with pytest.MonkeyPatch.context() as patch:
            for user in TWIN_USERS:
                patch.setattr(user, lambda name: None)
            return run(*arguments)

    return call


@pytest.fixture(params=[1, 40, 30_000], ids=lambda rows: f"{rows} rows at a time")
def at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Buckets of so many rows, which come from blocks of a few rows."""
    give_few_rows(monkeypatch, request.param)
    return int(request.param)


def give_few_rows(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 50 * rows)
    monkeypatch.setattr("stagg.formats.parts.chunks.SPACING", min(50 * rows, 1 << 14))
    monkeypatch.setattr("stagg.formats.parts.text_blocks.BLOCK", 300 if rows < 1000 else 1 << 21)
    monkeypatch.setattr("stagg.formats.parts.parquet_chunks.BATCH", 9 if rows < 1000 else 1 << 16)


def rows(rng: random.Random, queries: list[str], items: int, tag: str) -> Iterator[str]:
    """A run, grouped by query: ties, ranks that contradict, lists of any length, some of them best last."""
    for query in rng.sample(queries, len(queries) - 1):
        length = rng.randint(1, items)
        scores = sorted((rng.choice([rng.randrange(8), rng.random() * 8]) for _ in range(length)), reverse=True)
        ranked = list(zip(rng.sample(range(items), length), scores, strict=True))
        if rng.random() < 0.3:
            rng.shuffle(ranked)
        for rank, (item, score) in enumerate(ranked, 1):
            yield f"{query} Q0 d{item}{'é' * (item % 7 == 0)} {rank} {score!r} {tag}\n"


def written(folder: Path, number: int, *, items: int = 9, rankers: int = 4, shuffled: bool = False) -> list[Path]:
    rng = random.Random(number)
    folder.mkdir(exist_ok=True)
    paths = []
    for ranker in range(rankers):
        lines = list(rows(rng, ["10", "9", "é", "q" * 40, "2", "a"], items, f"t{ranker}"))
        if shuffled:
            random.Random(ranker).shuffle(lines)
        paths.append(folder / f"run{ranker}.trec")
        paths[-1].write_bytes("".join(lines).encode())
    return paths


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return written(tmp_path / "runs", 1)


def took_part(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods that were run in parts, to be sure that a test tests something."""
    seen: list[str] = []
    write = streaming.FusionInParts.write

    def watched(self: streaming.FusionInParts, *rest: object) -> None:
        write(self, *rest)  # type: ignore[arg-type]
        seen.append(self.plan.method.name)

    monkeypatch.setattr(streaming.FusionInParts, "write", watched)
    return seen


@pytest.mark.filterwarnings("ignore:kemeny")
@pytest.mark.parametrize("method", [*METHODS.names(), *VARIANTS])
def test_every_method_gives_the_same_bytes(
    method: str, runs: list[Path], run: Run, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_few_rows(monkeypatch, 1)
    seen = took_part(monkeypatch)
    found = run(*runs, "-m", method, "--threads", 2)
    assert seen == [METHODS.parse(method).name]
    assert found == whole(*runs, "-m", method)
    assert found.code == 0
    assert found.raw


OPTIONS = [
    [],
    ["--top", 3],
    ["--depth", 2],
    ["--depth", 1, "--top", 4],
    ["--weights", "run1=2.5,run3=0.3"],
    ["--weights", "1,0,1,0.5", "--depth", 3],
    ["--weights", "0,0,0,0"],
    ["--order-by", "rank"],
    ["--order-by", "rank", "--depth", 2],
    ["--quiet"],
    ["-m", "stagg_rrf", "--missing", "neutral", "--top", 2],
    ["-m", "borda", "--missing", "below"],
    ["-m", "votecount", "--top", 2],
    ["-m", "isr", "--weights", "2,1,1,1"],
    ["-m", "rbc(phi=0.01)"],
    ["-m", "combsum", "--top", 5],
]


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(map(str, options)) or "plain")
def test_options_mean_the_same(options: list[object], tmp_path: Path, run: Run, whole: Run) -> None:
    for number in range(4):
        runs = written(tmp_path / str(number), number, items=4 + 8 * number)
        expected = whole(*runs, *options)
        for threads in (1, 2, 4):
            assert run(*runs, *options, "--threads", threads) == expected
        file = tmp_path / "fused.trec"
        assert run(*runs, *options, "-o", file) == whole(*runs, *options, "-o", file)  # and says how many rows it wrote


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize("method", ["rrf", "combsum", "combmnz(norm='z-score')", "stagg_rrf", "stagg_trust"])
def test_a_cut_through_equal_ranks_takes_each_item_with_its_own_score(
    method: str, tmp_path: Path, run: Run, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(9)
    runs = [tmp_path / f"run{ranker}.trec" for ranker in range(3)]
    for path in runs:
        ranked = [(query, place, item) for query in range(5) for place, item in enumerate(rng.sample(range(9), 9))]
        path.write_text("".join(f"q{q} Q0 d{item} {1 + place // 3} {rng.random()} t\n" for q, place, item in ranked))
    seen = took_part(monkeypatch)
    for depth in (1, 2, 4, 5, 9):
        options = ["-m", method, "--order-by", "rank", "--depth", depth]
        assert run(*runs, *options, "--threads", 2) == whole(*runs, *options)
    assert len(seen) == 5


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize("method", ["rrf", "rra"])
@pytest.mark.parametrize("ending", [".trec", ".csv", ".json", ".parquet", ".trec.gz"])
def test_files_of_every_format_are_the_same(
    ending: str, method: str, runs: list[Path], run: Run, whole: Run, tmp_path: Path
) -> None:
    mine, theirs = tmp_path / f"mine{ending}", tmp_path / f"theirs{ending}"
    options = ("-m", method, "--top", 4)
    found, expected = run(*runs, "-o", mine, *options), whole(*runs, "-o", theirs, *options)
    assert mine.read_bytes() == theirs.read_bytes()
    assert found.err.replace("mine", "theirs") == expected.err


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize(
    "options", [[], ["-m", "stagg_rrf", "--weights", "run0=0"], ["-m", "mc4"], ["-m", "rra"], ["--depth", 3]]
)
def test_intervals_are_the_same(options: list[object], runs: list[Path], run: Run, whole: Run) -> None:
    more = [*options, "--intervals", 0.8, "--draws", 20, "--top", 5]
    found = run(*runs, *more, "--threads", 2)
    assert found.code == 0
    assert found == whole(*runs, *more)


def test_a_ranker_of_weight_0_is_not_among_the_voters_of_an_interval(runs: list[Path], run: Run, whole: Run) -> None:
    options = ["--intervals", 0.8, "--draws", 5, "--weights", "run1=0,run2=0"]
    for path in runs:
        path.write_bytes(b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    found = run(*runs, *options)
    assert "with 2 rankers" in found.err
    assert found == whole(*runs, *options)


def test_shuffled_and_packed_runs_give_the_bytes_of_grouped_and_plain_ones(tmp_path: Path, run: Run) -> None:
    grouped, shuffled = written(tmp_path / "g", 5), written(tmp_path / "s", 5, shuffled=True)
    packed = [path.with_suffix(".trec.gz") for path in grouped]
    for path, pack in zip(grouped, packed, strict=True):
        pack.write_bytes(gzip.compress(path.read_bytes()))
    expected = run(*grouped)
    assert run(*packed).raw == expected.raw
    found = run(*shuffled)
    assert found.raw == expected.raw
    lines = [re.sub(r"/[gs]/(run\d.trec):\d+", r"/\1", outcome.err).splitlines() for outcome in (found, expected)]
    assert lines[0] == lines[1]  # the same is noted, of other lines


def test_real_runs_give_the_same_bytes(shared_data: Path, run: Run, whole: Run) -> None:
    runs = sorted((shared_data / "trec-dl-hybrid" / "dl19").glob("*.trec*"))[:3]
    for method in ("rrf", "stagg_rrf", "combsum", "borda"):
        expected = whole(*runs, "-m", method, "--top", 1000)
        for threads in (1, 2, 4):
            assert run(*runs, "-m", method, "--top", 1000, "--threads", threads) == expected


@pytest.fixture(params=["generated", "dl19"])
def forms(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, list[Path]]:
    """The same runs grouped and shuffled, plain and packed."""
    if request.param == "generated":
        grouped = written(tmp_path / "grouped", 6, items=60)
    else:
        shared_data: Path = request.getfixturevalue("shared_data")
        grouped = sorted((shared_data / "trec-dl-hybrid" / "dl19").glob("*.trec"))[:3]
    found: dict[str, list[Path]] = {"grouped": [], "shuffled": [], "grouped.gz": [], "shuffled.gz": []}
    for path in grouped:
        lines = path.read_bytes().splitlines(keepends=True)
        lines = [line for line in lines if request.param == "generated" or line[:1] in b"45678"]  # queries enough
        for form in found:
            if form.startswith("shuffled"):
                random.Random(len(lines)).shuffle(lines)
            packed = form.endswith(".gz")
            place = tmp_path / form / f"{path.stem}.trec{'.gz' * packed}"
            place.parent.mkdir(exist_ok=True)
            text = b"".join(lines)
            place.write_bytes(gzip.compress(text, 1) if packed else text)
            found[form].append(place)
            lines.sort(key=lambda line: line.split()[0])  # grouped again
    return found


@pytest.mark.parametrize("method", ["rrf", "stagg_rrf"])
def test_the_bytes_are_the_same_however_the_runs_lie_and_whoever_reads_them(
    method: str, forms: dict[str, list[Path]], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = [sys.executable, "-m", "stagg", "fuse", *forms["grouped"], "-m", method, "--quiet"]
    pure = subprocess.run(call, env=os.environ | {"STAGG_PURE": "1"}, capture_output=True, check=True)
    assert pure.stdout.count(b"\n") > 100
    seen = took_part(monkeypatch)
    for paths in forms.values():
        for threads in (1, 2, 4):
            assert run(*paths, "-m", method, "--threads", threads, "--quiet").raw == pure.stdout
    assert len(seen) == 12  # all of them some queries at a time


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize("learner", ["best_input", "weights", "stagg_ndcg(iterations=3)"])
def test_trained_models_give_the_same_bytes(
    learner: str, run: Run, whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = resources.files("stagg") / "sample"
    runs, model = [sample / f"{name}.trec" for name in ("bm25", "dense", "sparse")], tmp_path / "model.json"
    with pytest.raises(SystemExit):
        main(["train", *map(str, runs), "--qrels", str(sample / "qrels.txt"), "-l", learner, "-o", str(model), "-q"])
    seen = took_part(monkeypatch)
    for options in ([], ["--top", 3, "--depth", 5]):
        expected = whole(*runs, "--model", model, *options, "-q")
        assert expected.raw
        assert not seen
        for threads in (1, 2):
            assert run(*runs, "--model", model, *options, "--threads", threads, "-q") == expected
        assert len(seen) == 2
        seen.clear()


@pytest.mark.parametrize(
    "last", ["z Q0 d1 1 nan t\n", "z Q0 d1 1 2\n", "z Q0 d1 1 2 t\nz Q0 d1 2 1 t\n", "z Q0 d1 x 2 t\n"]
)
def test_what_is_odd_in_the_last_line_is_said_as_ever_and_leaves_no_output(
    last: str, runs: list[Path], run: Run, whole: Run, tmp_path: Path
) -> None:
    runs[2].write_bytes(runs[2].read_bytes() + last.encode())
    output = tmp_path / "out.trec"
    assert run(*runs, "--threads", 2) == whole(*runs)
    found = run(*runs, "-o", output)
    assert found == whole(*runs, "-o", output)
    assert output.exists() == (found.code == 0)


@pytest.mark.usefixtures("at_a_time")
@pytest.mark.parametrize("threads", [1, 3])
def test_of_many_lists_that_are_wrong_the_first_in_the_files_is_told(
    threads: int, tmp_path: Path, run: Run, whole: Run
) -> None:
    rng = random.Random(threads)
    for number in range(6):
        runs = written(tmp_path / str(number), number)
        for path in rng.sample(runs, 2):
            lines = path.read_bytes().splitlines(keepends=True)
            lines += rng.sample(lines, 2)
            path.write_bytes(b"".join(lines))
        found = run(*runs, "--threads", threads)
        assert "appears twice" in found.err
        assert found == whole(*runs)


@pytest.mark.parametrize("last", [b"", b"z Q0 d1 1 2 t\r\r\n"])
def test_a_pipe_gets_the_output_once(last: bytes, runs: list[Path], run: Run, tmp_path: Path) -> None:
    runs[2].write_bytes(runs[2].read_bytes() + last)
    pipe = tmp_path / "pipe.trec"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert run(*runs, "-o", pipe).code == 0
    reader.join()
    assert got == [run(*runs).raw]


def test_wrong_calls_are_said_as_ever(runs: list[Path], run: Run, whole: Run, tmp_path: Path) -> None:
    for options in (["--weights", "1,2"], ["--weights", "nobody=1"], ["-m", "combsum(norm='none')"]):
        runs[0].write_bytes(b"1 Q0 a 1 1e308 t\n")
        runs[1].write_bytes(b"1 Q0 a 1 1e308 t\n")
        found, expected = run(*runs, *options), whole(*runs, *options)
        assert found.code == expected.code != 0
        assert found.raw == expected.raw == b""
        assert found.err.splitlines()[-1] == expected.err.splitlines()[-1]  # wrong weights are said before the reading
    clash = tmp_path / "runs" / "run0.txt"
    clash.write_bytes(runs[1].read_bytes())
    assert run(*runs, clash) == whole(*runs, clash)


def test_an_output_that_cannot_be_written_is_said(runs: list[Path], run: Run, tmp_path: Path) -> None:
    found = run(*runs, "-o", tmp_path / "no" / "out.trec")
    assert found.code == 1
    assert "cannot be written" in found.err
