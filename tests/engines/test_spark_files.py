"""`stagg fuse --engine spark`: files in, folders of parts out, equal to the in-process engine's file."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import stagg
from stagg.cli.main import cli
from stagg.errors import DataError, DataWarning, InvalidParameter, MissingExtra, StaggError
from stagg.formats import ReadLog

pa = pytest.importorskip("pyarrow", reason="engines work on Arrow tables: pip install pyarrow")

import pyarrow.parquet as pq  # noqa: E402


def write_runs(folder: Path, *, queries: int = 40, seed: int = 0) -> list[Path]:
    """Three TREC runs with ties, queries interleaved, two of them in some runs only."""
    rng = np.random.default_rng(seed)
    paths = []
    for name in ("bm25", "dense", "a [b] {c}%20é"):
        rows = [
            f"{q}\tQ0  d{item} {rank} {score} {name[0]}\r\n"
            for q in range(queries if name == "bm25" else queries - 2)
            for rank, (item, score) in enumerate(
                zip(rng.permutation(30)[:15], -np.sort(-np.round(rng.normal(size=15), 1)), strict=True), start=1
            )
        ]
        paths.append(folder / f"{name}.trec")
        paths[-1].write_text("".join(rows) + "\n")
    return paths


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["fuse", *map(str, arguments)])


def whole(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*")))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_runs(tmp_path_factory.mktemp("runs with blanks"))


@pytest.mark.parametrize("options", [[], ["-m", "mc4"], ["--weights", "3,1,0"], ["--order-by", "rank", "--top", "4"]])
def test_parts_put_together_are_the_file_of_one_process(
    spark: Any, runs: list[Path], tmp_path: Path, options: list[str]
) -> None:
    one, many = tmp_path / "one.trec", tmp_path / "many.trec"
    assert run(*runs, "-o", one, *options).exit_code == 0
    result = run(*runs, "--engine", "spark", "-o", many, *options)
    assert result.exit_code == 0, result.output
    assert "1,740 rows read, 1,740 used, 0 dropped: 40 queries, 3 rankers" in result.stderr
    assert whole(many) == one.read_bytes()


def test_a_folder_a_pattern_and_parts_are_read(spark: Any, runs: list[Path], tmp_path: Path) -> None:
    folder = runs[0].parent
    one, by_folder, again, tables = (tmp_path / name for name in ("one.trec", "x.trec", "y.trec", "z.parquet"))
    run(*sorted(runs), "-o", one)
    assert run(folder, "--engine", "spark", "-o", by_folder).exit_code == 0
    assert whole(by_folder) == one.read_bytes()
    assert run(by_folder, folder / "b*.trec", "--engine", "spark", "-o", again, "--weights", "x=2").exit_code == 0
    run(one, runs[0], "-o", tmp_path / "two.trec", "--weights", "one=2")
    assert whole(again) == (tmp_path / "two.trec").read_bytes()
    assert run(folder, "--engine", "spark", "-o", tables).exit_code == 0
    read = pq.read_table(tables)
    assert read.column_names == ["query", "item", "rank", "score"]
    assert read.num_rows == len(one.read_text().splitlines())


def test_parquet_with_and_without_rankers(spark: Any, runs: list[Path], tmp_path: Path) -> None:
    rankings = stagg.read(runs, log=ReadLog())
    stagg.write(rankings, tmp_path / "all.parquet")
    for number, name in enumerate(("one", "two", "three")):
        stagg.write(rankings.take_rankers([number]), tmp_path / f"{name}.parquet")
    expected = stagg.fuse(rankings, "stagg_rrf")
    for inputs in (["all"], ["one", "two", "three"]):
        paths = [tmp_path / f"{name}.parquet" for name in inputs]
        result = run(*paths, "--engine", "spark", "-m", "stagg_rrf", "-o", tmp_path / "out.parquet")
        assert result.exit_code == 0, result.output
        found = pq.read_table(tmp_path / "out.parquet").to_pydict()
        first = [item for query, item in zip(found["query"], found["item"], strict=True) if query == "7"]
        assert first == expected.best_first("7")
    result = run(tmp_path / "all.parquet", tmp_path / "one.parquet", "--engine", "spark", "-o", tmp_path / "n.parquet")
    assert (result.exit_code, "names its rankers itself" in str(result.exception)) == (1, True)


def test_an_output_is_old_or_new_and_a_foreign_folder_is_left_alone(
    spark: Any, runs: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.trec.gz"
    assert run(*runs, "--engine", "spark", "-o", out).exit_code == 0
    first = [path.name for path in out.iterdir()]
    bad = tmp_path / "bad.trec"
    bad.write_text("1 Q0 d1 1 2.5 t\n1 Q0 d2 2 x t\n")
    assert isinstance(run(bad, "--engine", "spark", "-o", out).exception, DataError)
    assert [path.name for path in out.iterdir()] == first
    assert run(*runs, "--engine", "spark", "-o", out, "--top", 1).exit_code == 0
    assert sum(len(gzip.decompress(path.read_bytes()).splitlines()) for path in out.glob("part-*")) == 40
    (out / "notes.txt").write_text("mine")
    refused = run(*runs, "--engine", "spark", "-o", out).exception
    assert "not replaced" in str(refused)
    assert (out / "notes.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.trec", "out.trec.gz"]
    assert "is also an input" in str(run(out, runs[0], "--engine", "spark", "-o", out).exception)


@pytest.mark.parametrize(
    ("left", "kept", "said"),
    [
        ({"old": "1", "part": "2", "whole": "yes"}, "2", "its result was whole, and is now in place"),
        ({"old": "1", "part": "2"}, "1", "the result before it is back in place"),
        ({"old": "1"}, "1", "the result before it is back in place"),
        ({"old": "1", "target": "2"}, "2", "its result was in place; the one before it is removed"),
        ({"part": "2", "target": "1"}, "1", "what it had written was not yet in place, and is removed"),
        ({"part": "2", "whole": "yes"}, "2", "its result was whole, and is now in place"),
        ({"part": "2"}, None, "what it had written was not whole, and is removed"),
    ],
)
def test_what_a_killed_run_left_is_put_right_and_told(
    spark: Any, tmp_path: Path, left: dict[str, str], kept: str | None, said: str
) -> None:
    from stagg.engines.spark.writing import Target

    out = tmp_path / "out.trec"
    target = Target(spark, str(out))
    places = {"target": out} | {what: tmp_path / target._beside("0123abcd", what).getName() for what in ("old", "part")}
    for what in ("old", "part", "target"):
        if what in left:
            places[what].mkdir()
            (places[what] / "part-0").write_text(left[what])
    if "whole" in left:
        (places["part"] / "_SUCCESS").touch()
    other = tmp_path / Target(spark, str(tmp_path / "out.trec2"))._beside("0123abcd", "part").getName()
    other.mkdir()
    with pytest.warns(DataWarning, match=f"an earlier run was interrupted: {said}"):
        target.recover()
    assert (whole(out).decode() if out.exists() else None) == kept
    assert {path.name for path in tmp_path.iterdir()} == {other.name} | ({"out.trec"} if kept else set())
    target.recover()  # nothing is left to say


GOOD = "".join(f"{q} Q0 d{i} {i} {9 - i} t\n" for q in range(3) for i in range(1, 6))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 Q0 d9 9 5.5", ":16: expected 6 columns (query Q0 item rank score tag), found 5"),
        (b"1 Q0 d 9 9 5.5 t", ":16: expected 6 columns (query Q0 item rank score tag), found 7"),
        (b"# a comment", "say comments=True"),
        (b"1 Q0 d9 9 nan t", ":16: the score 'nan' is not a finite number"),
        (b"1 Q0 d9 9 1e400 t", ":16: the score '1e400' is not a finite number"),
        (b"1 Q0 d9 9 5,50 t", "not a finite number"),
        (b"1 Q0 d9 9 1_0 t", "not a finite number"),
        (b"1 Q0 d9 9 0x10 t", "not a finite number"),
        (b"1 Q0 d\xff 9 1 t", ":16: b'1 Q0 d\\xff 9 1 t' is not UTF-8"),
        (b"1 Q0 d\0 9 1 t", ":16: a NUL byte"),
        (b"1 Q0 d3 9 1 t", ":16: query '1', ranker 'bad', item 'd3': the item appears twice"),
    ],
)
def test_a_wrong_line_is_named_with_its_place(spark: Any, tmp_path: Path, line: bytes, message: str) -> None:
    bad = tmp_path / "bad.trec"
    bad.write_bytes(GOOD.encode() + line + b"\n" + GOOD.replace(" Q0 d", " Q0 e").encode())
    error = run(bad, "--engine", "spark", "-o", tmp_path / "out.trec").exception
    assert isinstance(error, DataError)
    assert message in str(error)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.trec"]


def test_leniently_wrong_lines_are_dropped_and_counted(spark: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.trec"
    bad.write_text("\ufeff" + GOOD + "1 Q0 d9 9\n# no\n1 Q0 d8 8 nan t\n\n1 Q0 d3 9 1 t\n")
    result = run(bad, "--engine", "spark", "-o", tmp_path / "out.trec", "--lenient", "--comments")
    assert result.exit_code == 0, result.output
    assert "18 rows read, 15 used, 3 dropped" in result.stderr
    bad.write_text(GOOD)
    run(bad, "-o", tmp_path / "one.trec")
    assert whole(tmp_path / "out.trec") == (tmp_path / "one.trec").read_bytes()


def test_inputs_that_are_not_there_or_empty(spark: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.trec"
    assert "no such file" in str(run(tmp_path / "nope.trec", "--engine", "spark", "-o", out).exception)
    (tmp_path / "empty.trec").write_text("\n\n")
    assert "0 rows" in str(run(tmp_path / "empty.trec", "--engine", "spark", "-o", out).exception)
    (tmp_path / "_hidden.trec").write_text(GOOD)
    assert "leaves out names" in str(run(tmp_path / "_hidden.trec", "--engine", "spark", "-o", out).exception)
    (tmp_path / "torn.parquet").write_bytes(b"PAR1 torn")
    assert "damaged" in str(run(tmp_path / "torn.parquet", "--engine", "spark", "-o", out).exception)
    missing = tmp_path / "no" / "out.trec"
    (tmp_path / "good.trec").write_text(GOOD)
    assert "no such folder" in str(run(tmp_path / "good.trec", "--engine", "spark", "-o", missing).exception)


# --- without Spark ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "spark"], "name it, -o"),
        (["--engine", "spark", "-o", "x.parquet", "--threads", "2"], "--threads is for one process"),
        (["--engine", "spark", "-o", "x.parquet", "--memory", "9"], "--memory is for one process"),
        (["--engine", "spark", "-o", "x.parquet", "--report", "x.html"], "--report needs all"),
        (["--master", "local", "-o", "x.trec"], "--master goes with --engine spark"),
        (["--engine", "spark", "-o", "x.trec", "--intervals", "0.9"], "cannot hold intervals"),
    ],
)
def test_options_that_do_not_go_together(tmp_path: Path, options: list[str], message: str) -> None:
    error = run(tmp_path / "a.trec", *options).exception
    assert isinstance(error, InvalidParameter)
    assert message in str(error)


def test_a_missing_package_or_java_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from stagg.engines.spark.extra import need_java, need_spark

    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingExtra, match=r'pip install "stagg\[spark\]"'):
        need_spark()
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(StaggError, match="need Java 17"):
        need_java()
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(StaggError, match="JAVA_HOME is /nowhere"):
        need_java()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Job aborted: ... java.io.IOException: No space left on device\n\tat x", "disk of an executor"),
        ("SparkException: Python worker exited unexpectedly (crashed)\nCaused by: java.io.EOFException", "memory"),
        ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "lost four times"),
        ("An error occurred while calling o1.x.\n: java.lang.IllegalStateException: why\n\tat x", "Spark: .*: why"),
        ("X\nstagg.errors.StaggError: out of memory: query 'q' has 3 rows\nCaused by: y", "^out of memory: query 'q'"),
    ],
)
def test_what_a_platform_does_to_a_job_is_told_by_its_cause(text: str, message: str) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed: run `make spark`")
    from stagg.engines.spark.session import translate_error

    with pytest.raises(StaggError, match=message):
        raise translate_error(RuntimeError(text), "Spark")


def test_csv_cannot_be_written_and_masters_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed: run `make spark`")
    from stagg.engines.spark.job import kind_of_output

    with pytest.raises(InvalidParameter, match="folders of parts"):
        kind_of_output("x.csv")
    (tmp_path / "a.trec").write_text(GOOD)
    command = [sys.executable, "-m", "stagg", "fuse", str(tmp_path / "a.trec"), "--engine", "spark", "-o", "x.trec"]
    done = subprocess.run([*command, "--master", "nonsense"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, "expected local[N]" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_method_that_looks_at_all_queries_and_gathers_nothing_is_refused() -> None:
    from stagg.aggregate import prepare
    from stagg.engines.spark.frames import Named, assign
    from stagg.methods.positional.rank_sums import RRF

    class Looking(RRF):
        breaks = RRF.breaks | {"query_independence": "it looks at all of them"}

    with pytest.raises(InvalidParameter, match="looks at all queries at once"):
        assign(Named(None, {}), prepare(Looking()))
