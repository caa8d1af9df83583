"""The chunks that wait: in memory up to a budget, then in a temporary file; buckets are taken from them in order."""

from __future__ import annotations

import bisect
import dataclasses
import os
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

import numpy as np

from stagg.errors import StaggError, plural
from stagg.formats.parts import chunks
from stagg.formats.parts.chunks import Chunk
from stagg.kernels.arrays import ByteArray
from stagg.kernels.text import records
from stagg.say import Say, tell

__all__ = ["Bucket", "ChunkStore", "Segment"]

MOST_BUCKETS: Final = 512
"""Buckets are larger where there would be more: each looks at all chunks."""


class Segment(NamedTuple):
    """Some groups of one chunk: ``size`` bytes at ``address``, which the ``owner`` holds."""

    chunk: Chunk
    address: int
    size: int
    owner: ByteArray


@dataclasses.dataclass(frozen=True)
class Bucket:
    """All rows of some queries: segments of chunks, in the order of the files."""

    segments: list[Segment]


@dataclasses.dataclass(eq=False)
class _Held:
    """A chunk, and how far buckets were taken from it; ``place`` is where it lies in the file if it was put there."""

    order: tuple[int, int]
    chunk: Chunk
    size: int
    address: int
    cursor: int = 0
    place: int | None = None


class ChunkStore:
    """Chunks in, buckets of about ``bucket_size`` bytes out, in bytewise order of their queries.

    No more than ``budget`` bytes are held in memory. Buckets are taken by one thread.
    """

    def __init__(self, budget: int, bucket_size: int) -> None:
        self._budget, self._bucket_size = budget, bucket_size
        self._held: list[_Held] = []
        self._in_memory = 0
        self._file: IO[bytes] | None = None
        self.spilled = 0
        """Bytes that went to the temporary file."""

    def add(self, chunk: Chunk, number: int) -> None:
        """Take in a chunk, which has this number among those of its file."""
        held = _Held((chunk.file, number), chunk, chunk.size, records.address_of(chunk.buffer))
        if self._in_memory + held.size > self._budget:
            held.place = self._write(chunk.buffer)
            chunk.buffer = np.zeros(0, dtype=np.uint8)
        else:
            self._in_memory += held.size
        bisect.insort(self._held, held, key=lambda each: each.order)

    @property
    def size(self) -> int:
        """Bytes of rows that were not taken yet."""
        return sum(held.size - held.cursor for held in self._held)

    def cut(self, end: bytes | None = None) -> list[bytes | None]:
        """The ends of buckets of about the same size, of the queries below ``end`` (None: of all)."""
        weights: dict[bytes, int] = {}
        for held in self._held:
            if end is not None and held.chunk.names[0] >= end:  # chunks that wait for long are passed in one step
                continue
            places = [*held.chunk.fences.tolist(), held.size]
            for name, low, high in zip(held.chunk.names, places[:-1], places[1:], strict=True):
                if high > held.cursor and (end is None or name < end):
                    weights[name] = weights.get(name, 0) + high - max(low, held.cursor)
        written = sum(held.place is not None for held in self._held)  # of each, a bucket reads at least up to a fence
        wanted = max(self._bucket_size, sum(weights.values()) // MOST_BUCKETS, written * chunks.SPACING)
        ends, size = list[bytes | None](), 0
        for name in sorted(weights):
            if size >= wanted:
                ends.append(name)
                size = 0
            size += weights[name]
        return [*ends, end]

    def take(self, end: bytes | None, *, keep: bool = False) -> Bucket:
        """The rows of all queries below ``end`` that were not taken yet; ``keep``: they are taken once more later."""
        segments = list(self._take_segments(end))
        if not keep:
            self._forget()
        return Bucket(segments)

    def begin_again(self) -> None:
        """Take everything once more."""
        for held in self._held:
            held.cursor = 0

    def close(self) -> None:
        """Forget everything."""
        self._held = []
        if self._file is not None:
            self._file.close()

    def _take_segments(self, end: bytes | None) -> Iterator[Segment]:
        """What the chunks hold below ``end``, in the order of the files."""
        begins = [held.address + held.cursor for held in self._held if held.place is None]
        ends = [held.address + held.size for held in self._held if held.place is None]
        if end is not None:
            ends = records.pass_below(np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64), end).tolist()
        in_memory = zip(begins, ends, strict=True)
        for held in self._held:
            if held.place is None:
                begin, passed = next(in_memory)
                size, owner = passed - begin, held.chunk.buffer
            else:
                owner = self._read_below(held, end)
                begin, size = records.address_of(owner), len(owner)
                if end is not None and size:
                    bounds = np.array([begin, begin + size], dtype=np.int64)
                    size = int(records.pass_below(bounds[:1], bounds[1:], end)[0]) - begin
            if size:
                held.cursor += size
                yield Segment(held.chunk, begin, size, owner)

    def _read_below(self, held: _Held, end: bytes | None) -> ByteArray:
        """The rest of a chunk in the file, up to the fence after the last query that is wanted."""
        names, fences = held.chunk.names, held.chunk.fences
        after = len(names) if end is None else bisect.bisect_left(names, end)
        high = held.size if after == len(names) else int(fences[after])
        return self._read((held.place or 0) + held.cursor, max(high - held.cursor, 0))

    def _forget(self) -> None:
        """Let go of the chunks of which everything was taken."""
        for held in self._held:
            if held.cursor == held.size and held.place is None:
                self._in_memory -= held.size
        self._held = [held for held in self._held if held.cursor < held.size]

    def _write(self, buffer: ByteArray) -> int:
        import tempfile  # here: few inputs need a file

        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed in close
            place = self._file.seek(0, os.SEEK_END)
            self._file.write(buffer.data)
            self._file.flush()
        except OSError as error:
            told = (
                f"rows beyond {plural(self._budget, 'byte')} wait in a temporary file in {tempfile.gettempdir()}, "
                f"which cannot be written: {error.strerror or error}; free some space there, name another folder in "
                "TMPDIR, or let more of them wait in memory, such as "
            )
            raise StaggError(tell(told, Say(memory=4 * max(self._budget, 1 << 28)))) from None
        self.spilled += len(buffer)
        return place

    def _read(self, place: int, size: int) -> ByteArray:
        buffer = np.empty(size, dtype=np.uint8)
        file: Any = self._file
        file.seek(place)
        file.readinto(buffer.data)
        return buffer
