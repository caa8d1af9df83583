"""What stands around the cells of a table: titles, sums below, schedules on their side, columns about an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog, ReadOptions, load
from tests.door.test_files import groups


def read_trimmed(tmp_path: Path, text: str, *, ballots: bool = False, **options: Any) -> tuple[Any, str]:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text(text)
    rankings = load([path], options=ReadOptions(**options), log=log, ballots=ballots).rankings
    return groups(rankings), "\n".join(str(note) for note in log.notes)


@pytest.mark.parametrize(
    "last", ["Total,2.25,3.25", "Mean,1.125,1.625", "Mean,1.13,1.63", "Count,2,2", "Summe,2.25,3.25"]
)
def test_a_row_that_sums_up_the_others_is_no_item(last: str, tmp_path: Path) -> None:
    lists, notes = read_trimmed(tmp_path, f"item,x,y\na,1.5,2.5\nb,0.75,0.75\n{last}\n")
    assert lists == {"1": {"x": ["a", "b"], "y": ["a", "b"]}}
    assert f"'{last.split(',')[0]}' (line 4)" in notes


@pytest.mark.parametrize(("huge", "last"), [("-1e308", "Average,8.33,7.33"), ("1e308", "Stdev,1.15,5.7735e307")])
def test_numbers_too_large_to_be_squared_above_a_row_that_sums_up(huge: str, last: str, tmp_path: Path) -> None:
    text = f"Vendor,Ease,Support\nA,9,{huge}\nB,7,8\nC,9,6\n{last}\n"
    lists, notes = read_trimmed(tmp_path, text, values="score")
    assert lists["1"]["Ease"] == [["A", "C"], "B"]
    assert f"'{last.split(',')[0]}' (line 5)" in notes


def test_an_item_with_the_name_of_a_sum_stays_where_it_sums_up_nothing(tmp_path: Path) -> None:
    lists, _ = read_trimmed(tmp_path, "item,x,y\nrrf,0.5,0.25\nmean,0.75,0.5\nmedian,0.15,0.95\n")
    assert lists["1"]["x"] == ["mean", "rrf", "median"]


def test_titles_of_two_cells_above_ballots(tmp_path: Path) -> None:
    text = "Chair,14 Oct\nCounted by,J. B.\nBallot,1st,2nd,3rd\n1,A,B,C\n2,B,A,\n"
    lists, notes = read_trimmed(tmp_path, text, ballots=True)
    assert lists == {"1": {"1": ["A", "B", "C"], "2": ["B", "A"]}}
    assert "begins in line 3" in notes


def test_numbers_above_ballots_count_voters_in_an_election(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("14,10,8\nA,B,C\nB,A,A\nC,C,B\n")
    found = load([path], options=ReadOptions(), log=ReadLog(), ballots=True).rankings
    assert groups(found) == {"1": {"1": ["A", "B", "C"], "2": ["B", "A", "C"], "3": ["C", "A", "B"]}}
    assert found.multiplicities.tolist() == [14, 10, 8]


def test_a_candidate_with_the_name_of_a_service_column_stays(tmp_path: Path) -> None:
    lists, _ = read_trimmed(tmp_path, "voter,City,United\nv,1,2\nw,2,1\n")
    assert lists == {"1": {"v": ["City", "United"], "w": ["United", "City"]}}
    lists, notes = read_trimmed(tmp_path, "voter,Progress,A,B\nv,100,1,2\nw,60,2,1\n")
    assert lists == {"1": {"v": ["A", "B"], "w": ["B", "A"]}}
    assert "'Progress'" in notes


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Voter,1st,2nd,3rd\nv1,Ann,Ben,Cleo\nv2,Ben,Ann,Cleo\nVoter,1st,2nd\nv1,Dan,Eve\nv2,Eve,Dan\n", 4),
        ("A\nVoter,1st,2nd,3rd\nv1,Ann,Ben,Cleo\nv2,Ben,Ann,Cleo\n\nB\nVoter,1st,2nd\nv1,Dan,Eve\nv2,Eve,Dan\n", 7),
        ("model,mmlu,arc\na,1.5,2\nb,0.5,3\nd,0.7,5\n\nmodel,gsm8k\na,2\nb,1\n", 6),
    ],
)
@pytest.mark.parametrize("layout", [None, "grid", "ballots"])
def test_a_second_table_below_the_first_is_refused(text: str, line: int, layout: str | None, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    if layout == "ballots" and text.startswith(("A", "model")):
        return  # these have titles, or are none
    with pytest.raises(DataError, match="a second table begins here") as caught:
        read(path, layout=layout, log=ReadLog())
    assert caught.value.line == line


def test_ballots_with_empty_lines_between_are_no_second_table(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1st,2nd,3rd\nAnn,Ben,Cleo\n\nBen,Ann,Cleo\n\nAnn,Cleo\n")
    assert len(read(path, log=ReadLog()).rankers) == 3
    path.write_text("Ann,Ben,Cleo\n\nBen,Ann,Cleo\n\nAnn,Ben\n")
    assert len(read(path, layout="ballots", header=False, log=ReadLog()).rankers) == 3
