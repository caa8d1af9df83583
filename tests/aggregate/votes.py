"""Votes as rows, the orders that rows come in, and the files that hold them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq


class Row(NamedTuple):
    query: str
    ranker: str
    item: str
    rank: int
    score: float


Files = Callable[[Path, Sequence[Row]], list[Path]]


def make_votes(
    queries: Iterable[object], *, rankers: int = 4, items: int = 15, missing: float = 0.2, seed: int = 0
) -> list[Row]:
    """Ranker after ranker, best first: lists of any length, with ties, some of them missing; ids are numbers."""
    rng, rows, queries = random.Random(seed), [], list(queries)
    for ranker in range(rankers):
        for query in rng.sample(queries, len(queries)):
            if rng.random() >= missing:
                listed = rng.sample(range(items), rng.randint(1, items))
                scores = sorted((rng.choice([rng.randrange(40) / 4, 7.25]) for _ in listed), reverse=True)
                rows += [
                    Row(str(query), f"r{ranker}", str(100 + item), rank, score)
                    for rank, (item, score) in enumerate(zip(listed, scores, strict=True), 1)
                ]
    return rows


def shuffle(rows: Sequence[Row]) -> list[Row]:
    return random.Random(len(rows)).sample(rows, len(rows))


def restart(rows: Sequence[Row]) -> list[Row]:
    """Sorted by query for long; then the last rows of early queries."""
    ordered = sorted(rows, key=lambda row: row.query.encode())
    late = ordered[5:400:40]
    return [row for row in ordered if row not in late] + late


ORDERS: dict[str, Callable[[Sequence[Row]], list[Row]]] = {
    "m": list,
    "q": lambda rows: sorted(rows, key=lambda row: row.query.encode()),
    "s": shuffle,
    "by number": lambda rows: sorted(rows, key=lambda row: (len(row.query), row.query)),
    "backwards": lambda rows: sorted(rows, key=lambda row: row.query.encode(), reverse=True),
    "restarted": restart,
}
"""Ranker after ranker (runs behind each other), sorted by query, shuffled, and orders that only look sorted."""


def table(rows: Iterable[Row], *, delimiter: str = ",", columns: str = "query,ranker,item,score") -> str:
    names = columns.split(",")
    lines = [names] + [[str(getattr(row, name)) for name in names] for row in rows]
    if delimiter == ";":
        lines[1:] = [[cell.replace(".", ",") for cell in line] for line in lines[1:]]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def run_lines(rows: Iterable[Row], tag: str = "t") -> str:
    return "".join(f"{row.query} Q0 {row.item} {row.rank} {row.score} {tag}\n" for row in rows)


def store(path: Path, content: str | bytes) -> Path:
    """Write a file, packed if its name says so."""
    raw = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(raw, 1) if path.suffix == ".gz" else raw)
    return path


def write_rows(path: Path, rows: Sequence[Row], *, ids: str = "string", group: int = 50, **options: bool) -> Path:
    """A Parquet file; ``ids`` is the kind of its ids, of which a ranker is always text."""
    convert = int if ids.startswith("int") else str
    text = "string" if ids.startswith("int") else ids
    path.parent.mkdir(exist_ok=True)
    columns = {
        "query": pa.array([convert(row.query) for row in rows], ids),
        "ranker": pa.array([row.ranker for row in rows], text),
        "item": pa.array([convert(row.item) for row in rows], ids),
        "score": pa.array([row.score for row in rows], "float64"),
    }
    pq.write_table(pa.table(columns), path, row_group_size=group, **options)
    return path


def split_by_ranker(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of every ranker, in their order, rankers by name."""
    ordered = sorted(rows, key=lambda row: row.ranker)
    return {ranker: list(each) for ranker, each in groupby(ordered, key=lambda row: row.ranker)}


def split_in_parts(rows: Sequence[Row]) -> list[list[Row]]:
    """Three parts; all rows of a list are in one of them, the lists of a query in several."""
    return [[row for row in rows if (int(row.query) + int(row.ranker[1:])) % 3 == part] for part in range(3)]


def one_run_each(ending: str) -> Files:
    return lambda folder, rows: [
        store(folder / f"{ranker}.{ending}", run_lines(each)) for ranker, each in split_by_ranker(rows).items()
    ]


def one_table(ending: str, delimiter: str = ",") -> Files:
    return lambda folder, rows: [store(folder / f"votes.{ending}", table(rows, delimiter=delimiter))]


def one_table_each(folder: Path, rows: Sequence[Row]) -> list[Path]:
    return [
        store(folder / f"{ranker}.csv", table(each, columns="item,query,score"))
        for ranker, each in split_by_ranker(rows).items()
    ]


def mixed(folder: Path, rows: Sequence[Row]) -> list[Path]:
    """Runs and tables beside each other."""
    return [*one_run_each("trec.gz")(folder, rows)[:2], *one_table_each(folder, rows)[2:]]


def parquet(**options: object) -> Files:
    return lambda folder, rows: [write_rows(folder / "votes.parquet", rows, **options)]  # type: ignore[arg-type]


FILES: dict[str, Files] = {
    "a run each": one_run_each("trec"),
    "a packed run each": one_run_each("trec.gz"),
    "csv": one_table("csv"),
    "csv.gz": one_table("csv.gz"),
    "tsv": one_table("tsv", "\t"),
    "semicolons": one_table("csv", ";"),
    "a table each": one_table_each,
    "runs and tables": mixed,
    "tables in parts": lambda folder, rows: [
        store(folder / f"part{number}.csv", table(part)) for number, part in enumerate(split_in_parts(rows))
    ],
    "parquet": parquet(),
    "parquet by 7 rows": parquet(group=7),
    "parquet in one group": parquet(group=10**6),
    "parquet without dictionaries": parquet(use_dictionary=False),
    "parquet of large strings": parquet(ids="large_string", group=33),
    "parquet of whole numbers": parquet(ids="int64", group=33),
    "parquet of small numbers": parquet(ids="int16"),
    "parquet in parts": lambda folder, rows: [
        write_rows(folder / f"part{number}.parquet", part, group=20) for number, part in enumerate(split_in_parts(rows))
    ],
}
"""Every kind of input that is read in chunks."""


def lie(folder: Path, rows: Sequence[Row]) -> Iterator[list[Path]]:
    """The same rows in the files and orders that are least alike, one after the other."""
    few = {"csv": one_table("csv"), "trec": one_run_each("trec"), "parquet": parquet(group=33)}
    for order, files in [
        ("m", "csv"),
        ("s", "csv"),
        ("restarted", "csv"),
        ("s", "trec"),
        ("q", "parquet"),
        ("s", "parquet"),
    ]:
        yield few[files](folder, ORDERS[order](rows))
