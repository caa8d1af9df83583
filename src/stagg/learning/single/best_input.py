"""Best single input: the baseline that every fusion has to beat."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import bare
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import Learner, Lesson, Model, mean_measure, one_measure, take_labelled

__all__ = ["BestInput", "OneRanker"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BestInput(Learner):
    """The one ranker with the best mean measure over the labelled queries; what it does not list comes after.

    Of equal rankers the first in the order of their names is taken.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    >>> BestInput().fit(runs, Labels({"1": {"b": 1}})).ranker
    'y'
    """

    name = "best_input"

    measure: str = "ndcg@5"

    def __post_init__(self) -> None:
        one_measure(self, self.measure)

    def learn(self, lesson: Lesson) -> OneRanker:
        known = take_labelled(lesson.rankings, lesson.labels)
        measure, aligned = one_measure(self, self.measure), lesson.labels.aligned(known)
        means = []
        for ranker in known.rankers:
            model = OneRanker(learner=repr(self), rankers=known.rankers, ranker=ranker)
            means.append(mean_measure(model, known, lesson.labels, measure, lesson.conventions, aligned))
        best = int(np.argmax(means))
        facts = (("queries", len(known)), ("measure", self.measure), ("mean", means[best]))
        return OneRanker(learner=repr(self), rankers=known.rankers, ranker=known.rankers[best], training=facts)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class OneRanker(Model):
    """The list of one ranker, as it is; what it does not hold follows, tied."""

    name = "best_input"
    kind = "best_input"
    weighs = False
    tie_rule = "exact"

    ranker: str

    def tell_rankers(self) -> list[str]:
        return [f"the best input is {bare(self.ranker)}"]

    def score(self, rankings: Rankings) -> FloatArray:
        self.check_rankers(rankings)
        scores = np.zeros(len(rankings.items))
        if self.ranker not in rankings.rankers:
            return scores
        mine = rankings.list_rankers[rankings.entry_lists] == rankings.rankers.index(self.ranker)
        lengths = rankings.list_lengths[rankings.entry_lists[mine]]
        scores[rankings.entries[mine]] = lengths - rankings.mean_positions[mine]
        return scores

    def puts_unlisted_last(self) -> bool:
        return False  # what this ranker does not hold is tied, whether others hold it or not

    def content(self) -> dict[str, Any]:
        return {"ranker": self.ranker}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> OneRanker:
        return cls(**common, ranker=str(content["ranker"]))
