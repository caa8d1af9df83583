"""Where tables, notes and lists of an evaluation end or change their words: at the number itself, and one beyond."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.evaluation.test_gate import LABELS, decide, run_with

import stagg
from stagg.errors import DataError, InvalidParameter
from stagg.evaluation.choices import count_range, name_briefly, tell_choices
from stagg.evaluation.folds import check_parts, folds_of_parts, hash_parts
from stagg.evaluation.list_lengths import tell_lengths
from stagg.evaluation.tables import Cell, Grid, Table, as_latex, as_markdown, flat
from stagg.measures import ask_measures

# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (999999.5, "999999.5000"), (1e6, "1e+06"), (1e-4, "0.0001"), (9.94e-5, "9.94e-05"), (-1e-4, "-0.0001"),
        (0.0, "0.0000"),
        (None, "-"), (float("nan"), "-"), (3, "3"), (True, "True"),
    ],
)  # fmt: skip
def test_four_digits_from_a_ten_thousandth_to_a_million(value: Any, text: str) -> None:
    assert flat([{"value": value}]).cells[0][0].text == text


@pytest.mark.parametrize(("lines", "told"), [(100, None), (101, "1 more line;"), (102, "2 more lines;")])
def test_a_hundred_lines_are_printed(lines: int, told: str | None) -> None:
    shown = repr(Table("x", tuple({"n": f"n{k}"} for k in range(lines))))
    assert len(re.findall(r"^n\d+", shown, re.MULTILINE)) == 100
    assert ("more line" in shown) == (told is not None)
    assert told is None or told in shown


def test_a_cell_has_two_hundred_letters() -> None:
    for count, end in ((200, "x" * 200), (201, "x" * 199 + "…")):
        told = as_markdown(Grid(["a"], [[Cell("x" * count)]], [False])).splitlines()[-1]
        assert told == f"| {end} |"


@pytest.mark.parametrize(("rule", "after"), [(0, None), (1, "a"), (2, "b"), (3, None)])
def test_a_rule_stands_below_the_inputs_unless_nothing_follows(rule: int, after: str | None) -> None:
    grid = Grid(["m"], [[Cell(name)] for name in "abc"], [False])
    lines = as_latex(grid, rule=rule, caption="C", below=["a note"]).splitlines()
    rules = [lines[number - 1].removesuffix(" \\\\") for number, line in enumerate(lines) if line == "\\midrule"]
    assert rules == ["m", *[after] * (after is not None)]
    assert lines[-2] == r"\par\smallskip\parbox{\linewidth}{\footnotesize a note.}"
    assert "\\label" not in as_latex(grid, label="tab:x")  # without a caption it would name the section


def test_captions_say_over_how_many_queries_the_means_are() -> None:
    def caption(*queries: int) -> str:
        rows = tuple({"method": f"m{k}", "measure": "err", "mean": 0.5, "queries": n} for k, n in enumerate(queries))
        return str(re.findall(r"\\caption\{(.*)\}", Table("compare", rows, index="method").to_latex())[0])

    assert caption(12, 12).startswith("Means over 12 queries.")
    assert caption(1).startswith("Means over 1 query")
    assert caption(12, 13).startswith("Means.")


def test_settings_that_say_nothing_are_not_told() -> None:
    table = Table("x", ({"a": 1},), seed=0).add_settings(depth=None, only_common=False, top=3)
    assert table.told_settings() == [("seed", "0"), ("top", "3")]


# --- names and choices ------------------------------------------------------------------------------------------------


def test_names_of_twenty_four_letters_stay_and_longer_ones_are_brief() -> None:
    whole, long = "rrf(c=60, missing='skip'"[:23] + ")", "rrf(c=60, missing='skip')"
    assert (len(whole), len(long)) == (24, 25)
    assert name_briefly([whole]) == {whole: whole}
    assert name_briefly([long]) == {long: "rrf"}
    assert list(name_briefly([long, "rrf"]).values()) == ["rrf 1", "rrf"]
    assert list(name_briefly(["rrf 1", long, long.replace("60", "70")]).values()) == ["rrf 1", "rrf 2", "rrf 3"]


def test_choices_of_five_folds_are_listed_and_of_six_counted() -> None:
    five = ["a(x=1)", "a(x=2)", "a(x=1)", "a(x=1)", "a(x=1)"]
    assert tell_choices(five) == "; ".join(five)
    assert tell_choices([*five, "a(x=2)"]) == "a(x=1) (4 folds); a(x=2) (2 folds)"
    assert tell_choices(["a"] * 2) == "a (2 folds)"
    assert (count_range([1]), count_range([1, 2]), count_range([2000])) == (
        "1 query",
        "1 to 2 queries",
        "2,000 queries",
    )


# --- folds ------------------------------------------------------------------------------------------------------------


def test_folds_are_three_or_more_and_no_more_than_queries() -> None:
    queries = [f"q{k}" for k in range(7)]
    for count in (3, 7):
        parts = hash_parts(queries, count, 1)
        assert sorted(query for part in parts for query in part) == queries
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
    for count in (2, 8):
        with pytest.raises(
            InvalidParameter, match=rf"folds must be from 3 to the number of queries \(7\), not {count}"
        ):
            hash_parts(queries, count, 1)
    assert hash_parts(queries, 3, 1) != hash_parts(queries, 3, 2)
    with pytest.raises(InvalidParameter, match="folds need 3 parts or more"):
        folds_of_parts([["a"], ["b"]])
    folds = folds_of_parts([["a"], ["b", "c"], ["d"]])
    assert [(fold.train, fold.validation, fold.test) for fold in folds] == [
        (("a",), ("b", "c"), ("d",)), (("b", "c"), ("d",), ("a",)), (("d",), ("a",), ("b", "c")),
    ]  # fmt: skip
    assert folds[0].known == ("a", "b", "c")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (3, "folds are a number, or lists of query ids, not 3"),
        (["ab", ["c"]], "folds are a number, or lists of query ids"),
        ([["a", "b"], ["b", "c"]], "a query is in two parts of the folds"),
        ([["a"], ["b"]], "1 labelled queries are in no part of the folds: 'c', ..."),
        ([["a", "b", "c"], ["z"]], "a part of the folds has no labelled query"),
    ],
)
def test_parts_that_are_no_folds_are_refused(parts: Any, said: str) -> None:
    with pytest.raises(InvalidParameter, match=re.escape(said)):
        check_parts(parts, ["a", "b", "c"])
    assert check_parts([["a", "x"], ["b"], ["c", 3]], ["a", "b", "c"]) == [["a"], ["b"], ["c"]]  # type: ignore[list-item]


# --- lengths of lists -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lists", "measures", "fuses", "told"),
    [
        ([["a", "b"], ["a", "b"]], "AP", True, None),  # the fused list is no longer
        ([["a", "b"], ["a", "b"]], "AP", False, None),
        ([["a", "b"], ["a", "c"]], "AP", False, None),  # inputs of one length
        ([["a", "b"], ["a", "c"]], "AP", True, "AP counts all items of a list, and the lists differ: an input has at "
         "most 2, a fused list up to 3; AP@2 is fair"),
        ([["a", "b", "c"], ["a"]], "AP, RR", False, "AP, RR count all items of a list, and the lists differ: the "
         "longest list of an input has 1 to 3; AP@1 is fair"),
        ([["a", "b", "c"], ["a"]], "AP", True, "AP counts all items of a list, and the lists differ: the longest list "
         "of an input has 1 to 3; AP@1 is fair"),
        ([["a", "b"], ["a"], []], "p@5", True, None),
    ],
)  # fmt: skip
def test_measures_of_whole_lists_say_which_lists_are_longer(
    lists: Any, measures: str, fuses: bool, told: str | None
) -> None:
    found = tell_lengths(stagg.Rankings.from_lists(lists), ask_measures(measures), fuses=fuses)
    assert found == ([] if told is None else [told])


# --- the gate ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("differing", "told"), [(9, True), (10, False)])
def test_ten_queries_that_differ_are_not_few(differing: int, told: bool) -> None:
    found = decide([1] * 40, [2] * differing + [1] * (40 - differing))
    assert any(f"only {differing} of 40 queries differ" in note for note in found.table.notes) == told
    assert found.changes[0].differing == differing


@pytest.mark.parametrize(("queries", "told"), [(9, True), (10, False)])
def test_ten_queries_are_not_few(queries: int, told: bool) -> None:
    found = stagg.gate(run_with([1] * queries), run_with([2] * queries), LABELS, margin=0.9, measures="mrr")
    assert any(note.startswith(f"only {queries} queries: with so few") for note in found.table.notes) == told


def test_the_five_queries_that_fell_most_are_shown_the_largest_fall_first() -> None:
    found = decide([1] * 40, [2, 2, 2, 2, 3, 3] + [1] * 34)
    assert [fall.new for fall in found.falls] == pytest.approx([1 / 3, 1 / 3, 0.5, 0.5, 0.5])
    assert len(found.falls) == 5
    assert [fall.difference for fall in found.falls] == sorted(fall.difference for fall in found.falls)
    assert "The 5 queries that fell most, by mrr:" in found.to_markdown()
    one = decide([1] * 40, [2] + [1] * 39)
    assert "The query that fell most, by mrr:" in one.to_markdown()


def test_the_number_that_would_decide_is_rounded_up_to_two_digits() -> None:
    seen = set()
    for better, margin in ((10, 0.01), (11, 0.005), (19, 0.02), (12, 0.001)):
        found = decide([1, 2] * 20, [2, 1] * better + [1, 2] * (20 - better), margin=margin)
        if found.verdict != "UNDECIDED" or found.needed is None:
            continue
        [told] = re.findall(r"About ([\d,]+) queries", found.reason)
        number, digits = int(told.replace(",", "")), len(str(found.needed)) - 2
        assert number == -(-found.needed // 10**digits) * 10**digits
        seen.add(len(str(found.needed)))
    assert seen


def test_counts_of_one_have_their_own_words() -> None:
    old, new = run_with([1] * 12), run_with([1] * 11)
    found = stagg.gate(old, new, {str(q): LABELS[str(q)] for q in range(13)}, margin=0.5, measures="mrr")
    assert "1 query is not in NEW and counts 0 there" in found.table.notes
    assert "1 query with labels is left out" in found.table.notes
    fewer = stagg.gate(old, old, {str(q): LABELS[str(q)] for q in range(11)}, margin=0.5, measures="mrr")
    assert "1 query of the runs has no labels and is left out" in fewer.table.notes
    none = {str(q): LABELS[str(q)] for q in range(11)} | {"11": {"a": 0, "b": 0, "c": 0}}
    barren = stagg.gate(old, old, none, margin=0.5, measures="mrr")
    assert "1 query has no relevant document and counts 0 in both runs" in barren.table.notes


@pytest.mark.parametrize(("unlabelled", "said"), [
    (1, "1 of the 200 documents (less than 1 %) that only NEW has among its first 10 has no label, in 1 query"),
    (2, "2 of the 200 documents (1 %) that only NEW has among its first 10 have no label, in 2 queries"),
])  # fmt: skip
def test_documents_without_labels_are_counted_among_those_that_one_run_has(unlabelled: int, said: str) -> None:
    labels = {f"q{k}": {"a": 1, "x": 0, "y": 0} for k in range(100)}
    for k in range(unlabelled):
        del labels[f"q{k}"]["y"]
    old = {"old": {query: {"a": 1.0} for query in labels}}
    new = {"new": {query: {"a": 3.0, "x": 2.0, "y": 1.0} for query in labels}}
    with pytest.raises(DataError) as error:
        stagg.gate(old, new, labels, margin=0.1)
    assert str(error.value).startswith(said)
    assert (", …)" in str(error.value)) == (unlabelled > 1)
    assert "query 'q0', document 'y'" in str(error.value)


# --- diffs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("alone", "told"), [
    (1, "1 query is only in OLD: a0"),
    (5, "5 queries are only in OLD: a0, a1, a2, a3, a4"),
    (6, "6 queries are only in OLD: a0, a1, a2, a3, a4, …"),
])  # fmt: skip
def test_queries_that_one_run_has_are_named_up_to_five(alone: int, told: str) -> None:
    old = {"old": {"q": {"a": 1}, **{f"a{k}": {"a": 1} for k in range(alone)}}}
    found = stagg.diff(old, {"new": {"q": {"a": 1}}})
    assert found.notes[1:] == (told,)
    assert found.summary == f"Nothing changed in the only query that both runs have. {told}."


def test_a_diff_tells_of_moves_in_the_right_number() -> None:
    old = {"old": {"p": {"a": 3, "b": 2, "c": 1}, "q": {"a": 2, "b": 1}}}
    new = {"new": {"p": {"a": 3, "c": 2, "b": 1}, "q": {"a": 2, "b": 1}}}
    found = stagg.diff(old, new, top=2, texts={"c": "T" * 31, "b": "T" * 30})
    assert found.summary.endswith("The first 2 hold other items in 1 query: 1 item moved in.")
    assert found.summary.startswith(
        f"1 of 2 queries changed, mean overlap {np.mean([1, found.queries[0].overlap]):.3f}"
    )
    [row] = found.table().rows
    assert (row["highest in"], row["highest out"]) == (f"c (3→2) {'T' * 29}…", f"b (2→3) {'T' * 30}")
    assert found.moved == ["c", "b"]
    assert "1 more query changed less" in found.table(0).notes
    for p in (0, 1, True, "0.9"):
        with pytest.raises(InvalidParameter, match="it must be a number above 0 and below 1"):
            stagg.diff(old, new, p=p)  # type: ignore[arg-type]
