"""Trust as a prior: weights that it gives without labels, and tuned weights drawn toward them."""

from __future__ import annotations

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray
from stagg.kernels.id_order import order_by_id
from stagg.methods.stochastic.trust import StaggTrust

__all__ = ["shrink", "trust_weights"]

PRIOR_QUERIES = 10
"""How many labelled queries the prior is worth."""


def trust_weights(rankings: Rankings, rankers: tuple[str, ...]) -> FloatArray:
    """The influence that ``stagg_trust`` gives each ranker, from agreement alone; all 1 where it can learn none."""
    found = StaggTrust().teach(rankings.take_rankers(order_by_id(rankings.rankers))).trust
    if not found.learned:
        return np.ones(len(rankers))
    return np.array([found.rankers[name].influence for name in rankers])


def shrink(weights: FloatArray, prior: FloatArray, queries: int) -> FloatArray:
    """The mean of tuned weights and prior, both with mean 1: the tuned ones count ``queries``, the prior 10.

    >>> shrink(np.array([0.0, 2.0]), np.array([1.0, 1.0]), 10)
    array([0.5, 1.5])
    """
    share = queries / (queries + PRIOR_QUERIES)
    drawn: FloatArray = share * weights / weights.mean() + (1 - share) * prior / prior.mean()
    return drawn
