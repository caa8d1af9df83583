"""Leaving one out: what each ranker changes in a fusion, and which are relatives. It needs no labels, and says no more.

There is no number for the quality of a fusion here: estimates of it without labels correlate with the truth at -.33 to
.64 over seven collections.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, bare
from stagg.kernels.arrays import IntArray
from stagg.kernels.id_order import order_by_id
from stagg.methods import RRF
from stagg.methods.consensus import consensus
from stagg.methods.stochastic.trust import StaggTrust, Trusted

__all__ = ["LeavingOut", "LeftOut", "leave_each_out"]

FIRST: Final = 10
MOST_RANKERS: Final = 50
MOST_QUERIES: Final = 500  # taken evenly by id
MOST_ENTRIES: Final = 2_000_000  # of these queries, times the rankers: some seconds
HANGS: Final = 0.5  # of the queries in which the first item is another without the ranker


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """What changes without a ranker, over the queries in which it and another have a list.

    ``first``: the share of these queries in which another item comes first; ``moved``: the mean share of the first ten
    items that are not among the first ten any more; None without such queries. ``relatives``: rankers that agree with
    it beyond what quality explains, or have the same lists.
    """

    ranker: str
    queries: int
    first: float | None
    moved: float | None
    relatives: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class LeavingOut:
    """One row per ranker, and of how many queries they tell."""

    rankers: tuple[LeftOut, ...]
    queries: int
    method: str
    depth: int = FIRST

    @property
    def sentences(self) -> list[str]:
        """Rankers on which the order hangs, in words."""
        return [
            f"Without {bare(row.ranker)} another item comes first in {row.first:.0%} of its queries: the order hangs "
            "on it."
            for row in self.rankers
            if row.first is not None and row.first >= HANGS
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return dataclasses.asdict(self)


def leave_each_out(rankings: Rankings) -> LeavingOut | None:
    """Fuse by ``rrf(c=60)`` with and without each ranker; None with fewer than three rankers, or very many.

    With two rankers there is no fusion without one. Of large inputs some queries are taken, evenly by their ids.

    >>> found = leave_each_out(Rankings.from_lists({"x": ["a", "b"], "y": ["a", "c"], "z": ["b", "a"]}))
    >>> [(row.ranker, row.first) for row in found.rankers]
    [('x', 0.0), ('y', 1.0), ('z', 0.0)]
    """
    if not 2 < len(rankings.rankers) <= MOST_RANKERS:
        return None
    part = _take_some(rankings.replace(declared=True))
    method = RRF()
    whole = _first_items(consensus(part, method))
    held = np.zeros((len(part), len(part.rankers)), dtype=bool)
    held[part.list_queries, part.list_rankers] = True
    told = held & (held.sum(axis=1, keepdims=True) > 1)
    relatives = _relatives(rankings)
    rows = []
    for number, name in enumerate(part.rankers):
        queries = np.flatnonzero(told[:, number])
        others = np.delete(np.arange(len(part.rankers)), number)
        without = _first_items(consensus(part.take_rankers(others), method))
        rows.append(_compare(name, whole[queries], without[queries], relatives.get(name, ())))
    return LeavingOut(tuple(rows), len(part), repr(method))


def _take_some(rankings: Rankings) -> Rankings:
    """Some queries, evenly by id, if all would take long."""
    lists = max(1, len(rankings.entries) * len(rankings.rankers) // max(1, len(rankings)))
    count = max(1, min(MOST_QUERIES, MOST_ENTRIES // lists))
    if len(rankings) <= count:
        return rankings
    by_id = order_by_id(rankings.queries)
    return rankings.take_queries(np.sort(by_id[np.linspace(0, len(by_id) - 1, count).astype(np.intp)]))


def _first_items(fused: Rankings) -> IntArray:
    """first[q, place]: the numbers of the first items of each query, -1 where there are fewer."""
    found = np.full((len(fused), FIRST), -1, dtype=np.intp)
    early = fused.positions < FIRST
    found[fused.entry_queries[early], fused.positions[early]] = fused.entries[early]
    return found


def _compare(name: str, whole: IntArray, without: IntArray, relatives: tuple[str, ...]) -> LeftOut:
    if not len(whole):
        return LeftOut(name, 0, None, None, relatives)
    there = (whole[:, :, None] == without[:, None]).any(axis=2) & (whole >= 0)
    moved = 1 - there.sum(axis=1) / np.maximum((whole >= 0).sum(axis=1), 1)
    return LeftOut(name, len(whole), float((whole[:, 0] != without[:, 0]).mean()), float(moved.mean()), relatives)


def _relatives(rankings: Rankings) -> dict[str, tuple[str, ...]]:
    """The relatives of each ranker, copies first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        bound, _ = StaggTrust().bind(rankings)
    if not isinstance(bound, Trusted):
        return {}
    known = bound.trust.rankers
    families: dict[str, list[str]] = {}
    for name, each in known.items():
        families.setdefault(each.copy_of or name, []).append(name)
    return {
        name: (
            *(other for other in families[each.copy_of or name] if other != name),
            *(other for other, _ in each.relatives),
        )
        for name, each in known.items()
    }
