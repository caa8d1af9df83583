"""TREC runs, ``query Q0 item rank score tag``, and qrels, ``query 0 item label``."""

from __future__ import annotations

import dataclasses
import re
from array import array
from collections.abc import Iterator
from typing import IO, Final

import numpy as np

from stagg.data.construct import Rows
from stagg.data.labels import LARGEST_LABEL, Labels
from stagg.data.query import order_scores
from stagg.data.rankings import FloatArray, IntArray, Rankings
from stagg.errors import shown
from stagg.formats.base import (
    NUMBER,
    Format,
    Loaded,
    ReadOptions,
    assembled,
    number_text,
    parse_number,
    refuse_values,
)
from stagg.formats.source import Source

__all__ = ["Trec", "read_qrels", "write_qrels"]

COLUMNS: Final = "6 columns (query Q0 item rank score tag)"
BLANK, FIELD = r"[ \t]+", r"([^ \t\n]+)"
ROW: Final = re.compile(
    rf"^[ \t]*{FIELD}{BLANK}[^ \t\n]+{BLANK}{FIELD}{BLANK}{FIELD}{BLANK}({NUMBER}){BLANK}([^ \t\r\n]+)[ \t]*\r?$",
    re.MULTILINE,
)
EMPTY_ROW: Final = re.compile(r"^[ \t]*\r?$", re.MULTILINE)
SPLIT: Final = re.compile(r"[ \t]+")


class Trec(Format):
    """TREC run: query Q0 item rank score tag; one file is one ranker, and the score decides the order."""

    name = "trec"
    endings = (".trec", ".run")

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        line = first_bytes.lstrip().split(b"\n", 1)[0]
        return len(line.split()) == 6

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        refuse_values(source, options, "a TREC run names its columns")
        columns = _Columns.of(source, options)
        ranks = _rank_numbers(columns, source, options)
        by_rank = options.order_by == "rank"
        rows = Rows(
            columns.queries,
            columns.items,
            ranks if by_rank else columns.scores,
            rankers=columns.tags if options.split_by_tag else source.stem,
            by_rank=by_rank,
            scores=columns.scores,
            file=source.name,
            lines=columns.lines,
        )
        rankings, order = assembled(rows, source, options)
        source.log.used(len(order))
        if not by_rank:
            _note_contradictions(rankings, ranks[order], columns.lines[order], source)
        if not options.split_by_tag and len(set(columns.tags)) > 1:
            tags = len(set(columns.tags))
            source.log.note(f"{source.name}: {tags} run tags taken as one run; --split-by-tag makes them rankers")
        return Loaded(rankings, names_rankers=options.split_by_tag)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        if len(rankings.rankers) > 1:
            return f"{len(rankings.rankers)} rankers in one file; write .csv or .json, or one file for each"
        if (rankings.multiplicities != 1).any():
            return "multiplicities; write .csv or PrefLib"
        for kind, names in (
            ("query", rankings.queries),
            ("item", rankings.items),
            ("ranker", rankings.rankers),
        ):
            for name in names:
                if not name or re.search(r"[ \t\r\n]", name):
                    return f"the {kind} id {shown(name)}: its columns are separated by blanks; write .csv or .json"
        return super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        for query, entries in _by_query(rankings):
            scores = map(number_text, order_scores(rankings, entries).tolist())
            _write_rows(rankings, query, entries, scores, stream)


def write_strict(rankings: Rankings, stream: IO[bytes]) -> None:
    """As :meth:`Trec.write`, with scores that strictly decrease even in float32, as ``stagg fuse`` writes them.

    Evaluators keep scores as float32 and break the ties that this makes by item id, which would undo our order:
    score_i = min(float32(s_i), the next float32 below score_(i-1)).
    """
    for query, entries in _by_query(rankings):
        scores = map(str, strictly_decreasing(order_scores(rankings, entries)))
        _write_rows(rankings, query, entries, scores, stream)


def strictly_decreasing(scores: FloatArray) -> np.ndarray:
    """float32 scores, each below the one before it.

    >>> [float(s) for s in strictly_decreasing(np.array([1.0, 1.0, 0.5]))]
    [1.0, 0.9999999403953552, 0.5]
    """
    with np.errstate(over="ignore"):
        strict = np.clip(scores.astype(np.float32), np.finfo(np.float32).min / 2, np.finfo(np.float32).max)
    for place in np.flatnonzero(strict[1:] >= strict[:-1]) + 1:
        while place < len(strict) and strict[place] >= strict[place - 1]:
            strict[place] = np.nextafter(strict[place - 1], np.float32(-np.inf))
            place += 1
    return strict


