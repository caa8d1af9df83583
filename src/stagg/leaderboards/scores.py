"""Table of scores: models by tasks, perhaps with several runs of a task, with gaps, weights and families of tasks."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.pairs.graphs import components
from stagg.registry import near_names

__all__ = ["MissingScores", "ScoreTable", "table_of"]

MissingScores = Literal["skip", "below"]
"""What a task means that a model was not run on: nothing, or that the model lost it."""


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of models on tasks: one row for each run of a model on a task.

    ``models`` and ``tasks`` are in the order of their names, so that no result depends on the order of the input.
    Row k says that ``models[model[k]]`` has the score ``value[k]`` on ``tasks[task[k]]``. ``lower[t]``: small scores
    are better on task t. ``weights[t]``: how much the task counts. ``family[t]``: the number of its family in
    ``families``; a task without a family is one by itself.
    """

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    model: IntArray
    task: IntArray
    value: FloatArray
    lower: BoolArray
    weights: FloatArray
    families: tuple[str, ...]
    family: IntArray

    @property
    def summary(self) -> str:
        """How many there are, for a message."""
        counts = plural(len(self.models), "model"), plural(len(self.tasks), "task"), plural(len(self.value), "score")
        return f"{counts[0]} on {counts[1]}: {counts[2]}"

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.models), len(self.tasks)

    @property
    def has_families(self) -> bool:
        return len(self.families) < len(self.tasks)

    @property
    def runs(self) -> IntArray:
        """R[i, t]: how often model i was run on task t."""
        counts = np.bincount(self.model * len(self.tasks) + self.task, minlength=len(self.models) * len(self.tasks))
        return counts.reshape(self.shape)

    def find_groups(self) -> IntArray:
        """The number of the group of each model: those that tasks of some weight join."""
        ran = ((self.runs > 0) & (self.weights > 0)).astype(np.float32)
        return components(ran @ ran.T > 0)

    def cells(self, value: FloatArray | None = None) -> FloatArray:
        """X[i, t]: the mean over the runs of model i on task t, larger is better; NaN where there is none.

        ``value``: other values of the rows, such as those of a draw of the runs.
        """
        value = self.value if value is None else value
        at = self.model * len(self.tasks) + self.task
        sums = np.bincount(at, weights=value, minlength=len(self.models) * len(self.tasks)).reshape(self.shape)
        runs = self.runs
        means = np.divide(sums, runs, out=np.full(self.shape, np.nan), where=runs > 0)
        return np.asarray(np.where(self.lower, -means, means))

    def counted_weights(self) -> FloatArray:
        """The weight of each task, such that every family has the same weight, and the mean weight of a unit is 1."""
        weights = self.weights
        if self.has_families:
            totals = np.bincount(self.family, weights=weights, minlength=len(self.families))
            weights = np.divide(weights, totals[self.family], out=np.zeros_like(weights), where=weights > 0)
        units = int((np.bincount(self.family, weights=weights) > 0).sum())
        return np.asarray(weights * (units / weights.sum()))

    def units(self) -> IntArray:
        """How many families (tasks, if they have none) each model was run on."""
        held = np.zeros((len(self.models), len(self.families)), dtype=bool)
        counted = self.weights[self.task] > 0
        held[self.model[counted], self.family[self.task[counted]]] = True
        return np.asarray(held.sum(axis=1))

    def with_families(self, families: Mapping[str, str]) -> ScoreTable:
        """The same, with the family of each task by name; tasks that are not named are families by themselves."""
        known = [families.get(task, task) for task in self.tasks]
        names = sorted(set(known))
        places = {name: number for number, name in enumerate(names)}
        return dataclasses.replace(self, families=tuple(names), family=np.array([places[name] for name in known]))

    def with_weights(self, weights: Mapping[str, float]) -> ScoreTable:
        """The same, with weights of tasks by name; the others keep 1."""
        _check_names(weights, self.tasks, "weights name")
        found = np.array([weights.get(task, 1.0) for task in self.tasks], dtype=float)
        if not np.isfinite(found).all() or (found < 0).any() or not found.any():
            raise InvalidParameter("the weights of tasks are numbers of 0 or more, and not all 0")
        return dataclasses.replace(self, weights=found)

    def with_lower(self, lower: Iterable[str] | Literal["all"]) -> ScoreTable:
        """The same, in which small scores are better on these tasks."""
        names = self.tasks if lower == "all" else tuple(lower)
        _check_names(names, self.tasks, "lower_is_better names")
        return dataclasses.replace(self, lower=np.isin(self.tasks, names) if names else np.zeros(len(self.tasks), bool))

    def take_tasks(self, chosen: Sequence[int]) -> ScoreTable:
        """Only these tasks; models that are left without a score leave the table."""
        kept = np.zeros(len(self.tasks), dtype=bool)
        kept[list(chosen)] = True
        return self._take(kept[self.task], kept)

    def take_models(self, chosen: BoolArray) -> ScoreTable:
        """Only these models, and the tasks that they were run on."""
        rows = chosen[self.model]
        return self._take(rows, np.isin(np.arange(len(self.tasks)), self.task[rows]))

    def _take(self, rows: BoolArray, kept: BoolArray) -> ScoreTable:
        """These rows, which are on the tasks that are kept."""
        codes = np.cumsum(kept) - 1
        left, model = np.unique(self.model[rows], return_inverse=True)
        names, family = np.unique(self.family[kept], return_inverse=True)
        return ScoreTable(
            models=tuple(self.models[i] for i in left.tolist()),
            tasks=tuple(task for task, keep in zip(self.tasks, kept.tolist(), strict=True) if keep),
            model=model,
            task=codes[self.task[rows]],
            value=self.value[rows],
            lower=self.lower[kept],
            weights=self.weights[kept],
            families=tuple(self.families[f] for f in names.tolist()),
            family=family,
        )


def table_of(rows: Iterable[tuple[str, str, float]]) -> ScoreTable:
    """The table of rows (model, task, score); several rows of one model and task are runs.

    >>> table_of([("a", "t", 0.5), ("b", "t", 0.75)]).cells()
    array([[0.5 ],
           [0.75]])
    """
    listed = list(rows)
    models, model = _encode([row[0] for row in listed])
    tasks, task = _encode([row[1] for row in listed])
    value = np.array([row[2] for row in listed], dtype=float)
    odd = np.flatnonzero(~np.isfinite(value))
    if len(odd):
        name, on, score = listed[odd[0]]
        raise DataError(f"the score of {shown(name)} on {shown(on)} is {score}; expected a finite number")
    order = np.lexsort((value, task, model))  # what is summed is summed in one order, whatever that of the rows
    model, task, value = model[order], task[order], value[order]
    if len(models) < 2:
        raise DataError(f"a leaderboard needs two or more models, found {len(models)}")
    ones, own = np.ones(len(tasks)), np.arange(len(tasks))
    return ScoreTable(models, tasks, model, task, value, ones == 0, ones, tasks, own)


def _encode(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    distinct = list(dict.fromkeys(names))
    ordered = [distinct[i] for i in order_by_id(distinct).tolist()]
    places = {name: number for number, name in enumerate(ordered)}
    return tuple(ordered), np.array([places[name] for name in names], dtype=np.intp)


def _check_names(names: Iterable[str], tasks: Sequence[str], what: str) -> None:
    for name in names:
        if name not in tasks:
            raise InvalidParameter(f"{what} the task {shown(name)}, which is not in the table{near_names(name, tasks)}")
