"""Agreement of rankers, added up over queries: the data from which trust is learned."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.agreement.confidence import agreement_with_others, confirmation, percentiles, quantiles, spreads
from stagg.kernels.agreement.list_pairs import (
    CORRELATION_UNIT,
    GAPS,
    Lists,
    PairSums,
    confirmations,
    correlate_all,
    correlate_common,
    covariances,
    pair_sums,
    whole_values,
)
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import break_ties
from stagg.kernels.streams import hash_name
from stagg.kernels.ties import share_ties
from stagg.methods.base import Missing, contributions

__all__ = ["Agreements", "PairAgreement"]

C: Final = 20.0
"""Constant of a list's gains, 1 / (C + rank): steep enough to look at its first ranks more than at the rest."""

FEWEST_COMMON: Final = 5  # items that two lists must both hold for their order to say something
ENOUGH: Final = 400  # contests at a gap: the standard error of the share is 0.025 at most
CELLS: Final = 1_000_000  # numbers of one kind that are held at once
KEPT: Final = 4_000_000  # covariances that are kept for confidence; of more queries a sample, by a hash of their ids
FEWEST_KEPT: Final = 100  # queries: of so many rankers that fewer fit (more than 200) no confidence is learned


@dataclasses.dataclass(frozen=True)
class PairAgreement:
    """Of each two rankers: the sum of their correlations in units, over how many queries, and of how many items."""

    sums: IntArray
    queries: IntArray
    items: IntArray

    @classmethod
    def none(cls, rankers: int) -> PairAgreement:
        """Nothing seen yet."""
        return cls(*(np.zeros((rankers, rankers), dtype=np.int64) for _ in range(3)))

    def add(self, owners: IntArray, correlations: IntArray, known: BoolArray, items: IntArray) -> None:
        """Some queries more, of some rankers: correlations[query, k, l] where they are known, of so many items."""
        both = np.ix_(owners, owners)
        self.sums[both] += correlations.sum(axis=0)
        self.queries[both] += known.sum(axis=0)
        self.items[both] += np.where(known, items, 0).sum(axis=0)

    def merge(self, other: PairAgreement) -> None:
        """Add the agreement in other queries: sums of whole numbers, which no order can change."""
        for mine, more in ((self.sums, other.sums), (self.queries, other.queries), (self.items, other.items)):
            mine += more

    def take(self, rankers: list[int]) -> PairAgreement:
        """Only these rankers."""
        both = np.ix_(rankers, rankers)
        return PairAgreement(self.sums[both], self.queries[both], self.items[both])

    @property
    def correlations(self) -> FloatArray:
        """The mean over the queries of each pair; 0 where two never met."""
        found: FloatArray = self.sums * CORRELATION_UNIT / np.maximum(self.queries, 1)
        return found

    def mean_candidates(self, known: BoolArray) -> float:
        """Items per pair, over all queries."""
        pairs = np.triu_indices(len(known), 1)
        counts = self.items[pairs][known[pairs]]
        return float(np.mean(counts)) if len(counts) else 0.0


