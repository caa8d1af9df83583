"""Frames and ids are data from anywhere: there is a result that is right, or an error of ours in one line."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, StaggError, fuse

HALF = "\ud800"  # half a surrogate pair: Python text that no UTF-8 holds
SCORES = pa.array([2.0, 1.0])


def text_array(offsets: list[int], data: bytes) -> pa.Array:
    """Text made of buffers, as a hostile or broken library could make it."""
    buffer = pa.py_buffer(np.array(offsets, dtype=np.int32).tobytes())
    return pa.StringArray.from_buffers(len(offsets) - 1, buffer, pa.py_buffer(data))


def indexed(numbers: list[int], values: pa.Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), values, safe=False)


# --- streams and tables -----------------------------------------------------------------------------------------------


def test_a_stream_that_breaks_off_is_an_error_that_names_the_cause() -> None:
    batch = pa.record_batch({"item": ["a"], "score": [1.0]})

    def batches() -> Iterator[pa.RecordBatch]:
        yield batch
        raise ValueError("the disk is gone")

    with pytest.raises(DataError, match="the disk is gone") as caught:
        fuse(pa.RecordBatchReader.from_batches(batch.schema, batches()))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "item",
    [indexed([0, 7], pa.array(["a", "b"])), indexed([0, -3], pa.array(["a", "b"])), text_array([0, 1, 2], b"\xff\xfe"),
     indexed([0, 1], text_array([0, 1, 2], b"\xff\xfe")), text_array([0, 10**6, 2], b"ab"),
     text_array([0, -5, 2], b"ab"), indexed([0, 1], text_array([0, 10**6, 2], b"ab"))],
    ids=["index too large", "index negative", "no UTF-8", "no UTF-8 in a dictionary", "offset too large",
         "offset negative", "offset too large in a dictionary"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["item", "score", "query"])
def test_a_damaged_arrow_column_is_an_error_that_names_the_column(item: pa.Array, role: str) -> None:
    """Offsets outside of their buffer ended the process."""
    columns = {"item": pa.array(["a", "b"]), "score": SCORES} | {role: item}
    with pytest.raises(DataError, match=f"the column '{role}'") as caught:
        fuse(pa.table(columns))
    assert "\n" not in str(caught.value)


def test_a_column_that_has_two_roles_is_read_with_the_same_care() -> None:
    frame = pd.DataFrame({"id": [1, 2], "score": [1.0, 2.0]})
    for table in (frame, pa.table({"id": [1, 2]}), pl.DataFrame({"id": [1, 2]})):
        assert Rankings.from_frame(table, item="id", score="id").best_first() == [2, 1]
    damaged = pa.table({"id": text_array([0, 10**6, 2], b"ab"), "score": SCORES})
    with pytest.raises(DataError, match="the column 'id'"):
        Rankings.from_frame(damaged, item="id", query="id")


def test_a_slice_of_a_table_is_read_from_its_own_offsets() -> None:
    table = pa.table({"item": ["x", "a", "b", "y"], "score": [9.0, 2.0, 1.0, 0.0]})
    assert fuse(table.slice(1, 2)).best_first() == ["a", "b"]
    assert fuse(table.slice(1, 0)).queries == ()


# --- columns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame([["a", 1, 2]], columns=["item", "score", "score"]),
     pd.DataFrame([["a", "b", 2]], columns=["item", "item", "score"]),
     pa.table([["a"], ["b"], [1]], names=["item", "item", "score"]),
     pa.table([["a"], [1], [1]], names=["item", "score", "score"])],
)  # fmt: skip
def test_two_columns_of_one_name_are_refused(frame: Any) -> None:
    with pytest.raises(DataError, match=r"2 columns named '(item|score)'"):
        fuse(frame)


def test_two_columns_of_one_name_that_is_not_read_do_no_harm() -> None:
    frame = pd.DataFrame([["a", 0, 2, 0], ["b", 0, 1, 0]], columns=["item", "note", "score", "note"])
    assert fuse(frame).best_first() == ["a", "b"]


def test_columns_that_are_numbered_can_be_named_by_number() -> None:
    frame = pd.DataFrame([["b", 1], ["a", 2]])
    assert Rankings.from_frame(frame, item=0, score=1).best_first() == ["a", "b"]
    assert Rankings.from_frame(frame, item="0", score="1").best_first() == ["a", "b"]
    assert frame.columns.tolist() == [0, 1]  # the caller's frame stays as it is


@pytest.mark.parametrize("name", [["item"], 1.5, True, ("item",), 7])
def test_a_column_that_is_named_by_something_else_is_refused(name: Any) -> None:
    with pytest.raises(StaggError, match="column"):
        Rankings.from_frame(pd.DataFrame({"item": ["a"], "score": [1]}), item=name)


@pytest.mark.parametrize("given", [pd.Series([1, 2]), pl.Series([1, 2]), None, [1, 2], {"item": ["a"]}, 7, np.eye(2)])
def test_what_has_no_columns_is_no_frame(given: Any) -> None:
    with pytest.raises(InvalidParameter, match="expected a frame with named columns"):
        Rankings.from_frame(given)


# --- cells ------------------------------------------------------------------------------------------------------------


def _frame_of_polars(columns: dict[str, Any]) -> pl.DataFrame:
    try:
        return pl.DataFrame(columns, strict=False)
    except OverflowError:
        pytest.skip("this version of Polars has no numbers beyond 64 bits")


@pytest.mark.parametrize("make", [pd.DataFrame, _frame_of_polars], ids=["pandas", "polars"])
def test_whole_numbers_beyond_64_bits_are_scores_as_good_as_any(make: Callable[[Any], Any]) -> None:
    made = Rankings.from_frame(make({"item": ["b", "a"], "score": [1, 10**30]}))
    assert [(hit.item, hit.score) for hit in made.hits()] == [("a", 1e30), ("b", 1.0)]


@pytest.mark.parametrize("make", [pd.DataFrame, _frame_of_polars], ids=["pandas", "polars"])
def test_whole_numbers_beyond_64_bits_are_ids_as_good_as_any(make: Callable[[Any], Any]) -> None:
    assert fuse(make({"item": [10**30, 1], "score": [2, 1]})).best_first() == [10**30, 1]


@pytest.mark.parametrize(
    ("score", "match"),
    [(pd.Series([10**400], dtype=object), "beyond 1e308"), (pd.Series([None]).astype("category"), "finite"),
     (pd.Series([HALF], dtype=object), "does not hold numbers")],
)  # fmt: skip
def test_a_score_that_is_no_finite_number_is_refused(score: Any, match: str) -> None:
    with pytest.raises(DataError, match=match):
        fuse(pd.DataFrame({"item": ["a"], "score": score}))


def test_an_id_with_half_a_surrogate_pair_is_read_from_a_frame_of_objects() -> None:
    frame = pd.DataFrame({"item": [HALF, "a"], "score": [2, 1]}, dtype=object)
    assert fuse(frame).best_first() == [HALF, "a"]


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame], ids=["pyarrow", "pandas", "polars"])
@pytest.mark.parametrize("role", ["item", "score"])
def test_a_column_of_lists_is_refused(make: Callable[[Any], Any], role: str) -> None:
    columns: dict[str, Any] = {"item": ["a", "b"], "score": [2.0, 1.0]}
    with pytest.raises(DataError, match=r"found \[1, 2\]|does not hold numbers"):
        fuse(make(columns | {role: [[1, 2], [3, 4]]}))


def test_complex_scores_are_refused() -> None:
    with pytest.raises(DataError, match="does not hold numbers"):
        fuse(pd.DataFrame({"item": ["a"], "score": [1j]}))


# --- results leave ----------------------------------------------------------------------------------------------------


def test_a_pandas_frame_holds_an_id_with_half_a_surrogate_pair() -> None:
    assert fuse([[HALF, "a"]]).to_frame("pandas")["item"].tolist() == [HALF, "a"]


@pytest.mark.parametrize("leave", [Rankings.to_arrow, lambda fused: fused.to_frame("polars"), pa.table])
def test_tables_of_utf8_refuse_an_id_with_half_a_surrogate_pair_and_say_why(leave: Callable[[Any], Any]) -> None:
    with pytest.raises(DataError, match="half a surrogate pair"):
        leave(fuse([[HALF, "a"]]))


@pytest.mark.parametrize(
    "lists", [[["a"], [1]], [[10**400]], [[1, 10**400]], [[1], [uuid.UUID(int=7)]], [["a"], [uuid.UUID(int=7)]]]
)
def test_ids_that_fit_into_no_single_type_of_polars_are_text(lists: list[list[Any]]) -> None:
    fused = fuse(lists)
    texts = [str(item) for item in fused.best_first()]
    assert fused.to_frame("polars")["item"].to_list() == texts
    assert fused.to_arrow()["item"].to_pylist() == texts
    assert fused.to_frame("pandas")["item"].tolist() == fused.best_first()


# --- lists and labels -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [1, np.int64(1)])
def test_the_query_of_some_lists_can_be_a_whole_number(query: Any) -> None:
    made = Rankings.from_lists([["a"]], query=query)
    assert made.queries == ("1",)
    assert made.to_dict() == Rankings.from_scores([{"a": 1}], query=query).replace(scores=None).to_dict()


def test_an_empty_tuple_in_a_list_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="place 2: an empty tuple is not an id"):
        fuse([["a", ()]])


@pytest.mark.parametrize("pair", [("a", 10**400), (10**400, "a"), (10**400, 10**400)])
def test_a_pair_with_a_number_too_large_is_refused_in_one_line(pair: tuple[Any, Any]) -> None:
    with pytest.raises(StaggError) as caught:
        fuse([["b", pair]])
    assert "\n" not in str(caught.value)


class Unprintable:
    """An object that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize("item", [10**5000, Unprintable()], ids=["5,001 digits", "str() raises"])
def test_an_id_that_python_cannot_print_is_refused(item: Any) -> None:
    with pytest.raises(DataError, match="ids are text or whole numbers"):
        fuse([[item]])
    with pytest.raises(DataError, match="ids are text or whole numbers"):
        Rankings.from_lists([["a"]], query=item)


@pytest.mark.parametrize("grade", [10**400, 1001, float("inf")])
def test_a_label_that_is_too_large_is_refused(grade: Any) -> None:
    with pytest.raises(DataError, match="expected a number up to 1000"):
        Labels({"q": {"a": grade}})
