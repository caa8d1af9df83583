"""Forms: questions in several columns or in one cell, what is left out, which way the cells point."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from stagg.formats.tables.layouts.form import find_questions, find_ticks
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


DISTINCT = [["1", "2"], ["2", "1"]]


def ask(names: list[str], rows: list[list[str]]) -> list[tuple[Any, ...]]:
    """What the questions of a form are: text, columns, kind, labels, whether that is sure."""
    return [(q.text, q.columns, q.kind, q.labels, q.sure) for q in find_questions(names, rows)]


@pytest.mark.parametrize(
    ("names", "rows", "expected"),
    [
        (["t", "Order [Tea]", "Order [Rum]"], [["x", *row] for row in DISTINCT],
         [("Order", [1, 2], "options", ["Tea", "Rum"], True)]),
        (["t", "Order [Tea]", "Order"], [["x", "1", "good"], ["y", "2", "bad"]], []),
        (["Order [2nd]", "Order [1st]"], [["Tea", "Rum"], ["Rum", "Tea"]], [("Order", [1, 0], "places", [], True)]),
        (["Order [1st]", "Order [3rd]"], [["Tea", "Rum"], ["Rum", "Tea"]],
         [("Order", [0, 1], "options", ["1st", "3rd"], False)]),
        (["R >> Tea >> Taste", "R >> Tea >> Price", "R >> Rum >> Taste", "R >> Rum >> Price"],
         [["1", "2", "2", "1"], ["2", "1", "1", "2"]],
         [("R >> Taste", [0, 2], "options", ["Tea", "Rum"], True),
          ("R >> Price", [1, 3], "options", ["Tea", "Rum"], True)]),
        (["What do you like? Tea", "What do you like? Rum"], DISTINCT,
         [("What do you like", [0, 1], "options", ["Tea", "Rum"], True)]),
        (["Tea - how good is it", "Rum - how good is it"], DISTINCT,
         [("how good is it", [0, 1], "options", ["Tea", "Rum"], True)]),
        (["Rank - Tea", "Rank - Rum"], DISTINCT, [("Rank", [0, 1], "options", ["Tea", "Rum"], True)]),
        (["Size - Tea", "Size - Rum"], DISTINCT, []),  # one word that asks for no order
        (["Rank - Tea", "Rank - Rum"], [["good", "bad"], ["bad", "good"]], []),
        (["Q2_1", "Q2_2", "Q5_1", "Q5_2"], [[*row, *row] for row in DISTINCT],
         [("Q2", [0, 1], "options", ["Q2_1", "Q2_2"], True), ("Q5", [2, 3], "options", ["Q5_1", "Q5_2"], True)]),
        (["Q2_1", "Q2_2", "Q5_1", "Q5_2"], [["1", "2", "1", "1"], ["2", "1", "2", "1"]], []),  # ratings
        (["Q2_1", "Q2_2", "age"], [[*row, "30"] for row in DISTINCT], []),  # alone, they may be anything
        (["Chair 1", "Chair 2", "Clerk 1", "Clerk 2"], [["A", "B", "C", "D"], ["B", "A", "D", "C"]],
         [("Chair", [0, 1], "places", [], False), ("Clerk", [2, 3], "places", [], False)]),
        (["Chair 1", "Chair 2", "Clerk 1"], [["A", "B", "C"], ["B", "A", "D"]], []),
        (["School [x]", "School [y]"], [["1a", "1a"], ["2a", "2a"]], None),  # classes, not places
        (["Order [x]", "Order [y]"], [["1a", "2a"], ["2a", "1a"]], [("Order", [0, 1], "options", ["x", "y"], True)]),
        (["It is [cheap]", "It is [good]"], [["agree", "disagree"], ["disagree", "agree"]],
         [("It is", [0, 1], "options", ["cheap", "good"], False)]),
        (["It is [cheap]", "It is [good]"], [["agree", "blue"], ["disagree", "red"]], []),
        (["Logo [1]", "Logo [2]"], [["1st", "2nd"], ["2nd", "N/A"]], [("Logo", [0, 1], "options", ["1", "2"], True)]),
    ],
)  # fmt: skip
def test_columns_that_ask_for_a_ranking_are_told_from_others(
    names: list[str], rows: list[list[str]], expected: list[Any] | None
) -> None:
    found = ask(names, rows)
    if expected is None:
        assert not any(sure for *_, sure in found)
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["A;B;", "B", "A"], ";"),
        (["A|B", "B", "A"], "|"),
        (["A;", "B;", "A;"], None),  # one choice each
        (["well, I think so", "no, never", "maybe, who knows"], None),  # texts share nothing
        (["A;B", "A;C", "A;D", "A;E"], ";"),  # half of all ticks come again
        (["A;B", "A;C", "D", "E"], None),
    ],
)
def test_ticks_are_lists_that_share_most_of_their_choices(cells: list[str], mark: str | None) -> None:
    found = find_ticks(["ID", "Which?", "IP Address"], [[str(n), cell, "1;2"] for n, cell in enumerate(cells)])
    assert [(q.text, q.columns, q.kind, q.mark) for q in found] == ([("Which?", [1], "cell", mark)] if mark else [])


WORDS = "t,It is [cheap],It is [good]\n1,agree,disagree\n2,agree,agree\n3,disagree,agree\n"


def test_answers_in_words_are_read_with_the_numbers_that_the_question_for_them_proposes(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the answers are words: 'agree', 'disagree'; say grades=") as caught:
        read_form(tmp_path, WORDS, layout="form")
    (say,) = caught.value.message.says
    lists, _ = read_form(tmp_path, WORDS, layout="form", **say.options)
    assert list(lists["1"].values()) == [["cheap", "good"], [["cheap", "good"]], ["good", "cheap"]]
    odd = WORDS.replace("disagree", "meh").replace("agree", "wow")
    with pytest.raises(DataError, match=r"say which number each of them is, such as grades=\{'wow': 1, 'meh': 0\}"):
        read_form(tmp_path, odd, layout="form")


def test_of_ratings_and_an_order_either_can_be_left_out(tmp_path: Path) -> None:
    text = "t,Rank [Oak],Rank [Elm],Stars (5 = best) [Tea],Stars (5 = best) [Rum]\n1,1st,2nd,4,2\n2,2nd,1st,5,5\n"
    with pytest.raises(DataError, match="some questions hold ratings, and others an order") as caught:
        read_form(tmp_path, text)
    ratings, order = (say.options for say in caught.value.message.says)
    assert read_form(tmp_path, text, **ratings)[0]["1"] == {"1": ["Oak", "Elm"], "2": ["Elm", "Oak"]}
    assert read_form(tmp_path, text, **order)[0]["1"] == {"1": ["Tea", "Rum"], "2": [["Rum", "Tea"]]}


def test_a_question_that_a_service_writes_in_two_ways_counts_once(tmp_path: Path) -> None:
    text = "ID,Order,Order [1st],Order [2nd]\n7,Tea;Rum,Tea,Rum\n8,Rum;Tea,Rum,Tea\n"
    lists, notes = read_form(tmp_path, text)
    assert lists == {"1": {"7": ["Tea", "Rum"], "8": ["Rum", "Tea"]}}
    assert "'Order' is in the table twice, with the same answers; it counts once" in notes
    lists, notes = read_form(tmp_path, text.replace("8,Rum;Tea,Rum,Tea", "8,Rum;Tea,Tea,Rum"))
    assert lists["Order (1)"]["8"] == ["Rum", "Tea"]
    assert lists["Order (2)"]["8"] == ["Tea", "Rum"]


def test_a_column_of_choices_that_names_no_place_is_asked_about(tmp_path: Path) -> None:
    text = "t,C [1st],C [2nd],D [1st],D [2nd],Reserve\n1,A,B,x,y,B\n2,B,A,y,x,A\n"
    with pytest.raises(DataError, match="the column 'Reserve' seems to hold choices, too") as caught:
        read_form(tmp_path, text)
    (say,) = caught.value.message.says
    lists, _ = read_form(tmp_path, text, **say.options)
    assert lists == {"C": {"1": ["A", "B"], "2": ["B", "A"]}, "D": {"1": ["x", "y"], "2": ["y", "x"]}}
    assert read_form(tmp_path, text.replace(",B\n", ",late\n").replace(",A\n", ",soon\n"))[0] == lists


def test_cells_without_a_place_are_counted_and_words_name_the_ends(tmp_path: Path) -> None:
    header = "t,Rank [A],Rank [B],Rank [C]\n"
    lists, notes = read_form(tmp_path, f"{header}1,1st,N/A,2nd\n2,2nd,1st,N/A\n")
    assert "'N/A' (2 cells) was read as no answer" in notes
    assert lists["1"] == {"1": ["A", "C"], "2": ["B", "A"]}
    text = f"{header}1,worst,2nd,best\n2,best,2nd,worst\n"
    assert read_form(tmp_path, text)[0]["1"] == {"1": ["C", "B", "A"], "2": ["A", "B", "C"]}
    log = ReadLog()
    (tmp_path / "x.csv").write_text(f"{header}1,1st,maybe,2nd\n2,1st,2nd,3rd\n")
    read(tmp_path / "x.csv", lenient=True, log=log)
    assert log.rows_dropped == 1


def test_what_each_column_of_a_form_was_taken_for_is_kept(tmp_path: Path) -> None:
    log = ReadLog()
    (tmp_path / "x.csv").write_text("model,Rank [A],Rank [B],Votes,Remark\nm,1st,2nd,2,ok\nn,2nd,1st,3,ok\n")
    assert read(tmp_path / "x.csv", log=log, layout="form").rankers == ("m", "n")
    assert log.readings[0].taken == (
        ("model", "voter"), ("Rank [A]", "place of 'A'"), ("Rank [B]", "place of 'B'"),
        ("Votes", "number of voters"), ("Remark", "left out"),
    )  # fmt: skip
    for text, told in (
        ("t,C [2nd],C [1st],D [1st],D [2nd]\n1,A,B,x,y\n2,B,A,y,x\n", ["choice 2", "choice 1", "choice 1", "choice 2"]),
        ("t,Order\n1,A;B\n2,B;A\n", ["all choices, best first"]),
    ):
        (tmp_path / "x.csv").write_text(text)
        read(tmp_path / "x.csv", log=(log := ReadLog()))
        assert [what for _, what in log.readings[0].taken[1:]] == told
