"""MTEB: its HybridSearch with our methods, and its three fusions beside ours; in an environment of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stagg import InvalidParameter, UnknownName
from stagg.integrations.mteb import StaggFusion, hybrid_search

REASON = "mteb is not installed: run make integrations"
mteb = pytest.importorskip("mteb", reason=REASON)
wrappers = pytest.importorskip("mteb.models.hybrid_wrappers", reason=REASON)


def random_scores(seed: int) -> list[dict[str, float]]:
    """Two lists with an outlier each, one of equal scores, one of one document and one that is empty."""
    rng = np.random.default_rng(seed)
    lists: list[dict[str, float]] = []
    for size in (14, 9):
        scores = np.sort(np.append(rng.normal(3, 1, size), 60.0))[::-1].tolist()
        lists.append({f"d{d}": score for d, score in zip(rng.permutation(30), scores, strict=False)})
    return [*lists, {"d1": 0.25, "d2": 0.25}, {"d3": 7.0}, {}]


WEIGHTS = [0.4, 0.3, 0.2, 0.05, 0.05]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("function", "method"),
    [
        ("fuse_dbsf", "combsum(norm='dbsf', compat='mteb')"),
        ("fuse_relative_score_fusion", "combsum(norm='min-max', compat='mteb')"),
    ],
)
def test_scores_equal_those_of_mteb(seed: int, function: str, method: str) -> None:
    lists = random_scores(seed)
    theirs = getattr(wrappers, function)(lists, WEIGHTS)
    assert StaggFusion(method)(lists, WEIGHTS) == pytest.approx(dict(theirs), rel=0, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [1, 60])
def test_rrf_equals_that_of_mteb_where_no_scores_are_equal(seed: int, k: int) -> None:
    """Equal scores share the mean of their places here; MTEB puts them in descending order of their ids."""
    lists = [each for number, each in enumerate(random_scores(seed)) if number != 2]
    weights = WEIGHTS[:4]
    theirs = wrappers.fuse_rrf(lists, weights, rrf_k=k)
    assert StaggFusion(f"rrf(c={k})")(lists, weights) == pytest.approx(dict(theirs), rel=0, abs=1e-9)


class Searcher:
    """A model for retrieval that knows its answers."""

    def __init__(self, name: str, answers: dict[str, dict[str, float]]) -> None:
        self.answers = answers
        self.mteb_model_meta = mteb.models.ModelMeta.create_empty(overwrites={"name": f"test/{name}"})

    def index(self, corpus: Any, **options: Any) -> None:
        self.indexed = True

    def search(self, queries: Any, *, top_k: int, **options: Any) -> dict[str, dict[str, float]]:
        return {query["id"]: self.answers.get(query["id"], {}) for query in queries}


BM25 = {"q1": {"d1": 9.0, "d2": 7.5, "d3": 1.0}, "q2": {"d4": 3.0}}
DENSE = {"q1": {"d2": 0.9, "d3": 0.8}, "q3": {}}


def search(model: Any, top_k: int = 10) -> dict[str, dict[str, float]]:
    queries = [{"id": query, "text": query} for query in ("q1", "q2", "q3")]
    found: dict[str, dict[str, float]] = model.search(
        queries, task_metadata=None, hf_split="test", hf_subset="default", top_k=top_k, encode_kwargs={}
    )
    return found


@pytest.mark.parametrize(
    ("strategy", "method"),
    [
        ("rrf", "rrf(c=60)"),
        ("rsf", "combsum(norm='min-max', compat='mteb')"),
        ("dbsf", "combsum(norm='dbsf', compat='mteb')"),
    ],
)
@pytest.mark.parametrize("weights", [None, [0.7, 0.3]])
def test_hybrid_search_finds_what_it_finds_with_its_own_strategy(strategy: str, method: str, weights: Any) -> None:
    models = [Searcher("bm25", BM25), Searcher("dense", DENSE)]
    theirs = search(mteb.HybridSearch(models, weights=weights, fusion_strategy=strategy))
    ours = search(hybrid_search(models, method, weights=weights))
    assert ours.keys() == theirs.keys()
    for query, found in theirs.items():
        assert list(ours[query]) == list(found)
        assert ours[query] == pytest.approx(found, rel=0, abs=1e-9)


def test_methods_that_mteb_does_not_have_go_through_as_well() -> None:
    models = [Searcher("bm25", BM25), Searcher("dense", DENSE)]
    found = search(hybrid_search(models, "borda"), top_k=2)
    assert list(found["q1"]) == ["d2", "d3"]  # 2 + 3 and 1 + 2 points; d1 has 3 as well, and ties go by id
    assert list(found["q2"]) == ["d4"]
    assert found["q3"] == {}


def test_the_name_of_the_results_says_which_method_it_was() -> None:
    models = [Searcher("bm25", BM25), Searcher("dense", DENSE)]
    names = {hybrid_search(models, method).mteb_model_meta.name for method in ("rrf(c=60)", "rrf(c=10)", "borda")}
    assert len(names) == 3
    assert "mteb/baseline-hybrid-stagg-borda-bm25-dense" in names


def test_a_task_is_evaluated_with_it() -> None:
    """A retrieval task of MTEB over data made here, from search to nDCG."""
    datasets = pytest.importorskip("datasets")
    retrieval = pytest.importorskip("mteb.abstasks.retrieval")
    documents = {"d1": "green tea", "d2": "black tea", "d3": "coffee"}

    class Toy(retrieval.AbsTaskRetrieval):  # type: ignore[misc, name-defined]
        metadata = mteb.TaskMetadata(
            name="ToyTea", description="three documents", reference="https://example.org/", type="Retrieval",
            category="t2t", modalities=["text"], eval_splits=["test"], eval_langs=["eng-Latn"], main_score="ndcg_at_10",
            dataset={"path": "none", "revision": "none"},
        )  # fmt: skip

        def load_data(self, *args: Any, **options: Any) -> None:
            rows = [{"id": name, "text": text, "title": ""} for name, text in documents.items()]
            split = {
                "corpus": datasets.Dataset.from_list(rows),
                "queries": datasets.Dataset.from_list([{"id": "q1", "text": "tea"}]),
                "relevant_docs": {"q1": {"d2": 1}},
                "top_ranked": None,
            }
            self.dataset = {"default": {"test": split}}
            self.data_loaded = True

    models = [Searcher("bm25", BM25), Searcher("dense", DENSE)]
    result = mteb.evaluate(hybrid_search(models, "rrf(c=60)"), Toy(), cache=None)
    assert result.task_results[0].get_score() == 1.0


def test_what_is_wrong_with_the_method_is_said_before_any_model_has_run() -> None:
    with pytest.raises(UnknownName, match="did you mean 'rrf'"):
        StaggFusion("rrrf")
    with pytest.raises(InvalidParameter, match="cannot honour"):
        StaggFusion("rrf", missing="below")
