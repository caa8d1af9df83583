"""Several files as one input that is read in parts: their chunks are read by threads, and cut into buckets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from stagg.errors import DataError
from stagg.formats.log import ReadLog
from stagg.formats.parts.buckets import Noticed, Part, RankedFile, read_bucket
from stagg.formats.parts.chunks import Chunk, ChunkedFile, sort_chunk
from stagg.formats.parts.store import Bucket, ChunkStore
from stagg.formats.row_checks import note_large_ties
from stagg.formats.runs.rank_and_score import note_contradiction
from stagg.formats.runs.trec import several_tags
from stagg.formats.tables.named_columns import note_total
from stagg.kernels.arrays import IntArray
from stagg.threads import Crew

__all__ = ["BUCKET", "MEMORY", "MOST_OPEN", "NOTHING", "InParts", "Restart", "RowsOfQueries"]

MEMORY: Final = 256 << 20
"""Bytes of rows that are held in memory where no other budget is given."""

BUCKET: Final = 5 << 18
"""Bytes of rows that are fused at once, if no query has more: they stay in the processor's cache."""

NOTHING: Final = "0 rows: there is nothing to read"

MOST_OPEN: Final = 100  # files that are open at once; systems allow 1024, or 256
AHEAD: Final = 2  # pieces that wait beside those that the threads work on

Progress = Callable[[str, int, int], None]


class Restart(Exception):
    """A file that looked sorted by query is not: what was given out before was not all of its queries."""


@dataclasses.dataclass(frozen=True)
class RowsOfQueries:
    """The rows of some whole queries, and the rankers that were known when they were taken."""

    bucket: Bucket
    rankers: tuple[str, ...]
    ranker_numbers: list[IntArray]
    full: int
    has_scores: bool


@dataclasses.dataclass(eq=False)
class _FileState:
    """How far a file was read: its chunks, the largest query, whether queries rose so far, and what was noticed."""

    chunks: int = 0
    rows: int = 0
    reached: bytes | None = None
    rises: bool = True
    ended: bool = False
    rankers: set[str] = dataclasses.field(default_factory=set)
    tags: set[bytes] = dataclasses.field(default_factory=set)
    last_item: str = ""
    log: ReadLog = dataclasses.field(default_factory=ReadLog)


