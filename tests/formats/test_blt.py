"""BLT files of OpaVote and OpenSTV."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, elect, read
from stagg.formats import ReadLog
from tests.door.test_files import groups

NAMES = '"Ann"\n"Bob"\n"Cy"\n"A title"\n'


def put_blt(tmp_path: Path, text: str, name: str = "x.blt") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["x.blt", "x.txt", "x"])
def test_ballots_ties_and_counts(name: str, tmp_path: Path) -> None:
    rankings = read(put_blt(tmp_path, f"3 1\n4 1 2 0\n2 3=2 1 0 # late\n(id7) 1 - 2 0\n0\n{NAMES}", name))
    assert groups(rankings) == {"x": {"1": ["Ann", "Bob"], "2": [["Bob", "Cy"], "Ann"], "3": ["Bob"]}}
    assert rankings.multiplicities.tolist() == [4, 2, 1]


def test_withdrawn_candidates_are_left_out_with_a_note(tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put_blt(tmp_path, f"3 1\n-2\n4 1 2 0\n2 2 1 0\n0\n{NAMES}"), log=log)
    assert groups(rankings) == {"x": {"1": ["Ann"], "2": ["Ann"]}}
    assert any("withdrawn" in str(note) and "'Bob'" in str(note) for note in log.notes)
    assert any("no ballot ranks 'Cy'" in str(note) for note in log.notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"3\n4 1 0\n0\n{NAMES}", "candidates and of seats"),
        (f"3 1\nx 1 0\n0\n{NAMES}", "the count 'x'"),
        (f"3 1\n4 1 2\n0\n{NAMES}", "ends with 0"),
        (f"3 1\n4 1 4 0\n0\n{NAMES}", "no candidate '4'; they are 1 to 3"),
        (f"3 1\n4 1 1 0\n0\n{NAMES}", "names 'Ann' twice"),
        ("3 1\n4 1 0\n", "truncated"),
        ('3 1\n4 1 0\n0\n"Ann"\n', "names of 3 candidates"),
        ('3 1\n4 1 0\n0\n"Ann"\n"Ann"\n"Cy"\n', "two candidates are named 'Ann'"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put_blt(tmp_path, text))
    assert message in str(caught.value)


def test_a_second_mention_is_left_out_where_the_caller_says_so(tmp_path: Path) -> None:
    rankings = read(put_blt(tmp_path, f"3 1\n4 1 2 3 1 0\n0\n{NAMES}"), duplicates="first", log=ReadLog())
    assert groups(rankings) == {"x": {"1": ["Ann", "Bob", "Cy"]}}


@pytest.mark.parametrize(
    "names",
    [
        '"Ada"\n"Ben"\n"Cleo"\n"Ward 1"\n',
        "Ada\nBen\nCleo\nWard 1\n",
        '"Ada" "Ben" "Cleo"\n"Ward 1"\n',
        "# ALTERNATIVE NAME 1: Ada\n# ALTERNATIVE NAME 2: Ben\n# ALTERNATIVE NAME 3: Cleo\nWard 1\n",
        "Ada,\nBen,\nCleo,\nWard 1,\n",
    ],
)
def test_names_are_read_as_councils_write_them(tmp_path: Path, names: str) -> None:
    rankings = read(put_blt(tmp_path, f"3 1,\n4 1 2 0,\n1 3 0,\n0,\n{names}"))
    assert [*rankings.items] == ["Ada", "Ben", "Cleo"]


@pytest.mark.parametrize("line", ['"Ada" "Whigs"', '"Ada ""Whigs"""', '"""Ada"" ""Whigs"""', "Ada (Whigs)"])
def test_a_party_stands_behind_the_name(tmp_path: Path, line: str) -> None:
    assert read(put_blt(tmp_path, f'2 1\n4 1 2 0\n0\n{line}\nBen (Whigs)\n"Ward"\n')).items[0] == "Ada (Whigs)"


def test_candidates_whom_nobody_ranks_stay_candidates(tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put_blt(tmp_path, f"3 2\n-2\n4 1 2 0\n0\n{NAMES}"), log=log)
    assert [*rankings.items] == ["Ann", "Cy"]
    assert elect(rankings, "stv", seats=2, draws=0)["stv"].elected == ("Ann", "Cy")
    with pytest.raises(DataError, match="there is no candidate '4'; they are 1 to 3"):
        read(put_blt(tmp_path, f"3 2\n-4\n4 1 2 0\n0\n{NAMES}"))


@pytest.mark.parametrize("line", ['"Ada" # retired', '"Ada"#', '"Ada"   '])
def test_a_comment_behind_a_name_is_no_party(tmp_path: Path, line: str) -> None:
    assert read(put_blt(tmp_path, f'2 1\n4 1 2 0\n0\n{line}\n"Ben #2"\n"Ward"\n')).items == ("Ada", "Ben #2")


def test_windows_line_ends_and_a_mark_of_bytes_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.blt"
    path.write_bytes(b"\xef\xbb\xbf3 1\r\n4 1 2 0\r\n(id 7) 1 3 0\r\n0\r\n" + NAMES.replace("\n", "\r\n").encode())
    rankings = read(path, log=ReadLog())
    assert groups(rankings) == {"x": {"1": ["Ann", "Bob"], "2": ["Cy"]}}
    assert rankings.multiplicities.tolist() == [4, 1]


COUNCIL = """4,2,,,
126,1,,,
9,1,2,,
55,2,3,1,
"Candidate 1","Yvonne Allan","Labour (Lab)",,
"Candidate 2","Alan ""Al"" Donnelly","Conservative (Con)",,
"Candidate 3","David Fryer","Independent (Ind)",,
"Candidate 4","Renée Slater","Green (Grn)",,
"Torry/Ferryhill Ward",,,,
"""


@pytest.mark.parametrize("name", ["ward.csv", "ward.blt", "ward"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_council_elections_as_tables_are_read(tmp_path: Path, name: str, end: str) -> None:
    path = tmp_path / name
    path.write_bytes(COUNCIL.replace("\n", end).encode())
    log = ReadLog()
    rankings = read(path, log=log)
    assert set(rankings.items) == {
        "Yvonne Allan (Labour (Lab))",
        "Alan 'Al' Donnelly (Conservative (Con))",
        "David Fryer (Independent (Ind))",
        "Renée Slater (Green (Grn))",
    }
    assert rankings.multiplicities.tolist() == [126, 9, 55]
    assert log.readings[0].seats == 2
    assert elect(rankings, "stv", seats=2, draws=0)["stv"].quota == 64


def test_a_table_of_numbers_is_no_council_election(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("4,2\n" + "9,1\n5,2\n7,3\n" * 40)
    with pytest.raises(DataError, match="it is not clear what the columns of this table hold"):
        read(path)
