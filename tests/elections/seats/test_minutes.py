"""Minutes and reports: enough to repeat the count, and no names of voters."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from pathlib import Path

import pytest
from tests.command_line import runner

FORM = "\n".join(
    [
        "Timestamp,Email Address,First choice,Second choice,Third choice",
        "2026/11/01 10:00,ann@example.org,Ana Ortiz,Ben Abara,Cleo Marsh",
        "2026/11/01 10:01,bob@example.org,Ana Oritz,Cleo Marsh,",
        "2026/11/01 10:02,cem@example.org,Ben Abara,Ana Ortiz,Dan Quist",
        "2026/11/01 10:03,dan@example.org,Cleo Marsh,Dan Quist,Ben Abara",
        "2026/11/01 10:04,eva@example.org,Ana Ortiz,Cleo Marsh,",
        "2026/11/01 10:05,fay@example.org,Ben Abara,Ana Ortiz,Cleo Marhs",
        "2026/11/01 10:06,ann@example.org,Ben Abara,Ana Ortiz,Cleo Marsh",
        "2026/11/01 10:07,gus@example.org,,,",
    ]
)
COUNT = ("--seats", 3, "--rules", "stv", "--same", "Ana Oritz=Ana Ortiz", "--same", "Cleo Marhs=Cleo Marsh",
         "--repeat-voters", "last")  # fmt: skip


@pytest.fixture
def form(tmp_path: Path) -> Path:
    path = tmp_path / "board.csv"
    path.write_text(FORM + "\n")
    return path


def test_the_minutes_say_what_an_auditor_needs(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run, minutes, again = runner(capfdbinary, "elect"), form.with_name("minutes.md"), form.with_name("again.md")
    out = run(form, *COUNT, "--minutes", minutes).raw
    text = minutes.read_text()
    for told in (
        "**Elected, in this order: 'Ben Abara', 'Ana Ortiz' and 'Cleo Marsh'.**",
        f"`board.csv`, SHA-256 `{hashlib.sha256(form.read_bytes()).hexdigest()}`",
        "SSI 2007/42",
        "Quota: 2 votes.",
        "1 voter is in several rows; the last row counts, and 1 row was left out",
        "'Ana Oritz' was read as 'Ana Ortiz' in 1 list",
        "7 ballots: 1 blank, 6 with choices; 4 candidates.",
        "Signatures: ____",
        "seed 0",
    ):
        assert told in text, told
    command = shlex.split(next(line for line in text.splitlines() if line.startswith("    stagg elect")))
    assert command[:3] == ["stagg", "elect", "board.csv"]
    assert run(form, *command[3:], "--minutes", again).raw == out
    assert again.read_text() == text


def test_no_voter_is_named_in_minutes_or_reports(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    minutes, page = form.with_name("minutes.md"), form.with_name("page.html")
    for how in (COUNT, COUNT[:4]):
        assert runner(capfdbinary, "elect")(form, *how, "--minutes", minutes, "--report", page).code == 0
        for path in (minutes, page):
            text = path.read_text()
            assert not re.search(r"example\.org|ann@|\b(bob|eva)\b", text), path


def test_markdown_and_html_in_names_stay_text(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, minutes, page = tmp_path / "odd.csv", tmp_path / "m.md", tmp_path / "p.html"
    path.write_text('1st,2nd,count\n<b>Ann|a</b>,*Ben*,4\n*Ben*,"\'Cleo""",3\n"\'Cleo""",*Ben*,2\n')
    assert (
        runner(capfdbinary, "elect")(path, "--seats", 2, "--rules", "stv", "--minutes", minutes, "--report", page).code
        == 0
    )
    assert "\\<b\\>Ann\\|a\\</b\\>" in minutes.read_text()
    assert "<b>Ann" not in page.read_text()


