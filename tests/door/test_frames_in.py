"""Frames of every library go in as they are; integer ids come back as integers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

import stagg
from stagg import DataError, InvalidParameter, Rankings

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

COLUMNS = {
    "query": [7, 7, 7, 8],
    "ranker": ["bm25", "bm25", "dense", "dense"],
    "item": [31, 12, 12, 40],
    "score": [9.0, 8.5, 0.7, 0.2],
}


class OnlyAStream:
    """What knows nothing but Arrow's stream."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.table = pyarrow.table(columns)
        self.schema = self.table.schema

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "lazy polars": polars.LazyFrame,
    "pyarrow table": pyarrow.table,
    "pyarrow batch": pyarrow.RecordBatch.from_pydict,
    "pyarrow reader": lambda columns: pyarrow.table(columns).to_reader(),
    "duckdb": lambda columns: duckdb.from_arrow(pyarrow.table(columns)),
    "a stream": OnlyAStream,
}


@pytest.mark.parametrize("kind", MAKERS)
def test_every_kind_of_frame_is_fused_and_whole_numbers_come_back(kind: str) -> None:
    fused = stagg.fuse(MAKERS[kind](COLUMNS))
    assert [(hit.item, hit.ranks) for hit in fused.hits(7)] == [(12, {"bm25": 2, "dense": 1}), (31, {"bm25": 1})]
    assert fused.to_dict().keys() == {7, 8}
    assert fused.to_arrow()["item"].to_pylist() == [12, 31, 40]
    assert str(fused.to_arrow()["query"].type) == "int64"


@pytest.mark.parametrize("kind", MAKERS)
def test_the_query_and_the_ranker_may_be_missing(kind: str) -> None:
    fused = stagg.fuse(MAKERS[kind]({"item": ["a", "b"], "rank": [2, 1]}))
    assert fused.best_first() == ["b", "a"]
    assert fused.queries == ("1",)


@pytest.mark.parametrize("kind", MAKERS)
def test_errors_name_the_columns_in_words(kind: str) -> None:
    with pytest.raises(DataError) as refused:
        stagg.fuse(MAKERS[kind]({"qid": ["secret"], "docno": ["d1"], "weight": [1.0]}))
    assert "its columns are 'qid', 'docno', 'weight'" in str(refused.value)
    assert "columns={'query': 'qid', 'item': 'docno', 'score': 'weight'}" in str(refused.value)
    assert refused.value.file is None
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_column_that_can_only_be_the_query_is_the_query(kind: str) -> None:
    assert stagg.fuse(MAKERS[kind]({"qid": ["q"], "item": ["a"], "score": [1.0]})).queries == ("q",)
    named = Rankings.from_frame(MAKERS[kind]({"qid": ["q"], "item": ["a"], "score": [1.0]}), query="qid")
    assert named.queries == ("q",)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_column_that_can_hardly_be_anything_else_is_the_ranker_with_a_word(kind: str) -> None:
    columns = {"system": ["s"], "item": ["a"], "score": [1.0]}
    with pytest.warns(stagg.DataWarning, match="'system' was read as ranker"):
        assert stagg.read(MAKERS[kind](columns)).rankers == ("s",)
    assert stagg.read(MAKERS[kind](columns), columns={"ranker": "system"}).rankers == ("s",)


@pytest.mark.parametrize("kind", MAKERS)
def test_an_empty_id_is_an_error_with_its_row(kind: str) -> None:
    with pytest.raises(DataError, match="row 2: the item id is empty"):
        stagg.fuse(MAKERS[kind]({"item": ["a", ""], "score": [1.0, 2.0]}))


@pytest.mark.parametrize("kind", MAKERS)
def test_duplicates_are_kept_as_asked(kind: str) -> None:
    columns = {"item": [7, 8, 7], "score": [1.0, 2.0, 3.0]}
    with pytest.raises(DataError, match=r"appears twice in one list: rows 1 and 3; .*duplicates="):
        stagg.fuse(MAKERS[kind](columns))
    assert stagg.fuse(MAKERS[kind](columns), duplicates="best").best_first() == [7, 8]
    assert stagg.fuse(MAKERS[kind](columns), duplicates="first").best_first() == [8, 7]


def test_the_case_of_the_usual_names_does_not_matter() -> None:
    assert stagg.fuse(pandas.DataFrame({"Item": ["a", "b"], "Score": [1, 2]})).best_first() == ["b", "a"]


def test_a_duckdb_query_is_fused_as_it_stands() -> None:
    hits = duckdb.sql("select * from (values ('x', 'd1', 1), ('x', 'd2', 2), ('y', 'd2', 1)) t(ranker, item, rank)")
    assert stagg.fuse(hits).best_first() == ["d2", "d1"]


