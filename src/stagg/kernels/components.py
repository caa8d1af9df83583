"""Which items hang together: components of the graph of comparisons."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stagg.kernels.pairwise import pair_wins
from stagg.kernels.sums import FloatArray

__all__ = ["components", "pair_counts"]


def components(edges: npt.NDArray[np.bool_], *, strong: bool = False) -> npt.NDArray[np.intp]:
    """The number of the component of each item; ``strong``: along the arrows, there and back.

    >>> components(np.array([[False, True, False], [False] * 3, [False] * 3]))
    array([0, 0, 1])
    >>> len(set(components(np.array([[False, True], [False, False]]), strong=True).tolist()))
    2
    """
    from scipy.sparse.csgraph import connected_components

    _, labels = connected_components(edges, directed=True, connection="strong" if strong else "weak")
    return np.asarray(labels, dtype=np.intp)


def pair_counts(positions: FloatArray, weights: FloatArray, missing: str, absent: float = -1.0) -> FloatArray:
    """C[i, j] = the weight of the lists that put i above j, plus half of that of the lists in which they tie.

    ``below``: the unlisted items of a list tie with one another too.

    >>> pair_counts(np.array([[0.0, 1.5, 1.5]]), np.array([2.0]), "skip")
    array([[0., 2., 2.],
           [0., 0., 1.],
           [0., 1., 0.]])
    """
    wins = pair_wins(positions, weights, missing, absent)
    listed = (positions != absent).astype(float)
    both = np.full_like(wins, weights.sum()) if missing == "below" else (listed * weights[:, None]).T @ listed
    counts: FloatArray = wins + np.maximum(both - wins - wins.T, 0.0) / 2
    np.fill_diagonal(counts, 0.0)  # nobody plays against himself
    return counts
