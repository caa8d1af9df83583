"""Pages of a list: every item once, in order; a token of another list is noticed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
        ("xabcdef", "cdef"),  # one more at the top: nothing comes again
        ("acdef", "cdef"),  # the last one seen is gone: from where its score would stand, so that none is lost
    ],
)
def test_a_token_of_another_list_goes_on_where_the_last_item_stands(now: str, rest: str) -> None:
    token = stagg.fuse([list("abcdef")]).page(2).next
    page = stagg.fuse([list(now)]).page(10, after=token)
    assert page.changed
    assert "".join(hit.item for hit in page) == rest


@pytest.mark.parametrize("token", ["", "x", "3", 7, "é" * 39, "A" * 39])
def test_what_is_no_token_is_refused(token: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"page\.next"):
        stagg.fuse([["a"]]).page(1, after=token)


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_a_page_has_room_for_something(size: Any) -> None:
    with pytest.raises(InvalidParameter, match="size of a page"):
        stagg.fuse([["a"]]).page(size)
