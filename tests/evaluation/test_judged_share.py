"""Partly judged pools: how much is judged is shown, said in every format, and nothing is better because of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import Run, runner
from tests.evaluation.pooled import Grades, Pooled, pooled_world

import stagg
from stagg import DataWarning, InvalidParameter, Labels, Rankings, compare, evaluate
from stagg.evaluation import Comparison
from stagg.evaluation.significance import holm, sign_flip
from stagg.formats import write
from stagg.measures import parse_measures
from stagg.measures.unjudged import Unjudged, share_by_ranker
from stagg.report import comparison_report

SENTENCE = "dense: 19 % of its first 10 are judged, weights: 60 %. Unjudged counts as irrelevant, so this table favours"
LEARNED = "weights: what it learned may only say which rankers were judged. dense: 19 %"


@pytest.fixture(scope="module")
def world() -> Pooled:
    return pooled_world(2)


@pytest.fixture(scope="module")
def found(world: Pooled) -> Comparison:
    return compare(
        world.runs, world.labels, "rrf(c=60)", learners="weights", inputs=True, folds=5, measures="ndcg@10,err"
    )


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


def row_of(found: Comparison, method: str, measure: str = "ndcg@10") -> dict[str, object]:
    return next(
        row for row in found.table.rows if row["method"].startswith(method) and row["measure"] == measure
    )  # fmt: skip


# --- section 10 of PROOF.md -------------------------------------------------------------------------------------------


def test_the_labels_of_a_pool_alone_would_call_learned_weights_better(world: Pooled, found: Comparison) -> None:
    """What the table would say without the rule: significant, and by the whole truth there is nothing to it."""
    weights, base = row_of(found, "weights"), row_of(found, "rrf")
    assert weights["p_holm"] < 0.05
    assert weights["mean"] - base["mean"] > 0.08
    truth = compare(world.runs, world.truth, "rrf(c=60)", inputs=True, measures="ndcg@10")
    assert row_of(truth, "dense")["mean"] > row_of(truth, "bm25")["mean"]  # type: ignore[operator]
    assert row_of(found, "dense")["mean"] < row_of(found, "bm25")["mean"]  # type: ignore[operator]


def test_nothing_is_called_better_where_the_pools_explain_it(found: Comparison) -> None:
    assert row_of(found, "weights")["unjudged_decides"]
    cells = [cell for line in found.table.grid().cells for cell in line]
    assert not any(cell.bold or cell.mark == "▲" for cell in cells)
    for text in (repr(found), found.table.to_markdown(), found.table.to_latex(), found.table._repr_html_()):
        assert "best of its column" not in text


def test_the_highest_mean_that_is_not_bold_says_why_in_every_format(found: Comparison) -> None:
    means = {row["method"]: row["mean"] for row in found.table.rows if row["measure"] == "ndcg@10"}
    best = max(means, key=lambda name: means[name]).split("(")[0]
    told = f"Highest but not called the best, as unjudged items could change that: {best}"
    caption = next(line for line in found.table.to_latex().splitlines() if line.startswith(r"\caption"))
    for text in (repr(found), found.table.to_markdown(), found.table._repr_html_(), caption):
        assert told in text


def test_what_is_not_marked_is_not_called_insignificant(found: Comparison) -> None:
    """Its p is small all the same: what the marks mean, and the tests themselves, say why it has none."""
    marks = "than rrf(c=60) whether unjudged items are irrelevant or relevant (randomisation test"
    assert marks in repr(found)
    assert marks in found.table.to_latex()
    assert any("could explain the differences of dense" in note for note in found.details.notes)


def test_a_difference_that_no_unjudged_item_can_explain_keeps_its_mark(found: Comparison) -> None:
    """bm25 is far below its reranker's fusion whatever the unjudged items are; by the truth, too."""
    assert found.table.grid().cells[0][1].mark == "▼"


@pytest.mark.parametrize("seed", range(5))
def test_no_mark_contradicts_the_truth(seed: int) -> None:
    world = pooled_world(seed)
    options = {"learners": "weights", "inputs": True, "folds": 5, "measures": "ndcg@10"}
    seen = compare(world.runs, world.labels, "rrf(c=60)", **options)  # type: ignore[arg-type]
    truth = compare(world.runs, world.truth, "rrf(c=60)", **options)  # type: ignore[arg-type]
    base = row_of(truth, "rrf")["mean"]
    for line, row in zip(seen.table.grid().cells, truth.table.rows, strict=True):
        if line[1].mark:
            assert (line[1].mark == "▲") == (row["mean"] > base)


