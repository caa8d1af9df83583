"""Which files an INPUT means: itself, those in a folder, those that a pattern matches; and what folders say of them."""

from __future__ import annotations

import dataclasses
import glob
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from stagg.errors import DataError, shown
from stagg.formats.base import ONE_QUERY, Loaded
from stagg.formats.source import STDIN, strip_endings

__all__ = ["Place", "expand_paths"]

PARTITIONS: Final = ("ranker", "query")


@dataclasses.dataclass(frozen=True)
class Place:
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

    def name_parts(self, loaded: Loaded) -> Loaded:
        """What the file held, with the ranker and the query that its folders name."""
        rankings = loaded.rankings
        if self.query is not None and rankings.queries:
            if rankings.queries not in ((ONE_QUERY,), (self.query,)):
                raise self._error("query", self.query, rankings.queries)
            rankings = rankings.replace(queries=(self.query,))
        ranker = self.ranker if self.ranker is not None else None if loaded.names_rankers else self.table
        if ranker is None:
            return dataclasses.replace(loaded, rankings=rankings)
        if loaded.names_rankers and rankings.rankers != (ranker,):
            raise self._error("ranker", ranker, rankings.rankers)
        return dataclasses.replace(loaded, rankings=rankings.with_rankers([ranker]), names_rankers=True)

    def _error(self, what: str, said: str, held: Sequence[str]) -> DataError:
        some = ", ".join(map(shown, held[:3]))
        return DataError(
            f"its folder says that the {what} is {shown(said)}, and the file itself holds {some}", file=str(self.path)
        )


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
