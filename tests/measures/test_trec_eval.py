"""Per query the same numbers as trec_eval (pytrec_eval), ties included, also those that only trec_eval sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import stagg
from stagg.data import Labels, Rankings
from stagg.formats import ReadLog
from stagg.measures import MEASURES, judge

THEIRS = {
    "ndcg(gain='linear')@10": "ndcg_cut_10",
    "ndcg(gain='linear')": "ndcg",
    "map": "map",
    "map@5": "map_cut_5",
    "p@10": "P_10",
    "mrr": "recip_rank",
    "recall@100": "recall_100",
    "success@5": "success_5",
    "bpref": "bpref",
}
RUNS = ["BM25", "BM25_RM3", "D_BERT_KD_TASB", "OPEN_AI_ADA2", "REP_LLAMA", "SPLADE_P_P_ENSEMBLE_DISTIL"]

Numbers = dict[str, dict[str, float]]


def trec_eval(run: Numbers, qrels: Numbers, name: str, level: int = 1) -> dict[str, float]:
    whole = {query: {item: int(grade) for item, grade in of.items()} for query, of in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(whole, {name.replace("_cut_", "_cut.")}, relevance_level=level)
    return {query: values[name] for query, values in evaluator.evaluate(run).items()}


def ours(run: Rankings, labels: Labels, text: str) -> dict[str, float]:
    judged = judge(run, labels, only_common=True, single_precision=True)
    return dict(zip(judged.queries, MEASURES.parse(text).value(judged).tolist(), strict=True))


def random_scores(rng: np.random.Generator, n: int, kind: str) -> list[float]:
    whole = rng.integers(0, max(2, n // 3), n).astype(float)
    if kind == "float32 ties":  # 20 + k · 1e-8: different numbers, one 32-bit number
        return list(20 + whole % 5 + 1e-8 * rng.permutation(n))
    return list(whole if kind == "ties" else rng.permutation(n).astype(float))


@pytest.mark.parametrize("kind", ["no ties", "ties", "float32 ties"])
@pytest.mark.parametrize("text", THEIRS)
def test_random_runs_score_as_in_trec_eval(text: str, kind: str) -> None:
    rng = np.random.default_rng(sum(map(ord, text + kind)))
    qrels, run = {}, {}
    for query in map(str, range(30)):
        pool = [f"{rng.choice(['d', 'D', 'é', '日'])}{number}" for number in range(rng.integers(2, 200))]
        qrels[query] = {item: int(rng.choice([0, 0, 0, 1, 2, 3])) for item in pool if rng.random() < 0.5}
        listed = [item for item in pool if rng.random() < 0.8] or pool
        listed = rng.permutation(listed).tolist()
        run[query] = dict(zip(listed, map(float, random_scores(rng, len(listed), kind)), strict=True))
    qrels = {query: of for query, of in qrels.items() if of}
    found = ours(Rankings.from_runs({"run": run}), Labels(qrels), text)
    assert found == pytest.approx(trec_eval(run, qrels, THEIRS[text]), abs=1e-9)


def test_a_higher_relevance_level_is_rel() -> None:
    rng = np.random.default_rng(5)
    qrels = {"q": {f"d{number}": int(rng.integers(0, 4)) for number in range(50)}}
    run = {"q": {f"d{number}": float(rng.random()) for number in range(50)}}
    found = ours(Rankings.from_runs({"run": run}), Labels(qrels), "map(rel=2)")
    assert found == pytest.approx(trec_eval(run, qrels, "map", level=2), abs=1e-9)


def test_single_precision_is_needed_where_scores_differ_only_as_64_bit_numbers() -> None:
    run, qrels = {"q": {"a": 20.00000001, "b": 20.0}}, {"q": {"a": 1, "b": 0}}
    rankings, labels, mrr = Rankings.from_runs({"run": run}), Labels(qrels), MEASURES.parse("mrr")
    assert mrr.value(judge(rankings, labels)) == 1
    assert mrr.value(judge(rankings, labels, single_precision=True)) == trec_eval(run, qrels, "recip_rank")["q"] == 0.5


@pytest.mark.parametrize("name", RUNS)
def test_dl19_scores_as_in_trec_eval(shared_data: Path, name: str) -> None:
    folder = shared_data / "trec-dl-hybrid" / "dl19"
    if not folder.is_dir():
        pytest.skip("no dl19")
    rankings = stagg.read(folder / f"{name}.trec", log=ReadLog())
    labels = stagg.read_labels(folder / "qrels.txt", log=ReadLog())
    run = {query: dict(of) for query, of in rankings.to_runs()[name].items()}
    qrels = {query: dict(labels[query]) for query in labels}
    for text, theirs in THEIRS.items():
        assert ours(rankings, labels, text) == pytest.approx(trec_eval(run, qrels, theirs), abs=1e-9), text
