"""Ctrl-C and SIGTERM at random moments of real processes: soon over, one line, nothing left running."""

from __future__ import annotations

import functools
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attack.crew import share
from attack.scene import (
    COMMANDS,
    STAGG,
    Stage,
    check_outputs,
    choose,
    fill,
    find_left,
    find_stale,
    run,
    set_stage,
    stretch,
)
from attack.verdict import Attack

PATIENCE = 1.0  # seconds
RATE = 0.45  # signals a second of the time given, at least: 200 in an attack of an hour
STARTING = 0.15  # seconds in which the interpreter itself starts, before any line of ours is run
LONG = 4.0  # seconds after which the commands that take long are inside their work
PYTHON = ("site.py", "<frozen", "encodings")  # what the interpreter names when it is interrupted in its own start
ENDED = {signal.SIGINT: (0, 130), signal.SIGTERM: (0, -signal.SIGTERM)}

_LONG_WORK = {
    "kemeny": ["fuse", "large", "-q", "-m", "kemeny", "-o", "long.trec"],
    "thurstone": ["fuse", "large", "-q", "-m", "thurstone", "--intervals", "0.9", "--draws", "9999", "-o", "long.csv"],
    "two threads": ["compare", "large", "--qrels", "large.txt", "--methods", "kemeny,thurstone,mc4", "--threads", "2"],
    "elections": ["elect", "large", "-q", "--draws", "100000"],
    "subsets": ["robustness", "large", "--qrels", "large.txt", "-m", "mallows", "--rankers", "3", "--draws", "10000"],
    "weights": ["train", "large", "--qrels", "large.txt", "-q", "--learner", "stagg_ndcg", "-o", "long.json"],
    "strengths": ["simulate", "-q", "--queries", "20000", "--items", "2000", "-o", "long.csv"],
}
"""Commands that take much longer than an attack waits."""


class Ended(NamedTuple):
    """How a process ended: its status, its messages, how long after the signal, who is left of its session."""

    status: int
    err: str
    seconds: float
    left: list[str]


def attack(seed: int, seconds: float) -> Attack:
    stage = set_stage()
    found = Attack(
        "signals", f"signals to {len(COMMANDS) + len(_LONG_WORK)} commands", seconds, least=int(RATE * seconds)
    )
    share(found, stage, seed, functools.partial(_signal_some, stage))
    early, busy = (len(found.measured.get(name, [])) for name in ("early", "busy"))
    found.note_slowest("slowest", "seconds")
    found.notes.append(f"median {np.median(found.measured.get('seconds', [0.0])):.2f} s")
    found.notes.append(
        f"{busy} took more than {PATIENCE:g} s, as long as the load explains; {early} while Python started"
    )
    return found


def _signal_some(stage: Stage, found: Attack, rng: random.Random, folder: Path) -> None:
    _write_large(folder)
    begun = time.monotonic()
    run_real = subprocess.run([*STAGG, *fill(stage, "intervals")], cwd=folder, capture_output=True)
    starting = time.monotonic() - begun
    assert run_real.returncode == 0
    while found.has_time():
        if rng.random() < 0.25:
            _signal_long(found, rng, folder)
        else:
            _signal_short(stage, found, rng, folder, starting)


def _write_large(folder: Path) -> None:
    """Seven rankings of 120 items without a majority that all agree with, and labels."""
    rng = np.random.default_rng(0)
    (folder / "large").mkdir(exist_ok=True)
    for ranker in range(7):
        rows = [f"q Q0 d{item} {place + 1} {1000 - place} t\n" for place, item in enumerate(rng.permutation(120))]
        (folder / "large" / f"r{ranker}.trec").write_text("".join(rows))
    (folder / "large.txt").write_text("".join(f"q 0 d{item} {item % 3}\n" for item in range(120)))


def _signal_short(stage: Stage, found: Attack, rng: random.Random, folder: Path, starting: float) -> None:
    name, kind = choose(rng), rng.choice([signal.SIGINT, signal.SIGTERM])
    moment = rng.uniform(STARTING, starting + stage.seconds[name])
    ended = _interrupt(folder, fill(stage, name), kind, moment)
    _judge(found, name, kind, moment, ended)
    for wrong in check_outputs(stage, folder, name):
        found.report(f"{kind.name}: {wrong}")
    if find_stale(folder) and (kind == signal.SIGINT or _stays(stage, folder, name)):
        found.report(f"{name}: {find_stale(folder)} left after {kind.name}")
    _clear(folder)


def _signal_long(found: Attack, rng: random.Random, folder: Path) -> None:
    name, kind = rng.choice(list(_LONG_WORK)), rng.choice([signal.SIGINT, signal.SIGTERM])
    moment = rng.uniform(STARTING, LONG)
    ended = _interrupt(folder, _LONG_WORK[name], kind, moment)
    _judge(found, name, kind, moment, ended)
    if name != "weights" and list(folder.glob("long.*")):  # a fit may end by itself, and keeps its best model
        found.report(f"{name}: an output after {kind.name}")
    _clear(folder)


def _judge(found: Attack, name: str, kind: signal.Signals, moment: float, ended: Ended) -> None:
    found.count()
    found.measure("seconds", ended.seconds)
    what = f"{name}, {kind.name} after {moment:.2f} s"
    if ended.status != 130 and "KeyboardInterrupt" in ended.err and any(word in ended.err for word in PYTHON):
        found.measure("early", moment)  # the interpreter was still starting: its own words
    elif ended.status not in ENDED[kind] or "Traceback" in ended.err or not _is_told(ended):
        found.report(f"{what}: status {ended.status}, {ended.err[-300:]!r}")
    if ended.left:
        found.report(f"{what}: left after 2 s: {ended.left}")
    if ended.seconds > stretch(PATIENCE):
        found.report(
            f"{what}: honoured after {ended.seconds:.2f} s, status {ended.status} (load {os.getloadavg()[0]:.0f})"
        )
    elif ended.seconds > PATIENCE:
        found.measure("busy", ended.seconds)


def _is_told(ended: Ended) -> bool:
    """One line after Ctrl-C, behind what was said before."""
    said = [line for line in ended.err.splitlines() if line.startswith("stagg: interrupted")]
    return ended.status != 130 or (len(said) == 1 and ended.err.splitlines()[-1] == said[0])


def _interrupt(folder: Path, words: list[str], kind: signal.Signals, moment: float) -> Ended:
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            [*STAGG, *words], stdout=subprocess.DEVNULL, stderr=messages, cwd=folder, start_new_session=True
        )
        time.sleep(moment)
        begun = time.monotonic()
        process.send_signal(kind)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        seconds = time.monotonic() - begun
        messages.seek(0)
        return Ended(process.returncode, messages.read().decode(errors="replace"), seconds, find_left(process.pid))


def _stays(stage: Stage, folder: Path, name: str) -> bool:
    """Whether something is left after one more run."""
    run(stage, folder, name)
    check_outputs(stage, folder, name)
    return bool(find_stale(folder))


def _clear(folder: Path) -> None:
    for stale in [*find_stale(folder), *(path.name for path in folder.glob("long.*"))]:
        (folder / stale).unlink()
