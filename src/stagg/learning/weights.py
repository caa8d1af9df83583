"""Ranker weights tuned on labels: the first thing that people who fuse search results ask for."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, bare, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.ties import rank_scores
from stagg.learning.base import Learner, Lesson, Model, Step, Watch, mean_measure, one_measure, take_labelled
from stagg.learning.trust_prior import shrink, trust_weights
from stagg.measures import Conventions, judge
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import entry_gains
from stagg.methods.consensus import one_ranker, put_unlisted_last

__all__ = ["TunedWeights", "WeightedMethod"]

GRID = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0)
"""Weights that are tried for one ranker, relative to the others' start of 1."""

PASSES = 5
MOST_SECONDS = 600  # that the method of a model file may search
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
        self.parts = _parts(self.method, rankings)

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
        if self.method.puts_unlisted_last():
            scores = put_unlisted_last(scores, self.rankings)
        order, tied = rank_scores(scores, self.rankings.item_queries, len(self.rankings))
        fused = one_ranker(self.rankings, "trial", order, tied, scores[order])
        judged = judge(fused, self.labels, conventions=self.conventions, only_common=True, aligned=self.aligned)
        return float(np.mean(self.measure.value(judged)))

    def real_mean(self, model: WeightedMethod) -> float:
        """The mean that a model has on these queries, by the way that it is used."""
        method, weighted = model.weighted(self.rankings)
        return mean_measure(method, weighted, self.labels, self.measure, self.conventions, self.aligned)


def _parts(method: Method, rankings: Rankings) -> FloatArray:
    """parts[ranker, item] = what a ranker of weight 1 adds to the score of each item."""
    gains = entry_gains(method, rankings)
    if gains is None:
        raise InvalidParameter(f"{method!r} is not a weighted sum over the rankers")
    listed, rest = gains
    parts = np.zeros((len(rankings.rankers), len(rankings.items)))
    for number, ranker in enumerate(rankings.list_rankers.tolist()):
        query = rankings.list_queries[number]
        count = rankings.multiplicities[ranker]
        parts[ranker, slice(*rankings.item_offsets[query : query + 2])] = count * rest[number]
        entries = slice(*rankings.entry_offsets[number : number + 2])
        parts[ranker, rankings.entries[entries]] = count * listed[entries]
    return parts


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
        method, weighted = self.bind(rankings)
        return method.score(weighted)

    def tell_weights(self) -> str:
        """The weight of each ranker; one of weight 0 is left out.

        >>> WeightedMethod(learner="weights", rankers=("a", "b"), method="rrf", weights=(2.0, 0.0)).tell_weights()
        'a 2, b 0 (left out)'
        """
        pairs = zip(self.rankers, self.weights, strict=True)
        return ", ".join(f"{bare(name)} {weight:.4g}{'' if weight else ' (left out)'}" for name, weight in pairs)

    def content(self) -> dict[str, Any]:
        return {"method": self.method, "weights": dict(zip(self.rankers, self.weights, strict=True))}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> WeightedMethod:
        weights = tuple(float(content["weights"][name]) for name in common["rankers"])
        return cls(**common, method=repr(_restore_method(content["method"])), weights=weights)


def _restore_method(text: str) -> Method:
    """The method that a model file names, unless it may search for longer than anybody waits for a file's sake."""
    method = method_of(text)
    if getattr(method, "time_limit", 0.0) > MOST_SECONDS:
        raise DataError(f"its method may search for more than {MOST_SECONDS} s: {shown(text)}")
    return method
