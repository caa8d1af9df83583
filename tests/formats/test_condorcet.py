"""Votes in the Condorcet Election Format."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.test_files import groups


def put_votes(tmp_path: Path, text: str, name: str = "x.cvotes") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["x.cvotes", "x.txt"])
def test_votes_ties_and_counts(name: str, tmp_path: Path) -> None:
    text = "# a vote\n#/Candidates: A ; B ; C\n#/Implicit Ranking: false\nA > B = C * 6\ntag || C > A # late\nB*2\n"
    rankings = read(put_votes(tmp_path, text, name))
    assert groups(rankings) == {"x": {"1": ["A", ["B", "C"]], "2": ["C", "A"], "3": ["B"]}}
    assert rankings.multiplicities.tolist() == [6, 1, 2]


def test_candidates_who_are_not_named_come_last_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put_votes(tmp_path, "#/Candidates: A;B;C\nB\nA > B > C\n/EMPTY_RANKING/ * 2\n"), log=log)
    assert groups(rankings) == {"x": {"1": ["B", ["A", "C"]], "2": ["A", "B", "C"]}}
    assert rankings.multiplicities.tolist() == [1, 1, 2]
    assert any("come last" in str(note) for note in log.notes)


def test_weights_count_where_they_are_allowed(tmp_path: Path) -> None:
    text = "A > B ^3 * 2\nB > A\n"
    allowed = read(put_votes(tmp_path, f"#/Weight Allowed: true\n{text}"))
    assert allowed.multiplicities.tolist() == [6, 1]
    log = ReadLog()
    assert read(put_votes(tmp_path, text), log=log).multiplicities.tolist() == [2, 1]
    assert any("weight" in str(note) for note in log.notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A > > B\n", "expected a vote"),
        ("andidates: A ; B ; C\nA > B\n", "found 'andidates: A ; B ; C'"),
        ("A > B * x\n", "behind *"),
        ("A > B > A\n", "names 'A' twice"),
        ("#/Candidates: A;B\nA > C\n", "'C' is not among the candidates"),
    ],
)
def test_a_wrong_vote_says_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put_votes(tmp_path, text))
    assert message in str(caught.value)
