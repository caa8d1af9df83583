"""Tables that are read, fused and written some queries at a time give the bytes of reading everything first."""

from __future__ import annotations

import gzip
import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import Outcome, Run, runner

from stagg.formats import inputs as files
from stagg.formats.parts.chunks import Whole
from stagg.formats.parts.in_parts import InParts, RowsOfQueries
from stagg.kernels.text import records

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")

QUERIES = ["10", "9", "é", "q" * 40, "2", "a", "b c"]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "fuse")


@pytest.fixture
def whole(run: Run) -> Run:
    """The same when everything is read, then fused, then written."""

    def call(*arguments: object) -> Outcome:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files.Inputs, "in_parts", lambda self, **options: Whole("the test says so"))
            return run(*arguments)

    return call


@pytest.fixture(autouse=True, params=[1, 40, 30_000], ids=lambda rows: f"{rows} rows at a time")
def at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 50 * request.param)
    monkeypatch.setattr("stagg.formats.parts.chunks.SPACING", min(50 * request.param, 1 << 14))
    monkeypatch.setattr("stagg.formats.parts.text_blocks.BLOCK", 300)
    monkeypatch.setattr("stagg.formats.parts.parquet_chunks.BATCH", 17)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many parts were fused, to be sure that a test tests something."""
    counts: list[int] = []
    read = InParts.read

    def watched(self: InParts, rows: RowsOfQueries, **how: bool) -> object:
        counts.append(len(rows.bucket.segments))
        return read(self, rows, **how)

    monkeypatch.setattr(InParts, "read", watched)
    return counts


def rows(rng: random.Random, rankers: int) -> Iterator[tuple[str, str, str, int, str]]:
    """(query, ranker, item, rank, score), grouped by query: ties, contradicting ranks, lists of any length."""
    for query in rng.sample(QUERIES, len(QUERIES)):
        for ranker in rng.sample(range(rankers), rng.randint(1, rankers)):
            for rank, item in enumerate(rng.sample(range(12), rng.randint(1, 12)), 1):
                yield (
                    query,
                    f"r{ranker}",
                    f"d{item}" + "é" * (item == 3),
                    rank,
                    f"{rng.choice([1, 0.5, 20 - rank, -3])}",
                )


def table(seed: int, *, rankers: int = 4, columns: str = "query,ranker,item,rank,score", delimiter: str = ",") -> str:
    names = columns.split(",")
    lines = [names] + [
        [
            str(dict(zip(("query", "ranker", "item", "rank", "score"), row, strict=True)).get(name, "x"))
            for name in names
        ]
        for row in rows(random.Random(seed), rankers)
    ]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def write_parquet(path: Path, text: str, *, row_group: int = 37) -> Path:
    import pyarrow.csv
    import pyarrow.parquet

    kinds = {"query": "string", "ranker": "string", "item": "string"}
    options = pyarrow.csv.ConvertOptions(column_types=kinds)
    found = pyarrow.csv.read_csv(io.BytesIO(text.encode()), convert_options=options)
    pyarrow.parquet.write_table(found, path, row_group_size=row_group)
    return path


OPTIONS: list[list[object]] = [
    [],
    ["--top", 3],
    ["--depth", 2],
    ["--weights", "r1=2.5,r3=0.3"],
    ["--weights", "1,0,1,0.5"],
    ["--order-by", "rank"],
    ["--order-by", "rank", "--depth", 2],
    ["--method", "borda"],
    ["--method", "stagg_rrf"],
    ["--method", "combsum"],
    ["--method", "mc4"],
    ["--method", "stagg_trust"],
    ["--threads", 2],
    ["--threads", 4, "--depth", 3],
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_options_give_the_same_bytes(
    ending: str, options: list[object], tmp_path: Path, run: Run, whole: Run, seen: list[int]
) -> None:
    path = tmp_path / f"votes.{ending}"
    if ending == "parquet":
        write_parquet(path, table(1))
    else:
        path.write_text(table(1))
    for output in ("trec", "csv", "parquet", "json"):
        one, other = tmp_path / f"one.{output}", tmp_path / f"other.{output}"
        args = [path, *options]
        if output == "trec":  # a query with a blank cannot be held
            assert run(*args, "-o", one).err.splitlines()[-1] == whole(*args, "-o", one).err.splitlines()[-1]
            assert not one.exists()
            continue
        found, expected = run(*args, "-o", one), whole(*args, "-o", other)
        assert found.code == 0, found.err
        assert one.read_bytes() == other.read_bytes()
        assert found.err.replace("one.", "other.") == expected.err
    assert seen


@pytest.mark.parametrize("intervals", [[], ["--intervals", 0.8, "--draws", 50], ["-m", "rra"]], ids=str)
@pytest.mark.parametrize("columns", ["query,item,score", "item,rank,note,query", "score,query,item,rank"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "csv.gz"])
def test_one_table_a_ranker_gives_the_same_bytes(
    ending: str, columns: str, intervals: list[object], tmp_path: Path, run: Run, whole: Run, seen: list[int]
) -> None:
    paths = []
    for number in range(3):
        path = tmp_path / f"run{number}.{ending}"
        text = table(number, rankers=1, columns=columns, delimiter="\t" if ending == "tsv" else ",")
        text = text.replace("b c", "bc")
        if ending == "parquet":
            write_parquet(path, text)
        else:
            path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.rstrip().encode())
        paths.append(path)
    for output in ["csv", "parquet", "json"] + ["trec"] * ("--intervals" not in intervals):
        one, other = tmp_path / f"one.{output}", tmp_path / f"other.{output}"
        found, expected = run(*paths, *intervals, "-o", one), whole(*paths, *intervals, "-o", other)
        assert found.code == 0, found.err
        assert one.read_bytes() == other.read_bytes()
        assert found.err.replace("one.", "other.") == expected.err
    assert run(*paths, *intervals).out == whole(*paths, *intervals).out
    assert seen


QUOTED = (
    'query,item,score,note\n"q,1",a,3,"x ""y"""\n"q,1","b\nc",2,\n\n"q,1",c,1,z\nq2,"a","7",\n q3,d ,1,\nq3,"e",0,""\n'
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (QUOTED, True),
        (QUOTED.rstrip(), True),
        (QUOTED + 'q4,"a,1,\n', False),
        (QUOTED + "q4,a\n", True),
        (QUOTED + "q4,a,x,\n", True),
        (QUOTED + ",a,1,\n", True),
        (QUOTED + "q4,a,,\n", True),
        (QUOTED + "q2,a,1,\n", True),
        ("\ufeff" + QUOTED, True),
        (QUOTED + "q4,\0,1,\n", True),
        ("query,item\nq,a\n", True),
        ("query,item,score\n", True),
        ("", True),
        ("query,item,rank,score\nq,a,x,1\nq,b,-1,2\nr,a,1,\n", True),
        ("query,item,rank,score\nq,a,2,1\nq,b,2,2\nr,a,1,\nr,b,2,\n", True),
        ("query,item,score,multiplicity\nq,a,2,3\nq,b,1,3\n", True),
    ],
)
def test_odd_rows_are_taken_or_refused_in_the_same_words(
    text: str, parts: bool, tmp_path: Path, run: Run, whole: Run
) -> None:
    (tmp_path / "x.csv").write_text(text, newline="")
    (tmp_path / "y.csv").write_text("query,item,score\nq2,a,1\n")
    for paths in ([tmp_path / "x.csv"], [tmp_path / "y.csv", tmp_path / "x.csv"]):
        found, expected = run(*paths, "-o", tmp_path / "o.csv"), whole(*paths, "-o", tmp_path / "o.csv")
        assert (found.code, found.err) == (expected.code, expected.err)


