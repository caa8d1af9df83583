"""Several files as one input that is read in parts: their chunks are read by threads, and cut into buckets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from stagg.errors import DataError, StaggError
from stagg.formats.log import ReadLog
from stagg.formats.options import rename_rankers
from stagg.formats.parts.bucket_lists import BadLists, Noticed, Part, RankedFile, read_bucket
from stagg.formats.parts.chunk_store import Bucket, ChunkStore
from stagg.formats.parts.chunks import Chunk, ChunkedFile, sort_chunk
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
    queries: dict[str, None] = dataclasses.field(default_factory=dict)
    last_item: str = ""
    log: ReadLog = dataclasses.field(default_factory=ReadLog)


@dataclasses.dataclass(eq=False)
class _Piece:
    """A piece of a file as it was read; ``ended``: it is what comes after the last. ``queries`` are those it holds."""

    file: int
    ended: bool
    chunks: list[Chunk | None] = dataclasses.field(default_factory=list)
    rows: int = 0
    queries: list[str] = dataclasses.field(default_factory=list)
    log: ReadLog = dataclasses.field(default_factory=ReadLog)
    error: StaggError | None = None


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
        rename: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.files, self._name_files, self.by_rank, self.rename = files, name_files, by_rank, rename
        self.threads, self._memory, self._progress = threads, memory, progress
        self.names_rankers = any(file.names_rankers for file in files)
        self._begin()

    def _begin(self) -> None:
        self._states = [_FileState() for _ in self.files]
        self._numbers: dict[str, int] = {}
        self._store = ChunkStore(self._memory, BUCKET)
        self._given: bytes | None = None
        self._failed: tuple[int, StaggError] | None = None
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
            return rename_rankers(tuple(self._numbers), self.rename)
        full = tuple(bool(state.rows) for state in self._states)
        if self._named[0] != full:
            self._named = full, rename_rankers(self._name_files(self.full), self.rename)
        return self._named[1]

    @property
    def queries_met(self) -> list[list[str]]:
        """All queries of each file that has rows, where only some were wanted."""
        return [list(state.queries) for state in self._states if state.rows]

    @property
    def rows(self) -> int:
        """How many rows were read, of whatever query."""
        return sum(state.rows for state in self._states)

    @property
    def full(self) -> list[ChunkedFile]:
        """The files that have rows."""
        return [file for file, state in zip(self.files, self._states, strict=True) if state.rows]

    # --- chunks to buckets ----------------------------------------------------------------------------------------

    def buckets(self, crew: Crew, *, early: bool, twice: bool = False) -> Iterator[RowsOfQueries]:
        """All rows, whole queries at a time, in bytewise order of the queries.

        ``early``: a bucket is given out as soon as no later row can belong to it, if the files go on as they began; if
        one does not, Restart is raised. ``twice``: all is read first, and kept for :meth:`take_again`. An error in a
        file is raised at the end, as BadLists: a list that was given out before may be wrong in a file before it.
        """
        for chunk in self._read_chunks(crew, None):
            if self._failed is not None:
                continue
            if self._given is not None and chunk.names[0] < self._given:
                raise Restart
            floor = self._floor() if early else None
            for end in [] if floor is None else self._store.cut(floor)[:-1]:
                self._given = end
                yield self._take(end)
        if self._failed is not None:
            raise self._find_first_error(*self._failed)
        if not any(state.rows for state in self._states):
            one = self.files[0].name if len(self.files) == 1 else None
            raise DataError(NOTHING, file=one)
        yield from self._take_rest("learning" if twice else "fusing", keep=twice)

    def _find_first_error(self, number: int, error: StaggError) -> BadLists:
        """The error that a file was read with, unless a list of a file before it, not given out yet, is wrong."""
        try:
            self.read(self._take(None))
        except BadLists as bad:
            if bad.first[0][0] < number:
                return bad
        return BadLists(((number, -1), error))  # before what is wrong with the lists of the same file

    def take_again(self) -> Iterator[RowsOfQueries]:
        """The same buckets once more, for the last time."""
        self._store.begin_again()
        yield from self._take_rest("fusing", keep=False)

    def _take_rest(self, doing: str, *, keep: bool) -> Iterator[RowsOfQueries]:
        ends = self._store.cut()
        for number, end in enumerate(ends):
            yield self._take(end, keep=keep)
            self._tell(doing, number + 1, len(ends))

    def read_whole(self, wanted: Sequence[str] | None = None) -> Part:
        """The lists of all queries, or of those that are wanted, in the order of the files."""
        names = None if wanted is None else frozenset(query.encode() for query in wanted)
        with Crew(self.threads) as crew:
            for _ in self._read_chunks(crew, names):
                pass
        if self._failed is not None:
            raise self._find_first_error(*self._failed).first[1]
        return self.read(self._take(None), by_appearance=True)

    def read(self, rows: RowsOfQueries, *, by_appearance: bool = False) -> Part:
        """The lists of a bucket; raises BadLists. Several threads may read."""
        files = [RankedFile(file.name, file.reading.on_duplicates) for file in self.files]
        return read_bucket(
            rows.bucket, rows.rankers, rows.ranker_numbers, files, full=rows.full, by_rank=self.by_rank,
            has_scores=rows.has_scores, by_appearance=by_appearance,
        )  # fmt: skip

    def close(self) -> None:
        """Forget what is held; of many files, those that were opened in turn are closed."""
        self._store.close()
        for file in self.files if len(self.files) > MOST_OPEN else ():
            if file.source.can_be_reopened:
                file.source.close()

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

        def read(job: tuple[int, Any]) -> _Piece:
            number, piece = job
            found = _Piece(number, piece is None)
            try:
                if isinstance(piece, StaggError):
                    raise piece
                for rows in [] if piece is None else self.files[number].read(piece, found.log):
                    found.rows += len(rows.lines)
                    found.queries += [] if wanted is None else rows.queries.ids
                    found.chunks.append(sort_chunk(number, rows, wanted))
            except StaggError as error:
                found.error = error
            return found

        for found in crew.map(read, self._pieces(), ahead=self.threads + AHEAD):
            if found.error is not None and (self._failed is None or found.file < self._failed[0]):
                self._failed = found.file, found.error  # files before it are read on: what is wrong there comes first
            if self._failed is not None and found.file >= self._failed[0]:
                continue
            state = self._states[found.file]
            state.ended = found.ended
            state.rows += found.rows
            state.log.absorb(found.log)
            state.queries.update(dict.fromkeys(found.queries))
            for chunk in found.chunks:
                if chunk is not None:
                    self._add(chunk, state)
                    yield chunk
            self._tell("reading", int(100 * self._share_read(found.file)), 100)

    def _share_read(self, number: int) -> float:
        """How much of the files was handed out, this one being the last that was read."""
        if len(self.files) > MOST_OPEN:
            return number / len(self.files)  # one after another
        return sum(file.progress for file in self.files) / len(self.files)

    def _tell(self, doing: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(doing, done, total)

    def _pieces(self) -> Iterator[tuple[int, Any]]:
        """(number of the file, a piece of it); None at its end, or the error that ended it.

        Files that are rankers are read side by side, the next piece from that of which the least was read, so that they
        reach the same query at about the same time. Rankers of tables are numbered in the order of the files.
        """
        if self.names_rankers or len(self.files) > MOST_OPEN:
            for number, file in enumerate(self.files):
                if self._failed is not None:
                    return
                if file.source.is_closed:
                    file.source.reopen()
                yield from ((number, piece) for piece in _until_error(file.pieces()))
                yield number, None
                if len(self.files) > MOST_OPEN and file.source.can_be_reopened:
                    file.source.close()
            return
        pieces = {number: _until_error(file.pieces()) for number, file in enumerate(self.files)}
        taken = [0] * len(self.files)
        while pieces:
            for number in [each for each in pieces if self._failed is not None and each >= self._failed[0]]:
                del pieces[number]
            if not pieces:
                return
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


def _until_error(pieces: Iterator[Any]) -> Iterator[Any]:
    """The pieces of a file, and at last the error that reading it ended with: it is told in its turn."""
    try:
        yield from pieces
    except StaggError as error:
        yield error
