"""Options of commands that write reports and plots, checks before the work, and the writing."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from stagg.cli.options.reading import list_reading, refuse_own_input
from stagg.cli.show.talk import busy, say
from stagg.errors import DataError, InvalidParameter, MissingExtra
from stagg.formats import ReadOptions
from stagg.methods import Method

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stagg.evaluation import Comparison, Table
    from stagg.formats.documents.texts import TextsLike
    from stagg.report import PageSource

__all__ = [
    "PlotWidth",
    "check_folder",
    "check_plots",
    "check_report",
    "name_source",
    "plot_width_option",
    "plots_option",
    "repeat_options",
    "report_option",
    "show_comparison",
    "write_figures",
    "write_report",
]

COMMANDLINE = click.core.ParameterSource.COMMANDLINE

PlotWidth = Literal["one", "two"] | None

report_option = click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a report with charts: one HTML file that needs no network.",
)

plots_option = click.option(
    "--plots",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help='Also write the figures into DIR, as SVG, PNG and PDF. Needs pip install "stagg[plots]".',
)
plot_width_option = click.option(
    "--plot-width",
    "width",
    type=click.Choice(["one", "two"]),
    help="Width of the figures of --plots: one column (3.33 in) or two columns (7 in) of a page.",
)


def check_report(report: str | None, inputs: Sequence[str], *others: str | None, output: str | None = None) -> None:
    """Refuse a report that is an input or the output, or whose folder is not there, before the work is done."""
    if report is None:
        return
    refuse_own_input(report, inputs, *others)
    if output is not None and os.path.realpath(output) == os.path.realpath(report):
        raise InvalidParameter(f"{report} is named twice: as output and as report")
    check_folder(report)


def check_folder(output: str) -> None:
    """Refuse an output without a name, or whose folder is not there, before the work is done."""
    if not output:
        raise InvalidParameter("the name of the output is empty")
    if not Path(output).absolute().parent.is_dir():
        raise DataError("cannot be written: there is no such folder", file=output)


def write_report(path: str, text: str, *, quiet: bool, what: str = "report") -> None:
    from stagg.report import write_page

    write_page(path, text)
    if not quiet:
        say(f"{what} written to {path} ({len(text) // 1000 or 1:,} kB)")


def name_source(
    context: click.Context, inputs: Sequence[str], reading: tuple[str, ReadOptions], model: str | None, method: Method
) -> PageSource:
    """How the controls of a page name the input: the words of the command line, the call in Python, a file of trust."""
    from stagg.report import PageSource
    from stagg.report.copied_commands import shell_path, shell_word

    told = list_reading(reading)
    files = [os.fspath(path) for path in inputs]
    call = ", ".join([repr(files), *(f"{name}={value!r}" for name, value in told.items())])
    options = repeat_options(context, {field.name for field in dataclasses.fields(ReadOptions)})
    words = " ".join([*map(shell_path, files), *map(shell_word, options)])
    trusted = model if getattr(method, "kind", None) == "trust" else None
    return PageSource(words=words, call=f"stagg.read({call})", model=trusted)


def repeat_options(context: click.Context, names: set[str]) -> list[str]:
    """The reading options as they were given."""
    words = []
    for option in context.command.params:
        value = context.params.get(str(option.name))
        if option.name not in names | {"input_format"} or context.get_parameter_source(str(option.name)) != COMMANDLINE:
            continue
        if isinstance(value, bool):
            words.append(option.opts[0] if value else option.secondary_opts[0])
        else:
            values = value if isinstance(value, tuple) else (value,)
            words += [word for each in values for word in (option.opts[0], str(each))]
    return words


def show_comparison(
    found: Comparison | Table,
    report: str | None,
    plots: str | None,
    *,
    width: PlotWidth = None,
    quiet: bool,
    query_texts: TextsLike | None = None,
) -> None:
    """The report and the plots of a comparison, as asked for."""
    if report is not None:
        from stagg.report import comparison_report

        write_report(report, comparison_report(found, query_texts=query_texts), quiet=quiet)
    if plots is not None:
        from stagg.report.charts.plots import comparison_plots

        write_figures(plots, comparison_plots(found, width=width), quiet=quiet)


def check_plots(folder: str | None, width: PlotWidth = None) -> None:
    """Say that matplotlib is missing, or --plots itself, before the work is done."""
    if width is not None and folder is None:
        raise InvalidParameter("--plot-width is for the figures of --plots DIR")
    if folder is not None and importlib.util.find_spec("matplotlib") is None:
        raise MissingExtra("plots", package="matplotlib", extra="plots")


def write_figures(folder: str, figures: Iterable[tuple[str, Figure]], *, quiet: bool) -> None:
    from stagg.report.charts.plots import write_plots

    with busy("drawing", quiet=quiet):
        count = write_plots(figures, folder)
    if not quiet:
        say(f"{count} plots written to {folder}")
