"""One query with many lists: what its items say of its lists, the best of a family, and what chance would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.agreement.item_votes import Listings, best_of_families, entry_votes
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.streams import open_stream

__all__ = ["ItemTrust", "chance_of_scores", "keep_best_of_families", "number_families", "trust_items"]

FEWEST_LISTS: Final = 5
FEWEST_ITEMS: Final = 50
EQUAL: Final = 1e-12


class ItemTrust(NamedTuple):
    """What the items of a query say of its lists.

    ``gains``: the vote of each entry, 0 for lists that repeat another. ``weights`` and ``copies`` go by ranker: the
    mean vote of its list, and the first ranker by name with the same list. ``why``: why nothing can be said.
    """

    gains: FloatArray
    weights: Mapping[str, float]
    copies: Mapping[str, str]
    why: str = ""
    converged: bool = True


def trust_items(one: Rankings, families: Mapping[str, str]) -> ItemTrust:
    """The votes of the lists of one query, from its items: see :func:`entry_votes`."""
    rows = np.array(sorted(range(len(one.list_rankers)), key=lambda row: one.rankers[one.list_rankers[row]]), dtype=int)
    names = [one.rankers[k] for k in one.list_rankers[rows].tolist()]
    copies = _copies(one, rows, names)
    heads = [row for row, name in zip(rows.tolist(), names, strict=True) if copies[name] == name]
    gains = np.zeros(len(one.entries))
    why = _refusal(len(heads), one)
    if why:
        return ItemTrust(gains, {}, copies, why)
    own = [name for name in names if copies[name] == name]
    spans = [np.arange(*one.entry_offsets[row : row + 2].tolist()) for row in heads]
    taken, offsets = np.concatenate(spans), np.cumsum([0, *map(len, spans)])
    numbers = number_families(own, families)
    if not _share_items(one.entries[taken], np.repeat(numbers, np.diff(offsets))):
        return ItemTrust(gains, {}, copies, "no list shares an item with a list of another family")
    found = entry_votes(Listings(one.entries[taken], offsets, one.tied[taken], numbers, len(one.items)))
    gains[taken] = found.values
    weights = found.weights / found.weights.max()
    return ItemTrust(gains, dict(zip(own, weights.tolist(), strict=True)), copies, converged=found.converged)


def _share_items(entries: IntArray, families: IntArray) -> bool:
    """Whether any item is held by two families."""
    pairs = np.unique(np.stack([entries, families]), axis=1)
    return bool((np.bincount(pairs[0]) > 1).any())


def _refusal(lists: int, one: Rankings) -> str:
    if lists < FEWEST_LISTS or len(one.items) < FEWEST_ITEMS:
        needed = f"one query teaches trust with at least {FEWEST_LISTS} lists that differ and {FEWEST_ITEMS} items"
        return f"{needed}; here there are {lists} and {len(one.items)}"
    if (one.multiplicities != 1).any():
        return "lists that stand for several voters each teach nothing in one query"
    return ""


def _copies(rankings: Rankings, rows: IntArray, names: list[str]) -> dict[str, str]:
    """Of each ranker, the first by name whose list is the same, tied items in any order."""
    first: dict[tuple[bytes, bytes], str] = {}
    found = {}
    for row, name in zip(rows.tolist(), names, strict=True):
        span = slice(*rankings.entry_offsets[row : row + 2].tolist())
        groups = np.cumsum(~rankings.tied[span])
        key = rankings.entries[span][np.lexsort((rankings.entries[span], groups))].tobytes(), groups.tobytes()
        found[name] = first.setdefault(key, name)
    return found


def number_families(rankers: list[str], families: Mapping[str, str]) -> IntArray:
    """A number for the family of each ranker; one that is not named is a family by itself."""
    known: dict[tuple[bool, str], int] = {}
    keys = [(name in families, families.get(name, name)) for name in rankers]
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.intp)


def keep_best_of_families(gains: FloatArray, rankings: Rankings, families: Mapping[str, str]) -> FloatArray:
    """The gains of the entries; of the lists of one family that hold an item, only the largest after its weight."""
    numbers = number_families(list(rankings.rankers), families)
    owners = rankings.list_rankers[rankings.entry_lists]
    by_name = np.argsort(np.argsort(rankings.rankers))[owners]  # of equal gains that of the first name
    order = np.lexsort((by_name, rankings.entries))
    weighted = gains * rankings.list_weights[rankings.entry_lists]
    best = np.zeros(len(gains), dtype=bool)
    best[order] = best_of_families(weighted[order], rankings.entries[order], numbers[owners[order]])
    return np.where(best, gains, 0.0)


def chance_of_scores(
    scores: FloatArray, gains: FloatArray, rest: FloatArray | None, rankings: Rankings, families: Mapping[str, str],
    query: int, *, permutations: int, seed: int,
) -> FloatArray:  # fmt: skip
    """p of each score of a query: how often an item has as much when every list is dealt to items by lot.

    All items of a permutation count, so that p is at least 1 / (1 + permutations · items). Weights stay as they are.
    """
    first, end = rankings.list_offsets[query : query + 2].tolist()
    n = int(rankings.sizes[query])
    owners = [rankings.rankers[k] for k in rankings.list_rankers[first:end].tolist()]
    rows = sorted(range(end - first), key=owners.__getitem__)
    numbers = number_families([owners[row] for row in rows], families)
    rng = open_stream(seed, rankings.queries[query])
    limits = np.sort(scores) * (1 - EQUAL)
    reached = np.zeros(len(scores) + 1, dtype=np.int64)
    for _ in range(permutations):
        best = np.zeros((int(numbers.max(initial=-1)) + 1, n))
        for row, family in zip(rows, numbers.tolist(), strict=True):
            span = slice(*rankings.entry_offsets[first + row : first + row + 2].tolist())
            weight = float(rankings.list_weights[first + row])
            dealt = np.full(n, 0.0 if rest is None else weight * float(rest[first + row]))
            dealt[rng.choice(n, span.stop - span.start, replace=False)] = weight * gains[span]
            np.maximum(best[family], dealt, out=best[family])
        reached += np.bincount(np.searchsorted(limits, best.sum(axis=0), "right"), minlength=len(scores) + 1)
    above = reached[::-1].cumsum()[::-1][1:]  # of each score, in order: those that reach it
    found = np.empty(len(scores))
    found[np.argsort(scores, kind="stable")] = (1 + above) / (1 + permutations * n)
    return found
