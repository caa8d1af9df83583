"""Linear model: a weight for every feature."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.errors import DataError
from stagg.features import FEATURES
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import restore_numbers
from stagg.learning.linear.feature_model import FeatureModel, restore_lengths

__all__ = ["LinearModel", "linear_scores"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LinearModel(FeatureModel):
    """f(x) = w'ψ(x)."""

    name = "linear"
    kind = "linear"

    weights: tuple[float, ...]

    def score_table(self, table: FloatArray) -> FloatArray:
        return linear_scores(table, self.weights)

    def content(self) -> dict[str, Any]:
        columns = FEATURES.parse(self.features).columns(self.rankers)
        weights = dict(zip(columns, self.weights, strict=True))
        return {"features": self.features, "weights": weights, "lengths": self.describe_lengths()}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> LinearModel:
        features = FEATURES.parse(content["features"])
        columns = features.columns(common["rankers"])
        if list(content["weights"]) != columns:
            raise DataError("the weights are not those of the features that it names")
        weights = restore_numbers(content, "weights", tuple(columns))
        lengths = restore_lengths(content, common["rankers"])
        return cls(**common, features=repr(features), weights=weights, lengths=lengths)


def linear_scores(table: FloatArray, weights: tuple[float, ...]) -> FloatArray:
    """Σ_k w_k table[:, k], added column by column: the same bits however the queries are dealt out (BLAS is not so)."""
    scores = np.zeros(len(table))
    for column, weight in zip(table.T, weights, strict=True):
        if weight:
            scores += weight * column
    return scores
