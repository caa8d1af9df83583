"""Mallows' model and cranking: rankings whose probability falls with their distance from the lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np

from stagg.data.query import Query
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.orders.mallows import discordance, dispersion, log_normaliser, stage_sizes
from stagg.kernels.orders.permutations import expected_ranks, sample_ranks
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.kernels.streams import open_stream
from stagg.methods.base import PerQuery, in_range
from stagg.methods.models.likelihood import LikelihoodMethod
from stagg.methods.pairwise.kemeny import Kemeny
from stagg.registry import whole_number

__all__ = ["Cranking", "Mallows", "MallowsFit"]

LARGEST_EXACT = 200  # items up to which the centre is searched exactly
LARGEST_SUM = 12  # items up to which all orders are summed over


class MallowsFit(NamedTuple):
    """Mallows' model of one query: the centre as scores (n - rank + 1), θ, and the log-likelihood of the lists."""

    centre: FloatArray
    theta: float
    log_likelihood: float


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Mallows(PerQuery):
    """Mallows' model: P(ranking) ∝ e^(-θ d), d the number of pairs in which it differs from a centre; the centre is it.

    The centre of largest likelihood is Kemeny's consensus, with its rules for several optima and its score,
    n - rank + 1; θ does not bear on the order. ``Mallows().estimate(view)`` gives θ and the log-likelihood too.

    The centre is exact, by ``kemeny``, up to 200 items, unless ``time_limit`` (seconds per query) ends the search with
    a DataWarning; above 200 items it is that of ``kemeny(exact=False)``: good, not proven.

    ``missing="below"`` (default): a list is the top of a ranking of all candidates. ``"skip"``: a list compares its own
    items only, and for θ is taken as Mallows-distributed by itself. A tied pair of a list is half discordant.

    Reference: Mallows, "Non-null ranking models", Biometrika 1957; top lists: Fligner & Verducci, "Distance based
    ranking models", JRSS B 1986.

    >>> from stagg import Rankings, fuse
    >>> lists = [["a", "b", "c", "d"], ["b", "c", "a", "d"], ["a", "d", "b", "c"]]
    >>> fuse(lists, "mallows").best_first()
    ['a', 'b', 'c', 'd']
    >>> round(Mallows().estimate(Rankings.from_lists(lists)["1"]).theta, 6)
    0.898119
    """

    name = "mallows"
    tie_rule = "exact"
    strictly = frozenset({"unanimity"})
    breaks: ClassVar[Mapping[str, str]] = {
        "neutrality": "of several optima equally near to Borda's order the ids choose one",
    }

    time_limit: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "time_limit", 0, float("inf"), open_low=True)

    def score_query(self, view: Query) -> FloatArray:
        exact = len(view) <= LARGEST_EXACT
        return Kemeny(missing=self.missing, exact=exact, time_limit=self.time_limit).score_query(view)

    def estimate(self, view: Query) -> MallowsFit:
        """The centre with θ, which makes the expected number of discordant pairs the observed one.

        θ is infinite where no pair is discordant, and 0 where the lists agree no more than by chance.
        """
        centre = self.score_query(view)
        positions, weights = view.positions, view.weights
        missing = "below" if self.absence == "below" else "skip"
        distances = discordance(positions, centre, missing)
        stages = stage_sizes((positions != ABSENT).sum(axis=1), len(view), missing)
        sizes, shares = np.concatenate(stages), np.repeat(weights, [len(each) for each in stages])
        total = float(weights @ distances)
        theta = dispersion(total, sizes, shares)
        if np.isinf(theta):
            return MallowsFit(centre, theta, 0.0)
        normaliser = float(weights @ np.array([log_normaliser(theta, each) for each in stages]))
        return MallowsFit(centre, theta, -theta * total - normaliser)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Cranking(LikelihoodMethod):
    """Cranking: rankings π with P(π) ∝ exp(-θ Σ_k w_k d(π, list k)), d the discordant pairs; by expected rank.

    Score = -E[rank], ranks from 1. ``theta`` says how much one list counts; the weights of the rankers multiply it.
    Pairs that a list ties do not tell rankings apart; ``missing="below"`` (default): the unlisted items of a list are
    one tied block after it; ``"skip"``: a list compares its own items only, and what no list compares comes out equal.

    Up to 12 items the sum over all rankings is made exactly. Above, rankings are sampled: ``sweeps`` sweeps of
    exchanges of neighbours (heat-bath Metropolis) in 16 chains that start from the Borda order, seeded by ``seed`` and
    the id of the query; then expected ranks have a sampling error, and items that are alike are not exactly equal.

    Reference: Lebanon & Lafferty, "Cranking: combining rankings using conditional probability models on permutations",
    ICML 2002.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["a", "c"]], "cranking(theta=0.5)")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-cranking: a > b > c
    """

    name = "cranking"
    breaks: ClassVar[Mapping[str, str]] = {
        "replication": "twice the lists are twice as sure: the rankings that expected ranks average over are others",
    }

    theta: float = 1.0
    sweeps: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "theta", 0, float("inf"))
        whole_number("cranking: sweeps", self.sweeps, least=10, most=1_000_000)
        whole_number("cranking: seed", self.seed, least=0)

    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        against = self.theta * pair_wins(positions, weights, self.treatment)
        if len(against) <= LARGEST_SUM:
            return -expected_ranks(against)[0]
        start = np.argsort(against.sum(axis=0) - against.sum(axis=1), kind="stable")
        return -sample_ranks(against, start, sweeps=self.sweeps, rng=open_stream(self.seed, query))[0]
