"""Folders of parts that are old or new, never torn: written beside the target, then renamed."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from stagg.engines.spark.reading import File
from stagg.errors import DataError, InvalidParameter, shown

__all__ = ["Target"]

PARTS: Final = re.compile(r"_SUCCESS|_metadata|_common_metadata|part-.*|\..*\.crc")
"""What Spark leaves in a folder of parts."""


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

    @contextlib.contextmanager
    def replacing(self) -> Iterator[str]:
        """The address to write to; what is written there becomes the target if the block ends well, or vanishes."""
        fresh = self._beside("part")
        try:
            yield fresh.toString()
            self._sync(fresh)
            self._swap(fresh)
        finally:
            with contextlib.suppress(Exception):
                self._files.delete(fresh, True)

    def _swap(self, fresh: Any) -> None:
        """The old goes aside, the new takes its place; if that fails, the old comes back."""
        old = self._beside("old")
        existed = self._files.exists(self._path)
        if existed and not self._files.rename(self._path, old):
            raise DataError("cannot be written: what is there cannot be moved aside", file=self.name)
        if not self._files.rename(fresh, self._path):
            if existed:
                self._files.rename(old, self._path)
            raise DataError(f"cannot be written: {fresh.toString()} cannot be renamed", file=self.name)
        if existed:
            self._files.delete(old, True)

    def _beside(self, what: str) -> Any:
        name = f".{self._path.getName()[:20]}.{uuid.uuid4().hex[:8]}.{what}"
        return self._path.getParent().suffix(f"/{name}")

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
