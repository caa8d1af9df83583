"""Names that look alike, and names that are said to be the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import runner

from stagg import DataError, DataWarning, InvalidParameter, Rankings, elect, fuse, read
from stagg.data.spellings import _distance, find_look_alikes, merge_names
from stagg.formats import ReadLog


@pytest.mark.parametrize(
    ("rare", "name"),
    [
        ("Ana Oritz", "Ana Ortiz"),  # swapped
        ("Ana Ortis", "Ana Ortiz"),  # another letter
        ("Ana Ortz", "Ana Ortiz"),  # one left out
        ("Jose Muñoz", "José Munoz"),  # accents
        ("Ortiz Ana", "Ana Ortiz"),  # order of words
        ("Oritz, Ana", "Ana Ortiz"),  # both
        ("Chistopher Meyer", "Christopher Meier"),  # two letters of a long name
    ],
)
def test_a_slip_is_found(rare: str, name: str) -> None:
    assert [each[:2] for each in find_look_alikes({name: 20, rare: 1})] == [(rare, name)]


@pytest.mark.parametrize(
    ("rare", "name"),
    [
        ("Ana Ruiz", "Ana Ortiz"),
        ("Team A", "Team B"),
        ("Candidate 11", "Candidate 12"),
        ("Ada", "Ida"),
        ("Ann Lee", "Ben Lee"),
        ("Ana Ortizova", "Ana Ortiz"),
        ("Ana Weissenbach", "Ana Wolkersdorf"),
    ],
)
def test_other_people_are_left_alone(rare: str, name: str) -> None:
    assert find_look_alikes({name: 20, rare: 1}) == []


@pytest.mark.parametrize(
    ("one", "other", "most", "distance"),
    [("abc", "abc", 0, 0), ("abc", "acb", 1, 1), ("abc", "abd", 1, 1), ("abcd", "abc", 1, 1), ("abc", "abcdef", 2, 3),
     ("abcdef", "uvwxyz", 1, 2), ("ca", "abc", 3, 3)],
)  # fmt: skip
def test_letters_are_changed_left_out_added_or_swapped(one: str, other: str, most: int, distance: int) -> None:
    assert _distance(one, other, most) == _distance(other, one, most) == distance


def test_names_that_are_both_frequent_are_two_people() -> None:
    assert find_look_alikes({"Jon Meier": 20, "Jon Meyer": 12}) == []


def test_an_election_warns_of_both_names_and_never_merges_them() -> None:
    votes = [["Ana Ortiz", "Ben"]] * 6 + [["Ana Oritz"]]
    told = "'Ana Oritz' (1 ballot) and 'Ana Ortiz' (6 ballots) look alike; if they are the same, say same="
    with pytest.warns(DataWarning, match=re.escape(told)):
        found = elect(votes, "stv", seats=1, draws=0)
    assert "Ana Oritz" in found.candidates


def test_merged_names_are_one_item_at_the_first_of_its_places() -> None:
    votes = Rankings.from_lists({"1": ["b", {"x", "c"}, "a"], "2": ["x", "a"], "3": ["a"]})
    merged, told = merge_names(votes, {"x": "a"})
    assert merged.to_lists() == {"1": {"1": [["b"], ["c", "a"]], "2": [["a"]], "3": [["a"]]}} or merged == (
        Rankings.from_lists({"1": ["b", {"a", "c"}], "2": ["a"], "3": ["a"]})
    )
    assert told == [("x", "a", 2, 2, False)]


def test_merged_ballots_count_as_if_the_name_had_been_written_right() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        right = [rng.permutation(list("abcd"))[: rng.integers(1, 5)].tolist() for _ in range(6)]
        wrong = [["z" if item == "a" and rng.random() < 0.5 else item for item in each] for each in right]
        assert merge_names(Rankings.from_lists(wrong), {"z": "a"})[0] == Rankings.from_lists(right)


def test_rankers_are_merged_where_they_do_not_meet() -> None:
    runs = {"bm25": {"q1": {"a": 1.0}}, "BM-25": {"q2": {"b": 1.0}}, "dense": {"q1": {"a": 2.0}}}
    merged, _ = merge_names(Rankings.from_runs(runs), {"BM-25": "bm25"})
    assert merged.to_runs()["bm25"] == {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    with pytest.raises(DataError, match="'bm25' has two lists for the query 'q1' if these names are the same"):
        merge_names(Rankings.from_runs(runs), {"dense": "bm25"})


def test_gene_aliases_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "genes.csv").write_text("screen 1,screen 2\nTP53,P53\nMYC,MYC\nKRAS,BRAF\n")
    (tmp_path / "aliases.csv").write_text("alias,name\nP53,TP53\n# more to come\n")
    log = ReadLog()
    rankings = read(tmp_path / "genes.csv", layout="columns", same=str(tmp_path / "aliases.csv"), log=log)
    assert fuse(rankings, "borda").best_first()[0] == "TP53"
    assert "'P53' was read as 'TP53' in 1 list" in log.notes


def test_names_that_nobody_has_and_circles_are_told(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("1st,2nd\nAna,Ben\n")
    log = ReadLog()
    read(tmp_path / "votes.csv", same={"Bem": "Ben"}, log=log)
    assert any("nothing is named 'Bem'" in note for note in log.notes)
    with pytest.raises(InvalidParameter, match="same leads from 'a' back to it"):
        read(tmp_path / "votes.csv", same={"a": "b", "b": "a"})
    (tmp_path / "bad.txt").write_text("Ana Oritz\n")
    with pytest.raises(DataError, match=r"bad.txt:1: expected two names such as Ana Oritz=Ana Ortiz"):
        read(tmp_path / "votes.csv", same=str(tmp_path / "bad.txt"))


FORM = (
    "Timestamp,Email Address,First choice,Second choice\n10:00,ann@example.org,Ana,Ben\n"
    "10:01,bob@example.org,Ben,Cleo\n10:02,ann@example.org,Cleo,Ben\n10:03,gus@example.org,,\n"
)


@pytest.mark.parametrize(
    ("rule", "first"), [("keep", ["Ana", "Ben", "Cleo"]), ("first", ["Ana", "Ben"]), ("last", ["Ben", "Cleo"])]
)
def test_the_answer_of_a_voter_that_counts_is_said(tmp_path: Path, rule: str, first: list[str]) -> None:
    (tmp_path / "form.csv").write_text(FORM)
    log = ReadLog()
    rankings = read(tmp_path / "form.csv", repeat_voters=rule, log=log)  # type: ignore[arg-type]
    assert [groups[0][0] for groups in rankings["1"].lists.values()] == first
    assert not any("example.org" in note for note in log.public_notes)
    told = [note for note in log.notes if "in several rows" in note]
    assert len(told) == 1
    if rule != "keep":
        assert f"the {rule} row counts, and 1 row was left out: line {4 if rule == 'first' else 2}" in told[0]


def test_a_voter_who_answers_twice_can_be_an_error(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "form.csv"
    path.write_text(FORM)
    outcome = runner(capfdbinary, "elect")(path, "--repeat-voters", "error")
    assert outcome.code == 1
    assert f"{path}:4: the voter 'ann@example.org' is also in line 2" in outcome.err
    assert "--repeat-voters last" in outcome.err


def test_names_that_differ_in_capitals_are_told_and_signs_and_numbers_make_other_names() -> None:
    assert [each[:2] for each in find_look_alikes({"Ana Ortiz": 3, "ana ortiz": 3})] == [("ana ortiz", "Ana Ortiz")]
    assert find_look_alikes({"C": 9, "C++": 1, "C#": 1}) == []
    assert find_look_alikes({"4 March": 9, "3 May": 1, "March 4": 1, "3/4": 2, "4/3": 2})[0][:2] == (
        "March 4",
        "4 March",
    )
    assert len(find_look_alikes({"3/4/2026": 2, "4/3/2026": 2})) == 0


def test_a_small_table_that_is_fused_is_told_of_names_that_look_alike(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "survey.csv"
    path.write_text('Name,1st,2nd\n"Smith, Ann",Apples,Pears\nAnn Smith,Apples,\nbob,Aplpes,Pears\n')
    for command in ("fuse", "inspect"):
        told = runner(capfdbinary, command)(path).err
        assert "'Aplpes' (1 ballot) and 'Apples' (2 ballots) look alike" in told
        assert "the voters 'Smith, Ann' and 'Ann Smith' look alike; if they are the same, leave out one" in told
        assert told.count("look alike") == 2
    told = runner(capfdbinary, "elect")(path, "--draws", 0, "--no-margins").err
    assert told.count("look alike") == 2


def test_blanks_make_no_other_voter(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Name,1st\nAnn  Lee,A\nann lee,B\n")
    rankings = read(path, repeat_voters="last", log=ReadLog())
    assert rankings.to_lists() == {"1": {"ann lee": [["B"]]}}


def test_lines_of_a_file_of_names_may_hold_commas_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text('Ortiz, Ana=Ana Ortiz\n"Marsh, Cleo",Cleo Marsh\nBen A,Ben Abara\n')
    ballots = tmp_path / "votes.csv"
    ballots.write_text('1st,2nd\n"Ortiz, Ana","Marsh, Cleo"\nBen A,\n')
    assert read(ballots, same=path, log=ReadLog()).items == ("Ana Ortiz", "Cleo Marsh", "Ben Abara")


def test_a_name_cannot_be_two_others(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, ballots = tmp_path / "same.txt", tmp_path / "votes.csv"
    path.write_text("A=B\nA=C\n")
    ballots.write_text("1st,2nd\nA,B\nB,C\n")
    with pytest.raises(DataError, match=r"same.txt:2: 'A' is said to be 'B' above, and 'C' here; say one of them"):
        read(ballots, same=path)
    run = runner(capfdbinary, "elect")
    assert "--same says that 'A' is 'B' and 'C'" in run(ballots, "--same", "A=B", "--same", "A=C").err
    assert "--same takes OTHER=NAME" in run(ballots, "--same", "A=").err


def test_a_name_that_nobody_has_tells_no_voters_to_others(tmp_path: Path) -> None:
    ballots, log = tmp_path / "votes.csv", ReadLog()
    ballots.write_text("Name,1st,2nd\nann,A,B\nbob,B,C\n")
    read(ballots, same={"an": "bob"}, log=log)
    assert any("'ann'" in note for note in log.notes)
    assert not any("ann" in note or "bob" in note for note in log.public_notes)
