"""Temporary file of a consensus: results wait there, by query, until they can be written in the wanted order."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from stagg.data.ids import Ids
from stagg.data.rankings import Rankings
from stagg.data.results.beside import columns_beside, put_beside
from stagg.kernels.ragged import build_offsets

__all__ = ["Packed", "Spool", "pack"]

COLUMNS: Final = {"lengths": np.int64, "scores": np.float64, "tied": np.bool_}


@dataclasses.dataclass(frozen=True)
class Packed:
    """The consensus of some queries as columns, best first, and how many rows and bytes of ids each query has."""

    example: Rankings
    queries: tuple[str, ...]
    rows: np.ndarray
    sizes: np.ndarray
    columns: list[np.ndarray]


def pack(part: Rankings) -> Packed:
    """The consensus of some queries, ready to be kept."""
    data, offsets = Ids.of(part.items).take(part.entries).gather()
    first = part.entry_offsets[np.searchsorted(part.list_queries, np.arange(len(part) + 1))]
    columns = [np.diff(offsets), np.zeros(0) if part.scores is None else part.scores, part.tied]
    columns += columns_beside(part).values()
    sizes = np.diff(offsets[first])
    example = part.take_queries([]).replace(items=())  # ids would keep the input in memory
    return Packed(example, part.queries, np.diff(first), sizes, [*columns, data])


@dataclasses.dataclass(frozen=True)
class _Place:
    """Where the rows of a query lie: where each column of its part begins, its rows there, and the bytes of its ids."""

    columns: tuple[int, ...]
    row: int
    rows: int
    first: int
    size: int


class Spool:
    """The consensus of some queries after the others in, that of any queries out; several threads may take at once."""

    def __init__(self) -> None:
        import tempfile  # here: few inputs need a spool

        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed in close
        self._places: dict[str, _Place] = {}
        self._example: Rankings | None = None
        self._lock = threading.Lock()

    def add(self, packed: Packed) -> None:
        """Keep the consensus of some queries."""
        self._example = self._example or packed.example
        starts = []
        for column in packed.columns:
            starts.append(self._file.tell())
            self._file.write(np.ascontiguousarray(column).data)
        row, first = build_offsets(packed.rows).tolist(), build_offsets(packed.sizes).tolist()
        for number, query in enumerate(packed.queries):
            rows, size = row[number + 1] - row[number], first[number + 1] - first[number]
            self._places[query] = _Place(tuple(starts), row[number], rows, first[number], size)

    def finish(self) -> None:
        """All was added; from here on it is taken."""
        self._file.flush()

    def take(self, queries: list[str]) -> Rankings:
        """The consensus of these queries, in this order."""
        example, places = self._example, [self._places[query] for query in queries]
        assert example is not None
        kinds: dict[str, Any] = COLUMNS | {name: column.dtype for name, column in columns_beside(example).items()}
        pieces = list(_join(places))
        found = {name: self._column(number, kind, pieces) for number, (name, kind) in enumerate(kinds.items())}
        texts = np.concatenate([self._slice(p.columns[-1] + p.first, np.uint8, p.size) for p in pieces] + [AFTER])
        sizes = np.array([place.rows for place in places], dtype=np.int64)
        full = sizes > 0
        address: int = texts.__array_interface__["data"][0]
        return example.replace(
            queries=tuple(queries),
            items=Ids.of_buffer(address, build_offsets(found["lengths"]), [texts]),
            item_offsets=build_offsets(sizes),
            list_offsets=build_offsets(full.astype(np.int64)),
            list_rankers=np.zeros(np.count_nonzero(full), dtype=np.intp),
            entry_offsets=build_offsets(sizes[full]),
            entries=np.arange(int(sizes.sum())),
            tied=found["tied"],
            scores=found["scores"],
            **put_beside(example, found),
        )

    def _column(self, number: int, kind: Any, places: list[_Place]) -> np.ndarray:
        width = np.dtype(kind).itemsize
        parts = [self._slice(place.columns[number] + place.row * width, kind, place.rows) for place in places]
        return np.concatenate([np.zeros(0, dtype=kind), *parts])

    def _slice(self, place: int, kind: Any, count: int) -> np.ndarray:
        size = count * np.dtype(kind).itemsize
        if hasattr(os, "pread"):
            return np.frombuffer(os.pread(self._file.fileno(), size, place), dtype=kind)
        with self._lock:
            self._file.seek(place)
            return np.frombuffer(self._file.read(size), dtype=kind)

    def close(self) -> None:
        self._file.close()


def _join(places: list[_Place]) -> Iterator[_Place]:
    """The same places, those that follow one another in the file joined: fewer are read more quickly."""
    joined = places[0] if places else None
    for place in places[1:]:
        assert joined is not None
        if place.columns == joined.columns and place.row == joined.row + joined.rows:
            joined = dataclasses.replace(joined, rows=joined.rows + place.rows, size=joined.size + place.size)
        else:
            yield joined
            joined = place
    if joined is not None:
        yield joined


AFTER: Final = np.zeros(8, dtype=np.uint8)  # a kernel may look a little further than the last id
