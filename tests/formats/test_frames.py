"""Frames as tables of cells: the index of pandas, missing cells, lists, verdicts, ids that are whole numbers."""

from __future__ import annotations

from typing import Any

import pytest

import stagg
from stagg import DataError, InvalidParameter, Rankings
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.tables.sources.frames import read_frame

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


def read(frame: Any, **options: Any) -> tuple[Rankings, list[str]]:
    log = ReadLog()
    rankings = read_frame(frame, ReadOptions(**options), log).rankings
    assert log.rows_used == len(rankings.entries)
    return rankings, log.notes


def orders(frame: Any, **options: Any) -> dict[str, list[str]]:
    rankings, _ = read(frame, **options)
    return {ranker: rankings.best_first(ranker=ranker) for ranker in rankings.rankers}


# --- the index of pandas ----------------------------------------------------------------------------------------------


def test_an_index_with_a_name_is_a_column() -> None:
    scores = pandas.DataFrame({"score": [1.0, 2.0]}, index=pandas.Index(["a", "b"], name="item"))
    assert orders(scores) == {"1": ["b", "a"]}
    queries = pandas.DataFrame({"item": ["a", "a"], "score": [1.0, 2.0]}, index=pandas.Index(["q", "p"], name="query"))
    assert read(queries)[0].queries == ("q", "p")


def test_the_levels_of_an_index_are_columns() -> None:
    index = pandas.MultiIndex.from_tuples([("q1", "a"), ("q1", "b"), ("q2", "a")], names=["query_id", "doc_id"])
    wide = pandas.DataFrame({"bm25": [7.5, 9.5, 3.5], "dense": [0.75, float("nan"), 0.5]}, index=index)
    rankings, _ = read(wide)
    assert rankings.to_dict()["q1"] == {"bm25": {"b": 9.5, "a": 7.5}, "dense": {"a": 0.75}}


def test_an_index_whose_name_is_a_column_is_not_read_twice() -> None:
    frame = pandas.DataFrame({"item": ["a", "b"], "score": [1, 2]}).set_index("item", drop=False)
    assert orders(frame) == {"1": ["b", "a"]}


@pytest.mark.parametrize("index", [["a", "b"], [101, 205]])
def test_an_index_without_a_name_is_a_column_where_it_holds_the_ids(index: list[Any]) -> None:
    frame = pandas.DataFrame({"bm25": [1.5, 2.5], "dense": [0.5, 0.25]}, index=index)
    assert orders(frame, layout="wide", values="score") == {
        "bm25": [str(index[1]), str(index[0])],
        "dense": [str(index[0]), str(index[1])],
    }


def test_numbers_of_rows_that_were_filtered_are_no_column() -> None:
    frame = pandas.DataFrame({"voter": ["x", "ann", "bob"], "A": [9, 1, 2], "B": [9, 2, 1]})
    assert orders(frame[frame["A"] < 9]) == {"ann": ["A", "B"], "bob": ["B", "A"]}


def test_frames_that_were_put_together_are_told_apart_by_their_keys() -> None:
    bm25 = pandas.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2, 1]})
    dense = pandas.DataFrame({"qid": ["1", "1"], "docno": ["b", "c"], "score": [2, 1]})
    both = pandas.concat({"bm25": bm25, "dense": dense})
    rankings, notes = read(both)
    assert rankings.rankers == ("bm25", "dense")
    assert notes == ["frame: the index was read as the ranker: without it, lists would hold an item twice"]
    with pytest.raises(DataError, match=r"what does it hold\? say columns={'ranker': '1'}, columns={'query': '1'}"):
        read(both.rename(columns={"docno": "item"}).drop(columns="qid"))
    plain = both.rename(columns={"docno": "item"}).drop(columns="qid")
    assert orders(plain, columns={"ranker": "1"}) == {"bm25": ["a", "b"], "dense": ["b", "c"]}


def test_a_column_that_alone_tells_rows_apart_names_the_rankers() -> None:
    frame = pandas.DataFrame(
        {"name": ["x", "x", "y"], "qid": ["1", "1", "1"], "docno": ["a", "b", "a"], "score": [2.0, 1.0, 3.0]}
    )
    rankings, notes = read(frame)
    assert rankings.rankers == ("x", "y")
    assert "the column 'name' was read as the ranker" in notes[0]
    with pytest.raises(DataError, match="appears twice in one list: rows 1 and 3"):
        read(frame.assign(other=["p", "p", "q"]))  # two columns tell them apart
    assert read(frame, columns={"ignore": "name"}, duplicates="best")[0].best_first() == ["a", "b"]


def test_names_of_several_levels_become_one() -> None:
    long = pandas.DataFrame({"m": ["x", "x", "y"], "item": ["a", "b", "a"], "score": [0.5, 1.5, 2.5]})
    assert orders(long.pivot(index="item", columns="m"), values="score") == {"x": ["b", "a"], "y": ["a"]}


# --- cells ------------------------------------------------------------------------------------------------------------


def test_missing_cells_are_empty_and_whole_numbers_have_no_point() -> None:
    grid = pandas.DataFrame({"voter": ["ann", "bob"], "A": [1, None], "B": [2, 1], "C": [3, pandas.NA]})
    assert orders(grid) == {"ann": ["A", "B", "C"], "bob": ["B"]}
    assert orders(polars.from_pandas(grid.astype({"C": "Int64"}))) == {"ann": ["A", "B", "C"], "bob": ["B"]}


