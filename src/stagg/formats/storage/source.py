"""Source of bytes: a file or standard input, decompressed by magic bytes, decoded, cut into lines."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import itertools
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from stagg.errors import DataError, InvalidParameter, StaggError, need, shown
from stagg.formats.log import ReadLog
from stagg.formats.storage.size_limits import LZ4_TIMES, Bounded, Bounds, CountedBytes
from stagg.say import Say, Told, name_option, tell

__all__ = [
    "AFTER",
    "COMPRESSED_ENDINGS",
    "KNOWN_ENDINGS",
    "LONGEST_LINE",
    "LONG_LINE",
    "UTF8_MARK",
    "UTF16_MARKS",
    "ZIP_MARK",
    "Excerpt",
    "Origin",
    "Source",
    "find_near_file",
    "strip_endings",
]

LONGEST_LINE: Final = 1 << 20
MOST_NAMES: Final = 10_000  # of a folder, to look for a file that was meant
LONG_LINE: Final = "a line of more than 1 MiB; is this a text file of the expected format?"
BLOCK: Final = 1 << 20
AFTER: Final = b"\n" + bytes(8)  # held bytes end with a line, and a kernel may look a little further
STDIN: Final = "-"
COMPRESSED_ENDINGS: Final = (".gz", ".bz2", ".xz", ".zst", ".lz4")
KNOWN_ENDINGS: Final = {
    ".trec": "trec", ".run": "trec", ".txt": "", ".psv": "", ".rnk": "",
    ".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".parquet": "parquet", ".parq": "parquet", ".xlsx": "excel", ".xlsm": "excel",
    ".md": "markdown", ".markdown": "markdown",
    ".letor": "letor", ".soc": "preflib", ".soi": "preflib", ".toc": "preflib", ".toi": "preflib",
    ".blt": "blt", ".cvotes": "cvotes", ".cvote": "cvotes", ".abif": "abif", ".gmt": "gmt",
}  # fmt: skip
"""Endings that a ranker's name drops (NIST's input.uic0301 keeps its own), and the formats that they name, if any."""

ZIP_MARK: Final = b"PK\x03\x04"
OLD_ENCODINGS: Final = ("latin-1", "cp1252", "cp932", "gb18030", "cp949", "cp1251")
"""Encodings as spreadsheets of the West, and then of Japan, China, Korea and Russia, still write them."""
AROUND: Final = 12  # characters that show what an encoding makes of an odd byte
UTF8_MARK, UTF16_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
BROKEN_ARCHIVE = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


class Origin:
    """Where an input comes from: its name, the place of a row in messages, and the log; here one that is no file."""

    def __init__(self, name: str, log: ReadLog) -> None:
        self.name, self.log = name, log

    @property
    def stem(self) -> str:
        """The name of a ranker that has no other."""
        return "1"

    @property
    def plain_name(self) -> str:
        """The name of a file without the endings of compression."""
        return ""

    @property
    def file(self) -> str | None:
        """The name of the file for errors; None where there is none."""
        return None

    def place(self, line: int | None) -> str:
        """The place of a remark, which follows it: the frame and the row."""
        return self.name if not line else f"{self.name}, row {line}"

    def error(self, message: str, line: int | None = None) -> DataError:
        """The error at this line, to be raised; the header of a frame is its row 0, which nobody counts."""
        return DataError(message, file=self.file, line=line or None)

    def excerpt(self, lines: Iterable[tuple[int, str]] = (), log: ReadLog | None = None) -> Origin:
        """The same with a log of its own."""
        return Origin(self.name, ReadLog() if log is None else log)


class Source(Origin):
    """One file to read once: ``name`` for messages, ``stem`` for the ranker, then bytes or lines.

    The first bytes can be looked at (:meth:`peek`) before anything is read, so a format can be recognised even on
    standard input.
    """

    def __init__(
        self,
        path: str | Path,
        log: ReadLog,
        *,
        encoding: str = "utf-8",
        max_size: int | None = None,
        given_name: str | None = None,
    ) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidParameter(f"expected the path of a file, or - for standard input, not {shown(path)}")
        named = os.fsdecode(path)
        self.name = "<stdin>" if named == STDIN else named
        self.path = Path(named)
        self.given_name = given_name
        """The name that the caller gives to the ranker; None where it is that of the file."""
        self.log = log
        self.encoding = _check_encoding(encoding)
        self.bounds = Bounds(max_size, self.name)
        self.unfinished_line: int | None = None
        """The number of the last line when it lacks its newline: a sign that the file was cut."""
        self._begun, self._is_copy = False, False
        self._broken: BaseException | None = None
        self._unreadable: DataError | None = None
        self._kept: bytearray | None = None
        self._returns: bool | None = None
        self._ahead: memoryview | None = None
        self._packed = self._open()
        self._is_file = self.name != "<stdin>" and self._packed.seekable()
        self._state = self._look_at_file()
        try:
            self._stream = self._decompress(self._packed)
        except StaggError:
            self._release()
            raise

    @property
    def file(self) -> str:
        return self.name

    @property
    def plain_name(self) -> str:
        """The file's name without the endings of compression."""
        return _strip(self.path.name, COMPRESSED_ENDINGS)

    @property
    def stem(self) -> str:
        """The name that was given, or that of the file without folder and known endings: a ranker's or a query's."""
        if self.given_name is not None:
            return self.given_name
        return "stdin" if self.name == "<stdin>" else strip_endings(self.path.name)

    def peek(self, size: int = 1 << 16) -> bytes:
        """The first (decompressed) bytes, which stay to be read."""
        if self._unreadable is not None:
            raise self._unreadable
        try:
            with self._name_broken_archive():
                return self._stream.peek(size)[:size]
        except DataError as error:
            self._unreadable = error  # a second look at a damaged archive would find nothing at all
            raise

    def head(self) -> bytes:
        """The first bytes as UTF-8 without a byte-order mark: what a text format is recognised by."""
        first = self.peek()
        if self._wide:
            first = first.decode(self.encoding, "ignore").encode("utf-8", "ignore")
        return (_end_lines(first) if self._has_returns else first).removeprefix(UTF8_MARK)

    def binary(self) -> IO[bytes]:
        """All of it as bytes that can be sought in: the file itself, or its content when it is packed or a pipe."""
        if self._stream is self._packed and self._packed.seekable():
            return self._stream
        return io.BytesIO(b"".join(self.raw_blocks()))

    def keep(self) -> None:
        """From here on, what is read is kept, for :meth:`hold`."""
        self._kept = bytearray()

    def hold(self) -> bytearray | None:
        """All bytes since :meth:`keep`, those to come too, which stay to be read; a newline and eight bytes are added.

        None where the archive is damaged, which whoever reads on finds out in its turn.
        """
        held, self._kept = self._kept or bytearray(), None
        place = len(held)
        try:
            while block := self._next_block():
                held += block
        except DataError as error:
            self._broken = error
        held += AFTER
        self._ahead = memoryview(held)[place : -len(AFTER)]
        return held if self._broken is None else None

    @property
    def is_plain_file(self) -> bool:
        """Whether its bytes can be read at any place of the file itself."""
        return self._stream is self._packed and self.can_be_reopened and not self._has_returns

    @property
    def share_read(self) -> float:
        """About which share of the file itself, packed or not, was read; 0 where that is not known."""
        if not self.can_be_reopened or self._packed.closed:
            return 0.0
        size = os.fstat(self._packed.fileno()).st_size
        return min(1.0, self._packed.tell() / size) if size else 0.0

    @property
    def can_be_reopened(self) -> bool:
        """Whether it is a file, which can be read again, and no pipe; also when it is closed."""
        return self._is_file

    def stored(self, *, is_text: bool = True) -> IO[bytes]:
        """The content, unpacked, as a file that can be read at any place and again (:meth:`rewind`).

        That is the file itself, or a temporary copy of what is packed or came through a pipe. What is to be text and is
        none is refused before all of it is there.
        """
        self._begun = True
        if not self.is_plain_file and not self._is_copy:
            import tempfile  # here: few inputs need a copy

            copy = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the source
            try:
                for block in self.text_blocks() if is_text else self.raw_blocks():
                    copy.write(block)
            except BaseException as error:
                self._broken = error
                copy.close()
                raise
            copy.seek(0)
            if self._stream is not self._packed:
                self._stream.close()
            self._stream, self._is_copy = cast("io.BufferedReader", copy), True
        return self._stream

    def rewind(self) -> None:
        """All of it is read from its beginning again; of a pipe only after :meth:`stored`."""
        if not self._begun:
            return
        self._kept = self._ahead = None
        if self._is_copy or (self._stream is self._packed and self._packed.seekable()):
            self._stream.seek(0)
        elif self._broken is not None and not self._packed.seekable():
            raise self._broken  # what a pipe gave is gone
        else:
            self._packed.seek(0)
            self._stream = self._decompress(self._packed)

    def chunks(self) -> Iterator[tuple[int, str]]:
        """(number of the first line, text of whole lines), for readers that take many lines at once."""
        line = 1
        for number, block in enumerate(self._blocks()):
            block = self._check(block, line, first=number == 0)
            self._refuse_long_lines(block, line)
            text = self._decode(block, line)
            following = line + text.count("\n")
            self.unfinished_line = None if text.endswith("\n") else following
            yield line, text
            line = following

    def read_into(self, target: memoryview) -> int:
        """Fill the target with the next bytes, as many as there are; how many that is, less only at the end."""
        has_returns, self._begun, place = self._has_returns, True, 0
        with self._name_broken_archive():
            while place < len(target):
                count = self._stream.readinto(target[place:])  # a pipe gives what it has
                if not count:
                    break
                place += count
        if has_returns:
            target[:place] = _end_lines(bytes(target[:place]))
        return place

    def refuse_block(self, block: bytes, line: int, *, first: bool) -> None:
        """Refuse whole lines, the first of which has this number, that are no text in UTF-8."""
        self._check(block, line, first=first)
        self._refuse_long_lines(block, line)
        self._decode(block, line)

    def note_mark(self) -> None:
        """Say that a byte-order mark was left out."""
        self.log.note(f"{self.name}: a byte-order mark ({self.encoding.upper()}) was left out", minor=True)

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number, line without its end), blank lines left out."""
        for first, text in self.chunks():
            for offset, line in enumerate(text.split("\n")):
                line = line.removesuffix("\r")
                if line.strip(" \t"):
                    yield first + offset, line

    def byte_lines(self) -> Iterator[tuple[int, bytes]]:
        """(line number, bytes of the line without its end), lines of any length: :meth:`decode` those that are wanted.

        For collections of which few lines are wanted. Blank lines are among them.
        """
        line, pieces = 1, [b""]
        for number, block in enumerate(self._all_blocks()):
            first, *others = self._check(block, line, first=number == 0).split(b"\n")
            pieces.append(first)
            for following in others:
                yield line, b"".join(pieces).removesuffix(b"\r")
                line, pieces = line + 1, [following]
        yield line, b"".join(pieces).removesuffix(b"\r")

    def decode(self, line: bytes, number: int) -> str:
        """The text of a line of :meth:`byte_lines`."""
        return self._decode(line, number)

    def text(self) -> str:
        """All of it as text, for formats whose lines mean nothing and may be of any length (JSON)."""
        blocks: list[bytes] = []
        line = 1
        for block in self._all_blocks():
            blocks.append(self._check(block, line, first=line == 1 and not blocks))
            line += block.count(b"\n")
        return self._decode(b"".join(blocks), 1)

    def place(self, line: int | None) -> str:
        return self.name if line is None else f"{self.name}:{line}"

    def error(self, message: str, line: int | None = None) -> DataError:
        return DataError(message, file=self.name, line=line)

    def excerpt(self, lines: Iterable[tuple[int, str]] = (), log: ReadLog | None = None) -> Excerpt:
        """Some lines of it that were looked at before, with a log of its own."""
        return Excerpt(self, lines, log)

    def refuse_change(self) -> None:
        """Refuse a file that was changed or replaced since it was opened: what was read may be half old, half new."""
        if self._state is not None and self._look_at_file() != self._state:
            raise self.error("the file changed while it was read; read it again when it is complete")

    def close(self) -> None:
        if self._stream is not self._packed:
            self._stream.close()
        self._release()

    def reopen(self) -> None:
        """Open it again after :meth:`close`, at its beginning."""
        self._packed = self._open()
        self._stream, self._begun, self._is_copy = self._decompress(self._packed), False, False

    @property
    def is_closed(self) -> bool:
        return self._packed.closed

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- bytes ----------------------------------------------------------------------------------------------------

    def _open(self) -> io.BufferedReader:
        try:
            if self.name == "<stdin>":
                return io.BufferedReader(cast("io.RawIOBase", _standard_input()), BLOCK)
            raw = io.FileIO(self.path)
            return io.BufferedReader(raw, BLOCK) if raw.seekable() else _patient(raw)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            like = find_near_file(self.path) if isinstance(error, FileNotFoundError) else None
            near = "" if like is None else f"; did you mean {shown(like)}?"
            raise DataError(f"cannot be read: {reason}{near}", file=self.name) from None

    def _look_at_file(self) -> tuple[int, ...] | None:
        """Marks that change with a file: which one it is, its size, the time of its last change; None for a pipe."""
        if self.name == "<stdin>":
            return None
        try:
            found = os.stat(self.path)
        except OSError:
            return ()
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None

    def _decompress(self, stream: io.BufferedReader) -> io.BufferedReader:
        with self._name_broken_archive():
            magic = stream.peek(6)[:6]
        for mark, opener in DECOMPRESSORS.items():
            if magic.startswith(mark):
                packed = CountedBytes(stream, LZ4_TIMES if opener is _lz4_reader else None)
                return io.BufferedReader(Bounded(opener(cast("IO[bytes]", packed)), self.bounds, packed), BLOCK)
        if not stream.seekable():
            return io.BufferedReader(Bounded(stream, self.bounds), BLOCK)
        self._check_plain_size(stream)
        return stream

    def _check_plain_size(self, stream: io.BufferedReader) -> None:
        place = stream.tell()
        self.bounds.check_plain(stream.seek(0, os.SEEK_END))
        stream.seek(place)

    def _release(self) -> None:
        if self.name == "<stdin>":
            self._packed.detach()  # standard input is not ours to close
        else:
            self._packed.close()

    def _name_broken_archive(self) -> _BrokenArchive:
        return _BrokenArchive(self)

    def _blocks(self) -> Iterator[bytes]:
        """Blocks of whole lines; the last may lack its newline.

        A last line without its newline comes with the block before it: a NUL byte in it is found as soon as others.
        """
        whole = rest = b""
        for block in self._all_blocks():
            lines, newline, tail = block.rpartition(b"\n")
            if newline:
                if whole:
                    yield whole
                whole, rest = rest + lines + newline, tail
            else:
                rest += tail
                if len(rest) > 2 * LONGEST_LINE:  # far beyond what is allowed: say so before all is in memory
                    yield whole + rest
                    whole = rest = b""
        if whole or rest:
            yield whole + rest

    def _all_blocks(self) -> Iterator[bytes]:
        return self._recode() if self._wide else self.raw_blocks()

    def raw_blocks(self) -> Iterator[bytes]:
        while block := self._next_block():
            if self._kept is not None:
                self._kept += block
            yield block

    def text_blocks(self) -> Iterator[bytes]:
        """The same for a text in UTF-8: NUL bytes and endless lines are refused as they come, not when all is there."""
        line, open_bytes = 1, 0
        for number, block in enumerate(self.raw_blocks()):
            self._refuse_no_text(block, line, first=number == 0)
            line += block.count(b"\n")
            open_bytes = len(block) - block.rfind(b"\n") - 1 + (0 if b"\n" in block else open_bytes)
            if open_bytes > LONGEST_LINE:
                raise self.error(LONG_LINE, line)
            yield block

    def _next_block(self) -> bytes:
        has_returns, self._begun = self._has_returns, True
        if self._ahead is None:
            with self._name_broken_archive():
                block = self._stream.read(BLOCK)
            return _end_lines(block) if has_returns else block
        block, self._ahead = bytes(self._ahead[:BLOCK]), self._ahead[BLOCK:]
        if not block and self._broken is not None:
            raise self._broken
        return block

    @property
    def _has_returns(self) -> bool:
        """Whether the lines of a text end in carriage returns alone, as those of old Macintoshes."""
        if self._returns is None:
            if self._begun:
                return False
            try:
                first = self.peek()
            except DataError:  # a damaged archive, which is said when it is read
                first = b""
            self._returns = b"\r" in first and b"\n" not in first and b"\0" not in first
        return self._returns

    def _recode(self) -> Iterator[bytes]:
        """The blocks of a file in UTF-16 or UTF-32 as UTF-8, in which a newline is one byte."""
        try:
            for text in codecs.iterdecode(self.raw_blocks(), self.encoding):
                yield text.encode()
        except UnicodeError as error:
            raise self.error(f"is not {self.encoding.upper()}: {error}") from None

    def _check(self, block: bytes, line: int, *, first: bool) -> bytes:
        """The block without a byte-order mark; UTF-16 and NUL bytes are refused."""
        if first and self.encoding == "utf-8" and block.startswith(UTF16_MARKS):
            raise self.error(tell("the file is UTF-16; convert it to UTF-8, or say ", Say(encoding="utf-16")), 1)
        if first and (self.encoding == "utf-8" or self._wide) and block.startswith(UTF8_MARK):
            self.note_mark()
            block = block[len(UTF8_MARK) :]
        self._refuse_no_text(block, line, first=first)
        return block

    def _refuse_no_text(self, block: bytes, line: int, *, first: bool) -> None:
        if b"\0" in block:
            place = line + block.count(b"\n", 0, block.index(b"\0"))
            nuls = block.count(b"\0")  # every other byte of UTF-16, in languages of the West
            utf16 = first and len(block) <= 3 * nuls < 3 * len(block)
            kind = "utf-16-be" if block[::2].count(0) > block[1::2].count(0) else "utf-16-le"
            hint: str = tell("; if it is UTF-16, say ", Say(encoding=kind)) if utf16 else ""
            if first and block.startswith(ZIP_MARK):
                hint = ": it looks like a zip archive, which you have to unpack first"
            raise self.error(tell("a NUL byte; this is not a text file, or it is damaged", hint), place)
        if len(block) >= BLOCK and b"\n" in block and block.isspace():  # without an end it is one long line
            raise self.error("1 MiB of blank lines; this is not a text file, or it is damaged", line)

    def _refuse_long_lines(self, block: bytes, line: int) -> None:
        start = 0
        while len(block) - start > LONGEST_LINE:
            end = block.rfind(b"\n", start, start + LONGEST_LINE + 1)
            if end < 0:
                place = line + block.count(b"\n", 0, start)
                raise self.error(LONG_LINE, place)
            start = end + 1

    @property
    def _wide(self) -> bool:
        """Whether the encoding is one of those (UTF-16, UTF-32) in which a newline is more than one byte."""
        return "\n".encode(self.encoding) != b"\n"

    def _decode(self, block: bytes, line: int) -> str:
        try:
            text = block.decode("utf-8" if self._wide else self.encoding)
            if self.encoding != "utf-8" and not text.isascii():
                text.encode()  # some encodings (utf-7) spell half characters, which nobody could write
            return text
        except UnicodeDecodeError as error:
            line += block.count(b"\n", 0, error.start)
            offset = error.start - (block.rfind(b"\n", 0, error.start) + 1)
            found = shown(block[error.start : error.start + 1])
            what = f"byte {offset + 1} of the line, {found}, is not {self.encoding.upper()}"
            raise self.error(tell(what, _offer_encoding(block, error.start, self.encoding)), line) from None
        except UnicodeError as error:
            raise self.error(f"is not {self.encoding.upper()}: {error}", line) from None


class Excerpt(Source):
    """Some lines of a source that was looked at before: the same names, and a log of its own."""

    def __init__(self, source: Source, lines: Iterable[tuple[int, str]] = (), log: ReadLog | None = None) -> None:
        self.name, self.path, self.encoding = source.name, source.path, source.encoding
        self.given_name = source.given_name
        self.log, self.unfinished_line = ReadLog() if log is None else log, None
        self._lines, self._state, self._returns = lines, None, False

    def chunks(self) -> Iterator[tuple[int, str]]:
        return iter(self._lines)

    def hold(self) -> bytearray | None:
        """There are lines, and no bytes."""
        return None

    def close(self) -> None:
        """There is nothing to close."""


def _end_lines(block: bytes) -> bytes:
    return block.replace(b"\r", b"\n")


def strip_endings(name: str) -> str:
    """The name of a file without the endings that say how it is packed, and the one that names its format.

    >>> strip_endings("bm25.trec.gz"), strip_endings("input.uic0301"), strip_endings("run.v2.txt")
    ('bm25', 'input.uic0301', 'run.v2')
    """
    plain = _strip(name, COMPRESSED_ENDINGS)
    ending = next((each for each in KNOWN_ENDINGS if plain.lower().endswith(each) and len(plain) > len(each)), "")
    return plain[: len(plain) - len(ending)]


def find_near_file(path: Path) -> str | None:
    """A file of the same folder with nearly the same name, in whatever case: what a misspelt path may mean."""
    import difflib

    try:
        names = list(itertools.islice((entry.name for entry in os.scandir(path.parent)), MOST_NAMES))
    except (OSError, ValueError):
        return None
    lower = {name.lower(): name for name in sorted(names)}  # the order of a folder is nobody's
    near = difflib.get_close_matches(path.name.lower(), lower, n=1, cutoff=0.75)
    return str(path.parent / lower[near[0]]) if near else None


def _strip(name: str, endings: tuple[str, ...]) -> str:
    while name.lower().endswith(endings):
        name = name[: name.rindex(".")]
    return name


class _BrokenArchive:
    """Turns what the decompressors raise into an error that names the file."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BROKEN_ARCHIVE) or type(error).__name__ in ("ZstdError", "LZ4FrameError"):
            raise self.source.error("the archive is truncated or damaged") from None
        if isinstance(error, RuntimeError) and "LZ4" in str(error):
            raise self.source.error("the archive is truncated or damaged") from None
        if isinstance(error, OSError):
            reason = error.strerror or "the archive is truncated or damaged"
            raise self.source.error(f"cannot be read: {reason}") from None


