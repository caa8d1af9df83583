"""Votes of lists for their items where one query has many lists: a list weighs what its items are worth (MAIC)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.sums import sums_by_item
from stagg.kernels.ties import measure_groups

__all__ = ["ItemVotes", "Listings", "best_of_families", "entry_votes"]

STEEP = 0.2  # of the items: the rank, beyond the first, at which a vote is half
ROUNDS = 500
SETTLED = 1e-9
BITS = 40  # of a vote, so that sums along a list are exact, in any order of tied items


class Listings(NamedTuple):
    """Lists of one query: the items of list k are ``entries[entry_offsets[k]:entry_offsets[k + 1]]``, best first.

    ``tied`` marks what is tied with the entry before; ``families`` has a number for each list.
    """

    entries: IntArray
    entry_offsets: IntArray
    tied: BoolArray
    families: IntArray
    items: int


class ItemVotes(NamedTuple):
    """``values[e]``: the vote of an entry, ``weights[k]``: the mean over list k."""

    values: FloatArray
    weights: FloatArray
    converged: bool


def entry_votes(given: Listings) -> ItemVotes:
    """The vote of each entry: √(mean score of its list's items down to it) times its decline; a score is their sum.

    Of the lists of one family only the one with the largest vote for an item counts. Tied entries have the value at
    the end of their group, so an unranked list, one tied block, has one weight: √(mean score of its items), as in
    MAIC. In a ranked list the vote for the item at rank r of n items declines as (1 + n/5) / (r + n/5), tied ones
    having the mean. So the order of lists that hold most of the items counts, as in reciprocal rank fusion; by MAIC,
    which asks only who holds an item, lists of all items would tell nothing. The rounds begin with the declines.

    Reference: Li et al., "Identification of host genes with meta-analysis by information content", 2020.

    >>> lists = Listings(np.array([0, 1, 0, 1, 2]), np.array([0, 2, 4, 5]), np.zeros(5, dtype=bool), np.arange(3), 3)
    >>> entry_votes(lists).values.round(2)
    array([2.  , 1.08, 2.  , 1.08, 1.  ])
    """
    lengths = np.diff(given.entry_offsets)
    lists = np.repeat(np.arange(len(lengths)), lengths)
    count = int(given.families.max(initial=0)) + 1
    pairs, place = np.unique(given.entries * count + given.families[lists], return_inverse=True)
    declines = _decline(lengths, given.tied, given.items)
    values, converged = declines, False
    for _ in range(ROUNDS):
        votes = np.zeros(len(pairs))
        np.maximum.at(votes, place, values)
        scores = sums_by_item(votes, pairs // count, given.items).totals
        before, values = values, declines * np.sqrt(_running_means(scores[given.entries], lengths, given.tied))
        converged = bool(np.abs(values - before).max(initial=0.0) < SETTLED)
        if converged:
            break
    return ItemVotes(values, _mean_by_list(values, lists, lengths), converged)


def _decline(lengths: IntArray, tied: BoolArray, items: int) -> FloatArray:
    """What is left of a vote at each place of a list, tied entries having their mean; 1 in a list of one tied block."""
    places = np.arange(1, len(tied) + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    left = (1 + STEEP * items) / (places + STEEP * items)
    starts, sizes = measure_groups(tied)
    shared = np.repeat(np.add.reduceat(left, starts) / sizes, sizes) if len(left) else left
    whole = np.repeat(sizes, sizes) == np.repeat(lengths, lengths)
    found: FloatArray = np.where(whole, 1.0, shared)
    return found


def _running_means(values: FloatArray, lengths: IntArray, tied: BoolArray) -> FloatArray:
    """The mean of each list from its start to each entry, tied entries having that at the end of their group."""
    if not len(values):
        return values
    starts = np.cumsum(lengths) - lengths
    unit = 2.0 ** (math.frexp(float(values.max()))[1] - BITS)
    whole = np.rint(values / unit).astype(np.int64)
    sums = np.cumsum(whole)
    sums -= np.repeat(sums[starts[lengths > 0]] - whole[starts[lengths > 0]], lengths[lengths > 0])
    places = np.arange(1, len(values) + 1) - np.repeat(starts, lengths)
    means: FloatArray = sums * unit / places
    group_starts, sizes = measure_groups(tied)
    return np.repeat(means[group_starts + sizes - 1], sizes)


def _mean_by_list(values: FloatArray, lists: IntArray, lengths: IntArray) -> FloatArray:
    means: FloatArray = sums_by_item(values, lists, len(lengths)).totals / np.maximum(lengths, 1)
    return means


def best_of_families(values: FloatArray, entries: IntArray, families: IntArray) -> BoolArray:
    """Of the entries of one family that hold the same item, the first of those with the largest value.

    ``families`` has the family of each entry.

    >>> best_of_families(np.array([1.0, 2.0, 2.0, 5.0]), np.array([0, 0, 0, 1]), np.zeros(4, dtype=np.intp)).tolist()
    [False, True, False, True]
    """
    order = np.lexsort((np.arange(len(values)), -values, families, entries))
    item, family = entries[order], families[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (item[1:] != item[:-1]) | (family[1:] != family[:-1])
    best = np.zeros(len(values), dtype=bool)
    best[order] = first
    return best
