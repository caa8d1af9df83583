"""Seeded rows in three orders as Parquet, CSV and TREC runs: ``python bench/formats_inputs.py FOLDER --rows 5000000``.

Five rankers, lists of 1,000. The order ``m`` is ranker after ranker (runs one after another), ``q`` is by query, ``s``
is shuffled. The six-row files (``six.*``) show what it costs to start.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

RANKERS, LENGTH = 5, 1000
COLLECTION, STEP = 2_000_003, 1177  # a prime, so that no query meets an item twice
POOL = 1700  # items that the rankers of a query draw from: most are in several lists


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    queries = max(1, given.rows // (RANKERS * LENGTH))
    rng = np.random.default_rng(given.seed)
    by_ranker = make_rows(rng, queries)
    by_query = by_ranker.take(pa.array(order_by_query(queries)))
    write_tables(given.folder, "m", by_ranker)
    write_tables(given.folder, "q", by_query)
    write_tables(given.folder, "s", by_ranker.take(pa.array(rng.permutation(len(by_ranker)))))
    write_runs(given.folder / "t", by_ranker, queries * LENGTH)
    six = by_ranker.take(pa.array([0, 1, 2, queries * LENGTH, queries * LENGTH + 1, queries * LENGTH + 2]))
    write_tables(given.folder, "six", six)
    write_runs(given.folder / "six", six, 3)


def make_rows(rng: np.random.Generator, queries: int) -> pa.Table:
    """Ranker after ranker, query after query, each list best first; scores have three decimals, so some are tied."""
    pools = (rng.integers(0, COLLECTION, queries)[:, None] + STEP * np.arange(POOL)) % COLLECTION
    lists = [rng.permuted(pools, axis=1)[:, :LENGTH] for _ in range(RANKERS)]
    scores = -np.sort(-rng.random((RANKERS * queries, LENGTH)) * 20, axis=1)
    return pa.table(
        {
            "query": name(np.tile(np.repeat(np.arange(queries), LENGTH), RANKERS), "q", 4),
            "ranker": name(np.repeat(np.arange(RANKERS), queries * LENGTH), "ranker", 1),
            "item": name(np.concatenate(lists).ravel(), "d", 7),
            "score": scores.ravel().round(3),
        }
    )


def name(numbers: np.ndarray, letter: str, digits: int) -> pa.Array:
    """Ids such as d0000123, as plain strings."""
    distinct, codes = np.unique(numbers, return_inverse=True)
    ids = [f"{letter}{number:0{digits}d}" for number in distinct.tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(ids)).cast(pa.string())


def order_by_query(queries: int) -> np.ndarray:
    """Where the rows of each query are, if they come ranker after ranker."""
    return np.arange(RANKERS * queries * LENGTH).reshape(RANKERS, queries, LENGTH).swapaxes(0, 1).ravel()


def write_tables(folder: Path, order: str, rows: pa.Table) -> None:
    pyarrow.parquet.write_table(rows, folder / f"{order}.parquet")
    pyarrow.csv.write_csv(rows, folder / f"{order}.csv", pyarrow.csv.WriteOptions(quoting_style="none"))


def write_runs(folder: Path, rows: pa.Table, size: int) -> None:
    """A TREC run for every ``size`` rows; its ranks count the rows of each list."""
    folder.mkdir(exist_ok=True)
    plain = pyarrow.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    for start in range(0, len(rows), size):
        run = rows.slice(start, size)
        columns = {
            "query": run["query"],
            "q0": pa.repeat("Q0", len(run)),
            "item": run["item"],
            "rank": np.arange(len(run)) % LENGTH + 1,
            "score": run["score"],
            "tag": run["ranker"],
        }
        pyarrow.csv.write_csv(pa.table(columns), folder / f"{run['ranker'][0]}.trec", plain)


if __name__ == "__main__":
    main()
