"""Results as people see them: explanations, rank distributions and settings, number by number and at their limits."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.aggregate.settings import tell_settings
from stagg.errors import InvalidParameter, UnknownName


def rows_of(page: str) -> list[list[str]]:
    """The cells of every line of the tables of a notebook."""
    lines = re.findall(r"<tr>(.*?)</tr>", page)
    return [
        [html.unescape(re.sub("<[^>]*>", "", c)) for c in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", line)]
        for line in lines
    ]


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (11, ", ".join(f"r{k}=1" for k in range(11))),
        (12, ", ".join(f"r{k}=1" for k in range(10)) + ", … (2 more)"),
        (1012, ", ".join(f"r{k}=1" for k in range(10)) + ", … (1,002 more)"),
    ],
)
def test_ten_values_of_a_setting_are_told_and_one_more_where_that_is_all(count: int, told: str) -> None:
    assert tell_settings({"weights": {f"r{k}": 1.0 for k in range(count)}}) == [("weights", told)]
    assert tell_settings({"weights": [1.0] * count})[0][1].count("1") >= 10
    assert tell_settings({"only_common": False, "p": 0.5, "name": "x"}) == [
        ("only common", "no"),
        ("p", "0.5"),
        ("name", "x"),
    ]


LISTS = {"x": ["a", "b", "c"], "y": ["a", "d"], "z": [{"b", "d"}, "a"]}


def test_an_explanation_tells_what_each_list_gave() -> None:
    found = stagg.explain(LISTS, "rrf(c=60)", item="d", weights={"y": 2.0})
    gave = {"y": 2 / 62, "z": (1 / 61 + 1 / 62) / 2}  # tied items share what their places give
    assert {each.ranker: each.rank for each in found.rankers} == {"x": None, "y": 2, "z": 1.5}
    assert {each.ranker: each.contribution for each in found.rankers} == pytest.approx({"x": 0} | gave)
    total = sum(gave.values())
    assert found.score == pytest.approx(total)
    assert {each.ranker: each.share for each in found.rankers} == pytest.approx(
        {"x": 0} | {name: part / total for name, part in gave.items()}
    )
    assert {each.ranker: (each.length, each.weight) for each in found.rankers} == {
        "x": (3, 1),
        "y": (2, 2),
        "z": (3, 1),
    }
    for each in found.rankers:  # the candidates stay
        others = {name: ranks for name, ranks in LISTS.items() if name != each.ranker}
        weights = {"y": 2.0} if "y" in others else None
        rest = [item for item in "dcba" if not any(item in str(ranks) for ranks in others.values())]
        order = [*stagg.fuse(others, "rrf(c=60)", weights=weights).best_first(), *rest]
        assert each.rank_without == order.index("d") + 1
    lines = repr(found).splitlines()
    assert lines[0] == f"'d' is {found.rank} of 4 in query '1' by rrf(c=60) ({total:.6g})"
    assert lines[1].startswith("  just above: ")
    assert lines[2:] == [
        f"  {each.ranker}: {'not listed' if each.rank is None else f'rank {each.rank:g} of {each.length}'}, "
        f"gave {each.contribution:.6g}; without it: {each.rank_without}"
        for each in found.rankers
    ]
    head, *rows = rows_of(found._repr_html_())
    assert head == ["ranker", "rank", "of", "weight", "gave", "rank without it"]
    assert rows[1] == ["y", "2", "2", "2", f"{2 / 62:.6g}", str(found.rankers[1].rank_without)]
    assert rows[0][:2] == ["x", "not listed"]


def test_neighbours_are_the_items_just_above_and_below_with_their_ranks() -> None:
    first = stagg.explain(LISTS, "borda")
    assert (first.rank, first.above) == (1, None)
    order = stagg.fuse(LISTS, "borda").best_first()
    assert first.item == order[0]
    assert first.below is not None
    assert (first.below.item, first.neighbour) == (order[1], first.below)
    last = stagg.explain(LISTS, "borda", item=order[-1])
    assert (last.rank, last.n, last.below) == (4, 4, None)
    assert last.above is not None
    assert (last.above.item, last.neighbour) == (order[-2], last.above)
    middle = stagg.explain(LISTS, "rrf", item="d")
    assert middle.above is not None
    given = {"a": {"x": 1, "y": 1, "z": 3}, "b": {"x": 2, "y": None, "z": 1}, "c": {"x": 3, "y": None, "z": None}}
    assert middle.above.ranks == given[middle.above.item]


@pytest.mark.parametrize(("tied", "told"), [
    (0, None),
    (1, "tied with 'i1': equal scores are ordered by id, descending"),
    (30, "more: equal scores are ordered by id, descending"),
])  # fmt: skip
def test_items_with_the_same_score_are_named(tied: int, told: str | None) -> None:
    group = {f"i{k}" for k in range(1, tied + 1)}
    found = stagg.explain([[{"i0", *group}, "last"]], "rrf", item="i0")
    assert len(found.tied) == tied
    sentence = found.tell_tie()
    assert (sentence is None) == (told is None)
    assert told is None or (sentence is not None and told in sentence)
    if tied > 1:
        assert sentence is not None
        named = sentence.count("'i")
        assert f" and {tied - named} more" in sentence


def test_what_cannot_be_explained_is_said() -> None:
    with pytest.raises(UnknownName, match="query '1' has no item 'e'"):
        stagg.explain(LISTS, item="e")
    with pytest.raises(InvalidParameter, match="query '1' has no items to explain"):
        stagg.explain([[], []])


def test_a_notebook_shows_the_first_ranks_of_the_items_that_are_expected_first() -> None:
    rng = np.random.default_rng(0)
    runs: dict[str, Any] = {
        f"r{k}": {f"q{q}": {f"d{i:02}": float(-n) for n, i in enumerate(rng.permutation(25))} for q in range(4)}
        for k in range(3)
    }
    found = stagg.rank_distribution(stagg.Rankings.from_runs(runs), "stagg_rrf")
    one = found["q1"]
    header, *rows = rows_of(one._repr_html_())
    assert header == ["item", "expected rank", *[f"P(rank {k})" for k in range(1, 11)]]
    assert len(rows) == 20
    expected = one.expected_ranks
    assert [row[0] for row in rows] == sorted(expected, key=lambda item: expected[item])[:20]
    best = rows[0][0]
    assert float(rows[0][1]) == pytest.approx(expected[best], rel=1e-4)
    assert [float(cell) for cell in rows[0][2:]] == pytest.approx(one.of(best)[:10], abs=1e-4)
    assert expected[best] == pytest.approx(one.of(best) @ np.arange(1, 26))
    page = found._repr_html_()
    assert page.count("<table>") == 3
    assert "The first 3 of 4 queries are shown." in page
    assert repr(found).startswith("RankDistributions(4 queries, stagg_rrf(")
    three = stagg.rank_distribution(stagg.Rankings.from_runs(runs).take_queries([0, 1, 2]), "stagg_rrf")
    assert "are shown" not in three._repr_html_()
    assert [each.query for each in found] == [f"q{q}" for q in range(4)]
    columns = one._columns()
    assert columns["rank"].tolist() == [*range(1, 26)] * 25
    assert columns["item"][:26] == [one.items[0]] * 25 + [one.items[1]]


def test_lists_that_do_not_count_have_no_place_in_a_distribution() -> None:
    found = stagg.rank_distribution([["a"], ["b", "c"]], "stagg_bc(missing='skip')", weights=[0, 1])["1"]
    assert set(found.items) == {"b", "c"}
    with pytest.raises(
        InvalidParameter, match=r"mc4\(.*\) has no rank distribution; stagg_bc, stagg_rrf and stagg have one"
    ):
        stagg.rank_distribution(LISTS, "mc4")
    with pytest.raises(UnknownName, match="query '1' has no item 'q'"):
        found.of("q")


def test_a_notebook_shows_three_queries_twenty_items_and_twelve_rankers() -> None:
    lists = {f"r{k:02}": [f"d{i:02}" for i in range(21)] for k in range(13)}
    page = stagg.Rankings.from_lists(lists)._repr_html_()
    header, *rows = rows_of(page)
    assert header == ["rank", *[f"r{k:02}" for k in range(12)]]
    assert len(rows) == 20
    assert "query 1, the first 20 of 21, the first 12 of 13 rankers" in page
    few = stagg.Rankings.from_lists({name: items[:20] for name, items in list(lists.items())[:12]})._repr_html_()
    assert "the first" not in few
    assert len(rows_of(few)) == 21
    fused = stagg.fuse(lists, "rrf(c=60)")._repr_html_()
    header, *rows = rows_of(fused)
    assert header == ["rank", "item", "score", *[f"rank in r{k:02}" for k in range(12)]]
    assert rows[0] == ["1", "d00", f"{13 / 61:.6g}", *["1"] * 12]
    assert (len(rows), "query 1, the first 20 of 21" in fused) == (20, True)
