"""Boards and ballots as people have them: what was once read by guesswork, or refused without a word that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, DataWarning, leaderboard, read
from stagg.formats import ReadLog, ReadOptions
from stagg.leaderboards.table_input import board_input
from tests.door.people import answers
from tests.door.test_files import groups

GAMES = """timestamp,player1,player2,result,elo1_before,elo2_before
1700000001,red,blue,1,1000,1000
1700000002,blue,green,0.5,984,1000
1700000003,green,red,0,999.3,1016
"""
PRINTED = """hf (pretrained=EleutherAI/pythia-160m), limit: None
|    Tasks     |Version|Filter|n-shot|  Metric  |   |Value |   |Stderr|
|--------------|------:|------|-----:|----------|---|-----:|---|-----:|
|arc_easy      |      1|none  |     0|acc       |   |0.4369|   |0.0102|
|wikitext      |      2|none  |     0|word_perplexity|   |33.37|   |   N/A|
"""
TWICE = """Model,IFEval Raw,IFEval,BBH Raw,BBH
a,0.801,80.1,0.51,30.1
b,0.851,85.1,0.60,29.0
c,0.601,60.1,0.47,26.0
"""


def put(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


# --- ballots ----------------------------------------------------------------------------------------------------------


def test_a_ballot_with_an_id_that_counts_several_times_is_asked_about(tmp_path: Path) -> None:
    path = put(tmp_path, "x.blt", '3 1\n(A-1) 2 1 3 0\n(A-2) 1 0\n0\n"Ann"\n"Bob"\n"Cy"\n"Chair"\n')
    with pytest.raises(DataError, match=r"'\(A-1\)' counts 2 times, but an id names one ballot") as caught:
        read(path)
    assert [dict(say.options) for say in answers(caught.value)] == [{"lenient": True}]
    log = ReadLog()
    assert read(path, lenient=True, log=log).multiplicities.tolist() == [2, 1]
    assert any("'(A-1)' counts 2 times" in str(note) for note in log.notes)


def test_a_name_with_a_backslash_at_its_end_keeps_it(tmp_path: Path) -> None:
    path = put(tmp_path, "x.blt", '2 1\n1 2 1 0\n0\n"Ann\\"\n"Bob"\n"Chair"\n')
    assert sorted(map(str, read(path, log=ReadLog()).items)) == ["Ann\\", "Bob"]


@pytest.mark.parametrize("text", ["[[14, 9, 3], [7, 19]]", "[14, 9, 3]"])
def test_numbers_in_arrays_are_ids_with_a_word(text: str, tmp_path: Path) -> None:
    log = ReadLog()
    read(put(tmp_path, "result.json", text), log=log)
    assert any("numbers of the arrays were read as ids" in str(note) for note in log.notes)


def test_texts_in_arrays_are_ids_without_a_word(tmp_path: Path) -> None:
    log = ReadLog()
    read(put(tmp_path, "x.json", '[["a", "b"], ["b", "a"]]'), log=log)
    assert log.notes == []


def test_best_and_worst_of_some_options_are_refused_with_a_way_to_write_them(tmp_path: Path) -> None:
    rows = "1,1,Price,Speed,Design,Help,Price,Help\n2,1,Design,Speed,Price,Help,Speed,Design\n"
    text = f"respondent,task,o1,o2,o3,o4,best,worst\n{rows}"
    with pytest.raises(DataError, match="'best' and 'worst' repeat two of the options of every row") as caught:
        read(put(tmp_path, "scaling.csv", text))
    assert answers(caught.value) == ()
    votes = read(
        put(tmp_path, "votes.csv", "voter,vote\n1,Price>Speed=Design>Help\n2,Speed>Price=Help>Design\n"), log=ReadLog()
    )
    assert [[set(group) for group in order] for order in votes.to_lists()["1"].values()] == [
        [{"Price"}, {"Speed", "Design"}, {"Help"}],
        [{"Speed"}, {"Price", "Help"}, {"Design"}],
    ]


@pytest.mark.parametrize("text", ['[["a", 0.9], ["b", 0.8]]', '[[["a", 0.9], ["b", 0.8]]]'])
def test_pairs_of_id_and_score_are_told_how_to_be_written(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'write items with their scores as objects: \{"a": 0\.9\}'):
        read(put(tmp_path, "hits.json", text))
    assert read(put(tmp_path, "right.json", '{"a": 0.9, "b": 0.8}'), log=ReadLog()).best_first() == ["a", "b"]


TALLY = "Option 1-->: Ann\n/ Option 2->: Bob\n|/\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{TALLY}V: 12 \tx1\nV: 123 \tx2\n", "x.txt:5: expected a vote with a rank, or -, for each of 2 options"),
        (f"{TALLY}V: 10 \tx1\n", "x.txt:4: expected a vote"),
        ("Option 1-->: Ann\nOption 3->: Bob\nV: 12 \tx1\n", "x.txt:2: option '3' follows 1 option"),
        ("Option 1-->: Ann\nOption 2->: Ann\nV: 12 \tx1\n", "x.txt:2: two options are named 'Ann'"),
        ("Option 1-->: Ann\nOption 2->: \nV: 12 \tx1\n", "x.txt:2: an option has no name"),
    ],
)
def test_a_wrong_tally_sheet_says_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put(tmp_path, "x.txt", text))
    assert message in str(caught.value)


def test_a_wrong_vote_of_a_tally_sheet_is_dropped_and_counted_where_reading_is_lenient(tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put(tmp_path, "x.txt", f"{TALLY}V: 12 \tx1\nV: 123 \tx2\nV: -1 x3\n"), lenient=True, log=log)
    assert groups(rankings) == {"x": {"1": ["Ann", "Bob"], "2": ["Bob"]}}
    assert (log.rows_read - log.rows_dropped, log.rows_dropped) == (2, 1)


def test_ranks_of_a_tally_sheet_go_on_with_letters(tmp_path: Path) -> None:
    names = "".join(f"Option {label}->: c{label}\n" for label in "123456789AB")
    rankings = read(put(tmp_path, "x.txt", f"{names}V: BA987654321 \tx1\n"), log=ReadLog())
    assert groups(rankings)["x"]["1"] == [f"c{label}" for label in "BA987654321"]


# --- boards -----------------------------------------------------------------------------------------------------------


def test_games_whose_result_is_a_number_are_asked_about_as_games(tmp_path: Path) -> None:
    path = put(tmp_path, "games.csv", GAMES)
    with pytest.raises(DataError, match="which of them mean that 'player1' won") as caught:
        leaderboard(path)
    large = {"columns": {"score": "result"}}
    assert large in [dict(say.options) for say in answers(caught.value)]
    board = leaderboard(path, intervals=None, log=ReadLog(), **large)
    wins = {(one, other): board.wins[i, j] for i, one in enumerate(board.names) for j, other in enumerate(board.names)}
    assert {pair: won for pair, won in wins.items() if won} == {
        ("red", "blue"): 1, ("blue", "green"): 0.5, ("green", "blue"): 0.5, ("red", "green"): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Home,Away,Score\nAjax,PSV,2-1\nPSV,NEC,0-0\nNEC,Ajax,1-3\n",
        "date,team,opponent,result\nd1,Ajax,PSV,W 2-1\nd2,PSV,NEC,D (0-0)\nd3,NEC,Ajax,L 1-3\n",
    ],
)
def test_results_of_games_are_read_whatever_stands_above_and_before_them(text: str, tmp_path: Path) -> None:
    board = leaderboard(put(tmp_path, "games.csv", text), intervals=None, log=ReadLog())
    assert board.names == ("Ajax", "NEC", "PSV")
    assert board.wins.tolist() == [[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]


def test_a_matrix_of_wins_is_refused_with_a_way_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the rows and the columns are the same, 'x' and so on") as caught:
        leaderboard(put(tmp_path, "wins.csv", ",x,y,z\nx,,10,12\ny,5,,7\nz,3,7,\n"))
    assert "winner,loser,count" in str(caught.value)
    again = "winner,loser,count\nx,y,10\ny,x,5\ny,z,7\nz,y,7\nx,z,12\nz,x,3\n"
    board = leaderboard(put(tmp_path, "pairs.csv", again), intervals=None, log=ReadLog())
    assert board.wins.tolist() == [[0, 10, 12], [5, 0, 7], [3, 7, 0]]


def test_counts_of_wins_beside_the_contestants_are_read(tmp_path: Path) -> None:
    text = "model_a,model_b,a_wins,b_wins,ties\nx,y,10,5,2\ny,z,7,7,1\n"
    with pytest.warns(DataWarning, match="layout='battles' takes every row for one battle"):
        board = leaderboard(put(tmp_path, "wins.csv", text), intervals=None)
    assert board.wins.tolist() == [[0, 11, 0], [6, 0, 7.5], [0, 7.5, 0]]


def test_scores_of_models_beside_a_baseline_are_no_games(tmp_path: Path) -> None:
    text = "model,baseline,task,result\na,x,t1,0.5\nb,x,t1,0.25\na,y,t2,1\nb,y,t2,0\n"
    assert board_input(put(tmp_path, "scores.csv", text), log=ReadLog()).models == ("a", "b")


@pytest.mark.parametrize("text", [PRINTED, "task,score,stderr\narc,0.4,0.01\npiqa,0.7,0.01\n"])
def test_the_results_of_one_model_are_no_board_of_columns(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column names the model; add a column 'model'"):
        leaderboard(put(tmp_path, "results.md" if "|" in text else "results.csv", text))


def test_a_column_that_may_name_the_models_of_results_is_offered(tmp_path: Path) -> None:
    text = "Name,Dataset,Metric,Score\na,arc,acc,0.4\na,piqa,acc,0.7\nb,arc,acc,0.5\nb,piqa,acc,0.6\n"
    path = put(tmp_path, "results.csv", text)
    with pytest.raises(DataError, match="no column names the model") as caught:
        leaderboard(path)
    [say] = answers(caught.value)
    board = leaderboard(path, intervals=None, log=ReadLog(), **say.options)
    assert sorted(board.names) == ["a", "b"]
    assert board.scores.tasks == ("arc", "piqa")


def test_the_table_of_a_league_is_asked_about(tmp_path: Path) -> None:
    text = "Team,P,W,D,L,GF,GA,Pts\nAjax,3,2,1,0,6,2,7\nPSV,3,2,0,1,5,4,6\nNEC,3,0,1,2,1,6,1\n"
    path = put(tmp_path, "league.csv", text)
    with pytest.raises(DataError, match="'W' and 'L' count wins and losses") as caught:
        leaderboard(path)
    points, every = answers(caught.value)
    assert board_input(path, options=ReadOptions(**points.options), log=ReadLog()).tasks == ("Pts",)
    assert len(board_input(path, options=ReadOptions(**every.options), log=ReadLog()).tasks) == 7


def test_a_task_in_two_versions_is_named(tmp_path: Path) -> None:
    log = ReadLog()
    table = board_input(put(tmp_path, "board.csv", TWICE), log=log)
    [note] = [str(note) for note in log.notes if "may be one task" in str(note)]
    assert "'IFEval Raw' and 'IFEval'" in note  # BBH ranks the models in another order than BBH Raw
    assert "'BBH" not in note
    assert "columns={'ignore': 'IFEval Raw'}" in note
    assert len(table.tasks) == 4


@pytest.mark.parametrize("before", ["", "% of the paper\n"])
def test_a_table_of_latex_is_refused_in_words(before: str, tmp_path: Path) -> None:
    text = (
        before
        + "\\begin{table}\n\\begin{tabular}{lc}\nModel & MNLI \\\\\nBERT & 84.6 \\\\\n\\end{tabular}\n\\end{table}\n"
    )
    path = put(tmp_path, "table.tex", text)
    for verb in (read, leaderboard):
        with pytest.raises(DataError, match=r"a table of LaTeX; save it as \.csv"):
            verb(path)
