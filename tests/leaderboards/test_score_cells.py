"""Everyday tables of scores: each is read rightly, or its owner is asked; none is misread in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg.errors import DataError
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.leaderboards.scores import ScoreTable
from stagg.leaderboards.table_input import board_input, score_table

PLAIN = "model,sts,nli,qa\nours-7b,0.9,0.8,0.7\nbase-1b,0.5,0.6,0.4\nt5-small,0.2,0.3,0.1\n"


def read(tmp_path: Path, text: str, name: str = "t.csv", **given: Any) -> tuple[ScoreTable, str]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    log = ReadLog()
    columns = given.pop("columns", None)
    table = score_table(path, options=ReadOptions(columns=columns), log=log, **given)
    return table, " ".join(map(str, log.notes))


def same(table: ScoreTable, other: ScoreTable) -> bool:
    return (
        (table.models, table.tasks) == (other.models, other.tasks)
        and np.allclose(table.cells(), other.cells(), equal_nan=True)
    )  # fmt: skip


def test_percent_signs_are_read_as_shares_with_a_note(tmp_path: Path) -> None:
    percents = "model,sts,nli,qa\nours-7b,90%,80 %,70%\nbase-1b,50%,60 %,40%\nt5-small,20%,30 %,10%\n"
    table, notes = read(tmp_path, percents)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert "85% is 0.85" in notes


def test_a_percent_sign_in_some_cells_only_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"t\.csv:3: some numbers of 'sts' have a percent sign, and '0\.5' has none"):
        read(tmp_path, "model,sts,nli\nours-7b,90%,1\nbase-1b,0.5,2\n")


def test_models_whose_names_differ_in_blanks_or_capitals_are_told(tmp_path: Path) -> None:
    log = ReadLog()
    table = {"beta": {"t": 1.0, "u": 2.0}, "Beta ": {"t": 2.0, "u": 1.0}, "other": {"t": 3.0, "u": 3.0}}
    board_input(table, log=log)
    assert any("'Beta ' and 'beta' differ only in blanks or capitals" in str(note) for note in log.notes)


@pytest.mark.parametrize("mark", ["", "-", "N/A", "n/a", "—", "nan", "null"])
def test_words_for_missing_scores_leave_gaps(tmp_path: Path, mark: str) -> None:
    table, notes = read(tmp_path, PLAIN.replace("0.6", mark))
    assert np.isnan(table.cells()).sum() == 1
    assert ("read as missing" in notes) == (mark not in ("", "nan"))


def test_columns_of_means_and_ranks_and_facts_are_no_tasks(tmp_path: Path) -> None:
    more = (
        "Rank,Model,#Params (B),sts,nli,qa,Mean (Task),License\n1,ours-7b,7,0.9,0.8,0.7,0.8,mit\n"
        "2,base-1b,1,0.5,0.6,0.4,0.5,mit\n3,t5-small,0.1,0.2,0.3,0.1,0.2,mit\n"
    )
    table, notes = read(tmp_path, more)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert all(name in notes for name in ("'Rank'", "'Mean (Task)'", "'#Params (B)'", "'License'"))


def test_a_column_that_is_the_mean_of_the_others_is_no_task_whatever_its_name(tmp_path: Path) -> None:
    lines = PLAIN.strip().split("\n")
    hidden = "\n".join([lines[0] + ",MTEB", lines[1] + ",0.8", lines[2] + ",0.5", lines[3] + ",0.2"])
    table, notes = read(tmp_path, hidden)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert "left out 'MTEB': sums up the others" in notes


def test_a_column_that_counts_the_models_is_asked_about(tmp_path: Path) -> None:
    lines = PLAIN.strip().split("\n")
    odd = "\n".join([lines[0] + ",X", lines[1] + ",1", lines[2] + ",2", lines[3] + ",3"])
    with pytest.raises(DataError, match="does it hold ranks, or scores"):
        read(tmp_path, odd)
    assert len(read(tmp_path, odd, columns={"ignore": ""})[0].tasks) == 4
    assert len(read(tmp_path, odd, columns={"ignore": "X"})[0].tasks) == 3


def test_a_row_of_families_above_the_header_is_read_and_offered(tmp_path: Path) -> None:
    merged = ",Similarity,,Answers\n" + PLAIN
    table, notes = read(tmp_path, merged)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert not table.has_families
    assert "'Answers', 'Similarity'" in notes
    grouped, _ = read(tmp_path, merged, families="row")
    assert grouped.families == ("Answers", "Similarity")
    assert dict(zip(grouped.tasks, grouped.family.tolist(), strict=True)) == {"nli": 1, "qa": 0, "sts": 1}


@pytest.mark.parametrize("corner", ["task", "Dataset", ""])
def test_models_in_columns_are_found(tmp_path: Path, corner: str) -> None:
    turned = (
        f"{corner},ours-7b,base-1b,t5-small\nsts,0.9,0.5,0.2\nnli,0.8,0.6,0.3\nqa,0.7,0.4,0.1\nAverage,0.8,0.5,0.2\n"
    )
    table, notes = read(tmp_path, turned)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert "'Average'" in notes


def test_a_table_that_could_be_either_way_round_is_asked_about(tmp_path: Path) -> None:
    unclear = ",x,y\nu,1,2\nv,2,1.5\n"
    with pytest.raises(DataError, match="are the rows models, or tasks"):
        read(tmp_path, unclear)
    assert read(tmp_path, unclear, columns={"item": "1"})[0].models == ("u", "v")
    assert read(tmp_path, unclear, columns={"ranker": "1"})[0].models == ("x", "y")


def test_long_tables_are_read_with_their_runs_and_families(tmp_path: Path) -> None:
    rows = [
        f"{m},{t},{f},{seed},{x + 0.01 * seed:.2f}"
        for m, x in (("a", 0.5), ("b", 0.7))
        for t, f in (("sts", "sim"), ("nli", "sim"), ("qa", "qa"))
        for seed in (0, 1)
    ]
    table, notes = read(tmp_path, "\n".join(["model,task,category,seed,score", *rows]), families="category")
    assert table.shape == (2, 3)
    assert table.runs.tolist() == [[2, 2, 2], [2, 2, 2]]
    assert table.families == ("qa", "sim")
    assert "differ in 'seed'" in notes


@pytest.mark.parametrize(("name", "asked"), [("latency_ms", True), ("PPL", True), ("WER ↓", False), ("acc ↑", False),
                                             ("ClusteringP2P", False)])  # fmt: skip
def test_a_task_where_small_may_be_better_is_asked_about(tmp_path: Path, name: str, asked: bool) -> None:
    text = PLAIN.replace("nli", name)
    if asked:
        with pytest.raises(DataError, match="are small scores better on") as caught:
            read(tmp_path, text)
        assert f"lower_is_better='{name}'" in str(caught.value)
        assert read(tmp_path, text, lower_is_better="")[0].lower.tolist() == [False] * 3
        table = read(tmp_path, text, lower_is_better=name)[0]
        assert dict(zip(table.tasks, table.lower.tolist(), strict=True))[name]
    else:
        table = read(tmp_path, text)[0]
        assert dict(zip(table.tasks, table.lower.tolist(), strict=True))[name] == ("↓" in name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model,sts\n", "no row below it"),
        ("model,sts\na,0.5\n", "two or more models"),
        ("model,sts,sts\na,1,2\nb,2,3\n", "two columns are named 'sts'"),
        ("model,sts,nli\na,1,2\n,2,3\n", r"t\.csv:3: the model is empty"),
        ("model,sts,nli\na,1,2\nb,x,3\nc,2,3\n", r"t\.csv:3: expected a number for 'sts', found 'x'"),
        ("model,sts,nli\na,1,2\nb,inf,3\n", "expected a finite number|expected a number"),
        ("model,rank\na,1\nb,2\n", "holds ranks"),
        ("model,sts,votes\na,1,20\nb,2,30\n", "is the column 'votes' a task"),
        ("model,sts,,qa\na,1,2,3\nb,2,3,4\n", "column 3 has no name"),
    ],
)
def test_bad_tables_are_told_in_one_line_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_numbers_as_people_write_them_are_read(tmp_path: Path) -> None:
    written = "model;sts;nli\nours-7b;**90,5** ± 0,3;1.250\nbase-1b;80,25;990\nt5-small;70*;1.100\n"
    table, _ = read(tmp_path, written)
    assert table.cells()[:, list(table.tasks).index("sts")].tolist() == [80.25, 90.5, 70.0]


def test_frames_and_files_of_every_kind_give_the_same_table(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    expected = read(tmp_path, PLAIN)[0]
    frame = pandas.read_csv(tmp_path / "t.csv")
    assert same(score_table(frame), expected)
    assert same(score_table(frame.set_index("model")), expected)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "t.json", orient="records")
    lines = PLAIN.strip().split("\n")
    ruled = [lines[0], ",".join(["---"] * 4), *lines[1:]]
    (tmp_path / "t.md").write_text("\n".join("| " + line.replace(",", " | ") + " |" for line in ruled))
    for name in ("t.parquet", "t.jsonl", "t.json", "t.md"):
        assert same(score_table(tmp_path / name), expected), name
    long = frame.melt(id_vars="model", var_name="task", value_name="score")
    assert same(score_table(long), expected)


@pytest.mark.parametrize("empty", ["ghost,-,-,-\n", "ghost,,,\n"])
def test_a_model_without_scores_is_left_out_with_a_note(tmp_path: Path, empty: str) -> None:
    table, notes = read(tmp_path, PLAIN + empty)
    assert same(table, read(tmp_path, PLAIN)[0])
    assert "1 model has no scores and no place on the board: 'ghost'" in notes
