"""Legs of a search that raise, return or wait as no leg should: an end soon, and the same from every kind of search."""

from __future__ import annotations

import asyncio
import concurrent.futures
import random
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

from attack.verdict import Attack, alarm
from stagg import LegFailed, StaggError
from stagg.search.retrieve import OnError, Threads, asearch, search

SECONDS = 10
FEWEST = 50
GOOD = [{"id": "a"}, {"id": "b"}]
TIMEOUT = 0.2


class Unprintable(Exception):
    """Its text cannot be made."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Refusing:
    """Raises a StopIteration for all that is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise StopIteration(name)


RAISED: list[Callable[[], BaseException]] = [
    StopIteration, StopAsyncIteration, lambda: StopIteration(GOOD), Unprintable, asyncio.CancelledError,
    concurrent.futures.CancelledError, TimeoutError, RecursionError, MemoryError, lambda: LegFailed("x", "nested"),
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), lambda: ExceptionGroup("several", [ValueError("x")]),
    lambda: OSError(5, "gone", "\udcff"), lambda: ValueError("x" * 100_000), lambda: ConnectionError("refused"),
]  # fmt: skip
ENDS: list[Callable[[], BaseException]] = [lambda: SystemExit(3), KeyboardInterrupt, GeneratorExit]
RETURNED: list[Callable[[], Any]] = [
    lambda: None, list, dict, lambda: 7, lambda: "ab", lambda: b"ab", lambda: iter(GOOD), lambda: [None], object,
    lambda: [{"id": None}], lambda: [{}], lambda: [[]], lambda: [GOOD], lambda: {"id": "a"}, lambda: GOOD,
    lambda: (each for each in [*GOOD, 3]), Refusing, lambda: [Refusing()], lambda: map(_stop, GOOD),
    lambda: _stopping(),
]  # fmt: skip


def _stop(document: Any) -> Any:
    raise StopIteration


def _stopping() -> Any:
    yield GOOD[0]
    raise StopIteration  # a generator makes it a RuntimeError


def attack(seed: int, seconds: float) -> Attack:
    warnings.simplefilter("ignore")
    found, rng = Attack("legs", "searches with hostile legs", seconds, FEWEST), random.Random(f"legs {seed}")
    while found.has_time():
        legs = {f"leg{k}": choose_leg(rng) for k in range(rng.choice((1, 1, 2, 3)))} | {"good": ("returns", GOOD.copy)}
        on_error: OnError = rng.choice(("raise", "skip", "skip"))
        for problem in try_legs(legs, on_error):
            found.report(problem)
        found.count()
    return found


Behaviour = tuple[str, Callable[[], Any]]
"""What a leg does, and with what: it "raises", "returns", or "waits" before it returns."""


def choose_leg(rng: random.Random) -> Behaviour:
    kind = rng.choices(("raises", "returns", "ends", "waits"), (6, 6, 1, 1))[0]
    if kind == "waits":
        return kind, GOOD.copy
    if kind == "returns":
        return kind, rng.choice(RETURNED)
    return "raises", rng.choice(RAISED if kind == "raises" else ENDS)


def try_legs(legs: dict[str, Behaviour], on_error: OnError) -> list[str]:
    """What is wrong with how the searches by these legs end."""
    ended: dict[str, str] = {}
    for way in ("search", "threads", "tasks"):
        free = threading.Event()
        try:
            with alarm(SECONDS):
                made = {name: _leg(way, *each, free) for name, each in legs.items()}
                waits = any(kind == "waits" for kind, _ in legs.values())
                ended[way] = _end(way, made, {"on_error": on_error, "timeout": TIMEOUT if waits else None})
        except BaseException as error:
            return [f"{way} of {_tell(legs)}, on_error={on_error}: {type(error).__name__}: {error}"[:400]]
        finally:
            free.set()
    if on_error == "skip" and ended["search"] != ended["threads"]:  # "raise": the first that fails may be another
        return [f"{_tell(legs)}: search ends in {ended['search'][:150]}, asearch in {ended['threads'][:150]}"]
    return []


def _leg(way: str, kind: str, make: Callable[[], Any], free: threading.Event) -> Callable[[Any], Any]:
    def plain(query: Any) -> Any:
        if kind == "waits":
            free.wait(SECONDS)
        made = make()
        if kind == "raises":
            raise made
        return made

    async def task(query: Any) -> Any:
        if kind == "waits":
            await asyncio.sleep(SECONDS)
        made = make()
        if kind == "raises":
            raise made
        return made

    return task if way == "tasks" else plain


def _end(way: str, legs: dict[str, Any], options: dict[str, Any]) -> str:
    """What came of a search: the documents and who was skipped, or the error; anything else is raised."""
    began, options = time.monotonic(), {**options, "threads": Threads()}
    try:
        done = search("tea", legs, **options) if way == "search" else asyncio.run(_asearch(legs, options))
        end = f"{[each.id for each in done]} {sorted(done.skipped)}"
    except StaggError as error:
        end = f"{type(error).__name__}: {error}"
    except (SystemExit, KeyboardInterrupt, GeneratorExit):
        end = "the end of the program"
    if time.monotonic() - began > SECONDS / 2:
        raise TimeoutError(f"it took {time.monotonic() - began:.1f} s")
    return end


async def _asearch(legs: dict[str, Any], options: dict[str, Any]) -> Any:
    """What is to end the program must come to the one who awaits, and not through the loop."""
    try:
        return await asearch("tea", legs, **options)
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
        reached = error
    return await _raise(reached)


async def _raise(error: BaseException) -> Any:
    raise error


def _tell(legs: dict[str, Behaviour]) -> str:
    return ", ".join(f"{name} {kind} {getattr(make, '__name__', make)}" for name, (kind, make) in legs.items())
