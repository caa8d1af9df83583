"""Tables of numbers: bands, missing numbers, sums, descriptions, and cells that are no numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.test_files import groups


def read_table(tmp_path: Path, text: str, **options: Any) -> tuple[Any, str]:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text(text)
    return groups(read(path, log=log, **options))["1"], "\n".join(str(note) for note in log.notes)


def refusal(tmp_path: Path, text: str, **options: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read_table(tmp_path, text, **options)
    return caught.value


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [
        ("x1,2", "write a decimal point, and no separators between thousands"),
        ("3x7", "empty the cell if there is no number, or say lenient=True to leave out every such cell"),
        ("none at all", "empty the cell if there is no number, or say lenient=True to leave out every such cell"),
    ],
)
def test_a_cell_that_is_no_number_is_told_with_its_column_and_what_to_do(
    cell: str, remedy: str, tmp_path: Path
) -> None:
    error = refusal(tmp_path, f'item,s,t\na,0.5,1.5\nb,"{cell}",0.25\nc,0.75,2.5\n', layout="wide", values="score")
    assert error.line == 3
    assert f"expected a number in column 2, found '{cell}'; {remedy}" in str(error)


def test_numbers_with_separators_beside_others_are_written_in_two_ways(tmp_path: Path) -> None:
    for cell in ("1,234,567", "1.234.567", "-1.234"):
        error = refusal(
            tmp_path, f'item,s,t\na,0.5 ms,1.5\nb,"{cell}",0.25\nc,7 EUR,2.5\n', layout="wide", values="score"
        )
        assert "the numbers of 's' are written in different ways" in str(error)


def test_a_lenient_reader_leaves_out_cells_that_are_no_numbers_and_counts_them(tmp_path: Path) -> None:
    log, path = ReadLog(), tmp_path / "x.csv"
    path.write_text("item,s,t\na,0.5,1.5\nb,3x7,0.25\nc,0.75,2x5\n")
    assert groups(read(path, lenient=True, log=log, values="score"))["1"] == {"s": ["c", "a"], "t": ["a", "b"]}
    assert log.rows_dropped == 2


def test_missing_numbers_are_told_once_with_their_columns(tmp_path: Path) -> None:
    lists, notes = read_table(tmp_path, "item,s,t\na,0.5,NA\nb,-,0.25\nc,0.75,NA\n")
    assert lists == {"s": ["c", "a"], "t": ["b"]}
    assert "'-', 'NA' (3 cells of 's', 't') was read as a missing number" in notes


@pytest.mark.parametrize(("band", "place"), [("5-8", 5), ("5 - 8", 5), ("5–8", 5), ("5+", 5)])
def test_bands_are_their_first_place_only_behind_all_others(band: str, place: int, tmp_path: Path) -> None:
    head = "Team,QS rank,ARWU rank\nx,1,1\ny,2,2\n"
    lists, notes = read_table(tmp_path, f"{head}z,{band},3\n", values="rank")
    assert lists["QS rank"] == ["x", "y", "z"]
    assert f"'QS rank': read '{band}' as {place}" in notes
    assert "expected a number" in str(refusal(tmp_path, f"{head}z,{band},3\nw,5,4\n", values="rank"))


def test_points_separate_thousands_beside_decimal_commas(tmp_path: Path) -> None:
    text = "item;s;t\na;1.250;1,5\nb;980;2,5\nc;2.000;0,5\n"
    lists, notes = read_table(tmp_path, text, values="score")
    assert lists == {"s": ["c", "a", "b"], "t": ["b", "a", "c"]}
    assert "read '1.250' as 1250" in notes
    error = refusal(tmp_path, "item;s;t\na;1.250;1,5\nb;9.8;2,5\nc;2.5;0,5\n", values="score")
    assert "a decimal comma in line 2 ('1,5') and a decimal point in line 2 ('1.250')" in str(error)


def test_columns_written_in_two_ways_show_both_and_can_be_left_out(tmp_path: Path) -> None:
    text = "item,s,t,u\na,10%,1.5,0.5\nb,0.2,0.25,1.5\nc,30%,2.5,0.25\n"
    error = refusal(tmp_path, text)
    assert error.line == 3
    assert "the numbers of 's' are written in different ways ('0.2', '10%')" in str(error)
    (say,) = error.message.says
    assert set(read_table(tmp_path, text, **say.options)[0]) == {"t", "u"}


@pytest.mark.parametrize(("last", "left_out"), [("c,9,0.25", False), ("Total,4,6", True), ("Total,9,60", False)])
def test_a_row_called_total_is_left_out_if_its_numbers_are_one(last: str, left_out: bool, tmp_path: Path) -> None:
    lists, notes = read_table(tmp_path, f"item,s,t\na,1.5,2.5\nb,2.5,3.5\n{last}\n", values="score")
    assert ("rows that sum up the others were left out" in notes) is left_out
    assert len(lists["s"]) == (2 if left_out else 3)


def test_columns_that_sum_up_or_describe_are_left_out_with_the_option_that_reads_them(tmp_path: Path) -> None:
    text = "Model,License,s,t,Average\na,MIT,0.5,1.5,1.0\nb,MIT,0.75,0.25,0.5\n"
    lists, notes = read_table(tmp_path, text)
    assert set(lists) == {"s", "t"}
    assert "left out 'Average', which sums up the others; columns={'ignore': ''} reads every column" in notes
    assert "'License'" in notes
    assert set(read_table(tmp_path, text, columns={"ignore": ""})[0]) == {"s", "t", "Average"}


def test_points_are_a_sum_only_where_they_add_up(tmp_path: Path) -> None:
    for points, kept in (("2.0", False), ("1.0", False), ("7.5", True)):
        other = {"2.0": "1.0", "1.0": "0.5"}.get(points, "9.5")
        text = f"Model,s,t,points\na,0.5,1.5,{points}\nb,0.75,0.25,{other}\n"
        assert ("points" in read_table(tmp_path, text)[0]) is kept


def test_votes_beside_scores_are_asked_about(tmp_path: Path) -> None:
    text = "Model,s,Votes\na,0.5,15\nb,0.75,25\n"
    describe, rank = (say.options for say in refusal(tmp_path, text).message.says)
    assert set(read_table(tmp_path, text, **describe)[0]) == {"s"}
    assert set(read_table(tmp_path, text, **rank)[0]) == {"s", "Votes"}


def test_a_column_of_digits_that_are_no_numbers_is_asked_about_and_texts_are_left_out(tmp_path: Path) -> None:
    text = "item,s,t,tag,title\na,0.5,1.5,x1,one\nb,0.75,0.25,y2,two\n"
    error = refusal(tmp_path, text, layout="wide")
    assert "the column 'tag' holds no numbers that can be read, but 'x1'" in str(error)
    (say,) = error.message.says
    lists, notes = read_table(tmp_path, text, **{"layout": "wide", **say.options})
    assert lists == {"s": ["b", "a"], "t": ["a", "b"]}
    assert "'title'" in notes
    assert "there is no column of numbers" in str(refusal(tmp_path, "item,title\na,one\nb,two\n", layout="wide"))


def test_two_columns_of_one_name_are_refused_and_one_without_a_name_is_told(tmp_path: Path) -> None:
    error = refusal(tmp_path, "item,s,s\na,0.5,1.5\nb,0.75,0.25\n", layout="wide")
    assert "two columns are named 's'; rename one of them" in str(error)
    assert error.line == 1
    lists, notes = read_table(tmp_path, "item,s,,t\na,0.5,7,1.5\nb,0.75,8,0.25\n", layout="wide")
    assert set(lists) == {"s", "t"}
    assert "ignored column 3, which has no name" in notes