def test_one_frame_per_ranker_is_fused_side_by_side() -> None:
    bm25 = pandas.DataFrame({"item": [1, 2], "score": [2.0, 1.0]})
    dense = polars.DataFrame({"item": [2, 3], "score": [0.5, 0.4]})
    fused = stagg.fuse({"bm25": bm25, "dense": dense, "title": None})
    assert fused.best_first() == [2, 1, 3]
    assert fused.absent == ("title",)
    with pytest.raises(InvalidParameter, match="give all of them as frames"):
        stagg.fuse({"bm25": bm25, "dense": ["a"]})


@pytest.mark.parametrize("kind", ["int8", "uint64", "int32"])
def test_integer_types_come_back_as_they_were(kind: str) -> None:
    table = pyarrow.table({"item": pyarrow.array([3, 5], kind), "score": [1.0, 2.0]})
    assert str(stagg.fuse(table).to_arrow()["item"].type) == kind


def test_uuids_in_a_pandas_column_come_back() -> None:
    one, other = uuid.UUID(int=1), uuid.UUID(int=2)
    frame = pandas.DataFrame({"item": [one, other], "score": [1.0, 2.0]})
    assert [hit.item for hit in stagg.fuse(frame).hits()] == [other, one]


def test_dates_and_other_values_of_arrow_are_ids() -> None:
    frame = polars.DataFrame({"item": ["2024-01-02", "2024-01-01"], "score": [1.0, 2.0]}).with_columns(
        polars.col("item").str.to_date()
    )
    assert [str(item) for item in stagg.fuse(frame).best_first()] == ["2024-01-01", "2024-01-02"]


def test_a_frame_without_arrow_is_read_column_by_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagg.data.inputs.frames.table_of_frame", lambda frame, columns: None)
    for kind in ("pandas", "polars", "lazy polars"):
        fused = stagg.fuse(MAKERS[kind](COLUMNS))
        assert [hit.item for hit in fused.hits(7)] == [12, 31]


@pytest.mark.parametrize(
    ("columns", "remedy"),
    [
        ({"id": ["x"], "weight": [0.5]}, "columns={'item': 'id', 'score': 'weight'}"),
        ({"item": ["x", "y"], "bm25": [1, 2], "dense": [2, 1]}, "values='score'"),
        ({"lab1": ["x", "y"], "lab2": ["y", "x"]}, "layout='columns'"),
    ],
)
def test_a_frame_that_may_mean_two_things_is_refused_with_the_options_that_read_it(
    columns: dict[str, list[Any]], remedy: str
) -> None:
    with pytest.raises(DataError) as refused:
        stagg.fuse(pandas.DataFrame(columns))
    assert remedy in str(refused.value)


def test_a_verb_that_takes_no_layout_says_where_a_frame_of_another_layout_is_read() -> None:
    with pytest.raises(DataError, match=r"no column 'item'.*stagg\.read\(frame\)"):
        stagg.elect(pandas.DataFrame({"voter": ["ann"], "A": [1], "B": [2]}))


def test_a_frame_of_another_layout_is_fused_as_a_spreadsheet_is() -> None:
    grid = pandas.DataFrame({"voter": ["ann", "bob"], "A": [1, 2], "B": [2, 1], "C": [3, None]})
    with pytest.warns(stagg.DataWarning, match="read as ranks"):
        assert stagg.fuse(grid).hits()[0].ranks == {"ann": 2, "bob": 1}
    assert stagg.fuse(grid, layout="grid", values="score").hits()[0].ranks == {"ann": 3, "bob": 1}
    wide = pandas.DataFrame({"item": [7, 8], "bm25": [0.5, 7.25], "dense": [2.5, None]})
    with pytest.warns(stagg.DataWarning, match="read as scores"):
        assert stagg.fuse(wide).best_first() == [7, 8]
    lists = pandas.DataFrame({"lab1": ["x", "y"], "lab2": ["y", None]})
    assert stagg.fuse(lists, layout="columns").best_first() == ["y", "x"]


def test_layout_and_columns_are_for_frames() -> None:
    with pytest.raises(InvalidParameter, match="this is no frame"):
        stagg.fuse([["a", "b"]], layout="grid")
    with pytest.raises(InvalidParameter, match="layout is one of"):
        stagg.fuse(pandas.DataFrame({"item": ["a"], "score": [1]}), layout="round")
    with pytest.raises(InvalidParameter, match=r"format='csv' is for files"):
        stagg.read(pandas.DataFrame({"item": ["a"], "score": [1]}), format="csv")


def test_frames_of_one_ranker_each_may_have_other_names() -> None:
    frames = {name: pandas.DataFrame({"qid": ["1"], "docno": [name], "score": [1.0]}) for name in ("bm25", "dense")}
    assert stagg.fuse(frames).best_first() == ["dense", "bm25"]


def test_an_option_that_only_read_takes_is_said_to_be_one() -> None:
    frame = pandas.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, None]})
    with pytest.raises(DataError, match=r"row 2: .*lenient=True.*fuse\(stagg\.read\(frame, lenient=…\)\)"):
        stagg.fuse(frame)
    with pytest.warns(stagg.DataWarning, match="1 dropped"):
        assert stagg.fuse(stagg.read(frame, lenient=True)).best_first() == ["a"]
