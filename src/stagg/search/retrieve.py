"""Search several legs at the same time: each has a timeout, and one that fails does not fail the others."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import math
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from typing import Any, Final, Literal, NamedTuple, Unpack, get_args

from stagg.aggregate import DEFAULT_METHOD
from stagg.errors import InvalidParameter, LegFailed, StaggError, shown, spelled
from stagg.methods import Method
from stagg.registry import whole_number
from stagg.search.documents import DocumentFusion, DocumentOptions, FusedDocuments, Leg, name_legs
from stagg.search.fields import check_names, check_words, of_leg, values_of
from stagg.threads import LIMIT, AllStuck, LegCall, LegThreads

__all__ = ["Ask", "Legs", "OnError", "Threads", "Timeout", "asearch", "search"]

Ask = Callable[[Any], Any]
"""A leg: it takes the query and returns its documents, best first, or an awaitable of them."""

OnError = Literal["raise", "skip"]
"""Action when a leg fails: raise an error that names it, or go on without it and say so."""

Timeout = float | Mapping[str, float] | None
"""Seconds that a leg may take, for all legs or by leg; None means no limit."""


class Threads(LegThreads):
    """At most ``limit`` threads for every leg of a search, made when they are needed.

    A call that was given up keeps its thread until it returns, and counts towards the limit. Once all threads of a leg
    are held like this, the leg is refused at once.

    >>> Threads(limit=4).stuck
    {}
    """

    def __init__(self, limit: int = LIMIT) -> None:
        super().__init__(whole_number("the limit of threads", limit, least=1))


SHARED: Final = Threads()
CANCELLED: Final = "it was cancelled"
FOREVER: Final = 1e9  # seconds; the operating system cannot wait much longer
GRACE: Final = 0.02  # seconds that cancelled legs have to clean up before the call returns


def search(
    query: Any,
    legs: Mapping[str, Ask] | Sequence[Ask],
    method: str | Method = DEFAULT_METHOD,
    *,
    timeout: Timeout = None,
    on_error: OnError = "raise",
    concurrent: bool = True,
    threads: Threads | None = None,
    **options: Unpack[DocumentOptions],
) -> FusedDocuments[Any]:
    """Ask all legs at the same time, and fuse the documents that they find.

    ``legs`` are functions of the query that return documents, best first: ``{"bm25": search_text, "dense": ...}``. A
    leg that finds nothing returns an empty list; None means that it failed.

    - ``timeout``: how many seconds a leg may take; one number, or ``{leg: seconds}``. The call returns when the last
      leg has answered or run out of time.
    - ``on_error``: what happens when a leg raises, is too slow, or returns documents without an id or with a score that
      is no number. "raise" raises a :class:`stagg.LegFailed` that names the leg. "skip" fuses the others, and
      ``result.skipped`` says which legs are missing and why. If no leg is left, that is an error in both cases.
    - ``threads``: :class:`Threads` of your own. A leg that never returns keeps its thread, and at most 32 threads of a
      leg can be held like this; then it is skipped at once until one returns.
    - ``concurrent=False``: ask the legs one after the other, in your own thread. Then there can be no timeout.

    ``options`` are those of :func:`stagg.search.documents.fuse_documents`; how to read a document, first of all.

    >>> def bm25(query):
    ...     return [{"id": "d1"}, {"id": "d2"}]
    >>> def dense(query):
    ...     raise ConnectionError("no route to host")
    >>> found = search("tea", {"bm25": bm25, "dense": dense}, timeout=0.5, on_error="skip")
    >>> [each.id for each in found], found.skipped
    (['d1', 'd2'], {'dense': 'ConnectionError: no route to host'})
    """
    fusion = DocumentFusion(method, **options)
    return Legs(name_legs(legs, "legs"), fusion, timeout, on_error, concurrent, threads or SHARED).search(query)


async def asearch(
    query: Any,
    legs: Mapping[str, Ask] | Sequence[Ask],
    method: str | Method = DEFAULT_METHOD,
    *,
    timeout: Timeout = None,
    on_error: OnError = "raise",
    threads: Threads | None = None,
    **options: Unpack[DocumentOptions],
) -> FusedDocuments[Any]:
    """:func:`search` for asyncio. A leg that is an ``async def`` runs as a task, any other in a thread.

    An async leg that runs out of time is cancelled.

    >>> async def bm25(query):
    ...     return [{"id": "d1"}, {"id": "d2"}]
    >>> async def dense(query):
    ...     await asyncio.sleep(60)
    >>> found = asyncio.run(asearch("tea", {"bm25": bm25, "dense": dense}, timeout=0.1, on_error="skip"))
    >>> [each.id for each in found], found.skipped
    (['d1', 'd2'], {'dense': 'it did not answer within 0.1 s'})
    """
    fusion = DocumentFusion(method, **options)
    return await Legs(name_legs(legs, "legs"), fusion, timeout, on_error, True, threads or SHARED).asearch(query)


@dataclasses.dataclass(frozen=True)
class Legs:
    """Legs and how to fuse them, checked once, for services that search many times; see :func:`search`.

    >>> legs = Legs({"titles": lambda query: ["d1", "d2"], "texts": lambda query: ["d2"]}, timeout=0.5)
    >>> [each.id for each in legs.search("tea")]
    ['d2', 'd1']
    """

    legs: Mapping[str, Ask]
    fusion: DocumentFusion = dataclasses.field(default_factory=DocumentFusion)
    timeout: Timeout = None
    on_error: OnError = "raise"
    concurrent: bool = True
    threads: Threads = SHARED

    def __post_init__(self) -> None:
        """Refuse what is wrong before the first query."""
        check_words("on_error", [self.on_error], get_args(OnError))
        check_names("timeout", self.timeout, tuple(self.legs))
        for seconds in values_of(self.timeout):
            if (
                not isinstance(seconds, int | float)
                or isinstance(seconds, bool)
                or not 0 < seconds <= sys.float_info.max
            ):
                raise InvalidParameter(f"timeout is a number of seconds above 0, not {shown(seconds)}")
        if self.timeout is not None and not self.concurrent:
            raise InvalidParameter(
                "a leg that is called in your own thread cannot have a timeout: leave concurrent=True"
            )
        for name, leg in self.legs.items():
            if not callable(leg):
                raise InvalidParameter(f"leg {shown(name)} is no function of the query, but {shown(leg)}")
        self.fusion.check(self.legs)

    def search(self, query: Any) -> FusedDocuments[Any]:
        """Ask every leg, fuse what they find."""
        started = time.perf_counter()
        if not self.concurrent:
            return self._fuse(self._ask_in_turn(query))
        answers: dict[str, Answer] = {}
        jobs: dict[str, LegCall] = {}
        try:
            for name, leg in self.legs.items():
                try:
                    jobs[name] = self.threads.submit(name, functools.partial(self._answer, name, leg, query, started))
                except (AllStuck, RuntimeError) as error:
                    self._note(answers, name, Answer(None, self._failure(name, error), 0.0))
            self._collect(jobs, answers, started)
        finally:
            for name in jobs.keys() - answers.keys():
                jobs[name].give_up()
        return self._fuse(answers)

    async def asearch(self, query: Any) -> FusedDocuments[Any]:
        """Ask every leg, fuse what they find; async legs that are too slow are cancelled."""
        started = time.perf_counter()
        tasks = {
            name: asyncio.create_task(self._aanswer(name, leg, query, started), name=f"stagg leg {name}")
            for name, leg in self.legs.items()
        }
        answers: dict[str, Answer] = {}
        try:
            await self._acollect(tasks, answers, started)
        finally:
            await _cancel([task for task in tasks.values() if not task.done()])
        return self._fuse(answers)

    # --- one leg ------------------------------------------------------------------------------------------------

    def _answer(self, name: str, ask: Ask, query: Any, started: float) -> Answer:
        """The documents of a leg, read, or its error; in a thread of its own, or in the caller's."""
        try:
            found = ask(query)
            if inspect.isawaitable(found):
                _close(found)
                raise LegFailed(name, "it is async: use asearch")
            leg, error = self._read(name, found), None
        except (Exception, asyncio.CancelledError) as cause:  # of the leg's own: nobody can cancel a thread
            leg, error = None, self._failure(name, cause)
        return Answer(leg, error, time.perf_counter() - started)

    async def _aanswer(self, name: str, ask: Ask, query: Any, started: float) -> Answer:
        """The same as a task. What ends a program is carried to the caller: raised here, it would end the loop."""
        leg, error, end = None, None, None
        try:
            if _is_async(ask):
                found = await ask(query)
            else:
                found, raised = await self._ask_in_thread(name, ask, query)
                if raised is not None:
                    raise raised  # caught below: a StopIteration must not leave a coroutine
            leg = self._read(name, found)
        except Exception as cause:
            error = self._failure(name, cause)
        except asyncio.CancelledError:
            raise
        except BaseException as cause:
            end = cause
        return Answer(leg, error, time.perf_counter() - started, end)

    async def _ask_in_thread(self, name: str, ask: Ask, query: Any) -> tuple[Any, BaseException | None]:
        """Results of a leg that is not a coroutine, or its error; a function may still return something to await."""
        job = self.threads.submit(name, functools.partial(_list, ask, query))
        try:
            found, raised = await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            job.give_up()
            raise
        return await found if inspect.isawaitable(found) else found, raised

    def _ask_in_turn(self, query: Any) -> dict[str, Answer]:
        answers: dict[str, Answer] = {}
        for name, leg in self.legs.items():
            answer = self._answer(name, leg, query, time.perf_counter())
            self._note(answers, name, answer)
        return answers

    def _read(self, name: str, found: Any) -> Leg:
        if found is None:
            raise LegFailed(name, "it returned None; a leg that finds nothing returns an empty list")
        return self.fusion.read(name, found)

    # --- all of them --------------------------------------------------------------------------------------------

    def _collect(self, jobs: dict[str, LegCall], answers: dict[str, Answer], started: float) -> None:
        """Wait until every leg has answered or has run out of time."""
        names = {job.future: name for name, job in jobs.items()}
        while waiting := [future for future, name in names.items() if name not in answers]:
            done, _ = wait(waiting, self._time_left([names[future] for future in waiting], started), FIRST_COMPLETED)
            for future in done:
                self._note(answers, names[future], future.result())
            for future in waiting:
                name = names[future]
                if name not in answers and self._is_late(name, started):
                    late = self._late(name, started, began=future.running())
                    jobs[name].give_up()
                    self._note(answers, name, late)

    async def _acollect(
        self, tasks: dict[str, asyncio.Task[Answer]], answers: dict[str, Answer], started: float
    ) -> None:
        names = {task: name for name, task in tasks.items()}
        while waiting := [task for task, name in names.items() if name not in answers]:
            left = self._time_left([names[task] for task in waiting], started)
            await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if any(self._is_late(names[task], started) for task in waiting if not task.done()):
                await _take_in()
            for task in filter(asyncio.Task.done, waiting):
                self._note(answers, names[task], _result_of(names[task], task, started))
            for task in waiting:
                name = names[task]
                if name not in answers and self._is_late(name, started):
                    task.cancel()
                    self._note(answers, name, self._late(name, started))

    def _note(self, answers: dict[str, Answer], name: str, answer: Answer) -> None:
        """Keep an answer; an error is raised unless legs that fail are skipped."""
        if answer.end is not None:
            raise answer.end
        answers[name] = answer
        if answer.error is not None and self.on_error == "raise":
            raise answer.error

    def _fuse(self, answers: Mapping[str, Answer]) -> FusedDocuments[Any]:
        in_order = {name: answers[name] for name in self.legs}
        errors = {name: answer.error for name, answer in in_order.items() if answer.error is not None}
        if len(errors) == len(in_order):
            said = "; ".join(str(error) for error in errors.values())
            raise LegFailed(None, f"no leg answered: {said}", errors)
        fused = self.fusion.fuse_legs({name: answer.leg for name, answer in in_order.items()})
        return dataclasses.replace(
            fused,
            skipped={name: error.reason for name, error in errors.items()},
            seconds={name: answer.seconds for name, answer in in_order.items()},
            errors=errors,
        )

    # --- time ---------------------------------------------------------------------------------------------------

    def _deadline(self, name: str, started: float) -> float:
        seconds = of_leg(self.timeout, name)
        return math.inf if seconds is None or seconds > FOREVER else started + seconds

    def _time_left(self, names: Sequence[str], started: float) -> float | None:
        """Seconds until the first of these legs runs out of time; None where none does."""
        first = min(self._deadline(name, started) for name in names)
        return None if first == math.inf else max(0.0, first - time.perf_counter())

    def _is_late(self, name: str, started: float) -> bool:
        return time.perf_counter() >= self._deadline(name, started)

    def _late(self, name: str, started: float, *, began: bool = True) -> Answer:
        what = "it did not answer" if began else "no thread was free"
        held = self.threads.stuck.get(name, 0)
        more = f"; {held} of its {self.threads.limit} threads are held by earlier calls" if held else ""
        error = LegFailed(name, f"{what} within {of_leg(self.timeout, name):g} s{more}")
        return Answer(None, error, time.perf_counter() - started)

    def _failure(self, name: str, cause: BaseException) -> LegFailed:
        """The error of a leg that raised, or that was not asked."""
        if isinstance(cause, LegFailed):
            return cause
        if isinstance(cause, AllStuck):
            held = f"all {self.threads.limit} threads of this leg are held by earlier calls that have not returned"
            return LegFailed(name, f"it was not asked: {held}")
        if isinstance(cause, asyncio.CancelledError):
            return LegFailed(name, CANCELLED)
        said = spelled(cause)
        if isinstance(cause, StaggError):  # about its documents: the message may name the leg itself
            why = said.removeprefix(f"leg {shown(name)}").removeprefix(",").removeprefix(":").strip()
        else:
            why = f"{type(cause).__name__}: {said}" if said else type(cause).__name__
        failure = LegFailed(name, why)
        failure.__cause__ = cause
        return failure


