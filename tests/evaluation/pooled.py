"""A world whose labels come from a pool: three rankers, full truth, and labels from the first 5 of two of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Runs = dict[str, dict[str, dict[str, float]]]
Grades = dict[str, dict[str, int]]


class Pooled(NamedTuple):
    """Runs, the grades of all items, and those of the pool alone."""

    runs: Runs
    truth: Grades
    labels: Grades


def pooled_world(seed: int, *, queries: int = 60, items: int = 300, depth: int = 5) -> Pooled:
    """Section 10 of PROOF.md: bm25 and its reranker were pooled, dense, which is better than bm25, was not."""
    rng = np.random.default_rng(seed)
    runs: Runs = {"bm25": {}, "dense": {}, "rerank": {}}
    truth: Grades = {}
    for number in range(queries):
        worth = rng.normal(size=items)
        lexical, dense = 0.75 * worth + rng.normal(size=items), 0.9 * worth + rng.normal(size=items)
        first = np.argsort(-lexical)[:100]
        again = first[np.argsort(-(1.1 * worth[first] + 0.3 * lexical[first] + rng.normal(size=100)))]
        query = f"q{number:02d}"
        for name, order in (("bm25", first), ("dense", np.argsort(-dense)[:100]), ("rerank", again)):
            runs[name][query] = {f"d{item}": 100.0 - rank for rank, item in enumerate(order)}
        truth[query] = {f"d{item}": int(grade) for item, grade in enumerate(np.digitize(worth, [1.3, 1.9, 2.4]))}
    return Pooled(runs, truth, judge_first(runs, truth, ("bm25", "rerank"), depth))


def judge_first(runs: Runs, truth: Grades, pooled: tuple[str, ...], depth: int) -> Grades:
    """The labels of the first items of some rankers."""
    labels: Grades = {}
    for query, grades in truth.items():
        firsts = [sorted(runs[name][query], key=lambda item: -runs[name][query][item])[:depth] for name in pooled]
        labels[query] = {item: grades.get(item, 0) for first in firsts for item in first}
    return labels
