"""What it costs to begin: ``import stagg`` over numpy, ``stagg --version``. Part of ``make bench``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from measuring import least

__all__ = ["measured"]

ADDED = """
import json, time, numpy
start, wall = time.process_time(), time.perf_counter()
import stagg
print(json.dumps({"cpu": time.process_time() - start, "wall": time.perf_counter() - wall}))
"""


def measured(env: Mapping[str, str], *, rounds: int) -> Iterator[dict[str, float | str]]:
    """CPU and wall seconds of each start; ``ratio`` is the CPU time against that of ``import numpy``."""
    python = [sys.executable, "-c"]
    commands = {
        "python": [*python, "pass"],
        "import numpy": [*python, "import numpy"],
        "import stagg": [*python, "import stagg"],
        "import stagg, numpy being there": [*python, ADDED],
        "stagg --version": [str(Path(sys.executable).parent / "stagg"), "--version"],
    }
    least(commands, 1, env)  # byte code is written
    found = least(commands, rounds, env)
    numpy = min(cost.cpu for cost in found["import numpy"])
    for name, costs in found.items():
        cpu, wall = (min(c.said.get(key, getattr(c, key)) for c in costs) for key in ("cpu", "wall"))
        yield {"name": name, "ratio": cpu / numpy, "cpu": cpu, "wall": wall, "memory": costs[0].memory}
