"""The sheet: what is written comes back, also from a spreadsheet, and what is no sheet is refused with its place."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stagg import DataError
from stagg.judging.sheet import COLUMNS, Row, Sheet, is_sheet, read_sheets, sheet_text, write_sheet

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
NAME = TEXT.filter(bool)
HOSTILE = Row("q\n1", 'd"7;,\r<b>', "2", "me", "<script>alert(1)</script>", "=1+1\r\nsecond line")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(NAME, NAME, st.sampled_from(["", "0", "3", "cannot"]), TEXT, TEXT), min_size=1, max_size=4))
def test_what_is_written_comes_back(rows: list[tuple[str, str, str, str, str]]) -> None:
    sheet = Sheet("5e1f", 2, 60, tuple(Row(q, i, g, "ann", t, u) for q, i, g, t, u in rows))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "todo.csv"
        write_sheet(path, sheet)
        assert read_sheets([path]) == (sheet,)


def test_hostile_ids_and_texts_come_back(tmp_path: Path) -> None:
    write_sheet(tmp_path / "todo.csv", Sheet("5e1f", 1, 20, (HOSTILE,)))
    assert is_sheet(tmp_path / "todo.csv")
    assert read_sheets([tmp_path / "todo.csv"])[0].rows == (HOSTILE,)


def test_a_spreadsheet_may_reorder_and_use_semicolons(tmp_path: Path) -> None:
    sheet = Sheet("5e1f", 1, 20, (Row("q1", "a", "1"), Row("q2", "b;c", "cannot")))
    rows = list(csv.reader(sheet_text(sheet).splitlines()))
    turned = [row[::-1] for row in rows]
    with open(tmp_path / "todo.csv", "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=";").writerows(turned)
    assert is_sheet(tmp_path / "todo.csv")
    assert read_sheets([tmp_path / "todo.csv"]) == (sheet,)


def test_a_spreadsheet_may_write_another_encoding(tmp_path: Path) -> None:
    sheet = Sheet("5e1f", 1, 20, (Row("q1", "a", "1", "Zoë", "café"),))
    for encoding in ("utf-8-sig", "cp1252", "latin-1", "utf-16"):
        (tmp_path / "todo.csv").write_bytes(sheet_text(sheet).encode(encoding))
        assert is_sheet(tmp_path / "todo.csv")
        assert read_sheets([tmp_path / "todo.csv"]) == (sheet,)


def test_batches_of_one_file_are_sheets_of_their_own(tmp_path: Path) -> None:
    one, two = Sheet("5e1f", 1, 20, (Row("q", "a"),)), Sheet("5e1f", 2, 30, (Row("q", "b"),))
    (tmp_path / "all.csv").write_text(sheet_text(one) + sheet_text(two).split("\r\n", 1)[1])
    assert read_sheets([tmp_path / "all.csv"]) == (one, two)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,item\nq,d\n", "todo.csv:1: this is not a sheet to judge: it lacks"),
        (",".join(COLUMNS) + "\n,d,1,,p,1,1,,\n", "todo.csv:2: the query is empty"),
        (",".join(COLUMNS) + "\nq,,1,,p,1,1,,\n", "todo.csv:2: the item is empty"),
        (",".join(COLUMNS) + "\nq,d,1,,p,one,1,,\n", "todo.csv:2: the batch is 'one'"),
        (",".join(COLUMNS) + "\nq,d,1,,p,1,-3,,\n", "todo.csv:2: the points is '-3'"),
        (",".join(COLUMNS) + '\nq,"d,1,,p,1,1,,\n', "todo.csv:"),
        ("", "todo.csv"),
    ],
)
def test_what_is_no_sheet_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "todo.csv").write_text(text)
    with pytest.raises(DataError) as refused:
        read_sheets([tmp_path / "todo.csv"])
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
