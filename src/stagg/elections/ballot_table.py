"""The ballots of one election as a table of places, and back; equal ballots merged into one with its count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.ragged import build_offsets

__all__ = ["ballots_from_places", "merge_ballots"]

WORD = 2.0**63


def ballots_from_places(
    places: FloatArray,
    counts: IntArray,
    items: Sequence[str],
    *,
    weights: FloatArray | None = None,
    query: str = "1",
) -> Rankings:
    """One query: ``places[k, i]`` of item i on ballot k, infinite where it is not listed, equal where it ties.

    >>> ballots_from_places(np.array([[1.0, 0.0, np.inf]]), np.array([3]), ["a", "b", "c"])
    Rankings(1 query, 1 ranker, 3 items, weighted)
      1: b > a
    """
    order = np.argsort(places, axis=1, kind="stable")
    ordered = np.take_along_axis(places, order, axis=1)
    listed = np.isfinite(ordered)
    tied = np.zeros(places.shape, dtype=bool)
    tied[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    return Rankings(
        queries=(query,),
        rankers=tuple(str(number + 1) for number in range(len(places))),
        items=tuple(items),
        item_offsets=np.array([0, len(items)]),
        list_offsets=np.array([0, len(places)]),
        list_rankers=np.arange(len(places)),
        entry_offsets=build_offsets(listed.sum(axis=1)),
        entries=order[listed],
        tied=tied[listed],
        multiplicities=np.asarray(counts, dtype=np.intp),
        weights=weights,
        declared=True,
    )


def merge_ballots(rankings: Rankings) -> Rankings:
    """The ballots of one query, those that are equal and have the same weight merged, their multiplicities added up.

    The candidates are in order of id, and the ballots in an order that follows from what they say: it does not matter
    in which order they came.

    >>> merge_ballots(Rankings.from_lists({"ann": ["b", "a"], "bob": ["a"], "cem": ["b", "a"]})).multiplicities
    array([1, 2])
    """
    view = next(iter(rankings))
    by_id = order_by_id(view.items)
    positions = view.positions[:, by_id]
    places = np.where(positions == ABSENT, np.inf, positions)
    keys = _keys(positions)
    weights = rankings.weights[rankings.list_rankers]
    kinds, kind = np.unique(weights, return_inverse=True)
    _, first, groups = np.unique(keys, return_index=True, return_inverse=True)
    if len(kinds) > 1:
        _, first, groups = np.unique(groups * len(kinds) + kind, return_index=True, return_inverse=True)
    counts = np.zeros(len(first), dtype=np.intp)
    np.add.at(counts, groups.ravel(), rankings.multiplicities[rankings.list_rankers])
    items = [view.items[i] for i in by_id.tolist()]
    return ballots_from_places(places[first], counts, items, weights=weights[first], query=view.id)


def _keys(positions: FloatArray) -> np.ndarray:
    """One value per ballot, equal for equal ballots: a number where it fits 63 bits, else its bytes."""
    halves = (2 * positions + 2).astype(np.int64)  # ABSENT is 0
    base = 2 * positions.shape[1] + 2
    if base ** positions.shape[1] < WORD:
        return np.asarray(halves @ base ** np.arange(positions.shape[1], dtype=np.int64))
    rows = np.ascontiguousarray(halves.astype(">u4"))
    return rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
