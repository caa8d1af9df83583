"""Small made-up files in the shape of LETOR-agg: two sets of five parts, 21 rankers, judged on three grades."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SETS = ("MQ2007-agg", "MQ2008-agg")


def write_letor(folder: Path, *, queries: int = 3, items: int = 10, rankers: int = 21) -> Path:
    """Files whose numbers are ranks, small = top: good documents have small ones, and are listed more often."""
    for number, name in enumerate(SETS):
        rng = np.random.default_rng(number)
        (folder / name).mkdir(parents=True)
        for part in range(1, 6):
            lines = [line for query in range(queries) for line in _query(rng, f"{part}{query:02}", items, rankers)]
            (folder / name / f"A{part}.txt").write_text("".join(lines))
    return folder


def _query(rng: np.random.Generator, query: str, items: int, rankers: int) -> list[str]:
    worth = rng.normal(size=items)
    labels = np.digitize(worth, [0.0, 1.0])
    noisy = worth[:, None] + rng.normal(size=(items, rankers)) * np.linspace(0.5, 2.0, rankers)
    ranks = 1 + np.argsort(np.argsort(-noisy, axis=0), axis=0)
    listed = ranks <= rng.integers(3, items, size=rankers)
    return [
        f"{labels[i]} qid:{query} {_cells(ranks[i], listed[i])} #docid = d{i}-{query} inc = 1 prob = 0.5\n"
        for i in range(items)
    ]


def _cells(ranks: np.ndarray, listed: np.ndarray) -> str:
    return " ".join(
        f"{k}:{rank if here else 'NULL'}" for k, (rank, here) in enumerate(zip(ranks, listed, strict=True), 1)
    )
