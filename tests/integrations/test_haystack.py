"""Haystack: the component in real pipelines, and its scores beside DocumentJoiner's; run by ``make integrations``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName
from stagg.learning import LEARNERS
from stagg.methods import METHODS

REASON = "haystack-ai is not installed: run make integrations"
haystack = pytest.importorskip("haystack", reason=REASON)
joiners = pytest.importorskip("haystack.components.joiners", reason=REASON)
adapter = pytest.importorskip("stagg.integrations.haystack", reason=REASON)

Document, Pipeline, StaggJoiner = haystack.Document, haystack.Pipeline, adapter.StaggJoiner


def random_lists(seed: int, rankers: int = 3) -> list[list[Any]]:
    """Lists of documents with scores, best first, and one of a single document."""
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(rankers):
        items = rng.permutation(20)[: rng.integers(3, 12)]
        scores = np.sort(rng.normal(3, 2, len(items)))[::-1]
        lists.append([scored(f"d{item}", float(score)) for item, score in zip(items, scores, strict=True)])
    return [*lists, [scored("d3", 7.0)]]


def scored(name: str, score: float | None = None, **meta: Any) -> Any:
    return Document(id=name, content=name, score=score, meta=meta)


def scores(found: list[Any]) -> dict[str, float]:
    return {document.id: document.score for document in found}


WEIGHTS = [0.5, 0.3, 0.17, 0.03]
FUSING = [
    ("reciprocal_rank_fusion", None, "rrf(compat='haystack')", None),
    ("reciprocal_rank_fusion", WEIGHTS, "rrf(compat='haystack')", WEIGHTS),
    ("distribution_based_rank_fusion", None, "combmax(norm='dbsf', compat='haystack')", None),
    ("merge", None, "combsum(norm='none')", [0.25] * 4),
    ("merge", WEIGHTS, "combsum(norm='none')", WEIGHTS),
    ("concatenate", None, "combmax(norm='none')", None),
]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("mode", "their_weights", "method", "our_weights"), FUSING)
def test_scores_equal_those_of_the_document_joiner(
    mode: str, their_weights: Any, method: str, our_weights: Any, seed: int
) -> None:
    lists = random_lists(seed)
    theirs = joiners.DocumentJoiner(join_mode=mode, weights=their_weights).run(documents=lists)["documents"]
    ours = StaggJoiner(method, weights=our_weights).run(documents=lists)["documents"]
    assert scores(ours) == pytest.approx(scores(theirs), rel=0, abs=1e-9)
    in_order = [scores(theirs)[document.id] for document in ours]
    assert in_order == pytest.approx(sorted(in_order, reverse=True), rel=0, abs=1e-9)


# --- real pipelines ---------------------------------------------------------------------------------------------------


def hybrid_pipeline(joiner: Any, *inputs: str) -> Any:
    """BM25 and vectors over one store; ``inputs`` are what the two retrievers are connected to."""
    retrievers = pytest.importorskip("haystack.components.retrievers.in_memory")
    stores = pytest.importorskip("haystack.document_stores.in_memory")
    store = stores.InMemoryDocumentStore(embedding_similarity_function="cosine")
    texts = ["green tea and black tea", "a pot of tea", "coffee", "rooibos and mate"]
    vectors = [[1.0, 0.1], [0.2, 1.0], [0.9, 0.3], [0.8, 0.6]]
    store.write_documents(
        [
            Document(id=f"d{n}", content=t, embedding=v, meta={"page": n})
            for n, (t, v) in enumerate(zip(texts, vectors, strict=True))
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("text", retrievers.InMemoryBM25Retriever(store, top_k=3))
    pipeline.add_component("vectors", retrievers.InMemoryEmbeddingRetriever(store, top_k=3))
    pipeline.add_component("joiner", joiner)
    for retriever, name in zip(("text", "vectors"), inputs, strict=True):
        pipeline.connect(f"{retriever}.documents", f"joiner.{name}")
    return pipeline


QUERY = {"text": {"query": "a pot of tea"}, "vectors": {"query_embedding": [1.0, 0.2]}}


def run(pipeline: Any, **more: Any) -> list[Any]:
    return pipeline.run({**QUERY, **more})["joiner"]["documents"]


def test_it_takes_the_place_of_the_joiner_in_a_pipeline() -> None:
    joiner = joiners.DocumentJoiner(join_mode="reciprocal_rank_fusion")
    theirs = run(hybrid_pipeline(joiner, "documents", "documents"))
    ours = run(hybrid_pipeline(StaggJoiner("rrf(compat='haystack')"), "documents", "documents"))
    assert scores(ours) == pytest.approx(scores(theirs), rel=0, abs=1e-9)
    assert len(ours) == 4  # both retrievers had their say


def test_named_inputs_take_weights_by_name() -> None:
    def first(weights: dict[str, float]) -> str:
        joiner = StaggJoiner("rrf(c=60)", legs=["bm25", "dense"], weights=weights)
        [best, *_] = run(hybrid_pipeline(joiner, "bm25", "dense"))
        return f"{best.id} {sorted(best.meta['stagg_ranks'])}"

    assert first({"dense": 0}) == "d1 ['bm25']"
    assert first({"bm25": 0}) == "d0 ['dense']"


ALLOWED = ["stagg.integrations.haystack", __name__]  # Haystack imports only modules that the caller trusts


def test_a_pipeline_goes_to_yaml_and_back() -> None:
    joiner = StaggJoiner(
        METHODS.parse("combsum(norm='min-max')"), legs=["bm25", "dense"], weights={"bm25": 0.3, "dense": 0.7}, top_k=3,
        identity=identify, depth={"dense": 2},
    )  # fmt: skip
    pipeline = hybrid_pipeline(joiner, "bm25", "dense")
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=ALLOWED)
    assert again.to_dict() == pipeline.to_dict()
    store = pipeline.get_component("text").document_store
    again.get_component("text").document_store = again.get_component("vectors").document_store = store
    assert [document.to_dict() for document in run(again)] == [document.to_dict() for document in run(pipeline)]
    assert len(run(again)) == 3


def identify(document: Any) -> str:
    """A function that can be written to YAML, since it has a path."""
    return str(document.id)


def test_lists_without_names_go_to_yaml_as_well() -> None:
    joiner = StaggJoiner("rrf(c=60)", weights=[2, 1])
    pipeline = hybrid_pipeline(joiner, "documents", "documents")
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=ALLOWED)
    assert again.get_component("joiner").to_dict() == joiner.to_dict()


def test_a_branch_that_did_not_run_is_a_leg_that_did_not_answer() -> None:
    """DocumentJoiner with weights fails there: two weights, one list."""
    routers = pytest.importorskip("haystack.components.routers")
    routes = [
        {"condition": "{{dense}}", "output": "{{query}}", "output_name": "dense", "output_type": str},
        {"condition": "{{true}}", "output": "{{query}}", "output_name": "text", "output_type": str},
    ]

    @haystack.component
    class Finder:
        def __init__(self, names: str) -> None:
            self.names = names

        @haystack.component.output_types(documents=list[Document])
        def run(self, query: str) -> dict[str, Any]:
            return {"documents": [scored(name) for name in self.names]}

    pipeline = Pipeline()
    pipeline.add_component("router", routers.ConditionalRouter(routes))
    pipeline.add_component("a_text", Finder("ab"))
    pipeline.add_component("b_dense", Finder("ba"))
    pipeline.add_component("joiner", StaggJoiner(legs=["text", "dense"], weights={"text": 1, "dense": 3}))
    pipeline.connect("router.text", "a_text.query")
    pipeline.connect("router.dense", "b_dense.query")
    pipeline.connect("a_text", "joiner.text")
    pipeline.connect("b_dense", "joiner.dense")
    for dense, leg in ((True, "dense"), (False, "text")):
        [first, _] = pipeline.run({"router": {"query": "x", "dense": dense}})["joiner"]["documents"]
        assert first.meta["stagg_ranks"] == {leg: 1}


# --- documents --------------------------------------------------------------------------------------------------------


def test_results_are_copies_whose_meta_say_where_a_document_stood() -> None:
    bm25 = [scored("a", 9.0, page=7), scored("b", 3.0)]
    dense = [scored("b", 0.9, lang="en"), scored("a", 0.8, page=8)]
    found = StaggJoiner("rrf(c=60)", legs=["bm25", "dense"], weights={"bm25": 2}).run(bm25=bm25, dense=dense)
    first, second = found["documents"]
    assert first.meta["page"] == 7
    assert first.meta["stagg_ranks"] == {"bm25": 1, "dense": 2}
    assert first.meta["stagg_scores"] == {"bm25": 9.0, "dense": 0.8}
    assert 0.9 < first.meta["stagg_relevance"] < 1
    assert second.meta["lang"] == "en"
    assert bm25[0].meta == {"page": 7}
    assert bm25[0].score == 9.0


def test_lists_without_scores_are_taken_as_they_stand() -> None:
    lists = [[scored("a", 1.0), scored("b", 2.0)], [scored("c"), scored("a")]]

    def ranks(joiner: Any) -> dict[str, dict[str, float]]:
        return {each.id: each.meta["stagg_ranks"] for each in joiner.run(documents=lists)["documents"]}

    assert ranks(StaggJoiner("rrf(c=60)")) == {"b": {"1": 1}, "a": {"1": 2, "2": 2}, "c": {"2": 1}}
    assert ranks(StaggJoiner("rrf(c=60)", score=None)) == {"a": {"1": 1, "2": 2}, "b": {"1": 2}, "c": {"2": 1}}


def test_top_k_of_the_call_wins() -> None:
    lists = [[scored(name) for name in "abcd"]]
    joiner = StaggJoiner(top_k=2)
    assert len(joiner.run(documents=lists)["documents"]) == 2
    assert len(joiner.run(documents=lists, top_k=3)["documents"]) == 3
    assert joiner.run(documents=lists, top_k=0)["documents"] == []
    assert joiner.run(documents=[])["documents"] == []
    assert joiner.run(documents=[[], []])["documents"] == []


def test_a_field_of_the_meta_can_identify_a_document() -> None:
    lists = [[scored("chunk1", url="/a"), scored("chunk2", url="/b")], [scored("chunk9", url="/b")]]
    found = StaggJoiner(identity="meta.url").run(documents=lists)["documents"]
    assert [document.meta["url"] for document in found] == ["/b", "/a"]
    with pytest.raises(DataError, match=r"no 'meta.page'"):
        StaggJoiner(identity="meta.page").run(documents=lists)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "rrrf"}, UnknownName, "did you mean 'rrf'"),
        ({"top_k": 0}, ValueError, "1 or more"),
        ({"legs": ["bm25"], "weights": {"dense": 1}}, UnknownName, "dense"),
        ({"legs": ["top_k"]}, InvalidParameter, "cannot be the name of an input"),
        ({"legs": ["my leg"]}, InvalidParameter, "cannot be the name of an input"),
        ({"duplicates": "worst"}, InvalidParameter, "duplicates"),
    ],
)
def test_wrong_settings_are_refused_at_once(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        StaggJoiner(**settings)


def test_a_list_for_documents_is_refused_where_the_inputs_have_names() -> None:
    with pytest.raises(InvalidParameter, match="has the inputs"):
        StaggJoiner(legs=["bm25"]).run(documents=[[scored("a")]])


def test_a_trained_model_fuses_by_the_names_of_the_inputs_but_cannot_go_to_yaml() -> None:
    rankings = Rankings.from_runs({"good": {"q": {"a": 2, "b": 1}}, "bad": {"q": {"b": 2, "a": 1}}})
    model = LEARNERS.parse("best_input").fit(rankings, Labels({"q": {"a": 1, "b": 0}}))
    joiner = StaggJoiner(model, legs=["bad", "good"])
    found = joiner.run(bad=[scored("b"), scored("a")], good=[scored("a"), scored("b")])["documents"]
    assert found[0].id == "a"
    with pytest.raises(InvalidParameter, match="give the method as text"):
        joiner.to_dict()
