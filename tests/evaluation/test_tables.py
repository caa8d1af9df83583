"""Tables read back by other people's parsers; what is best and what is marked; texts that try to break out."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import math
import re
from typing import Any

import numpy as np
import pytest
from tests.checks import some

from stagg._version import __version__
from stagg.errors import InvalidParameter
from stagg.evaluation import tables
from stagg.evaluation.tables import (
    BETTER,
    SEEN,
    WORSE,
    Cell,
    Grid,
    Table,
    as_html,
    as_latex,
    as_markdown,
    as_text,
    flat,
    pivot,
)

HOSTILE = [
    "a|b",
    "stagg_rrf_x",
    "50% & more #1 ${x}^2~",
    "back\\slash \\input{secret} \\",
    "`code` ``two`` *bold* [link](http://x) ![img](y)",
    "two\nlines\r\nand\ttabs",
    "\x1b[31mred\x07",
    "<script>alert('x')</script> \"quoted\" &lt;",
    "[1em] at the start",
    "* a star",
    "\\\\ & \\hline",
    "-- a comment -->",
    "日本語 and é and e\u0301 \u202eright to left",
    "}}}{{{",
    "",
    " ",
    "x" * 5000,
]


def row(method: str, measure: str, mean: float | None, p: float | None = None, **more: Any) -> dict[str, Any]:
    return {"method": method, "measure": measure, "mean": mean, "p_holm": p, **more}


def comparison(**more: Any) -> Table:
    rows = (
        row("borda", "ndcg@10", 0.4325, low=0.41, high=0.45),
        row("borda", "err", 0.3, low=0.29, high=0.31),
        row("rrf(c=60)", "ndcg@10", 0.45171, 0.001, low=0.43, high=0.47),
        row("rrf(c=60)", "err", 0.2, 0.049, low=0.19, high=0.21),
        row("stagg_rrf", "ndcg@10", 0.4516, 0.05, low=0.43, high=0.47),
        row("stagg_rrf", "err", 0.300001, 0.9, low=0.29, high=0.31),
    )
    given: dict[str, Any] = {"conventions": "letor4", "seed": 7, "index": "method", "baseline": "borda"} | more
    return Table("compare", rows, **given)


def hostile_table(index: str | None = "method") -> Table:
    """Hostile texts as methods, in a measure's name and in notes; better and worse than the third."""
    means = [0.5 + 0.01 * number for number in range(len(HOSTILE))]
    rows = [
        row(text, name, mean, 0.01) for text, mean in zip(HOSTILE, means, strict=True) for name in ("p_|&$%@5", "err")
    ]
    return Table("compare", tuple(rows), "standard", 0, tuple(HOSTILE), index, HOSTILE[2])


def test_a_comparison_has_a_line_per_method_and_a_column_per_measure_in_order_of_appearance() -> None:
    grid = comparison().grid()
    assert grid.header == ["method", "ndcg@10", "err"]
    assert [line[0].text for line in grid.cells] == ["borda", "rrf(c=60)", "stagg_rrf"]
    assert [line[1].text for line in grid.cells] == ["0.4325", "0.4517", "0.4516"]
    assert grid.right == [False, True, True]


def test_the_best_of_each_measure_is_bold_and_what_looks_the_same_too() -> None:
    grid = comparison().grid()
    assert [line[1].bold for line in grid.cells] == [False, True, False]
    assert [line[2].bold for line in grid.cells] == [True, False, True]  # 0.3000 and 0.300001
    assert not any(line[0].bold for line in grid.cells)


def test_one_method_alone_is_not_the_best() -> None:
    assert not pivot([row("borda", "err", 0.3)]).has_best
    assert not pivot([row("borda", "err", 0.3), row("rrf", "err", None)]).has_best


def test_marks_show_what_is_significantly_better_and_worse_than_the_baseline() -> None:
    grid = comparison().grid()
    assert [line[1].mark for line in grid.cells] == ["", BETTER, ""]  # p = 0.05 is not below 0.05
    assert [line[2].mark for line in grid.cells] == ["", WORSE, ""]
    assert any("than borda" in note for note in grid.notes)


@pytest.mark.parametrize("p", [None, math.nan, 0.05, 1.0])
def test_nothing_is_marked_without_evidence(p: float | None) -> None:
    grid = pivot([row("borda", "err", 0.3), row("rrf", "err", 0.9, p)], baseline="borda")
    assert grid.cells[1][1].mark == ""


