"""From TREC files to a fused TREC file: ``stagg fuse`` against a one-thread C floor and against others, in one run.

``python bench/throughput.py`` generates seeded runs, compiles bench/floor.c and starts every contender as a process of
its own, several times over in turn; the least CPU time counts. ``--peers .venv-bench/bin/python`` adds those of
bench/throughput_peers.py. ``--write FILE`` writes the tables as Markdown, ``--record`` keeps the ratios to the floor,
and every run says which of them became worse by more than a quarter.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from generate import write_runs

HERE = Path(__file__).parent
RECORDED = HERE / "throughput.json"
TOP = "1000"
WORSE = 1.25


class Shape(NamedTuple):
    """Runs x queries x items of a list; ``shuffled`` rows are not grouped by query."""

    runs: int
    queries: int
    items: int
    shuffled: bool = False

    def __str__(self) -> str:
        return f"{self.runs} x {self.queries} x {self.items}{' shuffled' * self.shuffled}"


class Cost(NamedTuple):
    """CPU and wall seconds and the peak memory in MB of a process."""

    cpu: float
    wall: float
    memory: float


SHAPES = [Shape(5, 1000, 1000), Shape(20, 200, 100), Shape(20, 1, 100_000), Shape(10, 1000, 1000)]
MEMORY = [Shape(10, 1000, 1000, shuffled=True)]
PEERS = ["dicts", "pandas", "polars", "duckdb", "ranx"]


def main() -> None:
    given = arguments()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        floor = compiled_floor(folder)
        costs: dict[Shape, dict[str, Cost]] = {}
        for shape in [*SHAPES, *MEMORY]:
            files = write_runs(folder / "runs", shape.runs, shape.queries, shape.items, shuffled=shape.shuffled)
            costs[shape] = measured(contenders(files, folder / "out.trec", shape, floor, given), given.rounds)
            print(table(shape, costs[shape]), flush=True)
            shutil.rmtree(folder / "runs")
    text = "\n".join([facts(), *[table(shape, found) for shape, found in costs.items()]])
    if given.write:
        given.write.write_text(text)
    compare(costs, record=given.record)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the runs are generated; they take half a gigabyte")
    parser.add_argument("--peers", help="a Python that has the peers of bench/requirements.txt")
    parser.add_argument("--write", type=Path, help="write the tables as Markdown")
    parser.add_argument("--record", action="store_true", help="keep the ratios to compare later runs with")
    return parser.parse_args()


def compiled_floor(folder: Path) -> Path:
    floor = folder / "floor"
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-o", floor, HERE / "floor.c"], check=True)
    return floor


def contenders(
    files: list[Path], out: Path, shape: Shape, floor: Path, given: argparse.Namespace
) -> dict[str, list[str]]:
    """The command of each; only stagg takes rows that are not grouped and sorted."""
    names, stagg = [str(file) for file in files], str(Path(sys.executable).parent / "stagg")
    fuse = [stagg, "fuse", *names, "--top", TOP, "-q", "-o", str(out)]
    commands = {
        f"stagg {method}{', 2 threads' * (threads == 2)}": [*fuse, "-m", method, "--threads", str(threads)]
        for method in ("rrf", "stagg_rrf")
        for threads in (1, 2)
    }
    if shape.shuffled:
        return commands
    commands = {"C floor": [str(floor), TOP, *names], **commands}
    if given.peers:
        script = str(HERE / "throughput_peers.py")
        commands |= {peer: [given.peers, script, peer, "1", str(out), TOP, *names] for peer in PEERS}
    return commands


def measured(commands: dict[str, list[str]], rounds: int) -> dict[str, Cost]:
    """The least of each cost over the rounds, but the largest memory; all contenders take their turn in every round."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for name, command in commands.items():
        if name in PEERS:
            spent(command)  # caches of compiled code are filled
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(spent(command))
    return {
        name: Cost(min(c.cpu for c in all_), min(c.wall for c in all_), max(c.memory for c in all_))
        for name, all_ in found.items()
    }


def spent(command: Sequence[str]) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command[:4])} ...")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def table(shape: Shape, costs: dict[str, Cost]) -> str:
    """Ratios first: to the floor where there is one."""
    floor = costs.get("C floor")
    rows = [f"\n### {shape} rows\n", "| | x floor | CPU s | wall s | peak MB |", "|---|---|---|---|---|"]
    for name, cost in costs.items():
        ratio = "-" if floor is None else f"{cost.cpu / floor.cpu:.1f}"
        rows.append(f"| {name} | {ratio} | {cost.cpu:.2f} | {cost.wall:.2f} | {cost.memory:.0f} |")
    return "\n".join(rows)


def facts() -> str:
    load = os.getloadavg()[0]
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}"


def compare(costs: dict[Shape, dict[str, Cost]], *, record: bool) -> None:
    """Ratios to the floor against the recorded ones."""
    ratios = {
        f"{shape}: {name}": round(cost.cpu / found["C floor"].cpu, 2)
        for shape, found in costs.items()
        for name, cost in found.items()
        if "C floor" in found and name.startswith("stagg")
    }
    if record:
        RECORDED.write_text(json.dumps(ratios, indent=1) + "\n")
    before = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    slower = [
        f"{name}: {before[name]} -> {ratio}"
        for name, ratio in ratios.items()
        if ratio > WORSE * before.get(name, ratio)
    ]
    print("\n".join(["\nslower than recorded:", *slower]) if slower else "\nnothing is slower than recorded")


if __name__ == "__main__":
    main()
