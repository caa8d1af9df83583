"""Fusion of TREC runs in bounded memory: queries are read, fused and written some at a time, in the order of their ids.

The runs are indexed by query (:class:`stagg.formats.runs.Runs`), so that memory depends on the largest query and not on
the files. The bytes are those of reading everything first, for any number of threads.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Final, TypeVar

import numpy as np

from stagg.aggregate.plan import Plan, Progress
from stagg.data.intervals import Intervals
from stagg.data.parts import empty_rankings, join_queries
from stagg.data.rankings import Rankings, summarise
from stagg.errors import DataError, StaggError
from stagg.formats.files import names_of_runs, write_stream
from stagg.formats.runs import Irregular, RunPart, Runs, RunTally
from stagg.formats.trec import Trec
from stagg.kernels.arrays import IntArray
from stagg.kernels.compiled import twin
from stagg.kernels.id_order import order_by_id
from stagg.kernels.ties import TIE_TOLERANCE

__all__ = ["RunFusion"]

ROWS: Final = 40_000
"""Rows that are read and fused at once, if no query has more: they stay in the processor's cache."""

TURN: Final = 5e-5  # seconds

T = TypeVar("T")


@dataclasses.dataclass(eq=False)
class RunFusion:
    """The fusion of TREC runs by one plan.

    It raises :class:`stagg.formats.runs.Irregular` where a run, or the outcome, is out of the ordinary; what has been
    written by then is to be thrown away, and the whole to be read and fused instead, which says what is wrong.
    """

    runs: Runs
    plan: Plan
    threads: int = 1
    progress: Progress | None = None

    def __post_init__(self) -> None:
        try:
            self.rankers = names_of_runs(self.runs)
        except DataError as error:
            raise Irregular(str(error)) from error
        self.tally = RunTally.nothing(len(self.rankers))
        self.rows = 0
        self.plan.weigh(empty_rankings((), self.rankers))  # wrong weights are said before the work
        if self.plan.method.learns:
            self.plan = self.plan.learn(self._each_part(self._read_bare, "learning from"))
        self._heavy = self.plan.check_rankers(self.rankers).weights > 0

    def summary(self) -> str:
        """What was read, in one line."""
        tally = self.tally
        lengths = tally.shortest, tally.longest
        return summarise(
            len(self.runs.queries), len(self.rankers), tally.items, lengths=lengths, scores=True, ties=tally.has_ties
        )

    @property
    def fewest_voters(self) -> int:
        """How many rankers of positive weight have a list for the query where they are fewest."""
        given = self.plan.weigh(empty_rankings((), self.rankers)).weights > 0
        return int(self.runs.lists[given].sum(axis=0).min(initial=1000))

    def write(self, stream: IO[bytes]) -> None:
        """The consensus as TREC rows whose scores strictly decrease."""
        for text, rows, tally in self._each_part(self._text):
            stream.write(text)
            self._count(rows, tally)

    def rankings(self) -> Rankings:
        """The consensus as Rankings, which must fit the memory."""
        parts = []
        for fused, tally in self._each_part(self._fuse):
            parts.append(fused)
            self._count(len(fused.entries), tally)
        return _join(parts)

    def _count(self, rows: int, tally: RunTally) -> None:
        self.rows += rows
        self.tally.add(tally)

    def _text(self, queries: IntArray) -> tuple[bytes, int, RunTally]:
        if not self._heavy.all() or self.plan.has_thresholds or (self.plan.depth is not None and self.runs.by_rank):
            fused, tally = self._fuse(queries)
            stream = io.BytesIO()
            write_stream(fused, stream, Trec(strict=True), name="the consensus")
            return stream.getvalue(), len(fused.entries), tally
        part = self.runs.read(queries, self.rankers, depth=self.plan.depth)
        sizes = np.diff(part.item_offsets)
        rows = sizes if self.plan.top is None else np.minimum(sizes, self.plan.top)
        return self._written(part), int(rows.sum()), part.tally

    def _written(self, part: RunPart) -> bytes:
        """What ``fuse`` and the TREC writer would make of it, without a text made of any id."""
        bound, weighted = self.plan.bind(part.bare_rankings())
        scores = np.ascontiguousarray(bound.score(weighted), dtype=np.float64)
        if not np.isfinite(scores).all():
            raise Irregular("scores that are too large")
        text: bytes = twin("_ranked").written(  # type: ignore[union-attr]
            scores,
            part.item_offsets,
            part.ids.address,
            part.ids.length,
            [query.encode() for query in part.queries],
            f"stagg-{self.plan.method.tag}".encode(),
            np.iinfo(np.int64).max if self.plan.top is None else self.plan.top,
            TIE_TOLERANCE,
        )
        return text

    def _read_bare(self, queries: IntArray) -> Rankings:
        """Some queries, their items by number only; lists by rank are cut later, since equal ranks may tie."""
        depth = None if self.runs.by_rank else self.plan.depth
        return self.runs.read(queries, self.rankers, depth=depth).bare_rankings()

    def _fuse(self, queries: IntArray) -> tuple[Rankings, RunTally]:
        part = self.runs.read(queries, self.rankers)
        return self.plan.fuse(part.rankings()).result, part.tally

    def _each_part(self, work: Callable[[IntArray], T], doing: str = "fusing") -> Iterator[T]:
        """The outcome of ``work`` for some queries after the others, in order."""
        parts, done, total = list(_parts(self.runs)), 0, len(self.runs.queries)
        with contextlib.closing(_in_order(work, parts, self.threads)) as outcomes:
            try:
                for part, outcome in zip(parts, outcomes, strict=True):
                    yield outcome
                    done += len(part)
                    if self.progress is not None:
                        self.progress(f"{doing} {total:,} queries", done, total)
            except StaggError as error:
                raise Irregular(str(error)) from error


def _in_order(work: Callable[[IntArray], T], parts: list[IntArray], threads: int) -> Generator[T, None, None]:
    """``work`` on each part, on as many at a time as there are threads; the outcomes in the order of the parts."""
    if threads == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(threads) as pool, _quick_turns():
        waiting: deque[Future[T]] = deque()
        try:
            for part in parts:
                waiting.append(pool.submit(work, part))
                if len(waiting) > 2 * threads:  # no more results than these are held at once
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _quick_turns() -> Iterator[None]:
    """Threads that come back from a kernel are not kept waiting for Python's 5 ms, which is as long as a part takes."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _parts(runs: Runs) -> Iterator[IntArray]:
    """The numbers of the queries, in bytewise order of id, so many at a time as have about ROWS rows."""
    order = order_by_id(runs.queries)
    before = np.cumsum(runs.rows_of_queries()[order])
    first = 0
    while first < len(order):
        rows = before[first - 1] if first else 0
        end = max(first + 1, int(np.searchsorted(before, rows + ROWS, side="right")))
        yield order[first:end]
        first = end


def _join(parts: list[Rankings]) -> Rankings:
    """The consensus of all queries, with its intervals."""
    whole = join_queries(parts)
    intervals = [part.intervals for part in parts if part.intervals is not None]
    return whole.replace(intervals=_join_intervals(intervals)) if intervals else whole


def _join_intervals(parts: list[Intervals]) -> Intervals:
    return dataclasses.replace(
        parts[0],
        low=np.concatenate([part.low for part in parts]),
        high=np.concatenate([part.high for part in parts]),
        top=np.concatenate([part.top for part in parts]),
        group=np.concatenate([part.group for part in parts]),
    )