def test_the_warnings_stand_in_every_format(found: Comparison) -> None:
    assert any(SENTENCE in warning for warning in found.warnings)
    assert any(LEARNED in warning for warning in found.warnings)
    latex = "\n".join(line for line in found.table.to_latex().splitlines() if not line.startswith("%"))
    for text in (repr(found), found.table.to_markdown(), found.table._repr_html_(), comparison_report(found)):
        assert SENTENCE in text
        assert LEARNED in text
    for text in (latex, "".join(found.table.to_latex(caption="").splitlines())):
        assert SENTENCE.replace("%", r"\%") in text
        assert LEARNED.replace("%", r"\%") in text
    said = json.loads(found.table.to_json())["warnings"]
    assert said == list(found.table.warnings)
    assert any(SENTENCE in warning for warning in said)


def test_the_warnings_are_said_on_the_command_line(run: Run, world: Pooled, tmp_path: Path) -> None:
    files = write_world(world, tmp_path)
    asked = ("compare", *files, "--qrels", tmp_path / "qrels.txt", "--methods", "rrf", "--inputs")
    asked = (*asked, "--learners", "weights", "--folds", "5", "--measures", "ndcg@10", "--seed", "0")
    shown = run(*asked, "--report", tmp_path / "page.html")
    words = " ".join(shown.out.split())
    assert SENTENCE in words
    assert "Not marked as different from rrf(c=60)" in words
    assert "▲:" not in words
    assert "judged@10" in shown.out
    assert "0.19" in shown.out
    assert SENTENCE in (tmp_path / "page.html").read_text()
    assert '<p class="warning">' in (tmp_path / "page.html").read_text()
    for form in ("latex", "json", "csv"):
        ended = run(*asked, "--format", form, "-q")
        assert ended.code == 0
        assert f"warning: {SENTENCE}" in ended.err
    assert ended.out.splitlines()[0].endswith("mean_if_relevant,unjudged_decides,judged,judged_at")
    evaluated = run("evaluate", *files, "--qrels", tmp_path / "qrels.txt", "--measures", "ndcg@10", "--json")
    assert "dense: 19 % of its first 10 are judged, bm25: 57 %" in json.loads(evaluated.out)["warnings"][0]


def test_train_and_explore_say_who_was_judged(run: Run, world: Pooled, tmp_path: Path) -> None:
    files = write_world(world, tmp_path)
    said = "dense: 19 % of its first 10 are judged, bm25: 57 %, and unjudged counts as irrelevant"
    with pytest.warns(DataWarning, match="may only learn which rankers were judged"):
        stagg.train(world.runs, "best_input", world.labels)
    labelled = (*files, "--qrels", tmp_path / "qrels.txt")
    trained = run("train", *labelled, "-l", "best_input", "-o", tmp_path / "model.json")
    assert trained.code == 0
    assert said in " ".join(trained.err.split())
    assert re.search(r"mean over the training queries 0\.\d+, judged@10 0\.\d\d\)", trained.err)
    write_labels(world.truth, tmp_path / "all.txt")
    whole = run("train", *files, "--qrels", tmp_path / "all.txt", "-l", "best_input", "-o", tmp_path / "all.json")
    assert "judged" not in whole.err
    few = run("train", *labelled, "-o", tmp_path / "few.json")
    assert said.replace("counts as irrelevant", "is left out") in few.err
    assert "may only" not in few.err
    explored = run("explore", *labelled, "-o", tmp_path / "page.html", "-q")
    assert explored.code == 0
    assert said in " ".join(explored.err.split())
    assert said in (tmp_path / "page.html").read_text()


def write_world(world: Pooled, folder: Path) -> list[Path]:
    files = []
    for name, of in world.runs.items():
        files.append(folder / f"{name}.trec")
        write(Rankings.from_runs({name: of}), files[-1])
    write_labels(world.labels, folder / "qrels.txt")
    return files


def write_labels(labels: Grades, path: Path) -> None:
    path.write_text(
        "".join(f"{query} 0 {item} {grade}\n" for query, of in labels.items() for item, grade in of.items())
    )


# --- the rule and the shares ------------------------------------------------------------------------------------------