def _by_query(rankings: Rankings) -> Iterator[tuple[str, slice]]:
    """Each query's id and the entries of its one list, in bytewise order of id."""
    for number in sorted(range(len(rankings)), key=rankings.queries.__getitem__):
        low, high = rankings.entry_offsets[rankings.list_offsets[number : number + 2]]
        yield rankings.queries[number], slice(low, high)


def _write_rows(rankings: Rankings, query: str, entries: slice, scores: Iterator[str], stream: IO[bytes]) -> None:
    tag = rankings.rankers[0] if rankings.rankers else "stagg"
    items = [rankings.items[i] for i in rankings.entries[entries]]
    rows = [
        f"{query} Q0 {item} {rank} {score} {tag}\n"
        for rank, (item, score) in enumerate(zip(items, scores, strict=True), start=1)
    ]
    stream.write("".join(rows).encode())


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Columns:
    """The columns of a run as they stand in the file."""

    queries: list[str]
    items: list[str]
    ranks: list[str]
    scores: FloatArray
    tags: list[str]
    lines: IntArray

    @classmethod
    def of(cls, source: Source, options: ReadOptions) -> _Columns:
        found: tuple[list[str], ...] = ([], [], [], [], [])
        lines = array("q")
        for first, text in source.chunks():
            rows = _clean_rows(text) if not (first == 1 and options.header) and not options.comments else None
            if rows is None:
                rows, numbers = _examined(source, options, first, text)
                lines.extend(numbers)
            else:
                lines.extend(_line_numbers(first, text, len(rows)))
            for column, values in zip(found, zip(*rows, strict=True), strict=False):
                column.extend(values)
        queries, items, ranks, scores, tags = found
        where = np.array(lines, dtype=np.intp)
        return cls(queries, items, ranks, np.array(list(map(float, scores)), dtype=float), tags, where)


Row = tuple[str, str, str, str, str]


def _clean_rows(text: str) -> list[Row] | None:
    """The rows of a chunk when every line of it is right; None sends it to the line-by-line reader."""
    rows: list[Row] = ROW.findall(text)
    count = text.count("\n") + (not text.endswith("\n"))
    if len(rows) != count and len(rows) + len(EMPTY_ROW.findall(text.removesuffix("\n"))) != count:
        return None
    finite = max(map(abs, map(float, (row[3] for row in rows))), default=0.0) < float("inf")
    return rows if finite else None


def _line_numbers(first: int, text: str, rows: int) -> list[int]:
    if text.count("\n") + (not text.endswith("\n")) == rows:
        return list(range(first, first + rows))
    return [first + n for n, line in enumerate(text.split("\n")) if line.strip(" \t\r")]


def _examined(source: Source, options: ReadOptions, first: int, text: str) -> tuple[list[Row], list[int]]:
    """Line by line: what is wrong is named, or dropped and counted when reading leniently."""
    rows, numbers = [], []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=first):
        line = line.removesuffix("\r").strip(" \t")
        if not line or (options.header and number == 1) or (options.comments and line.startswith("#")):
            continue
        fields = SPLIT.split(line)
        problem = _problem(fields, number, last=number == first + len(lines) - 1)
        if problem is None:
            rows.append((fields[0], fields[2], fields[3], fields[4], fields[5]))
            numbers.append(number)
        elif options.lenient:
            source.log.dropped(problem[0], f"{source.name}:{number}")
        else:
            raise source.error(problem[1], number)
    return rows, numbers


def _problem(fields: list[str], number: int, *, last: bool) -> tuple[str, str] | None:
    """Why a line is no row of a run: a short reason to count by, and the whole sentence."""
    if len(fields) != 6:
        message = f"expected {COLUMNS}, found {len(fields)}: {shown(' '.join(fields))}"
        if fields[0].startswith("#"):
            message += "; if '#' lines are comments, say --comments"
        elif last:
            message += "; the file looks truncated"
        elif number == 1:
            message += "; if the first line is a header, say --header"
        return "wrong number of columns", message
    if parse_number(fields[4]) is None:
        message = f"the score {shown(fields[4])} is not a finite number such as 12.5 or -3e-2"
        if number == 1:
            message += "; if the first line is a header, say --header"
        return "bad score", message
    return None


