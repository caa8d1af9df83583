"""The gate: its rule against the definition, its words, and what it refuses."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import Run, runner
from tests.evaluation.test_proxy import make_world

import stagg
from stagg import DataError, InvalidParameter
from stagg.evaluation.gate import GateResult, reach_verdict
from stagg.evaluation.proxy import correct
from stagg.evaluation.significance import Estimate, estimate_means, holm, sign_flip

LABELS = {str(q): {"a": 1, "b": 0, "c": 0} for q in range(40)}


def run_with(first: Sequence[int], name: str = "run") -> dict[str, dict[str, dict[str, float]]]:
    """A run whose relevant document has rank first[q] (1 to 3) in query q: mrr is 1 / rank."""
    orders = {1: "abc", 2: "bac", 3: "bca"}
    return {name: {str(q): {item: 3.0 - r for r, item in enumerate(orders[of])} for q, of in enumerate(first)}}


def decide(old: Sequence[int], new: Sequence[int], **options: object) -> GateResult:
    settings = {"margin": 0.05, "measures": "mrr"} | options
    return stagg.gate(run_with(old), run_with(new), LABELS, **settings)  # type: ignore[arg-type]


def slow_verdict(differences: np.ndarray, margin: float) -> str:
    """The rule of the issue, from its words: differences[query, measure]."""
    from scipy.stats import t, ttest_1samp

    n = len(differences)
    errors = differences.std(axis=0, ddof=1) / np.sqrt(n)
    if np.all(differences.mean(axis=0) - t.ppf(0.95, n - 1) * errors > -margin):
        return "PASS"
    falls = ttest_1samp(differences, 0, alternative="less").pvalue
    return "FAIL" if np.any(holm(falls) < 0.025) else "UNDECIDED"


def test_the_verdict_is_that_of_the_definition() -> None:
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(400):
        n, measures = int(rng.integers(2, 60)), int(rng.integers(1, 5))
        base = rng.normal(rng.normal(0, 0.04), 0.1, (n, 1))
        differences = base + rng.normal(0, rng.uniform(0.01, 0.1), (n, measures))
        margin = float(rng.uniform(0.005, 0.1))
        verdict = reach_verdict(estimate_means(differences), margin)
        assert verdict == slow_verdict(differences, margin)
        seen.add(verdict)
    assert seen == {"PASS", "FAIL", "UNDECIDED"}


def test_a_measure_fell_exactly_where_its_shown_bound_is_below_zero_and_its_corrected_p_is_small() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        old = rng.integers(1, 4, 40)
        new = np.minimum(3, old + (rng.random(40) < rng.uniform(0, 0.6)))
        found = decide(old, new, measures="mrr, p@1, success@2, map@1")
        for change in found.changes:
            assert (change.upper < 0) == (change.p_fall < 0.025)
            assert (change.lower > -0.05) == (change.p_within < 0.05)


def test_bounds_and_p_are_those_of_scipy() -> None:
    from scipy.stats import ttest_1samp

    differences = np.random.default_rng(1).normal(-0.02, 0.1, (30, 1))
    estimate = estimate_means(differences)[0]
    above = ttest_1samp(differences[:, 0], -0.05, alternative="greater")
    assert estimate.p_above(-0.05) == pytest.approx(above.pvalue, rel=1e-12)
    assert estimate.lower(0.95) == pytest.approx(above.confidence_interval(0.95).low, rel=1e-12)
    below = ttest_1samp(differences[:, 0], 0.0, alternative="less")
    assert estimate.p_below(0.0) == pytest.approx(below.pvalue, rel=1e-12)
    assert estimate.upper(0.975) == pytest.approx(below.confidence_interval(0.975).high, rel=1e-12)


def test_one_sided_sign_flips_are_those_of_all_signs() -> None:
    import itertools

    differences = np.array([0.3, 0.1, -0.2, 0.4, 0.25, 0.1])
    sums = np.array([np.dot(signs, differences) for signs in itertools.product((-1, 1), repeat=6)])
    exact = float((sums >= differences.sum() - 1e-12).mean())
    assert sign_flip(differences[:, None], seed=1, side="above")[0] == pytest.approx(exact, abs=0.02)
    assert sign_flip(-differences[:, None], seed=1, side="above")[0] > 0.5


def test_the_number_of_queries_that_would_decide_decides_in_about_four_of_five_draws() -> None:
    rng = np.random.default_rng(3)
    population = rng.normal(-0.01, 0.1, 100_000)
    estimate = Estimate(-0.01, 0.1 / np.sqrt(50), 49, 50)
    needed = int(estimate.count_needed(0.03, 0.95))
    draws = rng.choice(population, (needed, 2000))
    passed = np.mean([reach_verdict([each], 0.04) == "PASS" for each in estimate_means(draws)])
    assert 0.75 < passed < 0.85


@pytest.mark.parametrize(
    ("queries", "gap", "level"), [(2, 0.5, 0.975), (3, 0.5, 0.975), (40, 0.03, 0.95), (9, 4.0, 0.95)]
)
def test_the_number_is_the_smallest_that_is_enough(queries: int, gap: float, level: float) -> None:
    """With few queries t changes so fast that a repeated substitution goes to and fro: it said 37, and 5 are enough."""
    from scipy.stats import t

    deviation = 0.25
    found = Estimate(0.0, deviation / np.sqrt(queries), queries - 1, queries).count_needed(gap, level)

    def power(n: int) -> float:
        return float(n - ((t.ppf(level, n - 1) + t.ppf(0.8, n - 1)) * deviation / gap) ** 2)

    assert power(int(found)) >= 0
    assert found == 2 or power(int(found) - 1) < 0


def test_a_gap_that_is_hardly_one_needs_more_queries_than_there_are() -> None:
    for gap in (1e-320, 1e-12, 0.0, -1.0):
        assert Estimate(0.0, 0.1, 9, 10).count_needed(gap, 0.95) == np.inf


def test_the_same_runs_pass_and_it_is_said() -> None:
    ranks = [1, 2, 3, 1] * 10
    found = decide(ranks, ranks)
    assert found.verdict == "PASS"
    assert found.reason == "OLD and NEW rank the same documents in the same order in all 40 queries."
    assert found.falls == ()
    one = stagg.gate(run_with([1]), run_with([1]), LABELS, margin=0.01)
    assert (one.verdict, one.reason) == (
        "PASS",
        "OLD and NEW rank the same documents in the same order in the only query.",
    )


def test_a_clear_fall_fails_and_the_queries_that_fell_most_come_first() -> None:
    found = decide([1] * 40, [3, 2] * 15 + [1] * 10)
    assert found.verdict == "FAIL"
    assert [fall.difference for fall in found.falls] == pytest.approx([-2 / 3] * 5)
    assert found.reason.startswith("mrr fell by 0.4375, with 97.5 % confidence by more than 0.3")
    assert found.needed is None


def test_no_difference_in_any_value_passes_by_the_smallest_margin() -> None:
    assert decide([1] * 40, [1] * 40, margin=1e-12, measures="mrr").verdict == "PASS"
    assert reach_verdict([Estimate(0.0, 0.0, 39, 40)], 1e-12) == "PASS"


def test_a_rise_passes() -> None:
    found = decide([2] * 40, [1, 1, 1, 3] * 10)
    assert found.verdict == "PASS"
    assert found.changes[0].lower > 0


def test_a_fall_within_the_margin_passes_and_is_said() -> None:
    found = decide([1] * 40, [2] * 12 + [1] * 28, margin=0.4)
    assert found.verdict == "PASS"
    assert found.reason.endswith("mrr did fall, but by less than the margin.")


def test_what_is_not_known_is_undecided_with_a_number_of_queries() -> None:
    found = decide([1, 2] * 20, [2, 1] * 10 + [1, 2] * 10, margin=0.01)
    assert found.verdict == "UNDECIDED"
    assert found.needed is not None
    assert found.needed > 40
    assert "queries would decide with 80 % probability, if the difference is as it looks." in found.reason


def test_one_query_decides_nothing() -> None:
    found = stagg.gate(run_with([1]), run_with([2]), LABELS, margin=0.9, measures="mrr")
    assert found.verdict == "UNDECIDED"
    assert found.reason == "One query shows nothing about other queries. Label more queries."
    assert json.loads(found.to_json())["rows"][0]["lower"] is None


def test_few_queries_that_differ_are_worth_a_warning() -> None:
    found = decide([1] * 40, [1] * 38 + [2, 2])
    assert any("only 2 of 40 queries differ" in note for note in found.table.notes)


def test_passing_needs_all_measures_and_failing_needs_one() -> None:
    old, new = [3] * 40, [2] * 40  # mrr rises, p@1 stays 0
    assert decide(old, new, measures="mrr,p@1").verdict == "PASS"
    fallen = decide([1] * 40, [2] * 40, measures="recall@2,mrr")  # recall@2 stays 1, mrr falls
    assert fallen.verdict == "FAIL"
    assert fallen.falls[0].measure == "mrr"


def test_queries_that_one_run_lacks_count_nought_there_unless_only_common() -> None:
    old, new = [1] * 40, [1] * 30
    found = decide(old, new, margin=0.1)
    assert found.verdict == "FAIL"
    assert "10 queries are not in NEW and count 0 there" in found.table.notes
    common = decide(old, new, only_common=True)
    assert (common.verdict, len(common.queries)) == ("PASS", 30)
    assert "10 queries with labels are left out" in common.table.notes


def test_queries_that_neither_run_has_do_not_dilute_the_difference() -> None:
    some = {query: LABELS[query] for query in map(str, range(20))}
    old, new = run_with([1] * 20), run_with([1, 2] * 10)
    wide = stagg.gate(old, new, LABELS, margin=0.02, measures="mrr")
    exact = stagg.gate(old, new, some, margin=0.02, measures="mrr")
    assert wide.changes == exact.changes


def test_new_documents_without_labels_stop_the_gate_with_their_share() -> None:
    new = {"run": {str(q): {"a": 3.0, f"x{q}": 2.0, "c": 1.0} for q in range(40)}}
    with pytest.raises(DataError) as error:
        stagg.gate(run_with([1] * 40), new, LABELS, margin=0.01)
    text = str(error.value)
    assert text.startswith("40 of the 40 documents (100 %) that only NEW has among its first 10 have no label, in 40")
    assert text.endswith("or go on with unjudged='irrelevant'")
    found = stagg.gate(run_with([1] * 40), new, LABELS, margin=0.01, unjudged="irrelevant")
    assert found.verdict == "PASS"
    assert "that only NEW has among its first 10 have no label, in 40 queries: they count as irrelevant" in str(found)


def test_measures_of_judged_documents_alone_need_no_labels_of_the_others() -> None:
    few = {str(q): {"a": 1, "c": 0} for q in range(40)}
    orders = {
        name: {str(q): dict(zip(order, (3.0, 2.0, 1.0), strict=True)) for q in range(40)}
        for name, order in (("o", "acx"), ("n", "cby"))
    }
    runs = {"o": orders["o"]}, {"n": orders["n"]}
    with pytest.raises(DataError, match="would count as irrelevant"):
        stagg.gate(*runs, few, margin=0.1, measures="bpref, p@2")
    assert stagg.gate(*runs, few, margin=0.1, measures="bpref").verdict == "FAIL"


def test_unjudged_documents_that_only_the_old_run_has_stop_it_too() -> None:
    old = {"run": {str(q): {"a": 3.0, f"x{q}": 2.0, "c": 1.0} for q in range(40)}}
    with pytest.raises(DataError, match="that only OLD has among its first 2 have no label"):
        stagg.gate(old, run_with([1] * 40), LABELS, margin=0.01, measures="p@2")
    assert stagg.gate(old, run_with([1] * 40), LABELS, margin=0.01, measures="p@1").verdict == "PASS"


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), float("inf"), True, "0.1", None])
def test_a_margin_is_a_number_above_nought(margin: object) -> None:
    with pytest.raises(InvalidParameter, match="it must be a number above 0: the largest fall of a measure"):
        decide([1] * 40, [1] * 40, margin=margin)


def test_labels_for_other_queries_and_runs_of_other_queries_are_refused() -> None:
    run = run_with([1, 2, 3])
    with pytest.raises(DataError, match="no query of OLD or NEW has a label; are the query ids"):
        stagg.gate(run, run, {"other": {"a": 1}}, margin=0.1)
    later = {"run": {"7": {"a": 2.0, "b": 1.0}, "8": {"b": 2.0, "a": 1.0}}}
    with pytest.raises(DataError, match="OLD and NEW have no query with labels in common"):
        stagg.gate(run, later, LABELS, margin=0.1)
    with pytest.raises(DataError, match="no query of NEW has a label"):
        stagg.gate(run, {"run": {"x": {"a": 2.0, "b": 1.0}}}, LABELS, margin=0.1)
    with pytest.raises(InvalidParameter, match="OLD has 2 rankers, but two runs of one ranker each"):
        stagg.gate([["a", "b"], ["b", "a"]], run, LABELS, margin=0.1)
    with pytest.raises(InvalidParameter, match="unjudged is 'stop' or 'irrelevant', not 'skip'"):
        stagg.gate(run, run, LABELS, margin=0.1, unjudged="skip")  # type: ignore[arg-type]


def test_titles_of_queries_stand_beside_those_that_fell() -> None:
    found = decide([1] * 40, [2] * 20 + [1] * 20, query_texts={"0": "what is a lobster"})
    assert found.falls[0].text == "what is a lobster"
    assert "what is a lobster" in found.to_markdown()


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "gate")


def write_files(folder: Path, old: Sequence[int], new: Sequence[int]) -> list[str]:
    """old.trec, new.trec and the labels, as arguments of the command."""
    for name, ranks in (("old", old), ("new", new)):
        stagg.write(stagg.Rankings.from_runs(run_with(ranks)), folder / f"{name}.trec")
    rows = [f"{query} 0 {item} {grade}\n" for query, of in LABELS.items() for item, grade in of.items()]
    (folder / "qrels.txt").write_text("".join(rows))
    return [str(folder / "old.trec"), str(folder / "new.trec"), "--qrels", str(folder / "qrels.txt")]


UNCLEAR = ([1, 2] * 20, [2, 1] * 10 + [1, 2] * 10)


@pytest.mark.parametrize(
    ("old", "new", "verdict", "code"),
    [
        ([1] * 40, [1] * 40, "PASS", 0),
        ([1] * 40, [2, 3] * 20, "FAIL", 3),
        (*UNCLEAR, "UNDECIDED", 4),
    ],
)
def test_the_exit_status_is_the_verdict(
    tmp_path: Path, run: Run, old: list[int], new: list[int], verdict: str, code: int
) -> None:
    arguments = [*write_files(tmp_path, old, new), "--margin", "0.01", "--measures", "mrr"]
    ended = run(*arguments)
    assert ended.code == code
    assert ended.out.startswith(f"{verdict}: ")
    as_json = run(*arguments, "--json", "--quiet")
    assert as_json.code == code
    assert as_json.err == ""
    found = json.loads(as_json.out)
    assert (found["command"], found["verdict"], found["queries"]) == ("gate", verdict, 40)
    assert (found["queries_needed"] is None) == (verdict != "UNDECIDED")
    assert found["settings"]["margin"] == 0.01


@pytest.mark.parametrize(("counts_as", "code"), [("pass", 0), ("fail", 3)])
def test_a_pipeline_says_what_undecided_counts_as(tmp_path: Path, run: Run, counts_as: str, code: int) -> None:
    arguments = [*write_files(tmp_path, *UNCLEAR), "--margin", "0.01", "--measures", "mrr", "--undecided", counts_as]
    ended = run(*arguments)
    assert ended.code == code
    assert ended.out.startswith("UNDECIDED: ")
    assert f"UNDECIDED counts as {counts_as.upper()} here (--undecided {counts_as})" in ended.err


def test_the_summary_is_a_markdown_file_also_when_the_gate_fails(tmp_path: Path, run: Run) -> None:
    arguments = [*write_files(tmp_path, [1] * 40, [2, 3] * 20), "--margin", "0.01", "--measures", "mrr"]
    assert run(*arguments, "--summary", tmp_path / "gate.md").code == 3
    text = (tmp_path / "gate.md").read_text()
    assert text.startswith("## stagg gate: FAIL\n\nmrr fell by 0.5833")
    assert "The 5 queries that fell most, by mrr:" in text
    assert text.endswith("|\n")
    assert run(*arguments, "--summary", tmp_path / "old.trec").code == 2


def test_the_summary_also_says_what_stopped_the_gate(tmp_path: Path, run: Run) -> None:
    arguments = [*write_files(tmp_path, [1] * 40, [2, 3] * 20), "--margin", "0.01", "--summary", tmp_path / "gate.md"]
    arguments[1] = tmp_path / "strange.trec"
    (tmp_path / "strange.trec").write_text("".join(f"q{n} Q0 x`|<b> 1 1 t\n" for n in range(40)))
    ended = run(*arguments)
    assert ended.code == 1
    said = ended.err.splitlines()[-1].partition("error: ")[2]
    assert (tmp_path / "gate.md").read_text() == f"## stagg gate: stopped\n\n```text\n{said}\n```\n"
    run(tmp_path / "none.trec", *arguments[1:])
    assert "none.trec" in (tmp_path / "gate.md").read_text()


def test_the_gate_says_which_gain_its_measure_has() -> None:
    runs = run_with([1] * 40), run_with([2, 3] * 20)
    ours = "ndcg@10 has the gain 2^y - 1; nDCG, as in trec_eval, has y"
    assert ours in stagg.gate(*runs, LABELS, margin=0.01).table.notes
    assert ours not in stagg.gate(*runs, LABELS, margin=0.01, measures="nDCG@10,mrr").table.notes


def test_bad_input_is_one_line_and_a_status_of_its_own(tmp_path: Path, run: Run) -> None:
    arguments = write_files(tmp_path, [1] * 40, [2] * 40)
    for margin in ("0", "-0.1"):
        ended = run(*arguments, "--margin", margin, "--quiet")
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "it must be a number above 0" in ended.err
    (tmp_path / "qrels.txt").write_text("x 0 a 1\n")
    ended = run(*arguments, "--margin", "0.1", "--quiet")
    assert (ended.code, ended.err.count("\n"), ended.out) == (1, 1, "")
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 b 1\n" for q in range(40)))
    stopped = run(*arguments, "--margin", "0.1", "--quiet", "--measures", "p@1")
    assert (stopped.code, stopped.err.count("\n")) == (1, 1)
    assert "(100 %) that only OLD has among its first 1 have no label" in stopped.err
    assert stopped.err.endswith("go on with --unjudged irrelevant\n")
    alone = run(*arguments[:2], "--margin", "0.1", "--quiet", "--proxy", tmp_path / "qrels.txt")
    assert (alone.code, alone.err.count("\n")) == (2, 1)
    assert "Labels of an LLM alone prove nothing" in alone.err


@pytest.mark.parametrize("collection", ["dl19", "dl21groups", "covidr5", "MQ2007"])
def test_the_gate_errs_as_rarely_as_it_says_on_resampled_topics(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch, collection: str
) -> None:
    """bench/gate.py with few draws; docs/proof.md has the rates of many. The bounds allow for the few draws."""
    monkeypatch.setenv("STAGG_DATA", str(shared_data))
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "bench"))
    bench = importlib.import_module("gate")
    monkeypatch.setattr(bench, "DATA", shared_data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stagg.DataWarning)
        values = bench.read_values(bench.COLLECTIONS[collection], "ndcg@10")
    rates = bench.measure(values, pairs=8, draws=150)
    assert rates["equal: gate FAILs"] <= 0.045
    assert rates["drop of 2 margins: gate PASSes"] <= 0.05
    assert rates["equal, margin 2.5 se: gate PASSes"] >= 0.73
    assert rates["drop of 3 se, margin 2.5 se: gate FAILs"] >= 0.75
    assert rates["equal: threshold fails"] > 0.15
    assert rates["drop of 2 margins: threshold passes"] > 0.15


# --- labels of a proxy ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_proxy_corrects_the_difference_and_its_bounds_by_the_definition(seed: int) -> None:
    runs, human, proxy = make_world(seed)
    old, new = ({name: runs[name]} for name in ("old", "new"))
    asked = ["ndcg@10", "p@5"]
    found = stagg.gate(old, new, human, proxy=proxy, margin=0.05, measures=asked)

    def differences(labels: dict[str, dict[str, int]], measure: str) -> dict[str, float]:
        rows = stagg.evaluate(runs, labels, measure, per_query=True).rows
        by_run = {name: {row["query"]: row["value"] for row in rows if row["run"] == name} for name in runs}
        return {query: by_run["new"][query] - by_run["old"][query] for query in by_run["new"]}

    for measure, change in zip(asked, found.changes, strict=True):
        d, f = differences(human, measure), differences(proxy, measure)
        both, others = list(human), [query for query in proxy if query not in human]
        expected = correct(
            np.array([d[q] for q in both]), np.array([f[q] for q in both]), np.array([f[q] for q in others]), level=0.9
        )
        assert change.slope == pytest.approx(expected.slope)
        assert change.difference == pytest.approx(expected.corrected)
        assert change.lower == pytest.approx(expected.corrected_low)
        assert change.new - change.old == pytest.approx(expected.mean)


def test_the_order_of_the_labels_does_not_matter_with_a_proxy() -> None:
    runs, human, proxy = make_world(4)
    old, new = ({name: runs[name]} for name in ("old", "new"))
    turned = dict(reversed(human.items())), dict(reversed(proxy.items()))
    one = stagg.gate(old, new, human, proxy=proxy, margin=0.05)
    assert one.to_json() == stagg.gate(old, new, turned[0], proxy=turned[1], margin=0.05).to_json()


def test_a_proxy_that_says_nothing_leaves_the_verdict_to_people() -> None:
    runs, human, proxy = make_world(5)
    old, new = ({name: runs[name]} for name in ("old", "new"))
    empty = {query: dict.fromkeys(items, 0) for query, items in proxy.items()}
    alone, beside = (stagg.gate(old, new, human, margin=0.05, proxy=each) for each in (None, empty))
    assert beside.changes[0].slope == 0
    assert (beside.verdict, beside.changes[0].lower) == (alone.verdict, pytest.approx(alone.changes[0].lower))


def test_queries_that_only_people_judged_are_left_out_and_a_proxy_for_few_is_refused() -> None:
    runs, human, proxy = make_world(6)
    old, new = ({name: runs[name]} for name in ("old", "new"))
    some = {query: items for query, items in proxy.items() if query not in list(human)[:3]}
    found = stagg.gate(old, new, human, proxy=some, margin=0.05)
    assert len(found.queries) == len(human) - 3
    assert any("3 queries without labels of the proxy left out" in note for note in found.table.notes)
    with pytest.raises(DataError, match="4 queries have labels of people and of the proxy; at least 5 are needed"):
        stagg.gate(old, new, dict(list(human.items())[:4]), proxy=proxy, margin=0.05)
    with pytest.raises(DataError, match="are the query ids of the labels of the proxy the same"):
        stagg.gate(old, new, human, proxy={"else": {"d1": 1}}, margin=0.05)


@pytest.mark.parametrize("margin", [0.02, 0.07, 0.1, 0.3])
def test_a_fall_by_the_margin_itself_in_every_query_fails_whatever_rounding_makes_of_its_mean(margin: float) -> None:
    verdicts = {reach_verdict(estimate_means(np.full((n, 1), -margin)), margin) for n in range(4, 60)}
    assert verdicts == {"FAIL"}
    assert reach_verdict(estimate_means(np.full((20, 1), -margin)), margin * 1.1) == "PASS"


@pytest.mark.parametrize("change", [-0.5, 0.5])
def test_two_queries_that_change_alike_decide_nothing(change: float) -> None:
    differences = np.full((2, 1), change)
    assert reach_verdict(estimate_means(differences), 0.02) == "UNDECIDED"
    assert estimate_means(differences)[0].error > 0
    padded = np.array([*[change] * 6, 0.0])  # the spread is that with one query more that did not change
    assert estimate_means(np.full((6, 1), change))[0].error == pytest.approx(padded.std(ddof=1) / np.sqrt(6))
    assert reach_verdict(estimate_means(np.full((8, 1), change)), 0.02) == ("FAIL" if change < 0 else "PASS")
    assert estimate_means(np.zeros((8, 1)))[0].error == 0.0


def test_labels_without_a_relevant_document_decide_nothing() -> None:
    nothing = {query: dict.fromkeys(grades, 0) for query, grades in LABELS.items()}
    with pytest.raises(DataError, match="no document has a grade above 0 in 40 queries with labels"):
        stagg.gate(run_with([1] * 40), run_with([2] * 40), nothing, margin=0.05)
    some = LABELS | {str(q): nothing[str(q)] for q in range(10)}
    found = stagg.gate(run_with([1] * 40), run_with([2] * 40), some, margin=0.05)
    assert "10 queries have no relevant document and count 0 in both runs" in found.table.notes
