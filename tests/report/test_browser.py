"""Reports in a browser: they open without a fault or a request, and mouse and keyboard reach everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg.evaluation import compare, robustness
from stagg.report import comparison_report, fusion_report
from stagg.report.markup import clean
from tests.browser import settle
from tests.checks import some
from tests.report.hostile import HOSTILE, hostile_rankings

SAMPLE = Path(stagg.__file__).parent / "sample"
MEASURES = "ndcg@5,err"
METHODS = ["borda", "rrf(c=60)", "stagg_rrf"]


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """Every kind of report, by name."""
    rankings = stagg.read([str(path) for path in sorted(SAMPLE.glob("*.trec"))])
    labels = stagg.read_labels(str(SAMPLE / "qrels.txt"))
    hostile = hostile_rankings()
    grades = {query: {item: i % 3 for i, item in enumerate(HOSTILE)} for query in hostile.queries}
    return {
        "fusion": fusion_report(rankings, "stagg_rrf"),
        "plain": fusion_report(rankings, "mc4"),
        "hostile": fusion_report(hostile, "stagg_rrf"),
        "titled": fusion_report(
            rankings, "rrf", texts=dict.fromkeys(map(str, rankings.items), HOSTILE[0] + " <b>x</b>")
        ),
        "one": fusion_report([["a", "b"], ["b", "c"]], "rrf"),
        "comparison": comparison_report(compare(rankings, labels, METHODS, measures=MEASURES)),
        "hostile-comparison": comparison_report(compare(hostile, grades, METHODS, measures=MEASURES)),
        "robustness": comparison_report(
            robustness(rankings, labels, METHODS, rankers=[1, 2, 3], draws=3, measures=MEASURES)
        ),
    }


KINDS = ("fusion", "plain", "hostile", "titled", "one", "comparison", "hostile-comparison", "robustness")


@pytest.mark.parametrize("kind", KINDS)
def test_every_report_opens_without_a_fault_and_fits_a_phone(
    reports: dict[str, str], open_report: Any, kind: str
) -> None:
    for width, scheme in ((1280, "light"), (390, "dark")):
        page = open_report(reports[kind], width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("svg, table").count() > 0
        outside = page.evaluate(
            "() => [...document.querySelectorAll('svg rect, svg circle, svg line')].filter((mark) => {"
            "  const box = mark.getBoundingClientRect(), card = mark.closest('figure').getBoundingClientRect();"
            "  return !mark.closest('.scroll') && (box.left < card.left || box.right > card.right + 1);"
            "}).length"
        )
        assert outside == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_keyboard_reaches_every_chart_and_every_mark(reports: dict[str, str], open_report: Any, kind: str) -> None:
    page = open_report(reports[kind])
    charts = page.locator(".marks:has([data-tip])").count()
    kinds = 'a, button, input, textarea, select, summary, [tabindex="0"]'
    stops = page.locator(kinds).count()
    reached = set()
    for _ in range(stops + 1):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "[...document.querySelectorAll('.marks:has([data-tip])')].indexOf(document.activeElement.closest('.marks'))"
            )
        )
    assert reached >= set(range(charts))
    visited = page.evaluate(
        "() => [...document.querySelectorAll('.marks:has([data-tip])')].map((chart) => {"
        "  const marks = [...chart.querySelectorAll('[data-tip]')], seen = new Set();"
        "  chart.querySelector('[tabindex=\"0\"]').focus();"
        "  const event = (key) => new KeyboardEvent('keydown', {key, bubbles: true});"
        "  const press = (key) => document.activeElement.dispatchEvent(event(key));"
        "  press('Home');"
        "  for (let k = 0; k < marks.length; k++) { seen.add(document.activeElement); press('ArrowRight'); }"
        "  return [marks.length, marks.filter((mark) => seen.has(mark) && mark.getAttribute('aria-label')).length];"
        "})"
    )
    assert len(visited) == charts
    assert all(count == seen > 0 for count, seen in some(visited))


def test_the_picker_draws_the_chosen_query_and_keeps_it(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["fusion"])
    picker = page.get_by_label("Query", exact=True)
    first = page.locator("#consensus tbody").inner_text()
    picker.select_option("repot-an-orchid")
    assert "orchid" in page.locator("#consensus tbody").inner_text()
    assert page.locator("#consensus tbody").inner_text() != first
    page.reload()
    assert picker.locator("option:checked").inner_text() == "repot-an-orchid"
    page.get_by_label("Next query").click()
    assert picker.locator("option:checked").inner_text() != "repot-an-orchid"
    page.get_by_label("Previous query").click()
    assert picker.locator("option:checked").inner_text() == "repot-an-orchid"
    assert page.locator("#picker [role=status]").inner_text() == "5 of 6: 13 candidates, 3 lists, disagreement 0.66"
    assert open_report(reports["one"]).get_by_label("Query", exact=True).count() == 0


def test_queries_are_found_and_sorted_by_disagreement(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["fusion"])
    picker, told = page.get_by_label("Query", exact=True), page.locator("#picker [role=status]")
    page.get_by_label("Find", exact=True).fill("ORCHID")
    assert picker.locator("option").all_inner_texts() == ["repot-an-orchid"]
    assert "orchid" in page.locator("#consensus tbody").inner_text()
    page.get_by_label("Find", exact=True).fill("no such query")
    assert told.inner_text() == "No query has this text."
    page.get_by_label("Find", exact=True).fill("")
    page.get_by_label("Order", exact=True).select_option("apart")
    names = picker.locator("option").all_inner_texts()
    assert len(names) == 6
    found = []
    for name in names:
        picker.select_option(name)
        found.append(float(told.inner_text().rpartition(" ")[2]))
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


def test_a_report_says_first_what_it_found_and_has_its_ranking_on_the_first_screen(
    reports: dict[str, str], open_report: Any
) -> None:
    for kind, words in (
        ("fusion", "cannot be told apart"),
        ("comparison", "has the highest ndcg@5"),
        ("one", "The 3 items cannot be told apart"),
    ):
        page = open_report(reports[kind], width=390)
        lead = page.locator("header .lead")
        assert words in lead.inner_text()
        first = page.locator("#consensus tbody tr, .bars .label").first
        assert first.bounding_box()["y"] < 700
    page = open_report(reports["fusion"])
    assert not page.locator("#controls").is_visible()
    page.locator("#settings > summary").click()
    page.locator("#weight-0-number").fill("2.5")
    settle(page)
    assert not page.locator("header .lead").is_visible()  # it spoke of the fusion as it was


def test_ranks_of_many_rankers_are_shaded(open_report: Any) -> None:
    lists = {f"r{k}": ["a", "b", "c", "d"][k % 3 :] for k in range(9)}
    page = open_report(fusion_report(lists, "rrf"))
    assert page.locator("#bump rect.cell[data-item]").count() == 4 * 10
    assert page.locator("#bump path.line").count() == 0
    assert page.locator("#bump rect.none[data-item]").count() == 3 + 6
    few = open_report(fusion_report({name: lists[name] for name in list(lists)[:8]}, "rrf"))
    assert few.locator("#bump path.line").count() > 0


def test_pairs_have_strengths_and_wins(open_report: Any) -> None:
    votes = [*[["a", "b"]] * 4, *[["b", "a"]] * 2, *[["b", "c"]] * 3, [{"a", "c"}]]
    page = open_report(fusion_report(votes, "bradley_terry(missing='skip')"))
    lead = page.locator(".lead").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert lead == "a is first, above others in 4.5 of its 7 comparisons, 4 of 6 with b, the second."
    rows = page.locator("#wins tbody tr").evaluate_all(
        "all => all.map((row) => [...row.cells].map((c) => c.textContent))"
    )
    assert rows == [["a", "", "4:2", "0.5:0.5"], ["b", "2:4", "", "3:0"], ["c", "0.5:0.5", "0:3", ""]]
    assert page.locator("#strengths circle").count() == 3
    assert page.locator("#bump").count() == 0
    assert page.get_by_text("How far the rankers agree").count() == 0


def test_tooltips_show_on_hover_and_on_focus_and_follow_the_item(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["fusion"])
    tip = page.get_by_role("tooltip", include_hidden=True)
    assert not tip.is_visible()
    for chart, words in (("consensus", "90 % interval"), ("bump", "rank "), ("chances", "rank 1:"), ("parts", "gave")):
        mark = page.locator(f"#{chart} [data-tip]").first
        mark.hover()
        assert words in tip.inner_text()
        page.mouse.move(2, 2)
        assert not tip.is_visible()
        mark.focus()
        assert words in tip.inner_text()
        page.keyboard.press("Escape")
        assert not tip.is_visible()
    page.locator("#parts .labels li").first.hover()
    assert tip.inner_text().strip("\u2068\u2069") == "sleep-hygiene-for-students"
    page.locator("#consensus td.item").first.hover()
    assert "90 % interval" in tip.inner_text()
    page.locator("#bump circle[data-item]").first.hover()
    assert page.locator("#bump g.on").count() == 1
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280


def test_arrows_go_up_and_down_too(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["fusion"])
    page.locator("#chances [data-tip]").first.focus()
    before = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    page.keyboard.press("ArrowDown")
    after = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    assert after["y"] == pytest.approx(before["y"] + 24)
    assert after["x"] == pytest.approx(before["x"])


def test_hostile_ids_are_shown_as_text(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["hostile"])
    options = page.locator("#which option").evaluate_all("all => all.map((each) => each.textContent)")
    assert set(options) == {clean(text) for text in HOSTILE[:3]}
    page.locator("#consensus summary").click()
    page.locator("#consensus details table").wait_for()
    cells = page.locator("#consensus details bdi").evaluate_all("all => all.map((each) => each.textContent)")
    assert set(cells) >= {clean(text) for text in HOSTILE}
    page.locator("#bump summary").click()
    page.locator("#bump details table").wait_for()
    heads = page.locator("#bump details th").evaluate_all("all => all.map((each) => each.textContent)")
    assert set(heads) >= {clean(text) for text in HOSTILE[:4]}
    assert page.locator("script").count() == 5  # two blocks of data, three scripts
    assert page.locator("img, iframe, object, [onerror], [onload]").count() == 0
    tips = page.locator("#consensus [data-tip]").evaluate_all("all => all.map((each) => each.dataset.tip)")
    assert max(map(len, tips)) < 400  # cut where it is drawn and pointed at, whole in the table
    compared = open_report(reports["hostile-comparison"])
    compared.locator("summary").first.click()
    assert "<script>alert(1)</script>" in compared.locator("details").first.inner_text()
    assert compared.locator("script").count() == 1


def test_light_dark_and_print(reports: dict[str, str], open_report: Any) -> None:
    def colour(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = (open_report(reports["fusion"], scheme=scheme) for scheme in ("light", "dark"))
    assert colour(light) != colour(dark)
    dark.emulate_media(media="print")
    assert colour(dark) == "rgb(255, 255, 255)"
    assert not dark.get_by_label("Next query").is_visible()
    assert len(dark.pdf()) > 10_000
    for kind in ("comparison", "robustness", "hostile"):  # on paper nothing scrolls: all must fit
        paper = open_report(reports[kind], width=720)
        paper.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
        paper.emulate_media(media="print")
        widths = paper.locator(".scroll").evaluate_all("all => all.map((each) => each.scrollWidth - each.clientWidth)")
        assert max(widths) <= 0


def test_bars_and_wins_tell_their_numbers(reports: dict[str, str], open_report: Any) -> None:
    page = open_report(reports["comparison"])
    tip = page.get_by_role("tooltip", include_hidden=True)
    page.locator(".bars [data-tip]").nth(1).hover()
    assert "against the baseline, p = " in tip.inner_text()
    assert len(tip.inner_text().splitlines()) == 4
    page.locator(".small rect[data-tip]").first.hover()
    assert " against " in tip.inner_text()
    curves = open_report(reports["robustness"])
    curves.locator(".plane g[data-tip]").last.hover()
    assert "3 rankers" in curves.get_by_role("tooltip", include_hidden=True).inner_text()
