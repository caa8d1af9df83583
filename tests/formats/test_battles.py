"""Battles: who the contestants are, and what tells who won."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from stagg.formats.tables.verdicts import VerdictWords, find_middle, is_tie

TABLES = {
    "a verdict by the name of the column": "model_a,model_b,winner\nx,y,model_a\ny,z,tie (bothbad)\nz,x,model_b\n",
    "a verdict by the side": "left,right,preferred\nx,y,left\ny,z,no preference\nz,x,right\n",
    "a verdict by its letter": "HomeTeam,AwayTeam,FTR,HTR\nx,y,H,D\ny,z,D,A\nz,x,A,H\n",
    "a verdict by the name of the winner": "player1,player2,winner\nx,y,x\ny,z,draw\nz,x,x\n",
    "a verdict in a sentence": (
        'Option A,Option B,Which is better?\nx,y,Option A is slightly better\ny,z,"Both are good"\nz,x,B\n'
    ),
    "an order": "response_a,response_b,verdict\nx,y,A>>B\ny,z,A=B\nz,x,[[B]]\n",
    "a result": "Weiß;Schwarz;Ergebnis\nx;y;1-0\ny;z;½-½\nz;x;0:1\n",
    "as the first one sees it": "player,opponent,result\nx,y,Win\ny,z,Draw\nz,x,Loss\n",
    "columns of yes and no": "side_a,side_b,winner_a,winner_b,winner_tie\nx,y,1,0,0\ny,z,0,0,1\nz,x,0,1,0\n",
    "goals": "date,team1,team2,goals1,goals2\n1,x,y,2,1\n2,y,z,0,0\n3,z,x,1,3\n",
    "a verdict by the names of columns that are no sides": "model_a,rival,winner\nx,y,model_a\ny,z,tie\nz,x,rival\n",
    "sides in any order": "Gast;Heim;Tore Gast;Tore Heim\ny;x;0;2\nz;y;1;1\nx;z;3;0\n",
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_battles_are_read_however_the_winner_is_told(table: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(table)
    log = ReadLog()
    found = read(tmp_path / "x.csv", log=log)
    assert list(found.to_lists()["1"].values()) == [[["x"], ["y"]], [["y", "z"]], [["x"], ["z"]]]
    assert log.readings[0].layout == "battles"


def failure(path: Path, **options: object) -> str:
    with pytest.raises(DataError) as caught:
        read(path, log=ReadLog(), **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_several_verdicts_are_asked_about_and_may_have_to_agree(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model_1,model_2,g1_winner,g2_winner\nx,y,model_1,model_1\ny,z,model_1,tie\n")
    asked = failure(path)
    assert "layout='battles' (a win counts where 'g1_winner' and 'g2_winner' agree" in asked
    assert "columns={'ignore': 'g2_winner'} ('g1_winner' alone" in asked
    agreed = read(path, layout="battles", log=ReadLog()).to_lists()["1"]
    assert list(agreed.values()) == [[["x"], ["y"]], [["y", "z"]]]
    first = read(path, columns={"ignore": "g2_winner"}, log=ReadLog()).to_lists()["1"]
    assert list(first.values()) == [[["x"], ["y"]], [["y"], ["z"]]]


def test_numbers_of_a_preference_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("generator_1,generator_2,preference\nx,y,1.0\ny,z,1.5\nz,x,2.0\n")
    assert "columns={'rank': 'preference'} (the small ones; 1.5 is a tie; '1' ranks 'x', 'y')" in failure(path)
    small = read(path, columns={"rank": "preference"}, log=ReadLog()).to_lists()["1"]
    assert list(small.values()) == [[["x"], ["y"]], [["y", "z"]], [["x"], ["z"]]]
    large = read(path, columns={"score": "preference"}, log=ReadLog()).to_lists()["1"]
    assert list(large.values()) == [[["y"], ["x"]], [["y", "z"]], [["z"], ["x"]]]


def test_a_battle_that_nobody_won_is_told_and_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model_a,model_b,winner\nx,y,model_a\ny,z,\nz,z,tie\n")
    assert "x.csv:3: the verdict '' is not one of 'y', 'z', 'model_a', 'model_b' or 'tie'; lenient=True" in failure(
        path
    )
    log = ReadLog()
    assert len(read(path, lenient=True, log=log).entries) == 2
    assert log.rows_dropped == 2


def test_battles_are_one_query_where_contestants_meet_in_several(tmp_path: Path) -> None:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text("query,system_a,system_b,winner\nq1,s,t,a\nq2,s,t,b\n")
    assert read(path, log=log).queries == ("1",)
    assert any("columns={'query': 'query'} makes a ranking for each 'query'" in str(note) for note in log.notes)
    assert read(path, columns={"query": "query"}, log=ReadLog()).queries == ("q1", "q2")
    path.write_text("query,doc_a,doc_b,winner\nq1,d,e,a\nq2,f,g,b\n")
    assert read(path, log=ReadLog()).queries == ("q1", "q2")


def test_numbers_of_both_sides_that_may_be_anything_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model_a,model_b,time_a,time_b\nx,y,4,3\ny,z,2,5\n")
    assert "layout='battles'" in failure(path)
    found = read(path, layout="battles", log=ReadLog()).to_lists()["1"]
    assert list(found.values()) == [[["y"], ["x"]], [["y"], ["z"]]]  # little time is better


def test_three_of_a_kind_are_no_two_sides(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("option_a,option_b,option_c,winner\nx,y,z,a\ny,z,x,c\n")
    assert "battles" not in failure(path)


def test_a_verdict_that_names_one_contestant_and_the_side_of_the_other_tells_nothing() -> None:
    words = VerdictWords("option a", "option b")
    assert [words.read("b", "a", "b"), words.read("b", "b", "a"), words.read("b", "x", "y")] == [-1, None, -1]


def test_sides_that_stand_the_other_way_round_have_no_first_and_second() -> None:
    assert VerdictWords("right", "left").read("1", "x", "y") == 1
    assert VerdictWords("left", "right", in_order=False).read("1", "x", "y") is None
    assert VerdictWords("left", "right", in_order=False).read("L", "x", "y") == 1


def test_scales_without_a_known_middle_tell_nothing() -> None:
    assert find_middle(["1", "2", "3"]) is None
    assert find_middle(["0", "1"]) == 0.5
    assert not is_tie("a")


def fought(path: Path, text: str, **options: object) -> tuple[list[object], str]:
    """The battles in the order of the rows, and the notes."""
    path.write_text(text)
    log = ReadLog()
    found = read(path, log=log, **options)  # type: ignore[arg-type]
    return list(found.to_lists()[found.queries[0]].values()), str(log.notes)


X_Y, Y_Z, TIE, Z_X, X_Z = [["x"], ["y"]], [["y"], ["z"]], [["y", "z"]], [["z"], ["x"]], [["x"], ["z"]]


@pytest.mark.parametrize(
    ("text", "options", "expected", "noted"),
    [
        ("model_a,model_b,x_a,x_b\nx,y,3,1\ny,z,2,2\nz,x,1,2\n", {"layout": "battles"}, [X_Y, TIE, X_Z],
         "who has the larger number won: 'x_a' or 'x_b'"),
        ("model_a,model_b,loss_a,loss_b\nx,y,1,3\ny,z,2,2\nz,x,2,1\n", {"layout": "battles"}, [X_Y, TIE, X_Z],
         "who has the smaller number won: 'loss_a' or 'loss_b'"),
        ("model_a;model_b;score_a;score_b\nx;y;3,5;3\ny;z;2;2,0\nz;x;1;2\n", {}, [X_Y, TIE, X_Z], ""),
        ("winner_model,loser_model,tie\nx,y,0\ny,z,1.0\nz,x,no\n", {"layout": "battles"}, [X_Y, TIE, Z_X], ""),
        ("judge,model_a,model_b,winner\nj,x,y,A\nj,y,z,C\nk,x,z,B\n", {}, [X_Y, TIE, Z_X],
         "the verdict 'C' was read as a tie"),
        ("model_1,model_2,winner\n7,8,1\n8,9,2\n", {}, [[["7"], ["8"]], [["9"], ["8"]]], ""),
        ("rater,first,second,better\nr,x,y,x\ns,y,z,tie\n", {}, [X_Y, TIE], ""),
        ("side_a,side_b,winner_a,winner_b\nx,y,1,0\ny,z,1.0,0\nz,x,0,1\n", {}, [X_Y, Y_Z, X_Z], ""),
        ("model_a,model_b,winner,notes\nx,y,model_a,ok\ny,z,tie,hm\n", {}, [X_Y, TIE], "ignored columns: 'notes'"),
    ],
)  # fmt: skip
def test_who_won_is_told_by_scores_names_or_verdicts(
    text: str, options: dict[str, object], expected: list[object], noted: str, tmp_path: Path
) -> None:
    found, notes = fought(tmp_path / "x.csv", text, **options)
    assert found == expected
    assert noted in notes
    assert "fuse it with missing='skip' or missing='neutral'" in notes


def test_counts_judges_and_files_name_the_battles(tmp_path: Path) -> None:
    path, text = tmp_path / "x.csv", "judge,model_a,model_b,winner,votes\nann,x,y,a,3\nann,y,z,b,2\n,x,z,a,1\n"
    path.write_text(text)
    found = read(path, log=ReadLog())
    assert found.rankers == ("ann", "ann (2)", "line 4")
    assert found.multiplicities.tolist() == [3, 2, 1]
    for name in ("u", "v"):
        (tmp_path / f"{name}.csv").write_text("model_a,model_b,winner\nx,y,a\n")
    assert read([tmp_path / "u.csv", tmp_path / "v.csv"], log=ReadLog()).rankers == ("u:1", "v:1")


def test_a_column_of_queries_is_asked_about_where_few_contestants_meet_in_several(tmp_path: Path) -> None:
    path, head = tmp_path / "x.csv", "query,model_a,model_b,winner\n"
    path.write_text(f"{head}q1,x,y,a\nq1,y,z,b\nq2,x,u,a\nq2,v,w,tie\n")
    asked = failure(path)
    assert "x.csv:1: does the column 'query' name queries, each with a ranking of its own?" in asked
    assert read(path, columns={"query": "query"}, log=ReadLog()).queries == ("q1", "q2")
    assert read(path, columns={"query": ""}, log=ReadLog()).queries == ("1",)
    path.write_text(f"{head}q1,x,y,a\nq1,y,z,b\nq2,u,v,a\n")
    assert read(path, log=ReadLog()).queries == ("q1", "q2")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (",z,b", "x.csv:3: the contestant is empty; expected an id"),
        ("x,,a", "x.csv:3: the contestant is empty; expected an id"),
        ("x,x,a", "x.csv:3: the contestant 'x' meets itself; lenient=True leaves such rows out"),
        ("x,z,maybe", "x.csv:3: the verdict 'maybe' is not one of 'x', 'z', 'model_a', 'model_b' or 'tie'"),
    ],
)
def test_a_row_that_is_no_battle_is_told_with_its_line_or_left_out(row: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"model_a,model_b,winner\nx,y,a\n{row}\ny,z,b\ny,z,a\nx,z,b\nx,y,b\n")
    assert told in failure(path)
    log = ReadLog()
    assert len(read(path, lenient=True, log=log).rankers) == 6
    assert log.rows_dropped == 1


def test_battles_without_a_winner_or_without_contestants_say_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model_a,model_b,remark\nx,y,fine\ny,z,good\n")
    assert "no column says who won: name one winner" in failure(path, layout="battles")
    path.write_text("what,who,remark\nx,y,fine\ny,z,good\n")
    assert "expected two columns of contestants whose names differ in the side" in failure(path, layout="battles")
    path.write_text("model_a,model_b,prompt_a,prompt_b,winner\nx,y,p,q,a\ny,z,r,s,b\n")
    assert read(path, log=ReadLog()).items == ("x", "y", "z")
