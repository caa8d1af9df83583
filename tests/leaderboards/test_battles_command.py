"""``stagg leaderboard`` on battles, and ``stagg.leaderboard`` in Python: good input, bad input, every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg.errors import DataError, InvalidParameter
from stagg.leaderboards.battles.battle_board import BattleBoard
from tests.command_line import Run, runner
from tests.leaderboards.test_battle_fits import draw_rows

HEADER = "judge,question,a,b,winner\n"
OF_ARENA = ("model_a", "model_b", "winner", "judge", "question_id")


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "leaderboard")


def arena_rows(n: int = 200) -> list[dict[str, Any]]:
    """Votes of people and of an LLM as the arena writes them."""
    rows = draw_rows(3, n, {"people": (0.0, 0), "llm": (1.0, 0.5)})
    words = {1: "model_a", 0: "tie (bothbad)", -1: "model_b"}
    names, judges, questions = rows.contestants, rows.judges, rows.questions or ()
    columns = (rows.first, rows.second, rows.outcome, rows.judge, rows.question)
    return [
        dict(zip(OF_ARENA, (names[i], names[j], words[o], judges[k], questions[q]), strict=True))
        for i, j, o, k, q in zip(*(column.tolist() for column in columns), strict=True)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "battles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in arena_rows()), encoding="utf-8")
    return path


def board_of(given: Any, **options: Any) -> BattleBoard:
    found = stagg.leaderboard(given, draws=50, **options)
    assert isinstance(found, BattleBoard)
    return found


def test_files_frames_and_rows_give_one_board(file: Path, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = arena_rows()
    csv = tmp_path / "battles.csv"
    pandas.DataFrame(rows).to_csv(csv, index=False)
    told = json.loads(board_of(str(file)).to_json())
    assert {judge["judge"]: judge["battles"] for judge in told["judges"]} == {"people": 200, "llm": 200}
    for given in (rows, pandas.DataFrame(rows), polars.DataFrame(rows), str(csv)):
        assert json.loads(board_of(given).to_json()) == told


def test_json_says_what_python_says(run: Run, file: Path) -> None:
    ended = run(file, "--anchor", "people", "--draws", 50, "--json")
    said = json.loads(ended.out)
    assert said == json.loads(board_of(str(file), anchor="people").to_json())
    assert said["anchor"]["votes"] == 200
    assert ended.code == 0


@pytest.mark.parametrize("form", ["csv", "md", "latex"])
def test_every_format_names_all_models(run: Run, file: Path, form: str) -> None:
    ended = run(file, "--draws", 50, "--format", form, "--quiet")
    assert ended.code == 0
    assert all(name in ended.out for name in ("ada", "bob", "cleo", "dan", "eve"))


def test_the_board_and_the_judges_fit_a_terminal_of_eighty_columns(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(file, "--draws", 50, "--anchor", "people").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("rests on 200 votes of 'people'" in line for line in lines)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["x,1,A,B,a", "x,2,C,D,b"], "2 groups of contestants never met"),
        (["x,1,A,A,a"], "the contestant 'A' meets itself; --lenient"),
        (["x,1,A,B,tie", "x,2,B,A,tie"], "every judge always says tie"),
        (["x,1,A,B,a", "x,2,B,A,perhaps", "x,3,A,B,b"], "b.csv:3: the verdict 'perhaps' is not one of"),
        (["x,1,A,B,a", "x,2,B,A,C", "x,3,A,B,b"], "b.csv:3: the verdict 'C' is not one of"),
        (["x,1,A,B,a", "x,2,,A,a"], "b.csv:3: the contestant is empty"),
        ([], "there is a header, and no row below it"),
    ],
)
def test_bad_battles_end_in_one_line(run: Run, tmp_path: Path, rows: list[str], message: str) -> None:
    path = tmp_path / "b.csv"
    path.write_text(HEADER + "".join(row + "\n" for row in rows), encoding="utf-8")
    ended = run(path, "--quiet")
    assert ended.code == 1
    assert message in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (["x,1,A,B,a", "x,1,A,B,a", "x,2,A,B,b", "x,3,B,A,a"], [], "1 row repeats an earlier one"),
        (["x,1,A,B,a", "x,2,B,A,a", "y,1,A,B,tie"], [], "'y' always says tie"),
        (["x,1,A,B,a", "x,2,A,B,b", "x,3,A,B,b"], [], "some models always stand first"),
        (["x,1,A,B,a", "x,2,A,B,b", "x,3,B,A,a"], [], "a prior holds both"),
        (["x,1,A,B,a", "x,2,C,D,b", "x,3,B,A,a"], ["--apart"], "Group 2, which met none"),
        (["x,1,A,B,a", "x,2,B,A,perhaps", "x,3,B,A,a"], ["--lenient"], "left out for want of a verdict: 1 row"),
    ],
)
def test_what_is_left_out_or_held_is_told(
    run: Run, tmp_path: Path, rows: list[str], options: list[str], message: str
) -> None:
    path = tmp_path / "b.csv"
    path.write_text(HEADER + "".join(row + "\n" for row in rows), encoding="utf-8")
    ended = run(path, "--draws", 20, *options)
    assert ended.code == 0
    assert message in " ".join((ended.out + ended.err).split())


def test_columns_of_winners_and_losers_have_no_place_and_keep_their_ties() -> None:
    rows = [("A", "B", 0), ("B", "C", 0), ("C", "A", 0), ("A", "C", 1), ("A", "B", 1)] * 6
    board = board_of([{"winner": w, "loser": lost, "tie": tie} for w, lost, tie in rows])
    assert board.judges[0].ties == 0.4
    assert [note for note in board.notes if "alike" in note]
    assert board.names[0] == "A"
    assert (
        board.strengths.values.tolist()
        == board_of(
            [*reversed([dict(zip(("winner", "loser", "tie"), r, strict=True)) for r in rows])]
        ).strengths.values.tolist()
    )


def test_a_file_that_names_no_judge_is_one(tmp_path: Path) -> None:
    for name, winner in (("ann", "a"), ("bob", "b")):
        text = f"question,a,b,winner\n1,A,B,{winner}\n2,B,A,{winner}\n3,A,B,a\n4,B,A,b\n5,A,B,b\n"
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    board = board_of([str(tmp_path / "ann.csv"), str(tmp_path / "bob.csv")], anchor="ann")
    assert [judge.judge for judge in board.judges] == ["ann", "bob"]


def test_options_of_scores_are_refused_for_battles(file: Path) -> None:
    with pytest.raises(stagg.StaggError, match="these are battles"):
        stagg.leaderboard(str(file), lower_is_better="all")


def test_what_a_prior_holds_is_not_told_apart_with_six_battles() -> None:
    rows = [{"question": q, "a": "A", "b": "B", "winner": "ab"[q % 2]} for q in range(5)]
    rows.append({"question": 9, "a": "B", "b": "A", "winner": "a"})
    board = board_of(rows)
    assert not board.sets.above.any()
    assert any("prior" in text for text in board.warnings)
    with pytest.raises(DataError):
        board_of([{"question": 1, "a": "A", "b": "B", "winner": "tie"}])


def test_rows_that_differ_in_another_column_are_no_repeats_and_the_same_row_is(tmp_path: Path) -> None:
    """MT-bench has a row for each turn of a conversation; half of them went as repeats."""
    row = {"judge": "x", "model_a": "A", "model_b": "B", "winner": "model_a", "question_id": 1, "turn": 1}
    rows = [row, row | {"turn": 2}, row, row | {"question_id": 2, "winner": "model_b"},
            row | {"model_a": "B", "model_b": "A"}]  # fmt: skip
    board = board_of(rows)
    assert any(note.startswith("1 row repeats an earlier one (") for note in board.notes)
    assert any(note.startswith("1 row repeats an earlier one but for another column") for note in board.notes)
    assert board.games.sum() == 2 * 4
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("judge,question,a,b,winner\nx,1,A,B,a\nx,2,A,B,b\nx,3,B,A,a\n")
    twice = board_of([str(tmp_path / "one.csv"), str(tmp_path / "two.csv")])
    assert any(note.startswith("3 rows repeat earlier ones (") for note in twice.notes)


def test_a_dict_of_tables_is_told_how_several_judges_are_given() -> None:
    pandas = pytest.importorskip("pandas")
    tables = {"human": pandas.DataFrame(arena_rows()), "gpt-4": pandas.DataFrame(arena_rows())}
    with pytest.raises(InvalidParameter, match=r"'human' holds a DataFrame; .* a column that names the judge"):
        stagg.leaderboard(tables)


def test_the_caption_for_a_paper_says_nothing_of_options(run: Run, file: Path) -> None:
    ended = run(file, "--draws", 50, "--format", "latex", "--lines", 2)
    caption = next(line for line in ended.out.splitlines() if "\\caption" in line)
    assert "--lines" not in caption
    assert "% 3 more lines: --lines 5 shows all." in ended.out
