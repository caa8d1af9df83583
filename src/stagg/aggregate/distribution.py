"""The rank distribution of every item: the mixture over the rankers of what each says of its rank."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from stagg.aggregate.plan import prepare
from stagg.data.construct import rankings_of
from stagg.data.given import RankingsLike
from stagg.data.query import Query
from stagg.data.rankings import Rankings, Weights
from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.rank_pmf import list_rank_pmf
from stagg.kernels.ties import share_ties
from stagg.methods import Method, Missing
from stagg.methods.stochastic import Stochastic
from stagg.registry import near_names

__all__ = ["RankDistribution", "RankDistributions", "query_distribution", "rank_distribution"]


@dataclasses.dataclass(frozen=True, eq=False)
class RankDistribution:
    """Of one query: ``probabilities[i, r]`` = P(items[i] has rank r + 1), averaged over the rankers by weight.

    A row sums to 1; under ``missing="skip"`` to the share of the rankers that list the item. Columns need not sum to
    1: contests are independent, and two items may come first.
    """

    query: str
    items: tuple[str, ...]
    probabilities: FloatArray

    def of(self, item: str) -> FloatArray:
        """P(rank = 1), P(rank = 2), ... of one item."""
        if item not in self.items:
            raise UnknownName(f"query {shown(self.query)} has no item {shown(item)}{near_names(item, self.items)}")
        row: FloatArray = self.probabilities[self.items.index(item)]
        return row

    @property
    def expected_ranks(self) -> dict[str, float]:
        """The mean rank, from 1, of each item; NaN for one that no ranker lists, under skip."""
        mass = self.probabilities.sum(axis=1)
        sums = self.probabilities @ np.arange(1.0, self.probabilities.shape[1] + 1)
        means = np.divide(sums, mass, out=np.full_like(sums, np.nan), where=mass > 0)
        return dict(zip(self.items, means.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"RankDistribution({self.query!r}: {len(self.items)} items)"


class RankDistributions:
    """The rank distribution of each query, made when asked for: it takes n² numbers."""

    def __init__(self, rankings: Rankings, method: Stochastic) -> None:
        self.rankings = rankings
        self.method = method

    def __len__(self) -> int:
        return len(self.rankings)

    def __iter__(self) -> Iterator[RankDistribution]:
        return (query_distribution(view, self.method) for view in self.rankings)

    def __getitem__(self, query: str) -> RankDistribution:
        return query_distribution(self.rankings[query], self.method)

    def __repr__(self) -> str:
        return f"RankDistributions({len(self)} queries, {self.method!r})"


def rank_distribution(
    rankings: RankingsLike,
    method: str | Method = "stagg_rrf",
    *,
    weights: Weights | None = None,
    missing: Missing | None = None,
    depth: int | None = None,
) -> RankDistributions:
    """The rank distributions behind a St.Agg method: iterate over queries, or take one by its id.

    The expected utility of an item's distribution times the total weight of the rankers is its St.Agg score.

    >>> lists = [["a", "b"], ["b", "c"], ["c", "d"]]
    >>> rank_distribution(lists, "stagg_bc(missing='neutral', shape='paper')")["1"].of("a")
    array([0.14583333, 0.39583333, 0.35416667, 0.10416667])
    """
    plan = prepare(method, missing=missing, weights=weights, depth=depth)
    bound, given = plan.bind(rankings_of(rankings))
    if not isinstance(bound, Stochastic):
        raise InvalidParameter(f"{plan.method.label} has no rank distribution; stagg_bc, stagg_rrf and stagg have one")
    return RankDistributions(given, bound)


def query_distribution(view: Query, method: Stochastic) -> RankDistribution:
    """The mixture over the lists of one query, by weight; tied items share the mean of their places."""
    source, n = view.rankings, len(view)
    mixture = np.zeros((n, n))
    first_item = source.item_offsets[view.number]
    weights = view.weights
    first, end = source.list_offsets[view.number : view.number + 2].tolist()
    shapes = method.list_contests(source, slice(first, end))
    for weight, number, shape in zip(weights, range(first, end), shapes, strict=True):
        entries = slice(*source.entry_offsets[number : number + 2])
        listed, unlisted = list_rank_pmf(shape, method.absence, n, entries.stop - entries.start)
        mine = np.tile(unlisted, (n, 1))
        mine[source.entries[entries] - first_item] = share_ties(listed, source.tied[entries])
        mixture += weight * mine
    total = weights.sum()
    return RankDistribution(view.id, view.items, mixture / total if total > 0 else mixture)
