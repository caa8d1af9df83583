"""What people want comes out: hits, dicts, frames, Arrow, and tables for notebooks."""

from __future__ import annotations

import copy
import pickle
import uuid
from html.parser import HTMLParser
from typing import Any

import pytest

import stagg
from stagg import Hit, InvalidParameter, Rankings, UnknownName

GIVEN = {"bm25": [("d1", 12.5), ("d2", 9.0), ("d3", 7.0)], "dense": [("d2", 0.8), ("d1", 0.3)]}
RUNS = {"x": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, "y": {"q1": {"b": 5.0}}}


def test_one_score_of_a_result_is_one_step_away() -> None:
    fused = stagg.fuse(GIVEN)
    assert fused.to_dict()["1"]["d2"] == fused.hits()[0].score == fused.to_runs()["stagg-rrf"]["1"]["d2"]


def test_hits_are_the_items_in_order_with_what_each_ranker_gave() -> None:
    hits = stagg.fuse(GIVEN).hits()
    assert [(hit.item, hit.rank) for hit in hits] == [("d2", 1), ("d1", 2), ("d3", 3)]
    assert hits[2].ranks == {"bm25": 3}
    assert hits[2].scores == {"bm25": 7.0}
    assert hits[0].low is hits[0].high is hits[0].top is hits[0].group is None


def test_hits_of_several_queries_are_asked_for_by_query() -> None:
    fused = stagg.fuse(RUNS)
    assert [hit.item for hit in fused.hits("q1")] == ["b", "a"]
    assert fused.hits("q1")[0].ranks == {"x": 2, "y": 1}
    assert fused.hits("q2")[0].ranks == {"x": 1}
    with pytest.raises(InvalidParameter, match="2 queries"):
        fused.hits()
    with pytest.raises(UnknownName, match="no query 'q3'"):
        fused.hits("q3")


def test_hits_of_inputs_are_those_of_a_ranker() -> None:
    given = Rankings.from_runs(RUNS)
    assert [(hit.item, hit.score) for hit in given.hits("q1", ranker="x")] == [("a", 2.0), ("b", 1.0)]
    assert given.hits("q2", ranker="y") == []
    assert given.hits("q1", ranker="x")[0].ranks is None
    lists = Rankings.from_lists([["a", {"b", "c"}]])
    assert [(hit.item, hit.rank, hit.score) for hit in lists.hits()] == [("a", 1, 3.0), ("b", 2, 1.5), ("c", 3, 1.5)]


def test_tied_items_have_the_mean_of_their_ranks() -> None:
    hits = stagg.fuse({"x": ["a", {"b", "c"}]}).hits()
    assert [hit.ranks for hit in hits] == [{"x": 1}, {"x": 2.5}, {"x": 2.5}]


def test_intervals_stand_on_the_hits() -> None:
    fused = stagg.fuse(GIVEN, "stagg_rrf", intervals=0.9, draws=50, top=2)
    for place, hit in enumerate(fused.hits()):
        sure = fused.intervals
        assert sure is not None
        assert (hit.low, hit.high, hit.group) == (sure.low[place], sure.high[place], sure.group[place])
        assert hit.top == sure.top[place]
        assert type(hit.low) is int
    assert fused.to_dict()["1"]["d2"].keys() == {"rank", "score", "low", "high", "top", "group"}


def test_p_and_q_of_rra_stand_on_hits_frames_tables_and_dicts() -> None:
    fused = stagg.fuse(RUNS, "rra")
    assert fused.extras is not None
    first, second = fused.hits("q1"), fused.hits("q2")
    assert [hit.p for hit in (*first, *second)] == fused.extras["p"].tolist()
    assert [hit.q for hit in (*first, *second)] == fused.extras["q"].tolist()
    assert type(first[0].p) is float
    assert repr(second[0]) == f"Hit(item={second[0].item!r}, rank=1, score={second[0].score!r}, p=1.0, q=1.0)"
    assert first[0].to_dict().keys() == {"item", "rank", "score", "p", "q", "ranks", "scores"}
    assert list(fused.to_frame().columns) == ["query", "item", "rank", "score", "p", "q"]
    assert fused.to_arrow().column_names == ["query", "ranker", "item", "rank", "score", "p", "q"]
    assert fused.to_dict()["q2"] == {second[0].item: {"rank": 1, "score": second[0].score, "p": 1.0, "q": 1.0}}
    assert '<th style="text-align: right">q</th>' in fused._repr_html_()
    assert pickle.loads(pickle.dumps(fused)).hits("q1") == first
    assert pickle.loads(pickle.dumps(first[0])) == first[0]
    assert stagg.fuse(RUNS).hits("q1")[0].p is None


def test_intervals_of_the_second_query_are_its_own() -> None:
    fused = stagg.fuse(RUNS, intervals=0.9, draws=20)
    assert [hit.rank for hit in fused.hits("q2")] == [1]
    assert (fused.hits("q2")[0].low, fused.hits("q2")[0].high) == (1, 1)


