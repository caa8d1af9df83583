"""Run the paper's experiments one after another: every job is computed or looked up, then evaluated."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.learning.grids import GRIDS
from stagg.paper.experiments.base import Experiment, Result, Setup
from stagg.paper.experiments.figure1 import Figure1
from stagg.paper.experiments.figure4 import Figure4
from stagg.paper.experiments.printed import SETS
from stagg.paper.experiments.supervised import Supervised
from stagg.paper.experiments.table1 import Table1
from stagg.paper.views import NUMBERS, digest_sets
from stagg.paper.work.jobs import Answer, Job
from stagg.paper.work.processes import Processes
from stagg.paper.work.store import Store
from stagg.registry import near_names, whole_number

__all__ = ["EXPERIMENTS", "Finished", "Reproduction", "choose_experiments", "reproduce"]

EXPERIMENTS: dict[str, Experiment] = {
    each.name: each for each in (Table1(), Figure1(), Supervised(2, SETS[0]), Supervised(3, SETS[1]), Figure4())
}

Progress = Callable[[str, int, int], None]


@dataclasses.dataclass(frozen=True)
class Finished:
    """One experiment: what it found, how long that took, its jobs, and how many of them were computed for it."""

    result: Result
    seconds: float
    jobs: tuple[tuple[Job, Answer], ...]
    computed: int


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """A reproduction: the request, its data, and what came out."""

    setup: Setup
    digests: dict[str, str]
    parts: tuple[Finished, ...]


def reproduce(
    setup: Setup,
    cache: str | Path,
    *,
    only: Sequence[str] = (),
    threads: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
    done: Callable[[Finished], None] | None = None,
) -> Reproduction:
    """Run some of the paper's experiments (all if ``only`` is empty) on the data in ``setup.folder``.

    Answers to the same jobs on the same data are taken from the folder ``cache``, unless ``fresh``. Each new answer is
    stored there at once, so that a run that was interrupted can continue. ``threads`` processes share the work (0: all
    in this one); the result is the same. ``done`` is called after every experiment.
    """
    chosen = choose_experiments(only)
    _check(setup)
    for experiment in chosen:
        experiment.check_extras()
    digests = digest_sets(setup.folder)
    store, parts = Store(cache, digests, fresh=fresh), list[Finished]()
    with Processes(whole_number("threads", threads, least=0)) as processes:
        for experiment in chosen:
            parts.append(_run(experiment, setup, store, processes, progress))
            if done is not None:
                done(parts[-1])
    return Reproduction(setup, digests, tuple(parts))


def choose_experiments(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments of these names, each once; all of them if none is named."""
    for name in names:
        if name not in EXPERIMENTS:
            raise UnknownName(f"there is no experiment {shown(name)}{near_names(name, EXPERIMENTS)}")
    return [EXPERIMENTS[name] for name in dict.fromkeys(names or EXPERIMENTS)]


def _check(setup: Setup) -> None:
    for name, least in (("every", 1), ("draws", 1), ("seed", 0)):
        whole_number(name, getattr(setup, name), least=least)
    if setup.values is not None and not (setup.values and set(setup.values) <= set(NUMBERS)):
        raise InvalidParameter(f"values must be some of {', '.join(NUMBERS)}, not {shown(setup.values)}")
    if setup.grid is not None and setup.grid not in GRIDS:
        raise UnknownName(f"unknown grid {shown(setup.grid)}{near_names(setup.grid, GRIDS)}")


def _run(
    experiment: Experiment, setup: Setup, store: Store, processes: Processes, progress: Progress | None
) -> Finished:
    start = time.monotonic()
    jobs = list(dict.fromkeys(experiment.list_jobs(setup)))
    answers = {job: answer for job in jobs if (answer := store.get(job)) is not None}
    missing = [job for job in jobs if job not in answers]
    done = list[Job]()
    _tell(progress, experiment.name, done, missing)
    for job, answer in processes.run(missing):
        store.put(job, answer)
        answers[job] = answer
        done.append(job)
        _tell(progress, experiment.name, done, missing)
    result = experiment.conclude(setup, answers)
    return Finished(result, time.monotonic() - start, tuple((job, answers[job]) for job in jobs), len(missing))


def _tell(progress: Progress | None, name: str, done: Sequence[Job], jobs: Sequence[Job]) -> None:
    """Report progress in tenths of the seconds that the jobs should take, so that the rest can be estimated."""
    if progress is not None and jobs:
        what = done[-1].name if done else "starting"
        spent, total = (round(10 * sum(job.weight for job in several)) for several in (done, jobs))
        progress(f"{name}, {len(done)} of {len(jobs)}: {what}", spent, max(1, total))
