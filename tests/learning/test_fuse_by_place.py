"""The fusions that learn from relevant places: worked numbers, lists that end early, and what ranx does otherwise."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, explain, fuse, load_model, train
from stagg.learning import LEARNERS
from stagg.learning.places.bayesfuse import BayesFuse, BayesFuseModel
from stagg.learning.places.fuse_by_place import MapFuse, PosFuse, SlideFuse
from stagg.learning.places.mixed import Mixed, MixedModel
from stagg.learning.places.segments import ProbFuse, SegFuse

NAMES = ("probfuse", "segfuse", "slidefuse", "posfuse", "mapfuse", "bayesfuse", "mixed")

RUNS = {
    "x": {"1": {"a": 6.0, "b": 5.0, "c": 4.0, "d": 3.0}, "2": {"e": 2.0, "f": 1.0}},
    "y": {"1": {"d": 9.0, "b": 8.0}, "2": {"g": 4.0, "e": 3.0, "f": 2.0}},
}
GRADES = Labels({"1": {"a": 2, "d": 1, "b": 0}, "2": {"e": 1}})


def world() -> tuple[Rankings, Labels]:
    return Rankings.from_runs(RUNS), GRADES


def scores_of(learned: object) -> dict[str, float]:
    """The fused scores of query 1."""
    fused = fuse(Rankings.from_runs(RUNS), learned)  # type: ignore[arg-type]
    return fused.to_runs()[fused.rankers[0]]["1"]


def test_probfuse_is_the_precision_of_the_segment_over_its_number() -> None:
    model = ProbFuse(segments=2).fit(*world())
    # x: a b | c d and e | f, precision (1/2 + 1) / 2 and (1/2 + 0) / 2; y: d | b and g e | f
    assert model.values == ((0.75, 0.25), (0.75, 0.0))
    assert scores_of(model) == pytest.approx({"a": 0.75, "b": 0.75, "c": 0.125, "d": 0.125 + 0.75})


def test_a_list_too_short_for_a_segment_counts_nothing_there() -> None:
    model = ProbFuse(segments=4).fit(*world())
    assert model.values == ((1.0, 0.0, 0.0, 0.5), (0.5, 0.5, 0.0))


def test_probfuse_without_segments_takes_the_best_and_says_which() -> None:
    rankings, labels = world()
    model = ProbFuse(measure="p@1").fit(rankings, labels)
    facts = dict(model.training)
    assert facts["segments"] == model.segments
    tried = [train(rankings, f"probfuse(segments={n})", labels) for n in (1, 2, 3, 100)]
    means = [_mean(each, rankings, labels) for each in tried]
    assert facts["mean"] == pytest.approx(max(means))


def _mean(model: object, rankings: Rankings, labels: Labels) -> float:
    from stagg import evaluate

    return float(evaluate(fuse(rankings, model), labels, "p@1").rows[0]["mean"])  # type: ignore[arg-type]


def test_segfuse_multiplies_the_precision_of_growing_segments_by_the_score() -> None:
    long = Rankings.from_runs({"x": {"1": {f"d{k:02}": 30.0 - k for k in range(25)}}})
    labels = Labels({"1": {"d00": 1, "d06": 1, "d19": 1, "d20": 1}})
    model = SegFuse().fit(long, labels)
    assert model.values == ((1 / 5, 2 / 15, 1 / 5),)  # 1-5, 6-20, and the 5 of 21-55 that the list has
    found = fuse(long, model).to_runs()["stagg-segfuse"]["1"]
    assert found["d00"] == pytest.approx(2 / 5)
    assert found["d12"] == pytest.approx(2 / 15 * 1.5)


def test_the_segments_of_ranx_end_where_those_of_the_paper_have_their_size() -> None:
    long = Rankings.from_runs({"x": {"1": {f"d{k:02}": 30.0 - k for k in range(25)}}})
    labels = Labels({"1": {"d00": 1, "d06": 1, "d19": 1, "d20": 1}})
    assert SegFuse(compat="ranx").fit(long, labels).values == ((1 / 5, 1 / 10, 2 / 20),)  # 1-5, 6-15, 16-35


def test_posfuse_and_slidefuse_ask_only_the_lists_that_reach_a_place() -> None:
    assert PosFuse().fit(*world()).values == ((1.0, 0.0, 0.0, 1.0), (0.5, 0.5, 0.0))
    model = SlideFuse(window=1).fit(*world())
    assert model.values == PosFuse().fit(*world()).values
    # x has four places: means over 1-2, 1-3, 2-4, 3-4; y two: over 1-2 both times
    assert scores_of(model) == pytest.approx({"a": 1 / 2, "b": 1 / 3 + 1 / 2, "c": 1 / 3, "d": 1 / 2 + 1 / 2})


def test_a_place_that_training_never_reached_is_worth_nothing() -> None:
    deep = Rankings.from_runs({"x": {"1": {f"d{k}": 9.0 - k for k in range(7)}}, "y": {}})
    for name in ("posfuse", "slidefuse(window=0)"):
        found = fuse(deep, train(*_lesson(name)))
        assert found.to_runs()[found.rankers[0]]["1"]["d6"] == 0
    wide = fuse(deep, train(*_lesson("slidefuse(window=3)"))).to_runs()["stagg-slidefuse"]["1"]
    assert wide["d6"] == pytest.approx(1 / 4)  # places 4 to 7, of which the fourth is worth 1


def _lesson(name: str) -> tuple[Rankings, str, Labels]:
    rankings, labels = world()
    return rankings, name, labels


def test_mapfuse_divides_the_mean_average_precision_by_the_rank() -> None:
    model = MapFuse().fit(*world())
    x = ((1 + 2 / 4) / 2 + 1) / 2
    y = (1 / 2 + 1 / 2) / 2
    assert [row[0] for row in model.values] == pytest.approx([x, y])
    assert scores_of(model) == pytest.approx({"a": x, "b": x / 2 + y / 2, "c": x / 3, "d": x / 4 + y})
    assert fuse(Rankings.from_runs(RUNS), model, scale="first").to_dict()["1"]["a"] == pytest.approx(x / (x + y))


def test_bayesfuse_compares_the_odds_in_a_level_with_the_odds_in_general() -> None:
    rankings, labels = world()
    model = BayesFuse().fit(rankings, labels)
    general = (3 + 0.5) / (7 + 1)  # 3 of the 4 + 3 candidates are relevant, one half and one half added
    listed = (3 + general) / (6 + 1)  # x lists all but g
    unlisted = (0 + general) / (1 + 1)
    prior = math.log(general / (1 - general))
    assert model.values[0] == pytest.approx([math.log(listed / (1 - listed)) - prior])
    assert model.unlisted_values[0] == pytest.approx(math.log(unlisted / (1 - unlisted)) - prior)
    assert scores_of(model)["a"] == pytest.approx(model.values[0][0] + model.unlisted_values[1])


def test_levels_deeper_than_training_are_worth_what_the_deepest_was() -> None:
    model = BayesFuseModel(learner="bayesfuse", rankers=("x",), values=((2.0, 1.0),), unlisted_values=(-1.0,))
    long = Rankings.from_runs({"x": {"1": {f"d{k:04}": 3000.0 - k for k in range(1200)}}})
    assert np.unique(model.score(long)).tolist() == [1.0, 2.0]


def test_the_odds_of_ranx_are_those_of_the_precision_in_the_whole_level() -> None:
    model = BayesFuse(compat="ranx").fit(*world())
    x = (2 / 5 + 1 / 5) / 2  # out of five, though the lists have four and two items
    assert model.values[0][0] == pytest.approx(math.log(x / (1 - x)))
    assert model.values[0][1] == pytest.approx(math.log(0.001 / 0.999))
    assert model.unlisted_values == pytest.approx([math.log(0.001 / 0.999)] * 2)


def test_mixed_is_the_weighted_sum_times_the_root_of_the_number_of_lists() -> None:
    model = MixedModel(learner="mixed", rankers=("x", "y"), norm="min-max", values=((0.25,), (0.75,)))
    assert scores_of(model) == pytest.approx(
        {"a": 0.25, "b": math.sqrt(2) * 0.25 * 2 / 3, "c": 0.25 / 3, "d": 1.0607}, abs=1e-4
    )
    assert model.weights == {"x": 0.25, "y": 0.75}


def test_mixed_tries_every_weight_of_sum_1_and_ranx_misses_some() -> None:
    from stagg.learning.places.mixed import _weights

    tries = list(_weights(3, 10))
    assert len(tries) == len(set(tries)) == math.comb(12, 2)
    assert tries == sorted(tries)
    assert (0.7, 0.2, 0.1) in tries
    assert sum((0.7, 0.2, 0.1)) != 1.0  # so ranx, which asks for a sum of exactly 1, leaves it out
    assert all(sum(each) == pytest.approx(1) for each in tries)


def test_with_many_rankers_mixed_takes_larger_steps() -> None:
    assert [Mixed()._count_steps(m) for m in (1, 5, 6, 9, 20, 60, 2000)] == [10, 10, 5, 4, 2, 1, 1]
    assert Mixed(step=0.25)._count_steps(3) == 4
    with pytest.raises(InvalidParameter, match=r"step is 0\.3; it must be 0\.1, 0\.2"):
        Mixed(step=0.3)


def test_a_ranker_without_a_list_in_training_is_worth_nothing() -> None:
    rankings = Rankings.from_runs(RUNS | {"z": {"9": {"q": 1.0}}})
    for name in NAMES:
        model = train(rankings, name, GRADES)
        assert np.isfinite(model.score(rankings)).all(), name


@pytest.mark.parametrize("name", ["segfuse", "mixed"])
def test_rankings_without_scores_go_by_rank(name: str) -> None:
    lists = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["b", "d"]})
    model = train(lists, name, Labels({"1": {"b": 1}}))
    assert model.content()["norm"] == "rank"
    assert fuse(lists, model).best_first()[0] == "b"


@pytest.mark.parametrize("name", ["probfuse(segments=2)", "segfuse", "slidefuse(window=1)", "posfuse", "bayesfuse"])
def test_the_ids_of_tied_items_do_not_matter(name: str) -> None:
    """Not so where measures decide, in mapfuse and in what is tried on labels: they break ties by id, as trec_eval."""
    one = Rankings.from_lists({"x": [["a", "b", "c"], "d"], "y": ["d", "a"]})
    other = Rankings.from_lists({"x": [["c", "b", "a"], "d"], "y": ["d", "a"]})
    renamed = Rankings.from_lists({"x": [["z", "b", "c"], "d"], "y": ["d", "z"]})
    model = train(one, name, Labels({"1": {"a": 1}}))
    assert train(other, name, Labels({"1": {"a": 1}})).content() == model.content()
    assert train(renamed, name, Labels({"1": {"z": 1}})).content() == model.content()


@pytest.mark.parametrize("name", NAMES)
def test_models_explain_themselves_and_survive_their_file(name: str, tmp_path: Path) -> None:
    rankings, labels = world()
    model = train(rankings, name, labels)
    model.save(tmp_path / "model.json")
    back = load_model(tmp_path / "model.json")
    assert back == model
    view = explain(rankings, back, query="1", item="d")
    parts = [each.contribution for each in view.rankers]
    assert sum(part for part in parts if part is not None) == pytest.approx(view.score)
    assert name in repr(model)


def test_what_cannot_be_learned_is_refused() -> None:
    rankings, labels = world()
    for name in NAMES:
        with pytest.raises(DataError, match="training part has no relevant item"):
            train(rankings, name, Labels({"1": {"a": 0}}))
    with pytest.raises(DataError, match="of grade 3 or more"):
        train(rankings, "posfuse(rel=3)", labels)
    assert train(rankings, "posfuse(rel=2)", labels).content()["values"]["x"] == [0.5, 0.0, 0.0, 0.0]
    for text in ("probfuse(segments=0)", "slidefuse(window=-1)", "posfuse(rel=0)", "segfuse(compat='trec')"):
        with pytest.raises(InvalidParameter):
            LEARNERS.parse(text)
    with pytest.raises(InvalidParameter, match=r"segfuse: compat='ranx' knows norm='min-max'"):
        LEARNERS.parse("segfuse(norm='dbsf', compat='ranx')")
    with pytest.raises(InvalidParameter, match="stagg calls it 'window'"):
        LEARNERS.parse("slidefuse(w=3)")


def test_mapfuse_gives_nothing_to_a_ranker_without_a_judged_query() -> None:
    rankings = Rankings.from_runs({**RUNS, "z": {"3": {"a": 1.0}}})
    model = MapFuse().fit(rankings, GRADES)
    assert dict(zip(model.rankers, model.values, strict=True))["z"] == (0.0,)
