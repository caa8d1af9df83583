"""pandas and Polars: frames in, frames of the same library out, under the names that they came with."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import stagg
from stagg import DataError, InvalidParameter, Labels, MissingExtra, Rankings
from stagg.integrations.frames import fuse_frame, labels_from_frame, to_frame

MAKERS = {"pandas": pandas.DataFrame, "polars": polars.DataFrame}


def random_columns(seed: int = 0) -> dict[str, list[Any]]:
    """Three systems, two topics, whole numbers as ids of documents."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {"system": [], "topic": [], "doc": [], "weight_of_evidence": []}
    for system in ("bm25", "dense", "splade"):
        for topic in ("t2", "t10"):
            listed = rng.permutation(30)[: rng.integers(4, 15)]
            columns["system"] += [system] * len(listed)
            columns["topic"] += [topic] * len(listed)
            columns["doc"] += listed.tolist()
            columns["weight_of_evidence"] += rng.normal(size=len(listed)).tolist()
    return columns


NAMES = {"query": "topic", "item": "doc", "ranker": "system", "score": "weight_of_evidence"}


@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("method", ["rrf(c=60)", "combsum", "stagg_rrf"])
def test_a_frame_is_fused_as_its_rankings_are(library: str, method: str) -> None:
    frame = MAKERS[library](random_columns())
    fused = fuse_frame(frame, method, **NAMES, weights={"bm25": 2.0}, top=5)
    direct = stagg.fuse(Rankings.from_frame(frame, **NAMES), method, weights={"bm25": 2.0}, top=5).to_columns()
    assert isinstance(fused, MAKERS[library])
    assert list(fused.columns) == ["topic", "doc", "rank", "weight_of_evidence"]
    assert fused["topic"].to_list() == direct["query"]
    assert fused["doc"].to_list() == [int(item) for item in direct["item"]]
    assert fused["rank"].to_list() == direct["rank"]
    assert fused["weight_of_evidence"].to_list() == direct["score"]


def test_both_libraries_say_the_same() -> None:
    ours = [fuse_frame(make(random_columns()), **NAMES) for make in MAKERS.values()]
    assert ours[0].to_dict("list") == ours[1].to_dict(as_series=False)


@pytest.mark.parametrize("dtype", ["int64", "uint8", "Int64", "category", "object", "str"])
def test_pandas_ids_come_back_in_their_type(dtype: str) -> None:
    frame = pandas.DataFrame(random_columns()).astype({"doc": dtype})
    fused = fuse_frame(frame, **NAMES)
    assert fused["doc"].dtype == frame["doc"].dtype
    assert len(fused.merge(frame, on=["topic", "doc"])) == len(frame)


@pytest.mark.parametrize("dtype", [polars.Int16, polars.UInt64, polars.String, polars.Categorical])
def test_polars_ids_come_back_in_their_type(dtype: Any) -> None:
    numbers = polars.DataFrame(random_columns())
    if dtype is polars.Categorical:
        numbers = numbers.with_columns(polars.col("doc").cast(polars.String))
    frame = numbers.with_columns(polars.col("doc").cast(dtype))
    fused = fuse_frame(frame, **NAMES)
    assert fused.schema["doc"] == frame.schema["doc"]
    assert len(fused.join(frame, on=["topic", "doc"])) == len(frame)


@pytest.mark.parametrize("library", MAKERS)
def test_a_rank_column_orders_where_there_is_no_score(library: str) -> None:
    frame = MAKERS[library]({"query": 1, "ranker": ["x", "x", "y"], "item": ["a", "b", "b"], "place": [2, 1, 5]})
    fused = fuse_frame(frame, "borda", rank="place")
    assert list(fused.columns) == ["query", "item", "place", "score"]
    assert fused["item"].to_list() == ["b", "a"]
    assert fused["place"].to_list() == [1, 2]


def test_a_lazy_frame_is_collected() -> None:
    frame = polars.DataFrame(random_columns())
    assert fuse_frame(frame.lazy(), **NAMES)["doc"].to_list() == fuse_frame(frame, **NAMES)["doc"].to_list()


@pytest.mark.parametrize("library", MAKERS)
def test_the_query_and_the_ranker_can_be_left_out(library: str) -> None:
    frame = MAKERS[library]({"item": [3, 1, 2], "score": [0.5, 2.0, 1.0]})
    assert list(fuse_frame(frame, "borda").columns) == ["item", "rank", "score"]
    assert fuse_frame(frame, "borda")["item"].to_list() == [1, 2, 3]