class Agreements:
    """How far rankers agree: the same bits whatever the order of queries, items and rankers.

    ``everywhere``: over all candidates of a query, absence being what ``absence`` says; ``common``: over the items that
    two lists both hold. ``held``: of each two rankers, over the queries of both, how many items both hold, and how many
    the shorter list has. ``same``: rankers whose lists are all the same.
    """

    def __init__(self, rankers: Iterable[str], *, absence: Missing = "below", confidence: bool = True) -> None:
        self.rankers, self.absence, self.confidence = sorted(rankers), absence, confidence
        count = len(self.rankers)
        self.everywhere, self.common = PairAgreement.none(count), PairAgreement.none(count)
        self.held = np.zeros((2, count, count), dtype=np.int64)
        self.same, self.present = np.ones((count, count), dtype=bool), np.zeros(count, dtype=bool)
        self.contests = np.zeros((count, len(GAPS), 2), dtype=np.int64)
        self.count = 0
        self._sample = _Sample(count)

    def add(self, rankings: Rankings) -> None:
        """Some queries more."""
        place = {name: number for number, name in enumerate(self.rankers)}
        owners = np.array([place[name] for name in rankings.rankers], dtype=np.intp)[rankings.list_rankers]
        values, entries = self._values(rankings), _order_entries(rankings)
        spread = None
        if self.confidence and rankings.scores is not None:
            spread = spreads(rankings.scores, rankings.entry_offsets)
        for queries in _chunks(rankings, len(self.rankers)):
            self._add_queries(rankings, entries, queries, owners, values, spread)

    def merge(self, other: Agreements) -> None:
        """Add the sums of other queries with the same rankers."""
        self.everywhere.merge(other.everywhere)
        self.common.merge(other.common)
        self.held += other.held
        self.same &= other.same
        self.present |= other.present
        self.contests += other.contests
        self.count += other.count
        self._sample.merge(other._sample)

    def _values(self, rankings: Rankings) -> IntArray:
        """1 / (C + rank) of each entry, less what an unlisted item gets, in whole numbers; tied entries share."""
        n, lengths = rankings.sizes[rankings.list_queries], rankings.list_lengths
        gains = 1 / (C + 1 + rankings.positions)
        if rankings.has_ties:
            gains = share_ties(gains, rankings.tied)
        unlisted = (n + 1) / 2 if self.absence == "neutral" else lengths + (n - lengths + 1) / 2
        rest = np.repeat(1 / (C + unlisted), lengths)
        return whole_values(gains - rest, 1 / C, n[rankings.entry_lists])

    def _add_queries(
        self,
        rankings: Rankings,
        ordered: IntArray,
        queries: slice,
        owners: IntArray,
        values: IntArray,
        spread: FloatArray | None,
    ) -> None:
        """The queries of a slice, all at once; ``ordered`` are all entries as :func:`_order_entries` has them."""
        lists, entries, taken = _take(rankings, ordered, queries, owners)
        here = np.unique(taken.owners)
        numbered = taken._replace(owners=np.searchsorted(here, taken.owners), rankers=len(here))
        found = pair_sums(numbered, values[entries])
        covariance = covariances(found, taken.sizes)
        correlations, known = correlate_all(covariance, found)
        self.everywhere.add(here, correlations, known, taken.sizes[:, None, None])
        self.common.add(here, *correlate_common(found, FEWEST_COMMON), found.common)
        for total, more in zip(self.held, _count_held(found), strict=True):
            total[np.ix_(here, here)] += more
        self.contests[here] += confirmations(numbered, values[entries])
        self._note_copies(rankings, queries.start, here, found)
        seen = np.diff(taken.list_offsets) > 0
        self.count += int((seen & (taken.sizes > 0)).sum())
        if spread is not None:
            rows = np.repeat(np.arange(len(taken.sizes)), np.diff(taken.list_offsets))
            mine = np.full((len(taken.sizes), len(self.rankers)), np.nan)
            mine[rows, taken.owners] = spread[lists]
            names = [rankings.queries[query] for query in range(queries.start, queries.stop)]
            self._sample.add(names, mine, here, np.where(known, covariance, 0.0))

    def _note_copies(self, rankings: Rankings, first: int, here: IntArray, found: PairSums) -> None:
        """Which rankers still have the same lists: by their sums, and where those say so, by the lists."""
        held = np.diagonal(found.common, axis1=1, axis2=2) > 0
        together = held.any(axis=0)
        self.present[here] |= together
        other = np.setdiff1d(np.arange(len(self.rankers)), here)
        self.same[np.ix_(here, other)] = False
        self.same[np.ix_(other, here)] = False
        squares = np.diagonal(found.squares, axis1=1, axis2=2)
        apart = squares[:, :, None] + squares[:, None] - 2 * found.products
        lengths = np.diagonal(found.common, axis1=1, axis2=2)
        same = (apart == 0) & (lengths[:, :, None] == lengths[:, None]) & (held[:, :, None] == held[:, None])
        still = self.same[np.ix_(here, here)] & same.all(axis=0)
        if still.sum() > len(here):  # so far as whole numbers show: far down a list little is left to see
            for query in range(len(lengths)):
                kinds = np.full(len(here), -1)
                kinds[held[query]] = _list_kinds(rankings, first + query)
                still &= kinds[:, None] == kinds
        self.same[np.ix_(here, here)] = still

    def shared(self, rankers: list[int]) -> FloatArray:
        """Of each two rankers, the part of the shorter list that both hold."""
        both, shorter = self.held[:, rankers][:, :, rankers]
        parts: FloatArray = both / np.maximum(shorter, 1)
        return parts

    @property
    def copies(self) -> dict[int, int]:
        """Of each ranker that has lists, the first whose lists are all the same: itself, if it copies nobody."""
        return {k: int(self.same[k].argmax()) for k in np.flatnonzero(self.present).tolist()}

    @property
    def heads(self) -> list[int]:
        """The rankers that differ."""
        return sorted(set(self.copies.values()))

    def curve(self, ranker: int) -> tuple[tuple[int, float], ...]:
        """(gap, how often the others together agree), where there are enough contests to say."""
        counts = zip(GAPS, self.contests[ranker].tolist(), strict=True)
        return tuple((gap, half / (2 * contests)) for gap, (half, contests) in counts if contests >= ENOUGH)

    def confirm(self, rankers: list[int], weights: FloatArray) -> list[tuple[float, tuple[float, ...]]]:
        """(how far agreement confirms the spreads, those spreads in order) of each of some rankers."""
        found = self._sample.take(rankers)
        if found is None:
            return [(0.0, ())] * len(rankers)
        spread, covariance = found
        agreement = agreement_with_others(covariance, weights)
        results = []
        for k in range(len(rankers)):
            table = quantiles(spread[:, k])
            rho = confirmation(percentiles(spread[:, k], table), agreement[:, k]) if len(table) else 0.0
            results.append((rho, tuple(table.tolist())))
        return results


