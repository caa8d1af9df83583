"""Local Kemenization of any method's order, and of a Markov chain's (MCLK)."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.orders.local_kemeny import local_kemeny
from stagg.kernels.pairs.majority import margins, score_groups
from stagg.methods.base import Method, in_range
from stagg.methods.consensus import consensus
from stagg.methods.pairwise.markov import CHAINS
from stagg.methods.pairwise.uncertain import Uncertain
from stagg.registry import one_of

__all__ = ["MCLK", "LocalKemeny"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class _LocallyOptimal(Method):
    """Local Kemenization of the order that ``begins_with`` gives."""

    honours = ("below", "neutral", "skip")
    strictly = frozenset({"unanimity"})
    tie_rule = "exact"

    @abc.abstractmethod
    def begins_with(self) -> Method:
        """The method whose order is improved."""

    def margins_of(self, view: Query) -> IntArray:
        """M[i, j] = the weight of the lists that put item i above item j, less that of the opposite."""
        return margins(view.positions, view.votes, self.absence)

    def score(self, rankings: Rankings) -> FloatArray:
        first = _fuse_with_trust(rankings, self.begins_with())
        places = np.empty(len(rankings.items), dtype=np.intp)
        places[first.entries] = np.cumsum(~first.tied)
        scores = np.zeros(len(rankings.items))
        for view in rankings:
            mine = slice(*rankings.item_offsets[view.number : view.number + 2])
            if len(view) and view.rankers:
                scores[mine] = score_groups(local_kemeny(places[mine], self.margins_of(view)))
        return scores


def _fuse_with_trust(rankings: Rankings, start: Method) -> Rankings:
    """The consensus by a method that may have trust of its own; the candidates stay those of the rankings."""
    bound, weighted = start.bind(rankings)
    heavy = np.flatnonzero(weighted.weights > 0)
    if len(heavy) < len(weighted.rankers):
        weighted = weighted.replace(declared=True).take_rankers(heavy)
    return consensus(weighted, bound)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LocalKemeny(Uncertain, _LocallyOptimal):
    """Local Kemenization: another method's order, in which no item is beaten by the next one any more.

    The items are taken in the order of ``start`` (any method, as text) and put at the end of the new one; there each
    moves up while a strict majority (by weight) puts it above the one before. The result is locally Kemeny optimal: no
    exchange of two neighbours brings it nearer to the lists. A Condorcet winner comes first, and so does every set
    of items that wins all contests with the others. Score: n - rank + 1.

    Items that tie in ``start`` are told apart by majorities among themselves, then by the sums of their margins and
    by their margins against the others; those that nothing but the id tells apart move together and tie in the
    result. ``missing`` says what absence means for the majorities (below: the unlisted lose to the listed; skip,
    neutral: only lists that hold both); the start has its own, as in ``local_kemeny(start="borda(missing='below')")``.

    ``shape`` and ``trust``: uncertain votes for the majorities, as for ``copeland``. A start that learns from all
    queries is refused.

    Reference: Dwork, Kumar, Naor & Sivakumar, "Rank aggregation methods for the web", WWW 2001, section 4.

    >>> from stagg import fuse
    >>> lists = [["a", "c", "b"], ["a", "b", "c"], ["b", "c", "a"]]
    >>> fuse(lists, "borda").best_first(), fuse(lists, "local_kemeny(start='borda')").best_first()
    (['a', 'b', 'c'], ['a', 'b', 'c'])
    """

    name = "local_kemeny"
    breaks: ClassVar[Mapping[str, str]] = {
        "monotonicity": "a raised item pushes down one that kept a third from moving up: that may then pass both",
    }

    start: str = "borda"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.start, str):
            raise InvalidParameter(f"{self.name}: start is {shown(self.start)}; it must be the text of a method")
        if self.begins_with().needs_all_queries():
            raise InvalidParameter(
                f"{self.name}: the start {shown(self.start)} learns from all queries, which a start cannot; take "
                "another start, or give it a shape and trust that are fixed: trust={'bm25': 0.5}"
            )

    def begins_with(self) -> Method:
        from stagg.methods import METHODS

        return METHODS.parse(self.start)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class MCLK(_LocallyOptimal):
    """Markov chain and local Kemenization: the order of ``mc1`` to ``mc4``, made locally Kemeny optimal.

    The paper's baseline of that name. ``chain`` is one of "mc1" to "mc4", ``teleport`` its probability of a step to any
    item; ``missing`` goes for both parts. Ties, scores and reference as for ``local_kemeny``; like there, raising an
    item can lower it, but so rarely that the random search of the laws does not meet it.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]], "mclk(chain='mc4')").best_first()
    ['a', 'b', 'c']
    """

    name = "mclk"
    breaks: ClassVar[Mapping[str, str]] = {
        "monotonicity": "in one of some thousands of small profiles: the chain may start it elsewhere in the insertion",
    }

    chain: str = "mc4"
    teleport: float = 0.15

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "chain", tuple(CHAINS))
        in_range(self, "teleport", 0, 1)

    def begins_with(self) -> Method:
        return CHAINS[self.chain](teleport=self.teleport, missing=self.missing)
