"""What goes wrong on clusters: rows equal to one process's, or one clean line in stated time; never half an output."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cluster.jobs import (
    Job,
    executors,
    fuse_here,
    left_beside,
    outcome_of,
    run,
    whole,
    write_old_result,
    write_runs,
)
from tests.cluster.nodes import Cluster, Node, wait_for

Record = Callable[[str], None]
GOOD = "".join(f"{q} Q0 d{i} {i} {9 - i} t\n" for q in range(3) for i in range(1, 6))


def record_equal_rows(job: Job, consensus: bytes, code: int, record: Record) -> None:
    """The job must have succeeded, whatever happened to it."""
    assert code == 0, job.errors
    record(f"{outcome_of(job, consensus, code)}, {job.seconds:.0f} s")


def test_a_worker_that_is_killed_while_it_fuses_changes_nothing(
    cluster: Cluster, runs: Path, consensus: bytes, tmp_path: Path, record: Record
) -> None:
    with Job(cluster, [runs], tmp_path / "out.trec", "-m", "mc4") as job:
        job.until_it_fuses()
        os.kill(cluster.workers[0].pid, signal.SIGKILL)  # its executor notices, and ends itself
        code = job.end()
    record_equal_rows(job, consensus, code, record)


def test_a_network_that_is_cut_for_20_s_and_healed_changes_nothing(
    namespaces: Cluster, runs: Path, consensus: bytes, tmp_path: Path, record: Record
) -> None:
    with Job(namespaces, [runs], tmp_path / "out.trec", "-m", "mc4") as job:
        job.until_it_fuses()
        namespaces.network.cut("worker1")
        try:
            time.sleep(20)
        finally:
            namespaces.network.heal("worker1")
        code = job.end()
    record_equal_rows(job, consensus, code, record)


def test_a_driver_that_is_killed_leaves_the_old_result_and_the_next_run_cleans_up(
    cluster: Cluster, runs: Path, consensus: bytes, tmp_path: Path, record: Record
) -> None:
    out = tmp_path / "out.trec"
    before = write_old_result(out)
    with Job(cluster, [runs], out, "-m", "mc4") as job:
        job.until_it_fuses()
        job.kill()
    assert whole(out) == before
    begin = time.monotonic()
    wait_for(lambda: not executors(cluster), "executors outlive their driver", 120)
    gone = time.monotonic() - begin
    again = run(Job(cluster, [runs], out, "-m", "mc4"))
    assert again.code == 0, again.errors
    assert "an earlier run was interrupted: what it had written was not yet in place, and is removed" in again.errors
    outcome = outcome_of(again, consensus, again.code)
    record(f"the old result stays; executors gone after {gone:.0f} s; next run: leftovers removed, {outcome}")


@contextlib.contextmanager
def small_disk(worker: Node, size: str) -> Iterator[None]:
    """The worker's local folder is on a disk of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(worker.local)], check=True)
    cut_off = set(executors_of(worker))  # one whose network was cut finds out after minutes that its job is over
    try:
        yield
        wait_for(lambda: set(executors_of(worker)) <= cut_off, "executors outlive their job")
    finally:
        subprocess.run(["umount", "--lazy", str(worker.local)], check=True)


def executors_of(worker: Node) -> list[int]:
    """The executors of a worker, and their Python workers."""
    return [pid for pid in worker.processes() if pid != worker.pid] if worker.is_alive else []


@pytest.mark.parametrize("avoiding", ["false", "true"])
def test_a_disk_that_is_full_is_named_or_avoided(
    cluster: Cluster, runs: Path, consensus: bytes, tmp_path: Path, record: Record, avoiding: str
) -> None:
    if os.geteuid() != 0:
        pytest.skip("a small disk needs root (mount)")
    settings = {"spark__excludeOnFailure__enabled": avoiding}
    with (
        small_disk(cluster.workers[0], "1m"),
        Job(cluster, [runs], tmp_path / "out.trec", "-m", "mc4", **settings) as job,
    ):
        code = job.end()
    outcome = outcome_of(job, consensus, code)
    assert code == 0 or (avoiding == "false" and "No space left on device" in outcome), job.errors
    record(f"{outcome}, {job.seconds:.0f} s")


