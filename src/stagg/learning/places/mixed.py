"""Mixed: weighted scores times the root of the number of lists, with weights tuned on labels."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import Learner, Lesson, one_measure, restore_numbers, take_labelled
from stagg.learning.places.place_tables import TableModel, check_norm, choose, pick_norm
from stagg.methods.base import in_range
from stagg.methods.positional.comb import CombSUM, count_lists

__all__ = ["Mixed", "MixedModel"]

STEPS = (10, 5, 4, 2, 1)
"""Into how many steps the weight 1 is divided, finest first."""
MOST_TRIALS = 1001  # five rankers in steps of 0.1

Weights = tuple[float, ...]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Mixed(Learner):
    """Mixed: √N · Σ_k w_k score_k, N the number of lists that hold the item; the weights are tuned on labels.

    All weights of sum 1 in steps of ``step`` are tried; the best has the highest mean of ``measure`` on the validation
    part, or on the training queries where there is none. Without ``step`` it is the finest of 0.1, 0.2, 0.25, 0.5 and 1
    that makes at most 1,001 trials (0.1 up to five rankers). A ranker of weight 0 still counts in N. Scores are
    normalised by ``norm``, as in ``combsum``; without it, by "min-max" where the rankings have scores, else by "rank".

    ``compat="ranx"``: ranx 0.3.21 leaves out weights whose sum is not 1 to the last bit, such as 0.7, 0.2 and 0.1, and
    gives a list of equal scores 0.

    Reference: Wu & Crestani, "Data fusion with estimated weights", CIKM 2002.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_scores({"x": {"a": 3, "b": 1}, "y": {"b": 8, "c": 2}})
    >>> Mixed().fit(runs, Labels({"1": {"b": 1}})).weights
    {'x': 0.5, 'y': 0.5}
    """

    name = "mixed"

    norm: str | None = None
    step: float | None = None
    measure: str = "ndcg@10"
    compat: str | None = None

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        check_norm(self, self.norm, self.compat)
        if self.step is None:
            return
        in_range(self, "step", 0, 1, open_low=True)
        if self.step not in {1 / parts for parts in STEPS}:
            raise InvalidParameter(f"mixed: step is {shown(self.step)}; it must be 0.1, 0.2, 0.25, 0.5 or 1")

    def learn(self, lesson: Lesson) -> MixedModel:
        known = take_labelled(lesson.rankings, lesson.labels)
        if not (lesson.labels.aligned(known) > 0).any():
            raise DataError("the training part has no relevant item: nothing to learn")
        parts = self._count_steps(len(known.rankers))
        tries = [each for each in _weights(len(known.rankers), parts) if self.compat is None or sum(each) == 1.0]
        _, model, mean = choose(self, lesson, self.measure, tries, lambda each: self._model(known, each))
        facts = (("queries", len(known)), ("measure", self.measure), mean)
        return dataclasses.replace(model, training=facts)

    def _count_steps(self, rankers: int) -> int:
        if self.step is not None:
            return round(1 / self.step)
        return next((parts for parts in STEPS if _count_trials(rankers, parts) <= MOST_TRIALS), 1)

    def _model(self, known: Rankings, weights: Weights) -> MixedModel:
        norm, rows = pick_norm(self.norm, known), tuple((weight,) for weight in weights)
        return MixedModel(learner=repr(self), rankers=known.rankers, norm=norm, compat=self.compat, values=rows)


def _count_trials(rankers: int, parts: int) -> int:
    return math.comb(parts + rankers - 1, rankers - 1)


def _weights(rankers: int, parts: int) -> Iterator[Weights]:
    """All weights of sum 1 in so many steps, in ascending order."""
    for bars in itertools.combinations(range(parts + rankers - 1), rankers - 1):
        ends = (-1, *bars, parts + rankers - 1)
        yield tuple((end - start - 1) / parts for start, end in itertools.pairwise(ends))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MixedModel(TableModel):
    """The weighted sum of normalised scores, times the root of the number of lists that hold the item."""

    name = "mixed"
    kind = "mixed"
    additive = False
    options: ClassVar[tuple[str, ...]] = ("norm", "compat")

    norm: str
    compat: str | None = None

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each ranker."""
        return {name: row[0] for name, row in zip(self.rankers, self.values, strict=True)}

    def unbounded(self) -> str | None:
        return CombSUM(norm=self.norm, compat=self.compat).unbounded()

    def gains(self, rankings: Rankings) -> FloatArray:
        weights = self.look_up(rankings, np.zeros_like(rankings.positions))
        return weights * CombSUM(norm=self.norm, compat=self.compat).gains(rankings)

    def entry_masses(self, rankings: Rankings, gains: FloatArray) -> FloatArray | None:
        return CombSUM(norm=self.norm, compat=self.compat).entry_masses(rankings, gains)

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return np.sqrt(count_lists(rankings)) * sums

    def content(self) -> dict[str, Any]:
        return {"norm": self.norm, "compat": self.compat, "weights": self.weights}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> MixedModel:
        weights = restore_numbers(content, "weights", common["rankers"])
        if not any(weights):
            raise DataError("all weights are 0, so it would not rank anything")
        rows = tuple((weight,) for weight in weights)
        return cls(**common, norm=content["norm"], compat=content["compat"], values=rows)
