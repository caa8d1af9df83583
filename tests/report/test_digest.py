"""What a report shows of a fusion, in numbers and in its first sentence, at every boundary."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.aggregate import prepare
from stagg.aggregate.leaving_out import LeavingOut, LeftOut
from stagg.data.intervals import Intervals
from stagg.data.rankings import Rankings
from stagg.methods.positional.comb import BY_RANK
from stagg.report import fused_queries, fusion_page
from stagg.report.digest import FusedQuery, Fusion, digest
from stagg.report.findings import tell_fusion, tell_left_out, tell_rankers
from stagg.report.markup import titles_data
from stagg.report.pages.explorer import explored_of, list_by_rank
from stagg.report.pages.explorer_data import (
    DRAW,
    Draws,
    Explored,
    count_draws,
    explored_of_result,
    explorer_data,
    fit_input,
    measure_input,
)
from stagg.report.pages.explorer_settings import catalogue
from stagg.report.pages.fusion import fusion_data


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


# --- comparisons of two items -----------------------------------------------------------------------------------------


def test_wins_are_counted_by_voters_and_a_tie_is_half_a_win_for_each() -> None:
    rng = np.random.default_rng(4)
    votes: list[Any] = [rng.choice(list("abcde"), 2, replace=False).tolist() for _ in range(40)]
    votes += [[set(rng.choice(list("abcde"), 2, replace=False).tolist())] for _ in range(8)]
    counts = rng.integers(1, 4, len(votes))
    given = Rankings.from_lists(votes).replace(multiplicities=counts)
    shown = fused_queries(given, "borda", items=4).queries[0]
    assert len(shown.items) == 4  # of five: the fifth has no column
    expected = np.zeros((4, 4))
    for vote, count in zip(votes, counts, strict=True):
        tie = len(vote) == 1
        one, other = (shown.items.index(item) if item in shown.items else -1 for item in (vote[0] if tie else vote))
        if one >= 0 and other >= 0:
            expected[one, other] += count / 2 if tie else count
            expected[other, one] += count / 2 if tie else 0
    np.testing.assert_array_equal(shown.wins, expected)


@pytest.mark.parametrize(("lists", "pairs"), [(8, False), (9, True)])
def test_nine_lists_of_two_items_are_comparisons(lists: int, pairs: bool) -> None:
    fusion = fused_queries([["a", "b"]] * lists, "rrf")
    assert fusion.of_pairs == pairs
    assert (fusion.queries[0].wins is not None) == pairs
    assert not fused_queries([["a", "b"]] * lists + [["a", "b", "c"]], "rrf").of_pairs


def test_a_page_of_comparisons_has_scores_and_wins_and_no_agreement() -> None:
    votes = [["a", "b"]] * 6 + [["b", "a"]] * 4
    for method, title, strengths in (("borda", "Scores", False), ("bradley_terry", "Strengths", True)):
        fusion = dataclasses.replace(fused_queries(votes, method), explored=None)
        assert fusion.strengths == strengths
        page = fusion_page(fusion)
        assert re.findall(r"<figcaption><h3>(.*?)</h3>", page) == ["Ranks", title, "Wins"]
        assert "How far the rankers agree" not in page
        assert fusion_data(fusion)["queries"][0]["wins"] == [[0, 6], [4, 0]]


# --- scores and their scale -------------------------------------------------------------------------------------------


def test_the_best_score_is_that_of_an_item_that_is_first_in_every_list() -> None:
    runs = {"x": {"1": {"a": 2, "b": 1}, "2": {"a": 1}}, "y": {"1": {"b": 1}}}
    fusion = fused_queries(Rankings.from_runs(runs), "rrf(c=60)", weights={"x": 2.0})
    assert [each.best for each in fusion.queries] == pytest.approx([3 / 61, 2 / 61])
    assert [each["best"] for each in fusion_data(fusion)["queries"]] == pytest.approx([3 / 61, 2 / 61])
    for method in ("borda", "mc4"):  # points are counted; a probability means something as it is
        assert fused_queries(Rankings.from_runs(runs), method).queries[0].best is None
    assert fused_queries(Rankings.from_runs(runs), "rrf", weights={"x": 0.0, "y": 0.0}).queries[0].best is None


def test_the_numbers_of_the_page_have_few_digits_and_no_point_where_they_are_whole() -> None:
    query = FusedQuery(
        query="q", size=3, items=("a", "b"), scores=np.array([1.23456789, 2.0]), rankers=("y", "x"),
        lengths=np.array([2, 1]), ranks=np.array([[1.0, 2.5], [np.nan, 1.0]]), confidence=np.array([1.23456, 1.0]),
        parts=np.array([[1.0, 0.5], [0.25, 0.0]]), rest=np.array([0.0, -2.0]),
        chances=np.array([[0.12345, 0.9], [1, 0]]),
        apart=0.25, best=3.5,
    )  # fmt: skip
    data = fusion_data(Fusion("m", ("x", "y"), (query,), np.eye(2), np.eye(2), (), ""))
    [told] = data["queries"]
    assert told == {
        "id": "q", "size": 3, "items": ["a", "b"], "scores": [1.2346, 2], "lists": [1, 0], "lengths": [2, 1],
        "ranks": [[1, 2.5], [0, 1]], "apart": 0.25, "best": 3.5, "confidence": [1.23, 1],
        "unit": pytest.approx(2 / 9999, rel=1e-5),
        "parts": [[5000, 2500], [1250, 0]], "rest": [0, -9999], "chances": [[123, 900], [1000, 0]],
    }  # fmt: skip
    assert '"scores":[1.2346,2]' in json.dumps(told, separators=(",", ":"))
    assert (data["level"], data["top"], data["strengths"]) == (None, None, False)
    zero = dataclasses.replace(query, parts=np.zeros((2, 2)), rest=np.zeros(2), apart=float("nan"), best=None)
    [told] = fusion_data(Fusion("m", ("x", "y"), (query, zero), np.eye(2), np.eye(2), (), ""))["queries"][1:]
    assert (told["unit"], told["parts"]) == (1.0, [[0, 0], [0, 0]])
    assert not {"apart", "best", "wins"} & told.keys()


def test_the_titles_of_a_page_have_limited_room() -> None:
    from stagg.formats.documents.texts import Titles

    long = Titles({"a": "t" * 400, "b": "u"}, {"q": "why"})
    told = titles_data(long, ["b", "a", "c"], ["q", "r"])["titles"]
    assert told == {"items": {"b": "u", "a": "t" * 300}, "queries": {"q": "why"}}


# --- notes ------------------------------------------------------------------------------------------------------------


def test_notes_tell_only_what_is_left_out() -> None:
    few = fused_queries([["a", "b", "c"], ["b", "a", "c"]], "rrf", items=3, queries=1, draws=30, seed=5)
    [note] = few.notes
    assert note == (
        "Rank intervals hold in 90 % of 30 draws of the rankers (seed 5). With 2 rankers they say how much the "
        "consensus depends on the choice of rankers, not more."
    )
    many = fused_queries([["a", "b", "c"]] * 10, "rrf", draws=30)
    assert many.notes[0] == "Rank intervals hold in 90 % of 30 draws of the rankers (seed 0)."
    cut = fused_queries([["a", "b", "c"]] * 10, "rrf", items=2, draws=30)
    assert cut.notes[0] == "Of a query with more candidates the first 2 of the consensus are shown."


def test_progress_is_told_query_by_query() -> None:
    runs = {"x": {f"q{k}": {"a": 2, "b": 1} for k in range(3)}, "y": {f"q{k}": {"b": 1} for k in range(3)}}
    steps: list[tuple[str, int, int]] = []
    done = prepare("kemeny").fuse(Rankings.from_runs(runs))
    digest(done, progress=lambda what, number, total: steps.append((what, number, total)))
    assert steps == [("drawing", 0, 3), ("drawing", 1, 3), ("drawing", 2, 3)]


@pytest.mark.parametrize(("rankers", "told"), [(2, False), (3, True), (30, True), (31, False)])
def test_who_decides_is_told_of_three_to_thirty_rankers(rankers: int, told: bool) -> None:
    shown = fused_queries([["a", "b"], ["b", "a", "c"], *[["a", "b"]] * (rankers - 2)], "rrf", draws=10).queries[0]
    assert (shown.deciders is not None) == told


# --- the first sentence -----------------------------------------------------------------------------------------------


def query_of(groups: list[int] | None, size: int = 9, **more: Any) -> FusedQuery:
    """A fused query whose first items fall into these groups."""
    items = tuple("abcdefghi"[: 3 if groups is None else len(groups)])
    n = len(items)
    sure = None
    if groups is not None:
        ranks = np.arange(1, n + 1)
        sure = Intervals(ranks, ranks, np.ones(n), np.array(groups), 0.9, 100, 10, 0)
    return FusedQuery("q", size, items, np.ones(n), ("x",), np.array([n]), np.ones((1, n)), intervals=sure, **more)


@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([query_of([1, 2, 2])], "A is first, and stands apart from the next."),
        ([query_of([1, 1, 2])], "The first 2 of 9 items cannot be told apart."),
        ([query_of([1, 1, 1])], "At least the first 3 of 9 items cannot be told apart."),
        ([query_of([1, 1, 1], size=3)], "The 3 items cannot be told apart."),
        ([query_of([1])], ""),
        ([query_of(None)], ""),
        ([query_of([1, 2]), query_of([1, 2])], "The first item stands apart from the second in all 2 queries."),
        ([query_of([1, 2]), query_of([1, 1])], "In 1 of 2 queries the first two items cannot be told apart."),
        ([query_of([1, 1]), query_of([1, 1])], "In all 2 queries the first two items cannot be told apart."),
        (
            [query_of([1, 1]), query_of([1, 1]), query_of([1])],
            "In all 2 queries the first two items cannot be told apart.",
        ),
        ([query_of(None, deciders=())], "No ranker alone decides the first place."),
        ([query_of(None, deciders=()), query_of(None, deciders=())], "No ranker alone decides a first place."),
        ([query_of(None, deciders=("x",))], "X decides the first place."),
        ([query_of(None, deciders=("x", "y"))], "X decides the first place, and so does y."),
        ([query_of(None, deciders=("x", "y", "z"))], "X decides the first place, and so do 2 others."),
        (
            [query_of(None, deciders=("x", "y")), query_of(None, deciders=("y",)), query_of(None, deciders=())],
            "Y decides most: without it another item is first in 2 of 3 queries.",
        ),
    ],
)  # fmt: skip
def test_the_first_sentence_says_what_is_open_at_the_top_and_who_decides(queries: list[FusedQuery], told: str) -> None:
    found = plain(tell_fusion(queries, (), np.zeros((0, 0))))
    assert found[:1].upper() + found[1:] == told


def test_wins_of_a_first_item_that_never_met_the_second_are_told_without_it() -> None:
    wins = np.array([[0, 0, 3.0], [0, 0, 1.0], [0.5, 0, 0]])
    told = plain(tell_fusion([query_of(None, wins=wins)], (), np.zeros((0, 0))))
    assert told.endswith("is first, above others in 3 of its 3.5 comparisons.")
    assert tell_fusion([query_of(None, wins=wins), query_of(None)], (), np.zeros((0, 0))) == ""


@pytest.mark.parametrize(
    ("names", "values", "told"),
    [
        ("x", [[1.0]], ""),
        ("xy", [[1, np.nan], [np.nan, 1]], ""),
        ("xy", [[1, 0.9995], [0.9995, 1]], "the rankers order alike what they share"),
        ("xy", [[1, 0.99], [0.99, 1]], "x and y agree at Kendall's τ 0.99"),
        ("xyz", [[1, 0.5, 0.1], [0.5, 1, -0.2], [0.1, -0.2, 1]], "y and z disagree most (Kendall's τ \u22120.20)"),
        ("xyz", [[1, 0.5, np.nan], [0.5, 1, 0.6], [np.nan, 0.6, 1]], "x and y disagree most (Kendall's τ 0.50)"),
    ],
)
def test_the_two_rankers_that_disagree_most_are_named(names: str, values: list[list[float]], told: str) -> None:
    assert plain(tell_rankers(names, np.array(values))) == told


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            [LeftOut("x", 4, 0.25, 0.1, ()), LeftOut("y", 4, 0.75, 0.1, ())],
            "Without y another item is first in 3 of 4 queries.",
        ),
        ([LeftOut("x", 1, 1.0, 0.1, ())], "Without x another item is first."),
        ([LeftOut("x", 4, 0.0, 0.1, ()), LeftOut("y", 0, None, None, ())], "No ranker alone decides a first place."),
        ([LeftOut("y", 0, None, None, ())], "No ranker alone decides a first place."),
        (None, ""),
    ],
)  # fmt: skip
def test_the_first_sentence_before_the_fusion_names_whom_it_hangs_on(rows: list[LeftOut] | None, told: str) -> None:
    left = None if rows is None else LeavingOut(tuple(rows), 4, "rrf")
    assert plain(tell_left_out((), np.zeros((0, 0)), left)) == told


# --- the data of the explorer -----------------------------------------------------------------------------------------


def runs_of(queries: int, items: int, rankers: int = 2) -> Rankings:
    rng = np.random.default_rng(0)
    return Rankings.from_runs(
        {
            f"r{k}": {
                f"q{q}": {f"d{i}": float(-n) for n, i in enumerate(rng.permutation(items))} for q in range(queries)
            }
            for k in range(rankers)
        }
    )


def test_the_input_of_a_page_takes_its_letters_its_numbers_and_its_draws() -> None:
    plain_lists = Rankings.from_lists([["a", "bb"], ["bb", "cccc"]])
    letters = (1 + 2 + 4) + 3 * 3  # with two quotes and a comma
    assert measure_input(plain_lists) == letters + 4 * 7
    assert measure_input(plain_lists, 30) == int(letters + 4 * 7 + 2 * 30 * DRAW)
    scored = Rankings.from_scores({"x": {"a": 2, "bb": 1}, "y": {"bb": 2, "cccc": 1}})
    assert measure_input(scored) == letters + 4 * 27
    assert measure_input(Rankings.from_lists([])) == 0


def test_lists_are_cut_no_further_than_must_be() -> None:
    given = runs_of(1, 400)
    sizes = {depth: measure_input(given.cut(depth)) for depth in (200, 100, 50)}
    assert fit_input(given, measure_input(given))[1] is None
    for depth, size in sizes.items():
        kept, cut = fit_input(given, size)
        assert cut == depth
        assert kept.list_lengths.max() == depth
    few = runs_of(3, 40)  # shorter than every depth: queries go
    kept, cut = fit_input(few, measure_input(few) * 2 // 3)
    assert (len(kept), cut, kept.queries) == (2, None, ("q0", "q1"))
    assert len(fit_input(few, 1)[0]) == 1


def test_draws_have_the_room_that_the_lists_leave() -> None:
    given = runs_of(1, 10, rankers=3)
    size = measure_input(given)
    assert count_draws(given, size + int(3 * DRAW * 60)) == 60
    assert count_draws(given, size + int(3 * DRAW * 50)) == 50
    assert count_draws(given, size + int(3 * DRAW * 49)) == 0  # fewer say nothing
    assert count_draws(given) == 1000


def test_notes_of_the_explorer_say_what_is_cut_and_how_the_intervals_are_made() -> None:
    given = runs_of(2, 3)
    whole = Explored(given, stagg.methods.RRF(), np.ones(2), draws=Draws(300, 7, 0.8))  # type: ignore[attr-defined]
    assert whole.notes == [
        "Rank intervals hold in 80 % of 300 draws of the rankers (seed 7), as `stagg fuse --intervals 0.8 --draws 300` "
        "makes them."
    ]
    cut = dataclasses.replace(whole, depth=50, left_out=3, draws=Draws(0))
    assert cut.notes == [
        "The file would be too large: every list is cut to its first 50 items.",
        "The file would be too large: the first 2 of 5 queries are here.",
        "No rank intervals: the draws for them would make the file too large.",
    ]


def test_the_explorer_gets_lists_as_numbers_and_grades_of_its_items() -> None:
    runs = {"x": {"q": {"a": 3.0, "b": 1.0, "c": 1.0}}, "y": {"q": {"c": 0.5}}}
    labels = stagg.Labels({"q": {"a": 2, "b": 0, "z": 1}, "other": {"a": 1}})
    explored = explored_of(Rankings.from_runs(runs), "rrf", labels=labels, weights={"x": 2.0}, depth=7)
    data = explorer_data(explored)
    [query] = data["queries"]
    assert query["items"] == ["c", "b", "a"]  # ties go by id, the last first
    assert query["lists"] == [[0, [2, 0, 1], [2], [3.0, 1.0, 1.0]], [1, [0], [], [0.5]]]
    assert query["grades"] == {1: 0, 2: 2}
    assert query["ideal"] == [2, 1]
    assert data["start"] == {"method": {"name": "rrf", "c": 60, "missing": "skip"}, "weights": [2.0, 1.0], "depth": 7}
    assert (data["lacking"], data["depth"], data["cut"], data["keep"]) == (1, 3, None, None)
    assert (data["level"], data["top"], data["multiplicities"]) == (0.9, 10, [1, 1])
    assert data["source"]["names"] == ("x", "y")
    assert data["measures"][0]["kind"] == "ndcg"
    odd = explorer_data(explored_of(Rankings.from_lists({"a b": ["1"], "c": ["1", "2"]}), "rrf"))
    assert odd["source"]["names"] is None  # weights go by position where a name would need quotes
    assert odd["queries"][0]["lists"][0][3] == 0  # no scores
    assert (odd["measures"], odd["lacking"]) == (None, 0)
    assert "grades" not in odd["queries"][0]


@pytest.mark.parametrize(
    ("method", "options", "told"),
    [
        ("kemeny", {}, "they move sums over positions or scores"),
        ("rrf", {"min_lists": 2}, "min_lists, min_score or scale cannot be moved"),
        ("rrf", {"scale": "first"}, "min_lists, min_score or scale cannot be moved"),
        ("rrf", {}, None),
    ],
)
def test_a_report_says_why_it_has_no_controls(method: str, options: dict[str, Any], told: str | None) -> None:
    found = explored_of_result(prepare(method, **options).fuse(runs_of(1, 5)), np.arange(1), None)
    assert isinstance(found, Explored) if told is None else told in str(found)


def test_controls_are_for_a_hundred_rankers() -> None:
    for count in (100, 101):
        found = explored_of_result(prepare("rrf").fuse(Rankings.from_lists([["a", "b"]] * count)), np.arange(1), None)
        assert isinstance(found, Explored) == (count == 100)
    assert str(found) == "There are no controls: there would be one for each of 101 rankers."


def test_items_are_listed_from_the_top_of_the_lists() -> None:
    assert list_by_rank(Rankings.from_lists([["a", "b", "c"], ["d", "a"]])) == ["a", "d", "b", "c"]


def test_the_methods_on_offer_are_those_that_the_input_allows() -> None:
    scored, ranked = (
        {entry["default"]["name"]: entry for entry in catalogue(scores=scores, trust=scores)}
        for scores in (True, False)
    )
    assert scored.keys() - ranked.keys() == {"stagg_trust"}
    assert scored["combsum"]["default"]["norm"] == "min-max"
    assert {"min-max", "rank", "none"} <= set(scored["combsum"]["norms"])
    assert ranked["combsum"]["default"]["norm"] == "rank"
    assert set(ranked["combsum"]["norms"]) == set(BY_RANK)  # without scores only what ranks say
    assert (scored["rrf"]["norms"], scored["rrf"]["spans"]) == ((), {"c": (0, 120, 1)})
    assert scored["votecount"]["spans"] == {}
    assert [scored[name]["relevant"] for name in ("rrf", "borda", "votecount")] == [[True], [False], [False]]
    assert "min-max" in scored["combsum"]["relevant"]
    assert "none" not in scored["combsum"]["relevant"]  # a sum of raw scores has no highest value


@pytest.mark.parametrize(("draws", "kept"), [(100, 100), (400_000, 0)])
def test_the_controls_have_the_draws_of_the_report_if_all_of_them_have_room(draws: int, kept: int) -> None:
    sure = Intervals(np.ones(5), np.ones(5), np.ones(5), np.ones(5), 0.8, draws, 3, 7)  # type: ignore[arg-type]
    found = explored_of_result(prepare("rrf").fuse(runs_of(1, 5, rankers=3)), np.arange(1), sure)
    assert isinstance(found, Explored)
    assert found.draws == Draws(kept, 7, 0.8, 3)
