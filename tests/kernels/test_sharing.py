"""Which rankers share items: the compiled kernel, its oracle in NumPy, and sets."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.agreement import sharing
from stagg.kernels.compiled import twin
from stagg.kernels.ragged import build_offsets


@pytest.mark.parametrize("seed", range(60))
def test_the_twin_its_oracle_and_sets_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rankers, queries, items = int(rng.integers(1, 8)), int(rng.integers(0, 6)), int(rng.integers(2, 40))
    lists, owners = [], []
    for query in range(queries):
        for owner in np.flatnonzero(rng.random(rankers) < 0.7):
            lists.append(query * items + rng.permutation(items)[: rng.integers(1, 4)])
            owners.append(owner)
    before = rng.random(rankers) < 0.1
    expected = before.copy()
    for a, mine in enumerate(lists):
        others = {item for b, held in enumerate(lists) if a != b for item in held.tolist()}
        expected[owners[a]] |= not others.isdisjoint(mine.tolist())
    flat = np.concatenate([np.zeros(0, dtype=np.intp), *lists]).astype(np.intp)
    given = (flat, build_offsets(np.array([*map(len, lists)], dtype=np.intp)), np.array(owners, dtype=np.intp))
    for kernel in (sharing.mark_sharing, sharing._mark_sharing):
        marks = before.copy()
        done = kernel(*given, queries * items, marks)
        assert marks.tolist() == expected.tolist()
        assert done == expected[owners].all()


def test_there_is_a_twin() -> None:
    if twin("text._requests") is not None:
        assert callable(twin("text._requests").mark_sharing)  # type: ignore[union-attr]


def test_arrays_of_any_layout_are_taken() -> None:
    entries, offsets = np.array([0, 9, 1, 9, 1, 9, 2, 9])[::2], np.array([0, 2, 3, 4], dtype=np.int32)
    marks = np.zeros(3, dtype=bool)
    assert not sharing.mark_sharing(entries, offsets, np.array([0, 1, 2]), 3, marks)
    assert marks.tolist() == [True, True, False]