def test_a_record_that_is_longer_than_a_block_is_read(tmp_path: Path, run: Run, whole: Run, seen: list[int]) -> None:
    lines = "\n".join(f'line "" {number}' for number in range(200))
    (tmp_path / "x.csv").write_text(f'query,item,score\nq,"{lines}",1\nq,b,2\nr,"{lines}",3\n')
    assert run(tmp_path / "x.csv", "-o", tmp_path / "o.csv").code == 0
    written = (tmp_path / "o.csv").read_bytes()
    whole(tmp_path / "x.csv", "-o", tmp_path / "o.csv")
    assert seen
    assert (tmp_path / "o.csv").read_bytes() == written


def test_standard_input_is_read_in_parts(
    tmp_path: Path, run: Run, whole: Run, seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = table(5).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    found = run("-", "--format", "csv", "-o", tmp_path / "one.csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    expected = whole("-", "--format", "csv", "-o", tmp_path / "other.csv")
    assert found.code == 0, found.err
    assert found.err.replace("one", "other") == expected.err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert seen


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("memory", [1, 1000, 1 << 28])
def test_rows_in_no_order_are_read_in_parts_too(
    ending: str, memory: int, tmp_path: Path, run: Run, whole: Run, seen: list[int]
) -> None:
    lines = table(1).splitlines(keepends=True)
    path = tmp_path / f"x.{ending}"
    text = lines[0] + "".join(random.Random(1).sample(lines[1:], len(lines) - 1))
    path.write_text(text) if ending == "csv" else write_parquet(path, text)
    found = run(path, "-o", tmp_path / "one.csv", "--memory", memory)
    expected = whole(path, "-o", tmp_path / "other.csv")
    assert found.code == 0, found.err
    assert found.err.replace("one", "other") == expected.err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert seen


def test_files_that_no_system_would_open_at_once_are_read(
    tmp_path: Path, run: Run, whole: Run, seen: list[int]
) -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    paths = []
    for number in range(160):
        paths.append(tmp_path / f"run{number}.trec")
        text = "".join(f"q{q} Q0 d{(q * number) % 7} 1 {number} t\n" for q in range(3))
        paths[-1].write_bytes(gzip.compress(text.encode()) if number % 2 else text.encode())
    resource.setrlimit(resource.RLIMIT_NOFILE, (140, limits[1]))
    try:
        found, expected = run(*paths), whole(*paths)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert found.code == 0, found.err
    assert found == expected
    assert seen
