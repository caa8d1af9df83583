"""Processes that share the work: jobs out, answers in, and nothing left running at the end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from stagg.errors import StaggError
from stagg.paper.jobs import Answer, Job
from stagg_start import serve

__all__ = ["Processes"]

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Each process is one thread: on the small systems of these methods, threads of BLAS cost more than they bring."""


class Processes:
    """Some processes, started when there is work and ended with the ``with`` block, whatever happens in it.

    ``count`` 0 works in this process. Which process computes a job does not change its answer.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.children: dict[Connection, Any] = {}
        self._last: dict[Connection, tuple[str, ...]] = {}

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self.children.values():
            child.terminate()
        for connection, child in self.children.items():
            child.join()
            connection.close()
        self.children.clear()

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Answer]]:
        """Yield every job with its answer, in the order in which they finish; raise the first failure."""
        if self.count == 0:
            yield from ((job, job.answer()) for job in jobs)
            return
        self._start(min(self.count, len(jobs)))
        queue, busy = _Queue(jobs), dict[Connection, Job]()
        for connection in self.children:
            self._send_next(queue, connection, busy)
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                job = busy.pop(ready)
                answer = _receive(ready, job)
                self._send_next(queue, ready, busy)
                yield job, answer

    def _send_next(self, queue: _Queue, connection: Connection, busy: dict[Connection, Job]) -> None:
        job = queue.pop(self._last.get(connection), {each.group for each in busy.values()})
        if job is not None:
            with contextlib.suppress(OSError):  # a process that has died is noticed where its answer is expected
                connection.send(job)
            busy[connection], self._last[connection] = job, job.group

    def _start(self, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        with _prepare_children():
            while len(self.children) < count:
                mine, theirs = multiprocessing.Pipe()
                child = context.Process(target=serve, args=(__name__, "_serve", theirs), daemon=True)
                child.start()
                theirs.close()  # or the end of the process would go unnoticed
                self.children[mine] = child


class _Queue:
    """Jobs that are waiting. A process stays with the group it has begun; a free one takes the largest group that no
    other is working on. Within a group the long jobs come first."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.groups: dict[tuple[str, ...], list[Job]] = {}
        for job in sorted(jobs, key=lambda job: job.weight):
            self.groups.setdefault(job.group, []).append(job)

    def pop(self, last: tuple[str, ...] | None, taken: set[tuple[str, ...]]) -> Job | None:
        if not self.groups:
            return None
        if last not in self.groups:
            last = max(self.groups, key=lambda g: (g not in taken, sum(job.weight for job in self.groups[g])))
        job = self.groups[last].pop()
        if not self.groups[last]:
            del self.groups[last]
        return job


@contextlib.contextmanager
def _prepare_children() -> Iterator[None]:
    """Set what children inherit: one thread for BLAS, and Ctrl-C left to the parent from their first moment on."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        for name, value in before.items():
            del os.environ[name]
            os.environ.update({} if value is None else {name: value})


def _serve(connection: Connection) -> None:
    """Answer jobs until the parent goes."""
    while True:
        try:
            job: Job = connection.recv()
        except EOFError:
            return
        with contextlib.suppress(BrokenPipeError):
            connection.send(_try(job))


def _try(job: Job) -> Answer | Exception:
    """Return the answer, or what went wrong."""
    try:
        return job.answer()
    except StaggError as error:
        return StaggError(f"{job.name}: {error}")
    except Exception:
        return RuntimeError(f"{job.name}:\n{traceback.format_exc()}")


def _receive(connection: Connection, job: Job) -> Answer:
    try:
        reply: Answer | Exception = connection.recv()
    except (EOFError, OSError):
        died = f"a process ended without an answer ({job.name}); perhaps it ran out of memory"
        raise StaggError(died) from None
    if isinstance(reply, Exception):
        raise reply
    return reply
