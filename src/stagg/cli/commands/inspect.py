"""``stagg inspect``: describe an input."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from stagg.aggregate.leaving_out import LeavingOut, leave_each_out
from stagg.cli.options.reading import inputs, load_inputs, open_inputs, quiet_option
from stagg.cli.show.ballots_view import show_ballots
from stagg.cli.show.table_output import plain_reading_options
from stagg.cli.show.talk import busy, print_json, print_table, say
from stagg.data.rankings import Rankings
from stagg.data.strangers import warn_of_strangers
from stagg.elections.ballot_facts import are_ballots, describe_ballots
from stagg.errors import DataError, bare, plural
from stagg.evaluation.inspection import AGREEMENT_DEPTH, Inspection, inspect
from stagg.formats import Loaded, ReadLog, ReadOptions
from stagg.formats.log import FileReading
from stagg.judging.without_labels import tell_without_labels
from stagg.kernels.arrays import FloatArray

__all__ = ["command"]

FEW_RANKERS = 12  # whose matrices are shown
MOST_LINES, FEW_LINES = 40, 12  # of a table that is shown whole; of one that is not
NEARLY_ALL = 0.9  # of a ranker's rows are tied: its scores may be rounded
ROOM_FOR_NAMES = 60  # characters of the names of a file's rankers
FILE_COLUMNS = ("file", "format", "layout", "order", "separator", "queries", "rankers")
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks", "  ": "blanks", "": None}
LEFT_COLUMNS = ("without", "other first item", "of the first 10 leave", "relatives")
COLUMNS = ("ranker", "queries", "lengths", "tied", "overlap", "agreement")
NOTE = (
    "lengths: of the shortest, the median and the longest list; tied: rows that share their place; overlap: common "
    "items / all items of two lists (Jaccard), the mean over the other rankers; agreement: Kendall's tau over the "
    f"pairs that both order. Overlap and agreement use the first {AGREEMENT_DEPTH} items of each list."
)


@click.command("inspect")
@inputs
@plain_reading_options
@quiet_option
def command(inputs: Sequence[str], reading: tuple[str, ReadOptions], as_json: bool, quiet: bool) -> None:
    """Show how stagg understands your files. Run it before you fuse.

    For each file it prints the format, the layout, whether numbers are ranks or scores, and the rankers. Then it prints
    how many queries, rankers and ties there are, how long the lists are, and how far the rankers overlap and agree.
    With three rankers or more it fuses them by rrf(c=60) with and without each of them, and names relatives. Of
    ballots it prints what each column was taken for, how many are complete, blank or spoiled, first choices, and names
    that look alike. Of more than 40 files or rankers it shows the first 12; --json prints all of them.

    \b
    stagg inspect bm25.trec dense.trec
    stagg inspect survey.xlsx
    stagg inspect ballots.csv
    stagg inspect MQ2008-agg/A1.txt --json
    """
    loaded, log, spoiled = _load(inputs, reading, quiet)
    if are_ballots(log.readings, loaded.rankings):
        files = [_understood(each) | {"taken": dict(each.taken), "seats": each.seats} for each in log.readings]
        show_ballots(loaded.rankings, log, spoiled, files if as_json else None)
        return
    if spoiled is not None:
        raise spoiled
    readings = [_understood(each) for each in log.readings]
    warn_of_strangers(loaded.rankings)
    with busy("comparing the rankers", quiet=quiet):
        found, left = inspect(loaded.rankings, loaded.labels), leave_each_out(loaded.rankings)
    several = len(loaded.rankings.rankers) > 1
    unknown = tell_without_labels(loaded.rankings) if several and loaded.labels is None else None
    if as_json:
        told = {"leaving_out": None if left is None else left.to_dict(), "without_labels": unknown}
        print_json("inspect", found.rankers, totals=found.totals, files=readings, fusion=told, **_matrices(found))
        return
    shown_files, note = _shorten(readings, "files")
    print_table("Understood", FILE_COLUMNS, [_reading_row(each) for each in shown_files], note=note)
    many = found.totals["queries"] > 1
    facts = [[_name_fact(name, several=many), _fact(value)] for name, value in found.totals.items()]
    print_table("", ("input", ""), facts)
    rankers, note = _shorten(found.rankers, "rankers")
    notes = [NOTE, _tell_ties(found), _tell_sample(found), note]
    print_table(
        "Rankers",
        COLUMNS,
        [_ranker_row(row) for row in rankers],
        note=" ".join(filter(None, notes)),
        right=COLUMNS[-2:],
    )
    _print_left_out(left, unknown)
    names = loaded.rankings.rankers
    if 1 < len(names) <= FEW_RANKERS:
        _print_matrix("Overlap", names, found.overlap)
        _print_matrix("Agreement", names, found.agreement)


def _print_left_out(left: LeavingOut | None, unknown: str | None) -> None:
    """What each ranker changes in the fusion, and what nobody can know."""
    if left is None:
        if unknown is not None:
            say(unknown)
        return
    shown, note = left.rankers[:FEW_LINES], ""
    if len(shown) < len(left.rankers):
        note = f"Shown: the first {FEW_LINES} of {len(left.rankers):,} rankers; --json prints all of them."
    rows = [[row.ranker, _share(row.first), _share(row.moved), ", ".join(map(bare, row.relatives))] for row in shown]
    made = f"Fused by {left.method} with and without each ranker, {plural(left.queries, 'query', 'queries')}."
    notes = [made, *left.sentences, note, unknown or ""]
    print_table("Does fusion help?", LEFT_COLUMNS, rows, note=" ".join(filter(None, notes)), right=LEFT_COLUMNS[1:3])


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _load(
    inputs: Sequence[str], reading: tuple[str, ReadOptions], quiet: bool
) -> tuple[Loaded, ReadLog, DataError | None]:
    """The inputs; those with a wrong row are read without it, and the error is returned, too: it may be a ballot."""
    try:
        with open_inputs(inputs, reading) as files:
            return load_inputs(files, quiet=quiet, describe=_describe), files.log, None
    except DataError as error:
        if error.line is None or "-" in inputs:
            raise
        mildly = dataclasses.replace(reading[1], lenient=True, duplicates="first")
        try:
            with open_inputs(inputs, (reading[0], mildly)) as files:
                return load_inputs(files, quiet=quiet, describe=_describe_stopped), files.log, error
        except DataError:
            raise error from None


def _describe(rankings: Rankings, log: ReadLog) -> str:
    """What was read, in the words of ballots or of lists."""
    if are_ballots(log.readings, rankings):
        return describe_ballots(rankings, log)
    return f"{log.summary()}: {rankings.summary(names=True)}"


def _describe_stopped(rankings: Rankings, log: ReadLog) -> str:
    """The same where a wrong row stops a count: of ballots it is told beside their numbers, not as left out."""
    stops = are_ballots(log.readings, rankings)
    return describe_ballots(rankings, ReadLog()) if stops else _describe(rankings, log)


def _shorten(rows: Sequence[dict[str, Any]], what: str) -> tuple[Sequence[dict[str, Any]], str]:
    """The rows that are shown, and a note on the others."""
    if len(rows) <= MOST_LINES:
        return rows, ""
    return rows[:FEW_LINES], f"Shown: the first {FEW_LINES} of {len(rows):,} {what}; --json prints all of them."


def _tell_ties(found: Inspection) -> str:
    """What to try where scores, rounded perhaps, order next to nothing."""
    names = [row["ranker"] for row in found.rankers if row["tied"] > NEARLY_ALL * row["rows"]]
    if not names or not found.totals["scores"]:
        return ""
    listed = ", ".join(map(bare, names[:FEW_LINES])) + (", ..." if len(names) > FEW_LINES else "")
    return f"Nearly all rows are tied in {listed}: if the file has ranks beside its scores, try --order-by rank."


def _tell_sample(found: Inspection) -> str:
    """That not all rankers were compared with each other, if so."""
    if len(found.compared) == len(found.rankers):
        return ""
    return f"Each ranker is compared with {len(found.compared)} of the others, taken evenly."


def _matrices(found: Inspection) -> dict[str, Any]:
    """Overlap and agreement of every two rankers, None where not every two were compared."""
    if len(found.compared) < len(found.rankers):
        return {"overlap": None, "agreement": None}
    return {"overlap": _cells(found.overlap), "agreement": _cells(found.agreement)}


def _understood(reading: FileReading) -> dict[str, Any]:
    separator = SEPARATORS.get(reading.delimiter or "", reading.delimiter)
    return {
        "file": reading.file,
        "format": reading.format,
        "layout": reading.layout,
        "direction": reading.direction,
        "delimiter": separator,
        "queries": reading.queries,
        "rankers": list(reading.rankers),
    }


def _reading_row(row: dict[str, Any]) -> list[Any]:
    names: list[str] = []
    room = ROOM_FOR_NAMES
    for name in map(bare, row["rankers"]):
        room -= len(name)
        if names and room < 0:
            break
        names.append(name)
    more = len(row["rankers"]) - len(names)
    listed = ", ".join(names) + (f" and {more:,} more" if more else "")
    return [
        os.path.basename(row["file"]),  # the path is in --json
        row["format"],
        row["layout"],
        row["direction"],
        row["delimiter"] or "-",
        row["queries"],
        listed,
    ]


def _ranker_row(row: dict[str, Any]) -> list[Any]:
    lengths = f"{row['shortest']} / {row['median']:g} / {row['longest']}"
    return [row["ranker"], row["queries"], lengths, row["tied"], _decimals(row["overlap"]), _decimals(row["agreement"])]


def _print_matrix(title: str, names: Sequence[str], table: FloatArray) -> None:
    """Rows by name, columns by the number of the ranker: names are long, and there are many."""
    rows = [
        [f"{a + 1} {name}", *["" if a == b else _decimals(_round(value), 2) for b, value in enumerate(table[a])]]
        for a, name in enumerate(names)
    ]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    print_table(title, ("", *numbers), rows, right=numbers)


def _cells(table: FloatArray) -> list[list[float | None]]:
    return [[_round(value) for value in row] for row in table]


def _round(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def _decimals(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"  # -0.0 + 0.0 is 0.0


def _name_fact(name: str, *, several: bool) -> str:
    """The name of a total; where there are several queries, an item of two of them counts twice."""
    return "query-item pairs" if name == "items" and several else name.replace("_", " ")


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:,}"
