"""How often `stagg gate` is right: topics of real collections, resampled, where the true difference is known.

A pair of runs gives one difference of nDCG@10 per topic. Shifted to a mean of 0, or of a known drop, these are the
population from which topics are drawn with replacement, as many as the collection has. Beside the gate stands the
threshold that most pipelines use: fail if the mean fell by more than the margin, else pass.

    python bench/gate.py [--draws 400] [--pairs 20] [--measures ndcg@10]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import stagg
from stagg.evaluation.gate import reach_verdict
from stagg.evaluation.significance import estimate_means

DATA = Path(os.environ.get("STAGG_DATA", "../shared/data"))
COLLECTIONS = {
    "dl19": "trec-dl-hybrid/dl19",
    "dl21groups": "trec-fusion/dl21groups",
    "covidr5": "trec-fusion/covidr5",
    "MQ2007": "letor/MQ2007-agg/A1.txt",
}
FIXED = 0.01
"""The margin where none is said: one that many pipelines have, whatever the noise."""


def read_values(place: str, measures: str) -> np.ndarray:
    """values[run, measure, query] of a collection."""
    path = DATA / place
    if path.is_file():
        rankings = stagg.read(path)
        labels = stagg.read_labels(path)
    else:
        rankings = stagg.read(sorted(path.glob("*.trec")))
        labels = stagg.read_labels(path / "qrels.txt")
    return stagg.compare(rankings, labels, inputs=True, measures=measures).values


def draw_pairs(values: np.ndarray, count: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """differences[query, measure] of random pairs of runs, shifted to a mean of 0."""
    for _ in range(count):
        one, two = rng.choice(len(values), 2, replace=False)
        differences = (values[two] - values[one]).T
        yield differences - differences.mean(axis=0)


def find_rates(population: np.ndarray, drop: float, margin: float, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Shares of draws: [gate PASS, gate FAIL, threshold PASS]; every measure drops by the same amount."""
    queries = len(population)
    counts = np.zeros(3)
    for _ in range(draws):
        sample = population[rng.integers(queries, size=queries)] - drop
        verdict = reach_verdict(estimate_means(sample), margin)
        counts += [verdict == "PASS", verdict == "FAIL", bool((sample.mean(axis=0) >= -margin).all())]
    return counts / draws


def measure(values: np.ndarray, pairs: int, draws: int, seed: int = 0) -> dict[str, float]:
    """The mean rates over pairs of runs."""
    rng = np.random.default_rng(seed)
    found: list[dict[str, float]] = []
    for population in draw_pairs(values, pairs, rng):
        error = float(population.std(axis=0, ddof=1).max()) / np.sqrt(len(population))
        fixed_equal = find_rates(population, 0.0, FIXED, draws, rng)
        fixed_drop = find_rates(population, 2 * FIXED, FIXED, draws, rng)
        wide_equal = find_rates(population, 0.0, 2.5 * error, draws, rng)
        large_drop = find_rates(population, 3 * error, 2.5 * error, draws, rng)
        found.append(
            {
                "standard error": error,
                "equal: gate FAILs": fixed_equal[1],
                "drop of 2 margins: gate PASSes": fixed_drop[0],
                "equal, margin 2.5 se: gate PASSes": wide_equal[0],
                "drop of 3 se, margin 2.5 se: gate FAILs": large_drop[1],
                "equal: threshold fails": 1 - fixed_equal[2],
                "drop of 2 margins: threshold passes": fixed_drop[2],
                "equal: gate is UNDECIDED": 1 - fixed_equal[0] - fixed_equal[1],
            }
        )
    return {name: float(np.mean([each[name] for each in found])) for name in found[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--measures", default="ndcg@10")
    options = parser.parse_args()
    for number, (name, place) in enumerate(COLLECTIONS.items()):
        values = read_values(place, options.measures)
        rates = measure(values, options.pairs, options.draws)
        if number == 0:
            print("| collection | topics |", " | ".join(rates), "|")
            print("|---" * (len(rates) + 2) + "|")
        print(f"| {name} | {values.shape[2]} |", " | ".join(f"{rate:.3f}" for rate in rates.values()), "|", flush=True)


if __name__ == "__main__":
    main()
