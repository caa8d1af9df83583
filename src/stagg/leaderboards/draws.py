"""Draws: what the strengths would have been for other tasks, families of tasks and runs like these."""

from __future__ import annotations

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.kernels.arrays import FloatArray
from stagg.leaderboards.estimators import Estimator
from stagg.leaderboards.scores import ScoreTable
from stagg.leaderboards.strengths import DECIMALS, Strengths

__all__ = ["draw_strengths", "resample_runs", "unit_weights"]

TASKS, RUNS = 1, 2  # the second half of a seed: tasks and runs draw apart
VERSIONS = 50  # of the runs: each serves some of the draws of tasks
LEAST_ALPHA = 1 / 3
FEWEST_DRAWS = 3  # for each unit, to find its influence from the draws


def draw_strengths(
    table: ScoreTable, estimator: Estimator, *, draws: int, seed: int = 0, progress: Progress | None = None
) -> Strengths:
    """The strengths of the models of a table, and draws of them.

    A draw weighs the units (families of tasks; each task where there are none) at random, by a Bayesian bootstrap.
    Where models were run on a task several times, it draws from these runs as well.
    """
    cells, weights = table.cells(), table.counted_weights()
    values = estimator.fit(cells, weights)
    by_unit = unit_weights(len(table.families), draws, seed=seed)
    drawn = by_unit[:, table.family] * weights
    found = np.empty((draws, len(values)))
    versions = _versions(table, cells, draws, seed)
    for first, version in enumerate(versions):
        chosen = slice(first, None, len(versions))

        def tell(done: int, before: int = first * draws // len(versions)) -> None:
            if progress is not None:
                progress("resampling the tasks", before + done, draws)

        tell(0)
        found[chosen] = estimator.redraw(version, values, drawn[chosen], tell)
    return Strengths(
        names=table.models,
        values=np.round(values, DECIMALS) + 0.0,
        draws=np.round(found, DECIMALS) + 0.0,
        units=table.units(),
        method=estimator.name,
        influence=_find_influence(by_unit, found - values),
    )


def _find_influence(weights: FloatArray, moved: FloatArray) -> FloatArray | None:
    """How much each unit moves each strength: least squares of the draws on the weights of the units."""
    draws, units = weights.shape
    if draws < FEWEST_DRAWS * units or units < 2:
        return None
    return np.round(np.linalg.lstsq(weights - 1.0, moved, rcond=None)[0], DECIMALS) + 0.0


def unit_weights(units: int, draws: int, *, seed: int) -> FloatArray:
    """W[draw, unit]: random weights with mean 1, by a Bayesian bootstrap.

    They are Dirichlet with α = (m - 2) / m, at least 1/3: for m units, a mean then varies from draw to draw as much as
    the mean of m values does, by the usual estimate of its standard error.
    """
    alpha = max(LEAST_ALPHA, (units - 2) / units) if units else 1.0
    weights = np.random.default_rng([seed, TASKS]).gamma(alpha, size=(draws, units))
    totals = weights.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(weights * units, totals, out=np.ones_like(weights), where=totals > 0))


def resample_runs(table: ScoreTable, versions: int, *, seed: int) -> list[FloatArray]:
    """Cells whose means are over as many runs, drawn with replacement from those of the model and task."""
    rng = np.random.default_rng([seed, RUNS])
    at = table.model * len(table.tasks) + table.task  # rows of one cell stand together
    starts = np.flatnonzero(np.diff(at, prepend=-1))
    sizes = np.diff(np.append(starts, len(at)))
    first, size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    return [table.cells(table.value[first + rng.integers(size)]) for _ in range(versions)]


def _versions(table: ScoreTable, cells: FloatArray, draws: int, seed: int) -> list[FloatArray]:
    repeated = len(table.value) > int(np.isfinite(cells).sum())
    return resample_runs(table, min(VERSIONS, max(draws, 1)), seed=seed) if repeated else [cells]
