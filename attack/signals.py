"""Ctrl-C and SIGTERM at random moments of real processes: soon over, one line, nothing left running."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from attack.scene import COMMANDS, OLD, ROOT, STAGG, check_target, find_stale, prepare
from attack.verdict import Attack

PATIENCE = 1.0  # seconds; a loaded machine needs more, so the slowest is told, too
STARTING = 0.15  # seconds in which the interpreter itself starts, before any line of ours is run
ENDED = {signal.SIGINT: (0, 130), signal.SIGTERM: (0, -signal.SIGTERM)}


def attack(seed: int, seconds: float) -> Attack:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = prepare(folder)
        found, slowest, early = Attack("signals", "signals", seconds), 0.0, 0
        while found.has_time():
            target, kind = rng.choice(list(COMMANDS)), rng.choice([signal.SIGINT, signal.SIGTERM])
            moment = rng.uniform(STARTING, 1.5)
            code, err, took = _interrupt(folder, target, kind, moment)
            found.count()
            slowest = max(slowest, took)
            if "site.py" in err or "<frozen" in err.split("\n")[0]:
                early += 1  # the interpreter was still starting: its own words
            elif code not in ENDED[kind] or "Traceback" in err or (code == 130 and err != "stagg: interrupted\n"):
                found.report(f"{target}, {kind.name} after {moment:.2f} s: status {code}, {err[-200:]!r}")
            wrong = check_target(folder, target, whole)
            if wrong is not None:
                found.report(wrong)
            if kind == signal.SIGINT and find_stale(folder):
                found.report(f"{target}: {find_stale(folder)} left after Ctrl-C")
            _clear(folder)
    found.notes.append(f"slowest {slowest:.2f} s (load {os.getloadavg()[0]:.0f}); {early} while Python itself started")
    if slowest > PATIENCE and os.getloadavg()[0] < os.cpu_count():
        found.report(f"a signal was honoured only after {slowest:.2f} s")
    return found


def _interrupt(folder: Path, name: str, kind: signal.Signals, moment: float) -> tuple[int, str, float]:
    call = [*STAGG, *COMMANDS[name], str(folder / name)]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        time.sleep(moment)
        begun = time.monotonic()
        process.send_signal(kind)
        _, err = process.communicate(timeout=60)
        return process.returncode, err, time.monotonic() - begun


def _clear(folder: Path) -> None:
    for stale in find_stale(folder):
        (folder / stale).unlink()
    for name in COMMANDS:
        (folder / name).write_bytes(OLD)
