"""Robust rank aggregation: items that stand higher than chance would put them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.order_statistics import log_rho
from stagg.methods.base import Method

__all__ = ["RRA"]


class RRA(Method):
    """Robust rank aggregation: how much higher an item stands, in some of the lists, than chance would put it.

    The ranks of an item are divided by n (tied items have their mean rank, absence counts as 1) and sorted; the k-th
    smallest of m is compared with that of m random lists, which has the distribution Beta(k, m - k + 1); ρ is the
    smallest of these probabilities. The score is -log10(m ρ), so the p-value of the item (Bonferroni over the lists)
    is min(1, 10^-score): 3 means 0.001, and items below 0, whose p-value is 1, are still ordered by ρ. Only agreement
    at the top counts; a few lists that put an item low do it little harm.

    Weights act as copies of the lists (k and m are sums of weights; the Beta function takes fractions too), so they
    are numbers of lists rather than importances: twice the weight is twice the evidence.

    Reference: Kolde, Laur, Adler & Vilo, "Robust rank aggregation for gene list integration and meta-analysis",
    Bioinformatics 28, 2012.

    >>> from stagg import fuse
    >>> found = fuse([["a", "b", "c", "d"], ["a", "c", "d", "b"], ["d", "a", "b", "c"]], "rra")
    >>> {item: round(min(1, 10**-score), 4) for item, score in found["1"].scores["stagg-rra"].items()}
    {'a': 0.375, 'd': 1, 'c': 1, 'b': 1}
    """

    name = "rra"
    honours = ("below",)
    breaks: ClassVar[Mapping[str, str]] = {
        "replication": "twice the lists are twice the evidence, which is not the same for all ranks",
    }

    def score(self, rankings: Rankings) -> FloatArray:
        scores = [_surprises(view) for view in rankings]
        return np.concatenate(scores) if scores else np.zeros(0)


def _surprises(view: Query) -> FloatArray:
    """-log10(m ρ) of each item of a query; 0 where there is no list to be surprised by."""
    positions, weights = view.positions, view.weights
    if not positions.size:
        return np.zeros(len(view))
    ranks = np.where(positions == ABSENT, 1.0, (positions + 1) / len(view))
    return -(log_rho(ranks, weights) + math.log10(_add(weights)))


def _add(weights: FloatArray) -> float:
    try:
        return math.fsum(weights)
    except OverflowError:
        return math.inf
