"""Tables on the command line: the options that choose how a table is shown, and the showing."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from stagg.cli.options import F, bundle
from stagg.cli.reading import INPUT_FORMATS, options_without_format
from stagg.cli.talk import safe_cell, safe_console, say
from stagg.errors import InvalidParameter, printable

if TYPE_CHECKING:  # `stagg fuse` has no such table, and starts without it
    from rich.table import Table as RichTable

    from stagg.evaluation.tables import Cell, Grid, Table

__all__ = ["Shown", "fused_reading_options", "judged_reading_options", "show_grid", "write_table"]

OUTPUT_FORMATS = ["table", "md", "latex", "csv", "json"]
FUSED_FORMATS = ["table", "trec", "csv", "json", "md"]
WIDEST = 10_000  # characters, to ask how wide a table would like to be


@dataclasses.dataclass(frozen=True)
class Shown:
    """How a table is shown: "table", "md", "latex", "csv" or "json"; LaTeX with a caption and a label."""

    format: str = "table"
    caption: str | None = None
    label: str | None = None

    def write_latex(self, table: Table, part: str = "") -> str:
        """The table in LaTeX; a second one of a command has ``part`` behind its label."""
        label = f"{self.label or f'tab:{table.command}'}{part}"
        return table.to_latex(caption=None if part else self.caption, label=label)


def judged_reading_options(command: F) -> F:
    """The reading options and ``--format``, ``--json`` of the commands that print a table of measures.

    There ``--format`` says how the table is shown; a format of the input may be named by it too, where it means nothing
    else, or by ``--input-format``. The command gets ``reading`` and how the table is ``shown``.
    """

    def take(values: dict[str, Any]) -> dict[str, Any]:
        as_json, caption, label = (values.pop(name) for name in ("as_json", "caption", "label"))
        shown, format_name = _take_formats(values, OUTPUT_FORMATS)
        name = "json" if as_json else shown or "table"
        if name != "latex" and (caption or label):
            raise InvalidParameter("--caption and --label are for --format latex")
        return {"shown": Shown(name, caption, label), "format_name": format_name}

    more = [
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
        click.option("--caption", metavar="TEXT", help="Caption of --format latex.  [default: what the marks mean]"),
        click.option("--label", metavar="NAME", help="Label of --format latex.  [default: tab: and the command]"),
    ]
    options = [*_format_options(OUTPUT_FORMATS, "How the table is shown."), *more]
    return bundle(options_without_format(command), options, take)


def fused_reading_options(command: F) -> F:
    """The reading options and ``--format`` of the commands that write a consensus; ``shown`` is None if not given."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        shown, format_name = _take_formats(values, FUSED_FORMATS)
        return {"shown": shown, "format_name": format_name}

    what = "Format of the output.  [default: by the ending of -o; else table on a terminal, trec in a pipe]"
    return bundle(options_without_format(command), _format_options(FUSED_FORMATS, what), take)


def _format_options(outputs: list[str], what: str) -> list[Any]:
    """--format and --input-format; where --format names no output it is the input's, as it was in 0.1."""
    choices = [*outputs, *[name for name in INPUT_FORMATS if name not in outputs]]
    metavar = f"[{'|'.join(outputs)}]"
    return [
        click.option("--format", "formats", type=click.Choice(choices), multiple=True, metavar=metavar, help=what),
        click.option("--input-format", type=click.Choice(INPUT_FORMATS), help="Format of the inputs.  [default: auto]"),
    ]


def _take_formats(values: dict[str, Any], outputs: list[str]) -> tuple[str | None, str]:
    """The format of the output, None if not given, and that of the inputs."""
    formats, named = values.pop("formats"), values.pop("input_format")
    shown = dict.fromkeys(name for name in formats if name in outputs)
    read = dict.fromkeys([*[name for name in formats if name not in outputs], *([named] if named else [])])
    if len(shown) > 1 or len(read) > 1:
        raise InvalidParameter(f"--format names two formats: {', '.join(formats)}")
    return next(iter(shown), None), next(iter(read), "auto")


def write_table(
    table: Table, shown: Shown, *, details: Table | None = None, part: str = "", quiet: bool = False
) -> None:
    """The table on stdout, as asked for; ``details`` follow where people read, files have all in one."""
    if shown.format == "table":
        for each in [table, details] if details else [table]:
            show_grid(each.grid())
        return
    if shown.format == "csv" and not quiet:
        for note in table.grid().notes:  # a CSV file has no place for them
            say(note)
    texts: dict[str, Callable[[], str]] = {
        "md": table.to_markdown,
        "latex": lambda: shown.write_latex(table, part),
        "csv": table.to_csv,
        "json": table.to_json,
    }
    click.echo(texts[shown.format](), nl=False)
    if details is not None and shown.format == "md":
        click.echo("\n" + details.to_markdown(), nl=False)


def show_grid(grid: Grid) -> None:
    """A grid in the terminal: the best of a column in bold, marks beside the numbers.

    Where it is too wide and several lines begin with the same name, the name stands above its lines.
    """
    from rich.text import Text

    console = safe_console()
    whole = _rich_table(grid, grid.cells)
    wish = console.measure(whole, options=console.options.update(max_width=WIDEST)).maximum
    if wish <= console.width or not _repeats_names(grid):
        console.print(whole)
    else:
        for name, lines in itertools.groupby(grid.cells, key=lambda line: line[0].text):
            console.print(Text(f"\n {safe_cell(name)}", style="bold"))
            console.print(_rich_table(grid, list(lines), first=1))
    for note in [*grid.notes, *(["bold: the best of its column"] if grid.has_best else [])]:
        console.print(Text(printable(note, longest=1000), style="dim"))


def _repeats_names(grid: Grid) -> bool:
    """Whether some line begins with the same name as the line before."""
    return any(line[0].text == after[0].text for line, after in itertools.pairwise(grid.cells))


def _rich_table(grid: Grid, lines: list[list[Cell]], first: int = 0) -> RichTable:
    """Some lines of the grid, from the column ``first`` on; narrow where the first is left out for want of room."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, padding=(0, 0) if first else (0, 1))
    for title, right in list(zip(grid.header, grid.right, strict=True))[first:]:
        shown.add_column(Text(safe_cell(title)), justify="right" if right else "left", overflow="fold")
    for line in lines:
        shown.add_row(*[Text(safe_cell(c.text) + c.mark, style="bold" if c.bold else "") for c in line[first:]])
    return shown
