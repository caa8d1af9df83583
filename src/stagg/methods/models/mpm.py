"""Multinomial preference model: every preference of a list is a draw of one ordered pair out of all."""

from __future__ import annotations

import dataclasses

import numpy as np

from stagg.errors import DataError, InvalidParameter, NotConverged, shown
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.fitting.newton import newton
from stagg.kernels.fitting.pair_models import difference_counts, multinomial, net_counts, spread_multinomial
from stagg.kernels.pairs.pairwise import pair_counts
from stagg.methods.base import in_range
from stagg.methods.models.likelihood import PriorModel
from stagg.methods.models.uncertain_models import UncertainModel, UncertainVotes
from stagg.registry import one_of

__all__ = ["MPM"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MPM(UncertainModel, PriorModel):
    """Multinomial preference model: a preference is a pair drawn with P(i above j) ∝ exp(v_i - v_j), over all pairs.

    Score = v, the strengths of largest Σ_k w_k Σ_ij C_k[i, j] log P(i, j) - ½ ``prior`` ‖v‖², Σ v = 0. ``counts``:
    "difference" (default) counts a pair as often as its ranks differ, C_k[i, j] = rank_j - rank_i where list k has i
    above j; "binary" counts it once (a tied pair half for each). ``missing="below"`` (default): what a list does not
    hold stands at rank L + 1; "skip": a list counts its own pairs only.

    The published model divides v_i - v_j by γ_i + γ_j, with γ free. As (c v, c γ) fits as well as (v, γ), that has no
    unique maximum. By default γ = ½, which makes the problem convex: its order is then that of Σ_j (C_ij - C_ji).
    ``spread`` above 0 frees γ under a log-normal prior, log 2γ_i ~ N(0, spread²): a local maximum near that of γ = ½.

    ``prior=0`` is maximum likelihood. It exists unless the items fall into winners that never lose and losers that
    never win; such lists are refused. The default is small and keeps every strength finite.

    ``shape`` and ``trust``: uncertain votes, as for ``copeland``: the counts of a pair are shared out by the chances of
    the two items.

    Reference: Volkovs & Zemel, "A flexible generative model for preference aggregation", WWW 2012.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["a", "c"]], "mpm")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-mpm: a > b > c
    """

    name = "mpm"

    counts: str = "difference"
    spread: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "counts", ("difference", "binary"))
        in_range(self, "spread", 0, 1e100)  # its square must be a number, too
        if self.spread > 0 and self.prior == 0:
            raise InvalidParameter("mpm: a free spread needs a prior above 0, else strengths and spreads grow together")

    def preferences(self, positions: FloatArray, weights: FloatArray) -> FloatArray:
        """C[i, j] = Σ_k w_k C_k[i, j]: how often the lists prefer i to j."""
        if self.counts == "binary":
            return pair_counts(positions, weights, self.treatment)
        return difference_counts(_ranks(positions, self.treatment), weights)

    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        return self._fit_counts(self.preferences(positions, weights), query)

    def fit_uncertain(self, votes: UncertainVotes, query: str) -> FloatArray:
        return self._fit_counts(votes.counts(by_gap=self.counts == "difference"), query)

    def _fit_counts(self, counts: FloatArray, query: str) -> FloatArray:
        n, (net, total) = len(counts), net_counts(counts)
        if not total:
            return np.zeros(n)
        self.must_be_bounded(counts, query)
        fixed = self.settled(newton(lambda v: multinomial(v, net, total), np.zeros(n), prior=self.prior), query)
        return fixed if self.spread == 0 else self._free(fixed, counts, query)

    def _free(self, start: FloatArray, counts: FloatArray, query: str) -> FloatArray:
        """The strengths when the spreads are free too, from those of equal spreads on."""
        from scipy.optimize import minimize

        n = len(start)

        def objective(x: FloatArray) -> tuple[float, FloatArray]:
            v, u = x[:n], x[n:]
            value, by_v, by_u = spread_multinomial(v, u, counts)
            penalty = 0.5 * self.prior * (v @ v) + 0.5 * (u @ u) / self.spread**2
            return value + float(penalty), np.concatenate([by_v + self.prior * v, by_u + u / self.spread**2])

        options = {"maxiter": 10_000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-9}
        found = minimize(objective, np.concatenate([start, np.zeros(n)]), jac=True, method="L-BFGS-B", options=options)
        change = float(np.abs(found.jac).max())
        if change > 1e-4 * max(1.0, float(counts.sum())):
            raise NotConverged(f"mpm: query {shown(query)} did not settle; the gradient is still {change:.2g}")
        strengths: FloatArray = found.x[:n] - found.x[:n].mean()
        return strengths

    def must_be_bounded(self, counts: FloatArray, query: str) -> None:
        """Without a prior somebody must both win and lose, else winners and losers part for ever."""
        wins, loses = counts.any(axis=1), counts.any(axis=0)
        if self.prior > 0 or (wins & loses).any():
            return
        raise DataError(
            f"mpm(prior=0): query {shown(query)} has no best strengths: no item both wins and loses a pair; "
            "use prior above 0"
        )


def _ranks(positions: FloatArray, missing: str) -> FloatArray:
    """Ranks from 1; what a list does not hold has rank L + 1 or, under "skip", none."""
    listed = positions != ABSENT
    beyond = listed.sum(axis=1, keepdims=True) + 1.0 if missing == "below" else np.nan
    return np.where(listed, positions + 1, beyond)
