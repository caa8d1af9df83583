"""Tables of text by the compiled kernel: what the reader and the writer in Python make of them, to the letter."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stagg import DataError, Rankings
from stagg.data.ids import Ids
from stagg.formats import Loaded, ReadLog, ReadOptions
from stagg.formats.inputs import open_reading
from stagg.formats.numbers import number_text
from stagg.formats.storage.source import BLOCK
from stagg.formats.tables.named_columns import columns_of
from stagg.formats.tables.sources.csv import Csv
from stagg.kernels.compiled import twin
from tests.checks import some
from tests.formats import hostile
from tests.formats.test_fuzz import damaged
from tests.strategies import examples

compiled, numbers = twin("text._text"), twin("text._numbers")
pytestmark = pytest.mark.skipif(compiled is None or numbers is None, reason="the compiled kernel was not built")

HEADERS = [
    ["query", "ranker", "item", "score"],
    ["query", "item", "rank"],
    [" item", "query ", "score", "rank"],
    ["query", "note", "ranker", "item", "score", "rank", "note"],
    ["query", "item", "score", "multiplicity"],
    ["query", "item"],
]
CELLS: dict[str, list[str]] = {
    "query": ["q1", "q2", "é", "q 3"],
    "ranker": ["a", "b", "日本"],
    "item": ["d{0}", "d{0}", " d{0}", "d{0} ", "x\x0b{0}", "#{0}"],
    "score": [
        "{0}",
        "{0}.5",
        " -{0}e-3\t",
        "1",
        "+.5",
        "9007199254740993",
        "0.1000000000000000055511151231257827",
        "-0",
    ],
    "rank": ["{0}", " {0}", "{0}.0"],
    "multiplicity": ["1"],
    "note": ["", "x", "  "],
}
ODD = [
    "",
    '"d,1"',
    'd"1',
    '"',
    "nan",
    "inf",
    "1e400",
    "1_0",
    "-1",
    "0x1",
    "a\rb",
    "\0",
    "x" * 60_001,
    "1,2",
    "1\t2",
    "1.",
    "é",
]
LINES = ["", " ", "\t \r", "\r", "# a comment", ' #, with quotes"', "x", ",,,", '"two\nlines",a,b,1']
ENDS = ["\n"] * 8 + ["\r\n", "\n\n", "\r\r\n"]


@st.composite
def tables(draw: st.DrawFn, delimiter: str, *, oddness: int = 30) -> str:
    """A table, mostly right; about one cell and one line in ``oddness`` is odd."""
    header = draw(st.sampled_from(HEADERS))
    quoted = draw(st.booleans())
    rows = ["\ufeff" * draw(st.booleans()) + delimiter.join(f'"{name}"' if quoted else name for name in header)]
    seldom = st.integers(0, oddness).map(lambda number: number == oddness)
    for number in range(draw(st.integers(0, 8))):
        if draw(seldom):
            rows.append(draw(st.sampled_from(LINES)))
        cells = [draw(st.sampled_from(ODD if draw(seldom) else CELLS[name.strip()])).format(number) for name in header]
        rows.append(delimiter.join(cells[: len(cells) - draw(seldom)]))
    text = "".join(row + draw(st.sampled_from(ENDS)) for row in rows)
    return text.rstrip("\n") if draw(st.booleans()) else text


def outcome(path: Path, options: ReadOptions, delimiter: str | None = None) -> tuple[Any, ...]:
    log = ReadLog()
    try:
        reading = open_reading(path, options, log)
        with reading.source:
            found: Loaded | str = Csv(delimiter=delimiter).read(reading)
    except DataError as error:
        found = str(error)
    scores = found.rankings.scores if isinstance(found, Loaded) else None
    return found, None if scores is None else scores.tobytes(), log.summary(), log.notes


def in_python(action: Callable[[], Any], *, pure: bool = False) -> Any:
    """What comes of it without the kernel; ``pure``: without any twin that has a part in it."""
    with pytest.MonkeyPatch.context() as slowly:
        for module in ("text", *(("columns", "ids") if pure else ())):
            slowly.setattr(f"stagg.kernels.text.{module}.twin", lambda name: None)
        return action()


def check_agreement(path: Path, content: bytes, options: ReadOptions, delimiter: str | None = None) -> None:
    path.write_bytes(content)
    fast = outcome(path, options, delimiter)
    assert fast == in_python(lambda: outcome(path, options, delimiter))
    assert fast == in_python(lambda: outcome(path, options, delimiter), pure=True)


def options() -> st.SearchStrategy[ReadOptions]:
    return st.builds(
        ReadOptions,
        lenient=st.booleans(),
        comments=st.booleans(),
        order_by=st.sampled_from([None, None, "rank", "score"]),
        encoding=st.sampled_from(["utf-8", "utf-8", "latin-1"]),
    )


IDS = ["a", "b b", " c", "d\t", '"q"', '"q,q"', 'x"y', '"a""b"', '"t"  ', "", "  ", "# no", "é", "\x01z", "e,f", "g;h"]
IDS += ["i\tj", "1", "2.5", "\r", "k\rl", '"n\nn"', '"open', "A>B", "x" * 60_001]


@st.composite
def lists(draw: st.DrawFn) -> str:
    """One id per line, mostly."""
    ids = st.one_of(st.integers(0, 60).map("id{}".format), st.sampled_from(IDS))
    lines = draw(st.lists(ids, min_size=1, max_size=12))
    text = "\ufeff" * draw(st.booleans()) + "".join(line + draw(st.sampled_from(ENDS)) for line in lines)
    return text.rstrip("\n") if draw(st.booleans()) else text


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=lists(), data=st.data())
def test_lists_of_ids_read_as_the_reader_in_python_reads_them(
    tmp_path: Path, content: str, data: st.DataObject
) -> None:
    layout, header = data.draw(st.sampled_from([None, "list"])), data.draw(st.sampled_from([None, True, False]))
    given_options = ReadOptions(layout=layout, header=header, lenient=data.draw(st.booleans()))
    check_agreement(tmp_path / "x.txt", content.encode(), given_options)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a",
        "é日𝄞\U0010ffff\ud7ff\ue000".encode(),
        b"a\0",
        b"\xc3",
        b"\xc0\xaf",
        b"\xe0\x9f\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xe2\x82",
        b"\xe2\x82a",
        b"\x80",
        b"\xff",
    ],
)
def test_text_is_what_python_decodes_and_has_no_nul(content: bytes) -> None:
    try:
        decodes = "\0" not in content.decode()
    except UnicodeDecodeError:
        decodes = False
    index: Any = twin("text._text")
    for before in (b"", b"plain text before"):
        held = np.frombuffer(before + content + bytes(8), dtype=np.uint8)
        assert index.is_text(held, len(before + content)) == decodes


@pytest.mark.parametrize("delimiter", [None, ",", "\t", ";", "|"])
@pytest.mark.parametrize("oddness", [15, 200])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_tables_read_as_the_reader_in_python_reads_them(
    delimiter: str | None, oddness: int, data: st.DataObject, tmp_path: Path
) -> None:
    text = data.draw(tables(delimiter or data.draw(st.sampled_from(",\t")), oddness=oddness))
    check_agreement(tmp_path / "x.csv", text.encode(), data.draw(options()), delimiter)


@pytest.mark.parametrize("delimiter", ["\t", ";"])
@pytest.mark.parametrize("seed", range(40))
def test_decimal_commas_beside_points_are_told_as_the_reader_in_python_tells_them(
    seed: int, delimiter: str, tmp_path: Path
) -> None:
    """The twin reads points only: a comma in a row that it leaves to Python must still find them, `1.0` too."""
    rng = random.Random(seed)
    numbers = ["1", "2", "1.0", "2.5", "-3.", "1,5", ",5", '"2,5"', '"7.5"', "1e3", "x", ""]
    weights = [30, 30, *([rng.choice([0, 1])] * 3), *([rng.choice([0, 1])] * 3), 1, 5, rng.random() < 0.2, 0]
    rows = [[f"q{k // 5}", f"d{k % 5}", *rng.choices(numbers, weights, k=2)] for k in range(rng.choice([3, 30, 300]))]
    text = "\n".join(map(delimiter.join, [["query", "item", "rank", "score"], *rows])) + "\n"
    check_agreement(tmp_path / "x.csv", text.encode(), ReadOptions(order_by="score"), delimiter)


PLAIN = b"query,ranker,item,score\n" + b"".join(b"q%d,r%d,d%d,%d.25\n" % (k // 9, k % 3, k % 9, k) for k in range(40))


def test_damaged_tables_read_as_the_reader_in_python_reads_them(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    rng = random.Random(3)
    for _ in range(request.config.getoption("--fuzz-cases")):
        check_agreement(tmp_path / "x.csv", damaged(PLAIN, rng), ReadOptions(lenient=rng.random() < 0.3))


def test_a_plain_table_never_comes_to_the_reader_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagg.formats.tables.sources.csv_rows.Cells", None)
    (tmp_path / "x.csv").write_bytes(PLAIN)
    found = outcome(tmp_path / "x.csv", ReadOptions())[0]
    assert isinstance(found.rankings.items, Ids)
    assert found.rankings.rankers == ("r0", "r1", "r2")


@pytest.mark.parametrize("cell", ODD)
@pytest.mark.parametrize("column", range(4))
@pytest.mark.parametrize("lenient", [False, True])
def test_an_odd_cell_is_seen_among_plain_ones(cell: str, column: int, lenient: bool, tmp_path: Path) -> None:
    rows = PLAIN.decode().splitlines(keepends=True)
    cells = rows[20].rstrip("\n").split(",")
    cells[column] = cell
    rows[20] = ",".join(cells) + "\n"
    check_agreement(tmp_path / "x.csv", "".join(rows).encode(), ReadOptions(lenient=lenient))


@pytest.mark.parametrize(
    "line", [*LINES, "q1,r1,new,1,", "q1,r1,new", "q0,r0,d0,7", "x" * (1 << 20), "# " + "," * (1 << 20)]
)
@pytest.mark.parametrize("comments", [False, True])
def test_an_odd_line_is_seen_among_plain_ones(line: str, comments: bool, tmp_path: Path) -> None:
    rows = PLAIN.splitlines(keepends=True)
    for place in (0, 1, 20, len(rows)):
        content = b"".join([*rows[:place], line.encode(), b"\n", *rows[place:]])
        check_agreement(tmp_path / "x.csv", content, ReadOptions(comments=comments))


@pytest.mark.parametrize("skipped", ["", " \t", "\r", "# a, b", "\n\n"])
def test_lines_that_are_no_rows_count_in_the_place_of_an_item_that_stands_twice(skipped: str, tmp_path: Path) -> None:
    text = f"query,item,score,rank\n{skipped}\nq,a,3,1\n{skipped}\n{skipped}\nq,b,2,2\n"
    check_agreement(tmp_path / "x.csv", f"{text}q,a,1,3\n".encode(), ReadOptions(comments=True))
    check_agreement(
        tmp_path / "x.csv", f"{text}q,c,1,1\n".encode(), ReadOptions(comments=True)
    )  # ranks that contradict


@pytest.mark.parametrize("cut", [0, 9, 60])
@pytest.mark.parametrize("first", [b"", b"wrong,header\n"])
def test_archives_that_are_whole_or_cut_read_the_same(first: bytes, cut: int, tmp_path: Path) -> None:
    packed = gzip.compress(first + PLAIN, mtime=0)
    check_agreement(tmp_path / "x.csv.gz", packed[: len(packed) - cut], ReadOptions())


MANY = b"query,item,score\n" + b"".join(b"q%d,%05d,%d\n" % (k // 100, k * 7919 % 99991, k) for k in range(BLOCK // 16))


@pytest.mark.parametrize("odd", [b"q,d,x\n", b"q,\xff,1\n", b"q,\0,1\n", b'q,"d",1\n'])
def test_an_odd_row_in_a_later_block_has_its_line(odd: bytes, tmp_path: Path) -> None:
    assert len(MANY) > BLOCK
    path = tmp_path / "x.csv"
    path.write_bytes(MANY + odd)
    assert outcome(path, ReadOptions()) == in_python(lambda: outcome(path, ReadOptions()))


@pytest.mark.parametrize("cut", [0, 9, 1000])
def test_an_archive_that_is_cut_in_a_later_block_is_damaged(cut: int, tmp_path: Path) -> None:
    packed, path = gzip.compress(MANY, 1, mtime=0), tmp_path / "x.csv.gz"
    path.write_bytes(packed[: len(packed) - cut])
    found = outcome(path, ReadOptions())
    assert isinstance(found[0], str) == (cut > 0)
    assert found == in_python(lambda: outcome(path, ReadOptions()))


@pytest.mark.parametrize("header", ["query,item,rank", "query,item,rank,score"])
@pytest.mark.parametrize("rank", ["-1", "-0", "-.5", "x", ""])
def test_a_rank_that_is_none_is_an_error_or_a_note(header: str, rank: str, tmp_path: Path) -> None:
    tail = ",5" if "score" in header else ""
    text = f"{header}\nq,a,1{tail}\nq,b,{rank}{tail}\nq,c,2{tail}\n"
    check_agreement(tmp_path / "x.csv", text.encode(), ReadOptions())


# --- writing ----------------------------------------------------------------------------------------------------------


def slow_bytes(rankings: Rankings, delimiter: str) -> bytes:
    """The rows, cell by cell."""
    columns: dict[str, Any] = columns_of(rankings)
    rows = [[cell_text(column[row]) for column in columns.values()] for row in range(len(columns["query"]))]
    return "".join(f"{delimiter.join(row)}\n" for row in [list(columns), *rows]).encode()


def cell_text(cell: Any) -> str:
    if isinstance(cell, str):
        plain = not set(cell) & set(',\t"\r\n') and not cell.startswith(("#", " ")) and not cell.endswith(" ")
        return cell if plain else '"' + cell.replace('"', '""') + '"'
    return "" if cell != cell else number_text(cell.item())


def written(rankings: Rankings, delimiter: str) -> bytes:
    stream = io.BytesIO()
    Csv(delimiter=delimiter).write(rankings, stream)
    return stream.getvalue()


def with_ids(rankings: Rankings) -> Rankings:
    return rankings.replace(items=Ids.of_texts(rankings.items))


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(wild=hostile.rankings())
def test_hostile_rankings_are_written_as_an_obvious_writer_writes_them(delimiter: str, wild: Rankings) -> None:
    plain = [content.rankings for content in hostile.ever_tamer(wild) if content.labels is None]
    for rankings in some(each for each in plain if Csv().refusal(each, None) is None):
        expected = slow_bytes(rankings, delimiter)
        assert written(rankings, delimiter) == expected
        assert written(with_ids(rankings), delimiter) == expected
        assert in_python(lambda: written(rankings, delimiter), pure=True) == expected  # noqa: B023


def test_many_rows_are_written_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagg.formats.runs.row_text.ROWS", 3)
    lists = {f"q{query}": {f"d{k},": k / 7 for k in range(query)} for query in range(1, 9)}
    rankings = Rankings.from_runs({"one": lists})
    assert written(with_ids(rankings), ",") == slow_bytes(rankings, ",")


@pytest.mark.parametrize("number", [float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_left_to_the_writer_in_python(number: float) -> None:
    rankings = Rankings.from_runs({"one": {"q": {"a": 2.0, "b": 1.0}}}).replace(scores=np.array([number, 1.0]))
    assert written(rankings, ",") == slow_bytes(rankings, ",")


@pytest.mark.parametrize("place", range(3))
def test_a_nul_is_refused_wherever_it_stands(place: int) -> None:
    names = ["a", "b,", " c"]
    names[place] = 'x"\0'
    rankings = Rankings.from_lists([names])
    assert "for its NUL" in str(Csv().refusal(with_ids(rankings), None))
    assert Csv().refusal(with_ids(rankings), None) == Csv().refusal(rankings, None)


def test_numbers_are_spelled_as_python_spells_them() -> None:
    assert numbers is not None
    rng = random.Random(2)
    powers = [2.0**k for k in range(-1074, 1024)]
    beside = [np.nextafter(power, end).item() for power in powers for end in (0.0, np.inf)]
    tens = [float(f"{digits}e{k}") for digits in ("1", "9.5", "123", "9.999999999999999") for k in range(-323, 305)]
    wild = [struct.unpack("d", rng.randbytes(8))[0] for _ in range(20_000)]
    usual = [
        rng.choice([rng.random(), round(rng.uniform(-9, 9), 3), float(rng.getrandbits(60))]) for _ in range(20_000)
    ]
    for number in itertools.chain([0.0, -0.0], powers, beside, tens, wild, usual):
        if abs(number) < float("inf"):
            assert numbers.text(number) == number_text(number)


def test_the_kernel_refuses_rows_without_an_end() -> None:
    assert compiled is not None
    kinds = np.array([compiled.KINDS["id"]], dtype=np.uint8)
    for content, end in ((b"abc" + bytes(8), 3), (b"abc\n", 4), (b"abc\n" + bytes(8), 99)):
        with pytest.raises(ValueError, match="newline"):
            compiled.split(content, 0, end, kinds, ord(","), 1, False)
