"""The interface of inputs in parts: what every such input offers, for any kind of file."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.formats.log import ReadLog
from stagg.formats.storage.source import Source
from stagg.kernels.arrays import IntArray

__all__ = ["InParts", "Indexed", "Part", "Tally", "Whole"]

NOWHERE: Final = np.iinfo(np.int64).max

T = TypeVar("T")
V = TypeVar("V")


@dataclasses.dataclass
class Tally:
    """Counts of the input before lists are cut: items, rows, the shortest and longest list, lists with ties."""

    items: int = 0
    rows: int = 0
    shortest: int = NOWHERE
    longest: int = 0
    ties: int = 0
    scored: bool = False

    @classmethod
    def of(cls, rankings: Rankings) -> Tally:
        lengths = rankings.list_lengths
        return cls(
            len(rankings.items),
            len(rankings.entries),
            int(lengths.min(initial=NOWHERE)),
            int(lengths.max(initial=0)),
            int(rankings.tied.any()),
            rankings.scores is not None,
        )

    def add(self, other: Tally) -> None:
        """Take in what another part of the same input counted."""
        self.items += other.items
        self.rows += other.rows
        self.shortest, self.longest = min(self.shortest, other.shortest), max(self.longest, other.longest)
        self.ties += other.ties
        self.scored |= other.scored


@dataclasses.dataclass(frozen=True)
class Part:
    """The lists of some queries, what was counted there, and what the reader noticed."""

    rankings: Rankings
    tally: Tally
    log: ReadLog


class Indexed(Protocol):
    """One file, indexed."""

    name: str
    stem: str
    path: Path
    source: Source
    stretches: Any


class InParts(Protocol):
    """Inputs, indexed by query: ``queries`` in order of first appearance, ``rankers`` by name.

    ``all`` are the files, ``full`` those that are not empty; ``names_rankers``: they name their rankers themselves.
    """

    queries: tuple[str, ...]
    rankers: tuple[str, ...]
    names_rankers: bool
    ids_are_words: bool
    """Whether all ids are known to be texts without blanks."""

    @property
    def all(self) -> Sequence[Indexed]: ...

    @property
    def full(self) -> Sequence[Indexed]: ...

    @property
    def by_rank(self) -> bool:
        """Whether the rank column decides the order of the lists."""

    @property
    def reading_order(self) -> IntArray | None:
        """The numbers of the queries in the order in which they are read cheaply; None if any order is as cheap."""

    def rows_of_queries(self) -> IntArray:
        """How many rows each query has."""

    def read(self, queries: IntArray, *, depth: int | None = None) -> Part:
        """The lists of some queries, by number, cut to ``depth`` where that costs nothing (not by rank)."""

    def release(self) -> None:
        """Forget what is held of the files: all was read that will be."""

    def notes_before(self) -> list[str]:
        """Notes for the owner on how these inputs are read."""

    def finish(self, log: ReadLog, noticed: ReadLog) -> None:
        """Say in ``log`` what reading the inputs whole would have said; ``noticed`` is what the parts said."""


@final
@dataclasses.dataclass(frozen=True)
class Whole:
    """The decision that inputs are read whole, and why they cannot be read some queries at a time."""

    why: str
