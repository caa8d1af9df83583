"""Spark against the in-process engine, on a cluster of two executors: equal ids, ranks and scores."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stagg
from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName
from stagg.learning import LEARNERS
from stagg.methods import Method, method_of

pa = pytest.importorskip("pyarrow", reason="engines work on Arrow tables: pip install pyarrow")

import pyarrow.parquet as pq  # noqa: E402
from tests.engines.test_evidence import odd_rows  # noqa: E402

METHODS = ["rrf(c=60)", "stagg_rrf", "mc4", "model", "trust", "stagg_trust"]
SLOW = "local_kemeny"  # so that an executor can be killed while it works
RANKERS = ("bm25", "dense", "splade", "rm3", "colbert")
HOSTILE = [
    "001",
    "NA",
    '"d2',
    "a b",
    "é",
    "\u202ed",
    "x\x1b[31m",
    "null",
    "🙂",
    "d" * 5000,
    "a\tb",
    "\ufeffz",
    "\r",
    "%s",
]


def generated(queries: int, length: int, seed: int = 0) -> Any:
    """A table of rankings: every ranker lists ``length`` items of a query, with ties."""
    rng = np.random.default_rng(seed)
    lists = queries * len(RANKERS)
    items = rng.permuted(np.tile(np.arange(2 * length), (lists, 1)), axis=1)[:, :length]
    names = pa.array([f"d{item}" for item in range(2 * length)])
    return pa.table(
        {
            "query": pa.array([f"q{q}" for q in range(queries)]).take(
                np.repeat(np.arange(queries), lists // queries * length)
            ),
            "ranker": pa.array(RANKERS).take(np.tile(np.repeat(np.arange(len(RANKERS)), length), queries)),
            "item": names.take(items.reshape(-1)),
            "score": pa.array(np.round(rng.normal(size=lists * length), 2)),
        }
    )


def trained(rankings: Rankings, seed: int = 0) -> Method:
    """A model that was fitted to random labels of the first items of a few queries."""
    few = rankings.take_queries(range(min(10, len(rankings))))
    rng = np.random.default_rng(seed)
    labels = Labels({view.id: {item: int(rng.integers(0, 3)) for item in view.items[:50]} for view in few})
    return LEARNERS.parse("stagg_ndcg(features='borda', iterations=3)").fit(few, labels)


def chosen(name: str, rankings: Rankings) -> Method:
    if name == "trust":  # learned in one process, then saved; "stagg_trust" is learned by the executors
        return stagg.train(rankings, "trust")
    return trained(rankings) if name == "model" else method_of(name)


def in_process(rankings: Rankings, method: str | Method, **options: Any) -> Any:
    fused = stagg.fuse(rankings, method, **options)
    ordered = fused.take_queries(sorted(range(len(fused)), key=fused.queries.__getitem__)).to_columns()
    return pa.table({name: ordered[name] for name in ("query", "item", "rank", "score")})


def on_spark(df: Any, method: str | Method, **options: Any) -> Any:
    from stagg.engines.spark import fuse

    return fuse(df, method, ordered=True, **options).toArrow()


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("million") / "runs.parquet"
    pq.write_table(generated(10_000, 20), path, row_group_size=100_000)
    return path


@pytest.fixture(scope="module")
def million_rankings(million: Path) -> Rankings:
    return stagg.read(million)


@pytest.mark.parametrize("name", METHODS)
def test_a_million_rows_are_fused_as_in_one_process(
    spark: Any, million: Path, million_rankings: Rankings, name: str
) -> None:
    method = chosen(name, million_rankings)
    found = on_spark(spark.read.parquet(str(million)), method)
    assert found.equals(in_process(million_rankings, method))


@pytest.mark.parametrize("name", METHODS)
def test_the_runs_of_dl19_are_fused_as_in_one_process(spark: Any, shared_data: Path, tmp_path: Path, name: str) -> None:
    rankings = stagg.read(sorted((shared_data / "trec-dl-hybrid" / "dl19").glob("*.trec"))).cut(100)
    columns = rankings.to_columns()
    pq.write_table(
        pa.table({each: columns[each] for each in ("query", "ranker", "item", "score")}), tmp_path / "r.parquet"
    )
    method = chosen(name, rankings)
    assert on_spark(spark.read.parquet(str(tmp_path)), method).equals(in_process(rankings, method))


@pytest.mark.filterwarnings("ignore:.*nothing to learn from")
@pytest.mark.parametrize("method", ["stagg_trust", "copeland(shape='learned', trust='learned')"])
def test_what_is_learned_from_all_queries_does_not_depend_on_the_partitions(spark: Any, method: str) -> None:
    for table in (odd_rows(0), odd_rows(1, scored=False), odd_rows(2, queries=1)):
        expected = in_process(Rankings.from_frame(table.to_pandas()), method)
        for partitions in ("1", "3", "50"):
            spark.conf.set("spark.sql.shuffle.partitions", partitions)
            try:
                assert on_spark(spark.createDataFrame(table), method).equals(expected)
            finally:
                spark.conf.set("spark.sql.shuffle.partitions", "8")


def executors(spark: Any) -> set[int]:
    """The process ids of this application's executors."""
    application = f"--app-id\0{spark.sparkContext.applicationId}".encode()
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and application in command and b"java" in command[:200]:
            found.add(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="executors are found in /proc")
