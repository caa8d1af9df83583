"""LangChain: in-memory retrievers fused, compared with its own EnsembleRetriever; run by ``make integrations``."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from stagg import DataError, Labels, Rankings, UnknownName, fuse
from stagg.learning import LEARNERS

REASON = "langchain-core is not installed: run make integrations"
documents = pytest.importorskip("langchain_core.documents", reason=REASON)
retrievers = pytest.importorskip("langchain_core.retrievers", reason=REASON)
runnables = pytest.importorskip("langchain_core.runnables", reason=REASON)
callbacks = pytest.importorskip("langchain_core.callbacks", reason=REASON)
adapter = pytest.importorskip("stagg.integrations.langchain", reason=REASON)

Document = documents.Document


class InMemory(retrievers.BaseRetriever):  # type: ignore[misc]
    """Finds what it holds, whatever is asked."""

    found: list[Any]
    limit: int = 100

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
        return self.found[: self.limit]


def random_lists(seed: int, rankers: int = 3) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[f"d{item}" for item in rng.permutation(20)[: rng.integers(3, 12)]] for _ in range(rankers)]


def of_texts(lists: list[list[str]]) -> list[Any]:
    return [InMemory(found=[Document(page_content=text) for text in texts]) for texts in lists]


def texts(found: list[Any]) -> list[str]:
    return [document.page_content for document in found]


WEIGHTS = [0.5, 0.3, 0.17]  # without ties: there LangChain goes by first appearance


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_langchains_own_ensemble_finds(seed: int) -> None:
    ensemble = pytest.importorskip("langchain_classic.retrievers.ensemble")
    sources = of_texts(random_lists(seed))
    theirs = ensemble.EnsembleRetriever(retrievers=sources, weights=WEIGHTS)
    ours = adapter.StaggRetriever(retrievers=sources, method="rrf(compat='langchain')", weights=WEIGHTS)
    assert texts(ours.invoke("anything")) == texts(theirs.invoke("anything"))
    assert texts(asyncio.run(ours.ainvoke("anything"))) == texts(asyncio.run(theirs.ainvoke("anything")))


@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_rrf", "borda", "kemeny"])
def test_documents_come_in_the_order_and_with_the_scores_of_fuse(method: str) -> None:
    lists = random_lists(7)
    found = adapter.StaggRetriever(retrievers=of_texts(lists), method=method, weights=WEIGHTS).invoke("anything")
    expected = fuse(Rankings.from_lists(lists), method, weights=WEIGHTS)
    assert texts(found) == expected.best_first()
    run = expected.to_runs()[expected.rankers[0]]["1"]
    assert [document.metadata["stagg_score"] for document in found] == list(run.values())
    assert [document.metadata["stagg_rank"] for document in found] == list(range(1, len(found) + 1))


def test_batches_and_their_async_twins_say_the_same() -> None:
    ours = adapter.StaggRetriever(retrievers=of_texts(random_lists(3)), k=4)
    one = ours.invoke("x")
    assert len(one) == 4
    assert ours.batch(["x", "y"]) == [one, one]
    assert asyncio.run(ours.abatch(["x", "y"])) == [one, one]


def test_the_retrievers_are_asked_at_the_same_time_when_async() -> None:
    met = asyncio.Barrier(2)  # whoever comes first waits for the other: one after the other would wait for ever

    class Meeting(InMemory):
        async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            await asyncio.wait_for(met.wait(), timeout=20)
            return self.found

    ours = adapter.StaggRetriever(retrievers=[Meeting(found=[Document(page_content=text)]) for text in "ab"])
    assert sorted(texts(asyncio.run(ours.ainvoke("x")))) == ["a", "b"]


def test_metadata_say_where_a_document_stood_and_the_input_is_left_as_it_was() -> None:
    lists = {
        "bm25": [Document(page_content="a", metadata={"page": 7}, id="x1"), Document(page_content="b")],
        "dense": [Document(page_content="b"), Document(page_content="a", metadata={"page": 8})],
    }
    found = adapter.fuse_documents(lists, weights={"bm25": 2.0})
    assert found[0].metadata["page"] == 7
    assert found[0].id == "x1"
    assert found[0].metadata["stagg_ranks"] == {"bm25": 1, "dense": 2}
    assert lists["bm25"][0].metadata == {"page": 7}


def test_weights_count_and_weight_zero_leaves_out() -> None:
    lists = [[Document(page_content=text) for text in line] for line in ("ab", "ba")]
    assert texts(adapter.fuse_documents(lists, weights=[2, 1])) == ["a", "b"]
    assert texts(adapter.fuse_documents(lists, weights=[1, 2])) == ["b", "a"]
    assert texts(adapter.fuse_documents([*lists, [Document(page_content="c")]], weights=[2, 1, 0])) == ["a", "b"]


def test_what_tells_documents_apart() -> None:
    one = [Document(page_content="old text", metadata={"key": 1}), Document(page_content="other", metadata={"key": 2})]
    two = [Document(page_content="new text", metadata={"key": 1})]
    assert len(adapter.fuse_documents([one, two])) == 3
    by_field = adapter.fuse_documents([one, two], id_key="key")
    by_function = adapter.fuse_documents([one, two], id_key=lambda document: f"k{document.metadata['key']}")
    assert texts(by_field) == texts(by_function) == ["old text", "other"]
    with pytest.raises(DataError, match="no 'key' in its metadata"):
        adapter.fuse_documents([[Document(page_content="x")]], id_key="key")


def test_a_text_that_comes_twice_in_a_list_counts_once() -> None:
    twice = [Document(page_content=text) for text in "abab"]
    found = adapter.fuse_documents([twice], "rrf(c=60)")
    assert texts(found) == ["a", "b"]
    assert found[1].metadata["stagg_score"] == 1 / 62


def test_scores_in_the_metadata_decide_where_they_are_named() -> None:
    scored = [
        [Document(page_content="a", metadata={"s": 1.0}), Document(page_content="b", metadata={"s": 9.0})],
        [Document(page_content="c", metadata={"s": 0.3}), Document(page_content="b", metadata={"s": 0.1})],
    ]
    found = adapter.fuse_documents(scored, "combsum", score_key="s", weights=[3, 1])
    expected = fuse(Rankings.from_scores([{"a": 1.0, "b": 9.0}, {"c": 0.3, "b": 0.1}]), "combsum", weights=[3, 1])
    assert texts(found) == expected.best_first()
    assert found[0].metadata["stagg_score"] == 3.0
    with pytest.raises(DataError, match="combsum needs scores"):
        adapter.fuse_documents(scored, "combsum")
    with pytest.raises(DataError, match="list '1', document 1: the score is nan"):
        adapter.fuse_documents([[Document(page_content="a", metadata={"s": float("nan")})]], score_key="s")


@pytest.mark.parametrize("method", ["rrf(c=60)", "combsum", "mc4"])
def test_nothing_found_is_nothing(method: str) -> None:
    assert adapter.StaggRetriever(retrievers=of_texts([[], []]), method=method).invoke("x") == []


def test_a_trained_model_fuses_retrievers_by_their_names() -> None:
    rankings = Rankings.from_runs({"good": {"q": {"a": 2, "b": 1}}, "bad": {"q": {"b": 2, "a": 1}}})
    model = LEARNERS.parse("best_input").fit(rankings, Labels({"q": {"a": 1, "b": 0}}))
    sources = dict(zip(("bad", "good"), of_texts([["b", "a", "x"], ["a", "b"]]), strict=True))
    assert texts(adapter.StaggRetriever(retrievers=sources, method=model).invoke("x"))[0] == "a"


def test_configuration_and_callbacks_reach_the_retrievers() -> None:
    class Log(callbacks.BaseCallbackHandler):  # type: ignore[misc]
        def __init__(self) -> None:
            self.tags: list[list[str]] = []

        def on_retriever_start(self, serialized: Any, query: str, *, tags: Any = None, **kwargs: Any) -> None:
            self.tags.append(list(tags or []))

    short = InMemory(found=[Document(page_content=text) for text in "abc"]).configurable_fields(
        limit=runnables.ConfigurableField(id="limit")
    )
    ours = adapter.StaggRetriever(retrievers={"short": short})
    log = Log()
    assert [spec.id for spec in ours.config_specs] == ["limit"]
    assert len(ours.invoke("x")) == 3
    assert len(ours.invoke("x", {"configurable": {"limit": 1}, "callbacks": [log]})) == 1
    assert len(asyncio.run(ours.ainvoke("x", {"configurable": {"limit": 2}}))) == 2
    assert log.tags == [[], ["retriever_short"]]


def test_it_stands_in_a_chain() -> None:
    chain = adapter.StaggRetriever(retrievers=of_texts([["a", "b"], ["a"]])) | runnables.RunnableLambda(texts)
    assert chain.invoke("x") == ["a", "b"]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "rrrf"}, UnknownName, "did you mean 'rrf'"),
        ({"method": "rrf(c=-1)"}, ValueError, "c is -1"),
        ({"weights": [1.0]}, ValueError, "1 weight for 2 rankers"),
        ({"weights": {"dense": 1.0}}, UnknownName, "dense"),
        ({"k": 0}, ValueError, "1 or more"),
        ({"missing": "below"}, ValueError, "cannot honour"),
        ({"retrievers": []}, ValueError, "nothing to fuse"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_query(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    """pydantic wraps what is a ValueError in one of its own, with the message."""
    with pytest.raises(error, match=message):
        adapter.StaggRetriever(**({"retrievers": of_texts([["a"], ["b"]])} | settings))
