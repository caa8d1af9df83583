"""Several TREC runs at once, by the compiled reader: indexed by query, then read as many queries at a time as wanted.

One quick pass finds where the rows of each query lie. Runs that are grouped by query stay on disk; the others are held
in memory. Whatever is out of the ordinary raises :class:`Irregular`, and the reader in Python does the work instead.
"""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import IO, Any, Final, TypeVar

import numpy as np

from stagg.data.ids import Ids
from stagg.data.rankings import Rankings
from stagg.formats.base import ReadOptions
from stagg.formats.source import LONGEST_LINE, Source
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.ragged import build_offsets, expand_spans

__all__ = ["Irregular", "Run", "RunPart", "RunTally", "Runs"]

BLOCK: Final = 1 << 19
AFTER: Final = 8  # bytes that the kernel looks at beyond the last
NOWHERE: Final = np.iinfo(np.int64).max

T = TypeVar("T")
V = TypeVar("V")


class Irregular(Exception):
    """Something that the compiled reader leaves to the one in Python."""


@dataclasses.dataclass
class RunTally:
    """What was read: of ranker r, ``falls[r]`` rows have a rank that contradicts the scores, the first in a line."""

    falls: IntArray
    counts: IntArray

    @classmethod
    def nothing(cls, rankers: int) -> RunTally:
        falls = np.zeros((rankers, 2), dtype=np.int64)
        falls[:, 1] = NOWHERE
        return cls(falls, np.array([0, 0, NOWHERE, 0, 0], dtype=np.int64))

    def add(self, other: RunTally) -> None:
        """Take in what another part of the same runs counted."""
        self.falls[:, 0] += other.falls[:, 0]
        np.minimum(self.falls[:, 1], other.falls[:, 1], out=self.falls[:, 1])
        items, rows, shortest, longest, ties = other.counts.tolist()
        self.counts[:2] += (items, rows)
        self.counts[2:4] = min(self.shortest, shortest), max(self.longest, longest)
        self.counts[4] += ties

    @property
    def items(self) -> int:
        return int(self.counts[0])

    @property
    def rows(self) -> int:
        return int(self.counts[1])

    @property
    def shortest(self) -> int:
        """The length of the shortest list."""
        return int(self.counts[2])

    @property
    def longest(self) -> int:
        return int(self.counts[3])

    @property
    def has_ties(self) -> bool:
        return bool(self.counts[4])


@dataclasses.dataclass(frozen=True)
class RunPart:
    """Some queries of the runs: everything that Rankings have, but the ids of the items not yet made into text."""

    queries: tuple[str, ...]
    rankers: tuple[str, ...]
    ids: Ids
    item_offsets: IntArray
    list_offsets: IntArray
    list_rankers: IntArray
    entry_offsets: IntArray
    entries: IntArray
    tied: BoolArray
    scores: FloatArray
    tally: RunTally

    def rankings(self) -> Rankings:
        """The same as Rankings, with their text."""
        return self.bare_rankings().replace(items=self.ids.texts)

    def bare_rankings(self) -> Rankings:
        """Rankings whose items become text only when a method looks at them."""
        return Rankings(
            queries=self.queries,
            rankers=self.rankers,
            items=self.ids,
            item_offsets=self.item_offsets,
            list_offsets=self.list_offsets,
            list_rankers=self.list_rankers,
            entry_offsets=self.entry_offsets,
            entries=self.entries,
            tied=self.tied,
            scores=self.scores,
        )


