"""The interface of engines: what they are given, what they give back, and whom they tell of their work."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import IO, Final, Protocol, cast

from stagg.aggregate.plan import Plan, PlanResult, Progress
from stagg.data.rankings import Rankings
from stagg.formats.format import Format
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.storage.atomic import replacing
from stagg.formats.write import STDOUT, check_writable, write, write_stream

__all__ = ["Engine", "InputFiles", "Listener", "Outcome", "Output"]

HELD: Final = 1 << 25  # bytes for standard output or a pipe that are held in memory; more go to a temporary file


class Engine(Protocol):
    """A place where plans are carried out: this process, or Apache Spark. The consensus is the same everywhere."""

    def run(self, plan: Plan, inputs: InputFiles, output: Output, listener: Listener) -> Outcome:
        """Read the inputs, fuse them by the plan, and write the consensus: all of it, or nothing after an error."""


@dataclasses.dataclass(frozen=True)
class InputFiles:
    """Files as they were named, and how they are to be read; of ``queries``, if these are given, and no others."""

    paths: Sequence[str]
    format: str = "auto"
    options: ReadOptions = dataclasses.field(default_factory=ReadOptions)
    queries: Sequence[str] | None = None


@dataclasses.dataclass(frozen=True)
class Output:
    """Where a consensus goes, and in which format; without a path to standard output."""

    path: str | None
    kind: Format

    @property
    def name(self) -> str:
        """What errors call it."""
        return STDOUT if self.path is None else self.path

    def check(self, fused: Rankings) -> None:
        """Raise the error that writing would end with, if the format cannot hold the consensus."""
        check_writable(self.kind, fused, None, self.name)

    def write(self, fused: Rankings) -> None:
        """Write a whole consensus."""
        if self.path is None:
            write_stream(fused, sys.stdout.buffer, self.kind, name=self.name)
        else:
            write(fused, self.path, format=self.kind)

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """A stream for its bytes: all of them go there when the block ends well, none when it does not."""
        if self.path is not None and (os.path.isfile(self.path) or not os.path.exists(self.path)):
            with replacing(self.path) as stream:
                yield stream
            return
        import shutil
        import tempfile

        with tempfile.SpooledTemporaryFile(max_size=HELD) as held:  # what went into a pipe cannot be taken back
            yield cast("IO[bytes]", held)
            held.seek(0)
            with nullcontext(sys.stdout.buffer) if self.path is None else replacing(self.path) as stream:
                shutil.copyfileobj(held, stream)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a run did: ``queries`` and ``rows`` of the consensus, and what there is to say of the rankers.

    ``strangers`` names the rankers that share no item with others. ``fewest_voters`` is known where there are
    intervals, and the ``result`` where it was not only written.
    """

    log: ReadLog
    summary: str
    queries: int
    rows: int
    strangers: str | None = None
    fewest_voters: int | None = None
    result: PlanResult | None = None

    @property
    def kept(self) -> PlanResult:
        """The result of a run that kept it."""
        assert self.result is not None
        return self.result

    @property
    def fused(self) -> Rankings:
        """The consensus of such a run."""
        return self.kept.result


class Listener:
    """What an engine tells while it works; this one keeps everything to itself."""

    def busy(self, what: str) -> AbstractContextManager[None]:
        """Something is done that takes long."""
        return nullcontext()

    def progress(self) -> AbstractContextManager[Progress]:
        """Something is done step by step."""
        return nullcontext(lambda what, done, total: None)

    def reads_whole(self, why: str) -> None:
        """Large inputs have to fit the memory."""

    def has_read(self, log: ReadLog, summary: str) -> None:
        """All rows were read."""

    def has_one_ranker(self) -> None:
        """There is nothing to fuse the lists with."""

    def has_fused(self, outcome: Outcome) -> None:
        """The consensus is made; whether it is written already depends on the engine."""
