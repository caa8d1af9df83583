"""What a process costs: CPU seconds, wall seconds, peak memory; and facts on the machine it ran on."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Cost", "Ticks", "environment", "facts", "least", "load_of_others", "spent", "use_environment"]

LONG = 8.0  # CPU seconds: what takes longer is measured once
MOST_LOAD, LEAST_IDLE = 0.5, 0.95  # of a machine that is quiet enough to compare times


class Cost(NamedTuple):
    """CPU and wall seconds, the peak memory in MB, and what the process said of itself (a JSON object, or nothing)."""

    cpu: float
    wall: float
    memory: float
    said: dict[str, Any]


def environment(folder: Path) -> dict[str, str]:
    """One thread for everybody, and caches of compiled code that outlive a process but not the bench."""
    mine = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return mine | {
        "OPENBLAS_NUM_THREADS": "1",
        "POLARS_MAX_THREADS": "1",
        "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
        "NUMBA_CACHE_DIR": str(folder / "numba"),
    }


def use_environment(folder: Path, **more: str) -> None:
    """The same for this process and all that it starts."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.update(environment(folder) | more)


def spent(command: Sequence[str], env: Mapping[str, str]) -> Cost:
    """The cost of one run of a command; what fails ends the bench with its last words."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=dict(env), text=True
    )
    out, err = _read(process)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command[:6])} ...\n{err[-2000:]}")
    lines = out.splitlines()
    said = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, said)


def _read(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Both outputs to their end; they are short, so that neither fills its pipe while the other is read."""
    with process.stdout or open(os.devnull) as stdout, process.stderr or open(os.devnull) as stderr:
        return stdout.read(), stderr.read()


def least(commands: Mapping[str, Sequence[str]], rounds: int, env: Mapping[str, str]) -> dict[str, list[Cost]]:
    """The costs of every command; all take their turn in each round, so that all see the same machine."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if not (found[name] and found[name][0].cpu > LONG):
                found[name].append(spent(command, env))
    return found


def facts() -> dict[str, Any]:
    """The machine and how busy it was when the bench began."""
    names = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "date": time.strftime("%Y-%m-%d"),
    }


class Ticks(NamedTuple):
    """CPU seconds of the whole machine since it started, by /proc/stat: those that were used, and all there were."""

    busy: float
    whole: float

    @classmethod
    def now(cls) -> Ticks:
        counts = [int(number) for number in _lines("/proc/stat")[0].split()[1:9]]  # guests are part of the users
        second = os.sysconf("SC_CLK_TCK")
        return cls((sum(counts) - counts[3] - counts[4]) / second, sum(counts) / second)  # idle, waiting for a disk


def load_of_others(seconds: float = 2.0) -> str | None:
    """What makes times of this machine worthless now, or None if it is quiet."""
    before, load = Ticks.now(), os.getloadavg()[0]
    time.sleep(seconds)
    after = Ticks.now()
    idle = 1 - (after.busy - before.busy) / (after.whole - before.whole)
    if load > MOST_LOAD or idle < LEAST_IDLE:
        return f"load {load:.2f} (at most {MOST_LOAD}), {idle:.0%} idle (at least {LEAST_IDLE:.0%})"
    return None


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []
