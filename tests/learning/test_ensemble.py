"""The ensemble: several learners on features whose scores are added."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, explain, fuse
from stagg.data.simulation import simulate
from stagg.learning import LEARNERS, load_model, model_text
from stagg.learning import ensemble as ensemble_module
from stagg.learning.ensemble import Ensemble, EnsembleModel, standardise
from stagg.learning.model_files import _checksum

LINEAR = "stagg_ndcg(features='ranks', iterations=5); stagg_rbp(features='borda', iterations=5)"


@functools.cache
def world(seed: int = 0, quality: tuple[float, ...] = (0.3, 2.0, 0.3, 1.0)) -> tuple[Rankings, Labels]:
    made = simulate(queries=30, items=12, rankers=4, quality=list(quality), depth=8, seed=seed)
    return made.rankings, made.labels


@functools.cache
def fitted(members: str = LINEAR) -> EnsembleModel:
    model = Ensemble(members=members).fit(*world(), validation=world(1))
    assert isinstance(model, EnsembleModel)
    return model


def written(path: Path, body: dict[str, Any]) -> Path:
    """A model file with a checksum that fits."""
    body.pop("checksum", None)
    path.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    return path


def by_hand(scores: list[float]) -> list[float]:
    """z-scores, written down as in a textbook."""
    mean = sum(scores) / len(scores)
    spread = (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5
    return [(score - mean) / spread if spread else 0.0 for score in scores]


def test_scores_are_the_sum_of_the_z_scores_of_the_members() -> None:
    unseen = world(2)[0]
    model = fitted()
    members = [member.score(unseen) for member in model.members]
    expected = [
        np.sum([by_hand(scores[low:high].tolist()) for scores in members], axis=0)
        for low, high in zip(unseen.item_offsets[:-1], unseen.item_offsets[1:], strict=True)
    ]
    assert len(model.members) == 2
    np.testing.assert_allclose(model.score(unseen), np.concatenate(expected), rtol=1e-12, atol=1e-12)


def test_standard_scores_do_not_depend_on_the_order_of_the_items() -> None:
    rng = np.random.default_rng(0)
    scores, offsets = rng.normal(size=101) * 1e3, np.array([0, 0, 60, 101, 101])
    queries = np.repeat(np.arange(4), np.diff(offsets))
    order = np.concatenate([rng.permutation(60), 60 + rng.permutation(41)])
    assert (
        standardise(scores[order], queries, offsets).tobytes() == standardise(scores, queries, offsets)[order].tobytes()
    )


@pytest.mark.parametrize("value", [0.0, 0.1, 1e300, -7.3])
def test_a_query_whose_scores_are_equal_has_zeros(value: float) -> None:
    found = standardise(np.full(7, value), np.zeros(7, dtype=np.intp), np.array([0, 7]))
    assert found.tolist() == [0.0] * 7


def test_members_that_harm_clearly_are_left_out() -> None:
    rankings, labels = world()
    against = Labels({query: {item: 2 - grade for item, grade in labels[query].items()} for query in labels})
    learner = Ensemble(members="stagg_ndcg(features='borda'); stagg_ndcg(features='svd'); stagg_ndcg(features='ranks')")
    good = learner.fit(rankings, labels, validation=world(1))
    assert isinstance(good, EnsembleModel)
    assert [dict(good.training)[key] for key in ("trained", "kept")] == [3, 3]
    upside_down = [member.fit(rankings, against) for member in learner.learners()]
    models: Any = [good.members[0], upside_down[1], upside_down[2]]
    kept, _ = learner._choose(models, _held())
    assert kept == [good.members[0]]


def _held() -> Any:
    from stagg.learning.examples import Examples

    return Examples.of(*world(1), None)


def test_a_margin_of_zero_takes_the_best_subset() -> None:
    bold, careful = (
        Ensemble(members=LINEAR, margin=margin).fit(*world(), validation=world(1)) for margin in (0.0, 9.0)
    )
    assert dict(careful.training)["kept"] == 2
    assert dict(bold.training)["validation"] >= dict(careful.training)["validation"]


def test_the_model_is_one_file_and_comes_back(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    model = fitted("lambdamart(trees=5); stagg_ndcg(features='svd', iterations=3); lambdamart(features='raw', trees=5)")
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again == model
    assert model_text(again) == model_text(model)
    unseen = world(2)[0]
    assert fuse(unseen, again) == fuse(unseen, model)


def break_nothing_but_the_member(body: dict[str, Any]) -> None:
    body["content"]["members"][0]["content"]["weights"].popitem()


def break_the_kind(body: dict[str, Any]) -> None:
    body["content"]["members"][0]["kind"] = "weights"


def put_an_ensemble_inside(body: dict[str, Any]) -> None:
    inner = json.loads(json.dumps(body))
    body["content"]["members"][0] = {key: inner[key] for key in ("kind", "learner", "rankers", "training", "content")}


def take_all_members(body: dict[str, Any]) -> None:
    body["content"]["members"] = []


def rename_the_rankers_of_a_member(body: dict[str, Any]) -> None:
    body["content"]["members"][1]["rankers"][0] = "somebody"


def claim_lengths_that_are_none(body: dict[str, Any]) -> None:
    lengths = body["content"]["members"][0]["content"]["lengths"]
    lengths[next(iter(lengths))] = [5, 2]


@pytest.mark.parametrize(
    "damage",
    [
        break_nothing_but_the_member,
        break_the_kind,
        put_an_ensemble_inside,
        take_all_members,
        rename_the_rankers_of_a_member,
        claim_lengths_that_are_none,
    ],
)
def test_a_damaged_member_makes_the_file_refused(damage: Any, tmp_path: Path) -> None:
    body = json.loads(model_text(fitted()))
    damage(body)
    with pytest.raises(DataError, match="incomplete"):
        load_model(written(tmp_path / "model.json", body))


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ("weights", "cannot be a member"),
        ("ensemble", "cannot be a member"),
        ("stagg_ndcg(ridge=[0.1, 0.2])", "one setting each"),
        ("", "1 to 8 members"),
        ("stagg_ndcg; stagg_ndcg", "all different"),
        (3, "must be a text"),
    ],
)
def test_members_that_cannot_be_are_refused(members: Any, reason: str) -> None:
    with pytest.raises(InvalidParameter, match=reason):
        Ensemble(members=members)


def test_members_go_by_the_measure_of_the_ensemble_unless_they_name_one() -> None:
    learner = Ensemble(members="stagg_ndcg; stagg_err(measure='mrr')", measure="p@3")
    assert [getattr(member, "measure", None) for member in learner.learners()] == ["p@3", "mrr"]
    assert LEARNERS.parse(repr(learner)) == learner


def test_an_item_is_explained() -> None:
    unseen = world(2)[0]
    query = unseen.queries[0]
    found = explain(unseen, fitted(), item=unseen[query].items[0], query=query)
    assert found.score == fuse(unseen, fitted()).to_dict()[query][found.item]
    assert {ranker.ranker for ranker in found.rankers} <= set(unseen.rankers)


@pytest.mark.parametrize(("share", "kept"), [(0.99, ["b"]), (1.01, ["a", "b"])])
def test_a_subset_is_taken_beyond_so_many_standard_errors_of_the_paired_difference(
    share: float, kept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = np.array([0.3, 0.5, 0.4, 0.6, 0.2])
    gain = np.array([0.1, 0.2, -0.05, 0.15, 0.1])
    values = {(1, 1): both, (1, 0): both - 0.1, (0, 1): both + gain}  # with b alone it is better by so much

    class Held:
        rankings = None

        def values(self, scores: np.ndarray, measure: object) -> np.ndarray:
            return values[int(scores[0]), int(scores[1])]

    scores = {"a": np.array([1.0, 0.0]), "b": np.array([0.0, 1.0])}
    monkeypatch.setattr(ensemble_module, "_standard_scores", lambda model, rankings: scores[model])
    error = gain.std(ddof=1) / np.sqrt(len(gain))
    learner = Ensemble(members=LINEAR, margin=share * gain.mean() / error)
    models: Any = ["a", "b"]
    held: Any = Held()
    found, mean = learner._choose(models, held)
    assert found == kept
    assert mean == pytest.approx(values[int("a" in kept), 1].mean())


def test_a_watch_that_asks_to_stop_ends_the_training_of_further_members() -> None:
    steps = []

    def watch(step: Any) -> bool:
        steps.append(step)
        return len(steps) == 2

    model = Ensemble(members=LINEAR).fit(*world(), validation=world(1), watch=watch)
    assert isinstance(model, EnsembleModel)
    told = dict(model.training)
    assert (told["trained"], told["kept"], len(model.members), len(steps)) == (1, 1, 1, 2)
    assert list(told) == ["queries", "trained", "kept", "measure", "validation"]
    assert model.learned == model.members[0].learner


def test_eight_members_are_as_many_as_can_be() -> None:
    texts = [f"stagg_ndcg(iterations={k})" for k in range(1, 10)]
    assert len(Ensemble(members="; ".join(texts[:8])).learners()) == 8
    with pytest.raises(InvalidParameter, match="there must be 1 to 8 members, all different"):
        Ensemble(members="; ".join(texts))
