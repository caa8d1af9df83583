"""Threads: parallel work, long native calls that Ctrl-C can interrupt, search legs that may never return.

- ``map_threads`` and ``map_ahead``: a function over many things, the results in their order; ``Crew``: calls as they
  come.
- ``run_apart``: one long native call, so that Ctrl-C and time limits act while it runs.
- ``LegThreads``: a bounded number of threads for every leg of a search.

No thread keeps the program from ending, and none is waited for when it cannot be started.
"""

from __future__ import annotations

import _thread
import collections
import contextvars
import os
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = [
    "LIMIT",
    "AllStuck",
    "Crew",
    "LegCall",
    "LegThreads",
    "map_ahead",
    "map_threads",
    "run_apart",
    "start_thread",
]

T = TypeVar("T")
R = TypeVar("R")

GRACE: Final = 0.5  # seconds that a call may need to notice its own time limit
LONGEST_WAIT: Final = threading.TIMEOUT_MAX / 2
LIMIT: Final = 32
IDLE_SECONDS: Final = 10.0  # a thread that has had nothing to do for so long ends

_level: contextvars.ContextVar[int] = contextvars.ContextVar("the searches that this code runs inside of", default=0)


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    """Map ``function`` over things, in their order, by threads that work on at most ``ahead`` of them at once.

    Where no thread can be started, the caller's own does the work. An error is raised when the threads have ended what
    they had begun, or with ``wait=False`` and after Ctrl-C at once.
    """
    if threads <= 1 or len(things) <= 1:
        yield from map(function, things)
        return
    with Crew(min(threads, len(things)), wait=wait) as crew:
        yield from crew.map(function, things, ahead=ahead)


class Crew:
    """Threads that make calls one after another as they come; whoever needs a result asks for it by its number.

    With one thread, a call is made when its result is asked for. As a context it ends with the block: what was begun is
    waited for, unless ``wait=False`` or Ctrl-C ended it.

    >>> with Crew(2) as crew:
    ...     numbers = [crew.submit(str.upper, text) for text in "ab"]
    ...     [crew.get(number) for number in numbers]
    ['A', 'B']
    """

    def __init__(self, threads: int, *, wait: bool = True) -> None:
        self.threads, self._wait = threads, wait
        self._alive, self._next = threads if threads > 1 else 0, 0
        self._calls: dict[int, tuple[Callable[[Any], Any], Any]] = {}
        self._answers: dict[int, tuple[Any, BaseException | None]] = {}
        self._waiting: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Any, BaseException | None] | None] = queue.SimpleQueue()
        for _ in range(self._alive):
            start_thread(self._work, self._end)

    def submit(self, function: Callable[[T], R], thing: T) -> int:
        """Let a thread call ``function(thing)``; the number of this call."""
        number, self._next = self._next, self._next + 1
        self._calls[number] = function, thing
        self._waiting.put(number)
        return number

    def get(self, number: int) -> Any:
        """The result of a call, or its error."""
        while number not in self._answers:
            if self._alive:
                self._hear()
            else:  # one thread is the caller's own; and perhaps no other could be started
                function, thing = self._calls.pop(number)
                return function(thing)
        answer, error = self._answers.pop(number)
        if error is not None:
            raise error
        return answer

    def map(self, function: Callable[[T], R], things: Iterable[T], *, ahead: int) -> Iterator[R]:
        """The results for things that may come one by one, in their order; at most ``ahead`` are worked on at once."""
        if self.threads <= 1:
            yield from map(function, things)
            return
        begun: collections.deque[int] = collections.deque()
        for thing in things:
            begun.append(self.submit(function, thing))
            if len(begun) >= ahead:
                yield self.get(begun.popleft())
        while begun:
            yield self.get(begun.popleft())

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._dismiss(wait=self._wait and kind is not KeyboardInterrupt)

    def _work(self) -> None:
        while (number := self._waiting.get()) is not None:
            function, thing = self._calls[number]
            try:
                self._done.put((number, function(thing), None))
            except BaseException as error:
                self._done.put((number, None, error))
            del function, thing  # a thread that waits must not keep them alive

    def _end(self) -> None:
        self._done.put(None)

    def _hear(self) -> None:
        heard = self._done.get()
        if heard is None:
            self._alive -= 1
        else:
            del self._calls[heard[0]]
            self._answers[heard[0]] = heard[1:]

    def _dismiss(self, *, wait: bool) -> None:
        """Nothing more is begun."""
        while not self._waiting.empty():
            try:
                self._waiting.get_nowait()
            except queue.Empty:  # a thread was faster
                break
        for _ in range(self._alive):
            self._waiting.put(None)
        while wait and self._alive:
            self._hear()


