"""Label files: tables of query, item and grade in any format, and JSON, ``{query: {item: label}}``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from stagg.data.labels import Labels
from stagg.errors import DataError, need, plural, shown, spelled
from stagg.formats.documents.cell_files import read_object_lines
from stagg.formats.documents.jsonl import parse_json
from stagg.formats.documents.label_columns import LabelTable, find_label_columns, name_label_columns
from stagg.formats.format import ONE_QUERY
from stagg.formats.numbers import INTEGER, number_text, parse_number
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import label_problem, note_plan
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.trim import trim
from stagg.formats.tables.vocabulary import (
    JUDGING_SHEET,
    LABEL_COLUMNS,
    NO_GRADES,
    NO_NUMBERS,
    SCALES,
    VOTER_WORDS,
    YES_GRADES,
    plain_name,
)
from stagg.say import Either, Say, tell

__all__ = ["LABEL_TABLES", "read_label_cells", "read_label_file"]

LEADING: Final = pattern(r"([0-9]{1,3})\s*(?:[-–—:=.)]|\s)\s*[^0-9\s].*")
"""A grade with its meaning: "3 - perfect"."""
OF_SCALE: Final = pattern(r"([0-9]{1,3}(?:[.,][0-9]{1,3})?)\s*(?:/\s*([0-9]{1,3})|(%))")
"""A grade with the end of its scale: 4/5, 80 %."""
STATUS: Final = "result_status"
"""Umbrela's column that is 0 where the model's answer held no grade."""
DIGITS: Final = pattern(r"[0-9]{1,3}")
MOST_WORDS: Final = 20
Judgment = tuple[int, str, str, str]
"""(line, query, item, label)."""


def read_label_file(kind: str, reading: Reading) -> Labels:
    """The labels of a file, by the rules of qrels: grades are whole numbers up to 1000, below 0 means not judged."""
    rows = None
    if kind == "json":
        document = _parse(reading)
        document = _list_judged(document) or document
        rows = _list_pairs(document, reading) if isinstance(document, dict) else None
        table = None if rows is not None else _table_of_objects(_number_objects(document, reading), reading)
    else:
        table = LABEL_TABLES[kind](reading)
    if table is not None:
        table, columns = find_label_columns(table, reading)
        rows = _list_rows(table, columns, reading)
        judges = next((name for name in table.names or () if plain_name(name) in (*VOTER_WORDS, "annotator")), None)
    return _gather(rows or [], reading, None if table is None else judges)


def read_label_cells(cells: CellTable, reading: Reading) -> Labels:
    """The labels of a frame, by the same rules."""
    table, columns = find_label_columns(_table_of_cells(cells, reading), reading)
    return _gather(_list_rows(table, columns, reading), reading, None)


# --- tables -----------------------------------------------------------------------------------------------------------


def _table_of_cells(table: CellTable, reading: Reading) -> LabelTable:
    if not table.rows:
        raise reading.error("0 rows: there is nothing to read")
    table, _ = trim(table, reading)
    return LabelTable(
        table.rows[0], table.width, table.lines[1:], lambda column: [row[column] for row in table.rows[1:]]
    )


def _read_csv(reading: Reading) -> LabelTable:
    from stagg.formats.tables.sources.csv import Csv

    return _table_of_cells(Csv.for_name(reading.plain_name.lower()).cells(reading), reading)


def _read_excel(reading: Reading) -> LabelTable:
    from stagg.formats.tables.sources.excel import Excel

    def find_roles(names: list[str], reading: Reading, line: int) -> dict[int, str]:
        roles = name_label_columns(names, reading.excerpt(), line)
        return {column: "score" if role == "label" else role for role, column in roles.items()}

    return _table_of_cells(Excel().cells(reading, find_roles), reading)


def _read_json_lines(reading: Reading) -> LabelTable:
    return _table_of_objects(read_object_lines(reading), reading)


def _table_of_objects(objects: Sequence[tuple[int, Mapping[str, Any]]], reading: Reading) -> LabelTable:
    from stagg.formats.tables.sources.frames import list_texts

    if not objects:
        raise reading.error("0 rows: there is nothing to read")
    names = list(dict.fromkeys(name for _, each in objects for name in each))

    def cells(column: int) -> list[str]:
        try:
            return list_texts([each.get(names[column]) for _, each in objects], names[column])
        except DataError as error:
            raise reading.error(error.message) from None

    return LabelTable([spelled(name) for name in names], len(names), [line for line, _ in objects], cells)


def _number_objects(document: Any, reading: Reading) -> list[tuple[int, Mapping[str, Any]]]:
    if not isinstance(document, list) or not all(isinstance(each, dict) for each in document):
        raise reading.error("expected {query: {item: label}}, or an array of objects with query, item and label")
    return list(enumerate(document, start=1))


def _read_parquet(reading: Reading) -> LabelTable:
    need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    from stagg.formats.tables.sources.frames import list_texts
    from stagg.formats.tables.sources.parquet import check_claims, name_damage, read_columns

    with name_damage(reading):
        handle = reading.source.binary()
        file = pyarrow.parquet.ParquetFile(handle, page_checksum_verification=True)
        names = list(file.schema_arrow.names)
        roles = {names[column]: role for role, column in name_label_columns(names, reading).items()}
        check_claims(file, roles, handle, reading)
        table = read_columns(file, list(roles) or names)

    def cells(column: int) -> list[str]:
        with name_damage(reading):
            return list_texts(table[names[column]].to_pylist(), names[column])

    return LabelTable(names, len(names), range(1, len(table) + 1), cells)


LABEL_TABLES: Final[Mapping[str, Callable[[Reading], LabelTable]]] = {
    "csv": _read_csv, "excel": _read_excel, "jsonl": _read_json_lines, "parquet": _read_parquet,
}  # fmt: skip
"""Readers of tables of labels, by format."""


def _list_rows(table: LabelTable, columns: Mapping[str, int], reading: Reading) -> Iterator[Judgment]:
    """The judgments of a table; rows without a grade are not judged, and are counted."""
    if JUDGING_SHEET.issubset(table.names or ()):
        note_plan(reading)
    else:
        _note_columns(table, columns, reading)
    cells = {role: table.cells(column) for role, column in columns.items()}
    queries = cells.get("query", [ONE_QUERY] * len(table.lines))
    grades = _without_failures(cells["label"], table)
    labels = _read_grades(grades, table.lines, reading)
    for line, query, item, label in zip(table.lines, queries, cells["item"], labels, strict=True):
        if not label or label.casefold() in NO_NUMBERS:
            reading.drop("not judged", line)
        elif not query or not item:
            missing = f"the {'query' if not query else 'item'} is empty; expected an id"
            merged = reading.plain_name.lower().endswith((".xlsx", ".xlsm"))
            missing += "; merged cells hold their text in the first row only" if merged else ""
            if not reading.options.lenient:
                raise reading.error(missing, line)
            reading.drop("empty id", line)
        else:
            yield line, query, item, label


def _without_failures(grades: Sequence[str], table: LabelTable) -> list[str]:
    """The grades but those that umbrela writes where it found none in an answer."""
    names = [plain_name(name) for name in table.names or ()]
    if STATUS not in names:
        return list(grades)
    status = table.cells(names.index(STATUS))
    return ["" if failed.casefold() in ("0", "false") else grade for grade, failed in zip(grades, status, strict=True)]


def _note_columns(table: LabelTable, columns: Mapping[str, int], reading: Reading) -> None:
    """Say which columns were read as what where that is not plain, and which were left out."""
    if "query" not in columns:
        reading.note(f"there is no column of queries: all labels are of one query, {shown(ONE_QUERY)}")
    if table.names is None:
        return
    named = {role: table.names[column] for role, column in columns.items()}
    usual = {role: [*LABEL_COLUMNS[role][0], *LABEL_COLUMNS[role][1]] for role in ("query", "item")}
    if any(plain_name(named[role]) not in words for role, words in usual.items() if role in named):
        reading.note("read as labels: " + ", ".join(f"{role} = {shown(name)}" for role, name in named.items()))
    used = {*columns.values(), *(column for column, name in enumerate(table.names) if plain_name(name) == STATUS)}
    ignored = [name for column, name in enumerate(table.names) if column not in used and name]
    if ignored:
        reading.note(f"ignored columns: {', '.join(map(shown, ignored[:20]))}")


# --- grades -----------------------------------------------------------------------------------------------------------


def _read_grades(cells: Sequence[str], lines: Sequence[int], reading: Reading) -> list[str]:
    """The grades of a column as numbers: words by what the caller says, or where they leave no doubt."""
    given = {_plain_word(word): number_text(grade) for word, grade in (reading.options.grades or {}).items()}
    words = [cell for cell in dict.fromkeys(cells) if _is_word(cell) and _plain_word(cell) not in given]
    if words:
        given |= _understand(words, lines[cells.index(words[0])], reading)
    return [given.get(_plain_word(cell), _whole(cell)) for cell in cells]


def _is_word(cell: str) -> bool:
    return bool(cell) and _number(cell) is None and cell.casefold() not in (*NO_NUMBERS, "nan", "inf")


def _number(cell: str) -> float | None:
    """The number that a cell spells, perhaps with a decimal comma."""
    number = parse_number(cell)
    return parse_number(cell.replace(",", ".", 1)) if number is None else number


def _plain_word(cell: str) -> str:
    return " ".join(cell.casefold().replace("_", " ").replace("-", " ").split())


def _whole(cell: str) -> str:
    """A number as qrels have it: without a decimal comma, and without the point that spreadsheets add (3.0 is 3)."""
    number = _number(cell)
    return cell if number is None or INTEGER.fullmatch(cell) else number_text(number)


def _understand(words: Sequence[str], line: int, reading: Reading) -> dict[str, str]:
    """{word: grade} of words that leave no doubt; a question for others, if there are not too many to be grades."""
    plain = [_plain_word(word) for word in words]
    if all(word in (*YES_GRADES, *NO_GRADES) for word in plain):
        sure = {word: "1" if word in YES_GRADES else "0" for word in plain}
    else:
        led = [LEADING.fullmatch(word) for word in words]
        sure = {one: match[1] for one, match in zip(plain, led, strict=True) if match}
        sure = _read_scale(words) or sure
    if len(sure) == len({*plain}):
        told = ", ".join(f"{shown(word)} = {sure[_plain_word(word)]}" for word in words[:MOST_WORDS])
        reading.note(f"grades in words were read as numbers: {told}")
        return sure
    if len(words) > MOST_WORDS or reading.options.lenient or reading.options.grades:
        return {}  # each is a bad label, told by its place
    what = f"the grades are words: {', '.join(map(shown, words))}; say "
    raise reading.error(tell(what, _propose_grades(words)), line)


def _read_scale(words: Sequence[str]) -> dict[str, str] | None:
    """{word: grade} where all words are marks on one scale: 4/5 is 4, 80 % is 0.8."""
    marks = [OF_SCALE.fullmatch(word) for word in words]
    if not all(marks) or len({match[2] for match in marks if match}) > 1:
        return None
    found = {}
    for word, match in zip(words, marks, strict=True):
        assert match is not None
        number = _number(match[1]) or 0.0
        found[_plain_word(word)] = number_text(number / 100 if match[3] else number)
    return found


def _propose_grades(words: Sequence[str]) -> Either:
    """The grades of a scale that is known; for other words an example, which may have to be changed."""
    plain = [_plain_word(word) for word in words]
    for scale in SCALES:
        if {*plain} <= {*scale}:
            ordered = sorted(zip(plain, words, strict=True), key=lambda pair: -scale.index(pair[0]))
            return Say(grades={word: scale.index(one) for one, word in ordered})
    digits = [DIGITS.search(word) for word in words]
    counts = [int(match[0]) for match in digits if match] if all(digits) else range(len(words) - 1, -1, -1)
    example = Say(grades=dict(zip(words, counts, strict=True)))
    which = "which number each of them is, such as "
    return Either(f"{which}{example}", f"{which}{example.flags()}")


# --- JSON, {query: {item: label}} -------------------------------------------------------------------------------------


def _parse(reading: Reading) -> Any:
    try:
        return parse_json(reading.source.text())
    except (ValueError, RecursionError) as error:
        raise reading.error(f"this is not JSON: {shown(str(error))}") from None


def _list_judged(document: Any) -> list[dict[str, Any]] | None:
    """The judgments of a request to Elasticsearch's rank_eval, or of ``{query: [judgment, …]}``; None for others."""
    requests = document.get("requests") if isinstance(document, dict) else None
    if isinstance(requests, list) and all(isinstance(each, dict) for each in requests):
        rated = [(each.get("id"), each.get("ratings")) for each in requests]
        document = {query: ratings for query, ratings in rated if isinstance(query, str)}
        if len(document) < len(rated):
            return None
    if not isinstance(document, dict) or not document or not all(isinstance(each, list) for each in document.values()):
        return None
    judged = [(query, each) for query, several in document.items() for each in several]
    if judged and all(isinstance(each, str) for _, each in judged):
        return None  # ids of relevant items
    if not judged or not all(isinstance(each, dict) and "query" not in each for _, each in judged):
        return None
    return [
        {"query": query, **{"item" if name == "_id" else name: each[name] for name in each}} for query, each in judged
    ]


