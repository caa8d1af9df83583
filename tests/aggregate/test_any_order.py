"""However rows lie, whatever holds them, however little memory there is: the bytes and words of reading all first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.aggregate.conftest import ALL_WAYS, HAS_BUDGET, Same
from tests.aggregate.votes import (
    FILES,
    ORDERS,
    Row,
    lie,
    make_votes,
    one_run_each,
    run_lines,
    shuffle,
    store,
    table,
)
from tests.command_line import runner

from stagg.kernels.compiled import twin

pytestmark = pytest.mark.skipif(twin("text._text") is None, reason="the compiled reader was not built")

VOTES = make_votes(range(1, 21))


@pytest.fixture(scope="module")
def expected() -> dict[str, bytes]:
    """What was written first, by what it should be the same for."""
    return {}


@pytest.mark.parametrize("files", FILES)
def test_no_order_of_the_rows_and_no_kind_of_file_changes_a_byte(
    files: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    for order in "mqs":
        ended = same(*FILES[files](tmp_path, ORDERS[order](VOTES)), ways=ALL_WAYS)
        assert ended.code == 0, ended.err
        assert ended.out.count(b"\n") > 200
        assert ended.out == expected.setdefault("trec", ended.out), order


@pytest.mark.parametrize("order", ["by number", "backwards", "restarted"])
@pytest.mark.parametrize("files", ["a run each", "csv", "tables in parts", "parquet by 7 rows"])
def test_orders_that_look_sorted_change_no_byte(
    files: str, order: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    ended = same(*FILES[files](tmp_path, ORDERS[order](VOTES)))
    assert ended.out == expected.setdefault("trec", ended.out)


@pytest.mark.parametrize("order", ["m", "q", "s", "restarted"])
@pytest.mark.parametrize("files", ["csv", "csv.gz", "semicolons"])
def test_a_pipe_gives_the_bytes_of_the_file(
    files: str, order: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    [path] = FILES[files](tmp_path, ORDERS[order](VOTES))
    ended = same("-", stdin=path)
    assert ended.code == 0, ended.err
    assert ended.out == expected.setdefault("trec", ended.out)


def test_a_run_from_a_pipe_beside_runs_in_files_gives_the_bytes_of_reading_all_first(
    same: Same, tmp_path: Path
) -> None:
    for order in "mqs":
        first, *others = one_run_each("trec")(tmp_path, ORDERS[order](VOTES))
        assert same(*others, "-", stdin=first).code == 0


METHODS = [
    "borda(missing='below')",
    "combmnz(norm='z-score')",
    "combsum",
    "isr",
    "mc4",
    "median_rank",
    "plackett_luce",
    "rbc",
    "rra",
    "schulze",
    "stagg(utility='isr', shape='linear')",
    "stagg_rrf",
    "stagg_trust",
    "stagg_bc(shape='learned')",
    "votecount",
]


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_every_kind_take_any_order(
    method: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    for paths in lie(tmp_path, VOTES):
        ended = same(*paths, "-m", method)
        assert ended.code == 0, ended.err
        assert ended.out == expected.setdefault(method, ended.out)


@pytest.mark.filterwarnings("ignore:kemeny")
@pytest.mark.parametrize("order", ORDERS)
def test_kemeny_takes_any_order(order: str, same: Same, tmp_path: Path, expected: dict[str, bytes]) -> None:
    rows = make_votes(range(30), rankers=3, items=5)
    for files in ("csv", "parquet"):
        ended = same(*FILES[files](tmp_path, ORDERS[order](rows)), "-m", "kemeny")
        assert ended.out == expected.setdefault("kemeny", ended.out)


OPTIONS: list[list[object]] = [
    ["--weights", "r1=2.5,r3=0.3"],
    ["--weights", "r0=0,r2=0"],
    ["--weights", "r0=0,r1=0,r2=0,r3=0"],
    ["--depth", 3],
    ["--top", 2],
    ["--depth", 2, "--top", 1, "--weights", "r1=0"],
    ["--min-lists", 2],
    ["--min-lists", 2, "--depth", 4, "--top", 3],
    ["--min-score", 5],
    ["--min-score", "r0=7,r3=1"],
    ["--query", "7", "--query", "12", "--quiet"],
    ["--scale", "first"],
    ["--missing", "below", "-m", "stagg_rrf"],
    ["--intervals", 0.9, "--draws", 30],
    ["--intervals", 0.9, "--draws", 2, "-m", "mc4", "--top", 3],
    ["--intervals", 0.5, "--draws", 30, "-m", "stagg_trust"],
    ["--lenient"],
    ["--duplicates", "best"],
    ["--duplicates", "first"],
    ["--quiet"],
    ["--format", "csv"],
    ["--format", "json"],
    ["--max-size", 100],
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(map(str, options)))
def test_options_mean_the_same_in_any_order(
    options: list[object], same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    for paths in lie(tmp_path, VOTES):
        ended = same(*paths, *options)
        assert ended.code == ("--max-size" in options), ended.err
        assert ended.out == expected.setdefault(str(options), ended.out)


@pytest.mark.parametrize("form", ["table", "md"])
def test_tables_to_read_are_the_same(form: str, same: Same, tmp_path: Path) -> None:
    """They show the query that comes first in the file: its order matters."""
    for order in "qs":
        assert same(*FILES["csv"](tmp_path, ORDERS[order](VOTES)), "--format", form).out


@pytest.mark.parametrize(
    "options", [["-m", "stagg_trust", "--weights", "r0=0"], ["--query", "7"], ["--query", "7", "--query", "3"]], ids=str
)
def test_a_ranker_of_weight_0_and_some_queries_alone(options: list[object], same: Same, tmp_path: Path) -> None:
    for paths in lie(tmp_path, VOTES):
        assert same(*paths, *options).code == 0


def test_what_a_method_could_not_learn_is_said_after_the_number_of_rows(same: Same, tmp_path: Path) -> None:
    for paths in lie(tmp_path, VOTES):
        assert same(*paths, "-m", "stagg_bc(shape='learned')", "--weights", "r0=0").code == 0


@pytest.mark.parametrize("depth", [[], ["--depth", 3]], ids=str)
def test_the_order_by_rank_is_the_same_in_any_order_of_the_rows(
    depth: list[object], same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    rows = [row._replace(score=row.score * (-1) ** (number % 5)) for number, row in enumerate(VOTES)]
    for order in "mqs":
        ordered = ORDERS[order](rows)
        path = store(tmp_path / "votes.csv", table(ordered, columns="rank,query,ranker,item,score"))
        for paths in ([path], one_run_each("trec")(tmp_path, ordered)):
            ended = same(*paths, "--order-by", "rank", *depth)
            assert ended.out == expected.setdefault(f"by rank {depth}", ended.out), order
            assert "contradict" in same(*paths, *depth).err


@pytest.mark.parametrize("ending", ["trec", "csv", "tsv", "parquet", "json", "trec.gz", "csv.gz", "json.gz"])
def test_files_of_every_kind_are_written_with_the_same_bytes(
    ending: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    for paths in lie(tmp_path / "in", VOTES):
        ended = same(*paths, output=tmp_path / f"out.{ending}")
        assert ended.file, ended.err
        assert ended.file == expected.setdefault(ending, ended.file)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_intervals_are_written_with_the_same_bytes(ending: str, same: Same, tmp_path: Path) -> None:
    for order in "mqs":
        paths = FILES["parquet"](tmp_path / "in", ORDERS[order](VOTES))
        assert same(*paths, "--intervals", 0.9, "--draws", 20, output=tmp_path / f"out.{ending}").file


def giant() -> list[Row]:
    """One query of more rows than a chunk, a bucket and the budget hold, between small ones."""
    return make_votes([5], rankers=4, items=900, missing=0) + make_votes(range(4, 8), rankers=4, items=4)[40:]


SHAPES = {
    "a query of one row": [*VOTES, Row("0", "r1", "100", 1, 3.5)],
    "one row": [Row("1", "r0", "5", 1, 2.0)],
    "one giant query": [row for row in giant() if row.query == "5"],
    "a giant query among small ones": [row for row in giant() if row.query != "5" or row.rank < 10**6],
    "one ranker": make_votes(range(40), rankers=1),
    "rankers of one query each": [row for row in VOTES if int(row.query) % 4 == int(row.ranker[1:])],
    "a ranker that comes late": [*VOTES, *(row._replace(ranker="r9") for row in VOTES[:3])],
    "many rankers": make_votes(range(6), rankers=70, items=3),
    "ids that share beginnings": [
        row._replace(query="1" * int(row.query), item="9" * (1 + int(row.item) % 15)) for row in VOTES
    ],
    "scores that are all the same": [row._replace(score=1.0) for row in VOTES],
    "lists that rise": [row._replace(score=float(row.rank)) for row in VOTES],
    "scores far apart": [row._replace(score=row.score * 10.0 ** (40 * (row.rank % 9) - 160)) for row in VOTES],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_queries_of_any_size_give_the_same_bytes(
    shape: str, same: Same, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    for paths in lie(tmp_path, dedupe(SHAPES[shape])):
        ended = same(*paths, "-m", "combsum")
        assert ended.code == 0, ended.err
        assert ended.out == expected.setdefault(shape, ended.out)


def dedupe(rows: Sequence[Row]) -> list[Row]:
    """One row for an item of a list."""
    return list({row[:3]: row for row in rows}.values())


def test_two_thousand_small_queries_give_the_same_bytes(same: Same, tmp_path: Path) -> None:
    rows = make_votes(range(2000), rankers=2, items=2)
    for order, files in zip("msq", ("csv", "a run each", "parquet"), strict=True):
        assert same(*FILES[files](tmp_path, ORDERS[order](rows))).out.count(b"\n") > 2000


def test_ids_in_many_scripts_are_ordered_by_their_bytes(same: Same, tmp_path: Path) -> None:
    names = ["é", "z", "ｚ", "𝒛", "Z", "-1", "+1", "01", "1", "1.0", "=1", "ä" * 200, "\u2028", "\xa0x", "q'"]
    rows = [row._replace(query=names[int(row.query) % 15], item=names[-int(row.item) % 15]) for row in VOTES]
    for paths in lie(tmp_path, dedupe(rows)):
        assert same(*paths).code == 0


def test_chunks_of_their_usual_size_give_the_same_bytes(
    same: Same, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some megabytes, which no constant cuts for the test: three chunks of 4 MB, or more."""
    monkeypatch.undo()
    rows = shuffle(make_votes(range(60), rankers=2, items=2000, missing=0))
    long = [row._replace(item=f"{row.item:0>150}") for row in rows]
    path = store(tmp_path / "votes.csv", table(long))
    assert path.stat().st_size > 12 << 20
    assert same(path, "--top", 50).code == 0


