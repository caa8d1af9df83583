"""Model files are data from anywhere: whatever numbers they hold, there is an error or a ranking, and an end."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attack.models import claim_sizes, make_examples, train_all, try_model, write_body
from stagg import DataError, Labels, Rankings, StaggError, fuse, load_model, train
from stagg.features import FEATURES
from stagg.learning.model_files import LARGEST_FILE, MODELS, _checksum

RUNS = Rankings.from_runs(
    {name: {q: {i: float(hash_) for hash_, i in enumerate(items)} for q in "12"} for name, items in
     {"x": "abcd", "y": "bdca", "z": "cadb"}.items()}
)  # fmt: skip
LABELS = Labels({"1": {"a": 2, "b": 1}, "2": {"c": 1}})


def edited(path: Path, learner: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """A model file whose content was changed, with a checksum that fits."""
    train(RUNS, learner, LABELS).save(path)
    body = json.loads(path.read_text())
    del body["checksum"]
    change(body["content"])
    path.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    return path


@pytest.mark.parametrize("distance", ["spearman", "footrule", "kendall"])
@pytest.mark.parametrize("theta", [(1e308, -1e308, 1e308), (1e308, 1e308, 5e-324), (0.0, 0.0, 0.0), (5e-324, 0.0, 0.0)])
def test_a_cps_model_with_any_weights_gives_a_ranking(tmp_path: Path, distance: str, theta: tuple[float, ...]) -> None:
    """Sums of these weights overflow, and the search for the cheapest candidate had no end."""

    def change(content: dict[str, Any]) -> None:
        content["theta"] = dict(zip("xyz", theta, strict=True))

    path = edited(tmp_path / "model.json", f"cps(distance={distance!r})", change)
    fused = fuse(RUNS, load_model(path), weights={"x": 1e300})
    assert np.isfinite(fused.scores).all()
    assert len(fused.entries) == 8


@pytest.mark.parametrize(
    ("learner", "option", "value"),
    [("slidefuse", "window", "1"), ("slidefuse", "window", -1), ("slidefuse", "window", 1e300),
     ("slidefuse", "window", 10**30), ("probfuse", "segments", 0), ("probfuse", "segments", [])],
)  # fmt: skip
def test_an_option_out_of_its_range_is_refused_when_the_model_is_loaded(
    tmp_path: Path, learner: str, option: str, value: object
) -> None:
    path = edited(tmp_path / "model.json", learner, lambda content: content.update({option: value}))
    with pytest.raises(DataError, match=option):
        load_model(path)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """{kind of model: the content of a file of it}, by every learner that there is; of several, the shortest file."""
    bodies = train_all(*make_examples(1), tmp_path_factory.mktemp("models")).values()
    by_length = sorted(bodies, key=lambda body: -len(json.dumps(body)))
    return {body["kind"]: body for body in by_length}


def test_every_kind_of_model_is_tried_here(trained: dict[str, dict[str, Any]]) -> None:
    assert set(trained) == set(MODELS)


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_a_model_that_claims_to_be_huge_is_refused_or_used_in_little_memory(
    kind: str, trained: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """Every number of the file, those within texts too, becomes 10^8, 10^9 and 10^12 in turn."""
    claims = list(claim_sizes(trained[kind]))
    rankings, _ = make_examples(1)
    for body in random.Random(kind).sample(claims, min(60, len(claims))):
        write_body(tmp_path / "model.json", body)
        try_model(tmp_path / "model.json", rankings)


@pytest.mark.parametrize(
    "features", ["svd(rank={})", "cp(rank={})", "cp(restarts={})", "svd(rank=2, singular_values={})"]
)
@pytest.mark.parametrize("claim", [10**8, 10**9, 10**12])
def test_features_without_number_are_refused_before_any_is_made(features: str, claim: int, tmp_path: Path) -> None:
    text = features.format(claim)

    def change(content: dict[str, Any]) -> None:
        content["features"] = text

    path = edited(tmp_path / "model.json", "stagg_ndcg", change)
    with pytest.raises(DataError, match="incomplete"):
        load_model(path)
    with pytest.raises(StaggError):
        FEATURES.parse(text)


@pytest.mark.parametrize(
    "method", ["svp(iterations=1000000000)", "kemeny(time_limit=1e9)", "cranking(sweeps=1000000000)"]
)
def test_a_model_cannot_start_work_without_end(method: str, tmp_path: Path) -> None:
    path = edited(tmp_path / "model.json", "weights", lambda content: content.update(method=method))
    with pytest.raises(DataError, match="incomplete"):
        load_model(path)


def test_a_model_file_that_does_not_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="too large"):
        load_model("/dev/zero")
    (tmp_path / "large.json").write_bytes(b" " * (LARGEST_FILE + 1))
    with pytest.raises(DataError, match="too large"):
        load_model(tmp_path / "large.json")


# --- numbers that are none --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(set(MODELS) - {"best_input"}))
@pytest.mark.parametrize("fake", ["text", True, None, 1e999])
def test_a_learned_number_that_is_no_number_is_refused(
    kind: str, fake: object, trained: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """A text such as "2" and true were read as 2 and 1."""
    places = len(learned_numbers(trained[kind]["content"]))
    assert places or kind in TEXT_ONLY
    for place in random.Random(kind).sample(range(places), min(12, places)):
        body = copy.deepcopy(trained[kind])
        holder, key = learned_numbers(body["content"])[place]
        holder[key] = str(holder[key]) if fake == "text" else fake
        write_body(tmp_path / "model.json", body)
        with pytest.raises(DataError):
            load_model(tmp_path / "model.json")


TEXT_ONLY = ("forests",)
LEARNED = ("weights", "theta", "values", "unlisted", "reliability", "share", "influence", "confirmation", "lengths")


def learned_numbers(content: Any, inside: bool = False) -> list[tuple[Any, Any]]:
    """(holder, key) of every number that a learner has found, not of the options that it was given."""
    found: list[tuple[Any, Any]] = []
    for key, value in list(content.items() if isinstance(content, dict) else enumerate(content)):
        learned = inside or key in LEARNED
        if isinstance(value, dict | list):
            found += learned_numbers(value, learned)
        elif learned and isinstance(value, int | float):
            found.append((content, key))
    return found


@pytest.mark.parametrize("learner", ["weights", "mixed"])
def test_a_model_whose_weights_are_all_0_is_refused(learner: str, tmp_path: Path) -> None:
    """It fused to nothing, without a word."""

    def change(content: dict[str, Any]) -> None:
        content["weights"] = dict.fromkeys("xyz", 0.0)

    with pytest.raises(DataError, match="all weights are 0"):
        load_model(edited(tmp_path / "model.json", learner, change))


def test_a_negative_weight_and_rankers_that_are_no_names_are_refused_on_loading(tmp_path: Path) -> None:
    path = edited(tmp_path / "model.json", "weights", lambda content: content["weights"].update(x=-1.0))
    with pytest.raises(DataError, match="weights of 'x' must be a finite number"):
        load_model(path)
    body = json.loads(edited(path, "weights", lambda content: None).read_text())
    body.pop("checksum")
    for rankers in ("xyz", [1, 2, 3], {"x": 1}):
        write_body(path, body | {"rankers": rankers})
        with pytest.raises(DataError, match="its rankers are not a list of names"):
            load_model(path)
