"""Findings, what a page says first: what is open at the top, who disagrees, who decides, what is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stagg.data.query import Query
from stagg.evaluation.compare import Comparison
from stagg.evaluation.tables import BETTER, WORSE
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.report.markup import quoted, shorten

if TYPE_CHECKING:
    from stagg.aggregate.leaving_out import LeavingOut
    from stagg.report.digest import FusedQuery

__all__ = [
    "find_deciders",
    "measure_disagreement",
    "tell_comparison",
    "tell_fusion",
    "tell_left_out",
    "tell_rankers",
]

DEPTH, PERSISTENCE = 10, 0.9
"""Of the rank-biased overlap of two lists."""
MOST_LISTS = 100
SAME = 1e-9  # of the largest score: closer ones are equal
ALIKE = 0.999  # Kendall's tau from which two rankers do not disagree
NAME, MOST_NAMES, MOST_MEASURES = 40, 3, 2


def measure_disagreement(view: Query) -> float:
    """How far the lists of a query disagree on their first ten: the mean over their pairs of 1 - rank-biased overlap.

    0 is the same first ten in the same order, 1 no item in common; NaN where there are not two lists. Of very many
    lists some are compared, taken evenly.

    >>> from stagg.data import Rankings
    >>> measure_disagreement(Rankings.from_lists([["a", "b"], ["a", "b"]])["1"])
    0.0
    >>> measure_disagreement(Rankings.from_lists([["a", "b"], ["c"]])["1"])
    1.0
    """
    positions = view.positions
    if len(positions) < 2:
        return float("nan")
    if len(positions) > MOST_LISTS:
        positions = positions[np.linspace(0, len(positions) - 1, MOST_LISTS).astype(np.intp)]
    early = (positions != ABSENT) & (positions < DEPTH)
    positions, early = positions[:, early.any(axis=0)], early[:, early.any(axis=0)]
    shared, weights = np.zeros((len(positions), len(positions))), 0.0
    deepest = min(DEPTH, int(early.sum(axis=1).max(initial=1)))
    for depth in range(1, deepest + 1):
        held = (early & (positions < depth)).astype(float)
        sizes = held.sum(axis=1)
        larger = np.maximum(np.maximum(sizes[:, None], sizes), 1)
        weight = PERSISTENCE ** (depth - 1)
        shared += weight * (held @ held.T) / larger
        weights += weight
    pairs = np.triu_indices(len(positions), 1)
    return round(float(1 - shared[pairs].mean() / weights), 6)


def find_deciders(parts: FloatArray, order: IntArray) -> list[int]:
    """The lists without which another item comes first; ``parts[k, i]``: what list k gives to item i.

    ``order``: the items as equal ones are ordered. With two lists there is no fusion without one.

    >>> find_deciders(np.array([[3.0, 1.0], [1.0, 2.0], [1.0, 1.5]]), np.array([0, 1]))
    [0]
    """
    if len(parts) < 3 or not len(order):
        return []
    totals, near = parts.sum(axis=0), SAME * float(np.abs(parts).sum(axis=0).max(initial=0.0))
    sums = np.vstack([totals, totals - parts])[:, order]
    firsts = (sums >= sums.max(axis=1, keepdims=True) - near).argmax(axis=1)
    return np.flatnonzero(firsts[1:] != firsts[0]).tolist()


def tell_fusion(queries: Sequence[FusedQuery], rankers: Sequence[str], agreement: FloatArray) -> str:
    """What a fusion found, in one sentence: whether its first items can be told apart, who disagrees, who decides."""
    if any(each.wins is not None for each in queries):  # every ranker is a comparison, and none is anybody's opinion
        return _join([_tell_top(queries), _tell_wins(queries)])
    return _join([_tell_top(queries), tell_rankers(rankers, agreement), _tell_deciders(queries)])


def _join(clauses: Sequence[str]) -> str:
    text = "; ".join(filter(None, clauses))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _tell_top(queries: Sequence[FusedQuery]) -> str:
    known = [each for each in queries if each.intervals is not None and len(each.items) > 1]
    if not known:
        return ""
    groups = [each.intervals.group for each in known if each.intervals is not None]
    if len(queries) > 1:
        unsure = sum(int(group[0] == group[1]) for group in groups)
        if not unsure:
            return f"the first item stands apart from the second in all {len(known):,} queries"
        some = f"{unsure:,} of {len(known):,}" if unsure < len(known) else f"all {unsure:,}"
        return f"in {some} queries the first two items cannot be told apart"
    [query], together = known, int((groups[0] == groups[0][0]).sum())
    if together == 1:
        return f"{_name(query.items[0])} is first, and stands apart from the next"
    if together == query.size:
        return f"the {together:,} items cannot be told apart"
    more = "at least " if together == len(query.items) else ""
    return f"{more}the first {together:,} of {query.size:,} items cannot be told apart"


def _tell_wins(queries: Sequence[FusedQuery]) -> str:
    """Of comparisons of two items each: how often the first item won, and how often against the second."""
    if len(queries) != 1 or queries[0].wins is None or len(queries[0].items) < 2:
        return ""
    [query], wins = queries, queries[0].wins
    won, games = wins[0].sum(), wins[0].sum() + wins[:, 0].sum()
    met = wins[0, 1] + wins[1, 0]
    told = f"{_name(query.items[0])} is first, above others in {won:g} of its {games:g} comparisons"
    return f"{told}, {wins[0, 1]:g} of {met:g} with {_name(query.items[1])}, the second" if met else told


def tell_rankers(rankers: Sequence[str], agreement: FloatArray) -> str:
    """Which two rankers disagree most, by Kendall's tau."""
    pairs = [(a, b) for a in range(len(rankers)) for b in range(a) if not np.isnan(agreement[a, b])]
    if not pairs:
        return ""
    a, b = min(pairs, key=lambda pair: (agreement[pair], pair))
    tau = f"Kendall's τ {agreement[a, b]:.2f}".replace("-", "\u2212")
    if agreement[a, b] > ALIKE:
        return "the rankers order alike what they share"
    names = f"{_name(rankers[b])} and {_name(rankers[a])}"
    return f"{names} disagree most ({tau})" if len(rankers) > 2 else f"{names} agree at {tau}"