def wait_for_rows(stream: int, rows: bytes) -> None:
    """Write into a pipe all that its reader takes."""
    while rows:
        rows = rows[os.write(stream, rows) :]


@pytest.mark.parametrize("kind", ["csv", "trec"])
def test_ctrl_c_while_chunks_are_held_ends_within_a_second_and_leaves_no_file(kind: str, tmp_path: Path) -> None:
    output, pipe, room = tmp_path / "out.csv", tmp_path / f"votes.{kind}", tmp_path / "temporary"
    room.mkdir()
    output.write_bytes(b"old\n")
    os.mkfifo(pipe)
    rows = shuffle(make_votes(range(200), rankers=3, items=200, missing=0))
    rows = [row._replace(item=f"{row.ranker}-{row.item}") for row in rows]
    call = [sys.executable, "-m", "stagg", "fuse", pipe, "-o", output, "--threads", "2"]
    more = ["--memory", "100000"] if HAS_BUDGET else []
    with subprocess.Popen(
        [*call, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(room)}
    ) as process:
        stream = os.open(pipe, os.O_WRONLY)
        wait_for_rows(stream, (table(rows) if kind == "csv" else run_lines(rows)).encode())
        time.sleep(0.3)  # what was read is being worked on; the end of the file never comes
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.wait(timeout=20) == 130
        assert time.monotonic() - start < 3  # a second, on a machine that does nothing else
        os.close(stream)
        assert process.stderr is not None
        assert process.stderr.read() == b"stagg: interrupted\n"
    assert output.read_bytes() == b"old\n"
    assert list(room.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "temporary", pipe.name]


