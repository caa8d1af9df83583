"""Write a folder of parts atomically: into a temporary folder beside the target, then renamed.

No file system renames over a folder, so the old one goes aside first. A driver that is killed between the two renames
leaves neither in place: the next run on the same target finds both beside it, and ends what was begun.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import uuid
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from stagg.engines.spark.reading import File
from stagg.errors import DataError, DataWarning, InvalidParameter, shown

__all__ = ["Target"]

PARTS: Final = re.compile(r"_SUCCESS|_metadata|_common_metadata|part-.*|\..*\.crc")
"""Files that Spark leaves in a folder of parts."""


class Target:
    """Where the parts go, on any file system that Spark can write."""

    def __init__(self, spark: Any, output: str) -> None:
        self.name = output
        context = spark.sparkContext
        self._path = context._jvm.org.apache.hadoop.fs.Path(output)
        self._files = self._path.getFileSystem(context._jsc.hadoopConfiguration())
        self._path = self._files.makeQualified(self._path)

    def check(self, inputs: Sequence[File]) -> None:
        """Refuse a folder that is not of Spark's making, and one that is read."""
        own = unquote(urlsplit(self._path.toUri().toString()).path)
        for file in inputs:
            read = unquote(urlsplit(file.address).path)
            if read == own or read.startswith(f"{own}/"):
                raise InvalidParameter(f"{self.name} is also an input; name another output")
        if not self._files.exists(self._path.getParent()):
            raise DataError("cannot be written: there is no such folder", file=str(self._path.getParent()))
        if self._files.exists(self._path) and self._files.getFileStatus(self._path).isDirectory():
            others = [name for name in self._names() if not PARTS.fullmatch(name)]
            if others:
                raise DataError(
                    f"this folder holds more than the parts of a Spark job ({shown(others[0])}): it is not replaced; "
                    "name another",
                    file=self.name,
                )

    def recover(self) -> None:
        """End what a killed run left beside the target, and say how: one job at a time may write a target."""
        for token, left in sorted(self._left_behind().items()):
            fresh, old = self._beside(token, "part"), self._beside(token, "old")
            if self._files.exists(self._path):
                done = "its result was in place; the one before it is removed"
                said = done if "old" in left else "what it had written was not yet in place, and is removed"
            elif self._is_whole(fresh):
                self._move(fresh, self._path)
                said = "its result was whole, and is now in place"
            elif "old" in left:
                self._move(old, self._path)
                said = "the result before it is back in place"
            else:
                said = "what it had written was not whole, and is removed"
            for each in (fresh, old):
                self._files.delete(each, True)
            warnings.warn(f"{self.name}: an earlier run was interrupted: {said}", DataWarning, stacklevel=2)

    def _left_behind(self) -> dict[str, set[str]]:
        """Remains of other runs on this target: {token: {"part", "old"}}."""
        named = re.compile(re.escape(self._mark()) + r"([0-9a-f]{8})\.(part|old)")
        found: dict[str, set[str]] = {}
        for status in self._files.listStatus(self._path.getParent()):
            match = named.fullmatch(status.getPath().getName())
            if match:
                found.setdefault(match[1], set()).add(match[2])
        return found

    def _is_whole(self, fresh: Any) -> bool:
        """Whether Spark ended what it wrote there."""
        return bool(self._files.exists(fresh.suffix("/_SUCCESS")))

    @contextlib.contextmanager
    def replacing(self) -> Iterator[str]:
        """The address to write to; what is written there becomes the target if the block ends well, or vanishes."""
        token = uuid.uuid4().hex[:8]
        fresh = self._beside(token, "part")
        try:
            yield fresh.toString()
            self._sync(fresh)
            self._swap(fresh, self._beside(token, "old"))
        finally:
            with contextlib.suppress(Exception):
                self._files.delete(fresh, True)

    def _swap(self, fresh: Any, old: Any) -> None:
        """The old goes aside, the new takes its place; if that fails, the old comes back."""
        existed = self._files.exists(self._path)
        if existed:
            self._move(self._path, old)
        try:
            self._move(fresh, self._path)
        except DataError:
            if existed:
                self._move(old, self._path)
            raise
        if existed:
            self._files.delete(old, True)

    def _move(self, source: Any, target: Any) -> None:
        if not self._files.rename(source, target):
            raise DataError(f"cannot be written: {source.toString()} cannot be renamed", file=self.name)

    def _beside(self, token: str, what: str) -> Any:
        return self._path.getParent().suffix(f"/{self._mark()}{token}.{what}")

    def _mark(self) -> str:
        """How the names of what is put beside the target begin: not too long for a name, and of no other target."""
        name = self._path.getName()
        return f".{name[:20]}.{hashlib.blake2b(name.encode(), digest_size=6).hexdigest()}."

    def _names(self) -> list[str]:
        return [status.getPath().getName() for status in self._files.listStatus(self._path)]

    def _sync(self, fresh: Any) -> None:
        """On this machine's own disk, the bytes must be there before the name is."""
        if fresh.toUri().getScheme() != "file":
            return
        folder = unquote(urlsplit(fresh.toUri().toString()).path)
        for name in os.listdir(folder):
            handle = os.open(os.path.join(folder, name), os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
