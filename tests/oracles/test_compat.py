"""``compat=...`` of rrf and of the norms against the fusion of the tools themselves; run by ``make oracles``."""

from __future__ import annotations

import types

import numpy as np
import pytest

from stagg import Rankings, fuse


def random_lists(seed: int, rankers: int = 3) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[f"d{item}" for item in rng.permutation(20)[: rng.integers(3, 12)]] for _ in range(rankers)]


def ours(lists: list[list[str]], compat: str, weights: list[float] | None = None) -> dict[str, float]:
    fused = fuse(Rankings.from_lists(lists), f"rrf(compat='{compat}')", weights=weights)
    return fused.to_runs()["stagg-rrf"]["1"]


def same(mine: dict[str, float], theirs: dict[str, float]) -> None:
    assert mine.keys() == theirs.keys()
    for item, score in theirs.items():
        assert mine[item] == pytest.approx(score, rel=1e-12), item


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weights", [None, [2.0, 1.0, 0.5]])
def test_qdrant(seed: int, weights: list[float] | None) -> None:
    fusion = pytest.importorskip("qdrant_client.hybrid.fusion")
    models = pytest.importorskip("qdrant_client.http.models")
    lists = random_lists(seed)
    responses = [[models.ScoredPoint(id=int(d[1:]), version=0, score=0.0) for d in each] for each in lists]
    theirs = fusion.reciprocal_rank_fusion(responses, limit=100, weights=weights)
    same(ours(lists, "qdrant", weights), {f"d{point.id}": point.score for point in theirs})


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weights", [None, [0.5, 0.3, 0.2]])
def test_haystack(seed: int, weights: list[float] | None) -> None:
    joiners = pytest.importorskip("haystack.components.joiners.document_joiner")
    haystack = pytest.importorskip("haystack")
    lists = random_lists(seed)
    documents = [[haystack.Document(id=item, content=item) for item in each] for each in lists]
    joiner = joiners.DocumentJoiner(join_mode="reciprocal_rank_fusion", weights=weights)
    found = joiner.run(documents=documents)["documents"]
    same(ours(lists, "haystack", weights), {document.id: document.score for document in found})


@pytest.mark.parametrize("seed", range(5))
def test_llamaindex(seed: int) -> None:
    retrievers = pytest.importorskip("llama_index.core.retrievers.fusion_retriever")
    schema = pytest.importorskip("llama_index.core.schema")
    lists = random_lists(seed)
    results = {
        ("q", number): [
            schema.NodeWithScore(node=schema.TextNode(text=item, id_=item), score=100.0 - rank)
            for rank, item in enumerate(each)
        ]
        for number, each in enumerate(lists)
    }
    found = retrievers.QueryFusionRetriever._reciprocal_rerank_fusion(None, results)
    same(ours(lists, "llamaindex"), {node.node.text: node.score for node in found})


@pytest.mark.parametrize("seed", range(5))
def test_langchain(seed: int) -> None:
    """LangChain returns the order only; documents of equal score keep the order of appearance there."""
    ensemble = pytest.importorskip("langchain_classic.retrievers.ensemble")
    documents = pytest.importorskip("langchain_core.documents")
    lists, weights = random_lists(seed), [0.5, 0.3, 0.17]
    retriever = ensemble.EnsembleRetriever.model_construct(weights=weights, c=60, id_key=None, retrievers=[])
    found = retriever.weighted_reciprocal_rank([[documents.Document(page_content=i) for i in each] for each in lists])
    mine = ours(lists, "langchain", weights)
    values = [mine[document.page_content] for document in found]
    assert sorted(mine) == sorted(document.page_content for document in found)
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("seed", range(5))
def test_pyterrier_alpha(seed: int) -> None:
    alpha = pytest.importorskip("pyterrier_alpha.fusion")
    pandas = pytest.importorskip("pandas")
    lists = random_lists(seed)
    frames = [
        pandas.DataFrame(
            {
                "qid": "1",
                "query": "x",
                "docno": each,
                "score": [-float(r) for r in range(len(each))],
                "rank": range(len(each)),
            }
        )
        for each in lists
    ]
    found = alpha.rr_fusion(*frames)
    same(ours(lists, "pyterrier"), dict(zip(found["docno"], found["score"], strict=True)))


