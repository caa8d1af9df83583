"""Win counts: two contestants in a row, and how often each of them won."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stagg import DataError, fuse, leaderboard, read
from stagg.formats import ReadLog

TABLES = {
    "wins_a": "a,b,wins_a,wins_b,ties\nx,y,3,1,2\ny,z,0,4,0\n",
    "a_wins": "item_a,item_b,a_wins,b_wins,draws\nx,y,3,1,2\ny,z,0,4,0\n",
    "win1": "player1,player2,win1,win2,tie\nx,y,3,1,2\ny,z,0,4,0\n",
    "as the first one sees it": "model,opponent,wins,losses,draws\nx,y,3,1,2\ny,z,0,4,0\n",
    "W and L": "Team,Opponent,W,L,Ties\nx,y,3,1,2\ny,z,0,4,0\n",
    "home": "home,away,home_won,away_won,drawn,comment\nx,y,3,1,2,good\ny,z,0,4,0,fine\n",
}


def put(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_comparison_counts(table: str, tmp_path: Path) -> None:
    log = ReadLog()
    found = read(put(tmp_path, table), log=log)
    assert log.readings[0].layout == "wins"
    assert list(found.to_lists()["1"].values()) == [[["x"], ["y"]], [["y"], ["x"]], [["x", "y"]], [["z"], ["y"]]]
    assert found.multiplicities.tolist() == [3, 1, 2, 4]
    assert any("layout='battles' takes every row for one battle" in str(note) for note in log.notes)


def test_the_counts_give_what_single_comparisons_give(tmp_path: Path) -> None:
    counted = read(put(tmp_path, "a,b,wins_a,wins_b\nx,y,3,1\ny,z,2,4\nz,x,2,2\n"), log=ReadLog())
    rows = [*["x,y"] * 3, "y,x", *["y,z"] * 2, *["z,y"] * 4, *["z,x"] * 2, *["x,z"] * 2]
    single = read(put(tmp_path, "winner,loser\n" + "".join(f"{row}\n" for row in rows)), log=ReadLog())
    method = "bradley_terry(missing='skip')"
    one, other = (fuse(each, method).to_dict()["1"] for each in (counted, single))
    assert one == pytest.approx(other, abs=1e-9)


def test_the_journals_of_a_paper_have_the_abilities_that_r_gives(tmp_path: Path) -> None:
    """BradleyTerry2's example "citations" (Stigler 1994), abilities as its vignette prints them; our prior is weak."""
    table = """\
player1,player2,win1,win2
Biometrika,Comm Statist,730,33
Biometrika,JASA,498,320
Biometrika,JRSS-B,221,284
Comm Statist,JASA,68,813
Comm Statist,JRSS-B,17,276
JASA,JRSS-B,142,325
"""
    fused = fuse(read(put(tmp_path, table), log=ReadLog()), "bradley_terry(missing='skip')")
    found = {hit.item: hit.score for hit in fused.hits()}
    against = {item: score - found["Biometrika"] for item, score in found.items() if item != "Biometrika"}
    assert against == pytest.approx({"Comm Statist": -2.94907, "JASA": -0.47957, "JRSS-B": 0.26895}, abs=3e-3)


def test_judges_and_queries_stay_apart(tmp_path: Path) -> None:
    table = "judge,model_a,model_b,wins_a,wins_b\nann,x,y,3,1\nben,x,y,0,2\n"
    found = read(put(tmp_path, table), log=ReadLog())
    assert found.rankers == ("ann", "ann (2)", "ben")
    assert found.multiplicities.tolist() == [3, 1, 2]
    asked = read(put(tmp_path, "query,a,b,wins_a,wins_b\nq1,x,y,3,1\nq2,x,z,2,2\n"), log=ReadLog())
    assert asked.queries == ("q1", "q2")


def test_leaderboards_count_every_battle(tmp_path: Path) -> None:
    path = put(tmp_path, "a,b,wins_a,wins_b\nx,y,30,10\ny,z,25,15\nx,z,33,7\n")
    single = tmp_path / "single.csv"
    rows = [("x", "y", 30), ("y", "x", 10), ("y", "z", 25), ("z", "y", 15), ("x", "z", 33), ("z", "x", 7)]
    single.write_text("winner,loser,count\n" + "".join(f"{one},{other},{times}\n" for one, other, times in rows))
    boards = [leaderboard(str(each), draws=200, seed=1, log=ReadLog()).to_json() for each in (path, single)]
    assert boards[0] == boards[1]
    assert [row["first"] for row in json.loads(boards[0])["judges"]] == [None]  # nobody knows who stood first


def test_pairs_that_never_met_are_told(tmp_path: Path) -> None:
    log = ReadLog()
    found = read(put(tmp_path, "a,b,wins_a,wins_b\nx,y,3,1\ny,z,0,0\n"), log=log)
    assert len(found.rankers) == 2
    assert any("never met" in str(note) for note in log.notes)


@pytest.mark.parametrize(
    "table",
    [
        "a,b,goals_a,goals_b\nx,y,3,1\ny,z,0,2\n",  # a game is one battle
        "side_a,side_b,winner_a,winner_b,winner_tie\nx,y,1,0,0\ny,z,0,0,1\n",
    ],
)
def test_goals_and_columns_of_yes_and_no_are_battles(table: str, tmp_path: Path) -> None:
    log = ReadLog()
    read(put(tmp_path, table), log=log)
    assert log.readings[0].layout == "battles"


def test_votes_for_each_contestant_are_asked_about(tmp_path: Path) -> None:
    path = put(tmp_path, "image_a,image_b,votes_a,votes_b\nx,y,12,8\ny,z,3,9\n")
    with pytest.raises(DataError) as caught:
        read(path, log=ReadLog())
    assert "layout='wins' (every vote counts; '1' ranks 'x', 'y')" in str(caught.value)
    assert "layout='battles' (who has more votes wins the row" in str(caught.value)
    assert read(path, layout="wins", log=ReadLog()).multiplicities.tolist() == [12, 8, 3, 9]
    with pytest.raises(DataError, match="does every vote for a contestant count"):
        leaderboard(str(path), log=ReadLog())
    assert len(read(path, layout="battles", log=ReadLog()).rankers) == 2


def test_standings_are_no_pairs(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put(tmp_path, "team,wins,losses\nx,3,1\ny,0,2\n"), layout="wins", log=ReadLog())
    assert "two columns of contestants" in str(caught.value)


def test_counts_that_are_no_counts_are_refused_by_their_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected two columns of contestants"):
        read(put(tmp_path, "a,b,wins_a,wins_b\nx,y,3,1\ny,z,2.5,2\n"), layout="wins", log=ReadLog())
