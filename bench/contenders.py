"""Everybody who fuses TREC files: one contender, one process.

``python bench/contenders.py NAME GOES OUT FILE...`` imports the contender, reads the files, fuses them and writes the
first 1,000 of each query, GOES times over, and prints the CPU seconds of the import, of the first call and of the last,
as JSON. Reciprocal rank fusion has c = 60 everywhere. Everybody has one thread.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

TOP = 1000
COLUMNS = ["query", "q0", "item", "rank", "score", "tag"]
Fusion = Callable[[list[str], str], None]


def stagg(method: str) -> Fusion:
    """``stagg fuse``, the command itself."""
    from stagg.cli.main import main

    def fuse(files: list[str], out: str) -> None:
        try:
            main(["fuse", *files, "-m", method, "--top", str(TOP), "--threads", "1", "-q", "-o", out])
        except SystemExit as end:
            if end.code:
                raise

    return fuse


def read_lists(file: str) -> Iterator[tuple[str, list[str]]]:
    """(query, items, best first) of a run, in plain Python."""
    lists: dict[str, list[tuple[float, str]]] = defaultdict(list)
    with open(file) as stream:
        for line in stream:
            query, _, item, _, score, _ = line.split()
            lists[query].append((float(score), item))
    for query, entries in lists.items():
        entries.sort(key=lambda entry: -entry[0])
        yield query, [item for _, item in entries]


def write_scores(out: str, scores: dict[str, dict[str, float]]) -> None:
    with open(out, "w") as stream:
        for query in sorted(scores):
            ranked = sorted(scores[query].items(), key=lambda pair: -pair[1])[:TOP]
            stream.writelines(f"{query} Q0 {i} {r} {s!r} fused\n" for r, (i, s) in enumerate(ranked, start=1))


def dicts() -> Fusion:
    """Plain Python: a dict of dicts."""

    def fuse(files: list[str], out: str) -> None:
        scores: dict[str, dict[str, float]] = defaultdict(dict)
        for file in files:
            for query, items in read_lists(file):
                mine = scores[query]
                for rank, item in enumerate(items, start=1):
                    mine[item] = mine.get(item, 0.0) + 1 / (60 + rank)
        write_scores(out, scores)

    return fuse


def langchain() -> Fusion:
    """``EnsembleRetriever.weighted_reciprocal_rank``, which returns documents in order, without scores."""
    from langchain_classic.retrievers.ensemble import EnsembleRetriever
    from langchain_core.documents import Document

    def fuse(files: list[str], out: str) -> None:
        lists: dict[str, list[list[Document]]] = defaultdict(list)
        for file in files:
            for query, items in read_lists(file):
                lists[query].append([Document(page_content=item) for item in items])
        with open(out, "w") as stream:
            for query in sorted(lists):
                ensemble = EnsembleRetriever.model_construct(weights=[1.0] * len(lists[query]), c=60, id_key=None)
                ranked = ensemble.weighted_reciprocal_rank(lists[query])[:TOP]
                stream.writelines(
                    f"{query} Q0 {each.page_content} {rank} {-rank} fused\n"
                    for rank, each in enumerate(ranked, start=1)
                )

    return fuse


def choix() -> Fusion:
    """Plackett-Luce by I-LSR, a query at a time; all lists are full."""
    import choix as cx

    def fuse(files: list[str], out: str) -> None:
        numbers: dict[str, dict[str, int]] = defaultdict(dict)
        lists: dict[str, list[list[int]]] = defaultdict(list)
        for file in files:
            for query, items in read_lists(file):
                known = numbers[query]
                lists[query].append([known.setdefault(item, len(known)) for item in items])
        scores = {}
        for query, known in numbers.items():
            strengths = cx.ilsr_rankings(len(known), lists[query], alpha=0.0).tolist()
            scores[query] = dict(zip(known, strengths, strict=True))
        write_scores(out, scores)

    return fuse


def pyflagr(method: str) -> Fusion:
    """Its files are CSV of its own kind, made beforehand: reading TREC text is not counted against it."""
    from pyflagr import Linear, MarkovChains

    make = {"borda": Linear.BordaCount, "mc4": MarkovChains.MC4}[method]

    def fuse(files: list[str], out: str) -> None:
        found, _ = make(eval_pts=10).aggregate(input_file=str(flagr_file(files)))
        found.to_csv(out)

    return fuse


def flagr_file(files: list[str]) -> Path:
    """The runs as PyFLAGR reads them, written beside them if they are not there yet."""
    path = Path(files[0]).with_name("flagr.csv")
    if not path.exists():
        with open(path, "w") as stream:
            stream.write("Query,Voter,Item,Score,Dataset\n")
            for number, file in enumerate(files):
                for query, items in read_lists(file):
                    stream.writelines(f"{query},v{number},{i},{10**6 - rank},bench\n" for rank, i in enumerate(items))
    return path


def pandas() -> Fusion:
    import pandas as pd

    def fuse(files: list[str], out: str) -> None:
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
        fused = fused[fused["rank"] <= TOP].assign(q0="Q0", tag="rrf")
        fused[["query", "q0", "item", "rank", "gain", "tag"]].to_csv(out, sep=" ", header=False, index=False)

    return fuse


def polars() -> Fusion:
    import polars as pl

    def fuse(files: list[str], out: str) -> None:
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
            .filter(pl.col("rank") <= TOP)
            .select("query", pl.lit("Q0").alias("q0"), "item", "rank", "gain", pl.lit("rrf").alias("tag"))
        )
        fused.collect().write_csv(out, separator=" ", include_header=False)

    return fuse


def duckdb() -> Fusion:
    import duckdb as db

    def fuse(files: list[str], out: str) -> None:
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
                SELECT query, 'Q0', item, rank, gain, 'rrf' FROM ranked WHERE rank <= {TOP} ORDER BY query, rank
            ) TO '{out}' (DELIMITER ' ', HEADER false)
        """)

    return fuse


def ranx() -> Fusion:
    import ranx as rx

    def fuse(files: list[str], out: str) -> None:
        runs = [rx.Run.from_file(file, kind="trec") for file in files]
        fused = rx.fuse(runs, method="rrf", params={"k": 60})
        fused.save(out, kind="trec")  # all rows: it has no cut

    return fuse


CONTENDERS: dict[str, Callable[[], Fusion]] = {
    "stagg rrf": partial(stagg, "rrf"),
    "stagg stagg_rrf": partial(stagg, "stagg_rrf"),
    "stagg borda": partial(stagg, "borda"),
    "stagg mc4": partial(stagg, "mc4"),
    "stagg plackett_luce": partial(stagg, "plackett_luce(missing='skip', prior=0)"),
    "Polars": polars,
    "DuckDB": duckdb,
    "pandas": pandas,
    "Python dicts": dicts,
    "LangChain": langchain,
    "ranx": ranx,
    "choix": choix,
    "PyFLAGR borda": partial(pyflagr, "borda"),
    "PyFLAGR mc4": partial(pyflagr, "mc4"),
}


def main() -> None:
    name, goes, out, *files = sys.argv[1:]
    start = time.process_time()
    fuse = CONTENDERS[name]()
    imported, times = time.process_time() - start, []
    for _ in range(int(goes)):
        start = time.process_time()
        fuse(files, out)
        times.append(time.process_time() - start)
    print(json.dumps({"import": imported, "cold": times[0], "warm": times[-1], "later": sum(times[1:])}))


if __name__ == "__main__":
    main()