class InParts:
    """Inputs that are read in parts. ``rankers`` are known when all was read, or when files are rankers.

    Tables that name their rankers are parts of one whole; other files are one ranker each, which ``name_files`` names.
    """

    def __init__(
        self,
        files: Sequence[ChunkedFile],
        name_files: Callable[[Sequence[ChunkedFile]], Sequence[str]],
        *,
        by_rank: bool,
        threads: int = 1,
        memory: int = MEMORY,
        progress: Progress | None = None,
    ) -> None:
        self.files, self._name_files, self.by_rank = files, name_files, by_rank
        self.threads, self._memory, self._progress = threads, memory, progress
        self.names_rankers = any(file.names_rankers for file in files)
        self._begin()

    def _begin(self) -> None:
        self._states = [_FileState() for _ in self.files]
        self._numbers: dict[str, int] = {}
        self._store = ChunkStore(self._memory, BUCKET)
        self._given: bytes | None = None
        self._met: dict[str, None] = {}
        self._has_scores = False
        self._named: tuple[tuple[bool, ...], tuple[str, ...]] = (), ()

    @property
    def can_restart(self) -> bool:
        """Whether all files can be read again."""
        return len(self.files) <= MOST_OPEN and all(file.source.can_be_reopened for file in self.files)

    def begin_again(self) -> None:
        """Read everything from the beginning."""
        self.close()
        for file in self.files:
            file.again()
        self._begin()

    @property
    def rankers(self) -> tuple[str, ...]:
        """The rankers that were met, in the order of the files."""
        if self.names_rankers:
            return tuple(self._numbers)
        full = tuple(bool(state.rows) for state in self._states)
        if self._named[0] != full:
            self._named = full, tuple(self._name_files(self.full))
        return self._named[1]

    @property
    def queries_met(self) -> tuple[str, ...]:
        """All queries, where only some were wanted."""
        return tuple(self._met)

    @property
    def full(self) -> list[ChunkedFile]:
        """The files that have rows."""
        return [file for file, state in zip(self.files, self._states, strict=True) if state.rows]

    # --- chunks to buckets ----------------------------------------------------------------------------------------

    def buckets(self, crew: Crew, *, early: bool) -> Iterator[RowsOfQueries]:
        """All rows, whole queries at a time, in bytewise order of the queries.

        ``early``: a bucket is given out as soon as no later row can belong to it, if the files go on as they began; if
        one does not, Restart is raised. Without it, all is read first, and can be taken twice (:meth:`take_again`).
        """
        for chunk in self._read_chunks(crew, None):
            if self._given is not None and chunk.names[0] < self._given:
                raise Restart
            floor = self._floor() if early else None
            for end in [] if floor is None else self._store.cut(floor)[:-1]:
                self._given = end
                yield self._take(end)
        if not any(state.rows for state in self._states):
            one = self.files[0].name if len(self.files) == 1 else None
            raise DataError(NOTHING, file=one)
        for end in self._store.cut():
            yield self._take(end, keep=not early)

    def take_again(self) -> Iterator[RowsOfQueries]:
        """The same buckets once more, for the last time."""
        self._store.begin_again()
        for end in self._store.cut():
            yield self._take(end)

    def read_whole(self, wanted: Sequence[str] | None = None) -> Part:
        """The lists of all queries, or of those that are wanted, in the order of the files."""
        names = None if wanted is None else frozenset(query.encode() for query in wanted)
        with Crew(self.threads) as crew:
            for _ in self._read_chunks(crew, names):
                pass
        return self.read(self._take(None), by_appearance=True)

    def read(self, rows: RowsOfQueries, *, by_appearance: bool = False) -> Part:
        """The lists of a bucket; raises BadLists. Several threads may read."""
        files = [RankedFile(file.name, file.source.on_duplicates) for file in self.files]
        return read_bucket(
            rows.bucket, rows.rankers, rows.ranker_numbers, files, full=rows.full, by_rank=self.by_rank,
            has_scores=rows.has_scores, by_appearance=by_appearance,
        )  # fmt: skip

    def close(self) -> None:
        """Forget what is held."""
        self._store.close()

    def _take(self, end: bytes | None, *, keep: bool = False) -> RowsOfQueries:
        bucket = self._store.take(end, keep=keep)
        rankers, full = self.rankers, [bool(state.rows) for state in self._states]
        if self.names_rankers:
            numbers = [segment.chunk.ranker_numbers for segment in bucket.segments]
        else:
            place = np.cumsum(full) - 1
            numbers = [place[segment.chunk.file : segment.chunk.file + 1] for segment in bucket.segments]
        return RowsOfQueries(bucket, rankers, numbers, sum(full), self._has_scores)

    def _floor(self) -> bytes | None:
        """The query below which no later row can be, if every file goes on as it began."""
        floor: bytes | None = None
        for file, state in zip(self.files, self._states, strict=True):
            if state.ended:
                continue
            alone = file.names_rankers and len(state.rankers) < 2  # runs one after another begin like a sorted table
            if state.reached is None or not state.rises or alone:
                return None
            floor = state.reached if floor is None else min(floor, state.reached)
        return floor

    # --- files to chunks ------------------------------------------------------------------------------------------

    def _read_chunks(self, crew: Crew, wanted: frozenset[bytes] | None) -> Iterator[Chunk]:
        """The chunks of all files, each when it is in the store."""

        def read(job: tuple[int, Any]) -> tuple[int, bool, list[Chunk | None], list[str], ReadLog]:
            number, piece = job
            log = ReadLog()
            rows = [] if piece is None else list(self.files[number].read(piece, log))
            met = [] if wanted is None else [query for each in rows for query in each.queries.ids]
            return number, piece is None, [sort_chunk(number, each, wanted) for each in rows], met, log

        for number, ended, chunks, met, log in crew.map(read, self._pieces(), ahead=self.threads + AHEAD):
            state = self._states[number]
            state.ended = ended
            state.log.absorb(log)
            self._met.update(dict.fromkeys(met))
            for chunk in chunks:
                if chunk is not None:
                    self._add(chunk, state)
                    yield chunk
            if self._progress is not None:
                done = sum(file.progress for file in self.files) / len(self.files)
                self._progress("reading", int(100 * done), 100)

    def _pieces(self) -> Iterator[tuple[int, Any]]:
        """(number of the file, a piece of it); None at its end.

        Files that are rankers are read side by side, the next piece from that of which the least was read, so that they
        reach the same query at about the same time. Rankers of tables are numbered in the order of the files.
        """
        if self.names_rankers or len(self.files) > MOST_OPEN:
            for number, file in enumerate(self.files):
                if file.source.is_closed:
                    file.source.reopen()
                yield from ((number, piece) for piece in file.pieces())
                yield number, None
                if len(self.files) > MOST_OPEN and file.source.can_be_reopened:
                    file.source.close()
            return
        pieces = {number: file.pieces() for number, file in enumerate(self.files)}
        taken = [0] * len(self.files)
        while pieces:
            number = min(pieces, key=lambda each: (self.files[each].progress, taken[each], each))
            piece = next(pieces[number], None)
            taken[number] += 1
            if piece is None:
                del pieces[number]
            yield number, piece

    def _add(self, chunk: Chunk, state: _FileState) -> None:
        if self.names_rankers:
            numbers = [self._numbers.setdefault(name, len(self._numbers)) for name in chunk.rankers]
            chunk.ranker_numbers = np.array(numbers, dtype=np.int64)
            state.rankers.update(chunk.rankers)
        state.rises = state.rises and (state.reached is None or chunk.names[0] >= state.reached)
        state.reached = chunk.last
        state.rows += chunk.rows
        state.tags |= chunk.tags
        state.last_item = chunk.last_item
        self._has_scores |= chunk.has_scores
        self._store.add(chunk, state.chunks)
        state.chunks += 1

    # --- what is said ---------------------------------------------------------------------------------------------

    def finish(self, log: ReadLog, noticed: Noticed) -> None:
        """Say of the files, all of which were read, what reading them whole would have said."""
        for number, (file, state) in enumerate(zip(self.files, self._states, strict=True)):
            file.source.refuse_change()
            log.absorb(file.log)
            log.absorb(state.log)
            for note, (count, line) in (
                (note_large_ties, noticed.large[number]),
                (note_contradiction, noticed.falls[number]),
            ):
                if count:
                    note(log, file.name, int(line), int(count))
            if len(state.tags) > 1:
                log.note(several_tags(file.name, len(state.tags)))
            if state.rows and not state.tags:
                note_total(state.last_item, file.name, log)
