"""Fusion in bounded memory: queries are read, fused and written some at a time, in the order of their ids.

The inputs are indexed by query (:class:`stagg.formats.parts.interface.InParts`), so that memory depends on the largest
query, not on the files. The bytes are those of reading everything first, for any number of threads.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Final, Generic, TypeVar

import numpy as np

from stagg.aggregate.plan import Plan, Progress
from stagg.data.ids import Ids
from stagg.data.parts import empty_rankings, join_queries
from stagg.data.rankings import Rankings, summarise
from stagg.data.results.beside import columns_beside, put_beside
from stagg.data.strangers import Overlap, find_overlap
from stagg.formats.format import Format
from stagg.formats.log import ReadLog
from stagg.formats.parts.interface import InParts, Part, Tally
from stagg.formats.runs.trec import Trec, write_consensus
from stagg.formats.write import check_writable
from stagg.kernels.arrays import IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.text import ranked
from stagg.methods import Method
from stagg.threads import map_ahead

if TYPE_CHECKING:
    from stagg.aggregate.spool import Packed, Spool

__all__ = ["FusionInParts"]

ROWS: Final = 40_000
"""Rows that are read and fused at once, if no query has more: they stay in the processor's cache."""

MANY_RANKERS: Final = 50
"""So many are read at once at the price of one part; more of them share larger parts."""

MANY_VOTERS: Final = 1000

T = TypeVar("T")


