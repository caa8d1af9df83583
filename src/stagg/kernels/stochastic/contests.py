"""Pairwise contests within one list: the probability that one item beats another, from the gap between them.

A *shape* is a function ``(gaps, n, length) -> p``: the probability that the item ahead wins, for gaps 1, 2, ... of
positions, n candidates and a list of ``length`` items. Everything else follows from the shape and from what absence
from the list means (``missing``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["COIN", "ByPlace", "Shape", "certain", "harmonic", "linear", "logistic", "paper", "shrunk", "win_matrix"]

COIN = 0.5


class ByPlace(Protocol):
    """Contests that depend on both places, not on their gap alone."""

    def inside(self, length: int) -> FloatArray:
        """P[a, b] = the chance of the item at place a of a list against the one at place b; ½ on the diagonal."""

    def outside(self, length: int) -> FloatArray:
        """The chance of the item at each place against one that the list does not hold."""


class Shape(NamedTuple):
    """``chance(gaps, n, length)``: P(the item ahead wins); and which of n and the length it looks at.

    ``sure`` is the chance of a listed item against an unlisted one, where absence means that it loses (``below``).
    ``by_place``, where it is given, has the chances of all places instead.
    """

    chance: Callable[[FloatArray, int, int], FloatArray]
    uses_n: bool = True
    uses_length: bool = True
    sure: float = 1.0
    by_place: ByPlace | None = None


def paper() -> Shape:
    """max(d/n, 1 - d/n): Eq. 11 to the letter. Not monotone: neighbours are near certain, a gap of n/2 is a coin."""
    return Shape(lambda gaps, n, length: np.maximum(gaps / n, 1 - gaps / n), uses_length=False)


def linear() -> Shape:
    """½ + d/2n: the further apart, the surer."""
    return Shape(lambda gaps, n, length: 0.5 + gaps / (2 * n), uses_length=False)


def certain() -> Shape:
    """1: the list is right."""
    return Shape(lambda gaps, n, length: np.ones(len(gaps)), uses_n=False, uses_length=False)


def logistic(scale: float) -> Shape:
    """1 / (1 + exp(-d/s)), s in positions: does not depend on n."""
    return Shape(lambda gaps, n, length: 1 / (1 + np.exp(-gaps / scale)), uses_n=False, uses_length=False)


def harmonic(scale: float) -> Shape:
    """1 - ½ / (1 + d/s): the chance of the item behind falls like 1/d. Depends on neither n nor the length."""
    return Shape(lambda gaps, n, length: 1 - 0.5 / (1 + gaps / scale), uses_n=False, uses_length=False)


@lru_cache(maxsize=100_000)
def shrunk(shape: Shape, trust: float) -> Shape:
    """½ + trust · (p - ½): a list that is trusted half has contests half as sure, those with unlisted items too."""
    if trust == 1:
        return shape
    return shape._replace(
        chance=lambda gaps, n, length: COIN + trust * (shape.chance(gaps, n, length) - COIN),
        sure=COIN + trust * (shape.sure - COIN),
    )


def win_matrix(positions: IntArray, shape: Shape, missing: str) -> FloatArray:
    """W[i, j] = P(i beats j) from one list; ``positions[i]`` is the position of item i, -1 where it is not listed.

    Against an unlisted item: ``below`` the listed one wins, as sure as the shape says; ``neutral`` a coin decides;
    ``skip`` there is no contest, and W is 0 both ways. Two unlisted items toss a coin, or under ``skip`` do not meet.
    Nobody plays against himself.

    >>> win_matrix(np.array([0, 1, -1]), certain(), "below")
    array([[0., 1., 1.],
           [0., 0., 1.],
           [0., 0., 0.]])
    """
    n, listed = len(positions), positions >= 0
    chance = np.concatenate([[COIN], shape.chance(np.arange(1.0, n), n, int(listed.sum()))])
    gaps = positions[None, :] - positions[:, None]  # > 0 where i stands ahead of j
    wins = np.where(gaps > 0, chance[np.abs(gaps)], 1 - chance[np.abs(gaps)])
    both = listed[:, None] & listed[None, :]
    outside = np.where(listed[:, None], shape.sure, 1 - shape.sure)
    one_wins = np.where(listed[:, None] == listed[None, :], COIN, outside)
    others = {"below": one_wins, "neutral": np.full((n, n), COIN), "skip": np.zeros((n, n))}[missing]
    matrix = np.where(both, wins, others)
    np.fill_diagonal(matrix, 0.0)
    return matrix
