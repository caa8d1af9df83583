"""Experiment, the base class: jobs to compute, and their results beside what the paper says."""

from __future__ import annotations

import abc
import dataclasses
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from stagg.errors import MissingExtra
from stagg.evaluation.compare import Comparison, comparison
from stagg.evaluation.tables import Table
from stagg.kernels.arrays import FloatArray
from stagg.paper.experiments.printed import SETS
from stagg.paper.rows import Rows
from stagg.paper.views import ORDERS, View
from stagg.paper.work.jobs import CONVENTIONS, Answer, Job

__all__ = ["Answers", "Claim", "Experiment", "Result", "Setup", "compare_lines", "gather_values", "judge_claim"]

Answers = Mapping[Job, Answer]


@dataclasses.dataclass(frozen=True)
class Setup:
    """The request: the folder of the data, and how thorough the experiments are to be.

    ``values`` None: every experiment orders the lists in the ways that it needs. ``every`` 10: every tenth query.
    """

    folder: str
    values: tuple[str, ...] | None = None
    every: int = 1
    draws: int = 20
    seed: int = 0
    grid: str | None = None

    def make_view(self, name: str, values: str) -> View:
        return View(self.folder, name, values, self.every)


@dataclasses.dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and what comes out here: one line for each way to read it.

    ``holds`` says in which of these cases the claim holds; it is empty where there is nothing to judge.
    """

    paper: str
    here: tuple[str, ...]
    holds: tuple[bool, ...] = ()

    @property
    def verdict(self) -> str:
        """The judgement in a few words.

        >>> Claim("St.Agg is the best.", ("large: no.", "small: yes."), (False, True)).verdict
        'Holds in 1 of 2 cases'
        """
        if not self.holds or all(self.holds):
            return "Holds" if self.holds else ""
        return f"Holds in {sum(self.holds)} of {len(self.holds)} cases" if any(self.holds) else "Does not hold"


def judge_claim(paper: str, cases: Iterable[tuple[str, bool]]) -> Claim:
    """Make a claim of what comes out in each case, and whether it holds there."""
    here, holds = zip(*cases, strict=True)
    return Claim(paper, here, holds)


@dataclasses.dataclass(frozen=True)
class Result:
    """Findings of an experiment. ``tables``: every number, by the name of the file that will hold it; ``why``: what
    explains the differences to the paper, with the numbers that say so."""

    name: str
    title: str
    tables: Mapping[str, Table]
    claims: tuple[Claim, ...]
    why: tuple[str, ...] = ()


class Experiment(abc.ABC):
    """A table or figure of the paper. ``extras``: (what, the package that it needs, stagg's extra)."""

    name: str
    title: str
    sets: tuple[str, ...] = SETS
    orders: ClassVar[tuple[str, ...]] = ("rank",)
    extras: ClassVar[tuple[tuple[str, str, str], ...]] = (("Figures", "matplotlib", "plots"),)

    def list_views(self, setup: Setup) -> list[View]:
        """List every set, read every way that is asked for, the paper's way first."""
        chosen = self.orders if setup.values is None else setup.values
        return [setup.make_view(name, values) for name in self.sets for values in ORDERS if values in chosen]

    def check_extras(self) -> None:
        """Raise MissingExtra before the work, where something that it needs is not installed."""
        for what, package, extra in self.extras:
            if importlib.util.find_spec(package) is None:
                raise MissingExtra(what, package=package, extra=extra)

    @abc.abstractmethod
    def list_jobs(self, setup: Setup) -> list[Job]: ...

    @abc.abstractmethod
    def conclude(self, setup: Setup, answers: Answers) -> Result: ...

    def tabulate(self, setup: Setup, rows: Rows, notes: Sequence[str] = ()) -> Table:
        every = [] if setup.every == 1 else [f"every {setup.every}th query only: not comparable with the paper"]
        return Table("reproduce", tuple(rows), conventions=CONVENTIONS, seed=setup.seed, notes=(*every, *notes))


def gather_values(answers: Sequence[Answer], measures: Sequence[str]) -> tuple[list[str], FloatArray]:
    """Join (queries in order, values[measure, query]) of a learner's answers on the folds, or of one on all."""
    places = sorted((query, a, k) for a, answer in enumerate(answers) for k, query in enumerate(answer["queries"]))
    values = [[answers[a]["values"][measure][k] for _, a, k in places] for measure in measures]
    return [query for query, _, _ in places], np.array(values)


def compare_lines(
    lines: Mapping[str, Sequence[Answer]], measures: Sequence[str], baseline: str, seed: int
) -> Comparison:
    """Test the methods and learners of one view against one of them."""
    gathered = {name: gather_values(answers, measures) for name, answers in lines.items()}
    values = np.stack([each for _, each in gathered.values()])
    queries = gathered[baseline][0]
    return comparison(list(lines), measures, queries, values, baseline=baseline, conventions=CONVENTIONS, seed=seed)
