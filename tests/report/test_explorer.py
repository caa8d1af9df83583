"""The explorer in a browser: what it shows is what ``stagg fuse`` gives with the command that it copies."""

from __future__ import annotations

import functools
import itertools
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from click.testing import CliRunner

import stagg
from attack import addresses
from stagg.aggregate import prepare
from stagg.aggregate.resampling import rank_shares
from stagg.cli.main import cli
from stagg.data.rankings import Rankings
from stagg.kernels.id_order import order_by_id
from stagg.methods.base import contributions, list_gains
from stagg.report import fusion_report
from stagg.report.copied_commands import shell_path, shell_word
from stagg.report.markup import clean
from stagg.report.pages.explorer import explored_of, explorer_page
from stagg.report.pages.explorer_data import (
    Explored,
    PageSource,
    explored_of_result,
    explorer_data,
    fit_input,
    measure_input,
)
from stagg.report.pages.explorer_settings import LIMITS, catalogue, describe_method
from tests.browser import find_violations, follow, settle
from tests.report.hostile import HOSTILE, hostile_rankings
from tests.strategies import LONG

SAMPLE = Path(stagg.__file__).parent / "sample"
RUNS = [str(SAMPLE / f"{name}.trec") for name in ("bm25", "dense", "sparse")]
ROWS = """() => [...document.querySelectorAll('#consensus tbody tr')].map((row) => ({
  place: row.querySelector('.place').textContent, item: row.querySelector('.item bdi').textContent,
  score: Number(row.dataset.score), words: row.querySelector('.score').textContent}))"""
HEAD = "document.querySelector('#consensus th.score').textContent"


@functools.cache
def sample_page(*, labels: bool = False) -> str:
    """The explorer of the sample, as ``stagg explore`` opens it."""
    known = stagg.read_labels(str(SAMPLE / "qrels.txt")) if labels else None
    return explorer_page(explored_of(stagg.read(RUNS), labels=known))


def letor(folder: Path) -> Rankings:
    """Candidates that no list holds, ties, a query of one list, and one without any."""
    rows = ["2 qid:1 1:1 2:NULL #docid = a", "0 qid:1 1:2 2:2 #docid = b", "1 qid:1 1:2 2:1 #docid = c"]
    rows += ["0 qid:1 1:NULL 2:NULL #docid = z", "0 qid:1 1:NULL 2:NULL #docid = y"]
    rows += [f"{k % 3} qid:2 1:{k + 1} 2:NULL #docid = d{k}" for k in range(7)]
    rows += ["1 qid:3 1:NULL 2:NULL #docid = lost"]
    path = folder / "agg.txt"
    path.write_text("\n".join(rows) + "\n")
    return stagg.read([str(path)])


def tied() -> Rankings:
    """Many equal scores, a ranker that answers some of the queries, and one list alone."""
    draw = random.Random(5)
    items = [f"i{k}" for k in range(30)]
    runs = {
        name: {
            f"q{q}": {item: float(draw.randrange(6)) for item in draw.sample(items, 12)}
            for q in range(5)
            if (q + k) % 4 or q == 4
        }
        for k, name in enumerate(["x", "y", "z", "w"])
    }
    return Rankings.from_runs({**runs, "alone": {"only": {"a": 1.0, "b": 1.0, "c": 0.5}}})


def far_apart() -> Rankings:
    """Lists of 300 items, scores down to 1e-300, an outlier, and exact ties on every scale."""
    draw = random.Random(6)
    items = [f"i{k}" for k in range(300)]
    steep = {
        "x": {item: 10.0**-k for k, item in enumerate(items)},
        "y": {item: 10.0 ** (-k / 3) for k, item in enumerate(items[::-1])},
    }
    usual = {item: draw.random() for item in items[:60]}
    ties = {
        name: dict(zip((f"a{name}", f"m{name}", f"z{name}"), s, strict=True))
        for name, s in zip("xyz", ([0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.7, 0.8, 0.9]), strict=True)
    }
    return Rankings.from_runs(
        {
            "x": {"steep": steep["x"], "outlier": usual, "ties": ties["x"]},
            "y": {"steep": steep["y"], "outlier": {item: draw.random() for item in items[:60]}, "ties": ties["y"]},
            "z": {"steep": {"i7": 1.0, "new": -1.0}, "outlier": {"i9": 1.7e38, "i8": 2.0}, "ties": ties["z"]},
        }
    )


@pytest.fixture
def inputs(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], Rankings]:
    def find(name: str) -> Rankings:
        if name == "dl19":
            folder = request.getfixturevalue("shared_data") / "trec-dl-hybrid" / "dl19"
            return stagg.read([str(path) for path in sorted(folder.glob("*.trec"))]).take_queries(range(12))
        made = {"hostile": hostile_rankings, "letor": lambda: letor(tmp_path), "tied": tied, "far": far_apart}
        return made[name]() if name in made else stagg.read(RUNS)

    return find