def _list_pairs(document: Mapping[str, Any], reading: Reading) -> Iterator[Judgment]:
    row = 0
    if all(isinstance(each, list) and all(isinstance(item, str) for item in each) for each in document.values()):
        reading.note("arrays of ids were read as the relevant items of each query, with grade 1")
        document = {query: dict.fromkeys(items, 1) for query, items in document.items()}
    for query, labels in document.items():
        if not isinstance(labels, dict):
            raise reading.error(f"expected {{item: label}} for query {shown(query)}")
        for item, label in labels.items():
            row += 1
            yield row, query, item, number_text(label) if isinstance(label, float) else str(label)


# --- judgments to labels ----------------------------------------------------------------------------------------------


def _gather(rows: Iterable[Judgment], reading: Reading, judges: str | None) -> Labels:
    """The labels; the same judgment twice is an error unless reading is lenient, two different ones always are.

    ``duplicates`` says otherwise: the mean of them, the better one, or the first one.
    """
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for line, query, item, label in rows:
        problem = label_problem(label, reading.options)
        before = found.get((query, item))
        if problem is None and before is not None and reading.options.duplicates == "error":
            problem = _describe_repeat(query, item, before[0], (float(label), line), judges, reading)
        if problem is None:
            found.setdefault((query, item), []).append((float(label), line))
        elif reading.options.lenient:
            reading.drop(problem[0], line)
        else:
            raise reading.error(problem[1], line)
    if not found:
        dropped = f" ({reading.log.summary()})" if reading.log.rows_dropped else ""
        raise reading.error(f"0 rows: there is nothing to read{dropped}")
    return Labels(_settle(found, reading))