def _offer_encoding(block: bytes, place: int, refused: str) -> Told:
    """What to do about an odd byte at this place: the encoding that can read the block, and the text that it makes."""
    unknown = tell("name the file's encoding with ", name_option("encoding"))
    if refused == "utf-8" and not (block[:place] + block[place + 1 :]).decode("utf-8", "ignore").isascii():
        return tell("; other characters are UTF-8, so this byte may be damaged: mend it, or ", unknown)
    known = ((encoding, _decode_all(block, encoding)) for encoding in OLD_ENCODINGS if encoding != refused)
    encoding, text = next(((encoding, text) for encoding, text in known if text is not None), ("", ""))
    if not encoding:
        return tell("; ", unknown)
    first = max(block.rfind(b"\n", 0, place) + 1, place - AROUND)
    around = shown(text[first : place + AROUND].partition("\n")[0].strip())
    return tell("; name the file's encoding, such as ", Say(encoding=encoding), f", which reads {around}")


def _decode_all(block: bytes, encoding: str) -> str | None:
    """The text of a block; None where the encoding does not know one of the bytes, or makes a control character."""
    try:
        text = block.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if encoding == "latin-1" and any("\x80" <= each <= "\x9f" for each in set(text)) else text


def _check_encoding(name: str) -> str:
    try:
        codec = codecs.lookup(name)
        "\n".encode(codec.name)
    except (LookupError, TypeError, ValueError):
        raise InvalidParameter(f"there is no text encoding {shown(name)}; try utf-8, latin-1 or cp1252") from None
    return codec.name


