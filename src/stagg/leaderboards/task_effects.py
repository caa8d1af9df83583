"""Effects of tasks: which agree with the board, what it would be without each, and by other ways of counting."""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.leaderboards.estimators import BORDA, MEAN, WIN_RATE, Estimator, WinsPerTask
from stagg.leaderboards.leaderboard import ScoreBoard

__all__ = ["TaskEffect", "find_task_effects", "rank_by_others"]

DECIMALS: Final = 9
EXACT: Final = 1e9  # models² × tasks × units: up to it the board without a unit is fitted anew


@dataclasses.dataclass(frozen=True)
class TaskEffect:
    """One task, or one family of tasks.

    ``agreement``: Kendall's tau between its order of the models and that of the board. ``tau_without``: the tau between
    the board with it and without it. ``moved``: how many ranks a model moves at most without it, and ``mover`` who.
    ``first``: who is first without it.
    """

    name: str
    models: int
    agreement: float
    tau_without: float
    moved: int
    mover: str
    first: str


def find_task_effects(board: ScoreBoard) -> list[TaskEffect]:
    """The effect of each family of tasks (each task, if there are none), the one that changes most first.

    Boards of many models and tasks take one Newton step from the full fit. A model that was run on nothing else is not
    compared without the unit.
    """
    table, cells, values = board.scores, board.cells, board.strengths.values
    weights = table.counted_weights()
    units = np.arange(len(table.families))
    kept = np.array([np.where(table.family == unit, 0.0, weights) for unit in units])
    usable = np.asarray(kept.any(axis=1))
    if len(values) * cells.size * len(units) <= EXACT:
        without = np.array([board.estimator.fit(cells, weight) for weight in kept[usable]])
    else:
        without = board.estimator.redraw(cells, values, np.maximum(kept[usable], 1e-9))
    effects = [
        _describe(board, unit, kept[unit] > 0, np.round(row, DECIMALS))
        for unit, row in zip(np.flatnonzero(usable).tolist(), without, strict=True)
    ]
    return sorted(effects, key=lambda effect: (effect.tau_without, -effect.moved, effect.name))


def rank_by_others(board: ScoreBoard) -> dict[str, IntArray]:
    """The ranks of the models of a board by the mean, Borda, the win rate and Bradley-Terry."""
    ways: dict[str, Estimator] = {
        "mean": dataclasses.replace(MEAN, missing=board.missing),
        "Borda": dataclasses.replace(BORDA, missing=board.missing),
        "win rate": dataclasses.replace(WIN_RATE, missing=board.missing),
        "Bradley-Terry": WinsPerTask(missing=board.missing),
    }
    weights = board.scores.counted_weights()
    return {name: _ranks(np.round(way.fit(board.cells, weights), DECIMALS)) for name, way in ways.items()}


def _describe(board: ScoreBoard, unit: int, kept: BoolArray, values: FloatArray) -> TaskEffect:
    cells, strengths = board.cells, board.strengths.values
    mean = _share_of_ranks(cells[:, board.scores.family == unit])
    ran = ~np.isnan(mean)
    left = np.flatnonzero(~np.isnan(cells[:, kept]).all(axis=1))
    before, after = _ranks(strengths[left]), _ranks(values[left])
    moves = np.abs(after - before)
    mover = int(moves.argmax())
    return TaskEffect(
        name=board.scores.families[unit],
        models=int(ran.sum()),
        agreement=_tau(mean[ran], strengths[ran]),
        tau_without=_tau(values[left], strengths[left]),
        moved=int(moves[mover]),
        mover=board.names[left[mover]] if moves[mover] else "",
        first=board.names[left[np.flatnonzero(after == 1)[0]]],
    )


def _share_of_ranks(cells: FloatArray) -> FloatArray:
    """The mean share of the models that each beats on these tasks; NaN for a model that was run on none."""
    from scipy.stats import rankdata

    shares = np.full(cells.shape, np.nan)
    for t in range(cells.shape[1]):
        ran = ~np.isnan(cells[:, t])
        shares[ran, t] = (rankdata(cells[ran, t]) - 1) / max(int(ran.sum()) - 1, 1)
    held = (~np.isnan(shares)).sum(axis=1)
    return np.asarray(np.divide(np.nansum(shares, axis=1), held, out=np.full(len(held), np.nan), where=held > 0))


def _ranks(values: FloatArray) -> IntArray:
    """Ranks from 1; equal values share the first of theirs."""
    return np.asarray(1 + np.searchsorted(np.sort(-values), -values))


def _tau(one: FloatArray, other: FloatArray) -> float:
    from scipy.stats import kendalltau

    if len(one) < 2:
        return float("nan")
    found = kendalltau(one, other).statistic
    return float(found)
