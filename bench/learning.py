"""What one round of learning costs: the exact gradient of the expected measure against LightGBM's lambdarank."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from stagg.kernels.stochastic.expected_measures import contest_steps, expected
from stagg.measures import MEASURES

QUERIES, ITEMS, FEATURES = 1000, 40, 64


def seconds(call: Callable[[], object], repeats: int) -> float:
    """The fastest of some calls, by the clock of this process: other work on the machine does not count."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def against_lambdarank(rounds: int) -> dict[str, float]:
    """Seconds of one gradient: ``Booster.update`` with two leaves under lambdarank less the same under regression."""
    rng = np.random.default_rng(0)
    table = rng.random((QUERIES * ITEMS, FEATURES))
    grades = rng.choice(3, size=len(table), p=[0.75, 0.2, 0.05]).astype(float)
    offsets = np.arange(0, len(table) + 1, ITEMS)
    scores, stakes = rng.normal(size=len(table)), MEASURES.parse("ndcg").stakes(grades, offsets)
    update = {each: seconds(_updates(each, table, grades), rounds) for each in ("lambdarank", "regression")}
    return {
        "lambdarank": update["lambdarank"] - update["regression"],
        "expected": seconds(lambda: expected(scores, offsets, stakes, 1.0), rounds),
        "contest_steps": seconds(lambda: contest_steps(scores, offsets, stakes, 1.0), rounds),
    }


def _updates(objective: str, table: np.ndarray, grades: np.ndarray) -> Callable[[], object]:
    """A call that adds a tree of two leaves, on one thread."""
    import lightgbm

    parameters: dict[str, Any] = {
        "objective": objective,
        "metric": "none",
        "num_leaves": 2,
        "num_threads": 1,
        "force_row_wise": True,
        "verbose": -1,
    }
    if objective == "lambdarank":
        parameters["label_gain"] = [0, 1, 3]
    data = lightgbm.Dataset(table, grades, group=[ITEMS] * QUERIES, params=parameters)
    booster = lightgbm.Booster(parameters, data)
    return booster.update


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print the seconds as JSON, no table")
    given = parser.parse_args()
    found = against_lambdarank(given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"one gradient over {QUERIES} queries of {ITEMS} items, one thread:")
    for name, taken in found.items():
        print(f"  {name:14} {1000 * taken:7.1f} ms   {taken / found['lambdarank']:5.1f} x lambdarank")


if __name__ == "__main__":
    main()
