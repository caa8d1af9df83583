"""Are win shares calibrated? Elections drawn from a known population of voters, and how often the sample is right.

A population: shares of all orders of four candidates. "dirichlet": any, Dirichlet (0.5). "common": Mallows' model, in
which orders near a common one are more frequent, with a dispersion drawn from 0.8 to 1, mixed with a tenth of a random
population. "line": voters and candidates are points of a line, and the nearer candidate is better. A sample of voters
gives the winner by a rule and its win share; the sample is right if the population has the same winner.
``python bench/win_shares.py`` prints, by the share that was stated, how often the winner was right.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

import stagg
from stagg.elections import Election
from stagg.elections.ballot_table import ballots_from_places

RULES = ("plurality", "irv", "borda", "schulze", "minimax")
BINS = (0.0, 0.6, 0.75, 0.9, 1.01)
ORDERS = np.array(list(itertools.permutations(range(4))), dtype=float)
NAMES = list("abcd")
LARGE = 10_000_000  # voters that stand for the population


def elections(counts: np.ndarray, draws: int, seed: int) -> Election:
    cast = counts > 0
    ballots = ballots_from_places(ORDERS[cast], counts[cast], NAMES)
    return stagg.elect(ballots, list(RULES), draws=draws, margins=False, seed=seed)


def any_population(rng: np.random.Generator) -> np.ndarray:
    return rng.dirichlet(np.full(len(ORDERS), 0.5))


def common_population(rng: np.random.Generator) -> np.ndarray:
    """Mallows: the share of an order falls with the number of pairs that it turns around."""
    turned = np.array([sum(a > b for a, b in itertools.combinations(order, 2)) for order in ORDERS])
    shares = rng.uniform(0.8, 1.0) ** turned
    return 0.9 * shares / shares.sum() + 0.1 * any_population(rng)


def line_population(rng: np.random.Generator) -> np.ndarray:
    """The orders of many points of a line by their distance to four others."""
    distances = np.abs(rng.normal(size=(100_000, 1)) - rng.normal(size=4))
    places = distances.argsort(axis=1).argsort(axis=1)
    codes = places @ 4 ** np.arange(4)
    return np.array([(codes == order.astype(int) @ 4 ** np.arange(4)).mean() for order in ORDERS])


POPULATIONS = {"dirichlet": any_population, "common": common_population, "line": line_population}


def simulate(voters: int, simulations: int, kind: str) -> dict[str, np.ndarray]:
    """right[rule]: (stated share, whether the winner is that of the population) of each simulation."""
    found: dict[str, list[tuple[float, bool]]] = {rule: [] for rule in RULES}
    for number in range(simulations):
        rng = np.random.default_rng([voters, number])
        population = POPULATIONS[kind](rng)
        truth = elections(np.rint(population * LARGE).astype(np.intp), 0, 0)
        sample = elections(rng.multinomial(voters, population), 200, number)
        for rule in RULES:
            winner = sample[rule].winners[0]
            shares = sample[rule].shares or {}
            found[rule].append((shares[winner], winner in truth[rule].winners))
    return {rule: np.array(pairs, dtype=float) for rule, pairs in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--voters", type=int, nargs="+", default=[20, 100, 500])
    parser.add_argument("--populations", choices=POPULATIONS, nargs="+", default=list(POPULATIONS))
    chosen = parser.parse_args()
    print(
        "| population | voters | rule | all: stated, right | "
        + " | ".join(f"{a:g} to {min(b, 1):g}" for a, b in _bins())
        + " |"
    )
    print("|---" * (4 + len(_bins())) + "|")
    for kind, voters in itertools.product(chosen.populations, chosen.voters):
        for rule, pairs in simulate(voters, chosen.simulations, kind).items():
            cells = [_cell(pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)]) for low, high in _bins()]
            print(f"| {kind} | {voters} | `{rule}` | {_cell(pairs)} | " + " | ".join(cells) + " |", flush=True)


def _bins() -> list[tuple[float, float]]:
    return list(itertools.pairwise(BINS))


def _cell(pairs: np.ndarray) -> str:
    """The mean share that was stated, how often it was right with its standard error, and of how many."""
    if not len(pairs):
        return "-"
    right = pairs[:, 1].mean()
    error = 100 * np.sqrt(right * (1 - right) / len(pairs))
    return f"{100 * pairs[:, 0].mean():.0f} %, {100 * right:.0f} ± {error:.0f} % ({len(pairs)})"


if __name__ == "__main__":
    main()
