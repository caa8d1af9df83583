"""Print: messages and spinners on stderr, tables on stdout, the same tables as JSON."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from stagg._version import __version__
from stagg.errors import printable
from stagg.say import spell_flags

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "busy",
    "json_option",
    "print_json",
    "print_table",
    "print_text",
    "progress_bar",
    "safe_cell",
    "safe_console",
    "say",
]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")

LONGEST_CELL = 200
LONGEST_NUMBER = 24  # what is longer is an id
NARROWEST_TEXT, AMPLE_TEXT = 8, 20  # columns of a terminal for a text that is folded
LONGEST_MESSAGE = 10_000


def say(*parts: object) -> None:
    """Talk on stderr, with nothing in it that could steer a terminal. If it cannot be written, so be it."""
    lines = [printable(line, longest=LONGEST_MESSAGE) for line in spell_flags(*parts)]
    lines[0] = f"stagg: {lines[0]}"
    with contextlib.suppress(OSError):
        if sys.stderr.isatty():
            lines = [part for line in lines for part in _fold(line, shutil.get_terminal_size().columns)]
        click.echo("\n".join(lines), err=True)


def _fold(line: str, width: int) -> list[str]:
    """A line in the room of a terminal, broken at blanks; an option stays with its value, and so does what is indented.

    >>> _fold("stagg: a header? say --header or --layout 'a b'", 24)
    ['stagg: a header? say', '  --header or', "  --layout 'a b'"]
    """
    if line.startswith(" "):  # to be copied as it stands
        return [line]
    folded = [""]
    for word in re.findall(r"--[\w-]+ '[^']*'\S*|--[\w-]+ \S+|\S+", line):
        if folded[-1].strip() and len(folded[-1]) + 1 + len(word) > width:
            folded.append(f"  {word}")
        else:
            folded[-1] += f" {word}" if folded[-1] else word
    return folded


def safe_cell(text: str) -> str:
    """Hostile text as a cell of a table: escaped, and cut if it is long."""
    return printable(text, longest=LONGEST_CELL)


@contextlib.contextmanager
def busy(what: str, *, quiet: bool = False) -> Iterator[None]:
    """A spinner while something takes long, when stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(safe_cell(what))):
        yield


@contextlib.contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A bar to call with (what is being done, steps done, steps in all), shown when stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(what: str, done: int, total: int) -> None:
            bar.update(task, description=escape(safe_cell(what)), completed=done, total=total)

        yield show


def safe_console() -> Console:
    """A console on stdout that tells us when its reader has gone; rich would end the program with an error."""
    from rich.console import Console

    class Told(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Told()


def print_text(text: str) -> None:
    """A sentence on stdout, folded at blanks to the width of the console, and hostile letters escaped."""
    from rich.text import Text

    safe_console().print(Text(printable(text, longest=LONGEST_MESSAGE)))


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    note: str = "",
    right: Sequence[str] = (),
) -> None:
    """A table on stdout: numbers, and the columns named in ``right``, to the right, text to the left, ids made safe.

    Numbers and names are never broken: where room is scarce, texts are folded at blanks, the gaps between columns are
    narrow, and names that are still too long lose their middle.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    texts = [[_text(cell) for cell in row] for row in rows]
    numeric = [
        column in right or (bool(rows) and all(_is_number(row[number]) for row in rows))
        for number, column in enumerate(columns)
    ]
    console = safe_console()
    least, ample = (_widths(columns, texts, numeric, longest) for longest in (NARROWEST_TEXT, AMPLE_TEXT))
    gap = 1 if sum(ample) + 3 * len(ample) + 1 <= console.width else 0
    rules = (1 + 2 * gap) * len(least) + 1
    needed = sum(least) + rules
    widths = _fit(least, _full_widths(columns, texts), console.width - rules)
    table = Table(
        title=Text(title, style="bold") if title else None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        padding=(0, gap),
        width=needed if needed > console.width else None,  # the numbers alone are too wide
    )
    for column, is_numeric, width in zip(columns, numeric, widths, strict=True):
        side: Literal["left", "right"] = "right" if is_numeric else "left"
        table.add_column(Text(column), justify=side, overflow="fold", width=width)
    for row in texts:
        table.add_row(*[Text(_cut_words(text, width)) for text, width in zip(row, widths, strict=True)])
    console.print(table, crop=False)
    if note:
        console.print(Text(note, style="dim"))


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) or cell in ("", "-")


def _widths(columns: Sequence[str], texts: Sequence[Sequence[str]], numeric: Sequence[bool], longest: int) -> list[int]:
    """How wide the columns are if numbers, and the words of the headings, are whole, and longer texts are folded."""
    from rich.cells import cell_len

    cells = [max((cell_len(row[number]) for row in texts), default=0) for number in range(len(columns))]
    words = [max(map(cell_len, column.split()), default=0) for column in columns]
    numbers = [max((_longest_number(row[number]) for row in texts), default=0) for number in range(len(columns))]
    return [
        max(cell if is_numeric else min(cell, longest), word, figures)
        for cell, is_numeric, word, figures in zip(cells, numeric, words, numbers, strict=True)
    ]


def _longest_number(text: str) -> int:
    """The letters of the longest number inside a text."""
    words = [len(word) for word in text.split() if len(word) <= LONGEST_NUMBER and not any(map(str.isalpha, word))]
    return max(words, default=0)


def _full_widths(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> list[int]:
    """How wide the columns are if nothing is folded."""
    from rich.cells import cell_len

    return [max(map(cell_len, each)) for each in zip(columns, *texts, strict=True)]


def _fit(least: Sequence[int], full: Sequence[int], room: int) -> list[int]:
    """The widths of the columns in the room there is: the widest give way first, none below its least.

    >>> _fit([4, 8], [4, 30], 24)
    [4, 20]
    """
    cap = max(full, default=0)
    while cap and sum(max(low, min(most, cap)) for low, most in zip(least, full, strict=True)) > room:
        cap -= 1
    return [max(low, min(most, cap)) for low, most in zip(least, full, strict=True)]


def _cut_words(text: str, width: int) -> str:
    """The text with words that fit the width: longer ones keep both ends, by which names differ.

    >>> _cut_words("dense-retriever-2024-10 wins", 12)
    'dense…024-10 wins'
    """
    from rich.cells import cell_len

    return " ".join(word if cell_len(word) <= width else _cut_middle(word, width) for word in text.split(" "))


def _cut_middle(word: str, width: int) -> str:
    from rich.cells import cell_len, set_cell_size

    front = set_cell_size(word, width - width // 2 - 1).rstrip()
    back = word
    while back and cell_len(back) > width - cell_len(front) - 1:
        back = back[1:]
    return f"{front}…{back}"


def _text(cell: Any) -> str:
    if isinstance(cell, str):
        return safe_cell(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4g}"


def print_json(command: str, rows: Sequence[dict[str, Any]], *, seed: int | None = None, **more: Any) -> None:
    """A table as JSON: ``{command, version, conventions, seed, rows}`` and what else the command has to say.

    Letters are themselves; whatever could steer a terminal is a JSON escape, which reads back the same.
    """
    import json

    def escape(line: str) -> str:
        return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)

    head: dict[str, Any] = {"command": command, "version": __version__, "conventions": None, "seed": seed}
    lines = json.dumps(head | more | {"rows": list(rows)}, indent=1, ensure_ascii=False).split("\n")
    click.echo("\n".join(line if line.isprintable() else escape(line) for line in lines))
