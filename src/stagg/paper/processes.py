"""Worker processes: tasks out, answers in, and an end that leaves nothing running."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, NamedTuple

from stagg.errors import StaggError
from stagg.paper.jobs import Answer, Task

__all__ = ["Workers"]

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Each worker is one thread: on the small systems of these methods, threads of BLAS cost more than they bring."""


class _Worker(NamedTuple):
    process: Any
    connection: Connection


class Workers:
    """Some processes, started when there is work, ended at the end of the ``with`` block, whatever happened in it.

    ``count`` 0 works here, without processes. Which process computes a task changes nothing in its answer.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._workers: list[_Worker] = []
        self._last: dict[Connection, tuple[str, ...]] = {}

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        self._workers.clear()

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Answer]]:
        """Every task with its answer, as they come; the first failure is raised."""
        if self.count == 0:
            yield from ((task, task.answer()) for task in tasks)
            return
        self._start(min(self.count, len(tasks)))
        waiting, busy = _Waiting(tasks), dict[Connection, Task]()
        for worker in self._workers:
            self._hand_out(waiting, worker.connection, busy)
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                task = busy.pop(ready)
                answer = _received(ready, task)
                self._hand_out(waiting, ready, busy)
                yield task, answer

    def _hand_out(self, waiting: _Waiting, connection: Connection, busy: dict[Connection, Task]) -> None:
        task = waiting.next(self._last.get(connection), {each.group for each in busy.values()})
        if task is not None:
            try:
                connection.send(task)
            except OSError:
                raise _gone(task) from None
            busy[connection], self._last[connection] = task, task.group

    def _start(self, count: int) -> None:
        with _for_children():
            while len(self._workers) < count:
                mine, theirs = multiprocessing.Pipe()
                context = multiprocessing.get_context("spawn")
                process = context.Process(target=_serve, args=(theirs,), daemon=True)
                process.start()
                theirs.close()  # or the end of the process would not be seen
                self._workers.append(_Worker(process, mine))


class _Waiting:
    """Tasks not yet handed out. A worker stays with the group it has begun; a free one takes up the largest that no
    other is at. Within a group the long ones come first."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.groups: dict[tuple[str, ...], list[Task]] = {}
        for task in sorted(tasks, key=lambda task: task.weight):
            self.groups.setdefault(task.group, []).append(task)

    def next(self, last: tuple[str, ...] | None, taken: set[tuple[str, ...]]) -> Task | None:
        if not self.groups:
            return None
        if last not in self.groups:
            last = max(self.groups, key=lambda g: (g not in taken, sum(task.weight for task in self.groups[g])))
        found = self.groups[last].pop()
        if not self.groups[last]:
            del self.groups[last]
        return found


@contextlib.contextmanager
def _for_children() -> Iterator[None]:
    """What children inherit: one thread for BLAS, and Ctrl-C left to the parent, from their first moment on."""
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
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(connection: Connection) -> None:
    """The life of a worker: tasks are answered until the parent goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        with contextlib.suppress(BrokenPipeError):
            connection.send(_answered(task))


def _answered(task: Task) -> tuple[Answer | None, str, bool]:
    """(the answer, or what went wrong, and whether stagg itself said so)."""
    try:
        return task.answer(), "", True
    except StaggError as error:
        return None, str(error), True
    except Exception:
        return None, traceback.format_exc(), False


def _received(connection: Connection, task: Task) -> Answer:
    try:
        answer, said, known = connection.recv()
    except (EOFError, OSError):
        raise _gone(task) from None
    if answer is None:
        raise StaggError(f"{task.name}: {said}") if known else RuntimeError(f"{task.name}:\n{said}")
    found: Answer = answer
    return found


def _gone(task: Task) -> StaggError:
    return StaggError(f"a worker ended without an answer ({task.name}); was there too little memory?")