class Run:
    """One run, indexed: stretches of lines by query, those of one query side by side."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._handle = source.stored()
        self._lock = threading.Lock()
        segments = _segments(self._handle)
        self.names, self.tags = segments.names, len(segments.tags)
        self._found: tuple[IntArray, IntArray, IntArray] = segments.arrays()
        self.size = int(self._found[1][-1])
        self.grouped = len(self.names) == len(self._found[0])
        """Whether the rows of every query stand together."""
        self.content = None if self.grouped else self._whole()

    def arrange(self, numbers: IntArray) -> None:
        """Put the stretches in the order of their queries' numbers, which are given."""
        found, start, line = self._found
        query = numbers[found]
        order = np.argsort(query, kind="stable")
        self.queries, first = np.unique(query[order], return_index=True)
        self.first = np.append(first, len(order))
        self.begin, self.end = start[:-1][order], start[1:][order]
        self.line, self.rows = line[:-1][order], np.diff(line)[order]
        del self._found, self.names  # the runs share one list of names from here on

    def bytes_of(self, low: IntArray, high: IntArray) -> tuple[IntArray, Any]:
        """The address of each stretch low:high of bytes, and who holds them."""
        if self.content is not None:
            return low + _address(self.content), self.content
        order = np.argsort(low, kind="stable")
        held = np.empty(int((high - low).sum()) + AFTER, dtype=np.uint8)
        place, address = 0, np.empty(len(low), dtype=np.int64)
        for first, end in pairwise([0, *(np.flatnonzero(high[order][:-1] != low[order][1:]) + 1).tolist(), len(order)]):
            some = order[first:end]  # stretches that follow one another in the file are read at once
            address[some] = place + low[some] - low[some[0]]
            place = self._read_into(held, place, int(low[some[0]]), int(high[some[-1]]))
        return address + _address(held), held

    def _read_into(self, held: np.ndarray, place: int, low: int, high: int) -> int:
        """Bytes low:high of the file; a newline that the last line lacks is added."""
        view = held.data
        while low < high:
            count = self._read_at(view[place : place + high - low], low)
            if count == 0 and (low, high) == (self.size - 1, self.size):
                held[place] = ord("\n")
                count = 1
            if count == 0:
                raise Irregular("the file became shorter while it was read")
            low, place = low + count, place + count
        return place

    def _read_at(self, view: memoryview, offset: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._handle.fileno(), [view], offset)
        with self._lock:
            self._handle.seek(offset)
            return self._handle.readinto(view)  # type: ignore[attr-defined,no-any-return]

    def _whole(self) -> np.ndarray:
        held = np.empty(self.size + AFTER, dtype=np.uint8)
        self._read_into(held, 0, 0, self.size)
        return held


def _segments(handle: IO[bytes]) -> Any:
    """The stretches of lines of a run; a last line that lacks its newline is given one."""
    segments = twin("_runs").Segments()  # type: ignore[union-attr]
    for lines in _whole_lines(handle):
        if not segments.feed(lines):
            raise Irregular("a line that is out of the ordinary")
    return segments


def _whole_lines(handle: IO[bytes]) -> Iterator[memoryview]:
    handle.seek(0)
    buffer = bytearray(BLOCK + LONGEST_LINE + 1)
    view, filled = memoryview(buffer), 0
    while count := handle.readinto(view[filled : filled + BLOCK]):  # type: ignore[attr-defined]
        end = buffer.rfind(b"\n", filled, filled + count) + 1
        filled += count
        if end:
            yield view[:end]
            view[: filled - end] = view[end:filled]
            filled -= end
        if filled > LONGEST_LINE:
            raise Irregular("a line that is very long")
    if filled:
        buffer[filled] = ord("\n")
        yield view[: filled + 1]


