"""From TREC files to a fused TREC file: ``stagg fuse`` against a one-thread C floor and everybody else, in one run.

Seeded runs are generated, bench/floor.c is compiled, and every contender of bench/contenders.py is a process of its own
that calls twice; all take their turn in each round, and the least CPU time counts. Part of ``make bench``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from contenders import flagr_file
from measuring import Cost, least

__all__ = ["FLOOR", "Shape", "compiled_floor", "floor_command", "fuse_command", "measured"]

HERE = Path(__file__).parent
FLOOR = "C floor"
TOP = "1000"
RRF = ["stagg rrf", "stagg stagg_rrf", "Polars", "DuckDB", "pandas", "Python dicts"]
FIRST_EVER = "ranx, first ever call"
"""What Numba compiles is kept for all later calls of the bench."""


class Shape(NamedTuple):
    """Runs x queries x items of a list; ``full`` lists hold all items, ``shuffled`` rows are not grouped by query."""

    runs: int
    queries: int
    items: int
    full: bool = False
    shuffled: bool = False

    def __str__(self) -> str:
        marks = ", full lists" * self.full + ", shuffled" * self.shuffled
        return f"{self.runs} x {self.queries:,} x {self.items:,}{marks}"

    def written(self, folder: Path, env: Mapping[str, str]) -> list[str]:
        """The files; made by a process of its own, since whoever is started is counted the memory of who starts it."""
        sizes = [f"--runs={self.runs}", f"--queries={self.queries}", f"--items={self.items}"]
        marks = ["--shuffled"] * self.shuffled + [f"--pool={self.items}"] * self.full
        subprocess.run(
            [sys.executable, str(HERE / "generate.py"), str(folder), *sizes, *marks], env=dict(env), check=True
        )
        return [str(folder / f"run{number}.trec") for number in range(1, self.runs + 1)]


class Race(NamedTuple):
    """Who runs on which files; the first is what the others are compared with."""

    title: str
    shape: Shape
    names: list[str]


def races(quick: bool) -> list[Race]:
    """Those of a full run take about ten minutes, with a tenth of the rows about three; most of it is ranx."""
    less = 10 if quick else 1
    some, many = Shape(20, 200 // less, 100), Shape(5, 1000 // less, 1000)
    one, large = Shape(20, 1, 100_000 // less), Shape(10, 1000 // less, 1000)
    return [
        Race("RRF", some, [FLOOR, *RRF, "LangChain", FIRST_EVER, "ranx"]),
        Race("RRF", many, [FLOOR, *RRF, "ranx"]),
        Race("RRF, one query", one, [FLOOR, *RRF, "ranx"]),
        Race("RRF, threads and memory", large, [FLOOR, "stagg fuse", "stagg fuse, 2 threads"]),
        Race("RRF, rows not grouped by query", large._replace(shuffled=True), ["stagg fuse", "stagg fuse, 2 threads"]),
        Race("Borda", some, ["stagg borda", "PyFLAGR borda"]),
        Race("MC4", some, ["stagg mc4", "PyFLAGR mc4"]),
        Race("Plackett-Luce", Shape(20, 5, 100, full=True), ["stagg plackett_luce", "choix"]),
    ]


def measured(
    folder: Path, env: Mapping[str, str], *, quick: bool, rounds: int, peers: str | None
) -> Iterator[dict[str, Any]]:
    """One race after another: its title, shape, and a row for every contender, ratios first."""
    floor = compiled_floor(folder)
    for race in races(quick):
        files = race.shape.written(folder / "runs", env)
        names = [name for name in race.names if peers or is_ours(name)]
        if any(name.startswith("PyFLAGR") for name in names):
            flagr_file(files)
        commands = {name: command(name, files, folder / "out.trec", floor, peers) for name in names}
        found = {name: summary(costs) for name, costs in least(commands, rounds, env).items()}
        first = found[names[0]]["cpu"]
        rows = [{"name": name, "ratio": cost["cpu"] / first, **cost} for name, cost in found.items()]
        yield {"title": race.title, "shape": str(race.shape), "rows": rows}
        shutil.rmtree(folder / "runs")


def is_ours(name: str) -> bool:
    return name == FLOOR or name.startswith("stagg")


def compiled_floor(folder: Path) -> Path:
    floor = folder / "floor"
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-o", floor, HERE / "floor.c"], check=True)
    return floor


def floor_command(floor: Path, files: list[str]) -> list[str]:
    return [str(floor), TOP, *files]


def fuse_command(files: list[str], out: Path, *options: str) -> list[str]:
    """``stagg fuse`` from the environment of this Python."""
    stagg = str(Path(sys.executable).parent / "stagg")
    return [stagg, "fuse", *files, "--top", TOP, "-q", "-o", str(out), *options]


def command(name: str, files: list[str], out: Path, floor: Path, peers: str | None) -> list[str]:
    if name == FLOOR:
        return ["sh", "-c", 'exec "$0" "$@" > /dev/null', *floor_command(floor, files)]
    if name.startswith("stagg fuse"):
        return fuse_command(files, out, "--threads", "2" if name.endswith("2 threads") else "1")
    python, who = sys.executable if name.startswith("stagg") else str(peers), name.removesuffix(", first ever call")
    return [python, str(HERE / "contenders.py"), who, "2", str(out), *files]


def summary(costs: list[Cost]) -> dict[str, float]:
    """The least of each cost over the rounds, but the largest memory; CPU time is that of one call, start included."""
    said = [cost.said for cost in costs if cost.said]
    found = {
        "cpu": min(cost.cpu - cost.said.get("later", 0.0) for cost in costs),
        "memory": max(cost.memory for cost in costs),
    }
    if said:
        return found | {key: min(each[key] for each in said) for key in ("import", "cold", "warm")}
    return found | {"wall": min(cost.wall for cost in costs)}
