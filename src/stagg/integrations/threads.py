"""Threads for calls that may never return: a bounded number for every leg, and none keeps the process from ending."""

from __future__ import annotations

import collections
import contextvars
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

from stagg.registry import whole_number

__all__ = ["AllStuck", "Job", "Threads"]

LIMIT: Final = 32
IDLE_SECONDS: Final = 10.0  # a thread that has had nothing to do for so long ends

_level: contextvars.ContextVar[int] = contextvars.ContextVar("the searches that this code runs inside of", default=0)


class Threads:
    """At most ``limit`` threads for every leg, made when they are needed.

    A thread cannot be stopped from outside. A call that was given up keeps its thread until it returns, and counts
    towards the limit. Once all threads of a leg are held like this, the leg is refused at once, and asked again when
    one of them returns. Every leg has threads of its own, so that one that hangs does not take those of the others.

    The threads are daemons: they do not keep the process from ending. A search inside a leg has threads of its own,
    too, so that it never waits for the one that it runs in.

    >>> threads = Threads(limit=4)
    >>> threads.submit("dense", lambda: 6 * 7).future.result()
    42
    >>> threads.stuck
    {}
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = whole_number("the limit of threads", limit, least=1)
        self._crews: dict[tuple[int, str], _Crew] = {}
        self._lock = threading.Lock()
        self._process = os.getpid()

    def submit(self, leg: str, call: Callable[[], Any]) -> Job:
        """Call something in a thread of this leg; raises :class:`AllStuck` when none will come free."""
        level = _level.get()
        context = contextvars.copy_context()
        context.run(_level.set, level + 1)
        job = Job(self._crew(level, leg), lambda: context.run(call))
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
        return Threads, (self.limit,)  # a copy has threads of its own

    def _crew(self, level: int, leg: str) -> _Crew:
        with self._lock:
            if self._process != os.getpid():  # threads do not survive a fork
                self._crews, self._process = {}, os.getpid()
            return self._crews.setdefault((level, leg), _Crew(leg, self.limit))


class AllStuck(Exception):
    """All threads of a leg are held by calls that have not returned."""


class Job:
    """A call on its way; ``future`` has its result."""

    __slots__ = ("call", "crew", "future", "given_up")

    def __init__(self, crew: _Crew, call: Callable[[], Any]) -> None:
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


class _Crew:
    """The threads of one leg and the jobs that wait for one."""

    def __init__(self, leg: str, limit: int) -> None:
        self.leg, self.limit = leg, limit
        self.threads = self.idle = self.stuck = 0
        self.jobs: collections.deque[Job] = collections.deque()
        self.changed = threading.Condition()

    def take(self, job: Job) -> None:
        with self.changed:
            if self.stuck >= self.limit:
                raise AllStuck
            self.jobs.append(job)
            if len(self.jobs) <= self.idle or self.threads >= self.limit:
                self.changed.notify()
            else:
                self._start()

    def abandon(self, job: Job) -> None:
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

    def _next(self) -> Job | None:
        """The next job; None when there has been none for a while."""
        with self.changed:
            self.idle += 1
            self.changed.wait_for(lambda: self.jobs, IDLE_SECONDS)
            self.idle -= 1
            if self.jobs:
                return self.jobs.popleft()
            self.threads -= 1
            return None
