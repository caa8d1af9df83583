"""The plan of a fusion: method or model, weights, absence, depth, top, intervals, seed. Prepared once, run anywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypedDict

from stagg.data.parts import empty_rankings
from stagg.data.rankings import Rankings, Weights
from stagg.errors import InvalidParameter, shown
from stagg.methods import Method, Missing, method_of
from stagg.methods.consensus import consensus
from stagg.registry import whole_number

__all__ = ["DEFAULT_METHOD", "Plan", "PlanOptions", "PlanResult", "Progress", "prepare"]

DEFAULT_METHOD: Final = "rrf(c=60)"

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, steps done, steps in all)."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is done to rankings, whatever runs it: this process, parts of a file, Spark, a comparison, a report.

    Make one with :func:`prepare`, which checks every option. ``bind`` is the one way from rankings as they were given
    to those that a method sees: weights, then depth, then what the method itself makes of them, and rankers of weight
    0 leave last.
    """

    method: Method
    weights: Weights | None = None
    depth: int | None = None
    top: int | None = None
    intervals: float | None = None
    draws: int | None = None
    seed: int = 0

    def weigh(self, rankings: Rankings) -> Rankings:
        """The rankings with the planned weights, every list cut to the planned depth."""
        weighted = rankings if self.weights is None else rankings.with_weights(self.weights)
        return weighted if self.depth is None else weighted.cut(self.depth)

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """The method to run and the rankings to run it on."""
        bound, weighted = self.method.bind(self.weigh(rankings))
        return bound, weighted.active()

    def fuse(self, rankings: Rankings, progress: Progress | None = None) -> PlanResult:
        """Carry it out."""
        method, given = self.bind(rankings)
        result = consensus(given, method, name=self.method.tag)
        if self.intervals is not None:
            from stagg.aggregate.resampling import with_intervals

            result = with_intervals(
                result, given, method, level=self.intervals, draws=self.draws, seed=self.seed, k=self.top,
                progress=progress,
            )  # fmt: skip
        return PlanResult(self, method, given, result)

    def learn(self, parts: Iterable[Rankings]) -> Plan:
        """The plan after its method has seen all rankings, part by part: then the parts can be fused one by one."""
        return dataclasses.replace(self, method=self.method.learn_from(map(self.weigh, parts)))

    def check_rankers(self, rankers: tuple[str, ...]) -> Rankings:
        """Say what is wrong with the weights, or which rankers a model does not know, before any work is done."""
        return self.method.bind(empty_rankings((), rankers).with_weights(self.weights))[1]

    @property
    def is_independent(self) -> bool:
        """Whether some queries can be fused without the others."""
        return "query_independence" not in self.method.breaks


@dataclasses.dataclass(frozen=True, eq=False)
class PlanResult:
    """A plan carried out: ``method`` as it ran, the ``rankings`` that it saw, and the whole ``consensus``."""

    plan: Plan
    method: Method
    rankings: Rankings
    consensus: Rankings

    def take_queries(self, queries: Sequence[str]) -> PlanResult:
        """The same for some queries only, in this order."""
        seen, fused = self.rankings, self.consensus
        return dataclasses.replace(
            self,
            rankings=seen.take_queries([seen.query_number(query) for query in queries]),
            consensus=fused.take_queries([fused.query_number(query) for query in queries]),
        )

    @property
    def result(self) -> Rankings:
        """The consensus, cut to the first ``top`` if that was planned."""
        return self.consensus if self.plan.top is None else self.consensus.cut(self.plan.top)


class PlanOptions(TypedDict, total=False):
    """The options of a plan as keyword arguments; :func:`stagg.fuse` says what each means."""

    missing: Missing | None
    weights: Weights | None
    depth: int | None
    top: int | None
    intervals: float | None
    draws: int | None
    seed: int


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
) -> Plan:
    """The plan of a fusion; wrong options are refused here, before any work is done.

    >>> prepare("borda", missing="below", depth=10).method
    borda(missing='below')
    """
    for name, value in (("depth", depth), ("top", top), ("draws", draws)):
        if value is not None:
            whole_number(name, value, least=1)
    if seed:
        whole_number("seed", seed, least=0)
    if intervals is not None and (not isinstance(intervals, int | float) or not 0 < intervals < 1):
        raise InvalidParameter(f"intervals must be a share of the draws between 0 and 1, not {shown(intervals)}")
    chosen = method_of(method).with_missing(missing)
    return Plan(chosen, weights, depth, top, intervals, draws, seed)
