"""``stagg judge``: what the judgments show so far of two settings, and which documents to judge next."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from stagg.cli.options.judging import read_proxy_alone
from stagg.cli.options.reading import inputs, list_reading, quiet_option, read_inputs, refuse_own_input
from stagg.cli.options.reporting import check_folder
from stagg.cli.options.titles import find_texts, query_texts_option, texts_option
from stagg.cli.show.table_output import plain_reading_options
from stagg.cli.show.talk import busy, print_text, say
from stagg.data.strangers import warn_of_strangers
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.formats import ReadOptions
from stagg.formats.storage.atomic import replacing
from stagg.formats.storage.paths import expand_paths
from stagg.judging.estimate import Scope
from stagg.judging.judge import JudgingResult, judge
from stagg.judging.sheet import Sheet, count_grades, is_sheet, write_sheet
from stagg.judging.sides import split_sides
from stagg.judging.units import DEFAULT_GAIN, HIGHEST_GRADE
from stagg.methods import METHODS

__all__ = ["command"]


@click.command("judge", short_help="Find out what to judge, and what the judgments prove.")
@inputs
@click.option(
    "--compare",
    "pairs",
    multiple=True,
    metavar='"A;B"',
    help="Two settings: rankers by name, methods, or models that `stagg train` wrote. Give it several times for "
    "several comparisons, which share the judgments.  [default: RRF with each ranker]",
)
@click.option(
    "--judged",
    multiple=True,
    metavar="FILE",
    help="A sheet with grades, as this command or its page wrote it; name all of them. Qrels are free where the plan "
    "asks for their documents, but prove nothing by themselves.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many documents to judge next.  [default: 40, then 20]",
)
@click.option("--teach", is_flag=True, help="Draw documents whose labels teach weights, instead.  [--budget: 50]")
@click.option(
    "--proxy",
    type=click.Path(),
    metavar="FILE",
    help="Labels by an LLM, as a qrels file. They narrow the intervals as far as they agree with yours, and prove "
    "nothing alone.",
)
@click.option(
    "--scope",
    type=click.Choice(["future", "these"]),
    default="future",
    show_default=True,
    help="What is said is about queries like these, or about just these, which is less.",
)
@click.option(
    "--measure",
    default=DEFAULT_GAIN,
    show_default=True,
    help="dcg@K, p@K or rbp(p=P), as a share of the largest possible value.",
)
@click.option(
    "--top-grade",
    type=click.IntRange(1, HIGHEST_GRADE),
    default=3,
    show_default=True,
    help="The highest grade that people give.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the plan.")
@click.option("--qrels", "qrels_out", type=click.Path(dir_okay=False), metavar="OUT", help="Write all grades as qrels.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the next documents: a CSV file to fill in, or a page to judge on, by the ending (.csv, .html).",
)
@texts_option
@query_texts_option
@plain_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    pairs: Sequence[str],
    judged: Sequence[str],
    budget: int | None,
    teach: bool,
    proxy: str | None,
    scope: Scope,
    measure: str,
    top_grade: int,
    seed: int,
    qrels_out: str | None,
    output: str | None,
    texts: str | None,
    query_texts: str | None,
    as_json: bool,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Say what your judgments show of two settings so far, and which documents to judge next.

    Before you judge, you learn what so many judgments can show. Then judge the documents of the file that -o writes,
    give the file back by --judged, and so on until the difference is decided, or cannot be. There is nothing else to
    keep: the same runs, settings and seed make the same plan.

    \b
    stagg judge bm25.trec dense.trec --compare "rrf;bm25" -o todo.csv
    stagg judge bm25.trec dense.trec --compare "rrf;bm25" --judged todo.csv -o todo2.html
    stagg judge bm25.trec dense.trec --judged 'judged/*.csv' --proxy llm.qrels --scope these
    """
    files = _list_files(judged)
    _check_outputs([output, qrels_out], inputs, [*files, proxy, texts, query_texts])
    _refuse_sheets(inputs)
    loaded = read_inputs(inputs, reading, quiet=quiet)
    warn_of_strangers(loaded.rankings)
    with busy("comparing", quiet=quiet):
        found = judge(
            loaded.rankings,
            compare=_read_pairs(pairs, loaded.rankings.rankers) or None,
            judged=[_read_judged(each, reading[1], quiet=quiet) for each in files],
            budget=budget,
            proxy=read_proxy_alone(proxy, reading[1], quiet=quiet),
            scope=scope,
            measure=measure,
            top_grade=top_grade,
            teach=teach,
            seed=seed,
        ).add_settings(inputs=list(inputs), judged=files or None, proxy=proxy, **list_reading(reading))
    if found.todo is not None and output is not None:
        found = found.add_texts(
            find_texts(texts, {row.item for row in found.todo.rows}, reading[1], quiet=quiet),
            find_texts(query_texts, {row.query for row in found.todo.rows}, reading[1], of="queries", quiet=quiet),
        )
    _write(found, output, qrels_out, quiet=quiet)
    _show(found, as_json=as_json)


