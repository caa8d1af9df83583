"""Agreement of orders: the pairs of items that two lists both order, and order alike."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import ABSENT, BoolArray, Float32Array, FloatArray, IntArray

__all__ = ["pair_agreement"]

CELLS = 4_000_000  # signs held at once: bounds the memory whatever the number of items


def pair_agreement(positions: FloatArray, others: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
    """(agreeing - disagreeing pairs, pairs that both order) for every two lists of one query.

    ``positions[k, i]`` is the position of item i in list k, or ABSENT. A pair counts for two lists when both
    hold both items and neither ties them; the quotient of the two results is Kendall's tau over those pairs.
    With ``others``, every list is compared with these alone: entries are [list, place in ``others``].

    >>> balance, pairs = pair_agreement(np.array([[0.0, 1, 2], [0, 2, 1]]))
    >>> float(balance[0, 1]), float(pairs[0, 1])
    (1.0, 3.0)
    """
    lists, items = positions.shape
    taken = slice(None) if others is None else others
    balance, pairs = np.zeros((2, lists, lists if others is None else len(others)))
    listed = positions != ABSENT
    step = max(1, CELLS // max(1, lists * items))
    for low in range(0, items, step):
        signs = _signs(positions, listed, slice(low, low + step))
        balance += signs @ signs[taken].T
        ordered = np.abs(signs)
        pairs += ordered @ ordered[taken].T
    return balance / 2, pairs / 2  # every pair was met from both sides


def _signs(positions: FloatArray, listed: BoolArray, rows: slice) -> Float32Array:
    """+1 where list k puts item i (of the rows) before item j, -1 behind, 0 where it does not say."""
    gaps = np.sign(positions[:, None, :] - positions[:, rows, None])
    gaps[~(listed[:, rows, None] & listed[:, None, :])] = 0
    return gaps.reshape(len(positions), gaps.shape[1] * gaps.shape[2]).astype(np.float32)  # also of no list at all
