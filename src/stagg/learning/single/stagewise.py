"""CPS: an order is built from the front, each next item as likely as the weighted lists make it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.orders.cps import DISTANCES, find_unit_scale, greedy_scores, log_likelihood
from stagg.kernels.streams import open_stream
from stagg.learning.base import Learner, Lesson, Model, one_measure, restore_numbers
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import MOST_ITERATIONS, descend, find_contrasts, hold
from stagg.learning.single.blocks import blocks, rank_table, weight_table
from stagg.registry import one_of, whole_number

__all__ = ["CPS", "StagewiseModel"]

MOST_SAMPLES = 1000  # each sample takes an order of every training query in memory


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class CPS(Learner):
    """Coset-permutation distance based stagewise model: one weight θ for each ranker, by maximum likelihood.

    P(π) = Π_t P(π_t | what is placed): the next item c has P ∝ exp(-Σ_k θ_k δ_k,t(c)), δ_k,t(c) being the ``distance``
    ("spearman", the sum of squared rank differences; "footrule"; "kendall") to list k of all orders that go on with c,
    on average. With one list and "kendall" this is the Mallows model. log P is concave in θ; L-BFGS maximises its mean
    over the training queries. The model takes the likeliest item at every stage; with "spearman" that sorts by the
    weighted mean rank. Its scores are n - rank + 1; items of equal cost at a stage are placed together, tied.

    Readings where the paper leaves room. Grades give an order with ties: log P is averaged over ``samples`` orders that
    shuffle equal grades, seeded by (``seed``, query). Items without a label count as grade 0. ``stages="decided"``
    leaves out the last stages, at which all candidates have the same grade and any choice is as right; "all" (default)
    is the likelihood as it is written. What a list of length L does not hold has the mean of its leftover ranks,
    (L + 1 + n) / 2. θ may be negative: a list read backwards. All θ start equal; with a validation part the best
    iterate there, by ``measure``, is kept, and ten iterations without a better one end the fit.

    Reference: Qin, Geng & Liu, "A new probabilistic model for rank aggregation", NIPS 2010.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["b", "c", "a"]})
    >>> model = CPS(distance="kendall").fit(runs, Labels({"1": {"b": 1, "c": 1}}))
    >>> model.theta[1] > model.theta[0]  # y puts what is relevant first
    True
    """

    name = "cps"

    distance: str = "spearman"
    measure: str = "ndcg@10"
    samples: int = 5
    stages: str = "all"
    iterations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        one_of(self, "distance", tuple(DISTANCES))
        one_of(self, "stages", ("decided", "all"))
        one_measure(self, self.measure)
        whole_number("cps: samples", self.samples, least=1, most=MOST_SAMPLES)
        whole_number("cps: iterations", self.iterations, least=1, most=MOST_ITERATIONS)
        whole_number("cps: seed", self.seed, least=0)

    def learn(self, lesson: Lesson) -> StagewiseModel:
        known = Examples.of(lesson.rankings, lesson.labels, None, conventions=lesson.conventions)
        known.check_relevant()
        likelihood, rankers = _Likelihood(self, known), known.rankings.rankers
        found = descend(
            likelihood,
            np.full(len(rankers), 1 / len(rankers)),
            iterations=self.iterations,
            validate=self._validate(likelihood, hold(lesson, known)),
            watch=lesson.watch,
        )
        theta = likelihood.theta(found.point)
        mean = known.mean(
            _Scorer(self.distance, known.rankings, rankers).scores(theta), one_measure(self, self.measure)
        )
        facts = (("queries", len(known)), ("measure", self.measure), ("mean", mean), *found.facts())
        weights = tuple(theta.tolist())
        return StagewiseModel(
            learner=repr(self), rankers=rankers, training=facts, distance=self.distance, theta=weights
        )

    def _validate(self, likelihood: _Likelihood, held: Examples | None) -> Callable[[FloatArray], float] | None:
        """point -> the mean of the measure on the validation part."""
        if held is None:
            return None
        scorer = _Scorer(self.distance, held.rankings, likelihood.rankers)
        measure = one_measure(self, self.measure)
        return lambda point: held.mean(scorer.scores(likelihood.theta(point)), measure)


class _Likelihood:
    """-log P of the training queries, the mean over them, as a function of θ in units that make its entries near 1."""

    def __init__(self, learner: CPS, known: Examples) -> None:
        self.rankers, self.distance = known.rankings.rankers, DISTANCES[learner.distance]
        ranks, weights = rank_table(known.rankings, self.rankers), weight_table(known.rankings, self.rankers)
        queries = find_contrasts(known)
        self.count = len(queries)
        sizes = known.rankings.sizes[queries].astype(float)
        self.unit = float(np.mean(sizes**2 if learner.distance == "spearman" else sizes))
        self.parts = []
        for part, items in blocks(known.rankings, queries):
            grades = np.maximum(known.grades[items], 0.0)
            orders = _consistent_orders(learner, grades, [known.rankings.queries[query] for query in part])
            self.parts.append((ranks[:, items], weights[:, part], orders, _stages(learner, grades)))

    def theta(self, point: FloatArray) -> FloatArray:
        return point / self.unit

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        theta, value, slopes = self.theta(point), 0.0, np.zeros(len(point))
        for ranks, weights, orders, stages in self.parts:
            logs, by_theta = log_likelihood(self.distance, ranks, theta[:, None] * weights, orders, stages)
            value += float(logs.sum())
            slopes += (by_theta * weights).sum(axis=1)
        return -value / self.count, -slopes / (self.unit * self.count)


def _stages(learner: CPS, grades: FloatArray) -> IntArray:
    """How many stages of each query count."""
    n = grades.shape[1]
    if learner.stages == "all":
        return np.full(len(grades), n)
    decided: IntArray = (grades > grades.min(axis=1, keepdims=True)).sum(axis=1)
    return decided


def _consistent_orders(learner: CPS, grades: FloatArray, queries: list[str]) -> tuple[IntArray, ...]:
    """``samples`` times orders[q, t]: items by descending grade, equal grades in an order drawn at random."""
    n, samples = grades.shape[1], learner.samples
    noise = np.stack([open_stream(learner.seed, query).random((samples, n)) for query in queries], axis=1)
    return tuple(np.lexsort((drawn, -grades), axis=1) for drawn in noise)


class _Scorer:
    """Scores of the items of some rankings for any θ."""

    def __init__(self, distance: str, rankings: Rankings, rankers: tuple[str, ...]) -> None:
        self.distance, self.items = DISTANCES[distance], len(rankings.items)
        ranks, weights = rank_table(rankings, rankers), weight_table(rankings, rankers)
        self.parts = [(items, ranks[:, items], weights[:, part]) for part, items in blocks(rankings)]

    def scores(self, theta: FloatArray) -> FloatArray:
        scores = np.zeros(self.items)
        theta = theta * find_unit_scale(theta)
        for items, ranks, weights in self.parts:
            scores[items] = greedy_scores(self.distance, ranks, theta[:, None] * weights)
        return scores


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StagewiseModel(Model):
    """The order of a CPS model: at every stage the candidate of lowest cost, Σ_k θ_k δ_k; see ``cps``."""

    name = "cps"
    kind = "cps"
    honours = ("below",)
    tie_rule = "exact"

    distance: str
    theta: tuple[float, ...]

    def score(self, rankings: Rankings) -> FloatArray:
        self.check_rankers(rankings)
        return _Scorer(self.distance, rankings, self.rankers).scores(np.array(self.theta))

    def content(self) -> dict[str, Any]:
        return {"distance": self.distance, "theta": dict(zip(self.rankers, self.theta, strict=True))}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> StagewiseModel:
        theta = restore_numbers(content, "theta", common["rankers"])
        model = cls(**common, distance=str(content["distance"]), theta=theta)
        one_of(model, "distance", tuple(DISTANCES))
        return model