def test_nothing_is_marked_without_a_baseline_or_a_difference() -> None:
    rows = [row("borda", "err", 0.3), row("rrf", "err", 0.9, 0.001)]
    assert pivot(rows).cells[1][1].mark == ""
    assert pivot(rows).notes == []
    same = [row("borda", "err", 0.3), row("rrf", "err", 0.3, 0.001)]
    assert pivot(same, baseline="borda").cells[1][1].mark == ""


def test_what_is_unknown_shows_a_dash_and_is_never_the_best() -> None:
    rows = [row("a", "err", math.nan, 0.01), row("a", "p@5", 0.1), row("b", "err", 0.2), row("c", "err", 0.1)]
    grid = pivot(rows, baseline="b")
    assert [[cell.text for cell in line] for line in grid.cells] == [
        ["a", "-", "0.1000"],
        ["b", "0.2000", "-"],
        ["c", "0.1000", "-"],
    ]
    assert [cell.bold for cell in grid.cells[1]] == [False, True, False]
    assert grid.cells[0][1].mark == ""


def test_two_rows_for_one_cell_are_an_error() -> None:
    with pytest.raises(InvalidParameter, match="two rows for method 'a' and measure 'err'"):
        pivot([row("a", "err", 0.1), row("a", "err", 0.2)])


def test_intervals_stand_beside_the_means() -> None:
    grid = pivot(comparison().rows, intervals=True, baseline="borda")
    assert grid.cells[1][1] == Cell("0.4517 [0.4300, 0.4700]", bold=True, mark=BETTER)
    assert pivot([row("a", "err", 0.1)], intervals=True).cells[0][1].text == "0.1000"


def test_numbers_are_shown_as_people_read_them() -> None:
    values = {"zero": 0.0, "below": -1e-7, "half": 0.5, "p": 1 / 10_001, "many": 12345.678901, "count": 1692}
    texts = [cell.text for cell in flat([values]).cells[0]]
    assert texts == ["0.0000", "-1e-07", "0.5000", "0.0001", "12345.6789", "1692"]
    assert pivot([row("a", "err", -1e-9)]).cells[0][1].text == "0.0000"


def test_the_conventions_and_the_notes_come_with_every_format() -> None:
    table = comparison(notes=("best_input: chosen on the same queries",))
    for text in (repr(table), table._repr_html_(), table.to_markdown(), table.to_latex()):
        assert "conventions: letor4; seed: 7" in text
        assert "than borda" in text
        assert "chosen on the same queries" in text


def test_every_format_shows_the_same_numbers() -> None:
    table = comparison()
    for text in (repr(table), table._repr_html_(), table.to_markdown(), table.to_latex()):
        for number in ("0.4325", "0.4517", "0.4516", "0.2000"):
            assert number in text


def test_the_text_of_a_comparison_is_this() -> None:
    assert repr(comparison()).splitlines() == [
        "method      ndcg@10       err",
        "---------  --------  --------",
        "borda       0.4325   *0.3000",
        "rrf(c=60)  *0.4517▲   0.2000▼",
        "stagg_rrf   0.4516   *0.3000",
        "",
        "conventions: letor4; seed: 7",
        "▲ ▼: better, worse than borda (randomisation test, Holm-corrected for 2 comparisons, p < 0.05)",
        "*: the best of its column",
    ]


def test_text_is_aligned() -> None:
    table = comparison()
    lines = as_text(table.grid()).split("\n\n")[0].splitlines()
    rules = lines[1]
    ends = [match.end() for match in re.finditer("-+", rules)]
    starts = [match.start() for match in re.finditer("-+", rules)]
    for line in [lines[0], *lines[2:]]:
        assert len(line) <= len(rules)
        for end, start in some(zip(ends, starts[1:], strict=False)):
            assert line[end:start].strip() == ""
    points = {tuple(match.start() for match in re.finditer(r"\.", line)) for line in lines[2:]}
    assert len(points) == 1  # digits stand below digits, marked or not


def test_wide_letters_and_accents_keep_text_aligned() -> None:
    grid = Grid(
        ["id", "n"], [[Cell("日本"), Cell("1")], [Cell("e\u0301"), Cell("2")], [Cell("abcd"), Cell("3")]], [False, True]
    )
    assert as_text(grid).splitlines()[2:] == ["日本  1", "e\u0301     2", "abcd  3"]


