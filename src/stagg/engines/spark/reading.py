"""Read the inputs of the command line on Spark: the files, the rankers that they belong to, their columns."""

from __future__ import annotations

import ast
import dataclasses
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from stagg.engines.spark import trec
from stagg.engines.spark.frames import Named, named
from stagg.engines.spark.session import clear_errors
from stagg.errors import DataError, InvalidParameter, StaggError, shown
from stagg.formats.inputs import distinct_names
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import strip_endings
from stagg.say import Say, name_option, tell

__all__ = ["Input", "open_for_spark"]

FORMATS: Final = ("trec", "parquet")
TEXT: Final = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
PLACE: Final = re.compile(f"query {TEXT}, ranker {TEXT}, item {TEXT}: ")
"""How the local code names a row; an id that it had to cut is no text of this kind, and has no line."""

GLOB: Final = re.compile(r"([\[\]{}*?\\])")
REFUSED: Final = {
    "values": tell(" is for numbers without a name; TREC runs and tables name theirs: see ", name_option("order_by")),
    "header": ": Spark reads a file in pieces and does not know its first line; remove it",
    "rename": ": Spark names rankers by their files",
    "keep_ranks": ": Spark counts the places of a list; use the engine in memory",
    "split_by_tag": ": on Spark a file is one ranker; split it first",
}
"""What is said of options, after their name."""
ONLY_TABLES: Final = ": the Spark engine reads TREC runs and long Parquet tables; convert the files first"
"""What is said of all other options that change how files are read."""
TAKEN: Final = frozenset(
    ("order_by", "comments", "encoding", "float_labels", "grades", "lenient", "names", "duplicates", "max_size",
     "memory")
)  # fmt: skip
"""Options that Spark follows, that are checked apart, or that mean nothing for its files."""


@dataclasses.dataclass(frozen=True)
class File:
    """One file that Spark reads: its address, how people call it, and its ranker."""

    address: str
    name: str
    ranker: str = ""

    @property
    def path(self) -> str:
        """Path that Spark reads as this file alone."""
        parts = urlsplit(self.address)
        plain = GLOB.sub(r"\\\1", unquote(parts.path))
        return f"{parts.scheme}://{parts.netloc}{plain}" if parts.netloc else f"{parts.scheme}:{plain}"


@dataclasses.dataclass(frozen=True)
class Input:
    """All inputs as one table: its columns, and the rankers in the order of the inputs where they are known."""

    spark: Any
    columns: Any
    names: Named
    rankers: tuple[str, ...] | None
    files: tuple[File, ...]
    is_text: bool = False

    def placed(self, error: StaggError) -> StaggError:
        """An error in the data, with the file and the line where they can be found."""
        text = str(error.__cause__ or error)
        wrong, row = trec.wrong_line(text), PLACE.match(str(error))
        if wrong is not None:
            problem, address, line = wrong
            file = next((file for file in self.files if file.address == address), File(address, address))
            number = trec.line_of_bytes(self.spark, file.path, line)
            return DataError(trec.said(problem, line), file=file.name, line=number)
        if row is not None and isinstance(error, DataError) and self.is_text:
            query, ranker, item = map(ast.literal_eval, row.groups())
            for file in (file for file in self.files if file.ranker == ranker):
                lines = trec.lines_of_item(self.spark, file.path, query, item)
                if lines:
                    several = f" (lines {lines[0]} and {lines[1]})" if len(lines) > 1 else ""
                    return DataError(tell(error.message, several), file=file.name, line=lines[-1])
        return error


def open_for_spark(spark: Any, inputs: Sequence[str], format: str, options: ReadOptions) -> Input:
    """Look at the inputs: nothing of them is read yet but their names and, of Parquet, the columns."""
    for field in dataclasses.fields(ReadOptions):
        name, given = field.name, getattr(options, field.name)
        if name not in TAKEN and given and given != field.default:  # defaults say nothing
            raise InvalidParameter(tell(name_option(name), REFUSED.get(name, ONLY_TABLES)))
    if options.duplicates != "error":
        why = ": the Spark engine refuses duplicates; remove them first"
        raise InvalidParameter(tell(name_option("duplicates"), why))
    if options.encoding.lower().replace("-", "") not in ("utf8", "ascii"):
        why = ": Spark reads UTF-8 here; convert the files first"
        raise InvalidParameter(tell(name_option("encoding"), why))
    if "-" in inputs:
        raise InvalidParameter("standard input (-) cannot be read by Spark's executors; name files they can reach")
    if format not in ("auto", *FORMATS):
        why = f": the Spark engine reads {' and '.join(FORMATS)}; convert it first"
        raise InvalidParameter(tell(Say(format=format), why))
    groups = [_files(spark, path) for path in inputs]
    kind = _kind(groups, format)
    files = _with_rankers(groups)
    with clear_errors():
        return _trec(spark, files, options) if kind == "trec" else _parquet(spark, files, options)


# --- which files ------------------------------------------------------------------------------------------------------