# --- norms: lists of one item and of equal scores among them ----------------------------------------------------------


def random_scores(seed: int) -> list[dict[str, float]]:
    """Two lists with an outlier each, one of equal scores and one of one item."""
    rng = np.random.default_rng(seed)
    lists = []
    for size in (14, 9):
        scores = np.sort(np.append(rng.normal(3, 1, size), 60.0))[::-1].tolist()
        lists.append({f"d{d}": score for d, score in zip(rng.permutation(30), scores, strict=False)})
    return [*lists, {"d1": 0.25, "d2": 0.25}, {"d3": 7.0}]


def normed(lists: list[dict[str, float]], method: str, weights: list[float] | None = None) -> dict[str, float]:
    fused = fuse(Rankings.from_scores(lists), method, weights=weights)
    return fused.to_runs()[fused.rankers[0]]["1"]


@pytest.mark.parametrize("seed", range(5))
def test_dbsf_of_qdrant(seed: int) -> None:
    fusion = pytest.importorskip("qdrant_client.hybrid.fusion")
    models = pytest.importorskip("qdrant_client.http.models")
    lists = random_scores(seed)
    responses = [[models.ScoredPoint(id=int(d[1:]), version=0, score=s) for d, s in each.items()] for each in lists]
    theirs = fusion.distribution_based_score_fusion(responses, limit=100)
    same(normed(lists, "combsum(norm='dbsf', compat='qdrant')"), {f"d{point.id}": point.score for point in theirs})


@pytest.mark.parametrize("seed", range(5))
def test_dbsf_of_haystack(seed: int) -> None:
    joiners = pytest.importorskip("haystack.components.joiners.document_joiner")
    haystack = pytest.importorskip("haystack")
    lists = random_scores(seed)
    documents = [[haystack.Document(id=item, content=item, score=s) for item, s in each.items()] for each in lists]
    joiner = joiners.DocumentJoiner(join_mode="distribution_based_rank_fusion")
    found = joiner.run(documents=documents)["documents"]
    theirs = {document.id: document.score for document in found}
    same(normed(lists, "combmax(norm='dbsf', compat='haystack')"), theirs)


@pytest.mark.parametrize("norm", ["min-max", "dbsf"])
@pytest.mark.parametrize("seed", range(5))
def test_relative_scores_of_llamaindex(seed: int, norm: str) -> None:
    retrievers = pytest.importorskip("llama_index.core.retrievers.fusion_retriever")
    schema = pytest.importorskip("llama_index.core.schema")
    lists, weights = random_scores(seed), [0.4, 0.3, 0.2, 0.1]
    results = {
        ("q", number): [
            schema.NodeWithScore(node=schema.TextNode(text=item, id_=item), score=s) for item, s in each.items()
        ]
        for number, each in enumerate(lists)
    }
    settings = types.SimpleNamespace(_retriever_weights=weights, num_queries=1)
    fusion = retrievers.QueryFusionRetriever._relative_score_fusion
    found = fusion(settings, results, dist_based=norm == "dbsf")
    mine = normed(lists, f"combsum(norm='{norm}', compat='llamaindex')", weights)
    same(mine, {node.node.text: node.score for node in found})


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("norm", "function"), [("dbsf", "fuse_dbsf"), ("min-max", "fuse_relative_score_fusion")])
def test_norms_of_mteb(seed: int, norm: str, function: str) -> None:
    wrappers = pytest.importorskip("mteb.models.hybrid_wrappers")
    lists, weights = random_scores(seed), [0.4, 0.3, 0.2, 0.1]
    theirs = getattr(wrappers, function)(lists, weights)
    same(normed(lists, f"combsum(norm='{norm}', compat='mteb')", weights), dict(theirs))
