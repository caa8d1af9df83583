"""First ranks of a rank distribution, as charts show them: O(L·ranks), where the whole distribution takes O(L·n)."""

from __future__ import annotations

import functools

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.rank_pmf import list_rank_pmf, outside_losses, unlisted_pmf

__all__ = ["first_ranks"]


def first_ranks(
    shape: Shape, missing: str, n: int, length: int, groups: list[tuple[int, int]], ranks: int
) -> tuple[FloatArray, FloatArray]:
    """(pmf[g, r] of the items that share the places groups[g] of a list, pmf[r] of an unlisted item), r < ranks.

    The recursion of :func:`stagg.kernels.stochastic.rank_pmf.list_rank_pmf`, in which the probability of a rank takes
    those of earlier ranks only: what lies beyond can be left out. A group (start, end) is the places that tied items
    share.

    >>> from stagg.kernels.stochastic.contests import certain
    >>> first_ranks(certain(), "below", 4, 3, [(0, 1), (1, 3)], 2)[0]
    array([[1. , 0. ],
           [0. , 0.5]])
    """
    if shape.by_place is not None:
        return _cut(*list_rank_pmf(shape, missing, n, length), groups, ranks)
    longest = length if shape.uses_n else 1 << length.bit_length()  # few tables serve lists of all lengths
    ahead, behind = _tables(shape, n if shape.uses_n else 0, length if shape.uses_length else 0, longest, ranks)
    pmf = np.zeros((len(groups), ranks))
    for number, (start, end) in enumerate(groups):
        for k in range(start, end):
            pmf[number] += np.convolve(ahead[k], behind[length - 1 - k])[:ranks]
        pmf[number] /= end - start
    outside = outside_losses(shape, missing, n, length)[:ranks]
    if len(outside) > 1:
        pmf = np.array([np.convolve(row, outside)[:ranks] for row in pmf]).reshape(pmf.shape)
    elsewhere = np.zeros(ranks)
    first = unlisted_pmf(shape, missing, n, length)[:ranks]
    elsewhere[: len(first)] = first
    return pmf, elsewhere


def _cut(
    listed: FloatArray, unlisted: FloatArray, groups: list[tuple[int, int]], ranks: int
) -> tuple[FloatArray, FloatArray]:
    """The first ranks of whole distributions."""
    pmf = np.zeros((len(groups), ranks))
    for row, (start, end) in zip(pmf, groups, strict=True):
        found = listed[start:end, :ranks].mean(axis=0)
        row[: len(found)] = found
    elsewhere = np.zeros(ranks)
    elsewhere[: len(unlisted)] = unlisted[:ranks]
    return pmf, elsewhere


@functools.lru_cache(maxsize=8)
def _tables(shape: Shape, n: int, length: int, longest: int, ranks: int) -> tuple[FloatArray, FloatArray]:
    """(ahead[k, r], behind[k, r]): P(r losses) in the contests with the k nearest items ahead, and behind."""
    chance = shape.chance(np.arange(1.0, longest), n, length) if longest > 1 else np.zeros(0)
    return _growing(chance, ranks), _growing(1 - chance, ranks)


def _growing(chance: FloatArray, ranks: int) -> FloatArray:
    table = np.zeros((len(chance) + 1, ranks))
    table[0, 0] = 1.0
    for k, p in enumerate(chance.tolist()):
        table[k + 1] = table[k] * (1 - p)
        table[k + 1, 1:] += table[k, :-1] * p
    return table
