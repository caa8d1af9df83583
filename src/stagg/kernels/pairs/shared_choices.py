"""Shared choices (MC1, MC2): how much of each list's weight an item gives to those at or before its place."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import twin
from stagg.kernels.pairs.pairwise import CELLS
from stagg.kernels.sums import UNIT, whole_fractions

__all__ = ["shared_choices", "shared_choices_in_numpy"]


def shared_choices(places: FloatArray, weights: FloatArray) -> FloatArray:
    """C[p, q] = Σ of the shares of q in the weights of the lists, each shared by all that stand at or before p.

    Shares are whole numbers, in the unit of ``whole_fractions``; where a place is NaN the list does not hold the item.
    """
    compiled = twin("pairs._pairwise")
    if compiled is None:
        return shared_choices_in_numpy(places, weights)
    counts: FloatArray = compiled.shared_choices(
        np.ascontiguousarray(places, float), np.ascontiguousarray(weights, float), UNIT / weights.max()
    )
    return counts


def shared_choices_in_numpy(places: FloatArray, weights: FloatArray) -> FloatArray:
    """The same without the twin."""
    lists, n = places.shape
    counts = np.zeros((n, n))
    step = max(1, CELLS // max(1, n * n))
    for low in range(0, lists, step):
        block = places[low : low + step]
        ahead = block[:, None, :] <= block[:, :, None]  # ahead[k, p, q] = q stands at or before p in list k
        choices = np.maximum(ahead.sum(axis=2), 1)
        share = whole_fractions(weights, weights[low : low + step, None] / choices)
        counts += (share[:, :, None] * ahead).sum(axis=0)
    return counts
