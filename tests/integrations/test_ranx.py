"""ranx: Runs in, a Run out, equal to its own fusion where the definitions are; run by ``make integrations``."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, MissingExtra, Rankings, UnknownName, evaluate
from stagg.integrations.ranx import from_qrels, from_run, fuse, to_run


def test_without_ranx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ranx", None)
    with pytest.raises(MissingExtra, match=r'ranx runs need ranx: pip install "stagg\[ranx\]"'):
        to_run(Rankings.from_lists([["a"]]))


@pytest.fixture(scope="module")
def ranx() -> Any:
    return pytest.importorskip("ranx", reason="ranx is not installed: run make integrations")


def random_dicts(seed: int) -> list[dict[str, dict[str, float]]]:
    rng = np.random.default_rng(seed)
    return [
        {
            f"q{query}": {f"d{item}": float(rng.random()) for item in rng.permutation(30)[: rng.integers(5, 20)]}
            for query in range(4)
        }
        for _ in range(3)
    ]


def same(mine: Any, theirs: Any) -> None:
    assert mine.keys() == theirs.keys()
    for query in theirs:
        assert mine[query] == pytest.approx(theirs[query], rel=1e-9), query


@pytest.mark.parametrize(("method", "name", "norm"), [("rrf(c=60)", "rrf", None), ("combmnz", "mnz", "min-max")])
def test_the_fused_run_is_that_of_ranx(ranx: Any, method: str, name: str, norm: str | None) -> None:
    dicts = random_dicts(1)
    made = [ranx.Run(each) for each in dicts]
    theirs = ranx.fuse([ranx.Run(each) for each in dicts], norm=norm, method=name)
    mine = fuse(made, method)
    assert isinstance(mine, ranx.Run)
    same(mine.to_dict(), theirs.to_dict())
    assert [run.to_dict() for run in made] == [dict(each) for each in dicts]  # ranx itself would change them


def test_a_run_survives_the_way_there_and_back(ranx: Any) -> None:
    run = ranx.Run(random_dicts(2)[0], name="bm25")
    back = to_run(from_run(run))
    assert back.name == "bm25"
    assert back.to_dict() == run.to_dict()


def test_names_carry_weights_and_a_query_may_be_in_one_run_only(ranx: Any) -> None:
    bm25, dense = ranx.Run({"q": {"a": 2.0, "b": 1.0}}, name="bm25"), ranx.Run({"q": {"b": 2.0}, "p": {"c": 1.0}})
    rankings = from_run([bm25, dense])
    assert rankings.rankers == ("bm25", "2")
    fused = fuse([bm25, dense], "rrf(c=60)", weights={"bm25": 3.0})
    assert fused.name == "stagg-rrf"
    same(fused.to_dict(), {"q": {"a": 3 / 61, "b": 3 / 62 + 1 / 61}, "p": {"c": 1 / 61}})
    assert from_run({"x": bm25, "y": dense}).rankers == ("x", "y")


def test_the_result_can_be_evaluated_by_ranx(ranx: Any) -> None:
    qrels = ranx.Qrels({"q": {"a": 1, "b": 0}})
    assert from_qrels(qrels) == Labels({"q": {"a": 1, "b": 0}})
    fused = fuse([ranx.Run({"q": {"a": 2.0, "b": 1.0}}), ranx.Run({"q": {"b": 2.0, "a": 1.0}})], weights=[1, 2])
    assert ranx.evaluate(qrels, fused, "mrr") == 0.5


NAMES = ["precision@5", "recall@7", "hit_rate@2", "mrr@3", "map@10", "ndcg_burges@10", "bpref"]


@pytest.mark.parametrize("name", [*NAMES, "nDCG@10"])
def test_a_measure_by_the_name_of_ranx_has_its_values_on_graded_labels(ranx: Any, name: str) -> None:
    rng = np.random.default_rng(7)
    run = random_dicts(3)[0]
    grades = {query: {f"d{item}": int(rng.choice([0, 0, 1, 2, 3])) for item in range(25)} for query in run}
    theirs = name.lower() if name == "nDCG@10" else name  # its ndcg has the gain y, and ours has not
    values = ranx.evaluate(ranx.Qrels(grades), ranx.Run(run), theirs)
    [row] = evaluate(Rankings.from_runs({"run": run}), grades, name).rows
    assert row["mean"] == pytest.approx(values, abs=1e-9)


def test_an_empty_run_is_a_run(ranx: Any) -> None:
    assert to_run(from_run(ranx.Run(name="none"))).to_dict() == {}


def test_errors_say_what_to_do(ranx: Any) -> None:
    run = ranx.Run({"q": {"a": 1.0}}, name="x")
    other = ranx.Run({"q": {"b": 1.0}}, name="x")
    with pytest.raises(DataError, match="two runs are called 'x'"):
        from_run([run, other])
    with pytest.raises(InvalidParameter, match="expected a ranx Run"):
        from_run([{"q": {"a": 1.0}}])
    with pytest.raises(InvalidParameter, match="2 rankers"):
        to_run(Rankings.from_lists([["a"], ["b"]]))
    with pytest.raises(UnknownName, match="no ranker '3'"):
        to_run(Rankings.from_lists([["a"], ["b"]]), "3")