def test_a_long_table_shows_its_first_lines_and_says_how_many_follow() -> None:
    rows = tuple({"query": f"q{number}", "value": 0.5} for number in range(tables.SHOWN_LINES + 1500))
    table = Table("evaluate", rows)
    assert "q99 " in repr(table)
    assert "q100 " not in repr(table)
    assert "1,500 more lines" in repr(table)
    assert "1,500 more lines" in table._repr_html_()
    assert "q1599 " in table.to_markdown()
    assert len(table.to_csv().splitlines()) == 1601


def test_json_is_valid_and_reads_back_the_same() -> None:
    rows = (
        {
            "method": '日本\x1b"\n',
            "mean": 0.1 + 0.2,
            "p_t": math.nan,
            "effect": math.inf,
            "wins": np.int64(3),
            "low": None,
        },
        {"method": "b", "mean": np.float64(1e-17), "ties": True},
    )
    table = Table("compare", rows, conventions="standard", seed=3, notes=("a note",))
    read = json.loads(table.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert {key: read[key] for key in ("command", "version", "conventions", "seed", "notes")} == {
        "command": "compare",
        "version": __version__,
        "conventions": "standard",
        "seed": 3,
        "notes": ["a note"],
    }
    assert read["rows"] == [
        {"method": '日本\x1b"\n', "mean": 0.1 + 0.2, "p_t": None, "effect": None, "wins": 3, "low": None},
        {"method": "b", "mean": 1e-17, "ties": True},
    ]


def test_json_names_what_is_not_known_too() -> None:
    read = json.loads(Table("evaluate", ()).to_json())
    assert {"command", "version", "conventions", "seed", "rows"} <= set(read)
    assert read["conventions"] is None
    assert read["rows"] == []


def test_csv_reads_back_the_same_whatever_the_ids() -> None:
    rows = tuple({"method": text, "mean": 0.1 + 0.2, "p_t": math.nan, "low": None, "wins": 3} for text in HOSTILE)
    read = list(csv.DictReader(io.StringIO(Table("compare", rows).to_csv(), newline="")))
    assert [line["method"] for line in read] == HOSTILE
    for line in read:
        assert (line["p_t"], line["low"], line["wins"]) == ("", "", "3")
        assert float(line["mean"]) == 0.1 + 0.2


def test_rows_of_different_columns_meet_in_one_table() -> None:
    table = Table("evaluate", ({"run": "a", "mean": 0.5}, {"run": "b", "query": "q1"}))
    assert table.to_columns() == {"run": ["a", "b"], "mean": [0.5, None], "query": [None, "q1"]}
    assert table.to_csv() == "run,mean,query\na,0.5,\nb,,q1\n"
    assert [[cell.text for cell in line] for line in table.grid().cells] == [["a", "0.5000", "-"], ["b", "-", "q1"]]


def test_dicts_are_copies_with_plain_numbers() -> None:
    table = Table("evaluate", ({"run": "a", "mean": np.float32(0.5), "queries": np.int32(2)},))
    (got,) = table.to_dicts()
    assert (type(got["mean"]), type(got["queries"])) == (float, int)
    got["run"] = "changed"
    assert table.rows[0]["run"] == "a"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_make_a_data_frame(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame(comparison().to_columns())
    assert len(frame) == 6
    assert float(frame["mean"].max()) == 0.45171


@pytest.mark.parametrize("index", ["method", None])
def test_markdown_has_the_same_number_of_columns_in_every_line(index: str | None) -> None:
    grid = hostile_table(index).grid()
    lines = as_markdown(grid).split("\n\n")[0].splitlines()
    assert len(lines) == len(grid.cells) + 2
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines} == {len(grid.header) + 1}


@pytest.mark.parametrize("index", ["method", None])
def test_markdown_shows_every_text_as_it_is_and_runs_none(index: str | None) -> None:
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table").enable("strikethrough")
    grid = hostile_table(index).grid()
    shown = Tags(parser.render(as_markdown(grid)))
    assert shown.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p", "strong"}
    first = shown.cells[len(grid.header) :: len(grid.header)]
    assert [text.strip() for text in first] == [expected(line[0].text).strip() for line in grid.cells]


@pytest.mark.parametrize("index", ["method", None])
def test_html_shows_every_text_as_it_is_and_runs_none(index: str | None) -> None:
    grid = hostile_table(index).grid()
    shown = Tags(as_html(grid))
    assert shown.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p", "br", "b"}
    first = shown.cells[len(grid.header) :: len(grid.header)]
    assert first == [expected(line[0].text) for line in grid.cells]


class Tags(html.parser.HTMLParser):
    """The names of all tags of a page and the texts of its cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data.removesuffix("\n")


def expected(text: str) -> str:
    """What a reader sees of a text: control characters by their escapes, at most 200 letters."""
    cut = text if len(text) <= 200 else text[:199] + "…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in cut)


@pytest.mark.parametrize("index", ["method", None])
def test_latex_is_balanced_and_has_the_same_number_of_columns_in_every_line(index: str | None) -> None:
    grid = hostile_table(index).grid()
    text = without_comments(as_latex(grid, caption=" ".join(HOSTILE)))
    body = text.split("\\toprule\n")[1].split("\n\\bottomrule")[0].replace("\n\\midrule", "").splitlines()
    assert len(body) == len(grid.cells) + 1
    for line in body:
        assert line.endswith(" \\\\")
        assert len(re.findall(r"(?<!\\)&", line)) == len(grid.header) - 1
    assert braces_left_open(text) == 0
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0


def without_comments(text: str) -> str:
    lines = text.splitlines(keepends=True)
    before = [line for line in lines if line.startswith("%")]
    assert lines[: len(before)] == before  # they stand before the table
    return "".join(lines[len(before) :])


FRAME = {"begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule"}
DRESS = {"rlap", "textbf", "blacktriangle", "blacktriangledown"}
ESCAPES = {f"text{name}" for name in ("backslash", "asciitilde", "asciicircum", "asciigrave", "less", "greater", "bar")}


def test_latex_runs_no_command_of_a_text() -> None:
    text = without_comments(as_latex(hostile_table().grid(), caption=" ".join(HOSTILE), label="tab:x"))
    commands = set(re.findall(r"\\([a-zA-Z]+)", text))
    assert commands == FRAME | DRESS | ESCAPES
    assert "%" not in re.sub(r"\\%", "", text)  # no comment hides the rest of a line
    assert not re.search(r"\\\\\s*[\[*]", text)  # \\[1em] and \\* are orders


def braces_left_open(text: str) -> int:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    return depth


def test_latex_and_markdown_dress_the_best_and_the_marks() -> None:
    table = comparison()
    assert (
        r"rrf(c=60) & \textbf{0.4517}\rlap{$^{\blacktriangle}$} & 0.2000\rlap{$^{\blacktriangledown}$} \\"
        in table.to_latex()
    )
    assert "**0.4517**▲" in table.to_markdown()
    assert "<b>0.4517</b>▲" in table._repr_html_()
    assert "▲" not in table.to_latex()


def test_latex_has_a_short_caption_and_a_label_and_the_settings_in_comments() -> None:
    text = comparison(notes=("weights: chosen by fold: " + "bm25 0.25, dense 1; " * 50,)).to_latex()
    [caption] = re.findall(r"\\caption\{(.*)\}", text)
    assert caption.startswith("Means")
    assert "better, worse than borda" in caption
    assert caption.endswith("(randomisation test, Holm-corrected for 2 comparisons, $p < 0.05$).")
    assert len(caption) < 220
    assert "\\label{tab:compare}" in text
    assert "\n% weights: chosen by fold: bm25 0.25" in text
    named = comparison().to_latex(caption="Ours & theirs, 5 % better", label="tab:main")
    assert r"\caption{Ours \& theirs, 5 \% better. Bold: the best" in named
    assert r"\label{tab:main}" in named
    with pytest.raises(InvalidParameter, match="the label"):
        comparison().to_latex(label="tab:{x}")


def test_a_caption_of_the_users_own_keeps_the_legend() -> None:
    given = comparison(legend=("Tuned (tuned): 5-fold cross-validation",), same_queries=("stagg_rrf",))
    [caption] = re.findall(r"\\caption\{(.*)\}", given.to_latex(caption="My results!"))
    assert caption.startswith(
        r"My results! Bold: the best of its column. $\blacktriangle$ $\blacktriangledown$: better"
    )
    assert r"$\dagger$: trained on the queries it is tested on: not comparable. Tuned (tuned): 5-fold" in caption
    assert "caption" not in given.to_latex(caption="")


def test_what_was_trained_on_the_tested_queries_has_its_own_mark_and_is_never_the_best() -> None:
    table = comparison(same_queries=("rrf(c=60)",))
    cells = table.grid().cells
    assert [line[1] for line in cells] == [Cell("0.4325"), Cell("0.4517", mark=SEEN), Cell("0.4516", bold=True)]
    assert cells[1][2] == Cell("0.2000", mark=SEEN)
    for text in (repr(table), table._repr_html_(), table.to_markdown()):
        assert "†: trained on the queries it is tested on: not comparable" in text
        assert "0.4517†" in text
    assert r"0.4517\rlap{$^{\dagger}$}" in table.to_latex()
    assert r"$\dagger$: trained on the queries it is tested on: not comparable." in table.to_latex()
    assert "No difference from borda is significant" in repr(table)


def test_nothing_is_better_than_a_baseline_that_was_trained_on_the_tested_queries() -> None:
    table = comparison(same_queries=("borda",))
    assert {cell.mark for line in table.grid().cells for cell in line} == {"", SEEN}
    assert "than borda" not in repr(table) + table.to_latex()
    assert "from borda" not in repr(table) + table.to_latex()


def test_a_flat_table_marks_the_means_of_what_was_trained_on_the_tested_queries() -> None:
    table = comparison(same_queries=("borda",), index=None, baseline=None)
    assert [line[2].mark for line in table.grid().cells] == [SEEN] * 2 + [""] * 4
    assert "not comparable" in repr(table)
    assert "not comparable" in table.to_latex(caption="Tests")


def test_what_absence_means_has_a_line_to_itself_in_every_format() -> None:
    table = comparison().add_settings(absent_items={"skip": ["rrf", "borda"], "below": ["stagg_rrf"]}, depth=10)
    said = "absent items: skip in rrf, borda; below in stagg_rrf"
    assert [note for note in table.grid().notes if "absent" in note] == [said]
    assert "conventions: letor4; seed: 7; depth: 10" in table.grid().notes
    assert f"\n% {said}\n" in table.to_latex()
    assert json.loads(table.to_json())["settings"]["absent_items"] == {"skip": ["rrf", "borda"], "below": ["stagg_rrf"]}


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_steers_a_terminal_or_breaks_a_line(text: str) -> None:
    table = Table("compare", (row(text, text, 0.5), row("other", text, 0.4)), text, 0, (text,), "method", text)
    few = {repr(table).count("\n"), table.to_markdown().count("\n"), table.to_latex().count("\n")}
    plain = Table("compare", (row("a", "b", 0.5), row("other", "b", 0.4)), "c", 0, ("d",), "method", "a")
    assert few == {repr(plain).count("\n"), plain.to_markdown().count("\n"), plain.to_latex().count("\n")}
    for shown in (repr(table), table.to_markdown(), table.to_latex(), table._repr_html_()):
        assert shown.replace("\n", "").isprintable()


def test_a_table_without_rows_still_prints() -> None:
    for index in (None, "method"):
        table = Table("evaluate", (), conventions="standard", index=index)
        for text in (repr(table), table._repr_html_(), table.to_markdown(), table.to_latex()):
            assert "conventions: standard" in text


def test_every_text_for_a_file_ends_its_last_line() -> None:
    table = comparison()
    for text in (table.to_csv(), table.to_json(), table.to_markdown(), table.to_latex()):
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_becomes_a_frame_with_its_numbers_and_gaps(library: str) -> None:
    pytest.importorskip(library)
    rows = (
        {"method": "rrf", "mean": 0.5, "p_t": None, "wins": None},
        {"method": "borda", "mean": 0.25, "p_t": 0.01, "wins": 3},
    )
    frame = Table("compare", rows).to_frame(library)
    assert list(frame.columns) == ["method", "mean", "p_t", "wins"]
    assert frame["mean"].to_list() == [0.5, 0.25]
    assert frame["method"].to_list() == ["rrf", "borda"]
    assert frame["p_t"].to_list()[1] == 0.01
    assert int(frame["p_t"].isna().sum() if library == "pandas" else frame["p_t"].null_count()) == 1


def test_a_table_of_nothing_is_an_empty_frame_and_other_libraries_are_named() -> None:
    pytest.importorskip("pandas")
    assert len(Table("evaluate", ()).to_frame()) == 0
    with pytest.raises(InvalidParameter, match="pandas"):
        Table("evaluate", ()).to_frame("excel")
