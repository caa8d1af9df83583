"""What a comparison costs: 10 positional methods, four measures, all tests, against reading the files, in one run.

python bench/comparison.py ../shared/data/letor/MQ2007-agg
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from stagg import compare
from stagg.formats import Loaded, ReadLog, ReadOptions, load

METHODS = [
    "borda",
    "mean_rank",
    "rrf(c=60)",
    "rrf(c=10)",
    "isr",
    "rbc",
    "votecount",
    "stagg_bc",
    "stagg_rrf",
    "combsum(norm='rank')",
]
ROUNDS = 3


def read(files: list[Path]) -> Loaded:
    return load(files, options=ReadOptions(), log=ReadLog())


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data/letor/MQ2007-agg")
    files = sorted(folder.glob("A?.txt"))
    if not files:
        print(f"{folder}: no LETOR parts A1..A5 there; nothing measured")
        return
    reading, comparing = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        loaded = read(files)
        middle = time.process_time()
        if loaded.labels is None:
            raise SystemExit("the files carry no labels")
        compare(loaded.rankings, loaded.labels, METHODS, conventions="letor4")
        reading.append(middle - start)
        comparing.append(time.process_time() - middle)
    read_time, compare_time = statistics.median(reading), statistics.median(comparing)
    print(f"{folder.name}: {len(METHODS)} methods x 4 measures with tests, CPU seconds, median of {ROUNDS}")
    print(
        f"reading {read_time:.2f}, comparing {compare_time:.2f}, ratio {compare_time / read_time:.2f} (aim: 10 or less)"
    )


if __name__ == "__main__":
    main()
