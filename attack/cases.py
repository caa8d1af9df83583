"""The cases of the fuzz: valid files of every format, what damages them, how they are read; by seed and number."""

from __future__ import annotations

import dataclasses
import functools
import io
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.door.cases import CASES as DOOR
from tests.formats.test_fuzz import INSERTED, KINDS, PACKERS, damaged, random_options, seeds

from attack.invented import INVENTED, invent, invent_options
from stagg.formats import FORMATS
from stagg.formats.options import LAYOUTS, ReadOptions

__all__ = ["Case", "make_case", "repack"]

CORPUS = Path(__file__).parent / "corpus"
TURNS = [*KINDS, "trec", "csv", "csv", "jsonl"]  # what compiled code reads has more turns
WAYS = ("load", "load", "load", "fuse", "fuse", "fuse together")
LABELLED = ("letor", "json", "parquet")  # besides qrels, what may hold labels
LARGE_EVERY, PACKED_EVERY = 128, 8  # cases; larger files cost as much as a hundred small ones
INVENTED_SHARE = 0.3  # of the cases of a kind that can be made up
POOL = {"excel": 500, "parquet": 500}  # different ones that a seed makes up, as each takes milliseconds
ROWS = 1500  # of a larger file
FIELDS = [
    b"0", b"-0", b"1", b"1.0", b"-1", b"1e308", b"-1e308", b"1e309", b"5e-324", b"1e-400", b"+.5", b"5.", b".", b"1,5",
    b"0x10", b"1_0", b"nan", b"inf", b"NULL", b"NA", b"", b"q1", b"Q0", b"d1", b"1.7976931348623157e308", b"1" * 400,
    b"1" * 5000, b"\xc2\xb2", b"\xd9\xa3",
    b"9007199254740993", b"18446744073709551616", b"0." + b"0" * 340 + b"1", b"1e5000", b"true", b"null", b"[]", b"{}",
    b'"a"', b'"a""b"', b'"', b"a=b", b"a>b", b"{1,2}", b"\xc2\xa0", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\\u0000",
    b"\\ud800", b"x" * 70_000, b"qid:1", b"1:", b"#docid = x",
]  # fmt: skip
TIME = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")
BETWEEN = b" \t\n,;:"


@dataclasses.dataclass(frozen=True)
class Case:
    """A damaged file of a ``kind``, and the way in which it is read."""

    kind: str
    file: str
    data: bytes
    way: str
    format: str
    options: ReadOptions
    beside: bytes | None = None
    """The content of a second file, which is read together with it."""


@dataclasses.dataclass(frozen=True)
class Seed:
    """A valid file, and what has to be said to read it."""

    file: str
    data: bytes
    options: dict[str, Any] = dataclasses.field(default_factory=dict)


def make_case(seed: int, number: int) -> Case:
    rng = random.Random(f"{seed} {number}")
    kind = TURNS[number % len(TURNS)]
    chosen = rng.choice(_large(kind) if number % LARGE_EVERY == LARGE_EVERY - 1 else _small(kind))
    if kind in INVENTED and rng.random() < INVENTED_SHARE:
        return _invent(kind, seed, rng)
    way = "labels" if kind == "qrels" else rng.choice((*WAYS, "labels") if kind in LABELLED else WAYS)
    options, format_ = _pick_options(kind, chosen, rng)
    data = _pack(chosen, rng) if number % PACKED_EVERY == 0 else _damage(chosen, rng)
    beside = rng.choice(_small(kind)).data if way == "fuse together" else None
    return Case(kind, chosen.file, data, way, format_, options, beside)


def _invent(kind: str, seed: int, rng: random.Random) -> Case:
    """A file that is made up, with options that may not fit."""
    way = rng.choice((*WAYS, "labels") if kind in LABELLED else WAYS)
    files = [
        _from_pool(kind, seed, rng.randrange(POOL[kind])) if kind in POOL else invent(kind, rng)
        for _ in range(1 + (way == "fuse together"))
    ]
    options = invent_options(kind, rng)
    return Case(kind, _small(kind)[0].file, files[0], way, kind, options, files[1] if files[1:] else None)


