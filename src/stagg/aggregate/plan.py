"""The plan of a fusion: method or model, weights, absence, depth, top, intervals, seed. Prepared once, run anywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypedDict

from stagg.aggregate.settings import keep_given
from stagg.aggregate.thresholds import (
    check_min_score,
    check_scale,
    drop_low_scores,
    keep_listed,
    leave_out_absent,
    scale_to_first,
)
from stagg.data.parts import empty_rankings, take_first, with_listed_items
from stagg.data.rankings import Rankings, Weights
from stagg.errors import InvalidParameter, shown
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import Scored
from stagg.methods.consensus import consensus, score_items
from stagg.registry import check_seed, whole_number

__all__ = [
    "DEFAULT_METHOD", "MANY_VOTERS", "MinScore", "Plan", "PlanOptions", "PlanResult", "PlanScores", "Progress", "Scale",
    "prepare",
]  # fmt: skip

DEFAULT_METHOD: Final = "rrf(c=60)"

Scale = Literal["first"]
"""Divisor of scores: the score of an item that is first in every list of its query."""

MinScore = float | Mapping[str, float]
"""The least score of an entry, for all rankers or by name."""

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, steps done, steps in all)."""

MANY_VOTERS: Final = 1000
"""The number of rankers of a query where there is no query; so many are as good as more."""

MOST: Final = 2**63 - 1  # of anything: an option beyond it means all, too


@dataclasses.dataclass(frozen=True)
class Plan:
    """Steps from rankings to a result, run by any engine: this process, parts of a file, Spark, a comparison, a report.

    Make one with :func:`prepare`, which checks every option. ``bind`` is the one way from rankings as they were given
    to those that a method sees: weights, then ``min_score`` and depth, then what the method itself makes of them, and
    rankers of weight 0 leave last.
    """

    method: Method
    weights: Weights | None = None
    depth: int | None = None
    top: int | None = None
    intervals: float | None = None
    draws: int | None = None
    seed: int = 0
    min_lists: int | None = None
    min_score: MinScore | None = None
    scale: Scale | None = None

    def weigh(self, rankings: Rankings) -> Rankings:
        """The rankings with the planned weights, every list cut to the planned least score and depth."""
        weighted = rankings if self.weights is None else rankings.with_weights(self.weights)
        if self.min_score is not None:  # it may name a ranker that failed, so these are left out later
            weighted = drop_low_scores(weighted, self.min_score)
        if weighted.absent:
            weighted = leave_out_absent(weighted)
        return weighted if self.depth is None else weighted.cut(self.depth)

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """The method to run and the rankings to run it on."""
        bound, weighted = self.method.bind(self.weigh(rankings))
        return bound, weighted.active()

    def score(self, rankings: Rankings) -> PlanScores:
        """The scores of all items, on the way to every consensus."""
        method, given = self.bind(rankings)
        return PlanScores(method, given, score_items(given, method))

    def fuse(self, rankings: Rankings, progress: Progress | None = None) -> PlanResult:
        """Carry it out."""
        method, given = self.bind(rankings)
        whole = consensus(given, method, name=self.method.tag)
        if self.method.extras:
            whole = whole.replace(extras=method.extra_columns(whole, given))
        if self.scale is not None:
            whole = scale_to_first(whole, given, method)
        kept = whole if self.min_lists is None else keep_listed(whole, given, self.min_lists)
        if self.intervals is None:
            return PlanResult(self, method, given, whole, kept, rankings)
        from stagg.aggregate.resampling import with_intervals

        sure = with_intervals(
            kept, given, method, level=self.intervals, draws=self.draws, seed=self.seed, k=self.top, progress=progress
        )
        return PlanResult(self, method, given, sure if kept is whole else whole, sure, rankings)

    def learn(self, parts: Iterable[Rankings]) -> Plan:
        """The plan after its method has seen all rankings, part by part: then the parts can be fused one by one."""
        return dataclasses.replace(self, method=self.method.learn_from(map(self.weigh, parts)))

    def conclude(self, evidence: Any) -> Plan:
        """The plan after its method has seen the evidence of all rankings, as :meth:`weigh` gives them."""
        return dataclasses.replace(self, method=self.method.conclude(evidence))

    def check_rankers(self, rankers: tuple[str, ...]) -> Rankings:
        """Say what is wrong with the weights, or which rankers a model does not know, before any work is done."""
        return self.method.bind(empty_rankings((), rankers).with_weights(self.weights))[1]

    @property
    def settings(self) -> dict[str, Any]:
        """The options that were given, by name; ``missing`` is told by the method's own text."""
        drawn = {} if self.intervals is None else {"intervals": self.intervals, "draws": self.draws, "seed": self.seed}
        return keep_given(
            weights=self.weights, depth=self.depth, top=self.top, min_lists=self.min_lists, min_score=self.min_score,
            scale=self.scale, **drawn,
        )  # fmt: skip

    @property
    def has_thresholds(self) -> bool:
        """Whether it drops items or scales scores, which asks for more than the scores of the method."""
        return not (self.min_lists is None and self.min_score is None and self.scale is None)

    @property
    def is_independent(self) -> bool:
        """Whether some queries can be fused without the others."""
        return "query_independence" not in self.method.broken_laws()

    @property
    def ignores_silent_rankers(self) -> bool:
        """Whether rankers without any list change nothing."""
        return not self.method.broken_laws().keys() & {"empty_ranker"}


