"""``stagg fuse --engine spark``: the options that it accepts, and its messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stagg.aggregate import Plan
from stagg.cli.fuse_in_parts import say_written
from stagg.cli.options.reading import say_read
from stagg.cli.show.talk import busy
from stagg.errors import InvalidParameter
from stagg.formats import ReadOptions

__all__ = ["fuse_by_spark"]

UNFIT = {
    "query": "--query picks queries in one process: fuse them without --engine spark",
    "excel_safe": "--excel-safe is for CSV, which Spark does not write",
    "threads": "--threads is for one process; Spark has its own: --master 'local[N]'",
    "memory": "--memory is for one process; Spark has its own: spark.executor.memory and spark.executor.memoryOverhead",
    "report": "--report needs all of the rankings in one place: fuse a part of them without --engine spark",
    "plots": "--plots need all of the rankings in one place: fuse a part of them without --engine spark",
}


def fuse_by_spark(
    inputs: Sequence[str],
    plan: Plan,
    output: str | None,
    reading: tuple[str, ReadOptions],
    *,
    master: str | None,
    unfit: Mapping[str, object],
    quiet: bool,
) -> None:
    """Fuse on Spark, and say what was read and written; ``unfit`` are the options that one process alone honours."""
    for name, value in unfit.items():
        if value is not None:
            raise InvalidParameter(UNFIT[name])
    if output is None:
        raise InvalidParameter("--engine spark writes a folder of parts: name it, -o OUT.parquet or -o OUT.trec")
    from stagg.engines.spark.extra import need_spark

    need_spark()
    from stagg.engines.spark.job import fuse_files

    with busy("fusing on Spark", quiet=quiet):
        outcome = fuse_files(inputs, output, plan, master=master, format=reading[0], reading=reading[1])
    say_read(outcome.log, outcome.summary(), quiet=quiet)
    if not quiet:
        say_written(outcome.tally.queries, outcome.tally.written, plan, output)
