"""Boosting by LightGBM, round by round: several forests side by side, the best round on a validation part kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from stagg.errors import need
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import Step, Watch
from stagg.learning.examples import Examples
from stagg.learning.linear.linear_model import linear_scores
from stagg.measures import Measure

__all__ = ["Grown", "Growth", "Objective", "TreeRows", "lightgbm", "tree_scores"]

BETTER = 1e-9  # a validation mean that is higher by less is not better

Objective = Callable[[FloatArray], tuple[float, FloatArray, FloatArray]]
"""Scores of the training rows -> (mean of what is maximised, its slope by each score, a positive curvature)."""


def lightgbm() -> Any:
    """The module, imported when trees are grown or used."""
    return need("lightgbm", "Tree learners", extra="trees")


@dataclasses.dataclass(frozen=True, eq=False)
class TreeRows:
    """Labelled queries, an item a row, and the scores that the trees add to."""

    known: Examples
    start: FloatArray

    @classmethod
    def of(cls, known: Examples, weights: tuple[float, ...] = ()) -> TreeRows:
        """Rows that start from linear scores, from 0 where there are no weights."""
        return cls(known, linear_scores(known.features, weights) if weights else np.zeros(len(known.grades)))

    @property
    def grades(self) -> FloatArray:
        """Items without a label count as grade 0."""
        grades: FloatArray = np.maximum(self.known.grades, 0.0)
        return grades


class Grown(NamedTuple):
    """The text of every forest, cut after the round that is kept; the rounds grown; the mean on the validation part."""

    forests: tuple[str, ...]
    kept: int
    rounds: int
    validation: float | None


@dataclasses.dataclass(frozen=True)
class Growth:
    """How to grow: at most ``rounds`` rounds, each adding a tree to every forest; the mean of their scores counts.

    With a validation part the round that is best there by ``measure`` is kept, and ``patience`` rounds without a better
    one end the growth. Without an ``objective`` LightGBM has one of its own.
    """

    measure: Measure
    rounds: int
    patience: int
    objective: Objective | None = None

    def grow(
        self,
        rows: TreeRows,
        targets: FloatArray,
        parameters: list[dict[str, Any]],
        held: TreeRows | None,
        watch: Watch | None,
    ) -> Grown:
        """One forest for each of ``parameters``."""
        forests = self._seeds(rows, targets, parameters)
        validation = None if held is None else _Part(held, forests)
        training = _Part(rows, forests) if watch is not None and self.objective is None else None
        kept, best, ends, done = 0, None, [0] * len(forests), 0
        while done < self.rounds:
            done += 1
            value = float(np.mean([forest.add_tree() for forest in forests]))
            mean = None if validation is None else validation.mean(self.measure)
            if mean is None or best is None or mean > best + BETTER:
                kept, best, ends = done, mean, [forest.trees for forest in forests]
            if training is not None:
                value = training.mean(self.measure)
            asked = watch is not None and watch(Step(done, self.rounds, value, mean))
            if asked or (mean is not None and done - kept >= self.patience):
                break
        return Grown(tuple(map(_Forest.text, forests, ends)), kept, done, best)

    def _seeds(self, rows: TreeRows, targets: FloatArray, parameters: list[dict[str, Any]]) -> list[_Forest]:
        module, sizes = lightgbm(), np.diff(rows.known.offsets)
        data = module.Dataset(
            rows.known.features, targets, group=sizes, init_score=rows.start, params=parameters[0], free_raw_data=False
        )
        return [_Forest(module.Booster(each, data), self.objective) for each in parameters]


class _Forest:
    """One booster and the function that it maximises."""

    def __init__(self, booster: Any, objective: Objective | None) -> None:
        self.booster, self.objective, self.value = booster, objective, 0.0

    @property
    def trees(self) -> int:
        return int(self.booster.current_iteration())

    def add_tree(self) -> float:
        """One tree more, unless no split is worth it; the mean of the objective before it."""
        self.booster.update(fobj=None if self.objective is None else self._slopes)
        return self.value

    def _slopes(self, scores: FloatArray, data: Any) -> tuple[FloatArray, FloatArray]:
        self.value, slope, curvature = self.objective(scores)  # type: ignore[misc]
        return -slope, curvature  # LightGBM goes down

    def text(self, trees: int) -> str:
        """The first trees as LightGBM writes them; without the parameters, which say nothing of the scores."""
        text: str = self.booster.model_to_string(num_iteration=trees)
        return text[: text.index("\nparameters:")] + "\n"


class _Part:
    """The scores that some forests add up to on some rows, brought up to date tree by tree."""

    def __init__(self, rows: TreeRows, forests: list[_Forest]) -> None:
        self.rows, self.forests = rows, forests
        self.trees = [0] * len(forests)
        self.sums = [np.zeros(len(rows.start)) for _ in forests]

    def mean(self, measure: Measure) -> float:
        for number, forest in enumerate(self.forests):
            before, self.trees[number] = self.trees[number], forest.trees
            if forest.trees > before:
                self.sums[number] += tree_scores(forest.booster, self.rows.known.features, start_iteration=before)
        return self.rows.known.mean(self.rows.start + np.mean(self.sums, axis=0), measure)


def tree_scores(booster: Any, table: FloatArray, **which: int) -> FloatArray:
    """Scores of every row by the trees, added up in their order; on one thread, whose bits are those of many."""
    scores: FloatArray = booster.predict(table, raw_score=True, num_threads=1, **which)
    return scores
