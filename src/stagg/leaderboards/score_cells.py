"""Cells of a leaderboard, in any layout, to scores: which column names the models, and which columns are tasks."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from stagg.errors import DataError, plural, shown
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import COMMA_DECIMALS, POINTED_THOUSANDS, CellTable, is_number_cell, read_number
from stagg.formats.tables.layouts.shared.number_cells import points_thousands
from stagg.formats.tables.roles import (
    describes_items,
    is_measure,
    is_subject,
    map_columns,
    say_columns,
    sums_up,
    told_by,
)
from stagg.formats.tables.trim import group_columns
from stagg.formats.tables.verdicts import split_words
from stagg.formats.tables.vocabulary import GUESSES, plain_name
from stagg.formats.tables.written_numbers import is_cost, is_missing, is_written_number, read_written_column
from stagg.say import Say, tell

__all__ = ["ReadScores", "find_scores"]

FEWEST: Final = 3  # models from which numbers show that a column sums up others, or counts places
ROUNDED: Final = 0.006  # of the largest number: means of a table are rounded
MOST_NAMED: Final = 12
RUNS: Final = frozenset(
    ("run", "seed", "trial", "fold", "repetition", "repeat", "rep", "iteration", "iter", "attempt", "replicate")
)
"""Names of columns that tell the runs of a model on a task apart."""
VALUES: Final = frozenset(("score", "main_score", "value", "result", *GUESSES["score"]))
"""Names of the column of scores in a table with one row for each."""
WON, LOST = frozenset(("w", "won", "win", "wins")), frozenset(("l", "lost", "loss", "losses"))
POINTS: Final = frozenset(("pts", "points", "punkte", "puntos", "punti"))
"""Names of columns in the table of a league."""
VERSIONS: Final = frozenset(("raw", "normalized", "normalised", "unnormalized", "unnormalised"))
"""Words that tell two columns of one task apart."""
LOWER_MARK: Final = re.compile(r"[↓⬇▼]|lower is better", re.IGNORECASE)
NO_P_VALUE: Final = re.compile(r"[0-9]*[pq](?![a-z])", re.IGNORECASE)
"""A letter that is a statistic in other tables, and part of a name here: ClusteringP2P."""
HIGHER_MARK: Final = re.compile(r"[↑⬆▲]|higher is better", re.IGNORECASE)
INDEX_NAME: Final = re.compile(r"|#|index|unnamed: ?\d+", re.IGNORECASE)
"""Names of a column that may number the rows, as pandas writes its index."""
LINK: Final = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
DEVIATIONS: Final = ("±", "+/-", "+-", "\\pm")
"""Names of columns that hold what stands behind this sign."""
MODEL_NAME: Final = re.compile(
    r"[^\s/]+/[^\s/]+|\d+(?:\.\d+)?[bm]\b|\bv?\d+\.\d+\b|"
    r"\b(?:gpt|llama|bert|roberta|t5|qwen|mi[sx]tral|gemma|gemini|claude|phi|falcon|deepseek|yi|e5|bge|gte|glove|"
    r"word2vec|bm25|baseline|base|small|large|xl|mini|instruct|chat|svm|knn|forest|xgboost|lightgbm|resnet|vit)\b",
    re.IGNORECASE,
)
"""Texts that look like the name of a model."""


@dataclasses.dataclass(frozen=True)
class ReadScores:
    """Scores as a table shows them: rows (model, task, score), the tasks where small is better, and families.

    ``lower`` are the tasks whose names say that small is better, ``asked`` those that may mean it. ``families``: {name
    of a column, or "row": {task: family}}.
    """

    rows: list[tuple[str, str, float]]
    lower: tuple[str, ...]
    asked: tuple[str, ...]
    families: Mapping[str, Mapping[str, str]]


@dataclasses.dataclass(frozen=True)
class _Grid:
    """A table laid out: texts[model][task], with the line of each model, or of each task if ``is_turned``."""

    models: list[str]
    tasks: list[str]
    texts: list[list[str]]
    lines: list[int]
    header: int
    delimiter: str | None
    families: Mapping[str, Mapping[str, str]]
    is_turned: bool = False

    def column(self, number: int) -> list[str]:
        return [row[number] for row in self.texts]

    def lines_of(self, number: int) -> list[int]:
        """The line of each cell of a column."""
        return [self.lines[number]] * len(self.models) if self.is_turned else self.lines


def find_scores(table: CellTable, reading: Reading) -> ReadScores:
    """The scores of a table of models and tasks: long, wide, or with the models in columns.

    Columns that rank the models, sum up the others or describe the models are left out with a word. What can be meant
    in two ways is asked.
    """
    if not table.rows:
        raise reading.error("0 rows: there is nothing to read")
    table, above = _find_header(table, reading)
    if len(table.rows) < 2:
        raise reading.error("there is a header, and no row below it", table.lines[0])
    names = table.rows[0]
    roles = {role: number for number, role in map_columns(names, reading, table.lines[0]).items() if role != "ignore"}
    ignored = {n for n, role in map_columns(names, reading, table.lines[0]).items() if role == "ignore"}
    long = _find_long(table, roles, ignored, reading)
    if long is not None:
        return _read_long(table, long, ignored, reading)
    _refuse_one_model(table, roles, ignored, reading)
    _refuse_matrix(table, reading)
    grid = _lay_out(table, above, roles, ignored, reading)
    return _read_grid(grid, reading)


# --- the header -------------------------------------------------------------------------------------------------------


def _find_header(table: CellTable, reading: Reading) -> tuple[CellTable, list[str] | None]:
    """The table from its header on, and the row of families above it, if there is one."""
    first = 0
    if table.header is not True:
        while first < len(table.rows) - 2 and table.width > 2 and sum(map(bool, table.rows[first])) < 2:
            first += 1
    if first:
        reading.note(f"what stands above line {table.lines[first]} was left out ({shown(table.rows[0][0])})")
    above = None
    if table.header is not True and len(table.rows) > first + 2 and group_columns(*table.rows[first : first + 2]):
        above, first = table.rows[first], first + 1
    rows = [[cell.strip(" \t\u00a0") for cell in row] for row in table.rows[first:]]
    return dataclasses.replace(table, rows=rows, lines=table.lines[first:]), above


def _spread(above: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """{name: what stands above it, or above a column before}: merged cells hold their text in the first one only."""
    found: dict[str, str] = {}
    last = ""
    for cell, name in zip(above, names, strict=True):
        last = cell or last
        if last:
            found[name] = last
    return found


# --- long -------------------------------------------------------------------------------------------------------------


def _find_long(
    table: CellTable, roles: Mapping[str, int], ignored: set[int], reading: Reading
) -> dict[str, int] | None:
    """{"item", "ranker", "score": column} of a table with one row for each score; None if it is another."""
    names, body = table.rows[0], table.rows[1:]
    if {"item", "ranker"} <= roles.keys():
        models, tasks = roles["item"], roles["ranker"]
    else:
        free = [c for c in range(len(names)) if c not in ignored and c not in roles.values() and _is_text(body, c)]
        model = next((c for c in free if is_subject(names[c]) or plain_name(names[c]) in ("item", "model")), None)
        task = next((c for c in free if c != model and is_measure(names[c])), None)
        models, tasks = (
            roles.get("item", -1 if model is None else model),
            roles.get("ranker", -1 if task is None else task),
        )
        if models < 0 or tasks < 0 or len({row[models] for row in body}) == len(body) > 1 < len(names) - 2:
            return None
    if "score" in roles:
        return {"item": models, "ranker": tasks, "score": roles["score"]}
    numbers = [
        c for c in range(len(names))
        if c not in ignored and c not in (models, tasks) and _is_numbers(body, c) and plain_name(names[c]) not in RUNS
        and (describes_items(names[c]) is not True or _reads_every(reading))
    ]  # fmt: skip
    named = [c for c in numbers if plain_name(names[c]) in VALUES]
    chosen = named if len(named) == 1 else numbers
    if len(chosen) != 1:
        if not chosen:
            ranks = [name for name in names if told_by(name) == "rank"]
            if ranks:
                raise _ask_ranks(ranks[0], reading, table.lines[0])
            raise reading.error("there is no column of scores", table.lines[0])
        ways = [say_columns(item=names[models], ranker=names[tasks], score=names[c]) for c in chosen[:4]]
        raise reading.ask("which column holds the scores?", *ways, line=table.lines[0])
    return {"item": models, "ranker": tasks, "score": chosen[0]}


def _refuse_one_model(table: CellTable, roles: Mapping[str, int], ignored: set[int], reading: Reading) -> None:
    """Refuse a table with one row for each score that names no model, as tools print results of one: Task, Value."""
    names, body = table.rows[0], table.rows[1:]
    texts = [c for c in range(len(names)) if c not in ignored and _is_text(body, c)]
    numbers = [c for c in range(len(names)) if c not in ignored and names[c] and _is_numbers(body, c)]
    values = [c for c in numbers if plain_name(names[c]) in VALUES]
    measures = [c for c in texts if is_measure(names[c])]
    others = [c for c in numbers if c not in values and not describes_items(names[c])]
    if roles or len(values) != 1 or not measures or any(is_subject(names[c]) for c in texts):
        return
    if len(measures) > 1 or not others:
        what = f"every row is a score by {shown(names[measures[0]])}, in the column {shown(names[values[0]])}"
        add = "add a column 'model', and put the tables of all models below one another"
        maybe = next((names[c] for c in texts if c not in measures and not describes_items(names[c])), None)
        named = tell(", or say ", say_columns(item=maybe), f" if {shown(maybe)} names it") if maybe else ""
        raise reading.error(tell(f"{what}, and no column names the model; {add}", named), table.lines[0])


def _refuse_matrix(table: CellTable, reading: Reading) -> None:
    """Refuse a matrix whose rows and columns are the same contestants: its numbers are wins, and no scores on tasks."""
    names, body = table.rows[0][1:], table.rows[1:]
    if len(body) > 1 and len(names) == len(body) and sorted(names) == sorted(row[0] for row in body):
        write = "write a row for each pair instead: winner,loser,count"
        what = f"the rows and the columns are the same, {shown(names[0])} and so on: is this a matrix of wins?"
        raise reading.error(f"{what} {write}", table.lines[0])


def _read_long(table: CellTable, roles: Mapping[str, int], ignored: set[int], reading: Reading) -> ReadScores:
    names, body, lines = table.rows[0], table.rows[1:], table.lines[1:]
    models, tasks, scores = (roles[role] for role in ("item", "ranker", "score"))
    for row, line in zip(body, lines, strict=True):
        if not row[models] or not row[tasks]:
            raise reading.error(f"the {'model' if not row[models] else 'task'} is empty; expected a name", line)
    if told_by(names[scores]) == "rank" and not _reads_every(reading):
        raise _ask_ranks(names[scores], reading, table.lines[0])
    metrics = _find_parts(body, (models, tasks), {scores, *ignored}, names)
    about = {row[tasks]: " ".join(row[c] for c in metrics) for row in body}
    if metrics and any(about[row[tasks]] != " ".join(row[c] for c in metrics) for row in body):
        body, about = _join_metrics(body, tasks, metrics, names, reading)
    found: list[tuple[str, str, float]] = []
    places: dict[str, list[int]] = {}
    for place, row in enumerate(body):
        places.setdefault(row[tasks], []).append(place)
    noted = _Noted(reading, pointed=_has_points([row[scores] for row in body], table.delimiter))
    for task, mine in places.items():
        numbers = noted.read([body[p][scores] for p in mine], task, [lines[p] for p in mine], table.delimiter)
        found += [(body[p][models], task, x) for p, x in zip(mine, numbers, strict=True) if x is not None]
    noted.tell()
    _note_without_scores([row[models] for row in body], found, reading)
    others = [c for c in range(len(names)) if c not in (models, tasks, scores) and c not in ignored]
    families = {names[c]: one for c in others if (one := _name_families(body, tasks, c)) is not None}
    _note_runs(body, (models, tasks), [c for c in others if names[c] not in families], names, reading)
    small = names[scores] if told_by(names[scores]) == "small" else ""
    every = small and LOWER_MARK.search(small)
    lower = tuple(t for t in places if every or LOWER_MARK.search(f"{t} {about[t]}"))
    asked = tuple(t for t in places if t not in lower and (small or _may_be_lower(f"{t} {about[t]}", ())))
    scored: dict[str, list[float | None]] = {task: [] for task in places}
    for _, task, score in found:
        scored[task].append(score)
    if not lower and _are_all_places(list(scored.values())):
        asked = tuple(places)
    return ReadScores(found, lower, asked, families)


def _find_parts(
    body: Sequence[Sequence[str]], keys: tuple[int, int], others: set[int], names: Sequence[str]
) -> list[int]:
    """The columns of texts that tell parts of a task: metrics, languages, splits; but not those that tell runs.

    Such a column is named as one of measures, or rows of a model and a task differ in it, and its texts come again with
    other models.
    """
    found = []
    for c in range(len(names)):
        told = describes_items(names[c]) or plain_name(names[c]) in RUNS or RUNS.intersection(split_words(names[c]))
        if c in keys or c in others or told or not _is_text(body, c):
            continue
        parts: dict[tuple[str, str], set[str]] = {}
        owners: dict[str, set[str]] = {}
        for row in body:
            parts.setdefault((row[keys[0]], row[keys[1]]), set()).add(row[c])
            owners.setdefault(row[c], set()).add(row[keys[0]])
        differs = any(len(each) > 1 for each in parts.values())
        if is_measure(names[c]) or (differs and all(len(each) > 1 for each in owners.values())):
            found.append(c)
    return found


def _join_metrics(
    body: Sequence[Sequence[str]], tasks: int, metrics: Sequence[int], names: Sequence[str], reading: Reading
) -> tuple[list[list[str]], dict[str, str]]:
    """The rows with their metric beside the task, for scores by several metrics are no runs; and {task: metric}."""
    found, about = [], {}
    for row in body:
        told = " ".join(filter(None, (row[c] for c in metrics)))
        name = f"{row[tasks]} {told}".strip(" ")
        about[name] = told
        found.append([name if c == tasks else cell for c, cell in enumerate(row)])
    shown_names = " and ".join(shown(names[c]) for c in metrics)
    say = say_columns(ignore="+".join(names[c] for c in metrics))
    reading.note(
        tell(f"a task by each {shown_names} is a task of its own, such as {shown(found[0][tasks])}; ", say, " makes "
             "runs of them")
    )  # fmt: skip
    return found, about


def _name_families(body: Sequence[Sequence[str]], tasks: int, column: int) -> dict[str, str] | None:
    """{task: family} of a column of texts that says one thing of each task, and one of several tasks."""
    found: dict[str, str] = {}
    for row in body:
        if not row[column] or found.setdefault(row[tasks], row[column]) != row[column]:
            return None
    texts = not any(map(is_number_cell, found.values()))
    return found if texts and 1 < len(set(found.values())) < len(found) else None


def _note_runs(
    body: Sequence[Sequence[str]], keys: tuple[int, int], others: list[int], names: Sequence[str], reading: Reading
) -> None:
    """Say which columns tell rows of the same model and task apart, which are read as runs."""
    first: dict[tuple[str, str], Sequence[str]] = {}
    differ: set[int] = set()
    repeated = 0
    for row in body:
        before = first.setdefault((row[keys[0]], row[keys[1]]), row)
        if before is not row:
            repeated += 1
            differ |= {c for c in others if row[c] != before[c]}
    if repeated:
        apart = [shown(names[c]) for c in sorted(differ) if not is_number_cell(first[next(iter(first))][c])
                 or plain_name(names[c]) in RUNS]  # fmt: skip
        told = f", which differ in {', '.join(apart)}" if apart else ""
        reading.note(f"{plural(repeated, 'row')} more of the same model and task{told}: read as runs of the task")


# --- wide -------------------------------------------------------------------------------------------------------------


def _lay_out(
    table: CellTable, above: list[str] | None, roles: Mapping[str, int], ignored: set[int], reading: Reading
) -> _Grid:
    """The models and the tasks of a wide table, whichever of them are its rows."""
    names, body, lines = table.rows[0], table.rows[1:], table.lines[1:]
    owner, turned = _find_owner(names, body, roles, ignored, reading, table.lines[0])
    body = _without_links(body, owner)
    rest = [c for c in range(len(names)) if c != owner and c not in ignored]
    rest = _without_unnamed(names, body, rest, reading, table.lines[0])
    for row, line in zip(body, lines, strict=True):
        if not row[owner]:
            raise reading.error(f"the {'task' if turned else 'model'} is empty; expected a name", line)
    texts = [c for c in rest if _is_text(body, c)]
    numbers = [c for c in rest if c not in texts]
    if not numbers:
        raise reading.error("there is no column of numbers", table.lines[0])
    twice = next((names[c] for c in numbers if [names[d] for d in numbers].count(names[c]) > 1), None)
    if twice is not None:
        raise reading.error(f"two columns are named {shown(twice)}; rename one of them", table.lines[0])
    families = {"row": _spread(above, names)} if above is not None and not turned else {}
    if turned:
        known = {names[c]: one for c in texts if (one := _name_families(body, owner, c)) is not None}
        families, texts = families | known, [c for c in texts if names[c] not in known]
    _note_left_out([names[c] for c in texts], "holds texts", reading)
    cells = [[row[c] for c in numbers] for row in body]
    if turned:
        tasks = [row[owner] for row in body]
        again = next((task for task in tasks if tasks.count(task) > 1), None)
        if again is not None:
            raise reading.error(f"two rows are of the task {shown(again)}; rename one of them")
        cells = [list(column) for column in zip(*cells, strict=True)]
        models = [names[c] for c in numbers]
        return _Grid(models, tasks, cells, lines, table.lines[0], table.delimiter, families, is_turned=True)
    kept = [n for n, row in enumerate(body) if not sums_up(row[owner])]
    _note_left_out([row[owner] for n, row in enumerate(body) if n not in set(kept)], "sums up the others", reading)
    models = [body[n][owner] for n in kept]
    if len(set(models)) < len(models):
        again = next(model for model in models if models.count(model) > 1)
        reading.note(f"{shown(again)} has {plural(models.count(again), 'row')}: rows of one model are read as its runs")
    return _Grid(models, [names[c] for c in numbers], [cells[n] for n in kept], [lines[n] for n in kept],
                 table.lines[0], table.delimiter, families)  # fmt: skip


def _without_links(body: list[list[str]], owner: int) -> list[list[str]]:
    """The rows, where all of their names are links of Markdown, with the texts of these: [model](https://…)."""
    links = [LINK.fullmatch(row[owner]) for row in body]
    texts = [match[1] for match in links if match]
    if len(texts) < len(body) or len(set(texts)) < len({row[owner] for row in body}):
        return body
    return [[*row[:owner], text, *row[owner + 1 :]] for row, text in zip(body, texts, strict=True)]


def _without_unnamed(
    names: Sequence[str], body: Sequence[Sequence[str]], rest: Sequence[int], reading: Reading, line: int
) -> list[int]:
    """The columns that have a name; others may number the rows, or hold texts, but no scores."""
    spread = [c for c in rest if names[c].strip(" ") in DEVIATIONS]
    _note_left_out([names[c] for c in spread[:1]], "describes the models", reading)
    rest = [c for c in rest if c not in spread]
    counted = [c for c in rest if INDEX_NAME.fullmatch(names[c].strip(" ")) and _count_up([row[c] for row in body])]
    if counted and any(names[c] for c in counted):
        _note_left_out([names[c] for c in counted if names[c]], "numbers the rows", reading)
    kept = [c for c in rest if c not in counted]
    odd = next((c for c in kept if not names[c] and _is_numbers(body, c)), None)
    if odd is not None:
        what = f"column {odd + 1} has no name: name it in the header"
        raise reading.ask(f"{what}, or leave it out", say_columns(ignore=str(odd + 1)), line=line)
    return [c for c in kept if names[c]]


def _count_up(cells: Sequence[str]) -> bool:
    """Whether cells count from 0 or 1."""
    return any(cells == [str(n + first) for n in range(len(cells))] for first in (0, 1))


def _find_owner(
    names: Sequence[str],
    body: Sequence[Sequence[str]],
    roles: Mapping[str, int],
    ignored: set[int],
    reading: Reading,
    line: int,
) -> tuple[int, bool]:
    """(the column that names the rows, whether these are tasks)."""
    if "item" in roles or "ranker" in roles:
        return (roles["item"], False) if "item" in roles else (roles["ranker"], True)
    texts = [c for c in range(len(names)) if c not in ignored and _is_text(body, c)]
    model = next((c for c in texts if is_subject(names[c]) or plain_name(names[c]) in ("item", "model")), None)
    task = next((c for c in texts if is_measure(names[c])), None)
    if model is not None and len({row[model] for row in body}) == len(body):
        return model, False
    if (model is None) != (task is None):
        return (model, False) if model is not None else (task or 0, True)
    owner = texts[0] if texts else 0
    rows = [row[owner] for row in body]
    others = [name for c, name in enumerate(names) if c != owner and c not in ignored and name]
    if not others:
        raise reading.error(
            f"there is one column, {shown(names[owner] or str(owner + 1))}, and no scores beside it", line
        )
    in_rows, in_columns = _look_like_models(rows), _look_like_models(others)
    sums = any(sums_up(name) for name in others) - any(sums_up(name) for name in rows)
    if in_rows > 2 * in_columns and sums >= 0:
        return owner, False
    if in_columns > 2 * in_rows and sums <= 0:
        reading.note(f"the columns were read as models, and the rows as tasks; the first is {shown(rows[0])}")
        return owner, True
    if sums:
        return owner, sums < 0
    name = names[owner] or str(owner + 1)
    raise reading.ask(
        f"are the rows models, or tasks? the first is {shown(rows[0])}, the first column {shown(others[0])}",
        (say_columns(item=name), "the rows are models"),
        (say_columns(ranker=name), "the rows are tasks"),
        line=line,
    )


def _look_like_models(names: Sequence[str]) -> float:
    """The share of the names that look like those of models."""
    return sum(MODEL_NAME.search(name) is not None for name in names) / max(1, len(names))


def _read_grid(grid: _Grid, reading: Reading) -> ReadScores:
    """The scores of the columns that are tasks."""
    out = _find_no_tasks(grid, reading)
    for why in dict.fromkeys(out.values()):
        _note_left_out([grid.tasks[t] for t in sorted(out) if out[t] == why], why, reading)
    tasks = [t for t in range(len(grid.tasks)) if t not in out]
    pointed = _has_points([cell for t in tasks for cell in grid.column(t)], grid.delimiter)
    noted = _Noted(reading, None if grid.is_turned else [grid.tasks[t] for t in sorted(out)], pointed=pointed)
    numbers = {t: noted.read(grid.column(t), grid.tasks[t], grid.lines_of(t), grid.delimiter) for t in tasks}
    noted.tell()
    _ask_about_places(grid, tasks, numbers, out, reading)
    if not grid.is_turned:
        _note_versions(grid, tasks, numbers, out, reading)
    rows = [
        (model, grid.tasks[t], number)
        for t in tasks
        for model, number in zip(grid.models, numbers[t], strict=True)
        if number is not None
    ]
    _note_without_scores(grid.models, rows, reading)
    lower = tuple(grid.tasks[t] for t in tasks if LOWER_MARK.search(grid.tasks[t]))
    asked = tuple(
        grid.tasks[t] for t in tasks if grid.tasks[t] not in lower and _may_be_lower(grid.tasks[t], grid.column(t))
    )
    if not lower and _are_all_places([numbers[t] for t in tasks]):
        asked = tuple(grid.tasks[t] for t in tasks)
    return ReadScores(rows, lower, asked, grid.families)


def _note_versions(
    grid: _Grid,
    tasks: Sequence[int],
    numbers: Mapping[int, Sequence[float | None]],
    out: Mapping[int, str],
    reading: Reading,
) -> None:
    """Say which columns are versions of one task, such as BBH and BBH Raw, and rank the models alike."""
    first: dict[tuple[str, ...], int] = {}
    again: list[tuple[int, int]] = []
    for t in sorted(tasks, key=lambda t: len(VERSIONS.intersection(split_words(grid.tasks[t])))):
        task = tuple(word for word in split_words(grid.tasks[t]) if word not in VERSIONS)
        one = first.setdefault(task, t)
        if task and one != t and _order(numbers[one]) == _order(numbers[t]):
            again.append((one, t))
    if again:
        pairs = ", ".join(f"{shown(grid.tasks[t])} and {shown(grid.tasks[one])}" for one, t in again[:MOST_NAMED])
        before = (reading.options.columns or {}).get("ignore") or "+".join(grid.tasks[t] for t in sorted(out))
        say = say_columns(ignore="+".join(filter(None, [before, *(grid.tasks[t] for _, t in again)])))
        reading.note(tell(f"each two columns may be one task, for they rank the models alike: {pairs}; ", say,
                          " counts each task once"))  # fmt: skip


def _order(column: Sequence[float | None]) -> list[int]:
    """The place of every model in the order of a column, ties shared; -1 for those without a score."""
    known = sorted({number for number in column if number is not None})
    return [-1 if number is None else known.index(number) for number in column]


def _are_all_places(columns: Sequence[Sequence[float | None]]) -> bool:
    """Whether every column counts its models from 1, in some order: these are ranks, most likely."""
    lists = [sorted(number for number in column if number is not None) for column in columns]
    return all(len(each) >= FEWEST and each == list(range(1, len(each) + 1)) for each in lists)


def _note_without_scores(models: Sequence[str], rows: Sequence[tuple[str, str, float]], reading: Reading) -> None:
    """Say which models have no scores at all, and so no place on the board."""
    scored = {model for model, _, _ in rows}
    names = [model for model in dict.fromkeys(models) if model not in scored]
    if names and scored:
        listed = ", ".join(map(shown, names[:MOST_NAMED])) + (", …" if len(names) > MOST_NAMED else "")
        reading.note(f"{plural(len(names), 'model has', 'models have')} no scores and no place on the board: {listed}")


def _may_be_lower(name: str, cells: Sequence[str]) -> bool:
    """Whether small numbers may be better, by the name of a task or by its cells."""
    if HIGHER_MARK.search(name):
        return False
    costs = sum(map(is_cost, cells))
    return told_by(NO_P_VALUE.sub(" ", name)) == "small" or 2 * costs > len(cells)


def _find_no_tasks(grid: _Grid, reading: Reading) -> dict[int, str]:
    """{column: why} of those that rank the models, describe them or sum up the others; a question where one may."""
    every = range(len(grid.tasks))
    if _reads_every(reading):
        return {}
    _ask_about_standings(grid, reading)
    ranks = [t for t in every if told_by(grid.tasks[t]) == "rank"]
    facts = [t for t in every if t not in ranks and describes_items(grid.tasks[t])]
    if len(ranks) + len(facts) == len(grid.tasks):
        raise _ask_ranks(grid.tasks[ranks[0] if ranks else facts[0]], reading, grid.header)
    out = dict.fromkeys(ranks, "ranks the models") | dict.fromkeys(facts, "describes the models")
    maybe = [t for t in every if t not in out and describes_items(grid.tasks[t]) is None]
    out |= dict.fromkeys(_find_sums(grid, [t for t in every if t not in out and t not in maybe]), "sums up the others")
    if maybe:
        raise _ask_what_describes(grid, maybe, out, reading)
    return out


def _ask_about_standings(grid: _Grid, reading: Reading) -> None:
    """A question about the table of a league, whose columns count games, wins and losses: these are no tasks."""
    plain = [plain_name(task) for task in grid.tasks]
    won, lost = (next((t for t, name in enumerate(plain) if name in words), None) for words in (WON, LOST))
    if grid.is_turned or won is None or lost is None:
        return
    points = next((t for t, name in enumerate(plain) if name in POINTS), won)
    raise reading.ask(
        f"the columns {shown(grid.tasks[won])} and {shown(grid.tasks[lost])} count wins and losses, as tables of a "
        "league do; the games themselves (home,away,home_goals,away_goals) tell more; which columns are tasks?",
        (_say_ignore(grid, [t for t in range(len(plain)) if t != points]), f"{shown(grid.tasks[points])} alone"),
        (say_columns(ignore=""), "all of them"),
        line=grid.lines[0],
    )


def _ask_what_describes(grid: _Grid, maybe: Sequence[int], out: Mapping[int, str], reading: Reading) -> DataError:
    """The question whether columns such as "votes" are tasks."""
    names = ", ".join(shown(grid.tasks[t]) for t in maybe)
    one = len(maybe) == 1
    what = "row" if grid.is_turned else "column"
    question = f"is the {what} {names} a task, or does it describe the models?"
    if not one:
        question = f"are the {what}s {names} tasks, or do they describe the models?"
    if grid.is_turned:
        every = Say(columns={"ignore": ""}), "every row is a task"
        return reading.ask(f"{question} remove what is no task, or", every, line=grid.lines[maybe[0]], before=" say")
    return reading.ask(
        question,
        (_say_ignore(grid, [*out, *maybe]), "no task"),
        (_say_ignore(grid, out), "a task" if one else "tasks"),
        line=grid.header,
    )


def _say_ignore(grid: _Grid, columns: Iterable[int]) -> Say:
    """The option that leaves out these columns, and no others."""
    return say_columns(ignore="+".join(grid.tasks[t] for t in sorted(columns)))


def _reads_every(reading: Reading) -> bool:
    """Whether the caller said which columns to leave out, so that all others are tasks."""
    return "ignore" in (reading.options.columns or {})


def _ask_ranks(name: str, reading: Reading, line: int) -> DataError:
    """The error of a table without scores."""
    return reading.error(
        tell(
            f"the column {shown(name)} holds ranks, or describes the models, and there is no other; if small numbers "
            "are better, say ",
            Say(columns={"ignore": ""}, lower_is_better="all"),
        ),
        line,
    )


def _find_sums(grid: _Grid, columns: Sequence[int]) -> list[int]:
    """The columns that sum up others: by their names, or by their numbers."""
    said = {t: sums_up(grid.tasks[t]) for t in columns}
    parts = [t for t in columns if said[t] is False] or [t for t in columns if not said[t]]
    if not parts:
        return []
    numbers = {t: _try_numbers(grid.column(t), grid.delimiter) for t in columns}
    maybe = [t for t in columns if said[t] is None and t not in parts]
    sums = [t for t in columns if said[t] or (t in maybe and _adds_up(numbers[t], [numbers[p] for p in parts]))]
    hidden = [t for t in parts if len(parts) > 2 and _adds_up(numbers[t], [numbers[p] for p in parts if p != t])]
    return [*sums, *(hidden if len(hidden) == 1 else [])]


def _try_numbers(cells: Sequence[str], delimiter: str | None) -> list[float | None]:
    """The numbers of a column, as far as its cells show them."""
    filled = [n for n, cell in enumerate(cells) if cell and not is_missing(cell)]
    numbers: list[float | None] = [None] * len(cells)
    column = read_written_column([cells[n] for n in filled], commas=delimiter in COMMA_DECIMALS)
    for n, number in zip(filled, [] if column is None else column.numbers, strict=False):
        numbers[n] = number
    return numbers


def _adds_up(column: Sequence[float | None], parts: Sequence[Sequence[float | None]]) -> bool:
    """Whether the numbers of a column are the means, or the sums, of those of the others."""
    pairs = []
    for place, total in enumerate(column):
        known = [part[place] for part in parts]
        numbers = [number for number in known if number is not None]
        if total is not None and len(numbers) == len(known):
            pairs.append((total, math.fsum(numbers), len(numbers)))
    if len(pairs) < FEWEST:
        return False
    room = ROUNDED * max(abs(total) for total, _, _ in pairs)
    means = all(abs(total - sums / count) <= room for total, sums, count in pairs)
    return means or all(abs(total - sums) <= room for total, sums, _ in pairs)


def _ask_about_places(
    grid: _Grid,
    tasks: Sequence[int],
    numbers: Mapping[int, Sequence[float | None]],
    out: Mapping[int, str],
    reading: Reading,
) -> None:
    """A question about a column that counts 1, 2, 3, among others that do not: it may hold ranks."""
    if _reads_every(reading) or len(grid.models) < FEWEST:
        return
    counted = [t for t in tasks if sorted(x or 0.0 for x in numbers[t]) == list(range(1, len(grid.models) + 1))]
    if counted and len(counted) < len(tasks):
        name = shown(grid.tasks[counted[0]])
        asked = f"counts from 1 to {len(grid.models)}: does it hold ranks, or scores?"
        if grid.is_turned:
            every = Say(columns={"ignore": ""}), "scores"
            line = grid.lines[counted[0]]
            raise reading.ask(f"the row {name} {asked} remove ranks, or", every, line=line, before=" say")
        raise reading.ask(
            f"the column {name} {asked}",
            (_say_ignore(grid, [*out, counted[0]]), "ranks, which are left out"),
            (_say_ignore(grid, out), "scores"),
            line=grid.header,
        )


# --- cells ------------------------------------------------------------------------------------------------------------


class _Noted:
    """Reads the numbers of one task after the other, and says once what was noticed."""

    def __init__(self, reading: Reading, left_out: Sequence[str] | None = None, *, pointed: bool = False) -> None:
        """``left_out``: the columns that are no tasks; None where the tasks are no columns.

        ``pointed``: points separate thousands.
        """
        self.reading, self.left_out, self.pointed = reading, left_out, pointed
        self.missing: dict[str, int] = {}
        self.percent = ""  # the first of them, and what it is
        self.written: dict[str, float] = {}
        self.mixed: list[str] = []

    def read(self, cells: Sequence[str], task: str, lines: Sequence[int], delimiter: str | None) -> list[float | None]:
        """The numbers of one task; None where a score is missing."""
        filled = [n for n, cell in enumerate(cells) if cell and cell.casefold() != "nan"]
        for n in list(filled):
            if is_missing(cells[n]):
                self.missing[cells[n]] = self.missing.get(cells[n], 0) + 1
                filled.remove(n)
        texts = [cells[n] for n in filled]
        signs = [text.rstrip("*†‡ ").endswith("%") for text in texts]
        if any(signs) and not all(signs):
            odd = filled[signs.index(not signs[0])]
            raise self._error(f"some numbers of {shown(task)} have a percent sign, and {shown(cells[odd])} has "
                              f"{'none' if signs[0] else 'one'}; write them in one way", lines, odd)  # fmt: skip
        numbers = [None if "," in text else read_number(text) for text in texts]
        if None in numbers or (self.pointed and any(map(POINTED_THOUSANDS.fullmatch, texts))):
            column = read_written_column(texts, commas=delimiter in COMMA_DECIMALS, pointed=self.pointed)
            if column is None:
                return self._without_words(cells, filled, task, lines, delimiter)
            numbers = list(column.numbers)
            self.written.update(list(column.examples.values())[:1])
        self.percent = self.percent or next(
            (f"{text} is {number:g}" for text, number, sign in zip(texts, numbers, signs, strict=True) if sign), ""
        )
        self._look_at_scale([x for x in numbers if x is not None], task)
        found: list[float | None] = [None] * len(cells)
        for n, number in zip(filled, numbers, strict=True):
            found[n] = number
        return found

    def _without_words(
        self, cells: Sequence[str], filled: Sequence[int], task: str, lines: Sequence[int], delimiter: str | None
    ) -> list[float | None]:
        """The numbers without cells that hold none; these are errors, unless reading is lenient."""
        words = [n for n in filled if not is_written_number(cells[n]) and read_number(cells[n]) is None]
        if not words:
            message = f"the numbers of {shown(task)} are written in different ways ({shown(cells[filled[0]])})"
            raise self._error(tell(message, ": write them in one way", self._or_leave_out(task)), lines, filled[0])
        if not self.reading.options.lenient:
            what = (
                f"expected a number for {shown(task)}, found {shown(cells[words[0]])}; empty the cell if there is none"
            )
            more = tell(", say ", Say(lenient=True), " to leave out every such cell", self._or_leave_out(task))
            raise self._error(tell(what, more), lines, words[0])
        for n in words:
            self.reading.drop("bad number", lines[n])
        return self.read(["" if n in words else cell for n, cell in enumerate(cells)], task, lines, delimiter)

    def _or_leave_out(self, task: str) -> str:
        """The option that leaves out the column of a task."""
        if self.left_out is None:
            return ""
        before = (self.reading.options.columns or {}).get("ignore") or "+".join(self.left_out)
        return tell(", or say ", say_columns(ignore=f"{before}+{task}".lstrip("+")), " to leave the column out")

    def _error(self, message: str, lines: Sequence[int], place: int) -> DataError:
        return self.reading.error(message, lines[place])

    def _look_at_scale(self, numbers: Sequence[float], task: str) -> None:
        """Notice a task of which some scores go to 1, and others to 100."""
        small = sum(0 < x <= 1 for x in numbers)
        large = sum(10 < x <= 100 for x in numbers)
        if small + large == len(numbers) and min(small, large) * 10 >= len(numbers) > 4:
            self.mixed.append(task)

    def tell(self) -> None:
        """Say what was noticed in the cells."""
        if self.missing:
            words = ", ".join(f"{shown(word)} ({plural(count, 'cell')})" for word, count in self.missing.items())
            self.reading.note(f"read as missing: {words}")
        if self.percent:
            self.reading.note(f"percentages were read as numbers: {self.percent}")
        if self.written:
            told = ", ".join(f"{shown(text)} as {number:g}" for text, number in list(self.written.items())[:3])
            self.reading.note(f"read {told}")
        if self.mixed:
            names = ", ".join(map(shown, self.mixed[:MOST_NAMED]))
            self.reading.note(f"the scores of {names} go to 1 in some rows and to 100 in others; check them")


def _has_points(cells: Sequence[str], delimiter: str | None) -> bool:
    return delimiter in COMMA_DECIMALS and points_thousands(cells)


def _is_text(body: Sequence[Sequence[str]], column: int) -> bool:
    """Whether most cells of a column are texts, not numbers; an empty column is none."""
    cells = list(_filled(body, column))
    return bool(cells) and 2 * sum(map(_may_be_number, cells)) < len(cells)


def _is_numbers(body: Sequence[Sequence[str]], column: int) -> bool:
    cells = list(_filled(body, column))
    return bool(cells) and 2 * sum(map(_may_be_number, cells)) >= len(cells)


def _filled(body: Sequence[Sequence[str]], column: int) -> Iterator[str]:
    return (row[column] for row in body if row[column] and not is_missing(row[column]))


def _may_be_number(cell: str) -> bool:
    return is_number_cell(cell) or is_written_number(cell) or cell.casefold() == "nan"


def _note_left_out(names: Sequence[str], why: str, reading: Reading) -> None:
    if names:
        listed = ", ".join(map(shown, names[:MOST_NAMED])) + (", …" if len(names) > MOST_NAMED else "")
        reading.note(tell(f"left out {listed}: {why}; ", say_columns(ignore=""), " reads every column"))
