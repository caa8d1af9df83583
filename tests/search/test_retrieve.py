"""Legs that fail: each fault sync, async, and as a plain function under asyncio. No test looks at a clock."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import gc
import multiprocessing
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from stagg import DataError, DataWarning, InvalidParameter, LegFailed, UnknownName
from stagg.search import retrieve as module
from stagg.search.documents import FusedDocuments
from stagg.search.retrieve import Legs, OnError, Threads, asearch, search

Ask = Callable[[Any], Any]
GOOD = [{"id": "a", "n": 3.0}, {"id": "b", "n": 2.0}]


def sync_leg(fault: Callable[[], Any]) -> Ask:
    return lambda query: fault()


def async_leg(fault: Callable[[], Any]) -> Ask:
    async def leg(query: Any) -> Any:
        await asyncio.sleep(0)
        return fault()

    return leg


class Way:
    """How a search is made: which function, and which kind of legs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.free = threading.Event()
        self.cancelled: list[str] = []

    def __repr__(self) -> str:
        return self.name

    def leg(self, answer: Callable[[], Any]) -> Ask:
        return async_leg(answer) if self.name == "async" else sync_leg(answer)

    def hanging(self) -> Ask:
        async def leg(query: Any) -> Any:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.append("leg")
                raise

        def blocking(query: Any) -> Any:
            self.free.wait(60)
            return GOOD

        return leg if self.name == "async" else blocking

    def search(self, legs: Any, **options: Any) -> FusedDocuments[Any]:
        if self.name == "sync":
            return search("tea", legs, **options)
        return asyncio.run(asearch("tea", legs, **options))


@pytest.fixture(params=["sync", "async", "threads under asyncio"])
def way(request: pytest.FixtureRequest) -> Iterator[Way]:
    made = Way(request.param)
    yield made
    made.free.set()


def raising() -> Any:
    raise ConnectionError("refused")


def ids(found: FusedDocuments[Any]) -> list[Any]:
    return [each.id for each in found]


# --- faults -----------------------------------------------------------------------------------------------------------


def test_legs_that_answer_are_fused(way: Way) -> None:
    found = way.search({"bm25": way.leg(lambda: GOOD), "dense": way.leg(lambda: GOOD[1:])}, timeout=30)
    assert ids(found) == ["b", "a"]
    assert found.skipped == {}
    assert found.seconds.keys() == {"bm25", "dense"}
    assert found.answered == ("bm25", "dense")


def test_a_leg_that_raises(way: Way) -> None:
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(raising)}
    with pytest.raises(LegFailed, match="leg 'dense': ConnectionError: refused") as error:
        way.search(legs)
    assert error.value.leg == "dense"
    assert isinstance(error.value.__cause__, ConnectionError)
    found = way.search(legs, on_error="skip", weights={"dense": 3})
    assert ids(found) == ["a", "b"]
    assert found.skipped == {"dense": "ConnectionError: refused"}
    assert found.answered == ("bm25",)
    assert isinstance(found.errors["dense"].__cause__, ConnectionError)
    assert found[0].relevance == 1.0


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StopIteration(3), "StopIteration"),  # asearch waited for ever
        (StopAsyncIteration(), "StopAsyncIteration"),
        (Unprintable(), "Unprintable: <Unprintable that cannot be printed>"),
        (asyncio.CancelledError(), "it was cancelled"),
        (concurrent.futures.CancelledError(), "CancelledError"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_whatever_a_leg_raises_every_search_says_the_same(way: Way, error: BaseException, said: str) -> None:
    def fault() -> Any:
        raise error

    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(fault)}
    with pytest.raises(LegFailed, match=said):
        way.search(legs, timeout=30)
    found = way.search(legs, on_error="skip", timeout=30)
    assert ids(found) == ["a", "b"]
    assert said in found.skipped["dense"]


@pytest.mark.parametrize("end", [SystemExit(4), KeyboardInterrupt(), GeneratorExit()])
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_what_is_to_end_the_program_reaches_the_caller(way: Way, end: BaseException, on_error: OnError) -> None:
    """Of asearch, too: raised in a task it would end the loop, whatever the caller catches."""

    def fault() -> Any:
        raise end

    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(fault)}

    async def scene() -> str:
        try:
            await asearch("x", legs, on_error=on_error)
        except BaseException as error:
            return type(error).__name__
        return "nothing"

    if way.name == "sync":
        with pytest.raises(type(end)):
            way.search(legs, on_error=on_error)
    else:
        assert asyncio.run(scene()) == type(end).__name__


