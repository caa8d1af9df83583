"""What an experiment is: tasks to compute, and what their answers come to, beside what the paper says."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import FloatArray
from stagg.evaluation.compare import Comparison, comparison
from stagg.evaluation.tables import Table
from stagg.paper.jobs import CONVENTIONS, Answer, Task
from stagg.paper.printed import SETS
from stagg.paper.views import DIRECTIONS, View

__all__ = ["Answers", "Claim", "Experiment", "Result", "Setup", "compared", "per_cent", "values_of"]

Answers = Mapping[Task, Answer]


@dataclasses.dataclass(frozen=True)
class Setup:
    """What is asked for: the folder of the data, and how thorough the experiments are to be.

    ``values`` None: every experiment reads the numbers as it needs to. ``every``: 10 takes every tenth query.
    """

    folder: str
    values: tuple[str, ...] | None = None
    every: int = 1
    draws: int = 20
    seed: int = 0
    grid: str | None = None

    def view(self, name: str, values: str) -> View:
        return View(self.folder, name, values, self.every)


@dataclasses.dataclass(frozen=True)
class Claim:
    """What the paper says in a sentence, and what comes out here: one for each way to read it.

    ``holds``: in which of these cases it does; empty where there is nothing to hold.
    """

    paper: str
    here: tuple[str, ...]
    holds: tuple[bool, ...] = ()

    @property
    def verdict(self) -> str:
        """In a few words.

        >>> Claim("St.Agg is the best.", ("large = top: no.", "small = top: yes."), (False, True)).verdict
        'Holds in 1 of 2 cases'
        """
        if not self.holds or all(self.holds):
            return "Holds" if self.holds else ""
        return f"Holds in {sum(self.holds)} of {len(self.holds)} cases" if any(self.holds) else "Does not hold"


@dataclasses.dataclass(frozen=True)
class Result:
    """What an experiment found. ``tables``: every number, by the name of the file that will hold it; ``why``: what
    explains the differences to the paper, with the numbers that say so."""

    name: str
    title: str
    tables: Mapping[str, Table]
    claims: tuple[Claim, ...]
    why: tuple[str, ...] = ()


class Experiment(abc.ABC):
    """A table or figure of the paper."""

    name: ClassVar[str]
    title: ClassVar[str]
    directions: ClassVar[tuple[str, ...]] = ("rank",)
    sets: ClassVar[tuple[str, ...]] = SETS

    def views(self, setup: Setup) -> list[View]:
        """Every set, read every way that is asked for, the paper's way first."""
        chosen = self.directions if setup.values is None else setup.values
        return [setup.view(name, values) for name in self.sets for values in DIRECTIONS if values in chosen]

    def needs(self) -> None:  # noqa: B027  most need nothing
        """Raise MissingExtra where something is not installed that the tasks will need."""

    @abc.abstractmethod
    def tasks(self, setup: Setup) -> list[Task]: ...

    @abc.abstractmethod
    def result(self, setup: Setup, answers: Answers) -> Result: ...

    def table(self, setup: Setup, rows: Sequence[dict[str, Any]], notes: Sequence[str] = ()) -> Table:
        every = [] if setup.every == 1 else [f"every {setup.every}th query only: not comparable with the paper"]
        return Table("reproduce", tuple(rows), conventions=CONVENTIONS, seed=setup.seed, notes=(*every, *notes))


def values_of(answers: Sequence[Answer], measures: Sequence[str]) -> tuple[list[str], FloatArray]:
    """(queries in order, values[measure, query]) of the answers on the folds of one learner, or of one on all."""
    parts = sorted(
        (query, number, place) for number, a in enumerate(answers) for place, query in enumerate(a["queries"])
    )
    values = [[answers[number]["values"][measure][place] for _, number, place in parts] for measure in measures]
    return [query for query, _, _ in parts], np.array(values)


def compared(lines: Mapping[str, Sequence[Answer]], measures: Sequence[str], baseline: str, seed: int) -> Comparison:
    """The methods and learners of one view, tested against one of them."""
    found = {name: values_of(answers, measures) for name, answers in lines.items()}
    queries = found[baseline][0]
    values = np.stack([each for _, each in found.values()])
    return comparison(list(found), measures, queries, values, baseline=baseline, conventions=CONVENTIONS, seed=seed)


def per_cent(value: float, base: float) -> float:
    """By how many per cent a value is above another; infinite above 0, unless it is 0, too."""
    if base:
        return 100 * (value - base) / base
    return math.copysign(math.inf, value) if value else 0.0
