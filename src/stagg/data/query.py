"""View of one query: its candidates, and what each ranker says of them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from stagg.errors import DataError, shown
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT, are_whole, multiply_out

if TYPE_CHECKING:
    from stagg.data.rankings import Rankings

__all__ = ["Query"]


@dataclasses.dataclass(frozen=True, slots=True)
class Query:
    """One query of some :class:`Rankings`: a cheap view, nothing is copied until asked for.

    >>> from stagg.data import Rankings
    >>> view = Rankings.from_lists([["a", "b"], ["b", "c"]])["1"]
    >>> view.items, view.rankers
    (('a', 'b', 'c'), ('1', '2'))
    >>> view.positions
    array([[ 0.,  1., -1.],
           [-1.,  0.,  1.]])
    """

    rankings: Rankings
    number: int

    @property
    def id(self) -> str:
        return self.rankings.queries[self.number]

    @property
    def items(self) -> tuple[str, ...]:
        """The candidates, in order of first appearance."""
        low, high = self.rankings.item_offsets[self.number : self.number + 2]
        return tuple(self.rankings.items[low:high])

    @property
    def rankers(self) -> tuple[str, ...]:
        """The rankers that have a list for this query."""
        return tuple(self.rankings.rankers[r] for r in self.rankings.list_rankers[self._lists()])

    @property
    def lists(self) -> dict[str, list[list[str]]]:
        """``{ranker: [tied group, ...]}``, best first."""
        source, groups = self.rankings, {}
        for number in range(*self._span()):
            entries = slice(*source.entry_offsets[number : number + 2])
            groups[source.rankers[source.list_rankers[number]]] = _group(
                [source.items[i] for i in source.entries[entries]], source.tied[entries].tolist()
            )
        return groups

    @property
    def scores(self) -> dict[str, dict[str, float]]:
        """``{ranker: {item: score}}``, best first; a list without scores gives L, L-1, ... (ties their mean)."""
        source, found = self.rankings, {}
        for number in range(*self._span()):
            entries = slice(*source.entry_offsets[number : number + 2])
            items = [source.items[i] for i in source.entries[entries]]
            ranker = source.rankers[source.list_rankers[number]]
            found[ranker] = dict(zip(items, order_scores(source, entries).tolist(), strict=True))
        return found

    @property
    def positions(self) -> FloatArray:
        """positions[k, i] = the position, from 0, of item i in list k (ties: their mean), or ABSENT."""
        source, (low, high) = self.rankings, self._span()
        first_item, end_item = source.item_offsets[self.number : self.number + 2]
        entries = slice(source.entry_offsets[low], source.entry_offsets[high])
        table = np.full((high - low, end_item - first_item), float(ABSENT))
        table[source.entry_lists[entries] - low, source.entries[entries] - first_item] = source.mean_positions[entries]
        return table

    @property
    def weights(self) -> FloatArray:
        """The weight (times multiplicity) of each list."""
        weights: FloatArray = self.rankings.list_weights[self._lists()]
        return weights

    @property
    def votes(self) -> IntArray | FloatArray:
        """The same, to be counted: exact integers where all weights are whole numbers, to 2^63 - 1 in all.

        >>> from stagg.data import Rankings
        >>> Rankings.from_lists([["a"], ["b"]]).replace(multiplicities=np.array([2**53 + 1, 1]))["1"].votes
        array([9007199254740993,                1])
        """
        source, lists = self.rankings, self._lists()
        if not source.is_weighted:
            return np.ones(len(lists), dtype=np.intp)
        owners = source.list_rankers[lists]
        weights, counts = source.weights[owners], source.multiplicities[owners]
        if source.factors is not None or not are_whole(weights):
            return self.weights
        exact = multiply_out(weights, counts)
        if exact is None and (counts > 1).any():
            raise DataError(
                f"query {shown(self.id)}: the weights times the numbers of voters make more than {LARGEST_COUNT:,} "
                "votes (2^63 - 1), which cannot be counted; scale the weights down"
            )
        return self.weights if exact is None else exact

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.items)

    def __repr__(self) -> str:
        return f"Query({self.id!r}: {len(self)} items, {len(self._lists())} lists)"

    def _span(self) -> tuple[int, int]:
        low, high = self.rankings.list_offsets[self.number : self.number + 2]
        return int(low), int(high)

    def _lists(self) -> IntArray:
        return np.arange(*self._span())


def order_scores(source: Rankings, entries: slice) -> FloatArray:
    """The scores of a list, or, where it has none, scores that say its order and no more: n - rank + 1."""
    scores = None if source.scores is None else source.scores[entries]
    if scores is not None and not np.isnan(scores).any():
        return scores
    places = source.mean_positions[entries]
    return len(places) - places


def _group(items: list[str], tied: list[bool]) -> list[list[str]]:
    groups: list[list[str]] = []
    for item, same in zip(items, tied, strict=True):
        if same:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups
