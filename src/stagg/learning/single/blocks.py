"""Blocks of queries of equal size: the arrays of learners that look at the lists themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id

__all__ = ["blocks", "rank_table", "weight_table"]

CELLS = 250_000  # pairs of items in one block: bounds the memory, and stays near the processor


def blocks(rankings: Rankings, queries: IntArray | None = None) -> Iterator[tuple[IntArray, IntArray]]:
    """(queries, items[q, j]): queries with as many items, a block at a time; their items in the order of their ids.

    So neither the order of the file nor the neighbours of a query can change a bit of what is computed.
    """
    chosen = np.arange(len(rankings)) if queries is None else queries
    sizes = rankings.sizes[chosen]
    for n in np.unique(sizes[sizes > 0]).tolist():
        alike = chosen[sizes == n]
        step = max(1, CELLS // n**2)
        for low in range(0, len(alike), step):
            part = alike[low : low + step]
            yield part, np.stack([_by_id(rankings, int(query)) for query in part])


def _by_id(rankings: Rankings, query: int) -> IntArray:
    low, high = rankings.item_offsets[query : query + 2].tolist()
    order: IntArray = low + order_by_id(rankings.items[low:high])
    return order


def rank_table(rankings: Rankings, rankers: Sequence[str]) -> FloatArray:
    """table[k, i] = the rank, from 1, of item i in the list of ranker k (ties: their mean).

    The items that a list of length L does not hold share its leftover ranks, L + 1 to n: each has their mean,
    (L + 1 + n) / 2. A ranker without a list for the query has the same rank, (n + 1) / 2, for all.
    """
    lengths = np.zeros((len(rankers), len(rankings)))
    number = _numbers(rankings, rankers)
    lengths[number[rankings.list_rankers], rankings.list_queries] = rankings.list_lengths
    table = ((lengths + 1 + rankings.sizes) / 2)[:, rankings.item_queries]
    table[number[rankings.list_rankers[rankings.entry_lists]], rankings.entries] = rankings.mean_positions + 1
    return table


def weight_table(rankings: Rankings, rankers: Sequence[str]) -> FloatArray:
    """table[k, q] = what the list of ranker k counts in query q, 0 where it has none."""
    table = np.zeros((len(rankers), len(rankings)))
    table[_numbers(rankings, rankers)[rankings.list_rankers], rankings.list_queries] = rankings.list_weights
    return table


def _numbers(rankings: Rankings, rankers: Sequence[str]) -> IntArray:
    """The number, among ``rankers``, of each ranker of the rankings."""
    place = {name: number for number, name in enumerate(rankers)}
    return np.array([place[name] for name in rankings.rankers], dtype=np.intp)
