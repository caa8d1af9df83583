"""The cache of features: bounded, by content, safe among threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from stagg.features.cache import OVERHEAD, Cache, key_of
from stagg.kernels.arrays import FloatArray


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache = Cache(3 * (80 + OVERHEAD))
    for name in (b"a", b"b", b"c", b"a", b"d"):
        cache.get(name, lambda: np.zeros(10))
    asked: list[bytes] = []

    def compute(name: bytes) -> FloatArray:
        asked.append(name)
        return np.zeros(10)

    for name in (b"a", b"c", b"d", b"b"):
        cache.get(name, lambda name=name: compute(name))  # type: ignore[misc]
    assert asked == [b"b"]
    assert len(cache) == 3
    assert cache.size <= cache.limit


def test_what_is_larger_than_the_cache_is_not_kept() -> None:
    cache = Cache(1000)
    assert len(cache.get(b"a", lambda: np.zeros(1000))) == 1000
    assert len(cache) == cache.size == 0


def test_what_is_kept_cannot_be_written_to() -> None:
    found = Cache(1000).get(b"a", lambda: np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1.0


def test_a_key_is_the_content_and_the_shape() -> None:
    table = np.arange(6.0)
    keys = [key_of("a", table), key_of("b", table), key_of("a", table.reshape(2, 3)), key_of("a", table + 1)]
    assert len(set(keys)) == 4
    assert key_of("a", np.asfortranarray(table.reshape(2, 3))) == keys[2]


def test_many_threads_find_what_they_ask_for() -> None:
    cache = Cache(20 * (80 + OVERHEAD))
    wrong: list[int] = []

    def work() -> None:
        for turn in range(2000):
            number = turn * 7 % 50
            if cache.get(str(number).encode(), lambda number=number: np.full(10, float(number)))[3] != number:  # type: ignore[misc]
                wrong.append(number)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(cache) <= 20
    assert cache.size == len(cache) * (80 + OVERHEAD)
