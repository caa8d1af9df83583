"""Tables of text that are read in chunks give what reading them whole gives: rows, notes and errors."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stagg import StaggError
from stagg.data.rankings import Rankings
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.inputs import Inputs, finish_parts
from stagg.formats.parts import csv_chunks, text_blocks
from stagg.formats.parts.bucket_lists import BadLists
from stagg.formats.parts.chunks import NeedsWhole, Whole
from stagg.formats.parts.in_parts import InParts
from stagg.kernels.text import records
from tests.formats.hostile import HOSTILE_IDS
from tests.formats.test_fuzz import damaged
from tests.strategies import examples

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")

Outcome = tuple[Rankings | str, list[str]]


def in_chunks(paths: Sequence[Path], options: ReadOptions | None = None, **how: int) -> Outcome | None:
    """What comes of reading in chunks; None where all is read whole."""
    log = ReadLog()
    try:
        with Inputs(list(paths), options=options or ReadOptions(), log=log) as inputs:
            parts = inputs.in_parts(**how)  # type: ignore[arg-type]
            if isinstance(parts, Whole):
                return None
            assert isinstance(parts, InParts)
            try:
                part = parts.read_whole()
            except NeedsWhole:
                return None
            except BadLists as bad:
                raise bad.first[1] from None
            if not part.rankings.queries:
                return "nothing", []
            finish_parts(parts, part.tally, part.noticed, log)
            return part.rankings, sorted(log.notes)
    except StaggError as error:
        return f"{type(error).__name__}: {error}", []


def whole(paths: Sequence[Path], options: ReadOptions | None = None) -> Outcome:
    log = ReadLog()
    try:
        with Inputs(list(paths), options=options or ReadOptions(), log=log) as inputs:
            found: Rankings | str = inputs.load().rankings
    except StaggError as error:
        said = f"{type(error).__name__}: {error}"
        return ("nothing" if "0 rows" in said else said), []
    return found, sorted(log.notes)


def check_agreement(paths: Sequence[Path], options: ReadOptions | None = None) -> Outcome | None:
    """The same, if they can be read in chunks; of several errors any may be told."""
    found, expected = in_chunks(paths, options), whole(paths, options)
    if found is None:
        return None
    if isinstance(found[0], Rankings) and isinstance(expected[0], Rankings):
        assert found == expected
        assert str(found[0].scores is None) == str(expected[0].scores is None)
    else:
        assert isinstance(found[0], str), (found, expected)
        assert isinstance(expected[0], str), (found, expected)
    return found


CELLS = [
    "q1", "q2", "a", "b", "é", "1", "2", "-3.5", "1e3", "", " a ", '"a"', '"a,b"', '"a\nb"', '"a ""b"""', 'a"b', '"a',
    "NaN", "#x", "1,5", "\r",
]  # fmt: skip


