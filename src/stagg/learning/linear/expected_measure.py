"""Supervised St.Agg: linear scores that maximise an expected measure, exactly."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.expected_measures import expected, expected_normal
from stagg.learning.base import Watch
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import Descent, DescentLeg, ascend, descend
from stagg.learning.linear.linear_learner import LinearLearner, Validate
from stagg.learning.linear.scaled import Scaled
from stagg.measures import MEASURES
from stagg.methods.base import in_range
from stagg.registry import one_of

__all__ = ["StaggERR", "StaggNDCG", "StaggRBP"]

PATH = (1.0, 0.5, 0.25)
"""Noise levels from smooth to sharp: each fit starts where the one before it ended."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ExpectedMeasureLearner(LinearLearner):
    """A linear f(x) = w'ψ(x) whose noisy scores N(f, σ²) maximise the expectation of a measure (Eq. 14 and 15).

    The expectation depends on f / σ alone, so σ means something only beside the scale of the scores: here it is the
    noise relative to their standard deviation within a query, whatever the length of w. Left out, it is annealed: from
    1, where everything is smooth, to 0.25, where most contests are decided, each fit starting at the end of the one
    before. With a validation part the weights that are best there by ``measure`` are kept, over all iterations and
    noise levels; without one, those of the last.

    ``ridge`` times w'w / s² is taken off the objective, s being the standard deviation of the scores: of directions
    that order equally well the one with the smaller weights is preferred, whatever the length of w. ``optimiser`` is
    "lbfgs" or the paper's "gradient" ascent with a fixed ``rate``; ``approximation`` is "exact" or the paper's "normal"
    one of the rank distribution.
    """

    parameters_explained: ClassVar[bool] = True

    sigma: float | None = None
    optimiser: str = "lbfgs"
    rate: float = 0.1
    ridge: float = 0.001
    approximation: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sigma is not None:
            in_range(self, "sigma", 0, open_low=True)
        in_range(self, "rate", 0, open_low=True)
        in_range(self, "ridge", 0)
        one_of(self, "optimiser", ("lbfgs", "gradient"))
        one_of(self, "approximation", ("exact", "normal"))

    def objective(self) -> str:
        """The measure whose expectation is maximised."""
        return self.name.removeprefix("stagg_")

    def trained(
        self, known: Examples, scaled: Scaled, validate: Validate | None, watch: Watch | None
    ) -> tuple[Descent, tuple[str, Any]]:
        climb = _Climb(self, known, scaled)
        found, sigma = climb.along(PATH if self.sigma is None else (self.sigma,), validate, watch)
        return found, ("sigma", sigma)


class StaggNDCG(ExpectedMeasureLearner):
    """Maximise the expected NDCG of noisy linear scores: St.Agg with NDCG, which is SoftRank, without approximation.

    Reference: section 4.3 of the paper; Taylor, Guiver, Robertson & Minka, "SoftRank", WSDM 2008.
    """

    name = "stagg_ndcg"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggERR(ExpectedMeasureLearner):
    """Maximise the expected ERR of noisy linear scores, the stopping taken under the same contests as the ranks.

    The gradient as the paper prints it does not depend on the label of the item; this is that of the expectation.

    Reference: section 4.3 of the paper.
    """

    name = "stagg_err"

    measure: str = "err"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggRBP(ExpectedMeasureLearner):
    """Maximise the expected RBP of noisy linear scores: the reader goes on with probability p.

    Reference: section 4.3 of the paper.
    """

    name = "stagg_rbp"

    measure: str = "rbp(p=0.95)"
    ridge: float = 0.0001
    p: float = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "p", 0, 1, open_low=True, open_high=True)

    def objective(self) -> str:
        return f"rbp(p={self.p!r})"


class _Climb:
    """The expected measure as a function of the direction of the weights: E at noise σ · s(w), s(w)² = w'Cw.

    C is the covariance of the features within queries, so s(w) is the standard deviation of the scores.
    """

    def __init__(self, learner: ExpectedMeasureLearner, examples: Examples, scaled: Scaled) -> None:
        self.learner, self.examples, self.table = learner, examples, scaled.table
        self.stakes = examples.stakes(MEASURES.parse(learner.objective()))
        self.kernel = expected if learner.approximation == "exact" else expected_normal
        self.covariance: FloatArray = self.table.T @ self.table / len(self.table)

    def along(self, sigmas: tuple[float, ...], validate: Validate | None, watch: Watch | None) -> tuple[Descent, float]:
        """The best point on the way through these noise levels, and the level that it was found at."""
        found: list[tuple[Descent, float]] = []
        point, each = self.start(), self.learner.iterations
        for number, sigma in enumerate(sigmas):
            leg = DescentLeg(watch, number * each, len(sigmas) * each)
            reached = self.climbed(point, sigma, validate, leg)
            found.append((reached, sigma))
            point = reached.last / np.linalg.norm(reached.last)
            if leg.stopped:
                break
        if validate is None:
            return found[-1]
        return max(found, key=lambda each: each[0].validation or 0.0)

    def climbed(self, start: FloatArray, sigma: float, validate: Validate | None, watch: Watch) -> Descent:
        learner = self.learner
        if learner.optimiser == "gradient":
            return ascend(
                lambda w: self.value(w, sigma), start, learner.rate,
                iterations=learner.iterations, validate=validate, watch=watch,
            )  # fmt: skip

        def loss(point: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self.value(point, sigma)
            return -value, -gradient

        return descend(loss, start, iterations=learner.iterations, validate=validate, watch=watch)

    def start(self) -> FloatArray:
        """The steepest direction where all scores are equal and every contest is even."""
        _, slope = self.kernel(np.zeros(len(self.table)), self.examples.offsets, self.stakes, 1.0)
        point = self.table.T @ slope
        length = float(np.linalg.norm(point))
        return point / length if length > 0 else np.full(len(point), len(point) ** -0.5)

    def value(self, w: FloatArray, sigma: float) -> tuple[float, FloatArray]:
        """The mean of E over the queries less the ridge, and ∂E/∂w = X'e/s - (f'e) Cw/s³ with e = ∂E/∂(f/s)."""
        f, pull, ridge = self.table @ w, self.covariance @ w, self.learner.ridge
        s = max(float(w @ pull), 1e-300) ** 0.5
        values, e = self.kernel(f / s, self.examples.offsets, self.stakes, sigma)
        gradient = (self.table.T @ e / s - float(f @ e) * pull / s**3) / len(values)
        length = float(w @ w) / s**2
        shrink = 2 * (w - length * pull) / s**2
        return float(values.mean()) - ridge * length, gradient - ridge * shrink
