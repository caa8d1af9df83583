"""Workbooks: what every cell holds, by two other readers; what a small file may claim."""

from __future__ import annotations

import datetime
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import python_calamine
from hypothesis import given, settings
from hypothesis import strategies as st

from stagg import read
from stagg.errors import DataError
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.inputs import open_reading
from stagg.formats.tables.sources.excel_archive import Workbook
from stagg.formats.tables.sources.excel_dates import date_of
from tests.door.cases import book
from tests.formats.workbooks import BOMBS, LARGEST, add_rows, change_parts, change_sheet
from tests.strategies import examples

# Seconds of CPU; where others work beside it, a process was seen to take twice as many. A bomb would take minutes.
SECONDS, MEBIBYTES = 6.0, 200
CHILD = """
import json, re, resource, sys
from stagg import read
from stagg.errors import StaggError
try:
    read(sys.argv[1])
    message = None
except StaggError as error:
    message = str(error)
used = resource.getrusage(resource.RUSAGE_SELF)
[peak] = re.findall(r"VmHWM: +([0-9]+) kB", open("/proc/self/status").read().replace("\t", " "))
print(json.dumps([message, used.ru_utime + used.ru_stime, int(peak) / 1024]))
"""


@pytest.mark.parametrize("form", [*BOMBS, *LARGEST])
def test_a_small_workbook_takes_little_time_and_memory_whatever_it_claims(form: str, tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes((BOMBS | LARGEST)[form])
    assert path.stat().st_size < 14_000 or form == "many sheets in one part"
    ended = subprocess.run([sys.executable, "-c", CHILD, path], capture_output=True, text=True, check=True, timeout=60)
    message, seconds, mebibytes = json.loads(ended.stdout)
    assert message is None if form == "empty cells and rows" else message.isprintable()
    assert seconds < SECONDS
    assert mebibytes < MEBIBYTES


@pytest.mark.parametrize(
    ("bomb", "told"),
    [
        ("a column that no sheet has", "there is no cell 'AAAAAAAAAAAAA2'; the last is XFD1048576"),
        ("single quotes", "there is no row '50000000'; the last is 1048576"),
        ("a row that comes twice", "the row 2 comes twice, or after a later one"),
        ("a shared text of a negative number", "the cell A3 names the shared text '-1', which there is not"),
        ("the last cell of all", "a sheet spans 1,048,576 rows and 16,384 columns"),
        ("the last row", "spans 1,048,576 rows and 4 columns, more than a file of .* bytes should; delete"),
        ("a long text in many cells", "unpacks to more than 250 times its size"),
        ("entities", "declares a document type"),
        ("an OpenDocument spreadsheet", "this is not an Excel workbook, or it is damaged"),
    ],
)
def test_the_refusal_says_what_is_wrong(bomb: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_bytes(BOMBS[bomb])
    with pytest.raises(DataError, match=told):
        read(tmp_path / "x.xlsx")


CELLS = (
    st.none()
    | st.sampled_from(["a", "Ann & <Bob>", " b ", "é\n", "_x0041_", "0012"])
    | st.integers(-(10**14), 10**14)
    | st.floats(-1e300, 1e300).map(lambda number: float(f"{number:.12g}"))
    | st.booleans()
    | st.datetimes(datetime.datetime(1900, 3, 2), datetime.datetime(9999, 12, 30)).map(
        lambda t: t.replace(microsecond=0)
    )
    | st.dates(datetime.date(1900, 3, 2), datetime.date(9999, 12, 30))
    | st.times().map(lambda time: time.replace(microsecond=0))
    | st.timedeltas(datetime.timedelta(0), datetime.timedelta(400)).map(
        lambda t: t - datetime.timedelta(0, 0, t.microseconds)
    )
)


def _read_rows(content: bytes, tmp_path: Path) -> list[tuple[int, list[Any]]]:
    path = tmp_path / "x.xlsx"
    path.write_bytes(content)
    reading = open_reading(path, ReadOptions(), ReadLog())
    with reading.source:
        workbook = Workbook(reading)
        return workbook.read_rows(next(iter(workbook.sheets)))


@settings(max_examples=examples(200), deadline=None)
@given(rows=st.lists(st.lists(CELLS, max_size=5), max_size=6), from_1904=st.booleans())
def test_every_cell_is_what_calamine_reads(
    rows: list[list[Any]], from_1904: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    workbook, stream = openpyxl.Workbook(), io.BytesIO()
    workbook.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904 if from_1904 else workbook.epoch
    for row in rows:
        workbook.active.append([cell for cell in row if not (from_1904 and _is_before_1904(cell))])
    workbook.save(stream)
    stream.seek(0)
    theirs = python_calamine.CalamineWorkbook.from_filelike(stream).get_sheet_by_index(0)
    full = enumerate(theirs.to_python(skip_empty_area=False), start=1)
    ours = _read_rows(stream.getvalue(), tmp_path_factory.mktemp("book"))
    assert ours == [(number, cells) for number, cells in full if any(cell != "" for cell in cells)]


def _is_before_1904(cell: Any) -> bool:
    return isinstance(cell, datetime.date) and cell.year < 1905


def test_texts_have_their_runs_and_characters_without_hints(tmp_path: Path) -> None:
    runs = b'<t>a_x000D_</t><rPh sb="0" eb="1"><t>hint</t></rPh><r><t xml:space="preserve"> b</t></r>'
    cell = b'<row r="3"><c r="A3" t="inlineStr"><is>%s</is><v>redundant</v></c></row>' % runs
    assert _read_rows(add_rows(cell), tmp_path)[-1] == (3, ["a\r b", ""])


def test_rows_and_cells_without_numbers_follow_each_other(tmp_path: Path) -> None:
    rows = b"<row><c><v>1</v></c><c/><c><v>2</v></c></row><row/><row><c r='b9'><v>3</v></c></row>"
    assert _read_rows(add_rows(rows), tmp_path)[2:] == [(3, [1.0, "", 2.0]), (9, ["", 3.0, ""])]


def test_a_prefix_and_single_quotes_change_nothing(tmp_path: Path) -> None:
    plain = _read_rows(change_sheet(lambda xml: xml), tmp_path)
    assert _read_rows(change_sheet(lambda xml: xml.replace(b'"', b"'")), tmp_path) == plain
    tags = [b"worksheet", b"sheetData", b"row", b"c", b"v"]

    def put_prefix(xml: bytes) -> bytes:
        for tag in tags:
            for before in (b"<", b"</"):
                for after in (b" ", b">", b"/"):
                    xml = xml.replace(before + tag + after, before + b"x:" + tag + after)
        return xml.replace(b"<x:worksheet", b'<x:worksheet xmlns:x="y"')

    assert _read_rows(change_sheet(put_prefix), tmp_path) == plain


def test_the_part_of_a_sheet_is_found_by_its_relation_whatever_its_name(tmp_path: Path) -> None:
    def move(part: str, content: bytes) -> tuple[str, bytes]:
        name = part.replace("worksheets/sheet1.xml", "Elsewhere/One.bin")
        return name, content.replace(b"/xl/worksheets/sheet1.xml", b"elsewhere/../ELSEWHERE/one.bin")

    assert _read_rows(change_parts(move), tmp_path) == _read_rows(change_sheet(lambda xml: xml), tmp_path)


def test_cells_share_texts(tmp_path: Path) -> None:
    cells = b'<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="s"><v>0</v></c></row></sheetData>'
    content = change_parts(
        lambda part, xml: (part, xml.replace(b"</sheetData>", cells)),
        shared=("one", "t</t><rPh><t>hint</t></rPh><t>wo"),
    )
    assert _read_rows(content, tmp_path)[-1] == (3, ["two", "one"])


def test_a_part_may_have_another_encoding(tmp_path: Path) -> None:
    plain = _read_rows(change_sheet(lambda xml: xml), tmp_path)
    assert _read_rows(change_sheet(lambda xml: xml.decode().encode("utf-16")), tmp_path) == plain


def test_formats_far_from_the_table_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_bytes(add_rows(b'<row r="1048576"><c r="XFD1048576" s="1"/></row>'))
    assert read(tmp_path / "x.xlsx").best_first() == ["x"]


def test_a_sparse_grid_of_many_voters_is_read(tmp_path: Path) -> None:
    names = [f"candidate {n}" for n in range(300)]
    rows = [
        [f"voter {n}", *[1 if n % 300 == k else 2 if n * 7 % 300 == k else None for k in range(300)]]
        for n in range(2000)
    ]
    (tmp_path / "x.xlsx").write_bytes(book(("S", [["voter", *names], *rows])))
    assert len(read(tmp_path / "x.xlsx", layout="grid", values="rank").rankers) == 2000


def test_all_sheets_are_read_as_rankers_or_as_queries(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(
        book(("Smith", [["Gene"], ["TP53"], ["MYC"]]), ("Jones", [["Gene"], ["MYC"], ["ALK"]]), ("Notes", []))
    )
    with pytest.raises(DataError, match=r"2 sheets hold cells.*sheet='Smith', sheet='Jones' or sheet='\*'"):
        read(path)
    log = ReadLog()
    assert read(path, sheet="*", log=log).to_lists() == {
        "1": {"Smith": [["TP53"], ["MYC"]], "Jones": [["MYC"], ["ALK"]]}
    }
    assert "every sheet is a ranker, such as 'Smith'" in str(log.notes)
    scores = [["Model", "s", "t"], ["a", 1.5, 2.5], ["b", 2.5, 1.5]]
    path.write_bytes(book(("q1", scores), ("q2", scores[:2])))
    found = read(path, sheet="*", log=ReadLog())
    assert (found.queries, found.rankers) == (("q1", "q2"), ("s", "t"))


@pytest.mark.parametrize(
    ("day", "date"),
    [(1, (1900, 1, 1)), (31, (1900, 1, 31)), (59, (1900, 2, 28)), (61, (1900, 3, 1)), (36526, (2000, 1, 1))],
)
def test_days_are_counted_with_the_29th_of_february_1900_that_never_was(day: int, date: tuple[int, int, int]) -> None:
    """ECMA-376, part 1, section 18.17.4.1: 1 is the first day of 1900, and 60 the day that Lotus 1-2-3 made up."""
    assert date_of(day, "date", from_1904=False) == datetime.date(*date)