def run_apart(work: Callable[[], T], seconds: float) -> T | None:
    """Return the result of ``work``; None, and it is left to itself, if that takes over ``seconds`` and half a second.

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


class LegThreads:
    """At most ``limit`` threads for every leg, made when they are needed.

    A thread cannot be stopped from outside. A call that was given up keeps its thread until it returns, and counts
    towards the limit. Once all threads of a leg are held like this, the leg is refused at once, and asked again when
    one of them returns. Every leg has threads of its own, so that one that hangs does not take those of the others.

    The threads are daemons: they do not keep the process from ending. A search inside a leg has threads of its own,
    too, so that it never waits for the one that it runs in.

    >>> threads = LegThreads(limit=4)
    >>> threads.submit("dense", lambda: 6 * 7).future.result()
    42
    >>> threads.stuck
    {}
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._crews: dict[tuple[int, str], _LegCrew] = {}
        self._lock = threading.Lock()
        self._process = os.getpid()

    def submit(self, leg: str, call: Callable[[], Any]) -> LegCall:
        """Call something in a thread of this leg; raises :class:`AllStuck` when none will come free."""
        level = _level.get()
        context = contextvars.copy_context()
        context.run(_level.set, level + 1)
        job = LegCall(self._crew(level, leg), lambda: context.run(call))
        job.crew.take(job)
        return job

    @property
    def stuck(self) -> dict[str, int]:
        """How many threads of each leg are held by calls that were given up and have not returned."""
        counts: collections.Counter[str] = collections.Counter()
        for (_, leg), crew in list(self._crews.items()):
            counts[leg] += crew.stuck
        return {leg: count for leg, count in counts.items() if count}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.limit,)  # a copy has threads of its own

    def _crew(self, level: int, leg: str) -> _LegCrew:
        with self._lock:
            if self._process != os.getpid():  # threads do not survive a fork
                self._crews, self._process = {}, os.getpid()
            return self._crews.setdefault((level, leg), _LegCrew(leg, self.limit))


class AllStuck(Exception):
    """All threads of a leg are held by calls that have not returned."""


class LegCall:
    """A call on its way; ``future`` has its result."""

    __slots__ = ("call", "crew", "future", "given_up")

    def __init__(self, crew: _LegCrew, call: Callable[[], Any]) -> None:
        from concurrent.futures import Future  # here: whoever only fuses does without it

        self.crew, self.call = crew, call
        self.future: Future[Any] = Future()
        self.given_up = False

    def run(self) -> None:
        """Call it, unless it was given up before a thread came free."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.call()
        except BaseException as error:  # whatever it is, the one who waits must learn of it
            self.future.set_exception(error)
        else:
            self.future.set_result(result)

    def give_up(self) -> None:
        """Nobody waits for it any more: its thread counts as stuck until it returns."""
        self.crew.abandon(self)


class _LegCrew:
    """The threads of one leg and the jobs that wait for one."""

    def __init__(self, leg: str, limit: int) -> None:
        self.leg, self.limit = leg, limit
        self.threads = self.idle = self.stuck = 0
        self.jobs: collections.deque[LegCall] = collections.deque()
        self.changed = threading.Condition()

    def take(self, job: LegCall) -> None:
        with self.changed:
            if self.stuck >= self.limit:
                raise AllStuck
            self.jobs.append(job)
            if len(self.jobs) <= self.idle or self.threads >= self.limit:
                self.changed.notify()
            else:
                self._start()

    def abandon(self, job: LegCall) -> None:
        with self.changed:
            if job.future.cancel():
                self.jobs = collections.deque(each for each in self.jobs if each is not job)
            elif not job.future.done():
                job.given_up = True
                self.stuck += 1

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name=f"stagg leg {self.leg}", daemon=True)
        self.threads += 1
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads
            self.threads -= 1
            self.jobs.pop()
            raise

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            with self.changed:
                self.stuck -= job.given_up
            del job  # an idle thread must not keep the last result alive

    def _next(self) -> LegCall | None:
        """The next job; None when there has been none for a while."""
        with self.changed:
            self.idle += 1
            self.changed.wait_for(lambda: self.jobs, IDLE_SECONDS)
            self.idle -= 1
            if self.jobs:
                return self.jobs.popleft()
            self.threads -= 1
            return None