@dataclasses.dataclass(eq=False)
class FusionInParts:
    """The fusion of indexed inputs by one plan: :meth:`write` carries it out, then the rest says what was done."""

    inputs: InParts
    plan: Plan
    threads: int = 1
    progress: Progress | None = None

    def __post_init__(self) -> None:
        self.tally, self.noticed, self.overlap = Tally(), ReadLog(), Overlap()
        self.rows, self.fewest_voters = 0, MANY_VOTERS
        rankers = self.inputs.rankers
        self.plan.weigh(empty_rankings((), rankers))  # wrong weights are said before the work
        if self.plan.method.needs_all_queries():
            self.plan = self.plan.learn(self._each_part(self._read, self._parts(), "learning from"))
        self._heavy = self.plan.check_rankers(rankers).weights > 0

    def summary(self) -> str:
        """Input summary, in one line."""
        tally, inputs = self.tally, self.inputs
        lengths = tally.shortest, tally.longest
        return summarise(
            len(inputs.queries), len(inputs.rankers), tally.items, names=inputs.rankers, lengths=lengths,
            scores=tally.scored, ties=bool(tally.ties),
        )  # fmt: skip

    def write(self, stream: IO[bytes], kind: Format, name: str) -> None:
        """The consensus as a file of some format; ``name`` is what errors call it."""
        if not kind.writes_parts:
            fused = _join([self._count(done) for done in self._each_part(self._fuse, self._parts())])
            check_writable(kind, fused, None, name)
            kind.write(fused, stream)
        elif self._is_in_order():
            render = self._rendering(kind, name)
            work = partial(self._text, render) if isinstance(kind, Trec) else render
            kind.write_parts(map(self._count, self._each_part(work, self._parts())), stream)
        else:
            from stagg.aggregate.spool import Spool  # here: few inputs need it

            with contextlib.closing(Spool()) as spool:
                for done in self._each_part(self._pack, self._parts()):
                    spool.add(self._count(done))
                self.inputs.release()
                spool.finish()
                kind.write_parts(self._spooled(spool, kind, name), stream)

    def _is_in_order(self) -> bool:
        """Whether the queries are read in the order of their ids."""
        order = self.inputs.reading_order
        return order is None or bool((order == order_by_id(self.inputs.queries)).all())

    def _spooled(self, spool: Spool, kind: Format, name: str) -> Iterator[Any]:
        """The consensus in the order of the ids, as it goes into the file."""

        def render(queries: IntArray) -> Any:
            fused = spool.take([self.inputs.queries[q] for q in queries.tolist()])
            check_writable(kind, fused, None, name)
            return kind.render(fused)

        return self._each_part(render, list(self._cut(order_by_id(self.inputs.queries))), "writing")

    def _count(self, done: _Done[T]) -> T:
        self.rows += done.rows
        self.tally.add(done.tally)
        self.noticed.absorb(done.log)
        self.overlap.add(done.overlap)
        self.fewest_voters = min(self.fewest_voters, done.voters)
        return done.result

    def _rendering(self, kind: Format, name: str) -> Callable[[IntArray], _Done[Any]]:
        def render(queries: IntArray) -> _Done[Any]:
            fused = self._fuse(queries)
            check_writable(kind, fused.result, None, name)
            return dataclasses.replace(fused, result=kind.render(fused.result))

        return render

    def _text(self, render: Callable[[IntArray], _Done[bytes]], queries: IntArray) -> _Done[bytes]:
        """Some queries as TREC rows whose scores strictly decrease; quickly where no text has to be made of an id."""
        part = self._take(queries)
        if not self._heavy.all() or self.plan.has_thresholds or not isinstance(part.rankings.items, Ids):
            return render(queries)
        bound, weighted = self.plan.bind(part.rankings)
        text = self._written(bound, weighted)
        if text is None:
            return render(queries)
        sizes = part.rankings.sizes
        rows = sizes if self.plan.top is None else np.minimum(sizes, self.plan.top)
        return _Done(text, int(rows.sum()), part.tally, part.log, find_overlap(weighted, self.overlap))

    def _written(self, bound: Method, weighted: Rankings) -> bytes | None:
        """The bytes that ``fuse`` and the TREC writer would write; None where that is not so simple."""
        if not ranked.has_twin() or not isinstance(weighted.items, Ids):
            return None
        scores, masses = bound.scored(weighted)
        if not np.isfinite(scores).all():
            return None
        if not self.inputs.ids_are_words and Trec(strict=True).refusal(weighted.replace(rankers=()), None):
            return None
        return write_consensus(weighted, scores, masses, f"stagg-{self.plan.method.tag}", self.plan.top)

    def _take(self, queries: IntArray) -> Part:
        """Some queries; lists by rank are cut later, since equal ranks may tie."""
        return self.inputs.read(queries, depth=None if self.inputs.by_rank else self.plan.depth)

    def _read(self, queries: IntArray) -> Rankings:
        return self._take(queries).rankings

    def _fuse(self, queries: IntArray) -> _Done[Rankings]:
        part = self.inputs.read(queries)
        done = self.plan.fuse(part.rankings)
        voters = int(self.plan.weigh(part.rankings).active().voters.min(initial=MANY_VOTERS))
        overlap = find_overlap(done.rankings, self.overlap)
        return _Done(done.result, len(done.result.entries), part.tally, part.log, overlap, voters)

    def _pack(self, queries: IntArray) -> _Done[Packed]:
        from stagg.aggregate.spool import pack

        fused = self._fuse(queries)
        return _Done(pack(fused.result), fused.rows, fused.tally, fused.log, fused.overlap, fused.voters)

    def _parts(self) -> list[IntArray]:
        order = self.inputs.reading_order
        order = order_by_id(self.inputs.queries) if order is None else order
        return list(self._cut(order))

    def _cut(self, order: IntArray) -> Iterator[IntArray]:
        """The numbers of the queries, in this order, so many at a time as have about ROWS rows."""
        before = np.cumsum(self.inputs.rows_of_queries()[order])
        most, first = ROWS * max(1, len(self.inputs.rankers) // MANY_RANKERS), 0
        most = most if self.inputs.reading_order is None else 3 * most // 2  # a part of Parquet costs more calls
        while first < len(order):
            done = before[first - 1] if first else 0
            end = max(first + 1, int(np.searchsorted(before, done + most, side="right")))
            yield order[first:end]
            first = end

    def _each_part(self, work: Callable[[IntArray], T], parts: list[IntArray], doing: str = "fusing") -> Iterator[T]:
        """The outcome of ``work`` for some queries after the others, in order."""
        done, total = 0, len(self.inputs.queries)
        with contextlib.closing(map_ahead(work, parts, self.threads, ahead=self.threads + 2)) as outcomes:
            for part, outcome in zip(parts, outcomes, strict=True):
                yield outcome
                done += len(part)
                if self.progress is not None:
                    self.progress(f"{doing} {total:,} queries", done, total)


@dataclasses.dataclass(frozen=True)
class _Done(Generic[T]):
    """Outcome for some queries: the result, its rows, what was counted and noticed, who shares items with whom, and
    the fewest rankers of a query.

    It does not hold what was read, so that a result that waits for its turn keeps no input in memory.
    """

    result: T
    rows: int
    tally: Tally
    log: ReadLog
    overlap: Overlap
    voters: int = MANY_VOTERS


def _join(parts: list[Rankings]) -> Rankings:
    """The consensus of all queries, with what stands beside its scores."""
    columns = [columns_beside(part) for part in parts]
    beside = {name: np.concatenate([each[name] for each in columns]) for name in columns[0]}
    return join_queries(parts).replace(**put_beside(parts[0], beside))
