"""What the commands that write reports share: the options, checks before the work, and the writing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from stagg.cli.reading import refuse_own_input
from stagg.cli.talk import say
from stagg.errors import DataError, InvalidParameter

__all__ = ["check_report", "report_option", "write_report"]

report_option = click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a report: one HTML file with charts, which needs no network.",
)


def check_report(report: str | None, inputs: Sequence[str], *others: str | None, output: str | None = None) -> None:
    """Refuse a report that is an input or the output, or whose folder is not there, before the work is done."""
    if report is None:
        return
    refuse_own_input(report, inputs, *others)
    if output is not None and os.path.realpath(output) == os.path.realpath(report):
        raise InvalidParameter(f"{report} is named twice: as output and as report")
    if not Path(report).absolute().parent.is_dir():
        raise DataError("cannot be written: there is no such folder", file=report)


def write_report(path: str, text: str, *, quiet: bool) -> None:
    from stagg.report import write_page

    write_page(path, text)
    if not quiet:
        say(f"report written to {path} ({len(text) // 1000 or 1:,} kB)")
