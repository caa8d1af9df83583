"""The Spark engine by hand: generated rows as Parquet, fused on a cluster on this machine; time, memory, shuffle.

    .venv-spark/bin/python bench/spark.py --rows 20000000 --master "local-cluster[2,1,1024]"

Prints seconds, rows per second, the most that the shuffle held on disk, and the largest resident memory of the driver
(Python and JVM) and of the executors (JVM and Python workers), which are looked at four times a second.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

RANKERS = ("bm25", "dense", "splade", "rm3", "colbert")
LENGTH = 100
QUERIES_PER_FILE = 2_000


def generate(folder: Path, rows: int) -> int:
    """Files of 2,000 queries, five rankers, lists of 100 out of 200 items; returns the bytes."""
    rng = np.random.default_rng(0)
    names = pa.array([f"msmarco_doc_{item:08}" for item in range(2 * LENGTH)])
    queries = rows // (LENGTH * len(RANKERS))
    for first in range(0, queries, QUERIES_PER_FILE):
        count = min(QUERIES_PER_FILE, queries - first)
        lists = count * len(RANKERS)
        items = rng.permuted(np.tile(np.arange(2 * LENGTH), (lists, 1)), axis=1)[:, :LENGTH]
        ids = pa.array([f"{query:08}" for query in range(first, first + count)])
        table = pa.table(
            {
                "query": ids.take(np.repeat(np.arange(count), len(RANKERS) * LENGTH)),
                "ranker": pa.array(RANKERS).take(np.tile(np.repeat(np.arange(len(RANKERS)), LENGTH), count)),
                "item": names.take(items.reshape(-1)),
                "score": rng.normal(size=lists * LENGTH),
            }
        )
        pq.write_table(table, folder / f"runs-{first:08}.parquet")
    return sum(path.stat().st_size for path in folder.iterdir())


class Memory(threading.Thread):
    """The largest resident memory, in MiB, of each kind of process below this one, and what a folder held at most."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.most: dict[str, float] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.25):
            for kind, size in [*self._sizes(), ("shuffle on disk", _held(self.folder) / 2**20)]:
                self.most[kind] = max(size, self.most.get(kind, 0.0))

    def _sizes(self) -> list[tuple[str, float]]:
        found = []
        for pid in _below(os.getpid()):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
            found.append((_kind(pid, command), pages * os.sysconf("SC_PAGE_SIZE") / 2**20))
        return found


def _held(folder: Path) -> int:
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(where, name)).st_size
            except OSError:  # it is gone already
                continue
    return total


def _kind(pid: int, command: bytes) -> str:
    if pid == os.getpid():
        return "driver, Python"
    if b"CoarseGrainedExecutorBackend" in command:
        return "executor, JVM"
    return "driver, JVM" if b"java" in command[:200] else "executor, Python worker"


def _below(root: int) -> list[int]:
    """A process and all that it started, directly or not."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    parser.add_argument("--method", default="rrf(c=60)")
    parser.add_argument("--driver-memory", default="1g")
    options = parser.parse_args()

    import pyspark

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_HOME": os.path.dirname(pyspark.__file__)}
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--driver-memory {options.driver_memory} pyspark-shell"
    scratch = Path(tempfile.mkdtemp(prefix="stagg-spark-"))
    os.environ |= {"SPARK_WORKER_DIR": str(scratch / "work"), "SPARK_LOCAL_DIRS": str(scratch / "local")}
    try:
        (scratch / "runs").mkdir()
        size = generate(scratch / "runs", options.rows)
        print(f"{options.rows:,} rows, {size / 2**20:,.0f} MiB of Parquet, {options.method}, {options.master}")
        measure(options.master, options.method, scratch, options.rows)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def measure(master: str, method: str, scratch: Path, rows: int) -> None:
    from stagg.engines.spark.job import fuse_files
    from stagg.methods import method_of

    memory = Memory(scratch / "local")
    memory.start()
    begin = time.perf_counter()
    outcome = fuse_files([str(scratch / "runs")], str(scratch / "fused.parquet"), method_of(method), master=master)
    seconds = time.perf_counter() - begin
    memory.over.set()
    written = sum(path.stat().st_size for path in (scratch / "fused.parquet").iterdir())
    print(f"{seconds:.0f} s with start and stop of Spark, {rows / seconds:,.0f} rows/s; {outcome.summary()}")
    print(f"{outcome.tally.written:,} rows written, {written / 2**20:,.0f} MiB")
    for kind, most in sorted(memory.most.items()):
        print(f"{kind}: {most:,.0f} MiB")


if __name__ == "__main__":
    main()