class Answer(NamedTuple):
    """Answer of a leg, or why there was none, and how long that took; ``end`` is what it raised to end the program."""

    leg: Leg | None
    error: LegFailed | None
    seconds: float
    end: BaseException | None = None


def _is_async(ask: Ask) -> bool:
    """Whether a leg is an ``async def``, or an object or a partial call of one."""
    plain = ask.func if isinstance(ask, functools.partial) else ask
    return inspect.iscoroutinefunction(plain) or inspect.iscoroutinefunction(type(plain).__call__)


def _list(ask: Ask, query: Any) -> tuple[Any, BaseException | None]:
    """The results of a leg as a list: whatever it still has to fetch is fetched here. Or what it raises.

    That is a value, not raised: a future of asyncio refuses a StopIteration, and whoever awaits it would wait for ever.
    """
    try:
        found = ask(query)
        as_it_is = found is None or inspect.isawaitable(found) or isinstance(found, Mapping | str | bytes)
        return found if as_it_is else list(found), None
    except BaseException as error:
        return None, error


def _close(found: Awaitable[Any]) -> None:
    if inspect.iscoroutine(found):
        found.close()


# --- tasks that are late ----------------------------------------------------------------------------------------------

_ending: Final[set[asyncio.Task[Any]]] = set()  # asyncio itself keeps no task alive


async def _cancel(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and give them a moment to clean up; one that does not stop is left to itself."""
    if not tasks:
        return
    for task in tasks:
        _ending.add(task)
        task.add_done_callback(_forget)
        task.cancel()
    await asyncio.wait(tasks, timeout=GRACE)


def _forget(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that asyncio does not complain that nobody did


async def _take_in() -> None:
    """Let answers arrive that are there already: on a busy loop they may stand in line behind the end of their time."""
    for _ in range(3):  # from a thread to its future, from that to the task, from the task to its result
        await asyncio.sleep(0)


def _result_of(name: str, task: asyncio.Task[Answer], started: float) -> Answer:
    if task.cancelled():
        return Answer(None, LegFailed(name, CANCELLED), time.perf_counter() - started)
    return task.result()