def test_an_executor_that_is_killed_in_mid_job_changes_nothing(
    spark: Any, million: Path, million_rankings: Rankings
) -> None:
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    outcome: list[Any] = []
    job = threading.Thread(target=lambda: outcome.append(on_spark(spark.read.parquet(str(million)), SLOW)))
    try:
        job.start()
        seen = wait_for(lambda: (fusing(spark) and executors(spark)) or not job.is_alive(), "the job does not end")
        if not job.is_alive():
            pytest.skip(f"the job was over before it was seen in its middle (executors: {sorted(executors(spark))})")
        killed = min(seen)
        os.kill(killed, signal.SIGKILL)
        assert job.is_alive()
        job.join(timeout=300)
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")
    wait_for(lambda: killed not in executors(spark) and len(executors(spark)) == 2, "no new executor has come")
    assert outcome, "the job failed"
    assert outcome[0].equals(in_process(million_rankings, SLOW))


def fusing(spark: Any) -> bool:
    """Whether a stage of 8 tasks, which come after the shuffle, is under way: Spark counts late those that ended."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return any(info and info.numTasks == 8 and info.numCompletedTasks <= 4 for info in stages)


def wait_for(condition: Callable[[], Any], otherwise: str, seconds: float = 120) -> Any:
    """What `condition` gives as soon as that is true."""
    end = time.monotonic() + seconds
    while not (given := condition()):
        assert time.monotonic() < end, otherwise
        time.sleep(0.05)
    return given


def test_one_huge_query_and_many_tiny_ones(spark: Any, tmp_path: Path) -> None:
    huge = generated(1, 200_000).set_column(0, "query", pa.array(["huge"] * 1_000_000))
    tiny = generated(20_000, 1)
    both = pa.concat_tables([huge, tiny])
    pq.write_table(both, tmp_path / "runs.parquet", row_group_size=200_000)  # Spark's driver would not hold it
    found = on_spark(spark.read.parquet(str(tmp_path)), "rrf")
    assert found.equals(in_process(Rankings.from_frame(both.to_pandas()), "rrf"))


def test_hostile_ids_come_back_as_they_were(spark: Any) -> None:
    rows = [(q, r, i, float(n)) for q in HOSTILE for r in HOSTILE[:3] for n, i in enumerate(HOSTILE)]
    table = pa.table(dict(zip(("query", "ranker", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    assert on_spark(spark.createDataFrame(table), "borda").equals(
        in_process(Rankings.from_frame(table.to_pandas()), "borda")
    )


def test_columns_keep_their_names_and_whole_numbers_become_text(spark: Any) -> None:
    from stagg.engines.spark import fuse

    df = spark.createDataFrame(
        [(7, "x", 31, 1), (7, "x", 12, 2), (7, "y", 12, 1)], ["my.poll", "user", "film", "place"]
    )
    found = fuse(df, "borda", query="my.poll", ranker="user", item="film", rank="place")
    assert found.columns == ["my.poll", "film", "place", "score"]
    assert [tuple(row) for row in found.collect()] == [("7", "12", 1, 3.0), ("7", "31", 2, 2.0)]


def test_options_are_those_of_fuse(spark: Any) -> None:
    table = generated(30, 8)
    rankings, df = Rankings.from_frame(table.to_pandas()), spark.createDataFrame(table)
    for options in ({"top": 3}, {"depth": 4}, {"weights": {"bm25": 0, "dense": 2}}, {"missing": "below"}):
        assert on_spark(df, "borda", **options).equals(in_process(rankings, "borda", **options))
    sure = on_spark(df, "rrf", intervals=0.9, draws=40, seed=2)
    assert sure.column_names == ["query", "item", "rank", "score", "low", "high", "top", "group"]
    fused = stagg.fuse(rankings, "rrf", intervals=0.9, draws=40, seed=2)
    ordered = fused.take_queries(sorted(range(len(fused)), key=fused.queries.__getitem__)).intervals
    assert ordered is not None
    for name in ("low", "high", "top", "group"):
        assert sure[name].to_pylist() == getattr(ordered, name).tolist()
    assert on_spark(df, "rra").column_names == ["query", "item", "rank", "score", "p", "q"]


def test_nothing_runs_until_it_is_asked_for(spark: Any) -> None:
    from stagg.engines.spark import fuse

    wrong = spark.createDataFrame([("q", "r", "a", float("nan"))], ["query", "ranker", "item", "score"])
    lazy = fuse(wrong, "rrf")
    with pytest.raises(Exception, match=r"stagg\.errors\.DataError: query 'q', ranker 'r', item 'a': the score is nan"):
        lazy.collect()


def test_what_is_wrong_with_the_call_is_said_at_once(spark: Any) -> None:
    from stagg.engines.spark import fuse

    df = spark.createDataFrame([("q", "r", "a", 1.0)], ["query", "ranker", "item", "score"])
    for call, error, message in (
        (lambda: fuse(df.drop("score")), DataError, "no column 'score' or 'rank'"),
        (lambda: fuse(df, query="qid"), DataError, "no column 'qid'"),
        (lambda: fuse(df.withColumn("item", df.score)), DataError, "'item' is of type double; ids are text"),
        (lambda: fuse(df.withColumn("score", df.item)), DataError, "'score' is of type string; expected numbers"),
        (lambda: fuse(df, "borad"), UnknownName, "borda"),
        (lambda: fuse(df, weights=[1, 2]), InvalidParameter, "name them"),
        (lambda: fuse(df, weights={"s": 2}), UnknownName, "which the input does not have"),
        (lambda: fuse(df, depht=3), InvalidParameter, "depth"),
        (lambda: fuse(df, top=0), InvalidParameter, "top"),
        (lambda: fuse([["a"]]), InvalidParameter, "expected a Spark DataFrame"),
        (lambda: fuse(df.withColumn("multiplicity", df.score)), DataError, "multiplicities"),
    ):
        with pytest.raises(error, match=message):
            call()
