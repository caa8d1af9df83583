"""SVP: pairwise differences completed by a skew-symmetric matrix of rank 2."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.errors import NotConverged, shown
from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray
from stagg.kernels.pairs.graphs import components
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.kernels.pairs.singular_values import projection
from stagg.methods.base import in_range
from stagg.methods.models.likelihood import LikelihoodMethod
from stagg.methods.models.uncertain_models import UncertainModel, UncertainVotes
from stagg.registry import one_of, whole_number

__all__ = ["SVP"]

ROUNDING = 1e-12  # scores below this share of the largest difference are nothing: rounding must not order items


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class SVP(UncertainModel, LikelihoodMethod):
    """SVP: fit X = -Xᵀ of rank 2 to the mean differences Y of all compared pairs; the score is the row mean of X.

    With S = n - rank + 1 the points of an item in a list, over the lists that hold both (w their weights), ``form`` is

    - "arithmetic": Y_ij = mean of S_i - S_j
    - "geometric": Y_ij = mean of log S_i - log S_j
    - "binary": Y_ij = share of lists with i above j - share with j above i
    - "logodds": Y_ij = log of (1 + lists with i not below j) / (1 + lists with j not below i)

    Pairs that no list compares are left open and completed by singular value projection,
    X ← H₂(X - ``step``·P(X - Y)) from X = 0, until the residual changes by less than ``tolerance``. ``step`` 0.1 and
    tolerance 0.01 are the published ones; step 1 is faster and goes nearer to the fit. Where all pairs are compared,
    "arithmetic" and "geometric" give the row means of Y: with ``missing="below"`` (default), under which unlisted items
    share the mean of the points left over, the order of "arithmetic" is that of ``borda(missing="below")``.
    ``"skip"``: a list compares its own items only; parts that no list connects are fitted each on its own, around 0.
    Tied items have the mean of their ranks. Under "binary" and "logodds" an item that a list raises can fall.

    ``shape`` and ``trust``: uncertain votes, as for ``copeland``: shares of lists and points S are the expected ones.

    Reference: Gleich & Lim, "Rank aggregation via nuclear norm minimization", KDD 2011; Jain, Meka & Dhillon,
    "Guaranteed rank minimization via singular value projection", NIPS 2010.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "c", "d"]], "svp(missing='skip')")
    Rankings(1 query, 1 ranker, 4 items, with scores)
      stagg-svp: a > b > c > d
    """

    name = "svp"

    form: str = "arithmetic"
    step: float = 0.1
    tolerance: float = 0.01
    iterations: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "form", ("arithmetic", "geometric", "binary", "logodds"))
        in_range(self, "step", 0, 1, open_low=True)
        in_range(self, "tolerance", 0, 1, open_low=True)
        whole_number("svp: iterations", self.iterations, least=1, most=1_000_000)

    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        return self._fit_differences(*self.differences(positions, weights), query)

    def fit_uncertain(self, votes: UncertainVotes, query: str) -> FloatArray:
        return self._fit_differences(*self._expected_differences(votes), query)

    def _fit_differences(self, matrix: FloatArray, known: BoolArray, query: str) -> FloatArray:
        if not np.isfinite(matrix).all():  # huge weights: nothing can be solved, and whoever asked is told why
            return np.full(len(matrix), np.nan)
        parts = components(known)
        scores = np.zeros(len(matrix))
        for part in range(parts.max() + 1):
            members = np.flatnonzero(parts == part)
            inside = np.ix_(members, members)
            scores[members] = self._complete(matrix[inside], known[inside], query)
        return scores

    def differences(self, positions: FloatArray, weights: FloatArray) -> tuple[FloatArray, BoolArray]:
        """(Y, which of its entries are known)."""
        listed = np.ones_like(positions) if self.treatment == "below" else (positions != ABSENT).astype(float)
        both = (listed * weights[:, None]).T @ listed
        known = (both > 0) & ~np.eye(len(both), dtype=bool)
        total = np.where(known, both, 1.0)
        if self.form in ("binary", "logodds"):
            wins = pair_wins(positions, weights, self.treatment)
            if self.form == "binary":
                return (wins - wins.T) / total, known
            return np.where(known, np.log1p(both - wins.T) - np.log1p(both - wins), 0.0), known
        points = listed * self._points(positions)
        sums = (points * weights[:, None]).T @ listed
        return np.where(known, (sums - sums.T) / total, 0.0), known

    def _expected_differences(self, votes: UncertainVotes) -> tuple[FloatArray, BoolArray]:
        """The same where votes, or points, are the expected ones."""
        both = votes.compared()
        known = (both > 0) & ~np.eye(len(both), dtype=bool)
        total = np.where(known, both, 1.0)
        if self.form in ("binary", "logodds"):
            whole, unit = votes.wins()
            if self.form == "binary":
                return (whole - whole.T) * unit / total, known
            wins = whole * unit
            return np.where(known, np.log1p(both - wins.T) - np.log1p(both - wins), 0.0), known
        sums = votes.points(logarithms=self.form == "geometric")
        return np.where(known, (sums - sums.T) / total, 0.0), known

    def _points(self, positions: FloatArray) -> FloatArray:
        """S, or log S; what a list does not hold shares the mean of what it leaves over."""
        n = positions.shape[1]
        lengths = (positions != ABSENT).sum(axis=1, keepdims=True)
        points = np.where(positions != ABSENT, n - positions, (n - lengths + 1) / 2)
        return np.asarray(np.log(points) if self.form == "geometric" else points)

    def _complete(self, matrix: FloatArray, known: BoolArray, query: str) -> FloatArray:
        solution = projection(matrix, known, step=self.step, tolerance=self.tolerance, limit=int(self.iterations))
        if not solution.settled:
            raise NotConverged(
                f"svp: query {shown(query)} did not settle in {self.iterations} steps; the last changed the residual "
                f"by {solution.change:.2g} of itself, tolerance is {self.tolerance:g}"
            )
        scores = solution.point.mean(axis=1)
        return np.where(np.abs(scores) < ROUNDING * np.abs(matrix).max(), 0.0, scores)