def _files(spark: Any, given: str) -> list[File]:
    """The files of one INPUT: itself, those in a folder, or those that a pattern means."""
    pattern = GLOB.sub(r"\\\1", given) if os.path.exists(given) else given
    try:
        with clear_errors():
            addresses = sorted(spark.read.text(pattern).inputFiles())
    except DataError:
        raise DataError("cannot be read: there is no such file or folder", file=given) from None
    if not addresses:
        raise DataError("Spark finds no file here; it leaves out names that begin with _ or a dot", file=given)
    return [File(_address(each), _show_name(each, given, alone=len(addresses) == 1)) for each in addresses]


def _address(found: str) -> str:
    """As ``_metadata.file_path`` spells it."""
    return re.sub(r"^file:///", "file:/", found)


def _show_name(address: str, given: str, *, alone: bool) -> str:
    if alone and os.path.basename(given) == _base(address):
        return given
    parts = urlsplit(address)
    return unquote(parts.path) if parts.scheme == "file" else address


def _base(address: str) -> str:
    return unquote(urlsplit(address).path.rstrip("/").rpartition("/")[2])


def _kind(groups: Sequence[Sequence[File]], format: str) -> str:
    """TREC or Parquet, by the endings of the files; all inputs must be of one kind."""
    if format != "auto":
        return format
    tables = [file for group in groups for file in group if file.address.lower().endswith(".parquet")]
    if not tables:
        return "trec"
    others = [file for group in groups for file in group if file not in tables]
    if others:
        raise DataError("this is not a Parquet file, but other inputs are; read them separately", file=others[0].name)
    return "parquet"


def _with_rankers(groups: Sequence[Sequence[File]]) -> tuple[File, ...]:
    """Every file with its ranker: one each, named by stem; a folder of parts is one, named by the folder."""
    owners: list[tuple[str, Path, list[File]]] = []
    for group in groups:
        if all(_base(file.address).startswith("part-") for file in group):
            folder = Path(unquote(urlsplit(group[0].address).path)).parent
            owners.append((strip_endings(folder.name), folder, list(group)))
        else:
            owners += [(strip_endings(_base(file.address)), Path(file.name), [file]) for file in group]
    names = distinct_names([(stem, path) for stem, path, _ in owners])
    named_files = [
        dataclasses.replace(file, ranker=name)
        for name, (_, _, files) in zip(names, owners, strict=True)
        for file in files
    ]
    addresses = [file.address for file in named_files]
    if len(set(addresses)) < len(addresses):
        twice = next(file for file in named_files if addresses.count(file.address) > 1)
        raise DataError("this file is among the inputs twice", file=twice.name)
    return tuple(named_files)


# --- their columns ----------------------------------------------------------------------------------------------------


def _trec(spark: Any, files: tuple[File, ...], options: ReadOptions) -> Input:
    text = trec.trec_lines(spark, [file.path for file in files])
    owners = {file.address: file.ranker for file in files}
    columns = trec.trec_columns(text, owners, comments=options.comments, lenient=options.lenient)
    names = Named(columns, {name: name for name in ("query", "ranker", "item", "rank", "score")})
    return Input(spark, columns, names, tuple(dict.fromkeys(owners.values())), files, is_text=True)


def _parquet(spark: Any, files: tuple[File, ...], options: ReadOptions) -> Input:
    """Tables that all name their rankers are parts of one whole; tables that do not are one ranker each."""
    from pyspark.sql import functions as F

    parts, with_ranker = [], []
    for ranker in dict.fromkeys(file.ranker for file in files):
        own = [file for file in files if file.ranker == ranker]
        part = _table(spark, own)
        with_ranker.append("ranker" in part.names)
        columns = part.columns()
        parts.append(columns if with_ranker[-1] else columns.withColumn("ranker", F.lit(ranker)))
        _check_order(part, options, own[0].name)
    if any(with_ranker) != all(with_ranker):
        known = files[with_ranker.index(True)].name
        raise DataError("this file names its rankers itself, others of the inputs are one ranker each", file=known)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.unionByName(part, allowMissingColumns=True)
    names = Named(whole, {name: name for name in whole.columns})
    rankers = None if all(with_ranker) else tuple(dict.fromkeys(file.ranker for file in files))
    return Input(spark, whole, names, rankers, files)


def _table(spark: Any, files: Sequence[File]) -> Named:
    with clear_errors(f"{files[0].name}: the Parquet file is truncated or damaged"):
        table = spark.read.parquet(*[file.path for file in files])
    try:
        return named(table, query="query", item="item", ranker=None, score=None, rank=None)
    except DataError as error:
        raise DataError(error.message.replace("the frame", "the table"), file=files[0].name) from None


def _check_order(part: Named, options: ReadOptions, name: str) -> None:
    if options.order_by is not None and options.order_by not in part.names:
        known = ", ".join(map(shown, part.df.columns))
        raise DataError(f"there is no column '{options.order_by}' to order by; found: {known}", file=name)
