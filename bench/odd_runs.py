"""``stagg_trust`` against ``rrf(c=60)`` where runs are odd: cut, incomplete, with strange scores or random neighbours.

    python bench/odd_runs.py ../shared/data

The seven TREC sets of bench/collections, each changed in some twenty ways and read by the scores: nDCG@10 with linear
gain, the difference and p (paired t-test over topics, uncorrected). The last line counts. Cited in docs/collections.md.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from stagg import Rankings, compare

Run = dict[str, dict[str, float]]
Runs = dict[str, Run]
METHODS = ["rrf(c=60)", "stagg_trust"]
FEWEST = 10  # topics for a test


def load_collections() -> ModuleType:
    """The folder bench/collections: it has no name that could be imported."""
    spec = importlib.util.spec_from_file_location("sets", Path(__file__).parent / "collections" / "__main__.py")
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    sys.modules["sets"] = module
    spec.loader.exec_module(module)
    return module


# --- what can be odd --------------------------------------------------------------------------------------------------


def cut(run: Run, depth: int) -> Run:
    return {query: dict(list(items.items())[:depth]) for query, items in run.items()}


def rescore(run: Run, change: Any) -> Run:
    """``change(score, place)`` of each item, places from 0."""
    return {
        query: {item: float(change(score, place)) for place, (item, score) in enumerate(items.items())}
        for query, items in run.items()
    }


def guess(items: dict[str, list[str]], rng: np.random.Generator) -> Run:
    """A run that lists a hundred of these items in any order."""
    return {
        query: {str(item): 100.0 - place for place, item in enumerate(rng.permutation(pool)[:100])}
        for query, pool in items.items()
    }


def cut_runs(runs: Runs, rng: np.random.Generator) -> Iterator[tuple[str, Runs]]:
    first, second, *_ = runs
    yield "first run cut to 10", runs | {first: cut(runs[first], 10)}
    yield "second run cut to 10", runs | {second: cut(runs[second], 10)}
    yield "every other run cut to 10", {n: cut(r, 10) if k % 2 else r for k, (n, r) in enumerate(runs.items())}
    yield "all but the first cut to 10", {n: r if n == first else cut(r, 10) for n, r in runs.items()}
    yield "all cut to 10", {name: cut(run, 10) for name, run in runs.items()}
    lengths = {n: {q: dict(list(i.items())[: rng.integers(1, 101)]) for q, i in r.items()} for n, r in runs.items()}
    yield "lists cut at random", lengths


def incomplete_runs(runs: Runs, queries: list[str], rng: np.random.Generator) -> Iterator[tuple[str, Runs]]:
    first = next(iter(runs))
    for count in (1, 3):
        yield f"first run with {count} topics", runs | {first: dict(list(runs[first].items())[:count])}
    for share in (0.3, 0.7):
        kept = {n: {q: items for q, items in r.items() if rng.random() >= share} for n, r in runs.items()}
        yield f"{share:.0%} of the topics of each run gone", kept
    few = set(queries[:FEWEST])
    yield "ten topics only", {n: {q: items for q, items in r.items() if q in few} for n, r in runs.items()}


def odd_scores(runs: Runs) -> Iterator[tuple[str, Runs]]:
    first = next(iter(runs))
    yield "first run: all scores equal", runs | {first: rescore(runs[first], lambda score, place: 1)}
    yield "first run: scores times 1e200", runs | {first: rescore(runs[first], lambda score, place: score * 1e200)}
    changes = {
        "negative scores": lambda score, place: score - 1e4,
        "scores of two digits": lambda score, place: f"{score:.2g}",
        "scores are ranks": lambda score, place: -place,
        "scores are 1/rank": lambda score, place: 1 / (1 + place),
    }
    for name, change in changes.items():
        yield name, {each: rescore(run, change) for each, run in runs.items()}


def strangers(runs: Runs, queries: list[str], rng: np.random.Generator) -> Iterator[tuple[str, Runs]]:
    *_, last = runs
    pools = {q: sorted({item for run in runs.values() for item in run.get(q, {})}) for q in queries}
    outside = {query: [f"outside {k}" for k in range(10_000)] for query in queries}
    yield "a random run of the candidates", runs | {"random": guess(pools, rng)}
    yield "a random run of other items", runs | {"random": guess(outside, rng)}
    yield "ten random runs of other items", runs | {f"random {k}": guess(outside, rng) for k in range(10)}
    yield "the last run upside down, too", runs | {"reversed": rescore(runs[last], lambda score, place: place)}


def variants(rankings: Rankings) -> Iterator[tuple[str, Runs]]:
    runs, queries, rng = rankings.to_runs(), list(rankings.queries), np.random.default_rng(3)
    yield from cut_runs(runs, rng)
    yield from incomplete_runs(runs, queries, rng)
    yield from odd_scores(runs)
    yield from strangers(runs, queries, rng)


# --- the table --------------------------------------------------------------------------------------------------------


def main() -> None:
    sets, verdicts = load_collections(), []
    for each in sets.collections(Path(sys.argv[1])):
        if each.name not in sets.FOLDERS:
            continue  # LETOR: no scores to be odd
        for name, runs in variants(each.rankings):
            given = Rankings.from_runs(runs)
            labels = each.labels.take([query for query in each.labels if query in given])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                done: Any = compare(given, labels, methods=METHODS, measures=[each.measure])
            rrf, trust = done.values[:, 0]
            verdicts.append(sets.judge(trust - rrf))
            mark = {-1: "below", 0: "", 1: "above"}[verdicts[-1]]
            print(
                f"{each.name:11} {name:40} {rrf.mean():.4f} {trust.mean():.4f} {(trust - rrf).mean():+.4f}"
                f" p {sets.p_value(trust - rrf):.3f} {mark}",
                flush=True,
            )
    print(f"{len(verdicts)} variants: {verdicts.count(-1)} below, {verdicts.count(1)} above")


if __name__ == "__main__":
    main()
