"""Ragged data: one flat array for many pieces, and offsets that say where each piece starts and ends."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import IntArray

__all__ = ["build_offsets", "count_offsets", "expand_spans", "measure_pieces"]


def build_offsets(lengths: IntArray) -> IntArray:
    """Offsets of pieces with these lengths: piece k is ``offsets[k]:offsets[k + 1]``.

    >>> build_offsets(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.intp)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def count_offsets(owners: IntArray, count: int) -> IntArray:
    """Offsets of ``count`` pieces from the owner of each element.

    >>> count_offsets(np.array([0, 0, 2]), 3)
    array([0, 2, 2, 3])
    """
    return build_offsets(np.bincount(owners, minlength=count))


def measure_pieces(offsets: IntArray) -> IntArray:
    """The length of each piece: np.diff, without what it costs on the small arrays of a single request."""
    lengths: IntArray = offsets[1:] - offsets[:-1]
    return lengths


def expand_spans(starts: IntArray, lengths: IntArray) -> IntArray:
    """The indices of pieces that start here and are this long, one after another.

    >>> expand_spans(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    if (lengths == 1).all():
        return starts
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    spans: IntArray = np.repeat(starts, lengths) + within
    return spans
