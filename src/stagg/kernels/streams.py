"""Random numbers from a seed and names alone: they do not depend on file order, threads, processes or hash seeds."""

from __future__ import annotations

import hashlib
from itertools import chain

import numpy as np

__all__ = ["hash_name", "open_stream"]


def open_stream(seed: int, *names: str) -> np.random.Generator:
    """A generator of random numbers that belongs to this seed and these names alone.

    >>> open_stream(0, "q1").integers(1000, size=3).tolist() == open_stream(0, "q1").integers(1000, size=3).tolist()
    True
    """
    return np.random.default_rng([seed, *chain.from_iterable(map(_digest, names))])


def hash_name(seed: int, name: str) -> bytes:
    """Bytes to order names by: a shuffle that depends on the seed and on each name alone."""
    return _digest(f"{seed}:{name}")


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