def _tell_deciders(queries: Sequence[FusedQuery]) -> str:
    """On whom the first place hangs."""
    known = [each.deciders for each in queries if each.deciders is not None]
    if not known:
        return ""
    found = Counter(name for names in known for name in names)
    if not found:
        return f"no ranker alone decides {'a' if len(known) > 1 else 'the'} first place"
    [(name, count)] = found.most_common(1)
    if len(known) == 1:
        others = len(found) - 1
        return (
            f"{_name(name)} decides the first place"
            + f", and so do {others} others" * (others > 1)
            + (f", and so does {_name(known[0][1])}" if others == 1 else "")
        )
    return f"{_name(name)} decides most: without it another item is first in {count:,} of {len(known):,} queries"


def tell_left_out(rankers: Sequence[str], agreement: FloatArray, left: LeavingOut | None) -> str:
    """The same of rankers that are still to be fused: who disagrees, and without whom the first item is another."""
    rows = [row for row in left.rankers if row.first] if left is not None else []
    most = max(rows, key=lambda row: row.first or 0.0, default=None)
    decides = ""
    if left is not None:
        decides = "no ranker alone decides a first place"
    if most is not None:
        count = round((most.first or 0.0) * most.queries)
        what = f"in {count:,} of {most.queries:,} queries" if most.queries > 1 else ""
        decides = f"without {_name(most.ranker)} another item is first {what}".rstrip()
    return _join([tell_rankers(rankers, agreement), decides])


def tell_comparison(found: Comparison) -> str:
    """What a comparison found: the best by each measure, and what is significantly above or below the baseline."""
    told = [_tell_measure(found, k) for k in range(min(len(found.measures), MOST_MEASURES))]
    return " ".join(told)


def _tell_measure(found: Comparison, k: int) -> str:
    fair = [m for m, name in enumerate(found.methods) if name not in found.table.same_queries]
    measure, means = found.measures[k], found.values[:, k].mean(axis=1)
    if not fair:
        return ""
    best = max(fair, key=lambda m: (round(float(means[m]), 9), -m))
    told = f"{_name(found.methods[best])} has the highest {measure}: {means[best]:.4f}"
    if len(fair) == 1 or found.baseline in found.table.same_queries:
        return f"{told}."
    grid = found.table.grid()
    column = grid.column(measure)
    better, worse = ([m for m in fair if grid.cells[m][column].mark == mark] for mark in (BETTER, WORSE))
    name = _name(found.baseline)
    said = [told]
    if found.methods[best] != found.baseline:
        said = [f"{told}, {'' if best in better else 'not '}significantly above the baseline {name}"]
    elif not worse:
        said.append("no difference from it is significant")
    also = "also " if best in better else ""
    for word, marked in ((f"{also}significantly above", better), ("significantly below", worse)):
        names = [found.methods[m] for m in marked if m != best]
        said += [f"{word} {'it' if found.methods[best] == found.baseline else name}: {_names(names)}"] * bool(names)
    return f"{'; '.join(said)}."


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(map(_name, names[:MOST_NAMES])) + (f" and {more:,} more" if more > 0 else "")


def _name(text: str) -> str:
    return quoted(shorten(text, NAME))
