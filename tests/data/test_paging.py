"""Pages of a list: every item once, in order; a token of another list is noticed."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import examples

import stagg
from stagg import InvalidParameter, Rankings


def all_pages(rankings: Rankings, size: int) -> list[list[Any]]:
    pages, after = [], None
    while True:
        page = rankings.page(size, after=after)
        assert not page.changed
        pages.append([hit.item for hit in page])
        after = page.next
        if after is None:
            return pages


@settings(max_examples=60, deadline=None)
@given(
    scored=st.lists(
        st.dictionaries(st.text(min_size=1, max_size=3), st.integers(-3, 3), min_size=1), min_size=1, max_size=3
    ),
    size=st.integers(1, 5),
)
def test_pages_partition_the_hits_even_where_scores_are_equal(scored: list[dict[str, int]], size: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stagg.DataWarning)  # random lists may have nothing in common
        fused = stagg.fuse(scored)
    pages = all_pages(fused, size)
    assert [item for page in pages for item in page] == fused.best_first()
    assert all(len(page) == size for page in pages[:-1])


def test_ranks_go_on_from_page_to_page() -> None:
    fused = stagg.fuse([list("abcde")])
    first = fused.page(2)
    assert [hit.rank for hit in fused.page(2, after=first.next)] == [3, 4]
    assert len(first.next or "") == 39


def test_one_query_of_many() -> None:
    fused = stagg.fuse({"run": {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}})
    assert [hit.item for hit in fused.page(1, query="q1")] == ["a"]
    assert fused.page(1, query="q2").next is None


def test_nothing_has_one_empty_page() -> None:
    page = stagg.fuse({"bm25": []}).page(10)
    assert (list(page), page.next, page.changed) == ([], None, False)


@pytest.mark.parametrize(
    ("now", "rest"),
    [
        ("abcdefg", "cdefg"),  # an item more at the end
        ("xabcdef", "abcdef"),  # one more at the top: two items come again
        ("acdebf", "cdebf"),  # the last item moved down: those that overtook it are not lost
        ("bacdef", "acdef"),  # it moved up: what it overtook comes again
        ("acdef", "cdef"),  # the last one seen is gone: from where its score would stand, so that none is lost
    ],
)
def test_a_token_of_another_list_goes_on_where_the_last_item_stands(now: str, rest: str) -> None:
    token = stagg.fuse([list("abcdef")]).page(2).next
    page = stagg.fuse([list(now)]).page(10, after=token)
    assert page.changed
    assert "".join(hit.item for hit in page) == rest


@settings(max_examples=examples(300), deadline=None)
@given(
    lists=st.lists(st.permutations("abcdefg").map(lambda order: order[:5]), min_size=2, max_size=4),
    size=st.integers(1, 3),
)
def test_no_item_is_lost_whose_rank_never_gets_better_while_the_list_changes(lists: list[list[str]], size: int) -> None:
    seen, after, final = set(), None, lists[-1]
    for request in range(20):
        now = lists[min(request, len(lists) - 1)]
        page = stagg.fuse([now]).page(size, after=after)
        seen |= {hit.item for hit in page}
        after = page.next
        if after is None:
            final = now
            break
    requests = lists[: request + 1]
    for item in final:
        ranks = [each.index(item) for each in requests if item in each]
        assert item in seen or len(ranks) < len(requests) or ranks != sorted(ranks)


@given(order=st.permutations("abcdefg"), size=st.integers(1, 6), place=st.integers(0, 6))
def test_nothing_is_lost_if_only_the_last_item_shown_moves(order: list[str], size: int, place: int) -> None:
    first = stagg.fuse([order]).page(size)
    moved = [item for item in order if item != first[-1].item]
    moved.insert(place, first[-1].item)
    later = stagg.fuse([moved]).page(10, after=first.next)
    assert {hit.item for hit in [*first, *later]} == set(order)


@given(before=st.permutations("abcdefg"), now=st.permutations("abcdefgh"), size=st.integers(1, 6))
def test_no_item_is_lost_that_stays_behind_the_last_item_shown(before: list[str], now: list[str], size: int) -> None:
    first = stagg.fuse([before]).page(size)
    later = [hit.item for hit in stagg.fuse([now]).page(10, after=first.next)]
    assert set(now[now.index(first[-1].item) + 1 :]) <= set(later)


@pytest.mark.parametrize("token", ["", "x", "3", 7, "é" * 39, "A" * 39])
def test_what_is_no_token_is_refused(token: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"page\.next"):
        stagg.fuse([["a"]]).page(1, after=token)


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_a_page_has_room_for_something(size: Any) -> None:
    with pytest.raises(InvalidParameter, match="size of a page"):
        stagg.fuse([["a"]]).page(size)
