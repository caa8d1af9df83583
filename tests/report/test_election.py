"""The page of an election in a browser: no fault, no request, no overflow, no barrier, hostile names inert."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.elections.headline import headline
from stagg.methods import METHODS
from stagg.report.charts.flows import Flow, Stage, flow_chart
from stagg.report.markup import clean, shorten
from stagg.report.pages.election import election_report
from tests.browser import find_violations
from tests.checks import some
from tests.report.hostile import HOSTILE

LONG = "François-Xavier de la Longue-Dénomination"


@functools.cache
def club() -> stagg.Election:
    """Truncated ballots of six candidates: votes are exhausted, and rules differ."""
    rng = np.random.default_rng(1)
    names = ["Ada Lovelace", "Ben Okri", "Cleopatra", "Dov Ber", "Eve Curie", LONG]
    orders = [np.argsort(rng.gumbel(size=6) - np.arange(6) / 4)[: int(rng.integers(1, 7))] for _ in range(120)]
    return stagg.elect([[names[i] for i in order] for order in orders], draws=20)


@functools.cache
def many() -> stagg.Election:
    """More candidates than charts show, and a weight."""
    rng = np.random.default_rng(2)
    names = np.array([f"candidate {k}" for k in range(40)])
    lists = {f"v{k}": rng.permutation(names).tolist() for k in range(12)}
    return stagg.elect(lists, "irv;schulze;borda", weights={"v0": 2.5}, draws=5)


def hostile() -> stagg.Election:
    rng = np.random.default_rng(3)
    lists = [[HOSTILE[i] for i in rng.permutation(len(HOSTILE))] for _ in range(9)]
    return stagg.elect(lists, "plurality;irv;schulze;borda", draws=10)


@functools.cache
def huge() -> stagg.Election:
    """As many voters as can be counted, and each of them counts."""
    lists = {"one": list("abcd"), "two": list("bcad"), "three": [{"c", "d"}, "a"], "four": ["d", "c"]}
    counts = np.array([2**61 + 1, 2**61, 2**61 - 2, 2**61])
    return stagg.elect(stagg.Rankings.from_lists(lists).replace(multiplicities=counts), draws=5)


KINDS = ("club", "cycle", "many", "hostile", "one", "huge")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    cycle = [list("abcd")] * 4 + [list("bcad")] * 3 + [list("cabd")] * 2
    made = {
        "club": club(),
        "cycle": stagg.elect(cycle, "irv;copeland;borda", draws=10),
        "many": many(),
        "hostile": hostile(),
        "one": stagg.elect([["a"]]),
        "huge": huge(),
    }
    return {kind: election_report(each) for kind, each in made.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_opens_without_a_fault_and_fits_every_width(
    pages: dict[str, str], open_report: Any, kind: str
) -> None:
    for width, scheme in ((390, "dark"), (768, "light"), (1280, "light"), (1920, "dark")):
        page = open_report(pages[kind], width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("svg.flow").count() == 1
        outside = page.evaluate(
            "() => [...document.querySelectorAll('.bars svg rect, .bars svg line')].filter((mark) => {"
            "  const box = mark.getBoundingClientRect(), card = mark.closest('figure').getBoundingClientRect();"
            "  return box.left < card.left || box.right > card.right + 1;"
            "}).length"
        )
        assert outside == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["club", "many", "hostile"])
def test_the_page_has_no_serious_barrier(pages: dict[str, str], open_report: Any, kind: str, scheme: str) -> None:
    assert find_violations(open_report(pages[kind], scheme=scheme)) == []


def test_hostile_names_are_shown_as_text(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["hostile"])
    names = page.locator(".ranks td:first-child bdi").evaluate_all("all => all.map((each) => each.textContent)")
    assert set(names) == {clean(shorten(text)) for text in HOSTILE}
    assert page.locator("img, iframe, object, [onerror], [onload]").count() == 0
    assert page.locator("script").count() == open_report(pages["cycle"]).locator("script").count()


def test_names_of_the_runoff_are_inside_the_chart_and_do_not_overlap(pages: dict[str, str], open_report: Any) -> None:
    for kind in ("club", "cycle", "hostile", "huge"):
        page = open_report(pages[kind])
        boxes = page.locator("svg.flow text.name, svg.flow text.votes").evaluate_all(
            "all => all.map((each) => { const box = each.getBBox(); return [box.x, box.y, box.width, box.height]; })"
        )
        assert all(x >= 0 and x + width <= 960 for x, _, width, _ in some(boxes))
        for number, (x, y, width, height) in enumerate(boxes):
            for x2, y2, width2, height2 in boxes[:number]:
                apart = x + width <= x2 or x2 + width2 <= x or y + height <= y2 + 3 or y2 + height2 <= y + 3
                assert apart, kind


def test_bars_of_shares_go_from_0_to_100_percent_and_tell_their_number(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["cycle"])
    tip = page.get_by_role("tooltip", include_hidden=True)
    page.locator(".bars [data-tip]").first.hover()
    assert "% of the draws" in tip.inner_text()
    assert page.locator(".bars .value").first.inner_text().endswith("%")
    assert page.locator(".bars .whisker").count() == 0
    page.locator("svg.flow path").first.hover()
    assert "votes" in tip.inner_text()


# --- what a page on paper has to say ----------------------------------------------------------------------------------


def test_rules_with_the_same_shares_have_one_chart(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["many"])
    assert page.locator(".pairs figure").count() == len(_distinct_shares(many()))
    together = open_report(election_report(stagg.elect([list("ab")] * 9, "irv;schulze;borda", draws=5)))
    assert together.locator(".pairs h3").all_inner_texts() == ["irv, schulze, borda: the same"]


def _distinct_shares(found: stagg.Election) -> set[tuple[tuple[str, float], ...]]:
    return {tuple(sorted((each.shares or {}).items())) for each in found.results}


def test_pairs_have_the_counts_of_both_sides(open_report: Any) -> None:
    page = open_report(election_report(stagg.elect([list("ab")] * 3 + [list("ba")], "irv", draws=0)))
    cells = page.locator(".matrix tbody td:not(.none)").all_inner_texts()
    assert [cell.split() for cell in cells] == [["3:1", "0.50"], ["1:3", "−0.50"]]


def test_voters_are_told_to_the_last_digit(pages: dict[str, str]) -> None:
    found = huge()
    assert f"<bdi>{2**63 - 1:,}</bdi>" in pages["huge"]
    for number in {
        *found.wins.ravel().tolist(),
        *found.rounds[0].votes.values(),
        *found.points["Borda points"].values(),
    }:
        assert number == 0 or f"{number:,}" in pages["huge"], number
    assert not re.search(r"\de\+\d", pages["huge"])


def test_each_rule_says_what_it_does_in_its_own_words(pages: dict[str, str], open_report: Any) -> None:
    said = open_report(pages["cycle"]).locator(".winners td:last-child").all_inner_texts()
    assert said[0] == METHODS["irv"].summary()
    every = [each.summary for each in stagg.elect([list("ab")], draws=0).results]
    assert not any(re.search(r"\b(items?|lists?|rankers?)\b", each) for each in every)
    assert said == [each.summary for each in stagg.elect([list("ab")], "irv;copeland;borda", draws=0).results]


def test_files_and_what_the_reader_noticed_stand_near_the_top(open_report: Any) -> None:
    found = stagg.elect([list("ab"), ["a"]], "irv", draws=0)
    page = open_report(election_report(found, files=["club.csv"], remarks=["the same voter is in several rows"]))
    assert "club.csv" in page.locator("header").inner_text()
    said = page.locator("section").nth(1).locator("li").all_inner_texts()
    assert said[0] == "the same voter is in several rows"
    assert said[1].startswith("1 ballot does not rank every candidate.")


def test_the_runoff_has_numbers_in_every_round_and_whole_names(pages: dict[str, str], open_report: Any) -> None:
    found, page = club(), open_report(pages["club"])
    told = page.locator("svg.flow :is(text.votes, text.name:not([text-anchor=end]))").all_text_contents()
    bars = [f"{votes:,.6g}" for each in found.rounds for votes in each.votes.values() if votes]
    spent = [each for each in (found.weight - sum(one.votes.values()) for one in found.rounds) if each]
    assert sorted(text.split()[-1] for text in told) == sorted([*bars, *[f"{each:,.6g}" for each in spent]])
    names = page.locator("svg.flow text.name[text-anchor=end]").all_text_contents()
    assert {name for name in names if "…" not in name} == set(found.candidates) - {LONG}


def close_race() -> stagg.Election:
    """Six candidates, and twelve rules almost all of which have a chart of their own."""
    rng = np.random.default_rng(4)
    names = ["Ada Lovelace", "Ben Okri", "Cleopatra", "Dov Ber", "Eve Curie", "Flo"]
    return stagg.elect([rng.permutation(names).tolist() for _ in range(40)], draws=50)


@pytest.mark.parametrize(("found", "most"), [(club, 3), (close_race, 4)])
def test_an_election_prints_on_few_pages(open_report: Any, found: Callable[[], stagg.Election], most: int) -> None:
    sides = dict.fromkeys(("top", "bottom", "left", "right"), "1cm")
    made = open_report(election_report(found())).pdf(format="A4", margin=sides)
    assert 0 < len(re.findall(rb"/Type\s*/Page\b", made)) <= most


# --- what a member looks for ------------------------------------------------------------------------------------------

CLOSE = [list("acb")] * 5 + [list("bca")] * 4 + [list("ca"), list("cb"), ["c"]]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("irv", "Elected by irv: a, 6 to 5 in the last round."),
        ("plurality", "Elected by plurality: a, with 5 first choices to 4 for 'b'."),
        ("borda", "Elected by borda: c, with 27 Borda points to 23.5 for 'a'."),
        ("schulze", "Elected by schulze: c."),
        ("schulze;borda", "Elected by both rules: c."),
        ("schulze;borda;copeland", "Elected by all 3 rules: c."),
        (
            "plurality;schulze;borda",
            "The rules disagree; your statutes decide which one counts. 'c' wins by schulze, borda; 'a' wins by "
            "plurality.",
        ),
    ],
)
def test_the_first_line_says_who_is_elected(open_report: Any, rules: str, told: str) -> None:
    page = open_report(election_report(stagg.elect(CLOSE, rules, draws=0)))
    lines = page.locator("header").inner_text().splitlines()
    assert next(line for line in lines[1:] if line).startswith(told)
    assert "Condorcet" not in page.locator("header").inner_text()
    assert "Condorcet winner, who beats every other candidate head to head: c." in page.locator("main").inner_text()


def test_a_tie_and_a_count_that_hangs_on_ties_are_said_in_the_first_line() -> None:
    assert headline(stagg.elect([["a"], ["b"]], "irv", draws=0)).startswith("Tie by irv: 'b' and 'a'. Your statutes")
    tied = [list("abc")] * 3 + [list("bac")] * 3 + [list("cab")] * 4
    told = headline(stagg.elect(tied, "irv", draws=0))
    assert told.startswith("Elected by irv: c, 4 to 3 and 3 in the last round. irv: the result hangs on how ties")
    assert headline(stagg.elect([["a"]], "irv", draws=0)) == "Elected by irv: a."


def test_wins_in_redraws_cannot_be_taken_for_votes_and_the_winner_is_marked(open_report: Any) -> None:
    found = stagg.elect(CLOSE, "irv;schulze", draws=40)
    page = open_report(election_report(found))
    assert "wins in redraws" in page.locator(".winners thead").inner_text()
    assert page.get_by_text("In an election in which everybody voted, the count is final.").count() == 2
    marked = page.locator(".bars .label.best").all_inner_texts()
    assert [" ".join(text.split()) for text in marked] == ["a ★ wins the count", "c ★ wins the count"]


def test_the_page_has_the_points_and_the_exhausted_votes_of_the_terminal(open_report: Any) -> None:
    found = stagg.elect(CLOSE, "plurality;borda;irv", draws=0)
    page = open_report(election_report(found))
    rows = page.locator("section", has=page.get_by_role("heading", name="Points")).locator("tbody tr")
    assert [row.split() for row in rows.all_inner_texts()] == [["c", "3", "27"], ["a", "5", "23.5"], ["b", "4", "21.5"]]
    assert found.exhausted == [0.0, 1.0]
    runoff = page.locator("section", has=page.get_by_role("heading", name="Instant runoff"))
    assert runoff.locator("tbody tr").last.locator("td").all_text_contents() == ["exhausted", "0", "1"]


def test_what_rounding_loses_is_not_drawn_as_an_exhausted_vote() -> None:
    first = Stage({"a": 3, "b": 1}, [Flow("a", "b", 0.66666)])
    assert "exhausted" not in flow_chart([first, Stage({"a": 2.33333, "b": 1.66666}, [])], ["a", "b"])
    assert "exhausted 0.5" in flow_chart([first, Stage({"a": 2, "b": 1.5}, [])], ["a", "b"])


def test_where_all_rules_agree_their_table_is_folded(open_report: Any) -> None:
    page = open_report(election_report(stagg.elect([["Ada", "Ben"]] * 3 + [["Ben", "Ada"]], draws=20)))
    assert "Elected by all 12 rules: Ada." in page.locator(".lead").inner_text()
    assert not page.locator("table.winners").is_visible()
    page.get_by_text("The rules, one by one").click()
    assert page.locator("table.winners tbody tr").count() == 12
    votes = [["a", "b", "c"]] * 2 + [["b", "c", "a"]] * 3 + [["c", "a", "b"]] * 4
    assert open_report(election_report(stagg.elect(votes, draws=0))).locator("table.winners").is_visible()
