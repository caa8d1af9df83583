"""What a voter's first words get: the command that is meant, names in quotes, and how absence is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import runner

from stagg.registry import near_names

VOTES = '1st,2nd\n"Navy, white",Sky\nSky,"Navy, white"\nSky,Red\n'


@pytest.mark.parametrize("word", ["vote", "election", "count"])
def test_the_command_that_is_meant_is_named(word: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert "did you mean 'elect'?" in runner(capfdbinary)(word, "x.csv").err


def test_a_file_in_the_place_of_a_command_gets_the_commands_for_files(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    told = runner(capfdbinary)("kit.csv").err
    assert "'kit.csv' looks like a file" in told
    assert "stagg elect FILE" in told


def test_a_name_that_begins_so_is_suggested_and_names_with_commas_are_quoted() -> None:
    assert near_names("navy", ["Navy, white", "Sky"]) == "; did you mean 'Navy, white'?"
    assert near_names("zzz", ["Navy, white", "Sky"]) == "; there are 'Navy, white', 'Sky'"


def test_fuse_says_how_absence_was_read(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    run = runner(capfdbinary, "fuse", str(path), "--format", "table", "--method")
    assert "gets nothing from it" in " ".join(run("borda").out.split())
    assert "stands below all" in " ".join(run("copeland").out.split())
    path.write_text("1st,2nd\na,b\nb,a\n")
    assert "does not hold" not in run("borda").out


def test_a_report_is_refused_before_the_work_where_a_pipe_cannot_hold_the_names(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    monkeypatch.setattr("stagg.cli.commands.fuse._digest", lambda *_: pytest.fail("the work was done"))
    assert "--format csv" in runner(capfdbinary, "fuse", str(path))("--report", tmp_path / "x.html").err


def test_elect_speaks_of_ballots_and_begins_with_who_wins(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Email,1st,2nd\na,A,B\nb,A,\nc,B,A\nd,,\n")
    told = runner(capfdbinary, "elect")(path, "--title", "Our kit", "--report", tmp_path / "x.html")
    assert told.out.startswith("'A' wins by all 12 rules.")
    assert "3 ballots (1 empty ballot was left out), 2 candidates" in told.err
    page = (tmp_path / "x.html").read_text()
    assert "<h1>Our kit</h1>" in page
    assert "votes.csv" in page


def test_a_total_below_the_ballots_is_told(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Timestamp,Email,1st,2nd\n9:01,a,A,B\n9:02,b,B,A\nTotal,,2,\n")
    assert (
        "rows that sum up the others were left out: 'Total' (line 4)"
        in runner(capfdbinary, "elect")(path, "--draws", "0").err
    )


def test_elect_counts_ballots_not_rows_and_shows_points(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Email,1st,2nd\na,A,B\nb,A,B\nc,B,A\n")
    told = runner(capfdbinary, "elect")(path, "--draws", "0")
    assert "read 3 ballots, 2 candidates" in told.err
    assert "rows read" not in told.err
    assert ["1", "A", "2", "5"] in [line.split() for line in told.out.splitlines()]  # first choices, Borda points


def test_explain_says_what_absence_means(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Email,1st,2nd\na,A,B\nb,A,\n")
    told = runner(capfdbinary, "explain")(path, "--item", "B")
    assert "(--missing skip)" in " ".join(told.out.split())


def test_the_help_says_that_an_election_fills_one_seat(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    told = " ".join(runner(capfdbinary, "elect")("--help").out.split())
    assert "Without --seats, each rule fills one seat." in told
    assert "The second rank is not a second seat" in told


def test_a_title_without_a_report_is_refused(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    told = runner(capfdbinary, "elect")(path, "--title", "Our kit")
    assert told.code == 2
    assert "--report FILE" in told.err


def test_wins_in_redraws_are_not_called_a_share(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    told = " ".join(runner(capfdbinary, "elect")(path, "--draws", "5").out.split())
    assert "rule winner wins in redraws margin next" in told
    assert "This is not a share of the votes. In an election in which everybody voted, the count is final." in told
    assert '"share":' in runner(capfdbinary, "elect")(path, "--draws", "5", "--json").out


def test_a_ballot_that_names_a_candidate_twice_is_told_in_the_words_of_ballots(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("Email,1st,2nd,3rd\nann@x.org,A,B,\nbob@x.org,B,A,B\ncy@x.org,A,,\n")
    run = runner(capfdbinary, "elect", str(path), "--draws", "0")
    assert "votes.csv:3: the ballot of 'bob@x.org' names 'B' twice; correct it" in (told := run().err)
    assert "--duplicates first" in told
    assert not {"item", "query", "list"} & set(told.split())
    kept = run("--duplicates", "first", "--rules", "plurality")
    assert "3 ballots, 2 candidates; 1 repeated mention of a candidate on a ballot was ignored" in kept.err
