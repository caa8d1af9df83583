"""Row groups that are unpacked as they are asked for give the rows of the table, in whatever order they are asked."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from stagg.errors import DataError
from stagg.formats.parts import parquet_in_parts
from stagg.formats.parts.parquet_in_parts import MOST_RETURNS, Unpacked

GROUPS = (40, 1, 25, 60, 7)
FIRST = np.cumsum([0, *GROUPS])
WHOLE = list(range(int(FIRST[-1])))


class Table:
    """A table that counts the rows that were unpacked."""

    def __init__(self, batch: int) -> None:
        self.batch, self.unpacked = batch, 0

    def unpack(self, groups: range) -> Iterator[pa.Table]:
        for group in groups:
            for low in range(int(FIRST[group]), int(FIRST[group + 1]), self.batch):
                rows = WHOLE[low : min(low + self.batch, int(FIRST[group + 1]))]
                self.unpacked += len(rows)
                yield pa.table({"row": rows})


def taken(window: Unpacked, low: int, high: int) -> list[int] | None:
    tables = window.take(low, high)
    return None if tables is None else pa.concat_tables(tables)["row"].to_pylist()


@pytest.mark.parametrize("seed", range(30))
def test_rows_are_those_of_the_table_or_looked_for_elsewhere(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(parquet_in_parts, "FAR", rng.choice([0, 1000]))
    window = Unpacked(Table(rng.randint(1, 20)).unpack, FIRST, requests=rng.randint(1, 4))
    answers = []
    for _ in range(60):
        low = rng.randrange(len(WHOLE))
        high = rng.randint(low + 1, len(WHOLE))
        answers.append(taken(window, low, high))
        assert answers[-1] in (None, WHOLE[low:high])
    assert sum(answer is not None for answer in answers) > MOST_RETURNS


@pytest.mark.parametrize("requests", [1, 5])
def test_a_table_that_is_read_in_its_order_is_unpacked_once_and_little_of_it_is_held(requests: int) -> None:
    table = Table(8)
    window = Unpacked(table.unpack, FIRST, requests)
    for low in range(0, len(WHOLE), 5):
        assert taken(window, low, min(low + 5, len(WHOLE))) == WHOLE[low : low + 5]
        assert sum(len(held) for _, held in window._held) <= 5 * requests + 3 * 8
    assert table.unpacked == len(WHOLE)


def test_threads_that_ask_a_little_out_of_turn_make_nothing_be_unpacked_again() -> None:
    table, rng = Table(8), random.Random(1)
    window = Unpacked(table.unpack, FIRST, requests=6)
    lows = sorted(range(0, len(WHOLE), 5), key=lambda low: low + rng.randrange(20))
    for low in lows:
        assert taken(window, low, min(low + 5, len(WHOLE))) == WHOLE[low : low + 5]
    assert table.unpacked == len(WHOLE)


def test_who_goes_back_again_and_again_is_sent_elsewhere() -> None:
    table = Table(8)
    window = Unpacked(table.unpack, FIRST, requests=1)
    answers = [taken(window, low, low + 1) for low in (100, 0) * 20]
    assert None in answers
    assert table.unpacked < 4 * MOST_RETURNS * len(WHOLE)


def test_a_table_that_ends_too_soon_is_an_error() -> None:
    window = Unpacked(lambda groups: iter([pa.table({"row": [0]})]), FIRST, requests=1)
    with pytest.raises(DataError, match="changed while it was read"):
        window.take(0, 9)
