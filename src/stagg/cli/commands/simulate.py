"""``stagg simulate``: draw rankings whose true order is known."""

from __future__ import annotations

import os
from pathlib import Path

import click

from stagg.cli.options.reporting import check_folder
from stagg.cli.show.talk import say
from stagg.data.simulation import MODELS, simulate
from stagg.errors import InvalidParameter
from stagg.formats import write
from stagg.formats.runs.trec import write_qrels
from stagg.formats.storage.atomic import replacing

__all__ = ["command"]


@click.command("simulate")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False),
    help="Where to write the rankings (.csv .json .parquet ...).",
)
@click.option(
    "--truth", type=click.Path(dir_okay=False), help="Where to write the true ranking, as a run of one ranker."
)
@click.option(
    "--qrels",
    type=click.Path(dir_okay=False),
    help="Where to write labels made from the truth (top tenth 2, next fifth 1).",
)
@click.option(
    "--model",
    type=click.Choice(list(MODELS)),
    default="plackett_luce",
    show_default=True,
    help="How rankers err: Plackett-Luce (noisy strengths) or Mallows (swaps away from the truth).",
)
@click.option("--queries", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--items", type=click.IntRange(min=1), default=20, show_default=True, help="Items per query.")
@click.option("--rankers", type=click.IntRange(min=1), default=5, show_default=True, help="Rankers, copies included.")
@click.option(
    "--quality",
    default="1",
    show_default=True,
    metavar="X[,X...]",
    help="How good rankers are: a factor on the strengths (Plackett-Luce) or theta (Mallows). One number "
    "for all, or one for each ranker that is not a copy.",
)
@click.option(
    "--spread",
    type=float,
    default=0.0,
    show_default=True,
    help="Unequal rankers: each quality times exp(spread · z), z standard normal.",
)
@click.option(
    "--keep", type=float, default=1.0, show_default=True, help="Items missing at random: the share that a ranker sees."
)
@click.option("--depth", type=click.IntRange(min=1), metavar="K", help="Lists cut to their first K.")
@click.option(
    "--copies",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How many of the rankers are near-copies of the first.",
)
@click.option("--scores", is_flag=True, help="Give every item a noisy score besides its rank.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print no messages unless something is wrong.")
def command(
    output: str,
    truth: str | None,
    qrels: str | None,
    model: str,
    queries: int,
    items: int,
    rankers: int,
    quality: str,
    spread: float,
    keep: float,
    depth: int | None,
    copies: int,
    scores: bool,
    seed: int,
    quiet: bool,
) -> None:
    """Simulate rankings whose truth is known. Rankers can be noisy, miss items, or copy each other.

    The same seed gives the same rankings.

    \b
    stagg simulate -o runs.csv --qrels qrels.txt --items 50 --depth 20 --spread 0.5
    stagg simulate -o votes.json --model mallows --quality 0.3 --keep 0.4 --seed 7
    """
    _check_outputs([path for path in (output, truth, qrels) if path is not None])
    made = simulate(
        model=model,
        queries=queries,
        items=items,
        rankers=rankers,
        quality=_parse_quality(quality),
        spread=spread,
        keep=keep,
        depth=depth,
        copies=copies,
        scores=scores,
        seed=seed,
    )
    write(made.rankings, output)
    if truth is not None:
        write(made.truth, truth)
    if qrels is not None:
        with replacing(Path(qrels)) as stream:
            write_qrels(made.labels, stream)
    if not quiet:
        say(f"{made.rankings.summary()} written to {output}")


def _check_outputs(paths: list[str]) -> None:
    """Refuse two outputs of one name, and folders that are not there, before one of the files is written."""
    for path in paths:
        check_folder(path)
    real = [os.path.realpath(path) for path in paths]
    if len(set(real)) < len(real):
        raise InvalidParameter("two outputs have the same name; name them apart")


def _parse_quality(text: str) -> float | list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidParameter(f"--quality {text!r} is not a number, or numbers with commas between") from None
    return numbers[0] if len(numbers) == 1 else numbers
