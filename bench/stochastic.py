"""What the stochastic core costs, as ratios in one run: a weight table, ``stagg_rrf`` end to end, rank intervals."""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import stagg
from stagg.data.simulation import simulate
from stagg.kernels.stochastic.contests import paper
from stagg.kernels.stochastic.expectations import expected_utilities, expected_utilities_by_recursion
from stagg.kernels.stochastic.utilities import rrf

RUNS = 5
DEPTH = 1000
DRAWS = 1000
SIZES = {"small": (20, 20, 1), "moderate": (100, 100, 3), "full": (1000, 1000, 3)}
"""Queries to read, fuse and write; queries with intervals; rounds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", choices=SIZES, default="full", help="full is 5 x 1000 x 1000 rows, as promised")
    fused, resampled, rounds = SIZES[parser.parse_args().rows]
    print("CPU seconds, median of alternating rounds; ratio of the second to the first")
    print(f"{'what':>42} {'against':>24} {'first':>9} {'second':>9} {'ratio':>8} {'aim':>9}")
    _table(rounds)
    _end_to_end(fused, rounds)
    _intervals(resampled, rounds)


def _table(rounds: int) -> None:
    """One table for a full list of 1000: generating functions, then the recursion over all items at once."""
    setting = (rrf(60), paper(), "below", 1000)
    fast, slow = compared(
        lambda: expected_utilities(*setting, [1000]),
        lambda: expected_utilities_by_recursion(*setting, 1000),
        rounds,
        repeats=20,
    )
    _row("weight table, n = L = 1000", "Eq. 10, NumPy", fast, slow, ">= 1000")


def _end_to_end(queries: int, rounds: int) -> None:
    """Read TREC text, fuse, write TREC text, as a command of its own."""
    with tempfile.TemporaryDirectory() as folder:
        files = made_runs(Path(folder), queries)
        plain, ours = [], []
        for _ in range(rounds):
            plain.append(command_seconds(files, "rrf"))
            ours.append(command_seconds(files, "stagg_rrf"))
    what = f"stagg_rrf, {RUNS} x {queries} x {DEPTH} rows"
    _row(what, "rrf, end to end", statistics.median(plain), statistics.median(ours), "<= 1.6")


def _intervals(queries: int, rounds: int, items: int = 100) -> None:
    """``fuse(..., intervals=0.9)`` against a stable argsort of as many random numbers."""
    rankings = simulate(queries=queries, items=items, rankers=RUNS).rankings
    scores = np.random.default_rng(0).normal(size=(DRAWS, items))
    plain, ours = compared(
        lambda: [np.argsort(scores, axis=1, kind="stable") for _ in range(queries)],
        lambda: stagg.fuse(rankings, "borda", intervals=0.9, draws=DRAWS),
        rounds,
    )
    what = f"intervals, {queries} queries x {items} x {RUNS} rankers"
    _row(what, f"argsort, {DRAWS} draws", plain, ours, "<= 3")


def compared(
    one: Callable[[], object], other: Callable[[], object], rounds: int, repeats: int = 1
) -> tuple[float, float]:
    """Median CPU seconds of both, in alternating rounds so that both see the same machine; ``one`` is repeated."""
    one()
    first, second = [], []
    for _ in range(rounds):
        first.append(seconds(one, repeats))
        second.append(seconds(other, 1))
    return statistics.median(first), statistics.median(second)


def seconds(call: Callable[[], object], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def command_seconds(files: list[Path], method: str) -> float:
    """CPU seconds, of user and system, of one ``stagg fuse``."""
    output = files[0].with_name("fused.trec")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "stagg", "fuse", *map(str, files), "--method", method, "--quiet", "-o", output]
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def made_runs(folder: Path, queries: int, seed: int = 0) -> list[Path]:
    """TREC files whose lists overlap more in some queries than in others, so that n differs from query to query."""
    rng = np.random.default_rng(seed)
    files = [folder / f"run{number}.trec" for number in range(RUNS)]
    outputs = [file.open("w", encoding="ascii") for file in files]
    for query in range(queries):
        pool = rng.choice(1_000_000, size=rng.integers(DEPTH * 5 // 4, 3 * DEPTH), replace=False)
        for number, output in enumerate(outputs):
            output.write(_list_text(query, rng.permutation(pool)[:DEPTH], rng, f"run{number}"))
    for output in outputs:
        output.close()
    return files


def _list_text(query: int, items: np.ndarray, rng: np.random.Generator, tag: str) -> str:
    scores = -np.sort(-rng.gamma(2.0, 5.0, size=len(items)))
    rows = enumerate(zip(items.tolist(), scores.tolist(), strict=True), start=1)
    return "".join(f"q{query:04} Q0 doc{item:06} {rank} {score:.6f} {tag}\n" for rank, (item, score) in rows)


def _row(what: str, against: str, first: float, second: float, aim: str) -> None:
    print(f"{what:>42} {against:>24} {first:9.4f} {second:9.4f} {second / first:8.2f} {aim:>9}", flush=True)


if __name__ == "__main__":
    main()