def test_a_worker_that_stands_still_for_30_s_changes_nothing(
    cluster: Cluster, runs: Path, consensus: bytes, tmp_path: Path, record: Record
) -> None:
    worker = cluster.workers[0]
    timer = threading.Timer(30, lambda: worker.send(signal.SIGCONT))
    with Job(cluster, [runs], tmp_path / "out.trec", "-m", "mc4", spark__speculation="true") as job:
        job.until_it_fuses()
        worker.send(signal.SIGSTOP)
        timer.start()
        try:
            code = job.end()
        finally:
            timer.join()
    record_equal_rows(job, consensus, code, record)


def test_a_query_of_two_million_rows_fits_or_is_named_where_memory_is_short(
    cluster: Cluster, tmp_path: Path, record: Record
) -> None:
    huge = write_runs(tmp_path / "huge.parquet", 1, 400_000)
    expected = fuse_here([huge], tmp_path / "one.trec")
    (tmp_path / "short").mkdir()
    bound = {"spark__executor__pyspark__memory": "700m", "spark__task__maxFailures": 2}
    short = run(Job(cluster, [huge], tmp_path / "short" / "out.trec", **bound))
    record(f"700 MB for Python: {outcome_of(short, expected, short.code)}, {short.seconds:.0f} s")
    assert short.code == 1
    assert "out of memory: query 'q0' has 2,000,000 rows" in short.said()[-1]
    enough = run(Job(cluster, [huge], tmp_path / "out.trec"))
    record(f"no bound for Python: {outcome_of(enough, expected, enough.code)}, {enough.seconds:.0f} s")
    assert enough.code == 0


def test_a_wrong_row_is_told_once_with_its_file_and_line(cluster: Cluster, tmp_path: Path, record: Record) -> None:
    """Two rows that only an executor sees together."""
    (tmp_path / "bad.trec").write_text(f"{GOOD}1 Q0 d3 9 1 t\n{GOOD.replace(' Q0 d', ' Q0 e')}")
    message = "bad.trec:16: query '1', ranker 'bad', item 'd3': the item appears twice in one list"
    (tmp_path / "good.trec").write_text(GOOD)
    out = tmp_path / "out.trec"
    job = run(Job(cluster, [tmp_path / "good.trec", tmp_path / "bad.trec"], out, "-m", "stagg_trust"))
    outcome = outcome_of(job, b"", job.code)
    assert message in outcome
    assert sum(message in said for said in job.said()) == 1
    record(f"{outcome}, {job.seconds:.0f} s")


KILLED_IN_BETWEEN = """
    import os, signal, sys
    from stagg.cli.main import main
    from stagg.engines.spark.writing import Target

    move = Target._move

    def move_and_die(self, source, target):
        move(self, source, target)
        os.killpg(0, signal.SIGKILL)

    Target._move = move_and_die
    main(sys.argv[1:])
"""


def test_a_swap_that_is_interrupted_between_its_renames_is_ended_by_the_next_run(
    cluster: Cluster, tmp_path: Path, record: Record
) -> None:
    out = tmp_path / "out.trec"
    (tmp_path / "runs.trec").write_text(GOOD)
    (tmp_path / "bad.trec").write_text("1 Q0 d1 1 x t\n")
    expected = fuse_here([tmp_path / "runs.trec"], tmp_path / "one.trec", "-m", "borda")
    write_old_result(out)
    killed = Job(cluster, [tmp_path / "runs.trec"], out, "-m", "borda")
    killed.program = [sys.executable, "-c", textwrap.dedent(KILLED_IN_BETWEEN)]
    assert run(killed).code == -signal.SIGKILL
    assert not out.exists()
    assert sorted(name.rpartition(".")[2] for name in left_beside(out)) == ["old", "part"]
    failing = run(Job(cluster, [tmp_path / "bad.trec"], out))
    assert failing.code == 1
    assert "an earlier run was interrupted: its result was whole, and is now in place" in failing.errors
    assert whole(out) == expected
    assert left_beside(out) == []
    record("the next run puts the new result in place, and says so, even if it then fails itself")
