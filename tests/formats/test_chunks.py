"""A chunk holds the rows of its file, sorted by query, and says what they are."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.formats.parts import chunks
from stagg.formats.parts.chunks import Chunk, ChunkRows, sort_chunk
from stagg.kernels.text import records

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled kernel was not built")


def make_rows(
    rows: list[tuple[str, str, str, float]], *, line: int = 1, named: bool = True, tags: frozenset[bytes] = frozenset()
) -> ChunkRows:
    """(query, ranker, item, score) from a line on."""
    return ChunkRows(
        Coded.of_texts([row[0] for row in rows]),
        Ids.of_texts([row[2] for row in rows]),
        np.arange(line, line + len(rows), dtype=np.int64),
        np.array([row[3] for row in rows]),
        rankers=Coded.of_texts([row[1] for row in rows]) if named else None,
        tags=tags,
    )


def make_chunk(rows: list[tuple[str, str, str, float]], *, file: int = 0, line: int = 1, named: bool = True) -> Chunk:
    chunk = sort_chunk(file, make_rows(rows, line=line, named=named))
    assert chunk is not None
    return chunk


def test_a_chunk_says_what_its_rows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "SPACING", 1)
    rows = [("b", "x", "i", 1.0), ("a", "y", "j", 2.0), ("b", "z", "k", math.nan), ("é", "y", "l", 1.0)]
    chunk = sort_chunk(3, make_rows(rows, line=17, tags=frozenset([b"t"])))
    assert chunk is not None
    assert (chunk.file, chunk.first_line, chunk.size) == (3, 17, len(chunk.buffer))
    assert (chunk.names, chunk.last) == ([b"a", b"b", "é".encode()], "é".encode())
    assert chunk.rankers == ("x", "y", "z")
    assert (chunk.last_item, chunk.tags, chunk.has_scores) == ("l", frozenset([b"t"]), True)


def test_fences_are_few_where_queries_are_small() -> None:
    chunk = make_chunk([(f"q{number:04d}", "x", "i", 1.0) for number in range(3000)])
    assert 1 < len(chunk.names) < 30
    assert chunk.names == sorted(chunk.names)
    assert (chunk.names[0], chunk.last) == (b"q0000", b"q2999")
    assert [records.find_query(chunk.buffer, place) for place in chunk.fences.tolist()] == chunk.names


def test_no_rows_or_none_that_are_wanted_are_no_chunk() -> None:
    rows = make_rows([("a", "x", "i", 1.0), ("b", "x", "j", 1.0)])
    assert sort_chunk(0, make_rows([])) is None
    assert sort_chunk(0, rows, frozenset([b"c"])) is None
    found = sort_chunk(0, rows, frozenset([b"b", b"c"]))
    assert found is not None
    assert (found.names, found.last) == ([b"b"], b"b")


def test_lists_without_scores_have_none() -> None:
    assert not make_chunk([("a", "x", "i", math.nan)]).has_scores
    assert make_chunk([("a", "x", "i", math.nan), ("a", "y", "i", 0.0)]).has_scores


def test_the_order_of_codes_does_not_matter() -> None:
    rng = random.Random(1)
    texts = [rng.choice("abcdef") for _ in range(50)]
    names = ("f", "e", "d", "c", "b", "a", "never")
    codes = np.array([names.index(text) for text in texts], dtype=np.int64)
    plain = make_rows([(text, "x", f"d{k}", 1.0) for k, text in enumerate(texts)])
    coded = ChunkRows(Coded(codes, names), plain.items, plain.lines, plain.scores, rankers=plain.rankers)
    one, other = sort_chunk(0, plain), sort_chunk(0, coded)
    assert one is not None
    assert other is not None
    assert one.buffer.tobytes() == other.buffer.tobytes()