def random_setting(draw: random.Random, explored: Explored) -> dict[str, Any]:
    """Some method with some parameters, weights and depth, as the address has it."""
    data = explorer_data(explored)
    entry = draw.choice(data["methods"])
    method = dict(entry["default"])
    spans = {name: [low, high, round(draw.uniform(low, high), 2)] for name, (low, high, _) in entry["spans"].items()}
    found = {"m": method["name"], "missing": draw.choice(entry["honours"])}
    found |= {name: draw.choice(values) for name, values in spans.items()}
    if "phi" in found:
        found["phi"] = draw.choice([0.5, 0.9, 0.99])
    if entry["norms"]:
        found["norm"] = draw.choice(entry["norms"])
    if method["name"] == "stagg":
        found["utility"] = draw.choice(["dcg", "isr", "rbp 0.9", "rrf 20", "borda", "list_borda"])
    if method["name"] in ("stagg", "stagg_rrf", "stagg_bc"):
        found["shape"] = draw.choice(["harmonic 1", "harmonic 2.5", "linear", "paper", "logistic 3", "certain"])
    weights = [draw.choice([0, 1, 1, 2, 0.35, 1.4, round(draw.random() * 3, 2)]) for _ in data["rankers"]]
    found["w"] = " ".join(f"{weight or 1:g}" for weight in weights)
    found["off"] = " ".join(str(k + 1) for k, weight in enumerate(weights) if not weight)
    depth = draw.choice([None, None, 1, 3, 10])
    return found | ({"depth": depth} if depth else {})


CASES = {"sample": 100, "dl19": 70, "hostile": 60, "letor": 35, "tied": 35, "far": 60}  # 360 in all


def random_cases(name: str, explored: Explored) -> Iterator[tuple[dict[str, Any], str]]:
    """Settings and queries: all in a long run; in a usual one those of them with a choice that none before them has."""
    draw, queries = random.Random(name), sorted(explored.rankings.queries)
    made = [(random_setting(draw, explored), draw.choice(queries)) for _ in range(CASES[name])]
    tried: set[tuple[str, Any]] = set()
    for setting, query in made:
        choices = {
            (key, setting[key]) for key in ("m", "missing", "norm", "utility", "shape", "depth") if key in setting
        }
        choices |= {("query", query), ("off", bool(setting["off"]))}
        if LONG or not choices <= tried:
            yield setting, query
        tried |= choices


