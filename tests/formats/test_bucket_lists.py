"""The lists of a bucket are those of its rows, and what is wrong with them is said of the first row in the files."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.formats.parts.bucket_lists import BadLists, Noticed, Part, PartTally, RankedFile, read_bucket
from stagg.formats.parts.chunk_store import ChunkStore
from stagg.formats.parts.chunks import Chunk, sort_chunk
from stagg.kernels.text import records
from tests.formats.test_chunks import make_chunk, make_rows

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled kernel was not built")

Rows = Sequence[tuple[str, str, str, float]]
FILES = [RankedFile("a.csv", "; A"), RankedFile("b.csv", "; B")]


def read_chunks(*pieces: Chunk, rankers: Sequence[str] = ("x", "y"), full: int = 1, **how: bool) -> Part:
    store = ChunkStore(1 << 30, 1)
    for number, chunk in enumerate(pieces):
        store.add(chunk, number)
    bucket = store.take(None)
    numbers = [
        np.array([rankers.index(name) for name in segment.chunk.rankers], dtype=np.int64) for segment in bucket.segments
    ]
    options = {"by_rank": False, "has_scores": True} | how
    return read_bucket(bucket, tuple(rankers), numbers, FILES, full=full, **options)


def fault(*pieces: Chunk, **how: bool) -> DataError:
    with pytest.raises(BadLists) as caught:
        read_chunks(*pieces, **how)
    return caught.value.first[1]


def test_lists_are_those_of_the_rows() -> None:
    part = read_chunks(
        make_chunk([("q", "x", "a", 1.0), ("p", "y", "b", 2.0), ("q", "x", "b", 3.0)]),
        make_chunk([("q", "y", "c", 1.0), ("q", "y", "a", 1.0)], line=4),
    )
    assert part.rankings.queries == ("p", "q")
    assert part.rankings == Rankings.from_runs(
        {"x": {"q": {"a": 1.0, "b": 3.0}}, "y": {"p": {"b": 2.0}, "q": {"a": 1.0, "c": 1.0}}}
    )
    assert part.tally == PartTally(2, 4, 5, 1, 2, 1, True, 0)
    assert part.noticed.falls.tolist() == part.noticed.large.tolist() == [[0, records.NOWHERE]] * 2


def test_queries_may_come_as_in_the_files() -> None:
    chunk = make_chunk([("q", "x", "a", 1.0), ("p", "y", "b", 2.0)])
    assert read_chunks(chunk, by_appearance=True).rankings.queries == ("q", "p")


def test_an_item_twice_in_a_list_is_told_with_both_lines() -> None:
    first, second = [("q", "x", "a", 1.0), ("q", "y", "a", 9.0)], [("q", "x", "b", 2.0), ("q", "x", "a", 3.0)]
    error = fault(make_chunk(first), make_chunk(second, line=3))
    assert (error.file, error.line) == ("a.csv", 4)
    assert "the item 'a' of query 'q' appears twice in one list: lines 1 and 4" in error.message
    assert error.message.endswith("; A")


def test_of_several_lists_that_are_wrong_the_first_in_the_files_is_told() -> None:
    twice = [("q", "x", "a", 1.0), ("q", "x", "a", 2.0)]
    later = [("a", "x", "a", 1.0), ("a", "x", "a", 2.0)]
    error = fault(make_chunk(twice), make_chunk(later, line=3))
    assert (error.file, error.line) == ("a.csv", 2)
    error = fault(make_chunk(later, file=1), make_chunk(twice))
    assert (error.file, error.line) == ("a.csv", 2)


def test_a_list_with_some_scores_is_told_before_an_item_that_is_twice() -> None:
    rows = [("q", "x", "a", 1.0), ("q", "x", "a", 2.0), ("r", "y", "b", 1.0), ("r", "y", "c", math.nan)]
    error = fault(make_chunk(rows))
    assert (error.file, error.line) == ("a.csv", 4)
    assert "score" in error.message


def test_a_list_in_two_files_is_told_of_the_later() -> None:
    error = fault(make_chunk([("q", "x", "a", 1.0)]), make_chunk([("q", "x", "b", 1.0)], file=1))
    assert error.file == "b.csv"
    assert "the query 'q' of ranker 'x' is also in a.csv" in error.message


def test_queries_that_are_not_in_all_files_are_counted() -> None:
    one = make_chunk([("p", "x", "a", 1.0), ("q", "x", "a", 1.0)])
    other = make_chunk([("q", "y", "a", 1.0)], file=1)
    assert read_chunks(one, other, full=2).tally.uncommon == 1
    assert read_chunks(one, other, full=1).tally.uncommon == 0


def test_ranks_that_contradict_are_counted_by_file() -> None:
    rows = make_rows([("q", "x", "a", 3.0), ("q", "x", "b", 2.0), ("q", "x", "c", 1.0)], line=7)
    import dataclasses

    chunk = sort_chunk(1, dataclasses.replace(rows, ranks=np.array([5.0, 1.0, 2.0])))
    assert chunk is not None
    assert read_chunks(chunk).noticed.falls.tolist() == [[0, records.NOWHERE], [1, 8]]
    assert read_chunks(chunk, by_rank=True).noticed.falls.tolist()[1] == [0, records.NOWHERE]


def test_large_numbers_that_are_equal_as_doubles_are_counted_by_line() -> None:
    chunk = make_chunk([("q", "x", "a", 2.0**53), ("q", "x", "b", 2.0**53), ("q", "x", "c", 1.0)], file=1, line=5)
    assert read_chunks(chunk).noticed.large[1, 0] > 0
    assert read_chunks(chunk).noticed.large[1, 1] >= 5
    assert read_chunks(chunk).noticed.large[0].tolist() == [0, records.NOWHERE]


def test_what_parts_count_and_notice_adds_up() -> None:
    tally, noticed = PartTally(), Noticed(2)
    tally.add(PartTally(1, 2, 3, 4, 5, 0, False, 1))
    tally.add(PartTally(1, 1, 1, 2, 9, 1, True, 0))
    assert tally == PartTally(2, 3, 4, 2, 9, 1, True, 1)
    other = Noticed(2)
    other.falls[1] = 3, 17
    other.large[0] = 1, 4
    noticed.add(other)
    other.falls[1] = 1, 5
    noticed.add(other)
    assert noticed.falls.tolist() == [[0, records.NOWHERE], [4, 5]]
    assert noticed.large.tolist() == [[2, 4], [0, records.NOWHERE]]


def test_no_rows_are_no_lists() -> None:
    assert read_chunks().rankings.queries == ()
    assert read_chunks().tally == PartTally(scored=True)