def test_a_score_that_is_missing_is_told_with_its_row() -> None:
    frame = pandas.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, None]})
    with pytest.raises(DataError, match=r"row 2: the score is empty.*lenient=True leaves such rows out") as refused:
        read(frame)
    assert refused.value.file is None
    log = ReadLog()
    assert read_frame(frame, ReadOptions(lenient=True), log).rankings.best_first() == ["a"]
    assert log.summary() == "2 rows read, 1 used, 1 dropped: empty score 1 (first at frame, row 2)"


@pytest.mark.parametrize("cell", [b"a", {"x": 1}, {1, 2}, 1j, [["a"]]])
def test_what_is_no_cell_is_refused_by_the_name_of_its_column(cell: Any) -> None:
    with pytest.raises(DataError, match="the column 'voter' holds a cell of type"):
        read(pandas.DataFrame({"voter": [cell, cell], "A": [1, 2], "B": [2, 1]}))


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_lists_of_ids_are_choices(make: Any) -> None:
    frame = make({"voter": ["ann", "bob", "cy"], "ranking": [["a", "b", "c"], ["b", "a"], None]})
    rankings, notes = read(frame)
    assert rankings.best_first(ranker="ann") == ["a", "b", "c"]
    assert rankings.best_first(ranker="bob") == ["b", "a"]
    assert "the lists of the column 'ranking' were read as choices, best first" in notes[0]


def test_a_name_that_pandas_made_up_is_no_name() -> None:
    frame = pandas.DataFrame({"Unnamed: 0": [0, 1], "item": ["a", "b"], "bm25": [1.5, 2.5], "dense": [0.5, 0.25]})
    rankings, notes = read(frame)
    assert rankings.rankers == ("bm25", "dense")
    assert any("ignored column 1, which has no name" in note for note in notes)


# --- verdicts ---------------------------------------------------------------------------------------------------------

WORDS = ["poor", "fair", "good"]
RATINGS = {"reviewer": ["ann", "ann", "bob"], "proposal": ["p", "q", "p"], "rating": ["fair", "good", "poor"]}


def _as_pandas() -> Any:
    return pandas.DataFrame(RATINGS).astype({"rating": pandas.CategoricalDtype(WORDS, ordered=True)})


@pytest.mark.parametrize(
    "frame",
    [_as_pandas(), pyarrow.Table.from_pandas(_as_pandas()),
     polars.DataFrame(RATINGS, schema_overrides={"rating": polars.Enum(WORDS)})],
    ids=["pandas", "pyarrow", "polars"],
)  # fmt: skip
def test_verdicts_in_order_are_scores(frame: Any) -> None:
    rankings, notes = read(frame)
    assert rankings.best_first(ranker="ann") == ["q", "p"]
    assert "the ordered column 'rating' was read as numbers: 'poor' = 1, 'fair' = 2, 'good' = 3" in notes[0]


def test_a_grid_of_verdicts_is_never_read_as_ranks() -> None:
    kind = pandas.CategoricalDtype(WORDS, ordered=True)
    frame = pandas.DataFrame({"voter": ["a", "b"], "X": ["poor", "fair"], "Y": ["fair", "poor"]})
    assert orders(frame.astype({"X": kind, "Y": kind})) == {"a": ["Y", "X"], "b": ["X", "Y"]}


def test_ids_that_are_an_ordered_categorical_stay_ids() -> None:
    frame = pandas.DataFrame({"voter": ["a", "a"], "film": ["fair", "good"], "rank": [2, 1]})
    frame["film"] = frame["film"].astype(pandas.CategoricalDtype(WORDS, ordered=True))
    assert orders(frame, columns={"ranker": "voter", "item": "film"}) == {"a": ["good", "fair"]}


# --- options and ids --------------------------------------------------------------------------------------------------


def test_whole_numbers_come_back_as_such_where_their_column_is_known() -> None:
    wide = pandas.DataFrame({"item": [7, 8], "bm25": [0.5, 1.5], "dense": [2.5, None]})
    assert read(wide, values="score")[0].to_dict() == {"1": {"bm25": {8: 1.5, 7: 0.5}, "dense": {7: 2.5}}}
    long = [{"topic": 1, "product": 7, "sim": 0.5}]
    named = {"query": "topic", "item": "product", "score": "sim"}
    assert read(long, columns=named)[0].to_dict() == {1: {7: 0.5}}


def test_order_by_chooses_the_column_of_a_frame() -> None:
    frame = {"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, 2.0], "rank": [1, 2]}
    assert read(pandas.DataFrame(frame), order_by="rank")[0].best_first() == ["a", "b"]
    assert read(pandas.DataFrame(frame), order_by="score")[0].best_first() == ["b", "a"]
    with pytest.raises(DataError, match="there is no column 'rank' to order by"):
        read(pandas.DataFrame(frame).drop(columns="rank"), order_by="rank")
    assert read(pandas.DataFrame(frame), columns={"score": ""})[0].best_first() == ["a", "b"]


@pytest.mark.parametrize("options", [{"sheet": "1"}, {"delimiter": ";"}, {"outer": "query"}, {"header": False}])
def test_options_of_files_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match="for files"):
        read(pandas.DataFrame({"item": ["a"], "score": [1]}), **options)


def test_a_column_that_is_not_there_is_an_error_with_the_nearest() -> None:
    with pytest.raises(DataError, match=r"there is no column 'scor' for score; .* did you mean 'score2'"):
        stagg.read([{"id": "a", "score2": 1}], columns={"item": "id", "score": "scor"})
