"""Kills of every command at random moments: outputs are old or new, no process stays, and the next run tidies up."""

from __future__ import annotations

import functools
import os
import random
import signal
import time
from pathlib import Path

from attack.crew import share
from attack.scene import COMMANDS, Stage, check_outputs, choose, find_left, find_stale, fork_command, run, set_stage
from attack.verdict import Attack

LATEST = 1.2  # of the time that a command takes
RATE = 2.3  # kills a second of the time given, at least: 1,000 in an attack of an hour
BETWEEN = 100  # kills between two times of tidying up


def attack(seed: int, seconds: float) -> Attack:
    """Children of this process, forked with everything loaded, so that most kills meet the work and not the imports."""
    stage = set_stage()  # before the clock runs: on a busy machine it takes longer than a short attack
    found = Attack("kills", f"kills of {len(COMMANDS)} commands", seconds, least=int(RATE * seconds))
    share(found, stage, seed, functools.partial(_kill_some, stage))
    left = len(found.measured.get("stale", []))
    found.notes.append(f"{left} left a temporary file, which the next run removed")
    found.note_slowest("no process left after", "gone")
    return found


def _kill_some(stage: Stage, found: Attack, rng: random.Random, folder: Path) -> None:
    names, stale = set[str](), set[str]()
    while found.has_time():
        name = choose(rng)
        names.add(name)
        _kill(stage, folder, name, rng.random() * LATEST * stage.seconds[name], found)
        found.count()
        for wrong in check_outputs(stage, folder, name):
            found.report(wrong)
        found.measure("stale", *[1.0 for _ in set(find_stale(folder)) - stale])
        stale.update(find_stale(folder))
        if found.tried % BETWEEN == 0:
            _tidy(stage, folder, names, found)
    _tidy(stage, folder, names, found)


def _kill(stage: Stage, folder: Path, name: str, seconds: float, found: Attack) -> None:
    child = fork_command(stage, folder, name)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    begun = time.monotonic()
    if left := find_left(child):
        found.report(f"{name}, killed after {seconds:.2f} s: left after 2 s: {left}")
    found.measure("gone", time.monotonic() - begun)


def _tidy(stage: Stage, folder: Path, names: set[str], found: Attack) -> None:
    """After one more run of each command nothing may be left."""
    for name in sorted(names):
        status, _, err, _ = run(stage, folder, name)
        if status:
            found.report(f"{name} after kills: status {status}, {err}")
        for wrong in check_outputs(stage, folder, name, all_new=True):
            found.report(f"after kills: {wrong}")
    if find_stale(folder):
        found.report(f"left after the next run: {find_stale(folder)}")
    names.clear()