def _list_files(judged: Sequence[str]) -> list[str]:
    """The files that were named, those of a pattern by name."""
    return [str(place.path) for place in expand_paths(judged)] if judged else []


def _check_outputs(outputs: Sequence[str | None], inputs: Sequence[str], others: Sequence[str | None]) -> None:
    for each in outputs:
        if each is not None:
            refuse_own_input(each, inputs, *others)
            check_folder(each)
    if outputs[0] is not None and not outputs[0].lower().endswith((".csv", ".html")):
        raise InvalidParameter(f"{shown(outputs[0])}: -o writes .csv, to fill in, or .html, a page to judge on")
    for each in outputs:
        if each is not None and os.path.isfile(each) and (count := count_grades(each)):
            raise InvalidParameter(
                f"{each} holds {plural(count, 'grade')} that would be lost: give it back by --judged, and name another "
                "output"
            )


def _refuse_sheets(inputs: Sequence[str]) -> None:
    """A sheet among the rankings is a pattern that the shell filled in after --judged."""
    for each in inputs:
        found = False
        with contextlib.suppress(DataError):  # what cannot be read is said when it is read
            found = os.path.isfile(each) and is_sheet(each)
        if found:
            raise InvalidParameter(
                f"{each} is a sheet of judgments, not a ranking: say --judged before each of them, or put the pattern "
                "in quotes, --judged 'judged*.csv'"
            )


def _read_judged(path: str, options: ReadOptions, *, quiet: bool) -> Any:
    """A sheet by its path, or the labels of a file that has no plan; they may be means."""
    if path.lower().endswith((".html", ".htm")):
        raise InvalidParameter(
            f"{path} is a page, whose grades are in the browser: save them there to a file, and name it"
        )
    if is_sheet(path):
        return path
    return read_proxy_alone(path, dataclasses.replace(options, float_labels=True), quiet=quiet)


def _read_pairs(texts: Sequence[str], rankers: Sequence[str]) -> list[tuple[Any, Any]]:
    """The two sides of each comparison; what is the file of a model becomes the model."""
    pairs = [split_sides(each) for each in texts]
    files = {each: _find_model(each) for pair in pairs for each in pair if each not in rankers}
    paths = {each: file for each, file in files.items() if file is not None}
    stems = collections.Counter(Path(path).stem for path in {path for _, path in paths.values()})

    def read(text: str) -> Any:
        if text not in paths:
            return text
        from stagg.learning import load_model

        name, path = paths[text]
        stem = Path(path).stem
        with _telling_of_runs(path):
            return name or (stem if stems[stem] == 1 else path), load_model(path)

    return [(read(a), read(b)) for a, b in pairs]


@contextlib.contextmanager
def _telling_of_runs(path: str) -> Iterator[None]:
    """What is no model may be a run, which is compared by its name."""
    try:
        yield
    except DataError as error:
        if path.lower().endswith(".json"):
            raise
        raise DataError(
            f"{error.message}; if it is a run, name its file among the inputs, and compare it by its name, "
            f"{shown(Path(path).stem)}",
            file=error.file,
        ) from None


def _find_model(text: str) -> tuple[str, str] | None:
    """The name, "" where it has none, and the path of the model that a side names: "ours.json", "Ours: ours.json"."""
    name, colon, path = text.partition(": ")
    if not colon or os.path.exists(text):
        name, path = "", text
    named = path.endswith(".json") or (os.path.isfile(path) and path not in {each.name for each in METHODS})
    return (name.strip(), path.strip()) if named else None


def _write(found: JudgingResult, output: str | None, qrels: str | None, *, quiet: bool) -> None:
    if qrels is not None:
        if not len(found.labels):
            raise DataError("there are no grades to write as qrels: name the judged sheets by --judged")
        _replace(qrels, found.to_qrels())
        if not quiet:
            count = sum(len(found.labels[query]) for query in found.labels)
            say(f"{plural(count, 'grade')} written to {qrels}")
    if output is None:
        return
    if found.todo is None:
        say(f"{output} was not written: nothing is left to judge")
        return
    _write_sheet(output, found.todo)
    if quiet:
        return
    say(f"{plural(len(found.todo.rows), 'document')} to judge written to {output}")
    if not any(row.item_text for row in found.todo.rows):
        say("it has ids only; --texts FILE and --query-texts FILE say what there is to read")


def _write_sheet(output: str, todo: Sheet) -> None:
    if output.lower().endswith(".csv"):
        write_sheet(output, todo)
        return
    from stagg.report.pages.judging import judging_page

    _replace(output, judging_page(todo))


def _replace(path: str, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode())


def _show(found: JudgingResult, *, as_json: bool) -> None:
    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    for note in found.notes:
        say(note)
    for sentence in found.sentences:
        print_text(sentence)
