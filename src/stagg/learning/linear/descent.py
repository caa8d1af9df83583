"""Fitting by L-BFGS: every iteration is reported, and with a validation part the best iterate is kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from stagg.errors import DataError
from stagg.features import FeatureMap
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.learning.base import Lesson, Step, Watch
from stagg.learning.examples import Examples

__all__ = [
    "MOST_ITERATIONS", "PATIENCE", "Descent", "DescentLeg", "Path", "ascend", "descend", "find_contrasts", "hold",
]  # fmt: skip

MOST_ITERATIONS = 100_000  # of any fit: it has an end
PATIENCE = 10  # iterations without a better validation mean, after which a fit stops
BETTER = 1e-9  # a validation mean that is higher by less is not better

Function = Callable[[FloatArray], tuple[float, FloatArray]]
"""point -> (value to minimise, gradient)."""


@dataclasses.dataclass(frozen=True, eq=False)
class Descent:
    """Where a fit ended: the point that it keeps, the iteration that reached it, and whether the minimum was met.

    ``validation`` is the mean on the validation part at that point, None where there is none; ``last`` is where it
    stopped.
    """

    point: FloatArray
    last: FloatArray
    iteration: int
    iterations: int
    converged: bool
    validation: float | None

    def facts(self) -> tuple[tuple[str, Any], ...]:
        """Facts about the training of a model."""
        facts = (("iterations", self.iterations), ("kept", self.iteration), ("converged", self.converged))
        return facts if self.validation is None else (*facts, ("validation", self.validation))


def descend(
    function: Function,
    start: FloatArray,
    *,
    iterations: int,
    validate: Callable[[FloatArray], float] | None = None,
    watch: Watch | None = None,
) -> Descent:
    """The minimum of a smooth function, or, with ``validate``, the best iterate on the way there, the start included.

    A fit with a validation part stops when ten iterations brought nothing better there. The watch sees the negative of
    the value: higher is better.
    """
    from scipy.optimize import minimize

    path = Path(start, iterations, validate, watch)
    options = {"maxiter": iterations, "maxfun": 20 * iterations, "ftol": 1e-10, "gtol": 1e-7}
    # scipy hands over the result so far where the parameter of the callback has this very name
    found = minimize(function, start, jac=True, method="L-BFGS-B", callback=path.step, options=options)
    return path.ended(met=found.status == 0 and not path.stopped)


class DescentLeg:
    """A watch for one of several runs that are reported as one; it remembers that it was asked to stop."""

    def __init__(self, watch: Watch | None, before: int, total: int) -> None:
        self.watch, self.before, self.total, self.stopped = watch, before, total, False

    def __call__(self, step: Step) -> bool:
        shifted = step._replace(iteration=self.before + step.iteration, iterations=self.total)
        self.stopped = self.watch is not None and self.watch(shifted)
        return self.stopped


def ascend(
    function: Function,
    start: FloatArray,
    rate: float,
    *,
    iterations: int,
    validate: Callable[[FloatArray], float] | None = None,
    watch: Watch | None = None,
) -> Descent:
    """Gradient ascent by a fixed rate, as the paper has it; what is kept and reported as in :func:`descend`."""
    path, point = Path(start, iterations, validate, watch), start.copy()
    try:
        for _ in range(iterations):
            value, gradient = function(point)
            point = point + rate * gradient
            path.reached(point, value)
    except StopIteration:
        pass
    return path.ended(met=False)


class Path:
    """The iterates of one fit: counts them, reports them, keeps the best."""

    def __init__(
        self,
        start: FloatArray,
        iterations: int,
        validate: Callable[[FloatArray], float] | None,
        watch: Watch | None,
    ) -> None:
        self.iterations, self.validate, self.watch = iterations, validate, watch
        self.done, self.kept, self.stopped = 0, 0, False
        self.point, self.best = start.copy(), None if validate is None else validate(start)
        self.last = self.point

    def step(self, intermediate_result: Any) -> None:
        self.reached(np.array(intermediate_result.x), -float(intermediate_result.fun))

    def reached(self, point: FloatArray, objective: float) -> None:
        """One more iterate; StopIteration where it was the last."""
        self.done += 1
        self.last = point
        mean = None if self.validate is None else self.validate(point)
        if mean is None or self.best is None or mean > self.best + BETTER:
            self.point, self.best, self.kept = point, mean, self.done
        report = Step(self.done, self.iterations, objective, mean)
        asked = self.watch is not None and self.watch(report)
        if asked or (mean is not None and self.done - self.kept >= PATIENCE):
            self.stopped = True
            raise StopIteration

    def ended(self, *, met: bool) -> Descent:
        return Descent(self.point, self.last, self.kept, self.done, met, self.best)


def hold(lesson: Lesson, known: Examples, features: FeatureMap | None = None) -> Examples | None:
    """The validation part of a lesson, whose training examples are known, if there is one."""
    if lesson.validation is None:
        return None
    rankers = known.rankings.rankers
    held = Examples.of(
        *lesson.validation, features, rankers=rankers, conventions=known.conventions, largest=known.largest
    )
    held.check_relevant("validation")
    return held


def find_contrasts(known: Examples) -> IntArray:
    """The queries with lists, and items of different grades (no label is 0): what can be learned from."""
    grades, rankings = np.maximum(known.grades, 0.0), known.rankings
    starts = rankings.item_offsets[:-1]
    apart = np.maximum.reduceat(grades, starts) > np.minimum.reduceat(grades, starts)
    apart &= np.bincount(rankings.list_queries, rankings.list_weights, minlength=len(rankings)) > 0
    if not apart.any():
        raise DataError("no query of the training part has items of different labels: there is nothing to learn from")
    found: IntArray = np.flatnonzero(apart)
    return found
