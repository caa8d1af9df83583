"""``stagg demo``: show the built-in sample, its inputs beside the consensus."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import click

from stagg.aggregate import DEFAULT_METHOD, prepare
from stagg.aggregate.resampling import caveat
from stagg.cli.options.completion import complete_name
from stagg.cli.show.consensus_view import print_query
from stagg.errors import DataError
from stagg.formats import read, read_labels
from stagg.formats.storage.atomic import replacing
from stagg.report import PageSource, digest, explorer_page, fusion_page, write_page
from stagg.report.copied_commands import shell_path
from stagg.report.pages.explorer import explored_of

__all__ = ["command"]

LEVEL = 0.9
RUNS = ("bm25.trec", "dense.trec", "sparse.trec")
FILES = (*RUNS, "qrels.txt")
REPORT = "stagg-demo.html"


@click.command("demo")
@click.option(
    "--method",
    "-m",
    default=DEFAULT_METHOD,
    show_default=True,
    shell_complete=complete_name("method"),
    help="Aggregation method.",
)
@click.option("--query", help="Show this query only.")
@click.option(
    "--save",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Copy the sample files into DIR, to try the other commands on.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Where to write the report.  [default: in DIR of --save, else in a new temporary folder]",
)
def command(method: str, query: str | None, save: str | None, report: str | None) -> None:
    """Fuse the built-in sample runs. Three rankers (bm25, dense, sparse) answer six questions, each in part.

    \b
    stagg demo
    stagg demo --method borda --query repot-an-orchid
    stagg demo --save sample --report demo.html
    """
    plan = prepare(method, intervals=LEVEL)
    with _sample() as folder:
        rankings, labels = read([folder / name for name in RUNS]), read_labels(folder / "qrels.txt")
        if save is not None:
            _copy(folder, Path(save))
    done = plan.fuse(rankings)
    for each in rankings.queries if query is None else [rankings[query].id]:
        print_query(done, each)
    report = report or _report_path(save)
    source = _source(save or "sample")
    write_page(report, fusion_page(digest(done, source=source), title="The sample, fused"))
    explorer = Path(report).with_name(f"{Path(report).stem}-explorer.html")
    write_page(explorer, explorer_page(explored_of(rankings, labels=labels, source=source), title="Explore the sample"))
    click.echo(
        f"Consensus by {plan.method.label}; to the right the rank that each ranker gave the item, - where it has none."
    )
    click.echo(f"{LEVEL:.0%}: the interval of the rank; {caveat(int(rankings.voters.min()))}.")
    click.echo("The sample was made by hand to show how fusion works. It says nothing about how well it works.")
    click.echo("Try next:")
    for line in _next_steps(shell_path(save or "sample"), saved=save is not None):
        click.echo(f"  {line}")
    click.echo(f"All of it with charts, to open in a browser:\n  {report}")
    click.echo(f"Move the weights and see the ranking change:\n  {explorer}")


@contextlib.contextmanager
def _sample() -> Iterator[Path]:
    with resources.as_file(resources.files("stagg") / "sample") as folder:
        yield folder


def _copy(folder: Path, target: Path) -> None:
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot be made: {error.strerror}", file=str(target)) from None
    for name in FILES:
        with replacing(target / name) as stream:
            stream.write((folder / name).read_bytes())


def _report_path(save: str | None) -> str:
    """Beside the files that were asked for, else where nobody's work lies: a demo leaves no file in a checkout."""
    if save is not None:
        return str(Path(save) / REPORT)
    return str(Path(tempfile.mkdtemp(prefix="stagg-")) / REPORT)


def _source(folder: str) -> PageSource:
    files = [f"{folder}/{name}" for name in RUNS]
    return PageSource(words=" ".join(map(shell_path, files)), call=f"stagg.read({files!r})")


def _next_steps(folder: str, *, saved: bool) -> list[str]:
    steps = [] if saved else ["stagg demo --save sample               # the sample files, to try these on:"]
    return [
        *steps,
        f"stagg inspect {folder}/*.trec          # how far the rankers agree",
        f"stagg fuse {folder}/*.trec --method borda --weights dense=2 -o fused.trec",
        f"stagg fuse {folder}/*.trec --method stagg_rrf --intervals 0.9 -o sure.csv",
        f"stagg explore {folder}/*.trec --qrels {folder}/qrels.txt -o explorer.html",
        f"stagg explain {folder}/*.trec --query repot-an-orchid --item when-to-repot-a-phalaenopsis",
        "stagg methods                          # what else there is",
        "python -c \"import stagg; print(stagg.fuse([['a','b'],['b','c']]))\"",
    ]
