"""``stagg fuse`` of TREC runs, some queries at a time: where the bytes go, and what is said on the way."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from typing import IO, cast

from stagg.aggregate import Plan
from stagg.aggregate.resampling import caveat
from stagg.aggregate.streaming import RunFusion
from stagg.cli.reading import say_read
from stagg.cli.talk import busy, progress_bar, say
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning
from stagg.formats.base import Format
from stagg.formats.files import Inputs, note_runs, write, write_stream
from stagg.formats.output import replacing
from stagg.formats.runs import Irregular
from stagg.formats.trec import Trec
from stagg.methods import Method

__all__ = ["available_cores", "fuse_in_parts", "say_nothing_left", "say_written", "write_fused"]

HELD = 1 << 25  # bytes for standard output or a pipe that are held in memory; more go to a temporary file


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fuse_in_parts(inputs: Inputs, plan: Plan, output: str | None, kind: Format, *, threads: int, quiet: bool) -> bool:
    """Fuse TREC runs and write the consensus; False, and nothing is written, where they have to be read whole."""
    with busy("looking for the queries", quiet=quiet):
        runs = inputs.runs(threads=threads)
    if runs is None:
        return False
    if not quiet:
        for run in runs.all:
            if not run.grouped:
                say(f"{run.source.name}: the rows are not grouped by query, so all of it is held in memory")
    fused: Rankings | None = None
    try:
        with progress_bar(quiet=quiet) as progress, _warnings_once():
            fusion = RunFusion(runs, plan, threads, progress)
            if isinstance(kind, Trec):
                with _sink(output) as stream:
                    fusion.write(stream)
            else:
                fused = fusion.rankings()
    except Irregular:
        return False
    note_runs(runs, fusion.tally, inputs.log)
    say_read(inputs.log, fusion.summary(), quiet=quiet)
    if plan.intervals is not None and not quiet:
        say(f"intervals: {caveat(fusion.fewest_voters)}")
    if not fusion.rows:
        say_nothing_left()
    if fused is not None:
        write_fused(fused, output, kind)
    if output is not None and not quiet:
        say_written(len(runs.queries), fusion.rows, plan.method, output)
    return True


@contextlib.contextmanager
def _sink(output: str | None) -> Iterator[IO[bytes]]:
    """Where the bytes go: all of them when the block ends well, none when it does not."""
    if output is not None and (os.path.isfile(output) or not os.path.exists(output)):
        with replacing(output) as stream:
            yield stream
        return
    with tempfile.SpooledTemporaryFile(max_size=HELD) as held:  # what went into a pipe cannot be taken back
        yield cast("IO[bytes]", held)
        held.seek(0)
        with contextlib.nullcontext(sys.stdout.buffer) if output is None else replacing(output) as stream:
            shutil.copyfileobj(held, stream)


def write_fused(fused: Rankings, output: str | None, kind: Format) -> None:
    """The consensus to a file, or to standard output."""
    if output is None:
        write_stream(fused, sys.stdout.buffer, kind, name="<stdout>")
    else:
        write(fused, output, format=kind)


@contextlib.contextmanager
def _warnings_once() -> Iterator[None]:
    """What is true of every part is said once."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", DataWarning)
        yield


def say_nothing_left() -> None:
    say("warning: nothing is left to rank: all rankers have weight 0, or all lists are empty")


def say_written(queries: int, rows: int, method: Method, output: str) -> None:
    say(f"{queries:,} {'query' if queries == 1 else 'queries'}, {rows:,} rows by {method.label} written to {output}")
