"""Rows sorted by query, and the lists that are made of them, are what plain Python makes of the same rows."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.formats.hostile import HOSTILE_IDS
from tests.strategies import examples

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.kernels.arrays import ByteArray, IntArray
from stagg.kernels.text import records

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled kernel was not built")

NAN = math.nan
NAMES = ["q", "q1", "q10", "q2", "", "é", "aaaaaaaa", "aaaaaaab", "aaaaaaaa1", "aaaaaaaa\0", "x" * 40, "10", "9"]
ITEMS = ["a", "b", "c", "d" * 8, "d" * 9, "", "é", "x" * 100, *(f"doc{number}" for number in range(9))]


class Row(NamedTuple):
    """A row of a file; the ranker is the number among those of the chunk."""

    query: str
    ranker: int
    item: str
    score: float
    rank: float
    line: int


def sort_rows(
    rows: list[Row], *, first_line: int = 0, spacing: int = 1, wanted: set[str] | None = None, plain: bool = False
) -> tuple[ByteArray, IntArray]:
    """A buffer; ``plain``: no rankers, scores or ranks are given."""
    queries = Coded.of_texts([row.query for row in rows]).by_appearance()
    ids, items = Ids.of(queries.ids), Ids.of_texts([row.item for row in rows])
    return records.sort_by_query(
        records.RecordRows(
            queries.codes, ids.address, ids.length, None if plain else np.array([row.ranker for row in rows]),
            items.address, items.length, None if plain else np.array([row.score for row in rows]),
            None if plain else np.array([row.rank for row in rows]),
            np.array([row.line for row in rows], dtype=np.int64),
        ),
        first_line,
        spacing,
        None if wanted is None else np.array([text in wanted for text in ids], dtype=np.uint8),
    )  # fmt: skip


class Piece(NamedTuple):
    """Rows of a file as one chunk; ``numbers`` are those of its rankers among all."""

    file: int
    first_line: int
    numbers: list[int]
    rows: list[Row]


def make_lists(
    pieces: list[Piece], rankers: int, files: int, *, room: Any = None, **how: bool
) -> tuple[records.SortedLists, IntArray, Any]:
    buffers = [sort_rows(piece.rows, first_line=piece.first_line)[0] for piece in pieces]
    falls = np.array([[0, records.NOWHERE]] * files, dtype=np.int64).reshape(files, 2)
    found = records.make_lists(
        np.array([records.address_of(buffer) for buffer in buffers], dtype=np.int64),
        np.array([len(buffer) for buffer in buffers], dtype=np.int64),
        np.array([piece.file for piece in pieces], dtype=np.int64),
        np.array([piece.first_line for piece in pieces], dtype=np.int64),
        np.array([number for piece in pieces for number in piece.numbers], dtype=np.int64),
        np.cumsum([0, *(len(piece.numbers) for piece in pieces)], dtype=np.int64),
        rankers,
        falls,
        by_rank=how.get("by_rank", False),
        by_appearance=how.get("by_appearance", False),
        room=room,
    )
    return found, falls, buffers


class Listed(NamedTuple):
    """What the oracle makes of pieces: by query, (ranker, [(item, tied, score, line)]), and what is wrong."""

    queries: list[str]
    files: list[int]
    items: list[list[str]]
    lists: list[list[tuple[int, list[tuple[str, bool, float, int]]]]]
    problems: int
    falls: list[list[int]]


def oracle(pieces: list[Piece], files: int, *, by_rank: bool = False, by_appearance: bool = False) -> Listed:
    rows_of: dict[str, list[tuple[int, int, Row]]] = defaultdict(list)  # (file, number of the ranker, row)
    for piece in pieces:
        for row in piece.rows:
            rows_of[row.query].append((piece.file, piece.numbers[row.ranker], row))
    found = Listed(list(rows_of), [], [], [], 0, [[0, records.NOWHERE] for _ in range(files)])
    if not by_appearance:
        found.queries.sort(key=str.encode)
    problems = 0
    for query in found.queries:
        rows = rows_of[query]
        found.files.append(len({file for file, _, _ in rows}))
        found.items.append(list(dict.fromkeys(row.item for _, _, row in rows)))
        lists = []
        for ranker in sorted({number for _, number, _ in rows}):
            own = [(file, row) for file, number, row in rows if number == ranker]
            in_file, own_rows = own[0][0], [row for _, row in own]
            problems |= records.SHARED * (len({file for file, _ in own}) > 1)
            problems |= records.GAP * (len({math.isnan(row.score) for row in own_rows}) > 1)
            problems |= records.TWICE * (len({row.item for row in own_rows}) < len(own_rows))
            key = {id(row): -row.rank if by_rank or math.isnan(row.score) else row.score for row in own_rows}
            best = sorted(own_rows, key=lambda row: -key[id(row)])
            ties = [k > 0 and key[id(best[k])] == key[id(best[k - 1])] for k in range(len(best))]
            lists.append((ranker, [(row.item, tie, row.score, row.line) for row, tie in zip(best, ties, strict=True)]))
            if not by_rank:
                count_falls(best, ties, found.falls[in_file])
        found.lists.append(lists)
    return found._replace(problems=problems)


def count_falls(best: list[Row], ties: list[bool], falls: list[int]) -> None:
    """Rows whose rank is smaller than one of the next higher score."""
    steps: list[list[Row]] = []
    for row, tie in zip(best, ties, strict=True):
        steps[-1].append(row) if tie else steps.append([row])
    for above, step in pairwise(steps):
        worst = max(-1 if math.isnan(row.rank) else row.rank for row in above)
        lines = [row.line for row in step if row.rank < worst]
        falls[0] += len(lines)
        falls[1] = min([falls[1], *lines])


def shown(found: records.SortedLists, pieces: list[Piece], falls: IntArray, buffers: Any) -> Listed:
    """What the kernel found, as the oracle says it."""
    assert found.entry_offsets[-1] == len(found.entries)
    items = Ids(found.item_address, found.item_length, buffers).texts
    starts = sorted(
        (records.address_of(buffer), piece.first_line) for buffer, piece in zip(buffers, pieces, strict=True)
    )
    lines = records.look_up(found.records)[1].tolist()
    for k, place in enumerate(found.records.tolist()):
        lines[k] += [line for start, line in starts if start <= place][-1]
    lists, count = [], len(found.query_address)
    for query in range(count):
        own = []
        for number in range(found.list_offsets[query], found.list_offsets[query + 1]):
            span = range(found.entry_offsets[number], found.entry_offsets[number + 1])
            entries = [
                (items[found.entries[k]], bool(found.tied[k]), float(found.scores[k]), int(lines[k])) for k in span
            ]
            own.append((int(found.list_rankers[number]), entries))
        lists.append(own)
    return Listed(
        list(Ids(found.query_address, found.query_length, buffers).texts),
        found.query_files.tolist(),
        [list(items[found.item_offsets[q] : found.item_offsets[q + 1]]) for q in range(count)],
        lists,
        found.problems,
        falls.tolist(),
    )


def random_pieces(rng: random.Random, *, files: int, rankers: int, clean: bool) -> list[Piece]:
    """Chunks of files in their order; ``clean``: every list is in one file, has all scores or none, no item twice."""
    pieces, taken = [], set[tuple[str, int, str]]()
    owner: dict[tuple[str, int], tuple[int, bool]] = {}
    for file in range(files):
        line = 1
        for _ in range(rng.randint(1, 3)):
            numbers, rows, first = rng.sample(range(rankers), rng.randint(1, rankers)), [], line
            for _ in range(rng.choice([0, 1, 5, 40])):
                line += rng.choice([1, 1, 1, 3])
                query, ranker, item = rng.choice(NAMES), rng.randrange(len(numbers)), rng.choice(ITEMS)
                score = rng.choice([float(rng.randrange(-2, 3)), rng.random(), -0.0, NAN])
                rank = rng.choice([rng.randrange(-3, 4), rng.randrange(40), NAN if not math.isnan(score) else 1])
                if clean:
                    one = query, numbers[ranker]
                    if owner.setdefault(one, (file, math.isnan(score)))[0] != file or (*one, item) in taken:
                        continue
                    taken.add((*one, item))
                    score = NAN if owner[one][1] else 1.0 if math.isnan(score) else score
                    rank = 2 if math.isnan(score) and math.isnan(rank) else rank
                rows.append(Row(query, ranker, item, score, rank, line))
            if rows:
                pieces.append(Piece(file, first, numbers, rows))
    return pieces


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("by_appearance", [False, True])
@pytest.mark.parametrize("by_rank", [False, True])
def test_lists_are_those_of_plain_python(by_rank: bool, by_appearance: bool, clean: bool) -> None:
    rng = random.Random(f"{by_rank}{by_appearance}{clean}")
    for _ in range(examples(400)):
        files, rankers = rng.randint(1, 4), rng.randint(1, 5)
        pieces = random_pieces(rng, files=files, rankers=rankers, clean=clean)
        if by_rank:  # whoever orders by rank has all ranks
            pieces = [
                piece._replace(rows=[row._replace(rank=0.0) if math.isnan(row.rank) else row for row in piece.rows])
                for piece in pieces
            ]
        found, falls, buffers = make_lists(pieces, rankers, files, by_rank=by_rank, by_appearance=by_appearance)
        expected = oracle(pieces, files, by_rank=by_rank, by_appearance=by_appearance)
        mine = shown(found, pieces, falls, buffers)
        if expected.problems & records.GAP and not by_rank:  # scores and ranks are not compared with one another
            expected, mine = expected._replace(lists=[], falls=[]), mine._replace(lists=[], falls=[])
        if expected.problems & records.SHARED:  # refused, so nobody hears of its ranks
            expected, mine = expected._replace(falls=[]), mine._replace(falls=[])
        assert repr(mine) == repr(expected)
        assert not (clean and mine.problems)


def test_no_rows_are_no_lists() -> None:
    found, falls, _ = make_lists([], 3, 2)
    assert [len(part) for part in found[:-1]] == [0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    assert falls.tolist() == [[0, records.NOWHERE]] * 2


@pytest.mark.parametrize("count", [1000, 70_000])
def test_many_items_of_one_query_are_told_apart(count: int) -> None:
    rows = [Row("q", ranker, f"doc{number}", -number, number, 1) for ranker in (0, 1) for number in range(count)]
    found, _, buffers = make_lists([Piece(0, 1, [0, 1], rows)], 2, 1)
    assert found.problems == 0
    assert list(Ids(found.item_address, found.item_length, buffers).texts) == [
        f"doc{number}" for number in range(count)
    ]
    assert found.entries.tolist() == [*range(count)] * 2


def test_many_rankers_with_few_rows_each_come_by_number() -> None:
    rows = [Row(f"q{number % 3}", number, "a", 1.0, 1, number) for number in range(300)]
    found, _, _ = make_lists([Piece(0, 0, list(range(300))[::-1], rows)], 300, 1)
    for query in range(3):
        own = found.list_rankers[found.list_offsets[query] : found.list_offsets[query + 1]].tolist()
        assert own == sorted(299 - number for number in range(query, 300, 3))


def groups(buffer: ByteArray, fences: IntArray) -> list[str]:
    """The queries at all fences; with a spacing of 1, of all groups."""
    return [records.find_query(buffer, place).decode() for place in fences.tolist()]


@pytest.mark.parametrize("plain", [False, True])
def test_groups_lie_in_bytewise_order_and_fences_at_groups(plain: bool) -> None:
    rng = random.Random(3)
    for _ in range(examples(100)):
        rows = [
            Row(rng.choice(NAMES), rng.randrange(3), rng.choice(ITEMS), rng.random(), 1.0, line + 7)
            for line in range(rng.randint(1, 60))
        ]
        order = sorted({row.query for row in rows}, key=str.encode)
        buffer, fences = sort_rows(rows, first_line=7, plain=plain)
        assert groups(buffer, fences) == order
        assert records.find_last_query(buffer, int(fences[0])) == order[-1].encode()
        spacing = rng.choice([100, 1000, 10**6])
        again, few = sort_rows(rows, first_line=7, spacing=spacing, plain=plain)
        assert again.tobytes() == buffer.tobytes()
        assert set(few.tolist()) <= set(fences.tolist())
        assert few[0] == 0
        assert all(high - low >= spacing for low, high in pairwise(few.tolist()))
        assert len(few) == 1 or spacing < len(buffer)


def test_queries_that_are_not_wanted_are_left_out() -> None:
    rng = random.Random(4)
    rows = [Row(rng.choice(NAMES), 0, rng.choice(ITEMS), 1.0, 1.0, line) for line in range(80)]
    for wanted in (set[str](), {"q"}, {"q2", "é", "nobody"}, set(NAMES)):
        buffer, fences = sort_rows(rows, wanted=wanted)
        alone, places = sort_rows([row for row in rows if row.query in wanted]) if wanted else (buffer[:0], fences[:0])
        assert groups(buffer, fences) == groups(alone, places)
        assert len(buffer) == len(alone)


def test_groups_below_a_bound_are_passed() -> None:
    rows = [Row(query, 0, "a", 1.0, 1.0, line) for line, query in enumerate([*NAMES, *NAMES])]
    buffers = [sort_rows(rows), sort_rows(rows[3:9])]
    begin = np.array([records.address_of(buffer) for buffer, _ in buffers], dtype=np.int64)
    end = begin + np.array([len(buffer) for buffer, _ in buffers])
    for bound in [b"", b"\0", b"\xff", *(name.encode() for name in NAMES), *(name.encode() + b"\0" for name in NAMES)]:
        passed = records.pass_below(begin, end, bound) - begin
        for (buffer, fences), place in zip(buffers, passed.tolist(), strict=True):
            below = [where for where, name in zip(fences.tolist(), groups(buffer, fences), strict=True)
                     if name.encode() < bound]  # fmt: skip
            after = [where for where in fences.tolist() if where not in below]
            assert place == (after[0] if after else len(buffer))


def test_hostile_ids_come_back_as_they_are() -> None:
    ids = [text for text in dict.fromkeys(HOSTILE_IDS) if text.isprintable() or text.isascii()]
    rows = [Row(query, 0, item, 1.0, 1.0, 1) for query in ids for item in ids]
    found, _, buffers = make_lists([Piece(0, 0, [0], rows)], 1, 1)
    assert list(Ids(found.query_address, found.query_length, buffers).texts) == sorted(ids, key=str.encode)
    assert list(Ids(found.item_address, found.item_length, buffers).texts) == ids * len(ids)
    assert found.problems == 0


def test_lists_go_to_the_room_that_is_given_and_to_no_other() -> None:
    rows = [
        Row(query, 0, item, score, NAN, 1) for query in "ab" for item, score in (("x", 1.0), ("y", 2.0), ("z", 1.0))
    ]
    pieces = [Piece(0, 0, [0], rows)]
    plain, _, _ = make_lists(pieces, 1, 1)
    whole = np.full(8, -1, dtype=np.int64), np.ones(8, dtype=bool), np.full(8, -1.0)
    found, _, _ = make_lists(pieces, 1, 1, room=tuple(column[1:7] for column in whole))
    for column, name in zip(whole, ("entries", "tied", "scores"), strict=True):
        assert column[1:7].tolist() == getattr(plain, name).tolist() == getattr(found, name).tolist()
        assert column[0] == column[7] == (True if name == "tied" else -1)
    assert not len(found.records)
    with pytest.raises(ValueError, match="room"):
        make_lists(pieces, 1, 1, room=whole)


def test_what_was_put_in_is_looked_up() -> None:
    rows = [Row("b", 2, "x", 0.5, 3, 12), Row("a", 1, "x", NAN, 4, 15), Row("a", 0, "y", NAN, NAN, 10)]
    found, _, _ = make_lists([Piece(0, 10, [0, 1, 2], rows)], 3, 1)
    rankers, lines, scores, ranks = records.look_up(found.records)
    assert (rankers.tolist(), lines.tolist()) == ([0, 1, 2], [0, 5, 2])
    assert (repr(scores.tolist()), repr(ranks.tolist())) == ("[nan, nan, 0.5]", "[nan, 4.0, 3.0]")
