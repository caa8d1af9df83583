"""Fusion in bounded memory: whole queries are read, fused and written some at a time, in the order of their ids.

The inputs give buckets of whole queries (:class:`stagg.formats.parts.in_parts.InParts`), in whatever order their rows
come. The bytes are those of reading everything first, for any number of threads and any memory.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, Generic, TypeVar

import numpy as np

from stagg.aggregate.plan import MANY_VOTERS, Plan
from stagg.data.ids import Ids
from stagg.data.parts import empty_rankings, join_queries
from stagg.data.rankings import Rankings, summarise
from stagg.data.results.beside import columns_beside, put_beside
from stagg.data.strangers import Overlap, find_overlap
from stagg.formats.format import Format
from stagg.formats.parts.bucket_lists import BadLists, Noticed, Part, PartTally
from stagg.formats.parts.in_parts import InParts, RowsOfQueries
from stagg.formats.runs.trec import Trec, write_consensus
from stagg.formats.write import check_writable
from stagg.kernels.text import ranked
from stagg.threads import Crew

__all__ = ["FusionInParts"]

AHEAD: Final = 2  # buckets that wait beside those that the threads work on

T = TypeVar("T")


@dataclasses.dataclass(eq=False)
class FusionInParts:
    """The fusion of inputs in parts by one plan: :meth:`write` carries it out, then the rest says what was done.

    ``early``: queries are fused while others are still read, where that is safe (:meth:`InParts.buckets`).
    """

    inputs: InParts
    plan: Plan
    early: bool

    def __post_init__(self) -> None:
        self.tally, self.noticed, self.overlap = PartTally(), Noticed(len(self.inputs.files)), Overlap()
        self.rows, self.fewest_voters = 0, MANY_VOTERS
        self._learns = self.plan.method.needs_all_queries()
        # Rankers that only later rows name would be missing from weights, and from what a method makes of their number.
        knows = not self.inputs.names_rankers or (self.plan.weights is None and self.plan.ignores_silent_rankers)
        self.early = self.early and self.inputs.can_restart and knows and not self._learns

    def summary(self) -> str:
        """Input summary, in one line."""
        tally, rankers = self.tally, self.inputs.rankers
        lengths = tally.shortest, tally.longest
        return summarise(
            tally.queries, len(rankers), tally.items, names=rankers, lengths=lengths,
            scores=tally.scored, ties=bool(tally.ties),
        )  # fmt: skip

    def write(self, stream: IO[bytes], kind: Format, name: str) -> None:
        """The consensus as a file of some format; ``name`` is what errors call it."""
        with contextlib.closing(self.inputs), Crew(self.inputs.threads) as crew:
            if not kind.writes_parts:
                fused = _join(list(self._fused(crew, self._fuse)))
                check_writable(kind, fused, None, name)
                kind.write(fused, stream)
            else:
                kind.write_parts(self._fused(crew, self._rendering(kind, name)), stream, threads=self.inputs.threads)

    def _fused(self, crew: Crew, work: Callable[[RowsOfQueries], _Done[T]]) -> Iterator[T]:
        """The outcome of ``work`` for one bucket after another, counted."""
        buckets = self.inputs.buckets(crew, early=self.early, twice=self._learns)
        if self._learns:
            self.plan = self.plan.learn(self._learn_from(crew, buckets))
            buckets = self.inputs.take_again()
        for done in self._each(crew, work, self._checked(buckets)):
            self.rows += done.rows
            self.tally.add(done.tally)
            self.noticed.add(done.noticed)
            self.overlap.add(done.overlap)
            self.fewest_voters = min(self.fewest_voters, done.voters)
            yield done.result

    def _learn_from(self, crew: Crew, buckets: Iterator[RowsOfQueries]) -> Iterator[Rankings]:
        return self._each(crew, lambda rows: self.inputs.read(rows).rankings, self._checked(buckets))

    def _checked(self, buckets: Iterator[RowsOfQueries]) -> Iterator[RowsOfQueries]:
        """The buckets; before the first, what is wrong with weights or rankers is said."""
        first = next(buckets)
        self.plan.weigh(empty_rankings((), first.rankers))
        if not self._learns:
            self.plan.check_rankers(first.rankers)
        yield first
        yield from buckets

    def _each(self, crew: Crew, work: Callable[[RowsOfQueries], T], buckets: Iterator[RowsOfQueries]) -> Iterator[T]:
        """The outcome of ``work`` for each bucket; of all errors the first in the files is told."""

        def attempt(rows: RowsOfQueries | BadLists) -> T | BadLists:
            try:
                return rows if isinstance(rows, BadLists) else work(rows)
            except BadLists as wrong:
                return wrong

        bad: BadLists | None = None
        for outcome in crew.map(attempt, _until_error(buckets), ahead=self.inputs.threads + AHEAD):
            if not isinstance(outcome, BadLists):
                if bad is None:
                    yield outcome
            elif bad is None or outcome.first[0] < bad.first[0]:
                bad = outcome
        if bad is not None:
            raise bad.first[1] from None

    def _rendering(self, kind: Format, name: str) -> Callable[[RowsOfQueries], _Done[Any]]:
        def render(rows: RowsOfQueries) -> _Done[Any]:
            fused = self._fuse(rows)
            check_writable(kind, fused.result, None, name)
            return dataclasses.replace(fused, result=kind.render(fused.result))

        quick = isinstance(kind, Trec) and not self.plan.has_thresholds and ranked.has_twin()
        return (lambda rows: self._text(self.inputs.read(rows)) or render(rows)) if quick else render

    def _text(self, part: Part) -> _Done[Any] | None:
        """Some queries as TREC rows whose scores strictly decrease; None where text has to be made of an id."""
        _, weighted, (scores, masses) = self.plan.score(part.rankings)
        fits = isinstance(weighted.items, Ids) and np.isfinite(scores).all()
        if not fits or Trec(strict=True).refusal(weighted.replace(rankers=()), None):
            return None
        text = write_consensus(weighted, scores, masses, f"stagg-{self.plan.method.tag}", self.plan.top)
        sizes = weighted.sizes if self.plan.top is None else np.minimum(weighted.sizes, self.plan.top)
        overlap = find_overlap(weighted, self.overlap)
        return _Done(text, int(sizes.sum()), part.tally, part.noticed, overlap)

    def _fuse(self, rows: RowsOfQueries) -> _Done[Rankings]:
        part = self.inputs.read(rows)
        done = self.plan.fuse(part.rankings)
        voters = MANY_VOTERS if self.plan.intervals is None else done.fewest_voters
        overlap = find_overlap(done.rankings, self.overlap)
        return _Done(done.result, len(done.result.entries), part.tally, part.noticed, overlap, voters)


def _until_error(buckets: Iterator[RowsOfQueries]) -> Iterator[RowsOfQueries | BadLists]:
    """The buckets, and at last the error in a file that ended them: lists that are not fused yet may be wrong, too."""
    try:
        yield from buckets
    except BadLists as bad:
        yield bad


@dataclasses.dataclass(frozen=True)
class _Done(Generic[T]):
    """Outcome for some queries: the result, its rows, what was counted and noticed, who shares items with whom, and
    the fewest rankers of a query.

    It does not hold what was read, so that a result that waits for its turn keeps no input in memory.
    """

    result: T
    rows: int
    tally: PartTally
    noticed: Noticed
    overlap: Overlap
    voters: int = MANY_VOTERS


def _join(parts: list[Rankings]) -> Rankings:
    """The consensus of all queries, with what stands beside its scores."""
    columns = [columns_beside(part) for part in parts]
    beside = {name: np.concatenate([each[name] for each in columns]) for name in columns[0]}
    return join_queries(parts).replace(**put_beside(parts[0], beside))
