"""A consensus that is written in another order than that in which it was found: kept in a temporary file, by query."""

from __future__ import annotations

import dataclasses
import tempfile
import threading
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from stagg.data.ids import Ids
from stagg.data.intervals import Intervals
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import IntArray
from stagg.kernels.ragged import build_offsets

__all__ = ["Spool"]

FIELDS: Final = {"low": np.int64, "high": np.int64, "top": np.float64, "group": np.int64}


class Spool:
    """Consensus rankings of some queries after the others in, those of any queries out.

    Of every query the file holds: the lengths of the ids, best first, the scores, which are tied with the one before,
    the intervals if there are any, and the ids.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed in close
        self._place: dict[str, tuple[int, int, int]] = {}
        self._lock = threading.Lock()
        self._example: Rankings | None = None

    def add(self, part: Rankings) -> None:
        """Keep the consensus of some queries."""
        self._example = self._example or part.take_queries([])
        ids = part.items if isinstance(part.items, Ids) else Ids.of_texts(part.items)
        lists = np.searchsorted(part.list_queries, np.arange(len(part) + 1))
        for number, query in enumerate(part.queries):
            low, high = part.entry_offsets[lists[number : number + 2]].tolist()
            data, offsets = ids.take(part.entries[low:high]).gather()
            self._place[query] = self._file.tell(), high - low, len(data)
            columns = [np.diff(offsets), part.scores[low:high] if part.scores is not None else np.zeros(0)]
            for column in [*columns, part.tied[low:high], *_intervals(part, low, high), data]:
                self._file.write(np.ascontiguousarray(column).tobytes())

    def take(self, queries: list[str]) -> Rankings:
        """The consensus of these queries, in this order."""
        example = self._example
        assert example is not None
        with self._lock:
            parts = [self._read(query, example.intervals is not None) for query in queries]
        sizes = np.array([len(part["tied"]) for part in parts], dtype=np.int64)
        full, stacked = sizes > 0, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        ids = Ids.of_buffer(_address(stacked["ids"]), build_offsets(stacked["lengths"]), [stacked["ids"]])
        intervals = example.intervals
        if intervals is not None:
            columns: dict[str, Any] = {name: stacked[name] for name in FIELDS}
            intervals = dataclasses.replace(intervals, **columns)
        return example.replace(
            queries=tuple(queries),
            items=ids,
            item_offsets=build_offsets(sizes),
            list_offsets=build_offsets(full.astype(np.int64)),
            list_rankers=np.zeros(np.count_nonzero(full), dtype=np.intp),
            entry_offsets=build_offsets(sizes[full]),
            entries=np.arange(len(ids)),
            tied=stacked["tied"],
            scores=stacked["scores"],
            intervals=intervals,
        )

    def _read(self, query: str, with_intervals: bool) -> dict[str, Any]:
        place, count, size = self._place[query]
        self._file.seek(place)
        kinds: dict[str, Any] = {"lengths": np.int64, "scores": np.float64, "tied": np.bool_}
        found = {name: self._column(kind, count) for name, kind in kinds.items()}
        if with_intervals:
            found |= {name: self._column(kind, count) for name, kind in FIELDS.items()}
        return found | {"ids": self._column(np.uint8, size)}

    def _column(self, kind: Any, count: int) -> np.ndarray:
        return np.frombuffer(self._file.read(count * np.dtype(kind).itemsize), dtype=kind)

    def close(self) -> None:
        self._file.close()


def _intervals(part: Rankings, low: int, high: int) -> Iterator[IntArray]:
    intervals: Intervals | None = part.intervals
    if intervals is not None:
        yield from (getattr(intervals, name)[low:high].astype(kind) for name, kind in FIELDS.items())


def _address(data: np.ndarray) -> int:
    address: int = data.__array_interface__["data"][0]
    return address
