"""Outputs that are old or new, never torn: a temporary file beside the target, fsynced, then renamed."""

from __future__ import annotations

import atexit
import contextlib
import gzip
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, cast

from stagg.errors import DataError, shown

__all__ = ["replacing"]


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary stream whose bytes replace ``path`` when the block ends well, and vanish when it does not.

    A name that ends in .gz is compressed, without a time stamp, so that the same content gives the same bytes.
    """
    target = Path(path)
    if "\0" in target.name:
        raise DataError("cannot be written: a file's name has no NUL", file=shown(str(path)))
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with _special(target) as stream:  # /dev/null, a pipe: nothing to replace, written as it stands
                yield stream
            return
        with _temporary(target.resolve() if target.is_symlink() else target) as stream:
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", file=str(path)) from None


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[IO[bytes]]:
    name = os.path.join(target.parent, f".{target.name[:20]}.{os.urandom(6).hex()}.part")
    _UNFINISHED.add(name)
    try:
        with open(name, "xb", opener=_open_for_us_alone) as raw:
            with _compress(raw, target.name) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
        _sync_folder(target.parent)
    except BaseException:
        _remove(name)
        raise
    finally:
        _UNFINISHED.discard(name)


_UNFINISHED: Final[set[str]] = set()


@atexit.register
def _remove_unfinished() -> None:
    """Ctrl-C may come between any two steps; what it left half done goes when the process ends."""
    for name in _UNFINISHED:
        _remove(name)


def _remove(name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name)


def _open_for_us_alone(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_CLOEXEC", 0), 0o600)


@contextlib.contextmanager
def _special(target: Path) -> Iterator[IO[bytes]]:
    with open(target, "wb") as raw, _compress(raw, target.name) as stream:
        yield stream


@contextlib.contextmanager
def _compress(raw: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    if not name.lower().endswith(".gz"):
        yield raw
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as inner:
        stream = io.BufferedWriter(cast("io.RawIOBase", inner), 1 << 16)
        try:
            yield stream
            stream.flush()
        finally:
            stream.detach()


def _mode(target: Path) -> int:
    """The rights of the file that is replaced, or those that a new file would get."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """The rename itself must reach the disk; folders that cannot be synced (some file systems) are left be."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
