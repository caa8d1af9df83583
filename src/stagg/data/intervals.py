"""How sure a consensus is: intervals of the ranks, found by resampling the rankers."""

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
