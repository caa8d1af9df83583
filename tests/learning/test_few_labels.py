"""The learner for few labels: what it starts from, what moves it, and what it says."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import copy_sample, runner

from stagg import Labels, Rankings, fuse, load_model, train
from stagg.data.simulation import simulate
from stagg.errors import InvalidParameter
from stagg.evaluation.evaluate import evaluate
from stagg.kernels.fitting.random_slopes import weigh_gain
from stagg.learning.single.few_labels import ASK, FewLabels
from stagg.learning.single.taught_weights import TaughtWeights
from stagg.learning.single.trust_learner import TrustLearner
from stagg.report.pages.explorer import explored_of


@functools.cache
def world(
    seed: int = 0, quality: tuple[float, ...] = (0.3, 3.0, 0.3, 0.6), queries: int = 30
) -> tuple[Rankings, Labels]:
    made = simulate(queries=queries, items=25, rankers=len(quality), quality=list(quality), depth=15, seed=seed)
    return made.rankings, made.labels


def thin(labels: Labels, count: int, seed: int = 0) -> Labels:
    """A few judgments, spread over all queries."""
    pairs = [(query, item) for query in labels for item in labels[query]]
    chosen = np.random.default_rng(seed).choice(len(pairs), count, replace=False)
    grades: dict[str, dict[str, float]] = {}
    for number in sorted(chosen.tolist()):
        query, item = pairs[number]
        grades.setdefault(query, {})[item] = labels[query][item]
    return Labels(grades)


def same_order(one: Rankings, other: Rankings) -> bool:
    return all(one.best_first(query) == other.best_first(query) for query in one.queries)


def test_labels_that_tell_nothing_leave_stagg_trust_as_it_is() -> None:
    rankings, labels = world()
    empty = Labels({query: dict.fromkeys(labels[query], 0.0) for query in labels})
    model = FewLabels().fit(rankings, empty)
    assert same_order(fuse(rankings, model), fuse(rankings, "stagg_trust"))
    assert model.verdict == "the labels do not ask for other weights than those of stagg_trust"
    saved = TrustLearner().fit(rankings)
    unseen = world(1)[0]
    assert same_order(fuse(unseen, model), fuse(unseen, saved))


def test_the_meaning_of_absence_and_the_confidence_are_those_of_the_trust_it_starts_from() -> None:
    rankings, labels = world()
    empty = Labels({query: dict.fromkeys(labels[query], 0.0) for query in labels})
    method = "stagg_trust(confidence=False, missing='neutral')"
    model = FewLabels(method=method).fit(rankings, empty)
    assert same_order(fuse(rankings, model), fuse(rankings, method))


def test_a_few_judgments_spread_over_the_queries_find_the_ranker_that_knows() -> None:
    rankings, labels = world()
    sparse = thin(labels, 80)
    model = train(rankings, labels=sparse)
    assert isinstance(model, TaughtWeights)
    assert dict(model.training)["judgments"] <= 80
    assert "measure" not in dict(model.training)  # the first items are hardly judged: a mean would say nothing
    assert np.argmax(model.weights) == 1
    assert model.log_evidence > 2
    unseen, truth = world(7)
    means = [evaluate(fuse(unseen, method), truth, "ndcg@10").rows[0]["mean"] for method in (model, "stagg_trust")]
    assert means[0] > means[1]


def test_an_item_without_a_judgment_is_not_a_negative() -> None:
    rankings, labels = world()
    sparse = thin(labels, 80)
    more = Labels({query: {**sparse[query], "in no list": 0.0} for query in sparse})
    assert FewLabels().fit(rankings, more).weights == FewLabels().fit(rankings, sparse).weights
    silent = Labels(
        {query: {**sparse[query], **{i: -1.0 for i in labels[query] if i not in sparse[query]}} for query in sparse}
    )
    assert FewLabels().fit(rankings, silent).weights == FewLabels().fit(rankings, sparse).weights


def test_where_only_relevant_items_are_labelled_the_first_of_the_others_count_as_irrelevant() -> None:
    rankings, labels = world()
    positive = Labels({query: {item: 1.0 for item, grade in labels[query].items() if grade > 1} for query in labels})
    model = FewLabels().fit(rankings, positive)
    assert np.argmax(model.weights) == 1
    assert model.log_evidence > 2
    told, listed = dict(model.training), {(view.id, item) for view in rankings for item in map(str, view.items)}
    assert told["judgments"] == sum((query, item) in listed for query in positive for item in positive[query])
    assert told["counted as irrelevant"] > 0
    assert "counted as irrelevant" not in dict(FewLabels().fit(rankings, labels).training)


def test_sixty_rankers_are_not_taught_by_one_query_and_lose_nothing_by_five() -> None:
    rng = np.random.default_rng(7)
    runs: dict[str, dict[str, dict[str, float]]] = {f"r{k:02}": {} for k in range(60)}
    grades = {}
    for query in (f"q{number:02}" for number in range(24)):
        truth = rng.standard_normal(150)
        grades[query] = {f"d{i}": float(grade) for i, grade in enumerate((truth > 1.5) * 1 + (truth > 2) * 1)}
        for name, noise in zip(runs, np.linspace(1, 6, 60), strict=True):
            seen = truth + noise * rng.standard_normal(150)
            runs[name][query] = {f"d{i}": float(seen[i]) for i in np.argsort(-seen)[:30].tolist()}
    rankings, labels = Rankings.from_runs(runs).replace(scores=None), Labels(grades)
    unseen = rankings.take_queries(np.arange(12, 24))
    (before,) = evaluate(fuse(rankings, "stagg_trust").take_queries(np.arange(12, 24)), labels, "ndcg@10").rows
    for count in (1, 5):
        gains = []
        for seed in range(2):
            known = np.random.default_rng(seed).choice(rankings.queries[:12], count, replace=False).tolist()
            model = FewLabels().fit(rankings, labels.take(known))
            if count == 1:
                assert model.verdict.startswith("the labels do not ask for other weights than those of stagg_trust")
            (after,) = evaluate(fuse(unseen, model), labels, "ndcg@10").rows
            gains.append(after["mean"] - before["mean"])
        assert np.mean(gains) > -0.01, count


def test_grades_drawn_at_random_ask_for_nothing_in_most_cases() -> None:
    rankings, labels = world(0, (1.0, 1.0, 1.0, 1.0))
    asked = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        noise = Labels(
            {query: {item: float(rng.integers(2)) for item in labels[query]} for query in sorted(labels)[:10]}
        )
        asked.append(FewLabels().fit(rankings, noise).log_evidence > 2)
    assert np.mean(asked) <= 0.25


def test_one_dominant_ranker_gets_nearly_all_of_the_weight_and_its_interval_says_so() -> None:
    rankings, labels = world(0, (0.1, 8.0, 0.1, 0.1))
    model = FewLabels().fit(rankings, labels)
    low, high = model.intervals[1]
    assert model.weights[1] > 3
    assert 2 < low <= model.weights[1] <= high <= 4
    assert all(low <= weight <= high for weight, (low, high) in zip(model.weights, model.intervals, strict=True))
    assert model.verdict.startswith("the labels ask for r02")
    assert model.verdict.endswith("suggested, not proven")
    assert sum(model.weights) == pytest.approx(4, abs=1e-3)


def test_intervals_hold_what_all_labels_teach_however_few_queries_are_labelled() -> None:
    rankings, labels = world(2, (0.3, 1.2, 0.3, 0.6), 60)
    taught = FewLabels().fit(rankings, labels).weights
    for count in (1, 2, 5, 10):
        held = []
        for seed in range(8):
            queries = np.random.default_rng(seed).choice(rankings.queries, count, replace=False).tolist()
            model = FewLabels().fit(rankings, labels.take(queries))
            held += [low <= wanted <= high for wanted, (low, high) in zip(taught, model.intervals, strict=True)]
        assert np.mean(held) > 0.8, count


def test_labels_that_tell_nothing_leave_every_weight_open() -> None:
    rankings, labels = world()
    runs = rankings.to_runs()
    doubled = Rankings.from_runs(runs | {"zz copy": runs[rankings.rankers[1]]})
    query = rankings.queries[0]
    few = Labels({query: dict(list(labels[query].items())[:10])})
    model = FewLabels().fit(doubled, few)
    assert model.intervals == ((0, 5),) * 4 + ((0, 0),)
    assert model.verdict == "the labels are too few to ask for other weights than those of stagg_trust"
    assert FewLabels().fit(rankings.take_rankers([0]), few).intervals == ((1, 1),)


def test_another_method_is_taken_by_chance_in_two_percent_of_cases_however_few_the_queries() -> None:
    rng = np.random.default_rng(0)
    for count in (5, 10, 40):
        gains = rng.standard_normal((4000, count))
        assert np.mean([weigh_gain(each) > ASK for each in gains]) == pytest.approx(0.022, abs=0.008)


def test_a_sum_of_scores_is_taken_where_scores_say_what_ranks_cannot() -> None:
    rng = np.random.default_rng(0)
    runs: dict[str, dict[str, dict[str, float]]] = {"x": {}, "y": {}, "z": {}}
    grades = {}
    for query in map(str, range(30)):
        truth = np.where(np.arange(20) < 3, 10.0, 0.0) * (rng.random(20) < 0.9)
        grades[query] = {f"d{i}": float(value > 0) for i, value in enumerate(truth)}
        for name in runs:  # a ranker knows only some of the good items, but of these it is sure
            known = truth * (rng.random(20) < 0.4) + rng.random(20)
            runs[name][query] = {f"d{i}": float(value) for i, value in enumerate(known)}
    model = FewLabels().fit(Rankings.from_runs(runs), Labels(grades))
    assert model.method.startswith("combsum")
    assert "combsum" in model.verdict


def test_copies_of_a_ranker_have_no_weight_of_their_own() -> None:
    rankings, labels = world()
    runs = rankings.to_runs()
    names = list(runs)
    doubled = Rankings.from_runs(runs | {"zz copy": runs[names[1]]})
    one, two = FewLabels().fit(rankings, labels), FewLabels().fit(doubled, labels)
    assert two.weights[-1] == 0
    np.testing.assert_allclose(np.array(two.weights[:-1]) / 5, np.array(one.weights) / 4, atol=2e-4)


@pytest.mark.parametrize("rankers", [1, 2])
def test_one_or_two_rankers_work(rankers: int) -> None:
    rankings, labels = world(0, (0.3, 3.0)[:rankers])
    model = FewLabels().fit(rankings, labels)
    assert len(model.weights) == rankers
    assert len(fuse(rankings, model)) == len(rankings)


def test_one_query_in_all_starts_from_plain_rrf() -> None:
    rankings, labels = world()
    alone = rankings.take_queries([0])
    model = FewLabels().fit(alone, Labels({alone.queries[0]: {alone.items[0]: 1.0, alone.items[1]: 0.0}}))
    assert model.method == "rrf(c=60)"
    assert same_order(fuse(alone, model), fuse(alone, "rrf(c=60)"))
    many = simulate(queries=1, items=80, rankers=6, depth=40, seed=0)  # enough for stagg_trust to learn from the items
    model = FewLabels().fit(many.rankings, many.labels)
    assert model.method == "rrf(c=60)"
    assert len(fuse(many.rankings, model)) == 1
    taught = FewLabels().fit(alone, labels)
    assert sum(taught.weights) == pytest.approx(4, abs=1e-3)


def test_given_weights_multiply_what_was_taught() -> None:
    rankings, labels = world()
    model = FewLabels().fit(rankings, labels)
    without = fuse(rankings, model, weights=[1, 0, 1, 1])
    assert not same_order(without, fuse(rankings, model))
    assert same_order(fuse(rankings, model, weights=[2, 2, 2, 2]), fuse(rankings, model))


def test_the_explorer_takes_the_model_as_the_trust_that_it_is() -> None:
    rankings, labels = world()
    model = FewLabels().fit(rankings, labels)
    simple = model.simplified()
    assert simple is not None
    assert same_order(fuse(rankings, model), fuse(rankings, simple))
    assert explored_of(rankings, model=model).trust == simple
    sums = dataclasses.replace(model, method="combsum")
    with pytest.raises(InvalidParameter, match="models of the learners weights, trust and few_labels"):
        explored_of(rankings, model=sums)


def test_only_a_weighted_sum_can_be_the_start() -> None:
    for wrong in ("rrf(c=60)", "stagg_trust(families={'a': 'b'})"):
        with pytest.raises(InvalidParameter, match="must be a stagg_trust, without families"):
            FewLabels(method=wrong)


def test_ids_with_control_characters_do_not_reach_the_terminal() -> None:
    rankings, labels = world(0, (0.1, 8.0, 0.1, 0.1))
    hostile = rankings.with_rankers(["<b>", "\x1b[31m'x", "a,b", "ok"])
    model = FewLabels().fit(hostile, labels)
    assert "\x1b" not in "".join(model.tell_rankers())


def test_the_command_prints_the_verdict_and_intervals_and_the_file_keeps_them(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    sample, target = copy_sample(tmp_path / "sample"), tmp_path / "model.json"
    done = runner(capsysbinary)("train", *sorted(sample.glob("*.trec")), "--qrels", sample / "qrels.txt", "-o", target)
    assert done.code == 0
    model = load_model(target)
    assert isinstance(model, TaughtWeights)
    told = [line.removeprefix("stagg: ") for line in done.err.splitlines()]
    assert [line for line in told if line in model.tell_rankers()] == model.tell_rankers()
    assert model.tell_rankers()[0] == model.verdict


@pytest.mark.parametrize(("judgments", "few"), [(15, True), (16, False)])
def test_sixteen_judgments_are_enough_to_ask_for_something(judgments: int, few: bool) -> None:
    rankings, labels = world()
    sparse = thin(labels, judgments, seed=3)
    listed = {(view.id, str(item)) for view in rankings for item in view.items}
    assert all((query, item) in listed for query in sparse for item in sparse[query])
    assert any(grade == 0 for query in sparse for grade in sparse[query].values())  # none counts as irrelevant beside
    model = FewLabels().fit(rankings, sparse)
    assert dict(model.training)["judgments"] == judgments
    assert ("too few to ask for other weights than those of stagg_trust" in model.verdict) == few
    if few:
        assert set(model.intervals) == {(0.0, 4.0)}  # any weight is possible
        assert model.log_evidence == 0


def test_a_mean_is_told_where_half_of_the_first_ten_is_judged() -> None:
    rankings, labels = world()
    told = dict(FewLabels().fit(rankings, labels).training)
    assert (told["measure"], told["queries"]) == ("ndcg@10", len(labels))
    assert 0 < told["mean"] < 1
    (shown,) = evaluate(fuse(rankings, FewLabels().fit(rankings, labels)), labels, "ndcg@10").rows
    assert told["mean"] == pytest.approx(shown["mean"])


def test_the_gain_of_one_method_over_another_is_its_log_likelihood() -> None:
    """Of n differences, normal, with the degrees of freedom of a sample: (n - 1) / 2 log(1 + mean² / variance)."""
    gains = np.array([0.1, 0.3, -0.05, 0.2])
    expected = 3 / 2 * np.log(1 + gains.mean() ** 2 / gains.var(ddof=1))
    assert weigh_gain(gains) == pytest.approx(expected)
    assert weigh_gain(-gains) == 0
    assert weigh_gain(np.zeros(5)) == 0
    assert 10 < weigh_gain(np.full(4, 0.1)) < np.inf  # the same gain in all queries is no division by zero
