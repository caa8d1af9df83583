"""How the lines of a text table are cut: bars, blanks, rules, headers that lack the name of the first column."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, read
from stagg.formats.tables.sources.dialects import find_delimiter, has_row_names, looks_like_table, unframe

PRINTED = ["model          ndcg@10   mrr", "bm25             0.506  0.70", "random forest    0.731  0.89"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (PRINTED, "  "),
        (["item score", "a 1", "b 2"], " "),
        (["item score", "a 1"], ","),  # one row may be anything
        (["a|b", "x|1"], "|"),
        (["a|b", "x|y"], ","),  # ids with a bar, most likely
        (["| item | score |", "|------|------:|", "| a | 1 |"], "|"),
        (["neg|score\tpos|score", "1\t2"], "\t"),
        (["name, town|votes", "Ann, Rome|3"], ","),  # a comma in the header: not told apart
        (["My great survey", "voter,1st,2nd", "Ann,A,B"], ","),
    ],
)
def test_a_separator_is_believed_where_the_header_and_the_rows_agree(lines: list[str], expected: str) -> None:
    assert find_delimiter(lines) == expected


@pytest.mark.parametrize(
    ("lines", "delimiter", "expected"),
    [
        (["logFC\tt", "TP53\t2.5\t1", "MYC\t1.5\t2"], "\t", True),
        (["logFC,t", "TP53,2.5,1", "MYC,1.5,2"], ",", True),
        (["logFC,t", "TP53,2,1", "MYC,1,2"], ",", False),  # commas may be decimal commas
        (['"a","b"', '"1",2,3', '"2",4,5'], ",", True),
        (["item\tscore", "TP53\t2.5\tx", "MYC\t1.5\ty"], "\t", False),  # the items have a name
        (["model ndcg", "Random Forest 0.5", "Gradient Boosting 0.7"], " ", False),  # names with a blank
        (["logFC\tt", "TP53\t2.5\t1", "TP53\t1.5\t2"], "\t", False),  # names of rows differ
        (["a\tb", "x\t1", "y\t2"], "\t", False),
    ],
)
def test_a_header_without_a_name_for_the_first_column_is_told_by_all_rows(
    lines: list[str], delimiter: str, expected: bool
) -> None:
    assert has_row_names(lines, delimiter) is expected


def test_rules_and_frames_are_not_cells() -> None:
    lines = ["+---+---+", "| a | b |", "+===+===+", "| 1 | 2 |", "+---+---+"]
    assert [line.strip() for line in unframe(lines, "|", lines)] == ["a | b", "1 | 2"]
    assert list(unframe(["a  b", "---  ---", "-1  -2"], "  ", [])) == ["a  b", "-1  -2"]


def test_a_text_that_no_sign_makes_a_table_of_says_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text('x, y; z\n\n"an open quote, never; closed\n')
    with pytest.raises(DataError) as caught:
        read(path)
    assert "could be separated in two ways; neither of them makes a table of rankings" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n".join(PRINTED), True),
        ("q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\n", False),
        ("q1 0 d1 1\nq1 0 d2 0\n", False),
        ("sep=;\na;b\n1;2\n", True),
        ("some words here\nand others\n", False),
    ],
)
def test_a_printed_table_is_no_run(text: str, expected: bool) -> None:
    assert looks_like_table(text.encode()) is expected
