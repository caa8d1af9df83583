"""Rank distributions: the rank of an item is the number of contests that it loses (Eq. 8-10 of the paper)."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import twin
from stagg.kernels.stochastic.contests import ByPlace, Shape

__all__ = [
    "coin_flips",
    "growing",
    "growing_in_numpy",
    "list_rank_pmf",
    "outside_losses",
    "pmf_by_place",
    "rank_pmf",
    "rank_pmfs",
    "rank_pmfs_in_numpy",
    "unlisted_pmf",
]

NEGLIGIBLE = 1e-100  # smaller probabilities at the ends of a distribution change nothing that can be seen

Trimmed = tuple[int, FloatArray]
"""(first rank, probabilities from there on) of a distribution without what is negligible at its ends."""


def rank_pmf(beaten: FloatArray) -> FloatArray:
    """P(R = r), r = 0..m, of the number of lost contests; ``beaten[i]`` = P(contest i is lost).

    The recursion of Eq. 9-10, kept as it stands in the paper: the oracle for everything faster. The numbers stay
    between 0 and 1 and are only added and multiplied, so the error is a few units in the last place.

    >>> rank_pmf(np.array([0.5, 0.5]))
    array([0.25, 0.5 , 0.25])
    """
    pmf = np.zeros(len(beaten) + 1)
    pmf[0] = 1.0  # Eq. 9: alone, an item has rank 0
    for p in beaten:
        pmf[1:] = pmf[:-1] * p + pmf[1:] * (1 - p)  # Eq. 10: one more contest, lost or won
        pmf[0] *= 1 - p
    return pmf


def rank_pmfs(wins: FloatArray) -> FloatArray:
    """pmf[j, r] = P(R_j = r) for all items at once, from ``wins[i, j]`` = P(i beats j): Eq. 10, O(n³)."""
    compiled = twin("stochastic._stochastic")
    if compiled is None:
        return rank_pmfs_in_numpy(wins)
    pmf: FloatArray = compiled.rank_pmfs(np.ascontiguousarray(wins, float))
    return pmf


def rank_pmfs_in_numpy(wins: FloatArray) -> FloatArray:
    """The same without the twin."""
    n = len(wins)
    pmf = np.zeros((n, max(n, 1)))
    pmf[:, 0] = 1.0
    for i in range(n):
        lost = wins[i][:, None].copy()
        lost[i] = 0.0  # nobody plays against himself
        pmf[:, 1:] = pmf[:, :-1] * lost + pmf[:, 1:] * (1 - lost)
        pmf[:, :1] *= 1 - lost
    return pmf


def list_rank_pmf(shape: Shape, missing: str, n: int, length: int) -> tuple[FloatArray, FloatArray]:
    """(pmf[k, r] for the item at position k of a list, pmf[r] for an unlisted item), r = 0..n-1.

    All items of a list share their contests: position k loses to those ahead, at gaps 1..k, and to those behind, at
    gaps 1..L-1-k. So two tables of partial distributions, ahead[k] and behind[k], made by one recursion each, give
    every distribution by one convolution; the contests with the unlisted are a closed Binomial factor. Only sums of
    products of non-negative numbers: no noise below zero, as a Fourier transform would leave.
    """
    if shape.by_place is not None:
        return _list_pmf_by_place(shape.by_place, missing, n, length)
    chance = shape.chance(np.arange(1.0, length), n, length) if length > 1 else np.zeros(0)
    start = outside_losses(shape, missing, n, length)
    ahead, behind = growing(chance, start), growing(1 - chance, np.ones(1))
    pmf = np.zeros((length, n))
    for row, (low, one), (more, other) in zip(pmf, ahead, behind[::-1], strict=False):
        row[low + more :][: len(one) + len(other) - 1] = np.convolve(one, other)
    return pmf, unlisted_pmf(shape, missing, n, length)


def _list_pmf_by_place(contests: ByPlace, missing: str, n: int, length: int) -> tuple[FloatArray, FloatArray]:
    lost = contests.inside(length).T.copy()
    np.fill_diagonal(lost, 0.0)  # nobody plays against himself
    sure = contests.outside(length)
    coins = np.full(length, 0.5)
    outside = {"below": 1 - sure, "neutral": coins, "skip": np.zeros(length)}[missing]
    return pmf_by_place(lost, outside, {"below": sure, "neutral": coins, "skip": np.zeros(0)}[missing], n)


def pmf_by_place(lost: FloatArray, outside: FloatArray, ahead: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """(pmf[a, r] of the item at place a, pmf[r] of an unlisted item), r = 0..n-1, for contests that are given.

    ``lost[a, b]`` = P(place a loses to place b), ``outside[a]`` = P(it loses to an unlisted item), ``ahead[a]`` =
    P(an unlisted item loses to place a), empty where an unlisted item has no rank. O(L (L + n)) steps for each place.
    """
    length = len(lost)
    listed = np.zeros((length, n))
    for row, contests, chance in zip(listed, lost, outside.tolist(), strict=True):
        inside = rank_pmf(contests)[:length]
        row[:] = np.convolve(inside, coin_flips(n - length, chance))
    unlisted = np.zeros(n)
    if length < n and len(ahead):
        unlisted[:] = np.convolve(rank_pmf(ahead), coin_flips(n - length - 1))
    return listed, unlisted


def outside_losses(shape: Shape, missing: str, n: int, length: int) -> FloatArray:
    """P(a listed item loses to so many of the unlisted ones)."""
    if missing == "neutral":
        return coin_flips(n - length)
    return coin_flips(n - length, 1 - shape.sure) if missing == "below" and shape.sure < 1 else np.ones(1)


def unlisted_pmf(shape: Shape, missing: str, n: int, length: int) -> FloatArray:
    """pmf[r] of an item that the list does not hold; zeros where there is none, or absence says nothing at all."""
    pmf = np.zeros(n)
    if length < n and missing == "below":
        others = coin_flips(n - length - 1)
        if shape.sure == 1:
            pmf[length:] = others  # all listed items are ahead
        else:
            pmf[:] = np.convolve(coin_flips(length, shape.sure), others)
    elif length < n and missing == "neutral":
        pmf[:] = coin_flips(n - 1)
    return pmf


def coin_flips(n: int, heads: float = 0.5) -> FloatArray:
    """P(k heads of n coins): from the middle outwards by ratios of neighbours, then scaled to sum 1."""
    if heads != 0.5:
        return _loaded_coins(n, heads)
    middle = n // 2
    k = np.arange(middle, n)
    upper = np.cumprod((n - k) / (k + 1.0))  # C(n, k+1) / C(n, k)
    pmf = np.ones(n + 1)
    pmf[middle + 1 :] = upper
    pmf[:middle] = pmf[: n - middle : -1] if middle else pmf[:0]
    pmf /= pmf.sum()
    return pmf


def _loaded_coins(n: int, heads: float) -> FloatArray:
    """The same of coins that are not fair: outwards from the most likely number."""
    if heads in (0, 1):
        sure: FloatArray = np.eye(1, n + 1, n if heads else 0)[0]
        return sure
    middle, odds = int(heads * n), heads / (1 - heads)
    up, down = np.arange(middle, n), np.arange(middle, 0, -1)
    pmf = np.ones(n + 1)
    pmf[middle + 1 :] = np.cumprod((n - up) / (up + 1.0) * odds)
    pmf[:middle] = np.cumprod(down / (n - down + 1.0) / odds)[::-1]
    pmf /= pmf.sum()
    return pmf


def growing(chance: FloatArray, start: FloatArray) -> list[Trimmed]:
    """The distribution of the number of losses in no contest, one, two, ...; ``start`` stands before them."""
    compiled = twin("stochastic._stochastic")
    if compiled is None:
        return growing_in_numpy(chance, start)
    flat, ends = compiled.growing(np.ascontiguousarray(chance, float), start, NEGLIGIBLE)
    rows = np.arange(len(ends))
    begins = (rows * len(start) + rows * (rows - 1) // 2).tolist()
    return [(low, flat[at + low : at + high]) for at, (low, high) in zip(begins, ends.tolist(), strict=True)]


def growing_in_numpy(chance: FloatArray, start: FloatArray) -> list[Trimmed]:
    """The same without the twin."""
    last, grown = start, [_trim(start)]
    for p in chance:
        more = np.empty(len(last) + 1)
        more[:-1] = last * (1 - p)
        more[-1] = 0.0
        more[1:] += last * p
        grown.append(_trim(more))
        last = more
    return grown


def _trim(pmf: FloatArray) -> Trimmed:
    kept = np.flatnonzero(pmf > NEGLIGIBLE)
    low, high = int(kept[0]), int(kept[-1]) + 1
    return low, pmf[low:high]
