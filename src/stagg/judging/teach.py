"""Documents whose labels teach weights: a sample drawn by how much each can matter for the choice of weights."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from stagg.aggregate import prepare
from stagg.data.rankings import Rankings
from stagg.evaluation.overlap import list_items
from stagg.judging.units import Document, Gain
from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["TEACHES", "draw", "draw_to_teach", "inclusion", "teaching_sizes"]

TEACHES: Final = "teach-"
"""The beginning of the digest of such a draw: its labels teach, and do not prove."""
FACTORS: Final = (3.0, 0.0)


def draw_to_teach(
    rankings: Rankings, gain: Gain, budget: int, seed: int, known: frozenset[Document]
) -> tuple[str, list[Document]]:
    """The digest of the draw and its documents, without those that are judged already."""
    sizes = teaching_sizes(rankings, gain)
    documents = sorted(document for document, size in sizes.items() if size > 0 and document not in known)
    queries = {query: number for number, query in enumerate(sorted(rankings.queries))}
    size = np.array([sizes[each] for each in documents])
    query = np.array([queries[each] for each, _ in documents], dtype=np.intp)
    digest = hashlib.sha256(repr((seed, documents, size.round(9).tolist())).encode()).hexdigest()[:12]
    taken = draw(size, query, budget, np.random.default_rng([seed, int(digest, 16)]))
    return TEACHES + digest, [documents[number] for number in taken.tolist()]


def teaching_sizes(rankings: Rankings, gain: Gain) -> dict[Document, float]:
    """How much each document matters for the choice of weights.

    The root mean square, over rankers, of how its discount changes when RRF counts one of them three times, or not at
    all.
    """
    depth = gain.measure.cutoff
    base = _place(rankings, gain, None, depth)
    squares: dict[Document, float] = {}
    for ranker in rankings.rankers:
        for factor in FACTORS if len(rankings.rankers) > 1 else FACTORS[:1]:
            changed = _place(rankings, gain, {ranker: factor}, depth)
            for document in base.keys() | changed.keys():
                change = changed.get(document, 0.0) - base.get(document, 0.0)
                squares[document] = squares.get(document, 0.0) + change**2
    return {document: float(np.sqrt(of / (2 * len(rankings.rankers)))) for document, of in squares.items()}


def _place(
    rankings: Rankings, gain: Gain, weights: dict[str, float] | None, depth: int | None
) -> dict[Document, float]:
    """The discount of each document in RRF with these weights."""
    orders = list_items(prepare("rrf", weights=weights).fuse(rankings).consensus, depth=depth)
    return {
        (query, item): discount
        for query, items in orders.items()
        for item, discount in zip(items, gain.discounts(len(items)).tolist(), strict=False)
    }


def draw(size: FloatArray, query: IntArray, budget: int, rng: np.random.Generator) -> IntArray:
    """A systematic sample with probabilities proportional to size, the queries in random order.

    So it is spread over as many queries as can be.
    """
    chance = inclusion(size, budget)
    units = np.flatnonzero(chance > 0)
    if not len(units):
        return units
    place = rng.permutation(int(query.max()) + 1)
    units = units[np.lexsort((rng.random(len(units)), place[query[units]]))]
    line = np.cumsum(chance[units])
    at = np.searchsorted(line, rng.random() + np.arange(round(float(line[-1]))), side="right")
    return np.unique(units[np.minimum(at, len(units) - 1)])


def inclusion(size: FloatArray, count: int) -> FloatArray:
    """Probabilities proportional to size, at most 1, that add up to the count.

    >>> inclusion(np.array([8.0, 1.0, 1.0]), 2)
    array([1. , 0.5, 0.5])
    """
    chance = np.zeros(len(size))
    rest, left = size > 0, min(count, int((size > 0).sum()))
    while left and rest.any():
        share = left * size / size[rest].sum()
        sure = rest & (share >= 1)
        if not sure.any():
            chance[rest] = share[rest]
            break
        chance[sure], rest, left = 1.0, rest & ~sure, left - int(sure.sum())
    return chance