@pytest.mark.filterwarnings("ignore:.* no item .*:stagg.DataWarning")  # hostile ids are not alike
@pytest.mark.parametrize("name", CASES)
def test_what_it_shows_is_what_the_copied_call_gives(
    name: str, inputs: Callable[[str], Rankings], open_report: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rankings = inputs(name)
    explored = explored_of(rankings)
    page = open_report(explorer_page(explored))
    page.set_default_timeout(30_000)
    monkeypatch.chdir(tmp_path)
    if explored.trust is not None:
        explored.trust.save("stagg-trust.json")
    page.select_option("#length", "100")
    queries = sorted(rankings.queries)
    for setting, query in random_cases(name, explored):
        follow(page, "#" + urlencode({"query": clean(query), "s": urlencode(setting)}, quote_via=quote))
        call, rows = page.locator("#python").input_value(), page.evaluate(ROWS)
        mine = next(q for q in queries if clean(q) == clean(query))
        one = rankings.take_queries([rankings.query_number(mine)])  # nothing on offer learns from the other queries
        expected = eval(call, {"stagg": stagg, "rankings": one})
        hits = expected.hits(mine)[:100] if expected.list_counts[expected.query_number(mine)] else []
        largest = max((abs(hit.score) for hit in hits), default=0.0)
        assert [row["item"] for row in rows] == [clean(hit.item) for hit in hits], (setting, query, call)
        assert [row["place"] for row in rows] == [str(k + 1) for k in range(len(hits))]
        assert [row["score"] for row in rows] == pytest.approx([h.score for h in hits], rel=1e-12, abs=1e-12 * largest)
        tied_here = [a["score"] == b["score"] for a, b in itertools.pairwise(rows)]
        assert tied_here == [a.score == b.score for a, b in itertools.pairwise(hits)], (setting, query, call)
        if page.evaluate(f"{HEAD} === 'relevance'" if rows else "false"):  # of a score that says nothing by itself
            hits = eval(f'{call[:-1]}, scale="first")', {"stagg": stagg, "rankings": one}).hits(mine)[:100]
        else:
            assert not largest or setting["m"] not in ("rrf", "rbc", "stagg_rrf", "stagg_bc", "stagg", "stagg_trust")
        digits = [len(row["words"].partition(".")[2]) for row in rows]
        shown = [f"{hit.score:.{places}f}".replace("-", "−") for hit, places in zip(hits, digits, strict=True)]
        assert [float(row["words"].replace("−", "-")) for row in rows] == pytest.approx(
            [float(text.replace("−", "-")) for text in shown], abs=10.0 ** -max(digits, default=0) * 1.001
        )


def test_the_copied_command_of_a_report_keeps_top_and_depth() -> None:
    done = prepare("rrf(c=60)", top=7, depth=5).fuse(stagg.read(RUNS))
    explored = explored_of_result(done, np.arange(1), None)
    assert isinstance(explored, Explored)
    assert (explorer_data(explored)["keep"], explorer_data(explored)["start"]["depth"]) == (7, 5)


def test_the_copied_command_gives_the_same_run(
    open_report: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored = explored_of(stagg.read(RUNS), source=PageSource(words=shlex.join(RUNS)))
    page, draw = open_report(explorer_page(explored)), random.Random(2)
    monkeypatch.chdir(tmp_path)
    assert explored.trust is not None
    explored.trust.save("stagg-trust.json")
    for _ in range(12):
        setting = random_setting(draw, explored)
        follow(page, "#" + urlencode({"query": "repot-an-orchid", "s": urlencode(setting)}, quote_via=quote))
        words = shlex.split(page.locator("#command").input_value())
        ended = CliRunner().invoke(cli, [*words[1:], "--quiet"])
        rows = page.evaluate(ROWS)
        if ended.exit_code:  # all rankers are off
            assert not rows, ended.output
            continue
        written = [line.split() for line in Path("fused-new.trec").read_text().splitlines()]
        assert [row["item"] for row in rows] == [line[2] for line in written if line[0] == "repot-an-orchid"][:20]


def test_an_address_that_is_opened_is_not_lost_to_one_that_the_page_is_about_to_keep(open_report: Any) -> None:
    page = open_report(sample_page())
    hash_ = "#" + urlencode({"query": "repot-an-orchid", "s": "m=borda"})
    # the pause before an address is kept ends between the change of the address and its event
    follow(page, hash_, meanwhile="#query=calm")
    assert page.evaluate(ROWS)[0]["item"] == "orchid-repotting-step-by-step"
    assert "borda" in page.locator("#command").input_value()


def test_what_follows_a_pause_comes_by_itself(open_report: Any) -> None:
    from playwright.sync_api import expect  # the page's own clock runs; everywhere else `settle` ends its pauses

    page, patient = open_report(sample_page()), 20_000
    page.get_by_label("weight of \u2068dense\u2069, as a number").fill("3")
    expect(page.locator("#command")).to_have_value(re.compile("--weights dense=3"), timeout=patient)
    expect(page.locator(".answer")).to_have_text("It is first already.", timeout=patient)
    expect(page.locator("#controls .spoken")).to_contain_text("First: \u2068calming-the-mind", timeout=patient)
    expect(page).to_have_url(re.compile("w%3D1%2B3%2B1$"), timeout=patient)


def test_ndcg_is_that_of_evaluate(open_report: Any, inputs: Callable[[str], Rankings], shared_data: Path) -> None:
    rankings = inputs("dl19")
    labels = stagg.read_labels(str(shared_data / "trec-dl-hybrid" / "dl19" / "qrels.txt")).take(rankings.queries)
    page = open_report(explorer_page(explored_of(rankings, labels=labels)))
    page.set_default_timeout(30_000)
    for setting in ({}, {"m": "combsum", "w": "1 2 0.5 1 3 1"}, {"m": "stagg_rrf", "c": 20, "w": "1 1 1 0.1 2 2"}):
        if setting:
            follow(page, "#s=" + quote(urlencode(setting)))
        fused = eval(page.locator("#python").input_value(), {"stagg": stagg, "rankings": rankings})
        table = stagg.evaluate(fused, labels, "ndcg@10", per_query=True)
        value = float(page.locator("#score .large").first.get_attribute("data-value"))
        assert value == pytest.approx(table.rows[0]["mean"], abs=1e-12)
        share = float(page.locator("#score .tile").last.locator(".large").get_attribute("data-value"))
        assert share == pytest.approx(stagg.evaluate(fused, labels, "ndcg@10").rows[0]["judged"], abs=1e-12)
        page.select_option("#sorting", "id")
        cells = page.locator("#queries tbody tr td:nth-child(3)").all_inner_texts()
        assert cells == [f"{row['value']:.4f}" for row in sorted(table.rows, key=lambda row: row["query"])]


def test_the_measures_asked_for_are_those_of_evaluate(open_report: Any) -> None:
    rankings, labels = stagg.read(RUNS), stagg.read_labels(str(SAMPLE / "qrels.txt"))
    names = ["ndcg@3", "ndcg(gain='linear')", "p@5", "recall(rel=2)@4", "success@1", "mrr(rel=2)", "map", "map@3"]
    page = open_report(stagg.explore(rankings, labels=labels, measures=",".join(names)).html)
    settle(page)
    for number, name in enumerate(names):
        page.get_by_label("Measure").select_option(str(number))
        settle(page)
        [row] = stagg.evaluate(stagg.fuse(rankings), labels, name).rows
        value = float(page.locator("#score .large").first.get_attribute("data-value"))
        assert value == pytest.approx(row["mean"], abs=1e-12), name
    with pytest.raises(stagg.InvalidParameter, match="does not know the measure err"):
        stagg.explore(rankings, labels=labels, measures="err")


def test_how_much_is_judged_stands_beside_the_measure_unless_it_is_all(open_report: Any) -> None:
    runs = [["a", "b", "c"], ["c", "a", "b"]]
    page = open_report(stagg.explore(runs, labels={"1": {"a": 0, "c": 1}}, measures="ndcg@2, p@3").html)
    for number, (name, share) in enumerate([("judged@2", "1.00"), ("judged@3", "0.67")]):
        page.get_by_label("Measure").select_option(str(number))
        settle(page)
        shown = page.locator("#score .tile", has_text=name)
        assert shown.count() == (share != "1.00")
        if share != "1.00":
            assert shown.locator(".large").inner_text() == share
            assert f"{name} {share}" in page.locator(".score-line").inner_text()


def test_labels_of_queries_that_the_input_lacks_count_0(open_report: Any) -> None:
    labels = {"1": {"a": 1}, "elsewhere": {"a": 2}}
    page = open_report(stagg.explore([["a", "b"], ["a", "c"]], labels=labels).html)
    assert page.locator("#score .large").first.inner_text() == "0.5000"


def test_labels_of_other_queries_are_refused() -> None:
    runs = {"a": {"q1": {"x": 2.0, "y": 1.0}}, "b": {"q1": {"y": 2.0, "x": 1.0}}}
    with pytest.raises(stagg.DataError, match="no query of the rankings has a label; are the query ids"):
        explored_of(stagg.Rankings.from_runs(runs), labels=stagg.Labels({"q2": {"x": 1}}))


def test_the_address_brings_the_setting_back(open_report: Any) -> None:
    page = open_report(sample_page())
    page.get_by_label("Method").select_option("stagg_rrf")
    page.get_by_label("weight of \u2068dense\u2069, as a number").fill("1.75")
    page.locator("#use-2").uncheck()
    page.get_by_label("An item that a list does not hold").select_option("neutral")
    page.get_by_label("depth, as a number").fill("5")
    page.get_by_role("button", name="Pin as reference").click()
    page.get_by_label("c, as a number").fill("12.5")
    page.get_by_label("Next query").click()
    settle(page)
    command, rows, address = page.locator("#command").input_value(), page.evaluate(ROWS), page.url
    assert '--method "stagg_rrf(c=12.5)" --weights dense=1.75,sparse=0 --missing neutral --depth 5' in command
    page.reload()
    settle(page)
    assert page.url == address
    assert page.locator("#command").input_value() == command
    assert page.evaluate(ROWS) == rows
    assert "stagg_rrf(c=60)" in page.locator("#controls .hint").last.inner_text()
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert "rrf(c=60)" in page.locator("#command").input_value()


def test_an_address_that_nobody_here_wrote_does_no_harm(open_report: Any) -> None:
    page = open_report(sample_page())
    for hash_ in ("#s=m%3Dno", "#s=%ZZ", "#s=m%3Drrf%26c%3D-1%26w%3D1%20x", "#query=<script>", "#s=w%3D1%26off%3D99"):
        follow(page, hash_)
        assert "rrf(c=60)" in page.locator("#command").input_value(), hash_


def test_numbers_out_of_their_limits_are_left_as_they_were(open_report: Any) -> None:
    page = open_report(sample_page())
    for setting in (
        {"m": "stagg_rrf", "shape": "harmonic -5"},
        {"m": "stagg_rrf", "shape": "harmonic"},
        {"m": "stagg_bc", "shape": "paper 3"},
        {"m": "stagg", "utility": "rbp 5", "shape": "logistic 0"},
        {"m": "stagg", "utility": "rrf -1"},
        {"m": "rrf", "c": "1e300", "w": "1 1 1", "depth": "1e300"},
        {"m": "rrf", "w": "1e308 1e308 1"},
        {"m": "rrf", "w": "NaN 1 1"},
        {"m": "rrf", "w": "1 1e-320 1"},
        {"m": "rbc", "phi": "1"},
        {"m": "gmnz", "gamma": "1e9"},
    ):
        follow(page, "#s=" + quote(urlencode({"m": setting["m"]})))
        usual = page.locator("#python").input_value()
        assert setting["m"] in usual
        follow(page, "#s=" + quote(urlencode(setting)))
        assert page.locator("#python").input_value() == usual, setting


@pytest.mark.parametrize("seed", range(3))
def test_what_any_address_makes_the_page_show_is_what_stagg_gives_by_the_call_that_it_copies(
    open_report: Any, tmp_path: Path, seed: int
) -> None:
    rankings, draw = addresses.read_sample(), random.Random(seed)
    page = open_report(addresses.make_page(rankings, tmp_path))
    for number in range(25):
        address = addresses.make_address(draw, rankings, number)
        assert addresses.try_address(page, address, rankings) == [], address


def test_the_limits_are_numbers_that_the_methods_take() -> None:
    for name, ends in LIMITS.items():
        for end in ends:
            made = {
                "weight": ("rrf", end),
                "rrf": (f"stagg(utility='rrf({end!r})')", 1),
                "rbp": (f"stagg(utility='rbp({end!r})')", 1),
                "phi": (f"rbc(phi={end!r})", 1),
                "sigma": (f"logn_isr(sigma={end!r})", 1),
                "gamma": (f"gmnz(gamma={end!r})", 1),
                "c": (f"rrf(c={end!r})", 1),
            }
            method, weight = made.get(name, (f"stagg_rrf(shape='{name}({end!r})')", 1))
            fused = stagg.fuse([{"a": 2.0, "b": 1.0}, {"b": 2.0, "c": 1.0}], method, weights=[weight, 1])
            assert np.isfinite(fused.scores).all(), (name, end)


ODD_NAMES = ["-x.trec", "two\nlines.trec", "it's a run.trec", "$(date).trec", "\u202etrec.trec", "a\\b\t.trec", "-"]


def test_a_shell_reads_back_the_words_of_a_copied_command() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    words = " ".join([*map(shell_path, ODD_NAMES), *map(shell_word, ["--delimiter", "\t", "--sheet", "-x", "\udcff"])])
    assert words.isprintable()
    printed = subprocess.run([bash, "-c", f"printf '%s\\0' {words}"], capture_output=True, check=True).stdout
    read = list(map(os.fsdecode, printed.split(b"\0")[:-1]))
    named = [f"./{name}" if name.startswith("-") and name != "-" else name for name in ODD_NAMES]
    assert read == [*named, "--delimiter", "\t", "--sheet", "-x", "\udcff"]


def test_a_copied_command_works_whatever_the_files_are_called(
    open_report: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    monkeypatch.chdir(tmp_path)
    for path, name in zip(RUNS, ("-x.trec", "two\nlines.trec", "it's $(date).trec"), strict=True):
        shutil.copy(path, name)
    files = ["-x.trec", "two\nlines.trec", "it's $(date).trec"]
    stagg.train(stagg.read(files), "trust").save("-my\ntrust.json")
    ended = CliRunner().invoke(cli, ["explore", "--model", "-my\ntrust.json", "-o", "page.html", "--", *files])
    assert ended.exit_code == 0, ended.output
    page = open_report(Path("page.html").read_text())
    for method in ("stagg_trust", "borda"):
        page.get_by_label("Method").select_option(method)
        settle(page)
        command = page.locator("#command").input_value().replace("stagg fuse", f"{sys.executable} -m stagg fuse", 1)
        assert "\n" not in command
        subprocess.run([bash, "-c", f"{command} --quiet"], check=True)
        fused = eval(page.locator("#python").input_value(), {"stagg": stagg})
        assert set(stagg.read("fused-new.trec").queries) == set(fused.queries)


def test_intervals_are_those_of_python(open_report: Any) -> None:
    from playwright.sync_api import expect  # it waits until the draws are made

    rankings = stagg.read(RUNS)
    page = open_report(sample_page())
    for setting, options in (
        ({}, {}),
        ({"m": "borda", "w": "2 1 0.5"}, {"weights": [2, 1, 0.5]}),
        ({"m": "rbc", "w": "1 1.4 1"}, {"weights": [1, 1.4, 1]}),
        ({"m": "stagg_rrf", "missing": "below", "w": "1 3 1"}, {"weights": [1, 3, 1]}),
    ):
        follow(page, "#" + urlencode({"query": "repot-an-orchid", "s": urlencode(setting)}, quote_via=quote))
        fused = stagg.fuse(rankings, setting.get("m", "rrf"), intervals=0.9, **options)
        spans = [f"{h.low}–{h.high}" if h.low != h.high else f"{h.low}" for h in fused.hits("repot-an-orchid")]
        expect(page.locator("#consensus tbody td.span")).to_have_text(spans)
    page.locator("#use-2").uncheck()
    expect(page.locator("#consensus td.span")).to_have_count(0)
    expect(page.locator("#chances")).to_contain_text("no draws of just these rankers")


RESAMPLED = """([method, most]) => {
  const opened = Fusion.unpack(Report.read("explorer")), data = Report.read("explorer");
  return opened.queries.map((_, q) => {
    const found = opened.fuse(q, {...method, weights: data.start.weights, depth: null});
    if (!Fusion.canResample(opened.input, found)) return null;
    const ranks = Fusion.resample(opened.input, found, most);
    return {...Fusion.intervals(ranks, found.tied, data.level, data.top), shares: Fusion.rankShares(ranks, 10)};
  });
}"""


@pytest.mark.parametrize("name", ["tied", "far", "letor"])
def test_intervals_of_items_that_tie_are_those_of_python(
    name: str, inputs: Callable[[str], Rankings], open_report: Any
) -> None:
    rankings = inputs(name)
    page = open_report(explorer_page(explored_of(rankings)))
    methods = ["borda", "votecount", "rbc(phi=0.5)", "mean_rank", "stagg_rrf"]
    methods += [] if rankings.scores is None else ["combsum(norm='z-score')"]
    queries = sorted(rankings.queries)
    for method in methods:
        described = describe_method(stagg.methods.method_of(method))
        fused = stagg.fuse(rankings, method, intervals=0.9)
        for query, found in zip(queries, page.evaluate(RESAMPLED, [described, 1000]), strict=True):
            if found is None:  # no list takes part
                continue
            hits = fused.hits(query)
            for column, key in (("low", "low"), ("high", "high"), ("group", "group")):
                assert found[key] == [getattr(hit, column) for hit in hits], (method, query, column)
            assert found["often"] == pytest.approx([hit.top for hit in hits])
            number = rankings.query_number(query)
            bound = stagg.methods.method_of(method)
            shares = rank_shares(fused, rankings, bound, number, ranks=10, draws=1000)
            np.testing.assert_allclose(found["shares"], shares, atol=1e-9)


def test_a_report_and_its_controls_show_the_same_intervals(open_report: Any) -> None:
    rankings = stagg.read(RUNS)
    options: dict[str, Any] = {"intervals": 0.8, "draws": 300, "seed": 4, "top": 5}
    page = open_report(fusion_report(rankings, "rrf", **options))
    data = page.evaluate("Report.read('explorer')")
    assert (data["level"], data["top"]) == (0.8, 5)
    described = describe_method(stagg.methods.method_of("rrf"))
    fused = stagg.fuse(rankings, "rrf", **options | {"top": None, "intervals": 0.8})
    for query, found in zip(sorted(rankings.queries), page.evaluate(RESAMPLED, [described, 1000]), strict=True):
        hits = fused.hits(query)
        assert (found["low"], found["high"]) == ([h.low for h in hits], [h.high for h in hits])


def test_the_smallest_change_puts_the_item_first(open_report: Any) -> None:
    lists = {"x": ["a", "b", "c"], "y": ["b", "a", "d"], "z": ["b", "a"]}
    page = open_report(stagg.explore(lists).html)
    answer = page.locator(".answer")
    settle(page)
    page.locator("#item").select_option(label="2. a")
    settle(page)
    assert "puts it first" in answer.inner_text()
    page.locator("#first").get_by_role("button", name="Apply").click()
    settle(page)
    assert page.locator("#consensus tbody .item").first.inner_text() == "a"
    assert answer.inner_text() == "It is first already."
    page.locator("#item").select_option(label="4. d")  # y has b before it, and no other list holds d
    settle(page)
    assert answer.inner_text().startswith("No weights put it first")
    page.get_by_label("Method").select_option("isr")
    settle(page)
    assert "no simple answer" in answer.inner_text()


PUT_FIRST = """([setting, query, items]) => {
  const opened = Fusion.unpack(Report.read('explorer'));
  return items.map((item) => Fusion.putFirst(opened, query, setting, item));
}"""


@pytest.mark.parametrize("name", ["sample", "tied"])
def test_no_smaller_change_of_the_weights_puts_an_item_first(
    name: str, inputs: Callable[[str], Rankings], open_report: Any
) -> None:
    linprog = pytest.importorskip("scipy.optimize").linprog
    rankings = inputs(name)
    page = open_report(explorer_page(explored_of(rankings)))
    order, found = sorted(range(len(rankings)), key=rankings.queries.__getitem__), []
    method = stagg.methods.method_of("borda(missing='below')")  # type: ignore[attr-defined]
    gains = list_gains(method, rankings)
    assert gains is not None
    for place, query in enumerate(order):
        view = rankings[rankings.queries[query]]
        table = contributions(gains, rankings, query)
        owners = [rankings.rankers.index(ranker) for ranker in view.rankers]
        by_id = order_by_id(view.items, descending=True)  # the numbers of the page
        start, m = np.linspace(0.5, 2.0, len(rankings.rankers)), len(owners)
        setting = describe_method(method) | {"weights": start.tolist(), "depth": None}  # type: ignore[operator]
        answers = page.evaluate(PUT_FIRST, [setting, place, list(range(len(by_id)))])
        first = stagg.fuse(rankings, method, weights=start.tolist()).best_first(view.id)[0]
        for item, answer in zip(by_id, answers, strict=True):
            if view.items[item] == first:  # perhaps of several that tie
                assert answer == start.tolist()
                continue
            ahead = np.delete(table[:, [item]] - table, item, axis=1).T
            least = 1e-6 * np.abs(table * start[owners, None]).max()
            best = linprog(
                np.ones(2 * m), A_ub=-np.hstack([ahead, -ahead]), b_ub=ahead @ start[owners] - least,
                bounds=[(0, None)] * m + [(0, weight - 0.01) for weight in start[owners]],
            )  # fmt: skip
            assert (answer is None) == (best.status == 2)
            if answer is not None:
                changed = float(np.abs(np.array(answer) - start).sum())
                assert changed <= best.fun + 0.01 * m  # but for rounding
                fused = stagg.fuse(rankings, method, weights=answer)
                assert fused.best_first(view.id)[0] == view.items[item]
            found.append(answer is not None)
    assert any(found)
    assert not all(found)


WIDTHS = (390, 768, 1280, 1920)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows(open_report: Any, width: int) -> None:
    grades = {HOSTILE[q]: {item: i % 3 for i, item in enumerate(HOSTILE)} for q in range(3)}
    for text in (
        sample_page(labels=True),
        explorer_page(explored_of(hostile_rankings(), labels=stagg.Labels(grades))),
    ):
        page = open_report(text, width=width, scheme="dark" if width == 768 else "light")
        settle(page)
        assert page.evaluate("document.getElementById('settings').open") == (width >= 1024)
        page.evaluate("document.getElementById('settings').open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = page.evaluate(
            "() => [...document.querySelectorAll('#controls *, figure *')].filter((each) => {"
            "  const box = each.getBoundingClientRect(), card = each.closest('figure, #controls');"
            "  const right = card.getBoundingClientRect().right + 1;"
            "  return box.width && !each.closest('.scroll, svg, .spoken, option, bdi') && box.right > right;"
            "}).map((each) => each.outerHTML.slice(0, 80))"
        )
        assert outside == []


def test_the_keyboard_reaches_every_control(open_report: Any) -> None:
    page = open_report(sample_page(labels=True))
    settle(page)
    controls = page.evaluate(
        "() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]"
        ".filter((each) => !each.disabled && each.checkVisibility()).map((each, k) => (each.dataset.stop = k))"
    )
    reached = set()
    for _ in range(len(controls) + 20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("Number(document.activeElement?.dataset.stop ?? -1)"))
    assert reached >= set(controls)
    page.locator("#weight-0").focus()
    before = page.locator("#command").input_value()
    page.keyboard.press("ArrowRight")
    settle(page)
    assert page.locator("#command").input_value() != before
    assert page.evaluate("document.activeElement.id") == "weight-0"
    assert page.locator("#weight-0-number").input_value() == "1.05"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_violation(open_report: Any, scheme: str) -> None:
    for text, width in (
        (sample_page(labels=True), 1280),
        (explorer_page(explored_of(hostile_rankings())), 390),
        (fusion_report(stagg.read(RUNS), "stagg_trust"), 1280),
    ):
        page = open_report(text, width=width, scheme=scheme)
        page.evaluate("document.getElementById('settings').open = true")
        page.locator("#weight-0-number").fill("2.5")
        settle(page)
        assert find_violations(page) == []


def test_queries_are_found_and_chosen(open_report: Any) -> None:
    page = open_report(sample_page())
    page.get_by_label("weight of \u2068dense\u2069, as a number").fill("3")
    settle(page)
    changes = [float(text) for text in page.locator("#queries tbody td:nth-child(2)").all_inner_texts()]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0
    page.get_by_label("Find", exact=True).fill("ORCHID")
    assert page.locator("#queries tbody tr").count() == 1
    page.locator("#queries tbody button").click()
    assert page.get_by_label("Query", exact=True).locator("option:checked").inner_text() == "repot-an-orchid"
    assert page.locator("#consensus .up, #consensus .down").count() > 0


def test_presets_of_models(open_report: Any, tmp_path: Path) -> None:
    rankings, labels = stagg.read(RUNS), stagg.read_labels(str(SAMPLE / "qrels.txt"))
    model = stagg.train(rankings, "weights(method='borda')", labels)
    page = open_report(stagg.explore(rankings, model=model).html)
    page.get_by_role("button", name="Learned weights").click()
    settle(page)
    call = page.locator("#python").input_value()
    assert eval(call, {"stagg": stagg, "rankings": rankings}) == stagg.fuse(rankings, model).replace(
        rankers=("stagg-borda",)
    )
    trust = stagg.train(rankings, "trust")
    page = open_report(stagg.explore(rankings, model=trust).html)
    settle(page)
    assert "stagg_trust" in page.locator("#method").input_value()
    with pytest.raises(stagg.InvalidParameter, match="weights, trust and few_labels"):
        stagg.explore(rankings, model=stagg.train(rankings, "best_input", labels))


def test_the_trust_is_saved_and_the_texts_are_copied(open_report: Any, tmp_path: Path) -> None:
    rankings = stagg.read(RUNS)
    page = open_report(sample_page())
    page.get_by_role("button", name="Trust", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the trust as a file").click()
    assert download.value.suggested_filename == "stagg-trust.json"
    download.value.save_as(tmp_path / "stagg-trust.json")
    fused = stagg.fuse(rankings, stagg.load_model(tmp_path / "stagg-trust.json"))
    query = rankings.queries[0]
    page.get_by_label("Query", exact=True).select_option(query)
    settle(page)
    assert [row["item"] for row in page.evaluate(ROWS)] == fused.best_first(query)
    page.get_by_role("button", name="Copy the command").click()
    page.locator("#controls .take [role=status]", has_text=re.compile("Copied|Selected")).wait_for()


def test_what_does_not_fit_is_cut_and_said() -> None:
    rankings = Rankings.from_runs(
        {name: {f"q{q}": {f"d{k}": 100.0 - k for k in range(100)} for q in range(4)} for name in "xy"}
    )
    kept, depth = fit_input(rankings, measure_input(rankings) * 4 // 5)
    assert (len(kept), depth) == (4, 50)
    assert fit_input(rankings) == (rankings, None)
    explored = explored_of(rankings, limit=measure_input(rankings) // 6)
    assert explored.depth == 50
    assert 0 < len(explored.rankings) < 4
    text = explorer_page(explored)
    assert "every list is cut to its first 50 items" in text
    assert f"the first {len(explored.rankings)} of 4 queries are here" in text


def test_more_voters_than_a_page_can_count_are_refused_and_a_report_has_no_controls() -> None:
    lists = Rankings.from_lists({"1": list("abc"), "2": list("cba")})
    few, many = (lists.replace(multiplicities=np.array([2**53 - 1, each])) for each in (1, 2))
    explorer_page(explored_of(few, "borda"))
    with pytest.raises(stagg.InvalidParameter, match=r"up to 9,007,199,254,740,992 voters \(2\^53\) exactly"):
        explorer_page(explored_of(many, "borda"))
    told = explored_of_result(prepare("borda").fuse(many), np.arange(1), None)
    assert isinstance(told, str)
    assert "there are 9,007,199,254,740,993" in told


def test_every_method_on_offer_is_described_as_it_is() -> None:
    for entry in catalogue(scores=True, trust=True):
        name = entry["default"]["name"]
        assert describe_method(stagg.methods.METHODS[name]()) == entry["default"]  # type: ignore[attr-defined]
    for text in (
        "mc4",
        "rrf(compat='qdrant')",
        "combsum(low=0)",
        "stagg(utility='top(10)')",
        "stagg_bc(shape='learned')",
    ):
        assert describe_method(stagg.methods.method_of(text)) is None  # type: ignore[attr-defined]
    with pytest.raises(stagg.InvalidParameter, match="does not know mc4"):
        stagg.explore([["a"]], "mc4")
    with pytest.raises(stagg.InvalidParameter, match="it takes 100 at most"):
        stagg.explore([["a"]] * 101)


def test_a_notebook_shows_the_page_in_a_frame(open_report: Any) -> None:
    shown = stagg.explore([["a", "<b>"], ["b"]])._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<b>" not in shown
    frame = open_report(f'<!doctype html><link rel="icon" href="data:,">{shown}').frame_locator("iframe")
    frame.locator("#weight-0-number").fill("3")
    frame.locator("#consensus .up").first.wait_for()
    assert frame.locator("#consensus tbody .item").all_inner_texts() == ["a", "<b>", "b"]


@pytest.mark.parametrize("lists", [[], [["a"]], [[], []], [["a"], ["b"]], [[["a", "b", "c"]]], [["a", "b"], []]])
def test_small_and_empty_inputs_can_be_explored(open_report: Any, lists: list[Any]) -> None:
    page = open_report(stagg.explore(Rankings.from_lists(lists)).html)
    settle(page)
    for number in range(len(lists)):  # without any ranker nothing is left
        page.locator(f"#use-{number}").uncheck()
    settle(page)
    assert page.locator("#consensus tbody tr").count() == 0
