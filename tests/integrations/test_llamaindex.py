"""LlamaIndex: in-memory retrievers fused, compared with its QueryFusionRetriever; run by ``make integrations``."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, LegFailed, Rankings, UnknownName, fuse

REASON = "llama-index-core is not installed: run make integrations"
core = pytest.importorskip("llama_index.core.retrievers", reason=REASON)
schema = pytest.importorskip("llama_index.core.schema", reason=REASON)
adapter = pytest.importorskip("stagg.integrations.llamaindex", reason=REASON)

Scored = dict[str, float | None]


class InMemory(core.BaseRetriever):  # type: ignore[misc]
    """Finds fresh copies of what it holds, whatever is asked: LlamaIndex writes into what it is given."""

    def __init__(self, scored: Scored) -> None:
        self.scored = scored
        super().__init__()

    def _retrieve(self, query_bundle: Any) -> list[Any]:
        return nodes(self.scored)


def nodes(scored: Scored) -> list[Any]:
    return [
        schema.NodeWithScore(node=schema.TextNode(text=text, id_=text), score=score) for text, score in scored.items()
    ]


def random_scores(seed: int, rankers: int = 3) -> list[Scored]:
    rng = np.random.default_rng(seed)
    return [
        {f"d{item}": float(rng.normal()) for item in rng.permutation(20)[: rng.integers(3, 12)]} for _ in range(rankers)
    ]


def own_fusion(lists: list[Scored], mode: str, weights: list[float] | None = None) -> dict[str, float]:
    """What LlamaIndex finds itself, without a model that invents more queries."""
    from llama_index.core.llms import MockLLM

    sources = [InMemory(scored) for scored in lists]
    retriever = core.QueryFusionRetriever(
        sources, llm=MockLLM(), mode=mode, num_queries=1, similarity_top_k=100, use_async=False,
        retriever_weights=weights,
    )  # fmt: skip
    return {each.text: each.score for each in retriever.retrieve("anything")}


def ours(lists: list[Scored], method: str, **settings: Any) -> dict[str, float]:
    retriever = adapter.StaggFusionRetriever([InMemory(scored) for scored in lists], method, **settings)
    return {each.text: each.score for each in retriever.retrieve("anything")}


@pytest.mark.parametrize("seed", range(5))
def test_rrf_is_that_of_llamaindex(seed: int) -> None:
    lists = random_scores(seed)
    theirs, mine = own_fusion(lists, "reciprocal_rerank"), ours(lists, "rrf(compat='llamaindex')")
    assert mine == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_combsum_with_weights_is_its_relative_score_fusion(seed: int) -> None:
    lists, weights = random_scores(seed), [0.5, 0.3, 0.2]  # theirs are brought to the sum 1
    theirs = own_fusion(lists, "relative_score", weights)
    mine = ours(lists, "combsum(norm='min-max')", weights=weights)
    assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_weights_are_obeyed_by_rrf_where_those_of_llamaindex_are_not() -> None:
    lists: list[Scored] = [{"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}]
    assert own_fusion(lists, "reciprocal_rerank", [9.0, 1.0]) == own_fusion(lists, "reciprocal_rerank", [1.0, 9.0])
    assert next(iter(ours(lists, "rrf(c=60)", weights=[9.0, 1.0]))) == "a"
    assert next(iter(ours(lists, "rrf(c=60)", weights=[1.0, 9.0]))) == "b"
    assert ours([*lists, {"c": 1.0}], "rrf(c=60)", weights=[1, 1, 0]).keys() == {"a", "b"}


@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_rrf", "combmnz", "mc4"])
def test_nodes_come_in_the_order_and_with_the_scores_of_fuse(method: str) -> None:
    lists: Any = random_scores(7)
    expected = fuse(Rankings.from_scores(lists), method, weights=[3, 2, 1])
    mine = ours(lists, method, weights=[3, 2, 1], id_key=lambda each: each.text)
    assert list(mine.items()) == list(expected.to_runs()[expected.rankers[0]]["1"].items())


def test_async_says_the_same_and_asks_all_at_the_same_time() -> None:
    met = asyncio.Barrier(2)  # whoever comes first waits for the other: one after the other would wait for ever

    class Meeting(InMemory):
        async def _aretrieve(self, query_bundle: Any) -> list[Any]:
            await asyncio.wait_for(met.wait(), timeout=20)
            return nodes(self.scored)

    sources = [Meeting({"a": 2.0, "b": 1.0}), Meeting({"c": 1.0, "b": 0.5})]
    retriever = adapter.StaggFusionRetriever(sources, similarity_top_k=2)
    assert asyncio.run(retriever.aretrieve("x")) == retriever.retrieve("x")
    assert len(retriever.retrieve("x")) == 2


def test_what_was_given_is_left_as_it_was() -> None:
    given = nodes({"a": 2.0, "b": 1.0})
    found = adapter.fuse_nodes({"dense": given, "bm25": nodes({"b": 7.0})}, weights={"bm25": 2})
    assert [each.score for each in given] == [2.0, 1.0]
    assert found[0].node is given[1].node


def test_a_list_without_scores_is_taken_as_it_stands() -> None:
    lists: list[Scored] = [{"b": None, "a": None}, {"b": 0.1, "c": 0.9}]
    expected = fuse([["b", "a"], ["c", "b"]], "rrf(c=60)").best_first()
    assert list(ours(lists, "rrf(c=60)")) == expected
    with pytest.raises(DataError, match="ranker '1' has none"):
        ours(lists, "combsum")


def test_what_tells_nodes_apart() -> None:
    def node(text: str, key: int) -> Any:
        return schema.NodeWithScore(node=schema.TextNode(text=text, metadata={"key": key}))

    copies = [[node("a", 1)], [node("a", 1)], [node("other words", 1)]]
    assert len(adapter.fuse_nodes(copies)) == 2  # equal content, though the ids of the nodes differ
    assert len(adapter.fuse_nodes(copies, id_key="key")) == 1
    assert len(adapter.fuse_nodes(copies, id_key=lambda each: each.node.node_id)) == 3
    with pytest.raises(DataError, match="no 'page' in its metadata"):
        adapter.fuse_nodes(copies, id_key="page")


class Failing(InMemory):
    """Raises, whatever is asked."""

    def _retrieve(self, query_bundle: Any) -> list[Any]:
        raise ConnectionError("refused")


class Hanging(InMemory):
    """Does not answer until it is told to; its async twin for ever."""

    def __init__(self, free: threading.Event) -> None:
        self.free = free
        super().__init__({})

    def _retrieve(self, query_bundle: Any) -> list[Any]:
        self.free.wait()
        return []

    async def _aretrieve(self, query_bundle: Any) -> list[Any]:
        await asyncio.Event().wait()
        return []


def test_a_retriever_that_fails_is_named_or_skipped() -> None:
    sources = {"good": InMemory({"a": 1.0}), "bad": Failing({})}
    with pytest.raises(LegFailed, match="leg 'bad': ConnectionError: refused"):
        adapter.StaggFusionRetriever(sources).retrieve("x")
    skipping = adapter.StaggFusionRetriever(sources, on_error="skip", annotate=True)
    for found in (skipping.retrieve("x"), asyncio.run(skipping.aretrieve("x"))):
        assert [each.node.metadata["stagg_skipped"] for each in found] == [{"bad": "ConnectionError: refused"}]
    assert skipping.search("x").skipped == asyncio.run(skipping.asearch("x")).skipped
    assert skipping.search("x").seconds.keys() == {"good", "bad"}


def test_a_retriever_that_hangs_runs_out_of_time() -> None:
    free = threading.Event()
    sources = {"good": InMemory({"a": 1.0}), "slow": Hanging(free)}
    retriever = adapter.StaggFusionRetriever(sources, on_error="skip", timeout={"slow": 0.05})
    try:
        for found in (retriever.search("x"), asyncio.run(retriever.asearch("x"))):
            assert found.skipped["slow"].startswith("it did not answer within 0.05 s")
            assert [each.document.text for each in found] == ["a"]
    finally:
        free.set()


def test_distances_and_annotations() -> None:
    bm25, dense = nodes({"a": 3.0, "b": 2.0}), nodes({"b": 0.1, "a": 0.9})
    dense[1].node.metadata["lang"] = "en"
    found = adapter.fuse_nodes(
        {"bm25": bm25, "dense": dense}, "rrf(c=60)", direction={"dense": "distance"}, annotate=True,
        id_key=lambda each: each.text,
    )  # fmt: skip
    by_text = {each.text: each.node for each in found}
    assert by_text["a"].metadata["stagg_ranks"] == {"bm25": 1, "dense": 2}
    assert by_text["a"].metadata["stagg_scores"] == {"bm25": 3.0, "dense": 0.9}
    assert by_text["a"].metadata["lang"] == "en"
    assert by_text["a"].get_content("llm") == "lang: en\n\na"  # a language model is shown nothing of ours
    assert bm25[0].node.metadata == {}


@pytest.mark.parametrize("method", ["rrf(c=60)", "combsum"])
def test_nothing_found_is_nothing(method: str) -> None:
    assert ours([{}, {}], method) == {}


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "rrrf"}, UnknownName, "did you mean 'rrf'"),
        ({"weights": [1.0]}, InvalidParameter, "1 weight for 2 rankers"),
        ({"weights": {"dense": 1.0}}, UnknownName, "dense"),
        ({"similarity_top_k": 0}, InvalidParameter, "1 or more"),
        ({"retrievers": []}, InvalidParameter, "nothing to fuse"),
        ({"timeout": -1}, InvalidParameter, "seconds above 0"),
        ({"depth": {"3": 5}}, UnknownName, "depth names the leg '3'"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_query(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        adapter.StaggFusionRetriever(**({"retrievers": [InMemory({}), InMemory({})]} | settings))
