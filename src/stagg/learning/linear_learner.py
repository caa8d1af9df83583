"""What learners of a linear model share: features on one scale, a validation part, a finished model."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any

from stagg.data.labels import Labels
from stagg.data.rankings import FloatArray, Rankings
from stagg.features import FeatureMap
from stagg.learning.base import Learner, Watch, one_measure
from stagg.learning.descent import Descent
from stagg.learning.examples import Examples, feature_map
from stagg.learning.linear import LinearModel
from stagg.learning.scaled import Scaled
from stagg.registry import whole_number

__all__ = ["LinearLearner", "Validate"]

Validate = Callable[[FloatArray], float]
"""The mean measure of a point on the validation part."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LinearLearner(Learner):
    """A learner of f(x) = w'ψ(x), ψ a feature map; ``measure`` is what the validation part goes by."""

    features: str = "borda"
    iterations: int = 100
    measure: str = "ndcg@10"

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        feature_map(self, self.features)
        whole_number("iterations", self.iterations, least=1)

    @abc.abstractmethod
    def trained(
        self, known: Examples, scaled: Scaled, validate: Validate | None, watch: Watch | None
    ) -> tuple[Descent, tuple[str, Any]]:
        """The weights of the scaled features, and what was chosen on the way: (name, value)."""

    def fit(
        self,
        rankings: Rankings,
        labels: Labels,
        *,
        validation: tuple[Rankings, Labels] | None = None,
        conventions: str = "standard",
        watch: Watch | None = None,
    ) -> LinearModel:
        psi, measure = feature_map(self, self.features), one_measure(self, self.measure)
        known = Examples.of(rankings, labels, psi, conventions=conventions)
        known.check_relevant()
        scaled = Scaled(known)
        validate = None if validation is None else self._validate(psi, known, scaled, validation)
        found, chosen = self.trained(known, scaled, validate, watch)
        mean = known.mean(scaled.table @ found.point, measure)
        return LinearModel(
            learner=repr(self),
            rankers=known.rankings.rankers,
            features=repr(psi),
            weights=scaled.weights(found.point),
            training=(("queries", len(known)), ("measure", self.measure), ("mean", mean), chosen, *found.facts()),
        )

    def _validate(
        self, psi: FeatureMap, known: Examples, scaled: Scaled, validation: tuple[Rankings, Labels]
    ) -> Validate:
        measure = one_measure(self, self.measure)
        held = Examples.of(*validation, psi, rankers=known.rankings.rankers, conventions=known.conventions)
        held.check_relevant("validation")
        table = Scaled(held, scaled.spread).table
        return lambda point: held.mean(table @ point, measure)
