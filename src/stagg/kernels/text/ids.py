"""Columns of ids as bytes: their texts, copies end to end, numbers by first appearance, ties by id.

An id is an address and a length. Each function gives None where the compiled twin was not built.
"""

from __future__ import annotations

from stagg.kernels.arrays import BoolArray, ByteArray, FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = ["encode", "gather", "has_twin", "order_tied_ids", "texts"]


def has_twin() -> bool:
    """Whether ids can stay bytes here."""
    return twin("text._ids") is not None


def texts(address: IntArray, length: Int32Array) -> tuple[str, ...] | None:
    """All of them as Python text."""
    compiled = twin("text._ids")
    return None if compiled is None else compiled.texts(address, length)


def gather(address: IntArray, length: Int32Array) -> tuple[ByteArray, IntArray] | None:
    """(bytes, offsets): all of them end to end."""
    compiled = twin("text._ids")
    return None if compiled is None else compiled.gather(address, length)


def encode(address: IntArray, length: Int32Array) -> tuple[IntArray, IntArray] | None:
    """(the number of each by first appearance, where each number appears first)."""
    compiled = twin("text._ids")
    return None if compiled is None else compiled.encode(address, length)


def order_tied_ids(order: IntArray, tied: BoolArray, scores: FloatArray, address: IntArray, length: Int32Array) -> bool:
    """Equal items by id, descending, all with the score of the first of them: in place; False without the twin."""
    compiled = twin("text._ids")
    if compiled is not None:
        compiled.break_ties(order, tied.view("uint8"), scores, address, length)
    return compiled is not None
