"""Tests of differences between models, in words: whether any differ, which do, and how much more it would take."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

import numpy as np

from stagg.errors import InvalidParameter, bare, plural
from stagg.evaluation.significance import Estimate, holm
from stagg.kernels.arrays import FloatArray
from stagg.leaderboards.board import Board
from stagg.leaderboards.rank_sets import find_tail

__all__ = ["PairTest", "RankTest", "compare_pairs", "skillings_mack", "tell_more_tasks", "tell_rank_test"]

FEW_TASKS: Final = 5  # below it, χ² is not near
DRAWS: Final = 2000
MANY: Final = 1000  # more tasks, which nobody counts
STEPS: Final = 3  # of the search for the number of tasks
CELLS: Final = 4_000_000  # numbers held at once
ROUNDING: Final = 1e-9
PERMUTED: Final = 3  # the second half of a seed


@dataclasses.dataclass(frozen=True)
class RankTest:
    """Whether the models differ at all: Friedman's test, or that of Skillings and Mack where scores are missing.

    ``p`` is by χ² with ``degrees`` of freedom, ``p_random`` by permutation of the scores within each task.
    ``left_out``: tasks with fewer than two models. ``decides``: the p that decides: ``p_random`` below five tasks.
    """

    name: str
    statistic: float
    degrees: int
    p: float
    p_random: float
    tasks: int
    left_out: int

    @property
    def decides(self) -> float:
        return self.p_random if self.tasks < FEW_TASKS else self.p


@dataclasses.dataclass(frozen=True)
class PairTest:
    """Two models: the difference of their strengths, p of none, corrected by Holm, and how the tasks were won.

    ``won``: the share of the tasks that both were run on which the first won, ties half: 0.5 is no effect.
    """

    one: str
    other: str
    difference: float
    p: float
    p_holm: float
    won: float
    tasks: int


def skillings_mack(cells: FloatArray, *, draws: int = DRAWS, seed: int = 0) -> RankTest:
    """Skillings and Mack's test for cells[model, task], NaN where a model was not run; Friedman's on a full table.

    With R the ranks within task j, ties sharing the mean, and k_j its models:
    A_i = Σ_j √(12 / (k_j + 1)) (R_ij - (k_j + 1) / 2), Σ_ii = Σ_j (k_j - 1), Σ_ih = -(number of tasks of both), and the
    statistic Aᵀ Σ⁻ A is χ² with as many degrees as Σ has rank. Ties lower the part of their task in Σ to the variance
    that its ranks have; on a full table the statistic is Friedman's, corrected for ties.

    Reference: Skillings & Mack, "On the use of a Friedman-type statistic in balanced and unbalanced block designs",
    Technometrics 1981.

    >>> skillings_mack(np.array([[1.0, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]])).statistic
    8.0
    """
    from scipy.special import chdtrc

    ran = ~np.isnan(cells)
    used = ran.sum(axis=0) >= 2
    if not used.any():
        raise InvalidParameter("no task was run on two or more models")
    cells, ran = cells[:, used], ran[:, used]
    scores = _adjusted_ranks(cells, ran)
    inverse, degrees = _inverse(scores, ran)
    statistic = float(_quadratic(scores.sum(axis=1)[None], inverse)[0])
    least = statistic * (1 - ROUNDING)
    hits = sum(int((_quadratic(sums, inverse) >= least).sum()) for sums in _permuted(scores, ran, draws, seed))
    return RankTest(
        name="Friedman" if ran.all() else "Skillings-Mack",
        statistic=float(np.round(statistic, 9)),
        degrees=degrees,
        p=float(chdtrc(degrees, statistic)) if degrees else 1.0,
        p_random=(1 + hits) / (1 + draws),
        tasks=int(used.sum()),
        left_out=int((~used).sum()),
    )


def compare_pairs(board: Board, cells: FloatArray, *, first: int | None = None) -> list[PairTest]:
    """Every pair of the ``first`` models of a board by Student's t, with Holm's correction over these pairs.

    No p is smaller than the least of a sign test on as many tasks: 2 / 2ⁿ. ``cells`` are in the order of the board.
    """
    from scipy.special import stdtr

    n = len(board) if first is None else min(first, len(board))
    one, other = np.triu_indices(n, 1)
    gaps = board.strengths.values[one] - board.strengths.values[other]
    errors, degrees = board.sets.errors[one, other], board.sets.degrees[one, other]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(gaps == 0, 0.0, gaps / errors)
    p = np.minimum(1.0, np.maximum(2 * stdtr(np.maximum(degrees, 1), -np.abs(t)), 2.0**-degrees))
    corrected = holm(p)
    names = board.names
    tests = []
    for k, (i, j) in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
        both = ~np.isnan(cells[i]) & ~np.isnan(cells[j])
        wins = (cells[i, both] > cells[j, both]).sum() + 0.5 * (cells[i, both] == cells[j, both]).sum()
        held = int(both.sum())
        won = float(wins / held) if held else math.nan
        tests.append(PairTest(names[i], names[j], float(gaps[k]), float(p[k]), float(corrected[k]), won, held))
    return tests


def tell_rank_test(test: RankTest, models: int) -> str:
    """The test in a sentence.

    >>> tell_rank_test(RankTest("Friedman", 8.0, 2, 0.018, 0.004, 4, 0), 3)
    'Friedman: the 3 models differ (p = 0.004 by permutation, 4 tasks).'
    """
    few = test.tasks < FEW_TASKS
    kind = " by permutation" if few else f", χ² = {test.statistic:.1f}, {plural(test.degrees, 'degree')} of freedom"
    what = "differ" if test.decides < 0.05 else "are not shown to differ"
    return f"{test.name}: the {models:,} models {what} ({_tell_p(test.decides)}{kind}, {plural(test.tasks, 'task')})."


def tell_more_tasks(board: Board, i: int, j: int, unit: tuple[str, str] = ("task", "tasks")) -> str:
    """How many more tasks like these would separate two models, in a sentence: an extrapolation; "" if none do."""
    gap, units = float(abs(board.strengths.values[i] - board.strengths.values[j])), int(board.sets.degrees[i, j]) + 1
    names = f"{bare(board.names[i])} from {bare(board.names[j])}"
    if units < 2 and gap > 0:
        return f"One {unit[0]} cannot tell how many more would separate {names}."
    needed = _count_needed(board, i, j)
    if not math.isfinite(needed):
        return f"No number of {unit[1]} like these would separate {names}: they do not differ."
    least = math.ceil(1 - math.log2(1 - board.level))  # so many wins of as many tasks are no coin's luck
    more = max(1, max(int(needed), least) - units)
    count = f"About {plural(more, f'more {unit[0]}', f'more {unit[1]}')}"
    return (
        f"{count if more <= MANY else f'Over a thousand more {unit[1]}'} like these would separate {names}, if the "
        "difference is what it seems (an extrapolation, for a chance of 80 %)."
    )


def _count_needed(board: Board, i: int, j: int) -> float:
    """With how many units the board would tell two apart, by what its step-down is to be expected to do there."""
    sets, strengths = board.sets, board.strengths
    gaps = strengths.values[:, None] - strengths.values
    units = int(sets.degrees[i, j]) + 1
    estimate = Estimate(float(abs(gaps[i, j])), float(sets.errors[i, j]), units - 1, units)
    from scipy.special import ndtri

    apart, needed = sets.above.copy(), math.inf
    for _ in range(STEPS):
        apart[[i, j], [j, i]] = False
        tail = find_tail(strengths, apart, level=board.level, seed=board.seed)
        needed = min(needed, estimate.count_needed(float(abs(gaps[i, j])), 1 - tail))
        if not math.isfinite(needed):
            break
        apart = np.abs(gaps) > -ndtri(tail) * sets.errors * math.sqrt(units / needed)
    return needed


def _tell_p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _inverse(scores: FloatArray, ran: np.ndarray) -> tuple[FloatArray, int]:
    """(the generalised inverse of Σ, its rank)."""
    held = ran.astype(float)
    sizes = held.sum(axis=0)
    spread = (scores**2).sum(axis=0) / (sizes * (sizes - 1))  # 1 without ties, 0 where all tie
    covariance = -((held * spread) @ held.T)
    covariance[np.diag_indices(len(ran))] = held @ (spread * (sizes - 1))
    values, axes = np.linalg.eigh(covariance)
    kept = values > ROUNDING * max(1.0, float(values.max()))
    inverse = (axes[:, kept] / values[kept]) @ axes[:, kept].T
    return np.asarray(inverse), int(kept.sum())


def _adjusted_ranks(cells: FloatArray, ran: np.ndarray) -> FloatArray:
    """√(12 / (k + 1)) (rank - (k + 1) / 2) for every cell; 0 where a model was not run."""
    from scipy.stats import rankdata

    found = np.zeros(cells.shape)
    for t in range(cells.shape[1]):
        held = ran[:, t]
        k = int(held.sum())
        found[held, t] = math.sqrt(12 / (k + 1)) * (rankdata(cells[held, t]) - (k + 1) / 2)
    return found


def _quadratic(sums: FloatArray, inverse: FloatArray) -> FloatArray:
    return np.asarray(((sums @ inverse) * sums).sum(axis=1))


def _permuted(scores: FloatArray, ran: np.ndarray, draws: int, seed: int) -> list[FloatArray]:
    """Blocks of sums[draw, model], the scores of each task dealt at random to the models that were run on it."""
    rng = np.random.default_rng([seed, PERMUTED])
    size = max(1, CELLS // max(1, scores.size))
    blocks = []
    for first in range(0, draws, size):
        count = min(size, draws - first)
        sums = np.zeros((count, len(scores)))
        for t in range(scores.shape[1]):
            held = np.flatnonzero(ran[:, t])
            sums[:, held] += rng.permuted(np.tile(scores[held, t], (count, 1)), axis=1)
        blocks.append(sums)
    return blocks
