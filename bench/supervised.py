"""Every learner on every feature map, five folds, both LETOR sets: the tables of docs/supervised.md, by one command.

    python bench/supervised.py --data ../shared/data/letor --out docs/supervised

Settings were chosen on validation parts before (docs/supervised.md says how); this is the one run on the test parts. It
writes OUT.json (every mean and test) and OUT.table.md (the tables). Each contender runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from stagg.evaluation.compare import compare
from stagg.evaluation.significance import paired_t, sign_flip
from stagg.formats import Loaded, ReadOptions, load
from stagg.formats.log import ReadLog

SETS = ("MQ2007-agg", "MQ2008-agg")
MEASURES = ("ndcg@5", "ndcg@10", "err", "rbp(p=0.95)")
FEATURES = ("borda", "svd", "cp", "ranks")
LINEAR = ("stagg_ndcg", "stagg_err", "stagg_rbp", "rankagg_ndcg", "rankagg_err", "rankagg_rbp")
TREES = ("lambdamart", "stagg_trees")
TOGETHER = ("ensemble(measure='ndcg@10')", "lambdamart(features='ranks', measure='ndcg@10')")
"""What is compared as a pair; without a measure of their own learners would go by the first, ndcg@5."""
LEARNERS = [
    "best_input",
    "weights(method='rrf(c=60)')",
    "weights(method='borda')",
    "cps(distance='spearman')",
    "cps(distance='footrule')",
    "cps(distance='kendall')",
    "theta_mpm",
    "supervised_mc",
    *[f"{learner}(features={features!r})" for features in FEATURES for learner in (*LINEAR, *TREES)],
    *TOGETHER,
]
PAIRS = [
    ("stagg_ndcg", "rankagg_ndcg", "ndcg@10"),
    ("stagg_err", "rankagg_err", "err"),
    ("stagg_rbp", "rankagg_rbp", "rbp(p=0.95)"),
    ("stagg_trees", "lambdamart", "ndcg@10"),
    ("stagg_trees", "lambdamart", "ndcg@5"),
]


def read(folder: Path) -> Loaded:
    files = [folder / f"A{part}.txt" for part in range(1, 6)]
    return load(files, options=ReadOptions(values="rank"), log=ReadLog())


def measured(task: tuple[Path, str, Path]) -> dict[str, Any]:
    """values[measure][query] of one learner on the five test parts, and the CPU seconds that it took; from the store
    where it is there already, so that an interrupted run goes on.
    """
    folder, learner, store = task
    kept = store / f"{folder.name} {learner}.json".replace("/", "_")
    if not kept.exists():
        found = _computed(folder, learner)
        kept.write_text(json.dumps(found))
    return dict(json.loads(kept.read_text()))


def _computed(folder: Path, learner: str) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    loaded, start = read(folder), time.process_time()
    assert loaded.labels is not None
    found = compare(
        loaded.rankings,
        loaded.labels,
        learners=[learner],
        measures=MEASURES,
        folds=[list(part) for part in loaded.parts],
        conventions="letor4",
    )
    return {
        "set": folder.name,
        "learner": learner,
        "text": found.methods[0],
        "seconds": time.process_time() - start,
        "values": {measure: found.values[0, k].tolist() for k, measure in enumerate(found.measures)},
        "by_fold": found.by_fold.to_dicts(),
        "notes": list(found.table.notes),
    }


def tables(rows: list[dict[str, Any]], wall: float) -> str:
    """The means of every learner, and the paired tests of the claims, as Markdown."""
    cpu = sum(row["seconds"] for row in rows)
    lines = [f"{len(rows)} contenders, {cpu / 60:.0f} minutes of CPU time, {wall / 60:.0f} minutes of wall time.\n"]
    for name in SETS:
        mine = [row for row in rows if row["set"] == name]
        lines += [f"\n### {name}\n", "| learner | N@5 | N@10 | ERR | RBP | CPU s |", "|---|---|---|---|---|---|"]
        best = [max(np.mean(row["values"][measure]) for row in mine) for measure in MEASURES]
        for row in mine:
            means = [float(np.mean(row["values"][measure])) for measure in MEASURES]
            cells = [f"**{m:.4f}**" if m == top else f"{m:.4f}" for m, top in zip(means, best, strict=True)]
            lines.append(f"| `{row['learner']}` | {' | '.join(cells)} | {row['seconds']:.0f} |")
    lines += ["\n### Paired tests\n", "| set | features | measure | first | second | difference | p (t) | p (random) |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for name in SETS:
        for features in FEATURES:
            for first, second, measure in PAIRS:
                pair = f"{first}(features={features!r})", f"{second}(features={features!r})"
                lines.append(_test(rows, name, features, pair, measure))
        lines += [_test(rows, name, "", TOGETHER, measure) for measure in MEASURES]
    return "\n".join(line for line in lines if line) + "\n"


def _test(rows: list[dict[str, Any]], name: str, features: str, learners: tuple[str, str], measure: str) -> str:
    found = {row["learner"]: np.array(row["values"][measure]) for row in rows if row["set"] == name}
    pair = [found.get(learner) for learner in learners]
    if pair[0] is None or pair[1] is None:
        return ""
    first, second = (learner.partition("(")[0] for learner in learners)
    difference = (pair[0] - pair[1])[:, None]
    t, random = paired_t(difference)[0], sign_flip(difference, seed=0)[0]
    means = f"{first} {pair[0].mean():.4f} | {second} {pair[1].mean():.4f} | {difference.mean():+.4f}"
    return f"| {name} | {features} | {measure} | {means} | {t:.3f} | {random:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/letor"))
    parser.add_argument("--out", type=Path, default=Path("docs/supervised"))
    parser.add_argument("--only", default="", help="learners whose names match this regular expression")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--store", type=Path, help="a folder that keeps what is done, to go on from there")
    options = parser.parse_args()
    store = options.store or Path(tempfile.mkdtemp(prefix="supervised-"))
    store.mkdir(exist_ok=True)
    tasks = [
        (options.data / name, learner, store)
        for learner in LEARNERS
        for name in SETS
        if re.match(options.only, learner)
    ]
    tasks.sort(key=lambda task: "trees" not in task[1] and "lambdamart" not in task[1])  # the long ones first
    start, rows = time.monotonic(), []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for row in pool.imap_unordered(measured, tasks):
            rows.append(row)
            means = " ".join(f"{np.mean(row['values'][measure]):.4f}" for measure in MEASURES)
            print(f"{len(rows)}/{len(tasks)} {row['set']} {row['learner']} {means} {row['seconds']:.0f} s", flush=True)
    rows.sort(key=lambda row: (SETS.index(row["set"]), LEARNERS.index(row["learner"])))
    wall = time.monotonic() - start
    options.out.with_suffix(".json").write_text(json.dumps([_kept(row) for row in rows], indent=1) + "\n")
    options.out.with_suffix(".table.md").write_text(tables(rows, wall))
    print(f"{wall / 60:.1f} minutes")


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    """What goes into the file: means instead of 1,692 values each."""
    means = {measure: float(np.mean(values)) for measure, values in row["values"].items()}
    return {key: value for key, value in row.items() if key != "values"} | {"means": means}


if __name__ == "__main__":
    main()
