"""What an input holds: queries, rankers, list lengths, ties, overlap, agreement between rankers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.kernels.agreement import pair_agreement
from stagg.kernels.arrays import ABSENT, FloatArray

__all__ = ["AGREEMENT_DEPTH", "Inspection", "inspect"]

AGREEMENT_DEPTH = 200
"""Overlap and agreement look at the first so many of every list: they are about the top, and cost n² per query."""


@dataclasses.dataclass(frozen=True)
class Inspection:
    """``totals``: counts over the whole input. ``rankers``: one row per ranker.

    ``overlap[a, b]``: the mean over queries of |common| / |either| of two lists.
    ``agreement[a, b]``: Kendall's tau over all pairs of items that two rankers both order, NaN where there are none.
    """

    totals: dict[str, Any]
    rankers: list[dict[str, Any]]
    overlap: FloatArray
    agreement: FloatArray


def inspect(rankings: Rankings, labels: Labels | None = None) -> Inspection:
    """Describe rankings: per ranker, and between every two rankers.

    >>> found = inspect(Rankings.from_lists({"x": ["a", "b", "c"], "y": ["b", "a"]}))
    >>> float(found.overlap[0, 1].round(3)), float(found.agreement[0, 1])
    (0.667, -1.0)
    """
    overlap, agreement = _between(rankings.cut(AGREEMENT_DEPTH))
    rows = [_row(rankings, number, overlap[number], agreement[number]) for number in range(len(rankings.rankers))]
    return Inspection(_totals(rankings, labels), rows, overlap, agreement)


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


def _row(rankings: Rankings, number: int, overlap: FloatArray, agreement: FloatArray) -> dict[str, Any]:
    mine = rankings.list_rankers == number
    lengths = rankings.list_lengths[mine]
    entries = mine[rankings.entry_lists]
    others = np.arange(len(rankings.rankers)) != number
    return {
        "ranker": rankings.rankers[number],
        "queries": int(mine.sum()),
        "shortest": int(lengths.min()) if len(lengths) else 0,
        "median": float(np.median(lengths)) if len(lengths) else 0.0,
        "longest": int(lengths.max(initial=0)),
        "tied": int(_in_ties(rankings.tied, entries)),
        "voters": int(rankings.multiplicities[number]),
        "overlap": _mean(overlap[others]),
        "agreement": _mean(agreement[others]),
    }


def _in_ties(tied: np.ndarray, entries: np.ndarray) -> int:
    """How many of the entries share their place with another."""
    with_next = np.append(tied[1:], False)
    return int(((tied | with_next) & entries).sum())


def _mean(values: FloatArray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _between(rankings: Rankings) -> tuple[FloatArray, FloatArray]:
    m = len(rankings.rankers)
    balance, pairs, overlap, queries = np.zeros((4, m, m))
    for view in rankings:
        owners = rankings.list_rankers[slice(*rankings.list_offsets[view.number : view.number + 2])]
        cells = np.ix_(owners, owners)
        positions = view.positions
        listed = (positions != ABSENT).astype(float)
        common = listed @ listed.T
        sizes = listed.sum(axis=1)
        overlap[cells] += common / (sizes[:, None] + sizes - common)
        queries[cells] += 1
        agreed, ordered = pair_agreement(positions)
        balance[cells] += agreed
        pairs[cells] += ordered
    return _quotient(overlap, queries), _quotient(balance, pairs)


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    quotient: FloatArray = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return quotient