def test_hits_keep_their_values_but_not_the_inputs_when_pickled() -> None:
    fused = stagg.fuse(GIVEN, intervals=0.9, draws=20)
    again = pickle.loads(pickle.dumps(fused))
    assert again.hits() == fused.hits()
    assert again.hits()[0].ranks is again.hits()[0].scores is None
    hit = pickle.loads(pickle.dumps(fused.hits()[0]))
    assert hit == fused.hits()[0] == copy.copy(fused.hits()[0])
    assert hit.low == fused.hits()[0].low
    assert hit.ranks is None
    assert hash(hit) == hash(fused.hits()[0])


def test_ranks_are_what_the_fusion_saw() -> None:
    assert stagg.fuse(GIVEN, depth=1).hits()[0].ranks == {"dense": 1}
    assert "dense" not in (stagg.fuse(GIVEN, weights={"dense": 0}).hits()[0].ranks or {})


def test_a_hit_is_a_small_value_that_shows_itself_and_cannot_be_changed() -> None:
    hit = stagg.fuse([["a"], ["a"]]).hits()[0]
    assert repr(hit) == f"Hit(item='a', rank=1, score={2 / 61})"
    assert hit.to_dict() == {"item": "a", "rank": 1, "score": 2 / 61, "ranks": {"1": 1, "2": 1}, "scores": {}}
    assert isinstance(hit, Hit)
    assert not hasattr(hit, "__dict__")
    with pytest.raises(AttributeError, match="immutable"):
        hit.score = 2.0
    assert hit != ("a", 1, 2 / 61)


def test_dicts_are_those_of_the_json_files() -> None:
    assert Rankings.from_runs(RUNS).to_dict() == {
        "q1": {"x": {"a": 2.0, "b": 1.0}, "y": {"b": 5.0}},
        "q2": {"x": {"c": 1.0}},
    }
    assert stagg.fuse([{"q1": {}, "q2": {"a": 1.0}}]).to_dict() == {"q1": {}, "q2": {"a": 1 / 61}}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_have_the_columns_that_files_have(library: str) -> None:
    pytest.importorskip(library)
    frame = stagg.fuse(RUNS).to_frame(library)
    assert list(frame.columns) == ["query", "item", "rank", "score"]
    assert frame["item"].to_list() == ["b", "a", "c"]
    assert list(Rankings.from_runs(RUNS).to_frame(library).columns) == ["query", "ranker", "item", "rank", "score"]
    sure = stagg.fuse(RUNS, intervals=0.9, draws=20).to_frame(library)
    assert list(sure.columns)[4:] == ["low", "high", "top", "group"]
    with pytest.raises(InvalidParameter, match="frames are of pandas or polars"):
        stagg.fuse(RUNS).to_frame("dask")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_the_ranks_and_scores_of_each_ranker_when_asked(library: str) -> None:
    pytest.importorskip(library)
    frame = stagg.fuse(GIVEN).to_frame(library, by_ranker=True)
    assert frame["bm25_rank"].to_list() == [2, 1, 3]
    assert frame["dense_score"].to_list()[:2] == [0.8, 0.3]
    assert frame["dense_score"].to_list()[2] != frame["dense_score"].to_list()[2]
    with pytest.raises(InvalidParameter, match="by_ranker=True needs the inputs"):
        pickle.loads(pickle.dumps(stagg.fuse(GIVEN))).to_frame(library, by_ranker=True)


def test_results_stream_arrow_to_whoever_reads_it() -> None:
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    fused = stagg.fuse([[1, 2], [2]])
    assert pyarrow.table(fused).equals(fused.to_arrow())
    assert polars.DataFrame(fused)["item"].to_list() == [2, 1]
    duckdb = pytest.importorskip("duckdb")
    best = fused.to_arrow()
    assert duckdb.sql("select max(score) from best").fetchall()[0][0] == fused.hits()[0].score
    assert len(best) == 2


# --- explanations and rank distributions ------------------------------------------------------------------------------


def test_explanations_take_objects_and_come_out_as_dicts_and_frames() -> None:
    why = stagg.explain({"x": [1, 2], "y": [2, 3]}, item=2)
    assert why.item == 2
    assert why.to_dict()["rank"] == 1
    pytest.importorskip("pandas")
    frame = why.to_frame()
    assert frame["ranker"].to_list() == ["x", "y"]
    assert frame["contribution"].sum() == pytest.approx(why.score)


def test_rank_distributions_come_out_as_dicts_and_frames() -> None:
    distributions = stagg.rank_distribution({"x": {"q": {1: 2.0, 2: 1.0}}, "y": {"q": {2: 1.0}}})
    assert distributions.to_dict()["q"].keys() == {1, 2}
    assert sum(distributions["q"].to_dict()[1]) == pytest.approx(1)
    assert distributions["q"].of(2).tolist() == distributions["q"].of("2").tolist()
    pytest.importorskip("polars")
    assert distributions.to_frame("polars").columns == ["query", "item", "rank", "probability"]
    assert distributions["q"].to_frame("polars").height == 4