def test_a_leg_that_is_too_slow(way: Way) -> None:
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.hanging()}
    found = way.search(legs, on_error="skip", timeout={"dense": 0.05})
    assert ids(found) == ["a", "b"]
    assert found.skipped["dense"].startswith("it did not answer within 0.05 s")
    assert found.seconds["dense"] >= 0.05
    with pytest.raises(LegFailed, match="leg 'dense': it did not answer"):
        way.search(legs, timeout={"dense": 0.05})
    if way.name == "async":
        assert way.cancelled == ["leg", "leg"]


def test_a_leg_that_finds_nothing_has_answered(way: Way) -> None:
    found = way.search({"bm25": way.leg(lambda: GOOD), "dense": way.leg(list)})
    assert ids(found) == ["a", "b"]
    assert found.answered == ("bm25", "dense")
    assert ids(way.search({"bm25": way.leg(list)})) == []


def test_a_leg_that_returns_none_has_failed(way: Way) -> None:
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(lambda: None)}
    with pytest.raises(LegFailed, match="returned None"):
        way.search(legs)
    assert "returned None" in way.search(legs, on_error="skip").skipped["dense"]


def test_a_leg_that_returns_duplicates(way: Way) -> None:
    twice = way.leg(lambda: [*GOOD, *GOOD])
    assert ids(way.search({"bm25": twice})) == ["a", "b"]
    with pytest.raises(LegFailed, match="appears twice"):
        way.search({"bm25": twice}, duplicates="error")
    found = way.search({"bm25": twice, "dense": way.leg(lambda: GOOD)}, duplicates="error", on_error="skip")
    assert list(found.skipped) == ["bm25"]


def test_a_leg_that_returns_distances(way: Way) -> None:
    far_first = [{"id": "far", "n": 0.9}, {"id": "near", "n": 0.1}]
    found = way.search({"dense": way.leg(lambda: far_first)}, score="n", direction={"dense": "distance"})
    assert [(each.id, each.scores) for each in found] == [("near", {"dense": 0.1}), ("far", {"dense": 0.9})]


def test_a_leg_with_ids_of_another_space(way: Way) -> None:
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(lambda: [{"id": 1}, {"id": 2}])}
    with pytest.warns(DataWarning, match="bm25 and dense share no item; their ids look like a and 1; .*identity="):
        assert way.search(legs).disjoint
    legs["sparse"] = way.leg(lambda: GOOD)
    with pytest.warns(
        DataWarning, match="^dense shares no item with any other list; its ids look like 1, the others' "
    ):
        assert way.search(legs).disjoint


def test_a_leg_with_documents_that_cannot_be_read(way: Way) -> None:
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.leg(lambda: [{"id": "a", "n": float("nan")}])}
    with pytest.raises(LegFailed, match=r"^leg 'dense': document 1: the score is nan") as error:
        way.search(legs, score="n")
    assert isinstance(error.value.__cause__, DataError)
    assert list(way.search(legs, score="n", on_error="skip").skipped) == ["dense"]


def test_if_no_leg_answers_that_is_an_error_and_no_empty_result(way: Way) -> None:
    legs = {"bm25": way.leg(raising), "dense": way.leg(lambda: None)}
    with pytest.raises(LegFailed, match="no leg answered: leg 'bm25': ConnectionError: refused; leg 'dense'") as error:
        way.search(legs, on_error="skip")
    assert error.value.leg is None
    assert error.value.errors.keys() == {"bm25", "dense"}


def test_an_error_is_raised_without_waiting_for_the_others(way: Way) -> None:
    with pytest.raises(LegFailed, match="refused"):
        way.search({"dense": way.hanging(), "bm25": way.leg(raising)})  # without a timeout: it would wait for ever


def test_legs_are_asked_at_the_same_time(way: Way) -> None:
    met = asyncio.Barrier(2) if way.name == "async" else threading.Barrier(2, timeout=60)

    async def meet(query: Any) -> Any:
        await met.wait()  # type: ignore[misc]
        return GOOD

    leg = meet if way.name == "async" else lambda query: (met.wait(), GOOD)[1]
    assert ids(way.search([leg, leg])) == ["a", "b"]


