"""Boosted trees: what they learn, that nothing but the data decides it, and what a damaged file does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, MissingExtra, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning import LEARNERS, load_model, model_text
from stagg.learning.base import Step
from stagg.learning.examples import Examples
from stagg.learning.linear.expected_measure import StaggNDCG
from stagg.learning.trees.boosted_trees import Forests, LambdaMART, StaggTrees
from stagg.learning.trees.boosting import TreeRows
from stagg.learning.trees.forest_text import check_forest

pytest.importorskip("lightgbm", reason="the tree learners need lightgbm: pip install stagg[trees]")

BOTH = pytest.mark.parametrize("learner", [LambdaMART, StaggTrees])
SMALL: dict[str, Any] = {"trees": 20, "bags": 2, "min_items": 5}


def world(seed: int = 0) -> tuple[Rankings, Labels]:
    made = simulate(queries=40, items=20, rankers=4, quality=[0.3, 3.0, 0.3, 0.3], depth=12, seed=seed)
    return made.rankings, made.labels


def mean_ndcg(model: Forests, rankings: Rankings, labels: Labels) -> float:
    return float(evaluate(fuse(rankings, model), labels, "ndcg@10").rows[0]["mean"])


@BOTH
def test_trees_beat_borda_on_queries_they_have_not_seen(learner: type[LambdaMART | StaggTrees]) -> None:
    model = learner(**SMALL).fit(*world(0))
    other, labels = world(7)
    borda = float(evaluate(fuse(other, "borda"), labels, "ndcg@10").rows[0]["mean"])
    assert mean_ndcg(model, other, labels) > borda + 0.05


@BOTH
def test_validation_keeps_the_best_round_and_ends_the_fit(learner: type[LambdaMART | StaggTrees]) -> None:
    held = world(7)
    steps: list[Step] = []
    model = learner(trees=200, patience=5, bags=2, min_items=5).fit(
        *world(0), validation=held, watch=lambda step: bool(steps.append(step))
    )
    means = [step.validation for step in steps if step.validation is not None]
    facts = dict(model.training)
    assert [step.iteration for step in steps] == list(range(1, facts["rounds"] + 1))
    assert facts["kept"] == int(np.argmax(means)) + 1 == facts["rounds"] - 5 < 195
    assert facts["validation"] == max(means) == pytest.approx(mean_ndcg(model, *held), abs=1e-12)
    assert [text.count("\nTree=") for text in model.forests] == [facts["kept"]] * 2


@BOTH
def test_a_watch_may_stop_the_fit_and_sees_the_objective_rise(learner: type[LambdaMART | StaggTrees]) -> None:
    steps: list[Step] = []

    def watch(step: Step) -> bool:
        steps.append(step)
        return step.iteration == 15

    model = learner(**SMALL).fit(*world(0), watch=watch)
    assert len(steps) == 15
    assert steps[0].validation is None
    assert dict(model.training) == {"queries": 40, "rounds": 15, "kept": 15}
    assert steps[-1].objective > steps[1].objective + 0.01


@BOTH
def test_threads_and_the_order_of_items_change_no_byte(learner: type[LambdaMART | StaggTrees]) -> None:
    rankings, labels = world(0)
    one = learner(**SMALL).fit(rankings, labels)
    assert learner(**SMALL, threads=2).fit(rankings, labels).forests == one.forests
    backwards = Rankings.from_runs(
        {
            name: {
                view.id: {item: -rank for rank, (item,) in reversed(list(enumerate(view.lists[name])))}
                for view in rankings
            }
            for name in rankings.rankers[::-1]
        }
    )
    assert backwards.items != rankings.items
    assert learner(**SMALL).fit(backwards, labels).forests == one.forests
    assert learner(**SMALL, seed=1).fit(rankings, labels).forests != one.forests


@BOTH
def test_nothing_is_printed(learner: type[LambdaMART | StaggTrees], capfd: pytest.CaptureFixture[str]) -> None:
    rankings, labels = world(0)
    model = learner(**SMALL).fit(rankings, labels, validation=world(7))
    learner(**SMALL).fit(rankings.take_queries([0]), labels)
    model.score(rankings)
    assert capfd.readouterr() == ("", "")


@BOTH
def test_forests_are_averaged(learner: type[LambdaMART | StaggTrees]) -> None:
    rankings, labels = world(0)
    two = learner(**SMALL).fit(rankings, labels)
    alone = [learner(trees=20, min_items=5, seed=seed).fit(rankings, labels) for seed in (0, 1)]
    assert two.forests == tuple(each.forests[0] for each in alone)
    assert two.score(rankings) == pytest.approx(np.mean([each.score(rankings) for each in alone], axis=0), rel=1e-12)


@BOTH
def test_few_data_and_odd_grades_are_learned_from(learner: type[LambdaMART | StaggTrees]) -> None:
    rankings, labels = world(0)
    odd = Labels({query: {item: grade * 0.7 for item, grade in labels[query].items()} for query in labels})
    model = learner(**SMALL).fit(rankings, odd)
    assert mean_ndcg(model, rankings, labels) > 0.8
    assert isinstance(learner(**SMALL).fit(rankings.take_queries([0]), labels), Forests)


@BOTH
def test_where_there_is_nothing_to_learn_the_error_says_so(learner: type[LambdaMART | StaggTrees]) -> None:
    same = Rankings.from_lists({"x": [["a", "b", "c"]]})
    with pytest.raises(DataError, match="the same features"):
        learner(**SMALL).fit(same, Labels({"1": {"a": 1, "b": 0}}))
    rankings, labels = world(0)
    flat = Labels({query: dict.fromkeys(rankings[query].items, 1.0) for query in labels})
    with pytest.raises(DataError, match="different labels"):
        learner(**SMALL).fit(rankings, flat)
    none = Labels({query: dict.fromkeys(labels[query], 0.0) for query in labels})
    with pytest.raises(DataError, match="validation part has no relevant item"):
        learner(**SMALL).fit(rankings, labels, validation=(rankings, none))


@pytest.mark.parametrize("objective", ["ndcg", "err", "rbp(p=0.9)"])
def test_the_expectation_that_trees_grow_on_rises(objective: str) -> None:
    """Measured at noise of one size, and without LightGBM: by the kernel alone."""
    rankings, labels = world(0)
    known = Examples.of(rankings, labels, None)
    learner = StaggTrees(objective=objective, trees=20, min_items=5)
    rows, model = TreeRows.of(known), learner.fit(rankings, labels)
    steps = learner.objective_of(rows)
    scores = model.score(known.rankings)
    assert steps(scores)[0] > 1.15 * steps(np.zeros(len(scores)))[0]


def test_steps_move_items_against_each_other_with_curvature_of_one_scale() -> None:
    rankings, labels = world(0)
    rows = TreeRows.of(Examples.of(rankings, labels, None))
    scores = np.random.default_rng(0).normal(size=len(rows.start))
    _, slope, curvature = StaggTrees().objective_of(rows)(scores)
    assert np.add.reduceat(slope, rows.known.offsets[:-1]) == pytest.approx(np.zeros(40), abs=1e-9)
    assert curvature.mean() == pytest.approx(1)
    assert (curvature >= 0).all()


def test_trees_start_from_the_linear_model_of_the_same_expectation() -> None:
    rankings, labels = world(0)
    model = StaggTrees(trees=1, learning_rate=1e-6, min_items=5, start=0.5).fit(rankings, labels)
    linear = StaggNDCG(features="ranks", sigma=0.5, iterations=50).fit(rankings, labels)
    assert np.corrcoef(model.score(rankings), linear.score(rankings))[0, 1] == pytest.approx(1)
    assert model.score(rankings).std() == pytest.approx(0.5, rel=1e-3)
    assert StaggTrees(trees=1, start=0.0).fit(rankings, labels).weights == ()


@BOTH
@pytest.mark.parametrize(
    "wrong",
    [
        {"trees": 0},
        {"leaves": 1},
        {"learning_rate": 0.0},
        {"feature_share": 1.5},
        {"item_share": 0.0},
        {"l2": -1.0},
        {"bags": 0},
        {"seed": -1},
        {"threads": 0},
        {"features": 3},
        {"measure": None},
    ],
)
def test_wrong_parameters_are_named(learner: type[LambdaMART | StaggTrees], wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match=next(iter(wrong))):
        learner(**wrong)


def test_an_objective_needs_an_expectation() -> None:
    with pytest.raises(InvalidParameter, match="must be ndcg, err or rbp"):
        StaggTrees(objective="map")
    with pytest.raises(InvalidParameter, match="start"):
        StaggTrees(start=-1.0)
    with pytest.raises(InvalidParameter, match="truncation"):
        LambdaMART(truncation=0)


def damages() -> dict[str, Any]:
    return {
        "cut off": lambda text: text[: len(text) // 2],
        "no end": lambda text: text.replace("end of trees", "end of"),
        "child out of range": lambda text: text.replace("left_child=", "left_child=99", 1),
        "a loop": lambda text: text.replace("left_child=1 ", "left_child=0 ", 1),
        "unknown feature": lambda text: text.replace("split_feature=", "split_feature=7", 1),
        "no number": lambda text: text.replace("leaf_value=", "leaf_value=x", 1),
        "too few values": lambda text: text.replace("leaf_value=", "leaf=", 1),
        "size": lambda text: text.replace("tree_sizes=", "tree_sizes=1", 1),
        "another number of columns": lambda text: text.replace("max_feature_idx=", "max_feature_idx=1", 1),
        "no label": lambda text: text.replace("label_index=0", "label_index=rrf(c=60)", 1),
        "no number that does not matter": lambda text: text.replace("shrinkage=0.", "shrinkage=0_", 1),
        "digits of another script": lambda text: text.replace("label_index=0", "label_index=\u0660", 1),
        "an unknown line": lambda text: text.replace("label_index=0", "label_index=0\nlinear_tree=1", 1),
        "a field twice": lambda text: text.replace("label_index=0", "label_index=0\nlabel_index=0", 1),
        "another end": lambda text: text + "parameters:\n",
        "nothing": lambda text: "",
    }


@pytest.mark.parametrize("damage", damages())
def test_a_damaged_forest_is_refused_before_lightgbm_sees_it(damage: str, tmp_path: Path) -> None:
    model = LambdaMART(**SMALL).fit(*world(0))
    columns = len(model.content()["columns"])
    check_forest(model.forests[0], columns)
    broken = damages()[damage](model.forests[0])
    assert broken != model.forests[0]
    path = tmp_path / "model.json"
    path.write_text(model_text(Forests(**(vars(model) | {"forests": (broken,)}))))
    with pytest.raises(DataError, match="the model is incomplete"):
        load_model(path)


def test_a_model_of_other_columns_is_refused() -> None:
    model = LambdaMART(**SMALL).fit(*world(0))
    common = {"learner": "x", "rankers": model.rankers, "training": ()}
    for change in ({"features": "borda"}, {"columns": ["x"]}, {"weights": [1.0]}, {"forests": []}, {"forests": "tree"}):
        with pytest.raises(DataError):
            Forests.restore(common, model.content() | change)
    assert Forests.restore(common, json.loads(json.dumps(model.content()))).forests == model.forests


def test_without_lightgbm_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    model = LambdaMART(**SMALL).fit(*world(3))
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingExtra, match=r'pip install "stagg\[trees\]"'):
        StaggTrees().fit(*world(0))
    with pytest.raises(MissingExtra, match="lightgbm"):
        model.score(world(3)[0])


def test_lightgbm_is_imported_only_when_trees_are_asked_for() -> None:
    code = "import sys, stagg.learning, stagg.learning.trees.boosted_trees; sys.exit('lightgbm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONWARNINGS": "ignore"}).returncode == 0


def test_the_learners_are_registered() -> None:
    assert isinstance(LEARNERS.parse("lambdamart(leaves=7)"), LambdaMART)
    assert LEARNERS.parse(repr(StaggTrees(start=0.7))) == StaggTrees(start=0.7)