def _describe_repeat(
    query: str, item: str, before: tuple[float, int], now: tuple[float, int], judges: str | None, reading: Reading
) -> tuple[str, str]:
    """What is wrong with a second judgment; raises if it is another than the first."""
    twice = f"item {shown(item)} of query {shown(query)} is judged twice"
    if before[0] == now[0]:
        return "duplicate judgment", f"{twice}, in lines {before[1]} and {now[1]}; remove one of them"
    told = f"; the column {shown(judges)} tells who judged" if judges else ""
    what = (
        f"{twice}, differently: {number_text(before[0])} and {number_text(now[0])}{told}; remove one of them, or say "
    )
    ways = Say(duplicates="mean"), " (their mean), ", Say(duplicates="best"), " or ", Say(duplicates="first")
    raise reading.error(tell(what, *ways), now[1])


def _settle(found: Mapping[tuple[str, str], list[tuple[float, int]]], reading: Reading) -> dict[str, dict[str, float]]:
    """One grade for each item of a query."""
    grades: dict[str, dict[str, float]] = {}
    several = 0
    for (query, item), given in found.items():
        judged = [grade for grade, _ in given if grade >= 0] or [given[0][0]]
        way = reading.options.duplicates
        grade = sum(judged) / len(judged) if way == "mean" else max(judged) if way == "best" else given[0][0]
        grades.setdefault(query, {})[item] = grade
        several += len(given) > 1
        reading.log.used(len(given) if way == "mean" else 1)
        for _, line in given[1:] if way != "mean" else ():
            reading.drop("duplicate judgment", line)
    if several and reading.options.duplicates == "mean":
        items = plural(several, "item has", "items have")
        reading.note(f"{items} several grades, of which the mean was taken", minor=True)
    return grades
