"""Work on threads: in order, as much ahead as asked, and never a wait for a thread that is not there."""

from __future__ import annotations

import _thread
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from stagg.threads import Crew, map_ahead, map_threads, run_apart, start_thread


def square(number: int) -> int:
    return number * number


def start_none(*_: Any) -> int:
    raise RuntimeError("can't start new thread")


def start_dead(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
    """What is seen of a thread that finds no memory for its first step: its arguments go, and nothing was called."""
    return 0


@pytest.fixture(params=[start_none, start_dead])
def no_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_thread, "start_new_thread", request.param)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_things(threads: int) -> None:
    assert map_threads(square, range(30), threads) == [square(number) for number in range(30)]


def test_no_more_is_begun_than_asked_for() -> None:
    begun: list[int] = []
    results = map_ahead(begun.append, range(20), 2, ahead=3)
    next(results)
    results.close()
    assert len(begun) <= 3


@pytest.mark.parametrize("wait", [True, False])
def test_the_first_error_in_the_order_of_the_things_is_raised(wait: bool) -> None:
    for _ in range(50):
        with pytest.raises(ZeroDivisionError):
            map_threads(lambda number: 1 // (number - 3), range(9), 3, wait=wait)


@pytest.mark.usefixtures("no_threads")
def test_where_no_thread_can_start_the_caller_does_the_work() -> None:
    assert map_threads(square, range(5), 3) == [0, 1, 4, 9, 16]
    assert run_apart(lambda: threading.current_thread(), 5.0) is threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        map_threads(lambda number: 1 // (number - 3), range(9), 3)


def test_work_without_any_time_left_still_has_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagg.threads.GRACE", 30.0)
    assert run_apart(lambda: 7, 0.0) == 7


def test_a_thread_that_ends_says_so_once() -> None:
    ends: list[int] = []
    over = threading.Event()

    def end() -> None:
        ends.append(1)
        over.set()

    start_thread(lambda: None, end)
    assert over.wait(30)
    assert ends == [1]


# --- Crew -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_crew_answers_by_number_in_any_order(threads: int) -> None:
    with Crew(threads) as crew:
        numbers = [crew.submit(square, number) for number in range(20)]
        assert [crew.get(number) for number in reversed(numbers)] == [square(k) for k in reversed(range(20))]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_crew_takes_things_as_they_come(threads: int) -> None:
    drawn: list[int] = []

    def things() -> Iterator[int]:
        for number in range(30):
            drawn.append(number)
            yield number

    with Crew(threads) as crew:
        results = crew.map(square, things(), ahead=4)
        assert not drawn
        for number in range(30):
            assert next(results) == square(number)
            assert len(drawn) <= number + 4
        assert list(results) == []


@pytest.mark.parametrize("threads", [1, 3])
def test_a_crew_serves_two_maps_at_once(threads: int) -> None:
    """As chunks are read and buckets are fused by the same threads."""
    with Crew(threads) as crew:
        inner = crew.map(square, range(40), ahead=3)
        outer = crew.map(lambda number: -number, inner, ahead=2)
        assert list(outer) == [-square(number) for number in range(40)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_a_call_is_raised_to_who_asks_for_it_alone(threads: int) -> None:
    with Crew(threads) as crew:
        numbers = [crew.submit(lambda number: 1 // number, number) for number in (1, 0, 2)]
        assert crew.get(numbers[2]) == 0
        with pytest.raises(ZeroDivisionError):
            crew.get(numbers[1])
        assert crew.get(numbers[0]) == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_the_things_comes_through(threads: int) -> None:
    def things() -> Iterator[int]:
        yield 1
        raise LookupError

    with Crew(threads) as crew, pytest.raises(LookupError):
        list(crew.map(square, things(), ahead=2))


@pytest.mark.usefixtures("no_threads")
def test_a_crew_without_threads_works_all_the_same() -> None:
    with Crew(3) as crew:
        assert list(crew.map(square, range(5), ahead=2)) == [0, 1, 4, 9, 16]
        number = crew.submit(square, 7)
        assert crew.get(number) == 49


def test_a_crew_that_ends_begins_nothing_more_and_waits_for_what_was_begun() -> None:
    begun, over = threading.Event(), threading.Event()
    calls: list[int] = []

    def work(number: int) -> None:
        calls.append(number)
        begun.set()
        time.sleep(0.05)
        over.set()

    with Crew(2) as crew:
        for number in range(50):
            crew.submit(work, number)
        assert begun.wait(30)
    assert over.is_set()
    assert len(calls) < 50
    seen = len(calls)
    time.sleep(0.1)
    assert len(calls) == seen


def test_ctrl_c_waits_for_nothing() -> None:
    held = threading.Event()

    def interrupted() -> None:
        with Crew(2) as crew:
            crew.submit(lambda _: held.wait(30), 0)
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - start < 10
    held.set()


class Thing:
    """Something that can be forgotten."""


@pytest.mark.parametrize("threads", [1, 2])
def test_what_was_worked_on_is_forgotten(threads: int) -> None:
    thing = Thing()
    gone = weakref.ref(thing)
    with Crew(threads) as crew:
        number = crew.submit(lambda thing: None, thing)
        del thing
        crew.get(number)
        for _ in range(200):
            if gone() is None:
                break
            time.sleep(0.01)
        assert gone() is None
