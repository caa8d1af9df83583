"""Columns of a table of labels: which one holds the queries, the items and the grades."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from stagg.errors import DataError, shown
from stagg.formats.numbers import parse_number
from stagg.formats.reading import Reading
from stagg.formats.tables.roles import map_columns
from stagg.formats.tables.vocabulary import JUDGING_SHEET, LABEL_COLUMNS, LABEL_WORDS, PYTERRIER, plain_name
from stagg.say import Say, name_option, tell

__all__ = ["LABEL_ROLES", "LabelTable", "find_label_columns", "name_label_columns"]

LABEL_ROLES: Final = ("query", "item", "label")
SAMPLE: Final = 1000  # rows that are looked at where the names do not tell
MOST_GRADES: Final = 11  # 0 to 10
MOST_PROPOSED: Final = 4
NO_GRADES: Final = ("by", "date", "time", "comment", "notes", "id", "reason", "status", "count", "text")
"""Ends of names that are about grades, and hold none."""


class LabelTable(NamedTuple):
    """Rows of labels: the names of the columns (None without a header), the cells of each column, and the lines."""

    names: list[str] | None
    width: int
    lines: Sequence[int]
    cells: Callable[[int], list[str]]

    def without_header(self) -> LabelTable:
        """The same, whose names are its first row; only of tables that have one."""
        assert self.names is not None
        names, line = self.names, self.lines[0] - 1 if self.lines else 1
        return LabelTable(None, self.width, [line, *self.lines], lambda column: [names[column], *self.cells(column)])


def find_label_columns(table: LabelTable, reading: Reading) -> tuple[LabelTable, dict[str, int]]:
    """(the table, {role: column}): by what the caller says, by the names, or by the order of the columns."""
    if table.names is not None and reading.options.header is not False:
        found = name_label_columns(table.names, reading, table.lines[0] - 1 if table.lines else None)
        if {"item", "label"} <= found.keys():
            return table, found
    if table.names is not None and reading.options.header is None and reading.options.columns is None:
        bare = table.without_header()
        ordered = _find_by_order(bare)
        if ordered is not None:
            order = ", ".join(f"{role} = column {column + 1}" for role, column in ordered.items())
            reading.note(f"the first line is no header; read by the order of the columns: {order}")
            return bare, ordered
    if reading.options.header is False and table.names is not None:
        table = table.without_header()
        found = {role: column for column, role in map_columns([""] * table.width, reading, None).items()}
        if {*LABEL_ROLES} <= found.keys():
            return table, found
    raise _ask_for_columns(table, reading)


def name_label_columns(names: Sequence[str], reading: Reading, line: int | None = None) -> dict[str, int]:
    """{role: column} as the caller says it, and by the names; a question where two columns claim a role."""
    mapped = {role: column for column, role in map_columns(names, reading, line).items() if role in LABEL_ROLES}
    given = reading.options.columns or {}
    plain = ["" if number in mapped.values() else _name(name) for number, name in enumerate(names)]
    found = dict(mapped)
    for role in ("label", "item", "query"):
        if role in given or role in found:
            continue
        claims = _claim(role, ["" if number in found.values() else name for number, name in enumerate(plain)])
        if len(claims) > 1:
            others = {other: names[column] for other, column in found.items()}
            ways = [Say(columns={**others, role: names[column]}) for column in claims]
            raise reading.ask(f"which column holds the {_plural(role)}?", *ways, line=line)
        if claims and role == "label" and "rank" in plain and plain[claims[0]] == "score":
            ways = [Say(columns={role: names[claims[0]]})]
            raise reading.ask("this is a run, with ranks and scores; if the scores are grades", *ways, before=", say")
        if claims:
            found[role] = claims[0]
    return {role: found[role] for role in LABEL_ROLES if role in found}


def _name(name: str) -> str:
    """The plain name of a column without what stands in brackets: "Relevance (0-3)"."""
    return plain_name(re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", name)) or plain_name(name)


def _claim(role: str, names: Sequence[str]) -> list[int]:
    """The columns that may have a role, by the likeliest name that any has."""
    if role in ("query", "item") and {*names} >= PYTERRIER:
        return [names.index("qid" if role == "query" else "docno")]
    if role in names and {*names} >= JUDGING_SHEET:
        return [names.index(role)]
    for tier, words in enumerate(LABEL_COLUMNS[role]):
        claims = [number for number, name in enumerate(names) if name in words]
        if not claims and tier == len(LABEL_COLUMNS[role]) - 2 and role in LABEL_WORDS:
            claims = [number for number, name in enumerate(names) if _holds_word(name, LABEL_WORDS[role])]
        if claims:
            return claims
    return []


def _holds_word(name: str, words: Sequence[str]) -> bool:
    parts = name.split("_")
    return bool({*parts} & {*words}) and parts[-1] not in NO_GRADES


def _plural(role: str) -> str:
    return {"query": "queries", "item": "items", "label": "grades"}[role]


# --- tables whose names do not tell -----------------------------------------------------------------------------------


def _find_by_order(table: LabelTable) -> dict[str, int] | None:
    """The columns of a table without a header: query, item, label, or those of qrels, where nothing speaks against it.

    Queries come again, no item of a query does, and the last column alone holds whole numbers below 100.
    """
    if table.width not in (3, 4) or len(table.lines) < 2:
        return None
    if table.width == 4 and len({*table.cells(1)}) > 1:
        return None  # the second column of qrels never changes
    columns = {"query": 0, "item": table.width - 2, "label": table.width - 1}
    queries, items, labels = (table.cells(column)[:SAMPLE] for column in columns.values())
    grades = [parse_number(label) for label in labels]
    small = all(grade is not None and grade == int(grade) and grade < 100 for grade in grades)
    pairs = {*zip(queries, items, strict=True)}
    again = len({*queries}) < len(queries) and len(pairs) == len(queries)
    return columns if small and again and all(queries) and all(items) else None


def _ask_for_columns(table: LabelTable, reading: Reading) -> DataError:
    """The question which columns hold query, item and label, with the likeliest answer."""
    first = table.names or [table.cells(column)[0] for column in range(table.width)]
    known = _known(table.names, reading) if table.names is not None else {}
    missing = ", ".join(role for role in LABEL_ROLES if role not in known) or "the columns"
    listed = ", ".join(map(shown, first[:20]))
    question = f"a table of labels needs the columns query, item and label; missing: {missing}; found: {listed}"
    is_data = table.names is None or any(parse_number(name) is not None for name in first)
    proposals = _propose(table.without_header(), {}) if is_data and table.names else _propose(table, known)
    if not proposals:
        return reading.error(tell(question, "; see ", name_option("columns")))
    if is_data:
        numbered = [{role: str(column + 1) for role, column in each.items()} for each in proposals]
        ways = [Say(header=False, columns=each) for each in numbered]
        return reading.ask(question, *ways, before="; if the first line is data, say")
    named = [{role: first[column] for role, column in each.items()} for each in proposals]
    return reading.ask(question, *[Say(columns=each) for each in named])


def _known(names: Sequence[str], reading: Reading) -> dict[str, int]:
    try:
        return name_label_columns(names, reading.excerpt())
    except DataError:
        return {}


def _propose(table: LabelTable, known: Mapping[str, int]) -> list[dict[str, int]]:
    """The likeliest columns: grades are few numbers, queries come again, items hardly do.

    Several proposals where several columns may hold the grades, such as one for each judge.
    """
    cells = {column: _sample(table, column) for column in range(table.width) if column not in known.values()}
    numbers = [c for c, some in cells.items() if some and all(parse_number(cell) is not None for cell in some)]
    texts = [column for column, some in cells.items() if some and column not in numbers]
    labels = [known["label"]] if "label" in known else _list_grades(numbers, cells) or texts[-1:]
    proposals = []
    for label in labels[:MOST_PROPOSED]:
        free = [c for c in texts or numbers if c != label] or [c for c in numbers if c not in labels]
        found = {**known, "label": label}
        if "item" not in found and free:
            found["item"] = max(free, key=lambda column: (len({*cells[column]}), column))
        free = [column for column in free if column not in found.values()]
        if "query" not in found and free:
            found["query"] = free[0]
        if {*LABEL_ROLES} <= found.keys():
            proposals.append({role: found[role] for role in LABEL_ROLES})
    return proposals


def _list_grades(numbers: Sequence[int], cells: Mapping[int, list[str]]) -> list[int]:
    """The columns of few different numbers; the last of all columns of numbers where none is so."""
    few = [column for column in numbers if len({*cells[column]}) <= MOST_GRADES]
    return few or list(numbers[-1:])


def _sample(table: LabelTable, column: int) -> list[str]:
    """Some cells of a column; none where they are no cells at all, as in nested JSON."""
    try:
        return [cell for cell in table.cells(column)[:SAMPLE] if cell]
    except DataError:
        return []
