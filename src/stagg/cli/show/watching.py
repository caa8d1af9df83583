"""Watch a learner: its report after every iteration, and Ctrl-C, which keeps the best model so far."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from stagg.cli.show.talk import busy, progress_bar, say
from stagg.learning.base import Step

__all__ = ["INTERRUPTED", "Watcher", "watching"]

INTERRUPTED = 130


class Watcher:
    """Shows every step of a fit: as a bar on a terminal, else now and then as a line; True once Ctrl-C was pressed."""

    def __init__(self, what: str, quiet: bool) -> None:
        self.what, self.quiet, self.interrupted = what, quiet, False
        self.terminal = sys.stderr.isatty()
        self.shown = contextlib.ExitStack()
        self.bar: Any = None
        self.iterations, self.told = 0, 0

    def __call__(self, step: Step) -> bool:
        self.iterations += 1
        figures = f"objective {step.objective:.5f}"
        if step.validation is not None:
            figures += f", validation {step.validation:.5f}"
        if self.terminal and not self.quiet:
            if self.bar is None:  # in the place of the spinner, which turns while nothing is reported
                self.shown.close()
                self.bar = self.shown.enter_context(progress_bar(quiet=self.quiet))
            self.bar(f"{self.what}: {figures}", step.iteration, step.iterations)
        elif not self.quiet and step.iteration >= 2 * self.told:  # 1, 2, 4, 8, ...: a log stays short
            self.told = step.iteration
            say(f"iteration {step.iteration} of at most {step.iterations}: {figures}")
        return self.interrupted


@contextlib.contextmanager
def watching(what: str, *, quiet: bool = False) -> Iterator[Watcher]:
    """A watcher for the fit inside; there the first Ctrl-C asks the fit to stop, and the second ends it.

    A fit that has not reported an iteration has nothing to keep: the first one ends it.
    """
    watcher = Watcher(what, quiet)

    def stop(number: int, frame: FrameType | None) -> None:
        if watcher.interrupted or not watcher.iterations:
            (before if callable(before) else signal.default_int_handler)(number, frame)
        watcher.interrupted = True

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, stop) if main else None
    try:
        with watcher.shown:
            watcher.shown.enter_context(busy(what, quiet=quiet))
            yield watcher
    finally:
        if main:
            signal.signal(signal.SIGINT, before)
