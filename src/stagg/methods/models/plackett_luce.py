"""Plackett-Luce: strengths under which the lists, as choices of the next best among those left, are most likely."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.fitting.plackett_luce import choices, maximise, maximise_by_mm, stages
from stagg.kernels.pairs.pairwise import pair_counts
from stagg.methods.models.likelihood import PRIOR_SCALE, PriorModel
from stagg.registry import one_of

__all__ = ["PlackettLuce"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PlackettLuce(PriorModel):
    """Plackett-Luce: each list chooses the next item among those left, with probability e^v_i / Σ_left e^v_j.

    Score = v, the strengths of largest Σ_k w_k Σ_stages [v_chosen - log Σ_left e^v] - ½ ``prior`` ‖v‖², Σ v = 0.
    ``missing="below"`` (default): a list is the top of a ranking of all candidates; those it does not hold are left at
    every stage. ``"skip"``: a list ranks its own items only.

    Ties: each item of a tied group is chosen at a stage at which the whole group is left (Breslow's treatment in
    survival analysis), as if each of them might have been first. A tied group at the end, with nobody left behind it,
    is not ordered by anything: there nobody is chosen, so "a, then b and c" is the one choice of a among three.

    ``prior=0`` is maximum likelihood; it exists when wins lead from every item to every other, and is refused
    otherwise. The default makes the maximum exist for all lists and changes little where they suffice: an
    item that only wins or only loses stays finite, and parts that no list compares are each centred at 0.
    ``solver``: "newton", or "mm" (Hunter's minorise-maximise, slow, the same maximum).

    Reference: Plackett 1975; Luce 1959; Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of
    Statistics 2004; partial rankings: Guiver & Snelson, "Bayesian inference for Plackett-Luce ranking models",
    ICML 2009.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["a", "c"]], "plackett_luce")
    Rankings(1 query, 1 ranker, 3 items, with scores)
      stagg-plackett_luce: a > b > c
    """

    name = "plackett_luce"
    breaks: ClassVar[Mapping[str, str]] = {"replication": PRIOR_SCALE}

    solver: str = "newton"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "solver", ("newton", "mm"))

    def fit(self, positions: FloatArray, weights: FloatArray, query: str) -> FloatArray:
        if positions.shape[1] < 2:
            return np.zeros(positions.shape[1])
        if self.prior == 0:
            self.must_have_maximum(_beats(positions, weights, self.treatment), query)
        solve = maximise if self.solver == "newton" else maximise_by_mm
        return self.settled(solve(stages(positions, weights, self.treatment), prior=self.prior), query)


def _beats(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """beats[i, j] > 0 where i was chosen while j was left; of the unlisted, nobody is ever chosen."""
    chosen = choices(positions, missing)
    left = ~chosen if missing == "below" else ~chosen & (positions != ABSENT)
    counts = pair_counts(np.where(chosen, positions, ABSENT), weights, "skip")
    counts += (weights[:, None] * chosen).T @ left
    return counts
