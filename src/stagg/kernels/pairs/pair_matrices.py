"""Preference matrices of lists, and their singular vectors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import ABSENT, FloatArray

__all__ = ["FORMS", "Factors", "list_factors", "pair_matrix", "pair_tensor"]

FORMS = ("binary", "difference", "log")


class Factors(NamedTuple):
    """A matrix ≈ left · diag(values) · rightᵀ: columns of norm 1, values descending."""

    left: FloatArray
    values: FloatArray
    right: FloatArray


def pair_matrix(ranks: FloatArray, form: str) -> FloatArray:
    """P[i, j] = by how much item i stands above item j, 0 where it does not; ``ranks`` count from 1, small is top.

    "binary": 1. "difference": (r_j - r_i) / max r. "log": (log r_j - log r_i) / log max r. Tied items have 0 both ways.

    >>> pair_matrix(np.array([2.0, 1.0, 3.0]), "difference").round(2)
    array([[0.  , 0.  , 0.33],
           [0.33, 0.  , 0.67],
           [0.  , 0.  , 0.  ]])
    """
    places = np.log(ranks) if form == "log" else ranks
    gaps: FloatArray = np.maximum(places[None, :] - places[:, None], 0.0)
    if form == "binary":
        return (gaps > 0).astype(float)
    return gaps / (places.max(initial=0.0) or 1.0)  # one item alone: log 1 = 0, and nothing to divide


def pair_tensor(positions: FloatArray, form: str) -> FloatArray:
    """T[k, i, j] = by how much list k has item i above item j; ``positions`` count from 0, or are ABSENT.

    >>> pair_tensor(np.array([[1.0, -1.0, 0.0]]), "binary")
    array([[[0., 0., 0.],
            [0., 0., 0.],
            [1., 0., 0.]]])
    """
    lists, n = positions.shape
    tensor = np.zeros((lists, n, n))
    for matrix, places in zip(tensor, positions, strict=True):
        held = np.flatnonzero(places != ABSENT)
        matrix[np.ix_(held, held)] = pair_matrix(places[held] + 1, form)
    return tensor


def list_factors(ranks: FloatArray, form: str, rank: int) -> Factors:
    """The first ``rank`` singular triples of the matrix of one list; 0 where it has fewer.

    Best first, the matrix is a triangle of a totally positive kernel: its singular values other than 0 differ, there
    are as many as there are tied groups less one, and no singular vector is 0 at the top item (Gantmacher & Krein,
    "Oscillation matrices and kernels", ch. II). So the triples are unique but for a sign, and u is made positive at
    the top item: a component then means the same whatever the length of the list. Tied items, whose rows are equal,
    are one row times the square root of their number.

    >>> list_factors(np.arange(1.0, 5.0), "binary", 1).values.round(6)
    array([2.24698])
    """
    places, group, sizes = np.unique(ranks, return_inverse=True, return_counts=True)
    count = min(rank, len(places) - 1)
    found = Factors(np.zeros((len(places), rank)), np.zeros(rank), np.zeros((len(places), rank)))
    if count > 0:
        copies = np.sqrt(sizes)
        matrix = copies[:, None] * pair_matrix(places, form) * copies
        left, values, right = np.linalg.svd(matrix[:-1, 1:])  # the last beats nobody, and nobody beats the first
        sign = np.where(left[0, :count] < 0, -1.0, 1.0)
        found.left[:-1, :count] = left[:, :count] * sign / copies[:-1, None]
        found.values[:count] = values[:count]
        found.right[1:, :count] = right[:count].T * sign / copies[1:, None]
    return Factors(found.left[group], found.values, found.right[group])
