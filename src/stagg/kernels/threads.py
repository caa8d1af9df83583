"""Some things at once: threads that never keep a program from ending, nor let it wait when none can be started."""

from __future__ import annotations

import _thread
import queue
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

__all__ = ["map_ahead", "map_threads", "start_thread"]

T = TypeVar("T")
R = TypeVar("R")


def start_thread(work: Callable[[], None], ended: Callable[[], None]) -> None:
    """Call ``work`` on a new thread, and ``ended`` when that is over, also if the thread died or could not be started.

    ``threading.Thread.start`` waits until the new thread says that it runs; one that finds no memory for its first
    step never does. Here nobody waits, and the end of the thread is noticed whatever it was.
    """
    token = _Token(ended)
    try:
        _thread.start_new_thread(_run, (work, token))
    except (RuntimeError, MemoryError):  # the system has no thread for us
        return


class _Token:
    """Held by a thread alone, so that it goes when the thread does, even if that never came to its first step."""

    __slots__ = ("ended",)

    def __init__(self, ended: Callable[[], None]) -> None:
        self.ended: Callable[[], None] | None = ended

    def end(self) -> None:
        ended, self.ended = self.ended, None
        if ended is not None:
            ended()

    __del__ = end


def _run(work: Callable[[], None], token: _Token) -> None:
    try:
        work()
    finally:
        token.end()  # an error that is kept keeps this frame, and the token with it


def map_threads(function: Callable[[T], R], things: Sequence[T], threads: int = 1, *, wait: bool = True) -> list[R]:
    """[function(thing) for thing in things], on several threads; the first error, in the order of things, is raised.

    >>> map_threads(str.upper, ["a", "b"], 2)
    ['A', 'B']
    """
    return list(map_ahead(function, things, threads, ahead=len(things), wait=wait))


def map_ahead(
    function: Callable[[T], R], things: Sequence[T], threads: int, *, ahead: int, wait: bool = True
) -> Generator[R, None, None]:
    """What ``function`` makes of each thing, in their order, by threads that work on at most ``ahead`` of them at once.

    Where no thread can be started, the caller's own does the work. An error is raised when the threads have ended what
    they had begun, or with ``wait=False`` and after Ctrl-C at once.
    """
    if threads <= 1 or len(things) <= 1:
        yield from map(function, things)
        return
    crew = _Crew(function, things, min(threads, len(things)))
    try:
        for number in range(len(things)):
            crew.ask(number + ahead)
            yield crew.get(number)
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        crew.dismiss(wait=wait)


class _Crew:
    """Threads that take numbers of things from one queue and put what they made of them into another."""

    def __init__(self, function: Callable[[Any], Any], things: Sequence[Any], threads: int) -> None:
        self.function, self.things, self.alive, self.asked = function, things, threads, 0
        self.waiting: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self.done: queue.SimpleQueue[tuple[int, Any, BaseException | None] | None] = queue.SimpleQueue()
        self.answers: dict[int, tuple[Any, BaseException | None]] = {}
        for _ in range(threads):
            start_thread(self._work, self._end)

    def _work(self) -> None:
        while (number := self.waiting.get()) is not None:
            try:
                self.done.put((number, self.function(self.things[number]), None))
            except BaseException as error:
                self.done.put((number, None, error))

    def _end(self) -> None:
        self.done.put(None)

    def ask(self, count: int) -> None:
        """Let the threads work on the first ``count`` things."""
        for number in range(self.asked, min(count, len(self.things))):
            self.waiting.put(number)
            self.asked = number + 1

    def get(self, number: int) -> Any:
        while number not in self.answers:
            if self.alive:
                self._hear()
            else:  # no thread is left, or none could be started
                self.answers[number] = self.function(self.things[number]), None
        answer, error = self.answers.pop(number)
        if error is not None:
            raise error
        return answer

    def _hear(self) -> None:
        heard = self.done.get()
        if heard is None:
            self.alive -= 1
        else:
            self.answers[heard[0]] = heard[1:]

    def dismiss(self, *, wait: bool) -> None:
        """Nothing more is begun."""
        while not self.waiting.empty():
            try:
                self.waiting.get_nowait()
            except queue.Empty:  # a thread was faster
                break
        for _ in range(self.alive):
            self.waiting.put(None)
        while wait and self.alive:
            self._hear()
