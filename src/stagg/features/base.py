"""Feature map, the base class: rankings in, a vector of numbers per item out."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.registry import Parametrised

__all__ = ["FeatureMap", "entry_places", "listed"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class FeatureMap(Parametrised, abc.ABC):
    """Parameters of a map ψ from the lists of a query to one vector per item.

    ``missing_bits`` adds, for every ranker, 1 where it does not list the item: absence is no low rank, and on LETOR it
    carries most of the signal. The features of a query depend on nothing but its lists.
    """

    missing_bits: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.missing_bits, bool):
            raise InvalidParameter(f"{self.name}: missing_bits is {shown(self.missing_bits)}; it must be True or False")

    @abc.abstractmethod
    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        """The names of the features, missing bits aside, where these are the rankers."""

    @abc.abstractmethod
    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        """table[item, feature], missing bits aside; ranker k of the rankings is ``numbers[k]`` of ``count`` rankers."""

    def columns(self, rankers: Sequence[str]) -> list[str]:
        """The names of the features, in their order."""
        bits = [f"{ranker}:missing" for ranker in rankers] if self.missing_bits else []
        return [*self.own_columns(rankers), *bits]

    def of(self, rankings: Rankings, rankers: Sequence[str] | None = None) -> FloatArray:
        """table[item, feature] for every item of the rankings, column k being ``columns(rankers)[k]``.

        ``rankers`` are those that the columns speak of, by default those of the rankings; they must hold all of the
        rankings' own. One that the rankings lack lists nothing.
        """
        known = list(rankings.rankers if rankers is None else rankers)
        place = {name: number for number, name in enumerate(known)}
        unknown = [name for name in rankings.rankers if name not in place]
        if unknown:
            raise InvalidParameter(f"{self.name}: the ranker {shown(unknown[0])} is not among those the features know")
        numbers = np.array([place[name] for name in rankings.rankers], dtype=np.intp)
        own = self.own(rankings, numbers, len(known))
        if not self.missing_bits:
            return own
        return np.hstack([own, (~listed(rankings, numbers, len(known))).astype(float)])


def entry_places(rankings: Rankings, numbers: IntArray) -> tuple[IntArray, IntArray]:
    """(item, ranker) of every entry, rankers renumbered: where a number per entry goes in a table[item, ranker]."""
    return rankings.entries, numbers[rankings.list_rankers[rankings.entry_lists]]


def listed(rankings: Rankings, numbers: IntArray, count: int) -> BoolArray:
    """table[item, ranker]: whether the ranker lists the item."""
    table = np.zeros((len(rankings.items), count), dtype=bool)
    table[entry_places(rankings, numbers)] = True
    return table
