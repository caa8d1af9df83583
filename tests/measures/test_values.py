"""Values of measures: against slow oracles, worked numbers, scikit-learn, and on real data the project's findings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.measures.slow import VARIANTS, as_rankings, cases, random_labels, random_run, slow_value

import stagg
from stagg.data import Labels, Rankings
from stagg.measures import CONVENTIONS, MEASURES, Judged, judge, parse_measures

WORKED = {  # METHODS, section 1: y = (0, 2, 1, 0, 1, 0) in ranked order; letor4, standard
    "ndcg@2": (0.750000, 0.521296),
    "ndcg@3": (0.784061, 0.579237),
    "ndcg@5": (0.877061, 0.672885),
    "ndcg@10": (0.0, 0.672885),
    "err": (0.405208, 0.405208),
    "rbp(p=0.95)": (0.180850, 0.090425),
}


def worked_example(conventions: str) -> Judged:
    grades = dict(zip("abcdef", (0, 2, 1, 0, 1, 0), strict=True))
    return judge(Rankings.from_lists([list("abcdef")], query="q"), Labels({"q": grades}), conventions=conventions)


@pytest.mark.parametrize("text", WORKED)
def test_the_worked_example_holds_to_six_digits_in_both_conventions(text: str) -> None:
    letor, standard = WORKED[text]
    measure = MEASURES.parse(text)
    assert measure.value(worked_example("letor4")) == pytest.approx(letor, abs=5.1e-7)
    assert measure.value(worked_example("standard")) == pytest.approx(standard, abs=5.1e-7)


def test_the_variants_cover_every_registered_measure() -> None:
    assert {MEASURES.parse(text).name for text in VARIANTS} == set(MEASURES.names())


@pytest.mark.parametrize("conventions", CONVENTIONS)
@pytest.mark.parametrize("text", VARIANTS)
def test_every_measure_equals_its_slow_oracle(text: str, conventions: str) -> None:
    measure = MEASURES.parse(text)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        labels, run = random_labels(rng), random_run(rng)
        judged = judge(as_rankings(run), Labels(labels), conventions=conventions)
        slow = cases(run, labels, conventions)
        values = dict(zip(judged.queries, measure.value(judged), strict=True))
        assert values == pytest.approx({query: slow_value(measure, case) for query, case in slow.items()}, abs=1e-12)


@pytest.mark.parametrize("text", ["ndcg@5", "err", "rbp(p=0.95)", "map(rel=0.5)", "kendall_tau", "footrule"])
def test_labels_may_be_fractions(text: str) -> None:
    measure, rng = MEASURES.parse(text), np.random.default_rng(1)
    labels, run = random_labels(rng, grades=(0, 0.25, 0.5, 1.75, 2.5)), random_run(rng)
    judged = judge(as_rankings(run), Labels(labels))
    slow = {query: slow_value(measure, case) for query, case in cases(run, labels, "standard").items()}
    assert dict(zip(judged.queries, measure.value(judged), strict=True)) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("cutoff", [1, 5, 10, 100])
def test_ndcg_is_scikit_learns_ndcg_score_fed_with_exponential_gains(cutoff: int) -> None:
    ndcg_score = pytest.importorskip("sklearn.metrics").ndcg_score

    rng = np.random.default_rng(cutoff)
    for n in (2, 7, 30):
        grades, scores = rng.integers(0, 5, n), rng.permutation(n)
        items = [f"d{number}" for number in range(n)]
        run = Rankings.from_scores({"run": dict(zip(items, scores.tolist(), strict=True))}, query="q")
        labels = Labels({"q": dict(zip(items, grades.tolist(), strict=True))})
        theirs = ndcg_score([2.0**grades - 1], [scores], k=cutoff)
        assert MEASURES.parse(f"ndcg@{cutoff}").value(judge(run, labels)) == pytest.approx(theirs, abs=1e-12)


def test_a_query_that_the_run_lacks_counts_zero_everywhere() -> None:
    judged = judge(as_rankings({"here": {"a": 1.0}}), Labels({"here": {"a": 1}, "gone": {"a": 1}}))
    for text in VARIANTS:
        assert MEASURES.parse(text).value(judged)[judged.queries.index("gone")] == 0


def test_without_any_relevant_item_all_but_judged_are_zero() -> None:
    judged = judge(as_rankings({"q": {"a": 2.0, "b": 1.0}}), Labels({"q": {"a": 0, "b": 0}}))
    for measure in parse_measures(VARIANTS):
        assert measure.value(judged) == (1 if measure.name == "judged" else 0)


def test_labels_of_a_thousand_do_not_overflow() -> None:
    judged = judge(as_rankings({"q": {"a": 2.0, "b": 1.0}}), Labels({"q": {"a": 1000, "b": 999}}))
    for measure in parse_measures([text for text in VARIANTS if "ymax" not in text]):  # the labels are above 4
        assert np.isfinite(measure.value(judged)).all()
    assert MEASURES.parse("ndcg@10").value(judged) == 1
    assert MEASURES.parse("err").value(judged) == pytest.approx(1)


def test_letor4_counts_judged_items_that_the_list_leaves_out_as_documents_of_the_query() -> None:
    labels = Labels({"q": {"a": 1, "b": 0, "c": 0}})
    short = judge(as_rankings({"q": {"a": 1.0}}), labels, conventions="letor4")
    assert MEASURES.parse("ndcg@3").value(short) == 1
    assert MEASURES.parse("ndcg@4").value(short) == 0


@pytest.mark.parametrize(
    ("folder", "method", "numbers"),
    [  # FINDINGS, section 1, small = top
        ("MQ2007-agg", "borda", (0.4325, 0.4517, 0.3297, 0.3392)),
        ("MQ2008-agg", "borda", (0.4765, 0.2277, 0.3081, 0.1709)),
        ("MQ2008-agg", "votecount", (0.4703, 0.2239, 0.3009, 0.1696)),
    ],
)
def test_letor_files_give_the_figures_of_letors_own_evaluation(
    shared_data: Path, folder: str, method: str, numbers: tuple[float, ...]
) -> None:
    files = sorted((shared_data / "letor" / folder).glob("A*.txt"))
    if not files:
        pytest.skip(f"no {folder}")
    grades: dict[str, dict[str, float]] = {}
    for file in files:
        labels = stagg.read_labels(file)
        grades |= {query: dict(labels[query]) for query in labels}
    judged = judge(stagg.fuse(stagg.read(files, values="rank"), method), Labels(grades), conventions="letor4")
    assert tuple(round(m.value(judged).mean(), 4) for m in parse_measures()) == pytest.approx(numbers, abs=1e-9)