def test_what_a_leg_fetches_lazily_is_fetched_in_its_time(way: Way) -> None:
    def lazily() -> Any:
        yield from GOOD
        raising()

    assert ids(way.search({"lazy": way.leg(lambda: iter(GOOD))})) == ["a", "b"]
    with pytest.raises(LegFailed, match="refused"):
        way.search({"lazy": way.leg(lazily)})


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sync", "threads under asyncio"])
def test_threads_of_a_leg_that_hangs_are_bounded_and_reported(name: str) -> None:
    way, threads = Way(name), Threads(limit=3)
    legs = {"bm25": way.leg(lambda: GOOD), "dense": way.hanging()}
    before = threading.active_count()
    try:
        for held in range(3):
            found = way.search(legs, on_error="skip", timeout={"dense": 0.5}, threads=threads)
            said = f"; {held} of its 3 threads are held by earlier calls" if held else ""
            assert found.skipped == {"dense": f"it did not answer within 0.5 s{said}"}
        assert threads.stuck == {"dense": 3}
        for _ in range(5):  # at once: without a timeout it would hang
            found = way.search(legs, on_error="skip", threads=threads)
            assert ids(found) == ["a", "b"]
            assert found.skipped == {
                "dense": "it was not asked: all 3 threads of this leg are held by earlier calls that have not returned"
            }
        assert threading.active_count() <= before + 3 + 3
    finally:
        way.free.set()
    while threads.stuck:
        pass
    assert ids(way.search(legs, timeout=30, threads=threads)) == ["a", "b"]  # it answers again, and is asked again


def test_a_leg_that_waits_for_a_thread_says_so() -> None:
    way, threads = Way("sync"), Threads(limit=1)
    begun = threading.Event()

    def slow(query: Any) -> Any:
        begun.set()
        way.free.wait(60)
        return GOOD

    other = threading.Thread(target=search, args=("x", {"dense": slow}), kwargs={"threads": threads})
    other.start()
    begun.wait(60)
    with pytest.raises(LegFailed, match=r"no thread was free within 0\.02 s"):
        search("x", {"dense": slow}, timeout=0.02, threads=threads)
    way.free.set()
    other.join()


def test_a_search_inside_a_leg_does_not_wait_for_its_own_thread() -> None:
    threads = Threads(limit=1)

    def outer(query: Any) -> Any:
        return [each.document for each in search(query, {"dense": lambda query: GOOD}, threads=threads)]

    assert ids(search("x", {"dense": outer}, threads=threads)) == ["a", "b"]


def test_context_variables_reach_the_legs() -> None:
    tenant: contextvars.ContextVar[str] = contextvars.ContextVar("tenant")
    tenant.set("acme")
    assert ids(search("x", {"one": lambda query: [tenant.get()]})) == ["acme"]


