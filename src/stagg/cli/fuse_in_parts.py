"""``stagg fuse``, some queries at a time: the output, its temporary files, and the messages."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, cast

from stagg.aggregate import Plan
from stagg.aggregate.settings import tell_settings
from stagg.aggregate.streaming import FusionInParts
from stagg.cli.options.reading import say_read
from stagg.cli.show.talk import progress_bar, say
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, plural
from stagg.formats.format import Format
from stagg.formats.inputs import Inputs, finish_parts
from stagg.formats.log import ReadLog
from stagg.formats.parts.chunks import NeedsWhole, Whole
from stagg.formats.parts.in_parts import InParts, Restart
from stagg.formats.storage.atomic import replacing
from stagg.formats.write import check_writable, write, write_stream

__all__ = ["fuse_in_parts", "say_alone", "say_nothing_left", "say_written", "write_fused"]

LARGE = 1 << 27  # bytes of input
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 1 << 22  # as malloc.h names it; bytes
M_TRIM_THRESHOLD, KEPT = -1, 1 << 24
HELD = 1 << 25  # bytes for standard output or a pipe that are held in memory; more go to a temporary file


def fuse_in_parts(inputs: Inputs, plan: Plan, output: str | None, kind: Format, *, threads: int, quiet: bool) -> bool:
    """Fuse some queries at a time and write the consensus; False, and nothing was done, if all is to be read first."""
    _return_large_blocks()
    with progress_bar(quiet=quiet) as progress, _warnings_once():
        parts = inputs.in_parts(threads=threads, progress=progress)
        if isinstance(parts, Whole):
            _say_whole(inputs, parts, quiet=quiet)
            return False
        try:
            fusion = _write_parts(parts, plan, output, kind, inputs.log)
        except NeedsWhole as why:
            _say_whole(inputs, Whole(str(why)), quiet=quiet)
            return False
    inputs.note_earlier_fusions()
    say_read(inputs.log, fusion.summary(), quiet=quiet)
    strangers = fusion.overlap.describe()
    if strangers is not None:
        say(f"warning: {strangers}")
    say_alone(parts.rankers, quiet=quiet)
    if plan.intervals is not None and not quiet:
        from stagg.aggregate.resampling import caveat

        say(f"intervals: {caveat(fusion.fewest_voters)}")
    if not fusion.rows:
        say_nothing_left()
    if output is not None and not quiet:
        say_written(fusion.tally.queries, fusion.rows, plan, output)
    return True


def _write_parts(parts: InParts, plan: Plan, output: str | None, kind: Format, log: ReadLog) -> FusionInParts:
    """Write the consensus; once more, and then all is read first, if a file that looked sorted is not."""
    for early in (True, False):
        fusion = FusionInParts(parts, plan, early=early)
        try:
            with _sink(output) as stream:
                fusion.write(stream, kind, "<stdout>" if output is None else output)
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


def _say_whole(inputs: Inputs, decision: Whole, *, quiet: bool) -> None:
    """Large inputs that have to fit the memory are worth a word."""
    size = sum(os.path.getsize(path) for path in inputs.paths if os.path.isfile(path))
    if size > LARGE and not quiet:
        say(f"the whole input is read into memory first: {decision.why}")


@contextlib.contextmanager
def _sink(output: str | None) -> Iterator[IO[bytes]]:
    """Where the bytes go: all of them when the block ends well, none when it does not."""
    if output is not None and (os.path.isfile(output) or not os.path.exists(output)):
        with replacing(output) as stream:
            yield stream
        return
    import shutil
    import tempfile

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


def refuse_unfit(fused: Rankings, output: str | None, kind: Format) -> None:
    """The error that writing would end with, if the format cannot hold the consensus."""
    check_writable(kind, fused, None, output or "<stdout>")


@contextlib.contextmanager
def _warnings_once() -> Iterator[None]:
    """Say once what is true of every part."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = _show_new(warnings.showwarning)
        yield


def _show_new(show: Callable[..., None]) -> Callable[..., None]:
    """Shows a warning that was not shown yet, wherever in the code it comes from."""
    shown: set[str] = set()

    def show_new(message: Warning | str, *rest: Any, **more: Any) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            show(message, *rest, **more)

    return show_new


def say_alone(rankers: Sequence[str], *, quiet: bool) -> None:
    """One ranker cannot be fused with anything: a slip, most likely."""
    if len(rankers) == 1 and not quiet:
        say("there is only one list per query, so there is nothing to fuse it with")


def say_nothing_left() -> None:
    say("warning: nothing is left to rank: all rankers have weight 0, or all lists are empty")


def say_written(queries: int, rows: int, plan: Plan, output: str) -> None:
    settings = "".join(f"{name} {value}, " for name, value in tell_settings(plan.settings))
    how = f"{plan.method.label}, {settings}" if settings else f"{plan.method.label} "
    say(f"{plural(queries, 'query', 'queries')}, {plural(rows, 'row')} by {how}written to {output}")
