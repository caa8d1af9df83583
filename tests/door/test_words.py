"""The words that people bring from other tools: each is read as that tool means it, or refused with the remedy."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import stagg
from stagg.errors import InvalidParameter, UnknownName
from stagg.measures import MEASURES, judge
from stagg.measures.names import ALIASES
from stagg.methods import METHODS
from tests.command_line import Run, copy_sample, runner

WORDS = {
    "nDCG@10": "ndcg(gain='linear')@10",
    "NDCG@10": "ndcg(gain='linear')@10",
    "nDCG": "ndcg(gain='linear')",
    "nDCG(dcg='exp-log2')@10": "ndcg@10",
    "nDCG(dcg='log2')@10": "ndcg(gain='linear')@10",
    "ndcg@10": "ndcg@10",
    "Ndcg@10": "ndcg@10",
    "P@5": "p@5",
    "P(rel=2)@5": "p(rel=2)@5",
    "Precision@5": "p@5",
    "AP": "map",
    "ap": "map",
    "AP(rel=2)@100": "map(rel=2)@100",
    "MAP": "map",
    "RR@10": "mrr@10",
    "MRR@10": "mrr@10",
    "R@100": "recall@100",
    "Recall@100": "recall@100",
    "ERR@20": "err(ymax=4)@20",
    "err@20": "err@20",
    "err(ymax=4)": "err(ymax=4)",
    "RBP": "rbp(p=0.8)",
    "RBP(rel=1, p=0.95)": "rbp(p=0.95, rel=1)",
    "RBP(0.9)": "rbp(p=0.9)",
    "rbp": "rbp(p=0.95)",
    "Success@5": "success@5",
    "Judged@10": "judged@10",
    "Bpref": "bpref",
    "bpref": "bpref",
    "Rprec": "rprec",
    "Rprec(rel=2)": "rprec(rel=2)",
    "r_precision": "rprec",
    "SDCG(max_rel=3)@10": "sdcg(ymax=3)@10",
    "SDCG(dcg='log2', max_rel=3)@10": "sdcg(ymax=3)@10",
    "sdcg@10": "sdcg@10",
    "ndcg_cut_10": "ndcg(gain='linear')@10",
    "ndcg_cut.10": "ndcg(gain='linear')@10",
    "NDCG_CUT_10": "ndcg(gain='linear')@10",
    "map_cut_10": "map@10",
    "P_5": "p@5",
    "p_5": "p@5",
    "recall_100": "recall@100",
    "success_1": "success@1",
    "recip_rank": "mrr",
    "hit_rate@5": "success@5",
    "precision@5": "p@5",
    "ndcg_burges@10": "ndcg@10",
}


@pytest.mark.parametrize(("word", "here"), WORDS.items())
def test_a_measure_may_have_the_name_that_another_tool_gives_it(word: str, here: str) -> None:
    assert repr(MEASURES.parse(word)) == here


def test_every_alias_is_tried_here() -> None:
    tried = {word.split("@")[0].split("(")[0].removesuffix("_10") for word in WORDS}
    assert set(ALIASES) <= tried


TREC_EVAL = ["ndcg_cut_10", "map_cut_10", "P_5", "recall_100", "success_5", "recip_rank", "bpref", "map"]
IR_MEASURES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "R@100": "recall_100",
    "P@5": "P_5",
    "RR": "recip_rank",
}


@pytest.mark.parametrize(("word", "theirs"), [*zip(TREC_EVAL, TREC_EVAL, strict=True), *IR_MEASURES.items()])
def test_a_name_of_trec_eval_has_its_values_on_graded_labels(word: str, theirs: str) -> None:
    rng = np.random.default_rng(sum(map(ord, word)))
    items = [f"d{number}" for number in range(150)]
    qrels = {
        f"q{q}": {item: int(rng.choice([0, 0, 0, 1, 2, 3])) for item in items if rng.random() < 0.6} for q in range(20)
    }
    run = {q: {item: float(rng.random()) for item in rng.permutation(items)[: rng.integers(5, 150)]} for q in qrels}
    asked = re.sub(r"_(\d+)$", r".\1", theirs)  # ndcg_cut.10 is asked for, ndcg_cut_10 answered
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {asked})
    expected = {query: values[theirs] for query, values in evaluator.evaluate(run).items()}
    judged = judge(stagg.Rankings.from_runs({"run": run}), stagg.Labels(qrels), single_precision=True)
    found = dict(zip(judged.queries, MEASURES.parse(word).value(judged).tolist(), strict=True))
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_spelling_decides_between_the_two_gains_and_the_table_says_which() -> None:
    run, labels = [{"a": 2.0, "b": 1.0}], {"1": {"a": 1, "b": 3}}
    table = stagg.evaluate(run, labels, "nDCG@10,ndcg@10")
    linear, exponential = (row["mean"] for row in table.rows)
    assert linear > exponential
    assert [row["measure"] for row in table.rows] == ["nDCG@10", "ndcg@10"]
    assert table.notes == ("nDCG@10, as in ir_measures, is ndcg(gain='linear')@10",)


def test_a_grade_above_the_top_grade_of_gdeval_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidParameter, match=r"a label is 5, above ymax; write err\(ymax=5\), or err"):
        stagg.evaluate([["a"]], {"1": {"a": 5}}, "ERR@20")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndcg(k=10)", r"stagg calls it 'cutoff': ndcg@10"),
        ("nDCG(k=10)", r"stagg calls it 'cutoff': ndcg@10"),
        ("nDCG(dcg='ln')", r"dcg is 'ln'; it must be 'log2' or 'exp-log2'"),
        ("P", r"p needs a cutoff: write p@10"),
        ("P(judged_only=True)@5", r"p has no parameter 'judged_only'"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_can(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        MEASURES.parse(text)


def test_methods_are_found_by_any_case_and_k_is_told_to_be_c() -> None:
    assert repr(METHODS.parse("RRF")) == repr(METHODS.parse("RRF(60)")) == "rrf(c=60)"
    with pytest.raises(InvalidParameter, match=r"rrf has no parameter 'k'; stagg calls it 'c': rrf\(c=60\)"):
        METHODS.parse("rrf(k=60)")
    with pytest.raises(UnknownName, match="did you mean 'borda'"):
        METHODS.parse("brda")


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return copy_sample(tmp_path / "sample")


@pytest.mark.parametrize("methods", ["rrf(c=60),borda", "rrf(c=60);borda", "RRF(60), Borda", "rrf ; borda,"])
def test_methods_are_separated_by_commas_or_semicolons(methods: str, sample: Path, run: Run) -> None:
    files = [sample / f"{name}.trec" for name in ("bm25", "dense", "sparse")]
    done = run("compare", *files, "--qrels", sample / "qrels.txt", "--methods", methods, "--format", "csv", "-q")
    assert done.code == 0
    names = dict.fromkeys(line.split(",")[0] for line in done.out.splitlines()[1:])
    assert list(names) == ["rrf(c=60)", "borda"]


def test_the_command_line_reads_the_words_of_ir_measures_and_says_what_they_are(sample: Path, run: Run) -> None:
    words = "nDCG@10,P@5,AP,RR@10,R@100,ndcg_cut_10,recip_rank,bpref"
    done = run("evaluate", sample / "bm25.trec", "--qrels", sample / "qrels.txt", "--measures", words, "--format", "md")
    assert done.code == 0
    header = [cell.strip().replace("\\_", "_") for cell in done.out.splitlines()[0].split("|")]
    assert [cell for cell in header if cell] == ["run", *words.split(",")]
    for here in ("ndcg(gain='linear')@10", "map", "mrr@10", "recall@100", "mrr"):
        assert f"is {here}" in done.out
    assert "nDCG@10, as in ir\\_measures, is ndcg(gain='linear')@10" in done.out


def test_stagg_measures_shows_the_names_of_other_tools(run: Run) -> None:
    assert "nDCG (ir_measures) is ndcg(gain='linear')" in run("measures", "nDCG@10").out
    assert "P_10 (trec_eval) is p@10" in run("measures", "P_5").out
    listed = run("measures").out
    assert "nDCG@10 (ir_measures)" in " ".join(listed.split())
    assert "gain 2^y-1" in " ".join(listed.split())
