"""How much of a result is judged: shares beside the measures, warnings, and which differences the pools explain.

Labels mostly come from pools: the first items of some rankers were judged, and nothing else. Items without a judgment
count as irrelevant, so a table favours those who were pooled. A difference between two rows is taken as shown only if
it is significant, with the same sign, in both extreme worlds: in that where no unjudged item is relevant, and in that
where every unjudged item among the first k of any row has the top grade. ``docs/proof.md`` has figures.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.evaluation.choices import shorten_names
from stagg.kernels.arrays import FloatArray
from stagg.measures import Asked, Judged, JudgedShare, Measure, judge
from stagg.measures.judged import take_judged
from stagg.measures.unjudged import (
    REACH,
    Unjudged,
    UnjudgedItems,
    are_uneven,
    check_unjudged,
    count_by_query,
    drop_unjudged,
    find_unjudged,
    share_judged,
    suppose_relevant,
    tell_shares,
    tell_uneven,
)

__all__ = ["Look", "Pool", "tell_bounds", "tell_explained", "tell_favoured", "tell_learners"]

EFFECT: Final = {
    "irrelevant": "Unjudged counts as irrelevant, so this table favours {most}",
    "skip": "Unjudged items are left out, so this table favours {least}",
    "bounds": "Unjudged counts as irrelevant, so the means favour {most}; the bounds show how far",
}


Counts = Mapping[int | None, Mapping[str, int]]
"""How many items without a judgment each query has, by depth."""


@dataclasses.dataclass(frozen=True, eq=False)
class Look:
    """A run as it was judged, whole or in one fold, and the items without a judgment that it shows, by depth."""

    judged: Judged
    unjudged: Mapping[int | None, UnjudgedItems]

    def take(self, queries: Sequence[str]) -> Look:
        """The same of some queries only."""
        chosen = set(queries)
        items = {
            depth: frozenset(pair for pair in found if pair[0] in chosen) for depth, found in self.unjudged.items()
        }
        return Look(take_judged(self.judged, queries), items)


class Pool:
    """Judgments behind a table: what each row has judged, and what its unjudged items could change.

    ``unjudged`` says what becomes of them in the table itself. The depth of a measure is its cut-off. Without one it
    is 10, and for "bounds", which are to hold, the whole list.
    """

    def __init__(self, measures: Sequence[Measure], unjudged: Unjudged) -> None:
        check_unjudged(unjudged)
        self.measures, self.unjudged = measures, unjudged

    def look(self, run: Rankings, labels: Labels, *, conventions: Any, aligned: Any = None, **options: Any) -> Look:
        """The run beside its labels; ``options`` are those of :func:`stagg.measures.judge`."""
        grades = labels.aligned(run) if aligned is None else aligned
        judged = judge(run, labels, conventions=conventions, aligned=grades, **options)
        depths = {self._depth(measure) for measure in self.measures if not measure.ignores_unjudged}
        items = {each: find_unjudged(run, labels, each, conventions=conventions, aligned=grades) for each in depths}
        return Look(judged, items)

    def values(self, look: Look) -> FloatArray:
        """values[measure, query], as the table shows them."""
        if self.unjudged != "skip":
            return _measure(self.measures, look.judged)
        condensed = drop_unjudged(look.judged)  # of which all is judged: judged@k would be 1
        return np.stack([each.value(look.judged if each.ignores_unjudged else condensed) for each in self.measures])

    def suppose(self, rows: Sequence[Sequence[Look]]) -> dict[str, list[list[FloatArray]]]:
        """values[measure, query] of all looks of all rows, if unjudged items were "relevant" or "irrelevant".

        Only the readings that the table does not show; nothing where all items are judged.
        """
        counts = _count_unjudged(look for looks in rows for look in looks)
        if not any(counts.values()):
            return {}
        readings = {"relevant": [[self._suppose(look.judged, counts) for look in looks] for looks in rows]}
        if self.unjudged == "skip":
            readings["irrelevant"] = [[_measure(self.measures, look.judged) for look in looks] for looks in rows]
        return readings

    def bound(self, rows: Sequence[Sequence[Look]]) -> dict[str, list[list[FloatArray]]]:
        """The "bound_low" and "bound_high" of values[measure, query] of all looks of all rows, where bounds are shown.

        The ends of four worlds: no unjudged item is relevant, all are, only those of the row itself, only the others.
        The last two matter to measures with an ideal list, which the items of other rows make longer.
        """
        counts = _count_unjudged(look for looks in rows for look in looks)
        if self.unjudged != "bounds" or not any(counts.values()):
            return {}
        worlds = [[np.stack(self._worlds(look, counts)) for look in looks] for looks in rows]
        ends = {"bound_low": np.min, "bound_high": np.max}
        return {name: [[end(each, axis=0) for each in looks] for looks in worlds] for name, end in ends.items()}

    def _worlds(self, look: Look, counts: Counts) -> list[FloatArray]:
        return [
            self.values(look),
            self._suppose(look.judged, counts),
            self._suppose(look.judged, _count_unjudged([look])),
            self._suppose(look.judged, counts, listed=False),
        ]

    def shares(self, looks: Sequence[Look]) -> list[dict[str, Any]]:
        """For each measure how much of a row is judged, and how far down: columns of its rows in the table."""
        judged = [look.judged for look in looks]
        reached = [None if each.ignores_unjudged else each.cutoff or REACH for each in self.measures]
        found = {reach: share_judged(judged, reach) for reach in set(reached) if reach is not None}
        return [{"judged": None if at is None else found[at], "judged_at": at} for at in reached]

    def query_shares(self, look: Look, measure: Measure) -> list[float | None]:
        """How much of each query's list is judged, down to the depth of a measure; None where that does not matter."""
        if measure.ignores_unjudged:
            return [None] * len(look.judged)
        shares = JudgedShare(cutoff=measure.cutoff or REACH).value(look.judged).tolist()
        return [share if size else None for share, size in zip(shares, look.judged.sizes, strict=True)]

    def _suppose(self, judged: Judged, counts: Counts, *, listed: bool = True) -> FloatArray:
        worlds = {depth: suppose_relevant(judged, each, depth, listed=listed) for depth, each in counts.items()}
        seen = [judged if each.ignores_unjudged else worlds[self._depth(each)] for each in self.measures]
        return np.stack([each.value(world) for each, world in zip(self.measures, seen, strict=True)])

    def _depth(self, measure: Measure) -> int | None:
        return measure.cutoff or (None if self.unjudged == "bounds" else REACH)


