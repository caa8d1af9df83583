"""What it costs to begin: ``import stagg`` over numpy, ``stagg --version``, six rows fused. Part of ``make bench``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from measuring import least

__all__ = ["measured"]

SAMPLE = Path(__file__).resolve().parent.parent / "src" / "stagg" / "sample"

ADDED = """
import json, time, numpy
start, wall = time.process_time(), time.perf_counter()
import stagg
print(json.dumps({"cpu": time.process_time() - start, "wall": time.perf_counter() - wall}))
"""


def measured(env: Mapping[str, str], *, rounds: int) -> Iterator[dict[str, float | str]]:
    """CPU and wall seconds of each start; ``ratio`` is the CPU time against that of ``import numpy``."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _measure(env, rounds, _write_six_rows(Path(folder)))


def _write_six_rows(folder: Path) -> list[str]:
    """The first two rows of each run of the sample, and a name for the output: the arguments of ``stagg fuse``."""
    for run in SAMPLE.glob("*.trec"):
        (folder / run.name).write_text("".join(run.read_text().splitlines(keepends=True)[:2]))
    return [*sorted(map(str, folder.glob("*.trec"))), "-o", str(folder / "fused.trec")]


def _measure(env: Mapping[str, str], rounds: int, six_rows: list[str]) -> Iterator[dict[str, float | str]]:
    python = [sys.executable, "-c"]
    stagg = str(Path(sys.executable).parent / "stagg")
    commands = {
        "python": [*python, "pass"],
        "import numpy": [*python, "import numpy"],
        "import stagg": [*python, "import stagg"],
        "import stagg, numpy being there": [*python, ADDED],
        "stagg --version": [stagg, "--version"],
        "stagg fuse, six rows": [stagg, "fuse", *six_rows],
    }
    least(commands, 1, env)  # byte code is written
    found = least(commands, rounds, env)
    numpy = min(cost.cpu for cost in found["import numpy"])
    for name, costs in found.items():
        cpu, wall = (min(c.said.get(key, getattr(c, key)) for c in costs) for key in ("cpu", "wall"))
        yield {"name": name, "ratio": cpu / numpy, "cpu": cpu, "wall": wall, "memory": costs[0].memory}
