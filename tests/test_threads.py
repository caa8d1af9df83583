"""Work on threads: in order, as much ahead as asked, and never a wait for a thread that is not there."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from typing import Any

import pytest

from stagg.threads import map_ahead, map_threads, run_apart, start_thread


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
