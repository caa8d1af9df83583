"""The plan: one way from what was given to what a method sees, whoever carries it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stagg
from stagg import DataError, InvalidParameter, Rankings
from stagg.aggregate import prepare
from stagg.data.simulation import simulate
from stagg.report import digest, fused_queries

MADE = simulate(queries=6, items=12, rankers=4, depth=8, seed=1)
OPTIONS = [
    {},
    {"weights": {"r01": 0, "r02": 3}},
    {"depth": 3},
    {"missing": "below"},
    {"weights": [1, 2, 0, 1], "depth": 5, "missing": "below", "top": 4},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_fuse_explain_and_the_report_see_the_same(options: dict[str, object]) -> None:
    fused = stagg.fuse(MADE.rankings, "borda", **options)  # type: ignore[arg-type]
    shown = fused_queries(MADE.rankings, "borda", **options)  # type: ignore[arg-type]
    plain = {name: value for name, value in options.items() if name != "top"}
    for query in MADE.rankings.queries:
        first = fused.best_first(query)[0]
        why = stagg.explain(MADE.rankings, "borda", query=query, item=first, **plain)  # type: ignore[arg-type]
        assert (why.rank, shown[query].items[0]) == (1, first)
        assert why.score == pytest.approx(shown[query].scores[0])


def test_a_report_is_made_of_the_fusion_that_was_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    done = prepare("rrf", intervals=0.8, draws=50).fuse(MADE.rankings)
    monkeypatch.setattr("stagg.aggregate.plan.consensus", None)  # nothing is fused again
    shown = digest(done)
    assert shown.queries[0].intervals is not None
    assert shown.queries[0].intervals.level == 0.8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth must be a whole number, 1 or more"),
        ({"top": 1.5}, "top must be a whole number"),
        ({"draws": 0}, "draws must be a whole number"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"intervals": 1}, "between 0 and 1"),
        ({"missing": "belw"}, "must be one of"),
    ],
)
def test_wrong_options_are_refused_before_any_work(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        prepare("borda", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"weights": {"r01": 0}}])
def test_the_scores_of_a_plan_are_those_of_its_consensus(options: dict[str, Any]) -> None:
    plan = prepare("rrf", **options)
    _, seen, scored = plan.score(MADE.rankings)
    fused = plan.fuse(MADE.rankings).consensus
    assert fused.items == seen.items
    assert fused.scores is not None
    np.testing.assert_allclose(scored.scores[fused.entries], fused.scores, rtol=1e-12)  # items that tie share a score


def test_a_plan_that_learns_part_by_part_is_the_plan_that_sees_all() -> None:
    whole = stagg.fuse(MADE.rankings, "stagg_trust", depth=6)
    plan = prepare("stagg_trust", depth=6).learn(MADE.rankings.take_queries([q]) for q in range(len(MADE.rankings)))
    parts = [plan.fuse(MADE.rankings.take_queries([q])).result for q in range(len(MADE.rankings))]
    for query, part in zip(MADE.rankings.queries, parts, strict=True):
        assert part.best_first() == whole.best_first(query)


def test_train_holds_out_by_hash_and_saves_what_it_learned(tmp_path: Path) -> None:
    model = stagg.train(MADE.rankings, "weights", MADE.labels, holdout=0.34, seed=2)
    assert dict(model.training)["queries"] == 4
    assert repr(model).startswith("weights(method='rrf(c=60)', measure='ndcg@10'): rrf(c=60), r01=")
    model.save(tmp_path / "model.json")
    back = stagg.load_model(tmp_path / "model.json")
    assert back == model
    assert stagg.fuse(MADE.rankings, back) == stagg.fuse(MADE.rankings, model)
    assert np.isfinite(stagg.explain(MADE.rankings, model, query="q001", item=MADE.rankings["q001"].items[0]).score)


def test_train_says_what_is_missing() -> None:
    with pytest.raises(InvalidParameter, match="learns from labels"):
        stagg.train(MADE.rankings, "weights")
    with pytest.raises(InvalidParameter, match="learns without labels"):
        stagg.train(MADE.rankings, "trust", MADE.labels)
    with pytest.raises(InvalidParameter, match="exclude each other"):
        stagg.train(MADE.rankings, "weights", MADE.labels, holdout=0.5, validation=(MADE.rankings, MADE.labels))
    with pytest.raises(DataError, match="no query of the rankings has a label"):
        stagg.train(Rankings.from_lists([["a"]]), "weights", MADE.labels)
