"""Random access to content: files opened as they are needed, temporary copies of packed or piped input."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import IO, Final

import numpy as np

from stagg.errors import DataError
from stagg.formats.parts.stretches import Unfit
from stagg.formats.storage.source import LONGEST_LINE, Source
from stagg.kernels.arrays import ByteArray

__all__ = ["AFTER", "Content", "Storage"]

MOST_OPEN: Final = 100  # files that are open at once; systems allow 1024, or 256
COPIES: Final = 8  # files that share the copies, so that several threads can unpack at once
AFTER: Final = 8  # bytes that a kernel looks at beyond the last
LONGEST_RECORD: Final = 1 << 25  # bytes; quotes that do not pair would make a record of the rest of the file


class Storage:
    """The contents of many inputs, however many: few files are open at any time. ``threads`` read at once."""

    def __init__(self) -> None:
        self.threads = 1
        self._lock = threading.Lock()
        self._open: OrderedDict[str, _Handle] = OrderedDict()
        self._copies: list[IO[bytes]] = []
        self._locks = [threading.Lock() for _ in range(COPIES)]
        self._kept = 0

    def keep(self, source: Source) -> Content:
        """The content of a source, unpacked: where it lies, or a copy."""
        if source.is_plain_file:
            return Content(self, source.name, str(source.path), None, 0, os.stat(source.path).st_size)
        if not source.can_be_reopened:
            handle = source.stored()
            return Content(self, source.name, "", handle, 0, handle.seek(0, os.SEEK_END))
        with self._lock:
            if not self._copies:
                import tempfile  # here: few inputs need a copy

                self._copies = [tempfile.TemporaryFile() for _ in range(COPIES)]  # noqa: SIM115  closed in close
            number, self._kept = self._kept % COPIES, self._kept + 1
        with self._locks[number]:
            copy = self._copies[number]
            first = copy.seek(0, os.SEEK_END)
            try:
                for block in source.text_blocks():
                    copy.write(block)
            except BaseException:
                copy.truncate(first)
                raise
            copy.flush()
            return Content(self, source.name, "", copy, first, copy.tell() - first)

    def close(self) -> None:
        for handle in [*self._copies, *(handle.file for handle in self._open.values())]:
            handle.close()
        self._copies, self._open = [], OrderedDict()

    @contextlib.contextmanager
    def borrow(self, path: str) -> Iterator[IO[bytes]]:
        """The file, open; the one that was not used for the longest time is closed for it."""
        with self._lock:
            handle = self._open.pop(path, None) or _Handle(open(path, "rb", buffering=0))  # noqa: SIM115  closed in close
            self._open[path] = handle
            handle.users += 1
            while len(self._open) > MOST_OPEN and (idle := self._find_idle()) is not None:
                self._open.pop(idle).file.close()
        try:
            yield handle.file
        finally:
            with self._lock:
                handle.users -= 1

    def _find_idle(self) -> str | None:
        """The file that nobody reads and that was not used for the longest time."""
        return next((path for path, handle in self._open.items() if not handle.users), None)


class _Handle:
    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.users = file, 0


class Content:
    """The bytes of one input; ``size`` counts a newline that the last line lacks, which is added."""

    def __init__(self, storage: Storage, name: str, path: str, copy: IO[bytes] | None, first: int, size: int) -> None:
        self._storage, self._name, self._path, self._copy, self._first = storage, name, path, copy, first
        self._length, self._lock = size, threading.Lock()
        self.unfinished = bool(size) and self.read(size - 1, size)[0] != ord("\n")
        """Whether the last line lacks its newline."""
        self.size = size + self.unfinished

    def read(self, low: int, high: int) -> ByteArray:
        """The bytes low:high, and AFTER more."""
        held = np.zeros(high - low + AFTER, dtype=np.uint8)
        self.read_into(held, 0, (low, high))
        return held

    def blocks(self, place: int, width: int, *, quoted: bool) -> Iterator[tuple[ByteArray, int, int]]:
        """(bytes, where they begin, how many) of whole lines, or of whole records whose cells may be ``quoted``.

        About ``width`` bytes at a time, and AFTER more; the next block overwrites them.
        """
        usual, held = width, bytearray()
        while place < self.size:
            high = min(self.size, place + width)
            if len(held) < high - place + AFTER:
                held = bytearray(min(width, self.size - place) + AFTER)
            block = np.frombuffer(held, dtype=np.uint8)
            self.read_into(block, 0, (place, high))
            end = held.rfind(b"\n", 0, high - place) + 1
            if not end or (quoted and held.count(b'"', 0, end) % 2):  # a record goes on: in a row, quotes come in pairs
                _check_width(high - place, quoted, at_end=high == self.size)
                width *= 2
                continue
            yield block, place, end
            place, width = place + end, usual

    def read_into(self, held: ByteArray, place: int, *spans: tuple[int, int]) -> int:
        """The bytes low:high of each span, one after the other, into a buffer; returns the place after them."""
        with contextlib.nullcontext(self._copy) if self._copy is not None else self._storage.borrow(self._path) as file:
            for low, high in spans:
                place = self._read_span(file, held, place, low, high)
        return place

    def _read_span(self, file: IO[bytes], held: ByteArray, place: int, low: int, high: int) -> int:
        view, end = held.data, min(high, self._length)
        while low < end:
            count = self._read_at(file, view[place : place + end - low], self._first + low)
            if count == 0:
                raise DataError("the file became shorter while it was read", file=self._name)
            low, place = low + count, place + count
        if high > self._length:
            held[place] = ord("\n")
            place += 1
        return place

    def _read_at(self, file: IO[bytes], view: memoryview, offset: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(file.fileno(), [view], offset)
        with self._lock:
            file.seek(offset)
            return file.readinto(view)  # type: ignore[attr-defined,no-any-return]


def _check_width(width: int, quoted: bool, *, at_end: bool) -> None:
    """Refuse a line, or a record, that does not end within so many bytes."""
    if quoted and (at_end or width > LONGEST_RECORD):
        raise Unfit("its quotes must be checked row by row")
    if not quoted and width > LONGEST_LINE:
        raise Unfit("a line is very long")
