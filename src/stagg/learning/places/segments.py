"""ProbFuse and SegFuse: how often the items of a segment of a ranker's lists are relevant."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.relevance import sum_precisions
from stagg.learning.base import Lesson, one_measure
from stagg.learning.places.place_tables import (
    MOST_PLACES,
    PlaceLearner,
    Study,
    TableModel,
    as_rows,
    check_norm,
    choose,
    pick_norm,
    study,
)
from stagg.methods.positional.comb import CombSUM
from stagg.registry import whole_number

__all__ = ["ProbFuse", "ProbFuseModel", "SegFuse", "SegFuseModel"]

MOST_SEGMENTS = 100
MOST_SIZES = 40  # segments of growing size: no list is longer than these


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ProbFuse(PlaceLearner):
    """ProbFuse: every list in equal segments; a segment is worth its precision in training, divided by its number.

    Score = Σ_k w_k P_k(s) / s, s the segment of the item in the list of ranker k, from 1. A list of L items is cut into
    ``segments`` parts of ceil(L / segments) items. P_k(s) is the mean, over the lists of ranker k, of the share of
    relevant items in segment s; a list too short to have that segment counts 0.

    Without ``segments`` the best of 1 to 100 is taken, by the mean of ``measure`` on the validation part, or on the
    training queries where there is none (as ranx's ``optimize_fusion``; the paper recommends 25).

    See :class:`PlaceLearner` for ``rel``.

    Reference: Lillis, Toolan, Collier & Dunnion, "ProbFuse: a probabilistic approach to data fusion", SIGIR 2006.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b", "c", "d"], "y": ["d", "a"]})
    >>> ProbFuse(segments=2).fit(runs, Labels({"1": {"a": 1, "d": 1}})).values
    ((0.5, 0.5), (1.0, 1.0))
    """

    name = "probfuse"

    segments: int | None = None
    measure: str = "ndcg@10"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_measure(self, self.measure)
        if self.segments is not None:
            whole_number("probfuse: segments", self.segments, least=1, most=MOST_PLACES)

    def learn(self, lesson: Lesson) -> ProbFuseModel:
        seen = study(self, lesson)
        facts: tuple[tuple[str, Any], ...] = (("queries", len(seen.rankings)),)
        if self.segments is not None:
            return self._model(seen, self.segments, (*facts, ("segments", self.segments)))
        longest = seen.shape[1]  # as many segments as places, or more, are all the same: 100 stands for them
        tries = [*range(1, min(longest, MOST_SEGMENTS)), MOST_SEGMENTS]
        best, model, mean = choose(self, lesson, self.measure, tries, lambda number: self._model(seen, number))
        more = (("measure", self.measure), mean, ("segments", best))
        return dataclasses.replace(model, training=(*facts, *more))

    def _model(self, seen: Study, segments: int, facts: tuple[tuple[str, Any], ...] = ()) -> ProbFuseModel:
        rankings = seen.rankings
        bins = _equal_segments(rankings, segments)
        shape = (seen.shape[0], int(bins.max(initial=-1)) + 1)
        precision, reach = sum_precisions(seen.hits, rankings.entry_lists, bins, rankings.list_rankers, shape, None)
        values = as_rows(precision / seen.lists[:, None], reach)
        return ProbFuseModel(
            learner=repr(self), rankers=rankings.rankers, segments=segments, values=values, training=facts
        )


def _equal_segments(rankings: Rankings, segments: int) -> IntArray:
    """The segment of each entry, from 0."""
    sizes = -(-rankings.list_lengths // segments)
    return rankings.positions // sizes[rankings.entry_lists]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ProbFuseModel(TableModel):
    """Gives an item the probability of its segment, divided by the number of the segment."""

    name = "probfuse"
    kind = "probfuse"
    options: ClassVar[tuple[str, ...]] = ("segments",)

    segments: int

    def gains(self, rankings: Rankings) -> FloatArray:
        bins = _equal_segments(rankings, self.segments)
        return self.look_up(rankings, bins) / (bins + 1)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SegFuse(PlaceLearner):
    """SegFuse: lists in segments that grow, 5, 15, 35, 75, ... items; a segment is worth its precision in training.

    Score = Σ_k w_k P_k(s) (1 + score_k), with the score of the item normalised by ``norm`` (as in ``combsum``; without
    it, "min-max" where the rankings have scores, else "rank"). Segment s has 10 · 2^(s-1) - 5 items. P_k(s) is the
    mean, over the lists of ranker k, of the share of relevant items in segment s, out of those that the list has there;
    a list that ends before it counts 0.

    ``compat="ranx"``: ranx 0.3.21 takes 10 · 2^(s-1) - 5 for where segment s ends, so its segments have 5, 10, 20, 40,
    ... items, ten of them; it divides by the full size of a segment where a list ends inside it.

    See :class:`PlaceLearner` for ``rel``.

    Reference: Shokouhi, "Segmentation of search engine results for effective data-fusion", ECIR 2007.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_scores({"x": {"a": 9, "b": 8, "c": 7, "d": 6, "e": 5, "f": 4}})
    >>> SegFuse().fit(runs, Labels({"1": {"a": 1, "f": 1}})).values
    ((0.2, 1.0),)
    """

    name = "segfuse"

    norm: str | None = None
    compat: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_norm(self, self.norm, self.compat)

    def learn(self, lesson: Lesson) -> SegFuseModel:
        seen = study(self, lesson)
        rankings, ends = seen.rankings, _growing_ends(self.compat)
        bins = np.searchsorted(ends, rankings.positions, side="right")
        widths = None if self.compat is None else np.diff(ends, prepend=0, append=ends[-1] + 1)
        precision, reach = sum_precisions(
            seen.hits, rankings.entry_lists, bins, rankings.list_rankers, (seen.shape[0], len(ends) + 1), widths
        )
        table = (precision / seen.lists[:, None])[:, : len(ends)]
        return SegFuseModel(
            learner=repr(self),
            rankers=rankings.rankers,
            norm=pick_norm(self.norm, rankings),
            compat=self.compat,
            values=as_rows(table, reach[:, : len(ends)]),
            training=(("queries", len(rankings)), ("segments", int(bins.max(initial=-1)) + 1)),
        )


def _growing_ends(compat: str | None) -> IntArray:
    """The place at which each segment ends."""
    if compat == "ranx":
        return 10 * 2 ** np.arange(10) - 5
    return np.cumsum(10 * 2 ** np.arange(MOST_SIZES) - 5)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SegFuseModel(TableModel):
    """Gives an item the probability of its segment, times 1 + its normalised score."""

    name = "segfuse"
    kind = "segfuse"
    options: ClassVar[tuple[str, ...]] = ("norm", "compat")

    norm: str
    compat: str | None = None

    def gains(self, rankings: Rankings) -> FloatArray:
        bins = np.searchsorted(_growing_ends(self.compat), rankings.positions, side="right")
        return self.look_up(rankings, bins) * (1 + CombSUM(norm=self.norm, compat=self.compat).gains(rankings))
