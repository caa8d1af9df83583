"""Who votes: persons before times, a voter who answers twice is told, addresses and times are no choices."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import stagg
from stagg import DataError, DataWarning, InvalidParameter
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
