"""Show a table on the command line, and the options that choose how."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from stagg.cli.options.bundles import F, bundle
from stagg.cli.options.reading import INPUT_FORMATS, options_without_format
from stagg.cli.show.talk import json_option, safe_cell, safe_console, say
from stagg.errors import InvalidParameter, printable

if TYPE_CHECKING:  # `stagg fuse` has no such table, and starts without it
    from rich.console import Console
    from rich.table import Table as RichTable

    from stagg.evaluation.compare import Comparison
    from stagg.evaluation.tables import Cell, Grid, Table

__all__ = [
    "Shown",
    "fused_reading_options",
    "judged_reading_options",
    "plain_reading_options",
    "say_warnings",
    "show_compared",
    "show_grid",
    "write_table",
]

OUTPUT_FORMATS = ["table", "md", "latex", "csv", "json"]
PLAIN_FORMATS = ["table", "json"]
FUSED_FORMATS = ["table", "trec", "csv", "json", "md"]
MORE = "settings, notes and all tests: --notes"
AMPLE = 24  # characters of a name that a column of less weight must leave
TEXT = "text"  # the column of the texts of queries
NARROWEST, WRAPPED = 12, 30  # characters of a name: shown at least; from which it is wrapped, and not cut


class Shown(NamedTuple):
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

    The command gets ``reading`` and how the table is ``shown``.
    """

    def take(values: dict[str, Any]) -> dict[str, Any]:
        as_json, caption, label = (values.pop(name) for name in ("as_json", "caption", "label"))
        shown, format_name = _take_formats(values, OUTPUT_FORMATS)
        name = "json" if as_json else shown or "table"
        if name != "latex" and (caption or label):
            raise InvalidParameter("--caption and --label are for --format latex")
        return {"shown": Shown(name, caption, label), "format_name": format_name}

    more = [
        json_option,
        click.option(
            "--caption", metavar="TEXT", help="Caption of --format latex, to which what the marks mean is added."
        ),
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


def plain_reading_options(command: F) -> F:
    """The reading options and ``--format``, ``--json`` of other commands that print tables; they get ``as_json``."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        shown, format_name = _take_formats(values, PLAIN_FORMATS)
        return {"as_json": values.pop("as_json") or shown == "json", "format_name": format_name}

    options = [*_format_options(PLAIN_FORMATS, "How the result is shown."), json_option]
    return bundle(options_without_format(command), options, take)


def _format_options(outputs: list[str], what: str) -> list[Any]:
    """--format, which is the output's in every command, and --input-format."""
    choices = [*outputs, *[name for name in INPUT_FORMATS if name not in outputs]]
    metavar = f"[{'|'.join(outputs)}]"
    return [
        click.option("--format", "formats", type=click.Choice(choices), multiple=True, metavar=metavar, help=what),
        click.option("--input-format", type=click.Choice(INPUT_FORMATS), help="Format of the inputs.  [default: auto]"),
    ]


def _take_formats(values: dict[str, Any], outputs: list[str]) -> tuple[str | None, str]:
    """The format of the output, None if not given, and that of the inputs."""
    formats, named = values.pop("formats"), values.pop("input_format")
    for name in formats:
        if name not in outputs:
            known = ", ".join(outputs)
            raise InvalidParameter(f"--format is the output's: {known}; for the inputs say --input-format {name}")
    if len(set(formats)) > 1:
        raise InvalidParameter(f"--format names two formats: {', '.join(formats)}")
    return next(iter(formats), None), named or "auto"


def say_warnings(warnings: Sequence[str], table: Table, shown: Shown, *, quiet: bool = False) -> None:
    """Warnings on stderr; those that the table shows, too, only where nobody reads them there."""
    unread = shown.format in ("latex", "json") or (shown.format == "csv" and quiet)  # CSV has its notes on stderr
    for warning in warnings:
        if unread or warning not in (*table.notes, *table.warnings):
            say("warning: ", warning)


def write_table(
    table: Table, shown: Shown, *, details: Table | None = None, part: str = "", quiet: bool = False
) -> None:
    """The table on stdout, as asked for; ``details`` follow where people read, files have all in one."""
    if shown.format == "table":
        for each in [table, *([details] if details else []), *table.beside]:
            show_grid(each.grid())
        return
    if shown.format == "csv" and not quiet:
        for note in table.grid().notes:  # a CSV file has no place for them
            say(note)
        for each in table.beside:
            say(f"CSV has no place for the table '{each.command}'; see --format json")
    texts: dict[str, Callable[[], str]] = {
        "md": table.to_markdown,
        "latex": lambda: shown.write_latex(table, part),
        "csv": table.to_csv,
        "json": table.to_json,
    }
    click.echo(texts[shown.format](), nl=False)
    for each in table.beside if shown.format in ("md", "latex") else ():
        text = each.to_markdown() if shown.format == "md" else shown.write_latex(each, f"-{each.command}")
        click.echo("\n" + text, nl=False)
    if details is not None and shown.format == "md":
        click.echo("\n" + details.to_markdown(), nl=False)


def show_compared(found: Comparison, *, notes: bool) -> None:
    """A comparison in one table, with as much beside the means as there is room for; ``notes``: then all the rest."""
    from stagg.evaluation.choices import name_briefly

    room = safe_console().width
    grids = (found.overview("interval", "p", "won"), found.overview("interval", "p"), found.overview("p"))
    shown = next((grid for grid in grids if _fits(grid, room)), found.overview())
    more = found.table.grid().notes if notes else [*shown.notes, f"conventions: {found.table.conventions}; {MORE}"]
    short = name_briefly(found.methods)  # long names that have parameters, which the notes then tell
    legend = [f"{brief}: {name}" for name, brief in short.items() if brief != name]
    show_grid(dataclasses.replace(_rename(shown, short), notes=[*legend, *more]))
    if notes:
        show_grid(found.details.grid())
    for each in found.table.beside:
        show_grid(_rename(each.grid(), short))


def _rename(grid: Grid, short: Mapping[str, str]) -> Grid:
    """The grid with other names of its lines."""
    cells = [
        [dataclasses.replace(each[0], text=short.get(each[0].text, each[0].text)), *each[1:]] for each in grid.cells
    ]
    return dataclasses.replace(grid, cells=cells)


def _fits(grid: Grid, room: int) -> bool:
    """Whether the grid has room, no name cut below what can be told apart."""
    first, *others = _widths(grid)
    words = [max(map(len, safe_cell(title).split()), default=0) for title in grid.header[1:]]
    return min(first, AMPLE) + sum(map(max, zip(others, words, strict=True))) + len(grid.header) + 1 <= room


def show_grid(grid: Grid) -> None:
    """A grid in the terminal: the best of a column in bold, marks beside the numbers. Numbers are never broken.

    Where it is too wide and several lines begin with the same name, or would once the names are cut, each name stands
    above its lines.
    """
    from rich.text import Text

    from stagg.evaluation.tables import WARNING

    console = safe_console()
    if _full_width(grid) <= console.width or not (_repeats_names(grid) or _cuts_alike(grid, console.width)):
        _print_lines(console, grid)
    else:
        for name, lines in itertools.groupby(grid.cells, key=lambda line: line[0].text):
            console.print(Text(f"\n {safe_cell(name)}", style="bold"))
            _print_lines(console, _without_first(grid, list(lines)))
    is_bold = grid.has_best and console.is_terminal and not console.is_dumb_terminal
    for note in [*grid.notes, *(["bold: the best of its column"] if is_bold else [])]:
        console.print(Text(printable(note, longest=1000), style="yellow" if note.startswith(WARNING) else "dim"))


def _repeats_names(grid: Grid) -> bool:
    """Whether some line begins with the same name as the line before."""
    return any(line[0].text == after[0].text for line, after in itertools.pairwise(grid.cells))


def _cuts_alike(grid: Grid, room: int) -> bool:
    """Whether two names would look the same, cut to the width that is left for them."""
    width = _narrow_widths(grid, room)[0]
    cut = [name[: width - 1] for name in {safe_cell(line[0].text) for line in grid.cells} if len(name) > width]
    return width < WRAPPED and len(set(cut)) < len(cut)


def _without_first(grid: Grid, lines: list[list[Cell]]) -> Grid:
    """Some lines of the grid without their names."""
    return dataclasses.replace(
        grid, header=grid.header[1:], cells=[line[1:] for line in lines], right=grid.right[1:], notes=[]
    )


def _print_lines(console: Console, grid: Grid) -> None:
    """One table, as narrow as it must be; where the numbers alone are too wide, it is wider than the console."""
    if _full_width(grid) <= console.width:
        table, needed = _rich_table(grid, [None] * len(grid.header)), console.width
    else:
        widths = _narrow_widths(grid, console.width)
        table, needed = _rich_table(grid, widths, padding=0), sum(widths) + len(widths) + 1
    table.width = needed if needed > console.width else None  # a width given to print is cut to the console's
    console.print(table, crop=False)


def _full_width(grid: Grid) -> int:
    """How wide the table is if nothing is wrapped, with two blanks and a rule's place for every column."""
    return sum(map(max, zip(_widths(grid), map(len, grid.header), strict=True))) + 3 * len(grid.header) + 1


def _narrow_widths(grid: Grid, room: int) -> list[int]:
    """The widths of the columns where room is scarce: headers and texts are wrapped at blanks, the first one is cut."""
    words = [max(map(len, safe_cell(title).split()), default=0) for title in grid.header]
    widths = [max(pair) for pair in zip(_widths(grid), words, strict=True)]
    for column in [number for number, title in enumerate(grid.header) if title == TEXT] + [0]:
        spare = room - sum(widths) - len(words) - 1
        widths[column] = min(widths[column], max(NARROWEST, widths[column] + spare))
    return widths


def _widths(grid: Grid) -> list[int]:
    """How wide the cells of every column are, without its header."""
    from rich.cells import cell_len

    texts = [[safe_cell(cell.text) + cell.mark for cell in line] for line in grid.cells]
    return [max((cell_len(line[column]) for line in texts), default=0) for column in range(len(grid.header))]


def _rich_table(grid: Grid, widths: Sequence[int | None], padding: int = 1) -> RichTable:
    """The grid with columns of these widths; long names are wrapped at blanks, behind commas, if there is room."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, padding=(0, padding))
    for title, right, width in zip(grid.header, grid.right, widths, strict=True):
        shown.add_column(Text(safe_cell(title)), justify="right" if right else "left", overflow="ellipsis", width=width)
    cut = widths[0] is not None and widths[0] < WRAPPED
    for line in grid.cells:
        texts = [Text(safe_cell(cell.text) + cell.mark, style="bold" if cell.bold else "") for cell in line]
        texts[0].no_wrap = cut
        shown.add_row(*texts)
    return shown
