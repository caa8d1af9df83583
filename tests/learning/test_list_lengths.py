"""Models on features warn when lists are much longer or shorter than in training."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from stagg import DataWarning, Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.learning import LEARNERS, load_model, model_text
from stagg.learning.model_files import _checksum

NAMES = ["stagg_ndcg(iterations=3)", "rankagg_ndcg(iterations=3)", "ensemble(members='stagg_ndcg(iterations=3)')"]


def world(depth: int, seed: int = 0) -> tuple[Rankings, Labels]:
    made = simulate(queries=10, items=60, rankers=3, depth=depth, seed=seed)
    return made.rankings, made.labels


@pytest.mark.parametrize("name", [*NAMES, "lambdamart(trees=3)"])
@pytest.mark.parametrize(("depth", "how"), [(50, "longer"), (9, "shorter")])
def test_much_longer_and_shorter_lists_are_warned_of(name: str, depth: int, how: str) -> None:
    if "lambdamart" in name:
        pytest.importorskip("lightgbm")
    model = LEARNERS.parse(name).fit(*world(20))
    with pytest.warns(DataWarning, match=rf"lists of .* are much {how} than in training \(20 items\)"):
        fuse(world(depth, seed=1)[0], model)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("depth", [10, 20, 40])
def test_lists_of_half_or_twice_the_length_are_not(name: str, depth: int) -> None:
    model = LEARNERS.parse(name).fit(*world(20))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        fuse(world(depth, seed=1)[0], model)


def test_one_ranker_whose_lists_are_cut_is_named() -> None:
    rankings, labels = world(20)
    model = LEARNERS.parse(NAMES[0]).fit(rankings, labels)
    runs = rankings.to_runs()
    cut = {query: dict(list(scored.items())[:5]) for query, scored in runs[rankings.rankers[1]].items()}
    with pytest.warns(DataWarning, match=rf"lists of '{rankings.rankers[1]}' are much shorter"):
        fuse(Rankings.from_runs(runs | {rankings.rankers[1]: cut}), model)


def test_a_model_of_an_older_file_knows_no_lengths_and_does_not_warn(tmp_path: Path) -> None:
    body = json.loads(model_text(LEARNERS.parse(NAMES[0]).fit(*world(20))))
    del body["checksum"], body["content"]["lengths"]
    (tmp_path / "model.json").write_text(json.dumps(body | {"checksum": _checksum(body)}))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        fuse(world(5, seed=1)[0], load_model(tmp_path / "model.json"))
