"""Parameters of learners are data from anywhere: a huge one is refused, or costs no more than a usual one."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, InvalidParameter, StaggError, fuse, load_model, train
from stagg.learning import LEARNERS
from stagg.learning.base import Learner
from stagg.learning.model_files import _checksum

RUNS = {
    "r": {"q": {"a": 1.0, "b": 2.0, "c": 3.0}, "p": {"a": 3.0, "b": 1.0}},
    "s": {"q": {"b": 1.0, "c": 2.0}, "p": {"b": 2.0, "c": 1.0}},
}
LABELS = {"q": {"a": 1}, "p": {"b": 1}}
HUGE = [10**9, 10**18, 10**400]


def numbers_of(learner: type[Learner]) -> list[str]:
    """The parameters of a learner that are numbers."""
    return [each.name for each in dataclasses.fields(learner) if "int" in str(each.type) or "float" in str(each.type)]


CASES = [(learner, parameter) for learner in LEARNERS for parameter in numbers_of(learner)]


@pytest.mark.parametrize("value", [1000, 10**6, 10**400], ids=["1000", "1e6", "1e400"])
@pytest.mark.parametrize("learner", ["lambdamart", "stagg_trees"])
def test_more_threads_than_a_machine_has_any_use_for_are_refused_with_the_range(learner: str, value: int) -> None:
    """LightGBM ended the process, or did not end."""
    with pytest.raises(InvalidParameter, match=rf"{learner}: threads must be at most 256, not 1000"):
        train(RUNS, f"{learner}(threads={value})", LABELS)


def test_a_member_of_an_ensemble_has_the_same_ranges() -> None:
    with pytest.raises(InvalidParameter, match="threads must be at most 256"):
        train(RUNS, "ensemble(members='lambdamart(threads=1000000)')", LABELS)


def test_as_many_threads_as_allowed_grow_the_same_forest_as_one() -> None:
    pytest.importorskip("lightgbm")
    one, many = (train(RUNS, f"lambdamart(trees=3, threads={threads})", LABELS) for threads in (1, 256))
    assert one.content() == many.content()


def test_leaves_beyond_the_number_of_items_cost_nothing_and_change_nothing() -> None:
    """LightGBM takes memory for every leaf that a tree could have."""
    pytest.importorskip("lightgbm")
    few, many = (train(RUNS, f"lambdamart(trees=3, leaves={leaves})", LABELS) for leaves in (6, 131_072))
    assert few.content() == many.content()


@pytest.mark.parametrize("samples", [1001, 10**9, 10**400], ids=["1001", "1e9", "1e400"])
def test_cps_refuses_more_samples_than_fit_into_memory(samples: int) -> None:
    with pytest.raises(InvalidParameter, match="cps: samples must be at most 1,000"):
        train(RUNS, f"cps(samples={samples})", LABELS)


@pytest.mark.parametrize(
    "call",
    ["lambdamart(bags=1000000000)", "lambdamart(trees=1000000000)", "lambdamart(leaves=1000000)",
     "rankagg_ndcg(iterations=1000000000)", "cps(iterations=1000000000)", "supervised_mc(iterations=1000000000)"],
)  # fmt: skip
def test_what_takes_memory_or_time_by_its_value_has_an_upper_end(call: str) -> None:
    with pytest.raises(InvalidParameter, match="must be at most"):
        LEARNERS.parse(call)


@pytest.mark.parametrize("value", HUGE, ids=lambda value: f"{len(str(value))} digits")
@pytest.mark.parametrize(("learner", "parameter"), CASES, ids=lambda each: getattr(each, "name", each))
def test_every_learner_trains_or_refuses_whatever_number_a_parameter_is(
    learner: type[Learner], parameter: str, value: int
) -> None:
    """No parameter may be left out of this: a new one is found here."""
    options: dict[str, Any] = {parameter: value}
    if "trees" in numbers_of(learner):
        pytest.importorskip("lightgbm")
        options = {"trees": 3} | options
    with contextlib.suppress(StaggError):
        fused = fuse(RUNS, train(RUNS, learner(**options), LABELS))
        assert sorted(fused.best_first("q")) == ["a", "b", "c"]


@pytest.mark.parametrize("learner", ["stagg_rbp", "stagg_err", "stagg_ndcg"])
@pytest.mark.parametrize("pair", [[1, 10**400], [10**400, 10**400], [1, 2**60], [-1, 3]])
def test_a_model_with_list_lengths_that_no_list_has_is_refused_when_it_is_loaded(
    tmp_path: Path, learner: str, pair: list[int]
) -> None:
    path = tmp_path / "model.json"
    train(RUNS, learner, LABELS).save(path)
    body = json.loads(path.read_text())
    del body["checksum"]
    body["content"]["lengths"]["r"] = pair
    path.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    with pytest.raises(DataError, match="lengths of the lists"):
        load_model(path)
