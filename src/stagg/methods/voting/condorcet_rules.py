"""Schulze, ranked pairs, minimax, Black: rules that settle majority cycles by the strength of victories."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Final, Literal

import numpy as np

from stagg.data.query import Query
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.pairs.beatpaths import lock_pairs, order_pairs, possible_places, widest_paths
from stagg.kernels.pairs.majority import majorities, margins, score_groups, strengths, total_margins
from stagg.methods.base import PerQuery
from stagg.registry import one_of

__all__ = ["MOST_OUTCOMES", "Black", "Minimax", "RankedPairs", "Schulze", "Strength", "tie_order"]

Strength = Literal["margins", "winning_votes"]
"""How strong a victory is: by how many votes it was won, or how many votes won it."""

STRENGTHS: Final = ("margins", "winning_votes")
MOST_OUTCOMES = 20_000
"""Outcomes that ``ties="parallel"`` goes through for one query; beyond them it refuses."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ByStrength(PerQuery):
    """What Schulze's rule, ranked pairs and minimax share: ``strength``, how strong a victory is."""

    name: ClassVar[str]
    tie_rule = "exact"

    strength: Strength = "margins"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "strength", STRENGTHS)

    def strengths_of(self, view: Query) -> IntArray:
        """S[i, j] = how strongly item i beats item j; 0 where it does not."""
        return strengths(view.positions, view.votes, self.absence, self.strength)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Schulze(ByStrength):
    """Schulze's rule (beatpath): i beats j if the strongest chain of victories from i to j is stronger than back.

    A chain is as strong as its weakest victory. Items go by the number of items that beat them in this way, fewest
    first: those that nobody beats are Schulze's winners and come first together. Score: n - rank + 1. A Condorcet
    winner wins.

    ``strength``: "margins", by how many votes a victory was won, or "winning_votes", how many votes won it; on ballots
    without ties that list every item the two give the same. ``missing`` as for ``copeland``. O(n³), compiled.

    Reference: Schulze, "A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent single-winner
    election method", Social Choice and Welfare 36, 2011.

    Schulze's example of 45 voters, who put e before a, c, b and d:

    >>> from stagg import fuse
    >>> votes = {"acbed": 5, "adecb": 5, "bedac": 8, "cabed": 3, "caebd": 7, "cbade": 2, "dceba": 7, "ebadc": 8}
    >>> fuse({vote: list(vote) for vote in votes}, "schulze", weights=votes).best_first()
    ['e', 'a', 'c', 'b', 'd']
    """

    name = "schulze"

    def score_query(self, view: Query) -> FloatArray:
        widths = widest_paths(self.strengths_of(view))
        return score_groups((widths > widths.T).sum(axis=0))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RankedPairs(ByStrength):
    """Ranked pairs (Tideman's rule): victories are locked in, the strongest first, unless they close a circle.

    The locked victories are an order of all items; items that no list tells apart tie. Score: n - rank + 1. A Condorcet
    winner wins. ``strength`` and ``missing`` as for ``schulze``.

    Equally strong victories, and pairs without a victor, need an order, and the result may depend on it. ``ties``:

    - "fixed" (default): by the winner's place in ``borda(missing="below")``, then by the loser's; equals there by id,
      the greatest first.
    - "parallel": all orders are gone through, and an item has the best place that any of them gives it; those that
      some order puts first come first together. Exact but slow where much ties: beyond 20,000 outcomes it refuses.

    Reference: Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4, 1987;
    parallel universes: Brill & Fischer, "The price of neutrality for the ranked pairs method", AAAI 2012.

    Tideman's own election: he had 13 votes, Michelle 12, and her friend Charlotte, whom he had nominated, 11. Plurality
    elects him; with the friends' ballots as one would expect them, Michelle beats both.

    >>> from stagg import fuse
    >>> votes = {"Tideman": ["T"], "Michelle": ["M", "C", "T"], "Charlotte": ["C", "M", "T"]}
    >>> fuse(votes, "ranked_pairs", weights={"Tideman": 13, "Michelle": 12, "Charlotte": 11}).best_first()
    ['M', 'C', 'T']
    """

    name = "ranked_pairs"
    breaks: ClassVar[Mapping[str, str]] = {
        "neutrality": "of equally strong victories the ids choose the first, where Borda's count is equal too",
    }

    ties: Literal["fixed", "parallel"] = "fixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "ties", ("fixed", "parallel"))

    def broken_laws(self) -> Mapping[str, str]:
        return {} if self.ties == "parallel" else self.breaks

    def score_query(self, view: Query) -> FloatArray:
        strong = self.strengths_of(view)
        if self.ties == "parallel":
            places = possible_places(strong, MOST_OUTCOMES)
            return score_groups(places if places is not None else _refuse(self, view))
        return score_groups(_lock_in_order(strong, view))

    def best_places(self, view: Query, most: int = MOST_OUTCOMES) -> IntArray | None:
        """The best place, from 0, of each item over all orders of equal victories; None beyond ``most`` outcomes."""
        return possible_places(self.strengths_of(view), most)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Minimax(ByStrength):
    """Minimax (Simpson-Kramer): items go by their worst defeat, the smallest first.

    The score of an item is minus the strength of the strongest victory over it: the margin, below 0 if it beats all
    others, or with ``strength="winning_votes"`` the votes that won it. A Condorcet winner wins; a Condorcet loser may
    win, too, when all others lose by more somewhere. ``missing`` as for ``copeland``.

    Reference: Simpson, "On defining areas of voter choice", Quarterly Journal of Economics 83, 1969; Kramer, "A
    dynamical model of political equilibrium", Journal of Economic Theory 16, 1977.

    >>> from stagg import fuse
    >>> cycle = {"abc": 4, "bca": 3, "cab": 2}
    >>> fuse({vote: list(vote) for vote in cycle}, "minimax", weights=cycle).to_runs()["stagg-minimax"]["1"]
    {'a': 3.0, 'b': 2.0, 'c': 1.0}
    """

    name = "minimax"

    def score_query(self, view: Query) -> FloatArray:
        if self.strength == "winning_votes":
            return score_groups(self.strengths_of(view).max(axis=0))
        margin = margins(view.positions, view.votes, self.absence)
        np.fill_diagonal(margin, margin.min())  # nobody plays against himself
        return score_groups(margin.max(axis=0))


