"""Pages of a fused list: a token says where the next page starts, and detects that the list has changed."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

import numpy as np

from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.registry import whole_number

__all__ = ["Page", "cut_page"]

T = TypeVar("T")

TOKEN: Final = struct.Struct(">B8sId8s")
VERSION: Final = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Page(Sequence[T], Generic[T]):
    """Some consecutive items of a fused list. ``next`` is the token of the page after it, None on the last one.

    ``changed`` is True if the list is not the one that the token was made of: an index was updated, a leg failed, or
    the call had other options. Then the page starts after the last item that was shown, or at the rank that this item
    had if it has moved down. An item may come again. An item is lost only if it has moved up, ahead of the last item
    shown, to a rank that the reader has already passed.
    """

    items: tuple[T, ...]
    next: str | None = None
    changed: bool = False

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...

    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self.items[place]


def cut_page(listed: Sequence[T], ids: Sequence[str], scores: FloatArray, size: int, after: str | None) -> Page[T]:
    """The first ``size`` items of a best-first list, or those that follow where a token was made.

    The order of a fused list is total (by score, then by id), so the pages of one list share no item and leave none
    out. A token holds no id, only a short hash of one, and is 39 characters long.

    >>> first = cut_page("abcde", "abcde", np.array([5.0, 4.0, 3.0, 2.0, 1.0]), 3, None)
    >>> first.items, cut_page("abcde", "abcde", np.array([5.0, 4.0, 3.0, 2.0, 1.0]), 3, first.next).items
    (('a', 'b', 'c'), ('d', 'e'))
    """
    whole_number("the size of a page", size, least=1)
    digest = _digest(ids, scores)
    cursor = None if after is None else _read_token(after)
    start = 0 if cursor is None else _find_start(cursor, digest, ids, scores)
    stop = min(start + size, len(ids))
    changed = cursor is not None and cursor.digest != digest
    following = _Cursor(digest, stop, float(scores[stop - 1]), _hash(ids[stop - 1])) if stop < len(ids) else None
    return Page(tuple(listed[start:stop]), None if following is None else _write_token(following), changed)


class _Cursor(NamedTuple):
    """The list (a digest), how many of its items were seen, and the score and the hashed id of the last one."""

    digest: bytes
    seen: int
    score: float
    item: bytes


def _find_start(cursor: _Cursor, digest: bytes, ids: Sequence[str], scores: FloatArray) -> int:
    """Where to go on; in a list that is another, behind the last item, or where its score would stand.

    If the last item moved down, others overtook it that are still to be shown: go on where it stood. To repeat an item
    is better than to lose one.
    """
    if cursor.digest == digest:
        return cursor.seen
    last = next((place for place, each in enumerate(ids, start=1) if _hash(each) == cursor.item), None)
    if last is None:
        return min(cursor.seen, int(np.count_nonzero(scores > cursor.score)))
    return last if last <= cursor.seen else cursor.seen - 1


def _write_token(cursor: _Cursor) -> str:
    return base64.urlsafe_b64encode(TOKEN.pack(VERSION, *cursor)).rstrip(b"=").decode()


def _read_token(token: Any) -> _Cursor:
    try:
        version, *fields = TOKEN.unpack(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (TypeError, ValueError, binascii.Error, struct.error):
        version = None
    if version != VERSION:
        raise InvalidParameter(f"after is the token of an earlier page (page.next), not {shown(token)}")
    return _Cursor(*fields)


def _digest(ids: Sequence[str], scores: FloatArray) -> bytes:
    """A fingerprint of a list: its ids in order, and their scores."""
    found = hashlib.blake2b(np.ascontiguousarray(scores, dtype=">f8").tobytes(), digest_size=8)
    for each in ids:
        text = each.encode("utf-8", "surrogatepass")
        found.update(len(text).to_bytes(8, "big") + text)
    return found.digest()


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
