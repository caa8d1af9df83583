"""Supervised Markov chain: how often each list is asked for the next step, learned from labelled pairs."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.orders.markov import stationary
from stagg.kernels.orders.mixed_chains import RULES, mixture, pair_losses, share_slopes
from stagg.learning.base import Learner, Lesson, one_measure
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import MOST_ITERATIONS, descend, find_contrasts, hold
from stagg.learning.single.blocks import blocks, rank_table, weight_table
from stagg.learning.single.weighted_method import WeightedMethod
from stagg.methods.base import in_range
from stagg.registry import one_of, whole_number

__all__ = ["MixedChain", "SupervisedMC"]

LEAST = 1e-12  # a ranker that is asked never would be absent, and with it what only it lists


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SupervisedMC(Learner):
    """Markov chain whose lists are asked with learned probabilities α, so that better items are visited more.

    T = Σ_k α_k T_k, T_k the ``chain`` ("mc3" or "mc2"; for one list MC4 is MC3 and MC1 is MC2) of list k alone, what
    it does not hold tied at its end; with probability ``teleport`` a step goes to any item alike. A query's scores are
    π, the share of time in each item. α minimises, over the pairs of the training queries in which item i has the
    higher grade (no label counts as 0), the mean of max(0, n (π_j - π_i) + ``margin``)²: a query's mean over its pairs,
    then the mean over the queries. α is a softmax over the rankers that have a list for the query; L-BFGS from equal α,
    with the exact gradient by one linear system per query. The problem is not convex. With a validation part the best
    iterate there, by ``measure``, is kept, and ten iterations without a better one end the fit. The model is the chain
    with α as weights of the rankers.

    The original relaxes hard constraints with slack π_j - π_i to a semidefinite program; this is its practical
    equivalent, not the program itself.

    Reference: Liu, Liu, Qin, Ma & Li, "Supervised rank aggregation", WWW 2007.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["c", "b", "a"]})
    >>> model = SupervisedMC().fit(runs, Labels({"1": {"a": 1}}))
    >>> model.weights[0] > model.weights[1]
    True
    """

    name = "supervised_mc"

    chain: str = "mc3"
    measure: str = "ndcg@10"
    teleport: float = 0.15
    margin: float = 1.0
    iterations: int = 100

    def __post_init__(self) -> None:
        one_of(self, "chain", RULES)
        one_measure(self, self.measure)
        in_range(self, "teleport", 0, 1, open_low=True, open_high=True)
        in_range(self, "margin", 0)
        whole_number("supervised_mc: iterations", self.iterations, least=1, most=MOST_ITERATIONS)

    def learn(self, lesson: Lesson) -> MixedChain:
        known = Examples.of(lesson.rankings, lesson.labels, None, conventions=lesson.conventions)
        known.check_relevant()
        rankers = known.rankings.rankers
        held = hold(lesson, known)
        found = descend(
            _Losses(self, known),
            np.zeros(len(rankers)),
            iterations=self.iterations,
            validate=None if held is None else lambda point: self._mean(self._model(rankers, point), held),
            watch=lesson.watch,
        )
        model = self._model(rankers, found.point)
        facts = (("queries", len(known)), ("measure", self.measure), ("mean", self._mean(model, known)), *found.facts())
        return dataclasses.replace(model, training=facts)

    def _model(self, rankers: tuple[str, ...], point: FloatArray) -> MixedChain:
        weights = np.maximum(_softmax(point[:, None])[:, 0], LEAST)
        method = f"{self.chain}(missing='below', teleport={self.teleport!r})"
        return MixedChain(learner=repr(self), rankers=rankers, method=method, weights=tuple(weights.tolist()))

    def _mean(self, model: MixedChain, part: Examples) -> float:
        method, weighted = model.weighted(part.rankings)
        return part.mean(method.score(weighted), one_measure(self, self.measure))


class _Losses:
    """The mean loss of the training queries as a function of the softmax parameters a: α_k ∝ exp(a_k)."""

    def __init__(self, learner: SupervisedMC, known: Examples) -> None:
        self.learner, rankings = learner, known.rankings
        ranks, weights = rank_table(rankings, rankings.rankers), weight_table(rankings, rankings.rankers)
        queries = find_contrasts(known)
        self.count = len(queries)
        self.parts = []
        with np.errstate(divide="ignore"):
            logs = np.log(weights)  # -inf where a ranker has no list
        for part, items in blocks(rankings, queries):
            grades = np.maximum(known.grades[items], 0.0)
            self.parts.append((ranks[:, items], logs[:, part], grades[:, :, None] > grades[:, None, :]))

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        value, slopes = 0.0, np.zeros(len(point))
        for ranks, logs, better in self.parts:
            shares = _softmax(point[:, None] + logs)
            losses, by_share = self._of_block(ranks, shares, better)
            value += float(losses.sum())
            slopes += (shares * (by_share - (shares * by_share).sum(axis=0))).sum(axis=1)
        return value / self.count, slopes / self.count

    def _of_block(self, ranks: FloatArray, shares: FloatArray, better: BoolArray) -> tuple[FloatArray, FloatArray]:
        """(loss[q], ∂loss/∂shares[k, q]): each query's mean over its pairs."""
        teleport, chain, pairs = self.learner.teleport, self.learner.chain, better.sum(axis=(1, 2))
        moves = mixture(ranks, shares, chain)
        time = stationary(moves, teleport)
        losses, by_time = pair_losses(time, better, self.learner.margin)
        by_share = share_slopes(ranks, moves, time, by_time / pairs[:, None], teleport=teleport, rule=chain)
        return losses / pairs, by_share


def _softmax(logits: FloatArray) -> FloatArray:
    """exp(logits[k, q]), each column divided by its sum."""
    odds = np.exp(logits - logits.max(axis=0))
    shares: FloatArray = odds / odds.sum(axis=0)
    return shares


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MixedChain(WeightedMethod):
    """A Markov chain with learned weights of the rankers; see ``supervised_mc``."""

    name = "supervised_mc"
    kind = "supervised_mc"