def _standard_input() -> IO[bytes]:
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise OSError("there is no standard input")
    return stream


def _patient(raw: io.RawIOBase) -> io.BufferedReader:
    """A pipe gives what it has; this reader waits until a block is full, so that looking ahead sees whole lines."""
    return io.BufferedReader(cast("io.RawIOBase", io.BufferedReader(raw, BLOCK)), BLOCK)


def _lz4_reader(stream: IO[bytes]) -> Any:
    return need("lz4.frame", "LZ4 files", extra="lz4", package="lz4").LZ4FrameFile(stream)


def _zstd_reader(stream: IO[bytes]) -> io.BufferedReader:
    zstandard = need("zstandard", "Zstandard files", extra="zstd")
    return _patient(_ZstdFrames(stream, zstandard.ZstdDecompressor().decompressobj))


class _ZstdFrames(io.RawIOBase):
    """The content of one Zstandard frame after another; unlike zstandard's own reader it notices a missing end."""

    def __init__(self, stream: IO[bytes], new_frame: Callable[[], Any]) -> None:
        self._stream = stream
        self._new_frame = new_frame
        self._frame: Any = None
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._stream.read(1 << 8)  # little at a time: a block of 4 bytes may unfold to 128 KiB
            if not packed:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._ready = b"".join(self._unfold(packed))
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unfold(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            self._frame = self._frame or self._new_frame()
            yield self._frame.decompress(packed)
            packed = b""
            if self._frame.eof:
                packed, self._frame = self._frame.unused_data, None


def _bz2_reader(stream: IO[bytes]) -> io.BufferedReader:
    return _patient(_Members(stream, bz2.BZ2Decompressor))


def _xz_reader(stream: IO[bytes]) -> io.BufferedReader:
    return _patient(_Members(stream, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ)))


