"""Every command with hostile options: a result, or one line that says what is wrong; no traceback, no raw escape."""

from __future__ import annotations

import functools
import os
import random
import signal
import tempfile
import time
from pathlib import Path

import click

from attack.crew import share
from attack.scene import COMMANDS, Stage, fork_command, set_stage
from attack.verdict import Attack

SECONDS = 120  # far more than any of these commands takes, on a busy machine too
WORDS = [
    *("", " ", "0", "1", "-1", "2", "5", "1.5", "nan", "inf", "1e999", "9" * 25, "1" * 5000, "²", "٣", "0x10", "1_0"),
    *("50%", "100K", "1G", "1,2,3", "1-3", "a", "a=1", "a=", "=1", "bm25=2", "bm25=nan", "bm25=1e999", "a=1,b=2"),
    *("rrf", "rrf(c=60)", "rrf(c=-1)", "rrf(", "rrf(c=" + "1" * 5000 + ")", "nosuch", "weights", "best_input"),
    *("ndcg@5", "ndcg@0", "ndcg@" + "1" * 5000, "map", "letor", "auto", "small", "all", "none", "below", "skip"),
    *("json", "csv", "html", "latex", "trec", "utf-16", "nosuch-8", "rot13", "idna", "undefined", "item=1", "item="),
    *("item=x,score=2", "ignore=a+b", "\x1b[31m", "\u202e", "\udc80", "x" * 3000, "-", "..", "/nosuch/x", "/dev/null"),
    *("/dev/full", ";", "\t", "\\t", '"', "'", "{}", "[]", "null", "true"),
]
SPARED = ("reproduce", "demo")  # commands that take no input
SLOW = ("--plots",)  # draws several plots of every query


def attack(seed: int, seconds: float) -> Attack:
    stage = set_stage()
    found = Attack("options", "commands with hostile options", seconds)
    share(found, stage, seed, functools.partial(_try_some, stage))
    return found


def _try_some(stage: Stage, found: Attack, rng: random.Random, folder: Path) -> None:
    (folder / "inside").mkdir()  # so that a path to the folder above stays in ours
    while found.has_time():
        name = rng.choice([each for each in COMMANDS if each not in SPARED])
        more = _choose_options(COMMANDS[name].words[0], rng)
        status, messages = _run(stage, folder / "inside", name, more)
        found.count()
        odd = not all(line.isprintable() for line in messages.split("\n"))
        if status not in (0, 1, 2) or "Traceback" in messages or odd:
            words = " ".join(word if word.isprintable() and len(word) < 80 else repr(word)[:80] for word in more)
            found.report(f"{name} {words}: status {status}, {messages[-300:]!r}")


def _choose_options(command: str, rng: random.Random) -> list[str]:
    """One to three options with values that may not fit, and some flags."""
    known = [each for each in _command(command).params if isinstance(each, click.Option)]
    valued = [each for each in known if not each.is_flag and not each.count and each.opts[-1] not in SLOW]
    flags = [each for each in known if each.is_flag and each.opts[-1] != "--help"]
    more: list[str] = []
    for each in rng.sample(valued, min(len(valued), rng.choice((1, 1, 2, 3)))):
        fits = isinstance(each.type, click.Choice) and rng.random() < 0.6
        more += [each.opts[-1], rng.choice(list(each.type.choices) if fits else WORDS)]  # type: ignore[attr-defined]
    return more + [each.opts[-1] for each in rng.sample(flags, min(len(flags), rng.choice((0, 0, 1, 2))))]


@functools.cache
def _command(name: str) -> click.Command:
    from stagg.cli.main import cli

    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def _run(stage: Stage, folder: Path, name: str, more: list[str]) -> tuple[int, str]:
    """(status, messages) of a command; one that does not end is ended."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as messages:
        child, begun = fork_command(stage, folder, name, printed, messages, more=more), time.monotonic()
        ended, status = os.waitpid(child, os.WNOHANG)
        while not ended and time.monotonic() - begun < SECONDS:
            time.sleep(0.002)
            ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.killpg(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        messages.seek(0)
        return os.waitstatus_to_exitcode(status), messages.read().decode(errors="replace")
