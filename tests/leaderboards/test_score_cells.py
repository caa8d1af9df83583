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
    assert "90% is 0.9" in notes


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


EXPORT = (
    "eval_name,Model,Average ⬆️,Hub ❤️,#Params (B),CO₂ cost (kg),IFEval,BBH,Generation\n"
    "a_bf16,org/a,40.1,310,7,1.2,70.1,40.2,1\nb_f16,org/b,35.7,1023,13,2.5,30.5,55.1,0\nc_bf16,org/c,28.4,57,2,0.8,60,30,0\n"
)


def test_the_answers_of_a_question_leave_out_what_was_left_out_before(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="tasks, or do they describe the models") as caught:
        read(tmp_path, EXPORT)
    no_task = caught.value.message.says[0].options["columns"]
    table, _ = read(tmp_path, EXPORT, columns=no_task)
    assert (table.models, table.tasks) == (("org/a", "org/b", "org/c"), ("BBH", "IFEval"))


def test_a_mean_of_all_is_no_task_where_the_tasks_are_means_themselves(tmp_path: Path) -> None:
    table, notes = read(tmp_path, "Model,Global Average,Coding Average,Math Average\na,0.7,0.9,0.1\nb,0.6,0.2,0.3\n")
    assert table.tasks == ("Coding Average", "Math Average")
    assert "left out 'Global Average'" in notes


def test_a_word_among_scores_is_left_out_leniently_or_its_column_is(tmp_path: Path) -> None:
    odd = PLAIN.replace("0.6", "crash")
    with pytest.raises(DataError, match=r"t\.csv:3: expected a number for 'nli', found 'crash'") as caught:
        read(tmp_path, odd)
    lenient, left_out = (say.options for say in caught.value.message.says)
    assert (lenient, left_out) == ({"lenient": True}, {"columns": {"ignore": "nli"}})
    table, _ = read(tmp_path, odd, **left_out)
    assert table.tasks == ("qa", "sts")
    path = tmp_path / "t.csv"
    log = ReadLog()
    table = score_table(path, options=ReadOptions(lenient=True), log=log)
    assert np.isnan(table.cells()).sum() == 1
    assert log.rows_dropped == 1


@pytest.mark.parametrize("mark", ["NR", "not run", "OOM", "✗", "timeout"])
def test_words_for_runs_that_failed_leave_gaps(tmp_path: Path, mark: str) -> None:
    table, notes = read(tmp_path, PLAIN.replace("0.6", mark))
    assert np.isnan(table.cells()).sum() == 1
    assert "read as missing" in notes


def test_a_column_that_numbers_the_rows_needs_no_name(tmp_path: Path) -> None:
    rows = PLAIN.strip().split("\n")
    for name in ("", "Unnamed: 0"):
        numbered = "\n".join([f"{name},{rows[0]}", *(f"{n},{row}" for n, row in enumerate(rows[1:]))])
        assert same(read(tmp_path, numbered)[0], read(tmp_path, PLAIN)[0])


def test_metrics_languages_and_splits_of_a_task_are_no_runs(tmp_path: Path) -> None:
    rows = "model,task,metric,seed,score\n" + "".join(
        f"{m},{t},{metric},{seed},{x}\n"
        for m, x in (("a", 0.5), ("b", 0.7))
        for t in ("nq", "hotpot")
        for metric in ("ndcg", "ppl")
        for seed in (0, 1)
    )
    table, notes = read(tmp_path, rows, lower_is_better="nq ppl,hotpot ppl")
    assert table.tasks == ("hotpot ndcg", "hotpot ppl", "nq ndcg", "nq ppl")
    assert "a task by each 'metric' is a task of its own" in notes
    with pytest.raises(DataError, match="are small scores better on 'nq ppl', 'hotpot ppl'"):
        read(tmp_path, rows)
    table, notes = read(tmp_path, rows.replace("metric", "language"), columns={"ignore": "language"})
    assert table.tasks == ("hotpot", "nq")
    assert "read as runs" in notes


