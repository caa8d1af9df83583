"""Shared base of learners of a linear model: features on one scale, a validation part, a finished model."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from stagg.errors import NotConverged
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import Learner, Lesson, Watch, one_measure
from stagg.learning.examples import Examples, feature_map
from stagg.learning.linear.descent import MOST_ITERATIONS, Descent, hold
from stagg.learning.linear.feature_model import train_lengths
from stagg.learning.linear.linear_model import LinearModel
from stagg.learning.linear.scaled import Scaled
from stagg.registry import whole_number

__all__ = ["LinearLearner", "Validate"]

Validate = Callable[[FloatArray], float]
"""The mean measure of a point on the validation part."""

Facts = tuple[tuple[str, Any], ...]
"""Facts about the training of a model: (name, value) pairs."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LinearLearner(Learner):
    """A learner of f(x) = w'ψ(x), ψ a feature map; ``measure`` is what the validation part goes by."""

    features: str = "ranks"
    iterations: int = 100
    measure: str = "ndcg@10"

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        feature_map(self, self.features)
        whole_number("iterations", self.iterations, least=1, most=MOST_ITERATIONS)

    @abc.abstractmethod
    def trained(
        self, known: Examples, scaled: Scaled, validate: Validate | None, watch: Watch | None
    ) -> tuple[Descent, tuple[str, Any]]:
        """The weights of the scaled features, and what was chosen on the way: (name, value)."""

    def learn(self, lesson: Lesson) -> LinearModel:
        psi = feature_map(self, self.features)
        known = Examples.of(lesson.rankings, lesson.labels, psi, conventions=lesson.conventions)
        rankers = known.rankings.rankers
        held = hold(lesson, known, psi)
        weights, training = self.learned(known, held, lesson.watch)
        return LinearModel(
            learner=repr(self),
            rankers=rankers,
            features=repr(psi),
            weights=weights,
            lengths=train_lengths(known.rankings),
            training=training,
        )

    def learned(
        self, known: Examples, held: Examples | None = None, watch: Watch | None = None
    ) -> tuple[tuple[float, ...], Facts]:
        """The weights of the features of some examples, and how they were found; ``held`` is the validation part."""
        measure = one_measure(self, self.measure)
        known.check_relevant()
        scaled = Scaled(known)
        validate = None if held is None else self._validate(held, scaled)
        found, chosen = self.trained(known, scaled, validate, watch)
        if not np.isfinite(scaled.weights(found.point)).all():
            raise NotConverged(f"{self.name}: the weights grew beyond all numbers; try a smaller rate")
        mean = known.mean(scaled.table @ found.point, measure)
        facts = (("queries", len(known)), ("measure", self.measure), ("mean", mean), chosen, *found.facts())
        return scaled.weights(found.point), facts

    def _validate(self, held: Examples, scaled: Scaled) -> Validate:
        measure = one_measure(self, self.measure)
        table = Scaled(held, scaled.spread).table
        return lambda point: held.mean(table @ point, measure)