class Runs:
    """Several runs, each one ranker, by query.

    ``queries`` are the ids of all of them, in order of first appearance; :meth:`read` gives the lists of some.
    """

    def __init__(self, sources: Sequence[Source], options: ReadOptions, *, threads: int = 1) -> None:
        kernel = twin("_runs")
        if kernel is None or not readable(options):
            raise Irregular("there is no compiled reader for this")
        names = kernel.Names()
        self.by_rank = options.order_by == "rank"
        self.all = _each(Run, sources, threads)
        for run in self.all:
            run.arrange(names.take_in(run.names))
        self.full = [run for run in self.all if len(run.queries)]
        self._names: list[bytes] = names.texts()
        self.queries = tuple(name.decode() for name in self._names)
        if not self.full:
            raise Irregular("there are no rows")
        self._stretches = np.zeros((len(self.full), len(names) + 1), dtype=np.int64)
        for row, run in zip(self._stretches, self.full, strict=True):
            row[run.queries + 1] = np.diff(run.first)
        np.cumsum(self._stretches, axis=1, out=self._stretches)

    @property
    def lists(self) -> BoolArray:
        """lists[r, q] = whether run r, of those that are not empty, has a list for query q."""
        found: BoolArray = np.diff(self._stretches, axis=1) > 0
        return found

    def rows_of_queries(self) -> IntArray:
        """How many lines each query has in all runs."""
        rows = np.zeros(len(self.queries), dtype=np.int64)
        for run in self.full:
            rows[run.queries] += np.add.reduceat(run.rows, run.first[:-1])
        return rows

    def read(self, queries: Sequence[int] | IntArray, rankers: tuple[str, ...], *, depth: int | None = None) -> RunPart:
        """The lists of some queries, by number; ``rankers`` names the runs that are not empty.

        ``depth`` cuts every list to its first so many (not where the rank column decides).
        """
        chosen = np.asarray(queries, dtype=np.int64)
        first = self._stretches[:, chosen].T
        counts = self._stretches[:, chosen + 1].T - first
        of_query, of_ranker = np.nonzero(counts)
        list_segments = build_offsets(counts[of_query, of_ranker])
        begin, end, line, rows = np.empty((4, int(list_segments[-1])), dtype=np.int64)
        owners = []
        for ranker, run in enumerate(self.full):
            mine = of_ranker == ranker
            if not mine.any():
                continue
            here = expand_spans(list_segments[:-1][mine], np.diff(list_segments)[mine])
            there = expand_spans(first[of_query[mine], ranker], counts[of_query[mine], ranker])
            address, owner = run.bytes_of(run.begin[there], run.end[there])
            begin[here], end[here] = address, address + run.end[there] - run.begin[there]
            line[here], rows[here] = run.line[there], run.rows[there]
            owners.append(owner)
        tally = RunTally.nothing(len(self.full))
        list_offsets = build_offsets(np.bincount(of_query, minlength=len(chosen)))
        found = twin(
            "_runs"
        ).lists(  # type: ignore[union-attr]
            begin,
            end,
            line,
            list_segments,
            of_ranker.astype(np.int64),
            np.add.reduceat(rows, list_segments[:-1]) if len(rows) else rows,
            list_offsets,
            [self._names[q] for q in chosen.tolist()],
            self.by_rank,
            depth or 0,
            tally.falls,
            tally.counts,
        )
        if found is None:
            raise Irregular("a row that is out of the ordinary")
        item_offsets, entry_offsets, entries, tied, scores, address, length = found
        return RunPart(
            queries=tuple(self.queries[q] for q in chosen.tolist()),
            rankers=rankers,
            ids=Ids(address, length, owners),
            item_offsets=item_offsets,
            list_offsets=list_offsets,
            list_rankers=of_ranker.astype(np.intp),
            entry_offsets=entry_offsets,
            entries=entries,
            tied=tied,
            scores=scores,
            tally=tally,
        )


def _each(make: Callable[[T], V], values: Sequence[T], threads: int) -> list[V]:
    if threads == 1 or len(values) == 1:
        return [make(value) for value in values]
    with ThreadPoolExecutor(min(threads, len(values))) as pool:
        return list(pool.map(make, values))


def readable(options: ReadOptions) -> bool:
    """Whether these are options that the compiled reader knows."""
    plain = ReadOptions(order_by=options.order_by, float_labels=options.float_labels, names=options.names)
    return dataclasses.replace(options, encoding=options.encoding.lower()) == plain


def _address(held: np.ndarray) -> int:
    address: int = held.__array_interface__["data"][0]
    return address