class PlanScores(NamedTuple):
    """A plan carried out as far as the scores: ``method`` as it ran, and the ``rankings`` that it saw."""

    method: Method
    rankings: Rankings
    scored: Scored


@dataclasses.dataclass(frozen=True, eq=False)
class PlanResult:
    """A plan carried out: ``method`` as it ran, the ``rankings`` that it saw, and the whole ``consensus``.

    ``kept`` is the consensus of the items that enough lists hold; the numbers of its items are those of the rankings.
    ``given`` are the rankings as they came.
    """

    plan: Plan
    method: Method
    rankings: Rankings
    consensus: Rankings
    kept: Rankings
    given: Rankings

    def take_queries(self, queries: Sequence[str]) -> PlanResult:
        """The same for some queries only, in this order."""
        seen, fused, given = self.rankings, self.consensus, self.given
        return dataclasses.replace(
            self,
            rankings=seen.take_queries([seen.query_number(query) for query in queries]),
            consensus=fused.take_queries([fused.query_number(query) for query in queries]),
            kept=self.kept.take_queries([self.kept.query_number(query) for query in queries]),
            given=given.take_queries([given.query_number(query) for query in queries]),
        )

    @property
    def fewest_voters(self) -> int:
        """How many rankers have a list of the query that has the fewest."""
        return int(self.plan.weigh(self.given).active().voters.min(initial=MANY_VOTERS))

    @property
    def result(self) -> Rankings:
        """The consensus of the items that enough lists hold, cut to the first ``top`` if that was planned."""
        kept = self.kept if self.plan.min_lists is None else with_listed_items(self.kept)
        return kept if self.plan.top is None else take_first(kept, self.plan.top)


class PlanOptions(TypedDict, total=False):
    """The options of a plan as keyword arguments; :func:`stagg.fuse` says what each means."""

    missing: Missing | None
    weights: Weights | None
    depth: int | None
    top: int | None
    intervals: float | None
    draws: int | None
    seed: int
    min_lists: int | None
    min_score: MinScore | None
    scale: Scale | None


def prepare(
    method: str | Method = DEFAULT_METHOD,
    *,
    missing: Missing | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    top: int | None = None,
    intervals: float | None = None,
    draws: int | None = None,
    seed: int = 0,
    min_lists: int | None = None,
    min_score: MinScore | None = None,
    scale: Scale | None = None,
) -> Plan:
    """The plan of a fusion; wrong options are refused here, before any work is done.

    >>> prepare("borda", missing="below", depth=10).method
    borda(missing='below')
    """
    depth, top, min_lists = (
        None if value is None else min(whole_number(name, value, least=1), MOST)
        for name, value in (("depth", depth), ("top", top), ("min_lists", min_lists))
    )
    if draws is not None:
        whole_number("draws", draws, least=1)
    check_seed(seed)
    if intervals is not None and (not isinstance(intervals, int | float) or not 0 < intervals < 1):
        raise InvalidParameter(f"intervals must be a share of the draws between 0 and 1, not {shown(intervals)}")
    chosen = method_of(method).with_missing(missing)
    if min_score is not None:
        check_min_score(min_score)
    if scale is not None:
        check_scale(scale, chosen)
    return Plan(chosen, weights, depth, top, intervals, draws, seed, min_lists, min_score, scale)
