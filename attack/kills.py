"""Kills of every command that writes, at random moments: the output is old or new, and the next run tidies up."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from pathlib import Path

from attack.scene import COMMANDS, check_target, find_stale, prepare, run
from attack.verdict import Attack

LONGEST = 1.0  # seconds until the kill; the commands take a few tenths, as all is loaded before


def attack(seed: int, seconds: float) -> Attack:
    """Children of this process, forked with everything loaded, so that most kills meet the work and not the imports."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = prepare(folder)
        found = Attack("kills", "kills", seconds)
        stale = 0
        while found.has_time():
            target = rng.choice(list(COMMANDS))
            _kill(folder, target, rng.random() ** 2 * LONGEST)
            found.count()
            wrong = check_target(folder, target, whole)
            if wrong is not None:
                found.report(wrong)
            stale += len(find_stale(folder)) > 0
            if found.tried % 50 == 0:
                _tidy(folder, found)
        _tidy(folder, found)
    found.notes.append(f"{stale} times a temporary file was left, and the next run removed it")
    return found


def _kill(folder: Path, name: str, seconds: float) -> None:
    child = os.fork()
    if child == 0:
        _become_command(folder, name)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _become_command(folder: Path, name: str) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    try:
        from stagg.cli.main import main

        main([*COMMANDS[name], str(folder / name)])
    finally:
        os._exit(0)


def _tidy(folder: Path, found: Attack) -> None:
    """After one more run of each command nothing may be left."""
    for name in COMMANDS:
        ended = run(folder, name)
        if ended.returncode:
            found.report(f"{name} after kills: {ended.stderr}")
    if find_stale(folder):
        found.report(f"left after the next run: {find_stale(folder)}")
    for name in COMMANDS:
        (folder / name).write_bytes(b"the old file\n")
