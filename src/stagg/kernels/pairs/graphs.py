"""Graphs, small and dense: reachability, components, strongly connected components."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, IntArray

__all__ = ["components", "reachable", "strong_components"]


def reachable(edges: BoolArray) -> BoolArray:
    """R[i, j] = whether a path leads from i to j; every node reaches itself.

    By repeated squaring: O(n³ log n), in the products of matrices that machines are good at.

    >>> reachable(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)).astype(int)
    array([[1, 1, 1],
           [0, 1, 1],
           [0, 0, 1]])
    """
    paths = edges | np.eye(len(edges), dtype=bool)
    while True:
        counts = paths.astype(np.float32)
        longer = counts @ counts > 0
        if (longer == paths).all():
            return paths
        paths = longer


def strong_components(edges: BoolArray) -> list[IntArray]:
    """The strongly connected components, each as its nodes in order; no edge leads from a later one to an earlier one.

    >>> [part.tolist() for part in strong_components(np.array([[0, 0, 0], [1, 0, 1], [0, 1, 0]], dtype=bool))]
    [[1, 2], [0]]
    """
    paths = reachable(edges)
    first = np.argmax(paths & paths.T, axis=1)  # the smallest node of its component stands for it
    heads = np.flatnonzero(first == np.arange(len(edges)))
    # whoever is reached from a component reaches less than it does
    heads = heads[np.argsort(-paths[heads].sum(axis=1), kind="stable")]
    return [np.flatnonzero(first == head) for head in heads]


def components(edges: BoolArray, *, strong: bool = False) -> IntArray:
    """The number of the component of each item; ``strong``: along the arrows, there and back.

    >>> components(np.array([[False, True, False], [False] * 3, [False] * 3]))
    array([0, 0, 1])
    >>> len(set(components(np.array([[False, True], [False, False]]), strong=True).tolist()))
    2
    """
    from scipy.sparse.csgraph import connected_components

    _, labels = connected_components(edges, directed=True, connection="strong" if strong else "weak")
    return np.asarray(labels, dtype=np.intp)
