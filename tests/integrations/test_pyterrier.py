"""PyTerrier: pipelines over data frames fused without Java or a download; run by ``make integrations``."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from stagg import InvalidParameter, Rankings, UnknownName, fuse

REASON = "pyterrier is not installed: run make integrations"
pt = pytest.importorskip("pyterrier", reason=REASON)
pandas = pytest.importorskip("pandas", reason=REASON)
adapter = pytest.importorskip("stagg.integrations.pyterrier", reason=REASON)
Fuse = adapter.Fuse

TOPICS = pandas.DataFrame({"qid": ["q2", "q10"], "query": ["red fish", "blue fish"]})


def results(seed: int, queries: Any = ("q2", "q10")) -> Any:
    """A result frame as a pipeline gives it, with ranks from 0."""
    rng = np.random.default_rng(seed)
    frames = []
    for qid in queries:
        listed = rng.permutation(20)[: rng.integers(4, 12)]
        text = dict(zip(TOPICS["qid"], TOPICS["query"], strict=True))[qid]
        frames.append(
            pandas.DataFrame(
                {
                    "qid": qid,
                    "query": text,
                    "docid": listed,
                    "docno": [f"d{each}" for each in listed],
                    "score": np.sort(rng.random(len(listed)))[::-1],
                }
            )
        )
    return pt.model.add_ranks(pandas.concat(frames, ignore_index=True))


def pipelines(count: int = 3) -> list[Any]:
    return [pt.Transformer.from_df(results(seed)) for seed in range(count)]


def scores(found: Any) -> dict[tuple[str, str], float]:
    return dict(zip(zip(found["qid"], found["docno"], strict=True), found["score"], strict=True))


def test_rrf_is_that_of_pyterrier_alpha() -> None:
    alpha = pytest.importorskip("pyterrier_alpha", reason="pyterrier-alpha is not installed: run make integrations")
    theirs = alpha.fusion.RRFusion(*pipelines(), k=60)(TOPICS)
    ours = Fuse(*pipelines(), method="rrf(compat='pyterrier')")(TOPICS)
    assert scores(ours) == pytest.approx(scores(theirs), rel=1e-12)


@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_rrf", "combsum", "mc4"])
def test_pipelines_are_fused_as_their_rankings_are(method: str) -> None:
    fused = Fuse(*pipelines(), method=method, names=["a", "b", "c"], weights={"b": 2.0})(TOPICS)
    runs = {
        name: {qid: dict(zip(part["docno"], part["score"], strict=True)) for qid, part in results(seed).groupby("qid")}
        for seed, name in enumerate("abc")
    }
    expected = fuse(Rankings.from_runs(runs), method, weights={"b": 2.0})
    for qid, part in fused.groupby("qid"):
        assert part["docno"].tolist() == expected.best_first(qid)
        assert part["score"].tolist() == list(expected.to_runs()[expected.rankers[0]][qid].values())
        assert part["rank"].tolist() == list(range(len(part)))  # from 0, as everywhere in PyTerrier


def test_its_ranks_are_those_that_pyterrier_would_give() -> None:
    fused = Fuse(*pipelines(), method="borda")(TOPICS)  # borda ties
    assert fused["rank"].tolist() == pt.model.add_ranks(fused.copy())["rank"].tolist()
    assert fused["rank"].dtype == np.int64


def test_what_is_known_of_query_and_document_stays() -> None:
    texts = pandas.DataFrame({"docno": [f"d{each}" for each in range(20)], "text": [f"text {n}" for n in range(20)]})
    with_text = pt.Transformer.from_df(results(1).merge(texts, on="docno"))
    rewritten = pt.apply.query(lambda row: "something else") >> pt.Transformer.from_df(
        results(2).assign(query="something else")
    )
    fused = Fuse(pipelines()[0], with_text, rewritten)(TOPICS)
    assert set(fused.columns) == {"qid", "query", "docno", "text", "score", "rank"}
    assert fused.groupby("qid")["query"].unique().explode().to_dict() == {"q2": "red fish", "q10": "blue fish"}
    known = fused[fused["text"].notna()]
    assert set(zip(known["qid"], known["docno"], strict=True)) == set(scores(results(1)))
    assert (known["text"] == "text " + known["docno"].str[1:]).all()


def test_a_query_that_a_pipeline_does_not_answer_is_fused_from_the_others() -> None:
    some = pt.Transformer.from_df(results(5, queries=["q2"]))
    fused = Fuse(some, pipelines()[0], weights=[1, 2])(TOPICS)
    only = fused[fused["qid"] == "q10"]
    assert set(only["docno"]) == set(results(0).query("qid == 'q10'")["docno"])


def test_pipelines_that_find_nothing_give_nothing() -> None:
    nothing = pt.Transformer.from_df(results(0).iloc[:0])
    fused = Fuse(nothing, nothing, weights=[1, 2])(TOPICS)
    assert len(fused) == 0
    assert list(fused.columns) == list(Fuse(*pipelines())(TOPICS).columns)
    assert set(Fuse(nothing, *pipelines(1), weights=[5, 1])(TOPICS)["docno"]) == set(results(0)["docno"])


def test_it_stands_in_pipelines_experiments_and_drawings() -> None:
    ours = Fuse(*pipelines())
    assert (ours % 3)(TOPICS)["rank"].max() == 2
    assert (ours >> pt.apply.doc_score(lambda row: -row["score"]))(TOPICS)["rank"].min() == 0
    assert len(ours.search("red fish", qid="q2")) > 3
    assert len(Fuse(*pipelines(), top=2)(TOPICS)) == 4
    assert ours(TOPICS.to_dict("records"))[0]["rank"] == 0
    assert pt.inspect.transformer_outputs(ours, ["qid", "query"]) == list(ours(TOPICS).columns)
    assert pt.inspect.subtransformers(ours) == {"pipelines": list(ours.pipelines)}
    qrels = pandas.DataFrame({"qid": ["q2", "q10"], "docno": ["d1", "d2"], "label": [1, 1]})
    table = pt.Experiment([*ours.pipelines, ours], TOPICS, qrels, ["map", "recip_rank"])
    assert table.shape == (4, 3)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "rrrf"}, UnknownName, "did you mean 'rrf'"),
        ({"weights": [1.0]}, InvalidParameter, "1 weight for 3 rankers"),
        ({"weights": {"dense": 2.0}}, UnknownName, "dense"),
        ({"names": ["a", "a", "b"]}, InvalidParameter, "3 pipelines to name"),
        ({"top": 0}, InvalidParameter, "1 or more"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_query(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Fuse(*pipelines(), **settings)


def test_no_pipeline_is_nothing_to_fuse() -> None:
    with pytest.raises(InvalidParameter, match="nothing to fuse"):
        Fuse()


def test_no_java_is_started() -> None:
    code = (
        "import sys, pandas, pyterrier as pt; from stagg.integrations.pyterrier import Fuse;"
        "found = pandas.DataFrame({'qid': ['1'], 'query': ['x'], 'docno': ['a'], 'score': [1.0]});"
        "Fuse(pt.Transformer.from_df(found)).search('x');"
        "assert not pt.java.started(); assert 'jnius' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