class Black(PerQuery):
    """Black's rule: the Condorcet winner first, if there is one; all others by Borda's count.

    Borda's count is the sum of the margins against all others: on complete ballots, and with ``missing="below"``, that
    of ``borda(missing="below")``. Items with equal sums tie. Score: n - rank + 1. ``missing`` as for ``copeland``.

    Reference: Black, "The theory of committees and elections", 1958.

    >>> from stagg import fuse
    >>> votes = {"abc": 3, "bca": 2}
    >>> fuse({vote: list(vote) for vote in votes}, "black", weights=votes).best_first()
    ['a', 'b', 'c']
    >>> fuse({vote: list(vote) for vote in votes}, "borda", weights=votes).best_first()
    ['b', 'a', 'c']
    """

    name = "black"
    tie_rule = "exact"
    strictly = frozenset({"unanimity"})

    def score_query(self, view: Query) -> FloatArray:
        found = majorities(view.positions, view.votes, self.absence)
        beats_all = (found.margins > 0).sum(axis=1) == len(view) - 1
        return score_groups(~beats_all, -found.totals)


def _lock_in_order(strong: IntArray, view: Query) -> IntArray:
    """The places of the items when equally strong victories go by the tie order.

    Items that no list tells apart stand together: the first of them in the tie order stands for all.
    """
    preferred = tie_order(view)
    _, first, groups = np.unique(view.positions.T[preferred], axis=0, return_index=True, return_inverse=True)
    heads = preferred[np.sort(first)]
    above = lock_pairs(*order_pairs(strong[np.ix_(heads, heads)], np.arange(len(heads))), len(heads))
    places = np.empty(len(view), dtype=np.intp)
    places[preferred] = above.sum(axis=0)[np.argsort(np.argsort(first))][groups.ravel()]
    return places


def tie_order(view: Query) -> IntArray:
    """The items in the order that breaks ties: by ``borda(missing="below")``, then by id, the greatest first."""
    borda = total_margins(view.positions, view.votes, "below")
    by_id = order_by_id(view.items, descending=True)
    return by_id[np.argsort(-borda[by_id], kind="stable")]


def _refuse(method: PerQuery, view: Query) -> IntArray:
    raise InvalidParameter(
        f"{method.name}, query {shown(view.id)}: so many victories are equally strong that ties='parallel' has "
        f"more than {MOST_OUTCOMES:,} outcomes; use ties='fixed'"
    )
