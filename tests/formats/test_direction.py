"""Which way the numbers of a table point: what names say, what numbers show, and what must be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.test_files import groups


def read_table(tmp_path: Path, text: str, **options: Any) -> tuple[Any, str]:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text(text)
    return groups(read(path, log=log, **options))["1"], "\n".join(str(note) for note in log.notes)


def refusal(tmp_path: Path, text: str, **options: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read_table(tmp_path, text, **options)
    return caught.value


def table(names: str, *rows: str) -> str:
    return "\n".join([f"item,{names}", *rows, ""])


UP, DOWN = ["c", "b", "a"], ["a", "b", "c"]


@pytest.mark.parametrize(
    ("names", "rows", "first", "second", "noted"),
    [
        ("bm25_rank,dense_rank", ("a,1,3", "b,2,2", "c,3,1"), DOWN, UP, ""),
        ("ppl,accuracy", ("a,10.5,0.1", "b,12.5,0.2", "c,15.5,0.3"), DOWN, UP,
         "small = top in 'ppl', and in 'accuracy' large = top, by their names; lower=['ppl'] says it"),
        ("ppl,latency_ms", ("a,10.5,30", "b,12.5,20", "c,15.5,11"), DOWN, UP, "small = top in 'ppl', 'latency_ms', by"),
        ("score_x,score_y", ("a,1,3", "b,2,2", "c,3,1"), UP, DOWN, ""),
        ("s,t", ("a,0.1,3.3", "b,0.2,2.2", "c,0.3,1.1"), UP, DOWN,
         "the numbers of 's', 't' were read as scores, large = top; values='rank' reads them as ranks"),
        ("s,t", ("a,-1,5", "b,0,4", "c,3,2"), UP, DOWN, "were read as scores"),
        ("Judge 1,Judge 2", ("a,7,9", "b,8,8", "c,9,6"), UP, DOWN, "were read as scores"),
        ("s,t", ("a,4,8", "b,5,8", "c,5.5,7"), UP, [["a", "b"], "c"], "were read as scores"),
    ],
)  # fmt: skip
def test_names_or_numbers_tell_which_way_a_wide_table_points(
    names: str, rows: tuple[str, ...], first: list[Any], second: list[Any], noted: str, tmp_path: Path
) -> None:
    lists, notes = read_table(tmp_path, table(names, *rows))
    assert list(lists.values()) == [first, second]
    assert noted in notes
    assert bool(noted) is bool(notes)


@pytest.mark.parametrize(
    ("names", "rows", "why"),
    [
        ("s,t", ("a,1,3", "b,2,2", "c,3,1"), "the numbers could be ranks or scores"),
        ("s,t", ("a,1,0.3", "b,2,0.2", "c,3,0.1"), "the numbers could be ranks or scores"),
        ("s,t", ("a,12,30", "b,13,20", "c,14,10"), "the numbers could be ranks or scores"),
        ("Lap 1,Lap 2", ("a,61.25,63.5", "b,62.25,62.1", "c,63.1,61.7"), "these may be times, strokes or points"),
        ("Price,Service", ("a,7,9", "b,8,8.5", "c,9,6"), "some columns seem to hold ranks, or numbers of which"),
    ],
)
def test_numbers_that_may_point_either_way_are_asked_about_and_both_answers_work(
    names: str, rows: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    text = table(names, *rows)
    error = refusal(tmp_path, text)
    assert why in str(error)
    assert error.line == 2
    column = names.split(",")[0]
    for options, expected in (({"values": "rank"}, DOWN), ({"values": "score"}, UP)):
        assert any(say.options == options for say in error.message.says)
        assert read_table(tmp_path, text, **options)[0][column] == expected


def test_the_caller_says_which_small_numbers_are_top(tmp_path: Path) -> None:
    text = table("ppl,wer,f1", "a,10.5,0.3,0.1", "b,12.5,0.2,0.2", "c,15.5,0.1,0.3")
    lists, notes = read_table(tmp_path, text, lower="ppl")
    assert lists == {"ppl": DOWN, "wer": DOWN, "f1": UP}
    assert "'wer' was read as scores, large = top; lower=['ppl', 'wer'] if small is better" in notes
    lists, notes = read_table(tmp_path, text, lower="")
    assert lists == {"ppl": UP, "wer": DOWN, "f1": UP}
    assert notes == ""
    lists, notes = read_table(tmp_path, text, values="score")
    assert lists["ppl"] == UP
    assert "'ppl', 'wer' was read as scores, large = top; lower=['ppl', 'wer'] if small is better" in notes
    assert "'ppl'" not in read_table(tmp_path, text, values="rank")[1]
    assert "there is no column 'pl' for the option 'lower'" in str(refusal(tmp_path, text, lower="pl"))


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("1,1,3", [["A", "B"], "C"]),  # ties share their first place, its mean or the last, or are counted once
        ("1.5,1.5,3", [["A", "B"], "C"]),
        ("2,2,3", [["A", "B"], "C"]),
        ("1,1,2", [["A", "B"], "C"]),
        ("1,3,3", ["A", ["B", "C"]]),
        (",1,2", ["B", "C"]),
        ("0,1,2", None),
        ("1,1,4", None),
        ("2,3,1.5", None),
        ("4,2,1", None),
    ],
)
def test_the_rows_of_a_grid_are_ranks_where_each_is_a_ranking_from_1(
    first: str, expected: list[Any] | None, tmp_path: Path
) -> None:
    text = f"voter,A,B,C\nv,{first}\nw,2,1,3\n"
    if expected is None:
        error = refusal(tmp_path, text)
        assert "not every row is a ranking that begins with 1" in str(error)
        assert error.line == 2
        assert read_table(tmp_path, text, values="score")[0]["w"] == ["C", "A", "B"]
    else:
        lists, notes = read_table(tmp_path, text)
        assert lists == {"v": expected, "w": ["B", "A", "C"]}
        assert "the cells were read as ranks, 1 = top; values='score' reads them as ratings" in notes


def test_ranks_from_0_are_read_so_if_the_caller_says_that_they_are_ranks(tmp_path: Path) -> None:
    text = "voter,A,B,C\nv,0,1,2\nw,2,0,1\n"
    lists, notes = read_table(tmp_path, text, values="rank")
    assert lists == {"v": ["A", "B", "C"], "w": ["B", "C", "A"]}
    assert "ranks were read from 0, 0 = top" in notes
    assert read_table(tmp_path, text, values="rank", lenient=True)[0] == {"v": ["B", "C"], "w": ["C", "A"]}
    error = refusal(tmp_path, text.replace("w,2,0,1", "w,2,1,3"), values="rank")
    assert "the rank in column 2 is below 1" in str(error)


def test_one_voter_in_ten_may_leave_the_first_place_empty(tmp_path: Path) -> None:
    rows = [f"v{number},1,2,3" for number in range(9)]
    lists, notes = read_table(tmp_path, "\n".join(["voter,A,B,C", *rows, "late,,3,2", ""]))
    assert lists["late"] == ["C", "B"]
    assert ":11: no cell has the rank 1; the others move up" in notes
    assert refusal(tmp_path, "\n".join(["voter,A,B,C", *rows[1:], "late,,3,2", ""])).line == 10
    assert refusal(tmp_path, "\n".join(["voter,A,B,C", *rows, "late,,4,2", ""])).line == 11


def test_ranks_below_the_first_are_refused_or_left_out_and_counted(tmp_path: Path) -> None:
    text = table("s,t", "a,-1,3", "b,2,2", "c,0,1")
    error = refusal(tmp_path, text, values="rank")
    assert error.line == 2
    assert "the rank in column 2 is below 0; empty the cell if it means that there is none" in str(error)
    log = ReadLog()
    lists = groups(read(tmp_path / "x.csv", values="rank", lenient=True, log=log))["1"]
    assert lists == {"s": ["c", "b"], "t": UP}
    assert log.rows_dropped == 1


def test_a_column_beside_perfect_rankings_is_asked_about(tmp_path: Path) -> None:
    text = "voter,A,B,C,Age\nv,1,2,3,40\nw,3,1,2,41\n"
    error = refusal(tmp_path, text)
    assert "without the column 'Age' every row is a ranking from 1; what is it?" in str(error)
    count, out, candidate = (say.options for say in error.message.says)
    path = tmp_path / "x.csv"
    assert read(path, log=ReadLog(), **count).multiplicities.tolist() == [40, 41]
    assert read_table(tmp_path, text, **out)[0] == {"v": ["A", "B", "C"], "w": ["B", "C", "A"]}
    assert read_table(tmp_path, text, **candidate)[0]["v"] == ["A", "B", "C", "Age"]
