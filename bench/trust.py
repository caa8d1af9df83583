"""What ``stagg_trust`` gains: simulations with a known truth, and the collections.

    python bench/trust.py                      the simulations
    python bench/trust.py ../shared/data       the collections, too

The defaults were chosen on simulations, dl19 and parts A1 to A3 of the LETOR sets; docs/trust.md says how often the
rest was looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from stagg import Rankings, compare, fuse, read_labels
from stagg.data.construct import rankings_of
from stagg.formats import ReadLog, ReadOptions, load
from stagg.methods import method_of

QUERIES, ITEMS, LISTED, WORLDS = 100, 50, 20, 20


def world(seed: int, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(truth, what each ranker says of it)"""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(QUERIES, ITEMS))
    return truth, truth[:, None] + rng.normal(size=(QUERIES, len(noise), ITEMS)) * noise[:, None]


def lists(said: np.ndarray) -> Rankings:
    return rankings_of(
        {
            f"r{k:02}": {
                f"q{q:03}": {f"d{i:02}": float(row[i]) for i in np.argsort(-row)[:LISTED]}
                for q, row in enumerate(said[:, k])
            }
            for k in range(said.shape[1])
        }
    )


def ndcg(fused: Rankings, truth: np.ndarray) -> float:
    discount, found = 1 / np.log2(np.arange(2, 12)), []
    for q, row in enumerate(truth):
        gain = np.maximum(row, 0)
        first = [int(item[1:]) for item in fused.best_first(f"q{q:03}")[:10]]
        found.append(gain[first] @ discount / (np.sort(gain)[::-1][:10] @ discount))
    return float(np.mean(found))


def reliability(rankings: Rankings) -> list[float]:
    bound: Any = method_of("stagg_trust").bind(rankings)[0]
    return [bound.trust.rankers[name].reliability for name in sorted(rankings.rankers)]


def simulated(seed: int) -> dict[str, float]:
    """One world of each kind."""
    from scipy.stats import spearmanr

    noise = np.exp(np.random.default_rng(10_000 + seed).uniform(np.log(0.5), np.log(1.5), 8))
    truth, said = world(seed, noise)
    given, worst = lists(said), int(np.argmax(noise))
    alone = ndcg(fuse(given, "stagg_trust"), truth)
    copies = np.repeat(said[:, worst : worst + 1], 10, axis=1)
    blurred = copies + np.random.default_rng(20_000 + seed).normal(size=copies.shape) * 0.1
    crowds = [lists(np.concatenate([said, more], axis=1)) for more in (copies, blurred)]
    level_truth, level = world(500 + seed, np.ones(8))
    knows = reliability(lists(world(900 + seed, np.array([0.01, *[3.0] * 7]))[1]))
    return {
        "rank correlation of estimated and true reliability": float(spearmanr(-noise, reliability(given))[0]),
        "gain over stagg_rrf": alone - ndcg(fuse(given, "stagg_rrf"), truth),
        "ten exact copies of the worst ranker": ndcg(fuse(crowds[0], "stagg_trust"), truth) - alone,
        "ten blurred copies of it": ndcg(fuse(crowds[1], "stagg_trust"), truth) - alone,
        "all alike, against stagg_rrf": ndcg(fuse(lists(level), "stagg_trust"), level_truth)
        - ndcg(fuse(lists(level), "stagg_rrf"), level_truth),
        "one that knows among seven that guess is first": float(max(knows) == knows[0]),
    }


def collections(data: Path) -> None:
    methods = ["borda", "rrf(c=60)", "stagg_rrf", "stagg_trust"]
    for name in ("dl19", "covid"):
        folder = data / "trec-dl-hybrid" / name
        options = ReadOptions(order_by="rank")
        rankings = load(sorted(folder.glob("*.trec")), options=options, log=ReadLog()).rankings
        labels = read_labels(folder / "qrels.txt")
        found = compare(rankings, labels, methods=methods, measures=["ndcg(gain='linear')@10"])
        print(name, dict(zip(methods, found.values[:, 0].mean(axis=1).round(4).tolist(), strict=True)))
    for name in ("MQ2007-agg", "MQ2008-agg"):
        files = [data / "letor" / name / f"A{part}.txt" for part in range(1, 6)]
        loaded = load(files, options=ReadOptions(values="rank"), log=ReadLog())
        found = compare(loaded.rankings, loaded.labels, methods=methods, measures=["ndcg@10"], conventions="letor4")
        print(name, dict(zip(methods, found.values[:, 0].mean(axis=1).round(4).tolist(), strict=True)))
        print("  against borda:", [row["p_random"] for row in found.table.to_dicts() if "trust" in row["method"]])


def main() -> None:
    worlds = [simulated(seed) for seed in range(WORLDS)]
    for name in worlds[0]:
        values = np.array([each[name] for each in worlds])
        print(f"{name}: mean {values.mean():.4f}, least {values.min():.4f}, most {values.max():.4f}")
    if len(sys.argv) > 1:
        collections(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
