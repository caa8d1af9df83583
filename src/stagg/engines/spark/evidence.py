"""Gather what a method learns from all queries: one pass of the executors before the pass that fuses.

Each partition adds up the evidence of its queries (:meth:`stagg.methods.Method.evidence`); then that of the partitions
is merged, by the executors first, so that the driver holds two at a time. The sums are of whole numbers: neither the
partitions nor their order can change a bit.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from stagg.engines.local import gather_batches
from stagg.engines.spark.session import clear_errors
from stagg.engines.task import Task
from stagg.methods.base import Evidence

__all__ = ["learn"]


def learn(columns: Any, task: Task) -> Task:
    """The task with a method that has seen all rows; as it is where there is nothing to learn."""
    total = task.plan.method.evidence()
    if total is None:
        return task
    with clear_errors():
        for found in _merged(columns, task).toLocalIterator():
            total.merge(found)
    return dataclasses.replace(task, plan=task.plan.conclude(total))


def _merged(columns: Any, task: Task) -> Any:
    """The evidence of all partitions in as many groups as there are partitions in a group."""
    together = columns.repartition("query").sortWithinPartitions("query")
    rows = together.mapInArrow(functools.partial(_gather, task=task), "evidence binary").rdd
    groups = math.isqrt(max(rows.getNumPartitions() - 1, 0)) + 1
    return rows.mapPartitionsWithIndex(functools.partial(_load, groups=groups)).reduceByKey(_merge, groups).values()


def _gather(batches: Iterable[pa.RecordBatch], task: Task) -> Iterator[pa.RecordBatch]:
    packed = pickle.dumps(gather_batches(batches, task), protocol=5)
    yield pa.RecordBatch.from_pydict({"evidence": pa.array([packed], pa.binary())})


def _load(partition: int, rows: Iterable[Any], groups: int) -> Iterator[tuple[int, Evidence]]:
    return ((partition % groups, pickle.loads(row[0])) for row in rows)


def _merge(one: Evidence, other: Evidence) -> Evidence:
    one.merge(other)
    return one
