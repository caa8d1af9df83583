"""Seeded TREC runs of any size: ``python bench/generate.py FOLDER --runs 5 --queries 1000 --items 1000``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

__all__ = ["write_runs"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--items", type=int, default=1000, help="items of every list")
    parser.add_argument("--pool", type=int, help="items to draw from, for every query  [default: 3 times --items]")
    parser.add_argument("--shuffled", action="store_true", help="rows in any order, not grouped by query")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    write_runs(
        given.folder, given.runs, given.queries, given.items, pool=given.pool, shuffled=given.shuffled, seed=given.seed
    )


def write_runs(
    folder: Path,
    runs: int,
    queries: int,
    items: int,
    *,
    pool: int | None = None,
    shuffled: bool = False,
    seed: int = 0,
) -> list[Path]:
    """So many runs, each with a list of ``items`` of a pool for every query; scores have six decimals and fall."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"run{number}.trec" for number in range(1, runs + 1)]
    for number, path in enumerate(paths):
        rng = np.random.default_rng([seed, number])
        lists = _lists(rng, queries, items, pool or 3 * items, f"run{number + 1}")
        with open(path, "w") as stream:
            if shuffled:
                rows = [row for rows in lists for row in rows]
                stream.writelines(rows[k] for k in rng.permutation(len(rows)))
            else:
                for rows in lists:
                    stream.write("".join(rows))
    return paths


def _lists(rng: np.random.Generator, queries: int, items: int, pool: int, tag: str) -> Iterator[list[str]]:
    for query in range(1, queries + 1):
        chosen = rng.permutation(pool)[:items].tolist()
        scores = np.sort(rng.random(items) * 20)[::-1].tolist()
        yield [
            f"{query} Q0 doc{item} {rank} {score:.6f} {tag}\n"
            for rank, (item, score) in enumerate(zip(chosen, scores, strict=True), start=1)
        ]


if __name__ == "__main__":
    main()
