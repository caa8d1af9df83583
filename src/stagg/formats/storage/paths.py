"""Paths of an INPUT: a file, the files of a folder, the matches of a pattern; names taken from folders."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from stagg.errors import DataError
from stagg.formats.storage.source import STDIN, strip_endings

__all__ = ["Place", "expand_paths"]

PARTITIONS: Final = ("ranker", "query")


class Place(NamedTuple):
    """One file to read. ``ranker`` and ``query`` are what a hive folder (``ranker=bm25``) says of it.

    ``table`` is the name of the folder whose files are parts of one table (part-0, part-1, ...).
    """

    path: str | Path
    ranker: str | None = None
    query: str | None = None
    table: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether only the file itself says what it holds."""
        return self.ranker is None and self.query is None and self.table is None


def expand_paths(paths: Sequence[str | Path]) -> list[Place]:
    """The files that these inputs mean, in the order given, those of a folder or pattern by name."""
    places: list[Place] = []
    for path in paths:
        if str(path) == STDIN or os.path.isfile(path):
            places.append(_place(path))
        elif os.path.isdir(path):
            places += _in_folder(path)
        elif glob.has_magic(str(path)) and not os.path.exists(path):
            places += _matching(str(path))
        else:
            places.append(_place(path))  # reading it says what is wrong
    return places


def _in_folder(folder: str | Path) -> list[Place]:
    """All files below a folder, but for those that begin with a dot or an underscore (_SUCCESS)."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        found += [Path(root) / name for name in sorted(names) if name[0] not in "._"]
    if not found:
        raise DataError("there is no file in this folder", file=str(folder))
    return [_place(path, parts=_are_parts(path, found)) for path in found]


def _are_parts(path: Path, found: Sequence[Path]) -> bool:
    return all(other.name.startswith("part-") for other in found if other.parent == path.parent)


def _matching(pattern: str) -> list[Place]:
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise DataError("no file matches this pattern", file=pattern)
    files = [Path(match) for match in matches if not os.path.isdir(match)]
    if files:
        return [_place(path, parts=_are_parts(path, files)) for path in files]
    return [place for folder in matches for place in _in_folder(folder)]


def _place(path: str | Path, *, parts: bool = False) -> Place:
    """A file with what the names of its folders say."""
    said: dict[str, str] = {}
    for folder in Path(path).parts[:-1]:
        key, sign, value = folder.partition("=")
        if sign and key in PARTITIONS and value:
            said[key] = unquote(value)
    table = strip_endings(Path(path).parent.name) if parts and not said else None
    return Place(path, said.get("ranker"), said.get("query"), table or None)
