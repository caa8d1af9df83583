"""Shared base of methods that fit a probability model: one canonical form of a query, a prior, clear refusals."""

from __future__ import annotations

import abc
import dataclasses

import numpy as np

from stagg.data.query import Query
from stagg.errors import DataError, NotConverged, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import Solution
from stagg.kernels.id_order import order_by_id
from stagg.kernels.pairs.graphs import components
from stagg.methods.base import PerQuery, in_range

__all__ = ["LikelihoodMethod", "PriorModel"]

ROUNDING = 1e-11  # strengths below this are nothing: where all items are alike, rounding must not order them

PRIOR_SCALE = "the prior weighs less against twice the lists: what they leave open can move"


class LikelihoodMethod(PerQuery):
    """A model of one query's lists, which sees items and lists in a fixed order, so that no sum depends on theirs.

    ``missing="below"`` (default): what a list does not hold stands behind it as one tied block. ``"skip"`` and
    ``"neutral"`` mean the same here: a list speaks only of the items that it holds.
    """

    @abc.abstractmethod
    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        """One score per column of ``positions`` (see :attr:`Query.positions`)."""

    @property
    def treatment(self) -> str:
        """The meaning of absence: "below" or "skip"."""
        return "below" if self.absence == "below" else "skip"

    def score_query(self, view: Query) -> FloatArray:
        order, positions, weights = canonical_query(view)
        scores = np.empty(len(order))
        scores[order] = self.fit(positions, weights, view.id)
        return scores


def canonical_query(view: Query) -> tuple[np.ndarray, FloatArray, FloatArray]:
    """(items by id, positions of the items in that order, weights), the lists sorted by what they say."""
    order = order_by_id(view.items)
    positions, weights = view.positions[:, order], view.weights
    rows = np.lexsort((weights, *positions.T))
    return order, positions[rows], weights[rows]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PriorModel(LikelihoodMethod):
    """A model with strengths v, and a Gaussian prior on them: what is maximised is log-likelihood - ½ prior ‖v‖²."""

    # 0.1 gives plackett_luce the reference figure on MQ2008-agg (N@5 .4778); of 1, 0.1, 0.01, 1e-3 and 1e-4, tried on
    # that set, it was the best, by .0005 at most: a choice of convenience, not evidence for this value
    prior: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "prior", 0, float("inf"))

    def settled(self, solution: Solution, query: str) -> FloatArray:
        """The strengths, if the iteration came to an end."""
        if solution.settled:
            smallest = ROUNDING / max(1.0, self.prior)
            return np.where(np.abs(solution.point) < smallest, 0.0, solution.point)
        raise NotConverged(
            f"{self.name}: query {shown(query)} did not settle; the last step changed a strength by "
            f"{solution.change:.2g} (a larger prior helps)"
        )

    def must_have_maximum(self, beats: FloatArray, query: str) -> None:
        """Without a prior every item must be reached from every other along wins, else strengths run to infinity."""
        if self.prior > 0:
            return
        parts = components(beats > 0, strong=True)
        if not parts.any():
            return
        raise DataError(
            f"{self.name}(prior=0): query {shown(query)} has no best strengths: its items fall into {parts.max() + 1} "
            "parts between which wins go one way only, or not at all; use prior above 0"
        )
