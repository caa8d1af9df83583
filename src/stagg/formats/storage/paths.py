"""Paths of an INPUT: a file, the files of a folder, the matches of a pattern; names that are given or of folders."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.formats.patterns import pattern
from stagg.formats.storage.source import STDIN, strip_endings

__all__ = ["Place", "are_grid", "expand_paths", "look_like_queries", "split_path"]

PARTITIONS: Final = ("ranker", "query")
QUERY_NAME: Final = pattern(r"(?i:(?:q|query|topic|question|request|search|anfrage|frage|thema)?[ _.-]?)[0-9]+")


class Place(NamedTuple):
    """One file to read. ``ranker`` and ``query`` are what a hive folder (``ranker=bm25``) says of it.

    ``table`` is the name of the folder whose files are parts of one table (part-0, part-1, ...). ``name`` is what the
    caller calls the ranker: ``SPLADE=run.trec``.
    """

    path: str | Path
    ranker: str | None = None
    query: str | None = None
    table: str | None = None
    name: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether only the file itself says what it holds."""
        return self.ranker is None and self.query is None and self.table is None


def look_like_queries(names: Iterable[str]) -> bool:
    """Whether files or folders have the names that people give to queries: q1, query_07, topic-301, 12.

    >>> look_like_queries(["q1", "Query 12"]), look_like_queries(["301"]), look_like_queries(["bm25", "q1"])
    (True, True, False)
    """
    return all(QUERY_NAME.fullmatch(name) for name in names)


def are_grid(files: Collection[tuple[str, str]]) -> bool:
    """Whether the (folder, name) of files make a table: several folders, and names that come again in them.

    >>> are_grid([("bm25", "q1"), ("bm25", "q2"), ("dense", "q1")]), are_grid([("a", "q1"), ("b", "q1")])
    (True, False)
    """
    folders, names = {folder for folder, _ in files}, {name for _, name in files}
    return len(folders) > 1 and len(names) > 1 and len(names) < len(files) == len({*files})


def expand_paths(paths: Sequence[str | Path]) -> list[Place]:
    """The files that these inputs mean, in the order given, those of a folder or pattern by name."""
    return [place for path in paths for place in _expand(path)]


def split_path(path: str | Path) -> tuple[str | None, str | Path]:
    """(name, path) of ``NAME=PATH``; the name is None where there is none.

    What exists under the whole text is that file, folder or pattern: so a file called a=b.trec can be read. A name has
    no slash, so ``./a=b.trec`` is always a path, and ``a=./b.trec`` is the file b.trec under the name a.

    >>> split_path("SPLADE=runs/x.trec"), split_path("runs/a=b.trec")
    (('SPLADE', 'runs/x.trec'), (None, 'runs/a=b.trec'))
    """
    name, _, rest = path.partition("=") if isinstance(path, str) else ("", "", "")
    if not (name.strip() and rest) or "/" in name or os.sep in name or os.path.lexists(path):
        return None, path
    return (None, path) if glob.has_magic(str(path)) and glob.glob(str(path), recursive=True) else (name.strip(), rest)


def _expand(given: str | Path) -> list[Place]:
    """The files of one input, under the name that the caller gives them."""
    name, path = split_path(given)
    places = _find_places(path)
    if name is None:
        return places
    if len(places) > 1 and (places[0].table is None or len({place.table for place in places}) > 1):
        what = f"{shown(given)} names {plural(len(places), 'file')}; a name is for one run, so name one file"
        raise InvalidParameter(what)
    return [place._replace(name=name, table=place.table and name) for place in places]


def _find_places(path: str | Path) -> list[Place]:
    if str(path) != STDIN and not os.path.isfile(path):
        if os.path.isdir(path):
            return _in_folder(path)
        if glob.has_magic(str(path)) and not os.path.exists(path):
            return _matching(str(path))
    return [_place(path)]  # reading it says what is wrong


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
