"""Numbers and words on the pages of comparisons, diffs, leaderboards and elections, against the results they show."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.aggregate.leaving_out import leave_each_out
from stagg.elections.seats.stage_table import tell_seat_votes
from stagg.evaluation.compare import Comparison, comparison
from stagg.evaluation.tables import Table
from stagg.judging.sheet import Row, Sheet
from stagg.leaderboards.battles.battle_board import rank_battles
from stagg.leaderboards.board import Board, tell_probability, tell_range
from stagg.leaderboards.strengths import Strengths
from stagg.report import Section, comparison_report, diff_report, figure, fused_queries, fusion_page, judging_page
from stagg.report import page as page_of
from stagg.report.markup import Html
from stagg.report.pages.battle_sections import battle_sections
from stagg.report.pages.comparison import MOST_COLUMNS
from stagg.report.pages.election import election_report
from stagg.report.pages.explorer import explored_of, explorer_page
from stagg.report.pages.leaderboard import board_sections, leaderboard_report
from stagg.report.pages.seat_election import seat_report
from tests.leaderboards.test_battle_fits import draw_rows


def plain(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub("<[^>]*>", "", markup)).replace("\u2068", "").replace("\u2069", "").strip()


def rows_of(markup: str) -> list[list[str]]:
    """The cells of every line of the tables, heads among them."""
    return [
        [plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.DOTALL)]
        for line in re.findall(r"<tr>(.*?)</tr>", markup, re.DOTALL)
    ]


def section(page: str, title: str) -> str:
    """The markup of the section of this title."""
    [found] = [each for each in page.split("<section")[1:] if f">{html.escape(title)}</h2>" in each]
    return found.partition("</section>")[0]


def titles(page: str) -> list[str]:
    return [plain(each) for each in re.findall(r"<h2 id=\"s\d+\">(.*?)</h2>", page)]


def tips(markup: str) -> list[str]:
    return [plain(each.replace("&#10;", "\n")) for each in re.findall(r'data-tip="([^"]*)"', markup)]


# --- comparisons ------------------------------------------------------------------------------------------------------


def compared(values: Any, baseline: str = "base", **more: Any) -> Comparison:
    """A comparison of values[method, measure, query]; the first method is the baseline."""
    values = np.asarray(values, dtype=float)
    names = ["base", "one", "stagg_rrf(missing='neutral', shape='linear')"][: len(values)]
    queries = [f"q{k:03}" for k in range(values.shape[2])]
    measures = ["err", "p@5"][: values.shape[1]]
    return comparison(names, measures, queries, values, baseline=baseline, conventions="standard", seed=1, **more)


def test_columns_fall_from_the_largest_gain_to_the_largest_loss() -> None:
    gains = np.array([0.1, -0.3, 0.0, 0.25, 1e-14, -0.05])
    base = np.full((2, 6), 0.5)
    found = compared([base, base + np.stack([gains, -gains]), base])
    told = section(comparison_report(found), "Query by query, against \u2068base\u2069")
    first = told.split("<figure")[1]
    drawn = [tip for tip in tips(first) if "against" in tip]
    assert [tip.split("\n")[0] for tip in drawn[:6]] == [
        "q003: +0.2500", "q000: +0.1000", "q004: 0.0000", "q002: 0.0000", "q005: −0.0500", "q001: −0.3000",
    ]  # fmt: skip
    assert drawn[0].split("\n")[1] == "0.7500 against 0.5000"
    assert re.findall(r'<rect class="(\w+)"', first)[:6] == ["won", "won", "tied", "tied", "lost", "lost"]
    heights = [float(each) for each in re.findall(r'height="([\d.]+)" data-tip', first)]
    assert heights[0] == pytest.approx(62 * 0.25 / 0.3, abs=0.06)  # all on the scale of the largest difference
    assert heights[5] == pytest.approx(62, abs=0.06)
    said = [plain(each) for each in re.findall(r"<p>(won.*?)</p>", first)]
    row = next(row for row in found.table.rows if (row["method"], row["measure"]) == ("one", "err"))
    assert said[0].startswith("won 2, tied 2, lost 2; 0.0000 (")
    assert said[0].endswith(f"), p = {row['p_holm']:.3g}")
    assert said[1].startswith("won 0, tied 6, lost 0; 0.0000 (0.0000 to 0.0000), p = 1")
    rows = rows_of(first)
    assert rows[0] == ["method", "query", "difference", "value", "baseline"]
    assert [row[1] for row in rows[1:]] == ["q003", "q000", "q005", "q001"]  # no query that neither wins nor loses
    assert rows[1][2:] == ["0.2500", "0.7500", "0.5000"]
    assert "Every column is a query, sorted by the difference" in told


def test_the_five_queries_at_either_end_are_in_the_table() -> None:
    gains = (np.arange(14) - 6.5) / 100
    told = comparison_report(compared([np.full((1, 14), 0.5), 0.5 + gains[None]]), query_texts={"q013": "why bees"})
    rows = rows_of(section(told, "Query by query, against \u2068base\u2069"))
    assert rows[0] == ["method", "query", "text", "difference", "value", "baseline"]
    assert [row[1] for row in rows[1:]] == [f"q{k:03}" for k in (13, 12, 11, 10, 9, 4, 3, 2, 1, 0)]
    assert rows[1][2] == "why bees"


@pytest.mark.parametrize(("queries", "what"), [(MOST_COLUMNS, "a query"), (MOST_COLUMNS + 1, "a block of queries")])
def test_beyond_a_hundred_queries_columns_are_blocks(queries: int, what: str) -> None:
    values = np.random.default_rng(0).random((2, 1, queries))
    told = section(comparison_report(compared(values)), "Query by query, against \u2068base\u2069")
    assert f"Every column is {what}," in told
    assert len(re.findall(r'<rect class="\w+"', told)) == MOST_COLUMNS
    if queries > MOST_COLUMNS:
        ordered = np.sort(values[1, 0] - values[0, 0])[::-1]
        first = tips(told)[0]
        assert first == f"2 queries: {ordered[1]:+.4f} to {ordered[0]:+.4f}"
        height = float(re.findall(r'height="([\d.]+)" data-tip', told)[0])
        assert height == pytest.approx(62 * ordered[:2].mean() / np.abs(ordered).max(), abs=0.06)


def test_bars_of_means_name_the_baseline_and_long_names_go_to_a_legend() -> None:
    values = np.random.default_rng(0).random((3, 2, 9))
    found = compared(values)
    told = section(comparison_report(found), "Means")
    assert re.findall(r'<bdi>([^<]*)</bdi>( <span class="note">baseline</span>)?</div>', told)[:3] == [
        ("base", ' <span class="note">baseline</span>'), ("one", ""), ("stagg_rrf", ""),
    ]  # fmt: skip
    assert (
        "<dt><bdi>stagg_rrf</bdi></dt><dd><bdi>stagg_rrf(missing=&#x27;neutral&#x27;, shape=&#x27;linear&#x27;)" in told
    )
    assert "<dt><bdi>one" not in told
    assert [plain(each) for each in re.findall(r"<h3>(.*?)</h3>", told)] == ["err", "p@5"]
    first, second = [row for row in found.table.rows if row["method"] == "one"]
    assert told.count('class="reference"') == 6
    drawn = tips(told)
    assert drawn[1].split("\n")[2].startswith(f"{first['mean'] - values[0, 0].mean():+.4f}".replace("-", "−"))
    assert drawn[4].split("\n")[0] == f"one: p@5 {second['mean']:.4f}"
    assert len(drawn[0].split("\n")) == 2  # the baseline is not compared with itself
    assert '<dl class="names">' not in comparison_report(compared(values[:2]))


def test_a_difference_that_unjudged_items_could_explain_says_so() -> None:
    rng = np.random.default_rng(0)
    base = rng.random((1, 30)) / 2
    values = np.stack([base, base + 0.2])
    found = compared(values, readings={"relevant": np.stack([base, base - 0.2])})
    told = comparison_report(found)
    assert "(unjudged items could explain it)" in told
    assert "(unjudged items could explain it)" not in comparison_report(compared(values))


def test_curves_have_the_mean_and_one_standard_deviation_up_and_down() -> None:
    rows = [
        {"method": m, "measure": "err", "rankers": n, "mean": mean, "sd": 0.1, "low": 0.2, "high": 0.9, "draws": 7}
        for m in ("a", "b")
        for n, mean in ((1, 0.3), (4, 0.6))
    ]
    told = section(comparison_report(Table("robustness", tuple(rows))), "Fewer rankers")
    assert tips(told)[:2] == [
        "a, 1 ranker: 0.3000\nsd 0.1000, 0.2000 to 0.9000 in 7 draws",
        "a, 4 rankers: 0.6000\nsd 0.1000, 0.2000 to 0.9000 in 7 draws",
    ]
    [one, four] = re.findall(r'class="spread c1" x1="[^"]*" y1="([\d.]+)" x2="[^"]*" y2="([\d.]+)"', told)
    dots = [float(each) for each in re.findall(r'class="point c1" cx="[^"]*" cy="([\d.]+)"', told)]
    for (low, high), middle in ((one, dots[0]), (four, dots[1])):
        assert (float(low) + float(high)) / 2 == pytest.approx(middle, abs=0.06)
        assert float(low) - float(high) == pytest.approx(284 * 0.2 / 0.5, abs=0.06)  # of an axis from 0.2 to 0.7


# --- diffs ------------------------------------------------------------------------------------------------------------


def test_the_page_of_a_diff_counts_queries_by_overlap_and_lists_who_moved() -> None:
    old: dict[str, Any] = {
        "same": {"a": 2, "b": 1},
        "turned": {"a": 2, "b": 1},
        "other": {"a": 1},
        "text": {"a": 2, "b": 1},
    }
    new = {"same": {"a": 2, "b": 1}, "turned": {"b": 2, "a": 1}, "other": {"z": 1}, "text": {"a": 2, "c": 1}}
    found = stagg.diff({"old": old}, {"new": new}, top=1, texts={"z": "last of all"}, query_texts={"other": "why"})
    page = diff_report(found)
    overlaps = {each.query: each.overlap for each in found.queries}
    chart = section(page, "How far the queries changed")
    names = [plain(each) for each in re.findall(r'<div class="label">(.*?)</div>', chart)]
    assert names == ["the same order", *[f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in reversed(range(10))]]
    shares = [plain(each) for each in re.findall(r'<div class="value">(.*?)</div>', chart)]
    expected = ["25 %"] + ["0 %"] * 10
    for query in ("turned", "other", "text"):
        expected[10 - int(overlaps[query] * 10)] = "25 %"
    assert shares == expected
    assert tips(chart)[0] == "the same order: 1 of 4 queries"
    rows = rows_of(section(page, "The queries that changed"))
    assert rows[0] == ["query", "overlap", "into the first 1", "out of the first 1"]
    assert {row[0]: row[1:] for row in rows[1:]} == {
        "otherwhy": ["0.000", "z (not listed → rank 1) last of all", "a (rank 1 → not listed)"],
        "turned": [f"{overlaps['turned']:.3f}", "b (rank 2 → rank 1)", "a (rank 1 → rank 2)"],
        "text": [f"{overlaps['text']:.3f}", "", ""],
    }
    facts = [plain(each) for each in re.findall(r"<dd>(.*?)</dd>", page)]
    assert facts[-2:] == ["4", "3"]
    assert "<h1>What changed</h1>" in page


@pytest.mark.parametrize(("changed", "intro"), [(200, False), (201, True)])
def test_the_page_of_a_diff_lists_two_hundred_queries(changed: int, intro: bool) -> None:
    old = {"old": {f"q{k:03}": {"a": 2, "b": 1} for k in range(changed)}}
    new = {"new": {f"q{k:03}": {"b": 2, "a": 1} for k in range(changed)}}
    told = section(diff_report(stagg.diff(old, new)), "The queries that changed")
    assert len(rows_of(told)) == 201
    assert ("The 200 that changed most." in told) == intro


# --- leaderboards -----------------------------------------------------------------------------------------------------


def board_with_draws(n: int, **more: Any) -> Board:
    rng = np.random.default_rng(3)
    values = -np.arange(n) / 4
    draws = values + rng.normal(0, 0.6, (80, n))
    return Board.make(Strengths(tuple(f"m{k:02}" for k in range(n)), values, draws, np.arange(n) + 5, "x"), **more)


def figures(board: Board) -> dict[str, str]:
    return {each.title: each.body for each in board_sections(board)}


@pytest.mark.parametrize("n", [24, 25, 30, 31, 60, 61])
def test_charts_of_a_long_board_say_how_many_they_show(n: int) -> None:
    board = board_with_draws(n)
    page = leaderboard_report(board)
    drawn = figures(board)
    assert drawn["The board"].count('class="dot"') == min(n, 60)
    assert (f"The first 60 of {n}." in page) == (n > 60)
    assert drawn["Groups"].count('class="branch"') == min(n, 24)
    assert (f"The first 24 of {n}." in page) == (n > 24)
    cells = re.findall(r'<td class="[pn]\d+">', drawn["Who is better than whom"])
    shown = min(n, 30)
    assert len(cells) == shown * (shown - 1)
    assert ("The first 30. The share of the draws" in page) == (n > 30)
    assert len(rows_of(drawn["The board"])) == n + 1


def test_the_page_of_a_board_has_its_numbers() -> None:
    board = board_with_draws(6, total=40, unit="task", k=2)
    drawn = figures(board)
    rows = rows_of(drawn["The board"])
    assert rows[0] == ["rank", "model", "ranks", "alone", "group", "strength", "first", "top 2", "tasks"]
    for row, hit in zip(rows[1:], board.hits(), strict=True):
        assert row == [
            str(hit.rank), hit.item, tell_range(hit.low, hit.high), tell_range(hit.alone_low, hit.alone_high),
            hit.groups,
            f"{hit.score:.3f}", tell_probability(hit.first), tell_probability(hit.top), f"{hit.held} of 40",
        ]  # fmt: skip
    hit = board.hits()[1]
    assert tips(drawn["The board"])[1] == (
        f"m01: rank 2\n{tell_range(hit.low, hit.high)} with all at once, "
        f"{tell_range(hit.alone_low, hit.alone_high)} alone\n"
        f"first: {tell_probability(hit.first)}, among the first 2: {tell_probability(hit.top)}\n{hit.held} of 40 tasks"
    )
    better = rows_of(drawn["Who is better than whom"])[-6:]
    for i, row in enumerate(better):
        assert row == [f"m{i:02}", *["" if i == j else f"{100 * board.beats[i, j]:.0f}" for j in range(6)]]
    groups = rows_of(drawn["Groups"])
    assert groups[0] == ["group", "places", "models"]
    assert [row[1] for row in groups[1:]] == [tell_range(a + 1, b + 1) for a, b in board.groups]
    assert groups[1][2] == ", ".join(board.names[: board.groups[0][1] + 1])
    assert drawn["Groups"].count('class="bond"') == sum(b > a for a, b in board.groups)
    last = max(hit.high for hit in board.hits())
    axis = re.findall(r'text-anchor="middle">(\d+)</text>', drawn["The board"])
    assert axis == [str(rank) for rank in range(1, last + 1)]
    page = leaderboard_report(board, files=["a.csv", "b.csv"], remarks=["a remark"])
    assert "<dt>Files</dt><dd><bdi>a.csv, b.csv</bdi></dd>" in page
    assert "<dt>Tasks</dt><dd><bdi>40</bdi></dd>" in page
    assert plain(section(page, "How the table was read")).endswith("a remark")
    alone = leaderboard_report(board_with_draws(6))
    assert "<dt>Files" not in alone
    assert "<dt>Tasks" not in alone
    assert "How the table was read" not in alone


def test_many_models_of_a_group_are_named_by_the_first_twelve() -> None:
    n = 14
    draws = np.random.default_rng(0).normal(0, 1, (60, n))
    board = Board.make(Strengths(tuple(f"m{k:02}" for k in range(n)), np.zeros(n), draws, np.ones(n, int), "x"))
    assert board.groups == [(0, n - 1)]
    told = rows_of(figures(board)["Groups"])[-1]
    assert told == ["1", "1-14", ", ".join(f"m{k:02}" for k in range(12)) + ", …"]


def test_findings_beyond_the_first_two_are_told_in_words() -> None:
    board = board_with_draws(3, findings=("One.", "Two.", "Three."))
    page = leaderboard_report(board)
    assert '<p class="lead">One. Two.</p>' in page
    assert plain(section(page, "In words")).endswith("Three.")
    assert "In words" not in titles(leaderboard_report(board_with_draws(3, findings=("One.", "Two."))))


def test_a_score_board_ranks_by_four_rules_and_shows_how_far_they_are_apart() -> None:
    scores = {f"m{k}": {f"t{t}": float((k * 3 + t * k) % 5) for t in range(6)} for k in range(5)}
    board = stagg.leaderboard(scores, draws=60)
    page = leaderboard_report(board)
    rows = rows_of(section(page, "Four ways to count"))
    assert rows[0][0] == "model"
    assert rows[0][-1] == "apart"
    assert len(rows[0]) == 6
    for row in rows[1:]:
        ranks = list(map(int, row[1:-1]))
        assert int(row[-1]) == max(ranks) - min(ranks)
    assert [row[0] for row in rows[1:]] == list(board.names)
    effects = rows_of(section(page, "What each task does"))
    assert effects[0] == ["task", "models", "agreement", "tau without", "ranks moved", "most", "first without"]
    assert all(re.fullmatch(r"−?\d\.\d\d|-", row[2]) and re.fullmatch(r"−?\d\.\d{3}", row[3]) for row in effects[1:])
    pairs = rows_of(section(page, "Pair by pair"))
    assert pairs[0] == ["model", "other", "difference", "p", "p (Holm)", "won", "tasks"]
    for row, pair in zip(pairs[1:], board.pairs, strict=True):
        assert row == [
            pair.one, pair.other, f"{pair.difference:.3f}", f"{pair.p:.4f}", f"{pair.p_holm:.4f}",
            f"{pair.won:.2f}", "6",
        ]  # fmt: skip


def test_wins_in_battles_are_shares_of_the_games_of_each_pair() -> None:
    board = rank_battles(draw_rows(1, 300, {"people": (0.0, 0)}), draws=20)
    [wins, judges] = battle_sections(board)
    assert (wins.title, judges.title) == ("Wins", "Judges")
    n = len(board)
    rows = rows_of(wins.body)[-n:]
    shades = iter(re.findall(r'<td class="([pn]\d+)">([^<]*)</td>', wins.body))
    for i, row in enumerate(rows):
        for j in range(n):
            games, won = board.games[i, j], board.wins[i, j]
            assert row[j + 1] == (f"{won:g} of {games:g}" if games else "")
            if i != j and games:
                shade, told = next(shades)
                assert told == f"{100 * won / games:.0f} %"
                assert shade[0] == ("p" if round(10 * (2 * won / games - 1)) >= 0 else "n")


# --- elections --------------------------------------------------------------------------------------------------------

CLUB = [list("abc")] * 4 + [list("bca")] * 3 + [list("ca")] * 2


def test_the_pairs_of_an_election_have_their_votes_and_margins() -> None:
    page = election_report(stagg.elect(CLUB, "irv;borda", draws=0))
    told = section(page, "Pairs")
    cells = re.findall(r'<td class="(\w+)">([^<]*)<small>([^<]*)</small>', told)
    expected = {
        "ab": ("p3", "6:3", "0.33"), "ac": ("n1", "4:5", "−0.11"), "ba": ("n3", "3:6", "−0.33"),
        "bc": ("p6", "7:2", "0.56"), "ca": ("p1", "5:4", "0.11"), "cb": ("n6", "2:7", "−0.56"),
    }  # fmt: skip
    order = rows_of(told)[0][1:]
    pairs = [(one, other) for one in order for other in order if one != other]
    assert dict(zip(map("".join, pairs), cells, strict=True)) == expected
    assert rows_of(told)[-4:] == [
        ["voters for the row", *order],
        *[[one, *[expected[one + other][1][0] if one != other else "" for other in order]] for one in order],
    ]
    assert "24:12 means that 24 voters put the row above the column" in told
    assert "nobody beats all others" in told
    assert "The voters were not resampled." in page
    assert "Wins in redraws" not in titles(page)
    weighted = election_report(stagg.elect(CLUB, "irv", weights=[2.0] + [1.0] * 8, draws=0))
    assert "24:12 means that 24 votes put the row above the column" in weighted


@pytest.mark.parametrize(("candidates", "short"), [(8, True), (9, False)])
def test_counts_are_explained_where_a_matrix_shows_them(candidates: int, short: bool) -> None:
    found = stagg.elect([[f"n{k}" for k in range(candidates)]] * 2, "borda", draws=0)
    assert ("24:12 means" in election_report(found)) == short


@pytest.mark.parametrize(("candidates", "cut"), [(25, False), (26, True)])
def test_charts_of_an_election_show_twenty_five_candidates(candidates: int, cut: bool) -> None:
    found = stagg.elect([[f"n{k:02}" for k in range(candidates)]] * 2, "borda", draws=3)
    page = election_report(found)
    assert page.count(f"The first 25 of {candidates} candidates.") == 2 * cut
    assert len(rows_of(section(page, "Ranks by rule"))) == candidates + 1


def test_the_runoff_has_a_column_for_every_round() -> None:
    found = stagg.elect(CLUB, "irv", draws=0)
    rows = rows_of(section(election_report(found), "Instant runoff"))
    assert rows == [["candidate", "round 1", "round 2"], ["a", "4", "6"], ["b", "3", "3"], ["c", "2", ""]]


def test_bars_of_redraws_show_those_who_win_and_at_least_three() -> None:
    votes = [[f"n{k}", *[f"n{j}" for j in range(12) if j != k]] for k in (0, 0, 0, 0, 0, 1, 1)]
    found = stagg.elect(votes, "plurality", draws=40)
    told = section(election_report(found), "Wins in redraws")
    names = [plain(each) for each in re.findall(r'<div class="label(?: best)?">(.*?)</div>', told)]
    assert names[0] == "n0 ★ wins the count"
    assert len(names) == 3  # two can win
    shares = found.results[0].shares
    assert shares is not None
    assert tips(told)[0] == f"n0: {100 * shares['n0']:.1f} % of the draws"
    tied = stagg.elect([["a"], ["b"]], "plurality", draws=5)
    assert election_report(tied).count("★ ties in the count") == 2


def test_rules_with_other_shares_or_winners_have_charts_of_their_own() -> None:
    found = stagg.elect([list("ab")] * 9, "irv;borda;plurality", draws=5)
    assert "irv, borda, plurality: the same" in election_report(found)
    split = stagg.elect([list("acb")] * 5 + [list("bca")] * 4 + [list("cab")] * 3, "plurality;borda", draws=20)
    heads = re.findall(r"<h3>(.*?)</h3>", section(election_report(split), "Wins in redraws"))
    assert heads == ["plurality", "borda"]


# --- several seats ----------------------------------------------------------------------------------------------------

SEATS = [list("abd")] * 10 + [list("bd")] * 2 + [list("cd")] * 5 + [["d"]] * 3 + [["e", "f"]]


def seat_page(**more: Any) -> tuple[Any, str]:
    found = stagg.elect(SEATS, more.pop("rules", "stv"), seats=2, **({"draws": 0} | more))
    return found, seat_report(found)


def test_the_stages_of_a_count_are_a_flow_a_list_and_a_table() -> None:
    """The quota of 21 votes for two seats is 8: a passes on 2 of 10 votes, a fifth of each."""
    found, page = seat_page()
    [result] = found.results
    assert titles(page) == ["Elected", "Ballots", "Candidates by stv", "Stages by stv"]
    assert "21 ballots count. The quota is 8." in plain(section(page, "Candidates by stv"))
    rows = rows_of(section(page, "Candidates by stv"))
    assert rows[0] == ["candidate", "first stage", "last stage", "outcome", "seat in redraws"]
    assert rows[1][:4] == ["a★", "10", "8", "elected in stage 1"]
    assert [row[0].rstrip("★") for row in rows[1:]] == list(result.order)
    assert {row[4] for row in rows[1:]} == {"-"}
    told = section(page, "Stages by stv")
    table = rows_of(told)
    assert table[0][:4] == ["candidate", "stage 1", "± 2", "stage 2"]
    assert len(table[0]) == 2 * len(result.stages)
    first = {row[0]: row[1:4] for row in table[1:]}
    assert first["a"] == ["10", "-2", "8"]
    assert first["b"] == ["2", "+2", "4"]
    assert len(re.findall("<li>", told.partition("<ol>")[2])) == len(result.stages)
    moved = [tip for tip in tips(told) if tip.startswith("a: ")]
    assert moved[:2] == ["a: 8 votes stay", "a: 2 votes to b"]
    assert any("votes exhausted" in tip for tip in tips(told))
    ballots = plain(section(page, "Ballots"))
    assert "21 ballots do not rank every candidate." in ballots
    assert "The voters were not resampled." in page


def test_votes_that_nobody_gets_are_exhausted_in_the_flow() -> None:
    found, page = seat_page()
    [result] = found.results
    moved: dict[str, float] = {}
    for before, after in zip(result.stages, result.stages[1:], strict=False):
        if after.moved is not None and before.votes != after.votes:
            left = before.votes[after.moved] - after.votes[after.moved]
            nobody = left - sum(after.given.values())
            if nobody > 0:
                moved[f"{after.moved}: {tell_seat_votes(nobody)} votes exhausted"] = nobody
    assert moved
    assert moved.keys() <= set(tips(section(page, "Stages by stv")))


def test_rules_that_count_once_have_votes_and_no_stages() -> None:
    found, page = seat_page(rules="block", draws=20)
    assert titles(page) == ["Elected", "Ballots", "Candidates by block", "Seats in redraws by block"]
    rows = rows_of(section(page, "Candidates by block"))
    assert rows[0] == ["candidate", "votes", "outcome", "seat in redraws"]
    [result] = found.results
    shares = result.shares
    assert shares is not None
    assert [row[3] for row in rows[1:]] == [f"{100 * shares[name]:.0f} %" for name in result.order]
    told = section(page, "Seats in redraws by block")
    assert tips(told)[0] == f"{result.order[0]}: a seat in {100 * shares[result.order[0]]:.1f} % of the draws"
    labels = [plain(each) for each in re.findall(r'<div class="label(?: best)?">(.*?)</div>', told)]
    assert labels == [f"{name} ★ elected" if name in result.elected else name for name in result.order]
    assert "20 draws of the voters, seed 0." in page


def test_ballots_of_several_seats_say_what_is_missing_on_them() -> None:
    def told(votes: Any) -> str:
        return plain(section(seat_report(stagg.elect(votes, seats=1, draws=0)), "Ballots"))

    assert "1 ballot does not rank every candidate." in told([list("ab"), list("ba"), ["a"]])
    assert "does not rank" not in told([list("ab"), list("ba"), list("ba")])
    ticks = stagg.Rankings.from_scores({"v": {"a": 1, "b": 1, "c": 0}, "w": {"a": 1, "b": 0, "c": 0}})
    assert "The ballots tick candidates." in told(ticks)


# --- the explorer, a sheet to judge, the shell ------------------------------------------------------------------------


def lists_of(rankers: int, queries: int = 2) -> stagg.Rankings:
    rng = np.random.default_rng(1)
    return stagg.Rankings.from_runs(
        {
            f"r{k:02}": {
                f"q{q}": {f"d{i:02}": float(-n) for n, i in enumerate(rng.permutation(20)[:12])} for q in range(queries)
            }
            for k in range(rankers)
        }
    )


def test_the_explorer_says_what_each_ranker_changes() -> None:
    rankings = lists_of(4)
    left = leave_each_out(rankings)
    assert left is not None
    told = section(explorer_page(explored_of(rankings)), "Does fusion help?")
    assert rows_of(told) == [
        ["Without", "Other first item", "Of the first 10 leave", "Relatives"],
        *[[row.ranker, f"{row.first:.0%}", f"{row.moved:.0%}", ", ".join(row.relatives)] for row in left.rankers],
    ]
    intro = plain(re.findall(r'<p class="intro">(.*?)</p>', told)[0])
    assert intro.startswith("Fused by rrf(c=60) with and without each ranker, all weights 1, 2 queries.")
    assert "stagg judge" in intro
    labels = stagg.Labels({"q0": {"d00": 1}, "q1": {"d01": 1}})
    judged = explorer_page(explored_of(rankings, labels=labels))
    assert "stagg judge" not in section(judged, "Does fusion help?")
    assert 'id="score"' in judged
    assert 'id="score"' not in explorer_page(explored_of(rankings))
    alone = stagg.Rankings.from_runs({"x": {"q0": {"a": 1}}, "y": {"q1": {"a": 1}}, "z": {"q1": {"b": 1}}})
    assert rows_of(section(explorer_page(explored_of(alone)), "Does fusion help?"))[1][1:3] == ["-", "-"]


@pytest.mark.parametrize(("rankers", "told"), [(2, True), (30, True), (31, False)])
def test_the_explorer_begins_with_a_sentence_on_at_most_thirty_rankers(rankers: int, told: bool) -> None:
    page = explorer_page(explored_of(lists_of(rankers, 1)))
    assert ('<p class="lead">' in page) == told
    assert ("Does fusion help?" in titles(page)) == (rankers > 2)
    assert '<details id="settings" open>' in page


def test_a_report_has_its_controls_folded_and_says_what_holds_once_they_are_moved() -> None:
    page = fusion_page(fused_queries(lists_of(3), "rrf"))
    assert '<details id="settings"><summary>' in page
    assert "Once a control is moved: Rank intervals hold in 90 % of 1,000 draws" in page
    assert plain(section(page, "How far the rankers agree")).count("r00") == 4  # two matrices, rows and columns


def test_a_grade_has_a_key_if_it_is_one_letter_and_long_meanings_stand_below_each_other() -> None:
    def drawn(*grades: tuple[str, str]) -> str:
        return judging_page(Sheet("5e1f", 2, 40, (Row("q1", "d7"), Row("q1", "d8")), grades))

    page = drawn(("0", "no"), ("10", "m" * 16))
    assert re.findall(r'data-grade="(\w*)" data-key="(\w*)"', page)[:2] == [("0", "0"), ("10", "")]
    assert re.findall(r'data-key="(x)"', page) == ["x"]
    assert 'class="grades"' in page
    assert 'class="grades wordy"' in drawn(("0", "no"), ("10", "m" * 17))
    assert "<h1>Judge 2 documents</h1>" in page
    assert "Batch 2 of the plan 5e1f, up to its point 40." in page


def test_a_page_lists_its_sections_where_there_are_several() -> None:
    one = page_of("T", [Section("A", Html("<p>x</p>"), "Intro.")], lead="Lead.", warnings=["Careful."])
    assert "<nav" not in one
    assert '<p class="lead">Lead.</p>' in one
    assert '<p class="warning"><b>Warning:</b> Careful.</p>' in one
    assert '<p class="intro">Intro.</p>' in one
    assert "<h2>Notes</h2>" not in one
    two = page_of("T", [Section("A", Html("")), Section("B", Html(""))], notes=["N."])
    assert re.findall(r'<a href="#(s\d)">(\w)</a>', two) == [("s1", "A"), ("s2", "B")]
    assert re.findall(r'<h2 id="(s\d)">(\w)</h2>', two) == [("s1", "A"), ("s2", "B")]
    assert "<h2>Notes</h2>\n<ul><li>N.</li></ul>" in two
    assert '<p class="intro">' not in two
    drawn = figure("F", Html("chart"), caption="C", name="n", table=Html("numbers"))
    assert drawn.startswith('<figure id="n">\n<figcaption><h3>F</h3><p>C</p></figcaption>\nchart')
    assert "<details><summary>The numbers</summary>\nnumbers\n</details>" in drawn
    assert figure("F", Html("chart")) == "<figure>\n<figcaption><h3>F</h3></figcaption>\nchart\n</figure>"
