"""What else people hold: JSON, runs that become tables, and the lists of a request. Tables: bench/formats.py.

Files are measured with start-up, requests by the call alone. Every figure is a ratio of CPU seconds (user and system,
one thread) in one run: the least of interleaved repeats, of which there should be two or more: the first finds modules
that are not compiled yet.

    python bench/other_inputs.py [--repeats 7] [--queries 2000] [--requests]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from measuring import use_environment

RANKERS, LENGTH, POOL = 5, 100, 300_000
ONE_THREAD = dict.fromkeys(("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ARROW_NUM_THREADS"), "1")

JSON = "import json; json.dump(json.load(open({source!r})), open({target!r}, 'w'))"


def make_inputs(folder: Path, queries: int) -> None:
    """The same rows as JSON and as TREC runs."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(queries), RANKERS * LENGTH)
    ranker = np.tile(np.repeat(np.arange(RANKERS), LENGTH), queries)
    local = np.concatenate([rng.permutation(4 * LENGTH)[:LENGTH] for _ in range(queries * RANKERS)])
    score = np.concatenate([np.sort(rng.random(LENGTH))[::-1] for _ in range(queries * RANKERS)])
    docs = np.array([f"doc-{number:07d}" for number in rng.permutation(POOL)])
    columns = {
        "query": np.array([f"q{number:05d}" for number in range(queries)])[query],
        "ranker": np.array([f"ranker{number}" for number in range(RANKERS)])[ranker],
        "item": docs[(query * 137 + local) % POOL],
        "score": score,
    }
    tree: dict[str, dict[str, dict[str, float]]] = {}
    lines: dict[str, list[str]] = {}
    for q, r, item, number in zip(*(column.tolist() for column in columns.values()), strict=True):
        tree.setdefault(q, {}).setdefault(r, {})[item] = number
        lines.setdefault(r, []).append(f"{q} Q0 {item} {len(tree[q][r])} {number} {r}\n")
    (folder / "in.json").write_text(json.dumps(tree))
    for name, rows in lines.items():
        (folder / f"{name}.trec").write_text("".join(rows))


def run(command: list[str]) -> float:
    """CPU seconds of a process, start-up included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def call(function: Callable[[], object], repeats: int = 1) -> float:
    start = time.process_time()
    for _ in range(repeats):
        function()
    return (time.process_time() - start) / repeats


def least(contenders: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The least of each, their repeats interleaved."""
    found: dict[str, float] = {}
    for _ in range(repeats):
        for name, measure in contenders.items():
            found[name] = min(measure(), found.get(name, float("inf")))
    return found


def files(folder: Path) -> dict[str, Callable[[], float]]:
    def fuse(source: list[str], target: str) -> Callable[[], float]:
        command = [sys.executable, "-m", "stagg", "fuse", *source, "-o", str(folder / target), "-q", "--threads", "1"]
        return lambda: run(command)

    def other(code: str, **names: str) -> Callable[[], float]:
        return lambda: run([sys.executable, "-c", code.format(**names)])

    (folder / "fused").mkdir(exist_ok=True)
    trec = sorted(map(str, folder.glob("*.trec")))
    found = {}
    found["stagg json to json"] = fuse([str(folder / "in.json")], "out.json")
    for kind in ("trec", "csv", "parquet"):
        found[f"stagg trec to {kind}"] = fuse(trec, f"fused/out.{kind}")
    found["json.load and json.dump"] = other(JSON, source=str(folder / "in.json"), target=str(folder / "copy.json"))
    found["import numpy"] = other("import numpy")
    small = folder / "six.csv"
    small.write_text("query,ranker,item,score\n" + "".join(f"q,r{k % 2},d{k},{k}\n" for k in range(6)))
    found["stagg six rows"] = fuse([str(small)], "six.out.csv")
    return found


def requests() -> dict[str, Callable[[], float]]:
    import stagg

    rng = random.Random(0)
    pool = [f"doc{number}" for number in range(200)]
    scored = [{item: rng.random() for item in rng.sample(pool, size)} for size in (100, 100, 100)]
    plain = [list(each) for each in scored]

    def loop(lists: list[list[str]]) -> object:
        scores: dict[str, float] = {}
        for ranked in lists:
            for rank, item in enumerate(ranked, start=1):
                scores[item] = scores.get(item, 0.0) + 1 / (60 + rank)
        return sorted(scores.items(), key=lambda pair: pair[1], reverse=True)

    def sorted_loop() -> object:
        return loop([sorted(each, key=each.__getitem__, reverse=True) for each in scored])

    def sorted_pairs() -> object:
        return loop([[item for item, _ in sorted(each, key=lambda hit: hit[1], reverse=True)] for each in pairs])

    def to_the_end(given: Any) -> object:
        return [(hit.item, hit.score) for hit in stagg.fuse(given).hits()]

    pairs = [list(each.items()) for each in scored]
    named = dict(zip(("bm25", "dense", "sparse"), scored, strict=True))
    calls: dict[str, Callable[[], object]] = {
        "dict loop, plain lists": lambda: loop(plain),
        "stagg, plain lists to hits": lambda: to_the_end(plain),
        "dict loop, scored dicts": sorted_loop,
        "stagg, scored dicts to hits": lambda: to_the_end(named),
        "dict loop, scored pairs": sorted_pairs,
        "stagg, scored pairs to hits": lambda: to_the_end(pairs),
    }
    return {name: lambda each=each: call(each, 300) for name, each in calls.items()}  # type: ignore[misc]


RATIOS = (
    ("stagg json to json", "json.load and json.dump", 1.5),
    ("stagg trec to csv", "stagg trec to trec", 1.6),
    ("stagg trec to parquet", "stagg trec to trec", 1.6),
    ("stagg six rows", "import numpy", 2.0),
    ("stagg, plain lists to hits", "dict loop, plain lists", 0.9),
    ("stagg, scored pairs to hits", "dict loop, plain lists", 1.2),
    ("stagg, scored dicts to hits", "dict loop, plain lists", 1.2),
    ("stagg, scored pairs to hits", "dict loop, scored pairs", 1.2),
    ("stagg, scored dicts to hits", "dict loop, scored dicts", 1.2),
)
"""(ours, theirs, the most that ours may cost of it). Scored hits stand beside two loops: one over lists that are sorted
already, and one that sorts them first, as the fusion does."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--requests", action="store_true", help="only the requests")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        use_environment(folder, **ONE_THREAD)
        seconds: dict[str, Any] = {}
        if not options.requests:
            make_inputs(folder, options.queries)
            seconds |= least(files(folder), options.repeats)
        seconds |= least(requests(), options.repeats)
    for name, cost in seconds.items():
        print(f"{name:32s} {cost:.6f} CPU-s")
    for mine, theirs, bar in (each for each in RATIOS if each[0] in seconds):
        print(f"{mine:28s} / {theirs:28s} {seconds[mine] / seconds[theirs]:.2f} (at most {bar})")


if __name__ == "__main__":
    main()
