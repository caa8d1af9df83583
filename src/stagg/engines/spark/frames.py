"""From a DataFrame to its consensus: columns by name, one shuffle by query, the local code on every partition."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from stagg.aggregate import Plan
from stagg.engines.local import COLUMNS, fuse_batches, result_columns
from stagg.engines.spark.session import clear_errors
from stagg.engines.task import ONE_RANKER, BucketTally, Task
from stagg.errors import DataError, InvalidParameter, shown
from stagg.learning.base import Model
from stagg.registry import near_names

__all__ = ["Named", "assign", "fused", "named"]

IDS: Final = ("query", "ranker", "item")
SPARK_TYPES: Final = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double"}


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Named:
    """A DataFrame, and which of its columns is which."""

    df: Any
    names: dict[str, str]

    def columns(self) -> Any:
        """The columns that are needed, under our names: ids as text, numbers as double."""
        from pyspark.sql import functions as F

        kinds = {name: "string" if name in IDS else "double" for name in self.names}
        return self.df.select(
            *[F.col(_quote(column)).cast(kinds[name]).alias(name) for name, column in self.names.items()]
        )

    def renamed(self) -> dict[str, str]:
        """Names of the columns of the result."""
        return {name: column for name, column in self.names.items() if name in COLUMNS and name != column}

    def rankers(self) -> tuple[str, ...]:
        """The names of all rankers, in order: one pass over their column."""
        if "ranker" not in self.names:
            return (ONE_RANKER,)
        with clear_errors():
            rows = self.columns().select("ranker").distinct().collect()
        return tuple(sorted(row[0] for row in rows if row[0]))


def named(df: Any, *, query: str, item: str, ranker: str | None, score: str | None, rank: str | None) -> Named:
    """Find the columns, and refuse those whose type cannot be what they are said to be."""
    if not hasattr(df, "mapInArrow"):
        raise InvalidParameter(f"expected a Spark DataFrame, not {shown(df)}; other frames: stagg.integrations.frames")
    asked = {"query": query, "item": item, "ranker": ranker, "score": score, "rank": rank}
    names = {}
    for name, column in asked.items():
        if column is None and name not in df.columns:
            continue
        names[name] = name if column is None else column
        if names[name] not in df.columns:
            near = near_names(names[name], df.columns)
            raise DataError(
                f"the frame has no column {names[name]!r}{near}; it has {', '.join(map(shown, df.columns))}"
            )
    if "score" not in names and "rank" not in names:
        raise DataError(f"the frame has no column 'score' or 'rank'; it has {', '.join(map(shown, df.columns))}")
    if "multiplicity" in df.columns:
        raise DataError("the Spark engine does not read multiplicities: give them as weights, and drop the column")
    _check_types(df, names)
    return Named(df, names)


def _check_types(df: Any, names: dict[str, str]) -> None:
    from pyspark.sql.types import IntegralType, NumericType, StringType

    kinds = {field.name: field.dataType for field in df.schema.fields}
    for name, column in names.items():
        kind = kinds[column]
        if name in IDS and not isinstance(kind, StringType | IntegralType):
            said = (
                f"the column {column!r} is of type {kind.simpleString()}; ids are text or whole numbers: cast it first"
            )
            raise DataError(said)
        if name not in IDS and not isinstance(kind, NumericType):
            raise DataError(f"the column {column!r} is of type {kind.simpleString()}; expected numbers: cast it first")


def _quote(column: str) -> str:
    return f"`{column.replace('`', '``')}`"


# --- what is to be done -----------------------------------------------------------------------------------------------


def assign(
    names: Named,
    plan: Plan,
    *,
    rankers: Sequence[str] | None = None,
    order_by: str | None = None,
    lenient: bool = False,
    as_trec: bool = False,
) -> Task:
    """The task of every bucket. All that can be wrong with it is said here, before Spark starts to work."""
    if not plan.is_independent and plan.method.evidence() is None:
        raise InvalidParameter(
            f"{plan.method.label} looks at all queries at once, Spark's executors at some: fuse in one process"
        )
    known = _known_rankers(names, plan, rankers)
    if known is not None:
        plan.check_rankers(known)
    return Task(plan, known, order_by=order_by, lenient=lenient, as_trec=as_trec)


def _known_rankers(names: Named, plan: Plan, given: Sequence[str] | None) -> tuple[str, ...] | None:
    """All rankers, where they were given or have to be known."""
    if given is not None:
        if isinstance(given, str) or len(set(given)) != len(given):
            raise InvalidParameter(f"rankers is a sequence of names, each once; given {shown(given)}")
        return tuple(map(str, given))
    if plan.weights is not None and not isinstance(plan.weights, Mapping):
        raise InvalidParameter(
            "weights by position need the order of the rankers, which a table on Spark does not have: name them "
            "(bm25=2,dense=1)"
        )
    by_name = plan.weights is not None or isinstance(plan.min_score, Mapping)
    learned = isinstance(plan.method, Model) or plan.method.needs_all_queries()
    return names.rankers() if by_name or learned else None


# --- the job ----------------------------------------------------------------------------------------------------------


def fused(columns: Any, task: Task, *, ordered: bool, report: Callable[[BucketTally], None] | None = None) -> Any:
    """The consensus, lazily: all rows of a query come to one partition, sorted, and are fused as they arrive."""
    together = columns.repartitionByRange("query") if ordered else columns.repartition("query")
    return together.sortWithinPartitions("query").mapInArrow(_work(task, report), _schema(task))


def _work(task: Task, report: Callable[[BucketTally], None] | None) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Work of an executor on its partition."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        return fuse_batches(batches, task, report or (lambda tally: None))

    return work


def _schema(task: Task) -> str:
    if task.as_trec:
        return "value string"
    return ", ".join(f"{name} {SPARK_TYPES[kind]}" for name, kind in result_columns(task).items())