class _Sample:
    """Spreads and covariances by query; of more queries than fit, those whose ids have the least hashes.

    So which queries are kept does not depend on the order in which they come, nor on who saw them.
    """

    def __init__(self, rankers: int) -> None:
        self.rankers = rankers
        room = KEPT // max(rankers * rankers, 1)
        self.room = room if room >= FEWEST_KEPT else 0
        self._keys: list[bytes] = []
        self._blocks: list[tuple[FloatArray, FloatArray]] = []

    def __getstate__(self) -> dict[str, Any]:
        """No more than fits is sent to another process."""
        self._prune()
        return vars(self)

    def add(self, names: list[str], spread: FloatArray, here: IntArray, covariance: FloatArray) -> None:
        """Some queries more: spread[query, ranker] of all, covariances of those that are ``here``."""
        if not self.room:
            return
        whole = np.zeros((len(names), self.rankers, self.rankers))
        whole[np.ix_(np.arange(len(names)), here, here)] = covariance
        self._hold([hash_name(0, name) for name in names], [(spread, whole)])

    def merge(self, other: _Sample) -> None:
        """The queries of another sample, too."""
        self._hold(other._keys, other._blocks)

    def _hold(self, keys: list[bytes], blocks: list[tuple[FloatArray, FloatArray]]) -> None:
        self._keys += keys
        self._blocks += blocks
        if len(self._keys) > 2 * self.room:
            self._prune()

    def _prune(self) -> None:
        """One block of the queries that fit."""
        if len(self._blocks) > 1 or len(self._keys) > self.room:
            order = sorted(range(len(self._keys)), key=self._keys.__getitem__)[: self.room]
            spread, covariance = (np.concatenate(each)[order] for each in zip(*self._blocks, strict=True))
            self._keys, self._blocks = [self._keys[k] for k in order], [(spread, covariance)]

    def take(self, rankers: list[int]) -> tuple[FloatArray, FloatArray] | None:
        """(spread[query, ranker], covariance[query, ranker, ranker]) of some rankers; None where nothing was added."""
        self._prune()
        if not self._blocks:
            return None
        spread, covariance = self._blocks[0]
        return spread[:, rankers], covariance[:, rankers][:, :, rankers]


def _count_held(found: PairSums) -> IntArray:
    """(items that both hold, the length of the shorter list), summed over the queries in which both have a list."""
    lengths = np.diagonal(found.common, axis1=1, axis2=2)
    return np.stack([found.common.sum(axis=0), np.minimum(lengths[:, :, None], lengths[:, None]).sum(axis=0)])


def _chunks(rankings: Rankings, rankers: int) -> Iterator[slice]:
    """The queries some at a time, so that a bounded number of pairs of rankers is held."""
    step = max(1, CELLS // max(rankers * rankers, 1))
    for first in range(0, len(rankings), step):
        yield slice(first, min(first + step, len(rankings)))


def _order_entries(rankings: Rankings) -> IntArray:
    """The entries, tied ones by id: who of them stands how far above another must not depend on the rows of a file."""
    if not rankings.has_ties:
        return rankings.entries
    entries = rankings.entries.copy()
    break_ties(entries, rankings.tied, np.zeros(len(entries)), rankings.items)
    return entries


def _take(rankings: Rankings, ordered: IntArray, queries: slice, owners: IntArray) -> tuple[slice, slice, Lists]:
    """(the lists of some queries, their entries, both as arrays that count from 0)"""
    lists = slice(*rankings.list_offsets[[queries.start, queries.stop]].tolist())
    entries = slice(*rankings.entry_offsets[[lists.start, lists.stop]].tolist())
    first_items = rankings.item_offsets[rankings.list_queries[lists]]
    lengths = rankings.list_lengths[lists]
    taken = Lists(
        list_offsets=rankings.list_offsets[queries.start : queries.stop + 1] - lists.start,
        owners=owners[lists],
        rankers=len(rankings.rankers),
        entry_offsets=rankings.entry_offsets[lists.start : lists.stop + 1] - entries.start,
        items=ordered[entries] - np.repeat(first_items, lengths),
        sizes=rankings.sizes[queries],
    )
    return lists, entries, taken


def _list_kinds(rankings: Rankings, query: int) -> IntArray:
    """A number for each list of a query, by the names of their rankers, the same for lists that are the same."""
    absent = np.full(len(rankings.list_rankers), -1.0)
    places = contributions((rankings.mean_positions, absent), rankings, query)
    owners = rankings.list_rankers[slice(*rankings.list_offsets[query : query + 2])].tolist()
    by_name = sorted(range(len(owners)), key=lambda row: rankings.rankers[owners[row]])
    kinds: dict[bytes, int] = {}
    return np.array([kinds.setdefault(places[row].tobytes(), len(kinds)) for row in by_name], dtype=np.intp)