class _Members(io.RawIOBase):
    """The content of one bzip2 or xz stream after another; Python's own readers take a damaged one for the end.

    Zeros may stand between streams and after them: xz rounds sizes up with them.
    """

    def __init__(self, stream: IO[bytes], new_member: Callable[[], Any]) -> None:
        self._stream = stream
        self._new_member = new_member
        self._member: Any = new_member()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = b""
        while not content:
            packed = b""
            if self._member.eof:
                packed = self._find_next()
                if not packed:
                    return 0
                self._member = self._new_member()
            elif self._member.needs_input:
                packed = self._stream.read(io.DEFAULT_BUFFER_SIZE)
                if not packed:
                    raise EOFError
            content = self._member.decompress(packed, len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def _find_next(self) -> bytes:
        """The first bytes of the next stream, if there is one."""
        packed: bytes = self._member.unused_data or self._stream.read(io.DEFAULT_BUFFER_SIZE)
        while packed and not (rest := packed.lstrip(b"\x00")):
            packed = self._stream.read(io.DEFAULT_BUFFER_SIZE)
        return rest if packed else b""


DECOMPRESSORS: Final[dict[bytes, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": _bz2_reader,
    b"\xfd7zXZ\x00": _xz_reader,
    b"\x28\xb5\x2f\xfd": _zstd_reader,
    b"\x04\x22\x4d\x18": _lz4_reader,
}
