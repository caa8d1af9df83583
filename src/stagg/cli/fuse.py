"""``stagg fuse``: many runs into one."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from stagg.aggregate import DEFAULT_METHOD, fuse, method_of
from stagg.cli.reading import inputs, quiet_option, read_inputs, reading_options, refuse_own_input
from stagg.cli.talk import busy, say
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter
from stagg.formats import ReadOptions
from stagg.formats.fused import fused_format, write_fused
from stagg.methods import MISSING

__all__ = ["command"]


@click.command("fuse")
@inputs
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="Where to write; the ending picks the format (.trec .csv .json .parquet, + .gz). Without it, TREC on stdout.",
)
@click.option(
    "--method", "-m", default=DEFAULT_METHOD, show_default=True, help="Aggregation method; `stagg methods` lists them."
)
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    help="What absence from a list means; the method's own default if not given.",
)
@click.option(
    "--weights",
    metavar="W",
    help="Ranker weights: bm25=2,dense=1 (the others keep 1), or one number per ranker: 2,1,1. 0 leaves a ranker out.",
)
@click.option("--depth", type=click.IntRange(min=1), metavar="K", help="Use the first K of every input list only.")
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="Write the first K of every query only.")
@reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    output: str | None,
    method: str,
    missing: str | None,
    weights: str | None,
    depth: int | None,
    top: int | None,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Fuse rankings into one consensus ranking per query.

    Several TREC files are one ranker each, named by file stem; LETOR and PrefLib files and tables with a ranker
    column are parts of one whole. `-` is standard input.

    \b
    stagg fuse bm25.trec dense.trec -o fused.trec
    stagg fuse *.trec --method "rrf(c=20)" --weights bm25=2 --top 100
    stagg fuse votes.soc --method borda -o consensus.csv
    """
    chosen = method_of(method).with_missing(missing)
    fused_format(output)  # an unknown ending is said before the work, not after it
    if output is not None:
        refuse_own_input(output, inputs)
    rankings = read_inputs(inputs, reading, quiet=quiet).rankings
    with busy(f"fusing {len(rankings):,} queries", quiet=quiet):
        fused = fuse(rankings, chosen, weights=_parsed_weights(weights), depth=depth, top=top)
    write_fused(fused, sys.stdout.buffer if output is None else output)
    if output is not None and not quiet:
        say(f"{_counts(fused)} by {chosen!r} written to {output}")


def _counts(fused: Rankings) -> str:
    return f"{len(fused):,} {'query' if len(fused) == 1 else 'queries'}, {len(fused.entries):,} rows"


def _parsed_weights(text: str | None) -> dict[str, float] | list[float] | None:
    """``bm25=2,dense=1`` by name, or ``2,1,1`` by position."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    named = [part.rpartition("=") for part in parts]
    if all(name for name, _, _ in named):
        weights = {name.strip(): _weight(value, text) for name, _, value in named}
        if len(weights) < len(named):
            raise InvalidParameter(f"--weights {text!r} names a ranker twice")
        return weights
    if any(sign for _, sign, _ in named):
        raise InvalidParameter(f"--weights {text!r}: give all weights by name (bm25=2) or all by position (2,1)")
    return [_weight(part, text) for part in parts]


def _weight(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidParameter(f"--weights {text!r}: {value!r} is not a number") from None
