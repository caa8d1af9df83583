"""PrefLib files: headers, kinds, counts, votes that are wrong, names, and what can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, Rankings, StaggError, read, write
from stagg.data.inputs.construct import from_lists
from stagg.formats import ReadLog

HEAD = "# TITLE: t\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 5\n# NUMBER UNIQUE ORDERS: 2\n"
NAMES = "".join(f"# ALTERNATIVE NAME {number}: {name}\n" for number, name in enumerate(("Ann", "Ben", "Cy"), start=1))


def read_votes(tmp_path: Path, text: str, file: str = "x.toi", **options: Any) -> tuple[Rankings, ReadLog]:
    log = ReadLog()
    (tmp_path / file).write_text(text)
    return read(tmp_path / file, log=log, **options), log


def lists(rankings: Rankings) -> list[list[list[str]]]:
    return list(rankings.to_lists()[rankings.queries[0]].values())


def test_votes_are_lists_with_ties_and_counts(tmp_path: Path) -> None:
    found, log = read_votes(tmp_path, f"{HEAD}{NAMES}3: 3,{{1,2}}\n2.0 : 2 , 001\n")
    assert lists(found) == [[["3"], ["1", "2"]], [["2"], ["1"]]]
    assert found.multiplicities.tolist() == [3, 2]
    assert (found.queries, log.notes, log.rows_used) == (("x",), [], 2)
    named, _ = read_votes(tmp_path, f"{HEAD}{NAMES}3: 3,{{1,2}}\n2: 2,1\n", names=True)
    assert lists(named) == [[["Cy"], ["Ann", "Ben"]], [["Ben"], ["Ann"]]]


@pytest.mark.parametrize(
    ("vote", "told"),
    [
        ("3: 1,2,x", "expected votes such as '12: 3,1,{2,5},4', found '3: 1,2,x'"),
        ("2.5: 1,2", "the count '2.5' is not"),
        ("3: 1,4", "there is no alternative '4'; they are 1 to 3"),
        ("3: 0,1", "there is no alternative '0'; they are 1 to 3"),
        ("3: 1,2,1", "the alternative 1 appears twice in this vote (line 5)"),
        ("3: {1,1}", "the alternative 1 appears twice in this vote (line 5)"),
    ],
)
def test_a_wrong_vote_is_an_error_with_its_line_or_left_out_and_counted(vote: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_votes(tmp_path, f"{HEAD}{vote}\n2: 2,1\n")
    assert told in str(caught.value)
    assert caught.value.line == 5
    found, log = read_votes(tmp_path, f"{HEAD}{vote}\n2: 2,1\n", lenient=True)
    assert log.rows_dropped + log.rows_used == 2
    assert lists(found)[-1] == [["2"], ["1"]]
    assert log.rows_dropped == ("twice" not in told)


def test_an_alternative_twice_keeps_its_better_place_if_that_is_said(tmp_path: Path) -> None:
    text = f"{HEAD}3: 2,1,2,3\n2: {{3,1}},1\n"
    with pytest.raises(DataError) as caught:
        read_votes(tmp_path, text)
    (say,) = caught.value.message.says
    found, log = read_votes(tmp_path, text, **say.options)
    assert lists(found) == [[["2"], ["1"], ["3"]], [["3", "1"]]]
    assert "x.toi:5: an alternative appears twice in a vote (2 votes); its better place was kept" in str(log.notes)


@pytest.mark.parametrize(
    ("file", "vote", "told"),
    [
        ("x.soc", "5: 1,2", ".soc votes list all 3 alternatives, this one 2; expected .soi"),
        ("x.toc", "5: {1,2}", ".toc votes list all 3 alternatives, this one 2; expected .toi"),
        ("x.soi", "5: {1,2}", ".soi votes have no ties; expected .toi for such votes"),
        ("x.soc", "5: {1,2},3", ".soc votes have no ties; expected .toc for such votes"),
        ("x.soc", "5: 1,2,3", None), ("x.toc", "5: {1,2},3", None), ("x.soi", "5: 2,1", None),
    ],
)  # fmt: skip
def test_votes_keep_the_rules_of_their_ending(file: str, vote: str, told: str | None, tmp_path: Path) -> None:
    text = HEAD.replace("ORDERS: 2", "ORDERS: 1") + vote + "\n"
    if told is None:
        assert read_votes(tmp_path, text, file)[1].notes == []
        return
    with pytest.raises(DataError) as caught:
        read_votes(tmp_path, text, file)
    assert (told in str(caught.value), caught.value.line) == (True, 5)
    typed = text.replace("# TITLE: t", f"# DATA TYPE: {file[2:]}")
    with pytest.raises(DataError):
        read_votes(tmp_path, typed, "y.txt", format="preflib")


def test_headers_that_do_not_fit_are_noted_or_refused(tmp_path: Path) -> None:
    _, log = read_votes(tmp_path, f"{HEAD}3: 1,2\n3: 2,1\n1: 1,2\n0: 3\n")
    assert "NUMBER VOTERS is 5 in the header, 7 in the votes" in str(log.notes)
    assert "ORDERS" not in str(log.notes)  # an order that nobody cast may count, or not
    _, log = read_votes(tmp_path, f"{HEAD.replace('ORDERS: 2', 'ORDERS: 3')}5: 1,2\n0: 2\n0: 3\n")
    assert "in the header" not in str(log.notes)
    for header, told in (
        ("# NUMBER VOTERS: 5x\n", "NUMBER VOTERS is '5x' in the header; expected a whole number"),
        ("# no key\n", "expected a header line '# KEY: value', found '# no key'"),
        ("# DATA TYPE: wmd\n", "DATA TYPE wmd is"),
    ):
        with pytest.raises(DataError) as caught:
            read_votes(tmp_path, f"# TITLE: t\n{header}5: 1,2\n")
        assert told in str(caught.value)
    assert lists(read_votes(tmp_path, "# TITLE: t\n# no key\n5: 1,2\n", comments=True)[0]) == [[["1"], ["2"]]]


@pytest.mark.parametrize(
    ("names", "items", "told"),
    [
        (NAMES.replace("Cy", "Ann"), "123", "two alternatives are named 'Ann'; read without names"),
        (NAMES.rpartition("# ALT")[0], "12", "'# ALTERNATIVE NAME 3: ...' is missing or empty; read without names"),
        (NAMES.replace("Ben", ""), "123", "'# ALTERNATIVE NAME 2: ...' is missing or empty"),
    ],
)
def test_names_must_tell_the_alternatives_apart(names: str, items: str, told: str, tmp_path: Path) -> None:
    text = f"{HEAD}{names}3: 1,2\n2: 2,1\n"
    assert read_votes(tmp_path, text)[0].items == (*items,)
    with pytest.raises(DataError, match=r"read without names") as caught:
        read_votes(tmp_path, text, names=True)
    assert told in str(caught.value)


def test_files_of_before_2022_are_read(tmp_path: Path) -> None:
    text = "3\n1,Ann\n2,Ben\n3,Cy\n5,5,2\n3,1,2\n2,{2,3},1\n"
    found, log = read_votes(tmp_path, text, names=True)
    assert lists(found) == [[["Ann"], ["Ben"]], [["Ben", "Cy"], ["Ann"]]]
    assert found.multiplicities.tolist() == [3, 2]
    assert "read as a PrefLib file of before 2022" in str(log.notes)


@pytest.mark.parametrize(
    ("ballots", "file", "told"),
    [
        ([[["A", "B"]], [["A"], ["B"]]], "x.soc", "ties in .soc; write .toc"),
        ([[["A"]], [["A"], ["B"]]], "x.toc", "incomplete votes in .toc; write .toi"),
        ([[["A "]], [["B"]]], "x.toi", "the item id 'A ': a name ends with its line and has no blanks around it"),
        ([[["A", "B"]], [["A"], ["B"]]], "x.toc", None),
        ([[["A"]], [["A"], ["B"]]], "x.soi", None),
    ],
)
def test_what_a_kind_cannot_hold_is_refused_and_the_rest_comes_back(
    ballots: list[Any], file: str, told: str | None, tmp_path: Path
) -> None:
    rankings = from_lists(ballots, query="x")
    if told is not None:
        with pytest.raises(StaggError) as caught:
            write(rankings, tmp_path / file)
        assert told in str(caught.value)
        return
    write(rankings, tmp_path / file)
    assert lists(read(tmp_path / file, names=True)) == lists(rankings)
    held = (tmp_path / file).read_text()
    assert f"# DATA TYPE: {file[2:]}\n# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 2\n# NUMBER UNIQUE ORDERS: 2\n" in held
