"""Comparison: held-out figures stay held out, statistics are those of the values, accidents do not matter."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from tests.checks import some

from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName, compare, fuse, train
from stagg.data.simulation import Simulated, simulate
from stagg.evaluation.compare import Comparison, comparison
from stagg.evaluation.contenders import Setting, contenders
from stagg.evaluation.folds import folds_of_parts, hash_parts
from stagg.evaluation.robustness import draw_rankers, robustness
from stagg.learning.training import hold_out
from stagg.measures import MEASURES, judge
from stagg.methods import METHODS


@pytest.fixture(scope="module")
def world() -> Simulated:
    return simulate(queries=30, items=20, rankers=6, depth=10, spread=0.7, seed=5)


def test_means_are_those_of_the_measures(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, ["borda", "rrf(c=60)"], measures="ndcg@5,err")
    for row in some(found.table.rows):
        fused = fuse(world.rankings, str(row["method"]))
        values = MEASURES.parse(str(row["measure"])).value(judge(fused, world.labels))
        assert row["mean"] == pytest.approx(values.mean())
        assert row["low"] <= row["mean"] <= row["high"]
    assert found.values.shape == (2, 2, 30)


def test_the_baseline_is_not_tested_against_itself_and_others_are(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, ["borda", "rrf", "votecount"], baseline="rrf", measures="ndcg@5")
    rows = {row["method"]: row for row in found.table.rows}
    assert found.baseline == "rrf(c=60)"
    assert rows["rrf(c=60)"]["p_random"] is None
    difference = found.values[2, 0] - found.values[1, 0]
    row = rows["votecount"]
    assert row["wins"] == int((difference > 1e-9).sum())
    assert row["losses"] == int((difference < -1e-9).sum())
    assert row["wins"] + row["ties"] + row["losses"] == 30
    assert row["effect"] == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert row["p_random"] <= row["p_holm"] <= 1


def test_holm_is_taken_over_the_other_methods_of_each_measure() -> None:
    rng = np.random.default_rng(2)
    means = np.array([[0.3, 0.02], [0.0, 0.0], [0.05, 0.06], [0.055, 0.3], [0.0, 0.05]])  # [method, measure]
    values = means[:, :, None] + rng.normal(0, 0.1, (5, 2, 40))
    found = comparison(
        list("abcde"), ["m", "n"], [f"q{k}" for k in range(40)], values, baseline="b", conventions="trec", seed=0
    )
    rows = {(row["method"], row["measure"]): row for row in found.table.rows}
    for measure in "mn":
        by_p = sorted((rows[method, measure] for method in "acde"), key=lambda row: float(row["p_random"]))
        expected = 0.0
        for row, comparisons in zip(by_p, (4, 3, 2, 1), strict=True):
            expected = max(expected, min(1.0, comparisons * row["p_random"]))
            assert row["p_holm"] == pytest.approx(expected)
        assert by_p[0]["p_holm"] == pytest.approx(4 * by_p[0]["p_random"])
        assert by_p[1]["p_random"] < by_p[1]["p_holm"] < 1
        assert rows["b", measure]["p_holm"] is None


def test_the_same_seed_and_any_number_of_threads_give_the_same_bytes(world: Simulated) -> None:
    methods = ["borda", "rrf", "combsum(norm='rank')", "stagg_rrf"]
    texts = {compare(world.rankings, world.labels, methods, threads=threads).table.to_json() for threads in (1, 2, 4)}
    assert len(texts) == 1
    turned = world.rankings.take_queries(range(30)[::-1]).take_rankers([3, 0, 5, 1, 2, 4])
    assert compare(turned, world.labels, methods).table.to_json() in texts
    assert compare(world.rankings, world.labels, methods, seed=1).table.to_json() not in texts


def test_a_tuned_figure_comes_from_the_member_chosen_on_all_queries_but_the_tested_ones(world: Simulated) -> None:
    parts = hash_parts(sorted(world.labels), 5, 0)
    found = compare(
        world.rankings, world.labels, ["borda"], tune=["rrf(c=[1, 60, 1000])"], folds=parts, measures="ndcg@5"
    )
    members = [
        compare(world.rankings, world.labels, [m], measures="ndcg@5").values[0, 0]
        for m in METHODS.family("rrf(c=[1,60,1000])")
    ]
    place = {query: number for number, query in enumerate(found.queries)}
    for fold in some(folds_of_parts(parts)):
        means = [values[[place[q] for q in fold.train + fold.validation]].mean() for values in members]
        best = members[int(np.argmax(means))]
        for query in some(fold.test):
            assert found.values[1, 0, place[query]] == best[place[query]]


def test_a_choice_says_on_how_many_queries_it_was_made_and_when_it_is_at_the_end_of_its_list(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, tune="T: rrf(c=[1, 60])", folds=30, measures="ndcg@5")
    first, *edges = [note for note in found.table.notes if note.startswith("T: ")]
    assert "fold" in first
    assert first.endswith("(each on 29 queries)")
    assert edges
    assert all("of 30 folds, is the" in edge for edge in edges)
    taught = compare(world.rankings, world.labels, learners="L: best_input", folds=5, measures="ndcg@5")
    assert any(note.endswith("(each trained on 18 queries, validated on 6 queries)") for note in taught.table.notes)


def test_the_first_measure_chooses_the_member_whatever_the_others_say(world: Simulated) -> None:
    def tuned(measures: str) -> Comparison:
        return compare(world.rankings, world.labels, "borda", tune="rrf(c=[1, 60, 1000])", folds=5, measures=measures)

    assert tuned("ndcg@5,recall@10").values[1, 0].tolist() == tuned("ndcg@5").values[1, 0].tolist()
    assert tuned("recall@10,ndcg@5").values[1, 1].tolist() != tuned("ndcg@5").values[1, 0].tolist()


def test_labels_of_the_test_part_cannot_reach_what_is_learned(world: Simulated) -> None:
    """The labels of one part are turned around: what is learned for that part must stay the same."""
    parts = hash_parts(sorted(world.labels), 5, 0)
    spoiled = {q: dict(world.labels[q]) for q in world.labels}
    for query in parts[4]:
        spoiled[query] = {item: 2 - grade for item, grade in spoiled[query].items()}
    train = [q for part in parts[:3] for q in part]
    from stagg.learning import LEARNERS

    for text in ("best_input", "weights"):
        models = []
        for labels in (world.labels, Labels(spoiled)):
            seen: list[object] = []
            learner = LEARNERS.parse(text)
            part = world.rankings.take_queries([world.rankings.query_number(q) for q in train])
            seen.append(learner.fit(part, labels.take(train)))
            models.append(seen[0])
        assert models[0] == models[1]
        one = compare(world.rankings, world.labels, ["borda"], learners=[text], folds=parts, measures="ndcg@5")
        assert one.values.shape == (2, 1, 30)


def test_learners_without_folds_say_that_they_chose_on_the_same_queries(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, ["borda"], learners=["best_input"])
    assert any("best_input(measure='ndcg@5'): chosen on the same queries: r" in note for note in found.table.notes)
    folded = compare(world.rankings, world.labels, ["borda"], learners=["best_input"], folds=5)
    assert not any("same queries" in note for note in folded.table.notes)


def test_learners_without_folds_are_neither_marked_as_better_nor_best_nor_tested(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "votecount, borda", learners="L: best_input", measures="ndcg@5,err")
    alone = compare(world.rankings, world.labels, "votecount, borda", measures="ndcg@5,err")
    assert [row["p_holm"] for row in found.table.rows[:4]] == [row["p_holm"] for row in alone.table.rows]
    assert found.table.rows[4]["p_random"] is not None  # JSON and CSV keep their fields
    assert np.isnan(found.table.rows[4]["p_holm"])  # but there is no comparison to correct for
    assert "for 1 comparison," in repr(found)
    assert found.table.same_queries == ("L",)
    assert json.loads(found.table.to_json())["settings"]["trained_on_tested_queries"] == ["L"]
    assert {(cell.mark, cell.bold) for cell in found.table.grid().cells[2][1:]} == {("†", False)}
    assert {line[2].mark for line in found.details.grid().cells if line[0].text == "L"} == {"†"}
    assert {row["p (Holm)"] for row in found.details.rows if row["method"] == "L"} == {None}
    [warning] = found.warnings
    assert "L: trained on the queries it is tested on" in warning
    assert "folds=5" in warning


def test_learners_alone_without_folds_are_not_tested_at_all(world: Simulated) -> None:
    for methods in ("", "borda"):
        found = compare(world.rankings, world.labels, methods, learners="A: best_input, B: weights", measures="err")
        assert {cell.mark for line in found.table.grid().cells[-2:] for cell in line[1:]} == {"†"}
        assert "significant" not in repr(found) + found.table.to_latex()  # nothing was tested


def test_a_learner_that_sees_no_labels_is_comparable(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "borda", learners="trust", measures="ndcg@5")
    assert not found.table.same_queries
    assert not found.warnings


def test_the_legend_says_which_lines_are_cross_validated(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "borda", tune="T: rrf(c=[1, 60])", learners="L: best_input", folds=5)
    said = "T (tuned), L (learned): 5-fold cross-validation, tested on held-out queries"
    assert found.table.legend == (said,)
    assert said + ".}" in found.table.to_latex()
    assert said in found.table.to_latex(caption="Mine")
    assert said in repr(found)
    both = compare(world.rankings, world.labels, "rrf", tune="rrf(c=[1, 60])", learners="best_input", folds=5)
    assert both.table.legend[0].startswith("rrf(c=[1, 60]) (tuned), best_input (learned): ")  # as short as they can be
    assert found.warnings  # c is at an edge of its list in every fold
    assert set(found.warnings) <= set(found.table.notes)


def test_the_settings_say_what_absence_means_to_every_line(world: Simulated) -> None:
    found = compare(
        world.rankings,
        world.labels,
        "R: rrf, S: stagg_rrf",
        learners="W: weights(method='stagg_rrf'), best_input",
        inputs=True,
        measures="ndcg@5",
    )
    assert found.table.settings["absent_items"] == {"skip": ["R"], "below": ["S", "W"]}


def test_queries_that_the_input_lacks_count_zero_unless_only_common(world: Simulated) -> None:
    more = Labels({q: dict(world.labels[q]) for q in world.labels} | {"zz": {"d001": 1.0}})
    whole = compare(world.rankings, more, ["borda"], measures="ndcg@5")
    common = compare(world.rankings, more, ["borda"], measures="ndcg@5", only_common=True)
    assert whole.queries[-1] == "zz"
    assert whole.values[0, 0, -1] == 0
    assert len(common.queries) == 30
    assert "1 query with labels is not in the input and counts 0" in whole.table.notes


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"methods": []}, InvalidParameter, "nothing to compare"),
        ({"methods": ["borda", "borda"]}, InvalidParameter, "borda is named twice"),
        ({"methods": ["borda"], "baseline": "rff"}, UnknownName, "baseline 'rff' is not among the methods"),
        ({"methods": ["borda"], "tune": ["rrf(c=[1,2])"]}, InvalidParameter, "tuning needs folds"),
        ({"methods": ["borda"], "folds": 2}, InvalidParameter, "folds must be from 3"),
        ({"methods": ["borda"], "folds": 99}, InvalidParameter, "folds must be from 3"),
        ({"methods": ["borad"]}, UnknownName, "did you mean 'borda'"),
        ({"methods": ["borda"], "learners": ["weight"]}, UnknownName, "did you mean 'weights'"),
        ({"methods": ["borda"], "measures": "ndgc@5"}, UnknownName, "did you mean 'ndcg@5'"),
        ({"methods": ["borda"], "conventions": "letor"}, InvalidParameter, "letor4"),
        ({"methods": ["borda"], "tune": ["rrf(c=[1,2)"], "folds": 5}, InvalidParameter, "cannot read"),
        ({"methods": ["borda"], "tune": ["rrf(c=[])"], "folds": 5}, InvalidParameter, "has no members"),
        ({"methods": ["borda"], "folds": "letor"}, InvalidParameter, "folds are a number, or lists"),
        ({"methods": ["borda"], "folds": [["q01"], ["q01"], ["q02"]]}, InvalidParameter, "in two parts|in no part"),
        ({"methods": ["borda"], "seed": -1}, InvalidParameter, "seed must be a whole number"),
        ({"methods": ["borda"], "threads": "a"}, InvalidParameter, "threads must be a whole number"),
        ({"methods": ["borda"], "learners": [None]}, InvalidParameter, "a learner is a text"),
    ],
)
def test_wrong_calls_are_refused(
    world: Simulated, options: dict[str, object], error: type[Exception], message: str
) -> None:
    methods = options.pop("methods")
    with pytest.raises(error, match=message):
        compare(world.rankings, world.labels, methods, **options)  # type: ignore[arg-type]


def test_labels_of_other_queries_are_an_error() -> None:
    with pytest.raises(DataError, match="no query of the rankings has a label"):
        compare(Rankings.from_lists([["a"]]), Labels({"other": {"a": 1}}), ["borda"])


def test_the_largest_grade_is_that_of_all_labels_in_every_fold() -> None:
    """With one ranker a learner has nothing to choose: its figures are those of the method, also for ERR and RBP."""
    rankings = Rankings.from_runs({"x": {f"q{k}": {"a": 2.0, "b": 1.0} for k in range(9)}})
    labels = {f"q{k}": {"a": 3.0 if k == 4 else 1.0, "b": 1.0} for k in range(9)}
    found = compare(rankings, labels, "borda", learners="best_input", folds=3, measures="err,rbp(p=0.9),ndcg")
    assert found.values[1] == pytest.approx(found.values[0])


def test_missing_reaches_methods_families_and_learners_and_is_named(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "stagg_bc", learners="weights(method='stagg_rrf')", missing="neutral")
    assert found.methods[0] == "stagg_bc(missing='neutral', shape='linear')"
    assert "neutral" in found.methods[1]


def test_one_thread_or_many_the_first_error_is_raised() -> None:
    from stagg.threads import map_threads

    assert map_threads(lambda x: x * x, list(range(20)), 4) == [x * x for x in range(20)]
    with pytest.raises(ZeroDivisionError):
        map_threads(lambda x: 1 // (x - 3), list(range(9)), 3)


def test_the_grid_of_a_family_is_every_combination() -> None:
    assert [repr(m) for m in METHODS.family("stagg_rrf(c=[10, 20], shape=['linear', 'certain'])")] == [
        "stagg_rrf(shape='linear', c=10)",
        "stagg_rrf(shape='certain', c=10)",
        "stagg_rrf(shape='linear', c=20)",
        "stagg_rrf(shape='certain', c=20)",
    ]
    with pytest.raises(InvalidParameter, match="more than 10,000"):
        METHODS.family(f"stagg_rrf(c={list(range(200))}, shape={['certain'] * 60})")


def test_folds_test_every_query_once_and_never_on_what_they_trained() -> None:
    queries = [f"q{k}" for k in range(53)]
    for count in (3, 5, 7):
        folds = folds_of_parts(hash_parts(queries, count, 1))
        assert sorted(q for fold in folds for q in fold.test) == sorted(queries)
        for fold in some(folds):
            assert not set(fold.test) & (set(fold.train) | set(fold.validation))
            assert not set(fold.train) & set(fold.validation)
            assert len(fold.train) + len(fold.validation) + len(fold.test) == 53
    assert hash_parts(queries, 5, 1) == hash_parts(queries[::-1], 5, 1)
    assert hash_parts(queries, 5, 1) != hash_parts(queries, 5, 2)


def test_a_hold_out_is_a_share_by_hash() -> None:
    queries = [f"q{k}" for k in range(50)]
    train, held = hold_out(queries, 0.2, 0)
    assert len(held) == 10
    assert sorted(train + held) == sorted(queries)
    assert len(hold_out(queries, 0.001, 0)[1]) == 1
    with pytest.raises(InvalidParameter, match="between 0 and 1"):
        hold_out(queries, 1.0, 0)


def test_robustness_draws_the_same_rankers_for_all_methods(world: Simulated) -> None:
    options = {"rankers": [2, 6], "draws": 5, "measures": "ndcg@5", "seed": 1}
    table = robustness(world.rankings, world.labels, ["borda", "rrf"], **options)  # type: ignore[arg-type]
    rows = {(row["method"], row["rankers"]): row for row in table.rows}
    whole = compare(world.rankings, world.labels, ["borda"], measures="ndcg@5").table.rows[0]["mean"]
    assert rows["borda", 6]["mean"] == pytest.approx(whole)
    assert rows["borda", 6]["sd"] == pytest.approx(0.0, abs=1e-12)
    assert rows["borda", 2]["low"] <= rows["borda", 2]["mean"] <= rows["borda", 2]["high"]
    turned = world.rankings.take_rankers([5, 4, 3, 2, 1, 0])
    again = robustness(turned, world.labels, ["borda", "rrf"], **options)  # type: ignore[arg-type]
    assert again.to_json() == table.to_json()
    with pytest.raises(InvalidParameter, match="there are 6 rankers; 7 of them"):
        robustness(world.rankings, world.labels, ["borda"], rankers=[7])


@pytest.mark.parametrize("rankers", [[], [2, 3, 2]])
def test_robustness_asks_for_numbers_of_rankers_each_once(rankers: list[int], world: Simulated) -> None:
    with pytest.raises(InvalidParameter, match="name one or more numbers of rankers, each once"):
        robustness(world.rankings, world.labels, ["borda"], rankers=rankers)


def test_robustness_does_not_warn_of_the_rankers_that_it_leaves_out(world: Simulated) -> None:
    model = train(world.rankings, "weights", world.labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert robustness(world.rankings, world.labels, {"W": model}, rankers=[3], draws=2, measures="ndcg@5").rows


def test_robustness_tells_the_spread_of_what_the_drawn_rankers_give(world: Simulated) -> None:
    table = robustness(world.rankings, world.labels, ["borda"], rankers=[3], draws=6, measures="ndcg@5", seed=2)
    drawn = [draw_rankers(world.rankings, 3, draw, 2) for draw in range(6)]
    means = [
        compare(world.rankings.take_rankers(each), world.labels, "borda", measures="ndcg@5").values.mean()
        for each in drawn
    ]
    assert len({tuple(each) for each in drawn}) > 1
    (row,) = table.rows
    assert (row["mean"], row["sd"]) == pytest.approx((np.mean(means), np.std(means, ddof=1)))
    assert (row["low"], row["high"]) == pytest.approx((min(means), max(means)))


def test_json_of_a_comparison_has_the_documented_keys(world: Simulated) -> None:
    found = json.loads(compare(world.rankings, world.labels, ["borda", "rrf"]).table.to_json())
    assert {"command", "version", "conventions", "seed", "rows"} <= set(found)
    assert list(found["rows"][0]) == [
        "method", "measure", "mean", "low", "high", "queries",
        "p_t", "p_random", "p_holm", "effect", "wins", "ties", "losses", "judged", "judged_at",
    ]  # fmt: skip


def test_the_inputs_are_contenders_only_if_they_are_asked_for() -> None:
    made = simulate(queries=2, items=4, rankers=2, seed=1)
    setting = Setting(made.rankings, made.labels, [MEASURES.parse("err")], conventions="standard")
    found = contenders(setting, {"borda": METHODS.parse("borda")}, [], [], None)
    assert [each.name for each in found] == ["borda"]


def test_a_wrong_missing_is_refused_with_what_it_may_be(world: Simulated) -> None:
    with pytest.raises(InvalidParameter, match="missing is 'bellow'; it must be one of 'below', 'neutral', 'skip'"):
        compare(world.rankings, world.labels, ["rrf"], missing="bellow")  # type: ignore[arg-type]


def test_progress_says_what_is_fitted(world: Simulated) -> None:
    for folds in (3, None):
        said: list[str] = []
        compare(
            world.rankings,
            world.labels,
            ["rrf"],
            learners=["best_input"],
            folds=folds,
            progress=lambda what, done, total, said=said: said.append(what),  # type: ignore[misc]
        )
        assert any(what.startswith("fitting best_input") for what in said), said


# --- other baselines, and all pairs ----------------------------------------------------------------------------------


def test_the_best_input_is_the_baseline_and_how_it_was_chosen_is_said(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "rrf", baseline="best", measures="ndcg@10,err")
    alone = compare(world.rankings, world.labels, inputs=True, measures="ndcg@10")
    assert found.baseline == alone.methods[int(np.argmax(alone.values[:, 0].mean(axis=1)))]
    assert f"the baseline {found.baseline} is the best input by ndcg@10 on the queries it is tested on" in str(found)


def test_with_folds_the_best_input_is_chosen_on_other_queries(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "rrf", baseline="best", folds=3, measures="ndcg@10")
    assert (found.methods, found.baseline) == (("rrf(c=60)", "best input"), "best input")
    same = compare(world.rankings, world.labels, "rrf", learners="best_input", folds=3, measures="ndcg@10")
    assert found.values[1].tolist() == same.values[1].tolist()
    assert "best input: in each fold, the input that is best by ndcg@10 on the queries of the other parts" in str(found)


def test_captions_say_what_the_best_input_is_and_that_the_first_measure_chose_it(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, "rrf", baseline="best", folds=3, measures="ndcg@10, p@5")
    caption = next(line for line in found.table.to_latex().splitlines() if line.startswith(r"\caption"))
    assert (
        "best input: in each fold, the input that is best by ndcg@10 on the queries of the other parts; it is"
        in caption
    )
    assert "it is the baseline of p@5, too" in caption


def test_inputs_of_unequal_lengths_are_told_by_their_range() -> None:
    runs = {
        "short": {"q": {f"d{n}": -float(n) for n in range(3)}},
        "long": {"q": {f"e{n}": -float(n) for n in range(8)}},
    }
    labels = {"q": {"d1": 1}}
    rankings = Rankings.from_runs(runs)
    told = str(compare(rankings, labels, "rrf", inputs=True, measures="AP"))
    assert "the longest list of an input has 3 to 8, a fused list up to 11; AP@3 is fair" in told
    alone = str(compare(rankings, labels, inputs=True, measures="AP"))
    assert "the lists differ: the longest list of an input has 3 to 8; AP@3 is fair" in alone
    assert "at most" not in alone


def test_a_row_that_is_called_best_is_meant_by_its_name(world: Simulated) -> None:
    found = compare(world.rankings, world.labels, {"best": "rrf", "other": "borda"}, baseline="best", measures="err")
    assert (found.methods, found.baseline) == (("best", "other"), "best")


def test_tests_against_more_baselines_are_those_against_each_times_their_number(world: Simulated) -> None:
    methods = ["borda", "rrf", "votecount"]
    both = compare(world.rankings, world.labels, methods, baseline=["rrf", "borda"], measures="ndcg@5,err")
    assert (both.baseline, both.more_baselines) == ("rrf(c=60)", ("borda",))
    for name, suffix in (("rrf", ""), ("borda", "_vs_borda")):
        single = compare(world.rankings, world.labels, methods, baseline=name, measures="ndcg@5,err")
        for mine, theirs in zip(both.table.rows, single.table.rows, strict=True):
            for key in ("p_t", "p_random", "effect", "wins", "ties", "losses"):
                assert mine[f"{key}{suffix}"] == theirs[key]
            corrected = theirs["p_holm"]
            expected = None if corrected is None else min(1.0, 2 * corrected)
            assert mine[f"p_holm{suffix}"] == (expected if expected is None else pytest.approx(expected))
    assert "p (Holm) is multiplied by 2, the number of baselines" in str(both)
    assert [row["method"] for row in both.tests_against("borda").rows] == ["rrf(c=60)"] * 2 + ["votecount"] * 2
    assert compare(world.rankings, world.labels, methods, baseline=["rrf", "rrf"], measures="err").more_baselines == ()


def test_an_unknown_baseline_is_refused_before_the_work(world: Simulated) -> None:
    done: list[str] = []
    with pytest.raises(UnknownName, match="the baseline 'rff' is not among the methods"):
        compare(
            world.rankings, world.labels, "borda, rrf", baseline=["best", "rff"],
            progress=lambda what, step, steps: done.append(what),
        )  # fmt: skip
    assert done == []


def test_letters_say_which_methods_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(3)
    query = rng.normal(0.5, 0.1, 50)
    values = query + np.array([0.2, 0.19, 0.0])[:, None] + rng.normal(0, 0.03, (3, 50))
    found = comparison(
        ["good", "also good", "bad"], ["ndcg@10"], [f"q{k}" for k in range(50)], values[:, None], baseline="bad",
        conventions="standard", seed=0,
    )  # fmt: skip
    assert [row["letters"] for row in found.add_letters().table.rows] == ["a", "a", "b"]
    table = found.letters
    assert [str(row["ndcg@10"])[-1] for row in table.rows] == ["a", "a", "b"]
    assert "randomised Tukey HSD over all pairs, p < 0.05, 50 queries" in str(table)
    assert found.further == {}
    assert list(found.add_letters().further) == ["letters"]


def test_what_was_trained_on_the_tested_queries_has_no_letters_and_no_tests(world: Simulated) -> None:
    found = compare(
        world.rankings, world.labels, "rrf, borda", learners="best_input", baseline=["rrf", "borda"], measures="err"
    ).add_letters()
    (trained,) = found.table.same_queries
    rows = {row["method"]: row for row in found.table.rows}
    assert rows[trained]["letters"] is None
    assert rows["borda"]["letters"]
    tested = {row["method"]: row for row in found.tests_against("borda").rows}
    assert tested[trained]["p (t)"] is None
    assert tested["rrf(c=60)"]["p (t)"] is not None


@pytest.mark.parametrize("baseline", [7, {}, [["rrf"]], [None], b"rrf"])
def test_a_baseline_is_a_name(world: Simulated, baseline: object) -> None:
    with pytest.raises(InvalidParameter, match="the baseline is the name of a row, not"):
        compare(world.rankings, world.labels, "rrf", baseline=baseline, measures="err")  # type: ignore[arg-type]
