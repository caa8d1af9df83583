"""Rank-biased precision (RBP)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic import utilities
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.measures.base import Additive, number_above
from stagg.measures.judged import Block, Conventions

__all__ = ["RBP"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RBP(Additive):
    """Rank-biased precision: what a reader finds who goes on to the next rank with probability p.

    (1 - p) Σ_j y_j p^(r_j - 1) (Eq. 7), y divided by the largest grade given for any query, so that the value is at
    most 1; the residual of a finite list is left out. Under ``letor4`` y is the raw grade, as in the paper. With
    ``rel`` every item of that grade or more counts 1 and all others 0, as in ir_measures.

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
    rel: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above(self, "p", 0, 1)
        if self.rel is not None:
            number_above(self, "rel", 0, float("inf"))

    def worth(self, grades: FloatArray) -> FloatArray:
        return np.maximum(grades, 0.0) if self.rel is None else (grades >= self.rel).astype(float)

    def discount(self, ranks: FloatArray, conventions: Conventions) -> FloatArray:
        return utilities.rbp(self.p).values(ranks, len(ranks), len(ranks))

    def norm(self, block: Block) -> FloatArray:
        whole = self.rel is not None or block.conventions == "letor4"
        return np.full(len(block.rows), 1.0 if whole else block.largest)

    def stakes(
        self, grades: FloatArray, offsets: IntArray, ideals: Sequence[FloatArray] | None = None, largest: float = 0.0
    ) -> Stakes:
        """c_j = y_j / y_max and (1 - p) p^r (Eq. 7)."""
        worth = self.worth(grades)
        unit = 1.0 if self.rel is not None else max(largest, worth.max(initial=1.0))
        return Stakes(worth / unit, np.zeros(len(grades)), utilities.rbp(self.p))