def test_a_metric_that_all_scores_of_a_task_share_tells_which_way_they_point(tmp_path: Path) -> None:
    rows = "model,benchmark,metric,value\na,wiki,perplexity,12\na,sst2,accuracy,0.9\nb,wiki,perplexity,10\n"
    with pytest.raises(DataError, match="are small scores better on 'wiki'"):
        read(tmp_path, rows)


def test_points_separate_thousands_where_the_table_shows_it(tmp_path: Path) -> None:
    table, _ = read(tmp_path, "Modell;Durchsatz;Genauigkeit\na;1.250;0,91\nb;980;0,89\nc;2.100;0,93\n")
    assert table.cells().tolist() == [[1250, 0.91], [980, 0.89], [2100, 0.93]]


def test_deviations_behind_a_sign_are_no_tasks(tmp_path: Path) -> None:
    table, _ = read(tmp_path, "model,sst2,±,cola,±\na,0.9,0.1,0.6,0.2\nb,0.8,0.1,0.5,0.1\n")
    assert table.tasks == ("cola", "sst2")


def test_names_that_are_links_are_their_texts(tmp_path: Path) -> None:
    linked = PLAIN.replace("ours-7b", "[ours-7b](https://a.org/x)").replace("base-1b", "[base-1b](https://a.org/y)")
    assert "[ours-7b](https://a.org/x)" in read(tmp_path, linked)[0].models
    every = linked.replace("t5-small", "[t5-small](https://a.org/z)")
    assert same(read(tmp_path, every)[0], read(tmp_path, PLAIN)[0])


def test_a_table_of_ranks_is_asked_about(tmp_path: Path) -> None:
    ranks = "Model,T1,T2,T3\na,1,2,3\nb,2,1,1\nc,3,3,2\n"
    with pytest.raises(DataError, match="are small scores better on 'T1', 'T2', 'T3'"):
        read(tmp_path, ranks)
    assert read(tmp_path, ranks, lower_is_better="all")[0].lower.all()
    assert not read(tmp_path, ranks, lower_is_better="")[0].lower.any()
    long = "model,task,score\n" + "".join(f"{m},{t},{n}\n" for t in ("x", "y") for n, m in enumerate("abc", start=1))
    with pytest.raises(DataError, match="are small scores better on 'x', 'y'"):
        read(tmp_path, long)


RANKS = "model,task,rank\na,t,1\nb,t,2\nc,t,3\na,u,2\nb,u,1\nc,u,3\n"
NAMED = {"item": "model", "ranker": "task", "score": "rank"}


@pytest.mark.parametrize("columns", [None, NAMED], ids=["no option", "the column named"])
def test_a_long_table_of_ranks_alone_asks_and_is_read_by_the_remedy(
    columns: dict[str, str] | None, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"the column 'rank' holds ranks.* columns=\{'ignore': ''\}, lower_is_better="):
        read(tmp_path, RANKS, columns=columns)
    remedy = {**(columns or {}), "ignore": ""}
    table, _ = read(tmp_path, RANKS, columns=remedy, lower_is_better="all")
    assert dict(zip(table.models, table.cells().mean(axis=1), strict=True)) == {"a": -1.5, "b": -1.5, "c": -3.0}
    with pytest.raises(DataError, match="are small scores better on 't', 'u'"):
        read(tmp_path, RANKS, columns=remedy)


@pytest.mark.parametrize(
    ("lower", "of_a"),
    [(None, {"sts": 0.9, "nli": 0.8}), ("all", {"sts": -0.9, "nli": -0.8}), (["sts"], {"sts": -0.9, "nli": 0.8})],
)
def test_a_table_that_was_read_is_turned_around_where_small_scores_are_better(
    lower: Any, of_a: dict[str, float]
) -> None:
    made = score_table({"a": {"sts": 0.9, "nli": 0.8}, "b": {"sts": 0.5, "nli": 0.6}})
    turned = score_table(made, lower_is_better=lower)
    assert dict(zip(turned.tasks, turned.cells()[turned.models.index("a")], strict=True)) == of_a


# --- what stands above, beside and between the scores -----------------------------------------------------------------


