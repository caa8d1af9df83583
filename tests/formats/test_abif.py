"""Votes in the Aggregated Ballot Information Format; the examples are those of its repository (electorama/abif)."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.test_files import groups

NAMES = "=DGM:[Doña García Márquez]\n=SBJ:[Steven B. Jensen]\n=SY:[Sue Ye (蘇業)]\n=AM:[Adam Muñoz]\n"
DGM, SBJ, SY, AM = "Doña García Márquez", "Steven B. Jensen", "Sue Ye (蘇業)", "Adam Muñoz"


def put(tmp_path: Path, text: str, name: str = "x.abif") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["x.abif", "x.txt"])
@pytest.mark.parametrize(
    ("votes", "last"),
    [
        ("27: DGM > SBJ > SY > AM\n26: SBJ > DGM = SY > AM\n", [SBJ, [DGM, SY], AM]),  # test012.abif
        ("27: DGM/5, SBJ/2, SY/1, AM/0\n26: DGM/3, SBJ/5, SY/3, AM/1\n", [SBJ, [DGM, SY], AM]),  # test015.abif
        ("27: DGM/5 > SBJ/2 >  SY/1 > AM/0\n26: SBJ/5 > DGM/3 =  SY/3 > AM/1\n", [SBJ, [DGM, SY], AM]),
        ("27:DGM>SBJ>SY>AM # ours\n26*AM>SY\n", [AM, SY]),
    ],
)
def test_votes_by_their_marks_or_their_ratings(votes: str, last: list[object], name: str, tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put(tmp_path, f'# test\n{{"version": "0.1"}}\n{NAMES}\n{votes}', name), log=log)
    assert groups(rankings) == {"x": {"1": [DGM, SBJ, SY, AM], "2": last}}
    assert rankings.multiplicities.tolist() == [27, 26]
    assert log.readings[0].layout == "ballots"


def test_ballot_lines_of_the_draft(tmp_path: Path) -> None:
    text = """\
# Ordinal
1: A>B>C
2: A>B=D>C
# Plurality, approval
3: A
4: A=C=X
5: A/5,B/2,C/1,E/2
7: D>C>B>A: { "precinct":51, "county":"Bronx", "machine":2 }
2: [Ann #1]/3 > "Ben, jr."/1
"""
    assert groups(read(put(tmp_path, text)))["x"] == {
        "1": ["A", "B", "C"],
        "2": ["A", ["B", "D"], "C"],
        "3": ["A"],
        "4": [["A", "C", "X"]],
        "5": ["A", ["B", "E"], "C"],
        "6": ["D", "C", "B", "A"],
        "7": ["Ann #1", "Ben, jr."],
    }


def test_commas_without_ratings_tie_with_a_note(tmp_path: Path) -> None:
    log = ReadLog()
    assert groups(read(put(tmp_path, "3: A>B,C\n"), log=log)) == {"x": {"1": ["A", ["B", "C"]]}}
    assert any("read as a tie" in str(note) for note in log.notes)


def test_candidates_whom_nobody_ranks_stay_candidates(tmp_path: Path) -> None:
    assert {*read(put(tmp_path, f"{NAMES}3: DGM>SY\n")).items} == {DGM, SBJ, SY, AM}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3: A>>B\n", "expected '27: A>B=C', found 'A>>B'"),
        ("3: A>B>\n", "expected '27: A>B=C'"),
        ("A>B\n", "expected a vote such as '27: A>B=C'"),
        ("3: A>B>A\n", "names 'A' twice"),
        ("6: A*1,B*2,D*4\n", "weights (A*3) share a vote out"),
        ("3: A/1>B/5\n", "the ratings of 'A' and 'B' contradict their order"),
        (f"{NAMES}3: DGM>XYZ\n", "'XYZ' is not among the candidates"),
        ("=A:[Ann]\n=B:[Ann]\n3: A>B\n", "two candidates have the name 'Ann'"),
        ("=A:[Ann]\n=A:[Ben]\n3: A\n", "'A' is said to be 'Ann', too"),
    ],
)
def test_a_wrong_vote_says_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put(tmp_path, text))
    assert message in str(caught.value)


def test_votes_with_counts_in_a_text_file_are_still_asked_about(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="layout='ballots'"):
        read(put(tmp_path, "27:A>B>C\n3:B>A\n", "x.txt"))
