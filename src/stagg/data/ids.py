"""Ids as a column: the address of the bytes of each; a Python object is made only when someone looks at one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, overload

import numpy as np

from stagg.kernels.arrays import ByteArray, Int32Array, IntArray
from stagg.kernels.text import ids as kernel

__all__ = ["Ids", "OwnIds", "has_own", "join_ids", "own_ids", "plain_ids", "stack_ids", "take_ids"]


class Ids(Sequence[str]):
    """UTF-8 text in somebody's buffers: ``length[k]`` bytes at ``address[k]``; ``owners`` keep the buffers alive.

    Equal to any sequence of the same texts. Taking some of them copies no text. ``kind`` is the Arrow type of a column
    of whole numbers: its ids are text here, and numbers again when they leave.
    """

    __slots__ = ("_objects", "_texts", "address", "kind", "length", "owners")

    def __init__(self, address: IntArray, length: Int32Array, owners: Sequence[Any], kind: Any = None) -> None:
        self.address, self.length, self.owners, self.kind = address, length, owners, kind
        self._texts: tuple[str, ...] | None = None
        self._objects: tuple[Any, ...] | None = None

    @classmethod
    def of_buffer(cls, address: int, offsets: IntArray, owners: Sequence[Any]) -> Ids:
        """The texts of a buffer that begin and end at its offsets, as Arrow has them."""
        starts = np.ascontiguousarray(offsets, dtype=np.int64)
        return cls(address + starts[:-1], np.diff(starts).astype(np.int32), owners)

    @classmethod
    def of(cls, ids: Sequence[str]) -> Ids:
        """The ids as a column: as they are if they are one."""
        return ids if isinstance(ids, Ids) else cls.of_texts(ids)

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
            found = kernel.texts(self.address, self.length)
            self._texts = tuple(self._read()) if found is None else found
        return self._texts

    def _read(self) -> Iterator[str]:
        places = zip(self.address.tolist(), self.length.tolist(), strict=True)
        return (ctypes.string_at(address, length).decode() for address, length in places)

    def take(self, numbers: IntArray | slice) -> Ids:
        """Some of them, by number."""
        return Ids(self.address[numbers], self.length[numbers], self.owners, self.kind)

    def of_kind(self, kind: Any) -> Ids:
        """The same, to come back as numbers of an Arrow type."""
        return Ids(self.address, self.length, self.owners, kind)

    @property
    def objects(self) -> Sequence[Any]:
        """Ids as the caller gets them: text, or the whole numbers that the texts are."""
        if self._objects is None:
            self._objects = self.texts if self.kind is None else tuple(map(int, self.texts))
        return self._objects

    def gather(self) -> tuple[ByteArray, IntArray]:
        """(bytes, offsets): all of them end to end, as Arrow has text."""
        found = kernel.gather(self.address, self.length)
        if found is not None:
            return found
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
        return (tuple, (self.texts,)) if self.kind is None else (OwnIds, (self.texts, self.objects, self.kind))

    def __repr__(self) -> str:
        return f"Ids({len(self):,}: {', '.join(map(repr, self[:3]))}{', …' * (len(self) > 3)})"


class OwnIds(tuple[str, ...]):
    """The texts of ids that came as objects of the caller; ``objects`` are these, in the same order.

    ``kind`` is the Arrow type of the column of whole numbers that they came from, if they did.

    >>> OwnIds(["7", "12"], [7, 12]).objects
    (7, 12)
    """

    objects: tuple[Any, ...]
    kind: Any

    def __new__(cls, texts: Sequence[str], objects: Sequence[Any], kind: Any = None) -> OwnIds:
        made = super().__new__(cls, texts)
        made.objects, made.kind = tuple(objects), kind
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnIds, (tuple(self), self.objects, self.kind)


def has_own(ids: Sequence[str]) -> bool:
    """Whether ids go back to the caller as something else than text."""
    return isinstance(ids, OwnIds) or (isinstance(ids, Ids) and ids.kind is not None)


def own_ids(ids: Sequence[str]) -> Sequence[Any]:
    """Ids as they go back to the caller: the objects that came in, or text."""
    return ids.objects if isinstance(ids, Ids | OwnIds) else ids


def plain_ids(ids: Sequence[str]) -> tuple[str, ...]:
    """Ids as texts, with the objects of the caller where these are not texts."""
    return OwnIds(tuple(ids), own_ids(ids), getattr(ids, "kind", None)) if has_own(ids) else tuple(ids)


@overload
def take_ids(ids: tuple[str, ...], numbers: IntArray) -> tuple[str, ...]: ...
@overload
def take_ids(ids: Sequence[str], numbers: IntArray) -> Sequence[str]: ...
def take_ids(ids: Sequence[str], numbers: IntArray) -> Sequence[str]:
    """Some ids, by number, of a column or of plain texts."""
    if isinstance(ids, Ids):
        return ids.take(numbers)
    chosen = numbers.tolist()
    texts = tuple(map(ids.__getitem__, chosen))
    if not isinstance(ids, OwnIds):
        return texts
    return OwnIds(texts, [ids.objects[number] for number in chosen], ids.kind)


def join_ids(parts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Several ids as one, end to end."""
    texts = tuple(chain.from_iterable(parts))
    return OwnIds(texts, list(chain.from_iterable(map(own_ids, parts)))) if any(map(has_own, parts)) else texts


def stack_ids(parts: Sequence[Sequence[str]]) -> Ids:
    """Several columns, or plain texts, one after the other; no text is copied."""
    columns = [Ids.of(part) for part in parts]
    none = np.zeros(0, dtype=np.int64)
    return Ids(
        np.concatenate([none, *(column.address for column in columns)]),
        np.concatenate([none.astype(np.int32), *(column.length for column in columns)]),
        columns,
    )
