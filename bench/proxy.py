"""What a proxy's labels are worth: N topics drawn with replacement, of which n have labels of people.

All pairs of the runs of a collection. The truth of a pair is its mean difference over all topics. ``python
bench/proxy.py`` prints, by n, the share of the squared error that the correction saves (``stagg.evaluation.proxy``),
the most that it could, ρ² (1 - n/N), the coverage of both 95 % intervals, and the ratio of their widths. The proxy
"random" says nothing: each topic's difference by the LLM is replaced by that of another topic, drawn anew each time.
"""

from __future__ import annotations

import argparse
import itertools
import os
from pathlib import Path

import numpy as np

import stagg
from stagg.evaluation.proxy import correct
from stagg.formats import read_labels

DATA = Path(os.environ.get("STAGG_DATA", Path(__file__).parents[2] / "shared" / "data"))
COLLECTIONS = {"dl21groups": ("trec-fusion/dl21groups", "dl21"), "dl19": ("trec-dl-hybrid/dl19", "dl19")}
PROXIES = ("umbrela-gpt4", "binary-llama3.2")
COUNTS = (10, 20, 30)


def measure(folder: Path, qrels: Path, name: str) -> np.ndarray:
    """values[run, topic]; topics as the labels of people have them."""
    rankings = stagg.read([str(path) for path in sorted(folder.glob("*.trec"))], order_by="rank")
    topics = read_labels(str(next(folder.glob("*qrels*")))).queries
    rows = stagg.evaluate(rankings, read_labels(str(qrels)).take(topics), name, per_query=True).rows
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row["run"], {})[row["query"]] = row["value"]
    return np.array([[of[topic] for topic in sorted(topics)] for of in found.values()])


def try_pair(
    people: np.ndarray, proxy: np.ndarray, n: int, draws: int, rng: np.random.Generator, *, random: bool
) -> np.ndarray:
    """Rows of (error by people, corrected error, covered, covered, width ratio), one for each draw."""
    truth, found = people.mean(), []
    for _ in range(draws):
        topics = rng.integers(len(people), size=len(people))
        seen = proxy[rng.permutation(len(people))] if random else proxy
        each = correct(people[topics[:n]], seen[topics[:n]], seen[topics[n:]])
        found.append(
            (
                each.mean - truth,
                each.corrected - truth,
                each.low <= truth <= each.high,
                each.corrected_low <= truth <= each.corrected_high,
                (each.corrected_high - each.corrected_low) / (each.high - each.low) if each.high > each.low else 1.0,
            )
        )
    return np.array(found, dtype=float)


def try_collection(name: str, proxy: str, draws: int, measured: str, *, random: bool = False) -> None:
    place, labels = COLLECTIONS[name]
    folder = DATA / place
    people = measure(folder, next(folder.glob("*qrels*")), measured)
    others = measure(folder, DATA / "llm-judged" / f"{labels}.{proxy}.qrels.gz", measured)
    pairs = list(itertools.combinations(range(len(people)), 2))
    for n in COUNTS:
        rng, errors, most = np.random.default_rng([n, draws]), [], []
        for a, b in pairs:
            d, f = people[a] - people[b], others[a] - others[b]
            errors.append(try_pair(d, f, n, draws, rng, random=random))
            most.append(0.0 if random else np.corrcoef(d, f)[0, 1] ** 2 * (1 - n / people.shape[1]))
        all_draws = np.stack(errors)
        mse = (all_draws[:, :, :2] ** 2).mean(axis=1)
        saved = 1 - mse[:, 1].sum() / mse[:, 0].sum()
        bound = (np.array(most) * mse[:, 0]).sum() / mse[:, 0].sum()  # of the same sum
        covered, width = all_draws[:, :, 2:4].mean(axis=(0, 1)), np.exp(np.log(all_draws[:, :, 4]).mean())
        print(
            f"| {name} | {'random' if random else proxy} | {n} | {saved:.2f} | {bound:.2f} | "
            f"{covered[0]:.3f} | {covered[1]:.3f} | {width:.3f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--measure", default="nDCG@10")
    given = parser.parse_args()
    print("| collection | proxy | n | saved | at most | coverage by people | corrected | width |")
    for name in COLLECTIONS:
        for proxy in PROXIES:
            try_collection(name, proxy, given.draws, given.measure)
        try_collection(name, PROXIES[0], given.draws, given.measure, random=True)


if __name__ == "__main__":
    main()