def test_the_rule_by_its_definition(world: Pooled) -> None:
    """Marked: significant, with the same sign, by the labels and by the labels with all unjudged first items added."""
    asked = {"methods": "rrf(c=60), borda, votecount", "inputs": True, "measures": "ndcg@10"}
    seen = compare(world.runs, world.labels, **asked)  # type: ignore[arg-type]
    runs = {name: Rankings.from_runs({name: of}) for name, of in world.runs.items()}
    runs |= {name: stagg.fuse(Rankings.from_runs(world.runs), name) for name in seen.methods[3:]}
    added = {query: dict(grades) for query, grades in world.labels.items()}
    for ranking in runs.values():
        for query in added:
            for item in ranking.best_first(query)[:10]:
                added[query].setdefault(item, 3)
    values = np.stack(
        [
            [row["value"] for row in evaluate(ranking, added, "ndcg@10", per_query=True).rows]
            for ranking in runs.values()
        ]
    )
    base = seen.methods.index(seen.baseline)
    differences = (values - values[base]).T
    p = sign_flip(differences, seed=0)
    p[base] = np.nan
    p = holm(p)
    for number, row in enumerate(seen.table.rows):
        assert row["mean_if_relevant"] == pytest.approx(values[number].mean())
        if number != base:
            agrees = (
                p[number] < 0.05 and differences[:, number].mean() * (row["mean"] - seen.table.rows[base]["mean"]) > 0
            )
            assert row["unjudged_decides"] == (row["p_holm"] < 0.05 and not agrees)


def test_where_all_is_judged_nothing_changes(world: Pooled) -> None:
    table = compare(world.runs, world.truth, "rrf(c=60)", inputs=True, measures="ndcg@10").table
    assert table.grid().header == ["method", "ndcg@10"]
    assert not table.warnings
    assert all(row["judged"] == 1 and "mean_if_relevant" not in row for row in table.rows)


def test_the_share_is_the_mean_over_the_queries_that_a_run_has() -> None:
    labels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    table = evaluate({"x": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}}, labels, "p@2, ndcg@3, map")
    assert [(row["judged"], row["judged_at"]) for row in table.rows] == [
        (1, 2),
        (pytest.approx(2 / 3), 3),
        (pytest.approx(2 / 3), 10),
    ]
    assert table.grid().header == ["run", "p@2", "ndcg@3", "judged@3", "map", "judged@10"]


def test_a_column_that_was_asked_for_is_not_there_twice(world: Pooled) -> None:
    table = evaluate(world.runs, world.labels, "judged@10, ndcg@10")
    assert table.grid().header == ["run", "judged@10", "ndcg@10"]
    assert table.rows[0]["mean"] == table.rows[1]["judged"]


def test_measures_of_judged_items_alone_ask_for_no_share(world: Pooled) -> None:
    table = evaluate(world.runs, world.labels, "bpref, kendall_tau, footrule")
    assert table.grid().header == ["run", "bpref", "kendall_tau", "footrule"]
    assert not table.warnings
    assert all(row["judged"] is None for row in table.rows)


def test_nearly_all_is_not_shown_as_all() -> None:
    runs = {"x": {f"q{n}": {f"d{i}": 9.0 - i for i in range(9)} for n in range(60)}}
    labels = {f"q{n}": {f"d{i}": 1 for i in range(9 - (n == 0))} for n in range(60)}
    assert evaluate(runs, labels, "p@9").grid().cells[0][2].text == "0.99"


def test_shares_by_ranker_are_those_of_evaluate(world: Pooled) -> None:
    rows = evaluate(world.runs, world.labels, "ndcg@10").rows
    found = share_by_ranker(Rankings.from_runs(world.runs), Labels(world.labels))
    assert found == pytest.approx({row["run"]: row["judged"] for row in rows})


# --- unjudged= --------------------------------------------------------------------------------------------------------

ALL = "ndcg@10, ndcg@3, err, rbp(p=0.8), map, p@5, recall@20, mrr, success@1"


def small(seed: int) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    """Runs with ties, queries that a run lacks, queries with nothing relevant, items that only labels know."""
    rng = np.random.default_rng(seed)
    items = [f"d{n}" for n in range(12)]
    runs = {
        name: {
            f"q{n}": {item: float(rng.integers(6)) for item in rng.permutation(items)[: rng.integers(1, 12)]}
            for n in range(5)
            if rng.random() < 0.8 or n == 0
        }
        for name in ("x", "y")
    }
    labels = {f"q{n}": {item: int(rng.integers(3)) for item in items if rng.random() < 0.4} for n in range(5)}
    return runs, labels


@pytest.mark.parametrize("seed", range(8))
def test_skip_is_the_same_run_without_its_unjudged_items(seed: int) -> None:
    runs, labels = small(seed)
    kept = {
        name: {query: {item: score for item, score in of.items() if item in labels[query]} for query, of in run.items()}
        for name, run in runs.items()
    }
    seen = evaluate(Rankings.from_runs(runs), labels, ALL, unjudged="skip")
    oracle = evaluate(Rankings.from_runs(kept), labels, ALL)
    assert [row["mean"] for row in seen.rows] == pytest.approx([row["mean"] for row in oracle.rows])


