"""Input of a leaderboard: what may be given, several files as one table, families, and which way scores point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg.errors import DataError, InvalidParameter
from stagg.formats.log import ReadLog
from stagg.leaderboards.scores import ScoreTable
from stagg.leaderboards.table_input import battle_rows, board_input, score_table

SCORES = {"a": {"sts": 0.9, "nli": 0.8, "qa": 1.0}, "b": {"sts": 0.5, "nli": 0.6, "qa": 0.0}}
BATTLES = "question,a,b,winner\n1,A,B,a\n2,B,A,a\n"


def write(folder: Path, **texts: str) -> list[Path]:
    """Files of these names and texts."""
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return [folder / f"{name}.csv" for name in texts]


def notes_of(log: ReadLog) -> list[str]:
    return [str(note) for note in log.notes]


# --- what may be given ------------------------------------------------------------------------------------------------


def test_rows_are_models_tasks_and_scores_by_any_name() -> None:
    table = board_input([(1, "t", 0.5), [2, "t", "0.25"], (2, "u", 1)])
    assert isinstance(table, ScoreTable)
    assert (table.models, table.tasks) == (("1", "2"), ("t", "u"))
    assert table.cells()[:, 0].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    "given", [5, [], {}, [("a", "t", 1, 2)], [("a", "t", 1), 5], [("a", "t", 1), "abc"], ["abc", ("a", "t", 1)]]
)
def test_what_is_no_table_is_refused_with_what_is_expected(given: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"expected a file, a frame, \{model: \{task: score\}\} or rows"):
        score_table(given)


@pytest.mark.parametrize("given", [[("a", "t", "x"), ("b", "t", 2)], {"a": {"t": "x"}, "b": {"t": 2}}])
def test_a_score_that_is_no_number_is_named(given: Any) -> None:
    with pytest.raises(DataError, match="the score of 'a' on 't' is 'x'; expected a number"):
        score_table(given)


def test_lists_are_runs_and_none_and_nan_are_missing() -> None:
    table = score_table({"a": {"t": [0.5, None, 0.7], "u": None}, "b": {"t": (0.25,), "u": float("nan"), "v": 1}})
    assert (table.tasks, table.runs.tolist()) == (("t", "v"), [[2, 0], [1, 1]])
    with pytest.raises(InvalidParameter, match=r"'b' holds a int; for battles"):
        score_table({"a": {"t": 1}, "b": 2})


@pytest.mark.parametrize(("named", "value"), [("lower_is_better", "all"), ("families", "row"), ("weights", {"t": 2})])
def test_an_option_of_scores_is_refused_for_battles_by_name(named: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter) as caught:
        board_input(write(tmp_path, b=BATTLES), **{named: value})
    assert str(caught.value) == f"the option {named!r} is for tables of scores; these are battles"


def test_contestants_of_battles_whose_names_differ_in_capitals_are_told(tmp_path: Path) -> None:
    log = ReadLog()
    board_input(write(tmp_path, b=BATTLES + "3,a,B,b\n"), log=log)
    assert "'A' and 'a' differ only in blanks or capitals, and are ranked as two models" in notes_of(log)
    log = ReadLog()
    board_input(SCORES, log=log)
    assert not notes_of(log)


# --- several files ----------------------------------------------------------------------------------------------------


def test_battles_and_scores_in_one_call_are_refused(tmp_path: Path) -> None:
    battles, scores = write(tmp_path, one=BATTLES, two="model,sts\na,1\nb,2\n")
    with pytest.raises(DataError, match="some of the inputs are battles, others are not; give them one kind at a time"):
        board_input([battles, scores])


def test_files_of_battles_are_joined_and_their_rows_counted(tmp_path: Path) -> None:
    log = ReadLog()
    rows = battle_rows(write(tmp_path, ann=BATTLES, bob=BATTLES + "3,A,B,b\n"), log=log)
    assert rows is not None
    assert (rows.judges, len(rows), log.rows_read) == (("ann", "bob"), 5, 5)
    alone = battle_rows(write(tmp_path, ann=BATTLES))
    assert alone is not None
    assert len(alone) == 2
    assert not alone.judged


def test_files_of_scores_are_parts_of_one_table(tmp_path: Path) -> None:
    parts = write(
        tmp_path,
        one="model,task,category,score\na,sts,sim,0.9\nb,sts,sim,0.5\na,nli,sim,0.7\nb,nli,sim,0.6\na,qa,qa,3\nb,qa,qa,4\n",
        two="model,task,category,score\na,WER ↓,speech,0.1\nb,WER ↓,speech,0.2\na,CER ↓,speech,2\nb,CER ↓,speech,1\n"
        "c,MOS,people,1\nb,MOS,people,2\n",
    )
    log = ReadLog()
    table = score_table(parts, families="category", log=log)
    assert (table.models, table.tasks) == (("a", "b", "c"), ("CER ↓", "MOS", "WER ↓", "nli", "qa", "sts"))
    assert {table.tasks[t]: table.families[f] for t, f in enumerate(table.family.tolist())} == {
        "CER ↓": "speech", "WER ↓": "speech", "MOS": "people", "nli": "sim", "sts": "sim", "qa": "qa",
    }  # fmt: skip
    assert dict(zip(table.tasks, table.lower.tolist(), strict=True)) == {
        "CER ↓": True, "WER ↓": True, "MOS": False, "nli": False, "qa": False, "sts": False,
    }  # fmt: skip
    assert "small scores are better on 'WER ↓', 'CER ↓', as the names say" in notes_of(log)
    assert log.rows_read == 12


def test_what_one_of_the_files_leaves_open_is_asked(tmp_path: Path) -> None:
    parts = write(tmp_path, one="model,WER ↓,sts\na,1,2\nb,2,3\n", two="model,latency_ms\na,10\nb,20\n")
    with pytest.raises(DataError) as caught:
        score_table(parts)
    assert str(caught.value) == (
        "are small scores better on 'latency_ms'? say lower_is_better='WER ↓,latency_ms' or, where large ones are, "
        "lower_is_better='WER ↓'"
    )


@pytest.mark.parametrize(("count", "end"), [(8, "'PPL 8'?"), (9, "'PPL 8', …?")])
def test_the_question_which_scores_are_better_small_names_eight_tasks_at_most(count: int, end: str) -> None:
    rows = [{"model": m, **{f"PPL {t}": x + t / 7 for t in range(1, count + 1)}} for m, x in (("a", 10.5), ("b", 20.5))]
    with pytest.raises(DataError) as caught:
        score_table(rows)
    assert str(caught.value).split(" say ")[0].endswith(end)


# --- where small scores are better ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "given", "lower"),
    [
        (("x,y", "x", "y"), "x,y", {"x,y"}),
        (("x", "y", "z"), " x , z,", {"x", "z"}),
        (("x", "y"), " all ", {"x", "y"}),
        (("all", "y"), "all", {"all"}),
        (("x", "y"), ("y",), {"y"}),
        (("x", "y"), "", set()),
        (("x", "y"), [], set()),
    ],
)
def test_tasks_where_small_scores_are_better_are_named_one_by_one(
    tasks: tuple[str, ...], given: Any, lower: set[str]
) -> None:
    table = score_table({m: dict.fromkeys(tasks, 1.0) for m in "ab"}, lower_is_better=given)
    assert {task for task, turned in zip(table.tasks, table.lower.tolist(), strict=True) if turned} == lower


# --- families ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "task,family\nsts,sim\nnli,sim\n",
        "Family , Task\nsim,sts\nsim,nli\n",
        "what,year,dataset,group\nx,1,sts,sim\ny,2,nli,sim\n",
        "type,what\nsim,sts\nsim,nli\n",
        "what,benchmark\nsim,sts\nsim,nli\n",
        "what,group\nsts,sim\nnli,sim\n",
        "name,what\nsts,sim\nnli,sim\n",
        "one,other\nsts,sim\nnli,sim\n",
        "task,category\nsts,sim\nqa,\n,sim\nnli,sim\n",
    ],
)
def test_a_file_of_families_is_read_by_the_names_of_its_columns(text: str, tmp_path: Path) -> None:
    log = ReadLog()
    table = score_table(SCORES, families=write(tmp_path, families=text)[0], log=log)
    assert (table.tasks, table.families, table.family.tolist()) == (("nli", "qa", "sts"), ("qa", "sim"), [1, 0, 1])
    assert notes_of(log) == ["tasks without a family count as one each: 'qa'"]


@pytest.mark.parametrize("text", ["task\nsts\n", ""])
def test_a_file_of_families_needs_two_columns(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"families\.csv: (expected two columns: task and family|.*empty)"):
        score_table(SCORES, families=write(tmp_path, families=text)[0])


def test_families_of_other_tasks_are_told_and_those_of_no_task_refused() -> None:
    log = ReadLog()
    table = score_table(SCORES, families={"sts": "x", "nli": "x", "qa": "y", "other": "y"}, log=log)
    assert table.families == ("x", "y")
    assert notes_of(log) == ["families of tasks that are not in the table: 'other'"]
    log = ReadLog()
    assert score_table(SCORES, families={"sts": "x", "nli": "x", "qa": "y"}, log=log).has_families
    assert not notes_of(log)
    with pytest.raises(InvalidParameter, match="the families name no task of the table; did you mean 'nli'"):
        score_table(SCORES, families={"nlii": "x"})


@pytest.mark.parametrize(
    ("text", "where", "option"),
    [
        ("model,task,kind,score\n" + "".join(f"{m},t{t},k{t % 6},{t}\n" for m in "ab" for t in range(12)),
         "the column 'kind' groups the tasks ('k0', 'k1', 'k2', 'k3', 'k4')", "kind"),
        (",X,,Y,\nmodel,p,q,r,s\nours-7b,1,2,3,4\nbase-1b,4,3,2,6\n",
         "the row above the header groups the tasks ('X', 'Y')", "row"),
    ],
)  # fmt: skip
def test_groups_of_tasks_in_the_table_are_offered_as_families(
    text: str, where: str, option: str, tmp_path: Path
) -> None:
    log = ReadLog()
    path = write(tmp_path, t=text)[0]
    assert not score_table(path, log=log).has_families
    assert f"{where}; to count each group once say families={option!r}" in " ".join(notes_of(log))
    assert score_table(path, families=option).has_families
    with pytest.raises(InvalidParameter, match=rf"families 'odd'; columns that group the tasks: '{option}'"):
        score_table(path, families="odd")