def test_minutes_are_about_one_rule_with_seats(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run, minutes = runner(capfdbinary, "elect"), form.with_name("minutes.md")
    outcome = run(form, "--seats", 2, "--minutes", minutes, "--quiet")
    assert outcome.code == 2
    assert "minutes are about one rule, and these are stv, meek, block" in outcome.err
    outcome = run(form, "--minutes", minutes, "--quiet")
    assert outcome.code == 2
    assert "minutes are for the rules with seats: say --seats N" in outcome.err
    assert not minutes.exists()
    word = form.with_name("minutes.docx")
    outcome = run(form, *COUNT, "--minutes", word, "--quiet")
    assert (outcome.code, word.exists()) == (2, False)
    assert "minutes are Markdown, plain text: name a file .md or .txt" in outcome.err


def test_a_count_is_json_too(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    found = json.loads(runner(capfdbinary, "elect")(form, *COUNT, "--json").out)
    assert found["rows"][0]["elected"] == ["Ben Abara", "Ana Ortiz", "Cleo Marsh"]
    assert found["elections"][0]["seats"] == 3
    assert [stage["number"] for stage in found["elections"][0]["stages"]["stv"]] == [1, 2, 3]


def test_inspect_speaks_of_ballots(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run = runner(capfdbinary, "inspect")
    outcome = run(form)
    told = " ".join(outcome.out.split())
    for each in ("Email Address voter", "Timestamp left out", "First choice choice 1", "ballots 8", "blank 1",
                 "Ana Oritz 1 1 Ana Ortiz", "Ben Abara 3 5"):  # fmt: skip
        assert each in told, each
    assert "--same 'Ana Oritz=Ana Ortiz'" in outcome.err
    assert "the same voter is in several rows" in outcome.err
    assert json.loads(run(form, "--json").out)["totals"]["blank"] == 1


def test_inspect_counts_spoiled_ballots_and_says_why(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "spoiled.csv"
    path.write_text("1st,2nd,3rd\nAda,Ada,Ben\nBen,Cleo,\nAda,Cleo,\n")
    outcome = runner(capfdbinary, "inspect")(path)
    told = " ".join(outcome.out.split())
    assert outcome.code == 0
    assert "spoiled 1" in told
    assert "the ballot names 'Ada' twice" in told


def test_inspect_and_elect_tell_the_same_of_a_ballot_that_counts(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path, how = tmp_path / "twice.csv", ("--duplicates", "first")
    path.write_text("1st,2nd,3rd\nAda,Ada,Ben\nBen,Cleo,\nAda,Cleo,\n")
    told = "1 repeated mention of a candidate on a ballot was ignored, and the ballot counts (first at twice.csv:2)"
    inspected = runner(capfdbinary, "inspect")(path, *how)
    elected = runner(capfdbinary, "elect")(path, *how, "--seats", 2, "--rules", "stv", "--draws", 0)
    assert told in inspected.err.replace(f"{tmp_path}/", "")
    assert told in elected.err.replace(f"{tmp_path}/", "")
    assert inspected.err.splitlines()[-1] == elected.err.splitlines()[-1]
    assert "spoiled 0" in " ".join(inspected.out.split())


def test_inspect_says_which_rules_take_a_ballot_with_ties_for_spoiled(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("Email,Rank [Ada],Rank [Ben],Rank [Cleo]\na@x.org,1,1,2\nb@x.org,1,2,2\nc@x.org,2,1,\n")
    told = " ".join(runner(capfdbinary, "inspect")(path).out.split())
    assert "with ties 2" in told
    spoiled = "by stv and meek a ballot ends at its first tie, and 1 ballot that ties its first choices is spoiled"
    assert f"with ties: {spoiled}; rules that take ties count them." in told
    counted = runner(capfdbinary, "elect")(path, "--seats", 2, "--rules", "stv", "--draws", 0)
    assert "1 ballot is spoiled: it ties its first choices." in counted.out


def test_a_voter_with_a_blank_behind_the_name_is_told_once(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "form.csv"
    path.write_text("Email Address,First choice,Second choice\nann@x.org,Ada,Ben\nbo@x.org,Ben,\nAnn@x.org ,Ben,Ada\n")
    outcome = runner(capfdbinary, "elect")(path, "--rules", "plurality", "--draws", 0)
    assert "--weights Ann@x.org=0 leaves out line 4" in outcome.err
    assert "look alike" not in outcome.err
    assert "several rows" not in runner(capfdbinary, "elect")(path, "--weights", "Ann@x.org=0", "--draws", 0).err


def test_minutes_name_the_files_that_the_count_needs(form: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run, minutes, same = runner(capfdbinary, "elect"), form.with_name("m.md"), form.with_name("same.txt")
    same.write_text("Ana Oritz=Ana Ortiz\n")
    assert run(form, *COUNT[:4], "--same", same, "--minutes", minutes).code == 0
    assert f"`same.txt`, SHA-256 `{hashlib.sha256(same.read_bytes()).hexdigest()}`" in minutes.read_text()
    outcome = run("-", *COUNT[:4], "--minutes", minutes)
    assert (outcome.code, "save standard input as a file" in outcome.err) == (2, True)


def test_inspect_counts_ballots_that_are_all_blank(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "blank.csv"
    path.write_text("Email Address,First choice,Second choice\nann@x.org,,\nbob@x.org,,\n")
    outcome = runner(capfdbinary, "inspect")(path)
    assert outcome.code == 0
    assert "ballots 2 complete 0 partial 0 with ties 0 blank 2" in " ".join(outcome.out.split())
    assert json.loads(runner(capfdbinary, "inspect")(path, "--json").out)["rows"] == []
