"""Input of a leaderboard: files, frames, dicts or rows become a table of scores, with families and weights."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from stagg.data.inputs.battle_rows import BattleRows, join_battle_rows
from stagg.data.inputs.frames import are_rows, is_frame
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats.inputs import read_cells
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.storage.paths import expand_paths
from stagg.formats.tables.stages import find_battles
from stagg.leaderboards.score_cells import ReadScores, find_scores
from stagg.leaderboards.scores import ScoreTable, table_of
from stagg.registry import near_names
from stagg.say import Say, name_option, tell

__all__ = ["Families", "Lower", "ScoresLike", "battle_rows", "board_input", "refuse_options", "score_table"]

ScoresLike = Any
"""A file or several, a frame, ``{model: {task: score or scores}}``, rows (model, task, score), or a ScoreTable."""

Lower = str | Sequence[str] | None
"""Tasks where small scores are better: names, a text with commas between, "all", "" for none; None is not said."""

Families = Mapping[str, str] | str | Path | None
"""The family of each task: a dict, a column, "row" for the row above the header, or a file of tasks and families."""


def board_input(
    given: ScoresLike,
    *,
    lower_is_better: Lower = None,
    families: Families = None,
    weights: Mapping[str, float] | None = None,
    format: str = "auto",
    options: ReadOptions | None = None,
    log: ReadLog | None = None,
) -> ScoreTable | BattleRows:
    """What an input holds: battles, or else a table of scores."""
    rows = battle_rows(given, format=format, options=options, log=log)
    if rows is None:
        table = score_table(
            given, lower_is_better=lower_is_better, families=families, weights=weights, format=format, options=options,
            log=log,
        )  # fmt: skip
        _note_alike(table.models, log)
        return table
    _note_alike(rows.contestants, log)
    of_scores = {"lower_is_better": lower_is_better, "families": families, "weights": weights}
    refuse_options("tables of scores", "these are battles", **of_scores)
    return rows


def _note_alike(names: Sequence[str], log: ReadLog | None) -> None:
    """Note models whose names differ only in blanks or capitals: they are ranked apart."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(" ".join(name.split()).casefold(), name)
        if other != name and log is not None:
            log.note(
                f"{shown(other)} and {shown(name)} differ only in blanks or capitals, and are ranked as two models"
            )


def refuse_options(what: str, found: str, **options: Any) -> None:
    """Refuse options, by name, that say nothing of what was found."""
    wrong = next((name for name, given in options.items() if given), None)
    if wrong is not None:
        raise InvalidParameter(tell(name_option(wrong), f" is for {what}; {found}"))


def battle_rows(
    given: Any, *, format: str = "auto", options: ReadOptions | None = None, log: ReadLog | None = None
) -> BattleRows | None:
    """The battles of an input; None if it holds something else.

    Several files are parts of one whole; a file that does not name its judge is a judge.
    """
    options, log = options or ReadOptions(), log or ReadLog()
    if isinstance(given, BattleRows):
        return given
    if is_frame(given) or are_rows(given):
        return find_battles(*read_cells(given, format=format, options=options, log=log))
    several = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(several, list | tuple) or not all(isinstance(each, str | os.PathLike) for each in several):
        return None
    parts: list[tuple[str, BattleRows | None]] = []
    for place in expand_paths([os.fspath(path) for path in several]):
        cells, reading = read_cells(place.path, format=format, options=options, log=log)
        parts.append((reading.stem, find_battles(cells, reading)))
        if parts[0][1] is None:
            return None
    found = [(stem, rows) for stem, rows in parts if rows is not None]
    if len(found) < len(parts):
        raise DataError("some of the inputs are battles, others are not; give them one kind at a time")
    log.used(sum(len(rows) for _, rows in found))
    if len(found) == 1:
        return found[0][1]
    return join_battle_rows([rows if rows.judged else rows.replace_judge(stem) for stem, rows in found])


def score_table(
    given: ScoresLike,
    *,
    lower_is_better: Lower = None,
    families: Families = None,
    weights: Mapping[str, float] | None = None,
    format: str = "auto",
    options: ReadOptions | None = None,
    log: ReadLog | None = None,
) -> ScoreTable:
    """The table of scores of an input.

    >>> score_table({"a": {"t": 0.5}, "b": {"t": [0.75, 0.25]}}).shape
    (2, 1)
    """
    options, log = options or ReadOptions(), log or ReadLog()
    if isinstance(given, ScoreTable):
        table, found = given, {}
        lower = _split_lower(lower_is_better, table.tasks)
        table = table if lower is None else table.with_lower(lower)
    else:
        read = _read(given, format, options, log)
        table, found = table_of(read.rows), dict(read.families)
        table = _point(table, read, lower_is_better, options, log)
    table = _give_families(table, families, found, log)
    return table if weights is None else table.with_weights(weights)


def _read(given: Any, format: str, options: ReadOptions, log: ReadLog) -> ReadScores:
    if isinstance(given, Mapping) and given and all(isinstance(each, Mapping) for each in given.values()):
        return ReadScores(list(_list_scores(given)), (), (), {})
    if isinstance(given, Mapping) and given:
        name, wrong = next((name, each) for name, each in given.items() if not isinstance(each, Mapping))
        raise InvalidParameter(
            f"expected {{model: {{task: score}}}}, but {shown(name)} holds a {type(wrong).__name__}; for battles of "
            "several judges give one table with a column that names the judge"
        )
    if is_frame(given) or are_rows(given):
        return find_scores(*read_cells(given, format=format, options=options, log=log))
    if isinstance(given, str | os.PathLike):
        return _read_files([given], format, options, log)
    rows = list(given) if isinstance(given, Iterable) else []
    if rows and all(isinstance(row, str | os.PathLike) for row in rows):
        return _read_files(rows, format, options, log)
    if rows and all(isinstance(row, tuple | list) and len(row) == 3 for row in rows):
        return ReadScores([(str(m), str(t), _number(x, m, t)) for m, t, x in rows], (), (), {})
    raise InvalidParameter(
        f"expected a file, a frame, {{model: {{task: score}}}} or rows (model, task, score), not {shown(given)}"
    )


