"""The paper's experiments on its data: all tasks computed or looked up, one experiment after the other."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.learning.grids import GRIDS
from stagg.paper.experiment import Experiment, Result, Setup
from stagg.paper.figure1 import Figure1
from stagg.paper.figure4 import Figure4
from stagg.paper.jobs import Answer, Task
from stagg.paper.processes import Workers
from stagg.paper.store import Store
from stagg.paper.supervised import Figure2, Figure3
from stagg.paper.table1 import Table1
from stagg.paper.views import DIRECTIONS, digests
from stagg.registry import near_names, whole_number

__all__ = ["EXPERIMENTS", "Part", "Reproduction", "reproduce"]

EXPERIMENTS: dict[str, Experiment] = {
    each.name: each for each in (Table1(), Figure1(), Figure2(), Figure3(), Figure4())
}

Progress = Callable[[str, int, int], None]


@dataclasses.dataclass(frozen=True)
class Part:
    """One experiment: what it found, how long that took, and which of its tasks were computed for it."""

    result: Result
    seconds: float
    tasks: tuple[tuple[Task, Answer], ...]
    computed: int


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """What was asked for, of which data, and what came out."""

    setup: Setup
    digests: dict[str, str]
    parts: tuple[Part, ...]


def reproduce(
    setup: Setup,
    cache: str | Path,
    *,
    only: Sequence[str] = (),
    threads: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
    done: Callable[[Part], None] | None = None,
) -> Reproduction:
    """Some of the paper's experiments (all if ``only`` is empty) on the data of ``setup.folder``.

    What was computed before, of the same data with the same parameters, is taken from the folder ``cache``, unless
    ``fresh``; what is computed now is put there piece by piece, so that a run that is broken off can go on.
    ``threads`` worker processes share the work (0: it is done in this one); the result is the same. ``done`` is called
    after every experiment.
    """
    chosen = [_experiment(name) for name in dict.fromkeys(only)] or list(EXPERIMENTS.values())
    _check(setup)
    for experiment in chosen:
        experiment.needs()
    found = digests(setup.folder)
    store, parts = Store(cache, found, fresh=fresh), list[Part]()
    with Workers(whole_number("threads", threads, least=0)) as workers:
        for experiment in chosen:
            parts.append(_part(experiment, setup, store, workers, progress))
            if done is not None:
                done(parts[-1])
    return Reproduction(setup, found, tuple(parts))


def _experiment(name: str) -> Experiment:
    if name not in EXPERIMENTS:
        raise UnknownName(f"there is no experiment {shown(name)}{near_names(name, EXPERIMENTS)}")
    return EXPERIMENTS[name]


def _check(setup: Setup) -> None:
    for name, least in (("every", 1), ("draws", 1), ("seed", 0)):
        whole_number(name, getattr(setup, name), least=least)
    if setup.values is not None and not (setup.values and set(setup.values) <= set(DIRECTIONS)):
        raise InvalidParameter(f"values are some of {', '.join(DIRECTIONS)}, not {shown(setup.values)}")
    if setup.grid is not None and setup.grid not in GRIDS:
        raise UnknownName(f"unknown grid {shown(setup.grid)}{near_names(setup.grid, GRIDS)}")


def _part(experiment: Experiment, setup: Setup, store: Store, workers: Workers, progress: Progress | None) -> Part:
    start = time.monotonic()
    tasks = list(dict.fromkeys(experiment.tasks(setup)))
    answers = {task: answer for task in tasks if (answer := store.get(task)) is not None}
    missing = [task for task in tasks if task not in answers]
    bar = _Bar(experiment.name, missing, progress)
    for task, answer in workers.run(missing):
        store.put(task, answer)
        answers[task] = answer
        bar.did(task)
    result = experiment.result(setup, answers)
    seconds = time.monotonic() - start
    return Part(result, seconds, tuple((task, answers[task]) for task in tasks), len(missing))


class _Bar:
    """Progress in tenths of the seconds that the tasks are thought to take, so that the rest can be estimated."""

    def __init__(self, name: str, tasks: Sequence[Task], progress: Progress | None) -> None:
        self.name, self.count, self.progress = name, len(tasks), progress
        self.total, self.spent, self.done = sum(task.weight for task in tasks), 0.0, 0
        self._show("begins")

    def did(self, task: Task) -> None:
        self.done, self.spent = self.done + 1, self.spent + task.weight
        self._show(task.name)

    def _show(self, what: str) -> None:
        if self.progress is not None and self.count:
            said = f"{self.name}, {self.done} of {self.count}: {what}"
            self.progress(said, round(10 * self.spent), max(1, round(10 * self.total)))
