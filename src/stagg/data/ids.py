"""Ids as a column: where the bytes of each stand. A Python object is made only when someone looks at one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from stagg.kernels.arrays import IntArray
from stagg.kernels.compiled import twin

__all__ = ["Ids", "join_ids", "take_ids"]

Lengths = npt.NDArray[np.int32]


class Ids(Sequence[str]):
    """UTF-8 text in somebody's buffers: ``length[k]`` bytes at ``address[k]``; ``owners`` keep the buffers alive.

    Equal to any sequence of the same texts. Taking some of them copies no text.
    """

    __slots__ = ("_texts", "address", "length", "owners")

    def __init__(self, address: IntArray, length: Lengths, owners: Sequence[Any]) -> None:
        self.address, self.length, self.owners = address, length, owners
        self._texts: tuple[str, ...] | None = None

    @classmethod
    def of_buffer(cls, address: int, offsets: IntArray, owners: Sequence[Any]) -> Ids:
        """The texts of a buffer that begin and end at its offsets, as Arrow has them."""
        starts = np.ascontiguousarray(offsets, dtype=np.int64)
        return cls(address + starts[:-1], np.diff(starts).astype(np.int32), owners)

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Ids:
        """Plain texts, brought into one buffer.

        >>> Ids.of_texts(["b", "é"])
        Ids(2: 'b', 'é')
        """
        encoded = [text.encode() for text in texts]
        data = np.frombuffer(b"".join([*encoded, bytes(8)]), dtype=np.uint8)
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls.of_buffer(data.__array_interface__["data"][0], offsets, [data])

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them as Python text, made once."""
        if self._texts is None:
            kernel = twin("_ids")
            self._texts = kernel.texts(self.address, self.length) if kernel is not None else tuple(self._read())
        return self._texts

    def _read(self) -> Iterator[str]:
        places = zip(self.address.tolist(), self.length.tolist(), strict=True)
        return (ctypes.string_at(address, length).decode() for address, length in places)

    def take(self, numbers: IntArray | slice) -> Ids:
        """Some of them, by number."""
        return Ids(self.address[numbers], self.length[numbers], self.owners)

    def gather(self) -> tuple[npt.NDArray[np.uint8], IntArray]:
        """(bytes, offsets): all of them end to end, as Arrow has text."""
        kernel = twin("_ids")
        if kernel is not None:
            data, offsets = kernel.gather(self.address, self.length)
            return data, offsets
        encoded = [text.encode() for text in self.texts]
        lengths = np.array([0, *map(len, encoded)], dtype=np.int64)
        return np.frombuffer(b"".join(encoded), dtype=np.uint8), np.cumsum(lengths)

    def __len__(self) -> int:
        return len(self.address)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[str, ...]: ...
    def __getitem__(self, number: int | slice) -> str | tuple[str, ...]:
        if self._texts is None and isinstance(number, slice):
            return self.take(np.arange(len(self))[number]).texts
        return self.texts[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ids | tuple | list):
            return len(self) == len(other) and self.texts == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.texts,)

    def __repr__(self) -> str:
        return f"Ids({len(self):,}: {', '.join(map(repr, self[:3]))}{', …' * (len(self) > 3)})"


def take_ids(ids: Sequence[str], numbers: IntArray) -> Sequence[str]:
    """Some ids, by number, of a column or of plain texts."""
    return ids.take(numbers) if isinstance(ids, Ids) else tuple(map(ids.__getitem__, numbers.tolist()))


def join_ids(parts: Sequence[Sequence[str]]) -> Ids:
    """Several columns, or plain texts, one after the other; no text is copied."""
    columns = [part if isinstance(part, Ids) else Ids.of_texts(part) for part in parts]
    none = np.zeros(0, dtype=np.int64)
    return Ids(
        np.concatenate([none, *(column.address for column in columns)]),
        np.concatenate([none.astype(np.int32), *(column.length for column in columns)]),
        columns,
    )
