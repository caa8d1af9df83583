"""Intervals of the ranks of a consensus as arrays; the columns that show them are in ``results/beside``."""

from __future__ import annotations

import dataclasses

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

__all__ = ["Intervals"]


@dataclasses.dataclass(frozen=True, eq=False)
class Intervals:
    """Beside each entry of a consensus: where its rank lies in ``level`` of the draws.

    ``low`` and ``high``: the interval of the rank, from 1. ``top``: the share of the draws in which the rank is at most
    ``k``. ``group``: the number, from 1, of the group of items that the draws cannot tell apart: a new group starts
    where an item is beaten by the one before it in at least ``level`` of the draws.

    Items that tie in a draw hold all the places of their group there: ``low`` takes the first, ``high`` the last,
    ``top`` the share of these places that are among the first ``k``. Items that tie in the consensus share a group: a
    new one starts where all of them are beaten by all that tie for the place before.
    """

    low: IntArray
    high: IntArray
    top: FloatArray
    group: IntArray
    level: float
    draws: int
    k: int
    seed: int

    def take(self, entries: IntArray | BoolArray | slice) -> Intervals:
        """The intervals of some entries."""
        return dataclasses.replace(
            self, low=self.low[entries], high=self.high[entries], top=self.top[entries], group=self.group[entries]
        )