def test_a_process_ends_though_a_leg_hangs() -> None:
    code = (
        "import threading; from stagg.search.retrieve import search\n"
        "found = search('x', {'good': lambda q: ['a'], 'hung': lambda q: threading.Event().wait()},"
        " timeout={'hung': 0.05}, on_error='skip'); print(len(found))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert ended.stdout == "1\n"


def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    threads = Threads(limit=1)
    assert len(search("x", {"one": lambda query: GOOD}, threads=threads)) == 2

    def child(answers: Any) -> None:
        answers.put(len(search("x", {"one": lambda query: GOOD}, threads=threads, timeout=30)))

    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    process = context.Process(target=child, args=(answers,))
    process.start()
    process.join(60)
    assert answers.get() == 2


def test_nothing_keeps_a_result_alive() -> None:
    class Document:
        id = "a"

    found = search("x", {"one": lambda query: [Document()]})
    kept = weakref.ref(found[0].document)
    del found
    gc.collect()
    assert kept() is None


def test_an_answer_that_is_there_counts_though_the_loop_was_busy() -> None:
    """Timeout and answer come up in the same turn of the loop."""

    async def quick(query: Any) -> Any:
        await asyncio.sleep(0.001)
        await asyncio.sleep(0)
        return GOOD

    async def scene() -> FusedDocuments[Any]:
        searching = asyncio.create_task(asearch("x", {"quick": quick, "also": sync_leg(lambda: GOOD)}, timeout=0.05))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the search waits by now
        time.sleep(0.2)
        return await searching

    assert ids(asyncio.run(scene())) == ["a", "b"]


# --- asyncio ----------------------------------------------------------------------------------------------------------


def test_a_leg_that_does_not_stop_when_cancelled_holds_nobody_up() -> None:
    async def stubborn(query: Any) -> Any:
        while not freed:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue
        return GOOD

    async def scene() -> FusedDocuments[Any]:
        legs = {"bm25": async_leg(lambda: GOOD), "dense": stubborn}
        found = await asearch("x", legs, timeout={"dense": 0.05}, on_error="skip")
        freed.append(True)
        return found

    freed: list[bool] = []
    assert ids(asyncio.run(scene())) == ["a", "b"]


def test_when_the_search_is_cancelled_so_are_its_legs() -> None:
    way = Way("async")

    async def scene() -> None:
        searching = asyncio.create_task(asearch("x", {"dense": way.hanging()}))
        await asyncio.sleep(0.01)
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        assert way.cancelled == ["leg"]
        assert not module._ending

    asyncio.run(scene())


def test_a_leg_is_cancelled_when_its_own_time_is_over_not_when_the_search_is() -> None:
    async def scene() -> FusedDocuments[Any]:
        over = asyncio.Event()

        async def slow(query: Any) -> Any:
            try:
                await asyncio.Event().wait()
            finally:
                over.set()

        async def patient(query: Any) -> Any:
            await over.wait()
            return GOOD

        return await asearch("x", {"slow": slow, "patient": patient}, timeout={"slow": 0.02}, on_error="skip")

    assert ids(asyncio.run(scene())) == ["a", "b"]


def test_a_function_may_return_something_to_await_under_asyncio_only() -> None:
    found = asyncio.run(asearch("x", {"one": lambda query: async_leg(lambda: GOOD)(query)}))
    assert ids(found) == ["a", "b"]
    with pytest.raises(LegFailed, match="leg 'one': it is async: use asearch"):
        search("x", {"one": async_leg(lambda: GOOD)})


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"timeout": 0}, InvalidParameter, "seconds above 0"),
        ({"timeout": "1"}, InvalidParameter, "seconds above 0"),
        ({"timeout": {"dens": 1}}, UnknownName, "did you mean 'dense'"),
        ({"on_error": "ignore"}, InvalidParameter, "'raise' or 'skip'"),
        ({"concurrent": False, "timeout": 1}, InvalidParameter, "cannot have a timeout"),
        ({"weights": {"dens": 1}}, UnknownName, "dens"),
        ({"depth": {"dens": 1}}, UnknownName, "dens"),
        ({"method": "rrrf"}, UnknownName, "did you mean 'rrf'"),
        ({"legs": {}}, InvalidParameter, "nothing to fuse"),
        ({"legs": {"dense": GOOD}}, InvalidParameter, "leg 'dense' is no function"),
    ],
)
def test_wrong_settings_are_refused_before_a_leg_is_asked(settings: Any, error: type[Exception], message: str) -> None:
    asked: list[Any] = []
    with pytest.raises(error, match=message):
        search("x", **({"legs": {"dense": lambda query: asked.append(query)}} | settings))
    assert not asked


def test_one_after_the_other_in_the_thread_of_the_caller() -> None:
    seen: list[Any] = []
    legs = {name: lambda query: (seen.append(threading.current_thread()), GOOD)[1] for name in ("one", "two")}
    assert ids(search("x", legs, concurrent=False)) == ["a", "b"]
    assert seen == [threading.current_thread()] * 2
    found = search("x", legs | {"bad": sync_leg(raising)}, concurrent=False, on_error="skip")
    assert found.skipped == {"bad": "ConnectionError: refused"}


def test_prepared_legs_search_again_and_again(way: Way) -> None:
    prepared = Legs({"bm25": way.leg(lambda: GOOD)}, timeout=30)
    for _ in range(3):
        assert ids(prepared.search("x") if way.name == "sync" else asyncio.run(prepared.asearch("x"))) == ["a", "b"]


def test_a_leg_that_still_runs_when_another_fails_is_given_up() -> None:
    threads, go_on = Threads(), threading.Event()

    def fail(query: str) -> list[str]:
        raise ConnectionError("no route to host")

    try:
        with pytest.raises(LegFailed, match="no route to host"):
            search("q", {"hangs": lambda query: go_on.wait() and [], "fails": fail}, threads=threads)
        assert threads.stuck == {"hangs": 1}
    finally:
        go_on.set()
