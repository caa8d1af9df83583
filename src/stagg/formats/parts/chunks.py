"""A chunk of rows, sorted by query; what every file that is read in chunks offers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.formats.log import ReadLog
from stagg.formats.reading import Reading
from stagg.formats.storage.source import Source
from stagg.kernels.arrays import ByteArray, FloatArray, IntArray
from stagg.kernels.text import records

__all__ = ["Chunk", "ChunkRows", "ChunkedFile", "NeedsWhole", "Whole", "sort_chunk"]

SPACING: Final = 1 << 14
"""Bytes of a chunk between two of the queries that buckets may begin with."""


@final
@dataclasses.dataclass(frozen=True)
class Whole:
    """The decision that inputs are read whole, and why they cannot be read in parts."""

    why: str


class NeedsWhole(Exception):
    """A row in the midst of a file shows that all of it must be looked at together."""


@dataclasses.dataclass(frozen=True)
class ChunkRows:
    """Rows that follow one another in a file, each of which is right by itself.

    ``ranks`` beside ``scores`` may be NaN, and so may scores where the list has none. ``last_item`` is the item of the
    last row, ``tags`` are the run tags.
    """

    queries: Coded
    items: Ids
    lines: IntArray
    scores: FloatArray | None = None
    ranks: FloatArray | None = None
    rankers: Coded | None = None
    tags: frozenset[bytes] = frozenset()


@dataclasses.dataclass(eq=False)
class Chunk:
    """Rows of one file, sorted by query: a buffer as :mod:`stagg.kernels.text.records` makes it.

    ``fences`` are places of groups in it, and ``names`` their queries; ``last`` is the largest query. ``rankers`` are
    the names that the rows have for theirs.
    """

    file: int
    buffer: ByteArray
    fences: IntArray
    names: list[bytes]
    last: bytes
    rankers: tuple[str, ...]
    first_line: int
    has_scores: bool
    last_item: str
    tags: frozenset[bytes]
    ranker_numbers: IntArray = dataclasses.field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """The numbers of the rankers among those of all files."""

    @property
    def size(self) -> int:
        return len(self.buffer)


class ChunkedFile(Protocol):
    """One file that is read in chunks. ``names_rankers``: its rows name their rankers; else the file is one."""

    name: str
    path: Path
    stem: str
    reading: Reading
    source: Source
    names_rankers: bool
    log: ReadLog
    """Notes on the file as a whole, made when it was opened."""

    @property
    def progress(self) -> float:
        """The share of it that was handed out, as far as that is known."""

    def pieces(self) -> Iterator[Any]:
        """Pieces of it, in order, for :meth:`read`; by one thread."""

    def read(self, piece: Any, log: ReadLog) -> Iterator[ChunkRows]:
        """The rows of a piece; by any thread. What is noticed goes to the log."""

    def again(self) -> None:
        """Begin again at its beginning; only where :attr:`stagg.formats.storage.source.Source.can_be_reopened`."""


def sort_chunk(file: int, rows: ChunkRows, wanted: frozenset[bytes] | None = None) -> Chunk | None:
    """The rows of a file, sorted by query; those of ``wanted`` queries alone. None if there are none."""
    queries, rankers = rows.queries.by_appearance(), None if rows.rankers is None else rows.rankers.by_appearance()
    ids, first_line = Ids.of(queries.ids), int(rows.lines[0]) if len(rows.lines) else 0
    marks = None if wanted is None else np.array([text.encode() in wanted for text in ids], dtype=np.uint8)
    buffer, fences = records.sort_by_query(
        records.RecordRows(
            queries.codes, ids.address, ids.length, None if rankers is None else rankers.codes, rows.items.address,
            rows.items.length, rows.scores, rows.ranks, rows.lines,
        ),
        first_line,
        SPACING,
        marks,
    )  # fmt: skip
    if not len(fences):
        return None
    names = [records.find_query(buffer, place) for place in fences.tolist()]
    last = records.find_last_query(buffer, int(fences[-1]))
    has_scores = rows.scores is not None and not bool(np.isnan(rows.scores).all())
    named: Sequence[str] = () if rankers is None else rankers.ids
    item = rows.items.take(slice(len(rows.items) - 1, None)).texts[0]
    return Chunk(file, buffer, fences, names, last, tuple(named), first_line, has_scores, item, rows.tags)
