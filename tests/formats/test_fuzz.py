"""Damaged files of every format: the outcome is rankings or a StaggError, never anything else, and never a wait."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import itertools
import lzma
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from stagg import Labels, Rankings, StaggError
from stagg.formats import FORMATS, Loaded, ReadLog, ReadOptions, load, read_labels
from stagg.formats.options import LAYOUTS
from tests.checks import some
from tests.door.cases import book
from tests.formats.hostile import Content, labels_of

SECONDS = 20

TEXTS: dict[str, list[bytes]] = {
    "trec": [
        b"q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 11 bm25\nq2 Q0 d1 1 -3e-2 bm25\n",
        b"\xef\xbb\xbfq1\tQ0\td1\t1\t.5\ttag\r\n\r\nq1 Q0 001 2 0.25 other",
    ],
    "letor": [
        b"2 qid:10 1:NULL 2:3 #docid = GX1 inc = 1 prob = 0.02\n0 qid:10 1:1 2:7 #docid = GX2 inc = 1 prob = 0.1\n"
        b"-1 qid:11 1:1 2:NULL #docid = GX1\n",
    ],
    "csv": [
        b'query,ranker,item,rank,score\nq1,a,"d,1",1,2.5\nq1,a,"d\n""2""",2,1\nq1,b,d1,1,\nq1,b,d2,2,\n',
        b"query\titem\tscore\tlow\nq1\td1\t3\t1\n# no\nq1\td2\t2.5\t1\n",
        b"Voter,1st choice,2nd choice\nAnn,A=B,C\nBob,C,\n",
        b"lab1;lab2\nTP53;TP53\nMYC;EGFR\n",
        b"item;bm25;dense\na;1,5;0,25\nb;;0,5\n",
        b"voter,A,B\nAnn,1,2\nBob,2,1\n",
        b"winner,loser,tie\nA,B,0\nB,C,1\n",
        b"Timestamp,Rank them [A],Rank them [B],Best?\n9:01,1st,2nd,A;B;\n9:02,2nd,1st,B;A;\n",
        b"Voters,5,3\n1st,A,B\n2nd,B,A\nTotal,2,2\n",
    ],
    "jsonl": [
        b'{"query": "q1", "item": "d1", "score": 1.5}\n{"query": "q1", "item": "d2", "score": 1}\n',
        b'{"query": "q1", "hits": {"hits": [{"_id": "a", "_score": 2}, {"_id": "b", "_score": 1.5}]}}\n',
    ],
    "markdown": [
        b"# Results\n\n| item | bm25 | **dense** |\n|---|--:|:-:|\n| a | 1.25 | 2.5 |\n| [b](x) | 0.5 | n/a |\n"
    ],
    "excel": [book(("S", [["item", "bm25", "dense"], ["a", 1.25, 2.5], ["b", 0.5, None]]))],
    "json": [
        b'{"q1": {"bm25": {"d1": 1.5, "d2": 1e-3}, "dense": {}}, "q2": {"bm25": {"\\u00e9\\n": 0}}}',
        b'{\n"q1": {"d1": 2, "d2": 1},\n"q2": {}\n}\n',
    ],
    "preflib": [
        b"# TITLE: t\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 7\n# ALTERNATIVE NAME 1: a\n"
        b"# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n4: 3,1,2\n3: {1,2},3\n",
        b"12: 1,{2,3}\n1: 2\n",
    ],
    "blt": [
        b'3 1\n-3\n4 1 2 0\n2 2=1 - 3 0 # late\n(id) 1 2 0\n0\n"Ann"\n"Bob"\n"Cy"\n"A title"\n',
    ],
    "cvotes": [
        b"# a vote\n#/Candidates: A ; B ; C\n#/Implicit Ranking: true\n#/Weight Allowed: true\n"
        b"A > B = C * 6\ntag || C > A ^2 * 3\nB\n/EMPTY_RANKING/\n",
    ],
    "abif": [
        b'# a vote\n{"version": "0.1"}\n=A:[Ann #1]\n=B:[Ben]\n=C:[Cleo]\n'
        b'27: A/5>B/2=C/2 # late\n3*B,C\n1: [Ben]/1, A/4: {"precinct": 5}\n',
    ],
    "gmt": [b"A\thttps://x.org/A\tTP53\tMYC\nB\thttps://x.org/B\tMYC\t\n", b"A\t\tTP53,1.0\tMYC,1.0\nB\t\tMYC,1.0\n"],
    "debian": [
        b" Tally Sheet\n   Option 1---->: Ann\n /  Option 2--->: Bob\n |/  Option 3-->: None Of The Above\n ||/\n"
        b"V: 213 \t\t9f86d0818884\nV: 1-1 \t\t60303ae22b99\nV: --- \t\tfd61a03af4f7\n",
    ],
    "qrels": [b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1\n"],
}
PACKERS: list[Callable[[bytes], bytes]] = [
    functools.partial(gzip.compress, mtime=0),
    bz2.compress,
    functools.partial(lzma.compress, preset=0),
    zstandard.ZstdCompressor().compress,
]
INSERTED = [
    b"\0",
    b"\n",
    b"\r",
    b"\t",
    b" ",
    b'"',
    b"{",
    b"}",
    b",",
    b":",
    b"#",
    b"nan",
    b"1e400",
    b"NULL",
    b"\xff",
    b"-",
]
KINDS = [*FORMATS.names(), "qrels"]


