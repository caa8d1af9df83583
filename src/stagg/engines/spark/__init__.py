"""Fusion on Apache Spark: a DataFrame of rankings in, a DataFrame of the consensus out.

- ``frames``: From a DataFrame to its consensus: columns by name, one shuffle by query, the local code on every
  partition
- ``job``: Run a whole job of the command line: files in, the consensus as Parquet or TREC parts out, and a summary
- ``reading``: Read the inputs of the command line on Spark: the files, the rankers that they belong to, their columns
- ``trec``: Read TREC runs on Spark: lines of text, parsed by Spark itself under the rules of our reader
- ``evidence``: Gather what a method learns from all queries: one pass of the executors before the pass that fuses
- ``writing``: Write a folder of parts atomically: into a temporary folder beside the target, then renamed
- ``session``: Start a Spark session for the command line, and turn Spark's errors into one clear line
- ``extra``: Requirements of Spark: pyspark, pyarrow and Java
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Unpack

from stagg.aggregate import DEFAULT_METHOD, Plan, PlanOptions, prepare
from stagg.engines.base import InputFiles, Listener, Outcome, Output
from stagg.engines.spark.extra import need_spark
from stagg.errors import InvalidParameter
from stagg.methods import Method
from stagg.registry import near_names

__all__ = ["SparkEngine", "fuse"]


@dataclasses.dataclass(frozen=True)
class SparkEngine:
    """The engine of a cluster, or of this machine; without a ``master`` as Spark is configured."""

    master: str | None = None

    def run(self, plan: Plan, inputs: InputFiles, output: Output, listener: Listener | None = None) -> Outcome:
        """Fuse files into a folder of parts: see :class:`stagg.engines.base.Engine`."""
        listener = listener or Listener()
        if inputs.queries:
            raise InvalidParameter("the Spark engine fuses all queries: fuse some of them in one process")
        if output.path is None:
            raise InvalidParameter("the Spark engine writes a folder of parts: name it")
        need_spark()
        from stagg.engines.spark.job import fuse_files

        with listener.busy("fusing on Spark"):
            outcome = fuse_files(inputs, output.path, plan, master=self.master)
        listener.has_read(outcome.log, outcome.summary)
        return outcome


def fuse(
    df: Any,
    method: str | Method = DEFAULT_METHOD,
    *,
    query: str = "query",
    item: str = "item",
    ranker: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    rankers: Sequence[str] | None = None,
    ordered: bool = False,
    **options: Unpack[PlanOptions],
) -> Any:
    """One row per listed item in, the consensus of each query out; both are Spark DataFrames, and nothing runs yet.

    ``query``, ``item``, ``ranker``, ``score`` and ``rank`` name columns; those not given are used when the frame has a
    column of that name. The score decides where both are there; without a ranker all rows are of one. The result has
    the columns query, item, rank (from 1) and score, under the names that they have in ``df``, with ``intervals`` low,
    high, top and group, and by ``rra`` p and q. Ids are text: whole numbers are written out.

    ``options`` are those of :func:`stagg.fuse`, and so are the rows that come out, whatever the number of
    executors and however often one of them fails.

    Weights, trained models and methods that learn have to know all ``rankers``. Where these are not given, one pass
    over the column finds them at once. A method that learns from all queries, such as ``stagg_trust``, also goes
    through all rows at once. The rest waits for an action. ``ordered`` gives the queries in the order of their ids over
    all partitions, for one more pass over the input (Spark samples it to find the bounds).

    Wrong data are found by the executors: an action then fails with the text of a :class:`stagg.DataError`.
    """
    need_spark()
    from stagg.engines.spark.evidence import learn
    from stagg.engines.spark.frames import assign, fused, named

    for option in options:
        if option not in PlanOptions.__annotations__:
            raise InvalidParameter(f"there is no option {option!r}{near_names(option, PlanOptions.__annotations__)}")
    names = named(df, query=query, item=item, ranker=ranker, score=score, rank=rank)
    task = assign(names, prepare(method, **options), rankers=rankers)
    task = learn(names.columns(), task)
    return fused(names.columns(), task, ordered=ordered).withColumnsRenamed(names.renamed())
