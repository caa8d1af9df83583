"""Gaps that are not random: whether models lack the tasks that are hard for models of their strength."""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np

from stagg.errors import bare, plural
from stagg.evaluation.significance import holm
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

__all__ = ["GapTest", "find_gaps", "tell_gaps"]

NEIGHBOURS: Final = 10
DRAWS: Final = 2000
ALPHA: Final = 0.05
FEWEST: Final = 3  # missing scores: one or two hard tasks are no pattern, however small p is
NAMED: Final = 5
SHUFFLED: Final = 5  # the second half of a seed


@dataclasses.dataclass(frozen=True)
class GapTest:
    """Whether the missing tasks of the models are harder for their neighbours than those that they were run on.

    ``harder[i]``: by how much, as a share of the opponents beaten; NaN for a model without gaps. ``p[i]``: by
    permutation of the tasks, one-sided, corrected by Holm. ``p_all``: that of all models together.
    ``missing``: how many scores are missing; of one or two there is no warning.
    """

    harder: FloatArray
    p: FloatArray
    p_all: float
    missing: int

    @property
    def warns(self) -> bool:
        return self.p_all < ALPHA and self.missing >= FEWEST


def find_gaps(cells: FloatArray, values: FloatArray, *, draws: int = DRAWS, seed: int = 0) -> GapTest | None:
    """The test of all models of cells[model, task] with these strengths; None where nothing is missing.

    The neighbours of a model are the 10 that are next in strength. A task is hard for them if they beat fewer models on
    it than their strengths let expect.
    """
    ran = ~np.isnan(cells)
    some = np.flatnonzero(~ran.all(axis=1) & (ran.sum(axis=1) > 0))
    if not len(some) or cells.shape[1] < 3:
        return None
    surplus = _surplus(cells, ran, values)
    rng = np.random.default_rng([seed, SHUFFLED])
    found, p = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
    totals, total, gaps = np.zeros(draws), 0.0, 0
    for i in some.tolist():
        ease = _ease(surplus, ran, values, i)
        known = np.flatnonzero(~np.isnan(ease))
        missing = ~ran[i, known]
        if not 0 < missing.sum() < len(known):
            continue
        ease = ease[known] - ease[known].mean()
        drawn = _draw_means(ease, int(missing.sum()), draws, rng)
        mean = float(ease[missing].mean())
        found[i] = float(ease[~missing].mean()) - mean
        p[i] = (1 + (drawn <= mean + 1e-12).sum()) / (1 + draws)
        spread = float(drawn.std()) or 1.0
        totals += drawn / spread
        total += mean / spread
        gaps += int(missing.sum())
    if np.isnan(p).all():
        return None
    return GapTest(found, holm(p), float((1 + (totals <= total + 1e-9).sum()) / (1 + draws)), gaps)


def tell_gaps(test: GapTest, names: tuple[str, ...]) -> str:
    """The warning in a sentence or two; "" where the test does not warn."""
    if not test.warns:
        return ""
    sure = np.flatnonzero(np.nan_to_num(test.p, nan=1.0) < 0.05)
    order: IntArray = sure[np.argsort(-test.harder[sure], kind="stable")]
    listed = ", ".join(bare(names[i]) for i in order[:NAMED].tolist()) + (", …" if len(order) > NAMED else "")
    who = f" Surely so for {plural(len(order), 'model')}: {listed}." if len(order) else ""
    p = "p < 0.001" if test.p_all < 0.001 else f"p = {test.p_all:.3f}"
    return (
        f"The gaps do not look random ({p}): models lack tasks that are hard for their neighbours, which flatters them."
        f"{who} Compare the ranks if a missing task counts as lost."
    )


def _surplus(cells: FloatArray, ran: BoolArray, values: FloatArray) -> FloatArray:
    """The share of the models of a task that each beats, above what the strengths let expect; NaN where not run."""
    from scipy.special import expit
    from scipy.stats import rankdata

    scale = float(values.std()) or 1.0
    chances = expit((values[:, None] - values) * (2.0 / scale))
    found = np.full(cells.shape, np.nan)
    for t in range(cells.shape[1]):
        held = np.flatnonzero(ran[:, t])
        if len(held) > 1:
            expected = (chances[np.ix_(held, held)].sum(axis=1) - 0.5) / (len(held) - 1)
            found[held, t] = (rankdata(cells[held, t]) - 1) / (len(held) - 1) - expected
    return found


def _ease(surplus: FloatArray, ran: BoolArray, values: FloatArray, i: int) -> FloatArray:
    """The mean surplus of the neighbours of a model on each task; NaN where none of them was run."""
    distance = np.abs(values - values[i])
    distance[i] = np.inf
    near = np.argsort(distance, kind="stable")[:NEIGHBOURS]
    held = ran[near]
    sums, counts = np.where(held, surplus[near], 0.0).sum(axis=0), held.sum(axis=0)
    return np.asarray(np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0))


def _draw_means(ease: FloatArray, count: int, draws: int, rng: np.random.Generator) -> FloatArray:
    """Means over ``count`` tasks that are drawn without replacement."""
    keys = rng.random((draws, len(ease)))
    return np.asarray(ease[np.argpartition(keys, count - 1, axis=1)[:, :count]].mean(axis=1))
