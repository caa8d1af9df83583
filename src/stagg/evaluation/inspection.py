"""Inspect an input: queries, rankers, list lengths, ties, overlap, agreement between rankers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.kernels.agreement.order_agreement import pair_agreement
from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray

__all__ = ["AGREEMENT_DEPTH", "Inspection", "inspect"]

AGREEMENT_DEPTH = 200
"""Overlap and agreement look at the first so many of every list: they are about the top, and cost n² per query."""
MOST_COMPARED, SAMPLE = 1000, 100
"""With more rankers than the first, each is compared with so many of them, taken evenly: all pairs would take hours."""


@dataclasses.dataclass(frozen=True)
class Inspection:
    """``totals``: counts over the whole input. ``rankers``: one row per ranker.

    ``overlap[a, b]``: the mean over queries of |common| / |either| of two lists.
    ``agreement[a, b]``: Kendall's tau over all pairs of items that two rankers both order, NaN where there are none.
    ``compared``: the numbers of the rankers that b stands for: all of them, or a sample where there are very many.
    """

    totals: dict[str, Any]
    rankers: list[dict[str, Any]]
    overlap: FloatArray
    agreement: FloatArray
    compared: IntArray


def inspect(rankings: Rankings, labels: Labels | None = None) -> Inspection:
    """Describe rankings: per ranker, and between every two rankers.

    >>> found = inspect(Rankings.from_lists({"x": ["a", "b", "c"], "y": ["b", "a"]}))
    >>> float(found.overlap[0, 1].round(3)), float(found.agreement[0, 1])
    (0.667, -1.0)
    """
    count = len(rankings.rankers)
    compared = np.arange(count) if count <= MOST_COMPARED else np.linspace(0, count - 1, SAMPLE).astype(np.intp)
    overlap, agreement = _between(rankings.cut(AGREEMENT_DEPTH), compared)
    return Inspection(
        _totals(rankings, labels),
        _describe_rankers(rankings, overlap, agreement, compared),
        overlap,
        agreement,
        compared,
    )


def _totals(rankings: Rankings, labels: Labels | None) -> dict[str, Any]:
    return {
        "queries": len(rankings),
        "items": len(rankings.items),
        "lists": len(rankings.list_rankers),
        "rows": len(rankings.entries),
        "scores": rankings.scores is not None,
        "unlisted_items": len(rankings.items) - len(np.unique(rankings.entries)),
        "labels": None if labels is None else sum(len(labels[query]) for query in labels),
    }


def _describe_rankers(
    rankings: Rankings, overlap: FloatArray, agreement: FloatArray, compared: IntArray
) -> list[dict[str, Any]]:
    count = len(rankings.rankers)
    by_ranker = np.argsort(rankings.list_rankers, kind="stable")
    ends = np.cumsum(np.bincount(rankings.list_rankers, minlength=count))
    lengths = np.split(rankings.list_lengths[by_ranker], ends[:-1])
    tied = np.bincount(rankings.list_rankers[rankings.entry_lists[_in_ties(rankings.tied)]], minlength=count)
    return [
        {
            "ranker": rankings.rankers[number],
            "queries": len(lengths[number]),
            "shortest": int(lengths[number].min()) if len(lengths[number]) else 0,
            "median": float(np.median(lengths[number])) if len(lengths[number]) else 0.0,
            "longest": int(lengths[number].max(initial=0)),
            "rows": int(lengths[number].sum()),
            "tied": int(tied[number]),
            "voters": int(rankings.multiplicities[number]),
            "overlap": _mean(overlap[number, compared != number]),
            "agreement": _mean(agreement[number, compared != number]),
        }
        for number in range(count)
    ]


def _in_ties(tied: BoolArray) -> BoolArray:
    """Which entries share their place with another."""
    both: BoolArray = tied | np.append(tied[1:], False)
    return both


def _mean(values: FloatArray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _between(rankings: Rankings, compared: IntArray) -> tuple[FloatArray, FloatArray]:
    """Overlap and agreement of every ranker with those that are compared."""
    balance, pairs, overlap, queries = np.zeros((4, len(rankings.rankers), len(compared)))
    columns = np.full(len(rankings.rankers), -1)
    columns[compared] = np.arange(len(compared))
    for view in rankings:
        owners = rankings.list_rankers[slice(*rankings.list_offsets[view.number : view.number + 2])]
        others = np.flatnonzero(columns[owners] >= 0)
        cells = np.ix_(owners, columns[owners[others]])
        positions = view.positions
        listed = (positions != ABSENT).astype(float)
        common = listed @ listed[others].T
        sizes = listed.sum(axis=1)
        overlap[cells] += common / (sizes[:, None] + sizes[others] - common)
        queries[cells] += 1
        agreed, ordered = pair_agreement(positions, others)
        balance[cells] += agreed
        pairs[cells] += ordered
    return _quotient(overlap, queries), _quotient(balance, pairs)


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    quotient: FloatArray = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return quotient