def _count_unjudged(looks: Iterable[Look]) -> Counts:
    """How many items without a judgment each query has, by depth; an item that several looks show counts once."""
    items: dict[int | None, set[tuple[str, str]]] = {}
    for look in looks:
        for depth, found in look.unjudged.items():
            items.setdefault(depth, set()).update(found)
    return {depth: count_by_query(found) for depth, found in items.items()}


def _measure(measures: Sequence[Measure], judged: Judged) -> FloatArray:
    return np.stack([measure.value(judged) for measure in measures])


def tell_favoured(rows: Sequence[Mapping[str, Any]], index: str, unjudged: Unjudged) -> list[str]:
    """A warning where the rows of a table are judged to different shares, by the depth where it is worst.

    >>> rows = [{"run": "bm25", "judged": 0.55, "judged_at": 10}, {"run": "dense", "judged": 0.26, "judged_at": 10}]
    >>> print(*tell_favoured(rows, "run", "irrelevant"))
    dense: 26 % of its first 10 are judged, bm25: 55 %. Unjudged counts as irrelevant, so this table favours bm25
    """
    shares: dict[int, dict[str, float]] = {}
    for row in rows:
        if row.get("judged") is not None:
            shares.setdefault(row["judged_at"], {})[row[index]] = row["judged"]
    uneven = {depth: of for depth, of in shares.items() if are_uneven(of)}
    if not uneven:
        return []
    depth, named = max(uneven.items(), key=lambda pair: max(pair[1].values()) - min(pair[1].values()))
    of = {short: named[name] for name, short in shorten_names(list(named)).items()}
    least, most = min(of, key=lambda name: of[name]), max(of, key=lambda name: of[name])
    return [f"{tell_shares(of, depth)}. {EFFECT[unjudged].format(most=most, least=least)}"]


def tell_bounds(rows: Sequence[Mapping[str, Any]], asked: Sequence[Asked], unjudged: Unjudged) -> list[str]:
    """A note on bounds that bound less than they seem to."""
    shown = {row["measure"] for row in rows if "mean_if_relevant" in row} if unjudged == "bounds" else set()
    names = [each.name for each in asked if each.measure.of_all and each.name in shown]
    return [
        f"{', '.join(names)}: relevant items that no row shows may lower the mean beyond the bounds; sdcg, p, rbp and "
        "err have bounds that hold"
    ] * bool(names)


def tell_learners(learners: Sequence[str], rankings: Rankings, labels: Labels) -> list[str]:
    """A warning where learners see rankers that are judged to different shares: they may learn who was pooled."""
    told = tell_uneven(rankings, labels) if learners else None
    if told is None:
        return []
    learned = "what it learned" if len(learners) == 1 else "what they learned"
    return [f"{', '.join(learners)}: {learned} may only say which rankers were judged. {told}"]


def tell_explained(rows: Sequence[Mapping[str, Any]], asked: Sequence[Asked], baseline: str) -> list[str]:
    """A warning on differences that are significant only because of what counts for unjudged items."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.get("unjudged_decides"):
            found.setdefault(row["method"], []).append(row["measure"])
    if not found:
        return []
    short = shorten_names([row["method"] for row in rows if row["measure"] == asked[0].name])
    names = [short[name] + (f" ({', '.join(of)})" if len(asked) > 1 else "") for name, of in found.items()]
    return [
        f"Not marked as different from {baseline}: {', '.join(names)}. Unjudged items could explain the difference: if "
        f"they are all relevant, it is no longer significant, or it reverses. Judge more of them to decide"
    ]
