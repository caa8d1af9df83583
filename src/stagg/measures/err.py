"""Expected reciprocal rank (ERR)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.errors import InvalidParameter
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic import utilities
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.measures.base import Measure, first, number_above, of_shape, row_sums
from stagg.measures.judged import Block, Conventions, check_conventions
from stagg.measures.ndcg import exp_gain

__all__ = ["ERR"]

MOST = 1 - 2.0**-53  # the largest number below 1
LARGEST_EXPONENT = 1024  # 2 to the power of it is no finite number


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ERR(Measure):
    """Expected reciprocal rank: 1 / rank at which a reader stops who is content with an item of grade y by R(y).

    Σ_j (1 / r_j) R_j Π_{r_i < r_j} (1 - R_i) (Eq. 6), R(y) = (2^y - 1) / 2^y_max, y_max the largest grade given for
    any query, or ``ymax`` where the scale of the grades is known: gdeval's ERR, and so that of ir_measures, is
    ``err(ymax=4)``. (The paper prints 2^y_max - 1 in the second factor; its own figures say otherwise.) Both
    conventions.

    Reference: Chapelle, Metzler, Zhang & Grinspan, "Expected reciprocal rank for graded relevance", CIKM 2009.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> ERR().value(judge(run, Labels({"q": {"b": 2, "c": 1}}))).round(6)
    array([0.395833])
    """

    name = "err"
    expects = "contests"

    ymax: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ymax is not None:
            number_above(self, "ymax", 0, float("inf"))

    def of_block(self, block: Block) -> FloatArray:
        stop = stops(first(block.grades, self), self._top_grade(block.largest))
        going_on = np.cumprod(1 - stop, axis=1)
        going_on[:, 1:], going_on[:, 0] = going_on[:, :-1].copy(), 1.0
        return row_sums(stop * going_on / np.arange(1.0, stop.shape[1] + 1))

    def expectation(
        self,
        grades: FloatArray,
        chances: FloatArray,
        /,
        *,
        ideal: FloatArray | None = None,
        largest: float | None = None,
        conventions: Conventions = "standard",
    ) -> float:
        """Σ_j R_j Σ_r w_j(r) / (r + 1), ``chances[i, j]`` = P(i beats j), the diagonal does not matter.

        w_j(r) is the chance that j has rank r, counted from 0, and that no item before it stopped the reader: the
        coefficients of Π_{i≠j} [(1 - p_ij) + p_ij (1 - R_i) z]. (The paper's form does not depend on the item's own
        grade.) O(n³), as the recursion of Eq. 10.
        """
        check_conventions(conventions)
        wins = of_shape(chances, (len(grades), len(grades)), "P(i beats j) for every pair of items")
        grades = np.asarray(grades, dtype=float)
        given = grades if ideal is None else np.asarray(ideal, dtype=float)
        stop = stops(grades, self._top_grade(float(given.max(initial=0.0)) if largest is None else largest))
        reached = reached_unstopped(wins, stop)[:, : self.depth(len(grades))]
        return float(stop @ (reached @ (1 / np.arange(1.0, reached.shape[1] + 1))))

    def stakes(
        self, grades: FloatArray, offsets: IntArray, ideals: Sequence[FloatArray] | None = None, largest: float = 0.0
    ) -> Stakes:
        """c_j = R_j, 1 / (1 + r), and R for who stops the reader: the expectation under the same contests."""
        stop = stops(grades, self._top_grade(max(largest, float(grades.max(initial=0.0)))))
        return Stakes(stop, stop, utilities.rrf(0))

    def _top_grade(self, largest: float) -> float:
        """y_max: the largest grade given, or the one that the measure was told."""
        if self.ymax is None:
            return largest
        if largest > self.ymax:
            raise InvalidParameter(f"{self!r}: a label is {largest:g}, above ymax; write err(ymax={largest:g}), or err")
        return self.ymax


def stops(grades: FloatArray, largest: float) -> FloatArray:
    """R(y) = (2^y - 1) / 2^y_max, below 1 also where 2^y - 1 rounds to 2^y (grades of 54 and more)."""
    if largest < LARGEST_EXPONENT:
        chances = exp_gain(grades) / 2.0**largest
    else:
        chances = np.exp2(np.maximum(grades, 0.0) - largest) - np.exp2(-largest)
    stop: FloatArray = np.minimum(chances, MOST)
    return stop


def reached_unstopped(wins: FloatArray, stop: FloatArray) -> FloatArray:
    """w[j, r]: the chance that r items beat j and that none of them stopped the reader; ``wins[i, j]`` as above."""
    n = len(wins)
    chances = np.zeros((n, n))
    chances[:, :1] = 1.0
    for i in range(n):
        lost = wins[i][:, None].copy()
        lost[i] = 0.0  # nobody plays against himself
        chances[:, 1:] = chances[:, :-1] * lost * (1 - stop[i]) + chances[:, 1:] * (1 - lost)
        chances[:, :1] *= 1 - lost
    return chances
