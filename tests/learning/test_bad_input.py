"""What learners and model files do with odd labels, odd names, odd numbers, and with each other on threads."""

from __future__ import annotations

import json
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import DataError, Labels, NotConverged, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.learning import LEARNERS, load_model, model_text
from stagg.learning.base import Lesson
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import hold
from stagg.learning.linear.linear_model import LinearModel
from stagg.learning.model_files import _checksum
from stagg.measures.err import stops

THREE = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["b", "c", "a"], "z": ["c", "a"]})


def world(seed: int = 0, factor: float = 1.0) -> tuple[Rankings, Labels]:
    made = simulate(queries=10, items=10, rankers=4, depth=7, seed=seed)
    grades = {query: {item: factor * grade for item, grade in made.labels[query].items()} for query in made.labels}
    return made.rankings, Labels(grades)


def written(path: Path, body: dict[str, Any]) -> Path:
    """A model file with a checksum that fits."""
    path.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    return path


@pytest.mark.parametrize("name", ["rankagg_err", "stagg_err", "stagg_err(approximation='normal')"])
def test_huge_grades_are_learned_from(name: str) -> None:
    assert stops(np.array([1000.0]), 1000.0)[0] < 1  # 2^1000 - 1 is 2^1000 in doubles
    model = LEARNERS.parse(name).fit(*world(factor=500))
    assert isinstance(model, LinearModel)
    assert np.isfinite(model.weights).all()
    assert dict(model.training)["iterations"] > 0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["stagg_ndcg(optimiser='gradient', rate=1e300)", "rankagg_err(rate=1e308)"])
def test_weights_that_run_away_are_an_error_and_no_model(name: str) -> None:
    with pytest.raises(NotConverged, match="smaller rate"):
        LEARNERS.parse(name).fit(*world())


def test_what_is_no_number_is_not_saved() -> None:
    model = LinearModel(learner="l", rankers=("x",), features="borda", weights=(float("nan"), 0.0))
    with pytest.raises(NotConverged, match="cannot be saved"):
        model_text(model)


@pytest.mark.parametrize("name", ["stagg_ndcg", "cps", "theta_mpm", "supervised_mc", "weights"])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "1" + 400 * "0"])
def test_a_model_file_with_what_is_no_number_is_refused(name: str, number: str, tmp_path: Path) -> None:
    model = LEARNERS.parse(name).fit(THREE, Labels({"1": {"a": 1}}))
    body = json.loads(model_text(model))
    del body["checksum"]
    table = next(value for value in body["content"].values() if isinstance(value, dict))
    table[next(iter(table))] = json.loads(number)
    with pytest.raises(DataError, match=r"no JSON|incomplete"):
        load_model(written(tmp_path / "model.json", body))


@pytest.mark.parametrize("name", ["best_input", "stagg_ndcg", "cps"])
def test_a_ranker_whose_name_is_no_text_survives_the_file(name: str, tmp_path: Path) -> None:
    rankings = THREE.with_rankers(["b\udcff", "\u00e9,x:nBC", "x:missing"])
    model = LEARNERS.parse(name).fit(rankings, Labels({"1": {"a": 1}}))
    path = tmp_path / "model.json"
    path.write_text(model_text(model), encoding="utf-8")
    assert load_model(path) == model
    assert "\u00e9,x:nBC" in path.read_text(encoding="utf-8")


def test_hostile_names_of_rankers_are_shown_harmless() -> None:
    model = LEARNERS.parse("best_input").fit(THREE.with_rankers(["\x1b[31m", "y", "z"]), Labels({"1": {"a": 1}}))
    with pytest.raises(DataError, match="trained on") as error:
        fuse(THREE, model)
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize("name", [name for name in LEARNERS.names() if name not in ("best_input", "trust")])
def test_a_validation_part_without_labels_is_named(name: str) -> None:
    rankings, labels = world()
    with pytest.raises(DataError, match="validation part has a label"):
        LEARNERS.parse(name).fit(rankings, labels, validation=(rankings, Labels({"other": {"a": 1}})))


def test_a_validation_part_without_the_largest_grade_has_the_scale_of_the_training_part() -> None:
    rankings, labels = world()
    known = Examples.of(rankings, labels, None)
    low = Labels({query: {item: min(grade, 1.0) for item, grade in labels[query].items()} for query in labels})
    held = hold(Lesson(rankings, labels, (rankings, low)), known)
    assert held is not None
    assert (known.labels.largest, held.labels.largest) == (2.0, 1.0)
    assert held.largest == known.largest == 2.0


def test_fits_on_threads_leave_the_filters_of_warnings_alone() -> None:
    rankings, labels = world()
    few = rankings.take_rankers([0, 1, 2])
    for name in ("weights", "theta_mpm", "supervised_mc"):  # what they import has filters of its own
        LEARNERS.parse(name).fit(rankings, labels, validation=(few, labels))
    before, interval = list(warnings.filters), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            threading.Thread(
                target=LEARNERS.parse(name).fit, args=(rankings, labels), kwargs={"validation": (few, labels)}
            )
            for name in 2 * ["weights", "theta_mpm", "supervised_mc"]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert list(warnings.filters) == before
