"""Options for files that are written: CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import dataclasses

import click

from stagg.errors import InvalidParameter
from stagg.formats.format import Format

__all__ = ["excel_safe_option", "guard_formulas"]

excel_safe_option = click.option(
    "--excel-safe",
    is_flag=True,
    help="In CSV, write an apostrophe before ids that begin with = + - @, which a spreadsheet would take for formulas.",
)


def guard_formulas(kind: Format) -> Format:
    """The format, told to guard ids from spreadsheets; only CSV can."""
    from stagg.formats.tables.sources.csv import Csv  # here: few calls ask for it

    if not isinstance(kind, Csv):
        raise InvalidParameter(f"--excel-safe is for CSV, not for {kind.name}")
    return dataclasses.replace(kind, excel_safe=True)
