"""Rank-biased precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.kernels import utilities
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.expected_measures import Stakes
from stagg.measures.base import Additive, number_above
from stagg.measures.judged import Block, Conventions

__all__ = ["RBP"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RBP(Additive):
    """Rank-biased precision: what a reader finds who goes on to the next rank with probability p.

    (1 - p) Σ_j y_j p^(r_j - 1) (Eq. 7), y divided by the largest grade given for any query, so that the value is at
    most 1; the residual of a finite list is left out. Under ``letor4`` y is the raw grade, as in the paper.

    Reference: Moffat & Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS 2008.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> RBP(p=0.5).value(judge(run, Labels({"q": {"b": 2, "c": 1}})))
    array([0.3125])
    """

    name = "rbp"
    always_shown = frozenset({"p"})

    p: float = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above(self, "p", 0, 1)

    def worth(self, grades: FloatArray) -> FloatArray:
        return np.maximum(grades, 0.0)

    def discount(self, ranks: FloatArray, conventions: Conventions) -> FloatArray:
        return utilities.rbp(self.p).values(ranks, len(ranks), len(ranks))

    def norm(self, block: Block) -> FloatArray:
        return np.full(len(block.rows), 1.0 if block.conventions == "letor4" else block.largest)

    def stakes(
        self, grades: FloatArray, offsets: IntArray, ideals: Sequence[FloatArray] | None = None, largest: float = 0.0
    ) -> Stakes:
        """c_j = y_j / y_max and (1 - p) p^r (Eq. 7)."""
        worth = self.worth(grades)
        return Stakes(worth / max(largest, worth.max(initial=1.0)), np.zeros(len(grades)), utilities.rbp(self.p))
