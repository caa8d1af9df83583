"""Where bytes come from: a file or standard input, decompressed by magic bytes, decoded, cut into lines."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from stagg.errors import DataError, InvalidParameter, MissingExtra, shown
from stagg.formats.log import ReadLog

__all__ = ["COMPRESSED_ENDINGS", "LONGEST_LINE", "Source"]

LONGEST_LINE: Final = 1 << 20
BLOCK: Final = 1 << 20
STDIN: Final = "-"
COMPRESSED_ENDINGS: Final = (".gz", ".bz2", ".xz", ".zst")

UTF8_MARK, UTF16_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
BROKEN_ARCHIVE = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


class Source:
    """One input to read once: ``name`` for messages, ``stem`` for the ranker, then bytes or lines.

    The first bytes can be looked at (:meth:`peek`) before anything is read, so a format can be recognised even on
    standard input.
    """

    def __init__(self, path: str | Path, log: ReadLog, *, encoding: str = "utf-8") -> None:
        self.name = "<stdin>" if str(path) == STDIN else str(path)
        self.path = Path(path)
        self.log = log
        self.encoding = _checked_encoding(encoding)
        self._stream = self._decompressed(self._opened())

    @property
    def plain_name(self) -> str:
        """The file's name without the endings of compression."""
        name = self.path.name
        while name.lower().endswith(COMPRESSED_ENDINGS):
            name = name[: name.rindex(".")]
        return name

    @property
    def stem(self) -> str:
        """The file's name without folder and endings: the name of a ranker or query that has no other."""
        return "stdin" if self.name == "<stdin>" else Path(self.plain_name).stem

    def peek(self, size: int = 1 << 16) -> bytes:
        """The first (decompressed) bytes, which stay to be read."""
        with self._broken_archive_named():
            return self._stream.peek(size)[:size]

    def binary(self) -> IO[bytes]:
        """All of it as bytes: a real file when nothing has to be decompressed (readers that seek want one)."""
        return cast("IO[bytes]", self._stream)

    def chunks(self) -> Iterator[tuple[int, str]]:
        """(number of the first line, text of whole lines), for readers that take many lines at once."""
        line = 1
        for number, block in enumerate(self._blocks()):
            text = self._decoded(self._checked(block, line, first=number == 0), line)
            yield line, text
            line += text.count("\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number, line without its end), blank lines left out."""
        for first, text in self.chunks():
            for offset, line in enumerate(text.split("\n")):
                line = line.removesuffix("\r")
                if line.strip(" \t"):
                    yield first + offset, line

    def text(self) -> str:
        """All of it as text, for formats that have no lines (JSON)."""
        return "".join(text for _, text in self.chunks())

    def error(self, message: str, line: int | None = None) -> DataError:
        return DataError(message, file=self.name, line=line)

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- bytes ----------------------------------------------------------------------------------------------------

    def _opened(self) -> io.BufferedReader:
        if self.name == "<stdin>":
            return io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer), BLOCK)
        try:
            return io.BufferedReader(io.FileIO(self.path), BLOCK)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError(f"cannot be read: {reason}", file=self.name) from None

    def _decompressed(self, stream: io.BufferedReader) -> io.BufferedReader:
        with self._broken_archive_named():
            magic = stream.peek(6)[:6]
        for mark, opener in DECOMPRESSORS.items():
            if magic.startswith(mark):
                return io.BufferedReader(opener(stream), BLOCK)
        return stream

    def _broken_archive_named(self) -> _BrokenArchive:
        return _BrokenArchive(self)

    def _blocks(self) -> Iterator[bytes]:
        """Blocks of whole lines; the last may lack its newline."""
        rest = b""
        for block in self._recoded() if self._wide else self._raw_blocks():
            whole, newline, tail = block.rpartition(b"\n")
            if newline:
                yield rest + whole + newline
                rest = tail
            else:
                rest += tail
                if len(rest) > 2 * LONGEST_LINE:  # far beyond what is allowed: say so before all is in memory
                    yield rest
                    rest = b""
        if rest:
            yield rest

    def _raw_blocks(self) -> Iterator[bytes]:
        while True:
            with self._broken_archive_named():
                block = self._stream.read(BLOCK)
            if not block:
                return
            yield block

    def _recoded(self) -> Iterator[bytes]:
        """The blocks of a file in UTF-16 or UTF-32 as UTF-8, in which a newline is one byte."""
        try:
            for text in codecs.iterdecode(self._raw_blocks(), self.encoding):
                yield text.encode()
        except UnicodeError as error:
            raise self.error(f"is not {self.encoding.upper()}: {error}") from None

    def _checked(self, block: bytes, line: int, *, first: bool) -> bytes:
        """The block without a byte-order mark; UTF-16, NUL bytes and endless lines are refused."""
        if first and self.encoding == "utf-8":
            if block.startswith(UTF16_MARKS):
                raise self.error("the file is UTF-16; convert it to UTF-8, or say --encoding utf-16", 1)
            if block.startswith(UTF8_MARK):
                self.log.note(f"{self.name}: a UTF-8 byte-order mark was left out")
                block = block[len(UTF8_MARK) :]
        if b"\0" in block:
            place = line + block.count(b"\n", 0, block.index(b"\0"))
            raise self.error("a NUL byte; this is not a text file, or it is damaged", place)
        if len(block) > LONGEST_LINE:
            self._refuse_long_lines(block, line)
        return block

    def _refuse_long_lines(self, block: bytes, line: int) -> None:
        start = 0
        while start < len(block):
            end = block.find(b"\n", start)
            end = len(block) if end < 0 else end
            if end - start > LONGEST_LINE:
                raise self.error("a line of more than 1 MiB; is this a text file of the expected format?", line)
            start, line = end + 1, line + 1

    @property
    def _wide(self) -> bool:
        """Whether the encoding is one of those (UTF-16, UTF-32) in which a newline is more than one byte."""
        return "\n".encode(self.encoding) != b"\n"

    def _decoded(self, block: bytes, line: int) -> str:
        try:
            return block.decode("utf-8" if self._wide else self.encoding)
        except UnicodeDecodeError as error:
            line += block.count(b"\n", 0, error.start)
            offset = error.start - (block.rfind(b"\n", 0, error.start) + 1)
            found = shown(block[error.start : error.start + 1])
            raise self.error(
                f"byte {offset + 1} of the line, {found}, is not {self.encoding.upper()}; "
                "name the file's encoding (--encoding latin-1, ...)",
                line,
            ) from None


class _BrokenArchive:
    """Turns what the decompressors raise into an error that names the file."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BROKEN_ARCHIVE) or type(error).__name__ == "ZstdError":
            raise self.source.error("the archive is truncated or damaged") from None
        if isinstance(error, OSError):
            reason = error.strerror or "the archive is truncated or damaged"
            raise self.source.error(f"cannot be read: {reason}") from None


def _checked_encoding(name: str) -> str:
    try:
        codec = codecs.lookup(name)
        "\n".encode(codec.name)
    except (LookupError, TypeError, UnicodeError):
        raise InvalidParameter(f"there is no text encoding {shown(name)}; try utf-8, latin-1 or cp1252") from None
    return codec.name


def _zstd_reader(stream: IO[bytes]) -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("Zstandard files", package="zstandard", extra="zstd") from None
    return zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)


DECOMPRESSORS: Final[dict[bytes, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd_reader,
}