@pytest.mark.parametrize("seed", range(8))
def test_bounds_are_the_means_by_labels_that_name_every_unjudged_item_relevant(seed: int) -> None:
    """One measure at a time, since the labels that are added go as deep as the measure."""
    runs, labels = small(seed)
    rankings = Rankings.from_runs(runs)
    top = max(grade for of in labels.values() for grade in of.values())
    seen = evaluate(rankings, labels, ALL, unjudged="bounds")
    for measure in parse_measures(ALL):
        added = {query: dict(of) for query, of in labels.items()}
        for run in runs.values():
            for query, of in run.items():
                ordered = sorted(of, key=lambda item: (of[item], item), reverse=True)
                for item in ordered[: measure.cutoff]:
                    added[query].setdefault(item, top)
        oracle = evaluate(rankings, added, measure).rows
        mine = [row["mean_if_relevant"] for row in seen.rows if row["measure"] == repr(measure)]
        assert mine == pytest.approx([row["mean"] for row in oracle]), measure


@pytest.mark.parametrize("seed", range(8))
def test_any_complete_labels_of_a_measure_without_an_ideal_are_inside_the_bounds(seed: int) -> None:
    runs, labels = small(seed)
    top = max(grade for of in labels.values() for grade in of.values())
    measures = f"sdcg(ymax={top})@5, p@5, rbp(p=0.8, rel=1), err(ymax={top}), mrr, success@1"
    seen = evaluate(Rankings.from_runs(runs), labels, measures, unjudged="bounds").rows
    rng = np.random.default_rng(seed)
    for _ in range(10):
        whole = {query: {f"d{n}": int(rng.integers(top + 1)) for n in range(12)} | of for query, of in labels.items()}
        for row, true in zip(seen, evaluate(Rankings.from_runs(runs), whole, measures).rows, strict=True):
            assert row["mean"] - 1e-12 <= true["mean"] <= row["mean_if_relevant"] + 1e-12


@pytest.mark.parametrize("measure", ["ndcg@5", "ndcg(gain='linear')@3", "map@5", "recall@5", "map", "ndcg"])
def test_the_mean_by_any_grades_of_the_items_that_are_shown_is_inside_the_bounds(measure: str) -> None:
    """Also of measures with an ideal list, which the items of other rows make longer."""
    [asked] = parse_measures(measure)
    for seed in range(6):
        runs, labels = small(seed)
        top = int(max(grade for of in labels.values() for grade in of.values()))
        seen = evaluate(Rankings.from_runs(runs), labels, asked, unjudged="bounds").rows
        rng = np.random.default_rng(seed)
        for _ in range(8):
            whole = {query: dict(of) for query, of in labels.items()}
            for run in runs.values():
                for query, of in run.items():
                    for item in sorted(of, key=lambda item: (of[item], item), reverse=True)[: asked.cutoff]:
                        whole[query].setdefault(item, int(rng.choice([0, rng.integers(top + 1), top])))
            for row, true in zip(seen, evaluate(Rankings.from_runs(runs), whole, asked).rows, strict=True):
                assert row["bound_low"] - 1e-12 <= true["mean"] <= row["bound_high"] + 1e-12


def test_bounds_hold_the_truth_where_a_pool_hides_it(world: Pooled) -> None:
    """Neither the mean if unjudged items are irrelevant nor the one if they are relevant is a bound."""
    true = {row["run"]: row["mean"] for row in evaluate(world.runs, world.truth, "ndcg@10").rows}
    for table in (
        evaluate(world.runs, world.labels, "ndcg@10", unjudged="bounds"),
        compare(world.runs, world.labels, inputs=True, measures="ndcg@10", unjudged="bounds").table,
    ):
        for row in table.rows:
            name = row.get("run") or row["method"]
            assert row["bound_low"] < true[name] < row["bound_high"]
            assert row["bound_low"] <= min(row["mean"], row["mean_if_relevant"])
    complete = evaluate(world.runs, world.truth, "ndcg@10", unjudged="bounds")
    assert "bound_low" not in complete.rows[0]


def test_bounds_are_a_column_of_intervals(world: Pooled) -> None:
    grid = evaluate(world.runs, world.labels, "ndcg@10", unjudged="bounds").grid()
    assert grid.header == ["run", "ndcg@10", "judged@10", "ndcg@10 bounds"]
    assert sum("may lower the mean beyond the bounds" in note for note in grid.notes) == 1
    complete = evaluate(world.runs, world.truth, "ndcg@10", unjudged="bounds")
    exact = evaluate(world.runs, world.labels, "p@5, rbp", unjudged="bounds")
    assert not any("beyond the bounds" in note for table in (complete, exact) for note in table.notes)
    low, high = map(float, grid.cells[1][3].text.split(" to "))
    assert low < 0.35
    assert high > 0.8


