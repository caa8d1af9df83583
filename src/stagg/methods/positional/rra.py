"""Robust rank aggregation (RRA): items that stand higher than chance would put them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.kernels.lists.order_statistics import benjamini_hochberg, log_rho
from stagg.methods.base import Method, Scored

__all__ = ["RRA"]


class RRA(Method):
    """Robust rank aggregation: how much higher an item stands, in some of the lists, than chance would put it.

    The ranks of an item are divided by n (tied items have their mean rank, absence counts as 1) and sorted; the k-th
    smallest of m is compared with that of m random lists, which has the distribution Beta(k, m - k + 1); ρ is the
    smallest of these probabilities. The score is -log10 ρ: 0 or more, 3 means that ρ is 0.001. Only agreement at the
    top counts; a few lists that put an item low do it little harm.

    Two more columns stand beside the score: ``p`` = min(1, m ρ), the p-value of the item corrected for having looked at
    m ranks, and ``q``, which is corrected for the number of items as well (Benjamini & Hochberg over all items of the
    query): of the items up to q = 0.1, a tenth is expected to be there by chance.

    Weights act as copies of the lists (k and m are sums of weights; the Beta function takes fractions too), so they
    are numbers of lists rather than importances: twice the weight is twice the evidence. For ``p``, m is at least 1.

    Reference: Kolde, Laur, Adler & Vilo, "Robust rank aggregation for gene list integration and meta-analysis",
    Bioinformatics 28, 2012.

    >>> from stagg import fuse
    >>> found = fuse([["a", "b", "c", "d"], ["a", "c", "d", "b"], ["a", "d", "b", "c"]], "rra")
    >>> [(hit.item, round(hit.score, 2), round(hit.p, 4), round(hit.q, 4)) for hit in found.hits()]
    [('a', 1.81, 0.0469, 0.1875), ('d', 0.07, 1.0, 1.0), ('c', 0.07, 1.0, 1.0), ('b', 0.07, 1.0, 1.0)]
    """

    name = "rra"
    honours = ("below",)
    tie_rule = "own"
    breaks: ClassVar[Mapping[str, str]] = {
        "replication": "twice the lists are twice the evidence, which is not the same for all ranks",
    }

    @property
    def extras(self) -> tuple[str, ...]:
        return ("p", "q")

    def score(self, rankings: Rankings) -> FloatArray:
        scores = [_surprises(view) for view in rankings]
        return np.concatenate(scores) if scores else np.zeros(0)

    def scored(self, rankings: Rankings) -> Scored:
        scores = self.score(rankings)
        return Scored(scores, np.maximum(scores, 1.0))  # the noise of a logarithm is that of a number of at least 1

    def puts_unlisted_last(self) -> bool:
        return False  # where no list holds an item, ρ is 1: no score is below it

    def extra_columns(self, fused: Rankings, rankings: Rankings) -> dict[str, FloatArray]:
        lists = np.array([max(1.0, _add(view.weights)) for view in rankings])
        scores = np.zeros(0) if fused.scores is None else fused.scores
        p = 10 ** np.minimum(0.0, np.log10(lists)[fused.entry_queries] - scores)
        each = zip(fused.entry_offsets[:-1], fused.entry_offsets[1:], strict=True)
        return {"p": p, "q": np.concatenate([p[:0], *(benjamini_hochberg(p[slice(*ends)]) for ends in each)])}


def _surprises(view: Query) -> FloatArray:
    """-log10 ρ of each item of a query; 0 where there is no list to be surprised by."""
    positions, weights = view.positions, view.weights
    if not positions.size:
        return np.zeros(len(view))
    ranks = np.where(positions == ABSENT, 1.0, (positions + 1) / len(view))
    return 0.0 - log_rho(ranks, weights)


def _add(weights: FloatArray) -> float:
    try:
        return math.fsum(weights)
    except OverflowError:
        return math.inf
