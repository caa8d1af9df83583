"""``stagg convert``: write the same rankings in another format."""

from __future__ import annotations

from collections.abc import Sequence

import click

from stagg.cli.options.judging import find_labels
from stagg.cli.options.output import excel_safe_option, guard_formulas
from stagg.cli.options.reading import quiet_option, read_inputs, reading_options, refuse_own_input
from stagg.cli.show.talk import say
from stagg.formats import ReadOptions, write
from stagg.formats.format import FORMATS
from stagg.formats.write import format_of_name

__all__ = ["command"]


@click.command("convert")
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.argument("output", metavar="OUT", type=click.Path(dir_okay=False))
@click.option(
    "--to",
    "to_name",
    type=click.Choice([kind.name for kind in FORMATS if kind.writable]),
    help="Format of OUT.  [default: by its ending]",
)
@click.option("--qrels", type=click.Path(), help="Labels for a format that carries them (LETOR).")
@excel_safe_option
@reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    output: str,
    to_name: str | None,
    excel_safe: bool,
    qrels: str | None,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Convert rankings to another format. The ending of OUT picks the format; scores are kept as they are.

    \b
    stagg convert run.trec run.csv
    stagg convert A1.txt A2.txt all.parquet
    stagg convert votes.toc votes.json --names
    """
    to_name = to_name or format_of_name(output).name
    refuse_own_input(output, inputs, qrels)
    loaded = read_inputs(inputs, reading, quiet=quiet)
    labels = loaded.labels if qrels is None else find_labels(loaded, qrels, reading[1], quiet=quiet)
    if to_name != "letor":
        if labels is not None and not quiet:
            say(f"note: {to_name} holds no labels; those of the input are left behind")
        labels = None
    kind = FORMATS[to_name].for_name(output.lower().removesuffix(".gz"))
    write(loaded.rankings, output, format=guard_formulas(kind) if excel_safe else kind, labels=labels)
    if not quiet:
        say(f"{loaded.rankings.summary()} written to {output}")
