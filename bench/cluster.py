"""50 million rows on a real cluster: a master and two workers, each in a network of its own; needs root and Java 17.

    .venv-spark/bin/python bench/cluster.py --rows 50000000

The rows are fused by the cluster and by one process, and the two results are compared row by row, as streams. Spark SQL
does the same RRF by window functions on the same cluster. Printed of each: seconds with start and stop of the driver,
rows per second and core, CPU seconds of driver and executors. Of stagg also: the largest resident memory of the driver
in each quarter of the job, and in a job of a tenth of the rows; and with ``--trust`` the time of ``stagg_trust``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from spark import fuse_by_sql, generate

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cluster.nodes import Cluster, processes_below

CORES = 2
TICKS = os.sysconf("SC_CLK_TCK")
COLUMNS = pa.schema({"query": pa.string(), "item": pa.string(), "rank": pa.int64(), "score": pa.float64()})
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--trust", action="store_true", help="also stagg_trust on the cluster and in one process")
    parser.add_argument("--sql", nargs=2, metavar=("RUNS", "TARGET"), help="Spark SQL itself, as a driver")
    options = parser.parse_args()
    if options.sql:
        fuse_by_sql(os.environ["STAGG_MASTER"], *map(Path, options.sql))
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that what was started is ended, too
    scratch = Path(tempfile.mkdtemp(prefix="stagg-cluster-"))
    try:
        measure(scratch, options.rows, ["rrf(c=60)", *(["stagg_trust"] if options.trust else [])])
    finally:
        shutil.rmtree(scratch)


def measure(scratch: Path, rows: int, methods: list[str]) -> None:
    runs, few = scratch / "runs", scratch / "few"
    for folder, count in ((runs, rows), (few, rows // 10)):
        folder.mkdir()
        generate(folder, count)
    size = sum(path.stat().st_size for path in runs.iterdir())
    print(f"{rows:,} rows, {size / 2**20:,.0f} MiB of Parquet; load {os.getloadavg()[0]:.1f}", flush=True)
    cluster = Cluster(scratch / "cluster")
    try:
        cluster.start()
        Driver(cluster).run("stagg, a tenth of the rows", rows // 10, fuse(few, scratch / "few.parquet"))
        for method in methods:
            Driver(cluster).run(method, rows, fuse(runs, scratch / "many.parquet", "-m", method))
            one_process(runs, scratch / "one.parquet", rows, method)
            compare(scratch / "many.parquet", scratch / "one.parquet")
            (scratch / "one.parquet").unlink()
        sql = [sys.executable, __file__, "--sql", str(runs), str(scratch / "sql.parquet")]
        Driver(cluster).run("Spark SQL", rows, sql)
    finally:
        cluster.stop()
    print(f"left behind: {cluster.leftovers() or 'nothing'}; load {os.getloadavg()[0]:.1f}")


def fuse(runs: Path, target: Path, *options: str) -> list[str]:
    stagg = [sys.executable, "-m", "stagg", "fuse", str(runs), *options]
    return [*stagg, "--engine", "spark", "-o", str(target), "--quiet"]


class Driver:
    """A job on the cluster, watched four times a second."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.samples: list[float] = []
        self.shuffled = 0.0
        self.cpu = 0.0

    def run(self, name: str, rows: int, command: list[str]) -> None:
        before, begin = self._cpu_of_workers(), time.monotonic()
        with self.cluster.settings(spark__sql__shuffle__partitions=64) as environment:
            environment |= {"STAGG_MASTER": self.cluster.url}
            process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
            try:
                while process.poll() is None:
                    self._look(process.pid)
                    time.sleep(0.25)
            finally:
                process.kill()
            said = process.communicate()[1]
        seconds = time.monotonic() - begin
        if process.returncode:
            raise SystemExit(f"{name} failed: {said}")
        time.sleep(2)  # the workers take leave of their executors
        cpu = self.cpu + self._cpu_of_workers() - before
        quarters = [f"{max(part, default=0):,.0f}" for part in np.array_split(self.samples, 4)]
        print(f"{name}: {seconds:.0f} s, {rows / seconds / CORES:,.0f} rows/s a core, {cpu:.0f} CPU-s", end="; ")
        print(f"driver {' '.join(quarters)} MiB by quarters of the job; shuffle {self.shuffled:,.0f} MiB", flush=True)

    def _look(self, pid: int) -> None:
        pids = processes_below(pid)
        self.samples.append(sum(map(resident, pids)))
        self.cpu = max(self.cpu, sum(map(cpu_seconds, pids)))
        self.shuffled = max(self.shuffled, sum(held(worker.local) for worker in self.cluster.workers) / 2**20)

    def _cpu_of_workers(self) -> float:
        return sum(cpu_seconds(pid) for worker in self.cluster.workers for pid in worker.processes())


def resident(pid: int) -> float:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20
    return 0.0


def cpu_seconds(pid: int) -> float:
    """What a process has used, and those below it that are gone."""
    with contextlib.suppress(OSError, IndexError):
        return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15])) / TICKS
    return 0.0


def held(folder: Path) -> int:
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.stat(os.path.join(where, name)).st_size
    return total


def one_process(runs: Path, target: Path, rows: int, method: str) -> None:
    files = sorted(map(str, runs.iterdir()))
    command = [sys.executable, "-m", "stagg", "fuse", *files, "-m", method, "-o", str(target), "--threads", "2"]
    begin = time.monotonic()
    subprocess.run([*command, "--quiet"], check=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    seconds = time.monotonic() - begin
    print(
        f"{method} in one process of 2 threads: {seconds:.0f} s, {rows / seconds / CORES:,.0f} rows/s a core",
        flush=True,
    )


def compare(parts: Path, whole: Path) -> None:
    """Row by row, some of each at a time."""
    done = 0
    for many, one in zip(equal_batches(sorted(parts.glob("part-*"))), equal_batches([whole]), strict=True):
        if not many.equals(one):
            raise SystemExit(f"the results differ after row {done:,}")
        done += len(many)
    print(f"{done:,} rows of the consensus, one by one: equal", flush=True)


def equal_batches(files: list[Path], rows: int = 1_000_000) -> Iterator[pa.Table]:
    """Tables of so many rows, whatever the files and their groups."""
    held: list[pa.RecordBatch] = []
    count = 0
    for path in files:
        for batch in pq.ParquetFile(path).iter_batches(columns=COLUMNS.names):
            held += pa.Table.from_batches([batch]).cast(COLUMNS).to_batches()
            count += len(batch)
            while count >= rows:
                table = pa.Table.from_batches(held)
                yield table.slice(0, rows).combine_chunks()
                held, count = table.slice(rows).to_batches(), count - rows
    if count:
        yield pa.Table.from_batches(held).combine_chunks()


if __name__ == "__main__":
    main()
