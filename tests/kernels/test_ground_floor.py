"""The ground floor: offsets, order by id and random streams, each with one home."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.id_order import order_by_id, order_ties
from stagg.kernels.ragged import build_offsets, count_offsets, expand_spans, measure_pieces
from stagg.kernels.streams import hash_name, open_stream


@pytest.mark.parametrize("seed", range(5))
def test_offsets_lengths_and_spans_say_the_same(seed: int) -> None:
    lengths = np.random.default_rng(seed).integers(0, 5, size=20)
    offsets = build_offsets(lengths)
    assert measure_pieces(offsets).tolist() == lengths.tolist()
    assert count_offsets(np.repeat(np.arange(20), lengths), 20).tolist() == offsets.tolist()
    chosen = np.array([3, 3, 0, 19])
    spans = [list(range(offsets[k], offsets[k + 1])) for k in chosen]
    assert expand_spans(offsets[chosen], lengths[chosen]).tolist() == [index for span in spans for index in span]


def test_ids_are_ordered_as_their_utf_8_bytes_are() -> None:
    ids = ["é", "z", "a", "aa", "\U0001f642", "\uffff", "A", "10", "9"]
    assert [ids[k] for k in order_by_id(ids)] == sorted(ids, key=str.encode)
    assert order_by_id(ids, descending=True).tolist() == order_by_id(ids).tolist()[::-1]


def test_only_tied_entries_move() -> None:
    entries, tied = np.array([2, 0, 1, 3, 4]), np.array([False, False, True, True, False])
    assert order_ties(entries, tied, ["a", "b", "c", "d", "e"]).tolist() == [0, 3, 2, 1, 4]
    assert order_ties(entries, tied, ["a", "b", "c", "d", "e"], descending=False).tolist() == [0, 1, 2, 3, 4]


def test_streams_hang_on_the_seed_and_the_names_alone() -> None:
    """The numbers are recorded: another encoding would change every draw that users have kept."""
    assert open_stream(0, "q1").integers(1000, size=3).tolist() == open_stream(0, "q1").integers(1000, size=3).tolist()
    first = [
        open_stream(seed, *names).integers(10**9) for seed in (0, 1) for names in (("q1",), ("q1", ""), ("q", "1"))
    ]
    assert len(set(first)) == len(first)
    assert hash_name(0, "q1").hex() == "7a91d554a5da3ba01f792b4fd1dccb03"
    assert open_stream(0, "q1").integers(10**9) == 683997494
