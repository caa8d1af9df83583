"""Headers of several lines: Qualtrics, SurveyMonkey, SoSci Survey."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.test_files import groups

Q_CODES = "StartDate,ResponseId,Q2_1,Q2_2,Q5_1,Q5_2,Q7"
Q_TEXTS = "Start Date,Response ID,Rank it. - Tea,Rank it. - Rum,Order - Reds,Order - Blues,Age?"
Q_IDS = ",".join(f'"{{""ImportId"":""{number}""}}"' for number in range(7))
Q_ROWS = "2024-03-01 10:00:00,R_1,1,2,2,1,30\n2024-03-01 10:01:00,R_2,2,1,,,40\n"


def read_survey(tmp_path: Path, text: str) -> tuple[object, str]:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text(text)
    return groups(read(path, log=log)), "\n".join(str(note) for note in log.notes)


def test_three_lines_of_qualtrics(tmp_path: Path) -> None:
    lists, notes = read_survey(tmp_path, f"{Q_CODES}\n{Q_TEXTS}\n{Q_IDS}\n{Q_ROWS}")
    assert lists == {"Rank it.": {"R_1": ["Tea", "Rum"], "R_2": ["Rum", "Tea"]}, "Order": {"R_1": ["Blues", "Reds"]}}
    assert "the first 3 lines are the header of an export of Qualtrics" in notes
    assert "'Age?'" in notes


def test_qualtrics_without_the_questions(tmp_path: Path) -> None:
    lists, _ = read_survey(tmp_path, f"{Q_CODES}\n{Q_IDS}\n{Q_ROWS}")
    assert lists == {"Q2": {"R_1": ["Q2_1", "Q2_2"], "R_2": ["Q2_2", "Q2_1"]}, "Q5": {"R_1": ["Q5_2", "Q5_1"]}}


def test_two_lines_of_survey_monkey(tmp_path: Path) -> None:
    text = "Respondent ID,Start Date,Best?,,Age?\n,,Tea,Rum,Open-Ended Response\n901,d,1,2,30\n902,e,2,1,40\n"
    lists, notes = read_survey(tmp_path, text)
    assert lists == {"1": {"901": ["Tea", "Rum"], "902": ["Rum", "Tea"]}}
    assert "'Age?'" in notes


def test_a_line_that_only_says_response(tmp_path: Path) -> None:
    text = "Respondent ID,First choice,Second choice\n,Response,Response\n901,Tea,Rum\n902,Rum,Tea\n"
    assert read_survey(tmp_path, text)[0] == {"1": {"901": ["Tea", "Rum"], "902": ["Rum", "Tea"]}}


def test_codes_and_labels_below_them(tmp_path: Path) -> None:
    text = "CASE;STARTED;RA01_01;RA01_02;FINISHED\nNummer;Beginn;Ordnung: Preis;Ordnung: Ort;Fertig\n"
    lists, notes = read_survey(tmp_path, f"{text}7;d;2;1;1\n8;e;1;2;1\n9;f;1;-9;1\n")
    assert lists == {"1": {"1": ["Ort", "Preis"], "2": ["Preis", "Ort"], "3": ["Preis"]}}
    assert "'-9' (1 cell) was read as no answer" in notes


def test_a_row_of_answers_is_no_header(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        read_survey(tmp_path, "A_1,A_2,B\nn/a,n/a,x\n1,2,y\n2,1,z\n")


def test_a_cast_vote_record_of_dominion_is_refused_with_the_way_to_write_it(tmp_path: Path) -> None:
    """The header of its CSV: election, contests, candidates with their ranks, then names and parties."""
    contest = '"Mayor (Number of positions=1, Number of ranks=2)"'
    lines = [
        "2022 Mayoral,5.10.50.85" + "," * 6,
        "," * 4 + ",".join([contest] * 4),
        ",,,,Ann Lee(1),Ann Lee(2),Ben Oh(1),Ben Oh(2)",
        "CvrNumber,TabulatorNum,BatchId,RecordId,DEM,DEM,REP,REP",
        "1,1,1,1,1,0,0,1",
        "2,1,1,2,0,1,1,0",
    ]
    path = tmp_path / "cvr.csv"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match="cast vote record of Dominion") as caught:
        read(path, log=ReadLog())
    assert caught.value.line == 4
    path.write_text("CvrNumber,1st,2nd,3rd\n1,Ann,Ben,\n2,Ben,Ann,Cleo\n")
    assert read(path, log=ReadLog()).rankers == ("1", "2")


def test_chess_games_are_refused_with_the_table_to_write(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(
        '[Event "F/S Return Match"]\n[White "Fischer"]\n[Black "Spassky"]\n[Result "1/2-1/2"]\n\n1. e4 e5\n'
    )
    with pytest.raises(DataError, match="header white,black,result"):
        read(path)
    table = tmp_path / "games.csv"
    table.write_text("white,black,result\nFischer,Spassky,1/2-1/2\nSpassky,Fischer,0-1\n")
    assert list(read(table, log=ReadLog()).to_lists()["1"].values()) == [
        [["Fischer", "Spassky"]],
        [["Fischer"], ["Spassky"]],
    ]
