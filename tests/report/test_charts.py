"""The charts of pages: every mark lies where its number says, on an axis whose labels tell the truth."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from stagg.evaluation.tables import Cell, Grid
from stagg.report.charts.boards import RankLane, group_diagram, lay_out_groups, rank_lanes, rank_marks
from stagg.report.charts.flows import Flow, Stage, flow_chart
from stagg.report.charts.svg import Bar, Column, Series, bars, columns, grid_table, legend, lines, matrix, ticks

Mark = dict[str, str]


def marks(chart: str, tag: str, kind: str | None = None) -> list[Mark]:
    """The attributes of every mark of a kind, and the text in it as ``said``."""
    every = re.findall(rf"<{tag}\b([^>]*?)/?>([^<]*)", chart)
    drawn = [dict(re.findall(r'([\w-]+)="([^"]*)"', told)) | {"said": html.unescape(text)} for told, text in every]
    return [each for each in drawn if kind is None or each.get("class") == kind]


def numbers(drawn: Sequence[Mark], *names: str) -> list[list[float]]:
    return [[float(each[name].rstrip("%")) for name in names] for each in drawn]


def near(expected: object) -> object:
    return pytest.approx(np.array(expected), abs=0.006)


# --- bars, columns, lines ---------------------------------------------------------------------------------------------


def test_bars_go_from_0_to_their_value_and_whiskers_over_their_interval() -> None:
    rows = [Bar("a", 0.5, 0.4, 0.6, "tip of a\nline 2", "▲", best=True, note="new"), Bar("b", -0.25, -0.3, -0.1, "")]
    chart = bars(rows, label="err", reference=0.3)

    def place(value: float) -> float:  # the axis goes from the lowest end to the highest
        return 100 * (value + 0.3) / 0.9

    bodies = numbers(marks(chart, "rect", "bar"), "x", "width")
    assert bodies == near([[place(0), place(0.5) - place(0)], [place(-0.25), place(0) - place(-0.25)]])
    whiskers = numbers(marks(chart, "line", "whisker"), "x1", "y1", "x2", "y2")
    expected = []
    for row in rows:  # a line in the middle of the lane, with an upright at both ends
        expected.append([place(row.low), 13, place(row.high), 13])
        expected += [[place(end), 9, place(end), 17] for end in (row.low, row.high)]
    assert whiskers == near(expected)
    assert numbers(marks(chart, "line", "reference"), "x1", "y1", "x2", "y2") == near(
        [[place(0.3), 0, place(0.3), 26]] * 2
    )
    axis = [-0.2, 0, 0.2, 0.4, 0.6]
    grid = numbers(marks(chart, "line", "grid"), "x1", "y1", "x2", "y2")
    assert grid == near([[place(mark), 0, place(mark), 26] for mark in axis] * 2)
    labels = marks(chart, "text")
    assert [each["said"] for each in labels] == ["−0.2", "0", "0.2", "0.4", "0.6"]
    assert numbers(labels, "x", "y") == near([[place(mark), 14] for mark in axis])
    assert {each["text-anchor"] for each in labels} == {"middle"}
    assert 'data-tip="tip of a&#10;line 2"' in chart
    assert re.findall(r'<div class="label( best)?"><bdi>(\w)</bdi>( <span class="note">new</span>)?', chart) == [
        (" best", "a", ' <span class="note">new</span>'), ("", "b", ""),
    ]  # fmt: skip
    assert re.findall(r'class="value( best)?">([^<]*)<span class="mark">(.?)<', chart) == [
        (" best", "0.5000", "▲"), ("", "-0.2500", ""),
    ]  # fmt: skip
    assert not marks(bars(rows, label="err"), "line", "reference")


@pytest.mark.parametrize(
    ("highs", "axis"),
    [
        ([0.8, 1.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.55], ["0", "0.2", "0.4"]),
        ([2.0], ["0", "0.5", "1", "1.5", "2"]),
        ([0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    ],
)
def test_the_axis_of_bars_begins_at_0_and_has_a_few_round_marks(highs: list[float], axis: list[str]) -> None:
    chart = bars([Bar("x", high, high, high, "") for high in highs], label="x")
    assert [each["said"] for each in marks(chart, "text")] == axis
    assert float(marks(chart, "text")[0]["x"][:-1]) == 0


def test_shares_stand_on_an_axis_to_100_percent_without_whiskers() -> None:
    chart = bars([Bar("a", 0.126, 0.126, 0.126, ""), Bar("b", 0.874, 0.874, 0.874, "")], label="wins", shares=True)
    assert [each["said"] for each in marks(chart, "text")] == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert numbers(marks(chart, "rect", "bar"), "x", "width") == near([[0, 12.6], [0, 87.4]])
    assert re.findall(r'class="value">([^<]*)', chart) == ["13 %", "87 %"]
    assert not marks(chart, "line", "whisker")


def test_columns_rise_and_fall_from_the_middle_in_proportion() -> None:
    chart = columns([Column(v, f"tip {v}") for v in (0.5, 0.25, 0.0, -0.25, -0.5, 1e-6)], label="x", extent=0.5)
    drawn = marks(chart, "rect")
    assert [each["class"] for each in drawn] == ["won", "won", "tied", "lost", "lost", "won"]
    tall = 66 - 4  # half the height of 132, less a margin
    up = [[66 - tall, tall], [66 - tall / 2, tall / 2], [63, 6], [66, tall / 2], [66, tall], [66 - 0.75, 0.75]]
    assert numbers(drawn, "y", "height") == near(up)
    assert numbers(drawn, "x", "width") == near([[k * 100 / 6, 100 / 6] for k in range(6)])
    assert numbers(marks(chart, "line", "axis"), "x1", "y1", "x2", "y2") == near([[0, 66, 100, 66]])
    side = marks(chart, "text")
    assert [each["said"] for each in side] == ["+0.5", "0", "−0.5"]
    assert numbers(side, "x", "y") == near([[100, 10], [100, 70], [100, 130]])
    assert [each["data-tip"] for each in drawn][:2] == ["tip 0.5", "tip 0.25"]
    [alone] = marks(columns([Column(0.5, "")], label="x", extent=0.0), "rect")  # no extent: that of 1
    assert alone["width"] == "100%"
    assert float(alone["height"]) == pytest.approx(tall / 2)
    assert [each["said"] for each in marks(columns([], label="x", extent=0.123), "text")] == ["+0.12", "0", "−0.12"]


@pytest.mark.parametrize(
    ("xs", "places", "apart"),
    [
        ([2, 4, 8], [8, 36, 92], 1.4),  # a margin of 8 % at either side
        ([1, 2, 100], [8, 8 + 84 / 99, 92], 84 / 99 / 4),  # not more than half the way to the neighbour
        ([5], [50], 1.4),
    ],
)
def test_lines_run_through_their_points_a_little_apart(xs: list[float], places: list[float], apart: float) -> None:
    first, second = np.linspace(0.2, 0.8, len(xs)), np.linspace(0.9, 0.5, len(xs))
    series = [
        Series(name, xs, y.tolist(), (y - 0.1).tolist(), (y + 0.05).tolist(), [f"{name} at {x}" for x in xs])
        for name, y in (("one", first), ("two", second))
    ]
    chart = lines(series, label="curves", across="rankers")
    low, high = 0.1, 0.95

    def y(value: float) -> float:  # of 300 pixels, 8 are margin at either side
        return 292 - 284 * (value - low) / (high - low)

    for number, (values, name) in enumerate(((first, "one"), (second, "two"))):
        x = np.array(places) + (number - 0.5) * apart
        dots = marks(chart, "circle", f"point c{number + 1}")
        assert numbers(dots, "cx") == near(x[:, None])
        assert [float(dot["cy"]) for dot in dots] == pytest.approx([y(v) for v in values], abs=0.06)
        spread = numbers(marks(chart, "line", f"spread c{number + 1}"), "x1", "y1", "x2", "y2")
        expected = [[a, y(v - 0.1), a, y(v + 0.05)] for a, v in zip(x, values, strict=True)]
        assert np.array(spread) == pytest.approx(np.array(expected), abs=0.06)
        [path] = marks(chart, "path", f"line c{number + 1}")
        told = [[float(part) for part in point.split()] for point in path["d"][1:].split("L")]
        assert np.array(told) == pytest.approx(np.array([[a, y(v)] for a, v in zip(x, values, strict=True)]), abs=0.06)
        tips = re.findall(r'data-tip="(\w+ at \d+)"', chart)[number * len(xs) : (number + 1) * len(xs)]
        assert tips == [f"{name} at {x}" for x in xs]
    side, below = [
        [each for each in marks(chart, "text") if each["text-anchor"] == anchor] for anchor in ("end", "middle")
    ]
    axis = [mark / 10 for mark in range(10) if low <= mark / 10 <= high and mark % 2 == 0]
    assert [float(each["said"]) for each in side] == axis
    assert numbers(side, "x", "y") == pytest.approx(np.array([[100, y(mark) + 4] for mark in axis]), abs=0.06)
    assert numbers(marks(chart, "line", "grid"), "x1", "y1", "x2", "y2") == pytest.approx(
        np.array([[0, y(mark), 100, y(mark)] for mark in axis]), abs=0.06
    )
    assert [each["said"] for each in below] == [str(x) for x in xs]
    assert numbers(below, "x", "y") == near([[place, 14] for place in places])
    assert '<div class="across">rankers</div>' in chart


def test_seven_colours_are_followed_by_the_same_ones_dashed() -> None:
    keys = [each["class"] for each in marks(legend([f"s{k}" for k in range(9)]), "path")]
    assert keys == [*[f"key c{k}" for k in range(1, 8)], "key c1 dashed", "key c2 dashed"]


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 5, 5, [0, 1, 2, 3, 4, 5]),
        (0, 2, 5, [0, 0.5, 1, 1.5, 2]),
        (0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 4.8, 5, [0, 1, 2, 3, 4]),
        (-30, 75, 6, [-20, 0, 20, 40, 60]),
        (0.31, 0.36, 5, [0.31, 0.32, 0.33, 0.34, 0.35, 0.36]),
        (3, 3, 5, [3]),
        (3, 2, 5, [3]),
    ],
)
def test_marks_of_an_axis_are_1_2_or_5_times_a_power_of_ten(
    low: float, high: float, most: int, expected: list[float]
) -> None:
    assert ticks(low, high, most) == expected


# --- tables -----------------------------------------------------------------------------------------------------------


def test_a_matrix_is_shaded_by_value_and_blank_where_there_is_none() -> None:
    values = np.array([[1, 0.56, -0.31], [-0.04, 1, np.nan], [-0.001, -1, 1]])
    chart = matrix(["a", "b", "c"], values, label="tau")
    cells = re.findall(r'<td class="(\w+)">(.*?)</td>', chart)
    assert cells == [
        ("none", ""), ("p6", "0.56"), ("n3", "−0.31"),
        ("p0", "−0.04"), ("none", ""), ("none", ""),
        ("p0", "0.00"), ("n10", "−1.00"), ("none", ""),
    ]  # fmt: skip
    counts = [["", "3:1"], ["1:3", ""]]
    told = matrix(["a", "b"], np.array([[0, 0.5], [-0.5, 0]]), label="x", counts=counts, show=lambda v: f"<{v:g}>")
    assert re.findall(r'<td class="\w\d">(.*?)</td>', told) == [
        "3:1<small>&lt;0.5&gt;</small>",
        "1:3<small>&lt;-0.5&gt;</small>",
    ]


@pytest.mark.parametrize(("names", "dense"), [(8, False), (9, True)])
def test_a_matrix_of_many_names_has_colours_only(names: int, dense: bool) -> None:
    chart = matrix([f"n{k}" for k in range(names)], np.zeros((names, names)), label="x")
    assert ('class="matrix dense"' in chart) == dense


def test_a_table_has_numbers_at_the_right_and_its_best_in_bold() -> None:
    cells = [[Cell("x" * 60), Cell("0.5", bold=True, mark="▲")], [Cell("x" * 61), Cell("1" * 61)]]
    told = grid_table(Grid(["name", "err"], cells, [False, True]), kind="ranks")
    assert re.findall(r'<th scope="col"( class="number")?><bdi>(\w+)', told) == [
        ("", "name"),
        (' class="number"', "err"),
    ]
    assert re.findall(r"<td([^>]*)>(.*?)</td>", told) == [
        ("", f"<bdi>{'x' * 60}</bdi>"), (' class="number"', "<b><bdi>0.5</bdi>▲</b>"),
        (' class="long"', f"<bdi>{'x' * 61}</bdi>"), (' class="number"', f"<bdi>{'1' * 61}</bdi>"),
    ]  # fmt: skip
    assert '<table class="ranks">' in told
    assert "<table>" in grid_table(Grid(["name", "err"], cells, [False, True]))


# --- the flow of a runoff ---------------------------------------------------------------------------------------------

ROUNDS = [
    Stage({"a": 40, "b": 30, "c": 20, "d": 10}, [Flow("d", "a", 2), Flow("d", "c", 5), Flow("d", None, 3)]),
    Stage({"a": 42, "b": 30, "c": 25}, [Flow("c", "a", 5), Flow("c", "b", 16), Flow("c", None, 4)]),
    Stage({"a": 47, "b": 46}, []),
]


def boxes(chart: str) -> list[list[float]]:
    """(left, top, height) of each bar."""
    return numbers(marks(chart, "rect"), "x", "y", "height")


def test_bars_of_a_runoff_are_as_high_as_their_votes_and_what_is_exhausted_stands_at_the_bottom() -> None:
    chart = flow_chart(ROUNDS, "abcd")
    unit = (420 - 5 * 5) / 100  # gaps of 5 pixels between four candidates, above and below them
    drawn = boxes(chart)
    expected = []
    for stage, left in zip(ROUNDS, sorted({x for x, _, _ in drawn}), strict=True):
        top = 0.0
        for name in "abcd":
            if name in stage.votes:
                expected.append([left, top, stage.votes[name] * unit])
                top += stage.votes[name] * unit + 5
        spent = (100 - sum(stage.votes.values())) * unit
        expected += [[left, 420 - spent, spent]] * bool(spent)
    assert drawn == pytest.approx(np.array(expected), abs=0.06)
    assert {each["width"] for each in marks(chart, "rect")} == {"12"}
    assert [each["class"] for each in marks(chart, "rect")] == [
        "f1",
        "f2",
        "f3",
        "f4",
        "f1",
        "f2",
        "f3",
        "f0",
        "f1",
        "f2",
        "f0",
    ]
    heads = [each for each in marks(chart, "text") if "class" not in each]
    assert [each["said"] for each in heads] == ["1", "2", "3"]
    votes = numbers(marks(chart, "text", "votes"), "x", "y")[:4]  # beside the middle of the bars of the first round
    assert votes == pytest.approx(
        np.array([[left + 16, top + high / 2 + 4] for left, top, high in expected[:4]]), abs=0.06
    )
    assert [each["said"] for each in marks(chart, "text", "votes")] == ["40", "30", "20", "10", "42", "30", "25", "3"]
    names = [each["said"] for each in marks(chart, "text", "name") if "text-anchor" not in each]
    assert names == ["a 47", "b 46", "exhausted 7"]
    tips = [html.unescape(each["data-tip"]) for each in marks(chart, "rect") if "data-tip" in each]
    assert tips[0] == "\u2068a\u2069, round 1: 40 votes"


def test_bands_fill_the_bars_that_they_leave_and_those_that_they_reach() -> None:
    chart = flow_chart(ROUNDS, "abcd")
    drawn = boxes(chart)
    lefts = sorted({x for x, _, _ in drawn})
    unit = (420 - 25) / 100
    bands = []
    for each in marks(chart, "path"):
        one, start, middle, *_, other, end = (float(n) for n in re.findall(r"-?[\d.]+", each["d"].split("V")[0]))
        below = float(each["d"].split("V")[1].split("C")[0])
        back = [float(n) for n in re.findall(r"-?[\d.]+", each["d"].split("V")[1].split("C")[1])]
        high = below - end
        assert back == pytest.approx([middle, below, middle, start + high, one, start + high], abs=0.11)
        assert middle == pytest.approx((one + other) / 2, abs=0.11)
        bands.append((one, other, start, end, high, html.unescape(each["data-tip"])))
    for here, there in pairwise(lefts):
        mine = [band for band in bands if band[0] == pytest.approx(here + 12)]
        assert all(other == pytest.approx(there) for _, other, *_ in mine)
        for side, at in ((2, here), (3, there)):  # the bands lie side by side: their votes fill the bars
            covered = sorted((band[side], band[side] + band[4]) for band in mine)
            bars_there = sorted((top, top + high) for x, top, high in drawn if x == at)
            for top, bottom in bars_there:
                inside = [(a, b) for a, b in covered if a >= top - 0.2 and b <= bottom + 0.2]
                assert sum(b - a for a, b in inside) == pytest.approx(bottom - top, abs=0.5)
                assert all(b <= c + 0.2 for (_, b), (c, _) in pairwise(inside))
    told = {band[5].replace("\u2068", "").replace("\u2069", ""): band[4] / unit for band in bands}
    assert {tip: round(votes) for tip, votes in told.items()} == {
        "a: 40 votes stay": 40, "b: 30 votes stay": 30, "c: 20 votes stay": 20, "d: 2 votes to a": 2,
        "d: 5 votes to c": 5, "d: 3 votes exhausted": 3, "a: 42 votes stay": 42, "c: 5 votes to a": 5,
        "c: 16 votes to b": 16, "c: 4 votes exhausted": 4, "exhausted before": 3,
    }  # fmt: skip


@pytest.mark.parametrize(("longest", "left"), [(3, 60), (10, 82), (60, 250)])
def test_names_have_as_much_room_as_they_need_and_there_is(longest: int, left: float) -> None:
    names = ["n" * longest, "b"]
    chart = flow_chart([Stage({names[0]: 2, "b": 1}, [Flow("b", names[0], 1)]), Stage({names[0]: 3}, [])], names)
    assert min(x for x, _, _ in boxes(chart)) == pytest.approx(left)  # 7.2 pixels a letter, and 10
    first = [each for each in marks(chart, "text", "name") if each.get("text-anchor") == "end"]
    assert {float(each["x"]) for each in first} == {left - 5}
    cut = longest > 40
    assert ("…" in first[0]["said"]) == cut
    assert len(first[0]["said"]) * 7.2 <= left - 8
    assert not cut or len(first[0]["said"]) * 7.2 > left - 8 - 2 * 7.2  # and no more is cut than must be
    [last] = {x for x, _, _ in boxes(chart) if x > left}
    ends = [f"{names[0]} 3", "exhausted 0000"]
    assert last == pytest.approx(960 - 12 - min(250, max(60, *(7.2 * len(end) + 10 for end in ends))), abs=0.06)


def test_letters_as_wide_as_high_take_more_room() -> None:
    chart = flow_chart(
        [Stage({"東京都知事": 2, "b": 1}, [Flow("b", "東京都知事", 1)]), Stage({"東京都知事": 3}, [])],
        ["東京都知事", "b"],
    )
    assert min(x for x, _, _ in boxes(chart)) == pytest.approx(5 * 12 + 10)


def test_labels_stand_a_line_apart_and_are_left_out_where_they_would_overlap() -> None:
    for count, every in ((30, True), (60, False)):  # lines of 13 pixels in 420
        votes = {f"n{k}": (1000 if k == 0 else 1) for k in range(count)}
        order = list(votes)
        gone = [Flow(order[-1], order[0], 1)]
        chart = flow_chart([Stage(votes, gone), Stage({n: votes[n] for n in order[:-1]} | {"n0": 1001}, [])], order)
        names = [each for each in marks(chart, "text", "name") if each.get("text-anchor") == "end"]
        y = [float(each["y"]) for each in names]
        assert min(np.diff(y)) >= 13 - 0.06
        assert (len(names) == count) == every
        assert len(names) >= 2


def test_only_the_last_rounds_of_many_are_shown_under_their_numbers() -> None:
    stages = [Stage({"a": 5, "b": 3 + 1 / 3}, []) for _ in range(16)]
    chart = flow_chart(stages, "ab")
    heads = [each["said"] for each in marks(chart, "text") if "class" not in each]
    assert heads == [str(number) for number in range(3, 17)]
    assert {each["said"] for each in marks(chart, "text", "votes")} == {"5", "3"}  # no room for the fraction
    few = flow_chart(stages[:3], "ab")
    assert {each["said"] for each in marks(few, "text", "votes")} == {"5", "3.33333"}


def test_a_single_round_has_its_names_at_the_right_of_the_bars() -> None:
    chart = flow_chart([Stage({"Ada": 3, "Ben": 0}, [])], ["Ada", "Ben"])
    assert {x for x, _, _ in boxes(chart)} == {0.0}
    assert [(each["said"], each.get("text-anchor")) for each in marks(chart, "text", "name")] == [
        ("Ada 3", None),
        ("Ben 0", None),
    ]
    assert [float(each["x"]) for each in marks(chart, "text", "name")] == [16, 16]
    assert [high for _, _, high in boxes(chart)] == [405, 1]  # a bar without votes is a line


# --- leaderboards -----------------------------------------------------------------------------------------------------


def test_lanes_show_rank_and_both_intervals_on_one_axis() -> None:
    chart = rank_lanes(
        [RankLane("a", 2, 1, 5, 2, 3, "0.7", "tip"), RankLane("b", 5, 5, 5, 5, 5, "0.1", "")], label="x", last=5
    )

    def place(rank: float) -> float:
        return 1 + 98 * (rank - 1) / 4

    dots = marks(chart, "circle", "dot")
    assert numbers(dots, "cx") == near([[place(2)], [place(5)]])
    for kind, (low, high) in (("interval", (1, 5)), ("whisker", (2, 3))):
        spans = numbers(marks(chart, "line", kind), "x1", "y1", "x2", "y2")
        alike = [place(5) - 0.3, 13, place(5) + 0.3, 13]  # a little length where both ends are the same
        assert spans == near([[place(low), 13, place(high), 13], alike])
    axis = marks(chart, "text")
    assert [each["said"] for each in axis] == ["1", "2", "3", "4", "5"]
    assert numbers(axis, "x") == near([[place(rank)] for rank in range(1, 6)])
    grid = numbers(marks(chart, "line", "grid"), "x1", "y1", "x2", "y2")
    assert grid == near([[place(rank), 0, place(rank), 26] for rank in range(1, 6)] * 2)
    alone = rank_lanes([RankLane("a", 1, 1, 1, 1, 1, "", "")], label="x", last=1)
    assert numbers(marks(alone, "circle"), "cx") == [[1.0]]


@pytest.mark.parametrize(
    ("last", "expected"),
    [(1, [1, 2]), (2, [1, 2]), (3, [1, 2, 3]), (7, [1, 2, 3, 4, 5, 6, 7]), (60, [1, 10, 20, 30, 40, 50, 60])],
)
def test_the_marks_of_ranks_are_whole_and_begin_at_1(last: int, expected: list[float]) -> None:
    assert rank_marks(last) == expected


def layout_place(high: float, low: float) -> Callable[[float], float]:
    return lambda value: 262 + (960 - 2 * 262) * (high - value) / (high - low)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_groups_are_laid_out_on_the_scale_of_strengths(scale: float) -> None:
    values = [3.0, 2.5, 2.0, 0.0, -1.0]
    layout = lay_out_groups(list("abcde"), values, [(0, 1), (1, 2), (3, 3)], scale=scale)
    place = layout_place(3, -1)
    assert [each.x for each in layout.branches] == pytest.approx([place(v) for v in values])
    assert layout.bars == [
        pytest.approx((place(3) - 4, place(2.5) + 4, 40)),
        pytest.approx((place(2.5) - 4, place(2) + 4, 40 + 7 * scale)),
    ]
    top = 40 + 2 * 7 * scale + 12 * scale  # below two bars
    assert [each.y for each in layout.branches] == [top + 17 * scale * k for k in (0, 1, 2, 1, 0)]
    assert [each.is_left for each in layout.branches] == [True] * 3 + [False] * 2
    assert layout.height == top + 17 * scale * 3
    assert layout.marks == [(pytest.approx(place(mark)), mark) for mark in (-1, 0, 1, 2, 3)]


def test_equal_strengths_stand_at_one_place() -> None:
    layout = lay_out_groups(["a", "b"], [1.5, 1.5], [(0, 1)])
    assert [each.x for each in layout.branches] == [262, 262]
    assert layout.marks == [(262, 1.5)]


def test_the_diagram_of_groups_draws_what_is_laid_out() -> None:
    layout = lay_out_groups(["a", "b", "c"], [2.0, 1.0, 0.0], [(0, 1)])
    chart = group_diagram(layout, label="groups")
    branches = [each["d"] for each in marks(chart, "path", "branch")]
    assert branches == ["M262 24V59H250", "M480 24V76H250", "M698 24V59H710"]
    names = [each for each in marks(chart, "text") if each["said"].isalpha()]
    assert [(each["said"], each["text-anchor"]) for each in names] == [("a", "end"), ("b", "end"), ("c", "start")]
    assert numbers(names, "x", "y") == [[245, 63], [245, 80], [715, 63]]
    assert [each["d"] for each in marks(chart, "path", "bond")] == ["M258 40H484"]
    axis = [each["d"] for each in marks(chart, "path", "axis")]
    assert axis == ["M262.0 24H698.0", "M698 20V28", "M589 20V28", "M480 20V28", "M371 20V28", "M262 20V28"]
    told = [each["said"] for each in marks(chart, "text") if not each["said"].isalpha()]
    assert told == ["0", "0.5", "1", "1.5", "2"]
    assert float(re.findall(r'viewBox="0 0 960 ([\d.]+)"', chart)[0]) == layout.height
