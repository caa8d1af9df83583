"""The order in which jobs are handed out to processes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from stagg.paper.work.processes import _Queue


def make_queue(*jobs: tuple[str, int]) -> Any:
    named: Any = [SimpleNamespace(group=(group,), weight=weight) for group, weight in jobs]
    return _Queue(named)


def told(job: Any) -> tuple[str, int]:
    return job.group[0], job.weight


def test_a_process_stays_with_its_group_and_takes_long_jobs_first() -> None:
    queue = make_queue(("a", 1), ("a", 3), ("b", 9), ("a", 2))
    assert [told(queue.pop(("a",), set())) for _ in range(3)] == [("a", 3), ("a", 2), ("a", 1)]
    assert told(queue.pop(("a",), set())) == ("b", 9)  # there is no other left
    assert queue.pop(("a",), set()) is None


def test_a_free_process_takes_the_largest_group_that_no_other_works_on() -> None:
    queue = make_queue(("a", 4), ("b", 3), ("b", 2), ("c", 1))
    assert told(queue.pop(None, set())) == ("b", 3)
    assert told(queue.pop(None, {("b",)})) == ("a", 4)
    assert told(queue.pop(None, {("b",)})) == ("c", 1)
    assert told(queue.pop(None, {("b",)})) == ("b", 2)  # better than to wait
