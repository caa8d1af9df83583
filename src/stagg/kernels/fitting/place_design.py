"""Which battles bound strengths and preferences for a place, and which leave them free."""

from __future__ import annotations

from typing import Any

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.fitting.davidson import Comparisons, DavidsonModel, merge_votes

__all__ = ["find_mixed", "leaves_free"]

ROUNDING = 1e-9
CLEAR = 1e-6  # of a direction that is found


def find_mixed(votes: Comparisons, model: DavidsonModel) -> list[int]:
    """The judges whose preference for a place cannot be told from the strengths.

    So it is if some contestants always stand first: a preference for the first place moves no probability that their
    strengths could not move as well. These are the judges in the null space of the design, beside equal strengths.

    >>> votes = Comparisons(*np.array([[0, 0], [1, 1], [0, 0], [1, -1]]), np.ones(2))
    >>> find_mixed(votes, DavidsonModel.of(2, np.array([True]), np.array([False])))
    [0]
    """
    gram = _gram(_design(merge_votes(votes), model))
    values, vectors = np.linalg.eigh(gram)
    free = vectors[:, values <= ROUNDING * max(1.0, values[-1])]
    return [k for k, at in enumerate(model.place.tolist()) if at >= 0 and np.abs(free[at]).max(initial=0) > CLEAR]


def leaves_free(votes: Comparisons, model: DavidsonModel) -> bool:
    """Whether strengths and preferences could go on for ever in some direction and make no battle less probable.

    Then no estimate is finite. A tie, and a pair of places that both won, bound the direction; where these do not bound
    every direction, a linear program looks for one.
    """
    cells = merge_votes(votes)
    design, bound = _design(cells, model), _find_bound(cells)
    if np.linalg.matrix_rank(_gram(design[bound]), hermitian=True) >= np.linalg.matrix_rank(
        _gram(design), hermitian=True
    ):
        return False
    return _climb(design, bound, cells.outcome)


def _climb(design: Any, bound: BoolArray, outcome: Any) -> bool:
    """Whether a direction d has design·d = 0 where bound, no battle against it, and one for it."""
    from scipy.optimize import linprog

    won = design[~bound].multiply(outcome[~bound, None]).tocsr()
    best = linprog(
        -np.asarray(won.sum(axis=0)).ravel(), A_ub=-won, b_ub=np.zeros(won.shape[0]),
        A_eq=design[bound] if bound.any() else None, b_eq=np.zeros(int(bound.sum())) if bound.any() else None,
        bounds=(-1, 1), method="highs",
    )  # fmt: skip
    return bool(-best.fun > CLEAR)


def _find_bound(cells: Comparisons) -> BoolArray:
    """Which of the merged rows are ties, or of a judge and two places of which each won."""
    n = int(max(cells.first.max(), cells.second.max())) + 1
    _, group = np.unique((cells.judge * n + cells.first) * n + cells.second, return_inverse=True)
    return np.asarray((cells.outcome == 0) | (np.bincount(group)[group] > 1))


def _design(cells: Comparisons, model: DavidsonModel) -> Any:
    """X[row, unknown]: 1 for the first, -1 for the second, 1 for the preference of the judge, as a sparse matrix."""
    from scipy.sparse import csr_array

    rows = np.arange(len(cells.first))
    place = model.place[cells.judge]
    with_place = place >= 0
    at = np.concatenate([rows, rows, rows[with_place]])
    of = np.concatenate([cells.first, cells.second, place[with_place]])
    value = np.concatenate([np.ones(len(rows)), -np.ones(len(rows)), np.ones(int(with_place.sum()))])
    return csr_array((value, (at, of)), shape=(len(rows), model.contestants + int((model.place >= 0).sum())))


def _gram(design: Any) -> FloatArray:
    return np.asarray((design.T @ design).toarray())
