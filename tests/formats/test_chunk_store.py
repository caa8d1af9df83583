"""Chunks that wait give every row once, whole queries at a time, whether in memory or in a file."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from stagg.errors import StaggError
from stagg.formats.parts import chunk_store, chunks
from stagg.formats.parts.bucket_lists import RankedFile, read_bucket
from stagg.formats.parts.chunk_store import Bucket, ChunkStore
from stagg.kernels.text import records
from stagg.say import spell_in_line
from tests.formats.test_chunks import make_chunk

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled kernel was not built")

Rows = list[tuple[str, str, str, float]]


OPEN: list[ChunkStore] = []


@pytest.fixture(autouse=True)
def close_stores() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def new_store(budget: int, bucket_size: int) -> ChunkStore:
    OPEN.append(ChunkStore(budget, bucket_size))
    return OPEN[-1]


def random_rows(rng: random.Random, *, queries: int = 40, rows: int = 400) -> Rows:
    found = {(f"q{rng.randrange(queries)}", f"r{rng.randrange(3)}", f"d{rng.randrange(500)}") for _ in range(rows)}
    listed = sorted(found)
    rng.shuffle(listed)
    return [(*row, rng.random()) for row in listed]


def filled(rows: Rows, *, budget: int, bucket: int = 500, pieces: int = 9, seed: int = 0) -> ChunkStore:
    """A store of chunks that come in any order, as threads may end."""
    found = new_store(budget, bucket)
    size = -(-len(rows) // pieces)
    parts = [
        (number, make_chunk(rows[low : low + size], line=1 + low))
        for number, low in enumerate(range(0, len(rows), size))
    ]
    random.Random(seed).shuffle(parts)
    for number, chunk in parts:
        found.add(chunk, number)
    return found


def taken(bucket: Bucket) -> set[tuple[str, str, str, float]]:
    """The rows of a bucket."""
    names = ("r0", "r1", "r2")
    numbers = [np.array([names.index(name) for name in segment.chunk.rankers]) for segment in bucket.segments]
    part = read_bucket(bucket, names, numbers, [RankedFile("x", "")], full=1, by_rank=False, has_scores=True)
    return {
        (query, ranker, item, score)
        for ranker, of_queries in part.rankings.to_runs().items()
        for query, ranked in of_queries.items()
        for item, score in ranked.items()
    }


def take_all(held: ChunkStore, *, keep: bool = False) -> Iterator[tuple[bytes | None, Bucket]]:
    for end in held.cut():
        yield end, held.take(end, keep=keep)


@pytest.fixture(autouse=True, params=[1, 300, 1 << 14], ids=lambda size: f"fences every {size}")
def spacing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(chunks, "SPACING", request.param)
    return int(request.param)


BUDGETS = [0, 3000, 1 << 30]


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("bucket", [1, 500, 10**6])
def test_every_row_is_taken_once_and_queries_are_whole(budget: int, bucket: int, spacing: int) -> None:
    rng = random.Random(bucket)
    rows = random_rows(rng)
    held = filled(rows, budget=budget, bucket=bucket)
    assert held.spilled == (0 if budget > 10**6 else held.spilled)
    assert held.spilled or budget
    seen: set[tuple[str, str, str, float]] = set()
    queries: list[set[str]] = []
    last = b""
    for end, part in take_all(held):
        found = taken(part)
        assert not found & seen
        seen |= found
        queries.append({row[0] for row in found})
        assert all(last <= query.encode() and (end is None or query.encode() < end) for query in queries[-1])
        last = end or b""
    assert seen == set(rows)
    assert sum(map(len, queries)) == len(set().union(*queries))
    assert held.size == 0
    assert bucket < 10**6 or len(queries) == 1
    assert (bucket, spacing) != (1, 1) or all(len(each) == 1 for each in queries)


def test_a_bucket_is_about_as_large_as_asked(monkeypatch: pytest.MonkeyPatch, spacing: int) -> None:
    held = filled(random_rows(random.Random(1)), budget=1 << 30, bucket=4000)
    if spacing == 1:
        sizes = [sum(segment.size for segment in part.segments) for _, part in take_all(held)]
        assert all(4000 <= size < 8000 for size in sizes[:-1])
        monkeypatch.setattr(chunk_store, "MOST_BUCKETS", 2)
        held = filled(random_rows(random.Random(1)), budget=1 << 30, bucket=1)
        assert len(held.cut()) <= 3


@pytest.mark.parametrize("budget", BUDGETS)
def test_all_can_be_taken_twice(budget: int) -> None:
    rows = random_rows(random.Random(2))
    held = filled(rows, budget=budget)
    first = [taken(part) for _, part in take_all(held, keep=True)]
    held.begin_again()
    assert [taken(part) for _, part in take_all(held)] == first
    assert set().union(*first) == set(rows)
    assert held.size == 0


@pytest.mark.parametrize("budget", BUDGETS)
def test_what_lies_below_a_query_is_taken_and_the_rest_stays(budget: int) -> None:
    rng = random.Random(3)
    rows, seen = random_rows(rng), set[tuple[str, str, str, float]]()
    held = filled(rows, budget=budget)
    for end in (b"", b"q1", b"q10", b"q10", b"q3", b"q3zzz", b"r"):
        found = taken(held.take(end))
        assert found == {row for row in rows if row[0].encode() < end} - seen
        seen |= found
    assert seen == set(rows)


@pytest.mark.parametrize("budget", BUDGETS)
def test_chunks_may_come_between_buckets(budget: int) -> None:
    rows = sorted(random_rows(random.Random(4)))
    held, seen = new_store(budget, 100), set[tuple[str, str, str, float]]()
    for number, low in enumerate(range(0, len(rows), 50)):
        part = rows[low : low + 50]
        held.add(make_chunk(part, line=low), number)
        for end in held.cut(part[-1][0].encode())[:-1]:
            assert end is not None
            assert end <= part[-1][0].encode()
            seen |= taken(held.take(end))
    assert {row[0] for row in seen} <= {row[0] for row in rows[:-1]}
    assert seen | taken(held.take(None)) == set(rows)


def test_the_order_of_segments_is_that_of_the_files() -> None:
    held = new_store(2000, 10)
    rng = random.Random(5)
    places = [(file, number) for file in range(3) for number in range(4)]
    lines = {}
    for file, number in rng.sample(places, len(places)):
        chunk = make_chunk([("q", "x", f"d{file}{number}", 1.0), ("r", "x", "e", 1.0)] * 9, file=file, line=number)
        lines[id(chunk)] = file, number
        held.add(chunk, number)
    assert held.spilled
    for end in (b"r", None):
        assert [lines[id(segment.chunk)] for segment in held.take(end).segments] == places


def test_memory_is_counted_and_given_back(spacing: int) -> None:
    rows = random_rows(random.Random(6))
    size = make_chunk(rows).size
    held = new_store(int(1.5 * size), 100)
    held.add(make_chunk(rows), 0)
    assert (held.size, held.spilled) == (size, 0)
    held.add(make_chunk(rows), 1)
    assert (held.size, held.spilled) == (2 * size, size)
    held.take(None)
    assert held.size == 0
    held.add(make_chunk(rows), 2)
    assert held.spilled == size  # there is room again
    held.close()
    assert held.size == 0


def test_no_more_than_the_budget_stays_in_memory() -> None:
    held = filled(random_rows(random.Random(7), rows=3000), budget=20_000, pieces=30)
    assert sum(len(each.chunk.buffer) for each in held._held) <= 20_000
    assert held.spilled > 20_000
    assert held.size == held.spilled + sum(len(each.chunk.buffer) for each in held._held)
    file = held._file
    assert file is not None
    held.close()
    assert file.closed


def test_chunks_beyond_the_end_are_not_looked_at_when_buckets_are_cut() -> None:
    rows = [[(f"{letter}{k}", "r0", "d", 1.0) for k in range(30)] for letter in "ab"]
    found = new_store(1 << 20, 200)
    for number, some in enumerate(rows):
        found.add(make_chunk(some, line=1), number)
    ends = found.cut(b"b")
    for held in found._held[1:]:
        held.chunk.fences = None  # type: ignore[assignment]
    assert found.cut(b"b") == ends


def test_without_room_for_a_temporary_file_the_option_to_give_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(
        StaggError, match=r"rows beyond 1 byte wait .*: No space left on device; .*memory=1073741824$"
    ) as raised:
        new_store(1, 100).add(make_chunk([("q", "r0", "d", 1.0)], line=1), 0)
    assert spell_in_line(raised.value).endswith("such as --memory 1073741824")
