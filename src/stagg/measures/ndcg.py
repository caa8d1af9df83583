"""Discounted cumulative gain: normalised by the best order (NDCG), or scaled by the most possible (SDCG)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.errors import InvalidParameter
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic import utilities
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.measures.base import Additive, number_above, ratio
from stagg.measures.judged import Block, Conventions
from stagg.registry import one_of

__all__ = ["NDCG", "SDCG", "exp_gain"]


class _Discounted(Additive):
    """A sum of gains, each discounted by the logarithm of its rank."""

    gain: str

    def worth(self, grades: FloatArray) -> FloatArray:
        return exp_gain(grades) if self.gain == "exp" else np.maximum(grades, 0.0)

    def discount(self, ranks: FloatArray, conventions: Conventions) -> FloatArray:
        if conventions == "letor4":
            return 1 / np.maximum(1.0, np.log2(1 + ranks))
        return utilities.dcg().values(ranks, len(ranks), len(ranks))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class NDCG(_Discounted):
    """Normalised discounted cumulative gain: what the list gains, over what the best order would gain.

    Σ_j g(y_j) D(r_j) / DCG_max (Eq. 5), with the gain g = 2^y - 1 (``gain='exp'``) or y (``'linear'``, as trec_eval)
    and the discount D = 1 / log2(1 + rank). DCG_max is that of all judged items in their best order, down to the
    same cutoff. 0 for a query without relevant items.

    Under ``letor4`` (LETOR's Eval-Score-4.0.pl) D is 1 at ranks 1 and 2 and 1 / log2(rank) from there on, and a
    query with fewer documents than the cutoff has 0.

    Reference: Järvelin & Kekäläinen, TOIS 2002; Burges et al., ICML 2005 for the gain 2^y - 1.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> NDCG(cutoff=10).value(judge(run, Labels({"q": {"b": 2, "c": 1}}))).round(6)
    array([0.659002])
    """

    name = "ndcg"
    of_all = True

    gain: str = "exp"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "gain", ("exp", "linear"), said="'exp' or 'linear'")

    def norm(self, block: Block) -> FloatArray:
        best = self.apply_discount(block.ideal, block.conventions)
        if block.conventions == "letor4" and self.cutoff is not None:
            return np.where(block.documents < self.cutoff, 0.0, best)
        return best

    def stakes(
        self, grades: FloatArray, offsets: IntArray, ideals: Sequence[FloatArray] | None = None, largest: float = 0.0
    ) -> Stakes:
        """c_j = g(y_j) / DCG_max and D(1 + r) (Eq. 5 and 14; the paper's gradient prints D(r))."""
        given = np.split(grades, offsets[1:-1]) if ideals is None else ideals
        discount = utilities.dcg().values(np.arange(float(max(map(len, given), default=0))), 0, 0)
        best = np.array([np.sort(self.worth(of))[::-1] @ discount[: len(of)] for of in given])
        worth = ratio(self.worth(grades), np.repeat(best, np.diff(offsets)))
        return Stakes(worth, np.zeros(len(grades)), utilities.dcg())


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SDCG(_Discounted):
    """Scaled discounted cumulative gain: what the list gains, as a share of what k items of the top grade would gain.

    Σ_j g(y_j) D(r_j) / (g(y_max) Σ_{r <= k} D(r)), with the gain g = y (``gain='linear'``, as in ir_measures) or
    2^y - 1 (``'exp'``), and the discount D of NDCG. Times the divisor it is plain DCG@k. Unlike NDCG it needs no ideal
    list of the query, so labels that are found later change nothing but the items they belong to. y_max is the largest
    grade given for any query, or ``ymax``.

    Reference: Moffat, Bailey, Scholer & Thomas, "INST: an adaptive metric for information retrieval evaluation", ADCS
    2015.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> SDCG(cutoff=3).value(judge(run, Labels({"q": {"b": 2, "c": 1}}))).round(6)
    array([0.413402])
    """

    name = "sdcg"
    cutoffs = "needed"

    gain: str = "linear"
    ymax: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "gain", ("linear", "exp"), said="'linear' or 'exp'")
        if self.ymax is not None:
            number_above(self, "ymax", 0, float("inf"))

    def norm(self, block: Block) -> FloatArray:
        top = block.largest if self.ymax is None else self.ymax
        if block.largest > top:
            raise InvalidParameter(f"{self!r}: a label is {block.largest:g}, above ymax={top:g}")
        most = self.worth(np.array([top])) * self.discount(np.arange(float(self.cutoff or 0)), block.conventions).sum()
        return np.full(len(block.rows), float(most[0]))


def exp_gain(grades: FloatArray) -> FloatArray:
    """2^y - 1, and 0 for items without a grade."""
    gain: FloatArray = np.exp2(np.maximum(grades, 0.0)) - 1
    return gain
