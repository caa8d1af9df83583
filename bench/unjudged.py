"""Labels removed by pools: how far the means of each reading are from the truth, and how many marks are wrong.

The truth is the whole qrels. Of some runs, which are drawn, the first items stay judged, and all other labels are
removed. ``python bench/unjudged.py`` prints, for each kind of pool, the mean error of nDCG@10 of the pooled and of the
other runs with unjudged items irrelevant and skipped; how often the bounds hold the truth; and, of the differences
between two rows (inputs, RRF, learned weights) that would be marked, how many have the wrong sign, with and without the
rule that unjudged items may not explain them.
"""

from __future__ import annotations

import argparse
import collections
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import stagg
from stagg import Labels, Rankings
from stagg.evaluation.folds import folds_of_parts, hash_parts
from stagg.formats import read_labels
from stagg.learning.training import learner_of

DATA = Path(os.environ.get("STAGG_DATA", Path(__file__).parents[2] / "shared" / "data"))
FOLDERS = {"dl19": DATA / "trec-dl-hybrid" / "dl19"} | {
    name: DATA / "trec-fusion" / name for name in ("dl21groups", "covidr2", "covidr5")
}
POOLS = ((5, 1), (5, 2), (10, 2), (10, 3))
RUNS, DEPTH = 4, 50
MEASURE = "ndcg@10"


def read_collection(name: str) -> tuple[Rankings, Labels]:
    folder = FOLDERS[name]
    rankings = stagg.read([str(path) for path in sorted(folder.glob("*.trec"))], order_by="rank")
    labels = read_labels(str(next(folder.glob("*qrels*"))))
    kept = [rankings.query_number(query) for query in rankings.queries if query in labels]
    return rankings.take_queries(kept).cut(DEPTH), labels


def judge_pool(rankings: Rankings, labels: Labels, pooled: int, depth: int) -> Labels:
    """The labels of the first ``depth`` items of the first ``pooled`` rankers; an item without a label has 0."""
    first = rankings.take_rankers(range(pooled)).cut(depth)
    return Labels({view.id: {str(item): labels[view.id].get(item, 0) for item in view.items} for view in first})


def draw_worlds(name: str, draws: int, pooled: int, depth: int) -> Iterator[tuple[Rankings, Labels, Labels]]:
    """(four runs, the labels of their pool, the truth); the first runs are the pooled ones."""
    rankings, labels = read_collection(name)
    rng = np.random.default_rng([draws, pooled, depth])
    for _ in range(draws):
        chosen = rankings.take_rankers(rng.permutation(len(rankings.rankers))[:RUNS])
        yield chosen, judge_pool(chosen, labels, pooled, depth), labels.take(chosen.queries)


def measure_errors(
    rankings: Rankings, labels: Labels, truth: Labels, pooled: int, found: dict[str, list[float]]
) -> None:
    """Errors of the means of every run, and whether the bounds hold the truth."""
    true = [row["mean"] for row in stagg.evaluate(rankings, truth, MEASURE).rows]
    skipped = stagg.evaluate(rankings, labels, MEASURE, unjudged="skip").rows
    bounds = stagg.evaluate(rankings, labels, MEASURE, unjudged="bounds").rows
    for number, value in enumerate(true):
        who = "pooled" if number < pooled else "other"
        ends = [bounds[number].get("bound_low", value), bounds[number].get("bound_high", value)]
        found[f"judged {who}"].append(bounds[number]["judged"])
        found[f"irrelevant {who}"].append(bounds[number]["mean"] - value)
        found[f"skip {who}"].append(skipped[number]["mean"] - value)
        found[f"inside {who}"].append(ends[0] <= value <= ends[1])
        found[f"width {who}"].append(ends[1] - ends[0])


def count_marks(rankings: Rankings, labels: Labels, truth: Labels, found: dict[str, list[float]]) -> None:
    """Marks against RRF and against the first run, which is pooled: whether each has the wrong sign."""
    runs = rankings.to_runs() | {"rrf": _as_run(stagg.fuse(rankings, "rrf(c=60)")), "weights": learn(rankings, labels)}
    rows = Rankings.from_runs(runs)
    true = {row["run"]: row["mean"] for row in stagg.evaluate(rows, truth, MEASURE).rows}
    for baseline in ("rrf", rankings.rankers[0]):
        seen = stagg.compare(rows, labels, inputs=True, baseline=baseline, measures=MEASURE).table.rows
        base = next(row["mean"] for row in seen if row["method"] == baseline)
        for row in seen:
            if row["method"] != baseline and row["p_holm"] < 0.05:
                wrong = (row["mean"] - base) * (true[row["method"]] - true[baseline]) < 0
                found["marks without the rule"].append(wrong)
                if not row.get("unjudged_decides"):
                    found["marks"].append(wrong)


def learn(rankings: Rankings, labels: Labels) -> dict[str, dict[str, float]]:
    """A run of learned weights, each query fused by weights from the other folds."""
    run: dict[str, dict[str, float]] = {}
    for fold in folds_of_parts(hash_parts(list(rankings.queries), 5, 0)):
        train, validation, test = (
            rankings.take_queries([rankings.query_number(query) for query in part])
            for part in (fold.train, fold.validation, fold.test)
        )
        model = learner_of("weights(measure='ndcg@10')").fit(train, labels, validation=(validation, labels))
        run |= _as_run(stagg.fuse(test, model))
    return run


def _as_run(fused: Rankings) -> dict[str, dict[str, float]]:
    """Scores that keep the order in single precision."""
    return {query: {hit.item: 1000.0 - hit.rank for hit in fused.hits(query)} for query in fused.queries}


def tell(found: dict[str, list[float]]) -> str:
    """One line of the table."""
    cells = []
    for who in ("pooled", "other"):
        cells.append(f"{np.mean(found[f'judged {who}']):.2f}")
        cells += [f"{np.mean(found[f'{how} {who}']):+.3f}" for how in ("irrelevant", "skip")]
        cells.append(f"{np.mean(found[f'inside {who}']):.0%} ({np.mean(found[f'width {who}']):.2f})")
    for marks in ("marks without the rule", "marks"):
        cells.append(f"{int(np.sum(found[marks]))} of {len(found[marks])}")
    return " | ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=12)
    parser.add_argument("--only", choices=list(FOLDERS), nargs="*", default=list(FOLDERS))
    given = parser.parse_args()
    for name in given.only:
        for depth, pooled in POOLS:
            found: dict[str, list[float]] = collections.defaultdict(list)
            for rankings, labels, truth in draw_worlds(name, given.draws, pooled, depth):
                measure_errors(rankings, labels, truth, pooled, found)
                count_marks(rankings, labels, truth, found)
            print(f"| {name} | first {depth} of {pooled} | {tell(found)} |", flush=True)


if __name__ == "__main__":
    main()
