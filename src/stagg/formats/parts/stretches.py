"""Index of an input: where the rows of each query lie, so that some queries can be read without the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from stagg.data.columns import Coded
from stagg.kernels.arrays import IntArray
from stagg.kernels.ragged import expand_spans

__all__ = ["Index", "Names", "RowBlock", "Stretches", "Unfit", "check_grouped", "count_rows"]

LEAST_ROWS: Final = 8  # rows that stand together, on average, if queries are to be read one after the other
FEW: Final = 100_000  # so few rows may stand in any order


class Unfit(Exception):
    """Why an input cannot be indexed; whoever asked for the index makes a decision of it."""


class Stretches:
    """Where the rows of each query lie in one input: stretches of lines, those of one query side by side.

    Stretch s holds the bytes ``begin[s]:end[s]``, has ``rows[s]`` lines and begins with line ``line[s]``.
    """

    def __init__(self, found: IntArray, start: IntArray, line: IntArray) -> None:
        """Query, first byte and first line of each; the last two end with the whole length and number of lines."""
        self._found, self._start, self._line = found, start, line

    def __len__(self) -> int:
        return len(self._found)

    def arrange(self, numbers: IntArray) -> None:
        """Put the stretches in the order of their queries' numbers, which are given."""
        query = numbers[self._found]
        order = np.argsort(query, kind="stable")
        self.queries, first = np.unique(query[order], return_index=True)
        self.first = np.append(first, len(order))
        self.begin, self.end = self._start[:-1][order], self._start[1:][order]
        self.line, self.rows = self._line[:-1][order], np.diff(self._line)[order]
        del self._found, self._start, self._line

    def find(self, queries: IntArray) -> IntArray:
        """The stretches of some queries, in the order of the file."""
        here = np.searchsorted(self.queries, queries)
        known = np.flatnonzero(here < len(self.queries))
        known = here[known[self.queries[here[known]] == queries[known]]]
        chosen = expand_spans(self.first[known], np.diff(self.first)[known])
        return chosen[np.argsort(self.begin[chosen], kind="stable")]

    def spans(self, chosen: IntArray) -> Iterator[tuple[int, int, int]]:
        """(first byte, last byte, line) of stretches that follow one another, joined."""
        apart = np.flatnonzero(self.end[chosen][:-1] != self.begin[chosen][1:]) + 1
        for first, last in pairwise([0, *apart.tolist(), len(chosen)]):
            if first < last:
                yield int(self.begin[chosen[first]]), int(self.end[chosen[last - 1]]), int(self.line[chosen[first]])


def count_rows(files: Sequence[Stretches], queries: int) -> IntArray:
    """How many lines each query has in all files."""
    rows = np.zeros(queries, dtype=np.int64)
    for file in files:
        if len(file.queries):
            rows[file.queries] += np.add.reduceat(file.rows, file.first[:-1])
    return rows


def check_grouped(rows: int, stretches: int) -> None:
    """Refuse many rows of which few stand together."""
    if rows > FEW and rows < LEAST_ROWS * stretches:
        raise Unfit("its rows are not grouped by query")


class Names:
    """Texts, numbered in the order of first appearance."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def take_in(self, texts: Sequence[str]) -> IntArray:
        """The numbers of some texts; new ones are added."""
        number = self._number
        return np.array([number.setdefault(text, len(number)) for text in texts], dtype=np.int64)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._number)


class RowBlock(NamedTuple):
    """Rows that follow one another: the names that they hold, and query, first byte and line of each stretch."""

    queries: Sequence[str]
    rankers: Sequence[str] | None
    query: IntArray
    starts: IntArray
    lines: IntArray
    rows: int

    @classmethod
    def of(cls, query: Coded, ranker: Coded | None, starts: IntArray, lines: IntArray) -> RowBlock:
        """Block of some rows: where each begins, and its line."""
        query, rankers = query.by_appearance(), None if ranker is None else ranker.by_appearance().ids
        begins = np.flatnonzero(np.diff(query.codes, prepend=-1))
        return cls(query.ids, rankers, query.codes[begins], starts[begins], lines[begins], len(query))


class Index:
    """The stretches of a table of columns, found block by block, and the names of its queries and rankers."""

    def __init__(self) -> None:
        self._queries, self._rankers, self._named = Names(), Names(), False
        self._found: list[tuple[IntArray, IntArray, IntArray]] = []
        self._rows = self._stretches = 0

    def add(self, block: RowBlock) -> None:
        """The next rows."""
        if block.rankers is not None:
            self._rankers.take_in(block.rankers)
            self._named = True
        self._found.append((self._queries.take_in(block.queries)[block.query], block.starts, block.lines))
        self._rows, self._stretches = self._rows + block.rows, self._stretches + len(block.query)
        check_grouped(self._rows, self._stretches)

    @property
    def queries(self) -> tuple[str, ...]:
        return self._queries.texts

    @property
    def rankers(self) -> tuple[str, ...] | None:
        """None if the table does not name them."""
        return self._rankers.texts if self._named else None

    def stretches(self, size: int, line: int) -> Stretches:
        """All of them; ``size`` and ``line`` are the place and the line after the last row."""
        none = np.zeros(0, dtype=np.int64)
        query, start, lines = (np.concatenate(parts) for parts in zip((none, none, none), *self._found, strict=True))
        return Stretches(query, np.append(start, size), np.append(lines, line))
