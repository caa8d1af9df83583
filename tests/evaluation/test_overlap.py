"""What changed between two runs: rank-biased overlap against its definition, moves, and what is refused."""

from __future__ import annotations

import itertools
import json
from collections.abc import Hashable, Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import Run, copy_sample, runner

import stagg
from stagg import DataError, InvalidParameter
from stagg.evaluation.overlap import Move, rank_biased_overlap
from stagg.report import diff_report


def slow_overlap(one: Mapping[Hashable, int], two: Mapping[Hashable, int], p: float, depth: int = 3000) -> float:
    """Rank-biased overlap by its definition: the infinite sum, unseen agreement as Eq. 32 assumes it."""
    short, long = sorted((one, two), key=len)
    s, length = len(short), len(long)

    def agreement(d: int) -> float:
        of_short = {item for item, rank in short.items() if rank <= d}
        of_long = {item for item, rank in long.items() if rank <= d}
        shared = len(of_short & of_long)
        if d <= s:
            return 2 * shared / (len(of_short) + len(of_long))
        if d <= length:
            return 2 * (shared + agreement(s) * (d - s)) / (d + len(of_long))
        return agreement(length)

    depths = [agreement(d) for d in range(1, length + 1)]
    depths += [depths[-1]] * (depth - length)
    return (1 - p) * sum(p**d * each for d, each in enumerate(depths))


def random_ranks(rng: np.random.Generator, *, ties: bool) -> dict[Hashable, int]:
    """A list of some of 15 items, with the rank of the first of each tied group."""
    items = rng.permutation(15)[: rng.integers(1, 16)].tolist()
    ranks, start = {}, 1
    for place, item in enumerate(items, start=1):
        if not ties or place == 1 or rng.random() < 0.6:
            start = place
        ranks[item] = start
    return ranks


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_the_overlap_is_that_of_the_definition(p: float, ties: bool) -> None:
    rng = np.random.default_rng(int(100 * p) + ties)
    for _ in range(100):
        one, two = random_ranks(rng, ties=ties), random_ranks(rng, ties=ties)
        found = rank_biased_overlap(one, two, p=p)
        assert found == pytest.approx(slow_overlap(one, two, p), abs=1e-9)
        assert found == rank_biased_overlap(two, one, p=p)
        assert 0 <= found <= 1


def test_lists_are_the_same_exactly_where_the_overlap_is_one() -> None:
    orders = [dict(zip(order, (1, 2, 3), strict=True)) for order in itertools.permutations("abc")]
    for one, two in itertools.product(orders, repeat=2):
        assert (rank_biased_overlap(one, two) == 1.0) == (one == two)
    assert rank_biased_overlap({"a": 1, "b": 2}, {"c": 1, "d": 2}) == 0
    assert rank_biased_overlap({}, {}) == 1
    assert rank_biased_overlap({}, {"a": 1}) == 0


def test_a_change_at_the_top_counts_more_than_one_below() -> None:
    base = {item: rank for rank, item in enumerate("abcdef", start=1)}
    top = {item: rank for rank, item in enumerate("bacdef", start=1)}
    below = {item: rank for rank, item in enumerate("abcdfe", start=1)}
    assert rank_biased_overlap(base, top) < rank_biased_overlap(base, below) < 1


def test_the_prefix_of_a_list_agrees_with_it_fully() -> None:
    long = {item: rank for rank, item in enumerate("abcdef", start=1)}
    assert rank_biased_overlap({"a": 1, "b": 2, "c": 3}, long) == 1.0


OLD = {"old": {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 2, "b": 1}, "q3": {"a": 1}}}
NEW = {"new": {"q1": {"b": 3, "d": 2, "a": 1}, "q2": {"a": 2, "b": 1}, "q4": {"a": 1}}}


def test_queries_that_changed_come_first_with_who_moved_in_and_out() -> None:
    found = stagg.diff(OLD, NEW, top=2)
    assert [each.query for each in found.queries] == ["q1", "q2"]
    first, second = found.queries
    assert (first.moved_in, first.moved_out) == ((Move("d", None, 2),), (Move("a", 1, 3),))
    assert (second.same, second.overlap, second.moved_in) == (True, 1.0, ())
    assert (found.only_old, found.only_new) == (("q3",), ("q4",))
    assert found.summary.startswith("1 of 2 queries changed, mean overlap 0.")
    assert found.summary.endswith("The first 2 hold other items in 1 query: 1 item moved in.")
    assert "1 query is only in OLD: q3" in str(found)
    assert "q2" not in str(found)


def test_nothing_that_changed_is_said() -> None:
    assert stagg.diff(OLD, OLD).summary == (
        "Nothing changed: OLD and NEW rank the same items in the same order in all 3 queries."
    )


def test_a_query_that_is_gone_is_told_where_nothing_else_changed() -> None:
    [runs] = NEW.values()
    fewer = {"new": {query: items for query, items in runs.items() if query != "q4"}}
    assert stagg.diff(NEW, fewer).summary == (
        "Nothing changed in all 2 queries that both runs have. 1 query is only in OLD: q4."
    )


def test_bad_calls_are_refused() -> None:
    for p in (0, 1, -0.5, "0.9", True, float("nan")):
        with pytest.raises(InvalidParameter, match="it must be a number above 0 and below 1"):
            stagg.diff(OLD, NEW, p=p)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="top must be a whole number, 1 or more"):
        stagg.diff(OLD, NEW, top=0)
    with pytest.raises(DataError, match="OLD and NEW have no query in common"):
        stagg.diff({"run": {"x": {"a": 1}}}, {"run": {"y": {"a": 1}}})
    with pytest.raises(InvalidParameter, match="NEW has 2 rankers, but two runs of one ranker each"):
        stagg.diff(OLD, [["a"], ["b"]])


def test_the_page_shows_hostile_ids_as_text() -> None:
    hostile = "<script>alert(1)</script>"
    new = {"new": {hostile: {"b": 2, hostile: 1}, "q2": {"a": 1}}}
    page = diff_report(
        stagg.diff({"old": {hostile: {"a": 2, "b": 1}, "q2": {"a": 1}}}, new, query_texts={hostile: "<i>"})
    )
    assert hostile not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<i>" not in page
    assert "1 of 2 queries changed" in page
    same = diff_report(stagg.diff(OLD, OLD))
    assert "Nothing changed" in same
    assert "The queries that changed" not in same


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "diff")


def test_the_command_prints_writes_json_and_a_page(tmp_path: Path, run: Run) -> None:
    folder = copy_sample(tmp_path / "sample")
    files = [folder / "bm25.trec", folder / "dense.trec"]
    ended = run(*files, "--top", "3", "--queries", "2", "--quiet", "--report", tmp_path / "diff.html")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("6 of 6 queries changed, mean overlap 0.293")
    assert "4 more queries changed less" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80
    assert (tmp_path / "diff.html").read_text().startswith("<!doctype html>")
    found = json.loads(run(*files, "--json").out)
    assert (found["command"], len(found["rows"]), found["settings"]["top"]) == ("diff", 6, 10)
    assert {"query", "overlap", "same", "moved_in", "moved_out"} <= set(found["rows"][0])


def test_the_same_file_twice_has_not_changed(tmp_path: Path, run: Run) -> None:
    folder = copy_sample(tmp_path / "sample")
    ended = run(folder / "bm25.trec", folder / "bm25.trec", "--quiet")
    assert ended.out == "Nothing changed: OLD and NEW rank the same items in the same order in all 6 \nqueries.\n"
    assert run(folder / "bm25.trec", folder / "dense.trec", "--p", "1").code == 2
