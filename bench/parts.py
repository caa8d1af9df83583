"""Some queries at a time: memory by format, many files against few, threads against processes.

    python bench/parts.py [--rows 20000000] [--folder /tmp/parts] [--repeats 5] [--only memory,files,threads]

Memory is the most that a process held. Times are medians of interleaved repeats in one run, as ratios.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from measuring import use_environment

RANKERS, LENGTH = 5, 100


def make_tables(folder: Path, rows: int) -> None:
    """The same rows, grouped by query, as Parquet (row groups of a million rows) and as CSV."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    rng, writers, size = np.random.default_rng(0), list[object](), RANKERS * LENGTH
    for first in range(0, rows // size, 2000):
        query = np.repeat(np.arange(first, min(first + 2000, rows // size)), size)
        count = len(query) // size
        local = rng.integers(0, 10, len(query)) * LENGTH + np.tile(np.arange(LENGTH), count * RANKERS)
        score = np.tile(np.linspace(20, 1, LENGTH), count * RANKERS) + rng.random(len(query)) * 0.01
        ranker = np.tile(np.repeat([f"run{number}" for number in range(RANKERS)], LENGTH), count)
        columns = {"query": pa.array(query).cast("string"), "ranker": pa.array(ranker), "score": score.round(4)}
        table = pa.table(columns | {"item": pa.array(local + query * 7).cast("string")})
        if not writers:
            plain = pyarrow.csv.WriteOptions(quoting_style="none")
            writers += [
                pyarrow.parquet.ParquetWriter(folder / "rows.parquet", table.schema),
                pyarrow.csv.CSVWriter(folder / "rows.csv", table.schema, write_options=plain),
            ]
        for writer in writers:
            writer.write_table(table)  # type: ignore[attr-defined]
    for writer in writers:
        writer.close()  # type: ignore[attr-defined]


def make_runs(folder: Path, runs: int, queries: int, length: int, first: int = 0) -> list[Path]:
    """TREC runs of so many queries."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"run{number:03d}.trec" for number in range(runs)]
    for number, path in enumerate(paths):
        rng = np.random.default_rng(number)
        with path.open("w") as file:
            for query in range(first, first + queries):
                items = rng.permutation(length * 3 // 2)[:length]
                rows = (
                    f"{query} Q0 doc{query * 7 + item} {rank} {1000 - rank * 0.7:.4f} r{number}\n"
                    for rank, item in enumerate(items, 1)
                )
                file.write("".join(rows))
    return paths


def fuse(inputs: Sequence[Path], output: Path, threads: int = 1) -> list[str]:
    return [
        sys.executable,
        "-m",
        "stagg",
        "fuse",
        *map(str, inputs),
        "-o",
        str(output),
        "--threads",
        str(threads),
        "-q",
    ]


def make_tables_apart(folder: Path, rows: int) -> None:
    """In a process of its own: what this one holds would count for those that it starts."""
    subprocess.run(
        [sys.executable, __file__, "--only", "make", "--folder", str(folder), "--rows", str(rows)], check=True
    )


def measure_memory(folder: Path, rows: int) -> None:
    make_tables_apart(folder, rows)
    for kind in ("csv", "parquet"):
        for target, threads in ((kind, 1), (kind, 2), ("trec", 1)):
            process = subprocess.Popen(fuse([folder / f"rows.{kind}"], folder / f"out.{target}", threads))
            _, status, used = os.wait4(process.pid, 0)
            assert status == 0
            print(f"{rows:,} rows of {kind} to {target}, {threads} threads: {used.ru_maxrss / 1024:.0f} MiB")


def measure_times(cases: dict[str, Callable[[], list[list[str]]]], repeats: int) -> dict[str, float]:
    """The median wall seconds of each case: commands that run side by side."""
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(repeats):
        for name, commands in cases.items():
            start = time.perf_counter()
            processes = [subprocess.Popen(command) for command in commands()]
            assert not any(process.wait() for process in processes)
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def measure_files(folder: Path, repeats: int) -> None:
    few = make_runs(folder / "few", 200, 20, 100)
    many = make_runs(folder / "many", 300, 20, 100)
    cases = {"200": lambda: [fuse(few, folder / "a.trec")], "300": lambda: [fuse(many, folder / "b.trec")]}
    cases["start"] = lambda: [fuse(few[:1], folder / "c.trec")]
    seconds = measure_times(cases, repeats)
    ratio = (seconds["300"] - seconds["start"]) / (seconds["200"] - seconds["start"]) * 200 / 300
    print(f"300 files cost {ratio:.2f} times per row what 200 cost ({seconds['300']:.2f} s, {seconds['200']:.2f} s)")


def measure_threads(folder: Path, repeats: int) -> None:
    whole = make_runs(folder / "whole", 5, 2000, 1000)
    halves = [make_runs(folder / f"half{part}", 5, 1000, 1000, 1000 * part) for part in (0, 1)]
    cases = {
        "one": lambda: [fuse(whole, folder / "one.trec")],
        "two": lambda: [fuse(whole, folder / "two.trec", 2)],
        "processes": lambda: [fuse(half, folder / f"{number}.trec") for number, half in enumerate(halves)],
    }
    report_threads("10,000,000 rows of TREC", measure_times(cases, repeats))
    assert (folder / "one.trec").read_bytes() == (folder / "two.trec").read_bytes()


def report_threads(what: str, seconds: dict[str, float]) -> None:
    print(
        f"{what}: two threads reach {seconds['processes'] / seconds['two']:.2f} of two processes, "
        f"{seconds['one'] / seconds['two']:.2f} times one thread "
        f"({', '.join(f'{name} {value:.2f} s' for name, value in seconds.items())})"
    )


def measure_parquet_threads(folder: Path, repeats: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    make_tables_apart(folder, 8_000_000)
    table = pyarrow.parquet.read_table(folder / "rows.parquet")
    for part in (0, 1):
        half: pa.Table = table.slice(part * len(table) // 2, len(table) // 2)
        pyarrow.parquet.write_table(half, folder / f"half{part}.parquet", row_group_size=1_000_000)
    cases = {
        "one": lambda: [fuse([folder / "rows.parquet"], folder / "one.parquet")],
        "two": lambda: [fuse([folder / "rows.parquet"], folder / "two.parquet", 2)],
        "processes": lambda: [fuse([folder / f"half{part}.parquet"], folder / f"{part}.parquet") for part in (0, 1)],
    }
    report_threads("8,000,000 rows of Parquet", measure_times(cases, repeats))
    assert (folder / "one.parquet").read_bytes() == (folder / "two.parquet").read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/parts"))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="memory,files,threads,parquet")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    use_environment(given.folder)
    chosen = given.only.split(",")
    if "make" in chosen:
        make_tables(given.folder, given.rows)
    if "memory" in chosen:
        measure_memory(given.folder, given.rows)
    if "files" in chosen:
        measure_files(given.folder, given.repeats)
    if "threads" in chosen:
        measure_threads(given.folder, given.repeats)
    if "parquet" in chosen:
        measure_parquet_threads(given.folder, given.repeats)


if __name__ == "__main__":
    main()
