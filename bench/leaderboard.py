"""Leaderboards: hidden cells, pairs told apart, coverage of rank sets where the truth is known, and speed.

Run ``python bench/leaderboard.py [hidden] [apart] [coverage] [speed] [--reps N]`` in the root; the data
is read from STAGG_DATA (default ../shared/data).
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau, rankdata

from stagg.leaderboards.draws import draw_strengths
from stagg.leaderboards.estimators import BORDA, MEAN, WinsPerTask, estimator_of
from stagg.leaderboards.gaps import find_gaps
from stagg.leaderboards.leaderboard import rank_scores_of
from stagg.leaderboards.rank_sets import find_rank_sets
from stagg.leaderboards.scores import ScoreTable
from stagg.leaderboards.table_input import score_table

DATA = Path(os.environ.get("STAGG_DATA", "../shared/data")) / "leaderboards" / "mteb_eng_v2.csv.gz"
SEEDS = range(5)
WORLDS = [  # (models, tasks, spread of the true worths, share of missing scores)
    (5, 8, 0.0, 0.0), (20, 8, 0.0, 0.0), (10, 8, 0.5, 0.3), (20, 12, 1.0, 0.0), (30, 10, 0.0, 0.2),
    (20, 20, 0.0, 0.0), (20, 20, 1.0, 0.3), (20, 41, 0.0, 0.0), (20, 41, 1.0, 0.0), (20, 41, 1.0, 0.3),
    (20, 41, 2.0, 0.6), (50, 41, 0.0, 0.3), (50, 41, 0.5, 0.0),
]  # fmt: skip


def make_table(cells: np.ndarray) -> ScoreTable:
    """A table of cells[model, task], NaN where there is no score; names in the order of the rows and columns."""
    model, task = np.nonzero(~np.isnan(cells))
    ones = np.ones(cells.shape[1])
    tasks = tuple(f"t{t:04}" for t in range(cells.shape[1]))
    models = tuple(f"m{i:05}" for i in range(len(cells)))
    return ScoreTable(models, tasks, model, task, cells[model, task], ones == 0, ones, tasks, np.arange(len(tasks)))


def complete() -> np.ndarray:
    cells = score_table(DATA).cells()
    return cells[~np.isnan(cells).any(axis=1)]


def hide(cells: np.ndarray, share: float, seed: int, *, worst: bool) -> np.ndarray:
    """Cells hidden at random, or half of the models hide the tasks where their rank is worst."""
    rng, hidden = np.random.default_rng(seed), cells.copy()
    if not worst:
        hidden[rng.random(cells.shape) < share] = np.nan
        return hidden
    ranks = np.array([rankdata(-column) for column in cells.T]).T
    for i in rng.permutation(len(cells))[: len(cells) // 2]:
        hidden[i, np.argsort(-ranks[i], kind="stable")[: round(share * cells.shape[1])]] = np.nan
    return hidden


def show_hidden() -> None:
    cells = complete()
    ones = np.ones(cells.shape[1])
    truth = BORDA.fit(cells, ones)
    ways = {"bradley_terry skip": WinsPerTask(), "borda, absent adds 0": BORDA, "mean of what is there": MEAN,
            "win_rate": estimator_of("win_rate", "skip")}  # fmt: skip
    print(f"Kendall's tau with Borda on the full table, {cells.shape}, mean of {len(SEEDS)} seeds (lowest)")
    for worst in (False, True):
        for share in (0.2, 0.5):
            tables = [hide(cells, share, seed, worst=worst) for seed in SEEDS]
            line = []
            for name, way in ways.items():
                taus = [kendalltau(truth, way.fit(each, ones)).statistic for each in tables]
                line.append(f"{name} {np.mean(taus):.3f} ({min(taus):.3f})")
            p = [found.p_all for each in tables if (found := find_gaps(each, WinsPerTask().fit(each, ones)))]
            print(f"  {'hardest' if worst else 'random'} {share:.0%}: {'; '.join(line)}; p of gaps {np.round(p, 4)}")


def show_apart() -> None:
    cells = complete()
    board = rank_scores_of(make_table(cells))
    z = np.abs(board.strengths.values[:, None] - board.strengths.values)
    from scipy.stats import t

    pairwise = z > t.isf(0.025, cells.shape[1] - 1) * board.sets.errors
    n = len(board)
    print(f"{n} models, {cells.shape[1]} tasks: neighbours not told apart {n - 1 - board.neighbours_apart} of {n - 1}, "
          f"pairs told apart {board.share_apart:.3f}, all at once at 95 %")  # fmt: skip
    print(f"  pair by pair at 95 %: neighbours {n - 1 - int(pairwise.diagonal(1).sum())} of {n - 1}, "
          f"pairs {pairwise.sum() / (n * (n - 1)):.3f}")  # fmt: skip
    widths = board.sets.high - board.sets.low + 1, board.sets.marginal_high - board.sets.marginal_low + 1
    print(f"  mean width {widths[0].mean():.1f} at once, {widths[1].mean():.1f} alone")


def draw_world(
    rng: np.random.Generator, models: int, tasks: int, spread: float, gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """(true worths, scores): models share weak sides, tasks differ in difficulty and scale."""
    worth = np.sort(rng.normal(size=models)) * spread
    sides = 0.7 * rng.normal(size=(models, 2)) @ rng.normal(size=(2, tasks))
    cells = (worth[:, None] + sides + rng.normal(size=(models, tasks))) * rng.gamma(2, 0.5, size=tasks)
    cells[rng.random(cells.shape) < gap] = np.nan
    held = (~np.isnan(cells)).any(axis=1)
    return worth[held], cells[held]


def show_coverage(reps: int, method: str) -> None:
    print(f"coverage at 95 %, {reps} tables each, 1000 draws, {method}")
    print("| models | tasks | spread | missing | all at once | each alone | width, at once | width, alone |")
    estimator = estimator_of(method, "skip")
    for models, tasks, spread, gap in WORLDS:
        rng = np.random.default_rng([models, tasks, int(10 * spread), int(10 * gap)])
        found = []
        for seed in range(reps):
            worth, cells = draw_world(rng, models, tasks, spread, gap)
            sets = find_rank_sets(draw_strengths(make_table(cells), estimator, draws=1000, seed=seed))
            best = 1 + (worth > worth[:, None]).sum(axis=1)
            last = len(worth) - (worth < worth[:, None]).sum(axis=1)
            found.append((
                ((sets.low <= best) & (sets.high >= last)).all(),
                ((sets.marginal_low <= best) & (sets.marginal_high >= last)).mean(),
                (sets.high - sets.low + 1).mean(),
                (sets.marginal_high - sets.marginal_low + 1).mean(),
            ))  # fmt: skip
        one, alone, wide, narrow = np.mean(found, axis=0)
        print(f"| {models} | {tasks} | {spread:g} | {gap:.0%} | {one:.3f} | {alone:.3f} | {wide:.1f} | {narrow:.1f} |",
              flush=True)  # fmt: skip


def show_speed() -> None:
    rng = np.random.default_rng(0)
    large = rng.normal(size=(1000, 1)) * 1.5 + rng.normal(size=(1000, 200))
    gaps = large.copy()
    gaps[rng.random(large.shape) < 0.3] = np.nan
    for name, cells in (("MTEB", complete()), ("complete", large), ("30 % missing", gaps)):
        table, begun = make_table(cells), time.process_time()
        rank_scores_of(table)
        print(f"{name}, {cells.shape}, 1000 draws: {time.process_time() - begun:.1f} CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=["hidden", "apart", "coverage", "speed"])
    parser.add_argument("--reps", type=int, default=400)
    parser.add_argument("--method", default="bradley_terry")
    given = parser.parse_args()
    shows = {"hidden": show_hidden, "apart": show_apart, "speed": show_speed,
             "coverage": lambda: show_coverage(given.reps, given.method)}  # fmt: skip
    for name in given.what or shows:
        shows[name]()


if __name__ == "__main__":
    main()
