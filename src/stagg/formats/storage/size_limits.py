"""Size limits of inputs: a small archive can unpack to more than a disk holds, and a pipe need not end."""

from __future__ import annotations

import io
from typing import IO, Any, Final

from stagg.errors import TooLarge
from stagg.say import Say, tell

__all__ = ["LZ4_TIMES", "Bounded", "Bounds", "CountedBytes"]

MOST_BYTES: Final = 1 << 35  # of what is unpacked or comes through a pipe; the largest runs in use have a few GB
FREE_BYTES: Final = 3 << 20  # so much may be unpacked from anything
LOOK_AHEAD: Final = FREE_BYTES + (1 << 20)  # bytes of an archive that are unpacked before any is read
BLOCK: Final = 1 << 16
MOST_TIMES: Final = 250  # the packed size; runs and tables shrink 3 to 30 times, a file of zeros 1,000 to 30,000 times
LZ4_TIMES: Final = 60  # LZ4 shrinks a file of zeros 255 times, and runs less than others do


class Bounds:
    """How large an input may be; ``max_size`` in bytes is the user's own bound, which replaces ours.

    Without one, what is unpacked or comes through a pipe may have 32 GiB, and an archive may unfold to 250 times its
    size (LZ4: 60 times) once that is more than 3 MiB. A plain file lies on the disk already and may have any size.
    """

    def __init__(self, max_size: int | None, name: str) -> None:
        self._given, self._name = max_size is not None, name
        self.most = MOST_BYTES if max_size is None else max_size

    def check(self, size: int, packed: int | None = None, times: int | None = None) -> None:
        """Refuse so many bytes, unpacked from ``packed`` bytes; ``times`` more of them are too many."""
        if size > self.most:
            told = f"holds more than {self.most:,} bytes; if it is genuine, say "
            raise TooLarge(tell(told, Say(max_size=10 * self.most)), file=self._name)
        if packed is not None:
            self.check_ratio(size, packed, times)

    def check_ratio(self, size: int, packed: int, times: int | None = None) -> None:
        """Refuse so many bytes if they are unpacked from too few, unless the user gave a bound."""
        times = MOST_TIMES if times is None else times
        if not self._given and size > max(FREE_BYTES, times * packed):
            told = f"unpacks to more than {times} times its size, as nothing but a damaged or hostile archive does; "
            raise TooLarge(tell(told, "if it is genuine, say ", Say(max_size=self.most)), file=self._name)

    def check_plain(self, size: int) -> None:
        """Refuse a plain file of so many bytes, if the user gave a bound."""
        if self._given:
            self.check(size)


class CountedBytes:
    """A stream of packed bytes that knows how many were taken from it; they may unfold to ``times`` as many."""

    def __init__(self, stream: IO[bytes], times: int | None = None) -> None:
        self._stream, self.times, self.taken = stream, times, 0

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        self.taken += len(block)
        return block

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Bounded(io.RawIOBase):
    """Output of a decompressor or a pipe, within bounds; ``packed`` are the bytes that it is unpacked from.

    The first MiBs of an archive are unpacked before anybody sees a byte of them: a bomb is refused by its ratio alone,
    however long its rows would take to be understood.
    """

    def __init__(self, stream: Any, bounds: Bounds, packed: CountedBytes | None = None) -> None:
        self._stream, self._bounds, self._packed, self._size = stream, bounds, packed, 0
        self._first: io.BytesIO | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._packed is None:
            return self._take(buffer)
        if self._first is None:
            self._first = self._unpack_first()
        return self._first.readinto(buffer) or self._take(buffer)

    def _unpack_first(self) -> io.BytesIO:
        first, block = io.BytesIO(), memoryview(bytearray(BLOCK))
        while self._size < LOOK_AHEAD and (count := self._take(block)):
            first.write(block[:count])
        first.seek(0)
        return first

    def _take(self, buffer: Any) -> int:
        count: int = self._stream.readinto(buffer)
        self._size += count
        if self._packed is None:
            self._bounds.check(self._size)
        else:
            self._bounds.check(self._size, self._packed.taken, self._packed.times)
        return count

    def close(self) -> None:
        if self._packed is not None and not self.closed:
            self._stream.close()  # a pipe is closed by whoever opened it
        super().close()