def _rank_numbers(columns: _Columns, source: Source, options: ReadOptions) -> FloatArray:
    """The rank column as numbers; NaN where it holds none, which matters only when it decides the order."""
    try:
        ranks = np.array(list(map(int, columns.ranks)), dtype=float)
        plain = all(map(str.isascii, columns.ranks)) and not any("_" in rank for rank in columns.ranks)
    except (ValueError, OverflowError):
        plain = False
    if not plain:
        parsed = [parse_number(rank) for rank in columns.ranks]
        ranks = np.array([np.nan if rank is None else rank for rank in parsed], dtype=float)
    wrong = np.flatnonzero(~(ranks >= 0))
    if len(wrong):
        line, rank = int(columns.lines[wrong[0]]), columns.ranks[wrong[0]]
        if options.order_by == "rank":
            raise source.error(f"the rank {shown(rank)} is not a number from 0 on; order by score, or mend it", line)
        source.log.note(
            f"{source.name}:{line}: the rank {shown(rank)} is not a number from 0 on "
            f"({len(wrong):,} such rows; the score decides)"
        )
    return ranks


def _note_contradictions(rankings: Rankings, ranks: FloatArray, lines: IntArray, source: Source) -> None:
    """Say how often the rank column puts a row before one of a higher score."""
    same_list = np.diff(rankings.entry_lists) == 0
    falls = same_list & (np.diff(ranks) < 0) & ~rankings.tied[1:]
    if falls.any():
        place = int(lines[1:][falls].min())
        source.log.note(
            f"{source.name}:{place}: the rank column contradicts the scores ({int(falls.sum()):,} rows); "
            "the score decides; --order-by rank takes the rank column"
        )


# --- qrels ------------------------------------------------------------------------------------------------------------

INTEGER: Final = re.compile(r"[+-]?[0-9]+")


def read_qrels(source: Source, options: ReadOptions) -> Labels:
    """Labels from ``query 0 item label`` rows; a label below 0 means "not judged".

    The same judgment twice is an error (dropped when lenient); two different ones always are.
    """
    grades: dict[str, dict[str, float]] = {}
    places: dict[tuple[str, str], int] = {}
    for number, line in source.lines():
        fields = SPLIT.split(line.strip(" \t"))
        if (options.header and number == 1) or (options.comments and fields[0].startswith("#")):
            continue
        problem = _qrels_problem(fields, number, options)
        if problem is None:
            problem = _repeated(fields, number, grades, places, source)
        if problem is None:
            grades.setdefault(fields[0], {})[fields[2]] = float(fields[3])
            places[fields[0], fields[2]] = number
            source.log.used(1)
        elif options.lenient:
            source.log.dropped(problem[0], f"{source.name}:{number}")
        else:
            raise source.error(problem[1], number)
    if not places:
        raise source.error("0 rows: there is nothing to read")
    return Labels(grades)


def _qrels_problem(fields: list[str], number: int, options: ReadOptions) -> tuple[str, str] | None:
    if len(fields) != 4:
        message = f"expected 4 columns (query 0 item label), found {len(fields)}: {shown(' '.join(fields))}"
        if fields[0].startswith("#"):
            message += "; if '#' lines are comments, say --comments"
        elif number == 1:
            message += "; if the first line is a header, say --header"
        return "wrong number of columns", message
    label = parse_number(fields[3])
    if label is None or not (options.float_labels or INTEGER.fullmatch(fields[3])):
        hint = "a number" if options.float_labels else "a whole number; --float-labels allows fractions"
        return "bad label", f"the label {shown(fields[3])} is not {hint}"
    if label > LARGEST_LABEL:
        return "bad label", f"the label {shown(fields[3])} is over {LARGEST_LABEL}"
    return None


def _repeated(
    fields: list[str],
    number: int,
    grades: dict[str, dict[str, float]],
    places: dict[tuple[str, str], int],
    source: Source,
) -> tuple[str, str] | None:
    before = places.get((fields[0], fields[2]))
    if before is None:
        return None
    what = f"item {shown(fields[2])} of query {shown(fields[0])} is judged twice, in lines {before} and {number}"
    old = grades[fields[0]][fields[2]]
    if old != float(fields[3]):
        raise source.error(f"{what}, differently: {number_text(old)} and {fields[3]}", number)
    return "duplicate judgment", f"{what}; remove one of them"


def write_qrels(labels: Labels, stream: IO[bytes]) -> None:
    """Labels as qrels, queries and items in bytewise order of id."""
    for query in sorted(labels):
        rows = [f"{query} 0 {item} {number_text(grade)}\n" for item, grade in sorted(labels[query].items())]
        stream.write("".join(rows).encode())
