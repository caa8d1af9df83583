"""Jobs on the cluster: drivers as processes of their own, and the rankings that they fuse."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tests.cluster.nodes import QUICK_START, Cluster, wait_for

RANKERS = ("bm25", "dense", "splade", "rm3", "colbert")
LONGEST = 600
"""Seconds in which every job must end, well or not."""


def write_runs(path: Path, queries: int, length: int, seed: int = 0) -> Path:
    """Parquet of five rankers that list ``length`` items of each query, with ties."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    lists = queries * len(RANKERS)
    items = np.concatenate([rng.permutation(2 * length)[:length] for _ in range(lists)])
    columns = {
        "query": pa.array([f"q{q}" for q in range(queries)]).take(
            np.repeat(np.arange(queries), lists // queries * length)
        ),
        "ranker": pa.array(RANKERS).take(np.tile(np.repeat(np.arange(len(RANKERS)), length), queries)),
        "item": pa.array([f"d{item}" for item in range(2 * length)]).take(items),
        "score": pa.array(np.round(rng.normal(size=lists * length), 2)),
    }
    pq.write_table(pa.table(columns), path, row_group_size=max(1, lists * length // 8))
    return path


def fuse_here(inputs: Sequence[Path], output: Path, *options: str) -> bytes:
    """What one process writes."""
    command = [sys.executable, "-m", "stagg", "fuse", *map(str, inputs), "-o", str(output), *options]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    return output.read_bytes()


def whole(folder: Path) -> bytes:
    """The parts of a result, one after the other."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*")))


class Job:
    """``stagg fuse --engine spark`` on a cluster, as a process of its own."""

    def __init__(
        self, cluster: Cluster, inputs: Sequence[Path], output: Path, *options: str, **settings: object
    ) -> None:
        self.cluster, self.inputs, self.output, self.options = cluster, inputs, output, options
        quick = {f"spark__{side}__extraJavaOptions": QUICK_START for side in ("driver", "executor")}
        self.settings = quick | settings
        self.program = [sys.executable, "-m", "stagg"]
        self.errors, self.code = "", -1
        self.seconds = 0.0

    def command(self) -> list[str]:
        arguments = ["fuse", *map(str, self.inputs), "--engine", "spark", "-o", str(self.output), *self.options]
        return [*self.program, *arguments]

    def __enter__(self) -> Job:
        self._environment = self.cluster.settings(**self.settings)
        self._log = self.cluster.folder / f"driver-{time.monotonic_ns()}.log"
        environment = self._environment.__enter__()
        self._begin = time.monotonic()
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                self.command(), env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, cwd=self.cluster.folder,
            )  # fmt: skip
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        self._environment.__exit__(None, None, None)

    def end(self) -> int:
        """Wait for it; the exit code."""
        self.code = self.process.wait(timeout=LONGEST)
        self.seconds, self.errors = time.monotonic() - self._begin, self._log.read_text(errors="replace")
        return self.code

    def kill(self) -> None:
        """The driver, Python and Java, dies without a word."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def said(self) -> list[str]:
        """What stagg itself said: Spark's own lines are left out."""
        return [line for line in self.errors.splitlines() if line.startswith("stagg: ")]

    def until_it_fuses(self) -> None:
        """Wait until an executor has begun to write the consensus."""
        beside = f".{self.output.name[:20]}.*.part/_temporary/**/part-*"
        wait_for(lambda: self._ended() or any(self.output.parent.glob(beside)), "nothing is fused", LONGEST)
        assert not self._ended(), self._log.read_text(errors="replace")

    def _ended(self) -> bool:
        return self.process.poll() is not None


def run(job: Job) -> Job:
    with job:
        job.end()
    return job


def write_old_result(output: Path) -> bytes:
    """A result that an earlier job could have written."""
    output.mkdir()
    (output / "_SUCCESS").touch()
    (output / "part-00000").write_text("old Q0 d1 1 1 stagg-rrf\n")
    return whole(output)


def left_beside(output: Path) -> list[str]:
    """What a job left in the folder of its output: nothing, if it ended by itself."""
    return [path.name for path in output.parent.iterdir() if path.name.startswith(".")]


def executors(cluster: Cluster) -> list[int]:
    """The process ids of all executors."""
    found = []
    for worker in cluster.workers:
        for pid in worker.processes() if worker.is_alive else []:
            with contextlib.suppress(OSError):
                if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
    return found


def outcome_of(job: Job, expected: bytes, code: int) -> str:
    """Rows equal to one process's, or a failure with a message of one line and nothing written; else not clean."""
    said = job.said()
    if code == 0:
        assert whole(job.output) == expected, "rows differ from those of one process"
        assert left_beside(job.output) == []
        return "rows equal to one process's"
    assert code == 1, (code, job.errors)
    assert "Traceback" not in job.errors, job.errors
    assert not job.output.exists(), "half an output"
    assert left_beside(job.output) == []
    return f"clean failure: {said[-1]}"
