"""Atomic writes: temporary files beside the target, fsynced, then renamed, so that outputs are never torn."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gzip
import io
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from stagg.errors import DataError, shown

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows has no such locks; there, files that are open cannot be removed
    fcntl = None

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
        with _temporary(_follow(target)) as stream:
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        missing = isinstance(error, FileNotFoundError) and not target.parent.is_dir()
        reason = f"the folder {shown(str(target.parent))} does not exist" if missing else error.strerror or error
        raise DataError(f"cannot be written: {reason}", file=str(path)) from None


def _follow(target: Path) -> Path:
    """The target of a link: it is to be replaced, and not the link."""
    try:
        return target.resolve() if target.is_symlink() else target
    except RuntimeError:  # Python 3.11 and 3.12 say so of links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[IO[bytes]]:
    _remove_stale(target)
    name, raw = _create(target)
    try:
        with raw:
            with _compress(raw, target.name) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
            os.chmod(name, _mode(target))
            os.replace(name, target)
        _sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what is told
            _remove(name)
        raise
    finally:
        _UNFINISHED.discard(name)


def _create(target: Path) -> tuple[str, IO[bytes]]:
    """A new file beside the target, locked as long as it is open."""
    while True:
        name = os.path.join(target.parent, f".{target.name[:20]}.{os.urandom(6).hex()}.part")
        _UNFINISHED.add(name)
        try:
            raw = open(name, "xb", opener=_open_for_us_alone)  # noqa: SIM115  closed by the caller
        except OSError:
            _UNFINISHED.discard(name)
            raise
        if _lock(raw.fileno()) is not False and os.path.exists(name):
            return name, raw
        raw.close()  # another run came before the lock, took it for a stale one and removes it
        _remove(name)
        _UNFINISHED.discard(name)


_UNFINISHED: Final[set[str]] = set()


@atexit.register
def _remove_unfinished() -> None:
    """Ctrl-C may come between any two steps; what it left half done goes when the process ends."""
    for name in _UNFINISHED:
        with contextlib.suppress(OSError):
            _remove(name)


def _remove_stale(target: Path) -> None:
    """Remove the temporary files of writers of this target that were killed: nobody holds their lock any more."""
    if fcntl is None:
        return
    pattern = re.compile(rf"\.{re.escape(target.name[:20])}\.[0-9a-f]{{12}}\.part")
    with contextlib.suppress(OSError):  # a folder that cannot be listed is left as it is
        for entry in os.scandir(target.parent):
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False) and _is_stale(entry.path):
                _remove(entry.path)


def _is_stale(name: str) -> bool:
    """Whether a file could be locked, so that nobody is writing it."""
    try:
        handle = os.open(name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False  # not ours, or just gone
    try:
        return _lock(handle) is True
    finally:
        os.close(handle)


def _lock(handle: int) -> bool | None:
    """Lock a file until it is closed; False if another process holds it, None where files have no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno == errno.EWOULDBLOCK else None
    return True


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
