"""Markov chains MC1 to MC4: a walk from item to better item, ranked by the time it spends in each."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import NotConverged, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.orders import markov
from stagg.methods.base import Method, in_range
from stagg.methods.pairwise.uncertain import Uncertain

__all__ = ["CHAINS", "MC1", "MC2", "MC3", "MC4", "MarkovChain"]

LARGEST_DIRECT = 1000  # items up to which the linear system is solved, O(n³); above, power iteration
TOLERANCE = 1e-12
STEPS = 20_000
SMALLEST_TELEPORT = 1e-9  # below, the limit for teleport -> 0 is nearer than what the equations give
CELLS = 4_000_000  # matrix entries held at once


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MarkovChain(Method):
    """The share of time that a walk over the items spends in each; subclasses say how it moves."""

    honours = ("below", "neutral", "skip")

    teleport: float = 0.15

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "teleport", 0, 1)

    @staticmethod
    @abc.abstractmethod
    def transitions(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
        """T[p, q] = the probability of moving from item p to item q."""

    def score(self, rankings: Rankings) -> FloatArray:
        scores = np.zeros(len(rankings.items))
        for queries in _batches(rankings):
            views = [Query(rankings, int(number)) for number in queries]
            orders = [order_by_id(view.items) for view in views]  # no other order can change the last bits
            chains = np.stack([self._chain(view, order) for view, order in zip(views, orders, strict=True)])
            for view, order, shares in zip(views, orders, self._shares(chains, views), strict=True):
                scores[rankings.item_offsets[view.number] + order] = shares
        return scores

    def _chain(self, view: Query, order: IntArray) -> FloatArray:
        return self.transitions(view.positions[:, order], view.weights, self.absence)

    def _shares(self, chains: FloatArray, views: list[Query]) -> FloatArray:
        if chains.shape[-1] > LARGEST_DIRECT:
            return np.stack([self._iterate(chain, view) for chain, view in zip(chains, views, strict=True)])
        if self.teleport < SMALLEST_TELEPORT:
            return np.stack([markov.long_run(chain) for chain in chains])
        return markov.stationary(chains, self.teleport)

    def _iterate(self, chain: FloatArray, view: Query) -> FloatArray:
        shares, change = markov.power_iteration(chain, self.teleport, tolerance=TOLERANCE, steps=STEPS)
        if change >= TOLERANCE:
            raise NotConverged(
                f"{self!r}, query {shown(view.id)}: after {STEPS:,} steps the walk still changed by {change:.2g} "
                f"(expected below {TOLERANCE:g}); a larger teleport settles sooner"
            )
        return shares


class MC1(MarkovChain):
    """Markov chain MC1: from an item to any that some list puts at least as high, all mentions alike.

    From p to q uniform over the multiset union, over the lists that hold p, of {q: τ(q) <= τ(p)}; that includes p, and
    what ties with it. With probability ``teleport`` a step goes to any item alike. The score is the stationary
    probability; weights act as copies of the lists.

    By default the items that a list does not hold are one tied block after it (``missing="below"``), so every list
    holds every item; with ``"skip"`` (or ``"neutral"``), the original's wording, a list speaks only of its own items.
    ``teleport=0`` is allowed: where the chain then falls apart, each closed class of items counts as much as walks
    that start anywhere alike end in it. Up to 1,000 items by linear equations; above by power iteration to a change
    below 1e-12, and NotConverged if that does not come.

    Raising an item in a list can lower it, in about one of ten thousand small random profiles: a list that puts it
    higher also offers other ways on from the items that it passed.

    Reference: Dwork, Kumar, Naor & Sivakumar, "Rank aggregation methods for the web", WWW 2001, section 3.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]], "mc1").best_first()
    ['a', 'b', 'c']
    """

    name = "mc1"
    breaks: ClassVar[Mapping[str, str]] = {
        "monotonicity": "in one of ten thousand small profiles: a raised item opens other ways on from those it passed",
    }
    transitions = staticmethod(markov.mc1)


class MC2(MarkovChain):
    """Markov chain MC2: pick a list, then an item that it puts at least as high.

    Pick a list that holds p, each alike (by weight), then q uniform in its {q: τ(q) <= τ(p)}, p included. Teleport,
    ``missing``, scores and reference as for ``mc1``.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]], "mc2").best_first()
    ['a', 'b', 'c']
    """

    name = "mc2"
    transitions = staticmethod(markov.mc2)


class MC3(MarkovChain):
    """Markov chain MC3: pick a list and an item of it; move there if the list puts it higher.

    Pick a list that holds p, each alike (by weight), and q uniform among all its items; move if τ(q) < τ(p), else
    stay. Teleport, ``missing``, scores and reference as for ``mc1``.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]], "mc3").best_first()
    ['a', 'b', 'c']
    """

    name = "mc3"
    transitions = staticmethod(markov.mc3)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MC4(Uncertain, MarkovChain):
    """Markov chain MC4: pick any item; move there if the majority of the lists puts it higher.

    Pick q uniform among all n items; move if more lists (by weight) put q above p than p above q, else stay; a list in
    which the two tie counts for neither. A Condorcet winner comes first. Teleport, ``missing``, scores and reference
    as for ``mc1``; ``shape`` and ``trust``: uncertain votes, as for ``copeland``.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]], "mc4").best_first()
    ['a', 'b', 'c']
    """

    name = "mc4"
    transitions = staticmethod(markov.mc4)

    def _chain(self, view: Query, order: IntArray) -> FloatArray:
        return markov.follow_majorities(self.margins_of(view)[np.ix_(order, order)])


CHAINS: Mapping[str, type[MarkovChain]] = {chain.name: chain for chain in (MC1, MC2, MC3, MC4)}


def _batches(rankings: Rankings) -> Iterator[IntArray]:
    """Queries of equal size, as many at a time as memory allows; those without lists are left out."""
    sizes = np.where(rankings.list_counts > 0, rankings.sizes, 0)
    for n in np.unique(sizes[sizes > 0]):
        queries = np.flatnonzero(sizes == n)
        step = max(1, CELLS // int(n) ** 2)
        for low in range(0, len(queries), step):
            yield queries[low : low + step]
