"""Read several TREC runs in parts with the compiled reader: indexed by query, then any number of queries at once.

One quick pass finds where the rows of each query lie. Runs that are grouped by query stay on disk; the others are held
in memory. A part that holds an odd row is read by the reader in Python, which says what is wrong with it, or takes it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from stagg.data.ids import Ids
from stagg.data.large_numbers import find_large_ties
from stagg.data.parts import empty_rankings, join_rankers
from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.formats.log import ReadLog, log_decision
from stagg.formats.options import ReadOptions
from stagg.formats.parts.interface import NOWHERE, Part, Tally
from stagg.formats.parts.random_access import AFTER, Storage
from stagg.formats.parts.stretches import Stretches, Unfit, count_rows
from stagg.formats.row_checks import LONGEST_ID
from stagg.formats.runs.rank_and_score import note_contradiction
from stagg.formats.runs.trec import Trec, several_tags
from stagg.formats.storage.source import Excerpt, Source
from stagg.kernels.arrays import ByteArray, IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.ragged import build_offsets, expand_spans

__all__ = ["Run", "Runs", "runs_refusal"]

BLOCK: Final = 1 << 19


class Run:
    """One run, indexed."""

    def __init__(self, source: Source, options: ReadOptions, storage: Storage) -> None:
        self.name, self.path, self.stem, self.source = source.name, source.path, source.stem, source
        self.content = storage.keep(source)
        self._index()
        self.grouped = len(self.names) == len(self.stretches)
        """Whether the rows of every query stand together."""
        self.held = None if self.grouped else self.content.read(0, self.content.size)

    def _index(self) -> None:
        kernel: Any = twin("text._row_index")
        segments, line = kernel.Segments(), 1
        for block, first, end in self.content.blocks(0, BLOCK, quoted=False):
            stop, line = segments.feed(block, 0, end, line, first) if kernel.is_text(block, end) else (0, line)
            if stop < end:
                raise Unfit("a line is out of the ordinary")
        self.names, self.tags = segments.names, len(segments.others)
        self.stretches, self._last_line = Stretches(*segments.arrays(self.content.size, line)), line - 1

    @property
    def is_empty(self) -> bool:
        return not len(self.stretches.queries)

    def bytes_of(self, low: IntArray, high: IntArray) -> tuple[IntArray, Any]:
        """The address of each stretch low:high of bytes, and who holds them."""
        if self.held is not None:
            return low + _address(self.held), self.held
        order = np.argsort(low, kind="stable")
        held = np.empty(int((high - low).sum()) + AFTER, dtype=np.uint8)
        low, high = low[order], high[order]
        address = np.empty(len(low), dtype=np.int64)
        address[order] = _address(held) + build_offsets(high - low)[:-1]
        first = np.flatnonzero(np.append(True, high[:-1] != low[1:]))  # those that follow one another are read at once
        last = np.append(first[1:], len(low)) - 1
        self.content.read_into(held, 0, *zip(low[first].tolist(), high[last].tolist(), strict=True))
        return address, held

    def excerpt(self, queries: IntArray) -> Excerpt:
        """The lines of some queries, as a source for the reader in Python."""
        excerpt = Excerpt(self.source, self._lines(queries))
        excerpt.unfinished_line = self._last_line if self.content.unfinished else None
        return excerpt

    def _lines(self, queries: IntArray) -> Iterator[tuple[int, str]]:
        for low, high, line in self.stretches.spans(self.stretches.find(queries)):
            yield line, bytes(self.content.read(low, high)[:-AFTER]).decode()


class _Lists(NamedTuple):
    """Where the lines of some lists lie in memory, as the kernel ``_runs.lists`` takes them."""

    begin: IntArray
    end: IntArray
    line: IntArray
    segments: IntArray
    rankers: IntArray
    rows: IntArray
    query_lists: IntArray


class Runs:
    """Several runs, each one ranker, by query: see :class:`stagg.formats.parts.interface.InParts`."""

    reading_order = None
    names_rankers = False
    ids_are_words = True

    def __init__(self, runs: Sequence[Run], options: ReadOptions) -> None:
        names = twin("text._row_index").Names()  # type: ignore[union-attr]
        self.options, self.by_rank, self.all = options, options.order_by == "rank", runs
        for run in runs:
            run.stretches.arrange(names.take_in(run.names))
            del run.names  # the runs share one list of names from here on
        self.full = [run for run in runs if not run.is_empty]
        self.rankers: tuple[str, ...] = tuple(run.stem for run in self.full)
        self._names: list[bytes] = names.texts()
        self.queries: tuple[str, ...] = names.decode()
        self._stretches = np.zeros((len(self.full), len(names) + 1), dtype=np.int64)
        for row, run in zip(self._stretches, self.full, strict=True):
            row[run.stretches.queries + 1] = np.diff(run.stretches.first)
        np.cumsum(self._stretches, axis=1, out=self._stretches)

    def rows_of_queries(self) -> IntArray:
        """How many lines each query has in all runs."""
        return count_rows([run.stretches for run in self.full], len(self.queries))

    def release(self) -> None:
        """Parts are read as they are asked for."""

    def notes_before(self) -> list[str]:
        """Of runs that have to be held in memory."""
        why = "the rows are not grouped by query, so all of it is held in memory"
        return [f"{run.name}: {why}" for run in self.all if not run.grouped]

    def read(self, queries: Sequence[int] | IntArray, *, depth: int | None = None) -> Part:
        """The lists of some queries, by number; an odd row makes it a closer, slower reading of these queries.

        ``depth`` cuts every list to its first so many (not where the rank column decides).
        """
        chosen = np.asarray(queries, dtype=np.int64)
        part = self.read_quickly(chosen, depth=depth)
        if part is None:
            first = shown(self.queries[chosen[0]])
            log_decision(f"queries of the runs, {len(chosen)} from {first} on, are read closely: a row is odd")
        return part or self.read_closely(chosen)

    def read_quickly(self, chosen: IntArray, *, depth: int | None = None) -> Part | None:
        """The same by the compiled reader alone; None where a row is odd."""
        lists, owners = self._gather(chosen)
        falls = np.zeros((len(self.full), 2), dtype=np.int64)
        falls[:, 1] = NOWHERE
        tally = np.array([0, 0, NOWHERE, 0, 0], dtype=np.int64)
        names = [self._names[q] for q in chosen.tolist()]
        kernel: Any = twin("text._runs")
        found = kernel.lists(*lists, names, self.by_rank, depth or 0, falls, tally)
        if found is None:
            return None
        item_offsets, entry_offsets, entries, tied, scores, address, length = found
        if max(length.max(initial=0), max(map(len, names), default=0)) > LONGEST_ID:
            return None
        rankings = Rankings(
            queries=tuple(self.queries[q] for q in chosen.tolist()),
            rankers=self.rankers,
            items=Ids(address, length, owners),
            item_offsets=item_offsets,
            list_offsets=lists.query_lists,
            list_rankers=lists.rankers.astype(np.intp),
            entry_offsets=entry_offsets,
            entries=entries,
            tied=tied,
            scores=scores,
        )
        if not self.by_rank and find_large_ties(rankings, scores) is not None:
            return None  # to say in which line
        items, rows, shortest, longest, ties = tally.tolist()
        return Part(rankings, Tally(items, rows, shortest, longest, ties, True), self._note_falls(falls))

    def _gather(self, chosen: IntArray) -> tuple[_Lists, list[Any]]:
        """The bytes of some queries, list by list, and who holds them."""
        first = self._stretches[:, chosen].T
        counts = self._stretches[:, chosen + 1].T - first
        of_query, of_ranker = np.nonzero(counts)
        segments = build_offsets(counts[of_query, of_ranker])
        begin, end, line, rows = np.empty((4, int(segments[-1])), dtype=np.int64)
        owners = []
        for ranker, run in enumerate(self.full):
            mine = of_ranker == ranker
            if not mine.any():
                continue
            here = expand_spans(segments[:-1][mine], np.diff(segments)[mine])
            there = expand_spans(first[of_query[mine], ranker], counts[of_query[mine], ranker])
            lies = run.stretches
            address, owner = run.bytes_of(lies.begin[there], lies.end[there])
            begin[here], end[here] = address, address + lies.end[there] - lies.begin[there]
            line[here], rows[here] = lies.line[there], lies.rows[there]
            owners.append(owner)
        list_rows = np.add.reduceat(rows, segments[:-1]) if len(rows) else rows
        query_lists = build_offsets(np.bincount(of_query, minlength=len(chosen)))
        return _Lists(begin, end, line, segments, of_ranker.astype(np.int64), list_rows, query_lists), owners

    def _note_falls(self, falls: IntArray) -> ReadLog:
        log = ReadLog()
        for run, (count, line) in zip(self.full, falls.tolist(), strict=True):
            if count:
                note_contradiction(log, run.name, line, count)
        return log

    def read_closely(self, chosen: IntArray) -> Part:
        """The same by the reader in Python, which says what is wrong where something is."""
        log, parts = ReadLog(), []
        names = tuple(self.queries[q] for q in chosen.tolist())
        for run, ranker in zip(self.full, self.rankers, strict=True):
            excerpt = run.excerpt(chosen)
            rankings = Trec().read(excerpt, self.options).rankings
            parts.append((rankings if len(rankings) else empty_rankings((), ("",))).with_rankers([ranker]))
            log.absorb_notes(excerpt.log, run.name)
        joined = join_rankers(parts)
        number = {query: q for q, query in enumerate(joined.queries)}
        if number.keys() != set(names):
            raise DataError("the file changed while it was read", file=self.full[0].name)
        rankings = joined.take_queries([number[query] for query in names])
        return Part(rankings, Tally.of(rankings), log)

    def finish(self, log: ReadLog, noticed: ReadLog) -> None:
        """Say of the runs, all of which were read, what the reader in Python would say of them."""
        for run in self.all:
            log.absorb_notes(noticed, run.name)
            if run.tags > 1:
                log.note(several_tags(run.source, run.tags))


def runs_refusal(options: ReadOptions) -> str | None:
    """Why the compiled reader cannot read runs with these options; None if it can."""
    if twin("text._runs") is None or twin("text._row_index") is None:
        return "there is no compiled reader"
    harmless = {name: getattr(options, name) for name in ("order_by", "float_labels", "names", "max_size")}
    plain = ReadOptions(**harmless)
    if dataclasses.replace(options, encoding=options.encoding.lower()) != plain:
        return "the reading options ask for a closer look at every row"
    return None


def _address(held: ByteArray) -> int:
    address: int = held.__array_interface__["data"][0]
    return address
