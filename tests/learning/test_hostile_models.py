"""Model files are data from anywhere: whatever numbers they hold, there is an error or a ranking, and an end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import DataError, Labels, Rankings, fuse, load_model, train
from stagg.learning.model_files import _checksum

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
