"""RankAgg: linear scores trained by LambdaRank, the paper's comparison for supervised St.Agg."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.kernels.stochastic.lambdas import Swap, better_pairs, lambdas, swap_additive, swap_err
from stagg.learning.base import Watch
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import Descent, DescentLeg, Path, find_contrasts
from stagg.learning.linear.linear_learner import LinearLearner, Validate
from stagg.learning.linear.scaled import Scaled
from stagg.measures import MEASURES
from stagg.methods.base import in_range
from stagg.registry import check_seed

__all__ = ["RankAggERR", "RankAggNDCG", "RankAggRBP"]

RATES = (1e-1, 1e-2, 1e-3)
"""Rates that are tried, the one that is best on the validation part is kept; the first where there is none."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RankAgg(LinearLearner):
    """A linear f(x) = Σ_k w_k'ψ_k(x), or a bias b_k where ranker k does not list x, trained by LambdaRank.

    The bias is the weight of the missing bit, so the features should have them. Every query in turn, in an order drawn
    from ``seed``, moves the weights by ``rate`` times Σ_i λ_i ψ(i). Left out, the rate is chosen on the validation
    part.

    Reference: Volkovs, Larochelle & Zemel, "Learning to rank by aggregating expert preferences", CIKM 2012; Burges,
    Ragno & Le, "Learning to rank with nonsmooth cost functions", NIPS 2006.
    """

    parameters_explained: ClassVar[bool] = True

    rate: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rate is not None:
            in_range(self, "rate", 0, open_low=True)
        check_seed(self.seed)

    def objective(self) -> str:
        """The measure that is trained for."""
        return self.name.removeprefix("rankagg_")

    def swap(self, stakes: Stakes, items: slice) -> Swap:
        """The change of a query's measure by a swap, the full list counting."""
        n = items.stop - items.start
        return swap_additive(stakes.worth[items], stakes.utility.values(np.arange(float(n)), n, n))

    def trained(
        self, known: Examples, scaled: Scaled, validate: Validate | None, watch: Watch | None
    ) -> tuple[Descent, tuple[str, Any]]:
        rates = (self.rate,) if self.rate is not None else RATES if validate is not None else RATES[:1]
        lessons = self._lessons(known, scaled.table)
        found: list[tuple[Descent, float]] = []
        for number, rate in enumerate(rates):
            leg = DescentLeg(watch, number * self.iterations, len(rates) * self.iterations)
            path = Path(np.zeros(scaled.table.shape[1]), self.iterations, validate, leg)
            self._climb(lessons, rate, path)
            found.append((path.ended(met=False), rate))
            if leg.stopped:
                break
        best = max(found, key=lambda each: each[0].validation or 0.0) if validate is not None else found[-1]
        return best[0], ("rate", best[1])

    def _lessons(self, known: Examples, table: FloatArray) -> list[_Lesson]:
        stakes = known.stakes(MEASURES.parse(self.objective()))
        grades = np.maximum(known.grades, 0.0)
        spans = [slice(*known.offsets[query : query + 2].tolist()) for query in find_contrasts(known)]
        return [_Lesson(table[span], better_pairs(grades[span]), self.swap(stakes, span)) for span in spans]

    def _climb(self, lessons: list[_Lesson], rate: float, path: Path) -> None:
        """Epoch after epoch, until the path says that it is enough."""
        draw, point = np.random.default_rng(self.seed), path.point.copy()
        try:
            for _ in range(self.iterations):
                pulled = 0.0
                for number in draw.permutation(len(lessons)):
                    lesson = lessons[number]
                    pull = lambdas(lesson.table @ point, lesson.pairs, lesson.swap)
                    point = point + rate * (pull @ lesson.table)
                    pulled += float(np.abs(pull).sum())
                path.reached(point, -pulled / len(lessons))
        except StopIteration:
            return


class _Lesson(NamedTuple):
    """One query: its features, the pairs of different grades, and what a swap of them changes."""

    table: FloatArray
    pairs: tuple[IntArray, IntArray]
    swap: Swap


class RankAggNDCG(RankAgg):
    """Linear scores trained by LambdaRank for NDCG, with a bias for every ranker that does not list the item.

    Reference: Volkovs, Larochelle & Zemel, "Learning to rank by aggregating expert preferences", CIKM 2012.
    """

    name = "rankagg_ndcg"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RankAggERR(RankAgg):
    """Linear scores trained by LambdaRank for ERR, with a bias for every ranker that does not list the item.

    Reference: Volkovs, Larochelle & Zemel, "Learning to rank by aggregating expert preferences", CIKM 2012.
    """

    name = "rankagg_err"

    measure: str = "err"

    def swap(self, stakes: Stakes, items: slice) -> Swap:
        return swap_err(stakes.stop[items])


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RankAggRBP(RankAgg):
    """Linear scores trained by LambdaRank for RBP, with a bias for every ranker that does not list the item.

    Reference: Volkovs, Larochelle & Zemel, "Learning to rank by aggregating expert preferences", CIKM 2012.
    """

    name = "rankagg_rbp"

    measure: str = "rbp(p=0.95)"
