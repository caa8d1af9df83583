"""Shared items: which rankers have items in common with others."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, IntArray
from stagg.kernels.text import requests

__all__ = ["mark_sharing"]


def mark_sharing(
    entries: IntArray, entry_offsets: IntArray, list_rankers: IntArray, items: int, sharing: BoolArray
) -> bool:
    """Mark in ``sharing`` each ranker that holds an item which another list holds, too; whether all are marked.

    The entries are numbers below ``items``; list k of ranker ``list_rankers[k]`` has those between its two offsets.
    Only rankers that have a list count. Marks that are there already stay.

    >>> marks = np.zeros(3, dtype=bool)
    >>> mark_sharing(np.array([0, 1, 1, 2]), np.array([0, 2, 3, 4]), np.array([0, 1, 2]), 3, marks), marks.tolist()
    (False, [True, True, False])
    """
    found = requests.mark_sharing_lists(entries, entry_offsets, list_rankers, items, sharing)
    return _mark_sharing(entries, entry_offsets, list_rankers, items, sharing) if found is None else found


def _mark_sharing(
    entries: IntArray, entry_offsets: IntArray, list_rankers: IntArray, items: int, sharing: BoolArray
) -> bool:
    if len(entries):
        common = np.bincount(entries, minlength=items)[entries] > 1
        sharing[list_rankers[np.logical_or.reduceat(common, entry_offsets[:-1])]] = True
    return bool(sharing[list_rankers].all())