def seeds(kind: str) -> list[bytes]:
    """Valid files of a format: hand-made ones, else one that the format writes itself."""
    return TEXTS.get(kind) or [_written(kind)]


def _written(kind: str) -> bytes:
    rankings = Rankings.from_runs({"1": {"q1": {"a": 1.5, "b": 1.0}}, "2": {"q1": {"b": 0.5, "c": 0.5}}})
    content = Content(rankings, labels_of(rankings) if kind == "letor" else None)
    stream = io.BytesIO()
    FORMATS[kind]().write(content.rankings, stream, content.labels)
    return stream.getvalue()


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A few bytes flipped, put in, taken out, doubled or cut off."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed) + 1)
        length = rng.randint(1, 8)
        change = rng.randrange(6)
        if change == 0 and place < len(changed):
            changed[place] ^= 1 << rng.randrange(8)
        elif change == 1:
            changed[place:place] = rng.choice(INSERTED)
        elif change == 2:
            del changed[place : place + length]
        elif change == 3:
            changed[place:place] = changed[rng.randrange(len(changed) + 1) :][:60]
        elif change == 4:
            changed[place : place + length] = rng.randbytes(length)
        elif rng.random() < 0.3:
            del changed[place:]
    return bytes(changed)


def cases(kind: str, count: int) -> Iterator[tuple[bytes, ReadOptions]]:
    rng = random.Random(f"fuzz {kind}")
    for number, seed in zip(range(count), itertools.cycle(seeds(kind))):
        data = damaged(seed, rng)
        if number % 4 == 0:
            packed = rng.choice(PACKERS)(seed if number % 8 == 0 else data)
            data = damaged(packed, rng) if number % 8 == 0 else packed
        yield data, random_options(kind, rng)


def random_options(kind: str, rng: random.Random) -> ReadOptions:
    sometimes = {name: rng.random() < 0.3 for name in ("header", "comments", "lenient", "float_labels", "names")}
    values = rng.choice(["rank", "score"]) if kind in ("letor", "json") else None
    order_by = rng.choice([None, "rank"]) if kind in ("trec", "csv", "parquet") else None
    encoding = "utf-8" if rng.random() < 0.9 else rng.choice(["latin-1", "utf-16", "utf-7", "utf-8-sig", "shift_jis"])
    tables = kind in ("csv", "excel", "markdown") and rng.random() < 0.4
    return ReadOptions(
        values=rng.choice([None, "rank", "score"]) if tables else values,
        order_by=None if tables else order_by,
        encoding=encoding,
        split_by_tag=rng.random() < 0.1,
        layout=rng.choice(LAYOUTS.names()) if tables else None,
        columns=rng.choice([None, {"ranker": "1"}, {"item": "1", "score": "2"}]) if tables else None,
        duplicates=rng.choice(["error", "best", "first"]),
        **sometimes,
    )


def read_one(path: Path, kind: str, options: ReadOptions) -> Loaded | Labels:
    if kind == "qrels":
        return read_labels(path, format="qrels", log=ReadLog(), lenient=options.lenient, encoding=options.encoding)
    format_ = kind if options.header or options.layout else "auto"
    return load(path, format=format_, options=options, log=ReadLog())


def outcome(path: Path, kind: str, options: ReadOptions) -> str:
    """The message of a refusal, or "" when the file was read."""
    signal.alarm(SECONDS)
    try:
        read_one(path, kind, options)
    except StaggError as error:
        return str(error)
    finally:
        signal.alarm(0)
    return ""


def _too_slow(*_: object) -> None:
    raise AssertionError(f"a damaged file kept its reader busy for {SECONDS} s")


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_read_or_refused(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    signal.signal(signal.SIGALRM, _too_slow)
    path = tmp_path / f"fuzzed{'' if kind == 'qrels' else ('.txt', *FORMATS[kind].endings)[-1]}"
    outcomes = set()
    for data, options in cases(kind, request.config.getoption("--fuzz-cases") // len(KINDS)):
        path.write_bytes(data)
        try:
            message = outcome(path, kind, options)
        except Exception as error:
            raise AssertionError(f"{options} {data!r}") from error
        assert message.isprintable()
        outcomes.add(not message)
    assert outcomes == {True, False}, "damage that always or never matters says nothing"


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_that_fuzzing_starts_from_are_right(kind: str, tmp_path: Path) -> None:
    for number, seed in enumerate(some(seeds(kind))):
        path = tmp_path / f"seed{number}"
        path.write_bytes(seed)
        options = ReadOptions(comments=kind == "csv")
        assert read_one(path, kind, options) is not None
