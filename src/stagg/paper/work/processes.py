"""Processes that share the work: jobs out, answers in, and none left running at the end or after Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, Pipe, wait

from stagg.errors import StaggError
from stagg.paper.work.jobs import Answer, Job

__all__ = ["Processes", "serve"]

SERVE = f"import stagg_start; stagg_start.serve({__name__!r}, 'serve')"
"""Code of a process. Those of multiprocessing print a traceback for whatever the system refuses them."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Each process is one thread: on the small systems of these methods, threads of BLAS cost more than they bring."""


class Processes:
    """Some processes, started when there is work and ended with the ``with`` block, whatever happens in it.

    ``count`` 0 works in this process. Which process computes a job does not change its answer. On Windows, where a
    program cannot be handed an open connection, all the work is done in this process.
    """

    def __init__(self, count: int) -> None:
        self.count = count if os.name == "posix" else 0
        self.children: dict[Connection, subprocess.Popen[bytes]] = {}
        self._last: dict[Connection, tuple[str, ...]] = {}

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self.children.values():
            child.terminate()
        for connection, child in self.children.items():
            child.wait()
            for end in (connection, child.stdin):
                with contextlib.suppress(OSError):  # nothing is lost that was not lost before
                    end.close()  # type: ignore[union-attr]
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
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.send(job)  # a process that has died is noticed where its answer is expected
            busy[connection], self._last[connection] = job, job.group

    def _start(self, count: int) -> None:
        while len(self.children) < count:
            mine, theirs = Pipe()
            with theirs:  # closed here, or the end of the process would go unnoticed
                self.children[mine] = _start_process(theirs.fileno())


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


def _start_process(connection: int) -> subprocess.Popen[bytes]:
    """A process that answers at this file descriptor, and ends when its standard input does: with this process.

    It loads what this process would load (-P: nothing of the working directory), and says nothing but its answers. A
    Ctrl-C that meets it while it starts is the parent's to tell.
    """
    paths = os.pathsep.join(filter(None, sys.path))
    settings = os.environ | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONPATH": paths}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", SERVE, str(connection)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[connection],
        env=settings,
    )


def serve(descriptor: str) -> None:
    """Answer jobs until the parent goes."""
    connection = Connection(int(descriptor))
    while True:
        try:
            job: Job = connection.recv()
        except EOFError:
            return
        try:
            connection.send(_try(job))
        except OSError:  # the parent is gone, or notices that we are
            return


def _try(job: Job) -> Answer | Exception:
    """Return the answer, or what went wrong."""
    try:
        return job.answer()
    except (StaggError, ImportError) as error:
        return StaggError(f"{job.name}: {error}")
    except OSError as error:
        return StaggError(f"{job.name}: {error.strerror or error}")
    except (MemoryError, SystemError):  # parts of Python that expect no lack of memory end with the second
        return StaggError(f"{job.name}: there is not enough memory for this")
    except Exception:
        return RuntimeError(f"{job.name}:\n{traceback.format_exc()}")


def _receive(connection: Connection, job: Job) -> Answer:
    try:
        reply: Answer | Exception = connection.recv()
    except (EOFError, OSError):
        died = f"a process ended without an answer ({job.name}): it could not start, or ran out of memory"
        raise StaggError(died) from None
    if isinstance(reply, Exception):
        raise reply
    return reply
