"""Ranker weights tuned on labels: what people who fuse search results ask for first."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import (
    Learner,
    Lesson,
    Step,
    Watch,
    mean_measure,
    one_measure,
    take_labelled,
)
from stagg.learning.single.trust_prior import shrink, trust_weights
from stagg.learning.single.weighted_method import WeightedMethod
from stagg.measures import Conventions, judge
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import Scored, entry_gains, entry_masses
from stagg.methods.consensus import put_unlisted_last, rank_trial

__all__ = ["TunedWeights", "spread_gains"]

GRID = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0)
"""Weights that are tried for one ranker, relative to the others' start of 1."""

PASSES = 5
BETTER = 1e-6  # a mean that is higher by less is not better


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class TunedWeights(Learner):
    """Ranker weights of a positional method, tuned on labels by a search along one ranker at a time.

    All weights start at 1; in turn each ranker's weight takes the value of a small grid that gives the best mean
    measure, until a pass over all rankers changes nothing. With a validation part the weights after the pass that is
    best there are taken, equal weights among them, so a search that only fits noise ends where it began.

    ``prior="trust"`` is for few labelled queries: the search starts at the weights that ``stagg_trust`` finds without
    labels, in all queries of the input, and ends between them and the tuned weights. The prior counts as much as 10
    labelled queries.
    """

    name = "weights"

    method: str = "rrf(c=60)"
    measure: str = "ndcg@10"
    prior: str | None = None

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        if self.prior not in (None, "trust"):
            raise InvalidParameter(f"weights: prior is {shown(self.prior)}; it must be 'trust', or left out")
        if not method_of(self.method).is_additive():
            raise InvalidParameter(f"weights: {self.method} is not a weighted sum over the rankers; try 'rrf(c=60)'")

    def with_missing(self, missing: Missing | None) -> TunedWeights:
        return dataclasses.replace(self, method=repr(method_of(self.method).with_missing(missing)))

    def learn(self, lesson: Lesson) -> WeightedMethod:
        known = take_labelled(lesson.rankings, lesson.labels)
        search = _Search(self, known, lesson.labels, lesson.conventions)
        start = np.ones(len(known.rankers)) if self.prior is None else trust_weights(lesson.rankings, known.rankers)
        passes = search.passes(start, lesson.watch)
        if self.prior is not None:
            passes = [shrink(weights, start, len(known)) for weights in passes]
        best = passes[-1]
        if lesson.validation is not None:
            part, labels = lesson.validation
            held = _Search(self, take_labelled(part, labels, "validation part"), labels, lesson.conventions)
            best = max(passes, key=lambda weights: held.real_mean(self.model(known.rankers, weights)))
        mean = search.real_mean(self.model(known.rankers, best))
        facts = (("queries", len(known)), ("measure", self.measure), ("mean", mean))
        return self.model(known.rankers, best, facts)

    def model(self, rankers: tuple[str, ...], weights: FloatArray, facts: tuple[Any, ...] = ()) -> WeightedMethod:
        return WeightedMethod(
            learner=repr(self),
            rankers=rankers,
            method=self.method,
            weights=tuple(float(weight) for weight in weights),
            training=facts,
        )


class _Search:
    """Coordinate search: the scores are linear in the weights, so a trial costs one sorting.

    A ranker of weight 0 is absent, and what only it lists is no candidate: such trials run the method itself.
    """

    def __init__(self, learner: TunedWeights, rankings: Rankings, labels: Labels, conventions: Conventions) -> None:
        self.learner, self.rankings, self.labels, self.conventions = learner, rankings, labels, conventions
        self.method, self.measure = method_of(learner.method), one_measure(learner, learner.measure)
        self.aligned = labels.aligned(rankings)
        self.parts, self.masses = _parts(self.method, rankings)

    def passes(self, start: FloatArray, watch: Watch | None = None) -> list[FloatArray]:
        """The weights at the start and after every pass that changed something; a watch may end it."""
        weights = start.copy()
        best = self._mean(weights)
        found = [weights.copy()]
        steps = PASSES * len(weights)
        for number in range(PASSES):
            before = weights.copy()
            for ranker in range(len(weights)):
                best = self._improve(weights, ranker, best)
                if watch is not None and watch(Step(number * len(weights) + ranker + 1, steps, best)):
                    return [*found, weights]
            if (weights == before).all():
                break
            found.append(weights.copy())
        return found

    def _improve(self, weights: FloatArray, ranker: int, best: float) -> float:
        """The best weight of one ranker, the others fixed: in place; the mean that it reaches."""
        for value in GRID:
            trial = weights.copy()
            trial[ranker] = value
            if value != weights[ranker] and trial.any():
                mean = self._mean(trial)
                if mean > best + BETTER:
                    best, weights[ranker] = mean, value
        return best

    def _mean(self, weights: FloatArray) -> float:
        if not weights.all():
            return self.real_mean(self.learner.model(self.rankings.rankers, weights))
        scores = weights @ self.parts
        scored = Scored(scores, scores if self.masses is self.parts else weights @ self.masses)
        if self.method.puts_unlisted_last():
            scored = put_unlisted_last(scored, self.rankings)
        fused = rank_trial(scored, self.rankings)
        judged = judge(fused, self.labels, conventions=self.conventions, only_common=True, aligned=self.aligned)
        return float(np.mean(self.measure.value(judged)))

    def real_mean(self, model: WeightedMethod) -> float:
        """The mean that a model has on these queries, by the way that it is used."""
        method, weighted = model.weighted(self.rankings)
        return mean_measure(method, weighted, self.labels, self.measure, self.conventions, self.aligned)


def _parts(method: Method, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
    """(parts, masses)[ranker, item] = what a ranker of weight 1 adds to the score of each item, and to its mass."""
    gains = entry_gains(method, rankings)
    if gains is None:
        raise InvalidParameter(f"{method!r} is not a weighted sum over the rankers")
    parts = spread_gains(gains, rankings)
    masses = entry_masses(method, rankings, gains)
    return parts, parts if masses is None else spread_gains(masses, rankings)


def spread_gains(gains: tuple[FloatArray, FloatArray], rankings: Rankings) -> FloatArray:
    """table[ranker, item] of what lists give to their entries and to all others; copies of a ranker add up."""
    listed, rest = gains
    parts = np.zeros((len(rankings.rankers), len(rankings.items)))
    for number, ranker in enumerate(rankings.list_rankers.tolist()):
        query = rankings.list_queries[number]
        count = rankings.multiplicities[ranker]
        parts[ranker, slice(*rankings.item_offsets[query : query + 2])] = count * rest[number]
        entries = slice(*rankings.entry_offsets[number : number + 2])
        parts[ranker, rankings.entries[entries]] = count * listed[entries]
    return parts
