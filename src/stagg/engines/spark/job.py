"""Run a whole job of the command line: files in, the consensus as Parquet or TREC parts out, and a summary."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from stagg.aggregate import Plan
from stagg.data.large_numbers import REMEDY
from stagg.data.rankings import summarise
from stagg.engines.base import InputFiles, Outcome
from stagg.engines.spark.evidence import learn
from stagg.engines.spark.frames import assign, fused
from stagg.engines.spark.reading import Input, open_for_spark
from stagg.engines.spark.session import clear_errors, session
from stagg.engines.spark.trec import PROBLEMS
from stagg.engines.spark.writing import Target
from stagg.engines.task import BucketTally
from stagg.errors import DataError, InvalidParameter, StaggError, plural
from stagg.formats.log import ReadLog
from stagg.formats.write import format_of_name
from stagg.say import Say, tell

__all__ = ["describe_job", "fuse_files", "kind_of_output"]


def describe_job(tally: BucketTally) -> Outcome:
    """Log and counts of a job, in the words of the in-process engine."""
    log = ReadLog()
    log.used(tally.rows)
    for reason, rows in sorted(tally.dropped.items()):
        log.dropped(PROBLEMS.get(reason, reason), tally.first[reason], rows)
    if tally.contradictions:
        log.note(
            tell(
                f"{tally.first['contradictions']}: the rank column contradicts the scores ({tally.contradictions:,} "
                "rows); the score decides; ",
                Say(order_by="rank"),
                " takes the rank column",
            )
        )
    if tally.large_ties:
        log.note(f"numbers tie that may differ ({plural(tally.large_ties, 'row')}): {REMEDY}")
    strangers = tally.overlap.describe()
    if strangers is not None:
        log.note(strangers)
    lengths = None if tally.shortest is None else (tally.shortest, tally.longest)
    summary = summarise(
        tally.queries, len(tally.rankers), tally.items, lengths=lengths, scores=True, ties=tally.has_ties
    )
    return Outcome(log, summary, tally.queries, tally.written)


def kind_of_output(output: str) -> tuple[str, str | None]:
    """("trec" or "parquet", how it is packed), by the ending."""
    kind = format_of_name(output).name
    if kind not in ("trec", "parquet") or (kind == "parquet" and output.lower().endswith(".gz")):
        raise InvalidParameter(
            f"{output}: the Spark engine writes folders of parts that end in .parquet, .trec or .trec.gz"
        )
    return kind, "gzip" if output.lower().endswith(".gz") else None


def fuse_files(inputs: InputFiles, output: str, plan: Plan, *, master: str | None = None) -> Outcome:
    """Fuse what the inputs hold by a plan, on Spark, into a folder of parts.

    The parts follow one another in the order of the queries' ids: put together they are what one process writes.
    """
    (kind, packed), how = kind_of_output(output), inputs.options
    with session(master) as spark:
        given = open_for_spark(spark, inputs.paths, inputs.format, how)
        with clear_errors():
            target = Target(spark, output)
            target.check(given.files)
            target.recover()
        task = assign(
            given.names,
            plan,
            rankers=given.rankers,
            order_by=how.order_by,
            lenient=how.lenient,
            as_trec=kind == "trec",
        )
        total = spark.sparkContext.accumulator(BucketTally(), _adding())
        with target.replacing() as folder:
            with _placed_errors(given):
                task = learn(given.columns, task)
                result = fused(given.columns, task, ordered=True, report=total.add)
                _write(result, folder, kind, packed)
            if not total.value.rows:
                raise DataError("0 rows: there is nothing to read")
    return describe_job(total.value)


def _write(result: Any, folder: str, kind: str, packed: str | None) -> None:
    """The one action of the job."""
    with clear_errors():
        if kind == "parquet":
            result.write.parquet(folder)
        else:
            result.write.text(folder, compression=packed, lineSep="\n")


@contextlib.contextmanager
def _placed_errors(given: Input) -> Iterator[None]:
    """Raise executors' errors with the file and the line."""
    try:
        yield
    except StaggError as error:
        with clear_errors():
            raise (given.placed(error) or error) from None


def _adding() -> Any:
    """How Spark adds up tallies: each task that ended well counts once, however often it was tried."""
    from pyspark.accumulators import AccumulatorParam

    class Adding(AccumulatorParam):  # type: ignore[misc]
        def zero(self, value: BucketTally) -> BucketTally:
            return BucketTally()

        def addInPlace(self, one: BucketTally, other: BucketTally) -> BucketTally:
            return one.add(other)

    return Adding()
