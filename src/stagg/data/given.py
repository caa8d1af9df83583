"""What people hold, as types: everything that ``fuse`` and its siblings take for rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from stagg.data.rankings import Rankings

__all__ = ["Frame", "RankingsLike"]


class Frame(Protocol):
    """A data frame of pandas, Polars or their like: columns by name."""

    @property
    def columns(self) -> Any: ...

    def __getitem__(self, name: Any, /) -> Any: ...


BestFirst = Sequence[Any]
"""Ids, best first; a set or a sequence inside is a group of tied items."""

Scored = Mapping[Any, Any]
"""One list, ``{item: number}``, or one run, ``{query: {item: number}}``."""

RankingsLike = Rankings | Frame | Mapping[Any, BestFirst | Scored] | Iterable[BestFirst | Scored]
"""Rankings, or anything that can be converted into them unambiguously: lists, dicts of numbers, runs, frames."""
