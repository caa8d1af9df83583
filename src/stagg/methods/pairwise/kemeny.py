"""Kemeny's consensus: the ranking nearest to all lists, proven or by a heuristic."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.orders.kemeny import Optimum, heuristic_order, kemeny_order, lexicographic
from stagg.kernels.pairs.graphs import strong_components
from stagg.kernels.pairs.majority import between_groups, majorities, score_groups
from stagg.methods.base import PerQuery, in_range, true_or_false
from stagg.methods.pairwise.uncertain import Uncertain

__all__ = ["Kemeny"]

LARGEST_EXACT = 200  # items of one component of the majority graph that the exact route still takes on


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Kemeny(Uncertain, PerQuery):
    """Kemeny's rule: the ranking that goes against the lists in as few pairs as possible, by weight.

    Minimises Σ W[b, a] over the pairs that the ranking puts as a before b, W[b, a] being the weight of the lists that
    put b above a. Of several optima the one nearest to ``borda(missing="below")`` (fewest pairs turned) is taken, of
    several such the one with the greatest id first, then the greatest second, and so on. Items that no list tells
    apart stand together and tie. Score: n - rank + 1. ``missing`` as for ``copeland``.

    Exact, though NP-hard in general: pairs between strong components of the majority graph are decided, and each
    component is solved by itself; up to 10 items by going through all subsets, above by integer programming, where the
    last rule, by id, goes only as far as exchanges of neighbours, and the proof only to 1e-9 of the sum of all margins
    (of a billion voters, a few votes). A component above 200 items is refused. When
    ``time_limit`` (seconds per query) ends the search, the best ranking found is returned, and a DataWarning names the
    query and the gap to what is proven. ``exact=False``: several starts, improved until no item has a better place;
    fast to a few thousand items, nothing proven. Weights that are not whole numbers are resolved to 2^-33 of their sum.

    ``shape`` and ``trust``: uncertain votes, as for ``copeland``; W is then expected weight, and the ranking is proven
    to go against as little of it as possible, resolved to 2^-33 of the sum of the weights.

    Reference: Kemeny, "Mathematics without numbers", Daedalus 88, 1959; Conitzer, Davenport & Kalagnanam, "Improved
    bounds for computing Kemeny rankings", AAAI 2006.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c", "d"], ["b", "c", "a", "d"], ["a", "d", "b", "c"]], "kemeny").best_first()
    ['a', 'b', 'c', 'd']
    """

    name = "kemeny"
    tie_rule = "exact"
    strictly = frozenset({"unanimity"})
    breaks: ClassVar[Mapping[str, str]] = {
        "neutrality": "of several optima equally near to Borda's order the ids choose one",
    }

    exact: bool = True
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        true_or_false(self, "exact")
        in_range(self, "time_limit", 0, float("inf"), open_low=True)

    def score(self, rankings: Rankings) -> FloatArray:
        if self.exact:
            for view in rankings:
                self._refuse_if_too_large(view)
        return super().score(rankings)

    def score_query(self, view: Query) -> FloatArray:
        groups, optimum = self._solve(view)
        if self.exact and optimum.cost > optimum.bound:
            _warn(view, optimum, self.time_limit)
        places = np.empty(len(optimum.order), dtype=np.intp)
        places[optimum.order] = np.arange(len(optimum.order))
        return score_groups(places[groups])

    def _solve(self, view: Query) -> tuple[IntArray, Optimum]:
        """(the group of each item that no list tells apart, the best order of the groups)."""
        groups, margin, unit = self._problem(view)
        found = kemeny_order(margin, seconds=self.time_limit) if self.exact else heuristic_order(margin)
        # what is left of the gap when the choice among equally good orders is not counted
        gap = np.floor((found.cost - found.bound) / unit + 0.5)
        cost = np.rint(found.cost / unit)
        return groups, Optimum(found.order, cost, cost - gap)

    def _problem(self, view: Query) -> tuple[IntArray, IntArray, int]:
        """(the group of each item, the margins between groups, the unit in which one vote counts).

        Groups are numbered by their greatest ids, descending; Borda's preferences come in below the unit.
        """
        groups = _indistinguishable(view.positions, view.items)
        below = majorities(view.positions, view.votes, "below")
        plain = self.absence == "below" and self.shape is None
        margin = below.margins if plain else self.margins_of(view)
        combined, unit = lexicographic(margin, below.totals)
        return groups, between_groups(combined, groups), unit

    def _refuse_if_too_large(self, view: Query) -> None:
        if len(view) <= LARGEST_EXACT or not view.rankers:
            return
        _, margin, _ = self._problem(view)
        largest = max(len(part) for part in strong_components(margin > 0))
        if largest > LARGEST_EXACT:
            raise InvalidParameter(
                f"kemeny, query {shown(view.id)}: {largest:,} items hang together in majority cycles, and the exact "
                f"ranking is found for up to {LARGEST_EXACT}; use kemeny(exact=False), or cut the lists (depth)"
            )


def _indistinguishable(positions: FloatArray, items: tuple[str, ...]) -> IntArray:
    """The group of each item: those in one group have the same place, or none, in every list."""
    numbers: dict[bytes, int] = {}
    columns = np.ascontiguousarray(positions.T)
    groups = np.empty(len(items), dtype=np.intp)
    for item in order_by_id(items, descending=True):
        groups[item] = numbers.setdefault(columns[item].tobytes(), len(numbers))
    return groups


def _warn(view: Query, optimum: Optimum, seconds: float) -> None:
    share = (optimum.cost - optimum.bound) / optimum.cost
    warnings.warn(
        f"kemeny, query {shown(view.id)}: not proven optimal within {seconds:g} s; the ranking goes against margins of "
        f"{optimum.cost:g} in all, and none goes against less than {optimum.bound:g} (gap {share:.1%})",
        DataWarning,
        stacklevel=2,
    )
