"""Tables on the terminal, at any width."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stagg.cli import main as cli_main
from stagg.cli.show.table_output import show_grid
from stagg.cli.show.talk import print_table, say
from stagg.evaluation.tables import Cell, Grid

NUMBERS = st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6).map(lambda number: round(number, 3))


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.lists(NUMBERS, min_size=8, max_size=8), min_size=1, max_size=4),
    name=st.text("ab c", max_size=40),
    columns=st.integers(20, 200),
)
def test_no_number_is_broken_however_narrow_the_terminal(rows: list[list[float]], name: str, columns: int) -> None:
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as shown:
        patch.setenv("COLUMNS", str(columns))
        heads = ["name", *[f"column {number}" for number in range(8)]]
        print_table("", heads, [[f"n{name}", *row] for row in rows])
    words = shown.getvalue().split()
    for row in rows:
        for cell in row:
            assert (f"{cell:,}" if isinstance(cell, int) else f"{cell:.4g}") in words


def show_narrow(name: str, numbers: list[str], columns: int) -> list[str]:
    """The lines of a table with one row."""
    grid = Grid(["method", *numbers], [[Cell(text) for text in (name, *numbers)]], [False, *[True for _ in numbers]])
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.setenv("COLUMNS", str(columns))
        show_grid(grid)
    return out.getvalue().splitlines()


def test_numbers_that_are_wider_than_the_terminal_are_not_cut() -> None:
    numbers = [f"{number}.123456" for number in range(1, 7)]
    assert any(all(number in line for number in numbers) for line in show_narrow("rrf", numbers, 30))


def test_a_name_is_cut_to_the_room_that_the_numbers_leave() -> None:
    assert max(map(len, show_narrow("a" * 60, ["0.1234", "0.5678"], 40))) == 40


def test_a_lack_of_memory_is_one_line_and_bad_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli_main.cli, "main", fail)
    with pytest.raises(SystemExit) as ended:
        cli_main.main([])
    assert ended.value.code == 1
    assert capsys.readouterr().err == "stagg: error: there is not enough memory for this\n"


def test_messages_are_folded_on_a_terminal_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "40")
    told = f"{'of many rows, ' * 12}say --order-by 'a rank' or --lenient"
    texts = []
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr("sys.stderr", stream)
        say(told)
        texts.append(stream.getvalue())
    folded, piped = texts
    assert piped == f"stagg: {told}\n"
    assert max(map(len, folded.splitlines())) <= 40
    assert " ".join(folded.split()) == " ".join(piped.split())
    assert "--order-by 'a rank'" in folded  # an option stays with its value
