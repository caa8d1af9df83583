"""Write rankings: which format a file name means, and whether the format can hold them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Final

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, UnknownName, printable, shown
from stagg.formats.format import FORMATS, Format, WriteInstead
from stagg.formats.runs.trec import Trec
from stagg.formats.storage.atomic import replacing
from stagg.formats.storage.source import COMPRESSED_ENDINGS, KNOWN_ENDINGS
from stagg.say import tell

__all__ = ["STDOUT", "check_writable", "format_of_name", "pick_fused_format", "write", "write_stream"]

STDOUT: Final = "<stdout>"
"""Standard output, as errors call it."""


def format_of_name(path: str | Path) -> type[Format]:
    """The format that a file's ending picks for writing."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidParameter(f"expected the path of a file, not {shown(path)}")
    given = os.fsdecode(path)
    name, place = given.lower(), printable(given)
    if not name:
        raise InvalidParameter("the name of the output is empty")
    for ending in COMPRESSED_ENDINGS:
        if name.endswith(ending) and ending != ".gz":
            raise InvalidParameter(f"{place}: only .gz can be written; {', '.join(COMPRESSED_ENDINGS)} can be read")
    ending = Path(name.removesuffix(".gz")).suffix
    known_as = KNOWN_ENDINGS.get(ending)
    if known_as and not FORMATS[known_as].writable:
        raise InvalidParameter(f"{place}: {ending} files can only be read; write .csv, .json or .parquet")
    if known_as:
        return FORMATS[known_as]
    known = " ".join(sorted(ending for kind in FORMATS if kind.writable for ending in kind.endings))
    why = f"no format writes {shown(ending)}" if ending else "the ending of the name says the format, and it has none"
    raise UnknownName(f"{place}: {why}; the endings are {known} (+ .gz)")


def pick_fused_format(path: str | Path | None, *, intervals: bool = False, name: str | None = None) -> Format:
    """The format in which a fused ranking is written: what the ending of the file says, or its ``name``.

    Without either it is TREC, or CSV where there are intervals. The scores of a fused TREC run strictly decrease.
    """
    if path is None:
        path, kind = "standard output", FORMATS[name or ("csv" if intervals else "trec")]
    else:
        kind = _agree(path, name)
    if intervals and not kind.holds_intervals:
        raise InvalidParameter(f"{path}: {kind.name} cannot hold intervals of ranks; write .csv, .json or .parquet")
    return Trec(strict=True) if kind is Trec else _writer(path, kind.name)


def _agree(path: str | Path, name: str | None) -> type[Format]:
    """The format of a file; a name that contradicts its ending is refused."""
    try:
        kind = format_of_name(path)
    except UnknownName:
        if name is None:
            raise
        return FORMATS[name]
    if name not in (None, kind.name):
        raise InvalidParameter(f"{path}: the ending says {kind.name}, the format of the output is {name}; choose one")
    return kind


def write(
    rankings: Rankings, path: str | Path, *, format: str | Format | None = None, labels: Labels | None = None
) -> None:
    """Write rankings to a file. An existing file stays as it is until the new one is complete.

    The ending of the name picks the format (.trec .csv .json .parquet ..., + .gz); ``format`` overrules it. Scores are
    written as they are. A list without scores gets n - rank + 1 where the format needs a score. If the format cannot
    hold something, an error is raised before anything is written.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "ann.csv"
    ...     write(Rankings.from_lists({"ann": ["b", "a"]}), path)
    ...     print(path.read_text())
    query,item,rank
    1,b,1
    1,a,2
    <BLANKLINE>
    """
    if not isinstance(rankings, Rankings):
        raise InvalidParameter(f"write takes rankings, such as fuse returns, not {shown(rankings)}")
    path = os.fsdecode(path) if isinstance(path, os.PathLike) else path
    writer = _writer(path, format)
    check_writable(writer, rankings, labels, str(path))
    with replacing(path) as stream:
        writer.write(rankings, stream, labels)


def write_stream(
    rankings: Rankings, stream: IO[bytes], format: Format, *, name: str, labels: Labels | None = None
) -> None:
    """Write rankings to an open stream; ``name`` is what errors call it."""
    check_writable(format, rankings, labels, name)
    format.write(rankings, stream, labels)


def _writer(path: str | Path, format: str | Format | None) -> Format:
    if isinstance(format, Format):
        return format
    if format is not None and format not in FORMATS:
        return FORMATS.parse(format)
    kind = format_of_name(path) if format is None else FORMATS[format]
    return kind.for_name(str(path).lower().removesuffix(".gz"))


def check_writable(writer: Format, rankings: Rankings, labels: Labels | None, name: str) -> None:
    """Refuse rankings that the format cannot hold."""
    why = writer.refusal(rankings, labels)
    if why is not None:
        parts = tell(f"{writer.name} cannot hold ", why).parts
        if name == STDOUT:
            parts = tuple(part.on_stdout if isinstance(part, WriteInstead) else part for part in parts)
        raise DataError(tell(*parts), file=name)
