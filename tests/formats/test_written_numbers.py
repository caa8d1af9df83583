"""Numbers as people write them, column by column, and the option that says whose small numbers are top."""

from __future__ import annotations

from pathlib import Path

import pytest

import stagg
from stagg.cli.main import main
from stagg.errors import DataError, InvalidParameter
from stagg.formats import ReadLog
from stagg.formats.tables.roles import describes_items, is_surely_small, sums_up, told_by
from stagg.formats.tables.written_numbers import read_written_column

READ = {
    ("$4.38", "$26.25"): [4.38, 26.25],
    ("-$4", "$2"): [-4, 2],
    ("EUR 2.50", "EUR 3"): [2.5, 3],
    ("2,50 €", "1.234,00 €"): [2.5, 1234],
    ("1,234", "987"): [1234, 987],
    ("1,234,567", "1,234.5"): [1234567, 1234.5],
    ("1 234", "12\u00a0345", "1\u202f000\u202f000"): [1234, 12345, 1_000_000],
    ("1'234.50", "12"): [1234.5, 12],
    ("94.8 ± 0.2", "95.7±0.1", "93 +/- 1"): [94.8, 95.7, 93],
    ("85.3 (0.4)", "84.1(0.3)"): [85.3, 84.1],
    ("85.3 [84.1, 86.5]", "80.0 [79.5, 81.0]"): [85.3, 80],
    ("53.6†", "65.0*", "60.0", "9¹", "8^a", "7[1]"): [53.6, 65, 60, 9, 8, 7],
    ("**85.3**", "__80__", "**79.5** ± 0.4", "77"): [85.3, 80, 79.5, 77],
    (r"\textbf{85.3}", r"$80.1 \pm 0.2$"): [85.3, 80.1],
    ("128k", "1m", "2.3K", "5"): [128_000, 1_000_000, 2300, 5],
    ("$1.2M", "$900k"): [1_200_000, 900_000],
    ("48.2 ms", "1.2 s"): [0.0482, 1.2],
    ("24 GB", "900 MB"): [24e9, 900e6],
    ("4.5/5", "3/5"): [4.5, 3],
    ("12 tok/s", "13.5 tok/s"): [12, 13.5],
    ("\u22123.2", "4"): [-3.2, 4],
}


@pytest.mark.parametrize("cells", READ, ids=" | ".join)
def test_the_cells_of_a_column_show_how_its_numbers_are_written(cells: tuple[str, ...]) -> None:
    column = read_written_column(cells)
    assert column is not None
    assert column.numbers == READ[cells]


@pytest.mark.parametrize(
    "cells",
    [
        ("$2.50", "3.10 €"),  # two currencies
        ("1,5", "2.5"),  # two decimal marks
        ("3 apples", "4 pears"),
        ("4/5", "3/10"),
        ("5m", "3"),  # metres, minutes or millions
        ("(2.50)", "1"),
        ("2024-05-01",),
        ("12 Monkeys", "8 Mile"),
        ("d1", "d2"),
        ("1st", "2nd"),
        ("1,23,4",),
        ("85%", "85"),
        ("1" * 100 + "*",),
        (),
    ],
)
def test_a_column_that_does_not_show_it_is_not_read(cells: tuple[str, ...]) -> None:
    assert read_written_column(cells) is None


def test_where_nothing_shows_it_the_separator_of_the_table_decides() -> None:
    for options, number in (({}, 1234.0), ({"commas": True}, 1.234)):
        column = read_written_column(["1,234", "2,345"], **options)
        assert column is not None
        assert column.numbers[0] == number
    column = read_written_column(["1.234", "987"], pointed=True)
    assert column is not None
    assert column.numbers == [1234, 987]


def test_names_tell_directions_descriptions_and_sums() -> None:
    assert [told_by(name) for name in ("WER", "GPU memory (GB)", "tokens/s", "Acc ↑", "foo")] == [
        "small", "small", "score", "score", None,
    ]  # fmt: skip
    assert not any(map(is_surely_small, ("price score", "time saved", "distance", "accuracy")))
    assert [describes_items(name) for name in ("2019", "acc_stderr", "Context window")] == [False, True, None]
    assert [sums_up(name) for name in ("Gesamt", "Overall impression", "Avg. Rank", "Summary")] == [
        True, None, True, False,
    ]  # fmt: skip


WIDE = "model;Price, net;foo\nA;12;0.5\nB;7;0.25\n"


@pytest.mark.parametrize("lower", ["Price, net", "price, net", ["Price, net"], ("Price, net",)])
def test_a_column_whose_small_numbers_are_top_keeps_its_scale(tmp_path: Path, lower: str | list[str]) -> None:
    (tmp_path / "x.csv").write_text(WIDE)
    rankings = stagg.read(tmp_path / "x.csv", lower=lower)
    assert rankings.take_rankers([0]).best_first() == ["B", "A"]
    assert rankings.scores is not None
    assert sorted(rankings.scores.tolist()) == [-12, -7, 0.25, 0.5]


def test_lower_is_names_and_goes_with_scores_only(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(WIDE)
    for options in ({"lower": 3}, {"lower": [3]}, {"lower": "foo", "values": "rank"}):
        with pytest.raises(InvalidParameter):
            stagg.read(tmp_path / "x.csv", **options)  # type: ignore[arg-type]


def test_the_command_line_takes_and_offers_lower(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model,foo,latency\nA,0.5,100\nB,0.6,200\n")
    with pytest.raises(SystemExit, match="1"):
        main(["fuse", str(path)])
    assert "--lower latency" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main(["fuse", str(path), "--lower", "latency", "--method", "borda"])


def test_a_word_in_a_column_is_dropped_alone(tmp_path: Path) -> None:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text("Model,Price,Accuracy\nA,$2.50,0.5\nB,call us,0.6\nC,$1.20,0.7\n")
    assert stagg.read(path, lenient=True, log=log).take_rankers([0]).best_first() == ["C", "A"]
    assert log.rows_dropped == 1
    with pytest.raises(DataError, match="call us"):
        stagg.read(path, log=ReadLog())


def test_a_number_with_two_points_is_not_said_to_be_read_otherwise(tmp_path: Path) -> None:
    path, log = tmp_path / "x.csv", ReadLog()
    path.write_text("item;clicks;sales\na;1.250.000;1.250\nb;980;3.500\nc;1.250;2.000\n")
    found = stagg.read(path, values="score", log=log).to_runs()
    assert found["clicks"]["1"] == {"a": 1250000, "c": 1250, "b": 980}
    told = [str(note) for note in log.notes if "thousands" in str(note)]
    assert len(told) == 1
    assert "'1.250' was read as 1.25;" in told[0]  # of the sales
