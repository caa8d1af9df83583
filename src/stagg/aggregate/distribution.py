"""Rank distributions: P(rank) of every item, the mixture of what each ranker says about its rank."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np

from stagg.aggregate.fusion import rankings_of_request
from stagg.aggregate.plan import prepare
from stagg.data.ids import own_ids
from stagg.data.inputs.frames import Framed
from stagg.data.inputs.lists import id_text
from stagg.data.inputs.types import RankingsLike
from stagg.data.query import Query
from stagg.data.rankings import Rankings, Weights
from stagg.data.results.notebook import html_page, html_table
from stagg.errors import InvalidParameter, UnknownName, plural, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.rank_pmf import list_rank_pmf
from stagg.kernels.ties import share_ties
from stagg.methods import Method, Missing
from stagg.methods.stochastic.stagg import Stochastic
from stagg.registry import near_names

__all__ = ["RankDistribution", "RankDistributions", "query_distribution", "rank_distribution"]

SHOWN_ITEMS: Final = 20
SHOWN_RANKS: Final = 10
SHOWN_QUERIES: Final = 3


@dataclasses.dataclass(frozen=True, eq=False)
class RankDistribution(Framed):
    """Of one query: ``probabilities[i, r]`` = P(items[i] has rank r + 1), averaged over the rankers by weight.

    A row sums to 1; under ``missing="skip"`` to the share of the rankers that list the item. Columns need not sum to
    1: contests are independent, and two items may come first.
    """

    query: Any
    items: tuple[Any, ...]
    probabilities: FloatArray

    def of(self, item: Any) -> FloatArray:
        """P(rank = 1), P(rank = 2), ... of one item."""
        text, texts = id_text(item, "item"), [id_text(each, "item") for each in self.items]
        if text not in texts:
            raise UnknownName(f"query {shown(self.query)} has no item {shown(item)}{near_names(text, texts)}")
        row: FloatArray = self.probabilities[texts.index(text)]
        return row

    def to_dict(self) -> dict[Any, list[float]]:
        """``{item: [P(rank = 1), P(rank = 2), ...]}``."""
        return dict(zip(self.items, self.probabilities.tolist(), strict=True))

    def _columns(self) -> dict[str, Any]:
        """One row per item and rank: item, rank, probability."""
        items, ranks = self.probabilities.shape
        return {
            "item": [item for item in self.items for _ in range(ranks)],
            "rank": np.tile(np.arange(1, ranks + 1), items),
            "probability": self.probabilities.ravel(),
        }

    def _repr_html_(self) -> str:
        return html_page([self._table()])

    def _table(self) -> str:
        """The items with the least expected ranks, and their chances of the first ranks."""
        expected = list(self.expected_ranks.values())
        best = sorted(range(len(self.items)), key=lambda i: (np.isnan(expected[i]), expected[i]))[:SHOWN_ITEMS]
        ranks = min(SHOWN_RANKS, self.probabilities.shape[1])
        header = ["item", "expected rank", *(f"P(rank {rank})" for rank in range(1, ranks + 1))]
        rows = [[str(self.items[i]), expected[i], *self.probabilities[i, :ranks].round(4).tolist()] for i in best]
        return html_table(header, rows, caption=f"query {self.query}: rank distributions of {len(self.items):,} items")

    @property
    def expected_ranks(self) -> dict[Any, float]:
        """The mean rank, from 1, of each item; NaN for one that no ranker lists, under skip."""
        mass = self.probabilities.sum(axis=1)
        sums = self.probabilities @ np.arange(1.0, self.probabilities.shape[1] + 1)
        means = np.divide(sums, mass, out=np.full_like(sums, np.nan), where=mass > 0)
        return dict(zip(self.items, means.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"RankDistribution({self.query!r}: {len(self.items)} items)"


class RankDistributions(Framed):
    """The rank distribution of each query, made when asked for: it takes n² numbers."""

    def __init__(self, rankings: Rankings, method: Stochastic) -> None:
        self.rankings = rankings
        self.method = method

    def __len__(self) -> int:
        return len(self.rankings)

    def __iter__(self) -> Iterator[RankDistribution]:
        return (query_distribution(view, self.method) for view in self.rankings)

    def __getitem__(self, query: Any) -> RankDistribution:
        return query_distribution(self.rankings[query], self.method)

    def to_dict(self) -> dict[Any, dict[Any, list[float]]]:
        """``{query: {item: [P(rank = 1), P(rank = 2), ...]}}``."""
        return {each.query: each.to_dict() for each in self}

    def _columns(self) -> dict[str, Any]:
        """One row per query, item and rank: query, item, rank, probability."""
        parts = [{"query": [each.query] * each.probabilities.size, **each._columns()} for each in self]
        names = ("query", "item", "rank", "probability")
        return {name: [cell for part in parts for cell in part[name]] for name in names}

    def _repr_html_(self) -> str:
        tables = [each._table() for each in islice(self, SHOWN_QUERIES)]
        more = len(self) > SHOWN_QUERIES
        return html_page(tables, [f"The first {SHOWN_QUERIES} of {len(self):,} queries are shown."] * more)

    def __repr__(self) -> str:
        return f"RankDistributions({plural(len(self), 'query', 'queries')}, {self.method!r})"


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
    bound, given = plan.bind(rankings_of_request(rankings))
    if not isinstance(bound, Stochastic) or not bound.has_ranks:
        here = " here" if isinstance(bound, Stochastic) else ""
        raise InvalidParameter(
            f"{plan.method.label} has no rank distribution{here}; stagg_bc, stagg_rrf and stagg have one"
        )
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
    low, high = source.item_offsets[view.number : view.number + 2].tolist()
    items = tuple(own_ids(source.items)[low:high])
    return RankDistribution(own_ids(source.queries)[view.number], items, mixture / total if total > 0 else mixture)
