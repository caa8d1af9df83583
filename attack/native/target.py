"""What the native fuzz does with an input: its first byte picks a kernel, the rest is the text that the kernel reads.

Buffers are as long as the kernels ask for and no longer: AddressSanitizer sees it when one byte too many is looked at.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

import numpy as np

from stagg.formats.numbers import parse_number
from stagg.formats.parts.random_access import AFTER
from stagg.formats.parts.stretches import Stretches
from stagg.kernels.text import _ids, _numbers, _row_index, _runs, _text  # type: ignore[attr-defined]

DELIMITERS = b",;\t|"
BLANK = set(b" \t\r\n\0")
MANY = 1 << 62


def run(data: bytes) -> None:
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])


def read_one_number(data: bytes) -> None:
    """The compiled grammar of numbers against the one in Python."""
    word = data.split(b"\n")[0]
    found = _numbers.number(_hold(word + b"\n", after=0))
    expected = parse_number(word.decode("latin-1")) if word.isascii() else None
    assert repr(found) == repr(expected), (word, found, expected)


def write_one_number(data: bytes) -> None:
    """What is written reads back as the same number, to the last bit."""
    (number,) = struct.unpack("d", data[:8].ljust(8, b"\0"))
    if np.isfinite(number):
        text = _numbers.text(number)
        assert repr(float(text)) == repr(float(number)), (number, text)
        assert _numbers.number(_hold(text if isinstance(text, bytes) else text.encode(), b"\n", after=0)) == number


def index_and_read_run(data: bytes) -> None:
    """The index of a TREC run, then the lists of all its queries."""
    content, end = _text_of(data)
    segments = _row_index.Segments()
    if not _row_index.is_text(content, end):
        return
    stop, line = segments.feed(content, 0, end, 1, 0)
    if stop < end or not len(segments.names):
        return
    stretches = Stretches(*segments.arrays(end, line))
    stretches.arrange(np.arange(len(segments.names)))
    lists, address = len(stretches.queries), content.__array_interface__["data"][0]
    rows = np.add.reduceat(stretches.rows, stretches.first[:-1])
    for by_rank, depth in ((False, 0), (True, 0), (False, 2)):
        counts, falls = np.array([0, 0, MANY, 0, 0]), np.array([[0, MANY]])
        found = _runs.lists(
            stretches.begin + address, stretches.end + address, stretches.line, stretches.first,
            np.zeros(lists, dtype=np.int64), rows, np.arange(lists + 1), segments.names.texts(), by_rank, depth, falls,
            counts,
        )  # fmt: skip
        if found is not None:
            assert (np.diff(found[1]) > 0).all()
            assert 0 <= found[2].min() <= found[2].max() < len(found[5])
            _look_at_ids(found[5], found[6])


def split_table(data: bytes) -> None:
    """The rows of a table into columns, and these into rows again; its index beside it."""
    if len(data) < 6:
        return
    kinds, delimiter, comments = bytes(byte % 4 for byte in data[:4]), DELIMITERS[data[4] % 4], bool(data[5] & 1)
    content, end = _text_of(data[6:])
    if b"\0" in bytes(content[:end]):
        return
    width = np.frombuffer(kinds[: 1 + data[5] % 4], dtype=np.uint8)
    columns, lines, starts, stop, _ = _text.split(content, 0, end, width, delimiter, 1, comments)
    assert 0 <= stop <= end
    assert len(lines) == len(starts)
    for column in columns:
        if isinstance(column, tuple):
            _look_at_ids(*column)
    if 1 in width.tolist() and _row_index.is_text(content, end):
        segments = _row_index.Segments(delimiter, width.tobytes(), width.tolist().index(1), -1, comments)
        assert segments.feed(content, 0, end, 1, 0)[0] == stop
        assert segments.rows == len(lines)
    numbers = [column for column in columns if isinstance(column, np.ndarray)]
    if numbers and len(numbers[0]):
        _text.join(numbers, 0, len(numbers[0]), delimiter)


def number_names(data: bytes) -> None:
    """Names get the numbers that a dict would give them."""
    names = data.split(b"\0")
    segments, none = _row_index.Segments(), np.arange(len(names))
    segments.add(names, [], none, none)
    assert segments.names.texts() == list(dict.fromkeys(names))


TARGETS = [read_one_number, write_one_number, index_and_read_run, split_table, number_names]


def _look_at_ids(address: Any, length: Any) -> None:
    """What is done to ids, each against what Python makes of the same bytes."""
    data, offsets = _ids.gather(address, length)
    raw = data.tobytes()
    names = [raw[low:high] for low, high in pairwise(offsets.tolist())]
    number = {name: code for code, name in enumerate(dict.fromkeys(names))}
    assert _ids.encode(address, length)[0].tolist() == [number[name] for name in names]
    assert _text.mark_odd(address, length).shape == address.shape
    blank = _text.find_blank(address, length)
    assert blank == next((k for k, name in enumerate(names) if not name or set(name) & BLANK), -1)
    try:
        texts = tuple(name.decode() for name in names)
    except UnicodeDecodeError:
        return
    assert _ids.texts(address, length) == texts


def _text_of(data: bytes) -> tuple[Any, int]:
    content = data if data.endswith(b"\n") else data + b"\n"
    return _hold(content), len(content)


def _hold(*parts: bytes, after: int = AFTER) -> Any:
    """The bytes in memory of their own, of exactly this length."""
    text = b"".join(parts)
    held = np.zeros(len(text) + after, dtype=np.uint8)
    held[: len(text)] = np.frombuffer(text, dtype=np.uint8)
    return held
