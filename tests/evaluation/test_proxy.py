"""A proxy's labels beside those of people: the correction by its definition, its worth, and when it is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t
from tests.command_line import Run, runner

from stagg import DataError, InvalidParameter, compare, evaluate
from stagg.evaluation.proxy import correct
from stagg.report import comparison_report

Grades = dict[str, dict[str, int]]
Runs = dict[str, dict[str, dict[str, float]]]


def make_world(seed: int, *, people: int = 20, queries: int = 60, quality: float = 1.0) -> tuple[Runs, Grades, Grades]:
    """Two runs, grades of people for some queries, and those of a proxy, kinder, for all of them."""
    rng = np.random.default_rng(seed)
    runs: Runs = {"old": {}, "new": {}}
    human: Grades = {}
    proxy: Grades = {}
    for number in range(queries):
        query, worth = f"q{number:02d}", rng.normal(size=30)
        ease = rng.normal()
        for name, skill in (("old", 0.5), ("new", 0.8 + 0.5 * ease)):
            scores = skill * worth + rng.normal(size=30)
            runs[name][query] = {f"d{item}": float(score) for item, score in enumerate(scores)}
        seen = quality * worth + (1 - quality) * rng.normal(size=30) + 0.4
        proxy[query] = {f"d{item}": int(grade) for item, grade in enumerate(np.digitize(seen, [0.5, 1.2]))}
        if number < people:
            human[query] = {f"d{item}": int(grade) for item, grade in enumerate(np.digitize(worth, [0.5, 1.2]))}
    return runs, human, proxy


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


# --- the correction ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_correction_is_that_of_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, more = 12, 30
    d, rest = rng.normal(size=n), rng.normal(size=more)
    f = 0.6 * d + rng.normal(size=n)
    found = correct(d, f, rest)
    slope = min(1, max(0, np.cov(d, f)[0, 1] / ((1 + n / more) * f.var(ddof=1))))
    variance = (d - slope * f).var(ddof=1) / n + slope**2 * rest.var(ddof=1) / more
    estimate = (d - slope * f).mean() + slope * rest.mean()
    assert found.slope == pytest.approx(slope)
    assert found.corrected == pytest.approx(estimate)
    assert found.corrected_high - estimate == pytest.approx(t.ppf(0.975, n - 2 if slope else n - 1) * variance**0.5)
    assert found.saved == pytest.approx(1 - variance / (d.var(ddof=1) / n))
    assert found.high - d.mean() == pytest.approx(t.ppf(0.975, n - 1) * d.std(ddof=1) / n**0.5)


@pytest.mark.parametrize(
    ("proxy", "others"),
    [
        (np.ones(6), np.ones(9)),  # the proxy says the same of all
        (-np.arange(6.0), np.arange(9.0)),  # it is wrong
        (np.arange(6.0), np.zeros(0)),  # it knows no other query
        (np.arange(6.0), np.zeros(1)),  # or one, which has no variance
    ],
)
def test_a_proxy_of_no_use_leaves_the_interval_of_people(proxy: np.ndarray, others: np.ndarray) -> None:
    found = correct(np.array([0.1, 0.2, 0.2, 0.5, 0.4, 0.6]), proxy, others)
    assert (found.slope, found.saved) == (0, 0)
    assert (found.corrected, found.corrected_low, found.corrected_high) == (found.mean, found.low, found.high)


def test_a_perfect_proxy_saves_what_the_other_queries_can() -> None:
    """ρ = 1: at most 1 - n/N of the variance."""
    values = np.random.default_rng(0).normal(size=4000)
    found = correct(values[:1000], values[:1000], values[1000:])
    assert found.saved == pytest.approx(0.75, abs=0.02)


def test_no_difference_anywhere_is_no_error() -> None:
    found = correct(np.zeros(6), np.zeros(6), np.zeros(4))
    assert (found.low, found.high, found.saved) == (0, 0, 0)


def test_intervals_cover_in_a_world_that_is_known() -> None:
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(2000):
        d = rng.normal(0.03, 0.2, 50)
        f = 0.8 * d + rng.normal(0.1, 0.1, 50)  # kind: its own mean is far off
        found = correct(d[:15], f[:15], f[15:])
        inside.append(found.corrected_low <= 0.03 <= found.corrected_high)
    assert 0.93 <= np.mean(inside) <= 0.97


# --- evaluate and compare ---------------------------------------------------------------------------------------------


def test_compare_has_both_intervals_of_every_difference() -> None:
    runs, people, proxy = make_world(0)
    found = compare(runs, people, inputs=True, measures="ndcg@10, p@5", proxy=proxy)
    table, agreement = found.table.beside
    assert [(row["method"], row["measure"]) for row in table.rows] == [("new", "ndcg@10"), ("new", "p@5")]
    rows = {
        who: {
            (row["run"], row["query"]): row["value"] for row in evaluate(runs, grades, "ndcg@10", per_query=True).rows
        }
        for who, grades in (("people", people), ("proxy", proxy))
    }
    d, f = ({q: of["new", q] - of["old", q] for r, q in of if r == "new"} for of in rows.values())
    both, others = sorted(people), sorted(set(proxy) - set(people))
    oracle = correct(*(np.array([of[q] for q in which]) for of, which in ((d, both), (f, both), (f, others))))
    row = table.rows[0]
    assert (row["mean"], row["low"], row["high"]) == pytest.approx((oracle.mean, oracle.low, oracle.high))
    assert (row["corrected"], row["lambda"], row["saved"]) == pytest.approx(
        (oracle.corrected, oracle.slope, oracle.saved)
    )
    assert found.table.rows[0]["queries"] == 20  # the table itself is by people
    assert sum(row["items"] for row in agreement.rows) == 20 * 30


def test_a_good_judge_is_worth_labels_and_a_random_one_nothing() -> None:
    runs, people, proxy = make_world(0)
    told = compare(runs, people, inputs=True, measures="ndcg@10", proxy=proxy).table.beside[0].notes
    assert told[1].startswith("This judge is worth ")
    assert "% of your labels for ndcg@10. It agrees with people on what is relevant at κ = " in told[1]
    assert told[2].startswith("20 queries with labels of both, 40 with labels of the proxy alone.")
    runs, people, noise = make_world(0, quality=0.0)
    assert (
        "This judge: nothing here."
        in compare(runs, people, inputs=True, measures="ndcg@10", proxy=noise).table.beside[0].notes[1]
    )


def test_a_proxy_that_judged_no_other_query_is_worth_nothing_and_says_why() -> None:
    runs, people, proxy = make_world(0)
    same = {query: proxy[query] for query in people}
    table = evaluate(runs, people, "ndcg@10", proxy=same).beside[0]
    assert "nothing here: it has judged no query that people have not" in table.notes[1]
    assert "give the labels of people for a random draw of the queries only" in table.notes[2]
    assert all(row["lambda"] == 0 for row in table.rows)
    assert [[cell.text for cell in line] for line in table.grid().cells] == [["20", "0"]]  # and no interval twice


def test_kappa_and_confusion_are_those_of_a_worked_example() -> None:
    """Cohen (1960): po = (4 + 2) / 10, relevant by people 5 of 10 and by the proxy 7: pe = .5, κ = .2."""
    people = {f"q{n}": {f"d{i}": 1 if n < 3 else 0, "x": int(n < 1)} for n in range(5) for i in (0,)}
    proxy = {q: dict.fromkeys(of, 1) for q, of in people.items()}
    for q in ("q3", "q4"):
        proxy[q] = {"d0": 0, "x": 1}
    for q in ("q1",):
        proxy[q]["x"] = 0
    runs = {"a": {q: {"d0": 2.0, "x": 1.0} for q in people}}
    table, agreement = evaluate(runs, people, "p@1", proxy=proxy).beside
    assert agreement.rows == (
        {"people": "0", "items": 6, "proxy 0": 3, "proxy 1": 3},
        {"people": "1", "items": 4, "proxy 0": 0, "proxy 1": 4},
    )
    observed, expected = 0.7, 0.4 * 0.7 + 0.6 * 0.3
    assert table.rows[0]["kappa"] == pytest.approx((observed - expected) / (1 - expected))


def test_queries_that_people_alone_judged_are_counted() -> None:
    runs, people, proxy = make_world(0)
    fewer = {query: of for query, of in proxy.items() if query != "q00"}
    notes = evaluate(runs, people, "ndcg@10", proxy=fewer).beside[0].notes
    assert "1 query without labels of the proxy: left out of both intervals" in notes


def test_queries_that_the_input_lacks_do_not_count_as_queries_without_a_difference() -> None:
    """A proxy has judged many more queries than were run, and people a few: no run has 0 there."""
    runs, people, proxy = make_world(0)
    others = {f"x{number}": {"d1": 1, "d2": 0} for number in range(500)}
    wide, judged = proxy | others, people | {"x0": {"d1": 1}, "y": {"d1": 1}}
    told = "501 queries with labels that the input lacks: left out of both intervals"
    for table, same in (
        (evaluate(runs, judged, "ndcg@10", proxy=wide), evaluate(runs, people, "ndcg@10", proxy=proxy)),
        (
            compare(runs, judged, inputs=True, measures="ndcg@10", proxy=wide).table,
            compare(runs, people, inputs=True, measures="ndcg@10", proxy=proxy).table,
        ),
    ):
        assert table.beside[0].rows == same.beside[0].rows
        assert table.beside[1].rows == same.beside[1].rows
        assert table.beside[0].notes == (*same.beside[0].notes, told)


def test_other_queries_that_are_all_alike_have_no_variance() -> None:
    d, f = np.array([0.1, 0.4, 0.2, 0.3, 0.6]), np.array([0.2, 0.4, 0.1, 0.3, 0.5])
    found = correct(d, f, np.full(8, 0.3))
    rest = d - found.slope * f
    assert found.corrected == pytest.approx(rest.mean() + found.slope * 0.3)
    reach = t.ppf(0.975, 3) * rest.std(ddof=1) / 5**0.5
    assert found.corrected_high - found.corrected == pytest.approx(reach)


def test_without_labels_of_people_a_proxy_is_refused_with_the_reason() -> None:
    runs, people, proxy = make_world(0)
    few = {query: people[query] for query in sorted(people)[:4]}
    with pytest.raises(DataError, match="4 queries have labels of people and of the proxy; at least 5 are needed"):
        evaluate(runs, few, "ndcg@10", proxy=proxy)
    elsewhere = {f"x{query}": of for query, of in proxy.items()}
    with pytest.raises(DataError, match="Proxy labels alone show nothing"):
        evaluate(runs, people, "ndcg@10", proxy=elsewhere)


@pytest.mark.parametrize("given", [{"learners": "weights", "folds": 5}, {"tune": "rrf(c=[1, 60])", "folds": 5}])
def test_what_learns_on_folds_has_no_values_to_correct(given: dict[str, object]) -> None:
    runs, people, proxy = make_world(0)
    with pytest.raises(InvalidParameter, match="Train it first, and compare the model"):
        compare(runs, people, "rrf", proxy=proxy, measures="ndcg@10", **given)  # type: ignore[arg-type]


def test_the_baseline_alone_has_no_difference() -> None:
    runs, people, proxy = make_world(0)
    with pytest.raises(InvalidParameter, match="there is only the baseline"):
        compare(runs, people, "rrf", proxy=proxy, measures="ndcg@10")


def write_qrels(path: Path, grades: Grades) -> Path:
    lines = [f"{query} 0 {item} {grade}\n" for query, of in grades.items() for item, grade in of.items()]
    path.write_text("".join(lines))
    return path


def test_the_command_line_shows_it_in_every_format(run: Run, tmp_path: Path) -> None:
    runs, people, proxy = make_world(0)
    files = []
    for name, of in runs.items():
        files.append(tmp_path / f"{name}.csv")
        lines = [f"{query},{item},{score!r}" for query, items in of.items() for item, score in items.items()]
        files[-1].write_text("\n".join(["query,item,score", *lines]) + "\n")
    human, llm = write_qrels(tmp_path / "people.qrels", people), write_qrels(tmp_path / "llm.qrels", proxy)
    asked = ("compare", *files, "--inputs", "--measures", "ndcg@10", "--qrels", human, "--proxy", llm, "-q")
    shown = run(*asked, "--report", tmp_path / "page.html")
    for words in ("by people", "with the proxy", "This judge is worth", "proxy 2"):
        assert words in shown.out
    page = (tmp_path / "page.html").read_text()
    assert "with the proxy" in page
    assert "This judge is worth" in page
    found = json.loads(run(*asked, "--json").out)
    assert set(found["proxy"]["rows"][0]) == {
        "method", "measure", "mean", "low", "high", "corrected", "corrected_low", "corrected_high", "lambda", "saved",
        "kappa", "p_agree",
    }  # fmt: skip
    assert found["agreement"]["rows"]
    assert found["settings"]["proxy"] == str(llm)
    latex = run(*asked, "--format", "latex").out
    assert "This judge is worth" in latex
    assert r"by people & with the proxy & $\lambda$ & saves" in latex
    assert all(line.isascii() for line in latex.splitlines() if not line.startswith("%"))
    assert "with the proxy" in run(*asked, "--format", "md").out
    assert "see --format json" in run(*asked[:-1], "--format", "csv").err
    alone = run("evaluate", *files, "--proxy", llm)
    assert alone.code == 2
    assert "--proxy needs labels of people, too" in alone.err
    assert len(alone.err.splitlines()) <= 3


def test_the_report_of_a_comparison_has_the_tables_of_the_proxy() -> None:
    runs, people, proxy = make_world(0)
    found = compare(runs, people, inputs=True, measures="ndcg@10", proxy=proxy)
    assert "This judge is worth" in comparison_report(found)
    assert "This judge is worth" in repr(found)


def test_a_judge_that_says_nothing_is_hardly_ever_worth_something() -> None:
    from stagg.evaluation.proxy import Halves, tell_proxy

    rng, told = np.random.default_rng(7), 0
    halves = Halves(tuple(map(str, range(10))), tuple(map(str, range(10, 53))), 0)
    for _ in range(400):
        found = correct(rng.normal(size=10), rng.normal(size=10), rng.normal(size=43))
        row = {"method": "x", "measure": "m", "saved": found.saved, "p_agree": found.p_agree}
        told += "is worth" in tell_proxy([row], "method", halves, float("nan"))[0]
    assert told <= 36  # 5 % of 400 and 3.7 standard errors; by "saves" alone it would be about 92


@pytest.mark.parametrize(
    ("saved", "p", "alone", "says"),
    [
        (0.049, 0.001, 40, "This judge: nothing here."),
        (0.05, 0.001, 40, "This judge is worth 5 % of your labels for m."),
        (0.07, 0.049, 40, "This judge is worth 7 % of your labels for m."),
        (0.07, 0.051, 40, "This judge: nothing here: 10 queries are too few to show that it agrees with people."),
        (0.5, 0.001, 0, "This judge: nothing here: it has judged no query that people have not."),
    ],
)
def test_a_judge_is_worth_something_from_a_twentieth_of_the_labels_and_agreement_on(
    saved: float, p: float, alone: int, says: str
) -> None:
    from stagg.evaluation.proxy import Halves, tell_proxy

    halves = Halves(tuple(map(str, range(10))), tuple(map(str, range(10, 10 + alone))), 0)
    row = {"method": "x", "measure": "m", "saved": saved, "p_agree": p}
    assert tell_proxy([row], "method", halves, float("nan"))[0] == says


@pytest.mark.parametrize("seed", range(3))
def test_agreement_is_tested_as_scipy_tests_a_correlation(seed: int) -> None:
    from scipy.stats import pearsonr

    rng = np.random.default_rng(seed)
    d, f = rng.normal(size=12), rng.normal(size=12)
    assert correct(d, f, f).p_agree == pytest.approx(pearsonr(d, f, alternative="greater").pvalue)
    assert correct(d, 2 * d, d).p_agree == pytest.approx(0, abs=1e-6)
    assert correct(d, np.ones(12), d).p_agree == 1