NO_BUDGET: list[list[object]] = [["--threads", threads] for threads in (1, 2)]
"""Ways that leave the budget to the test."""


@pytest.mark.skipif(not HAS_BUDGET, reason="there is no --memory")
@pytest.mark.parametrize("budget", [1, 1000, 64_000, 10**12])
def test_any_budget_gives_the_same_bytes(budget: int, same: Same, tmp_path: Path, expected: dict[str, bytes]) -> None:
    for paths in lie(tmp_path, VOTES):
        for options in ([], ["-m", "stagg_trust", "--depth", 3]):
            ended = same(*paths, *options, "--memory", budget, ways=NO_BUDGET)
            assert ended.out == expected.setdefault(f"budget {options}", ended.out)


@pytest.mark.skipif(not HAS_BUDGET, reason="there is no --memory")
@pytest.mark.parametrize("budget", [0, -1, "much"])
def test_a_budget_that_is_no_number_of_bytes_is_refused(budget: object, same: Same, tmp_path: Path) -> None:
    assert same(*FILES["csv"](tmp_path, VOTES), "--memory", budget, ways=NO_BUDGET).code == 2


@pytest.mark.skipif(not HAS_BUDGET, reason="there is no --memory")
@pytest.mark.parametrize("threads", [1, 3])
def test_where_nothing_can_be_put_down_the_result_is_right_or_the_old_file_stays(
    threads: int, tmp_path: Path, small_chunks: None, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    output, run = tmp_path / "out.trec", runner(capfdbinary, "fuse")
    for paths in lie(tmp_path / "in", VOTES):
        expected = run(*paths, "--threads", threads).raw
        output.write_bytes(b"old\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
            ended = run(*paths, "--threads", threads, "--memory", 1, "-o", output)
        assert output.read_bytes() == (b"old\n" if ended.code else expected)
        if ended.code:
            assert ended.code == 1
            assert ended.err.splitlines()[-1].startswith("stagg: error: ")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out.trec"]


FAILING = """
import sys
from stagg.aggregate.plan import Plan
from stagg.cli.main import main
from stagg.errors import DataError
from stagg.formats import inputs
from stagg.formats.parts import in_parts

def learn(self, parts):
    next(iter(parts))
    raise eval(sys.argv[1])("the first part is odd")

Plan.learn = learn
in_parts.BUCKET, inputs.FEW_BYTES = 2000, 0
main(["fuse", *sys.argv[2:], "-m", "stagg_trust"])
"""


@pytest.mark.parametrize("error", ["DataError", "MemoryError", "KeyError"])
def test_an_error_while_a_method_learns_ends_the_command(error: str, tmp_path: Path) -> None:
    """Also one that nobody thought of: its traceback is bad enough, and no reason to wait for ever."""
    paths = one_run_each("trec")(tmp_path, make_votes(range(100)))
    call = [sys.executable, "-c", FAILING, error, *map(str, paths), "--threads", "2"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            _, said = process.communicate(timeout=5)
        finally:
            process.kill()
    assert process.returncode == 1
    assert said.splitlines()[-1].startswith(b"KeyError" if error == "KeyError" else b"stagg: error: ")