@functools.lru_cache(maxsize=4096)
def _from_pool(kind: str, seed: int, number: int) -> bytes:
    return repack(invent(kind, random.Random(f"{kind} {seed} {number}")))


def _pick_options(kind: str, chosen: Seed, rng: random.Random) -> tuple[ReadOptions, str]:
    """What is said of a file: mostly what is right for it."""
    if rng.random() < 0.75:
        own = {"lenient": rng.random() < 0.4} | chosen.options
        format_ = own.pop("format", "auto")
        return ReadOptions(**own), format_
    options = random_options(kind, rng)
    return options, kind if kind != "qrels" and (options.header or options.layout) else "auto"


# --- valid files ------------------------------------------------------------------------------------------------------


@functools.cache
def _small(kind: str) -> list[Seed]:
    file = "x.txt" if kind == "qrels" else f"x{('.txt', *FORMATS[kind].endings)[-1]}"
    found = [Seed(file, repack(data)) for data in seeds(kind)]
    found += [Seed(file, path.read_bytes()) for path in sorted((CORPUS / kind).glob("*"))]
    found += [Seed(file, data) for data in (_parquet_files() if kind == "parquet" else [])]
    endings = (*(FORMATS[kind].endings if kind != "qrels" else ()), *((".txt",) if kind == "csv" else ()))
    for case in DOOR:
        if case.file.endswith(endings) and case.options.get("layout") in (None, *LAYOUTS.names()):
            data = case.content if isinstance(case.content, bytes) else case.content.encode()
            found.append(Seed(case.file, repack(data), case.options))
    return found


def _parquet_files() -> list[bytes]:
    """Columns of several types, laid out so plainly that a changed byte is a changed value."""
    items, queries = ["a", "b", "c", "é", "d"], ["q1", "q1", "q2", "q2", "q2"]
    tables = [
        {"query": queries, "item": items, "score": [1.5, 1.0, 0.5, -2.0, 0.0]},
        {"query": [1, 1, 2, 2, 2], "item": [7, 8, 9, 10, 11], "rank": [1, 2, 1, 2, 2], "ranker": list("xxyyx")},
        {
            "query": queries,
            "item": pa.array(items).dictionary_encode(),
            "score": pa.array([1, 2, 3, 4, 5], pa.float32()),
        },
        {"query": pa.array(queries, pa.large_string()), "item": items, "score": [1.0, None, 3.0, None, 5.0]},
        {"item": items, "score": pa.array([3, 1, 2, 9, -4], pa.int64()), "multiplicity": [1, 2, 1, 1, 1]},
    ]
    found = []
    for columns in tables:
        stream = io.BytesIO()
        pq.write_table(
            pa.table(columns), stream, compression="none", use_dictionary=False, write_statistics=False,
            row_group_size=2 + len(found),
        )  # fmt: skip
        found.append(stream.getvalue())
    return found


