"""BayesFuse: the odds that an item is relevant, given its place in every list."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.relevance import count_hits, sum_precisions
from stagg.learning.base import Lesson, restore_numbers, restore_rows
from stagg.learning.places.place_tables import COMPAT, PlaceLearner, Study, TableModel, as_rows, study
from stagg.methods.base import Missing
from stagg.registry import one_of

__all__ = ["BayesFuse", "BayesFuseModel"]

LEVELS: Final = np.array([5, 10, 15, 20, 30, 100, 200, 500, 1000])
"""The ranks at which trec_eval reports precision; the last level is what follows."""
ONE_ITEM = 1.0  # how much the share of relevant items in general counts against what a level shows
LEAST = 0.001  # the probability that ranx takes for none


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BayesFuse(PlaceLearner):
    """BayesFuse: Σ_k w_k log [P(rank in k | relevant) / P(rank in k | not relevant)], from counts in training.

    Ranks count by level: 1-5, 6-10, 11-15, 16-20, 21-30, 31-100, 101-200, 201-500, 501-1000 and what follows; "not
    listed" is a level, too, so that its absence from a good list counts against an item. The candidates of the
    labelled queries are counted, and each level is pulled toward "says nothing" by the weight of one item. A level
    deeper than training went is worth what the deepest one is that it reached.

    ``compat="ranx"``: ranx 0.3.21 adds up log (P / (1 - P)), P the mean precision in the level over all lists, out of
    the full size of the level even where a list ends inside it, at least 0.001 where it is 0; not to be listed is worth
    log (0.001 / 0.999) whatever the ranker.

    See :class:`PlaceLearner` for ``rel``. Reference: Aslam & Montague, "Models for metasearch", SIGIR 2001.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b"], "y": ["c"]})
    >>> model = BayesFuse().fit(runs, Labels({"1": {"a": 1}}))
    >>> round(model.values[0][0], 4), round(model.unlisted_values[0], 4)
    (0.3438, -0.9555)
    """

    name = "bayesfuse"

    compat: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat is not None:
            one_of(self, "compat", COMPAT)

    def learn(self, lesson: Lesson) -> BayesFuseModel:
        seen = study(self, lesson)
        rankings = seen.rankings
        bins = _levels(rankings.positions)
        if self.compat == "ranx":
            values, unlisted = _odds_of_precision(seen, bins)
        else:
            relevant = (lesson.labels.aligned(rankings) >= self.rel).astype(float)
            values, unlisted = _likelihood_ratios(seen, bins, relevant)
        return BayesFuseModel(
            learner=repr(self),
            rankers=rankings.rankers,
            values=values,
            unlisted_values=tuple(unlisted.tolist()),
            training=(("queries", len(rankings)), ("levels", int(bins.max(initial=-1)) + 1)),
        )


def _levels(positions: IntArray) -> IntArray:
    """The level of each position, from 0."""
    found: IntArray = np.searchsorted(LEVELS, positions, side="right")
    return found


def _likelihood_ratios(
    seen: Study, bins: IntArray, relevant: FloatArray
) -> tuple[tuple[tuple[float, ...], ...], FloatArray]:
    """log P(level | relevant) / P(level | not): the odds in the level against the odds in general."""
    rankings, shape = seen.rankings, (seen.shape[0], len(LEVELS) + 1)
    hits, items = count_hits(seen.hits, rankings.entry_lists, bins, rankings.list_rankers, shape)
    by_query = np.bincount(rankings.item_queries, weights=relevant, minlength=len(rankings))
    lists = rankings.list_queries
    all_hits = np.bincount(rankings.list_rankers, weights=by_query[lists], minlength=shape[0])
    all_items = np.bincount(rankings.list_rankers, weights=rankings.sizes[lists], minlength=shape[0])
    general = (all_hits + 0.5) / (all_items + 1)
    listed = _ratios(hits, items, general[:, None])
    unlisted = _ratios(all_hits - hits.sum(axis=1), all_items - items.sum(axis=1), general)
    return as_rows(listed, items), unlisted


def _ratios(hits: FloatArray, items: FloatArray, general: FloatArray) -> FloatArray:
    share = (hits + ONE_ITEM * general) / (items + ONE_ITEM)
    found: FloatArray = np.log(share / (1 - share)) - np.log(general / (1 - general))
    return found


def _odds_of_precision(seen: Study, bins: IntArray) -> tuple[tuple[tuple[float, ...], ...], FloatArray]:
    """ranx's: log (P / (1 - P)), 0.001 added to what would be 0; the same for every ranker that does not list."""
    rankings, shape = seen.rankings, (seen.shape[0], len(LEVELS) + 1)
    widths = np.diff(LEVELS, prepend=0, append=LEVELS[-1] + 1)
    precision, _ = sum_precisions(seen.hits, rankings.entry_lists, bins, rankings.list_rankers, shape, widths)
    share = precision[:, : len(LEVELS)] / seen.lists[:, None]
    share = np.where(share == 0, LEAST, share)
    against = np.where(share == 1, LEAST, 1 - share)
    return as_rows(np.log(share / against)), np.full(shape[0], np.log(LEAST / (1 - LEAST)))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BayesFuseModel(TableModel):
    """Gives an item the log odds of its level in every list, and those of not being listed."""

    name = "bayesfuse"
    kind = "bayesfuse"
    honours: ClassVar[tuple[Missing, ...]] = ("below",)
    least_mass = 1.0

    unlisted_values: tuple[float, ...]

    def gains(self, rankings: Rankings) -> FloatArray:
        deepest = np.array([len(row) for row in self.values])[self.owners(rankings)][rankings.entry_lists] - 1
        return self.look_up(rankings, np.clip(_levels(rankings.positions), 0, np.maximum(deepest, 0)))

    def unlisted(self, rankings: Rankings) -> FloatArray:
        found: FloatArray = np.array(self.unlisted_values)[self.owners(rankings)]
        return found

    def content(self) -> dict[str, Any]:
        return super().content() | {"unlisted": dict(zip(self.rankers, self.unlisted_values, strict=True))}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> BayesFuseModel:
        values = restore_rows(content, "values", common["rankers"])
        unlisted = restore_numbers(content, "unlisted", common["rankers"])
        return cls(**common, values=values, unlisted_values=unlisted)
