"""The Spark engine by hand: generated rows as Parquet, fused on a cluster on this machine; time, memory, shuffle.

    .venv-spark/bin/python bench/spark.py --rows 20000000 --master "local-cluster[2,1,1024]"
    .venv-spark/bin/python bench/spark.py --rows 5000000 --master "local[2]" --against-sql 3

Prints seconds, rows per second, CPU seconds of all processes, the most that the shuffle held on disk, and the largest
resident memory of the driver (Python and JVM) and of the executors (JVM and Python workers), looked at four times
a second. ``--against-sql`` lets Spark SQL do the same RRF by window functions, in turn, so many times, on all rows and
on a third of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cluster.nodes import processes_below

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
        self.cpu = 0.0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.25):
            for kind, size in [*self._sizes(), ("shuffle on disk", _held(self.folder) / 2**20)]:
                self.most[kind] = max(size, self.most.get(kind, 0.0))
            self.cpu = max(self.cpu, _cpu_seconds())

    def _sizes(self) -> list[tuple[str, float]]:
        found = []
        for pid in processes_below(os.getpid()):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
            found.append((_kind(pid, command), pages * os.sysconf("SC_PAGE_SIZE") / 2**20))
        return found


def _cpu_seconds() -> float:
    """What this process and all below it have used, those that are gone included."""
    ticks = 0
    for pid in processes_below(os.getpid()):
        try:
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except (OSError, IndexError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    parser.add_argument("--method", default="rrf(c=60)")
    parser.add_argument("--driver-memory", default="1g")
    parser.add_argument("--against-sql", type=int, default=0, metavar="TIMES")
    parser.add_argument("--runs", type=Path, help="a folder of rows that was generated before")
    parser.add_argument("--sql", action="store_true", help="Spark SQL itself")
    options = parser.parse_args()
    if options.against_sql:
        compare(options.rows, options.master, options.against_sql)
        return

    import pyspark

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_HOME": os.path.dirname(pyspark.__file__)}
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--driver-memory {options.driver_memory} pyspark-shell"
    scratch = Path(tempfile.mkdtemp(prefix="stagg-spark-"))
    os.environ |= {"SPARK_WORKER_DIR": str(scratch / "work"), "SPARK_LOCAL_DIRS": str(scratch / "local")}
    try:
        runs = options.runs or scratch / "runs"
        if options.runs is None:
            runs.mkdir()
            size = generate(runs, options.rows)
            print(f"{options.rows:,} rows, {size / 2**20:,.0f} MiB of Parquet, {options.method}, {options.master}")
        work = fuse_by_sql if options.sql else partial(fuse_by_stagg, options.method)
        measure(work, options.master, runs, scratch, options.rows)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def compare(rows: int, master: str, times: int) -> None:
    """The CPU seconds of both, in turn, each a process of its own on the same rows, and on a third of them.

    What both sizes cost alike is the start of Spark and of its compiler: the difference is the price of the rows.
    """
    found: dict[tuple[str, int], list[float]] = {}
    for size in (rows // 3, rows):
        with tempfile.TemporaryDirectory(prefix="stagg-spark-") as folder:
            generate(Path(folder), size)
            command = [sys.executable, __file__, "--rows", str(size), "--master", master, "--runs", folder]
            for _ in range(times):
                for name, extra in (("stagg", []), ("Spark SQL", ["--sql"])):
                    out = subprocess.run([*command, *extra], check=True, capture_output=True, text=True).stdout
                    found.setdefault((name, size), []).append(float(out.split("CPU seconds: ")[1].split(";")[0]))
    ours, theirs = (min(found[name, rows]) for name in ("stagg", "Spark SQL"))
    more, theirs_more = (min(found[name, rows]) - min(found[name, rows // 3]) for name in ("stagg", "Spark SQL"))
    print(
        f"{rows:,} rows on {master}: stagg {ours:.1f} CPU-s, Spark SQL {theirs:.1f}, ratio {ours / theirs:.2f}; {found}"
    )
    print(
        f"per row, without the start: stagg {1e6 * more / (rows - rows // 3):.2f} µs, Spark SQL "
        f"{1e6 * theirs_more / (rows - rows // 3):.2f}, ratio {more / theirs_more:.2f}"
    )


def fuse_by_stagg(method: str, master: str, runs: Path, target: Path) -> str:
    from stagg.aggregate import prepare
    from stagg.engines.base import InputFiles
    from stagg.engines.spark.job import fuse_files

    return fuse_files(InputFiles([str(runs)]), str(target), prepare(method), master=master).summary


def fuse_by_sql(master: str, runs: Path, target: Path) -> str:
    """RRF as one would write it without us."""
    from pyspark.sql import SparkSession, Window
    from pyspark.sql import functions as f

    spark = SparkSession.builder.master(master).config("spark.ui.enabled", "false").getOrCreate()
    place = f.row_number().over(Window.partitionBy("query", "ranker").orderBy(f.desc("score")))
    rows = spark.read.parquet(str(runs)).select("query", "item", (1 / (60 + place)).alias("part"))
    fused = rows.groupBy("query", "item").agg(f.sum("part").alias("score"))
    best = f.row_number().over(Window.partitionBy("query").orderBy(f.desc("score"), f.desc("item")))
    fused.withColumn("rank", best).select("query", "item", "rank", "score").write.parquet(str(target))
    spark.stop()
    return "Spark SQL"


def measure(work: Callable[[str, Path, Path], str], master: str, runs: Path, scratch: Path, rows: int) -> None:
    memory = Memory(scratch / "local")
    memory.start()
    begin = time.perf_counter()
    summary = work(master, runs, scratch / "fused.parquet")
    seconds = time.perf_counter() - begin
    memory.over.set()
    written = sum(path.stat().st_size for path in (scratch / "fused.parquet").iterdir())
    print(f"{seconds:.0f} s with start and stop of Spark, {rows / seconds:,.0f} rows/s; {summary}")
    print(f"CPU seconds: {memory.cpu:.1f}; {written / 2**20:,.0f} MiB written")
    for kind, most in sorted(memory.most.items()):
        print(f"{kind}: {most:,.0f} MiB")


if __name__ == "__main__":
    main()
