"""What the native fuzz does with an input: its first byte picks a kernel, the rest is the text that the kernel reads.

Buffers are as long as the kernels ask for and no longer: AddressSanitizer sees it when one byte too many is looked at.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

import numpy as np

from stagg.formats.numbers import parse_number
from stagg.formats.parts.text_blocks import AFTER
from stagg.kernels.text import _ids, _numbers, _records, _text  # type: ignore[attr-defined]

DELIMITERS = b",;\t|"
BLANK = set(b" \t\r\n\0")
MANY, NAN = 1 << 62, float("nan")


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


def split_and_sort_run(data: bytes) -> None:
    """The rows of a TREC run, sorted by query, then the lists of all its queries."""
    content, end = _text_of(data)
    if not _text.is_text(content, end):
        return
    assert _text.count_newlines(content, end) == bytes(content[:end]).count(b"\n")
    queries, items, ranks, scores, lines, tags, stop = _text.split_run(content, 0, end, 1)
    assert 0 <= stop <= end
    assert len(lines) == len(queries[0]) == len(items[0]) == len(ranks) == len(scores)
    assert len(tags[0]) <= len(lines)
    for ids in (queries, items, tags):
        _look_at_ids(*ids)
    if len(lines):
        names = _names(*queries)
        _sort_and_list(names, _names(*items), [0] * len(names), scores, ranks, lines.tolist())


def split_table(data: bytes) -> None:
    """The rows of a table into columns, and these into rows again."""
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
    numbers = [column for column in columns if isinstance(column, np.ndarray)]
    if numbers and len(numbers[0]):
        _text.join(numbers, 0, len(numbers[0]), delimiter)


def list_records(data: bytes) -> None:
    """Rows of any bytes: the first give rankers and numbers, the rest, between NULs, are queries and items in turn."""
    if len(data) < 5:
        return
    seed, names = data[:4], data[4:].split(b"\0")
    queries, items = names[::2], names[1::2]
    rows = min(len(queries), len(items))
    marks = [seed[k % 4] + k for k in range(rows)]
    scores = np.array([NAN if mark % 7 == 0 else mark % 5 for mark in marks], dtype=np.float64)
    ranks = np.array([NAN if mark % 11 == 0 else mark % 3 for mark in marks], dtype=np.float64)
    if rows:
        _sort_and_list(queries[:rows], items[:rows], [mark % 3 for mark in marks], scores, ranks, list(range(rows)))


def _sort_and_list(
    queries: list[bytes], items: list[bytes], rankers: list[int], scores: Any, ranks: Any, lines: list[int]
) -> None:
    """The groups and the lists of rows in one buffer, and in two, against what Python makes of the same rows."""
    half = len(queries) // 2
    one, two = (
        _sorted_rows(queries[rows], items[rows], rankers[rows], scores[rows], ranks[rows], lines[rows])
        for rows in (slice(0, half), slice(half, None))
    )
    whole = _sorted_rows(queries, items, rankers, scores, ranks, lines)
    for cut in (queries[half], b"", b"\xff"):
        _check_bound(whole, queries, cut)
    for by_rank, by_appearance in ((False, False), (True, True)):
        expected = list(dict.fromkeys(queries)) if by_appearance else sorted(set(queries))
        found = [_list(buffers, by_rank, by_appearance) for buffers in ([whole], [one, two])]
        for lists in found:
            assert _names(lists[0], lists[1]) == expected
            assert _names(lists[11], lists[12]) == [
                item for query in expected for item in dict.fromkeys(_items_of(query, queries, items))
            ]
            assert len(lists[7]) == len(queries)
            _records.place_of(lists[10])
            _look_at_ids(lists[11], lists[12])
        for mine, theirs in zip(found[0][2:10], found[1][2:10], strict=True):
            assert mine.tobytes() == theirs.tobytes()
        assert found[0][13] == found[1][13]


def _items_of(query: bytes, queries: list[bytes], items: list[bytes]) -> list[bytes]:
    return [item for each, item in zip(queries, items, strict=True) if each == query]


def _sorted_rows(
    queries: list[bytes], items: list[bytes], rankers: list[int], scores: Any, ranks: Any, lines: list[int]
) -> Any:
    """A buffer in memory of exactly its length; its fences are groups."""
    number = {name: code for code, name in enumerate(dict.fromkeys(queries))}
    held, address, length = _columns([*number, *items])
    few = len(number)
    buffer, fences = _records.sort_by_query(
        np.array([number[name] for name in queries], dtype=np.int64), address[:few], length[:few],
        np.zeros(0, dtype=np.uint8), np.array(rankers, dtype=np.int64), address[few:], length[few:],
        np.ascontiguousarray(scores), np.ascontiguousarray(ranks), np.array(lines, dtype=np.int64),
        lines[0] if lines else 0, 1,
    )  # fmt: skip
    assert [_records.query_at(buffer, place) for place in fences.tolist()] == sorted(number)
    assert not number or _records.last_query(buffer, 0) == max(number)
    del held
    return buffer.copy()


def _check_bound(buffer: Any, queries: list[bytes], bound: bytes) -> None:
    """Groups below a bound are passed, no others."""
    begin = buffer.__array_interface__["data"][0]
    [passed] = _records.pass_below(np.array([begin]), np.array([begin + len(buffer)]), bound).tolist()
    assert (passed == begin + len(buffer)) == all(query < bound for query in queries)


def _list(buffers: list[Any], by_rank: bool, by_appearance: bool) -> Any:
    full = [buffer for buffer in buffers if len(buffer)]
    count = len(full)
    return _records.lists(
        np.array([buffer.__array_interface__["data"][0] for buffer in full], dtype=np.int64),
        np.array([len(buffer) for buffer in full], dtype=np.int64), np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64), np.tile(np.arange(3), count), np.arange(0, 3 * count + 1, 3), 3, by_rank,
        by_appearance, np.array([[0, MANY]]),
    )  # fmt: skip


def _columns(names: list[bytes]) -> tuple[Any, Any, Any]:
    """(what holds the bytes, addresses, lengths)."""
    held = np.frombuffer(b"".join(names) or b"\0", dtype=np.uint8).copy()
    length = np.array([len(name) for name in names], dtype=np.int32)
    return held, held.__array_interface__["data"][0] + np.cumsum([0, *length[:-1]], dtype=np.int64), length


TARGETS = [read_one_number, write_one_number, split_and_sort_run, split_table, list_records]


def _look_at_ids(address: Any, length: Any) -> None:
    """What is done to ids, each against what Python makes of the same bytes."""
    names = _names(address, length)
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


def _names(address: Any, length: Any) -> list[bytes]:
    data, offsets = _ids.gather(address, length)
    raw = data.tobytes()
    return [raw[low:high] for low, high in pairwise(offsets.tolist())]


def _text_of(data: bytes) -> tuple[Any, int]:
    content = data if data.endswith(b"\n") else data + b"\n"
    return _hold(content), len(content)


def _hold(*parts: bytes, after: int = AFTER) -> Any:
    """The bytes in memory of their own, of exactly this length."""
    text = b"".join(parts)
    held = np.zeros(len(text) + after, dtype=np.uint8)
    held[: len(text)] = np.frombuffer(text, dtype=np.uint8)
    return held
