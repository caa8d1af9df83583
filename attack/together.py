"""The same calls on eight threads and in forked processes: the answers of one thread alone."""

from __future__ import annotations

import os
import random
import threading
import warnings
from typing import Any

import numpy as np

from attack.verdict import Attack
from stagg import Rankings, StaggError, fuse
from stagg.methods import METHODS

THREADS = 8


def attack(seed: int, seconds: float) -> Attack:
    warnings.simplefilter("ignore")
    found = Attack("together", "calls on threads and in forks", seconds)
    rng = np.random.default_rng(seed)
    runs = {f"r{k}": {f"q{q}": {f"d{i}": float(rng.random()) for i in range(12)} for q in range(4)} for k in range(4)}
    rankings = Rankings.from_runs(runs)
    expected = {name: _answer(rankings, name) for name in METHODS.names()}
    threads = [threading.Thread(target=_call, args=(rankings, expected, found, seed + n)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    while found.has_time():  # forks from a program with threads at work, as services do it
        _fork(rankings, expected, found, seed)
    for thread in threads:
        thread.join()
    return found


def _answer(rankings: Rankings, name: str) -> Any:
    try:
        return fuse(rankings, name).to_dict()
    except StaggError as error:
        return str(error)


def _call(rankings: Rankings, expected: dict[str, Any], found: Attack, seed: int) -> None:
    rng = random.Random(seed)
    while found.has_time():
        name = rng.choice(sorted(expected))
        if _answer(rankings, name) != expected[name]:
            found.report(f"{name}: another answer on threads")
        found.count()


def _fork(rankings: Rankings, expected: dict[str, Any], found: Attack, seed: int) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0 if _answer(rankings, "stagg_rrf") == expected["stagg_rrf"] else 1)
    if os.waitpid(child, 0)[1]:
        found.report("another answer in a fork")
    found.count()
