"""Means of normalised scores: geometric and harmonic, over the lists that hold the item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.methods.base import Scored, sum_gains
from stagg.methods.positional.comb import DIVIDES, USES_SCORES, Comb

__all__ = ["GeometricMean", "HarmonicMean"]

HUGE: Final = 2.0**900
"""Weights from which sums may overflow."""


class GeometricMean(Comb):
    """Geometric mean of the normalised scores above 0: exp(Σ w ln s / Σ w) over the lists that give the item one.

    An item that no list gives a score above 0 has 0. With ``norm="min-max"`` the last item of a list has 0, which
    leaves it out of the mean; ``compat="opensearch"`` has 0.001 in its place, as there. See :class:`Comb` for the
    norms. Reference: OpenSearch, normalization processor, ``geometric_mean``.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 1.0, "b": 0.4}, {"a": 0.25}])
    >>> fuse(runs, "geometric_mean(norm='none')").to_dict()["1"]
    {'a': 0.5, 'b': 0.4}
    """

    name = "geometric_mean"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def scored(self, rankings: Rankings) -> Scored:
        """The mean has the mass that its logarithm has, as a part of it."""
        rankings = _moderate(rankings)
        gains = self.share_gains(rankings)
        known = gains > 0
        logarithms = np.log(np.where(known, gains, 1.0))
        totals, masses = sum_gains(logarithms, None, rankings)
        weights = sum_gains(known.astype(np.float64), None, rankings).totals
        held = np.where(weights > 0, weights, 1.0)
        scores = np.where(weights > 0, np.exp(totals / held), 0.0)
        return Scored(scores, scores * np.maximum(masses / held, 1.0))


class HarmonicMean(Comb):
    """Harmonic mean of the normalised scores above 0: Σ w / Σ (w / s) over the lists that give the item one.

    The lowest scores count most. An item that no list gives a score above 0 has 0; for scores of 0 see
    ``geometric_mean``. See :class:`Comb` for the norms. Reference: OpenSearch, normalization processor,
    ``harmonic_mean``.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 1.0, "b": 0.4}, {"a": 0.25}])
    >>> fuse(runs, "harmonic_mean(norm='none')").to_dict()["1"]
    {'b': 0.4, 'a': 0.4}
    """

    name = "harmonic_mean"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def scored(self, rankings: Rankings) -> Scored:
        """Scores count in parts of the power of two below the item's lowest, so that no inverse can overflow."""
        rankings = _moderate(rankings)
        gains = self.share_gains(rankings)
        known = gains > 0
        fractions, exponents = np.frexp(np.where(known, gains, 1.0))
        lowest = np.full(len(rankings.items), np.iinfo(np.int32).max)
        np.minimum.at(lowest, rankings.entries[known], exponents[known])
        with np.errstate(over="ignore"):  # beside the lowest it adds nothing
            parts = np.ldexp(fractions[known], exponents[known] - lowest[rankings.entries[known]])
        inverses = np.zeros(len(gains))
        inverses[known] = 1 / parts
        weights = sum_gains(known.astype(np.float64), None, rankings).totals
        totals = sum_gains(inverses, None, rankings).totals
        means = np.divide(weights, totals, out=np.zeros(len(totals)), where=totals > 0)
        scores = np.ldexp(means, np.where(totals > 0, lowest, 0))
        return Scored(scores, scores)


def _moderate(rankings: Rankings) -> Rankings:
    """The rankings with weights whose sum cannot overflow: only the relations between weights count in a mean."""
    largest = rankings.weights.max(initial=0.0)
    if largest < HUGE:
        return rankings
    return rankings.replace(weights=np.ldexp(rankings.weights, -np.frexp(largest)[1]))
