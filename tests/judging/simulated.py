"""Simulated runs with all grades, and an assessor who answers from them."""

from __future__ import annotations

import numpy as np

from stagg import Labels, Rankings
from stagg.judging.sheet import Sheet


def simulate(seed: int, *, queries: int = 30, items: int = 40, depth: int = 20) -> tuple[Rankings, Labels]:
    """Three rankers, the first better than the others, and the grades of all items, 0 to 3."""
    rng = np.random.default_rng(seed)
    runs: dict[str, dict[str, dict[str, float]]] = {"good": {}, "fair": {}, "poor": {}}
    grades: dict[str, dict[str, float]] = {}
    for number in range(queries):
        query, names = f"q{number:03}", [f"d{number:03}-{item:02}" for item in range(items)]
        worth = rng.gamma(0.5, 1.0, items)
        grades[query] = {name: float(min(3, int(each))) for name, each in zip(names, worth, strict=True)}
        for ranker, noise in zip(runs, (0.8, 1.5, 3.0), strict=True):
            scores = worth + rng.normal(0, noise, items)
            best = np.argsort(-scores)[:depth].tolist()
            runs[ranker][query] = {names[item]: float(scores[item]) for item in best}
    return Rankings.from_runs(runs), Labels(grades)


def answer(sheet: Sheet, labels: Labels, *, assessor: str = "ann") -> Sheet:
    """The sheet with the grades of the labels; what they lack is 0."""
    return sheet.with_grades(labels, otherwise=0, assessor=assessor)
