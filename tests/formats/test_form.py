"""Forms: questions in several columns or in one cell, what is left out, which way the cells point."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.cases import book
from tests.door.test_files import groups

PLACES = {
    "English": ("1st", "2nd", "3rd"),
    "English words": ("First choice", "Second choice", "Third choice"),
    "a choice of mine": ("My first choice", "My second choice", "My third choice"),
    "numbers with a word": ("1 (best)", "2", "3 (worst)"),
    "French": ("1er choix", "2e choix", "3ème choix"),
    "French words": ("Premier choix", "Deuxième choix", "Troisième choix"),
    "Spanish": ("1ª opción", "2ª opción", "3ª opción"),
    "Spanish words": ("Primera preferencia", "Segunda preferencia", "Tercera preferencia"),
    "German": ("1. Wahl", "2. Wahl", "3. Wahl"),
    "German words": ("Erstwahl", "Zweitwahl", "Drittwahl"),
    "German places": ("Platz 1", "Platz 2", "Platz 3"),
    "Italian": ("1a scelta", "2a scelta", "3° posto"),
    "Portuguese": ("1.º lugar", "2.º lugar", "3.º lugar"),
    "Dutch": ("1e keuze", "2e keuze", "3e keuze"),
    "Swedish": ("1:a val", "2:a val", "3:e val"),
    "Russian": ("1-й выбор", "2-й выбор", "3-й выбор"),
    "Japanese": ("第1希望", "第2希望", "第3希望"),
    "Chinese": ("第一选择", "第二选择", "第三选择"),
}


def read_form(tmp_path: Path, content: str | bytes, file: str = "x.csv", **options: Any) -> tuple[Any, str]:
    path, log = tmp_path / file, ReadLog()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    rankings = read(path, log=log, **options)
    return groups(rankings), "\n".join(str(note) for note in log.notes)


@pytest.mark.parametrize("words", PLACES.values(), ids=PLACES)
def test_places_in_the_cells_are_read_in_many_languages(words: tuple[str, str, str], tmp_path: Path) -> None:
    one, two, three = words
    text = f"Timestamp,Rank them [Ada],Rank them [Ben],Rank them [Cy]\nt1,{two},{one},{three}\nt2,{one},,{two}\n"
    assert read_form(tmp_path, text)[0] == {"1": {"t1": ["Ben", "Ada", "Cy"], "t2": ["Ada", "Cy"]}}


@pytest.mark.parametrize("language", [key for key in PLACES if key not in ("a choice of mine", "numbers with a word")])
def test_places_in_the_header_are_read_in_many_languages(language: str, tmp_path: Path) -> None:
    words = PLACES[language]
    names = ",".join(f"Your three [{word}]" for word in words)
    text = f"Timestamp,{names}\nt1,Ada,Ben,Cy\nt2,Cy,Ada,\n"
    assert read_form(tmp_path, text)[0] == {"1": {"t1": ["Ada", "Ben", "Cy"], "t2": ["Cy", "Ada"]}}


def test_two_questions_are_two_queries(tmp_path: Path) -> None:
    text = "Email,Logo [Oak],Logo [Elm],Slogan [Go],Slogan [Stay]\na@x.org,1st,2nd,2nd,1st\nb@x.org,2nd,1st,,\n"
    lists, notes = read_form(tmp_path, text)
    assert lists == {
        "Logo": {"a@x.org": ["Oak", "Elm"], "b@x.org": ["Elm", "Oak"]},
        "Slogan": {"a@x.org": ["Stay", "Go"]},
    }
    assert "2 rankings, each of which is a query: 'Logo', 'Slogan'" in notes


def test_two_questions_by_places_are_two_queries(tmp_path: Path) -> None:
    text = "Voter,Chair - 1st choice,Chair - 2nd choice,Clerk - 1st choice,Clerk - 2nd choice\nv,A,B,C,D\nw,B,A,D,C\n"
    assert read_form(tmp_path, text)[0] == {
        "Chair": {"v": ["A", "B"], "w": ["B", "A"]},
        "Clerk": {"v": ["C", "D"], "w": ["D", "C"]},
    }


def test_what_is_told_of_each_choice_is_no_second_question(tmp_path: Path) -> None:
    text = "Voter,1st choice,1st choice party,2nd choice,2nd choice party\nAnn,A,Red,B,Blue\nBob,B,Blue,A,Red\n"
    with pytest.raises(DataError):
        read_form(tmp_path, text)


def test_columns_about_an_answer_are_left_out_with_a_note(tmp_path: Path) -> None:
    header = "ID,Start time,Completion time,Email,Name,IP Address,Rank the sites,Any comments?"
    text = f"{header}\n1,t,u,anonymous,,10.0.0.1,York;Bath;,Fine; really\n2,t,u,anonymous,,10.0.0.2,Bath;York;,\n"
    lists, notes = read_form(tmp_path, text)
    assert lists == {"1": {"1": ["York", "Bath"], "2": ["Bath", "York"]}}
    assert "ignored columns: 'Start time', 'Completion time', 'Email', 'IP Address', 'Any comments?'" in notes


@pytest.mark.parametrize("mark", [";", "; ", "|", ", ", "\n", " "])
def test_a_ranking_in_one_cell(mark: str, tmp_path: Path) -> None:
    votes = [mark.join(vote) for vote in (["Tea", "Rum", "Ale"], ["Ale", "Tea", "Rum"])]
    text = f'Timestamp,Order these\nt1,"{votes[0]}"\nt2,"{votes[1]}"\n'
    assert read_form(tmp_path, text)[0] == {"1": {"t1": ["Tea", "Rum", "Ale"], "t2": ["Ale", "Tea", "Rum"]}}


def test_several_answers_to_one_question_are_no_ranking(tmp_path: Path) -> None:
    ticked = "ID,Completion time,Which days suit you?\n1,t,Mon;Tue;\n2,u,Tue;Mon;Wed;\n3,v,Wed;Mon;\n"
    with pytest.raises(DataError, match="layout='form'"):
        read_form(tmp_path, ticked)
    assert read_form(tmp_path, ticked, layout="form")[0]["1"]["2"] == ["Tue", "Mon", "Wed"]
    both = "ID,Which days?,Rank the food\n1,Mon;Tue;,Pie;Cake;\n2,Tue;Mon;Wed;,Cake;Pie;\n3,Wed;Mon;,Pie;Cake;\n"
    lists, notes = read_form(tmp_path, both)
    assert lists == {"1": {"1": ["Pie", "Cake"], "2": ["Cake", "Pie"], "3": ["Pie", "Cake"]}}
    assert "'Which days?'" in notes


@pytest.mark.parametrize(
    ("question", "first"),
    [("Rank them (1 = favourite)", "A"), ("Rate them, 5 = best", "C"), ("Note, 1 = le moins bien", "C")],
)
def test_a_question_may_say_which_numbers_are_best(question: str, first: str, tmp_path: Path) -> None:
    text = f'Timestamp,"{question} [A]","{question} [B]","{question} [C]"\nt1,1,4,5\nt2,2,2,4\n'
    lists, notes = read_form(tmp_path, text)
    assert lists["1"]["t1"][0] == first
    assert "as the question says" in notes


def test_numbers_that_may_be_ratings_are_asked_about(tmp_path: Path) -> None:
    text = "Timestamp,Your view [A],Your view [B]\nt1,5,4\nt2,3,3\n"
    with pytest.raises(DataError, match="values='score'"):
        read_form(tmp_path, text)
    assert read_form(tmp_path, text, values="score")[0] == {"1": {"t1": ["A", "B"], "t2": [["A", "B"]]}}


def test_of_two_questions_the_one_in_doubt_can_be_left_out(tmp_path: Path) -> None:
    text = "Timestamp,Rank [A],Rank [B],Like [A+],Like [B]\nt1,1,2,5,4\nt2,2,1,3,3\n"
    with pytest.raises(DataError) as caught:
        read_form(tmp_path, text)
    say = caught.value.message.says[0]
    assert read_form(tmp_path, text, **say.options)[0] == {"1": {"t1": ["A", "B"], "t2": ["B", "A"]}}


def test_a_cell_that_is_no_place_is_an_error_unless_it_means_none(tmp_path: Path) -> None:
    header = "Timestamp,Rank [A],Rank [B],Rank [C]\nt0,1st,2nd,3rd\n"
    lists, notes = read_form(tmp_path, f"{header}t1,1st,N/A,2nd\n")
    assert lists["1"]["t1"] == ["A", "C"]
    assert "'N/A' (1 cell) was read as no answer" in notes
    with pytest.raises(DataError, match="lenient=True"):
        read_form(tmp_path, f"{header}t1,1st,maybe,2nd\n")
    assert read_form(tmp_path, f"{header}t1,1st,maybe,2nd\n", lenient=True)[0]["1"]["t1"] == ["A", "C"]


def test_the_arrows_and_colons_of_other_services(tmp_path: Path) -> None:
    jotform = "Submission Date,Rank it >> Tea,Rank it >> Rum\nd,2,1\ne,1,2\n"
    assert read_form(tmp_path, jotform)[0] == {"1": {"d": ["Rum", "Tea"], "e": ["Tea", "Rum"]}}
    alchemer = "Response ID,Status,Tea:Please rank what you like,Rum:Please rank what you like\n7,ok,2,1\n8,ok,1,2\n"
    assert read_form(tmp_path, alchemer)[0] == {"1": {"7": ["Rum", "Tea"], "8": ["Tea", "Rum"]}}
    typeform = "#,Rank these - Tea,Rank these - Rum,Submit Date (UTC)\na,2,1,d\nb,1,2,e\n"
    assert read_form(tmp_path, typeform)[0] == {"1": {"d": ["Rum", "Tea"], "e": ["Tea", "Rum"]}}


def test_a_table_of_numbers_with_brackets_is_no_form(tmp_path: Path) -> None:
    for name in ("model", "name", "item"):
        log = ReadLog()
        (tmp_path / "x.csv").write_text(f"{name},Accuracy [dev],Accuracy [test]\na,85,90\nb,70,95\n")
        found = read(tmp_path / "x.csv", log=log, **({} if name != "name" else {"layout": "wide"}))  # type: ignore[arg-type]
        assert log.readings[0].layout == "wide"
        assert found.rankers == ("Accuracy [dev]", "Accuracy [test]")


def test_times_in_a_workbook_are_no_names_that_excel_changed(tmp_path: Path) -> None:
    when = datetime.datetime(2024, 6, 3, 8, 30, 1)
    sheet = [["ID", "Beginn", "Bringen Sie in Reihenfolge"], [1, when, "Ulm;Bonn;"], [2, when, "Bonn;Ulm;"]]
    lists, _ = read_form(tmp_path, book(("S", sheet)), "x.xlsx")
    assert lists == {"1": {"1": ["Ulm", "Bonn"], "2": ["Bonn", "Ulm"]}}


def test_counts_of_voters_stand_beside_a_question(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Rank [A],Rank [B],Votes\n1st,2nd,4\n2nd,1st,3\n")
    rankings = read(path)
    assert rankings.multiplicities.tolist() == [4, 3]


def test_ticks_that_a_form_lists_in_its_own_order_are_not_taken_for_a_ranking_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "ticks.csv"
    ticked = ["Ada, Ben", "Ben, Cleo", "Ada, Cleo", *["Ada, Ben, Cleo"] * 5]
    rows = [f'2026-11-01 10:0{number},m{number}@club.org,"{cell}"' for number, cell in enumerate(ticked)]
    path.write_text("\n".join(["Timestamp,Email Address,Tick whom you approve", *rows]))
    log = ReadLog()
    read(path, layout="form", log=log)
    assert any("in the same order, as forms export ticks" in str(note) for note in log.notes)
    log = ReadLog()
    found = read(path, layout="form", values="score", log=log)
    assert found.scores is not None
    assert set(found.scores) == {1.0}
    assert not any("same order" in str(note) for note in log.notes)


def test_a_form_whose_answers_are_all_blank_is_told_so_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "blank.csv"
    rows = [f"2026-11-01 10:0{number},m{number}@club.org,," for number in range(4)]
    path.write_text("\n".join(["Timestamp,Email Address,Rank them [Ada],Rank them [Ben]", *rows]))
    with pytest.raises(DataError, match=r"no ballot says anything: 4 answers, and every other cell is empty") as caught:
        read(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("head", "voters", "expected"),
    [
        ("Name,", ("ann,", "bob,", "cy,", "dee,"), ("ann", "bob", "cy", "dee")),
        ("", [""] * 4, ("u:1", "u:2", "v:1", "v:2")),
    ],
    ids=["named", "numbered"],
)
def test_voters_of_several_forms_keep_their_names_and_numbers_are_told_apart_by_file(
    head: str, voters: tuple[str, ...], expected: tuple[str, ...], tmp_path: Path
) -> None:
    for name, (one, other) in (("u", voters[:2]), ("v", voters[2:])):
        text = f"{head}Rank them [Ada],Rank them [Ben]\n{one}1st,2nd\n{other}2nd,1st\n"
        (tmp_path / f"{name}.csv").write_text(text)
    assert read([tmp_path / "u.csv", tmp_path / "v.csv"]).rankers == expected
