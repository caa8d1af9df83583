"""PosFuse, SlideFuse and MAPFuse: the worth of a place in a ranker's list, by itself, by its neighbours, by MAP."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray
from stagg.kernels.lists.relevance import sum_precisions
from stagg.learning.base import Lesson, one_measure
from stagg.learning.places.place_tables import (
    MOST_PLACES,
    PlaceLearner,
    Rows,
    Study,
    TableModel,
    as_rows,
    choose,
    study,
)
from stagg.measures import judge
from stagg.registry import whole_number

__all__ = ["MapFuse", "MapFuseModel", "PosFuse", "PosFuseModel", "SlideFuse", "SlideFuseModel"]

WIDEST_WINDOW = 100


def _place_probabilities(seen: Study) -> Rows:
    """P_k(p): of the lists of ranker k that reach place p, the share with a relevant item there."""
    rankings = seen.rankings
    hits, reach = sum_precisions(
        seen.hits, rankings.entry_lists, rankings.positions, rankings.list_rankers, seen.shape, None
    )
    return as_rows(hits / np.maximum(reach, 1.0), reach)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PosFuse(PlaceLearner):
    """PosFuse: a place of a ranker's list is worth how often the item there was relevant in training.

    Score = Σ_k w_k P_k(rank_k); P_k(r) is the share of lists with a relevant item at rank r, of those that are long
    enough. A rank that no list reached in training is worth 0.

    See :class:`PlaceLearner` for ``rel``.

    Reference: Lillis, Zhang, Toolan, Collier, Leonard & Dunnion, "Estimating probabilities for effective data fusion",
    SIGIR 2010.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_runs({"x": {"1": {"a": 2, "b": 1}, "2": {"c": 2}}})
    >>> PosFuse().fit(runs, Labels({"1": {"a": 1, "b": 1}, "2": {"a": 1}})).values
    ((0.5, 1.0),)
    """

    name = "posfuse"

    def learn(self, lesson: Lesson) -> PosFuseModel:
        seen = study(self, lesson)
        facts = (("queries", len(seen.rankings)), ("places", seen.shape[1]))
        values = _place_probabilities(seen)
        return PosFuseModel(learner=repr(self), rankers=seen.rankings.rankers, values=values, training=facts)


class PosFuseModel(TableModel):
    """Gives an item the probability of its place."""

    name = "posfuse"
    kind = "posfuse"

    def gains(self, rankings: Rankings) -> FloatArray:
        return self.look_up(rankings, rankings.positions)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SlideFuse(PlaceLearner):
    """SlideFuse: a place is worth the mean of the probabilities of the places around it.

    Score = Σ_k w_k × the mean of P_k (see ``posfuse``) over the ranks from rank_k - ``window`` to rank_k + ``window``,
    as far as the list goes. It makes up for places in which no relevant item happened to stand in training.

    Without ``window`` the best of 1 to 100 is taken, by the mean of ``measure`` on the validation part, or on the
    training queries where there is none (as ranx's ``optimize_fusion``).

    See :class:`PlaceLearner` for ``rel``.

    Reference: Lillis, Toolan, Collier & Dunnion, "Extending probabilistic data fusion using sliding windows",
    ECIR 2008.
    """

    name = "slidefuse"
    also_called: ClassVar[dict[str, str]] = {"w": "window"}

    window: int | None = None
    measure: str = "ndcg@10"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_measure(self, self.measure)
        if self.window is not None:
            whole_number("slidefuse: window", self.window, least=0, most=MOST_PLACES)

    def learn(self, lesson: Lesson) -> SlideFuseModel:
        seen = study(self, lesson)
        values = _place_probabilities(seen)
        facts: tuple[tuple[str, Any], ...] = (("queries", len(seen.rankings)),)
        if self.window is not None:
            return self._model(seen, values, self.window, (*facts, ("window", self.window)))
        longest = seen.shape[1]  # windows as wide as the longest list, or wider, are all the same: 100 stands for them
        tries = [*range(1, min(longest, WIDEST_WINDOW)), WIDEST_WINDOW]
        best, model, mean = choose(self, lesson, self.measure, tries, lambda width: self._model(seen, values, width))
        more = (("measure", self.measure), mean, ("window", best))
        return dataclasses.replace(model, training=(*facts, *more))

    def _model(self, seen: Study, values: Rows, window: int, facts: tuple[tuple[str, Any], ...] = ()) -> SlideFuseModel:
        return SlideFuseModel(
            learner=repr(self), rankers=seen.rankings.rankers, window=window, values=values, training=facts
        )


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SlideFuseModel(TableModel):
    """Gives an item the mean probability of the places around its own."""

    name = "slidefuse"
    kind = "slidefuse"
    options: ClassVar[tuple[str, ...]] = ("window",)

    window: int

    def gains(self, rankings: Rankings) -> FloatArray:
        last = rankings.list_lengths[rankings.entry_lists] - 1
        low = np.maximum(rankings.positions - self.window, 0)
        high = np.minimum(rankings.positions + self.window, last)
        sums = tuple((0.0, *np.cumsum(row).tolist()) for row in self.values)
        ends = np.array([len(row) for row in self.values])[self.owners(rankings)][rankings.entry_lists]
        total = self.look_up(rankings, np.minimum(high + 1, ends), sums)
        total -= self.look_up(rankings, np.minimum(low, ends), sums)
        means: FloatArray = total / (high - low + 1)
        return means


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MapFuse(PlaceLearner):
    """MAPFuse: Σ_k w_k MAP_k / rank_k, MAP_k the mean average precision of ranker k in training.

    The mean is over the labelled queries for which the ranker has a list.

    See :class:`PlaceLearner` for ``rel``. Reference: as for ``posfuse``.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    >>> MapFuse().fit(runs, Labels({"1": {"b": 1}})).values
    ((0.5,), (1.0,))
    """

    name = "mapfuse"

    def learn(self, lesson: Lesson) -> MapFuseModel:
        known = study(self, lesson).rankings
        measure = one_measure(self, f"map(rel={self.rel!r})")
        means = []
        for number in range(len(known.rankers)):
            alone = known.take_rankers([number])
            judged = judge(alone, lesson.labels, conventions=lesson.conventions, only_common=True)
            means.append((float(np.mean(measure.value(judged))) if len(judged) else 0.0,))
        facts = (("queries", len(known)), ("rankers", len(means)))
        return MapFuseModel(learner=repr(self), rankers=known.rankers, values=tuple(means), training=facts)


class MapFuseModel(TableModel):
    """Gives an item the mean average precision of the ranker, divided by the rank."""

    name = "mapfuse"
    kind = "mapfuse"

    def unbounded(self) -> str | None:
        return None

    def gains(self, rankings: Rankings) -> FloatArray:
        return self.look_up(rankings, np.zeros_like(rankings.positions)) / (rankings.positions + 1)
