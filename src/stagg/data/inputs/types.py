"""Types of the inputs: everything that ``fuse`` and its siblings accept as rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from stagg.data.rankings import Rankings

__all__ = ["ArrowBatch", "ArrowStream", "Frame", "LazyFrame", "RankingsLike"]


class Frame(Protocol):
    """A data frame of pandas, Polars or their like: columns by name."""

    @property
    def columns(self) -> Any: ...

    def __getitem__(self, name: Any, /) -> Any: ...


class LazyFrame(Protocol):
    """A lazy frame, as Polars has: it is collected."""

    def collect_schema(self) -> Any: ...

    def collect(self) -> Any: ...


class ArrowStream(Protocol):
    """A table, a reader or a relation that streams Arrow batches: pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: Any = None, /) -> Any: ...


class ArrowBatch(Protocol):
    """One Arrow batch."""

    def __arrow_c_array__(self, requested_schema: Any = None, /) -> Any: ...


BestFirst = Sequence[Any]
"""Ids, best first, a set or a list inside being a group of tied items; or ``(id, number)`` tuples, scored hits."""

Scored = Mapping[Any, Any]
"""One list, ``{item: number}``, or one run, ``{query: {item: number}}``."""

Leg = BestFirst | Scored | None
"""List or run of one ranker; None where it failed."""

RankingsLike = (
    Rankings | Frame | LazyFrame | ArrowStream | ArrowBatch | Mapping[Any, Leg] | Mapping[Any, BestFirst]
    | Mapping[Any, Scored] | Iterable[Leg]
)  # fmt: skip
"""Rankings, or anything that can be converted into them unambiguously: lists, dicts of numbers, runs, frames."""
