"""Forecast: how wide an interval so many judgments will give, before anybody judges and on the way."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from stagg.errors import bare, plural
from stagg.evaluation.significance import Estimate
from stagg.judging.estimate import Difference, Scope, leave
from stagg.judging.pair_plan import NOBODY, JudgingPlan, PairPlan
from stagg.judging.units import Contrast
from stagg.judging.verdict import FIRST_LOOK

__all__ = ["COUNTS", "JudgingForecast", "count_to_decide", "forecast", "half_width", "list_points"]

ALIKE: Final = 1.4
"""How much more queries differ than if the gains of their documents were independent; .6 to 4 in these collections."""
MIDDLING: Final = 0.4
"""The mean gain of a document before anybody judged; .16 to .82 in these collections."""
COUNTS: Final = (50, 100, 200)
STEPS: Final = 60  # numbers of judgments that are tried when asking which one decides


@dataclasses.dataclass(frozen=True)
class JudgingForecast:
    """The forecast of one comparison: how many documents can change it, and the half width of its 95 % interval.

    ``widths``: {judgments in all: half width}; with several comparisons the judgments are shared. ``least``: the
    smallest difference that the last of them can decide, at 98 %.
    """

    a: str
    b: str
    documents: int
    touched: int
    queries: int
    widths: Mapping[int, float]
    least: float
    shared: bool = False

    @property
    def text(self) -> str:
        """The forecast in sentences."""
        pair = f"{bare(self.a)} and {bare(self.b)}"
        if not self.documents:
            return f"{pair} place the same documents alike in {_all_of(self.queries)}: there is nothing to judge."
        of = "queries" if self.touched > 1 else "query"
        differ = f"{pair} differ in {plural(self.documents, 'document')} of {self.touched:,} {of}"
        if not self.widths:
            return f"{differ}: judge them all, and the difference on these queries is known."
        parts = [f"{count} ±{width:.2g}" for count, width in self.widths.items()]
        parts[0] = parts[0].replace(" ", f" judgments{' in all' * self.shared} will give about ", 1)
        last = max(self.widths)
        return f"{differ}. {', '.join(parts)}. A difference below {self.least:.2g} cannot be shown with {last}."

    def to_row(self) -> dict[str, object]:
        """The forecast as data."""
        widths = [{"judgments": count, "half_width": width} for count, width in self.widths.items()]
        return dataclasses.asdict(self) | {"widths": widths}


def forecast(plan: JudgingPlan, number: int, a: str, b: str, scope: Scope, spread: float) -> JudgingForecast:
    """The forecast of comparison ``number`` of a plan; ``spread``: see :func:`half_width`."""
    own = plan.plans[number]
    counts = [count for count in COUNTS if count < len(plan)]
    points = list_points(plan, counts)
    widths = {count: half_width(own, at, scope=scope, spread=spread) for count, at in zip(counts, points, strict=True)}
    least = half_width(own, points[-1], scope=scope, spread=spread, level=0.98) if counts else 0.0
    contrast = own.contrast
    return JudgingForecast(
        a, b, len(contrast), contrast.touched, len(contrast.queries), widths, least, shared=len(plan.plans) > 1
    )


def list_points(plan: JudgingPlan, counts: list[int]) -> list[int]:
    """How many points of a plan so many judgments are enough for, from its beginning."""
    nobody = np.zeros(len(plan), dtype=bool)
    return [plan.extend(0, count, nobody).points for count in counts]


def half_width(
    plan: PairPlan,
    points: int,
    *,
    scope: Scope,
    spread: float,
    between: float | None = None,
    level: float = 0.95,
) -> float:
    """The expected half width of the interval by the first ``points`` of a plan.

    ``spread``: the standard deviation of a gain; ``between``: the variance of the mean over queries like these, were
    all documents judged; see ``_guess_between``.
    """
    contrast, queries = plan.contrast, len(plan.contrast.queries)
    if points < 2 or (scope == "future" and queries < 2):
        return math.inf
    units = np.unique(np.concatenate(plan.pairs(points)))
    seen = np.abs(contrast.weight[units[units != NOBODY]])
    share = float(seen.sum()) / sum(plan.masses)
    sampling = spread**2 * sum(mass**2 for mass in plan.masses) / points
    variance, degrees = sampling * leave(share), points - 1
    if scope == "future":
        floor = _guess_between(contrast, spread) if between is None else between
        variance, degrees = max(sampling, sampling * (1 - share) + floor), min(degrees, queries - 1)
    return Estimate(0.0, math.sqrt(variance), degrees, queries).upper((1 + level) / 2)


def _guess_between(contrast: Contrast, spread: float) -> float:
    """The variance of the mean over queries like these before anybody judged.

    It is ALIKE times that of documents whose gains are independent, and what a mean gain adds where the lists of a
    query differ in length.
    """
    lacking = contrast.sums(contrast.weight)
    return ALIKE * spread**2 * float((contrast.weight**2).sum()) + len(lacking) * MIDDLING**2 * float(
        lacking.var(ddof=1)
    )


def count_to_decide(plan: JudgingPlan, number: int, found: Difference, scope: Scope, level: float) -> int | None:
    """About how many judgments would decide, were the difference as it looks; None where none would.

    Judgments are those of this comparison, more than there are. For these queries all documents of the comparison
    decide in any case; that is not counted as an answer.
    """
    own, gap = plan.plans[number], abs(found.value)
    if gap <= 0 or found.exact:
        return None
    first = max(found.judgments + 1, FIRST_LOOK)  # before, nothing is decided
    if first > len(plan):
        return None
    between = found.between if scope == "future" else None
    if between is not None and _floor(own, between, level) >= gap:
        return None
    nobody = np.zeros(len(plan), dtype=bool)
    for count in np.unique(np.geomspace(first, len(plan), STEPS).round().astype(int)).tolist():
        points = plan.extend(0, count, nobody).points  # one by one: of many documents, the last take long
        mine = count if len(plan.plans) == 1 else _count_documents(own, points)
        if mine < first:
            continue
        if half_width(own, points, scope=scope, spread=found.spread, between=between, level=level) < gap:
            return int(mine)
    return None


def _floor(plan: PairPlan, between: float, level: float) -> float:
    """The half width that is left where all documents are judged, for queries like these."""
    queries = len(plan.contrast.queries)
    return Estimate(0.0, math.sqrt(between), queries - 1, queries).upper((1 + level) / 2)


def _count_documents(plan: PairPlan, points: int) -> int:
    """How many documents the first points of one comparison name."""
    units = np.unique(np.concatenate(plan.pairs(points)))
    return int((units != NOBODY).sum())


def _all_of(queries: int) -> str:
    return "the only query" if queries == 1 else f"all {queries:,} queries"