@functools.cache
def _large(kind: str) -> list[Seed]:
    """Files of many rows: queries in one piece and in several, in one block of a reader and in several."""
    if kind not in ROW_OF:
        return _small(kind)
    head, row = ROW_OF[kind]
    rng = random.Random(kind)
    file = _small(kind)[0].file
    in_turn = [row(n // 40, n, rng) for n in range(ROWS)]
    mixed = [row(n % 7, n, rng) for n in range(ROWS)]
    return [Seed(file, (head + "".join(rows)).encode()) for rows in (in_turn, mixed)]


ROW_OF: dict[str, tuple[str, Callable[[int, int, random.Random], str]]] = {
    "trec": ("", lambda q, n, rng: f"q{q} Q0 d{n} {n} {rng.random() * 10 ** rng.randint(-5, 5):.{n % 17}g} tag\n"),
    "qrels": ("", lambda q, n, rng: f"q{q} 0 d{n} {rng.randint(-1, 3)}\n"),
    "csv": ("query,ranker,item,score\n", lambda q, n, rng: f'q{q},r{n % 3},"d{n}",{rng.random()}\n'),
    "jsonl": ("", lambda q, n, rng: f'{{"query": "q{q}", "item": "d{n}", "score": {rng.random()}}}\n'),
    "letor": ("", lambda q, n, rng: f"{n % 3} qid:{q // 3} 1:{rng.random():.6f} 2:NULL #docid = d{n}\n"),
    "preflib": ("", lambda q, n, rng: f"{n % 5 + 1}: {','.join(map(str, rng.sample(range(1, 9), 5)))}\n"),
}  # fmt: skip


# --- damage -----------------------------------------------------------------------------------------------------------


def _damage(chosen: Seed, rng: random.Random) -> bytes:
    if chosen.data[:2] == b"PK" and rng.random() < 0.8:
        return _damage_member(chosen.data, rng)
    if rng.random() < 0.4:
        return damaged(chosen.data, rng)
    data = chosen.data
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(CHANGES)(data, rng)
    return data


def _replace_field(data: bytes, rng: random.Random) -> bytes:
    """One field of one row is something else: the row is well formed, and odd."""
    place = rng.randrange(len(data) + 1)
    low = max(data.rfind(bytes([mark]), 0, place) for mark in BETWEEN) + 1
    ends = [end for end in (data.find(bytes([mark]), place) for mark in BETWEEN) if end >= 0]
    return data[:low] + rng.choice(FIELDS) + data[min(ends, default=len(data)) :]


def _change_lines(data: bytes, rng: random.Random) -> bytes:
    """Two rows change places, or one is doubled or lost."""
    lines = data.splitlines(keepends=True) or [b""]
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    change = rng.randrange(4)
    if change == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif change == 1:
        lines.insert(one, lines[other])
    elif change == 2:
        del lines[one]
    else:
        lines[one] = lines[one].rstrip(b"\r\n") + rng.choice((b"", b"\r\n", b"\r", b" \n", b"\t\n", b",\n", b"\n\n"))
    return b"".join(lines)


def _change_digit(data: bytes, rng: random.Random) -> bytes:
    places = [place for place, byte in enumerate(data[:2000]) if 48 <= byte < 58]
    if not places:
        return data + b"0"
    place = rng.choice(places)
    return data[:place] + rng.choice((b"0", b"9", b"00", b".", b"e", b"-", b"1e9", b"")) + data[place + 1 :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(INSERTED) + data[place:]


CHANGES = [_replace_field, _replace_field, _change_lines, _change_digit, _insert]


def _damage_member(data: bytes, rng: random.Random) -> bytes:
    """A workbook whose archive is whole and one of whose files is damaged."""
    members = dict(_members(data))
    name = rng.choice(sorted(members))
    members[name] = damaged(members[name], rng)
    return _zip(members)


def repack(data: bytes, compression: int = zipfile.ZIP_STORED) -> bytes:
    """A workbook without the time at which it was made: a case is the same at any time. Other files as they are."""
    if data[:2] != b"PK":
        return data
    return _zip({name: TIME.sub(b"2000-01-01T00:00:00Z", content) for name, content in _members(data)}, compression)


def _zip(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return stream.getvalue()


@functools.lru_cache(maxsize=256)
def _members(data: bytes) -> tuple[tuple[str, bytes], ...]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return tuple((name, archive.read(name)) for name in archive.namelist())


def _pack(chosen: Seed, rng: random.Random) -> bytes:
    """A damaged archive of a right file, a right archive of a damaged one, or two archives one after the other."""
    number = rng.randrange(len(PACKERS))
    change = rng.random()
    if change < 0.4:
        return damaged(_packed(chosen.data, number), rng)
    if change < 0.5:
        return _packed(chosen.data, number) + _packed(chosen.data, rng.randrange(len(PACKERS)))
    return PACKERS[number](_damage(chosen, rng))


@functools.lru_cache(maxsize=4096)
def _packed(data: bytes, number: int) -> bytes:
    return PACKERS[number](data)
