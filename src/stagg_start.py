"""Starts the command line: Ctrl-C and failing imports end it with one line even before any of it is loaded."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

__all__ = ["loading", "main"]

FAILED, INTERRUPTED = 1, 130


def main() -> None:
    """What the command ``stagg`` calls."""
    try:
        _run()
    except KeyboardInterrupt:  # between two steps that both have an answer to it
        _quit()


def _run() -> None:
    try:
        with loading():
            from stagg.cli.main import main as run
    except (ImportError, OSError, MemoryError) as error:
        _tell(f"stagg: error: stagg cannot be loaded: {error}\n")
        sys.exit(FAILED)
    try:
        run()
    except SystemExit as ended:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done; only the interpreter has to end
        _drop_unheard_messages()
        if ended.code == INTERRUPTED:
            _end_at_once()
        raise


def _drop_unheard_messages() -> None:
    """Let go of messages that nobody can hear: Python would end with status 120 for them, whatever was done."""
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            sys.stderr = None


def _end_at_once() -> None:
    """End after Ctrl-C without waiting for threads that still compute; what was half written is removed."""
    atexit._run_exitfuncs()
    os._exit(INTERRUPTED)


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """While modules are loaded, Ctrl-C ends the process at once: an exception would be taken for a failed import."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _quit)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _quit(*_: Any) -> None:
    _tell("stagg: interrupted\n")
    os._exit(INTERRUPTED)


def _tell(message: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, message.encode(errors="backslashreplace"))
