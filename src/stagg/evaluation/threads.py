"""Some things at once: threads that never keep a program from ending."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["map_threads"]

T = TypeVar("T")
R = TypeVar("R")


def map_threads(function: Callable[[T], R], things: Sequence[T], threads: int = 1) -> list[R]:
    """[function(thing) for thing in things], on several threads; the first error is raised.

    The threads are daemons and the caller waits for results, not for threads: an interrupt is answered at once.
    """
    if threads <= 1 or len(things) <= 1:
        return [function(thing) for thing in things]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Any, BaseException | None]] = queue.SimpleQueue()
    for number in range(len(things)):
        waiting.put(number)

    def work() -> None:
        while not waiting.empty():
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((number, function(things[number]), None))
            except BaseException as error:
                done.put((number, None, error))

    for _ in range(min(threads, len(things))):
        threading.Thread(target=work, daemon=True).start()
    results: dict[int, R] = {}
    while len(results) < len(things):
        number, result, error = done.get()
        if error is not None:
            raise error
        results[number] = result
    return [results[number] for number in range(len(things))]
