"""An attack by several processes at once: most of the time of a case is spent on waiting."""

from __future__ import annotations

import os
import pickle
import random
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from attack.scene import Stage, prepare
from attack.verdict import Attack

__all__ = ["run_apart", "share"]

MEMBERS = 2 * (os.cpu_count() or 1)


def share(found: Attack, stage: Stage, seed: int, work: Callable[[Attack, random.Random, Path], None]) -> None:
    """Call ``work`` in some forks, each with a folder and a seed of its own, and add up what they find."""
    members = [_start(found, stage, seed, number, work) for number in range(MEMBERS)]
    for child, answers in members:
        with os.fdopen(answers, "rb") as stream:
            said = stream.read()
        os.waitpid(child, 0)
        if not said:
            raise SystemExit(f"{found.name}: the attack itself failed")
        tried, findings, measured = pickle.loads(said)
        found.tried += tried
        found.findings += findings
        for name, values in measured.items():
            found.measured.setdefault(name, []).extend(values)
    if not found.tried:
        found.report("nothing was tried: there was no time for it")


def _start(
    found: Attack, stage: Stage, seed: int, number: int, work: Callable[[Attack, random.Random, Path], None]
) -> tuple[int, int]:
    answers, mine = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child:
        os.close(mine)
        return child, answers
    try:
        os.close(answers)
        found.least = -(-found.least // MEMBERS)
        work(found, random.Random(f"{found.name} {seed} {number}"), prepare(stage, f"{found.name}-{number}"))
        with os.fdopen(mine, "wb") as stream:
            pickle.dump((found.tried, found.findings, found.measured), stream)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def run_apart(outcomes: Iterable[str]) -> tuple[list[str], int]:
    """The lines of some work that is done in a process of its own, which it may end, and the status of that process."""
    answers, mine = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            os.close(answers)
            for outcome in outcomes:
                os.write(mine, f"{outcome}\n".encode(errors="backslashreplace"))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)  # whatever happens, this process does not go on with the work of the other
    os.close(mine)
    with os.fdopen(answers, encoding="utf-8", errors="replace", newline="\n") as stream:
        lines = stream.read().split("\n")[:-1]
    return lines, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
