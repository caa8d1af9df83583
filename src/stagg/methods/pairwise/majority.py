"""Copeland and Condorcet: methods that ask, pair by pair, which item the majority of the lists prefers."""

from __future__ import annotations

from stagg.data.query import Query
from stagg.kernels.arrays import FloatArray
from stagg.kernels.pairs.majority import copeland, score_groups, smith_sets
from stagg.methods.base import PerQuery
from stagg.methods.pairwise.uncertain import Uncertain

__all__ = ["Condorcet", "Copeland"]


class Copeland(Uncertain, PerQuery):
    """Copeland's rule: one point for each opponent that most lists put lower, half a point for a tie.

    A pair is decided by the total weight of the lists on either side; one that no list compares is a tie. By default
    (``missing="below"``) the items that a list does not hold are one tied block after it; ``"skip"`` (or ``"neutral"``)
    asks only the lists that hold both.

    ``shape``: with "harmonic(5)", or another shape of ``stagg_bc``, a list does not decide a pair but gives the item
    ahead a chance that grows with the gap, and the expected votes are added up. "learned": the chances are learned from
    how often the other rankers agree. ``trust``: ``{ranker: influence}``, or "learned", the influences that
    ``stagg_trust`` finds; they multiply the weights. None: votes as they are, all rankers alike. See
    docs/uncertain_votes.md.

    Reference: Copeland, "A reasonable social welfare function", University of Michigan, 1951; with ½ for ties as in
    Saari & Merlin, "The Copeland method", Economic Theory 8, 1996.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["a", "c", "b"], ["b", "c", "a"]], "copeland").to_runs()["stagg-copeland"]["1"]
    {'a': 2.0, 'b': 1.0, 'c': 0.0}
    """

    name = "copeland"
    tie_rule = "exact"
    strictly = frozenset({"unanimity"})

    def score_query(self, view: Query) -> FloatArray:
        return copeland(self.margins_of(view))


class Condorcet(Uncertain, PerQuery):
    """Condorcet's order: whoever beats all others by majority comes first; cycles go by their margins.

    The items fall into sets, each the smallest whose members all beat everybody behind it: first the Smith set (a
    Condorcet winner is one of its own), then the Smith set of the rest, and so on to a Condorcet loser. Inside a set,
    where majorities run in circles or tie, items go by the sum of their margins against all others (the Borda count
    of the pairs), and items with equal sums tie. Score: n - rank + 1.

    Ids and the order of the lists play no part, unlike in the sorting by majority of Montague & Aslam ("Condorcet
    fusion for improved retrieval", CIKM 2002), whose answer to a cycle depends on where the sort begins. A pair that
    no list compares is a tie; ``missing`` as for ``copeland``.

    ``shape`` and ``trust``: uncertain votes, as for ``copeland``.

    Reference: Smith, "Aggregation of preferences with variable electorate", Econometrica 41, 1973; Black, "The theory
    of committees and elections", 1958, for the completion.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c", "d"], ["b", "c", "a", "d"], ["c", "a", "b", "d"]], "condorcet")
    Rankings(1 query, 1 ranker, 4 items, with scores)
      stagg-condorcet: c = b = a > d
    """

    name = "condorcet"
    tie_rule = "exact"
    strictly = frozenset({"unanimity"})

    def score_query(self, view: Query) -> FloatArray:
        return score_groups(smith_sets(self.margins_of(view)), -self.total_margins_of(view))
