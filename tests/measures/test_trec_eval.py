"""Per query the same numbers as trec_eval (pytrec_eval), ties included, also those that only trec_eval sees."""

from __future__ import annotations

from collections.abc import Callable
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
    "rprec": "Rprec",
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
    assert found == pytest.approx(trec_eval(run, qrels, THEIRS[text]), abs=1e-12)


def test_a_higher_relevance_level_is_rel() -> None:
    rng = np.random.default_rng(5)
    qrels = {"q": {f"d{number}": int(rng.integers(0, 4)) for number in range(50)}}
    run = {"q": {f"d{number}": float(rng.random()) for number in range(50)}}
    found = ours(Rankings.from_runs({"run": run}), Labels(qrels), "map(rel=2)")
    assert found == pytest.approx(trec_eval(run, qrels, "map", level=2), abs=1e-12)


def test_single_precision_is_needed_where_scores_differ_only_as_64_bit_numbers() -> None:
    run, qrels = {"q": {"a": 20.00000001, "b": 20.0}}, {"q": {"a": 1, "b": 0}}
    rankings, labels, mrr = Rankings.from_runs({"run": run}), Labels(qrels), MEASURES.parse("mrr")
    assert mrr.value(judge(rankings, labels)) == 1
    assert mrr.value(judge(rankings, labels, single_precision=True)) == trec_eval(run, qrels, "recip_rank")["q"] == 0.5


def evaluated(runs: Rankings, labels: Labels) -> Numbers:
    """{measure: {query: value}} of the first run, by ``stagg.evaluate`` as it is called without options."""
    found: Numbers = {text: {} for text in THEIRS}
    for row in stagg.evaluate(runs.take_rankers([0]), labels, list(THEIRS), per_query=True).rows:
        found[str(row["measure"])][str(row["query"])] = float(row["value"])
    return found


def compared(runs: Rankings, labels: Labels) -> Numbers:
    """The same, by the row that ``stagg.compare`` adds for the run."""
    found = stagg.compare(runs, labels, inputs=True, measures=list(THEIRS))
    values = found.values[found.methods.index(runs.rankers[0])].tolist()
    return {text: dict(zip(found.queries, of, strict=True)) for text, of in zip(THEIRS, values, strict=True)}


@pytest.mark.parametrize("door", [evaluated, compared])
@pytest.mark.parametrize("kind", ["no ties", "ties", "float32 ties"])
def test_long_runs_score_as_in_trec_eval_through_every_door(door: Callable[..., Numbers], kind: str) -> None:
    # 1,000 items and few of them relevant, some far down: two that change places at the end move map by 2.5e-8
    rng = np.random.default_rng(33)
    qrels: Numbers = {}
    run: Numbers = {}
    for query in map(str, range(20)):
        pool = rng.permutation([f"FT{number}" for number in range(1000)]).tolist()
        qrels[query] = dict.fromkeys(rng.permutation(pool)[:300].tolist(), 0) | dict.fromkeys(pool[-40:], 1)
        scores = sorted(random_scores(rng, len(pool), kind), reverse=True)
        run[query] = dict(zip(pool, map(float, scores), strict=True))
    found = door(Rankings.from_runs({"run": run}), Labels(qrels))
    for text, theirs in THEIRS.items():
        assert found[text] == pytest.approx(trec_eval(run, qrels, theirs), abs=1e-12), text


def test_two_items_that_change_places_at_the_end_of_a_list_are_seen() -> None:
    names = [f"d{number:04d}" for number in range(998)]
    scores = dict(zip([*names, "a", "b"], [*map(float, range(2000, 1002, -1)), 20.00000001, 20.0], strict=True))
    run, qrels = {"q": scores}, {"q": dict.fromkeys(["a", *[f"unlisted{number}" for number in range(39)]], 1)}
    rankings, labels = Rankings.from_runs({"run": run}), Labels(qrels)
    expected = trec_eval(run, qrels, "map")["q"]
    assert evaluated(rankings, labels)["map"]["q"] == compared(rankings, labels)["map"]["q"] == expected
    as_they_are = stagg.evaluate(rankings, labels, "map", single_precision=False).rows[0]["mean"]
    assert as_they_are - expected == pytest.approx(2.5e-8, rel=0.01)


def test_a_result_of_fuse_is_evaluated_in_its_own_order_and_as_its_trec_file_is(tmp_path: Path) -> None:
    lists, labels = Rankings.from_scores({"x": {"a": 20.00000001, "b": 20.0}}), Labels({"1": {"a": 1}})
    fused = stagg.fuse(lists, "combsum(norm='none')")
    assert stagg.evaluate(fused, labels, "mrr").rows[0]["mean"] == 1
    stagg.write(fused, tmp_path / "fused.trec", format="trec(strict=True)")
    assert stagg.evaluate(stagg.read(tmp_path / "fused.trec"), labels, "mrr").rows[0]["mean"] == 1
    methods = stagg.compare(lists, labels, "combsum(norm='none')", inputs=True, measures="mrr")
    assert dict(zip(methods.methods, methods.values[:, 0, 0].tolist(), strict=True)) == {
        "x": 0.5,
        "combsum(norm='none')": 1.0,
    }


@pytest.mark.parametrize("door", [evaluated, compared])
def test_dl21groups_scores_as_in_trec_eval_through_every_door(shared_data: Path, door: Callable[..., Numbers]) -> None:
    folder = shared_data / "trec-fusion" / "dl21groups"
    if not folder.is_dir():
        pytest.skip("no dl21groups")
    rankings = stagg.read(folder / "Fast_ForwardP_2.trec", log=ReadLog())  # many of its scores tie as float32
    labels = stagg.read_labels(folder / "qrels.txt", log=ReadLog())
    run, qrels = rankings.to_runs()["Fast_ForwardP_2"], {query: dict(labels[query]) for query in labels}
    found = door(rankings, labels)
    for text, theirs in THEIRS.items():
        assert found[text] == pytest.approx(trec_eval(run, qrels, theirs), abs=1e-12), text
    assert np.mean(list(found["ndcg(gain='linear')@10"].values())) == pytest.approx(0.5521, abs=5e-5)  # not .5527


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
        assert ours(rankings, labels, text) == pytest.approx(trec_eval(run, qrels, theirs), abs=1e-12), text