def scores_of(table: ScoreTable) -> dict[str, dict[str, float]]:
    """{task: {model: mean score}}."""
    cells = table.cells().T.tolist()
    return {
        task: {model: x for model, x in zip(table.models, row, strict=True) if x == x}
        for task, row in zip(table.tasks, cells, strict=True)
    }


TWO = "a,1.5,2\nb,2.5,1\n"
MANY = [f"n{n}" for n in range(13)]


def with_texts(count: int) -> str:
    """A table with so many columns of texts."""
    return "".join(
        ",".join([first, *cells, *last]) + "\n"
        for first, cells, last in (
            ("model", MANY[:count], ("sts", "nli")),
            ("a", ["x"] * count, ("1.5", "2")),
            ("b", ["y"] * count, ("2.5", "1")),
        )
    )


NOTED: list[tuple[str, Any, str]] = [
    # above the header
    ("Results,,\n,,\nmodel,sts,nli\n" + TWO, {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     "what stands above line 3 was left out ('Results')"),
    # columns that are no tasks
    ("model,sts,±,nli,±\na,1.5,0.1,2,0.2\nb,2.5,0.1,1,0.1\n", {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     "left out '±': describes the models; columns={'ignore': ''} reads every column"),
    ("model,,Index,#,sts,nli\na,0,0,1,1.5,2\nb,1,1,2,2.5,1\n", {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     "left out 'Index', '#': numbers the rows; columns={'ignore': ''} reads every column"),
    ("model,,sts\na,x,1.5\nb,y,2.5\n", {"sts": {"a": 1.5, "b": 2.5}}, ""),
    (with_texts(12), {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     f"left out {', '.join(map(repr, MANY[:12]))}: holds texts; columns={{'ignore': ''}} reads every column"),
    (with_texts(13), {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     f"left out {', '.join(map(repr, MANY[:12]))}, …: holds texts; columns={{'ignore': ''}} reads every column"),
    ("model,sts,nli\na,1.5,2\nb,2,2.5\na,3,4\nAverage,2,2\n", {"sts": {"a": 2.25, "b": 2}, "nli": {"a": 3, "b": 2.5}},
     "left out 'Average': sums up the others; columns={'ignore': ''} reads every column | "
     "'a' has 2 rows: rows of one model are read as its runs"),
    # models without scores
    ("model,sts,nli\n" + TWO + "".join(f"g{n:02},,\n" for n in range(12)),
     {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     "12 models have no scores and no place on the board: " + ", ".join(f"'g{n:02}'" for n in range(12))),
    ("model,sts,nli\n" + TWO + "".join(f"g{n:02},,\n" for n in range(13)),
     {"sts": {"a": 1.5, "b": 2.5}, "nli": {"a": 2, "b": 1}},
     "13 models have no scores and no place on the board: " + ", ".join(f"'g{n:02}'" for n in range(12)) + ", …"),
    # rows of tasks
    ("task,m1,m2,kind\nsts,1.5,2,s\nnli,2,2.5,s\nqa,3,4,q\n",
     {"sts": {"m1": 1.5, "m2": 2}, "nli": {"m1": 2, "m2": 2.5}, "qa": {"m1": 3, "m2": 4}},
     "the column 'kind' groups the tasks ('q', 's'); to count each group once say families='kind'"),
    ("task,m1,m2,kind\nsts,1.5,2,s\nnli,2,2.5,t\n", {"sts": {"m1": 1.5, "m2": 2}, "nli": {"m1": 2, "m2": 2.5}},
     "left out 'kind': holds texts; columns={'ignore': ''} reads every column"),
    # which side the models are on, by their names or by where the means are
    ("x,llama,gpt\nu,1.5,2\nv,2.5,2\n", {"u": {"llama": 1.5, "gpt": 2}, "v": {"llama": 2.5, "gpt": 2}},
     "the columns were read as models, and the rows as tasks; the first is 'u'"),
    ("x,y,z\nllama,1.5,2\nv,2.5,1\n", {"y": {"llama": 1.5, "v": 2.5}, "z": {"llama": 2, "v": 1}}, ""),
    ("x,y,z\nu,1.5,2\nv,2.5,1\nAverage,2,2\n", {"u": {"y": 1.5, "z": 2}, "v": {"y": 2.5, "z": 1}},
     "left out 'Average': sums up the others; columns={'ignore': ''} reads every column"),
    ("x,y,z,Average\nu,1.5,2,1.75\nv,2.5,1,1.75\n", {"y": {"u": 1.5, "v": 2.5}, "z": {"u": 2, "v": 1}},
     "left out 'Average': sums up the others; columns={'ignore': ''} reads every column"),
    ("x,llama,gpt,Average\nu,1.5,2,1.75\nv,2.5,1,1.75\n", {"llama": {"u": 1.5, "v": 2.5}, "gpt": {"u": 2, "v": 1}},
     "left out 'Average': sums up the others; columns={'ignore': ''} reads every column"),
    ("n,w\n3.5,4\n5.5,6\n", {"w": {"3.5": 4, "5.5": 6}}, ""),
    # sums and means
    ("model,sts,nli,qa,tot\na,1.5,2,3,6.5\nb,2.5,1,3,6.5\nc,1,1.5,2.2,4.7\n",
     {"sts": {"a": 1.5, "b": 2.5, "c": 1}, "nli": {"a": 2, "b": 1, "c": 1.5}, "qa": {"a": 3, "b": 3, "c": 2.2}},
     "left out 'tot': sums up the others; columns={'ignore': ''} reads every column"),
    ("model,sts,nli,qa,tot\na,1.5,2,3,2.179\nb,2.5,1,3,2.167\nc,1,1.5,2.2,1.57\n",  # 0.0123 of 0.0131 off
     {"sts": {"a": 1.5, "b": 2.5, "c": 1}, "nli": {"a": 2, "b": 1, "c": 1.5}, "qa": {"a": 3, "b": 3, "c": 2.2}},
     "left out 'tot': sums up the others; columns={'ignore': ''} reads every column"),
    ("model,sts,nli,tot\na,1.5,2,2.19\nb,2.5,1,2.167\nc,1,1.5,1.57\n",  # means of two columns are no sign
     {"sts": {"a": 1.5, "b": 2.5, "c": 1}, "nli": {"a": 2, "b": 1, "c": 1.5},
      "tot": {"a": 2.19, "b": 2.167, "c": 1.57}}, ""),
    ("model,sts,nli,qa,tot\na,1.5,2,3,2.19\nb,2.5,1,3,2.167\nc,1,1.5,2.2,1.57\n",  # 0.0233 off
     {"sts": {"a": 1.5, "b": 2.5, "c": 1}, "nli": {"a": 2, "b": 1, "c": 1.5}, "qa": {"a": 3, "b": 3, "c": 2.2},
      "tot": {"a": 2.19, "b": 2.167, "c": 1.57}}, ""),
    ("model,sts,nli,qa,tot\na,1.5,2,3,2.167\nb,2.5,1,3,2.167\nc,1,,2.2,1.6\n",  # two whole rows are too few
     {"sts": {"a": 1.5, "b": 2.5, "c": 1}, "nli": {"a": 2, "b": 1}, "qa": {"a": 3, "b": 3, "c": 2.2},
      "tot": {"a": 2.167, "b": 2.167, "c": 1.6}}, ""),
    # cells
    ("model,sts\na,0.5\nb,0.6\nc,70\nd,100\ne,1\n", {"sts": {"a": 0.5, "b": 0.6, "c": 70, "d": 100, "e": 1}},
     "the scores of 'sts' go to 1 in some rows and to 100 in others; check them"),
    ("model,sts\na,0.5\nb,0.6\nc,70\nd,0.7\n", {"sts": {"a": 0.5, "b": 0.6, "c": 70, "d": 0.7}}, ""),
    ("model,sts\na,0.5\nb,0.6\nc,10\nd,0.7\ne,70\n", {"sts": {"a": 0.5, "b": 0.6, "c": 10, "d": 0.7, "e": 70}}, ""),
    ("model,sts\na,0.5\nb,0.6\nc,101\nd,0.7\ne,70\n", {"sts": {"a": 0.5, "b": 0.6, "c": 101, "d": 0.7, "e": 70}}, ""),
    ("model,sts\na,0.5\nb,0\nc,80\nd,0.7\ne,70\n", {"sts": {"a": 0.5, "b": 0, "c": 80, "d": 0.7, "e": 70}}, ""),
    ("model,sts\n" + "".join(f"m{n:02},0.{n + 10}\n" for n in range(9)) + "m09,70\n",
     {"sts": {f"m{n:02}": (n + 10) / 100 for n in range(9)} | {"m09": 70}},
     "the scores of 'sts' go to 1 in some rows and to 100 in others; check them"),
    ("model,sts\n" + "".join(f"m{n:02},0.{n + 10}\n" for n in range(10)) + "m10,70\n",
     {"sts": {f"m{n:02}": (n + 10) / 100 for n in range(10)} | {"m10": 70}}, ""),
    ("model;p;q;r;s\na;1,5;2,5;3,5;4,5\nb;2,5;1,5;1,5;9\n",
     {"p": {"a": 1.5, "b": 2.5}, "q": {"a": 2.5, "b": 1.5}, "r": {"a": 3.5, "b": 1.5}, "s": {"a": 4.5, "b": 9}},
     "read '1,5' as 1.5, '2,5' as 2.5, '3,5' as 3.5"),
    # long
    ("model,task,score\na,t,90%\nb,t,n/a\nc,t,80%\na,u,50%\nb,u,60%\nd,u,-\n",
     {"t": {"a": 0.9, "c": 0.8}, "u": {"a": 0.5, "b": 0.6}},
     "read as missing: 'n/a' (1 cell), '-' (1 cell) | percentages were read as numbers: 90% is 0.9 | "
     "1 model has no scores and no place on the board: 'd'"),
    ("model;task;score\na;t;1.250\nb;t;990\na;u;0,5\nb;u;0,7\n",
     {"t": {"a": 1250, "b": 990}, "u": {"a": 0.5, "b": 0.7}},
     "read '1.250' as 1250, '0,5' as 0.5"),
    ("model,task,x,value\na,t,1.5,2\nb,t,2,2.5\na,u,1.5,2\nb,u,2,2.5\n",
     {"t": {"a": 2, "b": 2.5}, "u": {"a": 2, "b": 2.5}},
     ""),
    ("model,task,params,score\na,t,1,1.5\nb,t,2,2\na,u,1,1\nb,u,2,2.5\n",
     {"t": {"a": 1.5, "b": 2}, "u": {"a": 1, "b": 2.5}},
     ""),
    ("model,task,WER ↓\na,t,1.5\nb,t,2\na,u,1\nb,u,2.5\n", {"t": {"a": -1.5, "b": -2}, "u": {"a": -1, "b": -2.5}},
     "small scores are better on 't', 'u', as the names say"),
    ("model,task,host,score\na,t,x1,1.5\nb,t,x2,2\na,t,x3,1\nb,t,x4,2.5\na,u,x5,2\n",
     {"t": {"a": 1.25, "b": 2.25}, "u": {"a": 2}},
     "2 rows more of the same model and task, which differ in 'host': read as runs of the task"),
    ("model,task,fold,n,score\na,t,1,5,1.5\nb,t,1,6,2\na,t,2,7,1\n", {"t": {"a": 1.25, "b": 2}},
     "1 row more of the same model and task, which differ in 'fold': read as runs of the task"),
    ("model,task,split,score\na,t,dev,1.5\nb,t,dev,2\na,t,test,1\nb,t,test,2.5\na,u,,2\nb,u,,3\n",
     {"t dev": {"a": 1.5, "b": 2}, "t test": {"a": 1, "b": 2.5}, "u": {"a": 2, "b": 3}},
     "a task by each 'split' is a task of its own, such as 't dev'; columns={'ignore': 'split'} makes runs of them"),
    ("model,task,kind,score\na,t,x,1\nb,t,x,2\na,u,x,1\nb,u,x,2\na,v,y,2\nb,v,y,1\n",
     {"t": {"a": 1, "b": 2}, "u": {"a": 1, "b": 2}, "v": {"a": 2, "b": 1}},
     "the column 'kind' groups the tasks ('x', 'y'); to count each group once say families='kind'"),
    *((f"model,task,kind,score\na,t,x,1\nb,t,x,2\na,u,{u},1\nb,u,{u},2\n",
       {"t": {"a": 1, "b": 2}, "u": {"a": 1, "b": 2}}, "") for u in "xy"),
    ("model,task,sts,nli\nm1,a,1.5,2\nm2,b,2.5,3\nm3,c,3,1.5\n",
     {"sts": {"m1": 1.5, "m2": 2.5, "m3": 3}, "nli": {"m1": 2, "m2": 3, "m3": 1.5}},
     "left out 'task': holds texts; columns={'ignore': ''} reads every column"),
    ("model,task,sts\nm1,a,1.5\nm2,b,2.5\n", {"a": {"m1": 1.5}, "b": {"m2": 2.5}}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "scores", "noted"), NOTED)
def test_a_table_is_read_as_its_owner_means_it_and_what_was_decided_is_told(
    text: str, scores: dict[str, dict[str, float]], noted: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    log = ReadLog()
    assert scores_of(score_table(path, log=log)) == scores
    assert " | ".join(str(note).replace(f"{path}: ", "") for note in log.notes) == noted


ASKED = [
    ("", ": 0 rows: there is nothing to read"),
    ("Results,,\n,,\nmodel,sts,nli\n", ":1: there is one column, 'Results', and no scores beside it"),
    ("model,sts\n", ":1: there is a header, and no row below it"),
    ("model\na\nb\n", ":1: there is no column of numbers"),
    ("model,sts,nli\na,x1,y1\nb,x2,y2\n", ":1: there is no column of numbers"),
    ("task,m1,m2\nsts,1.5,2\n,2,2.5\nqa,3,4\n", ":3: the task is empty; expected a name"),
    ("task,m1,m2\nsts,1.5,2\nsts,2,2.5\nqa,3,4\n", ": two rows are of the task 'sts'; rename one of them"),
    ("model,sts,votes,downloads\na,1,20,30\nb,2,30,40\nc,2,30,40\n",
     ":1: are the columns 'votes', 'downloads' tasks, or do they describe the models? say columns={'ignore': "
     "'votes+downloads'} (no task) or columns={'ignore': ''} (tasks)"),
    ("model,sts,votes\na,1,20\nb,2,30\nc,2,30\n",
     ":1: is the column 'votes' a task, or does it describe the models? say columns={'ignore': 'votes'} (no task) or "
     "columns={'ignore': ''} (a task)"),
    ("task,m1,m2\nsts,1.5,2\nvotes,2,2.5\nqa,3,4\n",
     ":3: is the row 'votes' a task, or does it describe the models? remove what is no task, or say columns={'ignore': "
     "''} (every row is a task)"),
    ("model,x,sts\na,1,1.5\nb,3,2.5\nc,2,3.5\n",
     ":1: the column 'x' counts from 1 to 3: does it hold ranks, or scores? say columns={'ignore': 'x'} (ranks, which "
     "are left out) or columns={'ignore': ''} (scores)"),
    ("task,m1,m2,m3\nsts,1.5,2,2\nx,1,2,3\nqa,3,4,4\n",
     ":3: the row 'x' counts from 1 to 3: does it hold ranks, or scores? remove ranks, or say columns={'ignore': ''} "
     "(scores)"),
    ("task,m1,m2\nsts,1.5,2\nnli,1,x\nqa,3,4\n",
     ":3: expected a number for 'nli', found 'x'; empty the cell if there is none, say lenient=True to leave out every "
     "such cell"),
    ("model,sts,rank\na,1.5,1\nb,x,2\nc,2,3\n",
     ":3: expected a number for 'sts', found 'x'; empty the cell if there is none, say lenient=True to leave out every "
     "such cell, or say columns={'ignore': 'rank+sts'} to leave the column out"),
    ("model;sts;nli\na;1,5;1\nb;2.500,5;2.5\nc;3,250.5;2\nd;70*;3\n",
     ":2: the numbers of 'sts' are written in different ways ('1,5'): write them in one way, or say columns={'ignore': "
     "'sts'} to leave the column out"),
    ("model,cost,nli\na,$1.5,1\nb,$2,2.5\nc,$3,2\n",
     "are small scores better on 'cost'? say lower_is_better='cost' or, where large ones are, lower_is_better=''"),
    ("model,x,nli\na,$1.5,1\nb,$2,2.5\nc,3,2\n",
     "are small scores better on 'x'? say lower_is_better='x' or, where large ones are, lower_is_better=''"),
    ("model,task,score\na,t,1.5\nb,t,2.5\n,u,3\n", ":4: the model is empty; expected a name"),
    ("model,task,score\na,t,1.5\nb,,2.5\n", ":3: the task is empty; expected a name"),
    ("model,task,note\na,t,xx\nb,t,yy\na,u,x\nb,u,y\n", ":1: there is no column of scores"),
    ("model,task,p,q,r,s,v\na,t,1.5,2,3,4,5\nb,t,2,2.5,3,4,5\na,u,1.5,2,3,4,5\n",
     ":1: which column holds the scores? say columns={'item': 'model', 'ranker': 'task', 'score': 'p'}, "
     "columns={'item': 'model', 'ranker': 'task', 'score': 'q'}, columns={'item': 'model', 'ranker': 'task', 'score': "
     "'r'} or columns={'item': 'model', 'ranker': 'task', 'score': 's'}"),
    ("model,task,latency\na,t,1.5\nb,t,2\na,u,1\nb,u,2.5\n",
     "are small scores better on 't', 'u'? say lower_is_better='t,u' or, where large ones are, lower_is_better=''"),
    (",y,z\nu,1,2\nv,2,1.5\n",
     ":1: are the rows models, or tasks? the first is 'u', the first column 'y': say columns={'item': '1'} (the rows "
     "are models) or columns={'ranker': '1'} (the rows are tasks)"),
    ("model,rank,params\na,1.5,2\nb,1,2\n",
     ":1: the column 'rank' holds ranks, or describes the models, and there is no other; if small numbers are better, "
     "say columns={'ignore': ''}, lower_is_better='all'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ASKED)
def test_what_cannot_be_read_is_told_with_its_place_and_remedy(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        score_table(path)
    assert str(caught.value).removeprefix(str(path)) == message


def test_lenient_reading_leaves_out_words_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text, line in (("model,sts,nli\na,1.5,1\nb,2.5,2.5\nc,x,3\n", 4), ("task,m1,m2\nsts,1.5,2\nnli,1,x\n", 3)):
        path.write_text(text, encoding="utf-8")
        log = ReadLog()
        assert np.isnan(score_table(path, options=ReadOptions(lenient=True), log=log).cells()).sum() == 1
        assert log.reasons == [("bad number", 1, f"{path}:{line}")]


def test_a_table_that_says_which_columns_are_which_needs_no_hints(tmp_path: Path) -> None:
    columns = {"item": "who", "ranker": "on"}
    long = "who,on,n,result\na,t,1,2.5\nb,t,2,3.5\na,u,3,1.5\n"
    table, _ = read(tmp_path, long, columns=columns)
    assert scores_of(table) == {"t": {"a": 2.5, "b": 3.5}, "u": {"a": 1.5}}
    table, _ = read(tmp_path, long, columns={**columns, "score": "n"})
    assert scores_of(table) == {"t": {"a": 1, "b": 2}, "u": {"a": 3}}
    table, _ = read(tmp_path, long.replace("n,result", "n,m"), columns={**columns, "ignore": "n"})
    assert scores_of(table) == {"t": {"a": 2.5, "b": 3.5}, "u": {"a": 1.5}}
    wide, _ = read(tmp_path, "n,who,x\n1,a,2.5\n2,b,3.5\n", columns={"item": "who", "ignore": "n"})
    assert scores_of(wide) == {"x": {"a": 2.5, "b": 3.5}}
