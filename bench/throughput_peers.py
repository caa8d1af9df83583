"""What others need for reciprocal rank fusion from TREC files to TREC files: one peer, one process.

``python bench/throughput_peers.py PEER GOES OUT TOP FILE...`` imports the peer, reads the files, fuses them by RRF with
c = 60 and writes the first TOP of each query, so many times over; it prints the CPU seconds of import and of each go.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

COLUMNS = ["query", "q0", "item", "rank", "score", "tag"]
Fusion = Callable[[list[str], str, int], None]


def dicts() -> Fusion:
    """Plain Python: a dict of dicts."""

    def fuse(files: list[str], out: str, top: int) -> None:
        scores: dict[str, dict[str, float]] = {}
        for file in files:
            lists: dict[str, list[tuple[float, str]]] = {}
            with open(file) as stream:
                for line in stream:
                    query, _, item, _, score, _ = line.split()
                    lists.setdefault(query, []).append((float(score), item))
            for query, entries in lists.items():
                entries.sort(key=lambda entry: -entry[0])
                mine = scores.setdefault(query, {})
                for rank, (_, item) in enumerate(entries, start=1):
                    mine[item] = mine.get(item, 0.0) + 1 / (60 + rank)
        with open(out, "w") as stream:
            for query in sorted(scores):
                ranked = sorted(scores[query].items(), key=lambda pair: -pair[1])[:top]
                stream.writelines(f"{query} Q0 {i} {r} {s!r} rrf\n" for r, (i, s) in enumerate(ranked, start=1))

    return fuse


def pandas() -> Fusion:
    import pandas as pd

    def fuse(files: list[str], out: str, top: int) -> None:
        types = {"query": str, "item": str, "score": float}
        runs = []
        for number, file in enumerate(files):
            run = pd.read_csv(file, sep=" ", names=COLUMNS, usecols=list(types), dtype=types, quoting=3)
            runs.append(run.assign(run=number))
        rows = pd.concat(runs).sort_values("score", ascending=False, kind="stable")
        rows["gain"] = 1 / (61 + rows.groupby(["run", "query"], sort=False).cumcount())
        fused = rows.groupby(["query", "item"], sort=False)["gain"].sum().reset_index()
        fused = fused.sort_values(["query", "gain"], ascending=[True, False], kind="stable")
        fused["rank"] = fused.groupby("query", sort=False).cumcount() + 1
        fused = fused[fused["rank"] <= top].assign(q0="Q0", tag="rrf")
        fused[["query", "q0", "item", "rank", "gain", "tag"]].to_csv(out, sep=" ", header=False, index=False)

    return fuse


def polars() -> Fusion:
    import polars as pl

    def fuse(files: list[str], out: str, top: int) -> None:
        types = dict.fromkeys(COLUMNS, pl.String) | {"score": pl.Float64}
        runs = [
            pl.scan_csv(file, separator=" ", has_header=False, schema=types, quote_char=None).with_columns(
                run=pl.lit(number)
            )
            for number, file in enumerate(files)
        ]
        place = pl.col("score").rank("ordinal", descending=True).over("run", "query")
        fused = (
            pl.concat(runs)
            .select("query", "item", gain=1 / (60 + place))
            .group_by("query", "item")
            .agg(pl.col("gain").sum())
            .sort("query", "gain", descending=[False, True])
            .with_columns(rank=pl.int_range(1, pl.len() + 1).over("query"))
            .filter(pl.col("rank") <= top)
            .select("query", pl.lit("Q0").alias("q0"), "item", "rank", "gain", pl.lit("rrf").alias("tag"))
        )
        fused.collect().write_csv(out, separator=" ", include_header=False)

    return fuse


def duckdb() -> Fusion:
    import duckdb as db

    def fuse(files: list[str], out: str, top: int) -> None:
        columns = ", ".join(f"'{name}': '{'DOUBLE' if name == 'score' else 'VARCHAR'}'" for name in COLUMNS)
        db.sql("SET threads = 1")
        db.sql(f"""
            COPY (
                WITH rows AS (
                    SELECT *, row_number() OVER (PARTITION BY filename, query ORDER BY score DESC) AS place
                    FROM read_csv({files!r}, delim = ' ', header = false, quote = '', columns = {{{columns}}},
                                  filename = true)
                ), fused AS (
                    SELECT query, item, sum(1 / (60 + place)) AS gain FROM rows GROUP BY query, item
                ), ranked AS (
                    SELECT *, row_number() OVER (PARTITION BY query ORDER BY gain DESC, item DESC) AS rank FROM fused
                )
                SELECT query, 'Q0', item, rank, gain, 'rrf' FROM ranked WHERE rank <= {top} ORDER BY query, rank
            ) TO '{out}' (DELIMITER ' ', HEADER false)
        """)

    return fuse


def ranx() -> Fusion:
    import ranx as rx

    def fuse(files: list[str], out: str, top: int) -> None:
        runs = [rx.Run.from_file(file, kind="trec") for file in files]
        fused = rx.fuse(runs, method="rrf", params={"k": 60})
        fused.save(out, kind="trec")  # all rows: it has no cut

    return fuse


PEERS: dict[str, Callable[[], Fusion]] = {each.__name__: each for each in (dicts, pandas, polars, duckdb, ranx)}


def main() -> None:
    peer, goes, out, top, *files = sys.argv[1:]
    times = []
    start = time.process_time()
    fuse = PEERS[peer]()
    times.append(time.process_time() - start)
    for _ in range(int(goes)):
        start = time.process_time()
        fuse(files, out, int(top))
        times.append(time.process_time() - start)
    print(json.dumps(times))


if __name__ == "__main__":
    main()