def _list_scores(given: Mapping[Any, Mapping[Any, Any]]) -> Iterable[tuple[str, str, float]]:
    """The rows of a dict of dicts; None and NaN are missing, a list holds runs."""
    for model, scores in given.items():
        for task, score in scores.items():
            for one in score if isinstance(score, list | tuple) else [score]:
                if one is not None and one == one:
                    yield str(model), str(task), _number(one, model, task)


def _number(score: Any, model: Any, task: Any) -> float:
    try:
        return float(score)
    except (TypeError, ValueError):
        raise DataError(f"the score of {shown(model)} on {shown(task)} is {shown(score)}; expected a number") from None


def _read_files(paths: Sequence[Any], format: str, options: ReadOptions, log: ReadLog) -> ReadScores:
    """Several files are parts of one table: further models, tasks or runs."""
    parts = []
    for place in expand_paths([os.fspath(path) for path in paths]):
        parts.append(find_scores(*read_cells(place.path, format=format, options=options, log=log)))
        log.used(len(parts[-1].rows))
    if len(parts) == 1:
        return parts[0]
    families: dict[str, dict[str, str]] = {}
    for part in parts:
        for name, known in part.families.items():
            families.setdefault(name, {}).update(known)
    return ReadScores(
        [row for part in parts for row in part.rows],
        tuple(dict.fromkeys(task for part in parts for task in part.lower)),
        tuple(dict.fromkeys(task for part in parts for task in part.asked)),
        families,
    )


# --- which way the scores point ---------------------------------------------------------------------------------------


def _point(table: ScoreTable, read: ReadScores, given: Lower, options: ReadOptions, log: ReadLog) -> ScoreTable:
    """The table with the tasks where small scores are better; a question where a name only suggests it."""
    lower = _split_lower(options.lower if given is None else given, table.tasks)
    if lower is not None:
        return table.with_lower(lower)
    if read.asked:
        names, none = ",".join([*read.lower, *read.asked]), ",".join(read.lower)
        listed = ", ".join(map(shown, read.asked[:8])) + (", …" if len(read.asked) > 8 else "")
        ways = Say(lower_is_better=names), " or, where large ones are, ", Say(lower_is_better=none)
        raise DataError(tell(f"are small scores better on {listed}? say ", *ways))
    if read.lower:
        log.note(f"small scores are better on {', '.join(map(shown, read.lower))}, as the names say")
    return table.with_lower(read.lower)


def _split_lower(given: Lower, tasks: Sequence[str]) -> Sequence[str] | Literal["all"] | None:
    """The names of the tasks; a name may have a comma of its own."""
    if given is None:
        return None
    if isinstance(given, str):
        if given.strip() == "all" and "all" not in tasks:
            return "all"
        if given in tasks:
            return [given]
        return [name for name in (part.strip() for part in given.split(",")) if name]
    return list(given)


# --- families ---------------------------------------------------------------------------------------------------------


def _give_families(
    table: ScoreTable, given: Families, found: Mapping[str, Mapping[str, str]], log: ReadLog
) -> ScoreTable:
    if given is None:
        for name, known in found.items():
            where = "the row above the header" if name == "row" else f"the column {shown(name)}"
            groups = ", ".join(map(shown, sorted(set(known.values()))[:5]))
            log.note(tell(f"{where} groups the tasks ({groups}); to count each group once say ", Say(families=name)))
        return table
    if isinstance(given, Mapping):
        known = {str(task): str(family) for task, family in given.items()}
    elif str(given) in found:
        known = dict(found[str(given)])
    elif os.path.exists(given):
        known = _read_families(given, log)
    else:
        names = ", ".join(map(shown, found)) or "none"
        raise InvalidParameter(
            f"there is no column or file of families {shown(str(given))}; columns that group the tasks: {names}"
        )
    unknown = [task for task in known if task not in table.tasks]
    if unknown and len(unknown) == len(known):
        raise InvalidParameter(f"the families name no task of the table{near_names(unknown[0], table.tasks)}")
    if unknown:
        log.note(f"families of tasks that are not in the table: {', '.join(map(shown, unknown[:8]))}")
    alone = [task for task in table.tasks if task not in known]
    if alone:
        log.note(f"tasks without a family count as one each: {', '.join(map(shown, alone[:8]))}")
    return table.with_families(known)


def _read_families(path: str | Path, log: ReadLog) -> dict[str, str]:
    """A table of two columns, task and family, below a header."""
    cells, reading = read_cells(path, options=ReadOptions(), log=log)
    if not cells.rows or cells.width < 2:
        raise reading.error("expected two columns: task and family")
    names = [name.strip().casefold() for name in cells.rows[0]]
    task = next((n for n, name in enumerate(names) if name in ("task", "dataset", "benchmark", "name")), None)
    family = next((n for n, name in enumerate(names) if name in ("family", "category", "group", "type")), None)
    if task is None:  # the first column that does not hold the families
        task = 1 if family == 0 else 0
    if family is None:
        family = 1 if task == 0 else 0
    return {row[task]: row[family] for row in cells.rows[1:] if row[task] and row[family]}