@pytest.mark.parametrize("unjudged", ["skip", "bounds"])
def test_measures_of_judged_items_alone_are_the_same_whatever_becomes_of_the_others(
    world: Pooled, unjudged: Unjudged
) -> None:
    """A condensed list is judged to its end: judged@10 said 1.0000, where 57 and 19 % are."""
    measures = "judged@10, bpref, kendall_tau"
    seen, plain = (evaluate(world.runs, world.labels, measures, unjudged=how) for how in (unjudged, "irrelevant"))
    assert [row["mean"] for row in seen.rows] == [row["mean"] for row in plain.rows]
    assert seen.grid().header == plain.grid().header
    compared = compare(world.runs, world.labels, inputs=True, measures="ndcg@10, judged@10", unjudged=unjudged)
    assert compared.table.rows[1]["mean"] == pytest.approx(plain.rows[0]["mean"])


def test_skip_compares_condensed_lists_and_marks_only_what_all_readings_agree_on(world: Pooled) -> None:
    seen = compare(world.runs, world.labels, "rrf(c=60)", inputs=True, measures="ndcg@10", unjudged="skip")
    assert "so this table favours dense" in seen.warnings[0]
    assert {"mean_if_relevant", "mean_if_irrelevant"} <= set(seen.table.rows[0])
    plain = compare(world.runs, world.labels, "rrf(c=60)", inputs=True, measures="ndcg@10")
    assert [row["mean_if_irrelevant"] for row in seen.table.rows] == [row["mean"] for row in plain.table.rows]
    assert seen.table.settings["unjudged"] == "skip"


def test_labels_without_a_relevant_item_have_bounds_too() -> None:
    table = evaluate({"x": {"q": {"a": 2.0, "b": 1.0}}}, {"q": {"a": 0}}, "p@2, rbp(p=0.5)", unjudged="bounds")
    assert [(row["mean"], row["mean_if_relevant"]) for row in table.rows] == [(0, 0.5), (0, 0.25)]


@pytest.mark.parametrize("given", ["relevant", "Skip", None, 3])
def test_another_word_for_unjudged_is_refused_with_the_choices(given: object) -> None:
    with pytest.raises(InvalidParameter, match="it must be one of 'irrelevant', 'skip', 'bounds'"):
        evaluate({"x": {"q": {"a": 1.0}}}, {"q": {"a": 1}}, unjudged=given)  # type: ignore[arg-type]


# --- with several baselines and letters ---------------------------------------------------------------------------


def test_letters_part_no_pair_that_unjudged_items_could_explain(world: Pooled) -> None:
    """By condensed or plain labels alone, dense and the others would have letters of their own."""
    seen = compare(world.runs, world.labels, "rrf(c=60)", inputs=True, measures="ndcg@10").add_letters()
    letters = {row["method"]: set(row["letters"]) for row in seen.table.rows}
    assert letters["dense"] & letters["rrf(c=60)"]
    assert not letters["bm25"] & letters["rrf(c=60)"]
    assert "unjudged items could explain share a letter" in seen.letters.notes[0]


def test_every_baseline_has_the_rule(world: Pooled) -> None:
    asked = {"inputs": True, "measures": "ndcg@10"}
    both = compare(world.runs, world.labels, "rrf(c=60)", baseline=["rrf(c=60)", "bm25"], **asked)  # type: ignore[arg-type]
    alone = compare(world.runs, world.labels, "rrf(c=60)", baseline="bm25", **asked)  # type: ignore[arg-type]
    for row, other in zip(both.table.rows, alone.table.rows, strict=True):
        assert row["unjudged_decides_vs_bm25"] == other["unjudged_decides"]
    assert row_of(both, "dense")["unjudged_decides_vs_bm25"]
    assert "unjudged items could explain the differences of dense" in both.tests_against("bm25").notes[1]


def test_means_by_fold_do_not_repeat_the_warnings(found: Comparison) -> None:
    assert found.warnings
    assert not found.by_fold.warnings


def test_shares_that_differ_by_exactly_ten_points_are_uneven_whatever_rounding_makes_of_it() -> None:
    from stagg.measures.unjudged import are_uneven

    assert all(are_uneven({"a": tens / 10, "b": (tens + 1) / 10}) for tens in range(10))
    assert not are_uneven({"a": 0.3, "b": 0.39})
