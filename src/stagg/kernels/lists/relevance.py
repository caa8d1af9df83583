"""Relevance by place: in which part of its lists each ranker puts the relevant items."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["count_hits", "sum_precisions"]


def sum_precisions(
    hits: FloatArray, lists: IntArray, bins: IntArray, owners: IntArray, shape: tuple[int, int], widths: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """(precision[k, b], reach[k, b]): summed over the lists of ranker k, the share of bin b that is relevant, and 1.

    ``hits[e]`` is 1 where entry e is relevant, ``lists[e]`` its list, ``bins[e]`` the part of the list in which it
    stands, ``owners[l]`` the ranker of list l. A part has the size that the list has there, or ``widths[b]``.

    >>> sum_precisions(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 0]), np.array([0, 0, 1]), np.array([0]), (1, 2), None)
    (array([[0.5, 1. ]]), array([[1., 1.]]))
    """
    precision, reach = np.zeros(shape), np.zeros(shape)
    starts = np.flatnonzero((np.diff(lists, prepend=-1) != 0) | (np.diff(bins, prepend=-1) != 0))
    if len(starts):
        part = bins[starts]
        sizes = np.diff(starts, append=len(hits)) if widths is None else widths[part]
        where = (owners[lists[starts]], part)
        np.add.at(precision, where, np.add.reduceat(hits, starts) / sizes)
        np.add.at(reach, where, 1.0)
    return precision, reach


def count_hits(
    hits: FloatArray, lists: IntArray, bins: IntArray, owners: IntArray, shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """(relevant[k, b], all[k, b]): how many relevant items, and how many items, ranker k put into bin b."""
    cells = owners[lists] * shape[1] + bins
    relevant: FloatArray = np.bincount(cells, weights=hits, minlength=shape[0] * shape[1]).astype(np.float64)
    items: FloatArray = np.bincount(cells, minlength=shape[0] * shape[1]).astype(np.float64)
    return relevant.reshape(shape), items.reshape(shape)
