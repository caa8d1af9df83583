"""What the stable ABI costs: the same calls on kernels built for one Python and on kernels built for all of them.

python bench/abi.py NATIVE ABI3   # two unpacked wheels, or two trees' ``src``; ratios of CPU seconds in one run

Each of the two has a process of its own; they take turns, and the least of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from small_calls import made_lists, seconds

Call = Callable[[], object]


def small_calls() -> Iterator[tuple[str, Call]]:
    """A request of a search service, where the crossing from Python to C and back weighs most."""
    import stagg

    lists = made_lists()
    scored = {str(k): [(item, 1.0 / (rank + 1)) for rank, item in enumerate(each)] for k, each in enumerate(lists)}
    yield "fuse 3 lists of 100", lambda: stagg.fuse(lists)
    yield "fuse 3 lists of 100, scored", lambda: stagg.fuse(scored)
    yield "fuse 3 lists of 100, hits()", lambda: stagg.fuse(scored).hits()
    yield "fuse 3 lists of 5", lambda: stagg.fuse([each[:5] for each in lists])


def files(folder: Path) -> Iterator[tuple[str, Call]]:
    """Reading and writing text: 200 queries of three rankers and 50 items."""
    import stagg
    from stagg.data.simulation import simulate

    rankings = simulate(queries=200, items=70, rankers=3, keep=0.7).rankings
    for ending in ("trec", "csv", "json"):
        path = folder / f"rankings.{ending}"
        source = stagg.fuse(rankings, "borda") if ending == "trec" else rankings
        stagg.write(source, path)
        yield f"read .{ending}", partial(stagg.read, path)
        yield f"write .{ending}", partial(stagg.write, source, folder / f"again.{ending}")


def calls(folder: Path) -> dict[str, Call]:
    from twins import all_rows

    kernels = {f"{row.what}, {row.given}": row.call for row in all_rows() if "1000 " not in row.given}
    return {**dict(small_calls()), **dict(files(folder)), **kernels}


def work() -> None:
    """Measure the calls that are asked for by name, one a line."""
    with tempfile.TemporaryDirectory() as folder:
        known = calls(Path(folder))
        print(json.dumps(list(known)), flush=True)
        for line in sys.stdin:
            print(least_seconds(known[line.strip()]), flush=True)


def least_seconds(call: Call, turns: int = 5) -> float:
    """CPU seconds of a call: the least of some turns of a hundredth of a second or more."""
    repeats = max(1, int(0.01 / max(seconds(call, 1), 1e-6)))
    return min(seconds(call, repeats) for _ in range(turns))


class Worker:
    """A process that measures calls on one build."""

    def __init__(self, tree: str) -> None:
        environment = os.environ | {"PYTHONPATH": tree, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, __file__, "--worker"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.names: list[str] = json.loads(self._line())

    def seconds(self, name: str) -> float:
        assert self.process.stdin
        print(name, file=self.process.stdin, flush=True)
        return float(self._line())

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs="*", metavar="TREE", help="native, then stable")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="calls whose name holds this text")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work()
    native, stable = map(Worker, options.trees)
    ratios = []
    for name in (name for name in native.names if options.only in name):
        turns = [(native.seconds(name), stable.seconds(name)) for _ in range(options.rounds)]
        before, after = map(min, zip(*turns, strict=True))
        ratios.append(after / before)
        print(f"{name:>50} {1000 * before:>9.3f} ms {1000 * after:>9.3f} ms {after / before:>6.3f}x", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    slower = sum(ratio > 1.05 for ratio in ratios)
    print(f"geometric mean of {len(ratios)}: {mean:.3f}x; slowest {max(ratios):.3f}x; {slower} above 1.05x")
    return None


if __name__ == "__main__":
    main()
