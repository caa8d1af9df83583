"""The lists of one bucket as rankings, and what is wrong with them in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.columns import twice_in_list
from stagg.data.large_numbers import find_large_ties
from stagg.data.many_rows import rankings_of_lists
from stagg.data.rankings import Rankings
from stagg.errors import DataError, StaggError, shown
from stagg.formats.parts.chunk_store import Bucket
from stagg.formats.tables.named_columns import EMPTY_SCORE
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.text import records

__all__ = ["BadLists", "Noticed", "Part", "PartTally", "RankedFile", "read_bucket"]

NOWHERE: Final = records.NOWHERE


@dataclasses.dataclass
class PartTally:
    """Counts of the input before lists are cut: queries, items, rows, shortest and longest list, lists with ties."""

    queries: int = 0
    items: int = 0
    rows: int = 0
    shortest: int = NOWHERE
    longest: int = 0
    ties: int = 0
    scored: bool = False
    uncommon: int = 0
    """Queries that are not in all files."""

    @classmethod
    def of(cls, rankings: Rankings, uncommon: int = 0) -> PartTally:
        lengths = rankings.list_lengths
        return cls(
            len(rankings),
            len(rankings.items),
            len(rankings.entries),
            int(lengths.min(initial=NOWHERE)),
            int(lengths.max(initial=0)),
            int(rankings.tied.any()),
            rankings.scores is not None,
            uncommon,
        )

    def add(self, other: PartTally) -> None:
        """Take in what another part of the same input counted."""
        self.queries += other.queries
        self.items += other.items
        self.rows += other.rows
        self.shortest, self.longest = min(self.shortest, other.shortest), max(self.longest, other.longest)
        self.ties += other.ties
        self.scored |= other.scored
        self.uncommon += other.uncommon


class Noticed:
    """Rows of each file that are worth a note, in any order: how many, and the smallest of their lines."""

    def __init__(self, files: int) -> None:
        none = np.array([[0, NOWHERE]] * files, dtype=np.int64).reshape(files, 2)
        self.falls, self.large = none, none.copy()

    def add(self, other: Noticed) -> None:
        """Take in what was noticed in another part."""
        for mine, theirs in ((self.falls, other.falls), (self.large, other.large)):
            mine[:, 0] += theirs[:, 0]
            np.minimum(mine[:, 1], theirs[:, 1], out=mine[:, 1])


@dataclasses.dataclass(frozen=True)
class Part:
    """The lists of some queries, what was counted there, and what was noticed."""

    rankings: Rankings
    tally: PartTally
    noticed: Noticed


@dataclasses.dataclass(frozen=True)
class RankedFile:
    """A file as a bucket knows it: its name, and what to add to the error where an item is twice in a list."""

    name: str
    on_duplicates: str


class BadLists(Exception):
    """Lists that are wrong. ``first`` is the first of the errors in the order of the files, with what orders it."""

    def __init__(self, first: tuple[tuple[int, ...], StaggError]) -> None:
        super().__init__(str(first[1]))
        self.first = first


def read_bucket(
    bucket: Bucket, rankers: tuple[str, ...], ranker_numbers: Sequence[IntArray], files: Sequence[RankedFile], *,
    full: int, by_rank: bool, has_scores: bool, by_appearance: bool = False,
) -> Part:  # fmt: skip
    """The lists of a bucket.

    ``ranker_numbers`` are those of each segment's rankers, ``full`` is the number of files that have rows.
    """
    chunks = [segment.chunk for segment in bucket.segments]
    noticed = Noticed(len(files))
    where = _Places(
        np.array([chunk.file for chunk in chunks], dtype=np.int64),
        np.array([chunk.first_line for chunk in chunks], dtype=np.int64),
        np.array([segment.address for segment in bucket.segments], dtype=np.int64),
        np.array([segment.size for segment in bucket.segments], dtype=np.int64),
    )
    offsets = np.cumsum([0, *map(len, ranker_numbers)], dtype=np.int64)
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *ranker_numbers])
    found = records.make_lists(
        where.address, where.size, where.files, where.first_lines, numbers, offsets, len(rankers), noticed.falls,
        by_rank=by_rank, by_appearance=by_appearance,
    )  # fmt: skip
    owners = [segment.owner for segment in bucket.segments]
    rankings = rankings_of_lists(found, rankers, owners, has_scores=has_scores)
    if found.problems:
        raise BadLists(min(_list_problems(rankings, found.records, where, files), key=lambda each: each[0]))
    large = find_large_ties(rankings, _deciding(found, by_rank=by_rank))
    if large is not None:
        _count_rows(noticed.large, found.records[large], where)
    uncommon = int(np.count_nonzero(found.query_files < full))
    return Part(rankings, PartTally.of(rankings, uncommon), noticed)


@dataclasses.dataclass(frozen=True)
class _Places:
    """Where the segments of a bucket come from, and where they lie in memory."""

    files: IntArray
    first_lines: IntArray
    address: IntArray
    size: IntArray

    def find(self, found: IntArray) -> tuple[IntArray, IntArray]:
        """(file, line) of some records."""
        order = np.argsort(self.address)
        segment = order[np.searchsorted(self.address[order], found, side="right") - 1]
        return self.files[segment], self.first_lines[segment] + records.look_up(found)[1]


def _deciding(found: records.SortedLists, *, by_rank: bool) -> FloatArray:
    """The number that decided the place of each entry."""
    if not by_rank and not np.isnan(found.scores).any():
        return found.scores
    _, _, scores, ranks = records.look_up(found.records)
    return -ranks if by_rank else np.where(np.isnan(scores), -ranks, scores)


def _count_rows(counts: IntArray, found: IntArray, where: _Places) -> None:
    """Count rows by file, and find the first line."""
    files, lines = where.find(found)
    np.add.at(counts[:, 0], files, 1)
    np.minimum.at(counts[:, 1], files, lines)


def _list_problems(
    rankings: Rankings, found: IntArray, where: _Places, files: Sequence[RankedFile]
) -> Iterator[tuple[tuple[int, ...], DataError]]:
    """(what orders it among the errors of all files, the error) of each list that is wrong."""
    for number in range(len(rankings.list_rankers)):
        span = slice(rankings.entry_offsets[number], rankings.entry_offsets[number + 1])
        query = rankings.queries[rankings.list_queries[number]]
        in_files, lines = where.find(found[span])
        scores = records.look_up(found[span])[2]
        first, last = int(in_files.min()), int(in_files.max())
        if first != last:
            ranker = rankings.rankers[rankings.list_rankers[number]]
            what = f"the query {shown(query)} of ranker {shown(ranker)} is also in {files[first].name}"
            remedy = "a list belongs to one part: join the files, or name their rankers"
            line = int(lines[in_files == last].min())
            place = _first_line(rankings, found, where, int(rankings.list_queries[number]), last)
            yield (len(files), last, place, line), DataError(f"{what}; {remedy}", file=files[last].name)
            continue
        gaps = np.isnan(scores)
        if gaps.any() and not gaps.all():
            line = int(lines[gaps].min())
            yield (first, 0, line, 0), DataError(EMPTY_SCORE, file=files[first].name, line=line)
        for one, other, item in _find_twice(rankings.entries[span], lines):
            error = twice_in_list(rankings.items[item], query, (one, other), file=files[first].name)
            told = DataError(error.message + files[first].on_duplicates, file=error.file, line=error.line)
            yield (first, 1, one, other), told


def _first_line(rankings: Rankings, found: IntArray, where: _Places, query: int, file: int) -> int:
    """The first line of a query in a file."""
    first, last = rankings.entry_offsets[rankings.list_offsets[query : query + 2]]
    files, lines = where.find(found[first:last])
    return int(lines[files == file].min())


def _find_twice(items: IntArray, lines: IntArray) -> Iterator[tuple[int, int, int]]:
    """(line, later line, item) of the entries of a list whose item stands there before, best first."""
    best: dict[int, int] = {}
    for item, line in zip(items.tolist(), lines.tolist(), strict=True):
        before: Any = best.setdefault(item, line)
        if before != line:
            yield min(before, line), max(before, line), item
