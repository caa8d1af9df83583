"""``stagg diff``: what changed between two runs, without labels."""

from __future__ import annotations

import click

from stagg.cli.options.reading import list_reading, quiet_option, read_inputs
from stagg.cli.options.reporting import check_report, report_option, write_report
from stagg.cli.options.titles import TitleFiles, titles_options
from stagg.cli.show.table_output import plain_reading_options
from stagg.cli.show.talk import print_table, print_text
from stagg.evaluation.overlap import PERSISTENCE, TOP, diff
from stagg.formats import ReadOptions

__all__ = ["command"]

LINES = 20


@click.command("diff", short_help="Show what changed between two runs, without labels.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=TOP,
    show_default=True,
    metavar="K",
    help="Name the items that moved into the first K and out of them.",
)
@click.option(
    "--p",
    "p",
    type=float,
    default=PERSISTENCE,
    show_default=True,
    help="Persistence of rank-biased overlap: with 0.9 the first 10 ranks have 86 % of the weight, with 0.98 the first "
    "50.",
)
@click.option(
    "--queries",
    "most",
    type=click.IntRange(min=1),
    default=LINES,
    show_default=True,
    metavar="N",
    help="Show the N queries that changed most. JSON has all.",
)
@titles_options
@report_option
@plain_reading_options
@quiet_option
def command(
    old: str,
    new: str,
    top: int,
    p: float,
    most: int,
    titles: TitleFiles,
    report: str | None,
    as_json: bool,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Show what changed between the runs OLD and NEW, without labels.

    You see which queries changed and how far (rank-biased overlap: 1 is the same order, 0 nothing in common), and which
    items moved into the first K and out of them. Whether the change is an improvement needs labels: see `stagg gate`.

    \b
    stagg diff old.trec new.trec
    stagg diff old.trec new.trec --top 5 --report diff.html
    """
    check_report(report, [old, new])
    loaded = [read_inputs([path], reading, quiet=quiet) for path in (old, new)]
    found = diff(loaded[0].rankings, loaded[1].rankings, p=p, top=top)
    queries = [each.query for each in found.queries]
    found = found.add_titles(titles.find(found.moved, queries, reading[1], quiet=quiet))
    found = found.add_settings(old=old, new=new, **list_reading(reading))
    if report is not None:
        from stagg.report import diff_report

        write_report(report, diff_report(found), quiet=quiet)
    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    print_text(found.summary)
    grid = found.table(most).grid()
    if grid.cells:
        rows = [[cell.text for cell in line] for line in grid.cells]
        print_table("", grid.header, rows, note="\n".join(grid.notes), right=("overlap", "in", "out"))
