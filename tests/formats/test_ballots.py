"""Ballots: which columns are choices and in which order, votes in one cell, what spoils a ballot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, Rankings, read
from stagg.formats import ReadLog
from tests.door.test_files import groups


def read_ballots(tmp_path: Path, text: str, **options: Any) -> tuple[Rankings, str]:
    log = ReadLog()
    (tmp_path / "x.csv").write_text(text)
    return read(tmp_path / "x.csv", log=log, **options), "\n".join(map(str, log.notes))


def lists(tmp_path: Path, text: str, **options: Any) -> list[Any]:
    return list(groups(read_ballots(tmp_path, text, **options)[0])["1"].values())


def refusal(tmp_path: Path, text: str, **options: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read_ballots(tmp_path, text, **options)
    return caught.value


AB = [["A", "B"], ["B", "A"]]


@pytest.mark.parametrize(
    ("text", "expected", "noted"),
    [
        ("Voter,2nd,1st\nv,B,A\nw,A,B\n", AB, ""),  # in the order of their names
        ("Voter,1st,2nd,3rd\nv,A,,B\nw,B,A=C,\n", [["A", "B"], ["B", ["A", "C"]]], ""),
        ("Voter,ballot\nv,A>B=C\nw,C>A\n", [["A", ["B", "C"]], ["C", "A"]], "separated at '>'"),
        ("Voter,ballot\nv,A;B\nw,B;A\n", AB, "separated at ';'"),
        ("Voter,ballot\nv,1. A; 2. B\nw,1. B; 2. A\n", AB, "the numbers before the choices were read as their places"),
        ("Voter,1st,2nd,Last Page\nv,A,B,3\nw,B,A,4\n", AB, "'Last Page'"),
        ("Voter,1st,2nd,IP Address\nv,A,B,10.0.0.1\nw,B,A,10.0.0.2\n", AB, "'IP Address'"),
        ("No,1st,2nd\n1,A,B\n2,B,A\n3,A,B\n4,B,A\n", AB * 2, "ignored columns: 'No'"),
        ("1st,2nd,Party size\nA,B,x\nB,A,y\n", AB, "'Party size'"),
    ],
)
def test_the_choices_of_a_ballot_are_found(text: str, expected: list[Any], noted: str, tmp_path: Path) -> None:
    assert lists(tmp_path, text) == expected
    assert noted in read_ballots(tmp_path, text)[1]


@pytest.mark.parametrize(
    ("rows", "counts", "options"),
    [
        (("3: A>B", "2: B>A"), [3, 2], {}),
        (("3 x A>B", "2 x B>A"), [3, 2], {}),
        (("3 A>B", "2 B>A"), [3, 2], {}),
        (("1 A>2 B", "2 B>1 A"), [1, 1], {}),  # names that begin with numbers
    ],
)
def test_a_number_before_every_vote_counts_its_voters(
    rows: tuple[str, ...], counts: list[int], options: dict[str, Any], tmp_path: Path
) -> None:
    found, notes = read_ballots(tmp_path, "\n".join((*rows, "")), layout="ballots", header=False, **options)
    assert found.multiplicities.tolist() == counts
    assert ("the number before a vote was read as the number of its voters" in notes) is (counts != [1, 1])


@pytest.mark.parametrize(
    ("rows", "line", "told"),
    [
        (("3: A>B", "B>A"), 1, "the vote '3: A>B' begins with a count, and not all votes do"),
        (("A>(B>C)", "B>A"), 1, "the vote 'A>(B>C)' has brackets; leave them out, and write a tie as A=B"),
        (("A>B", "B>A="), 2, "'A=': expected an id on both sides of '='"),
        (("A<B", "B<A"), 1, "the vote 'A<B' cannot be separated; write it as A>B=C, best first"),
        (("A/B", "B/A"), 1, "the vote 'A/B' cannot be separated"),
    ],
)
def test_a_vote_in_one_cell_that_cannot_be_read_is_an_error_with_its_line(
    rows: tuple[str, ...], line: int, told: str, tmp_path: Path
) -> None:
    error = refusal(tmp_path, "\n".join((*rows, "")), layout="ballots", header=False)
    assert told in str(error)
    assert error.line == line


def test_a_vote_that_may_be_one_name_is_noted(tmp_path: Path) -> None:
    found, notes = read_ballots(tmp_path, "A - B\nB - A\n", layout="ballots", header=False)
    assert set(found.items) == {"A - B", "B - A"}
    assert "'A - B' was read as one choice; write votes as A>B=C, best first" in notes


def test_a_candidate_who_is_named_twice_spoils_a_ballot_unless_the_first_mention_counts(tmp_path: Path) -> None:
    text = "Voter,1st,2nd,3rd\nv,A,B,A\nw,B,A,\n"
    error = refusal(tmp_path, text)
    assert "the ballot of 'v' names 'A' twice; correct it, or keep the first mention: duplicates='first'" in str(error)
    assert error.line == 2
    assert lists(tmp_path, text, duplicates="first") == AB
    assert "the ballot names 'A' twice" in str(refusal(tmp_path, "1st,2nd\nB,A\nA,A\n"))
    record = "Voter,rank 1,rank 2,rank 3\nv,A,skipped,A\nw,B,skipped,A\n"
    assert lists(tmp_path, record) == [["A"], ["B", "A"]]
    assert (
        ":2: 1 ballot marks a candidate again, which counts once, at the first mark"
        in read_ballots(tmp_path, record)[1]
    )


def test_lenient_reading_leaves_out_cells_that_say_that_there_is_no_choice(tmp_path: Path) -> None:
    text, log = "Voter,1st,2nd\nv,A,N/A\nw,B,A\n", ReadLog()
    found, notes = read_ballots(tmp_path, text)
    assert "N/A" in found.items
    assert "'N/A'" in notes
    assert groups(read(tmp_path / "x.csv", lenient=True, log=log))["1"] == {"v": ["A"], "w": ["B", "A"]}
    assert log.rows_dropped == 1


QUESTIONS = {
    "a column of choices without a place": (
        "Voter,1st,2nd,Reserve\nv,A,B,C\nw,B,A,C\nu,C,A,B\n", {},
        "the column 'Reserve' seems to hold choices, too",
        [[["A", "B", "C"], ["B", "A", "C"], ["C", "A", "B"]], [["A", "B"], ["B", "A"], ["C", "A"]]],
    ),
    "what is told of each choice": (
        "Voter,1st choice,1st choice party,2nd choice,2nd choice party\nv,A,C,B,D\nw,B,D,A,C\n", {"layout": "ballots"},
        "'1st choice' and '1st choice party' seem to be the same choice; rename one of them", [AB],
    ),
    "whole votes beside something": (
        "5,A>B\n2,B>A\n", {"layout": "ballots", "header": False},
        "column 2 holds whole votes ('A>B', …); what is column 1?", [AB, AB, AB],
    ),
    "names of voters": (
        "x,y,z\nann,A,B\nbob,B,A\n", {"layout": "ballots", "header": True},
        "the first column ('ann', 'bob', …) looks like names of voters", [AB, [["ann", "A", "B"], ["bob", "B", "A"]]],
    ),
    "numbers that may count": (
        "x,y,z\n5,A,B\n2,B,A\n", {"layout": "ballots", "header": True},
        "the column 'x' holds numbers", [AB, AB],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", QUESTIONS.values(), ids=QUESTIONS)
def test_what_ballots_leave_open_is_asked_and_every_answer_reads_them(
    case: tuple[str, dict[str, Any], str, list[Any]], tmp_path: Path
) -> None:
    text, options, told, answers = case
    error = refusal(tmp_path, text, **options)
    assert told in str(error)
    assert [lists(tmp_path, text, **{**options, **say.options}) for say in error.message.says] == answers


def test_columns_that_only_say_who_votes_are_no_ballots(tmp_path: Path) -> None:
    error = refusal(tmp_path, "Voter,Email\nv,a@x\nw,b@x\n", layout="ballots", header=True)
    assert "there is no column of choices; the columns only say who votes" in str(error)


def test_a_list_for_each_query_is_one_ranker_named_after_the_file(tmp_path: Path) -> None:
    found, _ = read_ballots(tmp_path, "query,1st,2nd\np,A,B\nq,B,A\n")
    assert (found.queries, found.rankers) == (("p", "q"), ("x",))
    found, _ = read_ballots(tmp_path, "query,1st,2nd\np,A,B\np,B,A\nq,B,A\n")
    assert (found.queries, found.rankers) == (("p", "q"), ("1", "2", "3"))


def test_voters_without_names_are_told_apart_by_their_files_and_columns_are_kept(tmp_path: Path) -> None:
    for name in ("u", "v"):
        (tmp_path / f"{name}.csv").write_text("1st,2nd\nA,B\nB,A\n")
    assert read([tmp_path / "u.csv", tmp_path / "v.csv"]).rankers == ("u:1", "u:2", "v:1", "v:2")
    (tmp_path / "x.csv").write_text("Voter,2nd,1st,Votes,Remark\nv,B,A,2,ok\nw,A,B,3,ok\n")
    read(tmp_path / "x.csv", log=(log := ReadLog()))
    assert log.readings[0].taken == (
        ("Voter", "voter"), ("2nd", "choice 2"), ("1st", "choice 1"), ("Votes", "number of voters"),
        ("Remark", "left out"),
    )  # fmt: skip
