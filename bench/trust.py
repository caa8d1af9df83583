"""What ``stagg_trust`` gains where the truth is known: simulations.

    python bench/trust.py

What it gains on collections: ``python bench/collections ../shared/data``. How it was chosen: docs/collections.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stagg import Rankings, fuse
from stagg.data.inputs.construct import rankings_of
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


def guessers(know: int, guess: int, queries: int, depth: int) -> str:
    """Some rankers that know among some that guess, lists cut to a depth: nDCG@10 of RRF and of trust, four worlds."""
    found = []
    for seed in range(4):
        truth, said = world(2000 + seed, np.array([0.5] * know + [5.0] * guess))
        given = lists(said[:queries]).cut(depth)
        found.append([ndcg(fuse(given, method), truth[:queries]) for method in ("rrf(c=60)", "stagg_trust")])
    return " against ".join(f"{value:.4f}" for value in np.mean(found, axis=0)[::-1])


def powers(rankers: int) -> dict[float, float]:
    """What a power of reliability gains over equal reliability, where some conform: they share a bias of some size."""
    gains = {power: [] for power in (0.0, 0.2, 0.4, 0.6, 1.0, 2.0, 3.0)}
    for seed in range(6):
        rng = np.random.default_rng([3000 + seed, rankers])
        truth, bias = rng.normal(size=(QUERIES, ITEMS)), rng.normal(size=(QUERIES, ITEMS))
        noise, load = rng.uniform(0.5, 3.0, (rankers, 1)), rng.uniform(0.0, 1.5, (rankers, 1))
        said = truth[:, None] + load * bias[:, None] + noise * rng.normal(size=(QUERIES, rankers, ITEMS))
        given = lists(said)
        bound: Any = method_of("stagg_trust").bind(given)[0]
        believed = bound.trust.rankers
        top = max(each.reliability for each in believed.values())
        for power, found in gains.items():
            weights = {name: each.share * (each.reliability / top) ** power for name, each in believed.items()}
            method = f"stagg_rrf(c={bound.trust.c}, shape='certain')"
            found.append(ndcg(fuse(given, method, weights=weights), truth))
    return {power: float(np.mean(found) - np.mean(gains[0.0])) for power, found in gains.items()}


def main() -> None:
    worlds = [simulated(seed) for seed in range(WORLDS)]
    for name in worlds[0]:
        values = np.array([each[name] for each in worlds])
        print(f"{name}: mean {values.mean():.4f}, least {values.min():.4f}, most {values.max():.4f}")
    for know, guess, queries, depth in ((2, 3, 30, 20), (2, 1, 50, 20), (3, 1, 50, 20), (3, 3, 30, 10), (3, 5, 50, 20)):
        shown = guessers(know, guess, queries, depth)
        print(f"{know} that know, {guess} that guess, {queries} queries, lists of {depth}: trust {shown} for rrf(c=60)")
    for rankers in (3, 6, 12, 24, 48):
        gains = ", ".join(f"{power}: {gain:+.4f}" for power, gain in powers(rankers).items())
        print(f"power of reliability, {rankers} rankers (1/√m = {rankers**-0.5:.2f}): {gains}", flush=True)


if __name__ == "__main__":
    main()