# --- notebooks --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The tags of a page, which must be closed in order, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = ["<script>alert(1)</script>", "a\x1b[31m", "\u202etxt", "x" * 500, "</table>", "&lt;"]


@pytest.mark.parametrize(
    "shown",
    [
        stagg.fuse({HOSTILE[0]: HOSTILE, "y": HOSTILE[::-1]}),
        stagg.fuse({"x": {HOSTILE[0]: dict.fromkeys(HOSTILE, 1.0)}}, intervals=0.9, draws=10),
        Rankings.from_lists({HOSTILE[0]: HOSTILE, "y": HOSTILE[::-1]}),
        Rankings.from_runs({f"r{k}": {f"q{q}": {f"d{i}": i for i in range(30)} for q in range(5)} for k in range(20)}),
        stagg.fuse([None, ["a"]]),
        stagg.fuse([[], None]),
        stagg.explain({HOSTILE[0]: HOSTILE, "y": HOSTILE[::-1]}, item=HOSTILE[0]),
        stagg.rank_distribution({HOSTILE[0]: HOSTILE, "y": HOSTILE[::-1]}),
        stagg.rank_distribution({HOSTILE[0]: HOSTILE, "y": HOSTILE[::-1]})["1"],
    ],
    ids=[
        "consensus",
        "intervals",
        "inputs",
        "many",
        "absent",
        "nothing",
        "explanation",
        "distributions",
        "distribution",
    ],
)
def test_notebooks_show_tables_in_which_hostile_ids_do_nothing(shown: Any) -> None:
    page = Page(shown._repr_html_())
    assert page.tags <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "p"}
    assert "\x1b" not in page.text
    assert len(page.text) < 20_000


def test_a_notebook_shows_ranks_scores_and_what_is_left_out() -> None:
    text = Page(stagg.fuse(GIVEN | {"title": None})._repr_html_()).text
    for part in ("d2", "rank in bm25", "0.0325225", "Absent: title"):
        assert part in text
    many = Page(Rankings.from_lists([[f"d{k}" for k in range(50)]])._repr_html_()).text
    assert "the first 20 of 50" in many


def test_a_notebook_shows_which_items_of_a_list_tie() -> None:
    shown = stagg.Rankings.from_lists({"ann": ["a", {"b", "c"}], "bob": ["c"]})._repr_html_()
    assert "<bdi>= c</bdi>" in shown
    assert "<bdi>b</bdi>" in shown


@pytest.mark.parametrize(
    "result",
    [
        lambda given: stagg.explain(given, item=7),
        stagg.rank_distribution,
        lambda given: next(iter(stagg.rank_distribution(given))),
    ],
)
def test_explanations_and_rank_distributions_stream_arrow_too(result: Any) -> None:
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    held = result([[7, 8], [8, 7, 9]])
    rows = held.to_arrow().to_pylist()
    assert rows == polars.DataFrame(held).to_dicts() == pyarrow.table(held).to_pylist()


def test_ids_that_arrow_does_not_know_are_text() -> None:
    pytest.importorskip("pyarrow")
    ids = [uuid.UUID(int=1), uuid.UUID(int=2)]
    table = stagg.rank_distribution([ids, ids[::-1]]).to_arrow()
    assert set(table["item"].to_pylist()) == set(map(str, ids))


def test_a_number_of_hits_is_no_query() -> None:
    with pytest.raises(UnknownName, match=r"the only query is '1'; hits\(\) takes a query.*fuse\(\.\.\., top=5\)"):
        stagg.fuse([["a", "b"]]).hits(5)


def test_the_item_above_is_shown_with_its_ranks() -> None:
    why = stagg.explain({"x": ["a", "b"], "y": ["a", "c"]}, item="c")
    assert why.above is not None
    assert (why.above.item, why.above.ranks) == ("a", {"x": 1.0, "y": 1.0})
    assert stagg.explain({"x": ["a", "b"], "y": ["a", "c"]}).item == "a"


def test_the_first_item_is_compared_with_the_one_below_and_a_tie_is_told() -> None:
    why = stagg.explain({"x": ["a", "b", "c"], "y": ["b", "a", "c"]}, "rrf")
    assert (why.item, why.above, why.tied) == ("b", None, ("a",))  # by id, descending
    assert why.below is not None
    assert (why.below.item, why.below.score, why.below.ranks) == ("a", why.score, {"x": 1.0, "y": 2.0})
    plain = why.to_dict()
    assert (plain["below"]["item"], plain["tied"]) == ("a", ["a"])
    assert "tied with 'a': equal scores are ordered by id, descending" in repr(why)
    assert "tied with" in why._repr_html_()
    last = stagg.explain({"x": ["a", "b", "c"], "y": ["b", "a", "c"]}, "rrf", item="c")
    assert (last.below, last.tied) == (None, ())
    assert "tied" not in repr(last)


def test_many_tied_items_are_counted() -> None:
    why = stagg.explain([[{5, 4, 3, 2, 1}]], "rrf")
    assert why.tied == (4, 3, 2, 1)
    assert "tied with '4', '3', '2' and 1 more: " in repr(why)
