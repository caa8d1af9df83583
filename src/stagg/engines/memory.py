"""Fusion in this process: some queries at a time where the inputs can be read in parts, else all at once."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from stagg.aggregate.plan import Plan
from stagg.aggregate.streaming import FusionInParts
from stagg.data.rankings import Rankings
from stagg.data.strangers import all_share, find_overlap
from stagg.engines.base import InputFiles, Listener, Outcome, Output
from stagg.errors import DataWarning, StaggError, plural
from stagg.formats.inputs import Inputs, finish_parts
from stagg.formats.log import ReadLog
from stagg.formats.parts.chunks import NeedsWhole, Whole
from stagg.formats.parts.in_parts import InParts, Restart
from stagg.threads import available_cores

__all__ = ["MemoryEngine"]

LARGE: Final = 1 << 27  # bytes of input
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 1 << 22  # as malloc.h names it; bytes
M_TRIM_THRESHOLD, KEPT = -1, 1 << 24


@dataclasses.dataclass(frozen=True)
class MemoryEngine:
    """The engine of one process; ``threads`` (None: all cores) do not change a byte."""

    threads: int | None = None

    def run(self, plan: Plan, inputs: InputFiles, output: Output, listener: Listener | None = None) -> Outcome:
        """Fuse files and write the consensus: see :class:`stagg.engines.base.Engine`."""
        listener = listener or Listener()
        with _open(inputs) as given:
            outcome = None if inputs.queries else self._run_in_parts(plan, given, output, listener)
            if outcome is not None:
                return outcome
            rankings = _load(plan, given, inputs.queries, listener)
        outcome = _fuse(plan, rankings, inputs.queries, given.log, listener, output)
        listener.has_fused(outcome)
        output.write(outcome.fused)
        return outcome

    def fuse(
        self, plan: Plan, inputs: InputFiles, listener: Listener | None = None, output: Output | None = None
    ) -> Outcome:
        """Fuse files and keep the result, to look at it; ``output`` is where it will be written, if it can hold it."""
        listener = listener or Listener()
        with _open(inputs) as given:
            rankings = _load(plan, given, inputs.queries, listener)
        return _fuse(plan, rankings, inputs.queries, given.log, listener, output)

    def _run_in_parts(self, plan: Plan, given: Inputs, output: Output, listener: Listener) -> Outcome | None:
        """Fuse some queries at a time and write; None, and nothing was done, if all is to be read first."""
        _return_large_blocks()
        threads = self.threads or available_cores()
        with listener.progress() as progress, _hold_warnings() as held:
            parts = given.in_parts(threads=threads, progress=progress)
            if isinstance(parts, Whole):
                _tell_whole(given, parts.why, listener)
                return None
            try:
                fusion = _write_parts(parts, plan, output, given.log)
            except NeedsWhole as why:
                _tell_whole(given, str(why), listener)
                return None
            except StaggError:
                held.tell()
                raise
        given.note_earlier_fusions()
        strangers, voters = fusion.overlap.describe(), None if plan.intervals is None else fusion.fewest_voters
        outcome = Outcome(given.log, fusion.summary(), fusion.tally.queries, fusion.rows, strangers, voters)
        listener.has_read(outcome.log, outcome.summary)
        held.tell()
        if len(parts.rankers) == 1:
            listener.has_one_ranker()
        listener.has_fused(outcome)
        return outcome


def _open(inputs: InputFiles) -> Inputs:
    return Inputs(list(inputs.paths), format=inputs.format, options=inputs.options, log=ReadLog())


# --- all at once ------------------------------------------------------------------------------------------------------


def _load(plan: Plan, given: Inputs, queries: Sequence[str] | None, listener: Listener) -> Rankings:
    """All rankings that the plan has to see; a method that learns sees those of all queries."""
    with listener.busy(f"reading {given.label}"):
        rankings = given.load(_distinct(queries) if plan.is_independent else None).rankings
    given.note_earlier_fusions()
    listener.has_read(given.log, rankings.summary(names=True))
    if len(rankings.rankers) == 1:
        listener.has_one_ranker()
    return rankings


def _fuse(
    plan: Plan, rankings: Rankings, queries: Sequence[str] | None, log: ReadLog, listener: Listener,
    output: Output | None,
) -> Outcome:  # fmt: skip
    """The consensus of all queries, or of those that are asked for."""
    chosen = _distinct(queries)
    with listener.progress() as progress:
        progress(f"fusing {plural(len(rankings), 'query', 'queries')}", 0, 1)
        done = plan.fuse(rankings, progress)
    voters = None if plan.intervals is None else done.fewest_voters
    done = done if chosen is None else done.take_queries(chosen)
    fused = done.result
    if output is not None:
        output.check(fused)
    strangers = None if all_share(done.rankings) else find_overlap(done.rankings).describe()
    return Outcome(log, rankings.summary(names=True), len(fused), len(fused.entries), strangers, voters, done)


def _distinct(queries: Sequence[str] | None) -> list[str] | None:
    """The queries that are asked for, each once; None: all."""
    return list(dict.fromkeys(queries or ())) or None


def _tell_whole(given: Inputs, why: str, listener: Listener) -> None:
    """Large inputs that have to fit the memory are worth a word."""
    if sum(os.path.getsize(path) for path in given.paths if os.path.isfile(path)) > LARGE:
        listener.reads_whole(why)


# --- some queries at a time -------------------------------------------------------------------------------------------


def _write_parts(parts: InParts, plan: Plan, output: Output, log: ReadLog) -> FusionInParts:
    """Write the consensus; once more, and then all is read first, if a file that looked sorted is not."""
    for early in (True, False):
        fusion = FusionInParts(parts, plan, early=early)
        try:
            with output.open() as stream:
                fusion.write(stream, output.kind, output.name)
                finish_parts(parts, fusion.tally, fusion.noticed, log)
            return fusion
        except Restart:
            parts.begin_again()
    raise AssertionError("all was read first, so nothing can come too late")


def _return_large_blocks() -> None:
    """Give large blocks of memory back to the system when they are freed; glibc would keep up to 32 MB of each kind.

    Smaller ones are kept up to a limit, since the next chunk needs them again.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, KEPT)


class _Held(dict[str, Callable[[], None]]):
    """Warnings that wait, each once."""

    def tell(self) -> None:
        for show in self.values():
            show()


@contextlib.contextmanager
def _hold_warnings() -> Iterator[_Held]:
    """Hold back what is warned of, once for all parts: it is told after what was read, as if that had come first."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        show, held = warnings.showwarning, _Held()

        def hold(message: Warning | str, *rest: Any, **more: Any) -> None:
            held.setdefault(str(message), partial(show, message, *rest, **more))

        warnings.showwarning = hold
        yield held
