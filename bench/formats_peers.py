"""The same fusion by RRF in Polars and DuckDB, from a file to a file or from a frame to a frame; one process each.

    python bench/formats_peers.py file Polars parquet TARGET SOURCE...
    python bench/formats_peers.py frame Polars pandas SOURCE.parquet [--threads N] [--target FILE.parquet]
    python bench/formats_peers.py threads
    python bench/formats_peers.py compare trec OURS THEIRS

These are the programs that somebody who knows the library would write: a lazy scan, the mean rank of ties, the sum of
1 / (60 + rank), the order of the result, and all cores. stagg is among the contenders for frames, too. A frame is held
before the clock starts, six rows have been fused by then, and what is measured ends with a frame of the same kind (an
Arrow table for a DuckDB relation). ``compare`` ends with status 1 if two results differ by more than the tie rules do.
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TREC = ["query", "q0", "item", "rank", "score", "tag"]
TIE_RULES = 1e-3
"""stagg gives tied items the mean of their 1 / (60 + rank), the peers here 1 / (60 + mean rank): a relative difference
of at most (g² - 1) / 12 / 61² in a tie of g items."""


def main() -> None:
    job, *given = sys.argv[1:]
    if job == "file":
        name, kind, target, *sources = given
        {"Polars": polars_file, "DuckDB": duckdb_file}[name](kind, sources, target)
    elif job == "frame":
        name, kind, source, *options = given
        more = dict(zip(options[::2], options[1::2], strict=True))
        measure_frame(name, kind, source, int(more.get("--threads", "0")), more.get("--target"))
    elif job == "threads":
        print(json.dumps({"threads": takes_threads()}))
    else:
        compare(*given)


# --- Polars -----------------------------------------------------------------------------------------------------------


def polars_file(kind: str, sources: list[str], target: str) -> None:
    import polars as pl

    if kind == "parquet":
        polars_rrf(pl.scan_parquet(sources)).sink_parquet(target, compression="snappy")  # as stagg and DuckDB do
    elif kind == "csv":
        polars_rrf(pl.scan_csv(sources)).sink_csv(target)
    else:
        fused = polars_rrf(pl.concat([scan_trec(source).with_columns(ranker=pl.lit(source)) for source in sources]))
        whole = fused.select("query", pl.lit("Q0").alias("q0"), "item", "rank", "score", pl.lit("rrf").alias("tag"))
        whole.sink_csv(target, separator=" ", include_header=False)


def scan_trec(path: str) -> Any:
    import polars as pl

    types = dict.fromkeys(TREC, pl.String) | {"score": pl.Float64}
    return pl.scan_csv(path, separator=" ", has_header=False, schema=types, quote_char=None)


def polars_rrf(rows: Any) -> Any:
    import polars as pl

    place = pl.col("score").rank("average", descending=True).over("query", "ranker")
    return (
        rows.select("query", "item", score=1 / (60 + place))
        .group_by("query", "item")
        .agg(pl.col("score").sum())
        .sort("query", "score", descending=[False, True])
        .select("query", "item", pl.int_range(1, pl.len() + 1).over("query").alias("rank"), "score")
    )


# --- DuckDB -----------------------------------------------------------------------------------------------------------

# rank() is the first place of a tie, count(*) up to the current score its last one
RRF = """
WITH parts AS (
    SELECT query, item, 1 / (60 + (rank() OVER best + count(*) OVER best) / 2) AS part FROM {rows}
    WINDOW best AS (PARTITION BY query, {ranker} ORDER BY score DESC)
), fused AS (SELECT query, item, sum(part) AS score FROM parts GROUP BY query, item),
ranked AS (SELECT query, item, row_number() OVER (PARTITION BY query ORDER BY score DESC) AS rank, score FROM fused)
SELECT {columns} FROM ranked ORDER BY query, rank
"""
PLAIN = "query, item, rank, score"


def duckdb_file(kind: str, sources: list[str], target: str) -> None:
    import duckdb

    if kind == "trec":
        types = ", ".join(f"'{name}': '{'DOUBLE' if name == 'score' else 'VARCHAR'}'" for name in TREC)
        shape = f"delim = ' ', header = false, quote = '', columns = {{{types}}}, filename = true"
        columns, rows, ranker = "query, 'Q0', item, rank, score, 'rrf'", f"read_csv({sources!r}, {shape})", "filename"
    else:
        columns, rows, ranker = PLAIN, f"read_{kind}({sources!r})", "ranker"
    forms = {"parquet": "FORMAT parquet", "csv": "FORMAT csv", "trec": "FORMAT csv, DELIMITER ' ', HEADER false"}
    duckdb.sql(f"COPY ({RRF.format(rows=rows, ranker=ranker, columns=columns)}) TO '{target}' ({forms[kind]})")


# --- frames -----------------------------------------------------------------------------------------------------------


def measure_frame(name: str, kind: str, source: str, threads: int, target: str | None) -> None:
    """Print the wall and CPU seconds of one call, as JSON; then write the result, sorted by query, to ``target``."""
    fuse = {"stagg": stagg_frame, "Polars": polars_frame, "DuckDB": duckdb_frame}[name]
    fuse(kind, hold(kind, str(Path(source).with_name("six.parquet"))), threads)()
    call = fuse(kind, hold(kind, source), threads)
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}))
    if target:
        write_frame(result, target)


def hold(kind: str, source: str) -> Any:
    """The rows as their owner has them; a DuckDB relation is a table in memory."""
    if kind == "duckdb":
        import duckdb

        database = duckdb.connect()
        database.sql(f"CREATE TABLE held AS SELECT * FROM read_parquet('{source}')")
        return database, database.table("held")
    if kind == "polars":
        import polars as pl

        return pl.read_parquet(source)
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(source)
    return table.to_pandas() if kind == "pandas" else table


def takes_threads() -> bool:
    """Whether ``stagg.fuse`` has an option for the number of threads."""
    import stagg

    return "threads" in inspect.signature(stagg.fuse).parameters


def stagg_frame(kind: str, held: Any, threads: int) -> Callable[[], Any]:
    import stagg

    options: dict[str, Any] = {"threads": threads} if threads and takes_threads() else {}
    rows = held[1] if kind == "duckdb" else held
    if kind in ("pandas", "polars"):
        return lambda: stagg.fuse(rows, **options).to_frame(kind)
    return lambda: stagg.fuse(rows, **options).to_arrow()


def polars_frame(kind: str, held: Any, _: int) -> Callable[[], Any]:
    import polars as pl

    enter: dict[str, Callable[[Any], Any]] = {
        "pandas": pl.from_pandas,
        "arrow": pl.from_arrow,
        "duckdb": lambda both: both[1].pl(),
        "polars": lambda frame: frame,
    }
    leave: dict[str, Callable[[Any], Any]] = {
        "pandas": lambda frame: frame.to_pandas(),
        "polars": lambda frame: frame,
    }
    last = leave.get(kind, lambda frame: frame.to_arrow())
    return lambda: last(polars_rrf(enter[kind](held).lazy()).collect())


def duckdb_frame(kind: str, held: Any, _: int) -> Callable[[], Any]:
    import duckdb

    database = held[0] if kind == "duckdb" else duckdb.connect()
    if kind != "duckdb":
        database.register("held", held)
    sql = RRF.format(rows="held", ranker="ranker", columns=PLAIN)
    leave: dict[str, Callable[[Any], Any]] = {"pandas": lambda found: found.df(), "polars": lambda found: found.pl()}
    last = leave.get(kind, lambda found: found.to_arrow_table())
    return lambda: last(database.sql(sql))


def write_frame(result: Any, target: str) -> None:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet

    if isinstance(result, pl.DataFrame):
        result = result.to_arrow()
    elif not isinstance(result, pa.Table):
        result = pa.Table.from_pandas(result, preserve_index=False)
    pyarrow.parquet.write_table(result.sort_by([("query", "ascending"), ("rank", "ascending")]), target)


# --- agreement --------------------------------------------------------------------------------------------------------


def compare(kind: str, ours: str, theirs: str) -> None:
    """Same items of each query, same scores but for the tie rules, and hence the same ranks but for near ties."""
    import polars as pl

    def read(path: str) -> pl.DataFrame:
        scans: dict[str, Callable[[str], Any]] = {"parquet": pl.scan_parquet, "csv": pl.scan_csv, "trec": scan_trec}
        columns = pl.col("query", "item").cast(pl.String), pl.col("rank").cast(pl.Int64), pl.col("score")
        return scans[kind](path).select(*columns).collect()  # type: ignore[no-any-return]

    mine, other = read(ours), read(theirs)
    for path, rows in ((ours, mine), (theirs, other)):
        if not rows.equals(rows.sort("query", "rank")):
            raise SystemExit(f"{path} is not in the order of queries and ranks")
    pairs = mine.join(other, on=["query", "item"], how="inner")
    if not len(mine) == len(other) == len(pairs):
        raise SystemExit(f"{ours} has {len(mine)} rows, {theirs} {len(other)}, and they share {len(pairs)}")
    apart = float((pairs["score"] / pairs["score_right"] - 1).abs().max())  # type: ignore[arg-type]
    if apart > TIE_RULES:
        raise SystemExit(f"scores of {ours} and {theirs} differ by {apart:.2g} of their size")
    same = mine.join(other, on=["query", "rank"]).select(pl.col("score") / pl.col("score_right") - 1)
    if same["score"].abs().max() > TIE_RULES:  # type: ignore[operator]
        raise SystemExit(f"{ours} and {theirs} have items with unlike scores at the same rank")
    moved = (pairs["rank"] != pairs["rank_right"]).sum()
    print(json.dumps({"rows": len(mine), "apart": apart, "moved": moved}))


if __name__ == "__main__":
    main()
