"""Long native calls in a thread of their own, so that Ctrl-C and time limits act while they run."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

from stagg.kernels.threads import start_thread

__all__ = ["run_apart"]

T = TypeVar("T")

GRACE: Final = 0.5  # seconds that a call may need to notice its own time limit
LONGEST_WAIT: Final = threading.TIMEOUT_MAX / 2


def run_apart(work: Callable[[], T], seconds: float) -> T | None:
    """What ``work`` returns; None, and it is left to itself, if it needs more than ``seconds`` and half a second.

    Only for calls that release the interpreter and touch nothing of ours.

    >>> run_apart(lambda: 1, 5.0)
    1
    """
    done: queue.SimpleQueue[tuple[Any, BaseException | None] | None] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:
            done.put((None, error))

    start_thread(run, lambda: done.put(None))
    try:
        answer = done.get(timeout=min(seconds + GRACE, LONGEST_WAIT))
    except queue.Empty:
        return None
    if answer is None:  # there was no thread for it
        return work()
    result, error = answer
    if error is not None:
        raise error
    found: T = result
    return found
