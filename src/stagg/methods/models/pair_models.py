"""Bradley-Terry and Thurstone: strengths under which the won and lost pairs of all lists are most likely."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import Local, newton
from stagg.kernels.fitting.pair_models import ogive, sigmoid
from stagg.kernels.pairs.pairwise import pair_counts
from stagg.methods.models.likelihood import PRIOR_SCALE, PriorModel
from stagg.methods.models.uncertain_models import UncertainModel, UncertainVotes

__all__ = ["BradleyTerry", "Thurstone"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PairModel(PriorModel):
    """A model in which the pairs of a list are won or lost independently; a tied pair is half a win for each."""

    @staticmethod
    @abc.abstractmethod
    def likelihood(v: FloatArray, counts: FloatArray) -> Local:
        """-Σ_ij counts[i, j] log P(i beats j)."""

    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        n = positions.shape[1]
        if n < 2:
            return np.zeros(n)
        return self.fit_counts(pair_counts(positions, weights, self.treatment), query)

    def fit_counts(self, counts: FloatArray, query: str) -> FloatArray:
        """The strengths, given how often each item beats each other one."""
        n = len(counts)
        self.must_have_maximum(counts, query)
        return self.settled(newton(lambda v: self.likelihood(v, counts), np.zeros(n), prior=self.prior), query)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BradleyTerry(UncertainModel, PairModel):
    """Bradley-Terry: P(i beats j) = 1 / (1 + e^(v_j - v_i)), for every pair of every list.

    Score = v, the strengths of largest Σ_k w_k Σ_pairs log P - ½ ``prior`` ‖v‖², Σ v = 0, as if the pairs of a list
    were decided independently. A tied pair counts half a win for each; under ``missing="below"`` (default) the unlisted
    items of a list lose to its items and tie with one another. Then every pair is compared by every list, and the order
    is that of ``borda(missing="below")``; under ``"skip"`` it is not.

    ``prior=0`` is maximum likelihood; it exists when wins lead from every item to every other, and is refused
    otherwise. With a prior every item has a finite strength, and parts that no list compares are each centred at 0.

    ``shape`` and ``trust``: uncertain votes, as for ``copeland``: a win counts with its probability. Under ``"below"``
    the order is then that of ``stagg_bc`` with the same shape.

    Reference: Bradley & Terry, "Rank analysis of incomplete block designs", Biometrika 1952; Hunter 2004.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["a", "c"]], "bradley_terry")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-bradley_terry: a > b > c
    """

    name = "bradley_terry"

    def fit_uncertain(self, votes: UncertainVotes, query: str) -> FloatArray:
        return self.fit_counts(votes.counts(), query) if votes.n > 1 else np.zeros(votes.n)

    @staticmethod
    def likelihood(v: FloatArray, counts: FloatArray) -> Local:
        return sigmoid(v, counts)


class Thurstone(PairModel):
    """Thurstone's Case V: P(i beats j) = Φ((v_i - v_j) / √2), items with normal errors of variance 1.

    Score = v, the strengths of largest Σ_k w_k Σ_pairs log P - ½ ``prior`` ‖v‖², Σ v = 0, as if the pairs of a list
    were decided independently. Ties, absence and ``prior`` as in ``bradley_terry``. (Where Φ(v_i - v_j) is written,
    strengths are smaller by √2.)

    Reference: Thurstone, "A law of comparative judgment", Psychological Review 1927; Mosteller 1951.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["a", "c"]], "thurstone")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-thurstone: a > b > c
    """

    name = "thurstone"
    breaks: ClassVar[Mapping[str, str]] = {"replication": PRIOR_SCALE}

    @staticmethod
    def likelihood(v: FloatArray, counts: FloatArray) -> Local:
        return ogive(v, counts)
