"""LangChain: in-memory retrievers fused, compared with its own EnsembleRetriever; run by ``make integrations``."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from stagg import DataError, Labels, LegFailed, Rankings, UnknownName, fuse
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

    ours = adapter.StaggRetriever(retrievers=[Meeting(found=[Document(page_content="a")]) for _ in range(2)])
    assert texts(asyncio.run(ours.ainvoke("x"))) == ["a"]


def test_the_retrievers_are_asked_at_the_same_time_when_sync_unless_told_otherwise() -> None:
    met = threading.Barrier(2)
    asked_in: list[str] = []

    class Meeting(InMemory):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            met.wait(timeout=20)
            return self.found

    class Here(InMemory):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            asked_in.append(threading.current_thread().name)
            return self.found

    found = [Document(page_content="a")]
    assert texts(adapter.StaggRetriever(retrievers=[Meeting(found=found)] * 2).invoke("x")) == ["a"]
    assert texts(adapter.StaggRetriever(retrievers=[Here(found=found)] * 2, concurrent=False).invoke("x")) == ["a"]
    assert asked_in == [threading.current_thread().name] * 2


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
    with pytest.raises(DataError, match="leg '1', document 1: the score is nan"):
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


class Failing(InMemory):
    """Raises, whatever is asked."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
        raise ConnectionError("refused")


class Hanging(InMemory):
    """Does not answer until it is told to; its async twin for ever."""

    free: Any

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
        self.free.wait()
        return self.found

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
        await asyncio.Event().wait()
        return self.found


def test_a_retriever_that_fails_is_named_or_skipped() -> None:
    sources = {"good": InMemory(found=[Document(page_content="a")]), "bad": Failing(found=[])}
    with pytest.raises(LegFailed, match="leg 'bad': ConnectionError: refused"):
        adapter.StaggRetriever(retrievers=sources).invoke("x")
    skipping = adapter.StaggRetriever(retrievers=sources, on_error="skip", weights={"bad": 2.0})
    for found in (skipping.invoke("x"), asyncio.run(skipping.ainvoke("x"))):
        assert [each.metadata["stagg_skipped"] for each in found] == [{"bad": "ConnectionError: refused"}]
    whole = skipping.search("x")
    assert whole.skipped == {"bad": "ConnectionError: refused"}
    assert whole.seconds.keys() == {"good", "bad"}
    assert whole[0].relevance == 1.0  # of the legs that answered
    assert asyncio.run(skipping.asearch("x")) == whole


def test_a_retriever_that_hangs_runs_out_of_time() -> None:
    free = threading.Event()
    sources = {"good": InMemory(found=[Document(page_content="a")]), "slow": Hanging(found=[], free=free)}
    ours = adapter.StaggRetriever(retrievers=sources, on_error="skip", timeout={"slow": 0.05})
    try:
        for found in (ours.invoke("x"), asyncio.run(ours.ainvoke("x"))):
            assert found[0].metadata["stagg_skipped"]["slow"].startswith("it did not answer within 0.05 s")
    finally:
        free.set()


def test_distances_metadata_and_what_each_list_said() -> None:
    def document(text: str, **metadata: Any) -> Any:
        return Document(page_content=text, metadata=metadata)

    lists = {
        "bm25": [document("a", s=3.0, page=7), document("b", s=2.0)],
        "dense": [document("b", d=0.1, lang="en"), document("a", d=0.9, page=8)],
    }
    options: dict[str, Any] = {"score_key": {"bm25": "s", "dense": "d"}, "direction": {"dense": "distance"}}
    found = {each.page_content: each.metadata for each in adapter.fuse_documents(lists, "rrf(c=60)", **options)}
    assert found["a"]["stagg_scores"] == {"bm25": 3.0, "dense": 0.9}
    assert found["a"]["stagg_ranks"] == {"bm25": 1, "dense": 2}
    assert found["a"]["page"] == 7
    assert found["b"]["lang"] == "en"
    assert found["b"]["stagg_relevance"] == pytest.approx((1 / 61 + 1 / 62) / (2 / 61))
    last = adapter.fuse_documents(lists, depth={"dense": 1}, merge="last", **options)
    assert {each.page_content: each.metadata["stagg_ranks"] for each in last} == {
        "a": {"bm25": 1},
        "b": {"bm25": 2, "dense": 1},
    }
    assert {each.page_content: each.metadata.get("page") for each in last} == {"a": 8, "b": None}


def test_copies_and_pickles_of_a_retriever_search_like_it() -> None:
    ours = adapter.StaggRetriever(retrievers=of_texts([["a", "b"], ["b"]]))
    for twin in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert texts(twin.invoke("x")) == texts(ours.invoke("x")) == ["b", "a"]


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
        ({"timeout": 0}, ValueError, "seconds above 0"),
        ({"timeout": {"3": 1.0}}, UnknownName, "timeout names the leg '3'"),
        ({"on_error": "ignore"}, ValueError, "'raise' or 'skip'"),
        ({"direction": {"1": "down"}}, ValueError, "'score' or 'distance'"),
        ({"depth": 0}, ValueError, "1 or more"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_query(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    """pydantic wraps what is a ValueError in one of its own, with the message."""
    with pytest.raises(error, match=message):
        adapter.StaggRetriever(**({"retrievers": of_texts([["a"], ["b"]])} | settings))
