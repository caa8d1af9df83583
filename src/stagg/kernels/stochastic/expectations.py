"""Expected utilities by position: what a list gives to its k-th item, and to an item that it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import twin
from stagg.kernels.stochastic.contests import Shape, win_matrix
from stagg.kernels.stochastic.rank_pmf import list_rank_pmf, pmf_by_place, rank_pmfs_in_numpy
from stagg.kernels.stochastic.utilities import Exponentials, Utility

__all__ = [
    "GainTable",
    "chances_by_place",
    "expected_by_place",
    "expected_elsewhere",
    "expected_utilities",
    "expected_utilities_by_recursion",
    "next_power_of_two",
    "position_weights",
    "position_weights_in_numpy",
    "shares_weights",
]

GainTable = tuple[FloatArray, float]
"""(weight of each position, weight of an unlisted item): E[u(R)] for a list of given length among n candidates."""

CELLS = 4_000_000  # numbers held at once while a table is built: bounds the memory for long lists
LANES = 8  # exponentials that are summed together


def expected_utilities(utility: Utility, shape: Shape, missing: str, n: int, lengths: Sequence[int]) -> list[GainTable]:
    """The tables of lists of several lengths among the same n candidates."""
    if shape.by_place is not None:
        return [expected_by_place(utility, shape, missing, length, [n])[0] for length in lengths]
    if utility.slope is not None:
        return [_by_means(utility, shape, missing, n, length) for length in lengths]
    if utility.terms is not None:
        return _by_generating_functions(utility, shape, missing, n, lengths)
    return [_by_distribution(utility, shape, missing, n, length) for length in lengths]


def shares_weights(utility: Utility, shape: Shape, missing: str) -> bool:
    """Whether the weights of the listed items do not look at n, but for the next power of two above it."""
    if utility.terms is None or utility.slope is not None or shape.uses_n:
        return False
    return missing == "skip" or (missing == "below" and shape.sure == 1)  # else coins are tossed with the other n - L


@lru_cache(maxsize=100_000)
def expected_elsewhere(utility: Utility, missing: str, n: int, length: int) -> float:
    """The weight of an unlisted item alone, for a utility that is a sum of exponentials and contests that are sure."""
    return _unlisted(*_exponentials(utility, next_power_of_two(n)), missing, 1.0, n, length)


def expected_utilities_by_recursion(utility: Utility, shape: Shape, missing: str, n: int, length: int) -> GainTable:
    """The same by the recursion of the paper, O(n³): the oracle."""
    positions = np.where(np.arange(n) < length, np.arange(n), -1)
    pmf = rank_pmfs_in_numpy(win_matrix(positions, shape, missing))
    values = pmf @ utility.values(np.arange(float(n)), n, length)
    return values[:length], 0.0 if missing == "skip" or length == n else float(values[-1])


def _by_means(utility: Utility, shape: Shape, missing: str, n: int, length: int) -> GainTable:
    """u = base - r needs only E[R] = Σ p(i beats j): prefix sums over the gaps."""
    base = n if utility.slope == "n" else length
    lost = np.concatenate([[0.0], np.cumsum(_chances(shape, n, length))])  # to the k items ahead
    k = np.arange(length)
    mean = lost[k] + (length - 1 - k) - lost[::-1][k]  # to those behind: 1 - p at every gap
    if missing != "skip":
        mean = mean + (n - length) * _lost_outside(shape, missing)
    elsewhere = {
        "below": length * shape.sure + (n - length - 1) / 2,
        "neutral": (n - 1) / 2,
        "skip": float(base),
    }[missing]
    return base - mean, float(base - elsewhere) if length < n else 0.0


def _by_generating_functions(
    utility: Utility, shape: Shape, missing: str, n: int, lengths: Sequence[int]
) -> list[GainTable]:
    """E[u(R)] = Σ_q a_q G(t_q), and for position k G = A[k] · B[L-1-k] · H.

    A and B are cumulative products over the gaps 1, 2, ...; H = (1 - p + p t)^(n-L) are the contests with the unlisted
    items, each lost with probability p: ½ under ``neutral``, 0 under ``below`` if the list is sure of it.
    A shape that does not look at the length shares A and B among all lengths.
    """
    if shape.uses_length and len(lengths) > 1:
        return [t for length in lengths for t in _by_generating_functions(utility, shape, missing, n, [length])]
    factors, bases = _exponentials(utility, next_power_of_two(n))
    lost = _lost_outside(shape, missing)
    shares = [factors * (1 - lost * (1 - bases)) ** (n - length) if lost else factors for length in lengths]
    weights = position_weights(_chances(shape, n, max(lengths)), bases, np.stack(shares), lengths)
    return [(w, _unlisted(factors, bases, missing, shape.sure, n, len(w))) for w in weights]


def chances_by_place(shape: Shape, n: int, length: int) -> tuple[FloatArray, FloatArray]:
    """(P[a, b] = the chance of the item at place a against the one at place b, against an unlisted one under below).

    >>> from stagg.kernels.stochastic.contests import harmonic
    >>> chances_by_place(harmonic(1), 3, 2)
    (array([[0.5 , 0.75],
           [0.25, 0.5 ]]), array([1., 1.]))
    """
    if shape.by_place is not None:
        return shape.by_place.inside(length), shape.by_place.outside(length)
    gaps = np.arange(length) - np.arange(length)[:, None]
    ahead = np.concatenate([[0.5], _chances(shape, n, length)])[np.abs(gaps)]
    return np.where(gaps > 0, ahead, 1 - ahead), np.full(length, shape.sure)


def expected_by_place(
    utility: Utility, shape: Shape, missing: str, length: int, sizes: Sequence[int]
) -> list[GainTable]:
    """The tables of one list among several numbers n of candidates, for contests that depend on both places.

    The contests inside the list are the same for all n: Π (1 - p + p t) over them is made once, O(L² Q).
    """
    inside, sure = chances_by_place(shape, length, length)
    lost = inside.T.copy()  # lost[a, b] = P(place a loses to place b)
    np.fill_diagonal(lost, 0.0)
    outside = {"below": 1 - sure, "neutral": np.full(length, 0.5), "skip": np.zeros(length)}[missing]
    ahead = {"below": sure, "neutral": np.full(length, 0.5), "skip": np.zeros(0)}[missing]
    if utility.slope is not None:
        return [_place_means(utility, lost, outside, ahead, n) for n in sizes]
    if utility.terms is None:
        return [_place_distribution(utility, lost, outside, ahead, n) for n in sizes]
    products: dict[int, tuple[FloatArray, FloatArray]] = {}
    tables = []
    for n in sizes:
        ranks = next_power_of_two(n)
        factors, bases = _exponentials(utility, ranks)
        if ranks not in products:
            products[ranks] = _generate(lost, bases), _generate(ahead[None], bases)[0]
        within, beyond = products[ranks]
        weights = (within * (1 - outside[:, None] * (1 - bases)) ** (n - length) * factors).sum(axis=1)
        elsewhere = float((beyond * ((1 + bases) / 2) ** (n - length - 1) * factors).sum()) if n > length else 0.0
        tables.append((weights, elsewhere if missing != "skip" else 0.0))
    return tables


def _generate(lost: FloatArray, bases: FloatArray) -> FloatArray:
    """G[a, q] = Π_b (1 - lost[a, b] (1 - t_q)), contest after contest."""
    product = np.ones((len(lost), len(bases)))
    for contest in lost.T:
        product *= 1 - contest[:, None] * (1 - bases)
    return product


def _place_means(utility: Utility, lost: FloatArray, outside: FloatArray, ahead: FloatArray, n: int) -> GainTable:
    length = len(lost)
    base = n if utility.slope == "n" else length
    listed = base - (lost.sum(axis=1) + (n - length) * outside)
    return listed, float(base - (ahead.sum() + (n - length - 1) / 2)) if length < n and len(ahead) else 0.0


def _place_distribution(
    utility: Utility, lost: FloatArray, outside: FloatArray, ahead: FloatArray, n: int
) -> GainTable:
    listed, unlisted = pmf_by_place(lost, outside, ahead, n)
    values = utility.values(np.arange(float(n)), n, len(lost))
    return listed @ values, float(unlisted @ values)


def _lost_outside(shape: Shape, missing: str) -> float:
    """The chance that a listed item loses to an unlisted one."""
    return {"below": 1 - shape.sure, "neutral": 0.5, "skip": 0.0}[missing]


@lru_cache(maxsize=100)
def _exponentials(utility: Utility, ranks: int) -> Exponentials:
    """The terms of a utility, kept: those of the discount of NDCG cost more than a table."""
    if utility.terms is None:
        raise ValueError("the utility is no sum of exponentials")
    terms = utility.terms(ranks)
    for each in terms:
        each.setflags(write=False)
    return terms


def position_weights(
    chance: FloatArray, bases: FloatArray, factors: FloatArray, lengths: Sequence[int]
) -> list[FloatArray]:
    """Σ_q factors[list, q] · A[k, q] · B[L-1-k, q] for each position k of lists of several lengths L.

    Eight terms at a time, added by halves, then the sums of eight in their order: the same bytes whoever else asks, on
    every machine, in both twins.
    """
    compiled = twin("stochastic._stochastic")
    if compiled is None:
        return position_weights_in_numpy(chance, bases, factors, lengths)
    terms = _in_eights(bases[None])[0], _in_eights(factors)
    flat = compiled.position_weights(np.ascontiguousarray(chance, float), *terms, np.array(lengths, np.intp))
    ends = np.cumsum(lengths).tolist()
    return [flat[end - length : end].copy() for end, length in zip(ends, lengths, strict=True)]


def position_weights_in_numpy(
    chance: FloatArray, bases: FloatArray, factors: FloatArray, lengths: Sequence[int]
) -> list[FloatArray]:
    """The same without the twin."""
    bases, factors = _in_eights(bases[None])[0], _in_eights(factors)
    weights = [np.zeros(length) for length in lengths]
    block = max(1, CELLS // (len(chance) + 1) // LANES) * LANES
    for low in range(0, len(bases), block):
        ahead, behind = _products(chance, bases[low : low + block])
        for own, length, total in zip(factors[:, low : low + block], lengths, weights, strict=True):
            for eight in _by_eights(own[:, None] * (ahead[:, :length] * behind[:, :length][:, ::-1])):
                total += eight
    return weights


def _in_eights(rows: FloatArray) -> FloatArray:
    """The rows filled up with zeros to a multiple of eight."""
    filled = np.zeros((len(rows), rows.shape[1] + -rows.shape[1] % LANES))
    filled[:, : rows.shape[1]] = rows
    return filled


def _by_eights(terms: FloatArray) -> FloatArray:
    """The sums of every eight rows, by halves."""
    eights = terms.reshape(len(terms) // LANES, LANES, terms.shape[1])
    fours = eights[:, :4] + eights[:, 4:]
    twos = fours[:, :2] + fours[:, 2:]
    sums: FloatArray = twos[:, 0] + twos[:, 1]
    return sums


def _products(chance: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A[q, k] = Π_{d<=k} (1 - p_d + p_d t_q) and B[q, k] = Π_{d<=k} (p_d + (1 - p_d) t_q)."""
    shrink = 1 - t[:, None]
    ahead, behind = np.ones((2, len(t), len(chance) + 1))
    np.cumprod(1 - chance * shrink, axis=1, out=ahead[:, 1:])
    np.cumprod(1 - (1 - chance) * shrink, axis=1, out=behind[:, 1:])
    return ahead, behind


def _unlisted(factors: FloatArray, bases: FloatArray, missing: str, sure: float, n: int, length: int) -> float:
    if missing == "skip" or length == n:
        return 0.0
    if missing == "neutral":
        return float(factors @ (((1 + bases) / 2) ** (n - 1)))
    # sure = 1 leaves the base itself, to the last bit
    lost = bases if sure == 1 else 1 - sure * (1 - bases)
    return float(factors @ (lost**length * ((1 + bases) / 2) ** (n - length - 1)))


def _by_distribution(utility: Utility, shape: Shape, missing: str, n: int, length: int) -> GainTable:
    """Any utility: through the full rank distribution."""
    listed, unlisted = list_rank_pmf(shape, missing, n, length)
    values = utility.values(np.arange(float(n)), n, length)
    return listed @ values, float(unlisted @ values)


def _chances(shape: Shape, n: int, length: int) -> FloatArray:
    return shape.chance(np.arange(1.0, length), n, length) if length > 1 else np.zeros(0)


def next_power_of_two(n: int) -> int:
    """The exponentials are made for ranks up to a power of two, so that queries of similar size share them."""
    return 1 << max(1, n - 1).bit_length()
