"""What people hold, as types: everything that ``fuse`` and its siblings take for rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from stagg.data.rankings import Rankings

__all__ = ["Frame", "RankingsLike"]

BestFirst = Sequence[Any]
"""Ids, best first; a set or a sequence inside is a group of tied items."""

Scored = Mapping[Any, float]
"""``{item: number}``"""

Run = Mapping[Any, Mapping[Any, float]]
"""``{query: {item: number}}``"""


class Frame(Protocol):
    """A data frame of pandas, Polars or their like: columns by name."""

    @property
    def columns(self) -> Any: ...

    def __getitem__(self, name: Any, /) -> Any: ...


RankingsLike = (
    Rankings
    | Frame
    | Mapping[Any, BestFirst]
    | Mapping[Any, Run]
    | Mapping[Any, Scored]
    | Iterable[BestFirst]
    | Iterable[Scored]
    | Iterable[Run]
)
"""Rankings, or what can be converted into them unambiguously: lists, dicts of numbers, runs, frames."""
