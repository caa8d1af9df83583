"""What a table that could be several things is taken for, and what its error proposes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg import DataError, DataWarning
from stagg.formats import ReadLog

NAMED = "Ann,A,{0}\nAnn,B,{1}\nBob,B,{0}\nBob,A,{1}\n"


@pytest.mark.parametrize(
    ("names", "rows", "asked"),
    [
        ("ranker,item,note", NAMED.format("good", "bad"), True),
        ("voter,candidate,note", NAMED.format("good", "bad"), True),
        ("judge,doc,x,y", NAMED.format("good,x", "bad,y"), True),
        ("judge,doc,x,y", "Ann,A,good,x\nBob,B,bad,y\n", False),  # no judge comes again: these are no lists
        ("judge,title,x,y", NAMED.format("good,x", "bad,y"), False),  # nothing says where the items are
        ("ranker,item,points,price", NAMED.format("3,x", "2,y"), False),  # the points may be scores
        ("voter,candidate,rank,note", NAMED.format("top,x", "low,y"), False),  # there are ranks, in words
        ("voter,candidate,score,note", NAMED.format("high,x", "low,y"), False),
    ],
)
def test_a_column_of_ranks_is_asked_for_where_only_that_is_missing(
    names: str, rows: str, asked: bool, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{names}\n{rows}")
    for header in (None, True, False):
        with pytest.raises(DataError) as caught:
            stagg.read(path, header=header)
        assert ("add a column rank" in str(caught.value)) == (asked and header is not False)


def test_an_error_names_at_most_twenty_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(",".join(["query", *(f"c{k:02}" for k in range(29))]) + "\n")
    with pytest.raises(DataError, match=r"found: 'query', .*'c18'(?!.*'c19')"):
        stagg.read(path, format="csv", layout="long")


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("labA,labB,labC\nTP53,MYC,TP53\nMYC,TP53,\nKRAS,,\n", ["TP53 MYC KRAS", "MYC TP53", "TP53"]),
        ("labA,labB\nTP53,MYC\n,TP53\n", ["TP53", "MYC TP53"]),  # the second list goes on below the end of the first
        ("labA,labB\nTP53,MYC\nMYC,TP53\nKRAS,\n", None),  # or voters who left out their second choice
        ("x,y\nTP53,MYC\n,TP53\n", None),  # or the first row is a part of the lists
        ("labA,labB\n,MYC\nKRAS,TP53\n", None),  # a list with a hole at its top
    ],
)
def test_lists_below_names_unlike_their_ids_are_read(text: str, lists: list[str] | None, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    if lists is None:
        with pytest.raises(DataError, match=r"Say what it is: .*columns"):
            stagg.read(path)
    else:
        expected = {f"lab{letter}": ids.split() for letter, ids in zip("ABC", lists, strict=False)}
        with pytest.warns(DataWarning, match="the first line was read as a header: the rankers are 'labA', 'labB'"):
            found = stagg.read(path)
        assert found == stagg.Rankings.from_lists(expected)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1002\n1002\n1001\n", {}, "are they ids, best first? If so, the item '1002' of query '1' appears twice"),
        ("a,b\nc,d\n", {"layout": "columns", "values": "rank"}, "; whatever the answer, the option 'values' is for"),
        (
            "X\nnone\nnone\n=2\n",
            {},
            "is every line a vote? With layout='ballots', header=False: '=2': expected an id on",
        ),
    ],
)
def test_a_question_that_no_answer_would_do_for_says_what_stands_in_the_way(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        stagg.read(path, log=ReadLog(), **options)
    assert message in str(caught.value)
