"""Cache of features: the folds of a cross-validation share most of their queries."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from stagg.kernels.arrays import FloatArray

__all__ = ["Cache", "key_of"]

OVERHEAD = 300  # bytes of an entry besides its numbers


class Cache:
    """Arrays by key, at most ``limit`` bytes of them; the one not asked for longest goes first.

    Safe among threads. Two that miss the same key at once both compute it: nothing is held while computing.

    >>> import numpy as np
    >>> cache = Cache(1_000_000)
    >>> cache.get(b"key", lambda: np.zeros(2)), cache.get(b"key", lambda: np.ones(2))
    (array([0., 0.]), array([0., 0.]))
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._lock = threading.Lock()
        self._found: OrderedDict[bytes, FloatArray] = OrderedDict()

    def get(self, key: bytes, compute: Callable[[], FloatArray]) -> FloatArray:
        """The array of this key, computed if it is not here; not to be written to."""
        with self._lock:
            found = self._found.get(key)
            if found is not None:
                self._found.move_to_end(key)
                return found
        found = compute()
        found.setflags(write=False)
        self._keep(key, found)
        return found

    def _keep(self, key: bytes, array: FloatArray) -> None:
        if array.nbytes + OVERHEAD > self.limit:
            return
        with self._lock:
            if key not in self._found:
                self._found[key] = array
                self.size += array.nbytes + OVERHEAD
            while self.size > self.limit:
                _, oldest = self._found.popitem(last=False)
                self.size -= oldest.nbytes + OVERHEAD

    def clear(self) -> None:
        with self._lock:
            self._found.clear()
            self.size = 0

    def __len__(self) -> int:
        return len(self._found)


def key_of(text: str, table: FloatArray) -> bytes:
    """A digest of a text and of the shape and the numbers of a table."""
    digest = hashlib.blake2b(f"{text}|{table.shape}|".encode(), digest_size=16)
    digest.update(table.tobytes())
    return digest.digest()
