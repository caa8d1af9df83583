"""The compiled sums, orders and numbers are, bit for bit, those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.formats.runs.trec import float32_text, strictly_decreasing
from stagg.kernels.compiled import twin
from stagg.kernels.id_order import break_ties
from stagg.kernels.sums import sums_by_item, sums_in_numpy
from stagg.kernels.ties import LEAST, TIE_TOLERANCE, rank_scores, rank_scores_in_numpy

pytestmark = pytest.mark.skipif(
    twin("_sums") is None or twin("text._ranked") is None, reason="the twins were not built"
)

SCALES = [5e-324, 1e-310, 1e-300, 1e-9, 1.0, 1e9, 1e300, 3e307]


def some_queries(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(items, item_queries) of a few queries, some of them without items or entries."""
    sizes = rng.integers(0, 400, 12)
    entries = np.where(sizes > 0, rng.integers(0, 900, 12), 0)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    entry_queries = np.repeat(np.arange(12), entries)
    items = first[entry_queries] + rng.integers(0, 1 << 30, len(entry_queries)) % sizes[entry_queries]
    return items, np.repeat(np.arange(12), sizes)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.filterwarnings("ignore:overflow")
def test_sums_are_the_same_bits(scale: float) -> None:
    rng = np.random.default_rng(4)
    items, item_queries = some_queries(rng)
    for values in (rng.normal(size=len(items)), 1 / (60 + rng.integers(1, 99, len(items))), np.zeros(len(items))):
        mine = sums_by_item(values * scale, items, len(item_queries))
        theirs = sums_in_numpy(values * scale, items, len(item_queries))
        for one, other in zip(mine, theirs, strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("kind", ["ties", "noise", "zeros", "wide", "negative"])
def test_orders_are_the_same(kind: str) -> None:
    rng = np.random.default_rng(5)
    _, queries = some_queries(rng)
    scores = {
        "ties": rng.integers(-3, 4, len(queries)) / 3,
        "noise": rng.integers(0, 9, len(queries)) + rng.normal(size=len(queries)) * 1e-10,
        "zeros": rng.choice([0.0, -0.0], len(queries)),
        "wide": np.ldexp(rng.normal(size=len(queries)), rng.integers(-1000, 1000, len(queries))),
        "negative": -rng.random(len(queries)),
    }[kind]
    for masses in (scores, np.zeros(len(scores)), rng.exponential(size=len(scores))):
        for given in ((scores, masses, queries, 12), (scores, masses, np.zeros(len(queries), dtype=np.intp), 1)):
            for mine, theirs in zip(rank_scores(*given), rank_scores_in_numpy(*given), strict=True):
                assert mine.tolist() == theirs.tolist()


def test_equal_items_go_by_id_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    ids = tuple(f"{'é' * (k % 3)}{'😀' * (k % 5 == 0)}d{k}" for k in rng.permutation(2000).tolist())
    for share in (0.0, 0.3, 0.95, 1.0):
        order, scores = rng.permutation(2000), -np.sort(-rng.normal(size=2000))
        tied = rng.random(2000) < share
        tied[0] = False
        mine, theirs = (order.copy(), scores.copy()), (order.copy(), scores.copy())
        break_ties(mine[0], tied, mine[1], ids)
        with monkeypatch.context() as patch:
            patch.setattr("stagg.kernels.text.ranked.twin", lambda name: None)
            patch.setattr("stagg.kernels.text.ids.twin", lambda name: None)
            break_ties(theirs[0], tied, theirs[1], ids)
        assert mine[0].tolist() == theirs[0].tolist()
        assert mine[1].tobytes() == theirs[1].tobytes()
        assert (np.diff(mine[1])[tied[1:]] == 0).all()


def written(scores: np.ndarray) -> list[list[str]]:
    """The fields of the rows that the compiled writer makes of a query whose items are 100, 101, ..."""
    compiled = twin("text._ranked")
    assert compiled is not None
    ids = np.frombuffer("".join(str(100 + k) for k in range(len(scores))).encode() + bytes(8), dtype=np.uint8)
    address = ids.__array_interface__["data"][0] + 3 * np.arange(len(scores))
    length = np.full(len(scores), 3, dtype=np.int32)
    text: bytes = compiled.written(
        scores, scores, np.array([0, len(scores)]), address, length, [b"q"], b"tag", 1 << 60, TIE_TOLERANCE, LEAST
    )
    return [row.split() for row in text.decode().splitlines()]


@pytest.mark.parametrize(
    "score", [1e300, 3.5e38, 3.4028234e38, 1.0, 1e-45, 0.0, -1e-45, -1.0, -1.8e38, -3.4028234e38, -3.5e38, -1e300]
)
def test_strict_scores_are_those_of_the_writer_in_python_to_the_ends_of_float32(score: float) -> None:
    scores = np.full(300, score)
    found = [row[4] for row in written(scores)]
    assert found == [float32_text(number) for number in strictly_decreasing(scores)]
    numbers = np.array(found, dtype=np.float32)
    assert np.isfinite(numbers).all()
    assert (np.diff(numbers) < 0).all()


def test_items_that_tie_are_written_by_id_and_others_by_score() -> None:
    rows = written(np.array([0.5 - 0.52e-10, 0.5, 1 - 0.99e-10, 1.0]))
    assert [row[2] for row in rows] == ["103", "102", "101", "100"]
    rows = written(np.array([1.0, 1 - 0.99e-10, 0.5, 0.5 - 0.52e-10]))
    assert [row[2] for row in rows] == ["101", "100", "102", "103"]
    assert [row[3] for row in rows] == ["1", "2", "3", "4"]


def test_float32_numbers_are_written_alike() -> None:
    compiled = twin("text._numbers")
    assert compiled is not None
    rng = np.random.default_rng(6)
    powers = np.ldexp(np.float32(1), np.arange(-149, 128)).astype(np.float32)
    round_ones = [
        float(f"{x:.{k}g}") for x, k in zip(np.exp(rng.uniform(-12, 20, 5000)), rng.integers(1, 9, 5000), strict=True)
    ]
    numbers = np.concatenate(
        [
            rng.integers(0, 1 << 32, 20_000, dtype=np.uint64).astype(np.uint32).view(np.float32),
            np.exp(rng.uniform(-30, 25, 20_000)).astype(np.float32),
            np.array([*round_ones, 0.0, -0.0, 1e-4, 1e-5, 16777216, 99999999, 1e9, 1e16], dtype=np.float32),
            *[np.nextafter(powers, np.float32(where)) for where in (0, np.inf)],
            powers,
        ]
    )
    for number in numbers[np.isfinite(numbers)]:
        assert compiled.float_text(float(number)) == float32_text(number), repr(number)
