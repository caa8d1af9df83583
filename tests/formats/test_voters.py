"""Who votes: persons before times, a voter who answers twice is told, addresses and times are no choices."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg import DataError, DataWarning, InvalidParameter
from stagg.formats import ReadLog
from tests.command_line import runner

FORM = "Timestamp,Email,First choice,Second choice\n"
ROWS = "3/3/2026 8:00:00,ann@x.org,Red,Sky\n3/3/2026 9:00:00,bob@x.org,Sky,Red\n3/3/2026 9:30:00,cy@x.org,Sky,\n"
AGAIN = "4/3/2026 8:00:00,Ann@X.org,Sky,Red\n"


def read(tmp_path: Path, text: str, **options: object) -> stagg.Rankings:
    path = tmp_path / "form.csv"
    path.write_text(text)
    with pytest.warns(DataWarning):
        return stagg.read(path, **options)  # type: ignore[arg-type]


def test_a_person_is_the_voter_and_not_the_time_of_the_answer(tmp_path: Path) -> None:
    assert read(tmp_path, FORM + ROWS).rankers == ("ann@x.org", "bob@x.org", "cy@x.org")
    numbered = "ID,Start time,Email,1st,2nd\n1,9:00,{0},A,B\n2,9:01,{1},B,A\n"
    assert read(tmp_path, numbered.format("ann@x.org", "bob@x.org")).rankers == ("ann@x.org", "bob@x.org")
    assert read(tmp_path, numbered.format("anonymous", "anonymous")).rankers == ("1", "2")


def test_a_voter_who_answers_twice_is_told_with_both_lines_and_a_remedy(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "form.csv"
    path.write_text(FORM + ROWS + AGAIN)
    run = runner(capfdbinary, "elect")
    told = run(path, "--draws", "0", "--rules", "plurality").err
    assert told.count("the same voter is in several rows") == 1
    assert "'ann@x.org' (line 2) and 'Ann@X.org' (line 5)" in told
    assert "--weights Ann@X.org=0 leaves out line 5" in told


def test_a_row_without_weight_needs_no_warning(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, page = tmp_path / "form.csv", tmp_path / "x.html"
    path.write_text(FORM + ROWS + AGAIN + AGAIN.replace("Ann", "BOB"))
    run = runner(capfdbinary, "elect", str(path), "--draws", "0", "--report", str(page), "--weights")
    one = run("Ann@X.org=0")
    assert "voters              4" in one.out
    assert "ann@x.org" not in one.err.casefold()
    assert "'bob@x.org' (line 3) and 'BOB@X.org' (line 6)" in one.err
    assert "1 voter is in two rows" in page.read_text()
    assert "1 ballot has the weight 0 and did not count." in page.read_text()
    assert "several rows" not in run("Ann@X.org=0,bob@x.org=0").err
    assert "two rows" not in page.read_text()


def test_the_report_for_the_members_names_no_voter(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, page = tmp_path / "form.csv", tmp_path / "x.html"
    path.write_text(FORM + ROWS + AGAIN)
    told = runner(capfdbinary, "elect")(path, "--draws", "0", "--report", page)
    assert "ann@x.org" in told.err
    assert "1 voter is in two rows, and every row counts" in page.read_text()
    assert "@" not in page.read_text().partition("<body>")[2].partition("<script")[0]
    path.write_text(FORM + ROWS + AGAIN * 2)
    runner(capfdbinary, "elect")(path, "--draws", "0", "--report", page)
    assert "1 voter is in several rows" in page.read_text()


def test_a_byte_order_mark_is_nothing_wrong(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, page = tmp_path / "form.csv", tmp_path / "x.html"
    path.write_text("1st,2nd\nRed,Sky\nSky,Red\nSky,\n", encoding="utf-8-sig")
    run = runner(capfdbinary, "elect", str(path), "--draws", "0", "--report", str(page))
    assert "warning" not in (told := run().err)
    assert "a byte-order mark (UTF-8) was left out" in told
    assert run("--quiet").err == ""
    assert "byte-order" not in page.read_text()


@pytest.mark.parametrize("layout", ["columns", "ballots"])
def test_columns_can_be_left_out(tmp_path: Path, layout: str) -> None:
    text = "When,Who,Mark,A,B\n1,x,y,a,b\n2,x2,y2,b,a\n"
    one = stagg.read(_write(tmp_path, text), layout=layout, header=True, columns={"ignore": "When+Who+Mark"})
    other = stagg.read(_write(tmp_path, "A,B\na,b\nb,a\n"), layout=layout, header=True)
    assert one == other
    by_number = stagg.read(
        _write(tmp_path, text), layout="ballots", header=True, columns={"ranker": 2, "ignore": "1+3"}
    )
    assert by_number.rankers == ("x", "x2")
    with pytest.raises(DataError, match=r"there is no column 'Wo' for ignore.*did you mean 'Who'"):
        stagg.read(_write(tmp_path, text), layout="ballots", header=True, columns={"ignore": "Wo"})
    with pytest.raises(InvalidParameter, match="ignore"):
        stagg.read(_write(tmp_path, text), columns={"nothing": "Who"})


def test_a_column_of_a_long_table_can_be_left_out(tmp_path: Path) -> None:
    text = "query,item,score,rank\nq,a,1,1\nq,b,2,2\n"
    (tmp_path / "x.csv").write_text(text)
    left = stagg.read(tmp_path / "x.csv", columns={"ignore": "score"})
    assert next(iter(left["q"].lists.values())) == [["a"], ["b"]]


def test_addresses_and_times_are_not_read_as_choices(tmp_path: Path) -> None:
    text = "Czas,Adres,Pierwszy,Drugi\n" + ROWS
    with pytest.raises(
        DataError, match=r"layout='ballots', header=True, columns=\{'ranker': 'Adres', 'ignore': 'Czas'"
    ):
        stagg.read(_write(tmp_path, text))
    with pytest.raises(DataError, match=r"'Czas' .* and 'Adres' .* cannot be choices.*'ignore': 'Czas\+Adres'"):
        stagg.read(_write(tmp_path, text), layout="ballots", header=True)
    said = {"ranker": "Adres", "ignore": "Czas"}
    assert stagg.read(_write(tmp_path, text), layout="ballots", header=True, columns=said).rankers[0] == "ann@x.org"


def test_choices_of_times_are_choices_because_they_come_again(tmp_path: Path) -> None:
    text = "1st,2nd\n" + "4/3/2026 18:00,5/3/2026 18:00\n5/3/2026 18:00,4/3/2026 18:00\n" * 3
    assert len(stagg.read(_write(tmp_path, text)).items) == 2


def test_times_in_columns_of_choices_are_choices_though_none_comes_again(tmp_path: Path) -> None:
    days = "4/3/2026 18:00", "5/3/2026 18:00", "6/3/2026 18:00"
    turned = [",".join(days[k:] + days[:k]) for k in range(3)]
    rows = "".join(f"{row}\n" for row in turned)
    assert len(stagg.read(_write(tmp_path, "1st,2nd,3rd\n" + rows)).items) == 3
    assert len(stagg.read(_write(tmp_path, "a,b,c\n" + rows), layout="ballots", header=True).items) == 3
    apart = "".join(f"{k}/3/2026 18:00,{k}/4/2026 18:00\n" for k in range(1, 5))
    assert len(stagg.read(_write(tmp_path, "1st,2nd\n" + apart)).items) == 8
    with pytest.raises(DataError, match=r"'a' .* and 'b' .* cannot be choices.*name the columns of choices 1st, 2nd"):
        stagg.read(_write(tmp_path, "a,b\n" + apart), layout="ballots", header=True)


def test_addresses_are_no_choices_where_people_answer_twice(tmp_path: Path) -> None:
    text = "x,y,Kontakt\nA,B,a@x.de\nB,A,b@x.de\nA,B,a@x.de\nA,B,b@x.de\n"
    with pytest.raises(DataError, match=r"the column 'Kontakt' .* cannot be choices.*'ranker': 'Kontakt'"):
        stagg.read(_write(tmp_path, text), layout="ballots", header=True)


@pytest.mark.parametrize("rows", ["a@x.de\nb@x.de\na@x.de\na@x.de\n", "a@x.de,b@x.de\nb@x.de,c@x.de\na@x.de,b@x.de\n"])
def test_people_can_vote_on_addresses(tmp_path: Path, rows: str) -> None:
    header = "vote\n" if "," not in rows else "x,y\n"
    votes = stagg.read(_write(tmp_path, header + rows), layout="ballots", header=True)
    assert {"a@x.de", "b@x.de"} <= set(votes.items)


def test_long_cells_are_looked_at_in_no_time(tmp_path: Path) -> None:
    cells = [f"{k} " + "1 " * 8000 for k in range(4)]
    start = time.process_time()
    stagg.read(_write(tmp_path, "1st,2nd\n" + "".join(f"{cell},A\n" for cell in cells)))
    assert time.process_time() - start < 2  # it took 4 seconds a cell


def test_a_number_behind_a_name_never_makes_the_name_of_somebody_else(tmp_path: Path) -> None:
    text = "voter,1st\nann,A\nann (2),B\nAnn,C\nann,A\nbob,B\n"
    assert read(tmp_path, text).rankers == ("ann", "ann (2)", "Ann", "ann (3)", "bob")


def test_a_name_that_weights_cannot_hold_is_not_proposed_as_one(tmp_path: Path) -> None:
    path = _write(tmp_path, 'voter,1st\n"Smith, J",A\nbob,B\n"Smith, J",A\n')
    with pytest.warns(DataWarning, match=r"'Smith, J \(2\)' \(line 4\); delete the rows that should not count$"):
        stagg.read(path)
    with pytest.warns(DataWarning, match=r"or give them no weight: weights=\{'Bo=b \(2\)': 0\} leaves out line 3"):
        stagg.read(_write(tmp_path, "voter,1st\nBo=b,A\nBo=b,B\n"))


def test_a_name_in_two_unicode_forms_is_one_name(tmp_path: Path) -> None:
    composed, decomposed = "\u00c4nn", "A\u0308nn"
    hidden = f"\u200b{composed}\ufeff"
    path = _write(tmp_path, f"1st,2nd\n{composed},B\n{decomposed},B\nB,{composed}\n{hidden},B\n")
    with pytest.warns(
        DataWarning, match="were read as .*: only blanks, closing points or characters that look the same"
    ):
        assert set(stagg.read(path).items) == {composed, "B"}
    with pytest.warns(DataWarning, match=r"'Ann' \(1 ballot\) and 'ANN' \(1 ballot\) look alike"):
        stagg.read(_write(tmp_path, "1st,2nd\nAnn,B\nANN,B\n"))


def test_a_column_can_be_left_out_twice(tmp_path: Path) -> None:
    text = "When,A,B\n1,a,b\n2,b,a\n"
    once, *more = (
        stagg.read(_write(tmp_path, text), layout="ballots", header=True, columns={"ignore": ignored})
        for ignored in ("When", "When+When", "when+1")
    )
    assert more == [once, once]


LATE = "Voter,A,B,C\n" + "v,1,2,3\nw,2,1,\n" * 5 + "late,,2,3\n"


def test_a_voter_who_leaves_the_first_place_empty_still_ranks(tmp_path: Path) -> None:
    assert read(tmp_path, LATE)["1"].lists["late"] == [["B"], ["C"]]
    with pytest.raises(DataError, match=r"votes.csv:4: not every row is a ranking that begins with 1"):
        stagg.read(_write(tmp_path, "Voter,A,B,C\nv,1,2,3\nw,2,1,3\nodd,5,2,3\n"))


def test_counts_of_ballots_of_which_each_query_has_one(tmp_path: Path) -> None:
    """They were refused: all rows had the name of the file, and one ranker has one count."""
    rankings = stagg.read(_write(tmp_path, "query,count,1st,2nd\nmayor,6,Ann,Ben\nboard,2,Dan,Eve\n"))
    assert rankings.to_lists() == {"mayor": {"1": [["Ann"], ["Ben"]]}, "board": {"2": [["Dan"], ["Eve"]]}}
    assert rankings.multiplicities.tolist() == [6, 2]


def _write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(text)
    return path


def told(tmp_path: Path, text: str, **options: Any) -> tuple[stagg.Rankings, str]:
    log = ReadLog()
    return stagg.read(_write(tmp_path, text), log=log, **options), "\n".join(map(str, log.notes))


REPEATED = "Voter,1st,2nd\nAnn,A,B\nbob,B,A\n ann ,B,C\nANN,C,A\nBob,A,B\n"


@pytest.mark.parametrize(
    ("rule", "lists", "lines"),
    [
        ("first", {"Ann": [["A"], ["B"]], "bob": [["B"], ["A"]]}, "lines 4, 5, 6"),
        ("last", {"ANN": [["C"], ["A"]], "Bob": [["A"], ["B"]]}, "lines 2, 3, 4"),
    ],
)
def test_of_voters_in_several_rows_the_first_or_the_last_row_counts(
    rule: Any, lists: dict[str, Any], lines: str, tmp_path: Path
) -> None:
    found, notes = told(tmp_path, REPEATED, repeat_voters=rule)
    assert found["1"].lists == lists
    assert f"2 voters are in several rows; the {rule} row counts, and 3 rows were left out: {lines}" in notes
    found, notes = told(tmp_path, REPEATED.rpartition("Bob")[0], repeat_voters=rule)
    assert "1 voter is in several rows" in notes
    assert "2 rows were left out" in notes


def test_a_voter_in_several_rows_may_be_an_error_and_times_and_blanks_are_no_voters(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"votes.csv:4: the voter 'Ann' is also in line 2: delete a row, or say"
    ) as caught:
        stagg.read(_write(tmp_path, REPEATED), repeat_voters="error")
    (say,) = caught.value.message.says
    assert told(tmp_path, REPEATED, **say.options)[0].rankers == ("ANN", "Bob")
    for text in ("Timestamp,1st,2nd\nt,A,B\nt,B,A\n", "Voter,1st,2nd\n,A,B\n,B,A\n", "Voter,1st\nann,A\nbob,B\n"):
        assert len(told(tmp_path, text, repeat_voters="error")[0].rankers) == 2


def test_rows_of_one_voter_on_two_elections_are_no_repeats(tmp_path: Path) -> None:
    text = "query,Voter,1st,2nd\np,Ann,A,B\nq,Ann,C,D\n"
    found, notes = told(tmp_path, text, repeat_voters="error")
    assert found.rankers == ("Ann",)
    assert notes == ""


def test_a_warning_names_five_voters_and_five_of_their_rows(tmp_path: Path) -> None:
    rows = "".join(f"v{number},A,B\n" * 2 for number in range(7)) + "w,B,A\n" * 7
    _, notes = told(tmp_path, "Voter,1st,2nd\n" + rows)
    assert "'v4' (line 10) and 'v4 (2)' (line 11), 3 more; delete the rows that should not count" in notes
    assert "weights={'v0 (2)': 0} leaves out line 3" in notes
    _, notes = told(tmp_path, "Voter,1st,2nd\n" + "w,B,A\n" * 7)
    assert "'w (4)' (line 5) and 'w (5)' (line 6), …; delete" in notes


def test_the_voter_is_named_by_the_column_that_says_most_of_who_it_is(tmp_path: Path) -> None:
    both = "Timestamp,ID,Email,1st,2nd\nt1,1,a@x,A,B\nt2,2,b@x,B,A\n"
    assert told(tmp_path, both)[0].rankers == ("a@x", "b@x")
    assert told(tmp_path, both.replace("a@x", "anonymous").replace("b@x", ""))[0].rankers == ("1", "2")
    times = both.replace(",ID,Email", "").replace(",1,a@x", "").replace(",2,b@x", "")
    assert told(tmp_path, times)[0].rankers == ("t1", "t2")


@pytest.mark.parametrize(
    ("column", "remedies"),
    [
        ("Party size\n", None),
        ("Weight,0.5,1.5", ["that count no voters"]),
        ("Weight,5,15", ["if it counts the voters of a row", "to ignore it"]),
        ("Weight,1,1.0", None),
    ],
)
def test_numbers_that_may_count_voters_are_ignored_only_if_somebody_says_so(
    column: str, remedies: list[str] | None, tmp_path: Path
) -> None:
    name, *cells = [*column.strip().split(","), "", ""][:3]
    text = f"Voter,1st,2nd,{name}\nann,A,B,{cells[0]}\nbob,B,A,{cells[1]}\n"
    if remedies is None:
        assert told(tmp_path, text)[0].multiplicities.tolist() == [1, 1]
        return
    with pytest.raises(DataError, match=f"the column '{name}' holds numbers") as caught:
        stagg.read(_write(tmp_path, text))
    assert all(remedy in str(caught.value) for remedy in remedies)
    counts = [told(tmp_path, text, **say.options)[0].multiplicities.tolist() for say in caught.value.message.says]
    assert counts == ([[5, 15], [1, 1]] if len(remedies) == 2 else [[1, 1]])


def test_counts_are_whole_and_the_same_for_all_queries_of_a_voter(tmp_path: Path) -> None:
    assert told(tmp_path, "Voter,1st,2nd,Votes\nann,A,B,+3\nbob,B,A,4\n")[0].multiplicities.tolist() == [3, 4]
    with pytest.raises(DataError, match=r"votes.csv:3: the count '4.5' is not "):
        stagg.read(_write(tmp_path, "Voter,1st,2nd,Votes\nann,A,B,3\nbob,B,A,4.5\n"))
    text = "query,Voter,1st,2nd,Votes\np,ann,A,B,3\nq,ann,A,B,{}\n"
    assert told(tmp_path, text.format(3))[0].multiplicities.tolist() == [3]
    with pytest.raises(DataError, match="a voter has different counts in different queries"):
        stagg.read(_write(tmp_path, text.format(4)))
