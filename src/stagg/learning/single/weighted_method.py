"""Method with fixed weights of rankers: the model that ``weights`` learns and a model file keeps."""

from __future__ import annotations

import dataclasses
from typing import Any

from stagg.data.rankings import Rankings
from stagg.errors import DataError, bare, shown
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import (
    Model,
    restore_numbers,
)
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import Scored

__all__ = ["WeightedMethod"]

MOST_SECONDS = 600  # that the method of a model file may search


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class WeightedMethod(Model):
    """A method with a weight for every ranker; a ranker of weight 0 is left out."""

    name = "weights"
    kind = "weights"

    method: str
    weights: tuple[float, ...]

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        self.check_rankers(rankings)
        return self.weighted(rankings)

    def weighted(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """The method, and the rankings with the learned weights; they may lack rankers, which is said at use."""
        self.refuse_unknown(rankings)
        learned = dict(zip(self.rankers, self.weights, strict=True))
        product = [float(given) * learned[name] for given, name in zip(rankings.weights, rankings.rankers, strict=True)]
        return method_of(self.method), rankings.with_weights(product)

    def with_missing(self, missing: Missing | None) -> WeightedMethod:
        return dataclasses.replace(self, method=repr(method_of(self.method).with_missing(missing)))

    def score(self, rankings: Rankings) -> FloatArray:
        return self.scored(rankings).scores

    def scored(self, rankings: Rankings) -> Scored:
        method, weighted = self.bind(rankings)
        return method.scored(weighted)

    def tell_rankers(self) -> list[str]:
        """The weight of each ranker; one of weight 0 is left out.

        >>> WeightedMethod(learner="weights", rankers=("a", "b"), method="rrf", weights=(2.0, 0.0)).tell_rankers()
        ['weights: a 2, b 0 (left out)']
        """
        pairs = zip(self.rankers, self.weights, strict=True)
        told = ", ".join(f"{bare(name)} {weight:.4g}{'' if weight else ' (left out)'}" for name, weight in pairs)
        return [f"weights: {told}"]

    def content(self) -> dict[str, Any]:
        return {"method": self.method, "weights": dict(zip(self.rankers, self.weights, strict=True))}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> WeightedMethod:
        weights = restore_numbers(content, "weights", common["rankers"], least=0)
        if not any(weights):
            raise DataError("all weights are 0, so it would fuse nothing")
        return cls(**common, method=repr(_restore_method(content["method"])), weights=weights)


def _restore_method(text: str) -> Method:
    """The method that a model file names, unless it may search for longer than anybody waits for a file's sake."""
    method = method_of(text)
    if getattr(method, "time_limit", 0.0) > MOST_SECONDS:
        raise DataError(f"its method may search for more than {MOST_SECONDS} s: {shown(text)}")
    return method
