"""Models of one query's pairs over uncertain votes: items in the order of their ids, sums that no order changes."""

from __future__ import annotations

import abc
import dataclasses

import numpy as np

from stagg.data.query import Query
from stagg.kernels.arrays import FloatArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.pairs.expected_wins import (
    ExpectedWins,
    compared_weight,
    expected_counts,
    expected_points,
    expected_wins,
)
from stagg.kernels.stochastic.contests import Shape
from stagg.methods.models.likelihood import LikelihoodMethod
from stagg.methods.pairwise.uncertain import Uncertain

__all__ = ["UncertainModel", "UncertainVotes"]


@dataclasses.dataclass(frozen=True, eq=False)
class UncertainVotes:
    """The lists of a query as contests: list k has ``positions[k]``, ``weights[k]`` and the contests ``shapes[k]``."""

    positions: FloatArray
    weights: FloatArray
    missing: str
    shapes: list[Shape]

    @property
    def n(self) -> int:
        return int(self.positions.shape[1])

    def wins(self) -> ExpectedWins:
        """The expected weight of the lists that put i above j: see :func:`expected_wins`."""
        return expected_wins(self.positions, self.weights, self.missing, self.shapes)

    def counts(self, *, by_gap: bool = False) -> FloatArray:
        """The same with half a vote for a tie, or each vote as often as the positions differ."""
        return expected_counts(self.positions, self.weights, self.missing, self.shapes, by_gap=by_gap)

    def compared(self) -> FloatArray:
        """The weight of the lists that compare i and j."""
        return compared_weight(self.positions, self.weights, self.missing)

    def points(self, *, logarithms: bool) -> FloatArray:
        """The expected Borda points of i, or their logarithms, summed over the lists that compare i and j."""
        return expected_points(self.positions, self.weights, self.missing, self.shapes, logarithms=logarithms)


class UncertainModel(Uncertain, LikelihoodMethod):
    """A model of pairs that takes expected votes where a shape is given."""

    @abc.abstractmethod
    def fit_uncertain(self, votes: UncertainVotes, query: str) -> FloatArray:
        """One score per column of ``votes.positions``."""

    def score_query(self, view: Query) -> FloatArray:
        shapes = self.shapes_of(view)
        if shapes is None:
            return super().score_query(view)
        order = order_by_id(view.items)
        scores = np.empty(len(order))
        votes = UncertainVotes(view.positions[:, order], view.weights, self.treatment, shapes)
        scores[order] = self.fit_uncertain(votes, view.id)
        return scores
