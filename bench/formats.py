"""What people hold, beside Polars doing the same RRF: files with start-up, frames and requests by the call alone.

Every figure is a ratio of CPU seconds (user and system, one thread) in one run: the least of interleaved repeats, of
which there should be two or more: the first finds modules that are not compiled yet.

    python bench/formats.py [--repeats 7] [--queries 2000]
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

POLARS = """
import polars as pl
ranks = pl.col("score").rank("ordinal", descending=True).over("query", "ranker")
frame = (
    pl.scan_{kind}({source!r}).with_columns((1 / (60 + ranks)).alias("part"))
    .group_by("query", "item").agg(pl.col("part").sum().alias("score"))
    .sort("query", "score", "item", descending=[False, True, True])
    .with_columns(pl.int_range(1, pl.len() + 1).over("query").alias("rank")).collect()
)
frame.select("query", "item", "rank", "score").write_{kind}({target!r})
"""
DUCKDB = """
WITH parts AS (
    SELECT query, item, 1 / (60 + row_number() OVER (PARTITION BY query, ranker ORDER BY score DESC)) AS part FROM rows
), fused AS (SELECT query, item, sum(part) AS score FROM parts GROUP BY query, item)
SELECT query, item, row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank, score
FROM fused ORDER BY query, rank
"""
JSON = "import json; json.dump(json.load(open({source!r})), open({target!r}, 'w'))"


def make_inputs(folder: Path, queries: int) -> None:
    """The same rows as Parquet, CSV, JSON and TREC runs."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

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
    table = pa.table(columns)
    pyarrow.parquet.write_table(table, folder / "in.parquet")
    pyarrow.csv.write_csv(table, folder / "in.csv", pyarrow.csv.WriteOptions(quoting_style="none"))
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
    for kind in ("parquet", "csv", "json"):
        found[f"stagg {kind} to {kind}"] = fuse([str(folder / f"in.{kind}")], f"out.{kind}")
    for kind in ("trec", "csv", "parquet"):
        found[f"stagg trec to {kind}"] = fuse(trec, f"fused/out.{kind}")
    for kind in ("parquet", "csv"):
        paths = {"source": str(folder / f"in.{kind}"), "target": str(folder / f"polars.{kind}")}
        found[f"Polars {kind} to {kind}"] = other(POLARS, kind=kind, **paths)
    found["json.load and json.dump"] = other(JSON, source=str(folder / "in.json"), target=str(folder / "copy.json"))
    found["import numpy"] = other("import numpy")
    small = folder / "six.csv"
    small.write_text("query,ranker,item,score\n" + "".join(f"q,r{k % 2},d{k},{k}\n" for k in range(6)))
    found["stagg six rows"] = fuse([str(small)], "six.out.csv")
    return found


def frames(folder: Path) -> dict[str, Callable[[], float]]:
    import polars as pl
    import pyarrow.parquet

    import stagg

    table = pyarrow.parquet.read_table(folder / "in.parquet")
    frame, pandas = pl.from_arrow(table), table.to_pandas()
    ranks = pl.col("score").rank("ordinal", descending=True).over("query", "ranker")

    def polars() -> object:
        return (
            frame.with_columns((1 / (60 + ranks)).alias("part"))  # type: ignore[union-attr]
            .group_by("query", "item")
            .agg(pl.col("part").sum().alias("score"))
            .sort("query", "score", "item", descending=[False, True, True])
            .with_columns(pl.int_range(1, pl.len() + 1).over("query").alias("rank"))
            .to_arrow()
        )

    import duckdb

    database = duckdb.connect(config={"threads": 1})
    database.register("rows", table)
    relation = database.sql("SELECT query, ranker, item, score FROM rows")
    held = {"Polars": frame, "pyarrow": table, "pandas": pandas, "DuckDB": relation}
    found: dict[str, Callable[[], float]] = {"Polars, in memory": lambda: call(polars)}
    found["DuckDB SQL, in memory"] = lambda: call(lambda: database.sql(DUCKDB).to_arrow_table())
    for name, each in held.items():
        found[f"stagg, {name} frame"] = lambda each=each: call(lambda: stagg.fuse(each).to_arrow())  # type: ignore[misc]
    return found


def requests() -> dict[str, Callable[[], float]]:
    import stagg

    rng = random.Random(0)
    pool = [f"doc{number}" for number in range(200)]
    scored = [{item: rng.random() for item in rng.sample(pool, size)} for size in (100, 100, 50)]
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
        "stagg, plain lists": lambda: stagg.fuse(plain),
        "stagg, plain lists to hits": lambda: to_the_end(plain),
        "dict loop, scored dicts": sorted_loop,
        "stagg, scored dicts": lambda: stagg.fuse(scored),
        "stagg, scored dicts to hits": lambda: to_the_end(named),
        "dict loop, scored pairs": sorted_pairs,
        "stagg, scored pairs to hits": lambda: to_the_end(pairs),
    }
    return {name: lambda each=each: call(each, 300) for name, each in calls.items()}  # type: ignore[misc]


RATIOS = (
    ("stagg parquet to parquet", "Polars parquet to parquet", 1.6),
    ("stagg csv to csv", "Polars csv to csv", 1.3),
    ("stagg json to json", "json.load and json.dump", 1.5),
    ("stagg trec to csv", "stagg trec to trec", 1.6),
    ("stagg trec to parquet", "stagg trec to trec", 1.6),
    ("stagg six rows", "import numpy", 2.0),
    ("stagg, Polars frame", "Polars, in memory", 1.2),
    ("stagg, pyarrow frame", "Polars, in memory", 1.2),
    ("stagg, pandas frame", "Polars, in memory", 2.0),
    ("stagg, DuckDB frame", "DuckDB SQL, in memory", 1.5),
    ("stagg, plain lists", "dict loop, plain lists", 1.2),
    ("stagg, scored dicts", "dict loop, scored dicts", 2.0),
    ("stagg, plain lists to hits", "dict loop, plain lists", 2.0),
    ("stagg, scored dicts to hits", "dict loop, scored dicts", 2.5),
    ("stagg, scored pairs to hits", "dict loop, scored pairs", 2.5),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--queries", type=int, default=2000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        use_environment(folder, **ONE_THREAD)
        make_inputs(folder, options.queries)
        seconds: dict[str, Any] = {}
        for group in (files(folder), frames(folder), requests()):
            seconds |= least(group, options.repeats)
    for name, cost in seconds.items():
        print(f"{name:32s} {cost:.6f} CPU-s")
    for mine, theirs, bar in RATIOS:
        print(f"{mine:28s} / {theirs:28s} {seconds[mine] / seconds[theirs]:.2f} (at most {bar})")


if __name__ == "__main__":
    main()