@settings(max_examples=examples(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    header=st.sampled_from(
        ["query,item,score", "query,ranker,item,rank", "query,item,rank,score", "item,query,note,rank"]
    ),
    rows=st.lists(st.lists(st.sampled_from(CELLS), min_size=3, max_size=4), max_size=12),
    ends=st.lists(st.sampled_from(["\n"] * 9 + ["\r\n", "\n\n", "", " \n"]), min_size=14, max_size=14),
    size=st.integers(1, 120),
)
def test_cells_of_any_kind_in_blocks_of_any_size_are_read_alike(
    header: str, rows: list[list[str]], ends: list[str], size: int, tmp_path: Path
) -> None:
    lines = [header, *(",".join(row[: header.count(",") + 1]) for row in rows)]
    path = tmp_path / "x.csv"
    path.write_bytes("".join(line + end for line, end in zip(lines, ends, strict=False)).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_blocks, "BLOCK", size)
        check_agreement([path])


def test_one_quote_within_a_cell_does_not_make_one_block_of_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 40)
    lengths: list[int] = []
    take = csv_chunks.CsvRows.take

    def note(self: object, content: object, start: int, end: int, *rest: object, **more: object) -> object:
        lengths.append(end - start)
        return take(self, content, start, end, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(csv_chunks.CsvRows, "take", note)
    path = tmp_path / "x.csv"
    rows = [f"q{number},item {number},{number}" for number in range(40)]
    rows[3] = 'q3,5" nail,3'
    path.write_text("query,item,score\n" + "\n".join(rows) + "\n")
    check_agreement([path])
    lengths.clear()
    found = in_chunks([path])
    assert found is not None
    assert isinstance(found[0], Rankings)
    assert max(lengths) <= 80


SEEDS = [
    b"query,ranker,item,score\nq1,x,a,3\nq1,x,b,2.5\nq1,y,b,1\nq2,x,c,0\nq2,y,a,1\n",
    b'query,item,rank\r\n"q,1",a,1\r\n"q,1","b\nc",2\r\nq2,"a ""b""",1\r\n',
    b"".join([b"query,item,rank,score\n", *(b"%d,doc%d,%d,%.3f\n" % (k % 3, k, k // 3, 9 - k / 7) for k in range(40))]),
]


@pytest.mark.parametrize("size", [1, 7, 30, 200, 1 << 21])
def test_damaged_tables_are_read_alike(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    rng, path, read = random.Random(size), tmp_path / "x.csv", 0
    for number in range(150):
        path.write_bytes(damaged(SEEDS[number % len(SEEDS)], rng))
        found = check_agreement([path])
        read += found is not None and isinstance(found[0], Rankings)
    assert read


def test_hostile_ids_are_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 20)
    path = tmp_path / "x.csv"
    for query, item in itertools.product(HOSTILE_IDS, HOSTILE_IDS[::3]):
        path.write_bytes(f"query,item,score\n{query},{item},1\n{query},zz,2\nq,a,1\n".encode("utf-8", "surrogatepass"))
        check_agreement([path])


QUOTES = [
    'query,item,score\nq,5" disk,1\n' + "".join(f'q{n},"multi\nline {n}",1\n' for n in range(30)),
    "query,item,score\n" + "".join(f'q{n},"multi\n\n""line""\n{n}",1\n' for n in range(30)),
    "query,item,score\n" + "".join(f'q{n},a"b"c"{n},1\n' for n in range(31)),
    "query,item,score\n" + "".join(f"q{n},a{n},1\n" for n in range(31)) + 'q99,"open,1\nq98,b,2\n',
    'query,item,score,note\nq,a,1,an inch is "\n' + "".join(f'q{n},b,2,"so\nmuch"\n' for n in range(30)),
]


@pytest.mark.parametrize("size", [*range(1, 80, 3), 300, 1 << 21])
@pytest.mark.parametrize("number", range(len(QUOTES)))
def test_quotes_wherever_a_block_ends_are_read_alike(
    number: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    path = tmp_path / "x.csv"
    path.write_text(QUOTES[number], newline="")
    found = in_chunks([path])
    assert found is None or found == whole([path])
    assert found is not None or number not in (1, 2)  # those are right


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_decimal_commas_are_left_to_the_reader_of_the_whole(delimiter: str, tmp_path: Path) -> None:
    rows = ["query;item;score", *(f"q{n};a;{n},5" for n in range(9)), *(f"q{n};b;1,250" for n in range(9))]
    path = tmp_path / "x.csv"
    path.write_text(
        "\n".join(rows).replace(";", delimiter) if delimiter != "," else "\n".join(rows[:1]).replace(";", ",")
    )
    found = in_chunks([path])
    assert found is None or found == whole([path])
    assert delimiter != ";" or found is None


@pytest.mark.parametrize("late", [False, True])
def test_decimal_commas_from_standard_input_are_read(
    late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row in the midst shows them, when much was read before."""
    monkeypatch.setattr(text_blocks, "BLOCK", 64)
    plain = "".join(f"q{n};a;{n}\nq{n};b;{n + 1}\n" for n in range(20 * late))
    content = f"query;item;score\n{plain}z;a;1,5\nz;b;2,5\n".encode()
    (tmp_path / "x.csv").write_bytes(content)
    expected = whole([tmp_path / "x.csv"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    log = ReadLog()
    with Inputs(["-"], format="csv", options=ReadOptions(), log=log) as inputs:
        parts = inputs.in_parts()
        assert isinstance(parts, InParts)
        with pytest.raises(NeedsWhole):
            parts.read_whole()
        found = inputs.load().rankings
    assert found.with_rankers(["x"]) == expected[0]


def test_options_that_ask_for_a_closer_look_are_refused() -> None:
    assert csv_chunks.refusal(ReadOptions()) is None
    for options in (
        ReadOptions(lenient=True), ReadOptions(duplicates="best"), ReadOptions(header=True), ReadOptions(layout="list"),
        ReadOptions(split_by_tag=True),
    ):  # fmt: skip
        assert csv_chunks.refusal(options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("item,rank\na,1\nb,2\n", "it is one query"),
        ("a,b\nc,d\n", "it is not a plain table"),
        ("query,item,sc\0ore\nq,a,1\n", "no plain UTF-8"),
        ("x" * 70_000, "very long"),
    ],
)
def test_what_cannot_be_read_in_chunks_says_why(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with Inputs([path], options=ReadOptions(), log=ReadLog()) as inputs:
        found = inputs.in_parts()
        assert isinstance(found, Whole)
        assert why in found.why


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress])
@pytest.mark.parametrize("size", [9, 1 << 21])
def test_files_of_one_table_are_joined_alike(
    pack: object, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    assert callable(pack)
    contents = [SEEDS[0], b"query,ranker,item,score\nq1,z,a,3\nq3,x,b,2.5\n", b"query,ranker,item,score\n"]
    paths = [tmp_path / f"{number}.csv{'.gz' * (pack is gzip.compress)}" for number in range(3)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(pack(content))
    found = check_agreement(paths)
    assert found is not None
    assert isinstance(found[0], Rankings)
    assert found[0].rankers == ("x", "y", "z")
    paths[1].write_bytes(pack(b"query,ranker,item,score\nq1,y,a,3\n"))  # a list in two files
    found = in_chunks(paths)
    assert found == whole(paths)
    assert "also in" in str(found)
