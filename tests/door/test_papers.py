"""For papers: named rows and columns, inputs as rows, LaTeX that compiles, figures as wide as a column."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import stagg
from stagg.data.simulation import simulate
from stagg.errors import InvalidParameter
from stagg.evaluation import compare
from tests.command_line import Run, runner

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "src" / "stagg" / "sample"
MADE = simulate(queries=12, items=15, rankers=3, depth=8, seed=3)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample files, as the how-to has them."""
    for name in ("bm25.trec", "dense.trec", "sparse.trec", "qrels.txt"):
        shutil.copy(SAMPLE / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = ("bm25.trec", "dense.trec", "sparse.trec", "--qrels", "qrels.txt", "-q")


# --- names ------------------------------------------------------------------------------------------------------------


def test_rows_and_columns_have_the_names_that_they_are_given(folder: Path, run: Run) -> None:
    named = ("--methods", "Our fusion: rrf(c=60), 'Borda, 1781': borda", "--measures", "Hits: success@1, AP: AP")
    found = json.loads(run("compare", *RUNS, *named, "--json").out)
    assert {row["method"] for row in found["rows"]} == {"Our fusion", "Borda, 1781"}
    assert {row["measure"] for row in found["rows"]} == {"Hits", "AP"}
    assert {"Hits: success@1", "AP: map", "Our fusion: rrf(c=60)", "Borda, 1781: borda"} <= set(found["notes"])


def test_learners_families_and_models_have_names_too(folder: Path, run: Run) -> None:
    assert run("train", *RUNS, "--learner", "weights", "-o", "model.json").code == 0
    named = ("--learners", "Best: best_input", "--tune", "Tuned: rrf(c=[10,60])", "--model", "Mine: model.json")
    found = json.loads(run("compare", *RUNS, *named, "--folds", 3, "--measures", "ndcg@10", "--json").out)
    assert [row["method"] for row in found["rows"]] == ["Mine", "Tuned", "Best"]
    assert any(note.startswith("Tuned: rrf(c=[10,60]), chosen by fold: rrf(c=") for note in found["notes"])
    assert any(note.startswith("Best: best_input(measure='ndcg@10'), chosen by fold:") for note in found["notes"])


def test_python_names_rows_and_columns_by_dicts_as_well() -> None:
    found = compare(
        MADE.rankings,
        MADE.labels,
        {"RRF": "rrf"},
        learners={"Best": "best_input"},
        tune={"Tuned": "rrf(c=[1, 60])"},
        measures={"Gain": "nDCG@5"},
        folds=3,
    )
    assert found.methods == ("RRF", "Tuned", "Best")
    assert found.measures == ("Gain",)
    assert found.table.notes[0] == "Gain: ndcg(gain='linear')@5"


@pytest.mark.parametrize("methods", ["A: rrf, A: borda", "rrf, rrf(c=60)", "borda: rrf, borda"])
def test_a_name_is_given_once(methods: str) -> None:
    with pytest.raises(InvalidParameter, match="is named twice"):
        compare(MADE.rankings, MADE.labels, methods)
    with pytest.raises(InvalidParameter, match="'A' is given to two measures"):
        compare(MADE.rankings, MADE.labels, "rrf", measures="A: ndcg@5, A: map")


# --- inputs -----------------------------------------------------------------------------------------------------------


def test_every_input_is_a_row_judged_as_evaluate_does_and_is_not_the_baseline() -> None:
    found = compare(MADE.rankings, MADE.labels, "rrf, borda", inputs=True, measures="ndcg@5,map")
    assert found.methods == (*MADE.rankings.rankers, "rrf(c=60)", "borda")
    assert found.baseline == "rrf(c=60)"
    expected = {
        (row["run"], row["measure"]): row["mean"]
        for row in stagg.evaluate(MADE.rankings, MADE.labels, "ndcg@5,map").rows
    }
    for row in found.table.rows:
        if row["method"] in MADE.rankings.rankers:
            assert row["mean"] == pytest.approx(expected[row["method"], row["measure"]], abs=1e-12)


def test_inputs_alone_can_be_compared_and_weights_and_depth_hold_for_them() -> None:
    first, *others = MADE.rankings.rankers
    found = compare(MADE.rankings, MADE.labels, inputs=True, weights={first: 0}, depth=2, measures="p@5")
    assert list(found.methods) == others
    assert found.values.max() <= 2 / 5


def test_an_input_that_has_the_name_of_a_method_is_refused() -> None:
    votes = stagg.Rankings.from_lists({"borda": ["a", "b"], "x": ["b", "a"]})
    with pytest.raises(InvalidParameter, match="borda is named twice"):
        compare(votes, {"1": {"a": 1}}, "borda", inputs=True)


# --- learners ---------------------------------------------------------------------------------------------------------


def test_a_learner_goes_by_the_first_measure_unless_it_names_one() -> None:
    found = compare(
        MADE.rankings,
        MADE.labels,
        learners="best_input; best_input(measure='map')",
        measures="ndcg@10,err",
    )
    assert found.methods == ("best_input(measure='ndcg@10')", "best_input(measure='map')")


def test_the_first_measure_decides_what_is_learned() -> None:
    """One ranker has the best item first, the other all good items within its first three."""
    rankings = stagg.Rankings.from_lists({"first": ["a", "x", "y", "z"], "deep": ["x", "a", "b", "c"]}, query="q")
    labels = {"q": {"a": 1, "b": 1, "c": 1}}
    for measure, best in (("mrr", "first"), ("recall@4", "deep")):
        found = compare(rankings, labels, learners="best_input", measures=measure)
        assert f"chosen on the same queries: {best}" in found.table.notes[-1]


# --- LaTeX and figures ------------------------------------------------------------------------------------------------


def test_the_weights_of_every_fold_are_comments_and_the_caption_is_short(folder: Path, run: Run) -> None:
    done = run("compare", *RUNS, "--methods", "rrf", "--learners", "weights", "--folds", 3, "--format", "latex")
    [caption] = re.findall(r"^\\caption\{(.*)\}$", done.out, re.MULTILINE)
    assert "chosen by fold" not in caption
    assert len(caption) < 260
    assert re.search(r"^% weights.*chosen by fold:", done.out, re.MULTILINE)
    assert r"\label{tab:compare}" in done.out
    assert done.out.count(r"\begin{table}") == 1


def test_caption_and_label_can_be_set_and_are_for_latex_only(folder: Path, run: Run) -> None:
    options = ("--methods", "rrf", "--caption", "Ours & theirs", "--label", "tab:main")
    done = run("compare", *RUNS, *options, "--format", "latex")
    assert r"\caption{Ours \& theirs}" in done.out
    assert r"\label{tab:main}" in done.out
    done = run("compare", *RUNS, *options)
    assert done.code == 2
    assert "--caption and --label are for --format latex" in done.err


def test_a_width_of_plots_needs_plots(folder: Path, run: Run) -> None:
    done = run("compare", *RUNS, "--methods", "rrf", "--plot-width", "one")
    assert done.code == 2
    assert "--plot-width is for the figures of --plots DIR" in done.err


def read_blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "howto" / "paper.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def call_the_how_to(run: Run) -> str:
    """Run the command of the how-to; its table is written where the page says."""
    pytest.importorskip("matplotlib", reason="the figures need matplotlib")
    command = read_blocks("sh")[0].replace("\\\n", " ").strip()
    words, _, target = command.partition(" > ")
    import shlex

    done = run(*shlex.split(words)[1:])
    assert done.code == 0
    Path(target).write_text(done.out, encoding="utf-8")
    return done.out


def test_a_table_says_how_it_was_made_in_every_format(folder: Path, run: Run) -> None:
    made = ("--weights", "dense=2", "--depth", 5, "--missing", "skip", "--folds", 3, "--order-by", "rank")
    call = ("compare", "bm25.trec", "dense.trec", "--qrels", "qrels.txt", "-m", "rrf,borda", *made, "-q")
    settings = json.loads(run(*call, "--json").out)["settings"]
    assert settings == {
        "baseline": "rrf(missing='skip', c=60)",
        "weights": {"dense": 2.0},
        "depth": 5,
        "missing": "skip",
        "folds": 3,
        "inputs": ["bm25.trec", "dense.trec"],
        "qrels": "qrels.txt",
        "order_by": "rank",
        "absent_items": {"skip": ["rrf(missing='skip', c=60)", "borda(missing='skip')"]},
    }
    words = ("weights: dense=2", "depth: 5", "missing: skip", "folds: 3", "bm25.trec, dense.trec", "qrels: qrels.txt")
    for form in ("table", "latex", "md"):
        text = " ".join(run(*call, "--notes", "--format", form).out.replace("\\_", "_").split())
        assert all(word in text for word in words), form
    run(*call, "--report", "report.html")
    page = Path("report.html").read_text()
    assert all(f"<dt>{name}</dt>" in page for name in ("Weights", "Depth", "Missing", "Folds", "Inputs", "Qrels"))


@pytest.mark.parametrize("measures", ["ndcg@10", "ndcg@10,err"])
def test_numbers_are_never_broken_at_80_columns(
    folder: Path, run: Run, measures: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    call = ("compare", "bm25.trec", "dense.trec", "--qrels", "qrels.txt", "-m", "rrf,borda", "--measures", measures)
    text = run(*call, "--learners", "stagg_ndcg", "--folds", 3, "-q", "--notes").out
    rows = json.loads(run(*call, "--learners", "stagg_ndcg", "--folds", 3, "-q", "--json").out)["rows"]
    for row in rows:
        won = "-" if row["wins"] is None else f"{row['wins']}/{row['ties']}/{row['losses']}"
        start, end = f" {row['mean']:.4f} {row['low']:.4f} to {row['high']:.4f} ", f" {won}"
        assert any(start in line and line.rstrip().endswith(end) for line in text.splitlines())
    assert "bold:" not in text  # nothing is bold in a pipe
    assert len(text.splitlines()) < 80


def test_latex_sets_the_inputs_apart_and_labels_only_what_has_a_caption(folder: Path, run: Run) -> None:
    call = ("compare", "bm25.trec", "dense.trec", "--qrels", "qrels.txt", "-m", "rrf", "--inputs", "--folds", 3, "-q")
    first, second = run(*call, "--per-fold", "--format", "latex").out.split("\\end{table}\n")[:2]
    lines = first.splitlines()
    assert next(line for line in lines if line.startswith("Method & "))
    assert [line.split(" ")[0] for line in lines[lines.index("\\midrule") :]][1:5] == [
        "bm25",
        "dense",
        "\\midrule",
        "rrf(c=60)",
    ]
    assert second.index("\\caption{Means over the test queries of each fold") < second.index(
        "\\label{tab:compare-by-fold}"
    )


def test_measures_of_whole_lists_are_said_to_compare_unequal_lengths(folder: Path, run: Run) -> None:
    call = ("compare", "bm25.trec", "dense.trec", "--qrels", "qrels.txt", "-m", "rrf", "--json", "-q", "--measures")
    [note] = [
        note for note in json.loads(run(*call, "AP,nDCG@5", "--inputs").out)["notes"] if "the lists differ" in note
    ]
    assert re.search(r"^AP counts all items .* a fused list up to \d+; AP@\d+ is fair$", note)
    assert "the lists differ" not in run(*call, "AP@5", "--inputs").out
    assert "the lists differ" not in run(*call, "AP").out


def test_fuse_says_which_weights_it_used(folder: Path, run: Run) -> None:
    done = run("fuse", "bm25.trec", "dense.trec", "--weights", "dense=2", "-o", "f.trec", "--report", "f.html")
    assert "by rrf(c=60), weights dense=2, written to f.trec" in done.err
    assert "<dt>Weights</dt>" in Path("f.html").read_text()


def test_the_how_to_shows_the_table_that_its_command_makes(folder: Path, run: Run) -> None:
    assert call_the_how_to(run).startswith(read_blocks("latex")[0])


def test_the_paper_of_the_how_to_compiles(folder: Path, run: Run) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed: apt-get install texlive-latex-base texlive-latex-recommended")
    call_the_how_to(run)
    Path("paper.tex").write_text(read_blocks("latex")[1], encoding="utf-8")
    for _ in range(2):
        compile_document("paper.tex")
    log = Path("paper.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log.lower()  # no reference is open
    assert Path("paper.pdf").read_bytes().startswith(b"%PDF")


def test_a_table_of_hostile_names_compiles(folder: Path, run: Run) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed: apt-get install texlive-latex-base texlive-latex-recommended")
    names = [r"\input{x}", "50 % & more_", "{", "}", "$x^2$ ~ #1", "a^^Mb", '"quoted"', "[x]", "*", "`-'", "<|>"]
    rng = np.random.default_rng(0)
    runs = {name: {"q": {f"d{i}": float(rng.random()) for i in range(5)}} for name in names}
    table = stagg.evaluate(stagg.Rankings.from_runs(runs), {"q": {"d1": 1}}, "ndcg@5,mrr")
    body = table.to_latex(caption=" ".join(names))
    document = "\\documentclass{article}\n\\usepackage{booktabs,amssymb}\n\\begin{document}\n%s\\end{document}\n"
    Path("hostile.tex").write_text(document % body, encoding="utf-8")
    compile_document("hostile.tex")


def compile_document(name: str) -> None:
    options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    done = subprocess.run(["pdflatex", *options, name], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
