"""Blocks of whole lines, or of whole records, of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from stagg.formats.log import ReadLog
from stagg.formats.reading import Reading
from stagg.formats.storage.source import LONG_LINE, LONGEST_LINE, UTF8_MARK, Excerpt, Source
from stagg.kernels.arrays import ByteArray
from stagg.kernels.text.text import count_newlines

__all__ = ["AFTER", "BLOCK", "TextBlock", "TextInChunks", "note_mark", "text_blocks"]

BLOCK: Final = 1 << 20  # bytes that are read at once
AFTER: Final = 8  # bytes that a kernel looks at beyond the last


class TextBlock(NamedTuple):
    """Whole lines, ``content[start:end]``, and some bytes after them; ``line`` is the number of the first.

    ``is_first`` and ``is_unfinished``: it begins with the first line of the file; the file lacks its last newline.
    """

    content: ByteArray
    start: int
    end: int
    line: int
    is_first: bool
    is_unfinished: bool


class TextInChunks:
    """Text that is read in blocks: what :class:`stagg.formats.parts.chunks.ChunkedFile` asks of runs and tables alike.

    ``delimiter``: what separates cells in which a newline may stand within quotes; nothing where it ends every line.
    """

    delimiter: bytes = b""

    def __init__(self, reading: Reading, log: ReadLog) -> None:
        self.reading, self.source = reading, reading.source
        self.name, self.path, self.stem = reading.name, reading.source.path, reading.stem
        self.log, self._share = log, 0.0

    @property
    def progress(self) -> float:
        return self._share

    def again(self) -> None:
        self.source.rewind()
        self._share = 0.0

    def pieces(self) -> Iterator[TextBlock]:
        for block in text_blocks(self.source, self.delimiter):
            self._share = self.source.share_read
            yield block


def text_blocks(source: Source, delimiter: bytes) -> Iterator[TextBlock]:
    """The content of a source, some megabytes of whole lines at a time.

    With a delimiter of cells, newlines within quotes end no line.
    """
    line, rest, first = 1, b"", True
    while True:
        content, filled = _fill(source, rest, BLOCK)
        at_end = filled < len(content) - AFTER
        end = _last_end(content, filled, delimiter)
        while not at_end and not end:  # a record goes on, or a line
            if not delimiter and filled > LONGEST_LINE:
                raise source.error(LONG_LINE, line)
            content, filled = _fill(source, content[:filled].tobytes(), 2 * filled)
            at_end = filled < len(content) - AFTER
            end = _last_end(content, filled, delimiter)
        unfinished = at_end and filled > 0 and content[filled - 1] != ord("\n")
        if at_end:
            end = filled + unfinished
            content[filled] = ord("\n")
        start = _pass_mark(content, end) if first else 0
        if end > start:
            yield TextBlock(content, start, end, line, first, unfinished)
        if at_end:
            return
        line += count_newlines(content, end)
        rest, first = content[end:filled].tobytes(), False


def _fill(source: Source, rest: bytes, size: int) -> tuple[ByteArray, int]:
    """A buffer that begins with the rest of the last one, and how many bytes of it are filled."""
    content = np.empty(len(rest) + size + AFTER, dtype=np.uint8)
    content[: len(rest)] = np.frombuffer(rest, dtype=np.uint8)
    filled = len(rest) + source.read_into(memoryview(content.data)[len(rest) : len(rest) + size])
    content[filled:][:AFTER] = 0
    return content, filled


def _last_end(content: ByteArray, filled: int, delimiter: bytes) -> int:
    """The end of the last line, 0 if there is none; between quotes no line ends."""
    held = memoryview(content.data)[:filled]
    low = max(0, filled - LONGEST_LINE)
    end = bytes(held[low:]).rfind(b"\n") + 1
    if not end and low:
        low, end = 0, bytes(held).rfind(b"\n") + 1
    end = low + end if end else 0
    odd = delimiter and end and np.count_nonzero(content[:end] == ord('"')) % 2  # in a row, quotes come in pairs
    return 0 if odd and _ends_within_quotes(bytes(held[:end]), delimiter) else end


def _ends_within_quotes(text: bytes, delimiter: bytes) -> bool:
    """Whether the last cell of some rows is not complete; a quote within a cell that begins without one is a letter.

    >>> [_ends_within_quotes(text, b",") for text in (b'a,"b\\n', b'5" nail,b\\n', b'"a ""b\\n')]
    [True, False, True]
    """
    cells = re.finditer(rb"(?<![^\n" + re.escape(delimiter) + rb'])"(?:[^"]+|"")*("?)', text)
    return any(not cell[1] for cell in cells)


def _pass_mark(content: ByteArray, end: int) -> int:
    """Where the text begins: after a byte-order mark."""
    return len(UTF8_MARK) if bytes(content[: min(end, len(UTF8_MARK))]) == UTF8_MARK else 0


def note_mark(source: Source, log: ReadLog) -> None:
    """Say that a byte-order mark is left out, if there is one."""
    if source.peek(len(UTF8_MARK)) == UTF8_MARK:
        Excerpt(source, log=log).note_mark()
