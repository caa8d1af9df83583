"""What one request costs: ``stagg.fuse`` of a few in-memory lists against the plain dict loop, in one run."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

import stagg


def dict_loop(lists: Sequence[Sequence[str]], c: int = 60) -> list[tuple[str, float]]:
    """Reciprocal rank fusion as everybody writes it."""
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda pair: pair[1], reverse=True)


def made_lists(rankers: int, length: int, seed: int = 0) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    items = np.array([f"doc{number}" for number in range(2 * length)])
    return [[str(item) for item in rng.permutation(items)[:length]] for _ in range(rankers)]


def seconds(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print("one call, microseconds, median of alternating rounds; ratio to the dict loop")
    print(f"{'lists x items':>14} {'method':>12} {'dict loop':>10} {'stagg':>8} {'ratio':>6}")
    for rankers, length in ((3, 10), (3, 100), (5, 1000)):
        lists = made_lists(rankers, length)
        for method in ("rrf(c=60)", "borda"):
            row = compared(lists, method, rounds, repeats=max(5, 30_000 // (rankers * length)))
            print(f"{f'{rankers} x {length}':>14} {method:>12} {row[0]:10.1f} {row[1]:8.1f} {row[1] / row[0]:6.2f}")


def compared(lists: list[list[str]], method: str, rounds: int, repeats: int) -> tuple[float, float]:
    """Median microseconds of the dict loop and of stagg; the rounds alternate so that both see the same machine."""
    stagg.fuse(lists, method)
    loop, ours = [], []
    for _ in range(rounds):
        loop.append(seconds(lambda: dict_loop(lists), repeats))
        ours.append(seconds(lambda: stagg.fuse(lists, method), repeats))
    return statistics.median(loop) * 1e6, statistics.median(ours) * 1e6


if __name__ == "__main__":
    main()
