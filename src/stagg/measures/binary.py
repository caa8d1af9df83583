"""Binary measures: those that only ask whether an item is relevant, or judged at all."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.measures.base import Additive, Measure, first, number_above, ratio, row_sums
from stagg.measures.judged import Block, Conventions

__all__ = ["MAP", "MRR", "Bpref", "JudgedShare", "P", "RPrecision", "Recall", "Success"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class _Binary(Measure):
    """An item is relevant when its grade is ``rel`` or more."""

    rel: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above(self, "rel", 0, float("inf"))

    def relevant(self, grades: FloatArray) -> BoolArray:
        found: BoolArray = grades >= self.rel
        return found

    def relevant_in_all(self, block: Block) -> FloatArray:
        """How many relevant items each query has, listed or not."""
        count: FloatArray = self.relevant(block.ideal).sum(axis=1).astype(float)
        return count


class _Counted(_Binary, Additive):
    """A count of the relevant items down to the cutoff, over something: the form of Eq. 4 with discount 1."""

    cutoffs = "needed"

    def worth(self, grades: FloatArray) -> FloatArray:
        return self.relevant(grades).astype(float)

    def discount(self, ranks: FloatArray, conventions: Conventions) -> FloatArray:
        return np.ones(len(ranks))


class P(_Counted):
    """Precision: the share of relevant items among the first k.

    A list shorter than k is not forgiven: the count is divided by k, as in trec_eval.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> P(cutoff=2).value(judge(run, Labels({"q": {"b": 2, "c": 1}})))
    array([0.5])
    """

    name = "p"

    def norm(self, block: Block) -> FloatArray:
        return np.full(len(block.rows), float(self.cutoff or 0))


class Recall(_Counted):
    """Recall: the share of the query's relevant items that are among the first k.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> Recall(cutoff=2).value(judge(run, Labels({"q": {"b": 2, "c": 1, "d": 1, "e": 1}})))
    array([0.25])
    """

    name = "recall"
    of_all = True

    def norm(self, block: Block) -> FloatArray:
        return self.relevant_in_all(block)


class RPrecision(_Binary):
    """R-precision: the share of relevant items among the first R, where R is the number of the query's relevant items.

    At rank R precision and recall are equal. A list shorter than R is not forgiven. It is trec_eval's Rprec.

    Reference: Buckley & Voorhees, "Evaluating evaluation measure stability", SIGIR 2000.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> RPrecision().value(judge(run, Labels({"q": {"b": 2, "c": 1}})))
    array([0.5])
    """

    name = "rprec"
    cutoffs = "none"
    of_all = True

    def of_block(self, block: Block) -> FloatArray:
        most = self.relevant_in_all(block)
        counted = np.arange(block.grades.shape[1]) < most[:, None]
        return ratio((self.relevant(block.grades) & counted).sum(axis=1).astype(float), most)


class MAP(_Binary):
    """Average precision: the mean, over the query's relevant items, of the precision at their ranks.

    A relevant item that is not listed, or stands below the cutoff, adds 0.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> MAP().value(judge(run, Labels({"q": {"a": 2, "c": 1}}))).round(6)
    array([0.833333])
    """

    name = "map"
    of_all = True

    def of_block(self, block: Block) -> FloatArray:
        relevant = self.relevant(first(block.grades, self))
        precision = np.cumsum(relevant, axis=1) / np.arange(1.0, relevant.shape[1] + 1)
        return ratio(row_sums(relevant * precision), self.relevant_in_all(block))


class MRR(_Binary):
    """Reciprocal rank: 1 / rank of the first relevant item.

    0 where no relevant item is listed above the cutoff.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> MRR().value(judge(run, Labels({"q": {"b": 2, "c": 1}})))
    array([0.5])
    """

    name = "mrr"

    def of_block(self, block: Block) -> FloatArray:
        relevant = self.relevant(first(block.grades, self))
        return np.where(relevant.any(axis=1), 1 / (1.0 + relevant.argmax(axis=1)), 0.0)


class Success(_Binary):
    """Success: 1 where there is a relevant item among the first k, else 0.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> Success(cutoff=1).value(judge(run, Labels({"q": {"b": 2, "c": 1}})))
    array([0.])
    """

    name = "success"
    cutoffs = "needed"

    def of_block(self, block: Block) -> FloatArray:
        return self.relevant(first(block.grades, self)).any(axis=1).astype(float)


class Bpref(_Binary):
    """Binary preference: how rarely judged items that are not relevant stand above the relevant ones.

    1/R Σ_j (1 - min(n_j, R) / min(N, R)) over the listed relevant items j: R relevant and N other items are judged, and
    n_j of the others stand above j. Items without a judgment are left out. It is trec_eval's definition.

    Reference: Buckley & Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c", "d"]], query="q")
    >>> Bpref().value(judge(run, Labels({"q": {"a": 0, "c": 1, "d": 1, "e": 0}})))
    array([0.5])
    """

    name = "bpref"
    cutoffs = "none"
    ignores_unjudged = True

    def of_block(self, block: Block) -> FloatArray:
        relevant = self.relevant(block.grades)
        most = self.relevant_in_all(block)
        least = np.minimum(self._others(block.ideal).sum(axis=1), most)
        above = np.minimum(np.cumsum(self._others(block.grades), axis=1), most[:, None])
        lost = ratio(above, np.broadcast_to(least[:, None], above.shape))
        return ratio(row_sums(relevant * (1 - lost)), most)

    def _others(self, grades: FloatArray) -> BoolArray:
        """Judged, and not relevant."""
        return (grades >= 0) & ~self.relevant(grades)


class JudgedShare(Measure):
    """How far the labels reach: the share of judged items among the first k.

    Of a list shorter than k the share of all its items; an empty list has 0. Unlike the other measures it does not
    ask for relevant items: with a low share they are not to be trusted.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c", "d"]], query="q")
    >>> JudgedShare(cutoff=10).value(judge(run, Labels({"q": {"b": 2, "c": 0, "e": 1}})))
    array([0.5])
    """

    name = "judged"
    cutoffs = "needed"
    ignores_unjudged = True  # it says how many there are

    def of_block(self, block: Block) -> FloatArray:
        judged = (first(block.grades, self) >= 0).sum(axis=1).astype(float)
        return ratio(judged, np.minimum(block.sizes, self.cutoff or 0))
