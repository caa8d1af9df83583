"""How often the 90 % intervals hold the truth: Plackett-Luce rankers with known strengths, full lists, Borda."""

from __future__ import annotations

import argparse

import numpy as np

import stagg
from stagg.aggregate.resampling import ADDITIVE_DRAWS, voter_weights
from stagg.data.simulation import Simulated, simulate

LEVEL = 0.9
ITEMS = (10, 30)
RANKERS = (3, 5, 10, 20, 50)


def simulated(n: int, m: int, simulations: int, seed: int = 0) -> Simulated:
    """Every query is one simulation: n strengths from N(0, 1), and m full lists drawn from them."""
    return simulate(model="plackett_luce", queries=simulations, items=n, rankers=m, seed=seed)


def scores_covered(made: Simulated, draws: int = ADDITIVE_DRAWS, seed: int = 0) -> np.ndarray:
    """covered[simulation, item]: the expected points per ranker lie within the interval of the mean points."""
    n, m = int(made.rankings.sizes[0]), len(made.rankings.rankers)
    strengths = _by_item(made, made.truth.scores).reshape(-1, n)
    covered = []
    for number, view in enumerate(made.rankings):
        points = n - view.positions
        means = voter_weights(made.rankings, number, draws, seed) @ points / m
        low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        truth = expected_points(strengths[number])
        covered.append((low <= truth) & (truth <= high))
    return np.array(covered)


def expected_points(strengths: np.ndarray) -> np.ndarray:
    """E[points of i] = n - Σ_{j≠i} P(j beats i) under Plackett-Luce; P(j beats i) = 1 / (1 + exp(v_i - v_j))."""
    beats = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))  # [j, i]
    np.fill_diagonal(beats, 0.0)  # nobody plays against himself
    return len(strengths) - beats.sum(axis=0)


def ranks_covered(made: Simulated, draws: int = ADDITIVE_DRAWS, seed: int = 0) -> np.ndarray:
    """covered[simulation, place]: the rank by true strength lies within the interval of the consensus rank."""
    fused = stagg.fuse(made.rankings, "borda", intervals=LEVEL, draws=draws, seed=seed)
    truth = _by_item(made, made.truth.positions + 1)[fused.entries]
    covered = (fused.intervals.low <= truth) & (truth <= fused.intervals.high)
    return covered.reshape(len(fused), -1)


def _by_item(made: Simulated, values: np.ndarray) -> np.ndarray:
    """Values beside the entries of the truth, put beside its items; the rankings have the same items."""
    if made.rankings.items != made.truth.items:
        raise ValueError("full lists are needed: some item is in no list")
    ordered = np.empty_like(values)
    ordered[made.truth.entries] = values
    return ordered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print("| rankers | " + " | ".join(f"{what}, n = {n}" for what in ("mean score", "rank") for n in ITEMS) + " |")
    print("|---" * (1 + 2 * len(ITEMS)) + "|")
    for m in RANKERS:
        made = [simulated(n, m, arguments.simulations, arguments.seed) for n in ITEMS]
        shares = [_share(measure(each)) for measure in (scores_covered, ranks_covered) for each in made]
        print(f"| {m} | " + " | ".join(shares) + " |", flush=True)


def _share(covered: np.ndarray) -> str:
    """The mean over items and simulations, with its standard error: items of one simulation are not independent."""
    each = 100 * covered.mean(axis=1)
    return f"{each.mean():.1f} ± {each.std(ddof=1) / np.sqrt(len(each)):.1f} %"


if __name__ == "__main__":
    main()
