"""Ensemble of learners: the sum of their scores, each brought to one scale query by query."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.learning.base import Learner, Lesson, Model, Watch, one_measure
from stagg.learning.examples import Examples
from stagg.learning.grids import family
from stagg.learning.linear.descent import hold
from stagg.learning.linear.feature_model import FeatureModel
from stagg.learning.linear.linear_learner import LinearLearner
from stagg.learning.trees.boosted_trees import BoostedTrees
from stagg.methods.base import in_range
from stagg.registry import split_list

__all__ = ["Ensemble", "EnsembleModel", "standardise"]

MEMBERS = (
    "lambdamart; lambdamart(features='raw'); "
    "lambdamart(leaves=8, trees=500); lambdamart(features='raw', leaves=8, trees=500); "
    "stagg_ndcg(features='svd'); stagg_ndcg(features='ranks'); stagg_ndcg(features='raw')"
)
"""Trees and linear models on three feature maps: chosen on validation parts of LETOR (docs/supervised.md)."""

MOST = 8  # members: all their 255 subsets are tried
SMALLEST = 1e-12  # a spread below this share of the largest score is rounding


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Ensemble(Learner):
    """Several learners, whose scores are added after each was brought to mean 0 and spread 1 within a query.

    Models that err in different ways are better together: trees find what a sum cannot say, linear models hold where
    data are few. ``members`` are learners on features, separated by semicolons. Each is trained on its own, and stops
    by ``measure`` where its text names no other. All are kept, unless some of them are clearly better alone: with a
    validation part every subset is tried there, and the best one is taken if it beats all members together by more
    than ``margin`` standard errors of the paired difference. The plain best subset would fit the noise.

    The model is one file. Needs LightGBM, unless the members are linear.
    """

    name = "ensemble"

    members: str = MEMBERS
    measure: str = "ndcg@10"
    margin: float = 3.0

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        in_range(self, "margin", 0)
        self.learners()

    def learners(self) -> list[Learner]:
        """The members, in the order of their texts."""
        from stagg.learning import LEARNERS

        if not isinstance(self.members, str):
            raise InvalidParameter(
                f"ensemble: members is {shown(self.members)}; it must be a text such as 'lambdamart; stagg_ndcg'"
            )
        found: list[Learner] = []
        for text in split_list(self.members):
            several = family(LEARNERS, text, measure=self.measure)
            if len(several) != 1 or not isinstance(several[0], LinearLearner | BoostedTrees):
                raise InvalidParameter(
                    f"ensemble: {shown(text)} cannot be a member; members are learners on features, such as "
                    "'lambdamart' and 'stagg_ndcg', one setting each"
                )
            found += several
        if not 1 <= len(found) <= MOST or len(set(found)) != len(found):
            raise InvalidParameter(f"ensemble: there must be 1 to {MOST} members, all different")
        return found

    def learn(self, lesson: Lesson) -> EnsembleModel:
        known = Examples.of(lesson.rankings, lesson.labels, None, conventions=lesson.conventions)
        models = self._fit(lesson)
        held = hold(lesson, known)
        facts: list[tuple[str, Any]] = [("queries", len(known)), ("trained", len(models))]
        if held is not None:
            models, mean = self._choose(models, held)
            facts += [("measure", self.measure), ("validation", mean)]
        facts[2:2] = [("kept", len(models))]
        rankers = known.rankings.rankers
        return EnsembleModel(learner=repr(self), rankers=rankers, members=tuple(models), training=tuple(facts))

    def _fit(self, lesson: Lesson) -> list[FeatureModel]:
        """A model of every member; of fewer when the watch asked to stop."""
        watch, models = _Ask(lesson.watch), []
        for learner in self.learners():
            model = learner.learn(lesson._replace(watch=None if lesson.watch is None else watch))
            assert isinstance(model, FeatureModel)
            models.append(model)
            if watch.stopped:
                break
        return models

    def _choose(self, models: list[FeatureModel], held: Examples) -> tuple[list[FeatureModel], float]:
        """All models, or the subset that is clearly better on the validation part; and the mean there."""
        parts, measure = [_standard_scores(model, held.rankings) for model in models], one_measure(self, self.measure)
        numbers = range(len(models))
        subsets = [s for size in range(len(models), 0, -1) for s in itertools.combinations(numbers, size)]
        values = np.array([held.values(_add([parts[number] for number in subset]), measure) for subset in subsets])
        best = int(np.argmax(values.mean(axis=1)))
        gain = values[best] - values[0]  # the first subset is all of them
        if gain.mean() <= self.margin * gain.std() / max(len(gain) - 1, 1) ** 0.5:
            best = 0
        return [models[number] for number in subsets[best]], float(values[best].mean())


class _Ask:
    """A watch that remembers that it was asked to stop."""

    def __init__(self, watch: Watch | None) -> None:
        self.watch, self.stopped = watch, False

    def __call__(self, step: Any) -> bool:
        self.stopped = self.watch is not None and self.watch(step)
        return self.stopped


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class EnsembleModel(Model):
    """The sum of the scores of some models, each with mean 0 and spread 1 within a query."""

    name = "ensemble"
    kind = "ensemble"
    weighs = False

    members: tuple[FeatureModel, ...]

    def score(self, rankings: Rankings) -> FloatArray:
        self.check_rankers(rankings)
        self.members[0].check_lengths(rankings)
        return _add([_standard_scores(member, rankings) for member in self.members])

    @property
    def learned(self) -> str:
        """The members that were kept, by their texts."""
        return " + ".join(member.learner for member in self.members)

    def content(self) -> dict[str, Any]:
        from stagg.learning.model_files import describe_model

        return {"members": [describe_model(member) for member in self.members]}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> EnsembleModel:
        from stagg.learning.model_files import restore_model

        if any(body["kind"] == cls.kind for body in content["members"]):
            raise DataError("an ensemble cannot be a member of an ensemble")
        members = tuple(restore_model(body) for body in content["members"])
        if not members or not all(isinstance(member, FeatureModel) for member in members):
            raise DataError("its members are not models on features")
        if any(member.rankers != common["rankers"] for member in members):
            raise DataError("its members do not know the same rankers")
        return cls(**common, members=tuple(member for member in members if isinstance(member, FeatureModel)))


def _standard_scores(model: FeatureModel, rankings: Rankings) -> FloatArray:
    return standardise(model.score_unchecked(rankings), rankings.item_queries, rankings.item_offsets)


def _add(parts: Sequence[FloatArray]) -> FloatArray:
    """The sum, one part after another: the same bits for one query and for many."""
    total = np.zeros(len(parts[0]))
    for part in parts:
        total += part
    return total


def standardise(scores: FloatArray, queries: IntArray, offsets: IntArray) -> FloatArray:
    """(score - mean) / standard deviation within each query; 0 where all items of a query have the same score.

    The scores of a query are added in their own order, so that the order of the items does not change a bit.

    >>> standardise(np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 0, 1, 1]), np.array([0, 2, 4]))
    array([-1.,  1.,  0.,  0.])
    """
    sizes = np.diff(offsets)
    kept, starts = sizes[sizes > 0], offsets[:-1][sizes > 0]
    if not len(kept):
        return np.zeros(0)
    order = np.lexsort((scores, queries))
    largest = np.maximum.reduceat(np.abs(scores), starts)
    ordered = scores[order] / np.repeat(np.where(largest > 0, largest, 1.0), kept)  # no square can be too large
    centred = ordered - np.repeat(np.add.reduceat(ordered, starts) / kept, kept)
    spread = np.sqrt(np.add.reduceat(centred**2, starts) / kept)
    centred /= np.repeat(np.where(spread > SMALLEST, spread, np.inf), kept)
    found = np.empty(len(scores))
    found[order] = centred
    return found
