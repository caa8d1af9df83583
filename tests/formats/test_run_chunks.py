"""The compiled reader of TREC runs must agree, to the letter, with the one in Python."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import itertools
import os
import random
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stagg import DataError, StaggError
from stagg.formats import Loaded, ReadLog, ReadOptions, load
from stagg.formats.inputs import Inputs
from stagg.formats.numbers import parse_number
from stagg.formats.parts import text_blocks
from stagg.formats.parts.in_parts import InParts
from stagg.formats.parts.run_chunks import RunInChunks
from stagg.kernels.compiled import twin
from stagg.kernels.text import records
from stagg.threads import Crew
from tests.checks import some
from tests.formats.hostile import HOSTILE_IDS
from tests.formats.test_fast_paths import texts
from tests.formats.test_fuzz import damaged
from tests.strategies import examples

numbers = twin("text._numbers")
pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")

Outcome = tuple[Loaded | str, list[str], str]


def outcome(paths: Sequence[Path], options: ReadOptions) -> Outcome:
    log = ReadLog()
    try:
        found: Loaded | str = load(list(paths), format="trec", options=options, log=log)
    except StaggError as error:
        found = f"{type(error).__name__}: {error}"
    return found, log.notes, log.summary()


def in_python(paths: Sequence[Path], options: ReadOptions) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stagg.kernels.text.records.twin", lambda name: None)
        return outcome(paths, options)


def check_agreement(paths: Sequence[Path], options: ReadOptions | None = None) -> Outcome:
    options = options or ReadOptions()
    quickly, slowly = outcome(paths, options), in_python(paths, options)
    assert quickly == slowly
    for mine, theirs in zip(quickly[:1], slowly[:1], strict=True):
        if isinstance(mine, Loaded) and isinstance(theirs, Loaded):  # and in the same order
            assert mine.rankings.queries == theirs.rankings.queries
            assert mine.rankings.items == theirs.rankings.items
            assert mine.rankings.entries.tolist() == theirs.rankings.entries.tolist()
            assert str(mine.rankings.scores) == str(theirs.rankings.scores)
    return quickly


def is_compiled(paths: Sequence[Path], options: ReadOptions | None = None) -> bool:
    """Whether the compiled reader takes these files, from the first row to the last."""
    closely: list[object] = []
    with (
        pytest.MonkeyPatch.context() as patch,
        Inputs(list(paths), options=options or ReadOptions(), log=ReadLog()) as inputs,
    ):
        patch.setattr(RunInChunks, "_read_closely", lambda self, piece, log: closely.append(piece))
        runs = inputs.in_parts()
        assert isinstance(runs, InParts)
        with contextlib.suppress(AttributeError):
            runs.read_whole()
        return not closely


@settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), order_by=st.sampled_from([None, "rank"]), lenient=st.booleans())
def test_nearly_right_files_are_read_alike(
    data: st.DataObject, order_by: str | None, lenient: bool, tmp_path: Path
) -> None:
    paths = [tmp_path / "a.trec", tmp_path / "b.trec"][: data.draw(st.integers(1, 2))]
    for path in paths:
        path.write_bytes(data.draw(texts("x.trec")).encode())
    check_agreement(paths, ReadOptions(order_by=order_by, lenient=lenient))


FIELDS = ["q1", "q2", "a", "b", "Q0", "é", "12", "1_0", "-1", "1.5", "1e3", ".5", "5.", "1e-400", "\x0b", "x" * 300]
BLANKS = [" "] * 12 + ["\t", "  ", " \t", "\r", "\n", ""]


@settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["q", "q1", "1"]),
            st.sampled_from(["Q0", "0", "é"]),
            st.sampled_from(["d1", "d10", "d100", "doc-00000001", "é" * 9, "a" * 40]),
            st.one_of(st.integers(0, 12).map(str), st.sampled_from(FIELDS)),
            st.one_of(st.floats(-5, 5).map(repr), st.sampled_from(FIELDS), st.integers(-2, 2).map(str)),
            st.sampled_from(["t", "t", "t", "u", "é"]),
            st.sampled_from(["\n"] * 20 + ["\r\n", " \n", "\n\n", " \t\r\n", "\r\r\n", "\n \n"]),
        ),
        min_size=1,
        max_size=12,
    ),
    blanks=st.lists(st.sampled_from(BLANKS), min_size=5, max_size=5),
    end=st.booleans(),
    order_by=st.sampled_from([None, "rank"]),
)
def test_rows_in_any_order_with_any_blanks_are_read_alike(
    rows: list[tuple[str, ...]], blanks: list[str], end: bool, order_by: str | None, tmp_path: Path
) -> None:
    text = "".join("".join(map("".join, itertools.zip_longest(row[:6], blanks, fillvalue=""))) + row[6] for row in rows)
    path = tmp_path / "x.trec"
    path.write_bytes((text if end else text.rstrip()).encode())
    check_agreement([path], ReadOptions(order_by=order_by))


def test_hostile_ids_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "x.trec"
    for query, item in itertools.product(HOSTILE_IDS, HOSTILE_IDS[::3]):
        path.write_bytes(f"{query} Q0 {item} 1 0 t\n{query} Q0 zz 2 -1.5 t\n".encode("utf-8", "surrogatepass"))
        check_agreement([path])


SEEDS = [
    b"q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 11 bm25\nq2 Q0 d1 1 -3e-2 bm25\n",
    b"q1\tQ0\td1\t1\t.5\ttag\r\n\r\nq1 Q0 001 2 0.25 other",
    b"".join(b"%d Q0 doc%d %d %.3f run\n" % (k % 3, k, k // 3, 9 - k / 7) for k in range(40)),
]


def test_damaged_files_are_read_alike(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    rng = random.Random("runs")
    path = tmp_path / "x.trec"
    read = 0
    for number in range(request.config.getoption("--fuzz-cases")):
        path.write_bytes(damaged(SEEDS[number % len(SEEDS)], rng))
        read += isinstance(check_agreement([path])[0], Loaded)
    assert read, "damage that always matters says nothing"


@pytest.mark.parametrize("seed", SEEDS)
def test_ordinary_files_are_taken_by_the_compiled_reader(seed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.trec"
    path.write_bytes(seed)
    assert is_compiled([path])


def spelled(rng: random.Random) -> str:
    """A number as somebody may write it, often one that is hard to round."""
    half = Fraction(2 * (rng.getrandbits(53) | 1 << 52) + 1, 1 << rng.randrange(1, 60))  # between two doubles
    return rng.choice(
        [
            lambda: repr(rng.uniform(-1000, 1000)),
            lambda: repr(struct.unpack("d", rng.randbytes(8))[0]),
            lambda: f"{rng.getrandbits(rng.randrange(1, 70))}.{rng.getrandbits(rng.randrange(1, 40))}",
            lambda: f"{rng.uniform(-9, 9):.{rng.randrange(25)}f}",
            lambda: f"{rng.uniform(-9, 9):.{rng.randrange(25)}e}",
            lambda: f"{rng.getrandbits(64)}e{rng.randrange(-340, 310)}",
            lambda: str(half.numerator * 10**60 // half.denominator) + "e-60",
            lambda: "".join(rng.choice("0123456789.eE+-") for _ in range(rng.randrange(1, 8))),
        ]
    )()


def test_numbers_are_rounded_as_python_does() -> None:
    assert numbers is not None
    rng = random.Random(1)
    for _ in range(20_000):
        text = spelled(rng)
        mine, theirs = numbers.number(f"{text}\n".encode()), parse_number(text)
        assert repr(mine) == repr(theirs), text


@pytest.mark.parametrize("times", [1, 2, 10, 10**5])
def test_digits_that_wrap_around_to_nothing_are_a_large_number(times: int) -> None:
    assert numbers is not None
    whole = str(2**64 * times)  # in 64 bits it is 0
    for text in (whole, f"-{whole}", f"0.{whole}", f"{whole[0]}.{whole[1:]}e-3", f"000{whole}"):
        assert numbers.number(f"{text}\n".encode()) == float(text)


def row(query: int, item: int, rank: int, score: float) -> bytes:
    return f"q{query} Q0 doc{item} {rank} {score:.4f} tag\n".encode()


def rows_of_run(rng: random.Random, queries: int = 7, items: int = 30) -> list[bytes]:
    """The rows of a run, grouped by query, best first."""
    rows = []
    for query in range(queries):
        scores = sorted((rng.randrange(60) / 4 for _ in range(rng.randrange(1, items))), reverse=True)
        ranked = rng.sample(range(items), len(scores))
        rows += [
            row(query, item, rank, score) for rank, (item, score) in enumerate(zip(ranked, scores, strict=True), 1)
        ]
    return rows


@pytest.mark.parametrize("order_by", [None, "rank"])
def test_shuffled_runs_are_read_alike_and_say_what_grouped_ones_say(order_by: str | None, tmp_path: Path) -> None:
    rng = random.Random(5)
    grouped, shuffled = [], []
    for number in range(4):
        rows = rows_of_run(rng)
        grouped.append(tmp_path / f"{number}.trec")
        shuffled.append(tmp_path / "s" / f"{number}.trec")
        shuffled[-1].parent.mkdir(exist_ok=True)
        grouped[-1].write_bytes(b"".join(rows))
        shuffled[-1].write_bytes(b"".join(rng.sample(rows, len(rows))))
    options = ReadOptions(order_by=order_by)
    assert is_compiled(grouped, options)
    assert is_compiled(shuffled, options)
    one, other = check_agreement(grouped, options)[0], check_agreement(shuffled, options)[0]
    assert isinstance(one, Loaded)
    assert one == other


def test_queries_one_by_one_are_the_queries_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    paths = [tmp_path / f"{number}.trec" for number in range(3)]
    for path in paths:
        path.write_bytes(b"".join(rows_of_run(rng)).rstrip())
    whole = load(paths, options=ReadOptions(), log=ReadLog()).rankings
    for number in some(reversed(range(len(whole)))):
        with Inputs(paths, options=ReadOptions(), log=ReadLog()) as inputs:
            found = inputs.load([whole.queries[number]]).rankings
        assert found == whole.take_queries([number])
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 1)
    monkeypatch.setattr("stagg.formats.parts.chunks.SPACING", 1)
    with Inputs(paths, options=ReadOptions(), log=ReadLog()) as inputs, Crew(1) as crew:
        runs = inputs.in_parts()
        assert isinstance(runs, InParts)
        parts = [runs.read(rows).rankings for rows in runs.buckets(crew, early=False)]
    assert [part.queries for part in parts] == [(query,) for query in sorted(whole.queries)]
    assert parts == [whole.take_queries([whole.query_number(part.queries[0])]) for part in parts]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_runs_are_taken_too(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.trec", tmp_path / "p" / "x.trec.gz"
    packed.parent.mkdir()
    plain.write_bytes(SEEDS[2])
    packed.write_bytes(pack(SEEDS[2]))
    assert is_compiled([packed])
    assert check_agreement([plain])[0] == check_agreement([packed])[0]


@pytest.mark.parametrize("odd", [b"\xef\xbb\xbf" + SEEDS[0], b"q1\tQ0\td1\t1\t.5\t\ntag\r\n", b"q1 Q0 d1 1 \xff t\n"])
def test_a_packed_run_that_was_looked_at_is_read_all_the_same(odd: bytes, tmp_path: Path) -> None:
    packed, beside = tmp_path / "x.trec.gz", tmp_path / "y.trec"
    packed.write_bytes(gzip.compress(odd))
    beside.write_bytes(SEEDS[0])
    expected = in_python([packed, beside], ReadOptions())
    log = ReadLog()
    with Inputs([packed, beside], format="trec", options=ReadOptions(), log=log) as inputs:
        inputs.in_parts()
        try:
            found: Loaded | str = inputs.load()
        except StaggError as error:
            found = f"{type(error).__name__}: {error}"
    assert (found, log.notes, log.summary()) == expected


@pytest.mark.parametrize("odd", [b"", b"q1 Q0 d2 2 nan bm25\n"])
def test_a_pipe_is_read_once_whichever_reader_takes_it(odd: bytes, tmp_path: Path) -> None:
    file, pipe = tmp_path / "x.trec", tmp_path / "p" / "x.trec"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    file.write_bytes(SEEDS[0] + odd)
    writer = threading.Thread(target=pipe.write_bytes, args=(file.read_bytes(),))
    writer.start()
    found = outcome([pipe], ReadOptions())
    writer.join()
    expected = in_python([file], ReadOptions())
    assert str(found).replace("/p/", "/") == str(expected)


@pytest.mark.parametrize("cut", [None, -5])
def test_standard_input_is_read_once_whichever_reader_takes_it(
    cut: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (SEEDS[2], gzip.compress(SEEDS[2])[:cut], b"\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        found = outcome([Path("-")], ReadOptions())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert found == in_python([Path("-")], ReadOptions())


def test_empty_runs_queries_in_some_runs_and_tags_are_noted_alike(tmp_path: Path) -> None:
    contents = [SEEDS[0], b"\n \n", b"q2 Q0 d9 3 1 a\nq2 Q0 d8 2 0.5 b\nq3 Q0 d8 1 1 c\n"]
    paths = [tmp_path / f"{number}.trec" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    assert is_compiled(paths)
    _, notes, summary = check_agreement(paths)
    assert len(notes) == 4
    assert summary.startswith("6 rows read, 6 used")


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.trec"
    content = b"".join(rows_of_run(random.Random(3)))
    for changed in (content[:100], b"x" * len(content), content.replace(b"q0 Q0", b"q1 Q0")):
        path.write_bytes(content)
        with Inputs([path], options=ReadOptions(), log=ReadLog()) as inputs:
            runs = inputs.in_parts()
            assert isinstance(runs, InParts)
            path.write_bytes(changed)
            with pytest.raises(DataError):
                runs.finish(ReadLog(), runs.read_whole().noticed)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), size=st.integers(1, 90), lenient=st.booleans())
def test_blocks_of_any_size_are_read_alike(data: st.DataObject, size: int, lenient: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.trec"
    path.write_bytes(data.draw(texts("x.trec")).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_blocks, "BLOCK", size)
        check_agreement([path], ReadOptions(lenient=lenient))


@pytest.mark.parametrize("size", [1, 7, 30, 200])
def test_damaged_files_in_small_blocks_are_read_alike(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    rng = random.Random(size)
    path = tmp_path / "x.trec"
    read = 0
    for number in range(100):
        path.write_bytes(damaged(SEEDS[number % len(SEEDS)], rng))
        read += isinstance(check_agreement([path])[0], Loaded)
    assert read


ENDINGS = [
    b"",
    b"\n",
    b"\r\n",
    b" ",
    b"\n\n \n",
    b"\n\xef\xbb\xbf",
    b"\nq9 Q0 d\0 1 1 t\n",
    b"\nq9 Q0 d\xc3",
    b"\nq1 Q0 d1 9 9 bm25",
]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("size", [1, 20, 1 << 21])
def test_ends_of_files_are_read_alike(
    ending: bytes, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    path = tmp_path / "x.trec"
    for seed in SEEDS:
        for content in (seed.rstrip() + ending, b"\xef\xbb\xbf" + seed.rstrip() + ending, ending.lstrip()):
            path.write_bytes(content)
            check_agreement([path])


@pytest.mark.parametrize("length", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1])
@pytest.mark.parametrize("place", range(4))
def test_long_words_are_read_alike(length: int, place: int, tmp_path: Path) -> None:
    words = ["q1", "Q0", "d1", "t"]
    words[place] *= 1
    words[place] = words[place] + "x" * (length - len(words[place]))
    path = tmp_path / "x.trec"
    query, word, item, tag = words
    path.write_text(f"q0 Q0 d 1 1 t\n{query} {word} {item} 1 2 {tag}\n")
    check_agreement([path])


def test_a_rank_is_read_the_same_whatever_stands_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whole numbers that only some readings take, found by the attack: the others of a block decided."""
    path = tmp_path / "x.trec"
    path.write_text(f"q Q0 a {'1' * 320} 3 t\nq Q0 b {'1' * 200} 2 t\nq Q0 c 3 1 t\n")
    found = []
    for block in (1 << 20, 16):
        monkeypatch.setattr("stagg.formats.parts.text_blocks.BLOCK", block)
        log = ReadLog()
        load(path, options=ReadOptions(), log=log)
        found.append(log.notes)
    assert found[0] == found[1]
    assert "(1 such row; the score decides)" in found[0][0]