@pytest.mark.parametrize("library", MAKERS)
def test_a_column_of_the_frame_cannot_have_the_name_of_one_that_the_method_adds(library: str) -> None:
    frame = MAKERS[library]({"q": ["1", "1"], "who": ["x", "y"], "item": ["a", "b"], "score": [2.0, 1.0]})
    assert list(fuse_frame(frame, "rra", ranker="who").columns)[-2:] == ["p", "q"]
    with pytest.raises(InvalidParameter, match="two columns of the result have the same name: 'q'; rename"):
        fuse_frame(frame, "rra", query="q", ranker="who")


@pytest.mark.parametrize("library", MAKERS)
def test_intervals_are_columns(library: str) -> None:
    fused = fuse_frame(MAKERS[library](random_columns()), **NAMES, intervals=0.9, draws=50)
    assert list(fused.columns)[4:] == ["low", "high", "top", "group"]
    assert (fused["low"] <= fused["rank"]).all()
    assert (fused["rank"] <= fused["high"]).all()


@pytest.mark.parametrize("library", MAKERS)
def test_a_frame_without_rows_gives_one_without_rows_and_the_same_types(library: str) -> None:
    frame = MAKERS[library](random_columns())
    some, none = fuse_frame(frame, **NAMES), fuse_frame(frame[:0], **NAMES)
    assert len(none) == 0
    assert list(some.dtypes) == list(none.dtypes)


@pytest.mark.parametrize("library", MAKERS)
def test_rankings_survive_the_way_through_a_frame(library: str) -> None:
    rankings = Rankings.from_frame(MAKERS[library](random_columns(4)), **NAMES)
    assert Rankings.from_frame(to_frame(rankings, library, **NAMES), **NAMES) == rankings


@pytest.mark.parametrize("library", MAKERS)
def test_labels_come_from_columns(library: str) -> None:
    frame = MAKERS[library]({"qid": ["1", "1", "2"], "docno": [7, 8, 7], "rel": [0, 3, -1]})
    assert labels_from_frame(frame, query="qid", item="docno", label="rel") == Labels({"1": {"7": 0, "8": 3}, "2": {}})


def test_labels_come_from_a_lazy_frame() -> None:
    frame = polars.LazyFrame({"query": ["1", "1"], "item": ["a", "b"], "label": [0, 3]})
    assert labels_from_frame(frame) == Labels({"1": {"a": 0, "b": 3}})


def test_two_different_labels_of_an_item_are_refused() -> None:
    frame = pandas.DataFrame({"query": "q", "item": ["a", "b", "a"], "label": [1, 0, 2]})
    with pytest.raises(DataError, match="row 3: query 'q', item 'a': labels 1 and 2"):
        labels_from_frame(frame)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda frame: fuse_frame(frame, **(NAMES | {"query": "topc"})), "no column 'topc'; did you mean 'topic'"),
        (lambda frame: fuse_frame(frame.rename(columns={"topic": "query", "doc": "item"})), "no column 'ranker'"),
        (lambda frame: labels_from_frame(frame, query="topic", item="doc", label="lable"), "no column 'lable'"),
        (lambda frame: fuse_frame(frame.to_dict("list")), "expected a pandas or Polars frame"),
        (lambda frame: fuse_frame(frame["doc"]), "expected a pandas or Polars frame"),
        (lambda frame: to_frame(Rankings.from_frame(frame, **NAMES), "dask"), "frames are of pandas or polars"),
        (lambda frame: fuse_frame(frame, **(NAMES | {"score": "topic"})), "'topic' does not hold numbers"),
        (lambda frame: to_frame(Rankings.from_frame(frame, **NAMES), query="x", item="x"), "the same name"),
    ],
)
def test_errors_say_what_to_do(call: Any, message: str) -> None:
    with pytest.raises((DataError, InvalidParameter), match=message):
        call(pandas.DataFrame(random_columns()))


@pytest.mark.parametrize("library", MAKERS)
def test_a_library_that_is_not_there_is_named_with_its_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf'pip install "stagg\[{library}\]"'):
        to_frame(Rankings.from_lists([["a"]]), library)
